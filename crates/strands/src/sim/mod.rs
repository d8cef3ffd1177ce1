//! The simulation: a groom, a head, forces and a clock in; positions out.

pub mod air;
pub mod attachment;
mod begin;
mod block_roots;
pub mod cohesion;
pub mod collider;
pub mod constraint;
pub mod contact;
mod deforming_head;
pub mod forces;
mod gain;
pub mod hand;
pub mod head;
pub mod head_place;
pub mod keyframes;
mod measure;
pub mod memory;
pub mod method_params;
pub mod motion;
mod observe;
mod params;
pub mod root_motion;
pub mod runs;
pub mod shape;
mod skin;
pub mod softness;
pub mod solver;
pub mod stand;
pub mod state;
mod statistics;
mod step;
pub mod strand_contact;
mod take_over;
pub mod torso;
pub mod trace;
pub mod tracks;
mod turn_torso;
mod vertices;
pub mod volume;
mod wind_occlusion;

pub use params::*;
use skin::QueryKey;
pub use skin::{AUTO_GRID_VERTICES, skin};
pub use statistics::Statistics;

use crate::{groom::Groom, math::Pose, mesh::CollisionMesh};
use air::{Air, WindState};
use cohesion::Cohesion;
use collider::{Bodies, Collider, Union};
use contact::CollisionSurface;
use deforming_head::DeformingHead;
use glam::Quat;
use head::HeadMotion;
use rayon::prelude::*;
use state::{Block, Row, StrandState};
use std::{borrow::Cow, sync::Arc, time::Instant};
pub use step::{Clock, step_input};
use strand_contact::{StrandContact, Touching};
use torso::{BentSurface, Torso};
use trace::{Trace, Watched};
use volume::{GridMotion, HairVolume};
use wind_occlusion::WindOcclusion;

/// A head that turns or moves faster does not move but jumps: it takes the
/// hair along as it is. `[rad/s]`, `[m/s]`
const JUMP: [f32; 2] = [60.0, 20.0];

/// Hair in motion.
#[derive(Clone)]
pub struct Simulation {
    groom: Arc<Groom>,
    body: Arc<CollisionMesh>,
    state: StrandState,
    steps: u64,
    time: f64,
    pose: Pose,
    head: HeadMotion,
    /// Its skin, where that deforms.
    deforming_head: Option<Box<DeformingHead>>,
    /// What stays while the head turns, and how the head was turned when it last
    /// looked.
    torso: Torso,
    torso_head: Quat,
    /// Friction and repulsion between strands, through a grid of density and velocity.
    hair_volume: HairVolume,
    /// What holds the strands of a lock together.
    cohesion: Cohesion,
    /// Contact and friction between strands that touch.
    strand_contact: StrandContact,
    /// The head as the hair has followed it.
    grid_motion: GridMotion,
    wind: WindState,
    /// Made when the air first moves.
    wind_occlusion: Option<Box<WindOcclusion>>,
    step_seconds: f64,
    /// Where the softness slider has the hair: it follows in a while. None before a step.
    softness: Option<f32>,
    /// The bodies beside the head as the last step left them.
    colliders: Vec<Collider>,
    /// By what hair queried what it meets in the last step.
    queried: QueryKey,
    grabs: Vec<hand::Grab>,
    /// What the hairstyle binds to the head.
    ties: Vec<hand::Grab>,
    inspected: Option<usize>,
    /// What the last step, done again, did to the strand inspected, and its block then.
    trace: Option<(Trace, Block<Row>)>,
}

impl Simulation {
    /// Hair at rest on `body`, at time zero.
    pub fn new(groom: Arc<Groom>, body: Arc<CollisionMesh>, params: &SimParams) -> Self {
        let params = &*params.at(params.motion.track_time(0.0));
        let head = HeadMotion::new(&body.mesh, &params.motion).playing(body.footage.clone());
        let pose = head.pose(0.0);
        let mut state = StrandState::new(&groom, &pose);
        let mode = params.collision.mode;
        state.measure_clearance(skin::surface(&body, mode, groom.points.len()));
        let deforming_head = DeformingHead::new(&body, &groom).map(Box::new);
        let torso = Torso::new(
            &body,
            &groom,
            head.pivot,
            &params.torso,
            pose.rotation,
            head.stand(0.0),
        );
        let mut simulation = Self {
            ties: hand::ties(&groom),
            groom,
            body,
            deforming_head,
            torso,
            torso_head: pose.rotation,
            state,
            steps: 0,
            time: 0.0,
            pose,
            head,
            hair_volume: HairVolume::default(),
            cohesion: Cohesion::default(),
            strand_contact: StrandContact::default(),
            grid_motion: GridMotion::still(pose),
            wind: WindState::default(),
            wind_occlusion: None,
            step_seconds: 0.0,
            softness: None,
            colliders: Vec::new(),
            queried: QueryKey::of(&params.collision),
            grabs: Vec::new(),
            inspected: None,
            trace: None,
        };
        simulation.place_deforming_head(None);
        simulation.place_torso();
        simulation
    }

