//! A bounding volume hierarchy with eight children a node.
//!
//! The crate obvhs builds a good binary tree; here its nodes are gathered by
//! eights with their boxes side by side, so that one pass over a node tests
//! all of them in vector registers, for points as for rays.

use super::{Mesh, features::Feature};
use crate::math::lanes::set_bits;
use glam::{Vec3, Vec4};
use obvhs::{BvhBuildParams, bvh2::Bvh2, bvh2::builder::build_bvh2_from_tris, triangle::Triangle};
use std::time::Duration;

const WIDTH: usize = 8;
/// A number for each child.
type Eight = [Vec4; 2];
/// Marks a child that is a triangle; its number stands in the other bits.
const LEAF: u32 = 1 << 31;

#[derive(Clone, Debug)]
#[repr(align(32))]
struct Node {
    /// Lower and upper box limits of the children, by axis.
    min: [Eight; 3],
    max: [Eight; 3],
    child: [u32; WIDTH],
    /// How many children there are.
    count: usize,
}

/// The corners of a triangle, in the order of the tree, and its number.
#[derive(Clone, Copy, Debug)]
struct Packed {
    corners: [Vec3; 3],
    index: u32,
}

/// The nearest point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub triangle: u32,
    pub feature: Feature,
    pub point: Vec3,
    /// Squared distance. `[m²]`
    pub squared: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    triangles: Vec<Packed>,
    grain: f32,
}

