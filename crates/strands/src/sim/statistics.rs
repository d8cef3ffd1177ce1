//! What can be measured of hair in motion.

use super::{
    SimParams,
    collide::CollisionSurface,
    collider::Bodies,
    forces,
    softness::Softness,
    solver::{
        der,
        material::{RodMaterial, line_density},
        method,
        rod::{self, RodStats},
    },
    state::{Block, Row, StrandState},
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
        rotation::Q,
    },
    mesh::{Body, DistanceGrid},
};
use glam::Vec3;
use rayon::prelude::*;

/// Mass of a strand for each metre where the method knows no material: 80 µm
/// thick, 1320 kg/m³. `[kg/m]`
const LINE_DENSITY: f64 = 6.6e-6;

/// The state of all strands in a few numbers, for the status line and files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Largest relative lengthening of any segment (0.01 = 1 %).
    pub max_stretch: f32,
    /// Mean relative change of length, taken absolute.
    pub mean_stretch: f32,
    /// Deepest vertex below the skin, or below its rest place where that lies deeper. `[m]`
    pub max_penetration: f32,
    /// Vertices below the skin by more than a hundredth of a millimetre.
    pub penetrating: u32,
    /// Kinetic energy of all strands. `[J]`
    pub kinetic: f64,
    /// Potential energy in gravity, from the height of the world's origin. `[J]`
    pub potential: f64,
    /// Strands that had to be put back because a number was not finite, in all.
    pub nonfinite: u64,
    /// Energy of bending and twisting; 0 where a method without it is at work. `[J]`
    pub elastic: f64,
    /// Share of the strands that are made stiffer than their material so that
    /// they hold the groom; 0 where no rods are at work.
    pub held: f32,
    /// How many times stiffer the stiffest is made; 1 where none is.
    pub hold: f32,
    /// What the rod solver has had to do since the hair was grown.
    pub effort: RodStats,
    /// Inner steps that a strand took in the last substep, on average; 0 where
    /// no elastic rods are at work.
    pub inner_steps: f32,
    /// Share of the strands that are softer than their material, because they
    /// ask for more inner steps than are allowed.
    pub softened: f32,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            max_stretch: 0.0,
            mean_stretch: 0.0,
            max_penetration: 0.0,
            penetrating: 0,
            kinetic: 0.0,
            potential: 0.0,
            nonfinite: 0,
            elastic: 0.0,
            held: 0.0,
            hold: 1.0,
            effort: RodStats::default(),
            inner_steps: 0.0,
            softened: 0.0,
        }
    }
}

impl Statistics {
    /// Share of strands and substeps since `before` that took another Newton
    /// pass than all take; 0 where there were no substeps.
    pub fn extra_passes(&self, before: &RodStats) -> f32 {
        let extra = self.effort.extra.saturating_sub(before.extra);
        match self.effort.substeps.saturating_sub(before.substeps) {
            0 => 0.0,
            substeps => (extra as f64 / substeps as f64) as f32,
        }
    }
}

#[derive(Default)]
struct Sums {
    worst: f64,
    stretch: f64,
    segments: u64,
    depth: f64,
    inside: u32,
    kinetic: f64,
    potential: f64,
    resets: u64,
    elastic: f64,
    strands: usize,
    held: usize,
    hold: f64,
    effort: RodStats,
    inner: f64,
    softened: usize,
}

/// Where the distance grid says more, the true surface is not asked: the grid is
/// never so wrong. `[m]`
const FAR: f32 = 0.01;

/// What all blocks are measured by.
struct Gauge<'a> {
    skin: Option<&'a dyn CollisionSurface>,
    /// Tells quickly what is far from the skin; none on a head that deforms.
    grid: Option<&'a DistanceGrid>,
    bodies: Bodies,
    pose: Pose,
    gravity: f64,
    /// `[kg/m]`
    line_density: f64,
    /// Where rods are at work.
    material: Option<RodMaterial>,
}

