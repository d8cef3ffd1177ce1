//! What a hand does to hair in motion: strands held, rest curves changed.

mod reach;

use super::{
    SimParams, Simulation,
    contact::CollisionSurface,
    memory::Memories,
    skin,
    solver::frames::RestShape,
    state::{Block, LANES, Row},
};
use crate::math::counted;
use crate::{
    groom::{
        Groom,
        edit::{self, Edits},
    },
    math::{Pose, lanes::Lane as _},
    sim::attachment::{Attachment, AttachmentKind},
};
use glam::Vec3;
use std::sync::Arc;
use thiserror::Error;

/// A vertex that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grab {
    /// The strand, in the groom's order.
    pub strand: usize,
    /// The vertex.
    pub vertex: usize,
    /// Where it should be. `[m]`
    pub place: Vec3,
    /// Whether the place is the head's space and goes with it, or the world's.
    pub on_head: bool,
    /// How strongly.
    pub hold: AttachmentKind,
}

/// What a hand did to a head of hair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handwork {
    /// Rest curves that were cut and combed.
    pub edits: Edits,
    /// Where hair is pinned to the head.
    pub pins: Arc<[Grab]>,
}

/// Curves may begin so far from where the hair is rooted now: a head may be
/// read with other units of the last digit, but not be another one. `[m]`
const ROOT_SLACK: f32 = 0.001;

/// Handwork that does not belong to this hair.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "the hair was cut, combed or pinned when it was other hair: {what}; give head, roots and groom \
     the values they had, or delete [handwork] and [[pin]] from the scene"
)]
pub struct HandworkError {
    /// What does not fit.
    what: String,
}

impl Handwork {
    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.pins.is_empty()
    }

    /// Whether it can be done to `groom`.
    ///
    /// # Errors
    /// The first strand that is not as it was.
    pub fn fits(&self, groom: &Groom) -> Result<(), HandworkError> {
        let misfit = |what| Err(HandworkError { what });
        let missing = |strand: usize| {
            let strands = groom.strands();
            format!("strand {strand} is missing among {strands} that are counted from 0")
        };
        for (strand, curve) in self.edits.curves() {
            if strand >= groom.strands() {
                return misfit(missing(strand));
            }
            let grown = groom.strand(strand);
            if curve.len() != grown.len() {
                return misfit(format!(
                    "strand {strand} had {} and has {}",
                    counted(curve.len(), "vertex", "vertices"),
                    grown.len()
                ));
            }
            let apart = curve[0].distance(grown[0]);
            if apart > ROOT_SLACK {
                return misfit(format!(
                    "strand {strand} is rooted {:.1} mm from where it was",
                    apart * 1e3
                ));
            }
        }
        for pin in self.pins.iter() {
            if pin.strand >= groom.strands() {
                return misfit(missing(pin.strand));
            }
            let count = groom.strand(pin.strand).len();
            if pin.vertex >= count {
                return misfit(format!(
                    "strand {} is pinned at vertex {} and has {count}",
                    pin.strand, pin.vertex
                ));
            }
        }
        Ok(())
    }
}

/// What the hairstyle binds, where it was modelled.
pub(super) fn ties(groom: &Groom) -> Vec<Grab> {
    let tie = |[strand, vertex]: &[u32; 2]| Grab {
        strand: *strand as usize,
        vertex: *vertex as usize,
        place: groom.strand(*strand as usize)[*vertex as usize],
        on_head: true,
        hold: AttachmentKind::Pin,
    };
    groom.ties.iter().map(tie).collect()
}

impl Simulation {
    /// Does what `handwork` says to hair as it was grown.
    pub fn take_up(&mut self, handwork: &Handwork, params: &SimParams) {
        self.reshape(handwork.edits.curves(), params);
        self.hold(handwork.pins.to_vec());
    }

    /// Holds these vertices from now on, and no others. Strands and vertices
    /// that do not exist are left out.
    pub fn hold(&mut self, grabs: Vec<Grab>) {
        for block in &mut self.state.blocks {
            block.attachments.clear();
        }
        self.grabs = grabs;
    }

