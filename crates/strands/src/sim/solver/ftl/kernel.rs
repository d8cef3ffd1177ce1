//! The step of Dynamic Follow-The-Leader.

use super::params::{FtlParams, ID};
use crate::{
    math::{
        elementary::pow,
        lanes::{Lane, V3},
    },
    sim::{
        constraint::{part_of, stiffness_per_pass},
        contact::{self, SurfaceMotion},
        params::StepParams,
        softness::Softness,
        solver::{
            BlockStep, Scratch, StepInput,
            dispatch::{Kernel, compiled},
            fabrik::reach,
            frames::{self, Bishop},
            particle::ParticleSubstep,
        },
        state::Block,
        trace::Observer,
    },
};

// Numbers of the corrections.
const SHAPE: usize = 0;
const CURL: usize = 1;
const CONTACT: usize = 2;
const FRICTION: usize = 3;
const LENGTH: usize = 4;

/// One step's worth of constants.
#[derive(Clone, Debug)]
pub struct Ftl {
    /// s_damping.
    damping: f64,
    /// Share of the way to the rest shape in one substep.
    curl: f64,
    /// Share of the velocity that is left after a substep.
    kept: f64,
    /// Share of the way to the hairstyle, at the root and at the tip.
    shape: [f64; 2],
    /// Share of the modelled weight that the rest state carries.
    carried: f64,
}

/// What a row's vertex hands to the next one, for the lanes of a register.
#[derive(Clone, Copy)]
struct Leader<T> {
    place: V3<T>,
    /// Velocity but for what the next correction gives back. `[m/s]`
    speed: V3<T>,
    frame: Bishop<T>,
}

/// What all vertices of a substep share, for the lanes of a register.
struct FtlLanes<T> {
    shared: ParticleSubstep<T>,
    drift: SurfaceMotion<T>,
    /// Whether there is a pull of the hairstyle, and of the curl.
    styled: bool,
    curled: bool,
    curl: T,
    /// Share of a curl's own motion that is taken away.
    calm: T,
    /// Pull of the hairstyle at the root, and what each vertex adds to it.
    shape: T,
    slope: T,
    given_back: T,
    leader: Leader<T>,
}

impl Ftl {
    /// Prepares a step.
    pub fn new(params: &FtlParams, step: &StepParams) -> Self {
        let softness = Softness::new(step);
        let per_second = f64::from(step.rate) * f64::from(step.substeps());
        let stiffness =
            |k: f32| stiffness_per_pass(softness.of_share(f64::from(k)), 1.0, per_second);
        Self {
            damping: f64::from(params.damping),
            curl: stiffness(params.curl),
            // Quoted for 1/60 s.
            kept: pow(1.0 - f64::from(params.calm), 60.0 / per_second),
            shape: [1.0, params.shape_tip].map(|share| stiffness(params.shape * share)),
            carried: softness.carried(params.sag_free),
        }
    }

    #[inline(always)]
    fn lanes<T: Lane>(&self, shared: ParticleSubstep<T>, h: f64, ease: f64) -> FtlLanes<T> {
        FtlLanes {
            drift: SurfaceMotion::new(&shared.head),
            styled: self.shape[0] > 0.0,
            curled: self.curl > 0.0,
            curl: T::splat(self.curl * ease),
            calm: T::splat(critical(self.curl * ease)),
            shape: T::splat(self.shape[0] * ease),
            slope: T::splat((self.shape[1] - self.shape[0]) * ease) / shared.last,
            given_back: T::splat(self.damping / h),
            leader: Leader {
                place: V3::zero(),
                speed: V3::zero(),
                frame: Bishop {
                    tangent: V3::zero(),
                    normal: V3::zero(),
                },
            },
            shared,
        }
    }

    /// One substep: all vertices from root to tip.
    #[inline(always)]
    fn sweep<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        shared: &ParticleSubstep<B>,
        lanes: &mut [FtlLanes<T>],
        note: &mut impl Observer<T>,
    ) {
        let (block, scratch, input) = (&mut *step.block, &mut *step.scratch, step.input);
        for i in 0..block.rows {
            scratch.ahead.prefetch(&shared.head, i);
            update_planes::<B, T>(block, scratch, input, shared, i);
            let mut fastest = T::zero();
            for hand in &mut *lanes {
                if i == 0 {
                    hand.leader = root(block, scratch, input, hand);
                    continue;
                }
                note.turn_to(hand.shared.head.first);
                let moved = follow(block, scratch, input, hand, i, note);
                fastest = fastest.max(moved);
            }
            if input.skin.is_some() {
                contact::record_farthest::<B, T>(block, input, i, fastest.largest());
            }
        }
        let tip = block.rows - 1;
        for hand in lanes {
            block.velocity[tip].paste(hand.shared.head.first, hand.leader.speed);
        }
    }
}