/// Measures all strands, on the skin of `body` or on another one; sums run in the order of the blocks, so they do not
/// depend on the number of threads.
pub(super) fn measure(
    state: &StrandState,
    body: &Body,
    bent: Option<&dyn CollisionSurface>,
    pose: Pose,
    params: &SimParams,
) -> Statistics {
    let stiffness = match params.step.solver.as_str() {
        rod::ID => Some(params.rod.stiffness),
        der::ID => Some(params.der.stiffness),
        _ => None,
    };
    let softness = Softness::new(&params.step).stiffness;
    let material = method(&params.step.solver).is_some_and(|method| method.material);
    let gauge = Gauge {
        skin: bent.or_else(|| super::skin(body, &params.collision, usize::MAX)),
        grid: bent.is_none().then_some(&body.grid),
        bodies: Bodies::resting(&params.colliders, pose),
        pose,
        gravity: f64::from(-forces::gravity(&params.forces).y),
        line_density: match material {
            true => line_density(&params.material),
            false => LINE_DENSITY,
        },
        material: stiffness.map(|k| RodMaterial::new(&params.material, f64::from(k) * softness)),
    };
    let parts: Vec<Sums> = state
        .blocks
        .par_iter()
        .map(|block| measure_block(block, &gauge))
        .collect();
    let mut all = Sums::default();
    for part in parts {
        all.worst = all.worst.max(part.worst);
        all.stretch += part.stretch;
        all.segments += part.segments;
        all.depth = all.depth.max(part.depth);
        all.inside += part.inside;
        all.kinetic += part.kinetic;
        all.potential += part.potential;
        all.resets += part.resets;
        all.elastic += part.elastic;
        all.strands += part.strands;
        all.held += part.held;
        all.hold = all.hold.max(part.hold);
        all.inner += part.inner;
        all.softened += part.softened;
        all.effort.substeps += part.effort.substeps;
        all.effort.extra += part.effort.extra;
        all.effort.halved += part.effort.halved;
    }
    Statistics {
        max_stretch: all.worst as f32,
        mean_stretch: (all.stretch / all.segments.max(1) as f64) as f32,
        max_penetration: all.depth as f32,
        penetrating: all.inside,
        kinetic: all.kinetic,
        potential: all.potential,
        nonfinite: all.resets,
        elastic: all.elastic,
        held: (all.held as f64 / all.strands.max(1) as f64) as f32,
        hold: all.hold.max(1.0) as f32,
        effort: all.effort,
        inner_steps: (all.inner / all.strands.max(1) as f64) as f32,
        softened: (all.softened as f64 / all.strands.max(1) as f64) as f32,
    }
}

fn measure_block(block: &Block<Row>, gauge: &Gauge) -> Sums {
    let mut sums = Sums {
        resets: block.resets,
        strands: block.strands,
        effort: block.rod.effort,
        ..Sums::default()
    };
    if let Some(material) = &gauge.material {
        match block.moved_by {
            rod::ID => measure_rods(block, gauge, material, &mut sums),
            der::ID => measure_elastic_rods(block, gauge, material, &mut sums),
            _ => (),
        }
    }
    for lane in 0..block.strands {
        let mass = 1.0 / block.inverse_mass.get(lane);
        for i in 1..block.counts[lane] {
            let length = |rows: &[V3<Row>]| {
                let d = rows[i] - rows[i - 1];
                d.dot(d).get(lane).sqrt()
            };
            let (rest, now) = (length(&block.rest), length(&block.position));
            let stretch = if rest > 1e-9 { now / rest - 1.0 } else { 0.0 };
            sums.worst = sums.worst.max(stretch);
            sums.stretch += stretch.abs();
            sums.segments += 1;
            // Half of a segment's mass at each of its ends.
            let half = 0.5 * gauge.line_density * rest * mass;
            for end in [i - 1, i] {
                let v = block.velocity[end].get(lane);
                sums.kinetic += 0.5 * half * v.iter().map(|c| c * c).sum::<f64>();
                sums.potential += half * gauge.gravity * block.point(end, lane).y;
            }
            if i >= block.pinned {
                let depth = depth(block, gauge, i, lane);
                if depth > 1e-5 {
                    sums.inside += 1;
                    sums.depth = sums.depth.max(depth);
                }
            }
        }
    }
    sums
}

