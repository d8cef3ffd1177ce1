//! Where equilibria lose their stability: the upright column and the curl that
//! hangs from a clamp.

use super::{
    Plot, ValidationRow,
    fixture::{Fibre, Harness, SEGMENTS, StrandFixture, arc, worse},
    plot::Outcome,
    suspended_arc::planar_places,
    theory::{BEND_TWIST, GREENHILL, column as lean},
};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Speed of the tip that breaks the symmetry. `[m/s]`
const NUDGE: f64 = 1e-3;

/// A vertex farther from its plane, axis or equilibrium than this share of the length has
/// left it.
const LEFT: f64 = 0.02;

pub fn column(harness: &Harness) -> Outcome {
    let fibre = Fibre::hair();
    let gammas = [
        7.0, 7.4, 7.6, 7.75, 7.8, 7.85, 7.9, 7.95, 8.0, 8.1, 8.2, 8.4, 8.7, 9.0,
    ];
    let strands: Vec<_> = gammas
        .iter()
        .map(|gamma| arc(fibre.length(*gamma), -FRAC_PI_2, 0.0, SEGMENTS))
        .collect();
    let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &strands);
    fixture.drag = 0.5;
    for lane in 0..gammas.len() {
        fixture.kick(lane, |i, _| DVec3::X * (NUDGE * i as f64 / SEGMENTS as f64));
    }
    fixture.run(if harness.quick { 30.0 } else { 60.0 }, |_| ());
    let aside = |lane: usize| {
        let tip = fixture.tip(lane);
        tip.x.hypot(tip.z) / fibre.length(gammas[lane])
    };
    let mut outcome = Outcome::default();
    let mut measured = Vec::new();
    for (lane, gamma) in gammas.into_iter().enumerate() {
        measured.push([gamma, aside(lane)]);
        let case = |what| format!("weight/stiffness {gamma:.2}, critical {GREENHILL:.3}: {what}");
        if gamma == 7.75 {
            // A method without stiffness falls straight into itself.
            let top = DVec3::Y * fibre.length(gamma);
            let moved = fixture.tip(lane).distance(top) / fibre.length(gamma);
            let case = case("tip from where it stood, in lengths");
            let row = ValidationRow::absolute(case, 0.0, moved, LEFT);
            outcome
                .rows
                .push(row.at("weight_over_stiffness", gamma, ""));
        } else if [7.9, 8.2].contains(&gamma) {
            let case = case("tip aside after buckling, in lengths");
            let row = ValidationRow::relative(case, lean(gamma), aside(lane), 0.05);
            outcome
                .rows
                .push(row.at("weight_over_stiffness", gamma, ""));
        }
    }
    let curve = |i: i32| {
        // Denser where the curve rises like a root.
        let gamma = GREENHILL + 1.2 * (f64::from(i) / 60.0).powi(2);
        [gamma, lean(gamma)]
    };
    outcome.plot = Some(
        Plot::new("weight/stiffness  λ g L³/B", "tip aside [lengths]")
            .theory("elastica", vec![[7.0, 0.0], [GREENHILL, 0.0]])
            .theory("elastica", (0..=60).map(curve).collect())
            .measured("after a minute", measured),
    );
    outcome
}

pub fn bend_twist(harness: &Harness) -> Outcome {
    let mut fibre = Fibre::hair();
    fibre.twisting = 2.0 / 3.0 * fibre.bending;
    let ratios = [0.8, 0.87, 0.93, 0.97, 1.0, 1.03, 1.07, 1.13, 1.2];
    let cases: Vec<_> = BEND_TWIST
        .iter()
        .flat_map(|(turn, critical)| ratios.map(|ratio| (*turn, *critical, ratio)))
        .collect();
    let length = |(_, critical, ratio): &(f64, f64, f64)| fibre.length(critical * ratio);
    let strands: Vec<_> = cases
        .iter()
        .map(|case| arc(length(case), FRAC_PI_2, case.0 / length(case), SEGMENTS))
        .collect();
    let mut fixture = StrandFixture::new(harness, harness.live(&fibre), &strands);
    fixture.drag = 3.0;
    for lane in 0..cases.len() {
        fixture.kick(lane, |i, _| DVec3::Z * (NUDGE * i as f64 / SEGMENTS as f64));
    }
    fixture.run(if harness.quick { 40.0 } else { 90.0 }, |_| ());
    let mut outcome = Outcome::default();
    let mut plot = Plot::new("weight over its critical value", "out of plane [lengths]").theory(
        "theory: leaves its plane here",
        vec![[1.0, 0.0], [1.0, 0.3]],
    );
    for (block, (turn, critical)) in BEND_TWIST.iter().enumerate() {
        let mut measured = Vec::new();
        for (i, ratio) in ratios.into_iter().enumerate() {
            let lane = block * ratios.len() + i;
            let long = length(&cases[lane]);
            let points: Vec<_> = fixture.points(lane).into_iter().map(|p| p / long).collect();
            let out = points.iter().map(|p| p.z.abs()).fold(0.0, worse);
            measured.push([ratio, out]);
            let case = format!("curvature x length {turn}, {ratio} of the weight {critical}");
            if ratio == 0.93 {
                let case = format!("{case}: farthest from the planar equilibrium, in lengths");
                let apart = from_equilibrium(&points, *turn, critical * ratio);
                outcome
                    .rows
                    .push(ValidationRow::absolute(case, 0.0, apart, LEFT));
            } else if ratio == 1.07 {
                let case = format!("{case}: out of plane, in lengths");
                outcome.rows.push(ValidationRow::at_least(case, out, LEFT));
            }
        }
        plot = plot.measured(format!("curvature x length {turn}"), measured);
    }
    outcome.plot = Some(plot);
    outcome
}

