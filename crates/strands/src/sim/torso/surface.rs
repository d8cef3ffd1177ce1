//! A head whose torso is turned, as one collision surface: whoever asks is taken
//! back to where the skin there is at rest.
//!
//! A point may be near the head, the torso and the neck between them. Above the
//! neck and below it skin is rigid, so an answer of the resting surface holds as
//! it is; between, it is corrected by how the bend stretches space.

use super::{
    bend::NeckBend,
    clearance::{self, OVERLAP},
    weights::{NeckWeight, NeckWeights},
};
use crate::{
    math::{
        instructions::Instructions,
        lanes::{Lane, LaneRotation, V3},
    },
    sim::contact::{
        Carrier, CollisionSurface, ContactQuery, ContactResult, PointNumbers, PointRow, RowSurface,
        Tangent, TorsoTurn, query_one, query_rows,
    },
};
use glam::Vec3;

/// So near to a torso that moves a plane is good for one substep only. `[m]`
const BESIDE: f32 = 0.01;

/// So far from all that goes with the head a plane may go with the torso. `[m]`
const CLEAR: f32 = 0.03;

/// A resting skin under a torso that turns.
pub struct BentSurface<'a> {
    skin: &'a dyn CollisionSurface,
    /// At the start of the step and at the end of each of its substeps.
    bends: &'a [NeckBend],
}

impl<'a> BentSurface<'a> {
    /// The resting `skin` while the neck is bent so, at the start of a step and
    /// at the end of each substep.
    pub fn new(skin: &'a dyn CollisionSurface, bends: &'a [NeckBend]) -> Self {
        Self { skin, bends }
    }

    /// The neck at the start and the end of a substep.
    fn bends(&self, substep: usize) -> [&NeckBend; 2] {
        let last = self.bends.len() - 1;
        [
            &self.bends[substep.min(last)],
            &self.bends[(substep + 1).min(last)],
        ]
    }

    /// What one meets of the torso alone, who would be at `unturned` if it rested. `[m]`
    fn of_torso(&self, query: &ContactQuery, unturned: Vec3) -> ContactResult {
        let [before, now] = self.bends(query.substep);
        let asked = ContactQuery {
            from: before.unturned(1.0, query.from),
            to: unturned,
            ..*query
        };
        let mut met = [self.skin.query(&asked)];
        let bend = Bending {
            bends: [before, now],
            shares: [
                LaneRotation::splat(before.rotation),
                LaneRotation::splat(now.rotation),
            ],
            weight: 1.0,
            clear: (1.0 - now.band.level(query.to)) * now.band.width,
        };
        bend.answers::<1>(query.to.into(), unturned.into(), &mut met);
        let [met] = met;
        met
    }

    /// What skin at rest answers.
    #[inline(always)]
    fn ask_rest(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        match (queries, results) {
            ([query], [met]) => *met = self.skin.query(query),
            (queries, results) => self.skin.query_all(queries, results),
        }
    }

