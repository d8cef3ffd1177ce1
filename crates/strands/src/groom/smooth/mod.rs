//! Rest curves drawn towards those around them, and kinks taken out of them.
//!
//! A strand is its edges: how long they are, and where they go. Smoothing turns them and
//! leaves their lengths, so a strand stays as long as it is, to the last edge. Turned is the
//! strand's centre line, the mean over a turn of its curl. The curl goes along around it, with
//! the phase that it has: a mean of neighbours that wind out of step would be straight. The
//! mean of centre lines at the same way along the strands is faired
//! (fair.rs): bends that are shorter than a given wave go, arcs stay.

mod curl;
mod fair;

pub(super) use curl::TurnWindows;

use super::{Groom, edit::edge_end, turn::edges_a_turn};
use glam::{Quat, Vec3};
use rstar::{RTree, primitives::GeomWithData};

/// So many strands around one have a say in its mean.
const NEIGHBOURS: usize = 8;

/// Strands that are rooted farther away have none. `[m]`
const FARTHEST: f32 = 0.04;

/// A strand stays as it is if no vertex would move farther. `[m]`
const LEAST_MOVE: f32 = 1e-6;

/// The roots of a groom, to be asked for the strands around one.
pub struct RootNeighbours {
    tree: RTree<GeomWithData<[f32; 3], usize>>,
}

/// The direction of a strand's centre line along it, now and as it grew.
pub struct StrandTangents {
    windows: curl::TurnWindows,
    now: Vec<Vec3>,
    grown: Vec<Vec3>,
    /// Where the middles of its edges are along it, now and as it grew. `[m]`
    middles: [Vec<f32>; 2],
}

/// A touch of a brush that smooths.
#[derive(Clone, Copy, Debug)]
pub struct SmoothDab {
    /// How much of the way to the smooth curve hair in the brush's middle goes, 0..=1.
    pub amount: f32,
    /// How much of the curl goes as well, as a share of that.
    pub curls: f32,
    /// Half is left of waves of that length. `[m]`
    pub wave: f32,
}

impl RootNeighbours {
    /// Of all strands of `groom`.
    pub fn of(groom: &Groom) -> Self {
        let root = |strand: usize| {
            let root = groom.strand(strand).first()?;
            Some(GeomWithData::new(root.to_array(), strand))
        };
        let roots = (0..groom.strands()).filter_map(root).collect();
        Self {
            tree: RTree::bulk_load(roots),
        }
    }

    /// The strands whose roots are nearest to that of `strand` of `groom`, and how much of a
    /// say each has beside it: less the farther away it is rooted, 0..=1.
    pub fn around(&self, groom: &Groom, strand: usize) -> Vec<(usize, f32)> {
        let Some(root) = groom.strand(strand).first() else {
            return Vec::new();
        };
        let nearest = self
            .tree
            .nearest_neighbor_iter_with_distance_2(root.to_array());
        let others = nearest.filter(|(other, _)| other.data != strand);
        let others: Vec<(usize, f32)> = others
            .take(NEIGHBOURS + 1)
            .map(|(other, square)| (other.data, square))
            .collect();
        // The one behind the last has no more say: none comes and goes with a jump.
        let behind = others.get(NEIGHBOURS).map_or(f32::INFINITY, |last| last.1);
        let reach = behind.clamp(f32::MIN_POSITIVE, FARTHEST * FARTHEST);
        let share = |(other, square): (usize, f32)| (other, 1.0 - square / reach);
        let shares = others.into_iter().map(share);
        shares.filter(|(_, share)| *share > 0.0).collect()
    }
}

impl StrandTangents {
    /// Those of a strand that grew as `grown` and is `curve` now. Its curl is that of the
    /// grown one, whatever was done to it since.
    pub fn of(curve: &[Vec3], grown: &[Vec3]) -> Self {
        let turn = edges_a_turn(grown);
        let windows = curl::TurnWindows::of(curve, grown, turn);
        let grew = curl::TurnWindows::of(grown, grown, turn);
        Self {
            now: windows.means(curve),
            grown: grew.means(grown),
            middles: [middles(&windows), middles(&grew)],
            windows,
        }
    }

