//! What a lock does to its strands.

use super::{
    heights::{HEIGHTS, Heights, Modelled, Motion, Stored, StoredVector, store},
    locks::Member,
    mean::{Mean, Means, Sum, Vertices},
    turn::{Head, Turn},
};
use crate::{
    math::{
        lanes::{F, Lane},
        work::Work,
    },
    sim::{CohesionParams, volume::GridMotion},
};
use std::f64::consts::TAU;

/// How often a strand would swing about its lock where it holds best. `[Hz]`
const FASTEST: f64 = 8.0;

/// Damping of that swing, as a share of what stops it in one go.
const DAMPING: f64 = 0.7;

/// The turn of a lock at some height is that of the way between so many parts of
/// its length around it: less would follow every curl.
const CHORDS: usize = 8;

/// Reused memory.
#[derive(Default)]
pub(super) struct Scratch {
    /// The lock with all its vertices alike, and without those that are torn off.
    all: Means,
    bound: Means,
    /// How much each vertex counts in the mean: its mass, less the more it is torn
    /// off.
    weights: Vec<Stored>,
}

/// How locks pull in one step.
pub(super) struct Bond {
    /// Share of what is missing that a vertex gains as velocity. `[1/s]`
    pull: f32,
    /// Share of its velocity against the lock that a vertex loses.
    loss: f32,
    /// Where a bond is at half of its strength. `[m]`
    gives: f32,
    /// The speed at which it is: that of a swing so wide. No bond pulls harder than
    /// it would there, so that hair which strikes the head is not driven into it by
    /// the rest of its lock. `[m/s]`
    tears: f32,
    head: Head,
}

impl Bond {
    pub fn new(params: &CohesionParams, ride: &GridMotion, seconds: f64) -> Self {
        let rate = TAU * FASTEST * f64::from(params.hold);
        // Euler's backward formula for x'' = -k x - c x': stable for any step.
        let stiffness = rate * rate * seconds;
        let damping = 2.0 * DAMPING * rate * seconds;
        let whole = 1.0 + damping + stiffness * seconds;
        Self {
            pull: (stiffness / whole) as f32,
            loss: ((damping + stiffness * seconds) / whole) as f32,
            gives: params.reach,
            tears: (rate * f64::from(params.reach)) as f32,
            head: Head::new(ride),
        }
    }

    /// What the strands of a lock, `members`, gain, strand after strand. `[m/s]`
    #[inline(always)]
    fn pull(
        &self,
        members: &[Member],
        (motion, modelled): (&[Motion], &[Modelled]),
        Scratch {
            all,
            bound,
            weights,
        }: &mut Scratch,
        gains: &mut [StoredVector],
    ) {
        let Some(any) = members.first() else { return };
        let (heights, groups) = (any.heights(), any.groups());
        let half = (heights.saturating_sub(1) / CHORDS).max(1);
        all.resize(groups, half);
        bound.resize(groups, half);
        weights.resize(gains.len(), [0.0; HEIGHTS]);
        let vertices = |member: &Member, group: usize| {
            let at = member.first() + group;
            Vertices::new(&motion[at], &modelled[at])
        };
        for group in 0..groups {
            let mut sum = Sum::new();
            for member in members {
                let vertices = vertices(member, group);
                sum.add(&vertices, vertices.mass);
            }
            all.set(group, &sum);
        }
        all.close(heights);
        let splat = |v: f32| Heights::splat(v.into());
        let (one, gives, tears) = (splat(1.0), splat(1.0 / self.gives), splat(1.0 / self.tears));
        for group in 0..groups {
            let (mean, turn) = self.mean_and_turn(all, group);
            let mut sum = Sum::new();
            for (member, weights) in members.iter().zip(weights.chunks_exact_mut(groups)) {
                let vertices = vertices(member, group);
                let [missing, slip] = turn.missing_and_slip(&vertices, &mean);
                let (torn, slips) = (missing.scale(gives), slip.scale(tears));
                let weight = vertices.mass / (one + torn.dot(torn) + slips.dot(slips));
                weights[group] = weight.0;
                sum.add(&vertices, weight);
            }
            bound.set(group, &sum);
        }
        bound.close(heights);
        let (pull, loss) = (splat(self.pull), splat(self.loss));
        for group in 0..groups {
            let (mean, turn) = self.mean_and_turn(bound, group);
            let own = weights
                .chunks_exact(groups)
                .zip(gains.chunks_exact_mut(groups));
            for (member, (weights, gains)) in members.iter().zip(own) {
                let vertices = vertices(member, group);
                let [missing, slip] = turn.missing_and_slip(&vertices, &mean);
                let share = F(weights[group]) / vertices.mass.max(splat(f32::MIN_POSITIVE));
                let whole = missing.scale(pull) + slip.scale(loss);
                gains[group] = store(whole.scale(-share));
            }
        }
    }

    /// The mean of a lock at some heights, and how it has turned there.
    #[inline(always)]
    fn mean_and_turn(&self, means: &Means, group: usize) -> (Mean, Turn) {
        let below = group * HEIGHTS;
        let above = below + 2 * means.beyond;
        let turn = Turn::new(&self.head, &means.get(below), &means.get(above));
        (means.get(below + means.beyond), turn)
    }
}

/// A lock that pulls.
pub(super) struct Pull<'a> {
    pub bond: &'a Bond,
    /// Its strands.
    pub members: &'a [Member],
    /// All strands, in the groom's order.
    pub motion: &'a [Motion],
    pub modelled: &'a [Modelled],
    pub scratch: &'a mut Scratch,
    /// What its strands gain, one after the other. `[m/s]`
    pub gains: &'a mut [StoredVector],
}

impl Work for Pull<'_> {
    #[inline(always)]
    fn run(self) {
        let strands = (self.motion, self.modelled);
        self.bond
            .pull(self.members, strands, self.scratch, self.gains);
    }
}
