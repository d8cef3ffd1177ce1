//! What a rod remembers from step to step, beside positions and velocities.

use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        contact::ContactMemory,
        memory::MethodMemory,
        solver::{
            effort::Effort,
            groom_hold::{HoldProfile, HoldSpread},
            material::RestKey,
        },
    },
};

/// Memory of a block of rods; empty until rods move the block.
#[derive(Clone, Debug)]
pub struct RodState<T> {
    /// Which material and rest shape `vertices[..].rest` was made for.
    pub(super) made_for: Option<RestKey>,
    /// Frame before the first edge, in the head's space.
    pub clamp: Q<T>,
    /// How many times stiffer than its material each joint is, so that the
    /// hairstyle is a stable equilibrium.
    pub hold: HoldProfile<T>,
    /// The same in counts.
    pub(super) spread: HoldSpread,
    /// Elastic energy of all joints but the first after the last substep, for
    /// each unit of linear density.
    pub(super) elastic: T,
    /// Which skin the vertices have queried, and the distance they keep.
    pub(super) skin: Option<(usize, u64)>,
    /// One entry a vertex.
    pub vertices: Vec<RodVertex<T>>,
    /// One entry a vertex while the integrator looks two steps back.
    pub(super) history: Vec<History<T>>,
    /// Whether it is none yet: the next substep goes by implicit Euler.
    pub(super) begins: bool,
    /// Length of the substeps that it is of. `[s]`
    pub(super) substep: f64,
    /// What the solver had to do.
    pub effort: Effort,
}

/// What a vertex, or the edge that leaves it, remembers.
#[derive(Clone, Copy, Debug)]
pub struct RodVertex<T> {
    /// Rest length of the edge. `[m]`
    pub length: T,
    /// Strains (two curvatures, twist) without stress of the joint before the
    /// edge. `[1/m]`
    pub rest: V3<T>,
    /// Orientation of the edge; its third axis runs along it.
    pub q: Q<T>,
    /// Vector part of the edge's rotation in the last substep.
    pub(super) turn: V3<T>,
    /// What inertia, gravity and contact left for the strand's inner forces to
    /// balance at the vertex, for each unit of linear density. `[m²/s²]`
    pub net: V3<T>,
    /// What it remembers of contact.
    pub contact: ContactMemory<T>,
}

impl<T: Lane> RodVertex<T> {
    pub(super) fn new() -> Self {
        Self {
            length: T::splat(1.0),
            rest: V3::zero(),
            q: Q::identity(),
            turn: V3::zero(),
            net: V3::zero(),
            contact: ContactMemory::none(),
        }
    }

    /// Forgets motion and forces, keeps shape and orientation.
    #[inline(always)]
    pub(super) fn calm(&mut self) {
        *self = Self {
            length: self.length,
            rest: self.rest,
            q: self.q,
            ..Self::new()
        };
    }
}

/// The step before the last, for BDF2.
#[derive(Clone, Copy, Debug)]
pub(super) struct History<T> {
    /// How far the vertex went. `[m]`
    pub moved: V3<T>,
    /// Its velocity before. `[m/s]`
    pub velocity: V3<T>,
}

impl<T: Lane> Default for RodState<T> {
    /// Nothing yet.
    fn default() -> Self {
        Self {
            made_for: None,
            clamp: Q::identity(),
            hold: HoldProfile::none(),
            spread: HoldSpread::default(),
            elastic: T::zero(),
            skin: None,
            vertices: Vec::new(),
            history: Vec::new(),
            begins: true,
            substep: 0.0,
            effort: Effort::default(),
        }
    }
}

impl<T: Lane> RodState<T> {
    /// Internal force through edge `edge`, pulling its outer end inwards, for
    /// each unit of linear density. `[m²/s²]`
    pub fn force(&self, edge: usize, lane: usize) -> glam::DVec3 {
        self.vertices[edge + 1..]
            .iter()
            .map(|v| glam::DVec3::from(v.net.get(lane)))
            .sum()
    }
}

impl<T: Lane> MethodMemory<T> for RodState<T> {
    fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + size_of_val(&self.hold.joints[..])
            + size_of_val(&self.history[..])
    }

    fn carry(&mut self, turn: Q<T>) {
        for v in &mut self.vertices {
            v.q = turn.mul_quat(v.q).normalized();
            // A turn by an angle about an axis: the axis turns.
            v.turn = turn.rotate(v.turn);
            v.net = turn.rotate(v.net);
            v.contact.friction = turn.rotate(v.contact.friction);
        }
        for h in &mut self.history {
            h.moved = turn.rotate(h.moved);
            h.velocity = turn.rotate(h.velocity);
        }
    }

    fn invalidate_contact(&mut self) {
        for v in &mut self.vertices {
            v.contact.invalidate();
        }
    }

    /// To an integrator that looks two steps back the vertex has always had that
    /// velocity.
    fn gain(&mut self, row: usize, velocity: V3<T>, h: f64) {
        if let Some(history) = self.history.get_mut(row) {
            history.moved = history.moved + velocity.scale(T::splat(h));
            history.velocity = history.velocity + velocity;
        }
    }
}
