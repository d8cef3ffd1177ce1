//! Hair that is combed to one place and bound there: a ponytail, a braid, a bun.
//!
//! Each strand lies along the scalp as a taut thread from its root to the tie, those
//! from afar over those from near by. It passes the tie at a place of its own in a
//! round cross-section, which keeps neighbours neighbours, and follows a centre line
//! from there on.

use super::{
    GroomParams, Handedness, TieStyle,
    centre_line::{CentreLine, resample},
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
use std::{
    collections::HashMap,
    f32::consts::{PI, TAU},
};

/// Distance that combed hair keeps from the skin. `[m]`
const STANDOFF: f32 = 0.003;

/// Points of a strand's way from the root to the tie, before it is given its vertices.
const COMB_POINTS: usize = 40;

/// A thread is drawn taut in so many rounds.
const TAUT_ROUNDS: usize = 40;

/// Share of a strand's vertices that lie between root and tie, the same for all
/// strands, so that vertices of one number hang side by side.
const COMB_SHARE: f32 = 0.35;

/// Strands are ranked by how far they come among those of as much of the circle.
const SECTORS: usize = 16;

/// The strands of so many roots carry the bands: the first ones are from all sides.
const BOUND: u64 = 150;

/// A strand that the scissors leave too short to hang from the tie is grown so much
/// of the hair's length beyond it.
const LEAST_TAIL: f32 = 0.2;

/// Where a strand passes the tie.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// From straight up, to the right of who looks at the face. `[rad]`
    angle: f32,
    /// From the middle, 1 at the rim.
    out: f32,
}

