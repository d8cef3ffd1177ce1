//! Which strands are a lock.

use super::heights::HEIGHTS;
use crate::sim::{
    runs::Runs,
    state::{Block, Row, StrandState},
    vertices::vector,
};
use glam::Vec3;
use rstar::{RTree, primitives::GeomWithData};

/// Heights behind a tie are at least this share of the mean run long: what is cut to nearly
/// nothing must not make heights of all others.
const LEAST_RUN: f32 = 0.5;

/// A run behind a tie takes at most so many heights; a strand with longer runs is bound as if
/// they were no longer than that.
const MOST_STRETCH: f32 = 4.0;

/// Strands are compared at so many places.
const PLACES: usize = 4;

/// A lock takes strands whose roots are no farther than so many of its widths.
const REACH: f32 = 1.5;

/// Vertices that are bound to their lock together lie about so far along the strand: half
/// a turn of a narrow curl. `[m]`
const RUN_LENGTH: f64 = 0.01;

/// A strand that has the vertices for it has so many runs at least.
const LEAST_RUNS: usize = 16;

/// A strand and where it runs.
#[derive(Clone, Copy)]
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

/// A strand, and where its runs of vertices lie by the heights of its lock.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its number in the groom.
    strand: u32,
    /// Its first run in the groom's order, and how many it has.
    run: u32,
    count: u32,
    /// Heights of its lock: the runs of the longest strand, or what tied ones need.
    heights: u32,
    /// Its first group of heights in the groom's order, and in that of the locks.
    first: u32,
    gains: u32,
    /// Where it is tied; none where it hangs loose.
    tie: Option<MemberTie>,
}

/// Where a strand passes the tie of its lock. From root to tie some strands are much longer than
/// others, so heights count from the tie: counted from the roots, one height would lie at many
/// different places of the tail.
#[derive(Clone, Copy, Debug)]
struct MemberTie {
    /// Its vertex there.
    row: u32,
    /// The run of that vertex, and the height of the tie.
    run: u32,
    height: u32,
    /// Heights that each of its runs behind the tie is long: 1 to [`MOST_STRETCH`].
    stretch: f32,
}

/// What hangs behind the tie of a strand.
struct Tail {
    /// The strand's vertex there.
    row: usize,
    /// How long it was modelled. `[m]`
    length: f32,
}

impl Member {
    /// Its number in the groom.
    pub fn strand(&self) -> usize {
        self.strand as usize
    }

    /// Its first group of heights, in the groom's order.
    #[inline(always)]
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    /// The same in the order of the locks.
    #[inline(always)]
    pub(super) fn gains(&self) -> usize {
        self.gains as usize
    }

    /// How many runs it has.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// How many heights its lock has.
    #[inline(always)]
    pub(super) fn heights(&self) -> usize {
        self.heights as usize
    }

    /// In groups of [`HEIGHTS`].
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.heights().div_ceil(HEIGHTS)
    }

    /// Whether it is loose and has a run at every height.
    #[inline(always)]
    pub(super) fn dense(&self) -> bool {
        self.count == self.heights && self.tie.is_none()
    }

    /// Its vertex that its places are seen from, where that is not its root: in tied hair
    /// roots are far apart, and a tail turns without them.
    #[inline(always)]
    pub(super) fn seen_from(&self) -> Option<usize> {
        self.tie.map(|tie| tie.row as usize)
    }

    /// Whether its lock binds its run `i`: not before the tie, where it is combed to the head
    /// from its own side.
    #[inline(always)]
    pub(super) fn is_bound(&self, i: usize) -> bool {
        self.tie.is_none_or(|tie| i >= tie.run as usize)
    }

    /// The height of its run `i`: as far from the tie of its lock, or that at the same share of
    /// the lock's heights.
    #[inline(always)]
    pub(super) fn height(&self, i: usize) -> usize {
        if let Some(tie) = self.tie {
            let (run, height) = (tie.run as usize, tie.height as usize);
            return match i < run {
                true => height + i - run,
                false => height + ((i - run) as f32 * tie.stretch) as usize,
            };
        }
        if self.dense() {
            return i;
        }
        let last = (self.count() - 1).max(1);
        (i * (self.heights() - 1) + last / 2) / last
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
    /// The same strands in the groom's order.
    strands: Vec<Member>,
    /// Groups of heights of all strands.
    groups: usize,
    /// How vertices are taken together.
    runs: Runs,
    /// Masses of all runs in the groom's order, as length of ordinary hair: half of each
    /// segment at its ends, as the methods have it. `[m]`
    masses: Vec<f32>,
}

