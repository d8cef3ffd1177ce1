//! Cubic curves: which control points each of their points is mixed of.

pub use super::cubic::{Basis, Cubic, Wrap};
use crate::math::counted;

use super::{
    Strands,
    attribute::{Mixture, Of},
    content::TOO_MANY,
};
use glam::Vec3;

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// Four control points of the curve.
    pub of: [usize; 4],
    /// How much of each.
    pub weights: [f64; 4],
}

impl Basis {
    /// By its name; USD's own default for none.
    pub fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"" | b"bezier" => Some(Self::Bezier),
            b"bspline" => Some(Self::Bspline),
            b"catmullRom" => Some(Self::CatmullRom),
            _ => None,
        }
    }

    /// As files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bezier => "bezier",
            Self::Bspline => "bspline",
            Self::CatmullRom => "catmullRom",
        }
    }

    /// Pieces of a curve with so many control points; none where there cannot
    /// be such a curve.
    pub fn pieces(self, wrap: Wrap, count: usize) -> Option<usize> {
        let pieces = match (self, wrap) {
            (Self::Bezier, Wrap::Periodic) => count.is_multiple_of(3).then_some(count / 3)?,
            (Self::Bezier, _) => (count % 3 == 1).then_some(count / 3)?,
            (_, Wrap::Periodic) => count,
            (_, Wrap::Open) => count.checked_sub(3)?,
            (_, Wrap::Pinned) => count.checked_sub(1)?,
        };
        (pieces > 0 && count > 1).then_some(pieces)
    }

    /// Points on a curve with `count` control points from its beginning to its
    /// end: those between pieces, and some on each. None where there cannot be
    /// such a curve.
    pub fn mixes(self, wrap: Wrap, count: usize) -> Option<Vec<Mix>> {
        let pieces = self.pieces(wrap, count)?;
        // About as many points as were given.
        let steps = if self == Self::Bezier { 3 } else { 2 };
        let point = |k: usize| {
            let piece = (k / steps).min(pieces - 1);
            let along = (k - piece * steps) as f64 / steps as f64;
            self.mix(wrap, count, piece, along)
        };
        Some((0..=pieces * steps).map(point).collect())
    }

    fn mix(self, wrap: Wrap, count: usize, piece: usize, along: f64) -> Mix {
        let mut weights = self.weights(along);
        let first = match self {
            Self::Bezier => 3 * piece,
            // Behind the mirrored one.
            _ if wrap == Wrap::Pinned => piece.wrapping_sub(1),
            _ => piece,
        };
        let mut of = [0, 1, 2, 3].map(|k| first.wrapping_add(k));
        if wrap == Wrap::Pinned && self != Self::Bezier {
            // A mirrored point is twice the end less its neighbour.
            if piece == 0 {
                weights = [
                    0.0,
                    2.0 * weights[0] + weights[1],
                    weights[2] - weights[0],
                    weights[3],
                ];
                of[0] = 0;
            }
            if of[3] >= count {
                weights[2] += 2.0 * weights[3];
                weights[1] -= weights[3];
                weights[3] = 0.0;
            }
        }
        Mix {
            of: of.map(|i| i % count),
            weights,
        }
    }

    /// Weights of a piece's control points at `t` (0..=1).
    fn weights(self, t: f64) -> [f64; 4] {
        let s = 1.0 - t;
        match self {
            Self::Bezier => [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t],
            Self::Bspline => [
                s * s * s / 6.0,
                (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
                (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0,
                t * t * t / 6.0,
            ],
            Self::CatmullRom => [
                -0.5 * t * s * s,
                1.0 - 2.5 * t * t + 1.5 * t * t * t,
                1.0 - 2.5 * s * s + 1.5 * s * s * s,
                -0.5 * s * t * t,
            ],
        }
    }
}

impl Mix {
    /// The same of the control points of a curve that begins at `start` among all.
    fn rows(&self, start: usize) -> Mixture {
        std::array::from_fn(|k| (start + self.of[k], self.weights[k]))
    }
}

/// A value that is mixed of those at these rows.
fn mixed<const N: usize>(mixture: &Mixture, at: impl Fn(usize) -> [f32; N]) -> [f32; N] {
    let mut used = mixture.iter().filter(|(_, weight)| *weight != 0.0);
    if let (Some((row, 1.0)), None) = (used.next(), used.next()) {
        // To the last bit.
        return at(*row);
    }
    let mut sum = [0.0; N];
    for (row, weight) in mixture.iter().filter(|(_, weight)| *weight != 0.0) {
        for (sum, value) in sum.iter_mut().zip(at(*row)) {
            *sum += weight * f64::from(value);
        }
    }
    sum.map(|value| value as f32)
}

/// Points on the curves of a groom.
struct CurvePoints {
    /// Where each strand begins among them, and one entry more: the end.
    starts: Vec<u32>,
    /// Which control points of the groom each of them is mixed of.
    rows: Vec<Mixture>,
    /// Curves whose numbers of control points make no cubic curve.
    odd: usize,
}

impl CurvePoints {
    /// Those of these strands; none where they are too many to count.
    fn of(strands: &Strands) -> Option<Self> {
        let mut out = Self {
            starts: vec![0],
            rows: Vec::new(),
            odd: 0,
        };
        let mut known = (usize::MAX, None, None);
        for strand in 0..strands.len() {
            let range = strands.range(strand);
            let mut cubic = strands.cubic.iter();
            let of = cubic.find(|cubic| cubic.strands.contains(&strand));
            let of = of.map(|cubic| (cubic.basis, cubic.wrap));
            // Most strands have as many points as the one before.
            if (known.0, known.1) != (range.len(), of) {
                let mixes = of.and_then(|(basis, wrap)| basis.mixes(wrap, range.len()));
                known = (range.len(), of, mixes);
            }
            match &known.2 {
                Some(mixes) => out
                    .rows
                    .extend(mixes.iter().map(|mix| mix.rows(range.start))),
                None => {
                    out.odd += usize::from(of.is_some() && range.len() > 1);
                    let alone = |row| [(row, 1.0), (row, 0.0), (row, 0.0), (row, 0.0)];
                    out.rows.extend(range.map(alone));
                }
            }
            out.starts.push(u32::try_from(out.rows.len()).ok()?);
        }
        Some(out)
    }

    /// What to say of curves that are none.
    fn told(&self) -> Option<String> {
        (self.odd > 0).then(|| {
            format!(
                "{}, whose numbers make no cubic curve",
                counted(
                    self.odd,
                    "curve goes through its control points",
                    "curves go through their control points"
                )
            )
        })
    }

    /// The values at the points, of those at the control points; none where these have none.
    fn values<const N: usize>(&self, all: &[[f32; N]]) -> Vec<[f32; N]> {
        match all.is_empty() {
            true => Vec::new(),
            false => {
                let rows = self.rows.iter();
                rows.map(|row| mixed(row, |i| all[i])).collect()
            }
        }
    }
}

impl Strands {
    /// The strands as they are drawn: where they are control points of cubic
    /// curves, points on these, about as many. A strand whose number of points
    /// makes no such curve goes through them; how many do is said in a note.
    #[must_use]
    pub fn evaluated(mut self) -> Self {
        let cubic = self.cubic.iter().any(|cubic| !cubic.strands.is_empty());
        if !cubic {
            return self;
        }
        let Some(curves) = CurvePoints::of(&self) else {
            self.cubic.clear();
            self.notes.push(format!(
                "the curves go through their control points: {TOO_MANY}"
            ));
            return self;
        };
        // Every field is named here, so that a new one cannot be forgotten.
        let Self {
            points,
            starts: _,
            widths,
            colours,
            root_uvs,
            mut attributes,
            up,
            metres_per_unit,
            cubic: _,
            poses,
            rate,
            start,
            codes,
            velocities: _,
            says_velocities,
            head,
            camera,
            mut notes,
        } = self;
        for column in &mut attributes {
            if column.of == Of::Point {
                *column = column.blended(&curves.rows);
            }
        }
        notes.extend(curves.told());
        let place = |row: &Mixture| Vec3::from(mixed(row, |i| points[i].to_array()));
        let widths: Vec<[f32; 1]> = widths.into_iter().map(|width| [width]).collect();
        let widths = curves.values(&widths).into_iter();
        Self {
            points: curves.rows.iter().map(place).collect(),
            widths: widths.map(|[width]| width.max(0.0)).collect(),
            colours: curves.values(&colours),
            starts: curves.starts,
            root_uvs,
            attributes,
            up,
            metres_per_unit,
            cubic: Vec::new(),
            poses,
            rate,
            start,
            codes,
            // Those of control points are none of the curve's.
            velocities: Vec::new(),
            says_velocities,
            head,
            camera,
            notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x and y of all points of the curve.
    fn curve(basis: Basis, wrap: Wrap, control: &[[f32; 2]]) -> Vec<[f32; 2]> {
        let mixes = basis.mixes(wrap, control.len()).expect("a curve");
        mixes
            .iter()
            .map(|mix| mixed(&mix.rows(0), |i| control[i]))
            .collect()
    }

    fn on_parabola(points: &[[f32; 2]], from: f32, to: f32) {
        for [x, y] in points {
            assert!((y - x * x).abs() < 1e-4 * to * to, "{x} {y}");
        }
        assert_eq!((points[0][0], points[points.len() - 1][0]), (from, to));
        assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }

    #[test]
    fn all_bases_draw_the_parabola_of_their_closed_form() {
        // Raised from degree two.
        let bezier = [
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 3.0],
            [3.0, 9.0],
            [4.0, 15.0],
            [5.0, 24.0],
            [6.0, 36.0],
        ];
        let points = curve(Basis::Bezier, Wrap::Open, &bezier);
        assert_eq!(points.len(), 7);
        on_parabola(&points, 0.0, 6.0);
        // The coefficients of x² are i² - 1/3.
        let coefficients: Vec<[f32; 2]> = (0..8)
            .map(|i| [i as f32, (i * i) as f32 - 1.0 / 3.0])
            .collect();
        let points = curve(Basis::Bspline, Wrap::Open, &coefficients);
        assert_eq!(points.len(), 11);
        on_parabola(&points, 1.0, 6.0);
        // Its tangents are central differences, exact for x².
        let through: Vec<[f32; 2]> = (0..8).map(|i| [i as f32, (i * i) as f32]).collect();
        on_parabola(&curve(Basis::CatmullRom, Wrap::Open, &through), 1.0, 6.0);
    }

    #[test]
    fn pinned_curves_reach_their_ends_and_periodic_ones_close() {
        let control = [[0.0, 1.0], [2.0, 5.0], [3.0, -4.0], [7.0, 2.0], [8.0, 8.0]];
        for basis in [Basis::Bspline, Basis::CatmullRom] {
            let points = curve(basis, Wrap::Pinned, &control);
            assert_eq!(
                (points[0], points[8]),
                (control[0], control[4]),
                "{basis:?}"
            );
            let loop_ = curve(basis, Wrap::Periodic, &control);
            assert_eq!((loop_.len(), loop_[0]), (11, loop_[10]), "{basis:?}");
            // Two points are a line.
            let line = curve(basis, Wrap::Pinned, &[[0.0, 0.0], [2.0, 4.0]]);
            assert_eq!(line, [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]], "{basis:?}");
        }
        let through = curve(Basis::CatmullRom, Wrap::Pinned, &control);
        assert!(through.iter().step_by(2).eq(&control));
        let closed = curve(
            Basis::Bezier,
            Wrap::Periodic,
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        );
        assert_eq!((closed.len(), closed[3]), (4, [0.0, 0.0]));
    }

    #[test]
    fn numbers_of_points_that_make_no_curve_are_found() {
        for (basis, wrap, count) in [
            (Basis::Bezier, Wrap::Open, 5),
            (Basis::Bezier, Wrap::Open, 1),
            (Basis::Bezier, Wrap::Periodic, 4),
            (Basis::Bspline, Wrap::Open, 3),
            (Basis::CatmullRom, Wrap::Pinned, 1),
            (Basis::CatmullRom, Wrap::Pinned, 0),
            (Basis::Bspline, Wrap::Periodic, 0),
        ] {
            assert_eq!(basis.mixes(wrap, count), None, "{basis:?} {wrap:?} {count}");
        }
    }

    #[test]
    fn strands_are_evaluated_with_all_that_they_carry() {
        let strands = Strands {
            points: [0.0, 1.0, 2.0, 3.0, 9.0, 8.0].map(|x| Vec3::X * x).to_vec(),
            starts: vec![0, 4, 6],
            widths: vec![0.0, 3.0, 6.0, 9.0, 1.0, 2.0],
            colours: (0..6).map(|i| [i as f32, 0.5, 0.0]).collect(),
            cubic: vec![Cubic {
                strands: 0..2,
                basis: Basis::Bezier,
                wrap: Wrap::Open,
            }],
            ..Strands::default()
        };
        let drawn = strands.clone().evaluated();
        // A straight one, and one that is none.
        assert_eq!((&drawn.starts[..], drawn.len()), (&[0, 4, 6][..], 2));
        for (a, b) in drawn.points.iter().zip(&strands.points) {
            assert!(a.distance(*b) < 1e-6);
        }
        assert!((drawn.widths[1] - 3.0).abs() < 1e-6 && drawn.widths[5] == 2.0);
        assert!((drawn.colours[2][0] - 2.0).abs() < 1e-6);
        assert!(
            drawn.notes[0].starts_with("1 curve goes through its control points"),
            "{:?}",
            drawn.notes
        );
        assert_eq!(drawn.clone().evaluated(), drawn);
    }
}
