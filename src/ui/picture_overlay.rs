//! What is painted over the picture in files, too.

use crate::{
    project::{scene::Scene, sides::Side, tools::SliceParams},
    session::sim_handle::Snapshot,
    ui::{
        caption::{self, Caption},
        hold_view, slice,
        view_projection::ViewProjection,
    },
};

/// The cuts through the hair, one a side.
pub(super) fn slices(
    painter: &egui::Painter,
    now: &Snapshot,
    params: &SliceParams,
    eyes: &[ViewProjection],
) {
    let second = now.second.as_ref().and_then(|second| second.slice.as_ref());
    for (slice, eye) in [now.slice.as_ref(), second].into_iter().zip(eyes) {
        if let Some(slice) = slice {
            slice::paint(painter, eye, slice, params);
        }
    }
}

/// Where the hair is held, on each side where that is wanted.
pub(super) fn holds(painter: &egui::Painter, now: &Snapshot, eyes: &[ViewProjection]) {
    let second = now.second.as_ref().and_then(|second| second.hold.as_ref());
    for (hold, eye) in [now.hold.as_ref(), second].into_iter().zip(eyes) {
        if let Some(hold) = hold {
            hold_view::paint(painter, eye, hold);
        }
    }
}

/// What stands under the sides; nothing under a single one.
pub(super) fn captions(scene: &Scene, eyes: &[ViewProjection]) -> Vec<Caption> {
    if eyes.len() < 2 {
        return Vec::new();
    }
    let ids = Side::BOTH.map(|side| scene.solver(side));
    caption::captions(&ids, true, eyes.iter().map(|eye| eye.rect))
}
