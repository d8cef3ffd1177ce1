//! The hand in the picture: which tool it has, what it is doing, and what it can
//! reach at the cursor.

pub mod carry;
pub mod drag;
pub mod parting;
pub mod reach;
pub mod strokes;
pub mod touch;

use super::tool::Tool;
use crate::{render::Camera, sim::hand::Grab};
use carry::HandworkCarry;
use drag::{HandDrag, PulledStrand};
use parting::PartingPen;
use strokes::StrokeQueue;

/// The tool at hand, and what is being done with it.
#[derive(Default)]
pub struct HandState {
    /// What the left mouse button does.
    pub tool: Tool,
    /// What the hand is doing.
    pub drag: Option<HandDrag>,
    /// What brushes and scissors did lately.
    pub strokes: StrokeQueue,
    /// What goes along to other hair.
    pub carry: HandworkCarry,
    /// The pen that draws a parting, where that is in hand in place of the tool.
    pub parting: PartingPen,
}

impl HandState {
    /// Whether the hand is at work.
    pub fn works(&self) -> bool {
        self.drag.is_some()
    }

    /// What it holds, where it wants it. `[m]`
    pub fn held(&self) -> Vec<Grab> {
        self.drag.as_ref().map_or_else(Vec::new, HandDrag::grabs)
    }

    /// The vertices that are in the hand; none while it holds nothing.
    pub fn pulled(&self) -> Option<&[PulledStrand]> {
        let pulled = self.drag.as_ref().map(HandDrag::pulled);
        pulled.filter(|pulled| !pulled.is_empty())
    }

    /// How far away the hand is, or would be for that camera. `[m]`
    pub fn depth(&self, camera: &Camera) -> f32 {
        let target = camera.target.distance(camera.position());
        self.drag.as_ref().map_or(target, |drag| drag.depth)
    }
}
