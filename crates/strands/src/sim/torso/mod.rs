//! Head and torso apart: the torso stays, or follows late, while the head turns,
//! and the skin bends in the neck between them.
//!
//! Everything is told in the head's space, where the rest of the simulation
//! lives: there the head rests and the torso turns the other way about the head's
//! pivot. Both go along when the head is moved.

mod bend;
mod clearance;
mod roots;
mod surface;
#[cfg(test)]
mod tests;
mod weights;

pub use bend::{NeckBand, NeckBend};
pub use surface::BentSurface;

use super::{
    params::{TorsoMode, TorsoParams},
    stand::Stand,
    state::{Block, Row},
};
use crate::{
    groom::Groom,
    math::{
        Pose,
        elementary::{atan2, exp},
    },
    mesh::{CollisionMesh, Neck},
};
use glam::{DQuat, Quat, Vec3};
use rayon::prelude::*;
use roots::LowRoots;
use std::sync::Arc;

/// A turn that is smaller is none. `[rad]`
const NONE: f64 = 1e-5;

/// When the torso is to go with the head from now on, it comes there in about this
/// time. `[s]`
const REJOIN: f64 = 0.15;

/// The torso of a head, and how it is turned.
#[derive(Clone, Debug)]
pub struct Torso {
    body: Arc<CollisionMesh>,
    groom: Arc<Groom>,
    low: LowRoots,
    /// Whether their roots are not all at rest.
    roots_moved: bool,
    pivot: Vec3,
    params: TorsoParams,
    band: NeckBand,
    /// How far from the pivot any of it reaches. `[m]`
    reach: f32,
    /// How it is turned as the head sees it; unit quaternion.
    turn: DQuat,
    stand: Stand,
    /// The neck when the last step began and after each of its substeps.
    bends: Vec<NeckBend>,
    /// How far it moves in a substep of that step at most, as the head sees it. `[m]`
    travel: f64,
    /// The same as the world sees it. `[m]`
    world_travel: f64,
}

/// How a step moves the head, for its torso.
#[derive(Clone, Copy, Debug)]
pub struct HeadStep {
    /// The head's rotation when the step begins and when it ends.
    pub head: [Quat; 2],
    /// How the person stands when it ends.
    pub stand: Stand,
    /// `[s]`
    pub seconds: f64,
    /// Parts of the step.
    pub substeps: usize,
    /// Whether the head jumps: then so does the torso.
    pub jumps: bool,
}

impl Torso {
    /// The torso below the head of `body`, which turns about `pivot` and has the hair
    /// of `groom`; it is where a head so turned wants it to be. `[m]`
    pub fn new(
        body: &Arc<CollisionMesh>,
        groom: &Arc<Groom>,
        pivot: Vec3,
        params: &TorsoParams,
        head: Quat,
        stand: Stand,
    ) -> Self {
        let band = band(body, pivot, params);
        let mut torso = Self {
            body: body.clone(),
            groom: groom.clone(),
            low: LowRoots::new(groom, &band),
            roots_moved: false,
            pivot,
            params: params.clone(),
            band,
            reach: reach(body, &band),
            turn: DQuat::IDENTITY,
            stand,
            bends: Vec::new(),
            travel: 0.0,
            world_travel: 0.0,
        };
        torso.reset(head, stand);
        torso
    }

    /// Puts it where a head so turned wants it to be, at once.
    pub fn reset(&mut self, head: Quat, stand: Stand) {
        self.stand = stand;
        let head = head.as_dquat().normalize();
        self.turn = match self.is_on() {
            true => self.held(head.conjugate() * self.goal(head)),
            false => DQuat::IDENTITY,
        };
        self.stop();
    }

    /// The same where the neck bends as `params` say.
    pub fn place(&mut self, params: &TorsoParams, head: Quat, stand: Stand) {
        self.take(params);
        self.reset(head, stand);
    }

    /// The same where `before` is, that of other hair on the same head.
    pub fn go_on_from(&mut self, before: &Self, params: &TorsoParams) {
        self.take(params);
        (self.turn, self.stand) = (before.turn, before.stand);
        self.stop();
    }

    /// Something has put head and torso elsewhere, together: the person stands so
    /// now.
    pub fn stands(&mut self, stand: Stand) {
        self.stand = stand;
    }

    /// Counts as not having moved in the last step.
    fn stop(&mut self) {
        self.bends = vec![NeckBend::new(self.band, self.turn.as_quat()); 2];
        (self.travel, self.world_travel) = (0.0, 0.0);
    }

    /// Turns it in one step of the head. Whether the neck bends elsewhere than it
    /// did, so that what hair knows of the skin is void.
    pub fn step(&mut self, params: &TorsoParams, step: &HeadStep) -> bool {
        let anew = self.take(params);
        if step.jumps {
            self.reset(step.head[1], step.stand);
            return true;
        }
        let [from, to] = step.head.map(|head| head.as_dquat().normalize());
        let was = from * self.turn;
        let mut now = was;
        if step.stand.whole == self.stand.whole {
            now = step.stand.rotation * self.stand.rotation.conjugate() * now;
        }
        self.stand = step.stand;
        let begins = self.turn;
        let kept = |delay: f64| exp(-step.seconds / delay);
        self.turn = match self.is_on() {
            true => {
                now = nearer(now, self.goal(to), kept(f64::from(self.params.delay)));
                self.held(to.conjugate() * now)
            }
            // One piece with the head, from where it is when it is turned off.
            false => self.held(nearer(begins, DQuat::IDENTITY, kept(REJOIN))),
        };
        let substeps = step.substeps.max(1);
        let share = |i| i as f64 / substeps as f64;
        let bend = |turn: DQuat| NeckBend::new(self.band, turn.as_quat());
        self.bends = match begins == self.turn {
            true => vec![bend(begins); 2],
            false => (0..=substeps)
                .map(|i| bend(begins.slerp(self.turn, share(i))))
                .collect(),
        };
        let way = f64::from(self.reach) / substeps as f64;
        self.travel = angle(begins.conjugate() * self.turn) * way;
        self.world_travel = angle(was.conjugate() * (to * self.turn)) * way;
        anew
    }

