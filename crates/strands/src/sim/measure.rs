//! Measures hair in motion: stretch, depth in the head, energies.

use super::{
    MaterialParams, SimParams, Statistics,
    collider::Bodies,
    contact::CollisionSurface,
    forces,
    solver::{Effort, Solver, chosen, groom_hold::HoldSpread, material::line_density},
    state::{Block, Row, StrandState},
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
    },
    mesh::{CollisionMesh, DistanceGrid},
};
use glam::Vec3;
use rayon::prelude::*;

#[derive(Default)]
struct Sums {
    longest: f64,
    shortest: f64,
    length_error: f64,
    segments: u64,
    depth: f64,
    inside: u32,
    kinetic: f64,
    potential: f64,
    resets: u64,
    elastic: f64,
    knows_elastic: bool,
    strands: usize,
    hold: HoldSpread,
    effort: Effort,
    inner: f64,
    softened: usize,
    steps_needed: f64,
}

/// Where the distance grid says more, or is so deep, the true surface is not asked: the
/// grid is never so wrong. `[m]`
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
    /// The method at work: what it knows of the strands.
    solver: Box<dyn Solver>,
}

fn vertices(state: &StrandState) -> usize {
    let counts = state
        .blocks
        .iter()
        .map(|block| &block.counts[..block.strands]);
    counts.flatten().sum()
}

/// Measures all strands, on the skin of `body` or on another one; sums run in the order of the blocks, so they do not
/// depend on the number of threads.
pub(super) fn measure(
    state: &StrandState,
    body: &CollisionMesh,
    bent: Option<&dyn CollisionSurface>,
    pose: Pose,
    params: &SimParams,
) -> Statistics {
    let method = chosen(params);
    let gauge = Gauge {
        skin: bent.or_else(|| super::skin(body, &params.collision, vertices(state))),
        grid: bent.is_none().then_some(&body.grid),
        bodies: Bodies::resting(&params.colliders, pose),
        pose,
        gravity: f64::from(-forces::gravity(&params.forces).y),
        line_density: match method.material {
            true => line_density(&params.material),
            // Ordinary hair.
            false => line_density(&MaterialParams::default()),
        },
        solver: method.solver(params),
    };
    let parts: Vec<Sums> = state
        .blocks
        .par_iter()
        .map(|block| measure_block(block, &gauge))
        .collect();
    let mut all = Sums::default();
    for part in parts {
        all.longest = all.longest.max(part.longest);
        all.shortest = all.shortest.max(part.shortest);
        all.length_error += part.length_error;
        all.segments += part.segments;
        all.depth = all.depth.max(part.depth);
        all.inside += part.inside;
        all.kinetic += part.kinetic;
        all.potential += part.potential;
        all.resets += part.resets;
        all.elastic += part.elastic;
        all.knows_elastic |= part.knows_elastic;
        all.strands += part.strands;
        all.hold.add(&part.hold);
        all.inner += part.inner;
        all.softened += part.softened;
        all.steps_needed = all.steps_needed.max(part.steps_needed);
        all.effort.add(part.effort);
    }
    let share = |strands: usize| (strands as f64 / all.strands.max(1) as f64) as f32;
    Statistics {
        max_stretch: all.longest as f32,
        max_shortening: all.shortest as f32,
        mean_length_error: (all.length_error / all.segments.max(1) as f64) as f32,
        max_penetration: all.depth as f32,
        penetrating: all.inside,
        kinetic: all.kinetic,
        potential: all.potential,
        nonfinite: all.resets,
        elastic: all.knows_elastic.then_some(all.elastic),
        held: share(all.hold.held),
        hold: all.hold.largest as f32,
        hold_median: all.hold.median() as f32,
        hold_outer_median: all.hold.outer_median() as f32,
        toppling: share(all.hold.toppling),
        effort: all.effort,
        touching: 0,
        inner_steps: (all.inner / all.strands.max(1) as f64) as f32,
        softened: share(all.softened),
        steps_needed: match all.softened {
            0 => 0,
            _ => all.steps_needed.ceil() as u32,
        },
    }
}

fn measure_block(block: &Block<Row>, gauge: &Gauge) -> Sums {
    let figures = gauge.solver.figures(block, &gauge.pose);
    let mut sums = Sums {
        resets: block.resets,
        strands: block.strands,
        effort: figures.effort,
        hold: figures.hold.map(|hold| *hold).unwrap_or_default(),
        inner: figures.inner_steps.iter().sum(),
        softened: figures.softened,
        knows_elastic: !figures.elastic.is_empty(),
        steps_needed: figures.steps_needed,
        ..Sums::default()
    };
    for (lane, energy) in figures.elastic.iter().enumerate() {
        sums.elastic += gauge.line_density / block.inverse_mass.get(lane) * energy;
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
            sums.longest = sums.longest.max(stretch);
            sums.shortest = sums.shortest.max(-stretch);
            sums.length_error += stretch.abs();
            sums.segments += 1;
            // Half of a segment's mass at each of its ends.
            let half = 0.5 * gauge.line_density * rest * mass;
            for end in [i - 1, i] {
                let v = block.velocity[end].get(lane);
                sums.kinetic += 0.5 * half * v.iter().map(|c| c * c).sum::<f64>();
                let rest = block.root_modelled.y.get(lane) + block.rest[end].y.get(lane);
                sums.potential += half * gauge.gravity * (block.point(end, lane).y - rest);
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
    let coarse = gauge.grid.map_or(0.0, |grid| grid.distance(p));
    if let Some(skin) = gauge.skin.filter(|_| coarse <= FAR) {
        let floor = block.clearance[i].get(lane).min(0.0);
        // The true surface is not seen from deep inside.
        let distance = match coarse < -FAR {
            true => coarse,
            false => skin.distance(p),
        };
        deepest = floor - f64::from(distance);
    }
    if !gauge.bodies.is_empty() {
        let point = |v: V3<Row>| Vec3::from_array(v.get(lane).map(|c| c as f32));
        let root = point(block.root_rest);
        let rest = point(block.root_rest + block.rest[i]);
        deepest = deepest.max(gauge.bodies.depth(root, rest, p));
    }
    deepest
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
        let body = CollisionMesh::new(head.mesh, 0.005);
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