    /// Tells the blocks where the hands will be when the head is at `goal`, as far
    /// as the strands reach.
    pub(super) fn place_attachments(&mut self, goal: &Pose) {
        if self.grabs.is_empty() && self.ties.is_empty() {
            return;
        }
        for grab in self.ties.iter().chain(&self.grabs) {
            if let Some(block) = self.state.blocks.get_mut(grab.strand / LANES) {
                block.attachments.clear();
            }
        }
        for grab in self.ties.iter().chain(&self.grabs) {
            let (number, lane) = (grab.strand / LANES, grab.strand % LANES);
            let Some(block) = self.state.blocks.get_mut(number) else {
                continue;
            };
            if lane >= block.strands || grab.vertex >= block.counts[lane] {
                continue;
            }
            block.attachments.push(Attachment {
                lane,
                row: grab.vertex,
                target: match grab.on_head {
                    true => goal.point(grab.place),
                    false => grab.place,
                },
                hold: grab.hold,
            });
        }
        let blocks = &mut self.state.blocks;
        let held = blocks
            .iter_mut()
            .filter(|block| !block.attachments.is_empty());
        held.for_each(|block| block.shorten_grips(goal));
    }

    /// Gives strands other rest curves, each with as many vertices as before and
    /// the same root: hair that moves goes on moving, shorter or elsewhere.
    /// Others than existing strands are left out.
    pub fn reshape<'a>(
        &mut self,
        curves: impl IntoIterator<Item = (usize, &'a [Vec3])>,
        params: &SimParams,
    ) {
        let body = self.body.clone();
        let skin = skin(&body, &params.collision, self.groom.points.len());
        for (strand, curve) in curves {
            let (number, lane) = (strand / LANES, strand % LANES);
            if let Some(block) = self.state.blocks.get_mut(number)
                && lane < block.strands
                && curve.len() == block.counts[lane]
            {
                block.reshape(lane, curve, &self.pose, skin);
                // What is tied stays so, at the place that it was given.
                for tie in self.ties.iter_mut().filter(|tie| tie.strand == strand) {
                    tie.place = curve.get(tie.vertex).copied().unwrap_or(tie.place);
                }
                self.state.edits += 1;
            }
        }
    }
}

impl Block<Row> {
    /// Gives the strand in `lane` another rest curve; its vertices keep their
    /// shares of the length, and move as far as those of the rest curve do.
    fn reshape(
        &mut self,
        lane: usize,
        curve: &[Vec3],
        pose: &Pose,
        skin: Option<&dyn CollisionSurface>,
    ) {
        let vec = |v: [f64; 3]| Vec3::from_array(v.map(|c| c as f32));
        let count = self.counts[lane];
        let root = curve[0];
        let old: Vec<Vec3> = (0..count).map(|i| vec(self.rest[i].get(lane))).collect();
        let new: Vec<Vec3> = curve.iter().map(|p| *p - root).collect();
        let ratio = edit::share(&old, edit::length(&new));
        let places: Vec<Vec3> = (0..count)
            .map(|i| vec(self.position[i].get(lane)))
            .collect();
        let now = edit::first(&places, ratio);
        let before = edit::first(&old, ratio);
        let turn = self.rest_rotation(pose.rotation, lane);
        for i in 0..self.rows {
            // A shorter strand's unused rows repeat its tip.
            let v = i.min(count - 1);
            let rest = new[v].to_array().map(f64::from);
            self.rest[i].set(lane, rest);
            let moved = turn * (new[v] - before[v]);
            let place = match i < self.pinned {
                true => turn * new[v],
                false => now[v] + moved,
            };
            self.position[i].set(lane, place.to_array().map(f64::from));
            let room = skin.map_or(f32::MAX, |skin| skin.distance(curve[v]));
            self.clearance[i].set(lane, f64::from(room));
        }
        self.forget_the_rest();
    }

    /// Lets every method measure the rest curves anew.
    fn forget_the_rest(&mut self) {
        self.shape = RestShape::new();
        self.memories = Memories::new();
        // No method: nothing has to be eased in.
        self.moved_by = "";
        self.forget_skin();
    }
}
