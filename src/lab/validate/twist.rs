//! What twist does to strands: one that is slack between two clamps winds, and a ring
//! buckles.
//!
//! A strand knows no clamp but its root, and a hand holds places, no angles. So the
//! strand ends in a crank: a sleeve, which keeps its direction, and an arm across,
//! which is turned about the sleeve.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, place, worse},
    plot::Outcome,
    twisted_rod::{CLAMPED_TWIST, RING_TWIST, TwistedRod},
};
use crate::sim::attachment::{Attachment, AttachmentKind};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Time in which the crank is turned. `[s]`
const TURNING: f64 = 6.0;

/// Edges of the crank's arm.
const ARM: usize = 4;

/// Speed of the vertices that breaks a ring's symmetry. `[m/s]`
const NUDGE: f64 = 1e-3;

/// Shares of the critical twist that are put on rings.
const SHARES: [f64; 8] = [0.8, 0.9, 0.95, 0.98, 1.02, 1.05, 1.1, 1.2];

/// The two of them that are judged.
const JUDGED: [f64; 2] = [0.98, 1.02];

/// A ring farther from its plane than this share of its length has left it.
const LEFT: f64 = 0.02;

/// A strand with a crank: `free` edges, the sleeve of one, and the arm.
struct Crank {
    free: usize,
    /// Length of an edge. `[m]`
    edge: f64,
}

impl Crank {
    /// Adds the arm, turned by `angle` about x, to a curve.
    fn with_arm(&self, mut curve: Vec<DVec3>, angle: f64) -> Vec<DVec3> {
        let across = DVec3::new(0.0, -angle.sin(), angle.cos()) * self.edge;
        let end = curve[self.free + 1];
        curve.extend((1..=ARM).map(|i| end + across * i as f64));
        curve
    }

    /// The curve without stress.
    fn straight(&self) -> Vec<DVec3> {
        let edges = self.free + 1;
        self.with_arm(arc(self.edge * edges as f64, 0.0, 0.0, edges), 0.0)
    }

    /// Length from the root's clamp to the sleeve's: that of the free edges and half
    /// of the sleeve. `[m]`
    fn span(&self) -> f64 {
        self.edge * (self.free as f64 + 0.5)
    }

    /// What holds the crank of a lane whose places are `curve`: the arm's tip softly,
    /// so that the sleeve alone says where it is.
    fn hold(&self, lane: usize, curve: &[DVec3]) -> impl Iterator<Item = Attachment> {
        let at = |row: usize, hold| Attachment::in_world([lane, row], place(curve[row]), hold);
        [
            at(self.free, AttachmentKind::Pin),
            at(self.free + 1, AttachmentKind::Pin),
            at(curve.len() - 1, AttachmentKind::Hand),
        ]
        .into_iter()
    }
}

/// Twists that are put on slack strands, over that at which no force is left.
const WINDINGS: [f64; 6] = [0.1, 0.25, 0.5, 0.75, 0.9, 1.0];

/// How much nearer together than the strand is long the clamps are, over its length.
const SLACK: f64 = 2e-3;

/// A slack strand between two clamps, one of which is turned: the force along it, which
/// presses it together first, is none where the moment times length over bending
/// stiffness is [`CLAMPED_TWIST`]. Until then the shape tells the force.
pub fn rod(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let crank = Crank {
        free: SEGMENTS,
        edge: 0.4 / SEGMENTS as f64,
    };
    let strands = vec![crank.straight(); WINDINGS.len()];
    let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &strands);
    fixture.gravity = DVec3::ZERO;
    fixture.drag = 3.0;
    for lane in 0..WINDINGS.len() {
        let bow = |i: usize| (0.5 * TAU * i as f64 / crank.free as f64).sin().max(0.0);
        fixture.kick(lane, |i, _| DVec3::Y * (0.02 * bow(i)));
    }
    let critical = CLAMPED_TWIST * fibre.bending / fibre.twisting;
    let straight = arc(
        crank.edge * (crank.free + 1) as f64,
        0.0,
        0.0,
        crank.free + 1,
    );
    fixture.run(TURNING + 12.0, |fixture| {
        // The clamps come together first.
        let time = fixture.time() + fixture.dt();
        let nearer = SLACK * crank.span() * time.min(1.0);
        let share = ((time - 1.0) / TURNING).clamp(0.0, 1.0);
        let mut attachments = Vec::new();
        for (lane, winding) in WINDINGS.into_iter().enumerate() {
            let curve = straight.iter().map(|p| *p - DVec3::X * nearer).collect();
            let curve = crank.with_arm(curve, share * winding * critical);
            attachments.extend(crank.hold(lane, &curve));
        }
        fixture.block.attachments = attachments;
    });
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (lane, share) in WINDINGS.into_iter().enumerate() {
        let theory = TwistedRod::new(share * CLAMPED_TWIST);
        let points = fixture.points(lane);
        let across = |s: f64| {
            let row = s * (crank.free as f64 + 0.5);
            let (i, part) = (row as usize, row.fract());
            let p = points[i].lerp(points[i + 1], part);
            DVec2::new(p.y, p.z)
        };
        let winding = across(0.25).angle_to(across(0.75)).abs();
        let height = across(0.5).length() / crank.span();
        measured.push([share, winding]);
        if share < 0.5 {
            continue;
        }
        let case = format!("{share} of the twist of {critical:.2} rad that leaves no force");
        outcome.rows.push(ValidationRow::relative(
            format!("{case}: turn between its quarters [rad]"),
            theory.winding(),
            winding,
            0.03,
        ));
        outcome.rows.push(ValidationRow::relative(
            format!("{case}: middle from the axis, in lengths"),
            theory.height(SLACK),
            height,
            0.03,
        ));
    }
    let curve = |i: i32| {
        let share = f64::from(i) / 40.0;
        [share, TwistedRod::new(share * CLAMPED_TWIST).winding()]
    };
    outcome.plot = Some(
        Plot::new(
            "twist over that without force",
            "turn between the quarters [rad]",
        )
        .theory("twisted rod", (1..=40).map(curve).collect())
        .measured("after the crank was turned", measured),
    );
    outcome
}

