//! Strands that touch: crossings, slopes, ropes around a post, a ponytail.

use super::segment::closest_of;
use crate::{
    groom::{Groom, GroomParams, grow},
    math::{
        elementary::{atan, cos, sin},
        random::signed,
    },
    mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        keyframes::{Keyframe, Keyframes},
        solver::{RodParams, rod},
        state::LANES,
    },
};
use glam::{DVec3, Quat, Vec3};
use std::{
    f32::consts::{PI, TAU},
    sync::{Arc, LazyLock},
};

static HEAD: LazyLock<Arc<CollisionMesh>> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the head");
    Arc::new(CollisionMesh::new(head.mesh, 0.01))
});

/// How heavy and stiff a strand is that nothing moves.
const RIGID: f32 = 1e4;

/// Strands side by side, for a groom.
#[derive(Default)]
struct Strands {
    groom: Groom,
}

impl Strands {
    fn add(&mut self, points: impl IntoIterator<Item = Vec3>, rigid: bool) {
        let groom = &mut self.groom;
        if groom.starts.is_empty() {
            groom.starts.push(0);
        }
        groom.points.extend(points);
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(if rigid { RIGID } else { 1.0 });
        let share = if rigid { RIGID } else { 1.0 };
        groom.stiffness.resize(groom.points.len(), share);
    }

    fn straight(&mut self, from: Vec3, to: Vec3, vertices: usize, rigid: bool) {
        let share = |i: usize| i as f32 / (vertices - 1) as f32;
        self.add((0..vertices).map(|i| from.lerp(to, share(i))), rigid);
    }

    /// Fills the block, far from everything else, so that the next strand begins
    /// another one.
    fn fill(&mut self) {
        while !self.groom.masses.len().is_multiple_of(LANES) {
            let far = Vec3::new(5.0, self.groom.masses.len() as f32, 0.0);
            self.straight(far, far + 0.01 * Vec3::X, 3, true);
        }
    }
}

fn params(rods: RodParams) -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = rod::ID.into();
    params.step.set_substeps(2);
    params.collision.mode = CollisionMode::Off;
    params.volume.on = false;
    params.cohesion.hold = 0.0;
    params.motion.preset = MotionPreset::None;
    params.with(rods)
}

fn touching() -> RodParams {
    RodParams {
        strand_contact: true,
        sag_free: false,
        ..RodParams::default()
    }
}

fn strand(simulation: &Simulation, strand: usize) -> Vec<Vec3> {
    let block = &simulation.state.blocks[strand / LANES];
    let lane = strand % LANES;
    (0..block.counts[lane])
        .map(|i| block.point(i, lane).as_vec3())
        .collect()
}

/// Least distance between the middle lines of two strands. `[m]`
fn distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    let mut least = f32::MAX;
    for p in a.windows(2) {
        for q in b.windows(2) {
            let (u, v) = (p[1] - p[0], q[1] - q[0]);
            let [s, t] = closest_of(p[0] - q[0], u, v).share;
            least = least.min((p[0] + u * s).distance(q[0] + v * t));
        }
    }
    least
}

fn fastest(simulation: &Simulation, strand: usize) -> f64 {
    let block = &simulation.state.blocks[strand / LANES];
    let speed = |i: usize| {
        let [x, y, z] = block.velocity[i].get(strand % LANES);
        (x * x + y * y + z * z).sqrt()
    };
    (0..block.counts[strand % LANES])
        .map(speed)
        .fold(0.0, f64::max)
}

/// A strand falls across a bar at 0.6 m/s.
#[test]
fn a_strand_that_falls_across_another_lies_on_it() {
    let mut strands = Strands::default();
    strands.straight(Vec3::ZERO, 0.2 * Vec3::X, 32, false);
    let bar = Vec3::new(0.12, -0.03, -0.1);
    strands.straight(bar, bar + 0.2 * Vec3::Z, 32, true);
    let params = params(touching());
    let mut simulation = Simulation::new(Arc::new(strands.groom), HEAD.clone(), &params);
    let gap =
        |simulation: &Simulation| distance(&strand(simulation, 0), &strand(simulation, 1)) - 1e-3;
    let mut worst = f32::MAX;
    for _ in 0..360 {
        simulation.step(&params);
        worst = worst.min(gap(&simulation));
    }
    let settled = gap(&simulation);
    assert!(worst > -5e-4, "{worst} m");
    assert!(settled.abs() < 1e-4, "{settled} m");
    let speed = fastest(&simulation, 0);
    assert!(speed < 1e-3, "{speed} m/s");
    let figures = simulation.strand_contact.figures();
    assert_eq!(figures.touching, 1, "{figures:?}");
    // Without contact it falls past.
    let off = self::params(RodParams {
        strand_contact: false,
        ..touching()
    });
    for _ in 0..60 {
        simulation.step(&off);
    }
    assert!(gap(&simulation) > 0.01, "{} m", gap(&simulation));
}