    /// Advances by one step of `1 / params.step.rate` seconds. Runs on the
    /// rayon pool it is called in; the result does not depend on its size. Hair follows
    /// `params.step.softness` in half a second from end to end.
    pub fn step(&mut self, params: &SimParams) {
        let begun = Instant::now();
        self.step_chosen(params, None);
        self.step_seconds = begun.elapsed().as_secs_f64();
    }

    /// The same, and shows the hair and the head as they were at the end of
    /// every substep but the last. Each of them is worked out anew from the
    /// step's begin: slow, and the same bits but while a method still eases in.
    pub fn step_seen(&mut self, params: &SimParams, see: See) {
        self.step_chosen(params, Some(see));
    }

    fn step_chosen(&mut self, params: &SimParams, see: Option<See>) {
        let mut params = self.params_now(params);
        let (wanted, seconds) = (params.step.softness, 1.0 / params.step.rate as f32);
        let softness = softness::eased(self.softness, wanted, seconds);
        if softness != wanted {
            params.to_mut().step.softness = softness;
        }
        self.softness = Some(softness);
        // The method's stiffnesses, once for all strands.
        let solver = solver::chosen(&params).solver(&params);
        self.step_with(&params, solver.as_ref(), see);
    }

    /// Lets the strands act on one another as a volume of hair, once: the first
    /// part of [`step`](Self::step), by itself, which changes velocities at once whatever the
    /// method. `seconds` is the step's length.
    pub fn step_volume(&mut self, params: &SimParams, seconds: f64) {
        self.hair_volume
            .act(&mut self.state, &self.grid_motion, &params.volume, seconds);
    }

    /// Lets the strands of each lock act on one another, once: the second part of
    /// [`step`](Self::step), by itself, at once as well. `seconds` is the step's length.
    pub fn step_cohesion(&mut self, params: &SimParams, seconds: f64) {
        self.cohesion.act(
            &mut self.state,
            &self.grid_motion,
            &params.cohesion,
            seconds,
        );
    }

    /// As [`step_seen`](Self::step_seen), by a method that was prepared elsewhere, and with
    /// the parameters as they are, whatever their tracks say and however soft hair was before.
    pub fn step_with(
        &mut self,
        params: &SimParams,
        solver: &dyn solver::Solver,
        mut see: Option<See>,
    ) {
        let seconds = 1.0 / f64::from(params.step.rate);
        let (poses, jumps) = self.move_head(params, seconds);
        self.move_deforming_head(params, seconds, jumps, &poses[0]);
        let torso_travel = self.turn_torso(params, seconds, jumps, &poses);
        // Where strands meet: from velocities to velocities.
        self.state.spread_gains(solver.spreads_gains());
        self.step_volume(params, seconds);
        self.step_cohesion(params, seconds);
        self.place_attachments(&poses[poses.len() - 1]);
        let clock = Clock {
            time: self.time,
            poses,
            pivot: self.head.pivot,
            radius: self.head.radius,
            air: self.air(params, seconds),
            vertices: self.groom.points.len(),
            lightest: self.state.lightest,
        };
        let bodies = self.bodies(params, &clock.poses);
        let straight = match (bent_skin(&self.deforming_head), params.collision.mode) {
            (Some(bent), mode) if mode != CollisionMode::Off => Some(bent),
            _ => skin(&self.body, &params.collision, clock.vertices),
        };
        let bent_neck = straight
            .filter(|_| !self.torso.is_straight())
            .map(|skin| BentSurface::new(skin, self.torso.bends()));
        let union = Union {
            head: match &bent_neck {
                Some(bent) => Some(bent),
                None => straight,
            },
            bodies: &bodies,
        };
        let skin: Option<&dyn CollisionSurface> = match bodies.is_empty() {
            true => union.head,
            false => Some(&union),
        };
        let deforming_head = self
            .deforming_head
            .as_ref()
            .filter(|deforming_head| !deforming_head.rests());
        let bent = deforming_head.map(|deforming_head| {
            f64::from(deforming_head.farthest()) / f64::from(params.step.substeps())
        });
        let mut input = step_input(params, clock, skin, bodies.travel, bent);
        input.torso_travel = torso_travel[0];
        input.head_travel += torso_travel[1];
        // Roots may go with the torso under a head that rests.
        input.still &= torso_travel[0] == 0.0;
        let touch = solver.strand_contact();
        // Done again by itself, a strand that touches others would go elsewhere.
        let watched = self.inspected.filter(|_| touch.is_none());
        let watched = watched.and_then(|strand| self.watched(strand));
        if let (Some(see), None) = (&mut see, &touch) {
            for substeps in 1..input.substeps {
                let part = input.cut(substeps);
                let mut state = self.state.clone();
                state.advance(solver, &part);
                see(substeps, &state, &part.poses[substeps]);
            }
        }
        // Every block through all its substeps; blocks do not meet.
        let held = self.state.held();
        match touch {
            None => {
                self.strand_contact.rest(&mut self.state);
                self.state.advance(solver, &input);
            }
            Some(touch) => {
                let touching = Touching {
                    params: &touch,
                    solver,
                    input: &input,
                };
                self.strand_contact.step(&mut self.state, &touching, see);
            }
        }
        self.state.spread_gains(false);
        self.state.tauten(&held, seconds);
        self.trace = watched.map(|watched| watched.trace(solver, &input));
        self.pose = input.poses[input.substeps];
        self.grid_motion = GridMotion {
            now: self.pose,
            before: input.poses[input.substeps - 1],
            seconds: input.h,
        };
        self.steps += 1;
        self.time += seconds;
    }

