//! A floor that is shaken under a strand: Coulomb friction holds the strand, or lets it
//! slip, and holds it again.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, worse},
    plot::Outcome,
    theory::{GRAVITY, SlidingBody},
};
use crate::sim::shape::AnalyticSurface;
use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::TAU;

/// Coulomb's coefficient.
const FRICTION: f64 = 0.3;

/// Angular frequency of the floor. `[1/s]`
const FLOOR: f64 = 2.0 * TAU;

/// How long the strand lies on the floor before that moves. `[s]`
const REST: f64 = 0.5;

/// How long the floor moves: four times to and fro. `[s]`
const SHAKE: f64 = 2.0;

/// Steps of the motion in double precision in one of the strand.
const FINER: usize = 200;

/// How fast the floor is shaken, and on what slope.
#[derive(Clone, Copy)]
struct Shake {
    /// Largest acceleration over that which friction gives on level ground.
    pull: f64,
    /// Tangent of the slope over the coefficient of friction.
    slope: f64,
}

impl Shake {
    /// How far the floor goes to either side. `[m]`
    fn reach(&self) -> f64 {
        self.pull * FRICTION * GRAVITY / (FLOOR * FLOOR)
    }

    /// Where the floor is, a time after it began to move. `[m]`
    fn floor(&self, time: f64) -> f64 {
        self.reach() * (1.0 - (FLOOR * time.max(0.0)).cos())
    }

    fn floor_speed(&self, time: f64) -> f64 {
        self.reach() * FLOOR * (FLOOR * time).sin()
    }

    /// Gravity along the floor and into it. `[m/s²]`
    fn gravity(&self) -> [f64; 2] {
        let (sine, cosine) = (FRICTION * self.slope).atan().sin_cos();
        [GRAVITY * sine, GRAVITY * cosine]
    }

    /// Where a body on the floor is after each of so many steps. `[m]`
    fn theory(&self, steps: usize, dt: f64) -> Vec<f64> {
        let [along, into] = self.gravity();
        let mut body = SlidingBody::default();
        let h = dt / FINER as f64;
        let mut path = vec![0.0];
        for step in 0..steps {
            for part in 1..=FINER {
                let time = h * (step * FINER + part) as f64;
                body.step(h, along, FRICTION * into, self.floor_speed(time));
            }
            path.push(body.way);
        }
        path
    }

    /// Where the middle of a strand on the floor is after each step, and the length of
    /// a step. `[m]`, `[s]`
    fn strand(&self, harness: &Harness) -> (Vec<f64>, f64) {
        let surface = AnalyticSurface::HalfSpace {
            normal: DVec3::Y,
            offset: 0.0,
        };
        let strand = arc(0.1, 0.0, 0.0, SEGMENTS / 4);
        let mut params = harness.live(&Fibre::hair());
        // In a substep the floor goes no farther than a fiftieth of its way.
        params.step.set_substeps(8);
        let floor = |time: f64| DVec3::X * self.floor(time - REST);
        let mut fixture = StrandFixture::new(harness, params, &[strand]);
        fixture.block.pinned = 0;
        fixture.skin = Some(&surface);
        fixture.friction = FRICTION;
        let [along, into] = self.gravity();
        fixture.gravity = -DVec3::Y * into;
        fixture.run(REST, |_| ());
        fixture.gravity = DVec3::new(along, -into, 0.0);
        fixture.head = Some(&floor);
        let middle = |fixture: &StrandFixture| fixture.block.point(SEGMENTS / 8, 0).x;
        let start = middle(&fixture);
        let mut path = vec![0.0];
        fixture.run(SHAKE, |fixture| path.push(middle(fixture) - start));
        (path, fixture.dt())
    }
}

/// A strand on a floor that moves to and fro: friction carries it where the floor's
/// acceleration is small, and on a slope shaking lets it wander down.
pub fn shaken(harness: &Harness) -> Outcome {
    let shakes = [(0.8, 0.0), (1.5, 0.0), (4.0, 0.0), (1.5, 0.5)];
    let shakes = shakes.map(|(pull, slope)| Shake { pull, slope });
    let paths: Vec<_> = shakes
        .par_iter()
        .map(|shake| shake.strand(harness))
        .collect();
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "way [mm]");
    for (shake, (path, dt)) in shakes.iter().zip(paths) {
        let theory = shake.theory(path.len() - 1, dt);
        let name = format!(
            "floor's acceleration {} of what friction bears, slope {} of its angle",
            shake.pull, shake.slope
        );
        let apart = |a: &[f64], b: &dyn Fn(usize) -> f64| {
            let far = a.iter().enumerate().map(|(i, x)| (x - b(i)).abs());
            far.fold(0.0, worse)
        };
        let off = apart(&path, &|i| theory[i]) / apart(&theory, &|_| 0.0);
        let case = format!("{name}: farthest from Coulomb's motion, over its travel");
        outcome
            .rows
            .push(ValidationRow::absolute(case, 0.0, off, 0.03));
        // The last time to and fro.
        let last = path.len() - path.len() / 4;
        let swing = |path: &[f64]| {
            let ends = path[last..].iter();
            let ends = ends.fold([f64::MAX, f64::MIN], |[a, b], x| [a.min(*x), b.max(*x)]);
            1e3 * (ends[1] - ends[0])
        };
        let case = format!("{name}: last swing [mm]");
        outcome.rows.push(ValidationRow::relative(
            case,
            swing(&theory),
            swing(&path),
            0.02,
        ));
        if shake.pull == 1.5 {
            let curve = |path: &[f64]| {
                let points = path.iter().enumerate();
                let points = points.map(|(i, x)| [dt * i as f64, 1e3 * x]);
                points.step_by(2).collect()
            };
            let name = format!("slope {} of the angle of friction", shake.slope);
            plot = plot
                .theory(name.clone(), curve(&theory))
                .measured(name, curve(&path));
        }
    }
    outcome.plot = Some(plot);
    outcome
}
