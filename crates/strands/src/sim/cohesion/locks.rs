//! Which strands are a lock.

use super::vector;
use crate::sim::state::StrandState;
use glam::Vec3;
use rstar::{RTree, primitives::GeomWithData};

/// Strands are compared at so many places.
const PLACES: usize = 4;

/// A lock takes strands whose roots are no farther than so many of its widths.
const REACH: f32 = 1.5;

/// A strand and where it runs.
struct Course {
    root: Vec3,
    places: [Vec3; PLACES],
}

impl Course {
    /// How far apart they run, at most. `[m]`
    fn distance(&self, other: &Self) -> f32 {
        let places = self.places.iter().zip(&other.places);
        places.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    }
}

/// Where a strand is among all.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its first vertex in the groom's order.
    first: u32,
    /// How many it has.
    count: u32,
}

impl Member {
    /// Its first vertex in the groom's order.
    pub fn first(&self) -> usize {
        self.first as usize
    }

    /// Its own part of what all vertices have.
    pub fn of<'a, A>(&self, all: &'a [A]) -> &'a [A] {
        &all[self.first as usize..(self.first + self.count) as usize]
    }
}

/// The locks of a groom: strands with near roots that run side by side.
pub struct Locks {
    /// How far apart the first strands of locks are, at least. `[m]`
    pub width: f32,
    /// All strands, lock after lock.
    members: Vec<Member>,
    /// Where each lock begins among them, and the end.
    starts: Vec<u32>,
    /// Where the vertices of each strand of the groom begin, lock after lock.
    firsts: Vec<u32>,
    /// Masses of all vertices in the groom's order, as length of ordinary hair: half
    /// of each segment at its ends, as the methods have it. `[m]`
    masses: Vec<f32>,
}

impl Locks {
    /// The locks of hair as it was modelled. `[m]`
    pub fn of(state: &StrandState, width: f32) -> Self {
        let mut strands = Vec::new();
        let mut courses = Vec::new();
        let mut masses = Vec::new();
        for block in &state.blocks {
            for lane in 0..block.strands {
                let count = block.counts[lane];
                let rest = |row: usize| vector(&block.rest[row], lane);
                strands.push(Member {
                    first: masses.len() as u32,
                    count: count as u32,
                });
                let half = |i: usize| match i {
                    0 => 0.0,
                    i if i == count => 0.0,
                    // Even where two vertices coincide they have some.
                    _ => 0.5 * rest(i).distance(rest(i - 1)).max(1e-8),
                };
                let light = block.inverse_mass.0[lane];
                masses.extend((0..count).map(|i| (half(i) + half(i + 1)) / light));
                let root = vector(&block.root_rest, lane);
                let place = |k: usize| root + rest((count - 1) * (k + 1) / PLACES);
                courses.push(Course {
                    root,
                    places: std::array::from_fn(place),
                });
            }
        }
        let of = partition(&courses, width);
        let locks = of.iter().max().map_or(0, |last| *last as usize + 1);
        let mut inside = vec![Vec::new(); locks];
        for (strand, lock) in of.iter().enumerate() {
            inside[*lock as usize].push(strand);
        }
        inside.retain(|strands| !strands.is_empty());
        let (mut starts, mut members) = (vec![0], Vec::with_capacity(strands.len()));
        let mut firsts = vec![0; strands.len()];
        let mut next = 0;
        for inside in inside {
            for strand in inside {
                firsts[strand] = next;
                next += strands[strand].count;
                members.push(strands[strand]);
            }
            starts.push(members.len() as u32);
        }
        Self {
            width,
            members,
            starts,
            firsts,
            masses,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Strands in all locks.
    pub fn all(&self) -> usize {
        self.members.len()
    }

    /// Vertices in all locks.
    pub fn vertices(&self) -> usize {
        self.masses.len()
    }

    /// The mass of each, as length of ordinary hair, in the groom's order. `[m]`
    pub fn masses(&self) -> &[f32] {
        &self.masses
    }

    /// The strands of one.
    pub fn strands(&self, lock: usize) -> &[Member] {
        &self.members[self.starts[lock] as usize..self.starts[lock + 1] as usize]
    }

    /// How many vertices it has.
    pub fn vertices_of(&self, lock: usize) -> usize {
        let counts = self.strands(lock).iter();
        counts.map(|strand| strand.count as usize).sum()
    }

    /// Where the vertices of each of `count` strands from `first` on begin.
    pub fn firsts(&self, first: usize, count: usize) -> &[u32] {
        &self.firsts[first..first + count]
    }
}

/// The lock of each strand. The first strands of locks are those that have none
/// within a width of them, in the groom's order; the others join the one beside
/// which they run, so that a lock ends at a parting.
fn partition(courses: &[Course], width: f32) -> Vec<u32> {
    let mut tree = RTree::<GeomWithData<[f32; 3], u32>>::new();
    let mut seeds: Vec<usize> = Vec::new();
    for (strand, course) in courses.iter().enumerate() {
        let root = course.root.to_array();
        let near = tree.nearest_neighbor(root);
        let free = near.is_none_or(|near| course.root.distance((*near.geom()).into()) >= width);
        if free {
            tree.insert(GeomWithData::new(root, seeds.len() as u32));
            seeds.push(strand);
        }
    }
    let reach = (REACH * width).powi(2);
    let join = |course: &Course| {
        let near = tree.locate_within_distance(course.root.to_array(), reach);
        let away = near.map(|seed| {
            let lock = seed.data;
            (course.distance(&courses[seeds[lock as usize]]), lock)
        });
        let least = away.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // There is a seed within a width.
        least.map_or(0, |(_, lock)| lock)
    };
    courses.iter().map(join).collect()
}
