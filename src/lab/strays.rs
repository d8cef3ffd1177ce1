//! Hair keeps together: how many tips leave their neighbours when the head
//! shakes or the wind blows, and how well the hair rests as it was modelled
//! before and after.

use crate::{
    groom::Groom,
    math::Pose,
    mesh::CollisionMesh,
    sim::{MotionPreset, SimParams, Simulation, TorsoMode},
};
use glam::{DVec3, Vec3};
use rstar::{RTree, primitives::GeomWithData};
use std::sync::Arc;

/// Neighbours that a tip is compared with, those with the nearest roots.
pub const NEIGHBOURS: usize = 8;

/// A tip farther than this from where its neighbours' mean motion would have
/// taken it is a stray. `[m]`
pub const ASTRAY: f64 = 0.05;

/// How long hair may come to rest before the head moves, and after it. `[s]`
pub const STILL: f64 = 4.0;

/// How long the head moves. `[s]`
pub const MOVING: f64 = 2.0;

/// What was found of one head of hair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrayReading {
    /// Share of tips and steps, while the head moves, that are strays.
    pub strays: f64,
    /// How far tips go from where the head alone would have taken them while it
    /// moves, on average. `[m]`
    pub swing: f64,
    /// How far the farthest vertex of a strand is from where it was modelled, as
    /// a share of the strand's length, before the head moves: median, 99th
    /// percentile and largest of all strands.
    pub before: [f64; 3],
    /// The same when the hair has come to rest again.
    pub after: [f64; 3],
}

/// What disturbs the hair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disturbance {
    /// What the head does.
    pub preset: MotionPreset,
    /// How far to each side. `[°]`
    pub amplitude: f32,
    /// How often. `[Hz]`
    pub frequency: f32,
    /// The wind's speed, from the direction and with the gusts of the scene. `[m/s]`
    pub wind: f32,
}

/// A shake of the head.
pub const SHAKE: Disturbance = Disturbance {
    preset: MotionPreset::Shake,
    amplitude: 30.0,
    frequency: 1.5,
    wind: 0.0,
};

/// A violent one.
pub const VIOLENT_SHAKE: Disturbance = Disturbance {
    amplitude: 35.0,
    frequency: 2.5,
    ..SHAKE
};

/// A head in the wind.
pub const WIND: Disturbance = Disturbance {
    preset: MotionPreset::None,
    wind: 6.0,
    ..SHAKE
};

/// Nothing moves but the hair, and nothing changes by itself.
fn still(params: &SimParams) -> SimParams {
    let mut params = params.at(0.0).into_owned();
    params.tracks = Default::default();
    params.motion.preset = MotionPreset::None;
    params.torso.mode = TorsoMode::Off;
    (params.wind.on, params.fan.on) = (false, false);
    params
}

/// So many seconds in steps.
fn steps(params: &SimParams, seconds: f64) -> usize {
    (seconds * f64::from(params.step.rate)).round() as usize
}

/// Hair that has rested on the head in still air for [`STILL`], and
/// [`StrayReading::before`] of it; `params` are those of still air.
fn rested(
    groom: &Arc<Groom>,
    body: &Arc<CollisionMesh>,
    params: &SimParams,
) -> (Simulation, [f64; 3]) {
    let mut simulation = Simulation::new(groom.clone(), body.clone(), params);
    (0..steps(params, STILL)).for_each(|_| simulation.step(params));
    let mut places = Vec::new();
    simulation.write_positions(&mut places);
    let off = off(groom, &places, &simulation.pose());
    (simulation, off)
}

/// [`StrayReading::before`] alone: how well `groom` rests on `body` in still air.
pub fn at_rest(groom: &Arc<Groom>, body: &Arc<CollisionMesh>, params: &SimParams) -> [f64; 3] {
    rested(groom, body, &still(params)).1
}

