//! The strands that one set of registers takes side by side, during a step.

use super::{
    edge_load::EdgeLoads,
    state::{History, RodState, RodVertex},
    substep::Substep,
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        contact::{CollisionSurface, CompliantContact, ContactMemory},
        root_motion::{RootMotion, shifted},
        state::Block,
    },
};

/// A vertex and the edge that leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RodNode<T> {
    /// What lasts beyond the step.
    pub memory: RodVertex<T>,
    /// Mass for each unit of linear density; none behind a strand's tip. `[m]`
    pub mass: T,
    /// One over the length between the middles of the edges on both sides of
    /// the vertex, half an edge at the root. `[1/m]`
    pub inverse_span: T,
    /// Stiffness of the joint at the vertex, as a multiple of its material's.
    pub stiff: T,
    /// Place, from the root. `[m]`
    pub x: V3<T>,
    /// The same before the last correction. `[m]`
    pub x_saved: V3<T>,
    /// Place when the substep began, from the root's new place. `[m]`
    pub from: V3<T>,
    /// Where inertia, gravity and air would take it. `[m]`
    pub goal: V3<T>,
    /// `[m/s]`
    pub velocity: V3<T>,
    /// What moving air does to it. `[m/s²]`
    pub acceleration: V3<T>,
    /// Forces of other strands on it, for each unit of linear density. `[m²/s²]`
    pub strand: V3<T>,
    /// Share of the last substep's differences in this one's (`predict.rs`).
    pub share: T,
    /// What multiplies the mass against displacement: inertia and air drag. `[1/s²]`
    pub inertia: T,
    /// Direction of the edge.
    pub tangent: V3<T>,
    /// Orientation of the edge when the substep began, and before the last
    /// correction.
    pub q_before: Q<T>,
    pub q_saved: Q<T>,
    /// How far the edge has turned in this substep, and by the last
    /// correction. `[rad]`
    pub spin: V3<T>,
    pub omega: V3<T>,
    /// The edge's turn answers the turn of the edge before and the vertex's
    /// displacement D: omega = gain omega_before - lever^T D - shift. Columns.
    pub gain: [V3<T>; 3],
    pub lever: [V3<T>; 3],
    pub shift: V3<T>,
}

impl<T: Lane> RodNode<T> {
    fn none() -> Self {
        let zero = V3::zero();
        Self {
            memory: RodVertex::new(),
            mass: T::zero(),
            inverse_span: T::zero(),
            stiff: T::splat(1.0),
            x: zero,
            x_saved: zero,
            from: zero,
            goal: zero,
            velocity: zero,
            acceleration: zero,
            strand: zero,
            share: T::zero(),
            inertia: T::zero(),
            tangent: zero,
            q_before: Q::identity(),
            q_saved: Q::identity(),
            spin: zero,
            omega: zero,
            gain: [zero; 3],
            lever: [zero; 3],
            shift: zero,
        }
    }
}

/// Scratch of one thread.
pub(super) struct RodGroup<T> {
    pub nodes: Vec<RodNode<T>>,
    pub touches: Vec<CompliantContact<T>>,
    /// Rows in which some vertex is close enough to touch.
    pub near: Vec<bool>,
    pub history: Vec<History<T>>,
    /// Whether there are no differences yet.
    pub begins: bool,
    /// Share of stiffness and weight that acts yet: less than all shortly after another
    /// method has moved the hair.
    pub acting: f64,
    pub first: usize,
    pub rows: usize,
    /// Vertices that every strand has.
    pub shortest: usize,
    pub root_rest: V3<T>,
    /// How the roots move in the head's space, where the head deforms or the torso stays.
    pub root_motion: Option<RootMotion<T>>,
    pub root: V3<T>,
    pub clamp: Q<T>,
    pub elastic: T,
    pub inverse_mass: T,
    /// Displacement of the root vertex by the last correction. `[m]`
    pub root_step: V3<T>,
    /// Contacts with other strands.
    pub edges: EdgeLoads<T>,
    /// Springs on single vertices: row, target from the root, stiffness.
    pub attachments: Vec<(usize, V3<T>, T)>,
}

/// Lanes `first..` of a wider row.
#[inline(always)]
pub(super) fn extract_q<B: Lane, T: Lane>(wide: &Q<B>, first: usize) -> Q<T> {
    Q {
        w: wide.w.cut(first),
        v: wide.v.cut(first),
    }
}

impl<T: Lane> Default for RodGroup<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            history: Vec::new(),
            begins: true,
            acting: 1.0,
            first: 0,
            rows: 0,
            shortest: 0,
            root_rest: V3::zero(),
            root_motion: None,
            root: V3::zero(),
            clamp: Q::identity(),
            elastic: T::zero(),
            inverse_mass: T::zero(),
            root_step: V3::zero(),
            edges: EdgeLoads::default(),
            attachments: Vec::new(),
        }
    }
}

