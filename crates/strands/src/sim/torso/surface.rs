//! A head whose torso is turned, as one collision surface: whoever asks is taken
//! back to where the skin there is at rest.
//!
//! A point may be near the head, the torso and the neck between them. Above the
//! neck and below it skin is rigid, so an answer of the resting surface holds as
//! it is; between, it is corrected by how the bend stretches space.

use super::bend::NeckBend;
use crate::sim::contact::{
    Carrier, CollisionSurface, ContactQuery, ContactResult, Tangent, TorsoTurn,
};
use glam::Vec3;

/// So many ask at once, so that a skin waits for memory once for all; few rows have
/// more that must look.
const TOGETHER: usize = 8;

/// So near to a torso that moves a plane is good for one substep only. `[m]`
const BESIDE: f32 = 0.01;

/// So far from all that goes with the head a plane may go with the torso. `[m]`
const CLEAR: f32 = 0.03;

/// So much of the band above the torso counts as torso where a point is above the
/// neck, too: where the skin folds.
const OVERLAP: f32 = 0.25;

/// A resting skin under a torso that turns.
pub struct BentSurface<'a> {
    skin: &'a dyn CollisionSurface,
    /// At the start of the step and at the end of each of its substeps.
    bends: &'a [NeckBend],
}

/// Where one who asks belongs.
#[derive(Clone, Copy)]
struct Seat {
    /// How much of the torso's turn skin has there.
    weight: f32,
    /// Whether it is above the neck as the head sees it.
    above: bool,
    /// Where it would be at rest if it went with the torso. `[m]`
    unturned: Vec3,
    /// The level of the band there: see [`super::bend::NeckBand::level`].
    level: f32,
}

