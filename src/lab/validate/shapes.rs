//! Static shapes: the heavy cantilever at any stiffness, resolution and step,
//! and the catenary.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, place},
    plot::Outcome,
    theory::{Catenary, cantilever as elastica},
};
use crate::sim::attachment::{Attachment, AttachmentKind};
use glam::DVec3;
use rayon::prelude::*;

/// The tip's height over width, below a clamp at the origin. `[1]`
fn height_over_width(fixture: &StrandFixture, lane: usize) -> f64 {
    let tip = fixture.tip(lane);
    -tip.y / tip.x
}

/// Strands that were level and have come to rest under their weight.
fn sagged<'a>(harness: &'a Harness, rate: u32, strands: &[(f64, usize)]) -> StrandFixture<'a> {
    let fibre = Fibre::hair();
    let mut params = harness.live(&fibre);
    params.step.scale_to(rate);
    let level = |(gamma, segments): &(f64, usize)| arc(fibre.length(*gamma), 0.0, 0.0, *segments);
    let mut fixture = StrandFixture::new(
        harness,
        params,
        &strands.iter().map(level).collect::<Vec<_>>(),
    );
    fixture.drag = 8.0;
    fixture.run(8.0, |_| ());
    fixture
}

/// The error that piecewise straight strands of that many segments make: of
/// second order in the length of a segment.
fn formula(gamma: f64, segments: usize) -> f64 {
    0.1 * gamma / (segments * segments) as f64
}

/// Hair of one material in lengths from 2 to 48 cm: one row of the master
/// curve a length.
pub fn cantilever(harness: &Harness) -> Outcome {
    let gammas = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
    ];
    let strands: Vec<_> = gammas.iter().map(|gamma| (*gamma, SEGMENTS)).collect();
    let fixture = sagged(harness, 60, &strands);
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (lane, gamma) in gammas.into_iter().enumerate() {
        let found = height_over_width(&fixture, lane);
        measured.push([gamma, found]);
        let tolerance = match gamma {
            ..=10.0 => 1e-3,
            ..=100.0 => 5e-3,
            _ => 2.0 * formula(gamma, SEGMENTS),
        };
        let case = format!("weight/stiffness {gamma}: height/width of the tip");
        let row = ValidationRow::relative(case, elastica(gamma), found, tolerance);
        let row = row.at("weight_over_stiffness", gamma, "");
        // The rows in between are for the curve.
        if [0.1, 1.0, 10.0, 100.0, 1000.0].contains(&gamma) {
            outcome.rows.push(row);
        }
    }
    outcome.plot = Some(master_curve(-1.1, 4.2).measured("64 segments", measured));
    outcome
}

/// The elastica over so many decades from ten to the power of `first` on.
pub fn master_curve(first: f64, decades: f64) -> Plot {
    let point = |i: i32| {
        let gamma = 10f64.powf(first + decades * f64::from(i) / 84.0);
        [gamma, elastica(gamma)]
    };
    Plot::new("weight/stiffness  λ g L³/B", "height/width of the tip")
        .log_x()
        .log_y()
        .theory("elastica", (0..=84).map(point).collect())
}

pub fn resolution(harness: &Harness) -> Outcome {
    let (gamma, counts) = (10.0, [16, 24, 32, 48, 64, 96, 128]);
    let strands = counts.map(|count| (gamma, count));
    let fixture = sagged(harness, 60, &strands);
    let reference = elastica(gamma);
    // At this weight the error of an exact discrete elastica is twice the
    // formula: what is above it comes from elsewhere.
    let allowed = |count: usize| 2.2 * formula(gamma, count);
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (lane, count) in counts.into_iter().enumerate() {
        let found = height_over_width(&fixture, lane);
        measured.push([count as f64, 100.0 * (found / reference - 1.0).abs()]);
        if count.is_power_of_two() {
            let case = format!("{count} segments, weight/stiffness 10: height/width");
            let row = ValidationRow::relative(case, reference, found, allowed(count));
            outcome.rows.push(row.at("segments", count as f64, ""));
        }
    }
    let bound = counts.map(|count| [count as f64, 100.0 * allowed(count)]);
    outcome.plot = Some(
        Plot::new("segments", "error of height/width [%]")
            .log_x()
            .log_y()
            .theory("allowed: second order", bound.to_vec())
            .measured("error", measured),
    );
    outcome
}

