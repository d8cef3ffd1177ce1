//! What egui draws over the hair: gizmos, marks of the hand, captions.

use super::layout::{frame_guide, frame_sides};
use crate::{
    project::scene::Scene,
    session::Session,
    ui::{
        bodies::{self, gizmo::Handle},
        command::Command,
        hand_marks::HandMarks,
        highlight::Highlight,
        inspector,
        page::Page,
        picture_overlay, placing,
        righting::{self, RightingHandle},
        timeline, tint,
        ui_state::UiState,
        view_projection::ViewProjection,
        wind_gizmo::{self, GizmoSight},
    },
};
use egui::{Pos2, Rect, Ui};

/// What is drawn over the picture of hair.
pub(super) struct PictureMarks<'a> {
    pub scene: &'a Scene,
    pub session: &'a Session,
    /// What is open and chosen.
    pub state: &'a UiState,
    /// The time among the keys that the picture shows. `[s]`
    pub picture_time: f64,
    /// Whether the mouse may take hold of something: it drags neither camera nor hair.
    pub free: bool,
    /// The handle of a body that is dragged.
    pub held: Option<Handle>,
    /// The handle of the hair of a file that is dragged.
    pub placed: Option<Handle>,
    /// The handle of the head that is dragged.
    pub grip: Option<RightingHandle>,
    /// What the hand would work on.
    pub highlight: &'a Highlight,
    /// Where the cursor is, where that is over the picture. `[points]`
    pub cursor: Option<Pos2>,
}

impl PictureMarks<'_> {
    /// Draws all of it over the sides of the picture in `viewport`, legend and captions in
    /// the part of it `above` the timeline's graph.
    pub fn paint(
        &self,
        ui: &Ui,
        eyes: &[ViewProjection],
        [viewport, above]: [Rect; 2],
        commands: &mut Vec<Command>,
    ) {
        let (scene, session, state) = (self.scene, self.session, self.state);
        let (now, bodies) = (session.now(), &scene.sim.colliders);
        let over = picture_overlay::of_snapshot(now);
        picture_overlay::paint(ui.painter(), &over, &scene.slice, eyes);
        bodies::mark(ui, eyes, bodies, state.bodies, now.pose, self.held);
        if state.places {
            placing::show(ui, eyes, session, &scene.import, self.placed);
        }
        if let Some((_, strand)) = state.picked {
            let opened = state.page == Some(Page::Strand);
            inspector::mark(ui, eyes, session, strand, opened);
        }
        if let Some(eye) = eyes.first() {
            self.gizmos(ui, eye, commands);
        }
        let marks = HandMarks {
            scene,
            session,
            hand: &state.hand,
            depth: state.depth(),
            highlight: self.highlight,
            cursor: self.cursor,
        };
        marks.paint(ui, eyes);
        let recorded = session.recorder().size();
        if let Some(size) = recorded.or_else(|| scene.capture.pixels()) {
            frame_guide(ui, size, viewport, recorded.is_some());
        }
        tint::legend(ui.painter(), scene, session, state.hand.tool, above);
        frame_sides(ui, viewport, eyes);
        let bar = timeline::height(scene, session);
        for mut caption in picture_overlay::captions(scene, eyes) {
            let lowest = above.bottom() - bar;
            caption.rect.max.y = caption.rect.max.y.min(lowest);
            caption.paint(ui.painter());
        }
    }

    /// The handles of wind, fan, lights and head, on the first side.
    fn gizmos(&self, ui: &Ui, eye: &ViewProjection, commands: &mut Vec<Command>) {
        let (scene, session, state) = (self.scene, self.session, self.state);
        if state.shows_panel {
            let bounds = session.bounds();
            let lit = session.environment().map(|lit| &**lit);
            let light = state.shows_light.then_some(lit);
            let now = (scene, self.picture_time);
            let sight = GizmoSight {
                eye,
                bounds,
                free: self.free,
            };
            wind_gizmo::show(ui, &sight, now, light, commands);
        }
        if state.rights {
            righting::show(ui, eye, session, &scene.head, self.grip);
        }
    }
}
