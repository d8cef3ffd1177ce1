//! How a vertex whose contact is solved for queries the skin.

use super::{
    BEYOND_PLANE, CompliantContact, ContactMemory, ContactSubstep, PLANE_HOLDS, PLANE_WITHIN, SPARE,
};
use crate::{
    math::lanes::{Lane, V3, set_bits},
    sim::{
        contact::{
            cache::{AT_ONCE, NO_PLANE, has_plane},
            carrier::Carrier,
            far::{FarLimits, Ways},
            query::contact_query,
            surface::{CollisionSurface, ContactQuery, ContactResult},
        },
        state::Block,
    },
};
use glam::{DVec3, Vec3};

/// So many vertices query at once. A row has no more lanes than a mask has bits: two
/// rounds take all.
const MOST: usize = 16;
const _: () = assert!(u32::BITS as usize <= 2 * MOST);

/// The lanes of the first round.
const FIRST: u32 = (1 << MOST) - 1;

impl<T: Lane> CompliantContact<T> {
    /// One in the lanes where `live` is one whose vertex a pass has taken to skin that it knows
    /// nothing of: without a plane so far that it may touch, or by `BEYOND_PLANE` farther
    /// than its plane holds. On curved skin such a plane lets a vertex in, and later passes
    /// would keep it.
    #[inline(always)]
    pub fn outran_query(&self, memory: &ContactMemory<T>, live: T) -> T {
        let zero = T::zero();
        let without = has_plane(self.offset, zero, live);
        // Planes that move are renewed in each pass.
        let held = T::splat(0.5 * AT_ONCE).less(memory.room, live - without, zero);
        memory
            .needs_query(T::splat(-SPARE), without)
            .max(memory.needs_query(T::splat(-BEYOND_PLANE), held))
    }

    /// Lets vertex `i` of `block` query the skin, in the lanes where `needs` is
    /// one: on its way from where it was when the substep began to `x`. Answers
    /// whether any has a plane. `[m]`
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
    pub fn update_plane<B: Lane>(
        &mut self,
        memory: &mut ContactMemory<T>,
        block: &Block<B>,
        skin: &dyn CollisionSurface,
        s: &ContactSubstep<T>,
        i: usize,
        [start, x]: [V3<T>; 2],
        needs: T,
    ) -> bool {
        let zero = T::zero();
        let start = s.start_in_head(start);
        let from = s.root + start;
        let to = s.root + s.head.now.inverse_vector(x);
        let exists: T = block.alive(i).cut(s.head.first);
        let limits = FarLimits {
            margin: s.margin,
            near: PLANE_WITHIN,
            travel: s.body_travel,
        };
        let ways = Ways::new(&from, &to, needs * exists);
        let [gap, far] = ways.far(skin, limits, s.head.substep).lanes::<T>();
        // Behind a strand's tip there is nothing to meet.
        let gap = exists.choose(gap, T::splat(f64::from(f32::MAX)));
        let far = exists.choose(far, needs);
        self.forget_plane(memory, far, gap - T::splat(SPARE));
        let needs = far.choose(zero, needs);
        if needs.any() {
            self.query_skin(memory, block, skin, s, i, (start, &ways), needs);
        }
        T::splat(0.1 * NO_PLANE).any_less(self.offset)
    }

    /// Forgets the plane in the lanes where `far` is one and the vertex has so much room. `[m]`
    #[inline(always)]
    fn forget_plane(&mut self, memory: &mut ContactMemory<T>, far: T, room: T) {
        let (zero, none) = (T::zero(), V3::zero());
        self.plane = V3::splat([0.0, 1.0, 0.0]).select(far, self.plane);
        self.offset = far.choose(T::splat(NO_PLANE), self.offset);
        self.remembered = none.select(far, self.remembered);
        memory.room = far.choose(room, memory.room);
        memory.normal_force = far.choose(zero, memory.normal_force);
        memory.depth = far.choose(zero, memory.depth);
        memory.friction = none.select(far, memory.friction);
    }