impl Seat {
    /// Where nobody asks.
    const NONE: Self = Self {
        weight: 0.0,
        above: true,
        unturned: Vec3::ZERO,
        level: 0.0,
    };
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
        [substep, substep + 1].map(|i| &self.bends[i.min(last)])
    }

    fn seat(&self, bend: &NeckBend, p: Vec3) -> Seat {
        let above = bend.band.level(p) >= 1.0;
        let unturned = bend.unturned(1.0, p);
        let level = bend.band.level(unturned);
        let weight = if above {
            0.0
        } else if level <= 0.0 {
            1.0
        } else {
            bend.weight_at(p).clamp(0.0, 1.0)
        };
        Seat {
            weight,
            above,
            unturned,
            level,
        }
    }

    /// The same question to skin at rest, of which it meets what has that weight.
    #[inline]
    fn at_rest(&self, query: &ContactQuery, weight: f32, unturned: Vec3) -> ContactQuery {
        let [before, now] = self.bends(query.substep);
        ContactQuery {
            from: before.unturned(weight, query.from),
            to: match weight {
                1.0 => unturned,
                _ => now.unturned(weight, query.to),
            },
            ..*query
        }
    }

    /// The answer of skin at rest to `asked`, taken back to who asked `query`.
    fn bent(
        &self,
        query: &ContactQuery,
        asked: &ContactQuery,
        weight: f32,
        met: &ContactResult,
    ) -> ContactResult {
        if weight == 0.0 {
            return *met;
        }
        let [before, now] = self.bends(query.substep);
        let tangent = match met.tangent.offset {
            f32::MIN => met.tangent,
            _ => {
                // How far in front of the plane it is, to first order.
                let front = met.tangent.normal.dot(asked.to) - met.tangent.offset;
                let gradient = now.gradient(weight, asked.to, met.tangent.normal);
                let steep = gradient.length().max(1e-3);
                let normal = gradient / steep;
                Tangent {
                    normal,
                    offset: normal.dot(query.to) - front / steep,
                    distance: met.tangent.distance / steep,
                }
            }
        };
        let turn = now.share(weight);
        let moves = before != now;
        let clear = (1.0 - now.band.level(query.to)) * now.band.width;
        let mut drift = turn * met.drift;
        if moves && tangent.offset > f32::MIN {
            let pivot = now.band.pivot;
            let foot = query.to - tangent.normal * tangent.distance - pivot;
            drift += foot - before.share(weight) * (turn.conjugate() * foot);
        }
        ContactResult {
            tangent,
            keep: met.keep,
            carrier: match met.carrier {
                // Between head and torso skin goes its own way, and near the head that may
                // come down on it.
                Carrier::Head if weight == 1.0 && clear > CLEAR => Carrier::Torso,
                Carrier::Head => Carrier::of_moving(moves),
                other => other,
            },
            drift,
            holds: if weight == 1.0 { met.holds } else { 1.0 },
        }
    }

    /// `met`, or what else of head and torso is nearer to who asks.
    fn nearest(&self, query: &ContactQuery, seat: Seat, met: ContactResult) -> ContactResult {
        let [before, now] = self.bends(query.substep);
        let band = &now.band;
        let mut met = met;
        let Seat {
            unturned, level, ..
        } = seat;
        let far = met.tangent.offset == f32::MIN;
        // Across the band a distance at rest may promise too much.
        let edge = (1.0 - band.level(query.to)).min(level) * band.width;
        if far && -edge < met.tangent.distance {
            met.tangent.distance /= now.slack();
        }
        if seat.above {
            let least = level * band.width;
            if level <= OVERLAP {
                let asked = self.at_rest(query, 1.0, unturned);
                let torso = self.bent(query, &asked, 1.0, &self.skin.query(&asked));
                let gap = |met: &ContactResult| f64::from(met.tangent.distance) - met.keep;
                if gap(&torso) < gap(&met) {
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
        let least = (1.0 - band.level(query.to)) * band.width;
        if far && least < met.tangent.distance {
            lessen(&mut met, self.skin.distance(query.to).max(least));
        }
        let least = level * band.width;
        if far && seat.weight < 1.0 && least < met.tangent.distance {
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
        let seat = self.seat(now, p);
        let there = now.unturned(seat.weight, p);
        let mut distance = self.skin.distance(there);
        if seat.weight > 0.0 && seat.weight < 1.0 {
            // How steep the distance is across the bend, by a difference.
            let tangent = self.tangent(p, p);
            if tangent.offset > f32::MIN {
                return tangent.distance;
            }
            distance /= now.slack();
        }
        let level = seat.level;
        if seat.above && level * now.band.width < distance {
            let torso = self.skin.distance(seat.unturned);
            distance = distance.min(match level <= OVERLAP {
                true => torso,
                false => torso.max(level * now.band.width),
            });
        }
        distance
    }

    fn clear(&self, p: Vec3, substep: usize) -> f32 {
        let [_, now] = self.bends(substep);
        let band = &now.band;
        let above = band.level(p) - 1.0;
        if above < 0.0 {
            return f32::MIN;
        }
        let unturned = now.unturned(1.0, p);
        let level = band.level(unturned);
        if level <= OVERLAP {
            return f32::MIN;
        }
        // As `nearest` has it of one who asks above the neck.
        let mut clear = self.skin.clear(p, substep);
        if above * band.width < clear {
            clear /= now.slack();
        }
        let least = level * band.width;
        if least < clear {
            clear = clear.min(self.skin.clear(unturned, substep).max(least));
        }
        clear
    }

    fn query(&self, query: &ContactQuery) -> ContactResult {
        let [_, now] = self.bends(query.substep);
        let seat = self.seat(now, query.to);
        let asked = self.at_rest(query, seat.weight, seat.unturned);
        let met = self.skin.query(&asked);
        let met = self.bent(query, &asked, seat.weight, &met);
        self.nearest(query, seat, met)
    }

    fn query_all(&self, queries: &[ContactQuery], results: &mut Vec<ContactResult>) {
        for queries in queries.chunks(TOGETHER) {
            let Some(first) = queries.first() else {
                continue;
            };
            let seats: [Seat; TOGETHER] = std::array::from_fn(|i| match queries.get(i) {
                Some(query) => self.seat(self.bends(query.substep)[1], query.to),
                None => Seat::NONE,
            });
            let asked: [ContactQuery; TOGETHER] = std::array::from_fn(|i| match queries.get(i) {
                Some(query) => self.at_rest(query, seats[i].weight, seats[i].unturned),
                None => *first,
            });
            let start = results.len();
            self.skin.query_all(&asked[..queries.len()], results);
            let all = queries.iter().zip(&asked).zip(&seats);
            for (met, ((query, asked), seat)) in results[start..].iter_mut().zip(all) {
                let bent = self.bent(query, asked, seat.weight, met);
                *met = self.nearest(query, *seat, bent);
            }
        }
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
