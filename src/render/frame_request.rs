//! What is asked of a picture of all sides, and what each side shows.

use super::{Camera, Environment, LightParams, LookParams};
use crate::{groom::FollowerParams, math::Pose};
use glam::Vec3;
use std::sync::Arc;

/// How carefully a picture is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// As the look says.
    Full,
    /// As time allows.
    Live,
    /// With the least that shows the hair.
    Plain,
}

/// What a picture shall show.
#[derive(Clone, Copy)]
pub struct FrameRequest<'a> {
    /// Where it is taken from.
    pub camera: &'a Camera,
    /// How hair and set are drawn.
    pub look: &'a LookParams,
    /// How drawn strands follow simulated ones.
    pub followers: &'a FollowerParams,
    /// How they are lit.
    pub light: &'a LightParams,
    /// What lights them in place of the three-point light; none for that.
    pub environment: Option<&'a Arc<Environment>>,
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// How carefully.
    pub quality: Quality,
    /// Whether the hair stands still.
    pub paused: bool,
    /// Colours on the head, as [`super::Renderer::tint_head`] wants them, with a number
    /// that changes with them.
    pub tint: Option<(u64, &'a [[f32; 2]])>,
    /// Whether there is no backdrop.
    pub transparent: bool,
}

/// One side at one moment.
#[derive(Clone, Copy)]
pub struct SideState<'a> {
    /// In the groom's order, in world space. `[m]`
    pub positions: &'a [Vec3],
    /// The head's vertices in its own space; none while it is as its mesh has it. `[m]`
    pub shape: &'a [Vec3],
    /// Where the head is.
    pub pose: Pose,
}
