//! The strands that one set of registers takes side by side, during a step.

use super::state::{History, RodState, RodVertex};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        root_motion::{RootMotion, shifted},
        state::Block,
    },
};

/// A vertex and the edge that leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<T> {
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
    pub push: V3<T>,
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

/// Contact of one vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact<T> {
    /// Tangent plane of the skin in the head's space, and its distance from the
    /// rest root.
    pub plane: V3<T>,
    pub offset: T,
    /// How far what has that plane moves by itself in the substep, in the
    /// head's space. `[m]`
    pub drift: V3<T>,
    /// Normal in the world.
    pub normal: V3<T>,
    /// Stiffness of contact where it is active, else zero; of friction across
    /// and along the direction in which it pulls.
    pub stiff: T,
    pub stick: T,
    pub along: T,
    pub way: V3<T>,
    /// Friction when the substep began.
    pub remembered: V3<T>,
    /// The same of contact, active or not.
    pub spring: T,
    /// Friction at the iterate.
    pub friction: V3<T>,
    /// Gap at the iterate, and the one to be closed in this substep. `[m]`
    pub gap: T,
    pub close: T,
}

/// Scratch of one thread.
pub(super) struct LaneGroup<T> {
    pub nodes: Vec<Node<T>>,
    pub touches: Vec<Contact<T>>,
    /// Rows in which some vertex is close enough to touch.
    pub near: Vec<bool>,
    pub history: Vec<History<T>>,
    pub first: usize,
    pub rows: usize,
    /// Vertices that every strand has.
    pub shortest: usize,
    pub root_rest: V3<T>,
    /// How the roots move in the head's space, where the head deforms.
    pub seat: Option<RootMotion<T>>,
    pub root: V3<T>,
    pub clamp: Q<T>,
    pub elastic: T,
    pub inverse_mass: T,
    /// Displacement of the root vertex by the last correction. `[m]`
    pub root_step: V3<T>,
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

impl<T: Lane> LaneGroup<T> {
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            touches: Vec::new(),
            near: Vec::new(),
            history: Vec::new(),
            first: 0,
            rows: 0,
            shortest: 0,
            root_rest: V3::zero(),
            seat: None,
            root: V3::zero(),
            clamp: Q::identity(),
            elastic: T::zero(),
            inverse_mass: T::zero(),
            root_step: V3::zero(),
            attachments: Vec::new(),
        }
    }

    fn fit(&mut self, rows: usize) {
        let zero = V3::zero();
        let node = Node {
            memory: RodVertex::new(),
            mass: T::zero(),
            inverse_span: T::zero(),
            stiff: T::splat(1.0),
            x: zero,
            x_saved: zero,
            from: zero,
            goal: zero,
            velocity: zero,
            push: zero,
            tangent: zero,
            q_before: Q::identity(),
            q_saved: Q::identity(),
            spin: zero,
            omega: zero,
            gain: [zero; 3],
            lever: [zero; 3],
            shift: zero,
        };
        let touch = Contact {
            plane: zero,
            offset: T::zero(),
            drift: zero,
            normal: zero,
            stiff: T::zero(),
            stick: T::zero(),
            along: T::zero(),
            way: zero,
            remembered: zero,
            spring: T::zero(),
            friction: zero,
            gap: T::zero(),
            close: T::zero(),
        };
        if self.nodes.len() < rows {
            self.nodes.resize(rows, node);
            self.touches.resize(rows, touch);
            self.near.resize(rows, false);
        }
    }

    /// Takes what the air does to the strands in hand.
    #[inline(always)]
    pub fn feel<B: Lane>(&mut self, push: &[V3<B>]) {
        for (node, push) in self.nodes[..self.rows].iter_mut().zip(push) {
            node.push = push.cut(self.first);
        }
    }

    /// Takes the strands in lanes `first..first + T::LANES` of `block` in hand.
    #[inline(always)]
    pub fn load<B: Lane>(
        &mut self,
        block: &Block<B>,
        state: &RodState<B>,
        first: usize,
        contact: bool,
    ) {
        let rows = block.rows;
        self.fit(rows);
        (self.first, self.rows) = (first, rows);
        self.shortest = block.shortest;
        self.root_rest = block.root_rest.cut(first);
        self.seat = block.seat.as_ref().map(|seat| seat.cut(first));
        self.root = block.root.cut(first);
        self.clamp = extract_q(&state.clamp, first);
        self.elastic = state.elastic.cut(first);
        self.inverse_mass = block.inverse_mass.cut(first);
        let count: T = block.count.cut(first);
        let (one, half) = (T::splat(1.0), T::splat(0.5));
        let (mut before, mut length_before) = (T::zero(), T::zero());
        for i in 0..rows {
            let wide = &state.vertices[i];
            let node = &mut self.nodes[i];
            node.x = block.position[i].cut(first);
            node.velocity = block.velocity[i].cut(first);
            node.memory = RodVertex {
                length: wide.length.cut(first),
                rest: wide.rest.cut(first),
                q: extract_q(&wide.q, first),
                turn: wide.turn.cut(first),
                net: wide.net.cut(first),
                friction: node.memory.friction,
                push: node.memory.push,
                depth: node.memory.depth,
                room: node.memory.room,
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
                node.memory.friction = wide.friction.cut(first);
                node.memory.push = wide.push.cut(first);
                node.memory.depth = wide.depth.cut(first);
                node.memory.room = wide.room.cut(first);
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
    pub fn sit(&mut self, share: f64) {
        let Some(seat) = &self.seat else { return };
        let root = seat.root_at(share);
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
        match &self.seat {
            Some(seat) => head.mul_quat(seat.turn_at(share)),
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

    /// Gives the strands back.
    #[inline(always)]
    pub fn store<B: Lane>(&self, block: &mut Block<B>, state: &mut RodState<B>, contact: bool) {
        let first = self.first;
        state.elastic.paste(first, self.elastic);
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
                wide.friction.paste(first, node.memory.friction);
                wide.push.paste(first, node.memory.push);
                wide.depth.paste(first, node.memory.depth);
                wide.room.paste(first, node.memory.room);
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

impl<T: Lane> Default for LaneGroup<T> {
    fn default() -> Self {
        Self::new()
    }
}