/// How far vertices lie at most from where an arc of curvature `turn` hangs in its plane
/// under the weight `gamma`. A limp strand keeps to the plane as well, but hangs elsewhere.
fn from_equilibrium(points: &[DVec3], turn: f64, gamma: f64) -> f64 {
    let edges = points.len().saturating_sub(1);
    let apart = points.iter().zip(planar_places(turn, gamma, edges));
    let apart = apart.map(|(point, place)| point.distance(place.extend(0.0)));
    apart.fold(0.0, worse)
}

#[cfg(test)]
mod tests {
    use super::{
        super::suspended_arc::{from_root, planar},
        *,
    };

    /// Positive as long as the arc in its plane is a minimum of the energy in space
    /// (Jacobi): the determinant of what is left at the free end of two solutions that
    /// leave the clamp.
    ///
    /// The strand is turned by small angles a about the normal and c about the tangent.
    /// With the curvature k, M = k - turn and the twisting stiffness 2/3, twice the energy
    /// of second order is (a' + k c)^2 + 2/3 (c' - k a)^2 - M k (a^2 + c^2)
    /// - M (c a' - a c') + gamma (1 - s) (a c sin(theta) + a^2 cos(theta)).
    fn jacobi(turn: f64, gamma: f64) -> f64 {
        const TWISTING: f64 = 2.0 / 3.0;
        let slopes = |s: f64, y: [f64; 10]| {
            let (angle, k) = (y[0], y[1]);
            let (weight, m) = (gamma * (1.0 - s), k - turn);
            let mut slopes = [0.0; 10];
            (slopes[0], slopes[1]) = (k, weight * angle.sin());
            for at in [2, 6] {
                let [a, c, p, q] = [y[at], y[at + 1], y[at + 2], y[at + 3]];
                let bent = p + 0.5 * m * c;
                let twisted = (q - 0.5 * m * a) / TWISTING;
                let (da, dc) = (bent - k * c, twisted + k * a);
                let pull = 0.5 * weight * angle.sin();
                slopes[at] = da;
                slopes[at + 1] = dc;
                slopes[at + 2] = 0.5 * m * dc - k * TWISTING * twisted - m * k * a
                    + pull * c
                    + weight * angle.cos() * a;
                slopes[at + 3] = k * bent - m * k * c - 0.5 * m * da + pull * a;
            }
            slopes
        };
        let mut start = [0.0; 10];
        (start[1], start[4], start[9]) = (planar(turn, gamma), 1.0, 1.0);
        let end = from_root(start, 1.0, slopes);
        end[4] * end[9] - end[5] * end[8]
    }

    #[test]
    fn a_suspended_arc_leaves_its_plane_where_its_energy_has_a_conjugate_point() {
        for (turn, critical) in BEND_TWIST {
            for share in [0.1, 0.4, 0.7, 0.9, 0.995] {
                assert!(jacobi(turn, share * critical) > 0.0, "{turn}, {share}");
            }
            assert!(jacobi(turn, 1.005 * critical) < 0.0, "{turn}");
        }
    }

    #[test]
    fn a_strand_that_keeps_to_the_plane_but_hangs_otherwise_has_left_its_equilibrium() {
        for (turn, critical) in BEND_TWIST {
            let gamma = 0.93 * critical;
            let edges = SEGMENTS;
            let there: Vec<DVec3> = planar_places(turn, gamma, edges)
                .into_iter()
                .map(|place| place.extend(0.0))
                .collect();
            assert!(from_equilibrium(&there, turn, gamma) < 1e-12, "{turn}");
            let limp = arc(1.0, FRAC_PI_2, 0.0, edges);
            assert!(from_equilibrium(&limp, turn, gamma) > 10.0 * LEFT, "{turn}");
            let stiff = arc(1.0, FRAC_PI_2, turn, edges);
            assert!(from_equilibrium(&stiff, turn, gamma) > 3.0 * LEFT, "{turn}");
            let mut lost = there.clone();
            lost[edges].z = f64::NAN;
            assert!(from_equilibrium(&lost, turn, gamma).is_nan(), "{turn}");
        }
    }
}
