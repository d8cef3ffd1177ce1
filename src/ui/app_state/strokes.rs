//! What brushes and scissors did becomes part of the scene.

use super::AppState;
use crate::{
    project::{history::ChangeTarget, sides::Side},
    session::{jobs::Queue, outcome::StrokeResult},
    ui::{hand::strokes::BrushWork, pick_ray::PickRay, tool::StrokeTool},
};

impl AppState {
    /// The brush went from one cursor to another over `side`.
    pub(super) fn stroke_along(&mut self, tool: StrokeTool, side: Side, [from, to]: [&PickRay; 2]) {
        let depth = self.ui.depth();
        let strokes = &mut self.ui.hand.strokes;
        strokes.push(tool, side, depth, [*from, *to]);
        self.stroke_on();
    }

    /// Goes on with what waits, unless something is under way.
    pub(super) fn stroke_on(&mut self) {
        if self.ui.hand.carry.waiting().is_some() {
            // What was done before comes first.
            return;
        }
        let strokes = &mut self.ui.hand.strokes;
        let Some(side) = strokes.next_side() else {
            return;
        };
        let positions = self.session.shared_positions(side);
        let (Some(built), Some(positions)) = (self.session.shared_built(), positions) else {
            strokes.forget();
            return;
        };
        let Some(moves) = strokes.take_next() else {
            return;
        };
        let title = moves.tool.title();
        let (scene, now) = (self.document.scene(), self.session.now());
        let head = (now.pose, now.shape.clone());
        let work = BrushWork::new(scene, built, positions, head, moves);
        let job = self.start(Queue::Hand, title.into(), move |progress| {
            work.run(progress)
        });
        self.ui.hand.strokes.set_job(job);
    }

    /// Makes what came of a stroke part of the scene, unless that is another one
    /// by now.
    pub(super) fn take_stroked(&mut self, result: StrokeResult) {
        let strokes = &mut self.ui.hand.strokes;
        strokes.set_job(None);
        let StrokeResult {
            stroke,
            generation,
            before,
            after,
            depth,
        } = result;
        let scene = self.document.scene();
        let stands = self
            .session
            .built()
            .is_some_and(|built| built.generation == generation && built.scene.grows_like(scene));
        if !stands || scene.handwork.edits != before {
            strokes.forget();
            return;
        }
        if strokes.take(stroke, depth) {
            // One stroke is one entry to undo.
            self.document.release();
        }
        if strokes.is_now(stroke)
            && let Some(drag) = &mut self.ui.hand.drag
        {
            drag.depth = depth;
        }
        if after != before {
            self.change_at(Some(ChangeTarget::Strokes), true, |scene| {
                scene.handwork.edits = after;
            });
        }
        self.stroke_on();
    }

    /// Drops what the brush did and is not yet part of the scene.
    pub(super) fn forget_strokes(&mut self) {
        let Some(number) = self.ui.hand.strokes.forget() else {
            return;
        };
        match self.ui.hand.carry.is_done_by(number) {
            // What is carried was part of the scene before.
            true => self.ui.hand.strokes.set_job(Some(number)),
            false => self.session.abandon_job(number),
        }
    }
}

#[cfg(test)]
mod tests;
