//! What is asked of a frame.

use super::{Camera, Environment, LightParams, LookParams};
use crate::{groom::FollowerParams, math::Pose};
use std::sync::Arc;

/// What one frame shows.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Where it is taken from.
    pub camera: &'a Camera,
    /// How hair and set are drawn.
    pub look: &'a LookParams,
    /// How drawn strands follow simulated ones.
    pub followers: &'a FollowerParams,
    /// How they are lit.
    pub light: &'a LightParams,
    /// What lights them in place of the three-point light, as `light` shows it; none for
    /// that.
    pub environment: Option<&'a Arc<Environment>>,
    /// Where the head is.
    pub pose: Pose,
    /// Width and height of the picture. `[px]`
    pub size: [u32; 2],
    /// Whether every piece of a strand is ordered by itself: slower than lock by
    /// lock, and right where strands cross before the camera.
    pub exact: bool,
    /// Whether the picture moves: the light in the hair may be two frames old. With one
    /// sample a pixel the head is also lit at its vertices, if it has enough of them,
    /// and colours are made for the display before they are blended: nearly the same
    /// picture, in a third of the time where the processor draws.
    pub swift: bool,
}
