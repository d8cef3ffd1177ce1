//! What the tests of both methods of rods share.

use crate::common::{groom, helix, input, straight};
use glam::{DVec3, Quat, Vec3};
use lovelock::{
    groom::{Groom, GroomParams, grow},
    math::{
        Pose,
        lanes::F,
        random::{signed, uniform},
    },
    mesh::{CollisionMesh, HeadParams, Root, RootParams, load, scatter},
    sim::{
        SimParams,
        solver::{Instructions, Scratch, StepInput, method},
        state::{Block, LANES},
    },
};
use std::sync::{Arc, OnceLock};

pub type Wide = Block<F<LANES>>;

pub fn block(strands: &[Vec<Vec3>]) -> Wide {
    Block::new(&groom(strands), 0, strands.len(), &Pose::IDENTITY)
}

pub fn speed(block: &Wide, i: usize, lane: usize) -> f64 {
    DVec3::from(block.velocity[i].get(lane)).length()
}

/// How far any edge is from its rest length, beyond what rounding of a place
/// so far from the root explains; relative. `rest` is the length of the edge that
/// leaves a vertex.
pub fn stretch(block: &Wide, lane: usize, rest: impl Fn(usize) -> f64) -> f64 {
    let edge = |i: usize| {
        let (a, b) = (block.position[i - 1].get(lane), block.position[i].get(lane));
        let (a, b) = (DVec3::from(a), DVec3::from(b));
        let rounding = 1.2e-7 * (a.length() + b.length());
        ((a.distance(b) - rest(i - 1)).abs() - rounding).max(0.0) / rest(i - 1)
    };
    (1..block.counts[lane]).map(edge).fold(0.0, f64::max)
}

/// Lets a level hair of that many vertices sink to rest, whose height over width is
/// then asserted to be `reference`, but for a share of `tolerance`.
pub fn sinks_as_the_elastica(
    params: &SimParams,
    vertices: usize,
    [gamma, reference, tolerance]: [f64; 3],
) -> Wide {
    let mut block = block(&[straight(Vec3::ZERO, Vec3::X, 0.2, vertices)]);
    let rods = method(&params.step.solver).expect("listed").solver(params);
    let mut scratch = Scratch::new();
    for _ in 0..480 {
        rods.step(&mut block, &mut scratch, &input(params, None));
    }
    let tip = block.point(vertices - 1, 0);
    let error = (-tip.y / tip.x) / reference - 1.0;
    assert!(
        error.abs() < tolerance,
        "Gamma {gamma}: H/W is off by {:.3} %",
        100.0 * error
    );
    block
}

/// A direction for strand `k`, of which no two are alike.
pub fn tilt(k: usize, seed: u64) -> Quat {
    let tilt = 0.2 + 1.2 * lovelock::math::random::uniform(seed, k as u64) as f32;
    Quat::from_rotation_x(tilt) * Quat::from_rotation_y(k as f32)
}

/// Asserts that `run` moves a strand alike with all instructions, alone, and among
/// others.
pub fn assert_bits_are_the_same(
    strand: impl Fn(usize, u64) -> Vec<Vec3>,
    run: impl Fn(&[Vec<Vec3>], Instructions) -> Wide,
    case: &str,
) {
    let bits = |block: &Wide, lane: usize| {
        (0..block.counts[lane])
            .map(|i| block.position[i].get(lane).map(f64::to_bits))
            .collect::<Vec<_>>()
    };
    let many: Vec<_> = (0..32).map(|k| strand(k, 7)).collect();
    let widest = run(&many, Instructions::Avx512);
    for limit in [Instructions::Avx2, Instructions::Baseline] {
        let narrow = run(&many, limit);
        for lane in 0..32 {
            let (a, b) = (bits(&widest, lane), bits(&narrow, lane));
            assert_eq!(a, b, "{case}, lane {lane}, {limit:?}");
        }
    }
    // Strand 5 alone, and as number 20 among others.
    let alone = run(&many[5..6], Instructions::Avx512);
    assert_eq!(bits(&widest, 5), bits(&alone, 0), "{case}");
    let mut others: Vec<_> = (0..32).map(|k| strand(k, 99)).collect();
    others[20] = many[5].clone();
    let among = run(&others, Instructions::Avx512);
    assert_eq!(bits(&widest, 5), bits(&among, 20), "{case}");
}

