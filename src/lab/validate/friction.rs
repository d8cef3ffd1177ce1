//! Coulomb friction: the incline and the capstan.

use super::{
    Plot, ValidationRow,
    capstan::{Capstan, DRAWN, SLIDES},
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc},
    plot::Outcome,
    theory::GRAVITY,
};
use crate::sim::shape::AnalyticSurface;
use glam::DVec3;
use rayon::prelude::*;
use std::f64::consts::PI;

/// A strand that holds creeps no farther than this. `[mm]`
const CREEP: f64 = 0.2;

/// A strand lies on a floor, along the slope to be; then the floor tilts.
pub fn incline(harness: &Harness) -> Outcome {
    let floor = AnalyticSurface::HalfSpace {
        normal: DVec3::Y,
        offset: 0.0,
    };
    let cases: Vec<(f64, f64)> = [0.1, 0.3, 0.6, 1.0]
        .iter()
        .flat_map(|mu| [0.99, 1.01, 1.05].map(|share| (*mu, share)))
        .collect();
    let slides: Vec<Vec<[f64; 2]>> = cases
        .par_iter()
        .map(|(mu, share)| {
            let strand = arc(0.25, 0.0, 0.0, SEGMENTS / 2);
            let mut fixture = StrandFixture::new(harness, harness.live(&Fibre::hair()), &[strand]);
            fixture.block.pinned = 0;
            fixture.skin = Some(&floor);
            fixture.friction = *mu;
            fixture.run(0.5, |_| ());
            let angle = mu.atan() * share;
            fixture.gravity = DVec3::new(angle.sin(), -angle.cos(), 0.0) * GRAVITY;
            let middle = SEGMENTS / 4;
            let start = fixture.block.point(middle, 0).x;
            let begun = fixture.time();
            let mut slide = vec![[0.0, 0.0]];
            fixture.run(2.0, |fixture| {
                let way = fixture.block.point(middle, 0).x - start;
                slide.push([fixture.time() - begun, 1e3 * way]);
            });
            slide
        })
        .collect();
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("time [s]", "way down the slope [mm]");
    for ((mu, share), slide) in cases.iter().zip(slides) {
        let angle = mu.atan() * share;
        let pull = GRAVITY * (angle.sin() - mu * angle.cos());
        let way = slide.last().map_or(f64::NAN, |p| p[1]);
        let case = format!("friction {mu}, {share} of its angle: way in 2 s [mm]");
        if *share < 1.0 {
            outcome
                .rows
                .push(ValidationRow::absolute(case, 0.0, way, CREEP));
        } else {
            // At 1.01 of the angle a hundredth of the friction is all that
            // drives: a tenth of the way is a thousandth of the friction.
            let tolerance = if *share < 1.02 { 0.1 } else { 0.05 };
            outcome.rows.push(ValidationRow::relative(
                case,
                1e3 * 2.0 * pull,
                way,
                tolerance,
            ));
        }
        if *mu == 0.3 {
            let curve = |i: i32| {
                let t = 2.0 * f64::from(i) / 40.0;
                [t, 500.0 * pull.max(0.0) * t * t]
            };
            let name = format!("friction 0.3, {share} of its angle");
            plot = plot
                .theory(name.clone(), (0..=40).map(curve).collect())
                .measured(name, slide.into_iter().step_by(6).collect());
        }
    }
    outcome.plot = Some(plot);
    outcome
}

/// Radius of the post. `[m]`
const POST: f64 = 0.03;
/// Length of the strand on either side of it. `[m]`
const SIDE: f64 = 0.09;

/// A strand laid half around a post. One end is drawn down, the other is held back by a
/// hand ([`Capstan`]).
pub fn capstan(harness: &Harness) -> Outcome {
    let post = AnalyticSurface::Capsule {
        ends: [DVec3::Z, -DVec3::Z],
        radius: POST,
    };
    let frictions = [0.2, 0.4, 0.7, 1.0];
    let ratios: Vec<Option<(f64, f64)>> = frictions
        .par_iter()
        .map(|mu| pulled(harness, &post, *mu))
        .collect();
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (mu, found) in frictions.into_iter().zip(ratios) {
        let case = format!("friction {mu}, half around, 2 substeps: ratio of the tensions");
        match found {
            Some((ratio, wrap)) => {
                let wanted = (mu * wrap).exp();
                outcome
                    .rows
                    .push(ValidationRow::relative(case, wanted, ratio, 0.03));
                // Drawn as if wrapped half around exactly.
                measured.push([mu, ratio.powf(PI / wrap)]);
            }
            // The others have no tension to ask for.
            None if !harness.method.tension => {
                let row = ValidationRow::not_measured(case, (mu * PI).exp(), 0.03);
                outcome.rows.push(row);
            }
            // The strand has left the post.
            None => {
                let wanted = (mu * PI).exp();
                outcome
                    .rows
                    .push(ValidationRow::relative(case, wanted, f64::NAN, 0.03));
            }
        }
    }
    let curve = |i: i32| {
        let mu = 1.1 * f64::from(i) / 40.0;
        [mu, (mu * PI).exp()]
    };
    outcome.plot = Some(
        Plot::new("friction", "ratio of the tensions")
            .log_y()
            .theory("exp(friction x angle)", (0..=40).map(curve).collect())
            .measured("drawn at 2 cm/s", measured),
    );
    outcome
}

/// Ratio of the tensions on both sides, and the angle between them; the mean
/// over the last part of the way.
fn pulled(harness: &Harness, post: &AnalyticSurface, mu: f64) -> Option<(f64, f64)> {
    let capstan = Capstan::new(POST, SIDE);
    let mut params = harness.live(&Capstan::fibre());
    // What hair in contact wants at 60 steps a second.
    params.step.set_substeps(2);
    let strands = std::slice::from_ref(&capstan.strand);
    let mut fixture = StrandFixture::new(harness, params, strands);
    fixture.block.pinned = 0;
    fixture.skin = Some(post);
    fixture.friction = mu;
    fixture.drag = 5.0;
    let (mut sum, mut wrap, mut count) = (0.0, 0.0, 0);
    fixture.run(DRAWN, |fixture| {
        let first = fixture.block.point(0, 0);
        fixture.block.attachments = capstan.ends(first, fixture.time() + fixture.dt());
        if fixture.time() > SLIDES
            && let Some(([slack, taut], angle)) = fixture.tensions()
        {
            sum += (taut / slack).ln();
            wrap += angle;
            count += 1;
        }
    });
    let count = (count > 0).then_some(f64::from(count))?;
    Some(((sum / count).exp(), wrap / count))
}
