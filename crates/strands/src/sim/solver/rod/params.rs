//! The parameters of the direct Kirchhoff rod.

use crate::{choice, param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "rod";

choice! {
    /// How a rod steps through time.
    pub enum Integrator {
        /// Implicit Euler: calm, first order.
        Euler = "euler",
        /// Second-order backward differences: keeps the swing. Where hair touches
        /// the skin, implicit Euler.
        Bdf2 = "bdf2",
    }
}

impl Integrator {
    /// Share of the last substep's differences that goes into the next.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Euler => 0.0,
            Self::Bdf2 => 1.0 / 3.0,
        }
    }

    /// How much a vertex is against being moved in a substep, in masses over h².
    pub(super) fn inertia(self) -> f32 {
        (1.0 / (1.0 - self.share()).powi(2)) as f32
    }
}

params! {
    /// Direct Kirchhoff rods.
    pub struct RodParams: "rod" {
        /// How many times stiffer than its material the hair is: limp below 1, wiry above.
        stiffness: f32 = 1.0, param::log_float(0.01, 100.0), "x", "Stiffness";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// How many times stiffer than its material a joint may be made so that the hairstyle holds, near the root most. Hair that needs nearly as much is held less and less; hair that needs more hangs as its material lets it.
        hold_cap: f32 = 128.0, param::log_float(1.0, 256.0), "x", "Largest groom hold";
        /// How soon bending and twisting calm down: damping over stiffness, which is a time; a longer one damps more.
        damping: f32 = 0.002, param::float(0.0, 0.05), "s", "Inner damping";
        /// Implicit Euler is calm: it eats a fifth to a half of the swing. BDF2 keeps it, for up to twice the time while hair moves fast.
        integrator: Integrator = Integrator::Euler, Kind::Choice(Integrator::NAMES), "", "Integrator";
        /// Newton passes in each substep; strands that have not converged get up to two more, by BDF2 up to six.
        passes: u32 = 1u32, param::int(1, 4), "", "Newton passes";
        /// Whether strands touch one another: they push apart and rub. Costs many times the rest; for stills, caches and few strands.
        strand_contact: bool = false, Kind::Bool, "", "Strand contact";
        /// Thickness of the lock that a strand stands for, as other strands feel it. Strands that lie closer in the hairstyle keep the distance they have there.
        thickness: f32 = 1.0, param::log_float(0.05, 10.0), "mm", "Contact thickness";
        /// Coulomb friction between strands.
        strand_friction: f32 = 0.3, param::float(0.0, 2.0), "", "Strand friction";
        /// How often each substep is solved so that touching strands agree on where they meet.
        strand_rounds: u32 = 2u32, param::int(1, 8), "", "Contact rounds";
    }
}
