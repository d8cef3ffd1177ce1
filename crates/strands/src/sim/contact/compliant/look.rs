//! How a vertex whose contact is solved for looks at the skin.

use super::{CompliantContact, ContactMemory, ContactSubstep, NEAR, SLACK};
use crate::{
    math::lanes::{Lane, V3, set_bits},
    sim::{
        contact::{
            cache::{AT_ONCE, NO_PLANE},
            carrier::Carrier,
            far::{FarLimits, Ways},
            query::contact_query,
            surface::{CollisionSurface, ContactQuery, ContactResult},
        },
        state::Block,
    },
};
use glam::{DVec3, Vec3};

/// So many vertices query at once; a row that is not in registers may have more.
const MOST: usize = 16;

impl<T: Lane> CompliantContact<T> {
    /// One in the lanes where `live` is one whose vertex has no plane and has come
    /// where it may need one.
    #[inline(always)]
    pub fn strayed(&self, memory: &ContactMemory<T>, live: T) -> T {
        let far = T::splat(0.5 * NO_PLANE);
        memory.must_look(self.offset.less(far, live, T::zero()))
    }

    /// Lets vertex `i` of `block` look at the skin, in the lanes where `wants` is
    /// one: on its way from where it was when the substep began to `x`. Answers
    /// whether any has a plane. `[m]`
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
    pub fn look<B: Lane>(
        &mut self,
        memory: &mut ContactMemory<T>,
        block: &Block<B>,
        skin: &dyn CollisionSurface,
        s: &ContactSubstep<T>,
        i: usize,
        [start, x]: [V3<T>; 2],
        wants: T,
    ) -> bool {
        let zero = T::zero();
        let start = s.start_in_head(start);
        let from = s.root + start;
        let to = s.root + s.head.now.inverse_vector(x);
        let exists: T = block.alive(i).cut(s.head.first);
        let limits = FarLimits {
            margin: s.margin,
            near: NEAR,
            travel: s.body_travel,
        };
        let ways = Ways::new(&from, &to, wants * exists);
        let [gap, far] = ways.far(skin, limits, s.head.substep).lanes::<T>();
        // Behind a strand's tip there is nothing to meet.
        let gap = exists.choose(gap, T::splat(f64::from(f32::MAX)));
        let far = exists.choose(far, wants);
        self.leave(memory, far, gap - T::splat(0.5 * NEAR));
        let wants = far.choose(zero, wants);
        if wants.any() {
            self.look_closely(memory, block, skin, s, i, (start, &ways), wants);
        }
        T::splat(0.1 * NO_PLANE).any_less(self.offset)
    }

    /// Forgets the plane in the lanes where `far` is one and the vertex has so much room. `[m]`
    #[inline(always)]
    fn leave(&mut self, memory: &mut ContactMemory<T>, far: T, room: T) {
        let (zero, none) = (T::zero(), V3::zero());
        self.plane = V3::splat([0.0, 1.0, 0.0]).select(far, self.plane);
        self.offset = far.choose(T::splat(NO_PLANE), self.offset);
        self.remembered = none.select(far, self.remembered);
        memory.room = far.choose(room, memory.room);
        memory.push = far.choose(zero, memory.push);
        memory.depth = far.choose(zero, memory.depth);
        memory.friction = none.select(far, memory.friction);
    }

    /// The same for those in the lanes where `wants` is one, which may have come near.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
    fn look_closely<B: Lane>(
        &mut self,
        memory: &mut ContactMemory<T>,
        block: &Block<B>,
        skin: &dyn CollisionSurface,
        s: &ContactSubstep<T>,
        i: usize,
        (start, ways): (V3<T>, &Ways),
        wants: T,
    ) {
        let (mut far, mut room) = (T::zero(), T::zero());
        let all = T::splat(0.5).bits_less(wants);
        for asking in [all & 0xffff, all & !0xffff] {
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
                let gap = f64::from(met.tangent.distance) - met.keep;
                // A fast vertex may end far from where it was expected.
                if gap > NEAR + f64::from(query.from.distance(query.to)) {
                    far.set(lane, 1.0);
                    room.set(lane, gap - 0.5 * NEAR);
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
                    // than a look.
                    let moves = match met.carrier {
                        Carrier::Head => false,
                        Carrier::Torso => s.torso_travel > 0.0,
                        Carrier::Itself => true,
                    };
                    let holds = SLACK * f64::from(met.holds);
                    memory.room.set(lane, if moves { AT_ONCE } else { holds });
                }
            }
        }
        self.leave(memory, far, room);
    }
}