    /// How long it is. `[m]`
    fn length(&self) -> f32 {
        self.windows.along().last().copied().unwrap_or(0.0)
    }

    /// Where it goes so far along the strand `[m]`, and where it went there as it grew; none
    /// behind its tip.
    fn at(&self, along: f32) -> Option<(Vec3, Vec3)> {
        if along > self.length() {
            return None;
        }
        let [now, grown] = &self.middles;
        Some((
            between(now, &self.now, along)?,
            between(grown, &self.grown, along)?,
        ))
    }
}

/// Where the middles of the edges are along the strand. `[m]`
fn middles(windows: &curl::TurnWindows) -> Vec<f32> {
    let ends = windows.along().windows(2);
    ends.map(|ends| 0.5 * (ends[0] + ends[1])).collect()
}

/// The direction so far along `[m]`, between those at the `middles`.
fn between(middles: &[f32], ways: &[Vec3], along: f32) -> Option<Vec3> {
    let next = middles.partition_point(|middle| *middle < along);
    let (Some(from), Some(to)) = (next.checked_sub(1), ways.get(next)) else {
        return ways.get(next).or(ways.last()).copied();
    };
    let t = (along - middles[from]) / (middles[next] - middles[from]).max(f32::MIN_POSITIVE);
    Some(ways[from].lerp(*to, t))
}

/// A rest curve drawn to the mean of itself and those of its neighbours, with their says.
/// Vertex `i` takes the share `shares[i]` of what `dab` says; the first edge stands on the
/// skin as it does. `free` takes a vertex to the nearest place where it may be. None where
/// nothing moves.
pub fn smoothed(
    curve: &[Vec3],
    own: &StrandTangents,
    neighbours: &[(&StrandTangents, f32)],
    shares: &[f32],
    dab: SmoothDab,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Option<Vec<Vec3>> {
    let edges = curve.len().saturating_sub(1);
    if edges < 2 || shares.len() != curve.len() || own.now.len() != edges {
        return None;
    }
    let mean: Vec<Vec3> = (0..edges)
        .map(|edge| {
            let along = own.middles[0][edge];
            let grown = between(&own.middles[1], &own.grown, along).unwrap_or(own.now[edge]);
            let (mut sum, mut says) = (own.now[edge], 1.0);
            for (other, say) in neighbours {
                if let Some((way, grew)) = other.at(along) {
                    let say = say * curl::together(grown, grew);
                    sum += way * say;
                    says += say;
                }
            }
            sum / says
        })
        .collect();
    let wave = dab.wave * edges as f32 / own.length().max(f32::MIN_POSITIVE);
    let wanted = fair::faired(&mean, wave);
    let share = |i: usize| {
        let share = 0.5 * (shares[i] + shares[i + 1]) * dab.amount;
        share.clamp(0.0, 1.0)
    };
    let turn = |i: usize| (wanted[i] - own.now[i]) * share(i);
    let turns = own
        .windows
        .spread(&(0..edges).map(turn).collect::<Vec<_>>());
    let mut out = curve.to_vec();
    for i in 1..edges {
        let edge = curve[i + 1] - curve[i];
        let (before, share) = (own.now[i], share(i));
        let mut place = out[i] + edge;
        if share > 0.0 {
            let after = (before + turns[i]).normalize_or(before);
            let way = Quat::from_rotation_arc(before, after) * edge.normalize_or(before);
            let way = way.lerp(after, (share * dab.curls).clamp(0.0, 1.0));
            place = edge_end(out[i], out[i] + way, edge);
        } else if out[i] == curve[i] {
            continue;
        }
        let away = free(i + 1, place);
        out[i + 1] = match away == place {
            true => place,
            false => edge_end(out[i], away, edge),
        };
    }
    let moves = |(a, b): (&Vec3, &Vec3)| a.distance(*b) > LEAST_MOVE;
    out.iter().zip(curve).any(moves).then_some(out)
}

#[cfg(test)]
mod tests;
