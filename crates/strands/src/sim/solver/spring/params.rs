//! The parameters of curly springs.

use crate::{param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "spring";

params! {
    /// Curly mass-spring hair, Iben et al. 2013.
    pub struct SpringParams: "spring" {
        /// Stretch spring: the tension that would draw a hair to twice its length.
        stretch: f32 = 10.0, param::log_float(0.01, 100.0), "mN", "Stretch stiffness";
        /// How calmly stretch swings out: damping over critical damping of a segment.
        stretch_damping: f32 = 0.1, param::float(0.0, 1.0), "", "Stretch damping";
        /// No segment is left longer or shorter than at rest by more than this share.
        stretch_limit: f32 = 0.05, param::float(0.0, 1.0), "", "Stretch limit";
        /// Bending spring, as a multiple of what the material has. It turns edges back in smoothed frames, so a straight hair is many times stiffer than that, the more the longer the bend smoothing; rods bend as their material.
        bend: f32 = 0.6, param::log_float(0.01, 100.0), "x", "Bend stiffness";
        /// How calmly bending swings out: damping over critical damping of a segment.
        bend_damping: f32 = 0.05, param::float(0.0, 1.0), "", "Bend damping";
        /// Length over which the curve is smoothed for the frames that bending is measured in. About a turn of a curl keeps curls from turning about themselves; a segment's length is the least.
        bend_smoothing: f32 = 50.0, param::float(0.0, 200.0), "mm", "Bend smoothing";
        /// Core spring: the tension that would draw a curl's core to twice its length.
        core: f32 = 0.2, param::log_float(0.001, 100.0), "mN", "Core stiffness";
        /// How calmly the core swings out: damping over critical damping of a segment.
        core_damping: f32 = 0.05, param::float(0.0, 1.0), "", "Core damping";
        /// Length over which the curve is smoothed to find a curl's core.
        core_smoothing: f32 = 30.0, param::float(0.0, 200.0), "mm", "Core smoothing";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// Most inner steps in a substep. They take 1.4 ms each where that is enough; longer ones make hair more sluggish.
        most_steps: u32 = 16u32, param::int(1, 256), "", "Most inner steps";
    }
}