pub fn time_step(harness: &Harness) -> Outcome {
    let gamma = 10.0;
    let rates: &[u32] = match harness.quick {
        true => &[60, 120, 240],
        false => &[60, 120, 240, 480, 960],
    };
    let found: Vec<f64> = rates
        .par_iter()
        .map(|rate| height_over_width(&sagged(harness, *rate, &[(gamma, SEGMENTS)]), 0))
        .collect();
    let mut outcome = Outcome::default();
    for (rate, now) in rates.iter().zip(&found).skip(1) {
        let case = format!("steps of 1/{rate} s against 1/60 s, weight/stiffness 10: height/width");
        let tolerance = formula(gamma, SEGMENTS);
        let row = ValidationRow::relative(case, found[0], *now, tolerance);
        outcome.rows.push(row.at("rate", f64::from(*rate), "1/s"));
    }
    let reference = elastica(gamma);
    let x = |i: usize| f64::from(rates[i]);
    outcome.plot = Some(
        Plot::new("steps in a second", "height/width of the tip")
            .log_x()
            .log_y()
            .theory(
                "elastica",
                (0..rates.len()).map(|i| [x(i), reference]).collect(),
            )
            .measured(
                "64 segments",
                (0..rates.len()).map(|i| [x(i), found[i]]).collect(),
            ),
    );
    outcome
}

/// Hair made limp, 25 cm long, drawn from straight to its span within two
/// seconds.
pub fn catenary(harness: &Harness) -> Outcome {
    let (length, spans) = (0.25, [0.3, 0.45, 0.6, 0.75, 0.9]);
    let params = harness.live(&Fibre::hair().times(1e-4));
    let chains = spans.map(Catenary::new);
    let strands: Vec<_> = chains
        .iter()
        .map(|chain| arc(length, chain.slope(), 0.0, SEGMENTS))
        .collect();
    let mut fixture = StrandFixture::new(harness, params, &strands);
    fixture.drag = 3.0;
    let starts: Vec<DVec3> = (0..spans.len()).map(|lane| fixture.tip(lane)).collect();
    fixture.run(15.0, |fixture| {
        // For the step that follows.
        let share = ((fixture.time() + fixture.dt()) / 2.0).min(1.0);
        fixture.block.attachments = (0..spans.len())
            .map(|lane| {
                let end = DVec3::X * (length * spans[lane]);
                let target = place(starts[lane].lerp(end, share));
                Attachment::in_world([lane, SEGMENTS], target, AttachmentKind::Pin)
            })
            .collect();
    });
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("across [cm]", "height [cm]").even();
    for (lane, chain) in chains.iter().enumerate() {
        let points = fixture.points(lane);
        let lowest = points.iter().map(|p| p.y).fold(f64::MAX, f64::min);
        let case = format!("ends {:.2} lengths apart: sag over length", chain.span);
        let row = ValidationRow::relative(case, chain.sag(), -lowest / length, 5e-3);
        outcome.rows.push(row.at("span", chain.span, "lengths"));
        let curve = |i: i32| {
            let x = chain.span * f64::from(i) / 60.0;
            [100.0 * length * x, 100.0 * length * chain.height(x)]
        };
        let name = format!("span {:.2}", chain.span);
        plot = plot
            .theory(name.clone(), (0..=60).map(curve).collect())
            .measured(
                name,
                points
                    .iter()
                    .step_by(4)
                    .map(|p| [100.0 * p.x, 100.0 * p.y])
                    .collect(),
            );
    }
    outcome.plot = Some(plot);
    outcome
}
