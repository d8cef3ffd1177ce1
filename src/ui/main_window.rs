//! What is on the screen: the picture, and the panel beside it.

mod hold;
mod key_queue;
mod layout;
mod marks;
mod mouse;
mod news;
mod panes;
mod reopen;
mod shoot;

use super::{
    app_state::AppState,
    bodies::{self, GizmoDrag},
    caption::Captions,
    command::Command,
    fallback::Fallback,
    gesture::Gesture,
    gui::Gui,
    highlight::Highlight,
    keys::Binding,
    milestones::Milestones,
    overlay::{FrameStats, Status},
    pacing::Pacing,
    panel,
    pick_ray::{self, PickRay},
    placing::PlacingDrag,
    recovery::Recovery,
    righting,
    tint::Tint,
    view_projection::{ViewProjection, place},
};
use crate::{
    project::sides::Side,
    render::{ViewportRect, ViewportRenderer, surface::Surface3d},
    sim::collider::Collider,
};
use egui::{Rect, pos2};
use egui_glow::EventResponse;
use key_queue::KeyQueue;
use layout::pixels;

use std::time::{Duration, Instant};
use winit::{
    event::WindowEvent, event_loop::ActiveEventLoop, keyboard::ModifiersState, window::Window,
};

/// While a video is made, one looks how far it is after this time.
const VIDEO_LOOK: Duration = Duration::from_millis(100);

/// Everything that exists only while there is a window.
pub struct MainWindow {
    picture: ViewportRenderer,
    /// What is painted over pictures for files; none before the first.
    captions: Option<Captions>,
    gui: Gui,
    queue: KeyQueue,
    surface: Surface3d,
    /// Of the window, as the last event told. `[px]`
    size: [u32; 2],
    /// When to draw.
    pub pacing: Pacing,
    /// The drag in the picture.
    gesture: Gesture,
    /// The drag of a body's handle.
    pull: Option<GizmoDrag>,
    highlight: Highlight,
    tint: Tint,
    /// The picture for a file that is on its way; none while none is.
    still: Option<shoot::StillOnItsWay>,
    /// The drag of a handle of the head.
    righting: Option<righting::RightingDrag>,
    /// The drag of a handle of the hair of a file.
    placing: Option<PlacingDrag>,
    /// Whether a parting is being drawn.
    pen: bool,
    /// Shift, Ctrl and their kin.
    pub modifiers: ModifiersState,
    /// Whether other windows hide this one.
    pub hidden: bool,
    viewport: egui::Rect,
    status: Status,
    pulse: FrameStats,
    fallback: Fallback,
    recovery: Recovery,
    milestones: Milestones,
    /// Whether head or hair came that the picture does not show yet.
    news: bool,
}

impl MainWindow {
    /// Fits out a window of a program that was started when it `begun`. `repaint` is called
    /// with a delay whenever the panel wants to be drawn.
    ///
    /// # Errors
    /// When the driver refuses what the picture needs.
    pub fn new(
        event_loop: &ActiveEventLoop,
        surface: Surface3d,
        interval: Duration,
        begun: Instant,
        repaint: impl Fn(Duration) + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        let picture = ViewportRenderer::new(surface.gl())?;
        let gui = Gui::new(event_loop, surface.gl())?;
        gui.context()
            .set_request_repaint_callback(move |info| repaint(info.delay));
        let size = surface.window().inner_size();
        Ok(Self {
            picture,
            captions: None,
            gui,
            queue: KeyQueue::default(),
            size: [size.width, size.height],
            surface,
            pacing: Pacing::new(interval),
            gesture: Gesture::default(),
            pull: None,
            highlight: Highlight::default(),
            tint: Tint::default(),
            still: None,
            righting: None,
            placing: None,
            pen: false,
            modifiers: ModifiersState::empty(),
            hidden: false,
            viewport: egui::Rect::ZERO,
            status: Status::default(),
            pulse: FrameStats::default(),
            fallback: Fallback::default(),
            recovery: Recovery::default(),
            milestones: Milestones::since(begun),
            news: false,
        })
    }

    /// The window.
    pub fn window(&self) -> &Window {
        self.surface.window()
    }

