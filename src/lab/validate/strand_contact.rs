//! Strands that touch strands: a fall across one, a slope of two (Coulomb 1785), a turn
//! around one (Euler, Eytelwein). Methods that let strands pass through one another have
//! nothing to measure here.

use super::{
    Plot, ValidationRow,
    capstan::{Capstan, DRAWN, SLIDES},
    fixture::{Fibre, Harness, SEGMENTS, arc, place, seen, worse},
    plot::Outcome,
    theory::GRAVITY,
};
use crate::{
    groom::Groom,
    math::Pose,
    param::Value,
    sim::{
        SimParams,
        attachment::{Attachment, AttachmentKind},
        solver::{Solver, StepInput, hold_all},
        state::{LANES, StrandState},
        strand_contact::{StrandContact, Touching, params::StrandContactParams},
    },
};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::{f64::consts::PI, sync::atomic::Ordering};

/// How many times as heavy and stiff a strand is that nothing moves.
const RIGID: f32 = 1e4;

/// Which strand of the simulation is the moving one: the first of the second block.
const MOVING: usize = LANES;

/// Strands that are held, and one that moves.
struct TouchingStrands<'a> {
    harness: &'a Harness<'a>,
    params: SimParams,
    solver: Box<dyn Solver>,
    contact: StrandContact,
    contact_params: StrandContactParams,
    state: StrandState,
    /// Of the edges of the moving strand. `[m]`
    rest_lengths: Vec<f64>,
    /// `[m/s²]`
    gravity: DVec3,
    /// Air drag. `[1/s]`
    drag: f64,
    time: f64,
}

impl<'a> TouchingStrands<'a> {
    /// Up to [`LANES`] strands that nothing moves, and one that does. None where the
    /// method lets strands pass through one another.
    fn new(
        harness: &'a Harness,
        fibre: &Fibre,
        [thickness, friction]: [f64; 2],
        held: &[Vec<DVec3>],
        moving: &[DVec3],
    ) -> Option<Self> {
        let mut params = harness.live(fibre);
        hold_all(&mut params);
        let methods = &mut params.methods;
        methods.set_all("strand_contact", &Value::Bool(true));
        methods.set_all("thickness", &Value::Float(1e3 * thickness));
        methods.set_all("strand_friction", &Value::Float(friction));
        // What hair in contact wants at 60 steps a second.
        params.step.set_substeps(2);
        let solver = harness.method.solver(&params);
        let contact_params = solver.strand_contact()?;
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        let mut add = |points: &[DVec3], share: f32| {
            groom.points.extend(points.iter().map(|p| p.as_vec3()));
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(share);
            groom.stiffness.resize(groom.points.len(), share);
        };
        for points in held {
            add(points, RIGID);
        }
        // The rest of their block, far from everything.
        for i in held.len()..LANES {
            let far = DVec3::new(5.0, i as f64, 0.0);
            add(&[0.0, 1.0, 2.0].map(|k| far + DVec3::X * (0.01 * k)), RIGID);
        }
        add(moving, 1.0);
        let mut fixture = Self {
            harness,
            params,
            solver,
            contact: StrandContact::default(),
            contact_params,
            state: StrandState::new(&groom, &Pose::IDENTITY),
            rest_lengths: Vec::new(),
            gravity: DVec3::new(0.0, -GRAVITY, 0.0),
            drag: 0.0,
            time: 0.0,
        };
        fixture.rest_lengths = fixture.lengths();
        Some(fixture)
    }

    /// Pins all vertices of the first strands where they are. `[m]`
    fn pin(&mut self, held: &[Vec<DVec3>]) {
        let pin = |lane, (row, p): (usize, &DVec3)| {
            Attachment::in_world([lane, row], place(*p), AttachmentKind::Pin)
        };
        let pins = held.iter().enumerate();
        let pins = pins.flat_map(|(lane, points)| {
            let points = points.iter().enumerate();
            points.map(move |point| pin(lane, point))
        });
        self.state.blocks[0].attachments = pins.collect();
    }

    /// So many seconds of steps; `each` comes before every step and after the last.
    fn run(&mut self, seconds: f64, mut each: impl FnMut(&mut Self)) {
        let steps = (seconds * f64::from(self.params.step.rate)).round() as u64;
        for step in 0..steps {
            if step.is_multiple_of(32) && self.harness.cancel.load(Ordering::Relaxed) {
                return;
            }
            each(self);
            self.step();
            let lengths = self.lengths();
            let rest = lengths.iter().zip(&self.rest_lengths);
            let stretch = rest.map(|(now, rest)| (now / rest - 1.0).abs());
            let resets = self.state.blocks.iter().map(|block| block.resets).sum();
            self.harness
                .saw_stretch(seen(stretch.fold(0.0, worse), resets));
        }
        each(self);
    }

    fn step(&mut self) {
        let input = StepInput {
            gravity: self.gravity.to_array(),
            drag: self.drag,
            ..StepInput::at_rest(&self.params, self.time)
        };
        let step = Touching {
            params: &self.contact_params,
            solver: self.solver.as_ref(),
            input: &input,
        };
        self.contact.step(&mut self.state, &step, None);
        self.time += self.dt();
    }