    /// Takes on where the neck shall bend. Whether that changes the skin.
    fn take(&mut self, params: &TorsoParams) -> bool {
        if self.params == *params {
            return false;
        }
        self.params = params.clone();
        let band = band(&self.body, self.pivot, params);
        if band == self.band {
            return false;
        }
        self.band = band;
        self.reach = reach(&self.body, &band);
        self.low = LowRoots::new(&self.groom, &band);
        !self.is_straight()
    }

    /// Whether it may turn otherwise than the head.
    fn is_on(&self) -> bool {
        match self.params.mode {
            TorsoMode::Off => false,
            TorsoMode::Auto => self.body.neck.is_some(),
            TorsoMode::On => true,
        }
    }

    /// Where it comes to if a head so turned rests.
    fn goal(&self, head: DQuat) -> DQuat {
        let stand = self.stand.rotation;
        let neck = shorter(stand.conjugate() * head);
        stand * DQuat::IDENTITY.slerp(neck, f64::from(self.params.follow))
    }

    /// No farther from the head than a neck lets it.
    fn held(&self, turn: DQuat) -> DQuat {
        let turn = shorter(turn.normalize());
        let most = f64::from(self.params.reach).to_radians();
        match angle(turn) {
            a if a < NONE => DQuat::IDENTITY,
            a if a > most => DQuat::IDENTITY.slerp(turn, most / a),
            _ => turn,
        }
    }

    /// Whether it was in all of the last step, and is, as the mesh has it.
    pub fn is_straight(&self) -> bool {
        self.bends.iter().all(NeckBend::is_straight)
    }

    /// The neck when the last step began and after each of its substeps; two times
    /// the same where it did not bend.
    pub fn bends(&self) -> &[NeckBend] {
        &self.bends
    }

    /// The neck now.
    pub fn bend(&self) -> NeckBend {
        NeckBend::new(self.band, self.turn.as_quat())
    }

    /// How far any of it moves in a substep of the last step, as the head sees it
    /// and as the world does. `[m]`
    pub fn travel(&self) -> [f64; 2] {
        [self.travel, self.world_travel]
    }

    /// Others move the roots from now on. Whether it had moved them.
    pub fn leave_roots(&mut self) -> bool {
        std::mem::take(&mut self.roots_moved)
    }

    /// Takes along what is rooted in the neck or below it, in the next step; at once
    /// under a head at `pose`, if there is one.
    pub fn move_roots(&mut self, blocks: &mut [Block<Row>], at_once: Option<&Pose>) {
        let straight = self.is_straight();
        // Once more after it has come back: then they rest.
        if !self.roots_moved && (straight || !self.low.any) {
            return;
        }
        let bend = self.bend();
        let blocks = blocks.par_iter_mut().enumerate();
        blocks.for_each(|(number, block)| {
            self.low
                .move_roots(&self.groom, &bend, number, block, at_once);
        });
        self.roots_moved = !straight;
    }

    /// Writes where `skin`, the head's vertices at rest, is now, in the head's
    /// space. `[m]`
    pub fn write_shape(&self, skin: &[Vec3], out: &mut Vec<Vec3>) {
        let bend = self.bend();
        skin.par_iter()
            .with_min_len(1 << 12)
            .map(|p| bend.point(*p))
            .collect_into_vec(out);
    }
}

/// Where the neck of `body` bends under these tunables.
fn band(body: &CollisionMesh, pivot: Vec3, params: &TorsoParams) -> NeckBand {
    let neck = body.neck.unwrap_or_else(|| {
        // What the head turns about has to do where the mesh shows no neck.
        let [low, high] = body.mesh.bounds();
        let across = high - low;
        Neck {
            centre: pivot,
            radius: 0.15 * (across.x + across.z),
        }
    });
    let place = [params.height, params.tilt.to_radians(), params.width];
    NeckBand::new(&neck, pivot, place)
}

/// How far what turns with the torso is from what it turns about. `[m]`
fn reach(body: &CollisionMesh, band: &NeckBand) -> f32 {
    let turned = body.mesh.positions.iter().filter(|p| band.level(**p) < 1.0);
    turned.map(|p| p.distance(band.pivot)).fold(0.0, f32::max)
}

/// The one of the two quaternions of a rotation that goes the shorter way.
fn shorter(turn: DQuat) -> DQuat {
    if turn.w < 0.0 { -turn } else { turn }
}

/// Of a rotation. `[rad]`
fn angle(turn: DQuat) -> f64 {
    2.0 * atan2(turn.xyz().length(), turn.w.abs())
}

/// What is left of the way to `goal` when that share of it is left.
fn nearer(from: DQuat, goal: DQuat, left: f64) -> DQuat {
    let apart = shorter(goal.conjugate() * from);
    match angle(apart) < NONE {
        true => goal,
        false => (goal * DQuat::IDENTITY.slerp(apart, left)).normalize(),
    }
}
