//! What rods that end a substep deep in the skin do: they leave it, edges turned.

use super::{lanes::RodGroup, substep::Substep};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::{CollisionSurface, Escape, may_be_deep, without_impact},
        state::Block,
    },
};
use glam::{DQuat, DVec3};

impl<T: Lane> RodGroup<T> {
    /// Lets vertices leave the skin that are deep in it, where nothing pulls on them.
    #[inline(always)]
    pub fn escape<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
    ) {
        if s.free || !self.attachments.is_empty() {
            return;
        }
        let mut suspects = Vec::new();
        for i in 1..self.rows {
            if !self.near[i] {
                continue;
            }
            let (node, touch) = (&self.nodes[i], &self.touches[i]);
            let carried = s.contact.carried(node.from);
            let normal = s.contact.to_world(touch.plane);
            let places = [self.nodes[i - 1].x, node.x];
            let deep = may_be_deep(places, carried, normal, touch.offset);
            if !T::splat(0.5).any_less(deep) {
                continue;
            }
            for lane in 0..T::LANES.min(block.strands.saturating_sub(self.first)) {
                if deep.get(lane) > 0.5 && i < block.counts[self.first + lane] {
                    suspects.push((lane, i));
                }
            }
        }
        if !suspects.is_empty() {
            suspects.sort_unstable();
            for of_lane in suspects.chunk_by(|a, b| a.0 == b.0) {
                let rows: Vec<usize> = of_lane.iter().map(|suspect| suspect.1).collect();
                self.escape_lane(block, s, skin, of_lane[0].0, &rows);
            }
        }
    }

    /// The same for `rows` of the strand in `lane`.
    #[cold]
    #[inline(never)]
    fn escape_lane<B: Lane>(
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
        let seen = |x: V3<T>| now.inverse_vector(V3::<f64>::splat(x.get(lane))).get(0);
        let world = |v: DVec3| DVec3::from(now.vector(V3::<f64>::splat(v.to_array())).get(0));
        let nodes = &self.nodes[..count];
        let mut places: Vec<DVec3> = (nodes.iter())
            .map(|node| root + DVec3::from(seen(node.x)))
            .collect();
        let edge = |i: usize| nodes[i.max(1) - 1].memory.length.get(lane);
        let lengths: Vec<f64> = (0..count).map(edge).collect();
        let before = places.clone();
        let mut strand = Escape {
            places: &mut places,
            lengths: &lengths,
            limit: 1.0,
        };
        let start = |i: usize| {
            let from = s.contact.start_in_head(self.nodes[i].from);
            root + DVec3::from(from.get(lane))
        };
        let ask = |i: usize, p: DVec3| s.contact.met(block, skin, i, lane, p);
        let left = strand.run(rows, ask, start);
        if left.is_empty() {
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
        for (i, normal) in left {
            let (node, normal) = (&mut self.nodes[i], world(normal));
            let from = node.from.cut::<f64>(lane);
            let skin = DVec3::from((start.carried(from) - from).get(0)) / s.h.get(lane);
            let speed = DVec3::from(node.velocity.get(lane));
            let speed = without_impact(speed, skin, normal);
            node.velocity.set(lane, speed.to_array());
            let mut mask = T::zero();
            mask.set(lane, 1.0);
            node.memory.contact.forget(mask);
            if let Some(history) = self.history.get_mut(i) {
                history.velocity.set(lane, speed.to_array());
            }
        }
        // What it stores now is not known: the next prediction is not to be judged by it.
        self.elastic.set(lane, f64::from(f32::MAX));
    }
}