    /// Whether there is anything of the window to be seen.
    pub fn is_seen(&self) -> bool {
        !self.hidden && !self.size.contains(&0)
    }

    /// Lets the panel look at an event first.
    pub fn on_event(&mut self, event: &WindowEvent) -> EventResponse {
        self.gui.on_event(self.surface.window(), event)
    }

    /// A key asks for that: it is done once the panel has what the mouse did before.
    pub fn press(&mut self, program: &mut AppState, row: &Binding) {
        if row.repeats && self.queue.steps_anew(Instant::now()) {
            program.release();
        }
        let pointed = self.side();
        let arrived = match self.gui.waits_for_mouse() {
            true => self.gui.arrived(),
            false => self.gui.taken(),
        };
        self.queue.push(arrived, row.command.clone(), pointed);
        self.take_keys(program, self.gui.taken());
    }

    /// A key that a text field has no use for asks for that: it is done once the panel has
    /// taken over what was typed, with the next event.
    pub fn press_after_text(&mut self, command: Command) {
        self.gui.context().memory_mut(egui::Memory::stop_text_input);
        let pointed = self.side();
        self.queue.push(self.gui.arrived() + 1, command, pointed);
        self.pacing.want();
    }

    /// Whether a list, a menu or a choice of colours is open.
    pub fn has_popup(&self) -> bool {
        egui::Popup::is_any_open(self.gui.context())
    }

    /// Does what all keys so far ask for, whatever they wait for.
    pub fn finish_keys(&mut self, program: &mut AppState) {
        self.take_keys(program, u64::MAX);
    }

    /// Does what the keys ask for that wait for no more than so many events.
    fn take_keys(&mut self, program: &mut AppState, taken: u64) {
        while let Some(key) = self.queue.next(taken) {
            // A question or dialog that opened meanwhile has the keys to itself.
            if !program.ui.is_asked() {
                program.ui.pointed = key.pointed;
                program.perform(key.command);
            }
            self.pacing.want();
        }
    }

    /// Whether a text is being edited, or will be once the key that asks for the search
    /// field has its frame.
    pub fn is_typing(&self, program: &AppState) -> bool {
        let context = self.gui.context();
        context.egui_wants_keyboard_input()
            || self.queue.holds(&Command::Find)
            || panel::awaits_search(context, &program.ui.panel)
    }

    /// Follows the window to a new size. `[px]`
    pub fn resize(&mut self, width: u32, height: u32) {
        self.size = [width, height];
        self.surface.resize(width, height);
    }

    /// The part of the window that the picture fills. `[points]`
    pub fn viewport(&self) -> egui::Rect {
        self.viewport
    }

    /// Pixels to points.
    fn points(&self, pixels: [f64; 2]) -> [f32; 2] {
        let scale = f64::from(self.gui.context().pixels_per_point());
        pixels.map(|v| (v / scale) as f32)
    }

    /// Whether the cursor is over the picture and nothing lies over it there.
    pub fn pointer_on_picture(&self) -> bool {
        let [x, y] = self.gesture.at();
        let at = egui::pos2(x, y);
        // The edge towards the panel is for resizing that.
        let picture = self.viewport.with_max_x(self.viewport.max.x - 5.0);
        let above = self.gui.context().layer_id_at(at);
        picture.contains(at) && above.is_none_or(|layer| layer.order == egui::Order::Background)
    }

    /// One frame: news, panel, picture, and the frame of a recording.
    ///
    /// # Errors
    /// When the driver cannot draw the picture.
    pub fn frame(&mut self, program: &mut AppState) -> anyhow::Result<()> {
        let begun = Instant::now();
        self.pacing.drawn(begun);
        program.session.waits.frame();
        let seen = self.is_seen();
        self.take_news(program, seen);
        self.take_planted(program);
        let then = Instant::now();
        let recorded = self.upload(program);
        if program.move_camera(begun, recorded) {
            self.pacing.want();
        }
        program.follow_tracks(self.gesture.drags());
        if let Some(rests) = program.ui.keyed.wheel_rests() {
            self.pacing.want_at(rests);
        }
        if program.session.video().is_some() {
            self.pacing.want_at(begun + VIDEO_LOOK);
        }
        program
            .session
            .waits
            .note("the newest positions", then.elapsed());
        if seen {
            let then = Instant::now();
            self.panel(program);
            program.session.waits.note("the panel", then.elapsed());
            self.take_keys(program, self.gui.taken());
        } else {
            // No panel is laid out.
            self.finish_keys(program);
        }
        self.show(program, recorded, seen)?;
        if seen {
            self.gui.paint(self.size);
            self.surface.swap();
            self.recovery.shown();
            let hair = self.picture.uploaded() > 0;
            self.milestones.shown(self.picture.has_head(), hair);
        }
        let ms = 1e3 * begun.elapsed().as_secs_f64();
        self.pulse.frame_ms += 0.15 * (ms - self.pulse.frame_ms);
        self.pulse.fps = self.pacing.rate();
        Ok(())
    }

