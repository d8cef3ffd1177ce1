//! Planes half-way between edges that touch, as the strands' solve meets them.

use super::params::ContactRound;
use crate::math::fetch::fetch;

/// Pairs that one task takes: a fixed number, so that nothing depends on threads.
pub const TASK: usize = 512;

/// What the strands' solve is told in a round.
#[derive(Clone, Copy, Debug)]
pub struct ContactSolve<'a> {
    /// Which round it is.
    pub round: ContactRound,
    /// What the edges meet; nothing in the free round.
    pub planes: &'a ContactPlanes,
}

/// Places of the numbers of a [`SideLoad`].
pub const STIFF: usize = 0;
/// The force.
pub const FORCE: usize = 6;
/// The force of the last substep.
pub const BEFORE: usize = 9;
/// Where on the edge it acts.
pub const AT: usize = 12;
/// How many numbers have room.
const ROOM: usize = 16;

/// What a pair does to one of its edges where that has moved as far as is known, for a
/// strand of ordinary linear density: stiffness `[m/s²]` (xx, xy, xz, yy, yz, zz), force,
/// force of the last substep `[m²/s²]`, and where on the edge it acts, as a share of it
/// from its inner end. They share one line of memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct SideLoad(pub [f32; ROOM]);

/// What all pairs do to an edge: the sums of their numbers, and the first and second
/// moments of these along the edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeSum(pub [[f32; ROOM]; 3]);

impl EdgeSum {
    /// Adds a pair.
    #[inline(always)]
    pub fn add(&mut self, side: &SideLoad) {
        let at = side.0[AT];
        let [sum, first, second] = &mut self.0;
        for (k, number) in side.0.iter().enumerate() {
            let moment = at * number;
            sum[k] += number;
            first[k] += moment;
            second[k] += at * moment;
        }
    }
}

/// The pairs of one [`TASK`] that do anything.
#[derive(Clone, Debug, Default)]
pub struct TaskPlanes {
    /// What they do to each of their edges.
    pub loads: Vec<[SideLoad; 2]>,
    /// These edges, by their inner vertices; [`NO_EDGE`] where one does not touch the other.
    pub edges: Vec<[u32; 2]>,
}

/// No edge.
pub const NO_EDGE: u32 = u32::MAX;

/// What all pairs do, and which edge has which.
#[derive(Clone, Debug, Default)]
pub struct ContactPlanes {
    /// Those of each [`TASK`] of pairs. They are read in another order than they are
    /// written, and few lie close together.
    pub tasks: Vec<TaskPlanes>,
    /// Where the places of each edge begin, by its inner vertex, and where the last one's
    /// end.
    firsts: Vec<u32>,
    /// Where what it meets is, edge by edge.
    places: Vec<PlanePlace>,
}

impl ContactPlanes {
    /// Sorts what there is by the edges, which are those of so many vertices.
    pub fn sort(&mut self, vertices: usize) {
        let Self {
            tasks,
            firsts,
            places,
        } = self;
        firsts.clear();
        firsts.resize(vertices + 1, 0);
        let touches = |edge: &u32| *edge != NO_EDGE;
        let edges = || tasks.iter().flat_map(|task| task.edges.as_flattened());
        for edge in edges().filter(|edge| touches(edge)) {
            firsts[*edge as usize] += 1;
        }
        // Where each ends: filled from the last to the first, they end where they begin.
        let mut sum = 0;
        for first in firsts.iter_mut() {
            sum += *first;
            *first = sum;
        }
        places.resize(sum as usize, PlanePlace::default());
        for (number, task) in tasks.iter().enumerate().rev() {
            for (k, edge) in task.edges.as_flattened().iter().enumerate().rev() {
                if touches(edge) {
                    let first = &mut firsts[*edge as usize];
                    *first -= 1;
                    places[*first as usize] = PlanePlace {
                        task: number as u32,
                        number: (k / 2) as u16,
                        which: (k % 2) as u16,
                    };
                }
            }
        }
    }

    /// Where what that edge meets is.
    #[inline(always)]
    pub fn of_edge(&self, vertex: usize) -> &[PlanePlace] {
        &self.places[self.firsts[vertex] as usize..self.firsts[vertex + 1] as usize]
    }

    /// What it does there.
    #[inline(always)]
    pub fn load(&self, place: PlanePlace) -> &SideLoad {
        let task = &self.tasks[place.task as usize];
        &task.loads[usize::from(place.number)][usize::from(place.which)]
    }

    /// Asks for it before it is needed: it lies anywhere in memory.
    #[inline(always)]
    pub fn fetch(&self, place: PlanePlace) {
        let load = self.load(place);
        fetch(std::ptr::from_ref(load).addr(), size_of::<SideLoad>());
    }
}

/// Where a load is: its task, its pair there, and which of its edges is meant.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanePlace {
    task: u32,
    number: u16,
    which: u16,
}
