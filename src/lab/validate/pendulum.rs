//! A stiff strand on a hinge, swinging as far as it likes.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, StrandFixture, arc, place},
    plot::Outcome,
    theory::pendulum_period,
};
use crate::sim::attachment::{Attachment, AttachmentKind};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Length of the strand. `[m]`
const LENGTH: f64 = 0.1;
/// Its segments: it does not bend.
const SEGMENTS: usize = 8;
/// How far from hanging it is let go. `[degrees]`
const SWINGS: [f64; 5] = [10.0, 60.0, 90.0, 120.0, 160.0];

/// Hair three hundred times as stiff, without a clamp: a pin holds its root. How long
/// it takes to hang straight down, a quarter of Euler's period, and how high it
/// comes on the other side, in steps of 1/960 s.
pub fn pendulum(harness: &Harness) -> Outcome {
    let strands: Vec<_> = SWINGS
        .iter()
        .map(|swing| arc(LENGTH, FRAC_PI_2 - swing.to_radians(), 0.0, SEGMENTS))
        .collect();
    let mut params = harness.live(&Fibre::hair().times(300.0));
    params.step.scale_to(960);
    let mut fixture = StrandFixture::new(harness, params, &strands);
    fixture.block.pinned = 0;
    fixture.block.attachments = (0..SWINGS.len())
        .map(|lane| Attachment::in_world([lane, 0], place(DVec3::ZERO), AttachmentKind::Pin))
        .collect();
    // The angle from hanging, towards where it was let go. `[rad]`
    let angle = |fixture: &StrandFixture, lane: usize| {
        let way = fixture.tip(lane) - fixture.block.point(0, lane);
        way.x.atan2(-way.y)
    };
    let starts: Vec<f64> = (0..SWINGS.len())
        .map(|lane| angle(&fixture, lane))
        .collect();
    let mut last = starts;
    let mut quarter = [f64::NAN; SWINGS.len()];
    let mut farthest = [0.0f64; SWINGS.len()];
    let longest = pendulum_period(LENGTH, SWINGS[SWINGS.len() - 1].to_radians());
    fixture.run(0.8 * longest, |fixture| {
        for lane in 0..SWINGS.len() {
            let now = angle(fixture, lane);
            if quarter[lane].is_nan() && last[lane] > 0.0 && now <= 0.0 {
                let share = last[lane] / (last[lane] - now);
                quarter[lane] = fixture.time() - fixture.dt() * (1.0 - share);
            }
            let period = pendulum_period(LENGTH, SWINGS[lane].to_radians());
            if fixture.time() < 0.75 * period && quarter[lane].is_finite() {
                farthest[lane] = farthest[lane].max(-now.to_degrees());
            }
            last[lane] = now;
        }
    });
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (lane, swing) in SWINGS.into_iter().enumerate() {
        let period = pendulum_period(LENGTH, swing.to_radians());
        measured.push([swing, 4.0 * quarter[lane]]);
        outcome.rows.push(
            ValidationRow::relative(
                format!("let go {swing}° from hanging: four times the way down [s]"),
                period,
                4.0 * quarter[lane],
                0.01,
            )
            .at("swing", swing, "°"),
        );
        outcome.rows.push(
            ValidationRow::relative(
                format!("let go {swing}° from hanging: angle on the other side [°]"),
                swing,
                farthest[lane],
                0.02,
            )
            .at("swing", swing, "°"),
        );
    }
    let curve = |i: i32| {
        let swing = 2.0 + 170.0 * f64::from(i) / 60.0;
        [swing, pendulum_period(LENGTH, swing.to_radians())]
    };
    outcome.plot = Some(
        Plot::new("let go from hanging [°]", "period [s]")
            .theory("Euler", (0..=60).map(curve).collect())
            .measured("four times the way down", measured),
    );
    outcome
}