/// How far a strand slides on two rails within the first and the second second, on
/// a slope of so many times that which friction bears. `[m]`
fn slide(friction: f32, times: f32) -> [f32; 2] {
    let mut strands = Strands::default();
    for z in [-0.03, 0.03] {
        strands.straight(Vec3::new(0.0, 0.0, z), Vec3::new(0.2, 0.0, z), 32, true);
    }
    strands.fill();
    let lying = Vec3::new(0.05, 0.99e-3, 0.0);
    let half = 0.05 * Vec3::Z;
    strands.straight(lying - half, lying + half, 32, false);
    let slope = Quat::from_rotation_z(-atan(friction) * times);
    for point in &mut strands.groom.points {
        *point = slope * *point;
    }
    // A strand as stiff as wire: it does not sag between the rails.
    for stiffness in &mut strands.groom.stiffness {
        *stiffness = stiffness.max(100.0);
    }
    let mut params = params(RodParams {
        strand_friction: friction,
        sag_free: true,
        ..touching()
    });
    params.forces.drag = 0.0;
    let mut simulation = Simulation::new(Arc::new(strands.groom), HEAD.clone(), &params);
    simulation.state.blocks[1].pinned = 0;
    let middle = |simulation: &Simulation| strand(simulation, LANES)[16];
    [(); 2].map(|()| {
        let begin = middle(&simulation);
        for _ in 0..60 {
            simulation.step(&params);
        }
        middle(&simulation).distance(begin)
    })
}

#[test]
fn friction_holds_a_strand_on_a_slope_up_to_its_coefficient() {
    for friction in [0.2, 0.5] {
        let [first, later] = slide(friction, 0.95);
        // It settles on the rails first.
        assert!(first < 3e-3 && later < 2e-6, "{friction}: {first}, {later}");
        let [first, later] = slide(friction, 1.1);
        assert!(first > 5e-3 && later > 1e-2, "{friction}: {first}, {later}");
        // Nothing holds it at the joints of the rails, as it would at 1.05 if an edge had
        // contacts beyond its ends there.
        let [first, later] = slide(friction, 1.05);
        assert!(first > 5e-3 && later > 1e-2, "{friction}: {first}, {later}");
    }
}

/// One strand thrown at another, both free, in nothing: contact pushes both alike.
#[test]
fn strands_that_collide_keep_their_momentum() {
    let mut strands = Strands::default();
    for (direction, middle) in [(Vec3::X, 0.002 * Vec3::Y), (Vec3::Z, 0.011 * Vec3::X)] {
        let half = 0.05 * direction;
        strands.straight(middle - half, middle + half, 16, false);
    }
    let mut params = params(touching());
    params.forces.gravity_on = false;
    params.forces.drag = 0.0;
    let mut simulation = Simulation::new(Arc::new(strands.groom), HEAD.clone(), &params);
    simulation.set_free();
    simulation.step(&params);
    for row in &mut simulation.state.blocks[0].velocity {
        row.set(0, [0.0, -0.1, 0.0]);
    }
    let momentum = |simulation: &Simulation, strand: usize| {
        let velocity = &simulation.state.blocks[0].velocity;
        let share = |i: usize| if i.is_multiple_of(15) { 0.5 } else { 1.0 };
        (0..16)
            .map(|i| share(i) * DVec3::from(velocity[i].get(strand)))
            .sum::<DVec3>()
    };
    let before = momentum(&simulation, 0);
    for _ in 0..10 {
        simulation.step(&params);
    }
    let [one, other] = [0, 1].map(|strand| momentum(&simulation, strand));
    assert!(other.y < 0.2 * before.y, "nothing was struck: {other}");
    let lost = (one + other - before).length() / before.length();
    assert!(lost < 0.05, "{lost}: {one} and {other} of {before}");
}