    /// Pixels a point.
    fn scale(&self) -> f32 {
        self.gui.context().pixels_per_point()
    }

    /// The side under the cursor, with its part of the picture.
    fn pointed(&self) -> Option<(Side, ViewportRect, Rect)> {
        if !self.pointer_on_picture() {
            return None;
        }
        let [x, y] = self.gesture.at();
        let (_, size) = pixels(self.viewport, self.size, self.scale());
        let parts = self.picture.rects(size);
        let mut found = Side::BOTH.into_iter().zip(parts).map(|(side, part)| {
            let rect = place(part, self.scale(), self.viewport);
            (side, part, rect)
        });
        found.find(|(_, _, rect)| rect.contains(pos2(x, y)))
    }

    /// The side under the cursor.
    pub fn side(&self) -> Option<Side> {
        self.pointed().map(|(side, ..)| side)
    }

    /// Height of what a drag moves, as [`Camera::pan`](crate::render::Camera::pan)
    /// wants it. `[points]`
    fn pan_height(&self, program: &AppState) -> f32 {
        let (_, size) = pixels(self.viewport, self.size, self.scale());
        let Some(part) = self.picture.rects(size).first().copied() else {
            return self.viewport.height();
        };
        let height = place(part, self.scale(), self.viewport).height();
        if self.picture.sides() == 1 {
            return height;
        }
        let camera = &program.ui.camera;
        let tangent = |fov: f32| (0.5 * fov).tan();
        let wide = tangent(camera.fitted(part.size).fov) / tangent(camera.fov);
        height / wide
    }

    /// What is seen at the cursor, and on which side.
    fn sight(&self, program: &AppState) -> Option<(Side, PickRay)> {
        let (side, part, rect) = self.pointed()?;
        let camera = program.ui.camera.of_side(self.picture.sides(), part.size);
        let at = self.gesture.at();
        Some((side, PickRay::new(&camera, rect, pos2(at[0], at[1]))))
    }

    /// Looks for the strand under the cursor.
    fn pick(&self, program: &mut AppState) {
        let Some((side, sight)) = self.sight(program) else {
            return;
        };
        let Some((_, part, rect)) = self.pointed() else {
            return;
        };
        let (scene, session) = (program.document.scene(), &program.session);
        let strand = pick_ray::strand(session, &scene.look, side, &sight);
        let [x, y] = self.gesture.at();
        let at = pos2(x, y);
        let eye = ViewProjection::of(&program.ui.camera, self.picture.sides(), part, rect);
        let bodies: &[Collider] = match program.ui.bodies.shown {
            true => &scene.sim.colliders,
            false => &[],
        };
        // An outline is meant, then a strand, then what is inside an outline.
        let pose = session.now().pose;
        let outline = bodies::beside(bodies, &pose, &eye, at);
        let body = match strand {
            Some(_) => outline,
            None => outline.or_else(|| bodies::under(bodies, &pose, &eye, at)),
        };
        if outline.is_none() {
            program.perform(Command::PickStrand(strand.map(|strand| (side, strand))));
        }
        if outline.is_some() || strand.is_none() {
            program.perform(Command::ChooseBody(body));
        }
    }

    /// Takes everything down in the one order that no driver objects to.
    pub fn close(self) {
        let Self {
            picture,
            captions,
            mut gui,
            surface,
            ..
        } = self;
        drop((picture, captions));
        gui.leave();
        surface.close();
    }
}
