//! The parameters of Dynamic Follow-The-Leader.

use crate::{param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "ftl";

params! {
    /// Dynamic Follow-The-Leader, Müller, Kim, Chentanez 2012.
    pub struct FtlParams: "ftl" {
        /// Share of what keeping its length takes from a vertex that the one before it gets back as velocity. Near 1 hair is calm; at 0 it swings as if it weighed nothing towards the tip.
        damping: f32 = 0.9, param::float(0.0, 1.0), "", "Velocity correction";
        /// How strongly each vertex is drawn to where the rest shape, carried along the strand, puts it. With this and the shape stiffness at 0 it is the method as published: no curls.
        curl: f32 = 0.35, param::float(0.0, 1.0), "", "Curl stiffness";
        /// How strongly the hairstyle pulls each vertex to its place on the head.
        shape: f32 = 0.0038, param::log_float(0.0, 1.0), "", "Shape stiffness";
        /// Share of the shape stiffness that is left at the tip.
        shape_tip: f32 = 0.2, param::float(0.0, 1.0), "", "Shape at tip";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// Share of its velocity that a vertex loses in 1/60 s.
        calm: f32 = 0.06, param::float(0.0, 0.9), "", "Damping";
    }
}