/// A tail of curls: 128 strands from a disc of 24 mm.
fn tail() -> Groom {
    let mut strands = Strands::default();
    for n in 0..128u16 {
        let draw = |what: u64| signed(what, u64::from(n));
        let (radius, turn) = (0.012 * ((f32::from(n) + 0.5) / 128.0).sqrt(), 2.39996);
        let angle = turn * f32::from(n);
        let root = Vec3::new(radius * cos(angle), 0.0, radius * sin(angle));
        let curl = 0.006 * (1.0 + 0.2 * draw(1));
        let pitch = 0.07 * (1.0 + 0.15 * draw(2));
        let phase = PI * draw(3);
        let axis = (root * 25.0 - Vec3::Y).normalize();
        let side = axis.any_orthonormal_vector();
        let up = axis.cross(side);
        let way = (pitch * pitch + (TAU * curl).powi(2)).sqrt();
        strands.add(
            (0..32).map(|i: u8| {
                let turns = 0.25 * f32::from(i) / 31.0 / way;
                let angle = TAU * turns + phase;
                root + axis * (pitch * turns)
                    + side * (curl * (cos(angle) - cos(phase)))
                    + up * (curl * (sin(angle) - sin(phase)))
            }),
            false,
        );
    }
    strands.groom
}

/// Shakes the tail for so long, stops it, and waits one second. Answers the mean
/// distance of a vertex in the outer halves from the next strand `[m]`, the speed of
/// all of them together `[m/s]`, and the largest stretch.
fn shaken(seconds: f32, rods: RodParams) -> [f64; 3] {
    let key = |i: u16| {
        let time = f32::from(i) / 60.0;
        let at = |time: f32| {
            let swing = |rate: f32| time.min(1.0) * sin(TAU * rate * time);
            [0.03 * swing(1.5), 0.015 * swing(2.055)]
        };
        // It comes back within 0.2 s.
        let back = (1.0 - (time - seconds) / 0.2).clamp(0.0, 1.0);
        let [x, z] = at(time.min(seconds)).map(|way| way * back);
        Keyframe {
            time,
            rotation: [0.0; 3],
            position: [x, 0.0, z],
        }
    };
    let steps = ((seconds + 1.0) * 60.0) as u16;
    let mut params = params(RodParams {
        stiffness: 2.0,
        ..rods
    });
    params.motion.preset = MotionPreset::Keyframes;
    params.motion.keyframes = Keyframes::new((0..=steps).map(key).collect()).expect("in order");
    let mut simulation = Simulation::new(Arc::new(tail()), HEAD.clone(), &params);
    for _ in 0..steps {
        simulation.step(&params);
    }
    let all: Vec<Vec<Vec3>> = (0..128).map(|i| strand(&simulation, i)).collect();
    let mut apart = 0.0;
    for (i, own) in all.iter().enumerate() {
        for point in &own[16..] {
            let others = all.iter().enumerate().filter(|(k, _)| *k != i);
            let others = others.flat_map(|(_, other)| other);
            let nearest = others.map(|other| point.distance(*other));
            apart += f64::from(nearest.fold(0.01, f32::min));
        }
    }
    let velocity = |i: usize| {
        let block = &simulation.state.blocks[i / LANES];
        (1..32)
            .map(|k| DVec3::from(block.velocity[k].get(i % LANES)))
            .sum::<DVec3>()
    };
    let common = (0..128).map(velocity).sum::<DVec3>() / (128.0 * 31.0);
    let stretch = simulation.statistics(&params).max_stretch;
    [apart / (128.0 * 16.0), common.length(), f64::from(stretch)]
}

#[test]
fn a_shaken_tail_keeps_its_volume_and_its_swing() {
    let [close, swing, _] = shaken(
        3.0,
        RodParams {
            strand_contact: false,
            ..touching()
        },
    );
    let [apart, common, stretch] = shaken(3.0, touching());
    assert!(apart > 1.1 * close, "{apart} m of {close} m");
    let kept = common / swing;
    assert!((0.85..1.15).contains(&kept), "{kept} of the swing");
    assert!(stretch < 2e-6, "{stretch}");
}

