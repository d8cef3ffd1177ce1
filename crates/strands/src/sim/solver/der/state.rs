//! What elastic rods remember from step to step, beside positions and
//! velocities.

use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        memory::MethodMemory,
        solver::{
            effort::Effort,
            groom_hold::{HoldProfile, HoldSpread},
            material::RestKey,
        },
    },
};

/// What the rest shape depends on beside the groom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DerRestKey {
    pub rest: RestKey,
    /// Whether the frames follow the Bishop frame, twist not being at rest.
    pub rigid: bool,
    /// The square of the fastest frequency that the inner steps allow. `[1/s²]`
    pub fastest: f64,
}

/// Memory of a block of elastic rods; empty until they move the block.
#[derive(Clone, Debug)]
pub struct DerState<T> {
    /// What the rest shape below was made for.
    pub(super) made_for: Option<DerRestKey>,
    /// Tangent and first director before the first edge, in the head's space.
    pub(super) clamp: [V3<T>; 2],
    /// Tangent of the first edge and its Bishop director, in the world: what a
    /// strand without a root carries through time.
    pub(super) carried: [V3<T>; 2],
    /// How many times stiffer than its material each joint is, so that the
    /// hairstyle is a stable equilibrium.
    pub hold: HoldProfile<T>,
    /// The same in counts.
    pub(super) spread: HoldSpread,
    /// Inner steps that each strand took in the last substep.
    pub steps: T,
    /// How often the square of the fastest frequency that the inner steps allow goes into
    /// that of the strand as stiff as its material: beyond 1 it is softened.
    pub excess: T,
    /// The same of the rest shape, where nothing has moved.
    pub(super) excess_at_rest: T,
    /// One entry a vertex.
    pub vertices: Vec<DerVertex<T>>,
    /// What the method had to do.
    pub effort: Effort,
}

/// What a vertex, the edge that leaves it or the joint in it remembers.
#[derive(Clone, Copy, Debug)]
pub struct DerVertex<T> {
    /// Rest length of the edge; zero behind the tip. `[m]`
    pub length: T,
    /// One over the mass of the vertex for each unit of linear density; zero
    /// where it is held. `[1/m]`
    pub(super) inverse_mass: T,
    /// What the joint's stiffness is multiplied with: one over the length that
    /// it stands for, times the groom hold, less where the number of inner
    /// steps would not do. `[1/m]`
    pub stiff: T,
    /// Square of the fastest frequency that the joint takes part in, for each
    /// unit of its stiffness. `[1/m³]`
    pub(super) quick: T,
    /// Curvature without stress in the material frame of the edge before and
    /// in that of the edge: binormal on the first and second director.
    pub rest: [T; 4],
    /// Twist without stress. `[rad]`
    pub rest_twist: T,
    /// Angle of the material frame from the Bishop frame of the edge. `[rad]`
    pub theta: T,
    /// The same where nothing has moved yet.
    pub(super) rest_theta: T,
    /// The curvatures at the last inner step.
    pub(super) strain: [T; 4],
    /// What the position is off by rounding. `[m]`
    pub(super) low: V3<T>,
}

impl<T: Lane> DerVertex<T> {
    pub(super) fn new() -> Self {
        let zero = T::zero();
        Self {
            length: zero,
            inverse_mass: zero,
            stiff: zero,
            quick: zero,
            rest: [zero; 4],
            rest_twist: zero,
            theta: zero,
            rest_theta: zero,
            strain: [zero; 4],
            low: V3::zero(),
        }
    }
}

impl<T: Lane> Default for DerState<T> {
    /// Nothing yet.
    fn default() -> Self {
        Self {
            made_for: None,
            clamp: [V3::zero(); 2],
            carried: [V3::zero(); 2],
            hold: HoldProfile::none(),
            spread: HoldSpread::default(),
            steps: T::zero(),
            excess: T::zero(),
            excess_at_rest: T::zero(),
            vertices: Vec::new(),
            effort: Effort::default(),
        }
    }
}

impl<T: Lane> MethodMemory<T> for DerState<T> {
    fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..]) + size_of_val(&self.hold.joints[..])
    }

    fn carry(&mut self, turn: Q<T>) {
        for v in &mut self.carried {
            *v = turn.rotate(*v);
        }
        for memory in &mut self.vertices {
            memory.low = V3::zero();
        }
    }
}
