//! What can be told of hair in motion in a few numbers.

use super::solver::effort::Effort;

/// The state of all strands in a few numbers, for the status line and files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Largest relative lengthening of any segment (0.01 = 1 %).
    pub max_stretch: f32,
    /// Largest relative shortening of any segment (0.01 = 1 %).
    pub max_shortening: f32,
    /// Mean relative change of length of a segment, longer or shorter.
    pub mean_length_error: f32,
    /// Deepest vertex below the skin, or below its rest place where that lies deeper. `[m]`
    pub max_penetration: f32,
    /// Vertices below the skin by more than a hundredth of a millimetre.
    pub penetrating: u32,
    /// Kinetic energy of all strands. `[J]`
    pub kinetic: f64,
    /// Potential energy in gravity, against that of the hair as modelled on a head at rest. `[J]`
    pub potential: f64,
    /// Strands that had to be put back because a number was not finite, in all.
    pub nonfinite: u64,
    /// Energy of bending and twisting; none where a method without it is at work, or has not
    /// moved the hair yet. `[J]`
    pub elastic: Option<f64>,
    /// Share of the strands that are made stiffer than their material so that
    /// they hold the groom; 0 where no rods are at work.
    pub held: f32,
    /// How many times stiffer the stiffest joint is made; 1 where none is.
    pub hold: f32,
    /// Median of that over all joints.
    pub hold_median: f32,
    /// The same over the outer half of each strand.
    pub hold_outer_median: f32,
    /// Share of the strands that do not hold the groom even with the largest hold
    /// allowed, and sag.
    pub toppling: f32,
    /// What the rod solver has had to do since the hair was grown.
    pub effort: Effort,
    /// Pairs of edges of two strands that press against each other; 0 where strands
    /// do not touch one another.
    pub touching: u32,
    /// Inner steps that a strand took in the last substep, on average; 0 where
    /// no elastic rods are at work.
    pub inner_steps: f32,
    /// Share of the strands that are softer than their material, because they
    /// ask for more inner steps than are allowed.
    pub softened: f32,
    /// Inner steps that would have to be allowed so that no strand is softer than its
    /// material; 0 where none is.
    pub steps_needed: u32,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            max_stretch: 0.0,
            max_shortening: 0.0,
            mean_length_error: 0.0,
            max_penetration: 0.0,
            penetrating: 0,
            kinetic: 0.0,
            potential: 0.0,
            nonfinite: 0,
            elastic: None,
            held: 0.0,
            hold: 1.0,
            hold_median: 1.0,
            hold_outer_median: 1.0,
            toppling: 0.0,
            effort: Effort::default(),
            touching: 0,
            inner_steps: 0.0,
            softened: 0.0,
            steps_needed: 0,
        }
    }
}

impl Statistics {
    /// Share of strands and substeps since `before` that took another Newton
    /// pass than all take; 0 where there were no substeps.
    pub fn extra_passes(&self, before: &Effort) -> f32 {
        let extra = self.effort.extra.saturating_sub(before.extra);
        match self.effort.substeps.saturating_sub(before.substeps) {
            0 => 0.0,
            substeps => (extra as f64 / substeps as f64) as f32,
        }
    }
}
