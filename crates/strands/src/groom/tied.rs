//! Hair that is combed to one place and bound there: a ponytail, a braid, a bun.
//!
//! Each strand lies along the scalp as a taut thread from its root to the tie, those
//! from afar over those from near by. It passes the tie at a place of its own in a
//! round cross-section, which keeps neighbours neighbours, and follows a centre line
//! from there on. Scissors come before the comb: a strand is as long as it would be if
//! nothing bound it, and one that is too short for the tie hangs as it would then.

use super::{
    GroomParams, Handedness, TieStyle,
    centre_line::{CentreLine, combed, length_of, resample, smooth_laplacian},
    curl_pitch::shortest_turn,
    half_up::HalfUp,
    tails::Tails,
    taut::{CombedHead, STANDOFF},
    unfold::unfold,
};
use crate::{
    math::{
        elementary::{atan2, cos, sin},
        random::{signed, uniform},
        smoothstep,
    },
    mesh::{CollisionMesh, Root},
};
use glam::Vec3;
use rayon::prelude::*;
use std::{
    collections::HashMap,
    f32::consts::{PI, TAU},
};

/// Strands are ranked by how far they come among those of as much of the circle.
const SECTORS: usize = 16;

/// The strands of so many roots carry the bands: the first ones are from all sides.
const BOUND: u64 = 150;

/// A band holds a strand that comes so far out behind it, as a share of how far the scalp
/// reaches.
const LEAST_TAIL: f32 = 0.25;

/// So much of curl and frizz is left in hair that is plaited or wound up.
const COMBED_CURL: f32 = 0.1;
const COMBED_FRIZZ: f32 = 0.35;

/// So much of a strand before and behind its tie takes part in the bend there, of so many
/// vertices at most, in so many rounds. `[m]`
const CORNER: f32 = 0.035;
const CORNER_VERTICES: usize = 4;
const SMOOTHED: usize = 3;

/// A vertex where a strand turns by more, as if back on itself, is smoothed with those beside it,
/// at most so often. `[rad]`
const FOLD: f32 = 1.75;
const UNFOLDED: usize = 12;

/// A tail is fitted to the length that is left for it in so many rounds, or until it is
/// off by no more than this share of the strand.
const FITS: usize = 16;
const OFF: f32 = 5e-4;

/// Where a strand passes the tie.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// From straight up, to the right of who looks at the face. `[rad]`
    angle: f32,
    /// From the middle, 1 at the rim.
    out: f32,
}

/// Binds the strands of these roots, each as it hangs by itself, as far as the style says
/// so and they reach the tie.
pub fn tie(
    head: CombedHead,
    roots: &[Root],
    loose: Vec<Vec<Vec3>>,
    params: &GroomParams,
    seed: u64,
) -> Vec<TiedStrand> {
    let lengths: Vec<f32> = match params.tie {
        TieStyle::None => Vec::new(),
        _ => loose.iter().map(|strand| length_of(strand)).collect(),
    };
    let Some(tied) = Tied::new(head, roots, &lengths, params, seed) else {
        return loose.into_iter().map(TiedStrand::free).collect();
    };
    let strands = roots.par_iter().zip(loose).zip(lengths);
    strands
        .map(|((root, loose), length)| {
            let strand = tied.strand(root, length);
            strand.unwrap_or_else(|| TiedStrand::free(tied.hanging(root, loose)))
        })
        .collect()
}

/// Number of a lock in the tail, the line that it follows, and its middle on a disc of
/// radius 1.
type TailLock = (u64, usize, [f32; 2]);

/// A tie, and how hair gets there.
struct Tied<'a> {
    head: CombedHead<'a>,
    params: &'a GroomParams,
    seed: u64,
    /// What parts the hair, where not all of it is to be bound.
    half_up: Option<HalfUp>,
    /// A strand that comes out less far behind the tie is not bound. `[m]`
    least: f32,
    /// What hair follows from there on: one line, or one for each lock of a braid.
    lines: Vec<CentreLine>,
    /// Of the strands that reach the tie, by the roots' numbers.
    places: HashMap<u64, Place>,
    locks: Vec<TailLock>,
}

/// A strand that is tied.
pub struct TiedStrand {
    /// Its rest curve. `[m]`
    pub points: Vec<Vec3>,
    /// The vertices that are held where they are, the first of them at the tie.
    pub held: Vec<u32>,
    /// Bands that it goes through or lies in, by their numbers, and the vertex there.
    pub bound: Vec<(usize, u32)>,
}

impl TiedStrand {
    /// One that nothing binds.
    pub fn free(points: Vec<Vec3>) -> Self {
        Self {
            points,
            held: Vec::new(),
            bound: Vec::new(),
        }
    }
}