    /// What a row of vertices on such ways meets of the skin that has the weights there. `[m]`
    #[inline(always)]
    fn ask_bent<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        [from, to]: [V3<T>; 2],
        weights: &NeckWeights<T>,
        results: &mut [ContactResult],
    ) {
        let [before, now] = self.bends(queries[0].substep);
        let there = weights.shares(now);
        let start = match before == now {
            true => there,
            false => weights.shares(before),
        };
        // The same question to skin at rest, of which each meets what has its weight.
        let turned = T::zero().less(weights.weight, T::splat(1.0), T::zero());
        let from = before.unturned_by(&start, from).select(turned, from);
        let rest = now.unturned_by(&there, to).select(turned, to);
        let mut asked = [queries[0]; N];
        for (lane, (asked, query)) in asked.iter_mut().zip(queries).enumerate() {
            *asked = ContactQuery {
                from: from.at(lane),
                to: rest.at(lane),
                ..*query
            };
        }
        self.ask_rest(&asked[..queries.len()], results);
        let bend = Bending {
            bends: [before, now],
            shares: [start, there],
            weight: weights.weight,
            clear: weights.clear_of_head(&now.band),
        };
        bend.answers::<N>(to, rest, results);
    }

    /// `met`, or what else of head and torso is nearer to who asks.
    fn nearest(&self, query: &ContactQuery, neck: NeckWeight, met: ContactResult) -> ContactResult {
        let [before, now] = self.bends(query.substep);
        let band = &now.band;
        let mut met = met;
        let NeckWeight {
            unturned,
            low: level,
            ..
        } = neck;
        let far = met.tangent.offset == f32::MIN;
        // Across the band a distance at rest may promise too much.
        let edge = (1.0 - neck.level).min(level) * band.width;
        if far && -edge < met.tangent.distance {
            met.tangent.distance /= now.slack;
        }
        if neck.above() {
            let least = level * band.width;
            if level <= OVERLAP {
                let torso = self.of_torso(query, unturned);
                if torso.gap() < met.gap() {
                    met = torso;
                    // The head is near, too, and goes another way.
                    met.carrier = Carrier::of_moving(before != now);
                }
            } else if least < met.tangent.distance || least < BESIDE {
                let torso = self.skin.distance(unturned).max(least);
                if before != now && torso < BESIDE {
                    met.carrier = Carrier::Itself;
                }
                lessen(&mut met, torso);
            }
            return met;
        }
        let least = (1.0 - neck.level) * band.width;
        if far && least < met.tangent.distance {
            lessen(&mut met, self.skin.distance(query.to).max(least));
        }
        let least = level * band.width;
        if far && neck.weight < 1.0 && least < met.tangent.distance {
            lessen(&mut met, self.skin.distance(unturned).max(least));
        }
        met
    }
}

/// Something else is so near that it need not be met, but must be looked for. `[m]`
fn lessen(met: &mut ContactResult, distance: f32) {
    if met.tangent.offset == f32::MIN {
        met.tangent.distance = met.tangent.distance.min(distance);
    }
}

impl CollisionSurface for BentSurface<'_> {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        self.query(&ContactQuery::of_point(from, to, self.bends.len()))
            .tangent
    }

    fn distance(&self, p: Vec3) -> f32 {
        let [_, now] = self.bends(self.bends.len());
        let neck = NeckWeights::<f32>::of(now, p.into(), 1).lane(0);
        let there = now.unturned(neck.weight, p);
        let mut distance = self.skin.distance(there);
        if neck.weight > 0.0 && neck.weight < 1.0 {
            // How steep the distance is across the bend, by a difference.
            let tangent = self.tangent(p, p);
            if tangent.offset > f32::MIN {
                return tangent.distance;
            }
            distance /= now.slack;
        }
        let level = neck.low;
        if neck.above() && level * now.band.width < distance {
            let torso = self.skin.distance(neck.unturned);
            distance = distance.min(match level <= OVERLAP {
                true => torso,
                false => torso.max(level * now.band.width),
            });
        }
        distance
    }

    fn clear(&self, points: &PointRow, substep: usize) -> PointNumbers {
        let [_, now] = self.bends(substep);
        clearance::clear(self.skin, now, points, substep)
    }

    fn query(&self, query: &ContactQuery) -> ContactResult {
        query_one(self, query)
    }

    fn query_all(&self, queries: &[ContactQuery], results: &mut [ContactResult]) {
        query_rows(self, Instructions::widest(), queries, results);
    }

    fn torso_turn(&self, substep: usize) -> TorsoTurn {
        let [before, now] = self.bends(substep);
        if before == now {
            return TorsoTurn::NONE;
        }
        let [before, after] = [before, now].map(|bend| bend.rotation.as_dquat().normalize());
        TorsoTurn {
            rotation: after * before.conjugate(),
            pivot: now.band.pivot.as_dvec3(),
        }
    }

    fn identity(&self) -> usize {
        // However the torso is turned it is the same skin.
        self.skin.identity()
    }
}