    /// The same for those in the lanes where `needs` is one, which may have come near.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
    fn query_skin<B: Lane>(
        &mut self,
        memory: &mut ContactMemory<T>,
        block: &Block<B>,
        skin: &dyn CollisionSurface,
        s: &ContactSubstep<T>,
        i: usize,
        (start, ways): (V3<T>, &Ways),
        needs: T,
    ) {
        let (mut far, mut room) = (T::zero(), T::zero());
        let all = T::splat(0.5).bits_less(needs);
        for asking in [all & FIRST, all & !FIRST] {
            if asking == 0 {
                continue;
            }
            let mut queries = [ContactQuery::of_point(Vec3::ZERO, Vec3::ZERO, 0); MOST];
            let mut results = [ContactResult::NONE; MOST];
            for (lane, query) in set_bits(asking).zip(&mut queries) {
                *query = contact_query(block, &s.head, s.root, s.margin, i, lane, ways.of(lane));
            }
            let count = asking.count_ones() as usize;
            skin.query_all(&queries[..count], &mut results[..count]);
            for (lane, (query, met)) in set_bits(asking).zip(queries.iter().zip(&results)) {
                self.drift.set(lane, met.drift.to_array().map(f64::from));
                let gap = met.gap();
                // A fast vertex may end far from where it was expected.
                if gap > PLANE_WITHIN + f64::from(query.from.distance(query.to)) {
                    far.set(lane, 1.0);
                    room.set(lane, gap - SPARE);
                } else {
                    let (normal, offset) = met.plane(DVec3::from(s.root.get(lane)));
                    if self.offset.get(lane) <= NO_PLANE {
                        // Met for the first time: what lay inside before the
                        // substep must not be flung out of it.
                        let start = normal.dot(DVec3::from(start.get(lane))) - offset;
                        memory.depth.set(lane, start.min(0.0));
                    }
                    self.plane.set(lane, normal.to_array());
                    self.offset.set(lane, offset);
                    // A plane that moves is good for now only: the passes of a rod cost more
                    // than a query.
                    let moves = match met.carrier {
                        Carrier::Head => false,
                        Carrier::Torso => s.torso_travel > 0.0,
                        Carrier::Itself => true,
                    };
                    let holds = PLANE_HOLDS * f64::from(met.holds);
                    memory.room.set(lane, if moves { AT_ONCE } else { holds });
                }
            }
        }
        self.forget_plane(memory, far, room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a vertex that may move by `room` needs another pass after one that moved it by
    /// `moved`. `[m]`
    fn outruns(has_plane: bool, room: f64, moved: f64) -> bool {
        let mut contact = CompliantContact::<f64>::none();
        contact.offset = if has_plane { 0.02 } else { NO_PLANE };
        let mut memory = ContactMemory::none();
        memory.room = room;
        memory.moved(V3::splat([0.0, -moved, 0.0]), 0.0);
        contact.outran_query(&memory, 1.0) > 0.5
    }

    #[test]
    fn a_vertex_without_a_plane_needs_no_pass_before_it_can_be_at_the_skin() {
        let may_go = 0.004 + SPARE;
        assert!(!outruns(false, 0.004, may_go - 1e-5));
        assert!(outruns(false, 0.004, may_go + 1e-5));
    }

    #[test]
    fn a_vertex_that_slides_off_its_plane_needs_another_pass() {
        // On flat skin planes hold three times as far.
        for holds in [PLANE_HOLDS, 3.0 * PLANE_HOLDS] {
            let may_go = holds + BEYOND_PLANE;
            assert!(!outruns(true, holds, may_go - 1e-5));
            assert!(outruns(true, holds, may_go + 1e-5));
        }
        // Planes of what moves by itself are new in each pass.
        assert!(!outruns(true, AT_ONCE, 0.01));
    }

    #[test]
    fn a_vertex_queries_before_a_pass_that_would_use_up_its_room() {
        let needs = |has_plane: bool, room: f64, moved: f64| {
            let mut contact = CompliantContact::<f64>::none();
            contact.offset = if has_plane { 0.02 } else { NO_PLANE };
            let mut memory = ContactMemory::none();
            memory.room = room;
            let moved = V3::splat([moved, 0.0, 0.0]);
            memory.moved(moved, 0.0);
            contact.expect_way(moved);
            memory.needs_query(contact.ahead, 1.0) > 0.5
        };
        // Predicted to go 10 mm, it may go half as far again.
        assert!(needs(false, 0.0149, 0.010) && !needs(false, 0.0151, 0.010));
        // What creeps queries hardly earlier, and a plane holds as far as it holds.
        assert!(!needs(false, 1e-4, 5e-5));
        assert!(!needs(true, 0.0101, 0.010) && needs(true, 0.0099, 0.010));
    }
}