    fn dt(&self) -> f64 {
        1.0 / f64::from(self.params.step.rate)
    }

    /// Vertex `i` of a strand. `[m]`
    fn point(&self, strand: usize, i: usize) -> DVec3 {
        self.state.blocks[strand / LANES].point(i, strand % LANES)
    }

    fn lengths(&self) -> Vec<f64> {
        let block = &self.state.blocks[1];
        let place = |i: usize| DVec3::from(block.position[i].get(0));
        (1..block.counts[0])
            .map(|i| place(i).distance(place(i - 1)))
            .collect()
    }
}

/// The row of what was found; of a method without strand contact it is not measured.
fn measured(found: Option<f64>, row: impl FnOnce(f64) -> ValidationRow) -> ValidationRow {
    match found {
        Some(found) => row(found),
        None => row(f64::NAN).unmeasured(),
    }
}

/// Thickness of the strands that lie on one another. `[m]`
const THICKNESS: f64 = 1e-3;

/// Deepest that one may come into the other while it strikes, and as it lies. `[mm]`
///
/// The first is half of the thickness, the project's goal: as long as the middle lines are
/// half a thickness apart, contact knows on which side each strand is. It is a bound on what
/// goes wrong, not an error of a theory, which has no depth at all.
const DEPTHS: [f64; 2] = [0.5, 0.1];

/// A strand falls from level onto one that crosses it 3 cm below, at 0.6 m/s.
pub fn crossing(harness: &Harness) -> Outcome {
    let bar = DVec3::new(0.12, -0.03, -0.1);
    let bar: Vec<_> = (0..32)
        .map(|i| bar + DVec3::Z * (0.2 * f64::from(i) / 31.0))
        .collect();
    let falling = arc(0.2, 0.0, 0.0, SEGMENTS / 2);
    let found = TouchingStrands::new(harness, &Fibre::hair(), [THICKNESS, 0.3], &[bar], &falling)
        .map(|mut fixture| {
            let (mut path, mut worst, mut last) = (Vec::new(), 0.0, f64::NAN);
            fixture.run(6.0, |fixture| {
                // Seen along the bar it is a point.
                let bar = fixture.point(0, 16).truncate();
                let edges = (1..=SEGMENTS / 2).map(|i| {
                    let [a, b] = [i - 1, i].map(|i| fixture.point(MOVING, i).truncate());
                    let share = (bar - a).dot(b - a) / (b - a).length_squared();
                    bar.distance(a.lerp(b, share.clamp(0.0, 1.0)))
                });
                last = 1e3 * (THICKNESS - edges.fold(f64::MAX, f64::min));
                worst = worse(worst, last);
                path.push([fixture.time, -last]);
            });
            ([worst, last], path)
        });
    let cases = ["deepest while it strikes [mm]", "depth as it lies [mm]"];
    let mut outcome = Outcome::default();
    for (which, (case, allowed)) in cases.into_iter().zip(DEPTHS).enumerate() {
        let depth = found.as_ref().map(|(depths, _)| depths[which]);
        let row = |depth| ValidationRow::absolute(case, 0.0, depth, allowed);
        outcome.rows.push(measured(depth, row));
    }
    let Some((_, path)) = found else {
        return outcome;
    };
    outcome.plot = Some(
        Plot::new("time [s]", "gap [mm]")
            .theory("they touch", vec![[0.0, 0.0], [6.0, 0.0]])
            .measured("gap", path),
    );
    outcome
}

/// A strand that lies across two that lead down a slope: it holds, or slides.
pub fn incline(harness: &Harness) -> Outcome {
    let cases: Vec<(f64, f64)> = [0.2, 0.5]
        .iter()
        .flat_map(|mu| [0.95, 1.05].map(|share| (*mu, share)))
        .collect();
    let slides: Vec<Option<Vec<[f64; 2]>>> = cases
        .par_iter()
        .map(|(mu, share)| slid(harness, *mu, *share))
        .collect();
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "way down the slope [mm]");
    for ((mu, share), slide) in cases.into_iter().zip(slides) {
        let angle = mu.atan() * share;
        let pull = GRAVITY * (angle.sin() - mu * angle.cos()).max(0.0);
        let case = format!("friction {mu}, {share} of its angle: way in the second second [mm]");
        let wanted = 1e3 * 1.5 * pull;
        let way = slide.as_ref().map(|slide| {
            // There is none where nobody waits any more.
            let at = |index: usize| slide.get(index).map_or(f64::NAN, |point| point[1]);
            at(slide.len().saturating_sub(1)) - at(slide.len() / 2)
        });
        outcome.rows.push(measured(way, |way| match share < 1.0 {
            true => ValidationRow::absolute(case, 0.0, way, HELD),
            false => ValidationRow::relative(case, wanted, way, 0.1),
        }));
        let Some(slide) = slide else {
            continue;
        };
        if mu == 0.5 {
            let curve = |i: i32| {
                let t = 2.0 * f64::from(i) / 40.0;
                [t, 500.0 * pull * t * t]
            };
            let name = format!("friction {mu}, {share} of its angle");
            plot = plot
                .theory(name.clone(), (0..=40).map(curve).collect())
                .measured(name, slide);
            outcome.plot = Some(plot.clone());
        }
    }
    outcome
}