    /// The head at the start and after each substep of a step. Takes the hair
    /// along where it shall not feel that motion, or not all of it.
    fn move_head(&mut self, params: &SimParams, seconds: f64) -> (Vec<Pose>, bool) {
        self.head.follow(&params.motion, self.time);
        let substeps = params.step.substeps();
        let time = |i: u32| self.time + seconds * f64::from(i) / f64::from(substeps);
        let mut poses: Vec<Pose> = (0..=substeps).map(|i| self.head.pose(time(i))).collect();
        poses[0] = self.pose;
        for i in 1..poses.len() {
            poses[i] = poses[i].beside(&poses[i - 1]);
        }
        let goal = poses[substeps as usize];
        let turn = self.pose.rotation.angle_between(goal.rotation);
        let way = self.pose.translation.distance(goal.translation);
        // The angle between two almost equal quaternions is noisy, but small.
        let jumps = turn > JUMP[0] * seconds as f32
            || way > JUMP[1] * seconds as f32
            || self.head.cuts(self.time, self.time + seconds);
        let inertia = if jumps { 0.0 } else { params.motion.inertia };
        if inertia < 1.0 && self.pose != goal {
            // All of the step's motion but that share is a motion of hair and
            // head as one; what the solver sees is the rest.
            for pose in &mut poses {
                *pose = pose.between(&goal, 1.0 - inertia);
            }
            if inertia == 0.0 {
                poses.fill(goal);
            }
            poses[substeps as usize] = goal;
            self.take_along(poses[0]);
        }
        (poses, jumps)
    }

