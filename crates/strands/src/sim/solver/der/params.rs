//! The parameters of Discrete Elastic Rods.

use crate::{choice, param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "der";

choice! {
    /// How elastic rods find their material frames.
    pub enum Minimiser {
        /// They do not: the frames follow the centreline, as if hair could not
        /// be twisted.
        None = "none",
        /// Newton on the tridiagonal Hessian.
        Newton = "newton",
        /// BFGS with limited memory.
        Bfgs = "bfgs",
    }
}

/// Inner steps in a substep can be no more than this.
pub const MOST_STEPS: u32 = 20_000;

params! {
    /// Discrete Elastic Rods, Bergou et al. 2008.
    pub struct DerParams: "der" {
        /// How many times stiffer than its material the hair is: limp below 1, wiry above.
        stiffness: f32 = 1.0, param::log_float(0.01, 100.0), "x", "Stiffness";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// How many times stiffer than its material a joint may be made so that the hairstyle holds, near the root most. Hair that needs nearly as much is held less and less; hair that needs more hangs as its material lets it.
        hold_cap: f32 = 128.0, param::log_float(1.0, 256.0), "x", "Largest groom hold";
        /// How twist comes to rest. None: hair cannot be twisted; Newton: a tridiagonal solve; BFGS: the same end, reached more slowly.
        minimiser: Minimiser = Minimiser::Newton, Kind::Choice(Minimiser::NAMES), "", "Twist";
        /// Passes of the minimisation in each inner step; BFGS takes four for each.
        passes: u32 = 1u32, param::int(1, 16), "", "Twist passes";
        /// Projections onto segments of rest length in each inner step, at most; they end early where all lengths are right.
        projections: u32 = 4u32, param::int(1, 16), "", "Projections";
        /// Inner steps in each substep, at most. Hair that needs more is softened.
        steps: u32 = 128u32, param::log_int(1, MOST_STEPS as i64), "", "Most inner steps";
        /// How soon bending calms down: damping over stiffness, which is a time; a longer one damps more, up to 0.4 inner steps.
        damping: f32 = 0.0005, param::float(0.0, 0.01), "s", "Inner damping";
    }
}
