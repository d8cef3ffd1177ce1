//! Roots to rest curves: a path that leaves the scalp and falls around the
//! head, a lock that gathers its neighbours, a helix wound around it.
//!
//! Every strand of a lock follows the lock's own path and turns with it, which
//! is what makes separate hairs read as one curl.

use super::{
    Groom, GroomParams, Handedness,
    curl_pitch::shortest_turn,
    flow::{Flow, PartLine},
    lock_part::LockPart,
    planted::{self, place_on_curve, share},
    taut::CombedHead,
    tied::{TiedStrand, tie},
    unfold::{turn, unfold, ways},
};
use crate::{
    math::{
        elementary::{cos, exp, sin},
        random::{signed, uniform},
        smoothstep,
    },
    mesh::{CollisionMesh, Root},
};
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::{borrow::Cow, f32::consts::TAU};

/// Distance that the rest shape keeps from the skin, once away from the root. `[m]`
const STANDOFF: f32 = 0.0025;

/// Hair that is combed upwards from a parting falls after this length. `[m]`
const RISE: f32 = 0.08;

/// Hair that falls onto something turns along it within this distance. `[m]`
const LANDS: f32 = 0.02;

/// And in a bend of this radius. `[m]`
const LANDS_ROUND: f32 = 0.012;

/// Rounds of smoothing folds, at most.
const UNFOLDED: usize = 24;

/// How much more a strand may turn at a vertex that the skin has pushed out than it did before,
/// and how much it may turn there in any case. `[rad]`
const MORE_TURN: f32 = 0.35;
const SHARP: f32 = 0.8;

/// On ground with less of a slope than this, hair that has come down goes on as it came.
const LEVEL: f32 = 0.6;

/// A strand turns towards where it wants to go within this length. `[m]`
const BEND_LENGTH: f32 = 0.022;

/// The head as a comb sees it.
struct Comb<'a> {
    body: &'a CollisionMesh,
    params: &'a GroomParams,
    seed: u64,
    part: PartLine,
    /// The middle of all roots, and how far they reach from it. `[m]`
    centre: Vec3,
    radius: f32,
    /// Height at which hair is cut level, if it is. `[m]`
    level: Option<f32>,
    /// Height at which a fringe is cut level. `[m]`
    fringe_level: Option<f32>,
}

/// What one lock has in common.
struct Lock {
    /// How much of its neighbours' strands it takes: 1 as much as they of its.
    size: f32,
    /// Number of its root.
    number: u64,
    /// The side of the parting that it is on, 0 beyond its ends.
    side: f32,
    path: Vec<Vec3>,
    /// Length of the path; maps may make its strands shorter. `[m]`
    length: f32,
    phase: f32,
    turn: f32,
    radius: f32,
    pitch: f32,
}

/// Grows one strand from each root, in an order in which neighbours in memory
/// are neighbours on the scalp; hair parts in the middle. The same seed grows the
/// same hair.
pub fn grow(roots: &[Root], params: &GroomParams, seed: u32, body: &CollisionMesh) -> Groom {
    grow_parted(roots, params, seed, body, None)
}

/// The same with hair that parts along that `line` on the skin `[m]`, where there
/// is one.
pub fn grow_parted(
    roots: &[Root],
    params: &GroomParams,
    seed: u32,
    body: &CollisionMesh,
    line: Option<Vec<Vec3>>,
) -> Groom {
    if roots.is_empty() {
        return Groom {
            starts: vec![0],
            ..Groom::default()
        };
    }
    let centre = roots.iter().map(|root| root.position).sum::<Vec3>() / roots.len() as f32;
    let radius = roots
        .iter()
        .map(|root| root.position.distance(centre))
        .fold(1e-3, f32::max);
    let crown = roots.iter().map(|root| root.position.y);
    let crown = crown.fold(f32::NEG_INFINITY, f32::max);
    let mut comb = Comb {
        body,
        params,
        seed: u64::from(seed),
        part: match line {
            Some(line) => PartLine::Line(line),
            None => PartLine::middle(centre, radius, params.fringe > 0.0),
        },
        centre,
        radius,
        level: (params.trim > 0.0).then_some(crown - params.trim),
        fringe_level: None,
    };
    comb.fringe_level = comb.find_fringe_level(roots);
    // The first roots cover the scalp evenly: they are the middles of the locks.
    let middles = roots
        .iter()
        .filter(|root| root.number < u64::from(params.locks));
    let middles: Vec<&Root> = middles.collect();
    let locks: Vec<Lock> = middles.par_iter().map(|root| comb.lock(root)).collect();
    let loose: Vec<Vec<Vec3>> = roots
        .par_iter()
        .map(|root| {
            let nearest = |lock: &&Lock| {
                let square = lock.path[0].distance_squared(root.position);
                (square / (lock.size * lock.size) * 1e9) as u64
            };
            // Hair that falls to one side is not gathered on the other.
            let side = comb.flow(root).side;
            let lock = locks.iter().filter(|lock| lock.side * side >= 0.0);
            comb.strand(root, lock.min_by_key(nearest))
        })
        .collect();
    let head = CombedHead {
        body,
        centre,
        reach: radius,
    };
    let strands = tie(head, roots, loose, params, comb.seed);
    let mut strands: Vec<(u64, &Root, TiedStrand)> = strands
        .into_iter()
        .zip(roots)
        .map(|(strand, root)| (place_on_curve(root.position, centre, radius), root, strand))
        .collect();
    strands.sort_by_key(|(place, ..)| *place);
    let strands = strands.into_iter().map(|(_, root, strand)| (root, strand));
    planted::groom_of(strands, params, seed)
}

