//! What holds for every method that moves vertices one by one, and what their tests
//! share: each test of a method here is called by one of that method's file.

use crate::common::{Floor, groom, helix, input};
use glam::{DVec3, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::{F, Lane, V3},
        random::uniform,
    },
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams,
        attachment::{Attachment, AttachmentKind},
        contact::{CollisionSurface, Tangent},
        solver::{Scratch, StepInput},
        state::Block,
    },
};

/// The strand of a plain program: f64, one vertex after the other.
pub struct Plain {
    pub rest: Vec<DVec3>,
    pub x: Vec<DVec3>,
    pub v: Vec<DVec3>,
}

impl Plain {
    pub fn new(rest: &[Vec3]) -> Self {
        let rest: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        Self {
            x: rest.clone(),
            v: vec![DVec3::ZERO; rest.len()],
            rest,
        }
    }

    /// Asserts that the kernel has done the same in f64, and in lanes but for
    /// rounding, and that something has happened.
    pub fn assert_followed(&self, exact: &Block<f64>, lanes: &Block<F<32>>, case: &str) {
        let mut moved = 0.0f64;
        for (i, x) in self.x.iter().enumerate() {
            let off = exact.point(i, 0).distance(*x);
            assert!(off < 1e-9, "{case}, vertex {i}: {off} m");
            let off = lanes.point(i, 0).distance(*x);
            assert!(off < 1e-4, "{case}, vertex {i}: {off} m in f32");
            moved = moved.max(x.distance(self.rest[i]));
        }
        assert!(
            moved > 1e-3,
            "the strand must have moved for this to prove anything"
        );
    }
}

/// A floor that claims to be close, so that every row looks at it always, as the
/// plain programs do.
pub struct Watched(pub Floor);

impl CollisionSurface for Watched {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        Tangent {
            distance: 0.0,
            ..self.0.tangent(from, to)
        }
    }
    fn distance(&self, p: Vec3) -> f32 {
        self.0.distance(p)
    }
}

/// A curl of 40 vertices.
pub fn curl() -> Vec<Vec3> {
    helix(Vec3::new(0.02, 0.3, -0.01), 0.008, 0.034, 0.2, 40)
}

/// Largest relative change of length of any edge of the first strand.
pub fn stretch<T: Lane>(block: &Block<T>) -> f64 {
    let length = |rows: &[V3<T>], i: usize| DVec3::from((rows[i] - rows[i - 1]).get(0)).length();
    (1..block.counts[0])
        .map(|i| (length(&block.position, i) / length(&block.rest, i) - 1.0).abs())
        .fold(0.0, f64::max)
}

/// Mean distance of a strand's vertices from the axis through the middles of
/// its turns, over the middle of the strand. `[m]`
fn radius(points: &[DVec3], turn: usize) -> f64 {
    let middle = |i: usize| {
        let part = &points[i - turn / 2..=i + turn / 2];
        // Over a whole turn, its two ends counting half.
        let ends = (part[0] + part[turn]) * 0.5;
        (part[1..turn].iter().sum::<DVec3>() + ends) / turn as f64
    };
    let range = turn..points.len() - turn;
    let count = range.len() as f64;
    range.map(|i| points[i].distance(middle(i))).sum::<f64>() / count
}

/// Which share of a curl's radius is left after `fall`.
pub fn radius_left(fall: impl FnOnce(&[Vec3]) -> Block<F<32>>) -> f64 {
    // 12 vertices a turn.
    let rest = helix(Vec3::new(0.0, 0.5, 0.0), 0.008, 0.034, 0.17, 61);
    let block = fall(&rest);
    let points: Vec<DVec3> = (0..61).map(|i| block.point(i, 0)).collect();
    let modelled: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
    radius(&points, 12) / radius(&modelled, 12)
}

/// Twenty seconds in a storm, while the head shakes, asserted to leave all numbers finite;
/// answers the largest stretch.
pub fn shaken_for_twenty_seconds(mut scene: Scene) -> f32 {
    scene.roots.strands = 64;
    scene.groom.vertices = 32;
    scene.sim.wind.on = true;
    scene.sim.wind.strength = 15.0;
    scene.sim.wind.oscillation = 1.0;
    scene.sim.motion.preset = MotionPreset::Shake;
    scene.sim.motion.amplitude = 60.0;
    scene.sim.motion.frequency = 2.0;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let simulation = &mut stage.simulation;
    let mut longest = 0.0f32;
    for _ in 0..1200 {
        simulation.step(&scene.sim);
        longest = longest.max(simulation.statistics(&scene.sim).max_stretch);
    }
    assert_eq!(simulation.statistics(&scene.sim).nonfinite, 0);
    longest
}