impl Tree {
    /// Memory that it takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.triangles[..])
    }

    pub fn new(mesh: &Mesh) -> Self {
        let triangles: Vec<Triangle> = (0..mesh.triangles.len())
            .map(|i| {
                let [v0, v1, v2] = mesh.corners(i).map(Into::into);
                Triangle { v0, v1, v2 }
            })
            .collect();
        let params = BvhBuildParams {
            max_prims_per_leaf: 1,
            ..BvhBuildParams::fast_build()
        };
        let bvh = build_bvh2_from_tris(&triangles, params, &mut Duration::default());
        let [min, max] = mesh.bounds();
        let mut tree = Self {
            nodes: Vec::new(),
            triangles: Vec::with_capacity(triangles.len()),
            grain: 1e-6 * min.abs().max(max.abs()).max_element(),
        };
        tree.gather(mesh, &bvh);
        tree
    }

    /// Fits the boxes to other places of the mesh's vertices.
    pub fn bend(&mut self, mesh: &Mesh, positions: &[Vec3]) {
        for packed in &mut self.triangles {
            let triangle = mesh.triangles[packed.index as usize];
            packed.corners = triangle.map(|v| positions[v as usize]);
        }
        // Children stand behind their parents.
        for place in (0..self.nodes.len()).rev() {
            for slot in 0..self.nodes[place].count {
                let name = self.nodes[place].child[slot];
                let limits = if name & LEAF != 0 {
                    let [a, b, c] = self.triangles[(name & !LEAF) as usize].corners;
                    [a.min(b).min(c), a.max(b).max(c)]
                } else {
                    self.nodes[name as usize].limits()
                };
                self.nodes[place].fit(slot, limits);
            }
        }
    }

    /// Lengths below this drown in the rounding of coordinates. `[m]`
    pub fn grain(&self) -> f32 {
        self.grain
    }

    /// Turns the binary tree into nodes of eight.
    fn gather(&mut self, mesh: &Mesh, bvh: &Bvh2) {
        let mut open = vec![(0u32, 0usize)];
        self.nodes.push(Node::EMPTY);
        while let Some((binary, place)) = open.pop() {
            // Open the largest child until eight are found.
            let mut children = vec![binary];
            while children.len() < WIDTH {
                let largest = children
                    .iter()
                    .enumerate()
                    .filter(|(_, n)| !bvh.nodes[**n as usize].is_leaf())
                    .map(|(i, n)| (i, bvh.nodes[*n as usize].aabb().half_area()))
                    .max_by(|a, b| a.1.total_cmp(&b.1));
                let Some((i, _)) = largest else { break };
                let first = bvh.nodes[children[i] as usize].first_index;
                children[i] = first;
                children.push(first + 1);
            }
            // A leaf may still hold several triangles (equal boxes).
            let mut slots = Vec::new();
            for child in children {
                let node = &bvh.nodes[child as usize];
                let aabb = node.aabb();
                let limits = [aabb.min.into(), aabb.max.into()];
                if !node.is_leaf() {
                    slots.push((limits, None, child));
                    continue;
                }
                for i in node.first_index..node.first_index + node.prim_count {
                    slots.push((limits, Some(bvh.primitive_indices[i as usize]), child));
                }
            }
            self.fill(mesh, place, &slots, &mut open);
        }
    }

    fn fill(
        &mut self,
        mesh: &Mesh,
        place: usize,
        slots: &[([Vec3; 2], Option<u32>, u32)],
        open: &mut Vec<(u32, usize)>,
    ) {
        // More than eight only after a leaf of many: hang the rest below.
        let (here, rest) = slots.split_at(slots.len().min(if slots.len() > WIDTH {
            WIDTH - 1
        } else {
            WIDTH
        }));
        for (slot, (limits, triangle, child)) in here.iter().enumerate() {
            let name = match triangle {
                Some(index) => {
                    self.triangles.push(Packed {
                        corners: mesh.corners(*index as usize),
                        index: *index,
                    });
                    LEAF | (self.triangles.len() - 1) as u32
                }
                None => {
                    self.nodes.push(Node::EMPTY);
                    open.push((*child, self.nodes.len() - 1));
                    (self.nodes.len() - 1) as u32
                }
            };
            self.nodes[place].set(slot, *limits, name);
        }
        if !rest.is_empty() {
            let limits = rest.iter().fold(
                [Vec3::INFINITY, Vec3::NEG_INFINITY],
                |[min, max], ([a, b], ..)| [min.min(*a), max.max(*b)],
            );
            self.nodes.push(Node::EMPTY);
            let below = self.nodes.len() - 1;
            self.nodes[place].set(WIDTH - 1, limits, below as u32);
            self.fill(mesh, below, rest, open);
        }
    }

    /// The point nearest to `p` within `max_distance`.
    pub fn closest(&self, p: Vec3, max_distance: f32) -> Option<Found> {
        let mut best: Option<Found> = None;
        let mut limit = max_distance * max_distance;
        let mut stack = Stack::new();
        stack.push(0.0, 0);
        while let Some((near, name)) = stack.pop() {
            if near > limit {
                continue;
            }
            if name & LEAF != 0 {
                let packed = &self.triangles[(name & !LEAF) as usize];
                let (point, feature) = closest_on_triangle(p, packed.corners);
                let squared = p.distance_squared(point);
                // Of equals the lowest number, whatever the tree's order.
                let better = best.is_none_or(|best| {
                    squared < best.squared
                        || (squared == best.squared && packed.index < best.triangle)
                });
                if squared <= limit && better {
                    limit = squared;
                    best = Some(Found {
                        triangle: packed.index,
                        feature,
                        point,
                        squared,
                    });
                }
                continue;
            }
            let node = &self.nodes[name as usize];
            let squared = node.squared_distances(p);
            stack.push_sorted(squared, node, limit);
        }
        best
    }

    /// The first triangle that `origin + t * direction` meets for t in 0..=max.
    pub fn ray(&self, origin: Vec3, direction: Vec3, max: f32) -> Option<(u32, f32)> {
        let mut best = None;
        let mut limit = max;
        // A component of zero becomes tiny, so that no product is 0 * infinity.
        let inverse = direction.to_array().map(|d| {
            1.0 / if d.abs() < 1e-18 {
                1e-18f32.copysign(d)
            } else {
                d
            }
        });
        let mut stack = Stack::new();
        stack.push(0.0, 0);
        while let Some((near, name)) = stack.pop() {
            if near > limit {
                continue;
            }
            if name & LEAF != 0 {
                let packed = &self.triangles[(name & !LEAF) as usize];
                if let Some(t) = ray_triangle(origin, direction, packed.corners)
                    && t <= limit
                    && best.is_none_or(|(index, at)| t < at || packed.index < index)
                {
                    limit = t;
                    best = Some((packed.index, t));
                }
                continue;
            }
            let node = &self.nodes[name as usize];
            let entries = node.entries(origin.to_array(), inverse);
            stack.push_sorted(entries, node, limit);
        }
        best
    }
}

/// Nodes still to be visited, the nearest on top. A node leaves at most seven
/// behind, and nine levels of eights hold any head; should a tree be deeper,
/// the rest goes to the heap.
struct Stack {
    fixed: [(f32, u32); 64],
    length: usize,
    more: Vec<(f32, u32)>,
}

impl Stack {
    #[inline(always)]
    fn new() -> Self {
        Self {
            fixed: [(0.0, 0); 64],
            length: 0,
            more: Vec::new(),
        }
    }