impl<'a> Tied<'a> {
    /// Ties the hair on these roots of the head, whose strands are as long as `lengths` say
    /// `[m]`; none where the style ties nothing.
    fn new(
        head: CombedHead<'a>,
        roots: &[Root],
        lengths: &[f32],
        params: &'a GroomParams,
        seed: u64,
    ) -> Option<Self> {
        if params.tie == TieStyle::None {
            return None;
        }
        let CombedHead {
            body,
            centre,
            reach,
        } = head;
        let radius = params.tie_width * reach;
        let height = params.tie_height.to_radians();
        let out = Vec3::new(0.0, sin(height), -cos(height));
        let middle = beyond(body, centre, out, reach, radius + STANDOFF);
        let (_, normal) = body.grid.sample_with_normal(middle);
        // A head is the same on both sides, and so is the tie.
        let normal = normal.with_x(0.0).normalize_or(out);
        let least = LEAST_TAIL * reach;
        let half_up = HalfUp::new(roots, params.tie_share, reach, seed);
        let upper = |root: &Root| half_up.is_none_or(|half_up| half_up.is_upper(root));
        let taken = roots.par_iter().zip(lengths);
        let reaching: Vec<(&Root, f32)> = taken
            .filter_map(|(root, length)| {
                // What is shorter than a straight way through the head is not asked.
                let near = upper(root) && root.position.distance(middle) + least < *length;
                let way = near.then(|| head.rough_way(root.position, middle))?;
                (length - way >= least).then_some((root, length - way))
            })
            .collect();
        let tails = Tails::new(reaching.iter().map(|(_, tail)| *tail).collect());
        let lines = CentreLine::of(params, body, middle, normal, radius, &tails);
        let bound: Vec<&Root> = reaching.iter().map(|(root, _)| *root).collect();
        let places = places(&bound, (middle - centre).normalize_or(out), centre);
        let locks = bound
            .iter()
            .filter(|root| root.number < u64::from(params.locks))
            .filter_map(|root| {
                let (line, disc) = course(lines.len(), *places.get(&root.number)?);
                Some((root.number, line, disc))
            })
            .collect();
        Some(Self {
            head,
            params,
            seed,
            half_up,
            least,
            lines,
            places,
            locks,
        })
    }

    /// The strand that grows from `root`, so long in all `[m]`; none where it does not
    /// reach the tie.
    fn strand(&self, root: &Root, grown: f32) -> Option<TiedStrand> {
        let p = self.params;
        let place = *self.places.get(&root.number)?;
        let count = p.vertices as usize;
        let tied = combed(p.vertices);
        let (number, disc) = course(self.lines.len(), place);
        let line = &self.lines[number];
        let end = line.point(0.0, disc);
        let comb = self.head.way(root.position, end, p.volume * place.out);
        let mut points = resample(&comb, tied + 1);
        let wanted = grown - length_of(&points);
        if wanted < 0.5 * self.least {
            return None;
        }
        let steps = count - 1 - tied;
        let tail = Tail {
            root,
            line,
            disc,
            lock: self.lock(root, number, disc),
            steps,
        };
        let to_tie = std::mem::take(&mut points);
        // Curl takes up length, and so does a bend: how much is known once it is there.
        let length = fit_length(wanted, [grown, OFF * grown], |length| {
            points.clear();
            points.extend(&to_tie);
            points.extend((1..=steps).map(|i| self.tail_point(&tail, length, i)));
            self.round_off(&mut points, tied);
            length_of(&points)
        });
        let held = self.held(tied as u32, p.vertices);
        let behind = |s: f32| (tied as f32 + s / length * steps as f32).round() as usize;
        let bound = match root.number < BOUND {
            true => self.bound(line, tied, behind, count),
            false => Vec::new(),
        };
        Some(TiedStrand {
            points,
            held,
            bound,
        })
    }

    /// A strand that nothing binds as it hangs beside those that are bound.
    fn hanging(&self, root: &Root, mut strand: Vec<Vec3>) -> Vec<Vec3> {
        // Where nothing is bound, nothing is parted.
        let half_up = self.half_up.filter(|_| !self.places.is_empty());
        if let Some(half_up) = half_up.filter(|half_up| !half_up.is_upper(root)) {
            half_up.comb_down(self.head.body, root, &mut strand);
        }
        strand
    }

