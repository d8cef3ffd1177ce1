//! The strands that one set of registers takes side by side, during a substep.

use super::bfgs::BfgsHistory;
use super::state::{DerState, DerVertex};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment::AttachmentKind,
        contact::MovingPlane,
        solver::{HeadTravel, Scratch, StepInput},
        state::Block,
    },
};

/// A vertex, the edge that leaves it and the joint in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DerNode<T> {
    /// What lasts beyond the substep.
    pub memory: DerVertex<T>,
    /// Place, from the root. `[m]`
    pub x: V3<T>,
    /// `[m/s]`
    pub velocity: V3<T>,
    /// What moving air does to it. `[m/s²]`
    pub acceleration: V3<T>,
    /// How far it goes in this inner step. `[m]`
    pub way: V3<T>,
    /// Direction of the edge, and one over its length. `[1/m]`
    pub tangent: V3<T>,
    pub inverse_length: T,
    /// First director of the edge's Bishop frame.
    pub bishop: V3<T>,
    /// Cosine and sine of the material frame's angle from it.
    pub angle: [T; 2],
    /// Whole turns of that angle. `[rad]`
    pub turns: T,
    /// Curvature binormal of the joint, 2/(1 + cos), half of that or none, and
    /// the binormal's components on the Bishop frame.
    pub binormal: V3<T>,
    pub sharp: T,
    pub slope: T,
    pub bend: [T; 2],
    /// Joint stiffness in this substep. `[1/m]`
    pub stiff: T,
    /// Of the tridiagonal systems: right side and inverse pivot.
    pub side: T,
    pub pivot: T,
    pub off: T,
}

impl<T: Lane> DerNode<T> {
    fn none() -> Self {
        let zero = T::zero();
        Self {
            memory: DerVertex::new(),
            x: V3::zero(),
            velocity: V3::zero(),
            acceleration: V3::zero(),
            way: V3::zero(),
            tangent: V3::zero(),
            inverse_length: zero,
            bishop: V3::zero(),
            angle: [zero; 2],
            turns: zero,
            binormal: V3::zero(),
            sharp: zero,
            slope: zero,
            bend: [zero; 2],
            stiff: zero,
            side: zero,
            pivot: zero,
            off: zero,
        }
    }
}

/// Contact of one vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct DerContact<T> {
    pub plane: MovingPlane<T>,
    /// Whether contact has pushed in this inner step, and how far. `[m]`
    pub active: T,
    pub pushed: T,
}

impl<T: Lane> DerContact<T> {
    fn none() -> Self {
        Self {
            plane: MovingPlane::none(),
            active: T::zero(),
            pushed: T::zero(),
        }
    }
}

/// A grip on a vertex of the strands in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub row: usize,
    /// The strand's lane in the group, and its number of vertices.
    pub lane: usize,
    pub count: f64,
    /// Where it should be when the substep ends, from the root. `[m]`
    pub target: [f64; 3],
    pub kind: AttachmentKind,
}

impl Held {
    /// Whether nothing moves it from its target.
    pub fn is_pin(&self) -> bool {
        self.kind == AttachmentKind::Pin
    }
}

/// How much heavier a pinned vertex is than free.
const PINNED_MASS: f64 = 1e4;

/// Scratch of one thread.
pub(super) struct DerGroup<T> {
    pub nodes: Vec<DerNode<T>>,
    pub touches: Vec<DerContact<T>>,
    /// Rows in which some vertex is close enough to touch.
    pub near: Vec<bool>,
    pub first: usize,
    pub rows: usize,
    /// Rows before it are there in all lanes.
    pub shortest: usize,
    pub clamp: [V3<T>; 2],
    pub carried: [V3<T>; 2],
    /// Whether no head holds the roots.
    pub free: bool,
    /// What pulls on single vertices.
    pub holds: Vec<Held>,
    pub history: BfgsHistory<T>,
}

#[inline(always)]
fn cuts<B: Lane, T: Lane, const N: usize>(wide: &[B; N], first: usize) -> [T; N] {
    let mut out = [T::zero(); N];
    for (out, wide) in out.iter_mut().zip(wide) {
        *out = wide.cut(first);
    }
    out
}

impl<T: Lane> Default for DerGroup<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            first: 0,
            rows: 0,
            shortest: 0,
            clamp: [V3::zero(); 2],
            carried: [V3::zero(); 2],
            free: false,
            holds: Vec::new(),
            history: BfgsHistory::new(),
        }
    }
}