/// The share c of its speed that a vertex must lose in each substep where it is
/// drawn a share k of the way to its goal, so that it arrives and does not swing
/// through: x'' = (1 - k) (x + (1 - c) (x - x_before)) has a double root where
/// (1 - k) (2 - c)² = 4 (1 - c), so c = 2 s / (1 + s) with s = sqrt(k). Vertices
/// that follow one another would make each swing larger than the one before.
#[inline(always)]
fn critical<T: Lane>(k: T) -> T {
    let s = k.sqrt();
    (s + s) / (T::splat(1.0) + s)
}

/// Lets row `i` query the skin where it must; `T` is a register.
#[inline(always)]
fn update_planes<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    shared: &ParticleSubstep<B>,
    i: usize,
) {
    contact::turn_torso_planes(block, input, &shared.head, i, |block| {
        block.position[i] - shared.head.root_moved
    });
    if let Some(skin) = contact::skin_to_query(block, input, i) {
        let kept = (block.position[i], block.velocity[i]);
        shared.predict(block, scratch, input, i);
        shared.grip(block, scratch, input, i);
        contact::query_vertices::<B, T>(block, scratch, input, &shared.head, i, skin);
        (block.position[i], block.velocity[i]) = kept;
    }
}

/// The vertex at the root.
#[inline(always)]
fn root<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    hand: &FtlLanes<T>,
) -> Leader<T> {
    let shared = &hand.shared;
    let first = shared.head.first;
    let start = block.position[0].cut(first) - shared.head.root_moved;
    let place = if block.pinned > 0 {
        shared.target(block, input, 0)
    } else {
        let speed = shared.falling(scratch, block.velocity[0].cut(first), 0);
        start + speed.scale(shared.h)
    };
    block.position[0].paste(first, place);
    scratch.before[0].paste(first, start);
    Leader {
        place,
        speed: (place - start).scale(shared.per_h),
        frame: block.shape.root(shared.head.rest_frame(), first),
    }
}

