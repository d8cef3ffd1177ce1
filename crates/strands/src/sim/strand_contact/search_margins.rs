//! For how long the pairs found once still hold all that may touch.
//!
//! A Verlet list (Verlet 1967): pairs are searched with a margin around each edge, and
//! searched again only when an edge has gone farther than its margin, as the head sees
//! it. Edges that move have wider margins than those at rest. Whether a pair of the list may
//! touch is decided in each substep, so that results do not depend on when a search was.

use super::edges::Edges;
use crate::math::Pose;
use glam::{Affine3A, Vec3};
use rayon::prelude::*;

/// The least margin of an edge, and the largest. `[m]`
const LEAST: f32 = 3e-4;
const LARGEST: f32 = 3e-3;

/// For so many substeps an edge may go on as it went lately.
const AHEAD: f32 = 5.0;

/// Share of its recent travel that an edge keeps in each substep.
const DECAY: f32 = 0.95;

/// No margins where they would let so many times as many pairs in as there are without:
/// a search in each substep is cheaper then. A margin of this size doubles the reach. `[m]`
const WORTH: f32 = 4.0;
const DOUBLES: f32 = 1.5e-3;

/// Margins that lasted for fewer substeps are not tried again for so many.
const LASTED: u32 = 3;
const PAUSE: u32 = 10;

/// Where edges were when pairs were searched, and how far they may go from there.
#[derive(Clone, Debug, Default)]
pub struct SearchMargins {
    /// The margin around each edge, by its inner vertex; none where every substep must
    /// search. `[m]`
    margins: Vec<f32>,
    /// Where every vertex was half-way through that substep, in the head's space. `[m]`
    places: Vec<Vec3>,
    /// How far each went lately in a substep, as the head saw it. `[m]`
    recent_travel: Vec<f32>,
    /// The longest edge. `[m]`
    longest: f32,
    /// For how many substeps the margins have held, and how many are to pass before they
    /// are tried again.
    lasted: u32,
    pause: u32,
}

/// What the head sees.
struct View<'a> {
    edges: &'a Edges,
    /// The world in the head's space, when the substep begins and when it ends.
    from: Affine3A,
    to: Affine3A,
}

impl<'a> View<'a> {
    fn new(edges: &'a Edges, head: &[Pose; 2]) -> Self {
        let inverse = |pose: &Pose| {
            Affine3A::from_rotation_translation(pose.rotation, pose.translation).inverse()
        };
        Self {
            edges,
            from: inverse(&head[0]),
            to: inverse(&head[1]),
        }
    }

    /// Where a vertex is half-way through the substep, and how far it goes. `[m]`
    #[inline(always)]
    fn of(&self, vertex: usize) -> (Vec3, f32) {
        let v = &self.edges.vertices[vertex];
        let start = self.to.transform_point3a(v.start.into());
        let moved = self.to.transform_vector3a(v.moved.into());
        let way = start + moved - self.from.transform_point3a(v.start.into());
        ((start + moved * 0.5).into(), way.length())
    }
}

/// How far a vertex is from where it was; what is not finite, or was not, may be
/// anywhere. `[m]`
#[inline(always)]
fn displacement(here: Vec3, there: Vec3) -> f32 {
    let distance = here.distance(there);
    match distance.is_finite() {
        true => distance,
        false => f32::INFINITY,
    }
}

/// What pairs of edges approach one another by in half a substep, at most, that turn
/// with a head which turns so; and of the way of one of them. `[m]`
const TURN: f32 = 0.5 * 1.25 * 1.25;

impl SearchMargins {
    /// Margins around edges, where there are any.
    pub fn margins(&self) -> Option<&[f32]> {
        (!self.margins.is_empty()).then_some(&self.margins)
    }

    /// For how many substeps what was found has been kept.
    #[cfg(test)]
    pub fn age(&self) -> u32 {
        self.lasted
    }

    /// Lets go of all: the next substep must search.
    pub fn forget(&mut self) {
        self.margins.clear();
    }

    /// Whether the pairs found last are still all that may touch in this substep, in which
    /// the head moves so, and which go at most `most` towards each other. `[m]`
    pub fn are_valid(&mut self, edges: &Edges, head: &[Pose; 2], most: f32) -> bool {
        if self.pause > 0 {
            return false;
        }
        let vertices = edges.vertices.len();
        let view = View::new(edges, head);
        self.recent_travel.resize(vertices, 0.0);
        let turn = (head[1].rotation * head[0].rotation.conjugate()).to_scaled_axis();
        let turned = TURN * turn.length() * (self.longest + most) + 1e-6;
        let known = self.margins.len() == vertices && turn.length() < 0.2;
        let (margins, places) = (&self.margins, &self.places);
        let chunks =
            self.recent_travel
                .par_chunks_mut(512)
                .enumerate()
                .map(|(chunk, recent_travel)| {
                    let first = 512 * chunk;
                    // Of the vertex before: how far it is displaced, its way, its margin.
                    let mut before = match first.checked_sub(1) {
                        Some(vertex) if known => {
                            let (place, way) = view.of(vertex);
                            (displacement(place, places[vertex]), way)
                        }
                        _ => (0.0, 0.0),
                    };
                    let mut valid = known;
                    for (k, recent_travel) in recent_travel.iter_mut().enumerate() {
                        let vertex = first + k;
                        let (place, way) = view.of(vertex);
                        *recent_travel = way.max(*recent_travel * DECAY);
                        if !known {
                            continue;
                        }
                        let displaced = displacement(place, places[vertex]);
                        if let Some(edge) =
                            vertex.checked_sub(1).filter(|edge| edges.is_edge(*edge))
                        {
                            let gone = before.0.max(displaced) + TURN * before.1.max(way) + turned;
                            valid &= gone <= margins[edge];
                        }
                        before = (displaced, way);
                    }
                    valid
                });
        let valid = chunks.reduce(|| true, |a, b| a && b);
        if valid {
            self.lasted += 1;
        } else if known && self.lasted < LASTED {
            self.pause = PAUSE;
        }
        valid
    }

    /// Draws the margins of a new search.
    pub fn draw(&mut self, edges: &Edges, head: &[Pose; 2]) {
        self.margins.clear();
        self.lasted = 0;
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let vertices = 0..edges.vertices.len();
        let margin = |edge: usize| match edges.is_edge(edge) {
            true => {
                let recent_travel = self.recent_travel[edge].max(self.recent_travel[edge + 1]);
                (LEAST + AHEAD * recent_travel).min(LARGEST)
            }
            false => 0.0,
        };
        let margins: Vec<f32> = vertices.clone().into_par_iter().map(margin).collect();
        let more = margins.iter().map(|margin| {
            let more = 1.0 + margin / DOUBLES;
            f64::from(more * more)
        });
        if more.sum::<f64>() > f64::from(WORTH) * margins.len() as f64 {
            self.pause = PAUSE;
            return;
        }
        let view = View::new(edges, head);
        let place = |vertex: usize| view.of(vertex).0;
        self.places = vertices.clone().into_par_iter().map(place).collect();
        let length = |edge: usize| {
            let [a, b] = [edge, edge + 1].map(|vertex| edges.vertices[vertex].start);
            a.distance(b)
        };
        let lengths = vertices.filter(|edge| edges.is_edge(*edge)).map(length);
        self.longest = lengths.fold(0.0, f32::max);
        self.margins = margins;
    }
}
