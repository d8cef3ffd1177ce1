//! Depenetration: how vertices leave the skin that their lengths hold below it.
//!
//! The edges of a strand are longer than an ear is thick. Where one straddles
//! something thin, the plane that its outer end came through lies out of reach of
//! the inner one, or a vertex slides along its plane to where that is not the skin
//! any more: up to 9 mm deep in a head that bangs. Such a vertex leaves by the
//! nearest skin that its length lets it reach, and what follows it is drawn along.

use super::{
    cache::{AT_ONCE, has_plane},
    candidates::{Candidates, is_out, may_penetrate},
    plane::tangent_plane,
    query::{ASIDE, QueryContext, YANKED},
    response::on_skin,
    surface::{CollisionSurface, ContactResult},
};
use crate::{
    math::{
        elementary::sin_cos,
        lanes::{Lane, V3},
    },
    sim::{
        state::Block,
        step::{HeadTravel, Scratch, StepInput},
    },
};
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

/// Planes that a vertex tries in turn.
const TRIES: usize = 6;

/// Turns about the inner vertex that it tries where no plane leads out: so many, each
/// larger by so much, to so many sides. `[rad]`
const TURNS: u32 = 12;
const TURN: f64 = 0.17;
const AROUND: u32 = 12;

/// One that began the substep deeper than this was deep already: the skin appeared around it.
/// What slid along its plane into a groove got no deeper in a substep, as fast as hair goes. `[m]`
const ALREADY_DEEP: f64 = 0.002;

/// A vertex no deeper than this is out. `[m]`
const OUT: f64 = 2e-4;

/// A strand that leaves the skin, in the head's space.
pub struct Depenetration<'a> {
    /// Its vertices. `[m]`
    pub places: &'a mut [DVec3],
    /// Length of the edge that ends in each. `[m]`
    pub lengths: &'a [f64],
    /// Between how many times and how many times as long as that an edge may be.
    pub between: [f64; 2],
}

impl Depenetration<'_> {
    /// Lets the `candidates`, vertices in rising order that may be deep in the skin, and
    /// those that follow them leave it. `ask` tells what a vertex meets at a place, and
    /// `start` where it was when the substep began: what was deep in the skin already,
    /// because that appeared around it, must not be flung out. Answers the normals of
    /// those that have left it.
    pub fn run(
        &mut self,
        candidates: &[usize],
        ask: impl Fn(usize, DVec3) -> ContactResult,
        start: impl Fn(usize) -> DVec3,
    ) -> Vec<(usize, DVec3)> {
        let (mut pushed_out, mut drawn) = (Vec::new(), false);
        let mut candidates = candidates.iter().copied().peekable();
        let Some(&begin) = candidates.peek() else {
            return pushed_out;
        };
        for i in begin..self.places.len() {
            let candidate = candidates.next_if_eq(&i).is_some();
            if !drawn && !candidate {
                if candidates.peek().is_none() {
                    break;
                }
                continue;
            }
            let inner = self.places[i - 1];
            if drawn {
                let kept = self.kept(i, inner, self.places[i]);
                drawn = kept != self.places[i];
                self.places[i] = kept;
            }
            // What moves was elsewhere then: the start as it would be carried along.
            let came = || {
                let (from, mut met) = (start(i), ask(i, start(i)));
                if met.drift != Vec3::ZERO {
                    met = ask(i, from + met.drift.as_dvec3());
                }
                met.gap() > -ALREADY_DEEP
            };
            if let Some((place, normal)) = self.leave(i, inner, &ask, came) {
                self.places[i] = place;
                pushed_out.push((i, normal));
                drawn = true;
            }
        }
        pushed_out
    }

    /// Where its length lets vertex `i` be that would be at `p`. `[m]`
    fn kept(&self, i: usize, inner: DVec3, p: DVec3) -> DVec3 {
        let edge = p - inner;
        let (length, [shortest, longest]) = (edge.length(), self.between(i));
        let kept = length.min(longest).max(shortest);
        match kept == length {
            true => p,
            false => inner + edge * (kept / length.max(1e-9)),
        }
    }

    /// The shortest and the longest that the edge may be that ends in vertex `i`. `[m]`
    fn between(&self, i: usize) -> [f64; 2] {
        self.between.map(|share| self.lengths[i] * share)
    }

    /// Where vertex `i` goes that `came` deep into the skin, and the normal there.
    fn leave(
        &self,
        i: usize,
        inner: DVec3,
        ask: impl Fn(usize, DVec3) -> ContactResult,
        came: impl Fn() -> bool,
    ) -> Option<(DVec3, DVec3)> {
        let [shortest, longest] = self.between(i);
        // An edge of fixed length turns into the plane by and by: at once, the tip of a rod
        // went through an ear to the other side.
        let shortest = if shortest < longest { shortest } else { 0.0 };
        let within = [shortest * shortest, longest * longest];
        let v3 = |v: DVec3| V3::<f64>::splat(v.to_array());
        let mut p = self.places[i];
        let mut met = ask(i, p);
        let mut best = (met.gap(), p, DVec3::ZERO);
        if is_out(&met) || !came() {
            return None;
        }
        for _ in 0..TRIES {
            let (normal, offset) = met.plane(DVec3::ZERO);
            let slid = on_skin(v3(inner), v3(p), within, v3(normal), offset);
            p = self.kept(i, inner, DVec3::from(slid.get(0)));
            met = ask(i, p);
            if met.gap() > best.0 {
                best = (met.gap(), p, met.tangent.normal.as_dvec3());
            }
            if best.0 > -OUT {
                break;
            }
        }
        if best.0 < -YANKED {
            // Between two sides that push it to and fro: it turns about the inner
            // one, as little as it must.
            let edge = self.places[i] - inner;
            let (across, aside) = edge.normalize_or(DVec3::Y).any_orthonormal_pair();
            let (size, turns) = (edge.length(), (1..=TURNS * AROUND).map(f64::from));
            for turn in turns {
                let (sin, cos) = sin_cos(TURN * (turn / f64::from(AROUND)).ceil());
                let (y, x) = sin_cos(TAU * turn / f64::from(AROUND));
                p = inner + edge * cos + (across * x + aside * y) * (size * sin);
                met = ask(i, p);
                if met.gap() > best.0 {
                    best = (met.gap(), p, met.tangent.normal.as_dvec3());
                }
                if best.0 > -OUT {
                    break;
                }
            }
        }
        (best.2 != DVec3::ZERO).then_some((best.1, best.2))
    }
}