    #[inline(always)]
    fn push(&mut self, near: f32, name: u32) {
        match self.fixed.get_mut(self.length) {
            Some(place) => {
                *place = (near, name);
                self.length += 1;
            }
            None => self.more.push((near, name)),
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(f32, u32)> {
        if let Some(entry) = self.more.pop() {
            return Some(entry);
        }
        self.length = self.length.checked_sub(1)?;
        Some(self.fixed[self.length])
    }

    /// Pushes the children nearer than `limit`, the farthest first.
    #[inline(always)]
    fn push_sorted(&mut self, near: Eight, node: &Node, limit: f32) {
        let within = near.map(|near| near.cmple(Vec4::splat(limit)).bitmask());
        let within = (within[0] | within[1] << 4) & ((1 << node.count) - 1);
        let near = near.map(|near| near.to_array());
        let near = near.as_flattened();
        let mut order = [(0.0f32, 0u32); WIDTH];
        // Most nodes leave one or two.
        for (count, child) in set_bits(within).enumerate() {
            let (near, mut at) = (near[child], count);
            while at > 0 && order[at - 1].0 < near {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = (near, node.child[child]);
        }
        for (near, child) in &order[..within.count_ones() as usize] {
            self.push(*near, *child);
        }
    }
}

impl Node {
    /// Boxes that no query reaches.
    const EMPTY: Self = Self {
        min: [[Vec4::INFINITY; 2]; 3],
        max: [[Vec4::NEG_INFINITY; 2]; 3],
        child: [0; WIDTH],
        count: 0,
    };

    fn set(&mut self, slot: usize, limits: [Vec3; 2], child: u32) {
        self.fit(slot, limits);
        self.child[slot] = child;
        self.count = slot + 1;
    }

    fn fit(&mut self, slot: usize, [min, max]: [Vec3; 2]) {
        for axis in 0..3 {
            self.min[axis][slot / 4][slot % 4] = min[axis];
            self.max[axis][slot / 4][slot % 4] = max[axis];
        }
    }

    /// The box around all children: what is empty widens nothing.
    fn limits(&self) -> [Vec3; 2] {
        let least = self.min.map(|[a, b]| a.min(b).min_element());
        let most = self.max.map(|[a, b]| a.max(b).max_element());
        [least.into(), most.into()]
    }

    /// Squared distance of `p` from each child's box.
    #[inline(always)]
    fn squared_distances(&self, p: Vec3) -> Eight {
        let mut squared = [Vec4::ZERO; 2];
        for (axis, p) in p.to_array().into_iter().enumerate() {
            let p = Vec4::splat(p);
            let limits = self.min[axis].into_iter().zip(self.max[axis]);
            for (squared, (min, max)) in squared.iter_mut().zip(limits) {
                let outside = (min - p).max(p - max).max(Vec4::ZERO);
                *squared += outside * outside;
            }
        }
        squared
    }

    /// Where a ray enters each child's box; infinity where it does not.
    #[inline(always)]
    fn entries(&self, origin: [f32; 3], inverse: [f32; 3]) -> Eight {
        let mut enter = [Vec4::ZERO; 2];
        let mut leave = [Vec4::MAX; 2];
        for axis in 0..3 {
            let (origin, inverse) = (Vec4::splat(origin[axis]), Vec4::splat(inverse[axis]));
            for half in 0..2 {
                let a = (self.min[axis][half] - origin) * inverse;
                let b = (self.max[axis][half] - origin) * inverse;
                enter[half] = enter[half].max(a.min(b));
                leave[half] = leave[half].min(a.max(b));
            }
        }
        for half in 0..2 {
            // Rounding may close a thin box by a few units in the last place.
            let misses = enter[half].cmpgt(leave[half] * 1.000_001);
            enter[half] = Vec4::select(misses, Vec4::INFINITY, enter[half]);
        }
        enter
    }
}

/// The point of a triangle nearest to `p`, by the region of its plane that `p`
/// projects to (Ericson 2005, section 5.1.5).
#[inline(always)]
fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Feature) {
    let (ab, ac) = (b - a, c - a);
    let ap = p - a;
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Vertex(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Vertex(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Vertex(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    let (e1, e2) = (d4 - d3, d5 - d6);
    if va <= 0.0 && e1 >= 0.0 && e2 >= 0.0 {
        return (b + (c - b) * (e1 / (e1 + e2)), Feature::Edge(1));
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), Feature::Face)
}

/// Where a ray crosses a triangle (Möller & Trumbore 1997). The triangle is
/// taken a hair too large: a ray along an edge must hit one of its two faces.
#[inline(always)]
fn ray_triangle(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    const SLACK: f32 = 1e-5;
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let inverse = 1.0 / determinant;
    let from = origin - a;
    let u = from.dot(across) * inverse;
    if !(-SLACK..=1.0 + SLACK).contains(&u) {
        return None;
    }
    let q = from.cross(ab);
    let v = direction.dot(q) * inverse;
    if v < -SLACK || u + v > 1.0 + SLACK {
        return None;
    }
    let t = ac.dot(q) * inverse;
    (t >= 0.0).then_some(t)
}
