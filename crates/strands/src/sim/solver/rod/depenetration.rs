//! Depenetration of rods: vertices leave the skin, and the edges' frames turn along.

use super::{lanes::RodGroup, substep::Substep};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::{Candidates, CollisionSurface, Depenetration, may_penetrate, without_impact},
        state::Block,
    },
};
use glam::{DQuat, DVec3};

impl<T: Lane> RodGroup<T> {
    /// Lets vertices leave the skin that are deep in it, where nothing pulls on them.
    #[inline(always)]
    pub fn depenetrate<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
    ) {
        if s.free {
            return;
        }
        let mut candidates = Candidates::default();
        let lanes = self.first..block.strands.min(self.first + T::LANES);
        let vertices = block.counts.get(lanes).unwrap_or_default();
        for i in 1..self.rows {
            if !self.near[i] {
                continue;
            }
            let (node, touch) = (&self.nodes[i], &self.touches[i]);
            let carried = s.contact.carried(node.from);
            let normal = s.contact.to_world(touch.plane);
            let places = [self.nodes[i - 1].x, node.x];
            let deep = may_penetrate(places, carried, normal, touch.offset);
            candidates.add(i, deep, vertices);
        }
        let held = self.attachments.iter();
        let held = held.fold(0, |held, (_, _, k)| held | T::zero().bits_less(*k));
        candidates.keep_deep(skin, held, |lane, i| {
            let place = s.contact.in_head(self.nodes[i].x, lane);
            s.contact.query_at(block, i, lane, place)
        });
        candidates.by_strand(|lane, rows| self.depenetrate_strand(block, s, skin, lane, rows));
    }

    /// The same for `rows` of the strand in `lane`.
    #[cold]
    #[inline(never)]
    fn depenetrate_strand<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
        lane: usize,
        rows: &[usize],
    ) {
        let count = block.counts[self.first + lane];
        let (root, now) = (
            DVec3::from(self.root_rest.get(lane)),
            s.contact.head.now.lane(lane),
        );
        let world = |v: DVec3| DVec3::from(now.vector(V3::<f64>::splat(v.to_array())).get(0));
        let nodes = &self.nodes[..count];
        let mut places: Vec<DVec3> = (nodes.iter())
            .map(|node| s.contact.in_head(node.x, lane))
            .collect();
        let edge = |i: usize| nodes[i.max(1) - 1].memory.length.get(lane);
        let lengths: Vec<f64> = (0..count).map(edge).collect();
        let before = places.clone();
        let mut strand = Depenetration {
            places: &mut places,
            lengths: &lengths,
            between: [1.0; 2],
        };
        let start = |i: usize| {
            let from = s.contact.start_in_head(self.nodes[i].from);
            root + DVec3::from(from.get(lane))
        };
        let ask = |i: usize, p: DVec3| skin.query(&s.contact.query_at(block, i, lane, p));
        let pushed_out = strand.run(rows, ask, start);
        if pushed_out.is_empty() {
            return;
        }
        for i in rows[0]..count {
            if places[i] == before[i] {
                continue;
            }
            let turn = DQuat::from_rotation_arc(
                world(before[i] - before[i - 1]).normalize_or(DVec3::Y),
                world(places[i] - places[i - 1]).normalize_or(DVec3::Y),
            );
            let q = &mut self.nodes[i - 1].memory.q;
            let [x, y, z] = q.v.get(lane);
            let turned = (turn * DQuat::from_xyzw(x, y, z, q.w.get(lane))).normalize();
            q.v.set(lane, [turned.x, turned.y, turned.z]);
            q.w.set(lane, turned.w);
            let node = &mut self.nodes[i];
            node.x.set(lane, world(places[i] - root).to_array());
            node.memory.contact.room.set(lane, -1.0);
        }
        let start = s.contact.head.cut::<f64>(lane);
        for (i, normal) in pushed_out {
            let (node, normal) = (&mut self.nodes[i], world(normal));
            let from = node.from.cut::<f64>(lane);
            let skin = DVec3::from((start.carried(from) - from).get(0)) / s.h.get(lane);
            let velocity = DVec3::from(node.velocity.get(lane));
            let velocity = without_impact(velocity, skin, normal).to_array();
            node.velocity.set(lane, velocity);
            let mut mask = T::zero();
            mask.set(lane, 1.0);
            node.memory.contact.forget(mask);
            if let Some(history) = self.history.get_mut(i) {
                history.velocity.set(lane, velocity);
            }
        }
        // What it stores now is not known: the next prediction is not to be judged by it.
        self.elastic.set(lane, f64::from(f32::MAX));
    }
}