impl<T: Lane> RodGroup<T> {
    /// Takes the strands in lanes `first..first + T::LANES` of `block` in hand, on
    /// which the air acts by `acceleration`.
    #[inline(always)]
    pub fn load<B: Lane>(
        &mut self,
        block: &Block<B>,
        state: &RodState<B>,
        acceleration: &[V3<B>],
        first: usize,
        contact: bool,
    ) {
        let rows = block.rows;
        if self.nodes.len() < rows {
            self.nodes.resize(rows, RodNode::none());
            self.touches.resize(rows, CompliantContact::none());
            self.near.resize(rows, false);
        }
        (self.first, self.rows) = (first, rows);
        self.edges.clear();
        self.shortest = block.shortest;
        self.root_rest = block.root_rest.cut(first);
        self.root_motion = block
            .root_motion
            .as_ref()
            .map(|root_motion| root_motion.cut(first));
        self.root = block.root.cut(first);
        self.clamp = extract_q(&state.clamp, first);
        // It is kept for all of the stiffness: the share grows from step to step.
        self.elastic = state.elastic.cut::<T>(first) * T::splat(self.acting);
        self.inverse_mass = block.inverse_mass.cut(first);
        let count: T = block.count.cut(first);
        let (one, half) = (T::splat(1.0), T::splat(0.5));
        let (mut before, mut length_before) = (T::zero(), T::zero());
        for (i, acceleration) in acceleration.iter().enumerate().take(rows) {
            let wide = &state.vertices[i];
            let node = &mut self.nodes[i];
            node.x = block.position[i].cut(first);
            node.velocity = block.velocity[i].cut(first);
            node.acceleration = acceleration.cut(first);
            node.strand = V3::zero();
            node.memory = RodVertex {
                length: wide.length.cut(first),
                rest: wide.rest.cut(first),
                q: extract_q(&wide.q, first),
                turn: wide.turn.cut(first),
                net: wide.net.cut(first),
                contact: match contact {
                    true => wide.contact.cut(first),
                    false => ContactMemory::none(),
                },
            };
            // Half of the edges on both sides that exist.
            let after = if i + 1 < block.shortest {
                node.memory.length
            } else {
                let next = T::splat((i + 1) as f64);
                next.less(count, node.memory.length, T::zero())
            };
            node.mass = (before + after) * half;
            before = after;
            let length = node.memory.length;
            node.stiff = block.stiff(i, first).unwrap_or(one);
            if let Some(hold) = state.hold.joints.get(i) {
                node.stiff = node.stiff * hold.cut(first);
            }
            node.inverse_span = one / ((length_before + length) * half);
            length_before = length;
            if contact {
                let touch = &mut self.touches[i];
                touch.plane = block.plane_normal[i].cut(first);
                touch.offset = block.plane_offset[i].cut(first);
                touch.drift = V3::zero();
            }
            self.near[i] = block.proximity[i].near;
        }
        self.history.clear();
        for wide in &state.history {
            self.history.push(History {
                moved: wide.moved.cut(first),
                velocity: wide.velocity.cut(first),
            });
        }
    }

    /// Lets the roots go to where they are after that share of the step.
    #[inline(always)]
    pub fn move_roots_to(&mut self, share: f64) {
        let Some(root_motion) = &self.root_motion else {
            return;
        };
        let root = root_motion.root_at(share);
        let moved = root - self.root_rest;
        self.root_rest = root;
        // Planes are noted from the root.
        for touch in &mut self.touches[..self.rows] {
            touch.offset = shifted(touch.offset, touch.plane.dot(moved));
        }
    }

    /// How a head turned by `rotation` turns the clamps after that share of
    /// the step.
    #[inline(always)]
    pub fn turned(&self, rotation: glam::Quat, share: f64) -> Q<T> {
        let head = Q::splat(rotation);
        match &self.root_motion {
            Some(root_motion) => head.mul_quat(root_motion.turn_at(share)),
            None => head,
        }
    }

    /// One in the lanes where an edge leaves vertex `i`, zero behind a strand's
    /// tip; nothing where all strands have it.
    #[inline(always)]
    pub fn edge_exists(&self, i: usize) -> Option<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        (i + 1 >= self.shortest).then(|| zero.less(self.nodes[i + 1].mass, one, zero))
    }

    /// Lets every vertex query the skin that may have come near since its last query, or
    /// that may in the `first` pass, in the lanes where `live` is one.
    #[inline(always)]
    pub fn update_planes<B: Lane>(
        &mut self,
        block: &Block<B>,
        s: &Substep<T>,
        skin: &dyn CollisionSurface,
        live: T,
        first: bool,
    ) {
        for i in usize::from(!s.free)..self.rows {
            let (node, touch) = (&mut self.nodes[i], &mut self.touches[i]);
            let (memory, way) = (&mut node.memory.contact, [node.from, node.x]);
            let ahead = if first { touch.ahead } else { T::zero() };
            let needs = memory.needs_query(ahead, live);
            if needs.any() {
                self.near[i] = touch.update_plane(memory, block, skin, &s.contact, i, way, needs);
            }
        }
    }

    /// Gives the strands back.
    #[inline(always)]
    pub fn store<B: Lane>(&self, block: &mut Block<B>, state: &mut RodState<B>, contact: bool) {
        let first = self.first;
        state
            .elastic
            .paste(first, self.elastic / T::splat(self.acting));
        for i in 0..self.rows {
            let node = &self.nodes[i];
            block.position[i].paste(first, node.x);
            block.velocity[i].paste(first, node.velocity);
            let wide = &mut state.vertices[i];
            wide.q.w.paste(first, node.memory.q.w);
            wide.q.v.paste(first, node.memory.q.v);
            wide.turn.paste(first, node.memory.turn);
            wide.net.paste(first, node.memory.net);
            if contact {
                wide.contact.paste(first, &node.memory.contact);
                block.plane_normal[i].paste(first, self.touches[i].plane);
                block.plane_offset[i].paste(first, self.touches[i].offset);
            }
        }
        for (wide, part) in state.history.iter_mut().zip(&self.history) {
            wide.moved.paste(first, part.moved);
            wide.velocity.paste(first, part.velocity);
        }
    }
}