/// How deep vertex `i` of the strand in `lane` lies in the head or in a body
/// beside it; negative outside. `[m]`
fn depth(block: &Block<Row>, gauge: &Gauge, i: usize, lane: usize) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    if gauge.skin.is_none() && gauge.bodies.is_empty() {
        return deepest;
    }
    let p = gauge.pose.inverse_point(block.point(i, lane).as_vec3());
    // What the method remembers of the skin does not count: it is what is judged.
    let far = gauge.grid.is_some_and(|grid| grid.distance(p) > FAR);
    if let Some(skin) = gauge.skin.filter(|_| !far) {
        let floor = block.clearance[i].get(lane).min(0.0);
        deepest = floor - f64::from(skin.distance(p));
    }
    if !gauge.bodies.is_empty() {
        let point = |v: V3<Row>| Vec3::from_array(v.get(lane).map(|c| c as f32));
        let root = point(block.root_rest);
        let rest = point(block.root_rest + block.rest[i]);
        deepest = deepest.max(gauge.bodies.depth(root, rest, p));
    }
    deepest
}

/// Groom hold, inner steps and elastic energy.
fn measure_elastic_rods(
    block: &Block<Row>,
    gauge: &Gauge,
    material: &RodMaterial,
    sums: &mut Sums,
) {
    for lane in 0..block.strands {
        let hold = block.der.hold.get(lane);
        sums.held += usize::from(hold > 1.0);
        sums.hold = sums.hold.max(hold);
        sums.inner += block.der.steps.get(lane);
        sums.softened += usize::from(block.der.softened.get(lane) > 0.5);
        let mass = gauge.line_density / block.inverse_mass.get(lane);
        let rotation = gauge.pose.rotation;
        sums.elastic += mass * der::elastic_energy(block, lane, rotation, material);
    }
}

/// Groom hold and elastic energy.
fn measure_rods(block: &Block<Row>, gauge: &Gauge, material: &RodMaterial, sums: &mut Sums) {
    let hold = |lane| block.rod.hold.get(lane);
    sums.held = (0..block.strands).filter(|lane| hold(*lane) > 1.0).count();
    sums.hold = (0..block.strands).map(hold).fold(0.0, f64::max);
    let half = Row::splat(0.5);
    let stiffness = [material.bend[0], material.bend[1], material.twist].map(Row::splat);
    let turn: Q<Row> = block.rest_turn(gauge.pose.rotation, 1.0, 0);
    let mut before = turn.mul_quat(block.rod.clamp);
    let (mut length, mut energy) = (Row::zero(), Row::zero());
    for (j, edge) in block
        .rod
        .vertices
        .iter()
        .enumerate()
        .take(block.rows.saturating_sub(1))
    {
        // The strains across the joint before the edge, as the method has them.
        let turn = before.conjugate().mul_quat(edge.q).canonical();
        let span = (length + edge.length) * half;
        let strain = turn.v.scale(Row::splat(2.0) / span) - edge.rest;
        let square = stiffness[0] * strain.x * strain.x
            + stiffness[1] * strain.y * strain.y
            + stiffness[2] * strain.z * strain.z;
        let share = block.stiff(j, 0).unwrap_or(Row::splat(1.0));
        energy += half * square * share * span * block.alive(j + 1);
        (before, length) = (edge.q, edge.length);
    }
    for lane in 0..block.strands {
        let mass = gauge.line_density / block.inverse_mass.get(lane);
        sums.elastic += mass * hold(lane) * energy.get(lane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::Groom,
        mesh::{HeadParams, load},
    };

    #[test]
    fn a_vertex_in_the_head_counts_whatever_the_method_remembers() {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let body = Body::new(head.mesh, 0.005);
        let [low, high] = body.mesh.bounds();
        let middle = (low + high) * 0.5;
        let out = high + Vec3::splat(0.1);
        let groom = Groom {
            points: vec![out, out + Vec3::X * 0.1, out + Vec3::X * 0.2],
            starts: vec![0, 3],
            masses: vec![1.0],
            ..Groom::default()
        };
        let params = SimParams::default();
        let pose = Pose::IDENTITY;
        let mut state = StrandState::new(&groom, &pose);
        state.measure_clearance(&body.grid);
        let measured = |state: &StrandState| measure(state, &body, None, pose, &params);
        assert_eq!(measured(&state).penetrating, 0);
        let block = &mut state.blocks[0];
        for proximity in &mut block.proximity {
            proximity.near = false;
        }
        let root = glam::DVec3::from(block.root.get(0));
        block.position[2].set(0, (middle.as_dvec3() - root).to_array());
        let found = measured(&state);
        let depth = -body.surface.signed_distance(middle);
        assert_eq!(found.penetrating, 1);
        assert!(
            depth > 0.02 && (found.max_penetration - depth).abs() < 1e-3,
            "{found:?} {depth}"
        );
    }
}
