//! What of hair and head a hand at the cursor can reach.

use super::drag::PulledStrand;
use crate::{
    project::{scene::Scene, sides::Side},
    session::Session,
    sim::state::PINNED,
    ui::{
        brush::falloff,
        head_ray::ShownHead,
        mirror_plane::MirrorPlane,
        pick_ray::{self, PickRay, STRETCHED},
    },
};
use glam::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// A strand that would follow less is not pulled.
const LEAST: f32 = 0.05;

/// The hand holds a lock as one up to this share of its reach, and less of it farther out.
const WHOLE: f32 = 0.6;

/// A first look at a strand takes every so manieth vertex.
const STRIDE: usize = 4;

/// How much of the hand's way a strand goes along that is so far from its middle, in
/// shares of its reach.
fn grasp(distance: f32) -> f32 {
    falloff((distance - WHOLE).max(0.0) / (1.0 - WHOLE))
}

/// A hand over one side of the picture.
#[derive(Clone, Copy)]
pub struct HandReach<'a> {
    /// What is looked at: parameters of the hand, and of what is drawn.
    pub scene: &'a Scene,
    /// The hair.
    pub session: &'a Session,
    /// The side that the hand is over.
    pub side: Side,
    /// How far away it is. `[m]`
    pub depth: f32,
}

impl HandReach<'_> {
    /// What the hand works on both sides of; none where it works on one.
    pub fn plane(&self) -> Option<MirrorPlane> {
        MirrorPlane::in_use(&self.scene.hand, self.session)
    }

    /// What a hand takes hold of at the cursor, how far away it is there, and what it takes
    /// on the other side. No strand is in it twice.
    pub fn pulled(&self, sight: &PickRay) -> Option<(Vec<PulledStrand>, f32)> {
        let (strand, depth) = self.in_hand(sight)?;
        let mut pulled = self.within_reach(sight, strand);
        if let Some(plane) = self.plane() {
            let other = sight.mirrored(&plane);
            let found = self.in_hand(&other);
            let more = found.map(|(strand, _)| self.within_reach(&other, strand));
            let here: HashMap<usize, usize> = pulled.iter().map(|p| p.strand).zip(0..).collect();
            for mut there in more.into_iter().flatten() {
                there.mirrored = Some(plane);
                match here.get(&there.strand) {
                    // The hand that takes more of it has it.
                    Some(index) if pulled[*index].share >= there.share => {}
                    Some(index) => pulled[*index] = there,
                    None => pulled.push(there),
                }
            }
        }
        Some((pulled, depth))
    }

    /// The strand that a hand takes hold of at the cursor, and how far away it
    /// is there.
    fn in_hand(&self, sight: &PickRay) -> Option<(usize, f32)> {
        let near = || {
            // What is drawn there may be a follower: the hand takes the lock.
            let hand = sight.reaching(self.scene.hand.radius, self.depth);
            self.under(&hand)
        };
        self.under(sight).or_else(near)
    }

    /// The strand at the cursor, and how far away it is there.
    pub fn under(&self, sight: &PickRay) -> Option<(usize, f32)> {
        let look = &self.scene.look;
        let strand = pick_ray::strand(self.session, look, self.side, sight)?;
        let points = self.session.strand(self.side, strand)?;
        let (_, depth) = sight.vertex(points)?;
        Some((strand, depth))
    }

    /// What a hand takes that grasps `strand`: its vertex at the cursor, and
    /// those of other strands within reach of that.
    fn within_reach(&self, sight: &PickRay, strand: usize) -> Vec<PulledStrand> {
        let (Some(built), Some(points)) =
            (self.session.built(), self.session.strand(self.side, strand))
        else {
            return Vec::new();
        };
        let Some((vertex, _)) = sight.vertex(points) else {
            return Vec::new();
        };
        // The head holds the first ones.
        let vertex = vertex.max(PINNED);
        let Some(middle) = points.get(vertex).copied() else {
            return Vec::new();
        };
        let mut pulled = vec![PulledStrand {
            strand,
            vertex,
            from: middle,
            share: 1.0,
            mirrored: None,
        }];
        let (hand, drawn) = (&self.scene.hand, self.scene.look.drawn);
        if !hand.lock {
            return pulled;
        }
        let Some(positions) = self.session.positions(self.side) else {
            return pulled;
        };
        let groom = &built.groom;
        let take = |other: usize| {
            let points = &positions[groom.range(other)];
            if other == strand || !crate::render::is_drawn(other, drawn) {
                return None;
            }
            let nearest = points.iter().copied().enumerate().min_by(|a, b| {
                let far = |p: &Vec3| p.distance_squared(middle);
                far(&a.1).total_cmp(&far(&b.1))
            });
            let (vertex, from) = nearest.filter(|(vertex, _)| *vertex >= PINNED)?;
            let share = grasp(from.distance(middle) / hand.radius);
            (share > LEAST).then_some(PulledStrand {
                strand: other,
                vertex,
                from,
                share,
                mirrored: None,
            })
        };
        pulled.par_extend(
            (0..groom.strands())
                .into_par_iter()
                .with_min_len(256)
                .filter_map(take),
        );
        pulled
    }

    /// How far away the head is that hides what is behind it; infinitely far
    /// where it is not, or is not drawn. `[m]`
    pub fn head_before(&self, sight: &PickRay) -> f32 {
        match ShownHead::of(self.session).filter(|_| self.scene.look.show_head) {
            Some(head) => sight.head_distance(&head),
            None => f32::INFINITY,
        }
    }

    /// Whether a strand may be within a brush that is so far away `[m]`, by a
    /// look at few of its vertices.
    pub fn near(&self, sight: &PickRay, depth: f32) -> impl Fn(&[Vec3]) -> bool + Sync + use<> {
        // What is nearer to the eye is reached from farther aside.
        let hand = sight.reaching(self.scene.hand.radius, 0.5 * depth);
        let longest = self.session.built().map_or(0.0, |built| built.longest_edge);
        move |points| hand.may_meet(points, STRIDE, STRETCHED * longest)
    }

    /// What `touch` says of the strands that are drawn, where it says something.
    pub fn each_strand<T: Send>(
        &self,
        touch: impl Fn(usize, &[Vec3]) -> Option<T> + Sync,
    ) -> Vec<T> {
        let (Some(built), Some(positions)) =
            (self.session.built(), self.session.positions(self.side))
        else {
            return Vec::new();
        };
        let (groom, drawn) = (&built.groom, self.scene.look.drawn);
        (0..groom.strands())
            .into_par_iter()
            .with_min_len(256)
            .filter(|strand| crate::render::is_drawn(*strand, drawn))
            .filter_map(|strand| touch(strand, &positions[groom.range(strand)]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_as_one_and_less_at_its_rim() {
        assert_eq!(
            [grasp(0.0), grasp(0.59), grasp(1.0), grasp(3.0)],
            [1.0, 1.0, 0.0, 0.0]
        );
        assert!(grasp(0.7) < 1.0 && grasp(0.7) > grasp(0.9) && grasp(0.9) > 0.0);
    }
}