impl RowSurface for BentSurface<'_> {
    #[inline(always)]
    fn query_row<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        results: &mut [ContactResult],
    ) {
        let Some(first) = queries.first() else {
            return;
        };
        let [_, now] = self.bends(first.substep);
        let [from, to] = ContactQuery::ways::<T, N>(queries);
        let weights = NeckWeights::of(now, to, queries.len());
        if T::zero().any_less(weights.weight) {
            self.ask_bent::<T, N>(queries, [from, to], &weights, results);
        } else {
            // The same question to skin at rest.
            self.ask_rest(queries, results);
        }
        for (lane, (query, met)) in queries.iter().zip(results).enumerate() {
            *met = self.nearest(query, weights.lane(lane), *met);
        }
    }
}

/// How answers of skin at rest are taken to where a row of vertices asks.
struct Bending<'a, T> {
    /// The neck when the substep begins and when it ends.
    bends: [&'a NeckBend; 2],
    /// How skin is turned then that has the weight of each.
    shares: [LaneRotation<T>; 2],
    /// How much of the torso's turn that is; what has none stays as it is.
    weight: T,
    /// How far below all that goes with the head each is. `[m]`
    clear: T,
}

impl<T: Lane> Bending<'_, T> {
    /// Takes the answers in `results` to those who ask at `to`, from where that is
    /// at `rest`. `[m]`
    #[inline(always)]
    fn answers<const N: usize>(&self, to: V3<T>, rest: V3<T>, results: &mut [ContactResult]) {
        let ([before, now], [start, there]) = (self.bends, &self.shares);
        let moves = before != now;
        let mut rows = [[0.0; 16]; N];
        for (row, met) in rows.iter_mut().zip(&*results) {
            let Tangent {
                normal,
                offset,
                distance,
            } = met.tangent;
            row[..4].copy_from_slice(&normal.extend(offset).to_array());
            row[4..7].copy_from_slice(&met.drift.to_array());
            row[7] = distance;
        }
        let [x, y, z, offset] = T::columns(&rows, 0);
        let normal = V3 { x, y, z };
        let [x, y, z, distance] = T::columns(&rows, 4);
        let drift = there.rotate(V3 { x, y, z });
        // How far in front of the plane each is, to first order.
        let front = normal.dot(rest) - offset;
        let gradient = now.gradients(there, rest, normal);
        let steep = gradient.dot(gradient).sqrt().max(T::splat(1e-3));
        let normal = V3 {
            x: gradient.x / steep,
            y: gradient.y / steep,
            z: gradient.z / steep,
        };
        let offset = normal.dot(to) - front / steep;
        let distance = distance / steep;
        let foot = to - normal.scale(distance) - now.band.pivot.into();
        let moved = match moves {
            true => drift + (foot - start.rotate(there.inverse(foot))),
            false => drift,
        };
        for (lane, met) in results.iter_mut().enumerate() {
            let weight = self.weight.single(lane);
            if weight == 0.0 {
                continue;
            }
            if met.tangent.offset > f32::MIN {
                met.tangent = Tangent {
                    normal: normal.at(lane),
                    offset: offset.single(lane),
                    distance: distance.single(lane),
                };
                met.drift = moved.at(lane);
            } else {
                met.drift = drift.at(lane);
            }
            met.carrier = match met.carrier {
                // Between head and torso skin goes its own way, and near the head that may
                // come down on it.
                Carrier::Head if weight == 1.0 && self.clear.single(lane) > CLEAR => Carrier::Torso,
                Carrier::Head => Carrier::of_moving(moves),
                other => other,
            };
            if weight != 1.0 {
                met.holds = 1.0;
            }
        }
    }
}