impl<T: Lane> DerGroup<T> {
    /// Takes the strands in lanes `first..first + T::LANES` of `block` in hand,
    /// with their vertices at `places`.
    #[inline(always)]
    pub fn load<B: Lane>(
        &mut self,
        block: &Block<B>,
        state: &DerState<B>,
        places: &[V3<B>],
        first: usize,
    ) {
        let rows = block.rows;
        if self.nodes.len() < rows {
            self.nodes.resize(rows, DerNode::none());
            self.touches.resize(rows, DerContact::none());
        }
        self.near.resize(rows, false);
        (self.first, self.rows) = (first, rows);
        self.shortest = block.shortest;
        self.free = block.pinned == 0;
        self.clamp = state.clamp.map(|v| v.cut(first));
        self.carried = state.carried.map(|v| v.cut(first));
        for (i, place) in places.iter().enumerate().take(rows) {
            let wide = &state.vertices[i];
            let node = &mut self.nodes[i];
            node.x = place.cut(first);
            node.velocity = block.velocity[i].cut(first);
            node.memory = DerVertex {
                length: wide.length.cut(first),
                inverse_mass: wide.inverse_mass.cut(first),
                stiff: wide.stiff.cut(first),
                quick: wide.quick.cut(first),
                rest: cuts(&wide.rest, first),
                rest_twist: wide.rest_twist.cut(first),
                theta: wide.theta.cut(first),
                rest_theta: node.memory.rest_theta,
                strain: cuts(&wide.strain, first),
                low: wide.low.cut(first),
            };
            node.stiff = node.memory.stiff;
            self.near[i] = false;
        }
    }

    /// What pulls on single vertices of these strands.
    #[inline(always)]
    pub fn load_attachments<B: Lane>(&mut self, block: &Block<B>) {
        self.holds.clear();
        for grip in &block.attachments {
            let Some(lane) = grip.lane.checked_sub(self.first) else {
                continue;
            };
            if lane >= T::LANES || grip.row >= block.counts[grip.lane] {
                continue;
            }
            let root = block.root.get(grip.lane);
            let target = grip.target.to_array().map(f64::from);
            if grip.kind == AttachmentKind::Pin {
                let mass = &mut self.nodes[grip.row].memory.inverse_mass;
                mass.set(lane, mass.get(lane) / PINNED_MASS);
            }
            self.holds.push(Held {
                row: grip.row,
                lane,
                count: block.count.get(grip.lane),
                target: [0, 1, 2].map(|axis| target[axis] - root[axis]),
                kind: grip.kind,
            });
        }
        // Each pin leads on to the next one towards the tip.
        self.holds.sort_by_key(|held| (held.lane, held.row));
    }

    /// What the air does to the vertices, and the planes that they must stay in
    /// front of.
    #[inline(always)]
    pub fn load_surroundings<B: Lane>(
        &mut self,
        block: &Block<B>,
        scratch: &Scratch<B>,
        input: &StepInput,
        part: &HeadTravel<B>,
    ) {
        let head = part.cut(self.first);
        for i in 0..self.rows {
            self.nodes[i].acceleration = scratch.acceleration[i].cut(self.first);
            if block.proximity[i].near {
                self.touches[i].plane = MovingPlane::new(block, scratch, input, &head, i);
                self.near[i] = true;
            }
        }
    }

    /// Gives the strands back.
    #[inline(always)]
    pub fn store<B: Lane>(&self, block: &mut Block<B>, state: &mut DerState<B>) {
        let first = self.first;
        for (wide, part) in state.carried.iter_mut().zip(self.carried) {
            wide.paste(first, part);
        }
        let mut inner = self.nodes[0].x;
        for i in 0..self.rows {
            let node = &self.nodes[i];
            let mut x = node.x;
            if i >= self.shortest {
                // Behind a strand's tip everything follows the tip.
                let alive: T = block.alive(i).cut(first);
                x = x.select(alive, inner);
            }
            inner = x;
            block.position[i].paste(first, x);
            block.velocity[i].paste(first, node.velocity);
            let wide = &mut state.vertices[i];
            wide.theta.paste(first, node.memory.theta);
            wide.low.paste(first, node.memory.low);
            for (wide, part) in wide.strain.iter_mut().zip(node.memory.strain) {
                wide.paste(first, part);
            }
        }
    }
}
