//! What a hand does to hair in motion: strands held, rest curves changed.

mod handwork;
mod reach;

pub use handwork::{Handwork, HandworkError, Pin};

use super::{
    SimParams, Simulation,
    contact::CollisionSurface,
    memory::Memories,
    skin::surface,
    solver::frames::RestShape,
    state::{Block, LANES, Row},
};
use crate::{
    groom::{Groom, edit},
    math::{Pose, lanes::Lane as _},
    sim::attachment::{Attachment, AttachmentKind},
};
use glam::Vec3;

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
    pub kind: AttachmentKind,
}

/// What the hairstyle binds, where it was modelled.
pub(super) fn ties(groom: &Groom) -> Vec<Grab> {
    let tie = |[strand, vertex]: &[u32; 2]| Grab {
        strand: *strand as usize,
        vertex: *vertex as usize,
        place: groom.strand(*strand as usize)[*vertex as usize],
        on_head: true,
        kind: AttachmentKind::Pin,
    };
    groom.ties.iter().map(tie).collect()
}

impl Simulation {
    /// Does what `handwork` says to hair as it was grown.
    pub fn take_up(&mut self, handwork: &Handwork, params: &SimParams) {
        let (groom, body) = (self.groom.clone(), self.body.clone());
        let curves = handwork.curves(&groom, &body.grid);
        self.reshape(
            curves.iter().map(|(strand, curve)| (*strand, &**curve)),
            params,
        );
        self.set_grabs(handwork.grabs(&groom).collect());
    }

    /// Holds these vertices from now on, and no others. Strands and vertices
    /// that do not exist are left out.
    pub fn set_grabs(&mut self, grabs: Vec<Grab>) {
        for block in &mut self.state.blocks {
            block.attachments.clear();
        }
        self.grabs = grabs;
    }

    /// Tells the blocks what the hands hold, and brings it within what the strands reach
    /// when the step ends with the head at `goal`.
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
            let (at, place, kind) = ([lane, grab.vertex], grab.place, grab.kind);
            block.attachments.push(match grab.on_head {
                true => Attachment::on_head(at, place, kind, goal),
                false => Attachment::in_world(at, place, kind),
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
        let skin = surface(&body, params.collision.mode, self.groom.points.len());
        for (strand, curve) in curves {
            let (number, lane) = (strand / LANES, strand % LANES);
            if let Some(block) = self.state.blocks.get_mut(number)
                && lane < block.strands
                && curve.len() == block.counts[lane]
            {
                block.reshape(lane, curve, &self.pose, skin);
                // Other hair gives another shelter.
                self.wind_occlusion = None;
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
    /// Gives the strand in `lane` another rest curve; its vertices are where those of so long
    /// a part of the old one were on the strand, and move as far as those of the rest curve do.
    fn reshape(&mut self, lane: usize, curve: &[Vec3], pose: &Pose, skin: &dyn CollisionSurface) {
        let vec = |v: [f64; 3]| Vec3::from_array(v.map(|c| c as f32));
        let count = self.counts[lane];
        let root = curve[0];
        let old: Vec<Vec3> = (0..count).map(|i| vec(self.rest[i].get(lane))).collect();
        let new: Vec<Vec3> = curve.iter().map(|p| *p - root).collect();
        let ratio = edit::share(&old, edit::length(&new));
        let places: Vec<Vec3> = (0..count)
            .map(|i| vec(self.position[i].get(lane)))
            .collect();
        let kept = edit::places_of_first(&old, ratio);
        let [now, before] = [&places, &old].map(|points| edit::points_at(points, &kept));
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
            self.clearance[i].set(lane, f64::from(skin.distance(curve[v])));
        }
        self.forget_the_rest();
    }

    /// Lets every method measure the rest curves anew.
    fn forget_the_rest(&mut self) {
        self.shape = RestShape::new();
        self.memories = Memories::new();
        // No method: whichever is next measures them.
        self.moved_by = "";
        self.forget_skin();
    }
}
