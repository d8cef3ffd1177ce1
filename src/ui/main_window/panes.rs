//! What egui lays out in a frame: the panel beside the picture, and all that lies
//! over it. What is done there comes out as commands.

use super::{
    MainWindow,
    layout::{eyes, pixels},
    marks::PictureMarks,
};
use crate::ui::{
    app_state::AppState,
    command::Command,
    corner::MessageCorner,
    dock,
    hand::reach::HandReach,
    help, hint,
    inspector::Inspected,
    job_bar, overlay,
    panel::{self, input::PanelInput},
    start,
    timeline::{self, TimelineView},
    tool_palette, working_view,
};

impl MainWindow {
    /// Lays out the frame, and carries out what is done in it.
    pub(super) fn panel(&mut self, program: &mut AppState) {
        let mut commands = Vec::new();
        let mut viewport = self.viewport;
        let (status, pulse, cursor) = (self.status, self.pulse, self.gesture.cursor());
        let drawing = self.picture.simplified();
        let still = self.picture.exposed();
        let (size, scale) = (self.size, self.gui.context().pixels_per_point());
        let pointer = self.pointer_on_picture().then(|| self.gesture.at().into());
        self.follow_hand(program);
        let (picture, highlight) = (&self.picture, &self.highlight);
        let held = self.pull.as_ref().map(|pull| pull.handle);
        let grip = self.righting.as_ref().map(|pull| pull.grip);
        let placed = self.placing.as_ref().map(|pull| pull.handle);
        let holds = [held.is_some(), grip.is_some(), placed.is_some()].contains(&true);
        let holds = self.gesture.drags() || holds;
        let free = !holds && !program.ui.hand.works();
        let picture_time = program.picture_time();
        let AppState {
            document,
            session,
            ui: state,
        } = &mut *program;
        let (scene, session) = (document.scene(), &*session);
        self.gui.run(self.surface.window(), self.size, |ui| {
            // The panel may be laid out twice for one frame.
            commands.clear();
            let (drawing, turns) = (drawing.as_deref(), scene.camera.turntable);
            overlay::status(ui, session, &status, pulse, drawing, still, turns);
            if state.shows_panel {
                let input = PanelInput::of(document, session, state);
                panel::show(ui, input, &mut commands);
            }
            if let Some(page) = state.page {
                let picked = state.picked;
                let shown = Inspected {
                    scene,
                    session,
                    picked,
                };
                dock::show(ui, page, shown, &mut commands);
            }
            viewport = ui.available_rect_before_wrap();
            let graph = state.keyed.graph.as_deref();
            let above = timeline::above_graph(viewport, scene, session, graph);
            if picture.generation() == 0 {
                start::show(ui, viewport, picture.has_head(), session.reading());
            } else {
                let (_, pixels) = pixels(viewport, size, scale);
                let eyes = eyes(&state.camera, &picture.rects(pixels), scale, viewport);
                let marks = PictureMarks {
                    scene,
                    session,
                    state: &*state,
                    picture_time,
                    free,
                    held,
                    placed,
                    grip,
                    highlight,
                    cursor: pointer,
                };
                marks.paint(ui, &eyes, [viewport, above], &mut commands);
            }
            let ctx = ui.ctx().clone();
            let mut settings = None;
            if session.built().is_some() {
                let pins = scene.handwork.pins.len();
                let tool = state.hand.tool;
                tool_palette::palette(&ctx, viewport, tool, pins, &mut commands);
                settings = tool_palette::settings(&ctx, viewport, tool, scene, &mut commands);
            }
            let asked = state.is_asked();
            let (there, view) = (
                (&*document, session),
                TimelineView::of(state, scene, session),
            );
            timeline::show(&ctx, viewport, there, view, &mut commands);
            if state.keyed.working {
                let (bar, told) = (
                    timeline::height(scene, session),
                    view.unit.text(view.key_time),
                );
                working_view::show(&ctx, above, bar, &told, &mut commands);
            }
            if state.hint.is_shown() {
                let timeline = timeline::height(scene, session) > 0.0;
                // Plots need the room more.
                let scenes = state.hint.has_scenes() && state.page.is_none();
                hint::show(&ctx, above, timeline, scenes, &mut commands);
            }
            if let Some(corner) = &mut MessageCorner::of(above, settings) {
                job_bar::show(&ctx, corner, session.jobs(), &mut commands);
                commands.extend(state.toasts.show(&ctx, corner, asked));
            }
            if state.shows_help && !help::show(&ctx, state.toasts.past()) {
                commands.push(Command::Help);
            }
            if let Some(question) = &state.question {
                commands.extend(question.show(&ctx).map(Command::Answer));
            } else if let Some(dialog) = &mut state.dialog {
                commands.extend(dialog.show(&ctx));
            }
            if let Some(cursor) = cursor {
                ctx.set_cursor_icon(cursor);
            }
        });
        self.viewport = viewport;
        for command in commands {
            program.perform(command);
            self.pacing.want();
        }
        let down = self.gui.context().input(|input| input.pointer.any_down());
        if !down && !self.queue.steps_on(std::time::Instant::now()) {
            program.release();
        }
    }

    /// Looks what the hand would work on at the cursor.
    fn follow_hand(&mut self, program: &AppState) {
        let seen = self.sight(program).map(|(side, sight)| {
            let reach = HandReach {
                scene: program.document.scene(),
                session: &program.session,
                side,
                depth: program.ui.depth(),
            };
            (reach, sight)
        });
        let eye = program.ui.camera.position();
        let at = self.gesture.at();
        self.highlight.follow(&program.ui.hand, seen, at, eye);
    }
}
