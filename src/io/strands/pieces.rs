//! Values that cubic curves have where their pieces meet.

use super::cubic::{Basis, Wrap};

/// How many places there are where pieces of a curve with so many control points meet, its
/// ends among them, and where each control point is between them, as a number of such a
/// place with a share of the way to the next; none where there cannot be such a curve, or
/// each control point has a value of its own.
fn places(basis: Basis, wrap: Wrap, count: usize) -> Option<(usize, impl Fn(usize) -> f32)> {
    let pieces = basis.pieces(wrap, count)?;
    let meet = match wrap {
        Wrap::Open => pieces + 1,
        // It ends where it begins.
        Wrap::Periodic => pieces,
        Wrap::Pinned => return None,
    };
    Some((meet, move |i: usize| match basis {
        Basis::Bezier => i as f32 / 3.0,
        // The first piece begins near the second control point.
        Basis::Bspline | Basis::CatmullRom => i.saturating_sub(1).min(meet - 1) as f32,
    }))
}

/// Values that are told where pieces of curves meet, for all control points;
/// none where they are not as many as these places.
pub fn ends(
    values: &[f32],
    each: usize,
    counts: &[u32],
    (basis, wrap): (Basis, Wrap),
) -> Option<Vec<f32>> {
    let mut out = Vec::new();
    let mut at = 0usize;
    for count in counts {
        let count = *count as usize;
        let (meet, place) = places(basis, wrap, count)?;
        let end = at.checked_add(each.checked_mul(meet)?)?;
        let own = values.get(at..end)?;
        at = end;
        for i in 0..count {
            let x = place(i);
            let from = (x as usize).min(meet - 1);
            let to = match wrap {
                Wrap::Periodic => (from + 1) % meet,
                Wrap::Open | Wrap::Pinned => (from + 1).min(meet - 1),
            };
            let mix = |c: usize| {
                let [a, b] = [from, to].map(|k| own[k * each + c]);
                a + (b - a) * (x - from as f32)
            };
            out.extend((0..each).map(mix));
        }
    }
    (at == values.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<Vec<f32>>, wanted: &[f32]) {
        let found = found.expect("values");
        let apart = |(value, wanted): (&f32, &f32)| (value - wanted).abs() < 1e-5;
        let all = found.iter().zip(wanted).all(apart);
        assert!(all && found.len() == wanted.len(), "{found:?} {wanted:?}");
    }

    #[test]
    fn values_at_ends_of_pieces_run_evenly_over_control_points() {
        let bezier = (Basis::Bezier, Wrap::Open);
        close(
            ends(&[0.0, 3.0, 9.0, 5.0, 5.0], 1, &[7, 4], bezier),
            &[0.0, 1.0, 2.0, 3.0, 5.0, 7.0, 9.0, 5.0, 5.0, 5.0, 5.0],
        );
        assert_eq!(ends(&[0.0; 6], 1, &[7, 4], bezier), None, "one too many");
        assert_eq!(ends(&[0.0; 4], 1, &[7, 4], bezier), None, "one too few");
    }

    #[test]
    fn splines_have_a_value_for_all_control_points_but_two_and_closed_curves_run_round() {
        for basis in [Basis::Bspline, Basis::CatmullRom] {
            close(
                ends(&[1.0, 2.0, 4.0], 1, &[5], (basis, Wrap::Open)),
                &[1.0, 1.0, 2.0, 4.0, 4.0],
            );
        }
        close(
            ends(&[0.0, 3.0], 1, &[6], (Basis::Bezier, Wrap::Periodic)),
            &[0.0, 1.0, 2.0, 3.0, 2.0, 1.0],
        );
    }
}