    /// Rounds off the corner at a strand's tie, vertex `tied`, as hair that is drawn taut bends
    /// around its band, and smooths out where the strand turns back on itself behind it.
    fn round_off(&self, points: &mut [Vec3], tied: usize) {
        let last = points.len() - 1;
        // As many vertices on both sides as are near: of long edges none.
        let far = |k: &usize| {
            let ends = [tied - k, (tied + k).min(last)];
            ends.iter()
                .any(|i| points[*i].distance(points[tied]) > CORNER)
        };
        let most = CORNER_VERTICES.min(tied - 1);
        let near = (1..=most).find(far).map_or(most, |k| k - 1);
        // The place in the tie stays.
        for side in [tied - near..tied, tied + 1..(tied + near + 1).min(last)] {
            smooth_laplacian(points, side.clone(), SMOOTHED);
            for point in &mut points[side] {
                let (distance, normal) = self.head.body.grid.sample_with_normal(*point);
                *point += normal * (STANDOFF - distance).max(0.0);
            }
        }
        unfold(points, [tied + 1, UNFOLDED], |_| FOLD, |point| point);
    }

    /// What is held of a strand whose vertex `tied` is at the tie: that and the next,
    /// which gives the tail its direction, and all that is wound on the head.
    fn held(&self, tied: u32, count: u32) -> Vec<u32> {
        match self.params.tie {
            TieStyle::Bun => (tied..count).step_by(2).collect(),
            _ => vec![tied, tied + 1],
        }
    }

    /// The bands around a strand of `count` vertices which follows that line from vertex
    /// `tied` on: `behind` tells which vertex is so far behind the tie `[m]`.
    fn bound(
        &self,
        line: &CentreLine,
        tied: usize,
        behind: impl Fn(f32) -> usize,
        count: usize,
    ) -> Vec<(usize, u32)> {
        if let Some([from, to]) = line.turn() {
            let turn = behind(from)..behind(to).min(count - 1);
            return turn.map(|vertex| (0, vertex as u32)).collect();
        }
        let neck = line.neck().map(behind).filter(|vertex| vertex + 1 < count);
        let neck = neck.map(|vertex| (1, vertex as u32));
        // Where hair from all sides has come together.
        let first = (tied + 1).min(count - 2);
        std::iter::once((0, first as u32)).chain(neck).collect()
    }

    /// The lock of the tail that a strand at `disc` of that line belongs to: its number and
    /// its middle.
    fn lock(&self, root: &Root, line: usize, disc: [f32; 2]) -> (u64, [f32; 2]) {
        let apart = |lock: &&TailLock| {
            let [x, y] = [0, 1].map(|i| lock.2[i] - disc[i]);
            ((x * x + y * y) * 1e6) as u64
        };
        let lock = match self.params.tie {
            TieStyle::Bun => None,
            _ => {
                let locks = self.locks.iter().filter(|lock| lock.1 == line);
                locks.min_by_key(apart)
            }
        };
        lock.map_or((root.number, disc), |lock| (lock.0, lock.2))
    }

    /// Vertex `i` of a tail that goes so far along its line. `[m]`
    fn tail_point(&self, tail: &Tail, length: f32, i: usize) -> Vec3 {
        let p = self.params;
        let (root, line) = (tail.root, tail.line);
        let t = i as f32 / tail.steps as f32;
        let s = t * length;
        let draw = |salt: u64| signed(self.seed ^ salt, root.number);
        let loose = smoothstep(0.0, 0.05, s);
        let free = line.free(s);
        // Locks part farther down.
        let (number, middle) = tail.lock;
        let gathered = match line.neck() {
            None => smoothstep(0.05, 0.8, t),
            Some(neck) => smoothstep(neck, neck + 0.06, s),
        };
        let disc = [0, 1].map(|i| tail.disc[i] + (middle[i] - tail.disc[i]) * gathered * p.clump);
        let phase = TAU * uniform(self.seed ^ 0xf45e, number) + p.phase_spread * PI * draw(0x0fa5);
        let turn = match p.handedness {
            Handedness::Left => 1.0,
            Handedness::Right => -1.0,
            Handedness::Mixed => signed(self.seed ^ 0x4a9d, number).signum(),
        };
        let finest = shortest_turn(length, tail.steps);
        let angle = phase + turn * TAU * s / p.curl_pitch.max(finest);
        let wound = p.curl_radius * root.curl * smoothstep(0.0, p.curl_start.max(1e-3), t);
        let left = COMBED_CURL + (1.0 - COMBED_CURL) * free;
        let wound = wound * p.curl_ramp.at(t) * loose * left;
        let [across, other] = line.across(s);
        let mut point = line.point(s, disc) + (across * cos(angle) + other * sin(angle)) * wound;
        let wave = |salt: u64| {
            let shift = TAU * uniform(self.seed ^ salt, root.number);
            sin(170.0 * s + shift) + 0.6 * sin(391.0 * s + 2.0 * shift)
        };
        let frizz = Vec3::new(wave(0xf1), wave(0xf2), wave(0xf3));
        let left = COMBED_FRIZZ + (1.0 - COMBED_FRIZZ) * free;
        point += frizz * (p.frizz * p.length * loose * left);
        for _ in 0..3 {
            let (distance, normal) = self.head.body.grid.sample_with_normal(point);
            if distance >= STANDOFF {
                break;
            }
            point += normal * (STANDOFF - distance);
        }
        point
    }
}

