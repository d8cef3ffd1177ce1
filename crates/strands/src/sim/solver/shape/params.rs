//! The parameters of shape constraints.

use crate::{choice, param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "shape";

choice! {
    /// How shape constraints keep the length of edges.
    pub enum LengthSolver {
        /// Edge by edge, from the root outwards.
        GaussSeidel = "gauss-seidel",
        /// All edges of a strand at once.
        Tridiagonal = "tridiagonal",
    }
}

params! {
    /// Shape constraints, Han and Harada 2012.
    pub struct ShapeParams: "shape" {
        /// How strongly the hairstyle pulls each vertex to its place on the head. At 1 everywhere hair moves rigidly with the head.
        global: f32 = 0.0045, param::log_float(0.0, 1.0), "", "Global shape";
        /// Share of the global shape's strength that is left at the tip.
        global_tip: f32 = 0.2, param::float(0.0, 1.0), "", "Global at tip";
        /// Share of the strand, from the root, on which the global shape acts.
        global_range: f32 = 1.0, param::float(0.0, 1.0), "", "Global range";
        /// How strongly each edge keeps its rest direction as seen from the strand around it: the curl.
        local: f32 = 0.5, param::float(0.0, 1.0), "", "Local shape";
        /// Passes over local shape and lengths in each substep.
        iterations: u32 = 1u32, param::int(1, 8), "", "Iterations";
        /// Lengths edge by edge, or all edges of a strand at once: slower, and truer where hair is stretched.
        length: LengthSolver = LengthSolver::GaussSeidel, Kind::Choice(LengthSolver::NAMES), "", "Lengths";
        /// No segment is left longer than its rest length by more than this share, and none shorter that does not end on the skin.
        stretch_limit: f32 = 0.01, param::float(0.0, 1.0), "", "Stretch limit";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// Share of its velocity that a vertex loses in 1/60 s.
        damping: f32 = 0.08, param::float(0.0, 1.0), "", "Damping";
        /// Share of the motion of a fast head that strands are handed at once, so that they do not whip.
        shock: f32 = 0.8, param::float(0.0, 1.0), "", "Shock share";
        /// The speed of a strand's root beyond which they are.
        shock_speed: f32 = 1.0, param::float(0.0, 10.0), "m/s", "Shock speed";
    }
}