/// Lets `groom` rest on `body` in still air, disturbs it and lets it come to rest
/// again.
pub fn measure(
    groom: &Arc<Groom>,
    body: &Arc<CollisionMesh>,
    params: &SimParams,
    disturbance: Disturbance,
) -> StrayReading {
    let mut params = still(params);
    let (mut simulation, before) = rested(groom, body, &params);
    let moving = steps(&params, MOVING);
    let neighbours = Neighbours::new(groom);
    let mut places = Vec::new();
    params.motion.preset = disturbance.preset;
    params.motion.amplitude = disturbance.amplitude;
    params.motion.frequency = disturbance.frequency;
    (params.wind.on, params.wind.strength) = (disturbance.wind > 0.0, disturbance.wind);
    let (mut strays, mut swing) = (0, 0.0);
    for _ in 0..moving {
        simulation.step(&params);
        simulation.write_positions(&mut places);
        let motions = motions(groom, &places, &simulation.pose());
        swing += motions.iter().map(|motion| motion.length()).sum::<f64>();
        strays += neighbours.strays(&motions);
    }
    params.motion.preset = MotionPreset::None;
    params.wind.on = false;
    (0..steps(&params, STILL)).for_each(|_| simulation.step(&params));
    simulation.write_positions(&mut places);
    let all = (moving * groom.strands()).max(1) as f64;
    StrayReading {
        strays: strays as f64 / all,
        swing: swing / all,
        before,
        after: off(groom, &places, &simulation.pose()),
    }
}

/// How far each tip is from where the head alone would have taken it. `[m]`
fn motions(groom: &Groom, places: &[Vec3], pose: &Pose) -> Vec<DVec3> {
    let tip = |strand: usize| groom.range(strand).end - 1;
    let motion = |strand: usize| {
        let place = pose.inverse_point(places[tip(strand)]);
        (place - groom.points[tip(strand)]).as_dvec3()
    };
    (0..groom.strands()).map(motion).collect()
}

/// For each strand the strands rooted nearest to it.
pub struct Neighbours(Vec<Vec<usize>>);

impl Neighbours {
    /// Those of `groom`.
    pub fn new(groom: &Groom) -> Self {
        let root = |strand: usize| groom.points[groom.range(strand).start].to_array();
        let roots = (0..groom.strands()).map(|strand| GeomWithData::new(root(strand), strand));
        let tree = RTree::bulk_load(roots.collect());
        let near = |strand: usize| {
            tree.nearest_neighbor_iter(root(strand))
                .map(|found| found.data)
                .filter(|other| *other != strand)
                .take(NEIGHBOURS)
                .collect()
        };
        Self((0..groom.strands()).map(near).collect())
    }

    /// How many tips leave the mean motion of their neighbours by more than [`ASTRAY`].
    pub fn strays(&self, motions: &[DVec3]) -> usize {
        let stray = |(motion, near): &(&DVec3, &Vec<usize>)| {
            let sum: DVec3 = near.iter().map(|other| motions[*other]).sum();
            !near.is_empty() && motion.distance(sum / near.len() as f64) > ASTRAY
        };
        motions.iter().zip(&self.0).filter(stray).count()
    }
}

/// How far the farthest vertex of a strand is from where it was modelled, as a
/// share of its length: median, 99th percentile and largest.
fn off(groom: &Groom, places: &[Vec3], pose: &Pose) -> [f64; 3] {
    let mut all: Vec<f64> = (0..groom.strands())
        .map(|strand| {
            let range = groom.range(strand);
            let rest = &groom.points[range.clone()];
            let length: f32 = rest.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let far = places[range].iter().zip(rest);
            let far = far.map(|(place, rest)| pose.inverse_point(*place).distance(*rest));
            f64::from(far.fold(0.0, f32::max) / length.max(1e-6))
        })
        .collect();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = all.len().saturating_sub(1);
        all.get((share * last as f64) as usize)
            .copied()
            .unwrap_or(0.0)
    };
    [at(0.5), at(0.99), at(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tip_that_goes_its_own_way_is_a_stray() {
        let points = (0..12).flat_map(|i| {
            let x = 0.01 * i as f32;
            [Vec3::new(x, 0.0, 0.0), Vec3::new(x, -0.1, 0.0)]
        });
        let groom = Groom {
            points: points.collect(),
            starts: (0..=12).map(|i| 2 * i).collect(),
            masses: vec![1.0; 12],
            ..Groom::default()
        };
        let near = Neighbours::new(&groom);
        assert!(near.0.iter().all(|near| near.len() == NEIGHBOURS));
        assert_eq!(near.0[0], [1, 2, 3, 4, 5, 6, 7, 8]);
        let mut places = groom.points.clone();
        // All tips go aside together: none is a stray.
        (0..12).for_each(|i| places[2 * i + 1].z += 0.09);
        let motion = |places: &[Vec3]| motions(&groom, places, &Pose::IDENTITY);
        assert_eq!(near.strays(&motion(&places)), 0);
        places[7].z -= 0.06;
        assert_eq!(near.strays(&motion(&places)), 1);
        let [median, _, most] = off(&groom, &places, &Pose::IDENTITY);
        assert!((median - 0.9).abs() < 1e-5 && (most - 0.9).abs() < 1e-5);
    }
}