/// A straight strand that is bent into a ring: both its ends are clamped in one place
/// and direction, and one is turned. That takes nothing from the ring but its rigid
/// motions, so it buckles where a closed one does. About the clamps it swings freely.
pub fn ring(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    // A joint that twists far is softer: half as far, a quarter of the error.
    let crank = Crank {
        free: 2 * SEGMENTS,
        edge: 0.4 / SEGMENTS as f64,
    };
    let strands = vec![crank.straight(); SHARES.len()];
    let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &strands);
    fixture.gravity = DVec3::ZERO;
    fixture.drag = 0.2;
    let critical = RING_TWIST * fibre.bending / fibre.twisting;
    let edges = crank.free + 1;
    let curve = arc(crank.edge * edges as f64, 0.0, TAU / crank.span(), edges);
    for lane in 0..SHARES.len() {
        for (row, point) in crank.with_arm(curve.clone(), 0.0).into_iter().enumerate() {
            fixture.block.position[row].set(lane, point.to_array());
        }
    }
    let mut most = vec![0.0; SHARES.len()];
    let mut nudged = false;
    fixture.run(
        TURNING + if harness.quick { 18.0 } else { 24.0 },
        |fixture| {
            let share = ((fixture.time() + fixture.dt()) / TURNING).min(1.0);
            let mut attachments = Vec::new();
            for (lane, of_critical) in SHARES.into_iter().enumerate() {
                let curve = crank.with_arm(curve.clone(), share * of_critical * critical);
                attachments.extend(crank.hold(lane, &curve));
                let points = &fixture.points(lane)[..=crank.free];
                let (middle, normal) = plane(points);
                let off = |p: &DVec3| normal.dot(*p - middle).abs() / crank.span();
                most[lane] = points.iter().map(off).fold(most[lane], worse);
            }
            fixture.block.attachments = attachments;
            if share == 1.0 && !nudged {
                nudged = true;
                for lane in 0..SHARES.len() {
                    let across = plane(&fixture.points(lane)[..=crank.free]).1 * NUDGE;
                    let wave = |i: usize| {
                        let angle = TAU * i.min(crank.free) as f64 / crank.free as f64;
                        (1.0 - angle.cos()) * (2.0 * angle + 1.0).cos()
                    };
                    fixture.kick(lane, |i, _| across * wave(i));
                }
            }
        },
    );
    let mut outcome = Outcome::default();
    for (share, off) in SHARES.into_iter().zip(&most) {
        if !JUDGED.contains(&share) {
            continue;
        }
        let case = format!(
            "{share} of the critical twist of {critical:.2} rad: farthest from its plane, in lengths"
        );
        outcome.rows.push(match share < 1.0 {
            true => ValidationRow::absolute(case, 0.0, *off, LEFT),
            false => ValidationRow::at_least(case, *off, LEFT),
        });
    }
    let measured = SHARES.into_iter().zip(most).map(|(x, y)| [x, y]);
    outcome.plot = Some(
        Plot::new(
            "twist over its critical value",
            "farthest from the plane [lengths]",
        )
        .theory(
            "theory: leaves its plane here",
            vec![[1.0, 0.0], [1.0, 0.1]],
        )
        .measured("after the crank was turned", measured.collect()),
    );
    outcome
}

/// Middle and normal of the plane in which a closed curve has its largest area.
fn plane(points: &[DVec3]) -> (DVec3, DVec3) {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let area = points
        .windows(2)
        .map(|p| (p[0] - middle).cross(p[1] - middle));
    (middle, area.sum::<DVec3>().normalize_or(DVec3::Z))
}