impl Comb<'_> {
    fn lock(&self, root: &Root) -> Lock {
        let p = self.params;
        let draw = |salt: u64| signed(self.seed ^ salt, root.number);
        let own = 1.0 - 0.2 * p.lock_spread * (1.0 + draw(0x51ce));
        let length = p.length * (1.0 + p.length_spread * draw(0x1e46)) * self.layer(root) * own;
        let length = self.cut(root, length);
        let turn = match p.handedness {
            Handedness::Left => 1.0,
            Handedness::Right => -1.0,
            Handedness::Mixed => draw(0x4a9d).signum(),
        };
        Lock {
            size: exp(0.8 * p.lock_spread * draw(0x512e)),
            number: root.number,
            side: self.flow(root).side,
            path: self.path(root, length),
            length,
            phase: TAU * uniform(self.seed ^ 0xf45e, root.number),
            turn,
            radius: p.curl_radius * (1.0 + p.curl_spread * draw(0x5ad1)),
            pitch: p.curl_pitch * (1.0 + p.curl_spread * draw(0x917c)),
        }
    }

    /// What one strand has of a value of the style; `salt` is the value's own.
    fn own(&self, root: &Root, salt: u64, value: f32) -> f32 {
        value * (1.0 + self.params.style_spread * signed(self.seed ^ salt, root.number))
    }

    /// Share of the length that a cut leaves: in layers less, the higher the root is, in a
    /// taper less, the lower, and framing the face less, the nearer to it.
    fn layer(&self, root: &Root) -> f32 {
        let p = self.params;
        let out = (root.position - self.centre) / self.radius;
        let layers = 1.0 - p.layers * smoothstep(-0.6, 0.5, out.y);
        let taper = 1.0 - p.taper * smoothstep(0.35, -0.3, out.y);
        let fringe = match p.sweep == 0.0 {
            // It is cut level.
            true => 1.0,
            false => 1.0 + (p.fringe / p.length - 1.0) * self.fringe(root),
        };
        layers * taper * fringe * (1.0 - p.face_framing * smoothstep(0.1, 0.8, out.z))
    }

    /// How much hair from a root is swept forward and aside, 0..=1: all of it on top, none
    /// at the sides and behind the whorl.
    fn swept(&self, root: &Root) -> f32 {
        let out = (root.position - self.centre) / self.radius;
        self.params.sweep.abs() * smoothstep(0.0, 0.35, out.y) * smoothstep(-0.45, 0.0, out.z)
    }

    /// Which way a strand goes. On the parting it is either.
    fn flow(&self, root: &Root) -> Flow {
        let coin = signed(self.seed ^ 0x51de, root.number);
        self.part.flow(root, coin)
    }

    /// How much a root at the front belongs to the fringe, 0..=1.
    fn fringe(&self, root: &Root) -> f32 {
        if self.params.fringe <= 0.0 {
            return 0.0;
        }
        let out = (root.position - self.centre) / self.radius;
        let aside = 1.0 - smoothstep(0.35, 0.55, out.x.abs());
        smoothstep(0.25, 0.45, out.z) * aside
    }

    /// Where the tip of the foremost strand comes to lie; none of a fringe that is swept
    /// aside, which is not cut level. `[m]`
    fn find_fringe_level(&self, roots: &[Root]) -> Option<f32> {
        if self.params.sweep != 0.0 {
            return None;
        }
        let foremost = roots
            .iter()
            .filter(|root| self.fringe(root) > 0.5)
            .max_by(|a, b| a.position.z.total_cmp(&b.position.z))?;
        let path = self.path(foremost, self.params.fringe);
        path.last().map(|tip| tip.y)
    }

    /// What a comb and scissors leave of a strand of that length. `[m]`
    fn cut(&self, root: &Root, length: f32) -> f32 {
        let level = if self.fringe(root) < 0.5 {
            self.level
        } else {
            self.fringe_level
        };
        let Some(level) = level else {
            return length;
        };
        let path = self.path(root, length);
        // From the tip upwards, so that hair that rises first is not lost; a
        // stub stays of what is rooted below.
        let last = (path.len() - 1).max(1) as f32;
        let kept = path.iter().rposition(|p| p.y >= level).unwrap_or(0);
        let (Some(above), Some(below)) = (path.get(kept), path.get(kept + 1)) else {
            return length;
        };
        let part = ((above.y - level) / (above.y - below.y).max(1e-6)).clamp(0.0, 1.0);
        (length * (kept as f32 + part) / last).max(0.01)
    }

    /// The way a strand takes before it is curled, one point a vertex. `[m]`
    fn path(&self, root: &Root, length: f32) -> Vec<Vec3> {
        let p = self.params;
        // Finer than the vertices where those are few, so that the shape does
        // not depend on their number.
        let fine = (64 / p.vertices).max(1);
        let steps = (p.vertices - 1) * fine;
        let ds = length / steps as f32;
        let volume = self.own(root, 0x40f1, p.volume);
        let layer = volume * uniform(self.seed ^ 0x1a7e, root.number).powi(2);
        let droop = self.own(root, 0xd009, p.droop).min(1.0);
        let curl_start = self.own(root, 0xc5a7, p.curl_start).min(1.0);
        let sleek = p.sleek;
        let bend_length = BEND_LENGTH * (1.0 - 0.5 * sleek);
        let out = root.position - self.centre;
        // Across the parting: to the side the root is on, away from the face.
        let Flow { away, .. } = self.flow(root);
        let mut at = root.position;
        // At the hairline the hair stands up before it falls back, off the face.
        let face = smoothstep(0.3, 1.0, out.z / self.radius);
        let fringe = self.fringe(root);
        let lift = Vec3::new(0.0, 0.15 + 0.9 * face, -0.25 - 0.9 * face) + away * 0.35;
        // A fringe falls forward instead.
        let apart = 0.1 * (1.0 - sleek) * away.x;
        let lift = lift.lerp(Vec3::new(apart, 0.25, 0.6), fringe);
        let swept = self.swept(root);
        let aside = p.sweep.signum();
        // To the bit as before where nothing is swept.
        let lift = match swept > 0.0 {
            true => lift.lerp(Vec3::new(0.8 * aside, 0.25, 0.3), swept),
            false => lift,
        };
        let mut way = (root.normal + lift).normalize_or(Vec3::Y);
        let (mut points, mut lands) = (vec![at], false);
        for step in 1..=steps {
            let s = step as f32 * ds;
            // On top the hair is combed sideways and back; everywhere it falls,
            // as far as the head lets it.
            let height = ((at.y - self.centre.y) / self.radius).clamp(-1.0, 1.0);
            let top = smoothstep(-0.4, 0.9, height);
            let front = smoothstep(0.0, 0.9, (at.z - self.centre.z) / self.radius);
            // Upwards only at first: what has come over the top falls.
            let away = away.with_y(away.y * (1.0 - smoothstep(0.0, RISE, s)));
            let combed =
                (away * (0.7 + 0.5 * front) + Vec3::NEG_Z * (0.3 + 0.7 * front)) * (0.25 + top);
            let apart = 0.15 * (1.0 - sleek) * away.x;
            let mut combed = combed.lerp(Vec3::new(apart, -0.2, 0.5), fringe);
            if swept > 0.0 {
                combed = combed.lerp(Vec3::new(1.6 * aside, 0.5, 0.4), swept);
            }
            // Sleek hair is combed on top alone, and off the face; below the head's middle
            // it turns in.
            let off_face = front * (1.0 - fringe) * (1.0 - swept);
            let beside = (1.0 - smoothstep(0.0, 0.7, height)) * (1.0 - off_face);
            let inward = (self.centre - at).with_y(0.0) / self.radius;
            let below = smoothstep(0.2, -0.8, height);
            let (distance, normal) = self.body.grid.sample_with_normal(at);
            // On shoulders it goes on away from the neck.
            let on_shoulder = below * smoothstep(0.3, 0.8, normal.y) * near(distance);
            let inwards = 0.35 * sleek * below * (1.0 - on_shoulder) - on_shoulder;
            let combed = combed * (1.0 - sleek * beside) + inward * inwards;
            let free = (at - self.centre).normalize_or(Vec3::Y);
            let mut wish = (combed + Vec3::NEG_Y) * droop + free * (1.0 - droop);
            if p.flick > 0.0 {
                let outwards = free.with_y(0.35).normalize_or(free);
                let tip = smoothstep(0.72, 0.95, s / length);
                wish = wish.normalize_or(Vec3::NEG_Y).lerp(outwards, p.flick * tip);
            }
            // What points into the head slides along it, the closer the more.
            let inwards = wish.dot(normal).min(0.0);
            wish -= normal * (inwards * (1.0 - smoothstep(0.0, 0.05 + volume, distance)));
            let mut blend = 1.0 - exp(-ds / bend_length);
            // What is left of the wish on level ground says little of where to go.
            blend *= 1.0 - on_shoulder * (1.0 - smoothstep(0.0, LEVEL, wish.length()));
            let wish = wish.normalize_or(Vec3::NEG_Y);
            way = (way * (1.0 - blend) + wish * blend).normalize_or(Vec3::NEG_Y);
            let mut next = at + way * ds;
            let (distance, normal) = self.body.grid.sample_with_normal(next);
            let wanted = (0.6 * s).min(
                STANDOFF + layer + 1.1 * p.curl_radius * smoothstep(0.0, curl_start, s / length),
            );
            if distance < wanted {
                next += normal * (wanted - distance).min(ds);
                way = (next - at).normalize_or(way);
                next = at + way * ds;
            }
            at = next;
            points.push(at);
            lands |= on_shoulder > 0.0;
        }
        if lands {
            let outside = |point| self.outside(point, length);
            unfold(&mut points, [2, UNFOLDED], |_| ds / LANDS_ROUND, outside);
            // What was smoothed is shorter: its tip goes on.
            for (i, way) in ways(&points).into_iter().enumerate() {
                points[i + 1] = outside(points[i] + way * ds);
            }
        }
        points.into_iter().step_by(fine as usize).collect()
    }

    fn strand(&self, root: &Root, lock: Option<&Lock>) -> Vec<Vec3> {
        let p = self.params;
        let draw = |salt: u64| signed(self.seed ^ salt, root.number);
        let own = lock.is_none().then(|| self.lock(root));
        let Some(lock) = lock.or(own.as_ref()) else {
            return vec![root.position];
        };
        let rim = uniform(self.seed ^ 0xaa11, root.number).sqrt();
        let length = lock.length * (1.0 + 0.3 * p.length_spread * draw(0x77aa));
        // The longest are in the middle, so that a lock tapers.
        let length = length * (1.0 - 0.25 * p.lock_spread * rim);
        let length = self.cut(root, share(root, length));
        let path = self.path(root, length);
        // The strand's place in the lock's cross-section.
        let angle = TAU * uniform(self.seed ^ 0xd15c, root.number);
        let place = p.lock_width * rim * lock.size;
        let part = LockPart::of([lock.size, angle], lock.number, self.seed);
        let phase = lock.phase + p.phase_spread * std::f32::consts::PI * draw(0x0fa5);
        let radius = lock.radius * (1.0 + 0.4 * p.curl_spread * draw(0x2b2b)) * root.curl;
        // All strands of a lock wind alike, whatever their own lengths.
        let finest = shortest_turn(lock.length, p.vertices as usize - 1);
        let pitch = lock.pitch.max(finest);
        let way = lock.part(root, length);
        let clump = self.own(root, 0xc1a9, p.clump).min(1.0);
        // One in five keeps to no lock, more or less.
        let free = smoothstep(0.8, 1.0, uniform(self.seed ^ 0xf4ee, root.number));
        let clump = clump * (1.0 - 0.9 * p.lock_spread * free);
        let frizz = self.own(root, 0xf4a2, p.frizz);
        let curl_start = self.own(root, 0xc5a7, p.curl_start).clamp(1e-3, 1.0);
        let mut points = Vec::with_capacity(path.len());
        let last = (path.len() - 1) as f32;
        let mut across = any_across(way[1] - way[0]);
        for i in 0..path.len() {
            let t = i as f32 / last;
            let s = t * length;
            let tangent = (way[(i + 1).min(path.len() - 1)] - way[i.saturating_sub(1)])
                .normalize_or(Vec3::NEG_Y);
            // Parallel transport: the part of the old axis still across.
            across = (across - tangent * across.dot(tangent)).normalize_or(any_across(tangent));
            let other = tangent.cross(across);
            let gathered = clump * smoothstep(0.02, 0.45, t);
            // To the bit as before where locks are alike: how hair ends after a violent
            // motion hangs on the last bits.
            let mut in_lock = way[i] + (across * cos(angle) + other * sin(angle)) * place;
            let parted = p.lock_spread * smoothstep(0.2, 0.85, t);
            if parted > 0.0 {
                let beside = Vec2::from_angle(angle) * place;
                let moved = (part.at(s, beside, p.lock_width) - beside) * parted;
                in_lock += across * moved.x + other * moved.y;
            }
            let middle = path[i].lerp(in_lock, gathered);
            let turns = TAU * s / pitch;
            // Waves of a lock that are not all as long.
            let wander = p.lock_spread * sin(turns * 0.37 + 5.0 * lock.phase);
            let turn = phase + lock.turn * TAU * s / pitch + lock.turn * wander;
            let wound = radius * smoothstep(0.0, curl_start, t) * p.curl_ramp.at(t);
            let mut point = middle + (across * cos(turn) + other * sin(turn)) * wound;
            point += self.frizz(root.number, s) * (frizz * length * smoothstep(0.0, 0.4, t));
            points.push(if i == 0 { root.position } else { point });
        }
        self.push_out(points, length)
    }

    /// A strand of that length with its vertices outside of the skin, where they do not make it
    /// turn much more than it did.
    fn push_out(&self, free: Vec<Vec3>, length: f32) -> Vec<Vec3> {
        let last = (free.len() - 1) as f32;
        let along = |i: usize| i as f32 / last * length;
        let pushed = free.iter().enumerate().skip(1);
        let pushed = pushed.map(|(i, point)| self.outside(*point, along(i)));
        let mut points: Vec<Vec3> = free[..1].iter().copied().chain(pushed).collect();
        let most = |i: usize| (turn(&free, i) + MORE_TURN).max(SHARP);
        unfold(&mut points, [2, UNFOLDED], most, |point| {
            self.outside(point, length)
        });
        points
    }

    /// Small waves that no two strands share.
    fn frizz(&self, index: u64, s: f32) -> Vec3 {
        let wave = |salt: u64| {
            let shift = TAU * uniform(self.seed ^ salt, index);
            let pace = 120.0 + 160.0 * uniform(self.seed ^ salt ^ 0x99, index);
            sin(pace * s + shift) + 0.6 * sin(2.3 * pace * s + 2.0 * shift)
        };
        Vec3::new(wave(0xf1), wave(0xf2), wave(0xf3))
    }

    /// Out of the head, by as much as the way from the root allows.
    fn outside(&self, point: Vec3, s: f32) -> Vec3 {
        let mut point = point;
        for _ in 0..3 {
            let (distance, normal) = self.body.grid.sample_with_normal(point);
            let wanted = STANDOFF.min(0.35 * s);
            if distance >= wanted {
                break;
            }
            point += normal * (wanted - distance);
        }
        point
    }
}

impl Lock {
    /// The part of its path that a strand of that `length` from `root` takes, as
    /// many points as the path has.
    fn part(&self, root: &Root, length: f32) -> Cow<'_, [Vec3]> {
        if root.length >= 1.0 {
            return Cow::Borrowed(&self.path);
        }
        let last = self.path.len() - 1;
        let share = (length / self.length.max(1e-6)).min(1.0);
        let point = |i: usize| {
            let at = i as f32 * share;
            let before = (at as usize).min(last - 1);
            self.path[before].lerp(self.path[before + 1], at - before as f32)
        };
        (0..=last).map(point).collect()
    }
}

/// One on the skin, none where hair does not land yet. `[m]`
fn near(distance: f32) -> f32 {
    1.0 - smoothstep(0.0, LANDS, distance - STANDOFF)
}

fn any_across(tangent: Vec3) -> Vec3 {
    tangent.normalize_or(Vec3::NEG_Y).any_orthonormal_vector()
}