/// Vertex `i` behind its leader; answers how far it moved,
/// as the head sees it.
#[inline(always)]
fn follow<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    hand: &mut FtlLanes<T>,
    i: usize,
    note: &mut impl Observer<T>,
) -> T {
    let (shared, head) = (&hand.shared, &hand.shared.head);
    let first = head.first;
    let (zero, mut leader) = (T::zero(), hand.leader);
    let inner = leader.place;
    let start = block.position[i].cut::<T>(first) - head.root_moved;
    scratch.before[i].paste(first, start);
    let near = block.proximity[i].near;
    let mut bounce = None;
    let (place, gave);
    let (from, to) = frames::chord(i, block.rows);
    let length: T = block.shape.lengths[i].cut(first);
    if hand.curled && frames::turns(i) {
        let ahead = block.position[to].cut::<T>(first) - head.root_moved;
        let chord = ahead - scratch.before[from].cut(first);
        leader.frame = leader.frame.towards(chord, length);
    }
    if i < block.pinned {
        place = shared.target(block, input, i);
        gave = V3::zero();
    } else {
        let mut velocity = block.velocity[i].cut::<T>(first);
        let (mut shape, mut curl) = (hand.shape + hand.slope * T::splat(i as f64), hand.curl);
        let mut calm = hand.calm;
        if let (Some(here), Some(before)) = (block.stiff(i, first), block.stiff(i - 1, first)) {
            // The edge turns at the vertex that it leaves.
            (shape, curl) = (part_of(shape, here), part_of(curl, before));
            calm = critical(curl);
        }
        if hand.curled {
            let (inner, outer) = (
                block.velocity[from].cut(first),
                block.velocity[to].cut(first),
            );
            let mut share = T::splat((i - from) as f64 / (to - from) as f64);
            if to >= block.shortest {
                // The chord of a shorter strand ends at its own tip.
                let to = T::splat(to as f64).min(shared.last);
                let span = (to - T::splat(from as f64)).max(T::splat(1.0));
                share = T::splat((i - from) as f64) / span;
            }
            let smooth: V3<T> = inner + (outer - inner).scale(share);
            if !block.attachments.is_empty() {
                calm = calm * scratch.free[i].cut(first);
            }
            velocity = velocity + (smooth - velocity).scale(calm);
        }
        let velocity = shared.falling(scratch, velocity, i);
        let mut drawn = V3::zero();
        let mut p = start + velocity.scale(shared.h);
        if !block.attachments.is_empty() {
            let free = scratch.free[i].cut(first);
            (shape, curl) = (shape * free, curl * free);
        }
        if hand.styled {
            let pull = (shared.target(block, input, i) - p).scale(shape);
            note.note(SHAPE, i, pull);
            p = p + pull;
        }
        if hand.curled {
            let goal = inner + leader.frame.edge(block.shape.edges[i].cut(first));
            drawn = (goal - p).scale(curl);
            note.note(CURL, i, drawn);
            p = p + drawn;
        }
        let mut skin = (V3::zero(), zero);
        if near {
            skin = contact::tangent_plane(block, input, head, i);
            let normal = skin.0;
            let push = contact::plane(p, normal, skin.1);
            if zero.any_less(push) {
                let out = p + normal.scale(push);
                note.note(CONTACT, i, normal.scale(push));
                let drift = contact::drift(block, input, head, i);
                let carried = [hand.drift.at(start) + drift; 2];
                let way = [start, out];
                (p, bounce) = contact::rub_and_bounce(way, velocity, carried, normal, push, input);
                note.note(FRICTION, i, p - out);
            }
        }
        let edge = p - inner;
        let far = edge.dot(edge).max(T::splat(1e-20)).sqrt();
        let way = edge.scale(T::splat(1.0) / far);
        let mut kept = inner + way.scale(length);
        if near {
            let below = contact::plane(kept, skin.0, skin.1);
            if zero.any_less(below) {
                let slid = along_skin(inner, way, length, skin.0, skin.1);
                let mask = zero.less(below, T::splat(1.0), zero);
                note.note(CONTACT, i, (slid - kept).scale(mask));
                kept = slid.select(mask, kept);
            }
        }
        note.note(LENGTH, i, kept - p);
        gave = p - kept - drawn;
        place = kept;
    }
    let mut given_back = hand.given_back;
    if !block.attachments.is_empty() {
        // A vertex that a grip leads goes where that wants it.
        given_back = given_back * scratch.free[i - 1].cut(first);
    }
    let mut moved = place - start;
    let mut speed = moved.scale(shared.per_h);
    if let Some(bounce) = bounce {
        speed = speed + bounce;
    }
    if i >= block.shortest {
        // What lies behind a tip goes with it and pulls at nothing.
        let alive: T = block.alive(i).cut(first);
        given_back = given_back * alive;
        speed = speed.select(alive, leader.speed);
    }
    // What rides on the head feels nothing of a hair.
    let given = match i > block.pinned {
        true => gave.scale(given_back),
        false => V3::zero(),
    };
    block.velocity[i - 1].paste(first, leader.speed + given);
    block.position[i].paste(first, place);
    (leader.place, leader.speed) = (place, speed);
    hand.leader = leader;
    if !input.still
        && input.skin.is_some()
        && contact::tracks_each_vertex(&block.proximity[i], input)
    {
        // What counts is how the head sees it.
        let slid = moved - hand.drift.at(start) - contact::drift(block, input, head, i);
        moved = slid;
    }
    let moved = moved.dot(moved).sqrt();
    contact::reduce_room(block, input, i, first, moved);
    moved
}

/// Where a vertex goes that its length would put below the skin: along the
/// tangent plane, as far from `inner` as before. Where the plane is out of
/// reach, straight towards it. Not [`contact::on_skin`], which leaves an edge between two
/// lengths as long as it is: here it has one length, and a direction but no end yet.
#[inline(always)]
fn along_skin<T: Lane>(inner: V3<T>, way: V3<T>, length: T, normal: V3<T>, offset: T) -> V3<T> {
    let along = way.across(normal);
    let rise = (offset - normal.dot(inner)).min(length).max(-length);
    let reach = (length * length - rise * rise).max(T::zero());
    let stride = (reach / along.dot(along).max(T::splat(1e-12))).sqrt();
    inner + normal.scale(rise) + along.scale(stride)
}

compiled!(Ftl);

impl Kernel for Ftl {
    const CORRECTIONS: &'static [&'static str] =
        &["Shape", "Curl", "Contact", "Friction", "Length"];

    #[inline(always)]
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N) {
        let ease = step.block.take_over_shape(ID, step.seconds());
        step.begin();
        let mut lanes = Vec::with_capacity(B::LANES / T::LANES);
        for substep in 0..step.input.substeps {
            let shared = ParticleSubstep::new(step.block, step.input, substep, self.carried)
                .eased(ease, self.kept);
            if !step.block.attachments.is_empty() {
                reach(step.block, step.scratch, &shared, step.input);
            }
            lanes.clear();
            for first in (0..B::LANES).step_by(T::LANES) {
                note.begin(first, step.block.rows);
                lanes.push(self.lanes(shared.cut(first), step.input.h, ease));
            }
            self.sweep(step, &shared, &mut lanes, note);
            step.depenetrate(&shared.head, [1.0; 2]);
        }
    }
}