/// A strand that holds creeps no farther than this. `[mm]`
const HELD: f64 = 0.2;

/// How far the strand has slid in two seconds. `[s]`, `[mm]`
fn slid(harness: &Harness, friction: f64, share: f64) -> Option<Vec<[f64; 2]>> {
    let slope = DQuat::from_rotation_z(-friction.atan() * share);
    let line = |from: DVec3, to: DVec3| -> Vec<DVec3> {
        let share = |i: i32| f64::from(i) / 31.0;
        (0..32).map(|i| slope * from.lerp(to, share(i))).collect()
    };
    // Long enough for the farthest slide.
    let rails = [-0.03, 0.03].map(|z| {
        let from = DVec3::new(0.0, 0.0, z);
        line(from, from + DVec3::X * 0.8)
    });
    let lying = DVec3::new(0.05, 0.99 * THICKNESS, 0.0);
    let half = DVec3::Z * 0.05;
    // As stiff as wire: it does not sag between the rails.
    let fibre = Fibre::hair().times(100.0);
    let mut fixture = TouchingStrands::new(
        harness,
        &fibre,
        [THICKNESS, friction],
        &rails,
        &line(lying - half, lying + half),
    )?;
    // Held by their roots alone they would sag by half a millimetre at their tips, and be
    // steeper than the slope by some three hundredths of what drives.
    fixture.pin(&rails);
    fixture.state.blocks[1].pinned = 0;
    let start = fixture.point(MOVING, 16);
    let down = slope * DVec3::X;
    let mut path = Vec::new();
    fixture.run(2.0, |fixture| {
        let way = 1e3 * down.dot(fixture.point(MOVING, 16) - start);
        path.push([fixture.time, way]);
    });
    Some(path)
}

/// Thickness of the strands of which one is laid around the other: their middle lines
/// are as far apart. `[m]`
const POST: f64 = 0.01;

/// Length of the strand on either side of it. `[m]`
const SIDE: f64 = 0.06;

/// How far the friction that the tensions tell may be off, as a share of it.
const RUBS: f64 = 0.15;

/// A strand laid half around another one: one end is drawn, the other is held back by a
/// hand ([`Capstan`]).
pub fn capstan(harness: &Harness) -> Outcome {
    let frictions = [0.1, 0.3, 0.5];
    let ratios: Vec<Option<f64>> = frictions.par_iter().map(|mu| drawn(harness, *mu)).collect();
    let mut outcome = Outcome::default();
    let mut points = Vec::new();
    for (mu, ratio) in frictions.into_iter().zip(ratios) {
        let case =
            format!("friction {mu}, half around a strand: log of the tensions' ratio over pi");
        outcome.rows.push(measured(ratio, |ratio| {
            // The ratio itself would be near to its theory almost without friction.
            ValidationRow::relative(case, mu, ratio.ln() / PI, RUBS)
        }));
        points.extend(ratio.map(|ratio| [mu, ratio]));
    }
    let curve = |i: i32| {
        let mu = 0.6 * f64::from(i) / 40.0;
        [mu, (mu * PI).exp()]
    };
    if !points.is_empty() {
        outcome.plot = Some(
            Plot::new("friction", "ratio of the tensions")
                .log_y()
                .theory("exp(friction x angle)", (0..=40).map(curve).collect())
                .measured("drawn at 2 cm/s", points),
        );
    }
    outcome
}

/// Ratio of the tensions on both sides, the mean over the last part of the way.
fn drawn(harness: &Harness, friction: f64) -> Option<f64> {
    let post: Vec<_> = (0..8)
        .map(|i| DVec3::Z * (0.005 * f64::from(i) - 0.0175))
        .collect();
    let capstan = Capstan::new(POST, SIDE);
    let mut fixture = TouchingStrands::new(
        harness,
        &Capstan::fibre(),
        [POST, friction],
        std::slice::from_ref(&post),
        &capstan.strand,
    )?;
    fixture.gravity = DVec3::ZERO;
    fixture.drag = 5.0;
    fixture.pin(std::slice::from_ref(&post));
    fixture.state.blocks[1].pinned = 0;
    let (mut sum, mut count) = (0.0, 0);
    fixture.run(DRAWN, |fixture| {
        let time = fixture.time;
        let ends = capstan.ends(fixture.point(MOVING, 0), time + fixture.dt());
        let block = &mut fixture.state.blocks[1];
        block.attachments = ends;
        if time > SLIDES
            && let Some(forces) = fixture.solver.forces(block, 0)
        {
            // In the middle of the side that is drawn.
            let edges = capstan.strand.len() - 1;
            let taut = Fibre::DENSITY * forces.tension[edges - edges / 8];
            sum += (taut / capstan.load()).ln();
            count += 1;
        }
    });
    (count > 0).then(|| (sum / f64::from(count)).exp())
}