/// What is left of a `velocity` where a skin with that velocity and `normal` takes the
/// part that goes into it. `[m/s]`
pub fn without_impact(velocity: DVec3, skin: DVec3, normal: DVec3) -> DVec3 {
    velocity - normal * normal.dot(velocity - skin).min(0.0)
}

/// Lets vertices of `block` leave the skin that ended a substep deep in it; edges may
/// be `between` so many times and so many times as long as at rest.
#[inline(always)]
pub fn depenetrate<T: Lane>(
    block: &mut Block<T>,
    scratch: &Scratch<T>,
    input: &StepInput,
    head: &HeadTravel<T>,
    between: [f64; 2],
) {
    let Some(skin) = input.skin else { return };
    let mut candidates = Candidates::default();
    for i in block.pinned.max(1)..block.rows {
        if !block.proximity[i].near {
            continue;
        }
        let (normal, offset) = tangent_plane(block, input, head, i);
        let carried = head.carried(scratch.before[i]);
        let [inner, x] = [block.position[i - 1], block.position[i]];
        let mut deep = may_penetrate([inner, x], carried, normal, offset);
        if !input.drifts() {
            // Its plane was doubtful at its last query.
            let (one, over) = (T::splat(1.0), normal.dot(x) - offset);
            let near = over.less(T::splat(ASIDE), block.room[i], T::zero());
            let near = T::splat(-YANKED).less(over, near, T::zero());
            let doubtful = near.less(T::splat(0.5 * AT_ONCE), one, deep);
            deep = has_plane(offset, doubtful, T::zero());
        }
        candidates.add(i, deep, &block.counts[..block.strands]);
    }
    let asking = QueryContext::new(head, input);
    let held = block.attachments.iter();
    let held = held.fold(0, |held, attachment| held | 1 << attachment.lane);
    candidates.keep_deep(skin, held, |lane, i| {
        let there = asking.in_head(block, lane, block.position[i].get(lane));
        asking.query(block, i, lane, [there; 2])
    });
    candidates.by_strand(|lane, rows| {
        depenetrate_strand(block, scratch, skin, input, head, between, (lane, rows));
    });
}

