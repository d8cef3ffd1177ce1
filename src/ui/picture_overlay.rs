//! What is painted over pictures of the hair, in the window and in files: cuts through
//! it, colours along strands, and what stands under the sides.

use super::{
    caption::{self, Caption},
    side_names::side_names,
    slice, strand_colours,
    view_projection::ViewProjection,
};
use crate::{
    project::{scene::Scene, sides::Side, tools::SliceParams},
    session::{snapshot::Snapshot, strand_colours::StrandColours},
    sim::volume::GridSlice,
};

/// What is painted over one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideOverlay<'a> {
    /// The cut through its hair; none where none is wanted.
    pub slice: Option<&'a GridSlice>,
    /// What its strands are coloured by; none where nothing is wanted.
    pub colours: Option<&'a StrandColours>,
}

/// What a snapshot has for each side.
pub fn of_snapshot(now: &Snapshot) -> [SideOverlay<'_>; 2] {
    let second = now.second.as_ref();
    [
        SideOverlay {
            slice: now.slice.as_ref(),
            colours: now.colours.as_ref(),
        },
        SideOverlay {
            slice: second.and_then(|second| second.slice.as_ref()),
            colours: second.and_then(|second| second.colours.as_ref()),
        },
    ]
}

/// Paints over the sides that `eyes` see, cuts as `params` want them.
pub fn paint(
    painter: &egui::Painter,
    sides: &[SideOverlay<'_>],
    params: &SliceParams,
    eyes: &[ViewProjection],
) {
    for (side, eye) in sides.iter().zip(eyes) {
        if let Some(cut) = side.slice {
            slice::paint(painter, eye, cut, params);
        }
        if let Some(colours) = side.colours {
            strand_colours::paint(painter, eye, colours);
        }
    }
}

/// What stands under the sides of the window; nothing under a single one.
pub fn captions(scene: &Scene, eyes: &[ViewProjection]) -> Vec<Caption> {
    if eyes.len() < 2 {
        return Vec::new();
    }
    let ids = Side::BOTH.map(|side| scene.solver(side));
    let mut captions = caption::captions(&ids, true, eyes.iter().map(|eye| eye.rect));
    for (caption, name) in captions.iter_mut().zip(side_names(scene)) {
        caption.name = name;
    }
    captions
}