impl Locks {
    /// The locks of hair as it was modelled. `[m]`
    pub fn of(state: &StrandState, width: f32) -> Self {
        let runs = runs(state);
        let mut strands = Vec::new();
        let mut courses = Vec::new();
        let mut masses = Vec::new();
        let mut tails: Vec<Option<Tail>> = Vec::new();
        for block in &state.blocks {
            for lane in 0..block.strands {
                let count = block.counts[lane];
                let own = runs.count(count);
                let rest = |row: usize| vector(&block.rest[row], lane);
                tails.push(tail(block, lane));
                strands.push(Member {
                    strand: strands.len() as u32,
                    run: masses.len() as u32,
                    count: own as u32,
                    heights: own as u32,
                    first: 0,
                    gains: 0,
                    tie: None,
                });
                let half = |i: usize| match i {
                    0 => 0.0,
                    i if i == count => 0.0,
                    // Even where two vertices coincide they have some.
                    _ => 0.5 * rest(i).distance(rest(i - 1)).max(1e-8),
                };
                let light = block.inverse_mass.0[lane];
                let mass = |i: usize| (half(i) + half(i + 1)) / light;
                masses.extend((0..own).map(|run| runs.rows(run, count).map(mass).sum::<f32>()));
                let root = vector(&block.root_rest, lane);
                let place = |k: usize| root + rest((count - 1) * (k + 1) / PLACES);
                courses.push(Course {
                    root,
                    places: std::array::from_fn(place),
                });
            }
        }
        let of = match state.tied {
            true => partition_tied(&courses, &tails, width),
            false => partition(&courses, width),
        };
        align(&mut strands, &tails, runs);
        let locks = of.iter().max().map_or(0, |last| *last as usize + 1);
        let mut inside = vec![Vec::new(); locks];
        for (strand, lock) in of.iter().enumerate() {
            inside[*lock as usize].push(strand);
        }
        inside.retain(|strands| !strands.is_empty());
        let mut starts = vec![0];
        let (mut order, mut groups) = (Vec::with_capacity(strands.len()), 0);
        for inside in inside {
            let of_strand = |strand: &usize| match &strands[*strand] {
                tied if tied.tie.is_some() => 1 + tied.height(tied.count() - 1) as u32,
                loose => loose.count,
            };
            let heights = inside.iter().map(of_strand).max().unwrap_or(0);
            for strand in &inside {
                let member = &mut strands[*strand];
                (member.heights, member.gains) = (heights, groups as u32);
                groups += member.groups();
            }
            order.extend(inside);
            starts.push(order.len() as u32);
        }
        let mut first = 0;
        for member in &mut strands {
            member.first = first;
            first += member.groups() as u32;
        }
        Self {
            width,
            members: order.iter().map(|strand| strands[*strand]).collect(),
            starts,
            strands,
            groups,
            runs,
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

    /// Groups of heights of all strands.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// How vertices are taken together.
    pub fn runs(&self) -> Runs {
        self.runs
    }

    /// Mass of a run of a strand's vertices, as length of ordinary hair. `[m]`
    pub(super) fn mass(&self, member: Member, run: usize) -> f32 {
        self.masses[member.run as usize + run]
    }

    /// The strands of one.
    pub fn strands(&self, lock: usize) -> &[Member] {
        &self.members[self.starts[lock] as usize..self.starts[lock + 1] as usize]
    }

    /// `count` strands of the groom from `first` on.
    pub(super) fn members(&self, first: usize, count: usize) -> &[Member] {
        &self.strands[first..first + count]
    }
}

/// What hangs behind the tie of a strand; none of one that is loose.
fn tail(block: &Block<Row>, lane: usize) -> Option<Tail> {
    let count = block.counts[lane];
    let mut rows = block.tied.iter().take(count);
    let row = rows.position(|row| row.0[lane] > 0.0)?;
    let rest = |row: usize| vector(&block.rest[row], lane);
    let ways = (row + 1..count).map(|i| rest(i).distance(rest(i - 1)));
    Some(Tail {
        row,
        length: ways.sum(),
    })
}

/// Counts heights of the strands that have `tails` from their tie.
fn align(strands: &mut [Member], tails: &[Option<Tail>], runs: Runs) {
    let tied = strands.iter_mut().zip(tails);
    let tied = tied.filter_map(|(member, tail)| {
        let tail = tail.as_ref()?;
        let run = runs.of(tail.row);
        // The length of a run behind the tie.
        let long = tail.length / (member.count() - run).max(1) as f32;
        Some((member, tail.row, run, long))
    });
    let mut tied: Vec<_> = tied.collect();
    let height = tied.iter().map(|(_, _, run, _)| *run).max().unwrap_or(0);
    let lengths = tied.iter().map(|(.., long)| *long);
    let mean = lengths.clone().sum::<f32>() / tied.len().max(1) as f32;
    let apart = lengths.fold(f32::MAX, f32::min).max(LEAST_RUN * mean);
    for (member, row, run, long) in &mut tied {
        member.tie = Some(MemberTie {
            row: *row as u32,
            run: *run as u32,
            height: height as u32,
            stretch: (*long / apart.max(f32::MIN_POSITIVE)).clamp(1.0, MOST_STRETCH),
        });
    }
}

/// The lock of each strand where some have `tails`: all of these are one, the first.
fn partition_tied(courses: &[Course], tails: &[Option<Tail>], width: f32) -> Vec<u32> {
    let loose: Vec<usize> = (0..courses.len()).filter(|i| tails[*i].is_none()).collect();
    let hanging: Vec<Course> = loose.iter().map(|i| courses[*i]).collect();
    let mut of = vec![0; courses.len()];
    for (strand, lock) in loose.into_iter().zip(partition(&hanging, width)) {
        of[strand] = lock + 1;
    }
    of
}

/// How the vertices of hair are taken together, by its mean segment.
fn runs(state: &StrandState) -> Runs {
    let (mut length, mut segments, mut most) = (0.0, 0, usize::MAX);
    for block in &state.blocks {
        for lane in 0..block.strands {
            let rest = |row: usize| vector(&block.rest[row], lane);
            let ways = (1..block.counts[lane]).map(|i| rest(i).distance(rest(i - 1)));
            length += f64::from(ways.sum::<f32>());
            segments += block.counts[lane] - 1;
            most = most.min(block.counts[lane] / LEAST_RUNS);
        }
    }
    Runs::near(RUN_LENGTH, length / segments.max(1) as f64).at_most(most)
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