pub fn bust() -> Arc<CollisionMesh> {
    static BODY: OnceLock<Arc<CollisionMesh>> = OnceLock::new();
    BODY.get_or_init(|| {
        let head = load(&HeadParams::default()).expect("the built-in head");
        Arc::new(CollisionMesh::new(head.mesh, 0.004))
    })
    .clone()
}

/// The default hairstyle of that many strands on [`bust`].
pub fn hair(strands: u32) -> Arc<Groom> {
    let roots = RootParams {
        strands,
        ..RootParams::default()
    };
    let body = bust();
    let roots = scatter::roots(&body.mesh, &roots).expect("roots");
    Arc::new(grow::grow(&roots, &GroomParams::default(), 1, &body))
}

/// Random numbers for extremes, drawn anew for each `number`.
#[derive(Clone, Copy)]
pub struct Draw {
    pub seed: u64,
    pub number: u64,
}

impl Draw {
    /// Of `what`, 0 to 1.
    pub fn unit(self, what: u64) -> f64 {
        uniform(self.seed + what, self.number).into()
    }

    /// Of `what`, as likely in each octave between the two.
    pub fn between(self, what: u64, low: f64, high: f64) -> f64 {
        (low.ln() + self.unit(what) * (high / low).ln()).exp()
    }
}

/// Strand `number` of an ordeal: short or long, straight or curled, of few or many vertices
/// within `vertices`, leaning any way, of which three in ten begin inside the head.
pub fn extreme(seed: u64, number: u64, root: &Root, vertices: [f64; 2]) -> Vec<Vec3> {
    let draw = Draw { seed, number };
    let count = draw.between(0, vertices[0], vertices[1]) as usize;
    let length = draw.between(1, 0.005, 1.5) as f32;
    let radius = match draw.unit(2) < 0.3 {
        true => 0.0,
        false => draw.between(3, 0.002, 0.04) as f32,
    };
    let pitch = draw.between(4, 0.005, 0.1) as f32;
    let off = match draw.unit(5) < 0.3 {
        true => -draw.between(6, 1e-4, 0.03) as f32,
        false => 1e-4,
    };
    let lean = Vec3::from_array([7, 8, 9].map(|what| signed(what, number)));
    let way = (root.normal + 0.6 * lean).normalize();
    let turn = Quat::from_rotation_arc(Vec3::NEG_Y, way);
    helix(Vec3::ZERO, radius, pitch, length, count)
        .iter()
        .map(|p| root.position + root.normal * off + turn * *p)
        .collect()
}

/// A head that turns and is shaken for a second, then comes to rest.
pub struct Shaken {
    /// Speed to the side, and of the turn. `[m/s]`, `[rad/s]`
    pub shake: f64,
    pub turn: f64,
    pub frequency: f64,
}

impl Shaken {
    fn pose(&self, t: f64) -> Pose {
        let phase = std::f64::consts::TAU * self.frequency;
        let on = (1.0 - (t - 1.0) / 0.4).clamp(0.0, 1.0) * (phase * t).sin() / phase;
        Pose {
            rotation: Quat::from_rotation_y((self.turn * on) as f32),
            translation: Vec3::new((self.shake * on) as f32, 0.0, 0.0),
        }
    }

    /// Step number `step` under that head, against the bust.
    pub fn input<'a>(
        &self,
        params: &'a SimParams,
        body: &'a CollisionMesh,
        step: usize,
    ) -> StepInput<'a> {
        let rate = f64::from(params.step.rate);
        let mut input = input(params, Some(&body.grid));
        let (from, to) = (
            self.pose(step as f64 / rate),
            self.pose((step + 1) as f64 / rate),
        );
        let parts = input.substeps as f32;
        input.poses = (0..=input.substeps)
            .map(|i| from.between(&to, i as f32 / parts))
            .collect();
        input.still = false;
        input.time = step as f64 / rate;
        input
    }
}