/// Lets these rows of the strand in `lane` leave the skin.
#[cold]
#[inline(never)]
fn depenetrate_strand<T: Lane>(
    block: &mut Block<T>,
    scratch: &Scratch<T>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    head: &HeadTravel<T>,
    between: [f64; 2],
    (lane, rows): (usize, &[usize]),
) {
    let asking = QueryContext::new(head, input);
    let count = block.counts[lane];
    let root = DVec3::from(block.root_rest.get(lane));
    let rest = |i: usize| DVec3::from(block.rest[i].get(lane));
    let now = head.now.lane(lane);
    let seen = |p: V3<T>| {
        let p = V3::<f64>::splat(p.get(lane));
        root + DVec3::from(now.inverse_vector(p).get(0))
    };
    let world = |v: DVec3| DVec3::from(now.vector(V3::<f64>::splat(v.to_array())).get(0));
    let mut places: Vec<DVec3> = block.position[..count].iter().map(|p| seen(*p)).collect();
    let length = |i: usize| rest(i).distance(rest(i.saturating_sub(1)));
    let lengths: Vec<f64> = (0..count).map(length).collect();
    let before = places.clone();
    let mut strand = Depenetration {
        places: &mut places,
        lengths: &lengths,
        between,
    };
    let ask = |i: usize, p: DVec3| {
        let there = p.as_vec3();
        skin.query(&asking.query(block, i, lane, [there, there]))
    };
    let start = |i: usize| {
        let [start, _] = asking.way(block, scratch, i, lane, [0.0; 3]);
        start.as_dvec3()
    };
    let pushed_out = strand.run(rows, ask, start);
    for i in rows[0]..count {
        if places[i] == before[i] {
            continue;
        }
        let shift = world(places[i] - before[i]);
        let place = DVec3::from(block.position[i].get(lane)) + shift;
        block.position[i].set(lane, place.to_array());
        block.room[i].set(lane, -1.0);
        block.proximity[i].near_room = -1.0;
    }
    let head = head.cut::<f64>(lane);
    for (i, normal) in pushed_out {
        let start = scratch.before[i].cut::<f64>(lane);
        let skin = DVec3::from((head.carried(start) - start).get(0)) / input.h;
        let velocity = DVec3::from(block.velocity[i].get(lane));
        let velocity = without_impact(velocity, skin, world(normal));
        block.velocity[i].set(lane, velocity.to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::contact::{Carrier, surface::Tangent};

    /// Half the thickness of a plate that lies across z, like an ear. `[m]`
    const HALF: f64 = 0.003;

    /// What a vertex meets at `p`: the nearer side of the plate, which ends at x = 0.
    fn plate(p: DVec3) -> ContactResult {
        let aside = DVec3::new(p.x.max(0.0), 0.0, p.z);
        let (distance, normal) = match p.x > 0.0 {
            true => (aside.length() - HALF, aside.normalize()),
            false => (p.z.abs() - HALF, DVec3::Z * p.z.signum()),
        };
        let normal = normal.as_vec3();
        ContactResult {
            tangent: Tangent {
                normal,
                offset: normal.dot(p.as_vec3()) - distance as f32,
                distance: distance as f32,
            },
            keep: 0.0,
            carrier: Carrier::Head,
            drift: Vec3::ZERO,
            holds: 1.0,
        }
    }

    /// Vertices along x from `begin` on, 1 cm apart, and what becomes of them.
    fn pushed_out(
        mut places: Vec<DVec3>,
        between: [f64; 2],
        start: DVec3,
    ) -> (Vec<DVec3>, Vec<(usize, DVec3)>) {
        let lengths = vec![0.01; places.len()];
        let candidates: Vec<usize> = (1..places.len()).collect();
        let mut strand = Depenetration {
            places: &mut places,
            lengths: &lengths,
            between,
        };
        let out = strand.run(&candidates, |_, p| plate(p), |_| start);
        (places, out)
    }

    fn check(places: &[DVec3], between: [f64; 2]) {
        for (i, pair) in places.windows(2).enumerate() {
            let length = pair[0].distance(pair[1]);
            let [least, most] = between.map(|share| 0.01 * share);
            assert!(
                (least - 1e-9..=most + 1e-9).contains(&length),
                "{i}: {length}"
            );
            let met = plate(pair[1]);
            assert!(f64::from(met.tangent.distance) > -YANKED, "{i}: {met:?}");
        }
    }

    #[test]
    fn a_vertex_leaves_by_the_nearest_side_and_what_follows_is_drawn_along() {
        for between in [[1.0; 2], [0.99, 1.01], [0.0, 1.01]] {
            let line = |i: usize| DVec3::new(-0.05, 0.0, 0.0115 - 0.01 * i as f64);
            let (places, out) = pushed_out((0..5).map(line).collect(), between, DVec3::Z);
            check(&places, between);
            assert_eq!(out[0].0, 1, "{out:?}");
            assert!(out[0].1.dot(DVec3::Z) > 0.99, "it came from there: {out:?}");
        }
    }

    #[test]
    fn a_vertex_between_two_sides_that_neither_lets_out_turns_about_the_inner_one() {
        // Half-way into the rim: every plane that it meets is one of the sides.
        let places = vec![DVec3::new(0.0068, 0.0, 0.0), DVec3::new(-0.0032, 0.0, 1e-5)];
        let before = places.clone();
        let (after, out) = pushed_out(places, [1.0; 2], DVec3::Z);
        check(&after, [1.0; 2]);
        assert_eq!((after[0], out.len()), (before[0], 1));
        // A right angle would be more than it needs.
        assert!(after[1].distance(before[1]) < 0.008, "{after:?}");
    }

    #[test]
    fn what_a_moving_body_runs_over_leaves_it_and_what_lay_in_it_does_not() {
        // The plate has come from below by 4 mm in this substep.
        let moved = |p: DVec3| ContactResult {
            carrier: Carrier::Itself,
            drift: Vec3::Z * 4e-3,
            ..plate(p)
        };
        let left = |start: f64| {
            let mut places = vec![DVec3::new(-0.05, 0.0, 3.2e-3), DVec3::new(-0.04, 0.0, 1e-3)];
            let mut strand = Depenetration {
                places: &mut places,
                lengths: &[0.01; 2],
                between: [1.0; 2],
            };
            let start = DVec3::new(-0.04, 0.0, start);
            !strand.run(&[1], |_, p| moved(p), |_| start).is_empty()
        };
        assert!(left(0.0), "it was 1 mm before the plate then");
        assert!(!left(-4.0e-3), "it was 3 mm in the plate then");
    }

    #[test]
    fn a_vertex_whose_edge_goes_straight_in_turns_until_it_is_out() {
        // Solid below z = 0, as the folds of an ear are: the nearest skin lies aside,
        // and leads along itself farther in.
        let pit = |p: DVec3| {
            let normal = Vec3::X * p.x.signum() as f32;
            ContactResult {
                tangent: Tangent {
                    normal,
                    offset: 0.005,
                    distance: p.z as f32,
                },
                ..plate(p)
            }
        };
        let mut places = vec![DVec3::Z * 1e-3, DVec3::Z * -9e-3];
        let mut strand = Depenetration {
            places: &mut places,
            lengths: &[0.01; 2],
            between: [1.0; 2],
        };
        let out = strand.run(&[1], |_, p| pit(p), |_| DVec3::Z);
        assert_eq!(out.len(), 1, "{places:?}");
        assert!(places[1].z > -OUT, "{places:?}");
    }

    #[test]
    fn strands_that_are_out_stay_bit_by_bit() {
        let line = |i: usize| DVec3::new(0.01 * i as f64 - 0.05, 0.0, 0.0031);
        let places: Vec<DVec3> = (0..6).map(line).collect();
        let (after, out) = pushed_out(places.clone(), [1.0; 2], DVec3::Z);
        assert_eq!((after, out.len()), (places, 0));
    }

    #[test]
    fn what_the_skin_appeared_around_is_not_flung_out() {
        let line = |i: usize| DVec3::new(-0.05, 0.0, 0.0115 - 0.01 * i as f64);
        let places: Vec<DVec3> = (0..2).map(line).collect();
        let (after, out) = pushed_out(places.clone(), [1.0; 2], places[1] + DVec3::Z * 5e-4);
        let deep = plate(places[1]).tangent.distance;
        assert!(f64::from(deep) < -1.4e-3, "{deep}");
        assert_eq!(out.len(), 1, "shallow is not deep: {after:?}");
        let (after, out) = pushed_out(places.clone(), [1.0; 2], DVec3::new(-0.05, 0.0, 0.0));
        assert_eq!((after, out.len()), (places, 0));
    }
}