    /// Lets a skin that deforms do so, and take the roots along; where the
    /// head jumps to `pose`, so does all of it.
    fn move_deforming_head(&mut self, params: &SimParams, seconds: f64, jumps: bool, pose: &Pose) {
        let Some(deforming_head) = &mut self.deforming_head else {
            return;
        };
        let rested = deforming_head.rests();
        let playback = self.head.playback(self.time + seconds);
        deforming_head.step(playback, seconds, params.step.substeps() as usize);
        if rested && deforming_head.rests() {
            return;
        }
        let moved = self.torso.leave_roots();
        let deforming_head = &**deforming_head;
        let blocks = self.state.blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            deforming_head.move_roots(number, block, moved);
            if jumps {
                block.jump(pose);
            }
        });
        if jumps && let Some(deforming_head) = &mut self.deforming_head {
            deforming_head.stop();
        }
    }

    /// The skin and the roots as they are when hair begins: deformed by that `share`, or
    /// wholly where frames play.
    fn place_deforming_head(&mut self, share: Option<f64>) {
        let Some(deforming_head) = &mut self.deforming_head else {
            return;
        };
        let playback = self.head.playback(self.time);
        let moved = playback.on && self.torso.leave_roots();
        deforming_head.place(playback, &mut self.state.blocks, &self.pose, moved, share);
    }

    /// The air over the next step.
    fn air(&mut self, params: &SimParams, seconds: f64) -> Air {
        let air = self.wind.pass(params, seconds);
        let middle = self.pose.point(self.head.pivot);
        match air.ways(middle) {
            Some(ways) if params.wind.lee > 0.0 => {
                let wind_occlusion = self.wind_occlusion.get_or_insert_with(|| {
                    let groom = &self.groom;
                    // What nobody has cut or combed is as it was grown.
                    let rest = match self.state.edits {
                        0 => Cow::Borrowed(&groom.points),
                        _ => Cow::Owned(self.state.rest_points()),
                    };
                    Box::new(WindOcclusion::new(groom, &rest, &self.body))
                });
                let (turn, place) = (self.pose.rotation, self.pose.translation);
                air.behind(wind_occlusion.lee(ways, turn, place, params.wind.lee))
            }
            _ => air,
        }
    }

    /// Moves the head to `goal` at once and the hair with it, rigidly: nothing
    /// whips. Until the next reset its own motion goes on about there.
    pub fn carry(&mut self, goal: Pose) {
        self.take_along(goal);
        self.head.put(&goal, self.time);
        // The torso is taken along, too.
        self.torso_head = goal.rotation;
        self.torso.stands(self.head.stand(self.time));
    }

    fn take_along(&mut self, goal: Pose) {
        let from = self.pose;
        self.state
            .blocks
            .par_iter_mut()
            .for_each(|block| block.carry(&from, &goal));
        self.pose = goal;
        self.grid_motion = self.grid_motion.carried(goal);
        // What stands in the world is somewhere else now.
        if self.colliders.iter().any(|body| !body.follows_head) {
            self.invalidate();
        }
    }

    /// Lets all hair query what it may touch: that is not what it was.
    fn invalidate(&mut self) {
        self.state.blocks.par_iter_mut().for_each(Block::invalidate);
    }

    /// The bodies beside the head over a step; where they push by springs, does
    /// so and answers none.
    fn bodies(&mut self, params: &SimParams, poses: &[Pose]) -> Bodies {
        let h = 1.0 / (f64::from(params.step.rate) * f64::from(params.step.substeps()));
        let now = &params.colliders;
        let mut bodies = Bodies::new(&self.colliders, now, poses, h);
        let collision = &params.collision;
        let springs = collision.response == Response::Penalty;
        if springs {
            let (margin, stiffness) = (collision.margin, collision.stiffness);
            let seconds = h * f64::from(params.step.substeps());
            self.state.blocks.par_iter_mut().for_each(|block| {
                let spring = (f64::from(margin), f64::from(stiffness));
                collider::push(block, &bodies, spring, seconds, h);
            });
            bodies = Bodies::default();
        }
        let key = QueryKey::of(collision);
        if bodies.anew || key != self.queried {
            self.invalidate();
        }
        self.queried = key;
        if self.colliders != *now {
            self.colliders.clone_from(now);
        }
        bodies
    }

    /// Lets go of the roots: from now on strands fall freely.
    pub fn set_free(&mut self) {
        self.state
            .blocks
            .iter_mut()
            .for_each(|block| block.pinned = 0);
    }

    /// From now on notes what each constraint does to strand `strand` of the
    /// groom, or to none. A strand that does not exist counts as none.
    pub fn inspect(&mut self, strand: Option<usize>) {
        self.inspected = strand;
        self.trace = None;
    }

    /// What the last step did to the strand being inspected.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref().map(|(trace, _)| trace)
    }

    /// The block of strand `strand` before a step.
    fn watched(&self, strand: usize) -> Option<Watched> {
        let lane = strand % state::LANES;
        let block = self.state.blocks.get(strand / state::LANES)?;
        (lane < block.strands).then(|| Watched::new(strand, block, lane))
    }
}

/// Shown the number of substeps done, the hair and the head after them.
type See<'a> = &'a mut dyn FnMut(usize, &StrandState, &Pose);

/// The skin of a head that deforms.
fn bent_skin(deforming_head: &Option<Box<DeformingHead>>) -> Option<&dyn CollisionSurface> {
    let deforming_head = deforming_head
        .as_deref()
        .filter(|deforming_head| !deforming_head.rests())?;
    Some(deforming_head as &dyn CollisionSurface)
}