/// What hangs of one strand behind the tie.
struct Tail<'a> {
    root: &'a Root,
    line: &'a CentreLine,
    /// Where in the line's cross-section it passes the tie, on a disc of radius 1.
    disc: [f32; 2],
    /// Number and middle of its lock.
    lock: (u64, [f32; 2]),
    /// Edges from the tie to the tip.
    steps: usize,
}

/// How far a tail must go for its curled strand to be as long as `wanted`, but for `off`;
/// it goes about as far as `begun`. `curled` makes it so long and says how long its strand is,
/// the last time for what is returned. `[m]`
fn fit_length(begun: f32, [wanted, off]: [f32; 2], mut curled: impl FnMut(f32) -> f32) -> f32 {
    let (mut low, mut high) = (0.0, f32::INFINITY);
    let (mut length, mut best) = (begun, (f32::INFINITY, begun));
    for _ in 0..FITS {
        let long = curled(length);
        let missed = (long - wanted).abs();
        if missed < off {
            return length;
        }
        if missed < best.0 {
            best = (missed, length);
        }
        if long < wanted {
            low = length;
        } else {
            high = length;
        }
        // In proportion, and halfway where that leads astray: how long a fine curl of few
        // vertices is goes up and down with its turns.
        length *= begun / (begun + long - wanted).max(0.1 * begun);
        if length <= low || length >= high {
            length = match high < f32::INFINITY {
                true => 0.5 * (low + high),
                false => 1.1 * low,
            };
        }
    }
    curled(best.1);
    best.1
}

/// Which of so many `lines` a strand follows from its place in the tie, and where in that
/// line's cross-section it lies.
fn course(lines: usize, place: Place) -> (usize, [f32; 2]) {
    if lines == 1 {
        return (0, on_disc(place));
    }
    // Thirds of the tie: the upper one and two below.
    let turn = (place.angle + PI) / TAU * lines as f32;
    let number = (turn as usize).min(lines - 1);
    let angle = TAU * (turn - number as f32) - PI;
    (number, on_disc(Place { angle, ..place }))
}

/// The first point from `centre` towards `out` from which on the head is farther away
/// than `room`. `[m]`
fn beyond(body: &CollisionMesh, centre: Vec3, out: Vec3, reach: f32, room: f32) -> Vec3 {
    let steps = 400;
    let at = |step: usize| centre + out * (2.5 * reach * step as f32 / steps as f32);
    let inside = |step: &usize| body.grid.sample_with_normal(at(*step)).0 < room;
    let last = (0..steps).rev().find(inside).unwrap_or(0);
    at(last + 1)
}

/// Where the strands of `roots` pass a tie that lies in the direction `tie` from
/// `centre`: as they come from all sides, and by how far they come.
fn places(roots: &[&Root], tie: Vec3, centre: Vec3) -> HashMap<u64, Place> {
    let up = (Vec3::Y - tie * tie.y).normalize_or(Vec3::Z);
    let mut all: Vec<(u64, f32, f32)> = roots
        .iter()
        .map(|root| {
            let out = (root.position - centre).normalize_or(Vec3::Y);
            let angle = atan2(out.x, out.dot(up));
            (root.number, angle, out.angle_between(tie))
        })
        .collect();
    let order = |a: f32, b: f32| a.total_cmp(&b);
    all.sort_unstable_by(|a, b| order(a.1, b.1).then(a.0.cmp(&b.0)));
    let count = all.len();
    let mut places = HashMap::with_capacity(count);
    for (rank, (number, ..)) in all.iter().enumerate() {
        let angle = ((rank as f32 + 0.5) / count as f32 - 0.5) * TAU;
        places.insert(*number, Place { angle, out: 0.0 });
    }
    for sector in all.chunks_mut(count.div_ceil(SECTORS).max(1)) {
        sector.sort_unstable_by(|a, b| order(a.2, b.2).then(a.0.cmp(&b.0)));
        let count = sector.len() as f32;
        for (rank, (number, ..)) in sector.iter().enumerate() {
            if let Some(place) = places.get_mut(number) {
                place.out = ((rank as f32 + 0.5) / count).sqrt();
            }
        }
    }
    places
}

/// A place on a disc of radius 1: to the right, and up.
fn on_disc(place: Place) -> [f32; 2] {
    [place.out * sin(place.angle), place.out * cos(place.angle)]
}
