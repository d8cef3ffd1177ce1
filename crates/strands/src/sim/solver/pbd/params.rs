//! The parameters of Position Based Dynamics.

use crate::{param, param::Kind, params};

/// Name of the method, and of its parameters, in files and on the command line.
pub const ID: &str = "pbd";

params! {
    /// Position Based Dynamics, Müller et al. 2007.
    pub struct PbdParams: "pbd" {
        /// Passes over all constraints in each substep; more substeps usually do more for the same time.
        iterations: u32 = 1u32, param::int(1, 64), "", "Iterations";
        /// How strongly segments keep their length.
        stretch_stiffness: f32 = 1.0, param::float(0.0, 1.0), "", "Stretch stiffness";
        /// No segment is left longer or shorter than its rest length by more than this share.
        stretch_limit: f32 = 0.008, param::float(0.0, 1.0), "", "Stretch limit";
        /// How much heavier each vertex counts than the next one outwards. Above 1 few passes hold a long strand; 1 is equal masses.
        mass_taper: f32 = 1.15, param::float(1.0, 3.0), "", "Mass taper";
        /// How strongly the curl resists bending. It keeps the shape of curls and carries hardly any weight: what holds hair up is the shape stiffness.
        bend_stiffness: f32 = 0.3, param::float(0.0, 1.0), "", "Bend stiffness";
        /// How strongly the curl resists unwinding. It shows on curls that are pulled; straight hair, and hair that the shape stiffness holds, looks the same.
        twist_stiffness: f32 = 0.2, param::float(0.0, 1.0), "", "Twist stiffness";
        /// How far a pull opens curls, as a share of the way from the hairstyle to straight strands; 1 is no limit. Limp hair opens more, wiry hair less. Meant for curls of about eight segments a turn.
        curl_limit: f32 = 0.1, param::float(0.0, 1.0), "", "Curl limit";
        /// How strongly the hairstyle pulls each vertex to its place on the head: this holds hair up, and more so in shorter substeps.
        shape_stiffness: f32 = 0.0032, param::log_float(0.0, 1.0), "", "Shape stiffness";
        /// Share of the shape stiffness that is left at the tip.
        shape_tip: f32 = 0.3, param::float(0.0, 1.0), "", "Shape at tip";
        /// Whether the hairstyle as modelled is at rest under gravity. Off, it is the shape without gravity and sags.
        sag_free: bool = true, Kind::Bool, "", "Hold the groom";
        /// Share of the strand's inner motion that is taken away each 1/60 s; its motion as a whole stays.
        damping: f32 = 0.05, param::float(0.0, 1.0), "", "Inner damping";
    }
}
