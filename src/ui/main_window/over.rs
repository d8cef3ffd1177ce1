//! What is painted over the picture in files, too.

use crate::{
    project::compare::{self, Cell, Side},
    ui::{app_state::AppState, caption::Caption, slice, view_projection::ViewProjection},
};
use egui::Rect;

/// The cuts through the hair, one a side.
pub(super) fn slices(painter: &egui::Painter, program: &AppState, cells: &[Cell], places: &[Rect]) {
    let (now, params) = (program.session.now(), &program.document.scene().slice);
    let second = now.second.as_ref().and_then(|second| second.slice.as_ref());
    let slices = [now.slice.as_ref(), second].into_iter();
    for ((slice, cell), place) in slices.zip(cells).zip(places) {
        if let Some(slice) = slice {
            let eye = ViewProjection::of(program, cells.len(), *cell, *place);
            slice::paint(painter, &eye, slice, params);
        }
    }
}

/// What stands under the sides; nothing under a single one.
pub(super) fn captions(program: &AppState, places: &[Rect]) -> Vec<Caption> {
    if places.len() < 2 {
        return Vec::new();
    }
    let ids = Side::BOTH.map(|side| program.document.scene().solver(side));
    let names = compare::names(&ids, true).into_iter().zip(places);
    let caption =
        |(side, ((letter, name), rect)): (usize, ((Option<char>, &str), &Rect))| Caption {
            rect: *rect,
            side,
            letter,
            name: name.into(),
        };
    names.enumerate().map(caption).collect()
}