/// Strands of `fewest` vertices and up share a block and move as each does alone.
pub fn strands_share_a_block(
    fewest: usize,
    params: &SimParams,
    step: impl Fn(&mut Block<F<32>>, &mut Scratch<F<32>>, &StepInput),
    case: &str,
) {
    let strands: Vec<Vec<Vec3>> = (0..32)
        .map(|i| {
            let root = Vec3::new(0.01 * i as f32, 0.3, 0.0);
            let vertices = fewest + (i * 7) % 60;
            helix(root, 0.006, 0.03, 0.05 + 0.004 * i as f32, vertices)
        })
        .collect();
    let all = groom(&strands);
    let mut scratch = Scratch::new();
    let mut run = |mut block: Block<F<32>>| {
        for _ in 0..60 {
            step(&mut block, &mut scratch, &input(params, None));
        }
        block
    };
    let mixed = run(Block::new(&all, 0, 32, &Pose::IDENTITY));
    for (lane, strand) in strands.iter().enumerate() {
        let alone = run(Block::new(&all, lane, 1, &Pose::IDENTITY));
        for i in 0..strand.len() {
            let (a, b) = (mixed.point(i, lane), alone.point(i, 0));
            assert_eq!(a, b, "{case}, strand {lane}, vertex {i}");
        }
    }
}

/// A number that a case of a test draws: the ends of a range as often as what lies
/// between.
pub fn drawn(case: u64) -> impl Fn(u64, f32, f32) -> f32 {
    move |salt, low, high| match (uniform(salt + 500, case) * 4.0) as u32 {
        0 => low,
        1 => high,
        _ => low + (high - low) * uniform(salt, case),
    }
}

/// Sets what no method owns to numbers that `pick` draws.
pub fn draw_surroundings(params: &mut SimParams, pick: &impl Fn(u64, f32, f32) -> f32) {
    params.step.rate = pick(1, 24.0, 240.0) as u32;
    params.step.set_substeps(pick(2, 1.0, 8.0) as u32);
    params.forces.gravity = pick(12, -100.0, 100.0);
    params.forces.drag = pick(13, 0.0, 20.0);
    params.wind.on = true;
    params.wind.strength = pick(14, 0.0, 50.0);
    params.collision.friction = pick(15, 0.0, 2.0);
    params.collision.restitution = pick(16, 0.0, 1.0);
}

/// 32 curls from half a centimetre to 1.4 m, of 2 to 66 vertices.
pub fn curls_of_all_lengths() -> Vec<Vec<Vec3>> {
    let strand = |i: usize| {
        let root = Vec3::new(0.01 * i as f32, 0.0, 0.0);
        let length = 0.005 + 0.045 * i as f32;
        helix(root, 0.012, 0.02, length, 2 + 8 * (i % 9))
    };
    (0..32).map(strand).collect()
}

/// Takes three strands through four seconds in which a pin draws at the tip of the
/// second one and a hand at that of the third. The first one notices nothing, the
/// pin is off by `pinned` at most, and the hand is left with no more than a `left`
/// of the way. Answers the strands. `[m]`
pub fn grips_pull_their_vertices(
    params: &SimParams,
    [pinned, left]: [f64; 2],
    step: impl Fn(&mut Block<F<8>>, &mut Scratch<F<8>>, &StepInput),
) -> Block<F<8>> {
    let all = groom(&vec![curl(); 3]);
    let mut free = Block::<F<8>>::new(&all, 0, 3, &Pose::IDENTITY);
    let mut held = free.clone();
    let (tip, target) = (39, Vec3::new(0.1, 0.25, 0.05));
    held.attachments = [(1, AttachmentKind::Pin), (2, AttachmentKind::Hand)]
        .map(|(lane, hold)| Attachment::in_world([lane, tip], target, hold))
        .to_vec();
    let mut scratch = Scratch::new();
    let mut hand = Vec::new();
    for _ in 0..240 {
        let input = input(params, None);
        step(&mut free, &mut scratch, &input);
        step(&mut held, &mut scratch, &input);
        hand.push(held.point(tip, 2).distance(target.as_dvec3()));
        for i in 0..=tip {
            assert_eq!(free.point(i, 0), held.point(i, 0), "vertex {i}");
        }
    }
    let off = held.point(tip, 1).distance(target.as_dvec3());
    assert!(off < pinned, "the pin is off by {off} m");
    // A hand is softer: not there at once, and the strand still resists.
    let alone = free.point(tip, 1).distance(target.as_dvec3());
    assert!(hand[0] > 0.1 && alone > 0.1, "{} {alone}", hand[0]);
    assert!(hand[239] < left * alone, "{} of {alone}", hand[239]);
    held
}