/// A tie, and how hair gets there.
pub struct Tied<'a> {
    body: &'a CollisionMesh,
    params: &'a GroomParams,
    seed: u64,
    /// The middle of all roots. `[m]`
    centre: Vec3,
    /// What hair follows from there on: one line, or one for each lock of a braid.
    lines: Vec<CentreLine>,
    /// By the roots' numbers.
    places: HashMap<u64, Place>,
    /// Middles of the locks in the tail, on a disc of radius 1.
    locks: Vec<(u64, [f32; 2])>,
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
    /// Ties the hair on `roots`, whose middle is `centre` and which reach as far from
    /// it as `reach` says `[m]`; none where the style ties nothing.
    pub fn new(
        roots: &[Root],
        params: &'a GroomParams,
        seed: u64,
        body: &'a CollisionMesh,
        centre: Vec3,
        reach: f32,
    ) -> Option<Self> {
        if params.tie == TieStyle::None {
            return None;
        }
        let radius = params.tie_width * reach;
        let height = params.tie_height.to_radians();
        let out = Vec3::new(0.0, sin(height), -cos(height));
        let middle = beyond(body, centre, out, reach, radius + STANDOFF);
        let (_, normal) = body.grid.sample_with_normal(middle);
        // A head is the same on both sides, and so is the tie.
        let normal = normal.with_x(0.0).normalize_or(out);
        let lines = CentreLine::of(params, body, middle, normal, radius, reach);
        let places = places(roots, (middle - centre).normalize_or(out), centre);
        let locks = roots
            .iter()
            .filter(|root| root.number < u64::from(params.locks))
            .filter_map(|root| Some((root.number, on_disc(*places.get(&root.number)?))))
            .collect();
        Some(Self {
            body,
            params,
            seed,
            centre,
            lines,
            places,
            locks,
        })
    }

    /// The strand that grows from `root`; none where a map or paint leaves it too short to
    /// reach the tie.
    pub fn strand(&self, root: &Root) -> Option<TiedStrand> {
        let p = self.params;
        let place = self.places.get(&root.number).copied();
        let place = place.unwrap_or(Place {
            angle: 0.0,
            out: 0.0,
        });
        let count = p.vertices as usize;
        let tied = ((count as f32 * COMB_SHARE) as usize).clamp(2, count - 2);
        let (line, disc) = self.course(place);
        let comb = self.comb(root, line, disc, place.out);
        let combed: f32 = comb.windows(2).map(|w| w[0].distance(w[1])).sum();
        let draw = signed(self.seed ^ 0x1e46, root.number);
        let grown = p.length * (1.0 + p.length_spread * draw) * root.length;
        if root.length < 1.0 && grown < combed {
            return None;
        }
        // A braid and a bun are made of hair that reaches their end.
        let tail = match p.tie {
            TieStyle::Ponytail => grown - combed,
            _ => line.length() * (1.0 - 0.5 * p.length_spread * (1.0 + draw)),
        };
        let length = tail.max(LEAST_TAIL * p.length);
        let mut points = resample(&comb, tied + 1);
        let steps = count - 1 - tied;
        let lock = self.lock(root, disc);
        let share = |i: usize| i as f32 / steps as f32;
        let tail = |i: usize| self.tail_point(root, line, disc, lock, length, share(i));
        points.extend((1..=steps).map(tail));
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

    /// The line that a strand follows from its place in the tie, and where in that
    /// line's cross-section it lies.
    fn course(&self, place: Place) -> (&CentreLine, [f32; 2]) {
        if self.lines.len() == 1 {
            return (&self.lines[0], on_disc(place));
        }
        // Thirds of the tie: the upper one and two below.
        let turn = (place.angle + PI) / TAU * self.lines.len() as f32;
        let number = (turn as usize).min(self.lines.len() - 1);
        let angle = TAU * (turn - number as f32) - PI;
        (&self.lines[number], on_disc(Place { angle, ..place }))
    }

    /// The way from the root to the tie: a taut thread on the head. `[m]`
    fn comb(&self, root: &Root, line: &CentreLine, disc: [f32; 2], layer: f32) -> Vec<Vec3> {
        let end = line.point(0.0, disc);
        let last = COMB_POINTS - 1;
        let share = |i: usize| i as f32 / last as f32;
        let layer = self.params.volume * layer;
        let way = root.position.distance(end);
        let wanted = |i: usize| {
            let s = share(i) * way;
            (0.6 * s).min(STANDOFF + layer * (s / 0.05).min(1.0))
        };
        // Around the head first, and not through it: over the crown from the face.
        let (from, to) = (root.position - self.centre, end - self.centre);
        let over = smoothstep(1.5, 2.6, from.angle_between(to));
        let between = from.normalize_or(Vec3::Y) + to.normalize_or(Vec3::Y) + Vec3::Y * over;
        let between = between.normalize_or(Vec3::Y) * (0.5 * (from.length() + to.length()));
        let mut points: Vec<Vec3> = (0..=last)
            .map(|i| match 2.0 * share(i) {
                t if t < 1.0 => self.centre + arc(from, between, t),
                t => self.centre + arc(between, to, t - 1.0),
            })
            .collect();
        points[0] = root.position;
        points[last] = end;
        for round in 0..TAUT_ROUNDS {
            let pulled = if round == 0 { 0.0 } else { 0.5 };
            for i in 1..last {
                let straight = 0.5 * (points[i - 1] + points[i + 1]);
                let mut point = points[i].lerp(straight, pulled);
                for _ in 0..if round == 0 { 4 } else { 1 } {
                    let (distance, normal) = self.body.grid.sample_with_normal(point);
                    if distance < wanted(i) {
                        point += normal * (wanted(i) - distance);
                    }
                }
                points[i] = point;
            }
        }
        points
    }

    /// Number and middle of the lock of the tail that a strand at `disc` belongs to.
    fn lock(&self, root: &Root, disc: [f32; 2]) -> (u64, [f32; 2]) {
        let apart = |lock: &&(u64, [f32; 2])| {
            let [x, y] = [0, 1].map(|i| lock.1[i] - disc[i]);
            ((x * x + y * y) * 1e6) as u64
        };
        let lock = match self.params.tie {
            TieStyle::Ponytail => self.locks.iter().min_by_key(apart),
            _ => None,
        };
        lock.copied().unwrap_or((root.number, disc))
    }

    /// A point of the tail at share `t` of its `length` behind the tie. `[m]`
    fn tail_point(
        &self,
        root: &Root,
        line: &CentreLine,
        disc: [f32; 2],
        (number, middle): (u64, [f32; 2]),
        length: f32,
        t: f32,
    ) -> Vec3 {
        let p = self.params;
        let s = t * length;
        let draw = |salt: u64| signed(self.seed ^ salt, root.number);
        let loose = smoothstep(0.0, 0.05, s);
        // Locks part farther down.
        let gathered = p.clump * smoothstep(0.05, 0.8, t);
        let disc = [0, 1].map(|i| disc[i] + (middle[i] - disc[i]) * gathered);
        let phase = TAU * uniform(self.seed ^ 0xf45e, number) + p.phase_spread * PI * draw(0x0fa5);
        let turn = match p.handedness {
            Handedness::Left => 1.0,
            Handedness::Right => -1.0,
            Handedness::Mixed => signed(self.seed ^ 0x4a9d, number).signum(),
        };
        let angle = phase + turn * TAU * s / p.curl_pitch;
        let wound = p.curl_radius * root.curl * smoothstep(0.0, p.curl_start.max(1e-3), t);
        let wound = wound * p.curl_ramp.at(t) * loose;
        let [across, other] = line.across(s);
        let mut point = line.point(s, disc) + (across * cos(angle) + other * sin(angle)) * wound;
        let wave = |salt: u64| {
            let shift = TAU * uniform(self.seed ^ salt, root.number);
            sin(170.0 * s + shift) + 0.6 * sin(391.0 * s + 2.0 * shift)
        };
        let frizz = Vec3::new(wave(0xf1), wave(0xf2), wave(0xf3));
        point += frizz * (p.frizz * p.length * loose);
        for _ in 0..3 {
            let (distance, normal) = self.body.grid.sample_with_normal(point);
            if distance >= STANDOFF {
                break;
            }
            point += normal * (STANDOFF - distance);
        }
        point
    }
}

/// The point at share `t` of the way from `from` to `to` around the origin.
fn arc(from: Vec3, to: Vec3, t: f32) -> Vec3 {
    let turn = from.angle_between(to).max(1e-3);
    (from * sin((1.0 - t) * turn) + to * sin(t * turn)) / sin(turn).max(1e-3)
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

/// Where the strands of all roots pass a tie that lies in the direction `tie` from
/// `centre`: as they come from all sides, and by how far they come.
fn places(roots: &[Root], tie: Vec3, centre: Vec3) -> HashMap<u64, Place> {
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