/// Hair on a shaken head: bits after some steps with so many threads.
fn bits(threads: usize, rods: RodParams) -> u64 {
    let roots = RootParams {
        strands: 300,
        ..RootParams::default()
    };
    let roots = scatter::roots(&HEAD.mesh, &roots).expect("roots");
    let params = GroomParams {
        vertices: 24,
        ..GroomParams::default()
    };
    let groom = Arc::new(grow::grow(&roots, &params, 1, &HEAD));
    let mut params = self::params(rods.clone());
    params.collision.mode = CollisionMode::Mesh;
    params.motion.preset = MotionPreset::Shake;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads").install(|| {
        let mut simulation = Simulation::new(groom, HEAD.clone(), &params);
        for _ in 0..30 {
            simulation.step(&params);
        }
        let touching = simulation.strand_contact.figures().touching;
        assert_eq!(touching > 0, rods.strand_contact, "{touching}");
        let measured = simulation.statistics(&params);
        assert_eq!(measured.nonfinite, 0);
        simulation.state.hash()
    })
}

#[test]
fn threads_do_not_change_what_touches() {
    let one = bits(1, touching());
    for threads in [2, 3] {
        assert_eq!(bits(threads, touching()), one, "{threads} threads");
    }
    let off = RodParams {
        strand_contact: false,
        ..touching()
    };
    assert_ne!(bits(1, off), one);
}

/// Pairs that are found once and kept for a while are those that a search in every step
/// finds: on a head that turns gently, on one that stands.
#[test]
fn pairs_that_are_kept_give_the_same_bits() {
    let roots = RootParams {
        strands: 300,
        ..RootParams::default()
    };
    let roots = scatter::roots(&HEAD.mesh, &roots).expect("roots");
    let groom = GroomParams {
        vertices: 24,
        ..GroomParams::default()
    };
    let groom = Arc::new(grow::grow(&roots, &groom, 1, &HEAD));
    for degrees in [0.0, 2.0] {
        let moved = |keep: bool| {
            let mut params = params(RodParams {
                sag_free: true,
                thickness: 3.0,
                ..touching()
            });
            params.collision.mode = CollisionMode::Mesh;
            params.motion.preset = MotionPreset::Shake;
            params.motion.amplitude = degrees;
            params.step.set_substeps(1);
            let mut simulation = Simulation::new(groom.clone(), HEAD.clone(), &params);
            let mut kept = 0;
            for _ in 0..60 {
                if !keep {
                    simulation.strand_contact.margins.forget();
                }
                simulation.step(&params);
                kept += u32::from(simulation.strand_contact.margins.age() > 0);
            }
            assert!(simulation.strand_contact.figures().touching > 0);
            (simulation.state.hash(), kept)
        };
        let ((kept, times), (searched, never)) = (moved(true), moved(false));
        assert!(
            times > 30 && never == 0,
            "{degrees}: {times} and {never} of 60"
        );
        assert_eq!(kept, searched, "{degrees}");
    }
}

/// A step that is taken substep by substep is the same step: also on shoulders that
/// stay while the head turns.
#[test]
fn a_strand_that_touches_nothing_moves_as_without_contact() {
    let roots = RootParams {
        strands: 1,
        ..RootParams::default()
    };
    let roots = scatter::roots(&HEAD.mesh, &roots).expect("roots");
    let long = GroomParams {
        length: 0.5,
        vertices: 40,
        ..GroomParams::default()
    };
    let groom = Arc::new(grow::grow(&roots, &long, 1, &HEAD));
    let moved = |strand_contact: bool| {
        let mut params = params(RodParams {
            strand_contact,
            thickness: 0.05,
            ..touching()
        });
        params.collision.mode = CollisionMode::Grid;
        params.motion.preset = MotionPreset::Shake;
        params.motion.amplitude = 40.0;
        params.wind.on = true;
        params.step.set_substeps(4);
        let mut simulation = Simulation::new(groom.clone(), HEAD.clone(), &params);
        for _ in 0..40 {
            simulation.step(&params);
            assert_eq!(simulation.strand_contact.figures().touching, 0);
        }
        simulation.state.hash()
    };
    assert_eq!(moved(true), moved(false));
}
