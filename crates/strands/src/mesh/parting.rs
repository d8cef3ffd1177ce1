//! A parting: a line drawn on the scalp, from which hair falls to both sides.
//!
//! It is kept in parts of the head's height from over the middle of the skull,
//! so that it fits heads of any size.

use super::{CollisionMesh, Measure, Mesh};
use glam::Vec3;
use std::fmt::{self, Display};

/// Numbers are thousandths of a head's height.
const UNIT: f32 = 1e-3;
/// Points of a line on the skin are so far apart at most. `[head heights]`
const APART: f32 = 0.012;
/// A stroke is written with points so far apart. `[head heights]`
const WRITTEN: f32 = 0.03;

/// The points of the line, relative to a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parting {
    points: Vec<Vec3>,
}

impl Parting {
    /// Of a stroke over places in the space of the head `mesh`. `[m]`
    pub fn of(places: &[Vec3], mesh: &Mesh) -> Self {
        let measure = Measure::of(mesh);
        let relative = |p: &Vec3| (*p - measure.crown) / measure.head;
        let all: Vec<Vec3> = places.iter().map(relative).collect();
        let mut points: Vec<Vec3> = Vec::new();
        for (i, p) in all.iter().enumerate() {
            let far = points
                .last()
                .is_none_or(|last| last.distance(*p) >= WRITTEN);
            if far {
                points.push(*p);
            } else if i + 1 == all.len() && points.len() > 1 {
                // It ends where the stroke ends.
                points.pop();
                points.push(*p);
            }
        }
        Self { points }
    }

    /// Whether there is a line: two points at least.
    pub fn is_drawn(&self) -> bool {
        self.points.len() > 1
    }

    /// Reads what [`Display`] writes; an empty text is no line.
    ///
    /// # Errors
    /// Which point is wrong, and how.
    pub fn parse(text: &str) -> Result<Self, String> {
        let points = text.split(';').map(str::trim).filter(|p| !p.is_empty());
        let point = |(number, text): (usize, &str)| {
            let numbers: Result<Vec<f32>, _> = text.split_whitespace().map(str::parse).collect();
            match numbers.as_deref() {
                Ok([x, y, z]) if [x, y, z].iter().all(|c| c.is_finite() && c.abs() <= 1e4) => {
                    Ok(Vec3::new(*x, *y, *z) * UNIT)
                }
                _ => Err(format!(
                    "point {} (\"{text}\") is not x y z in thousandths of the head's height",
                    number + 1
                )),
            }
        };
        let points: Result<Vec<Vec3>, String> = points.enumerate().map(point).collect();
        let points = points?;
        match points.len() {
            1 => Err("one point is no line; give two or more, with ; between them".into()),
            _ => Ok(Self { points }),
        }
    }

    /// The line on the skin of that head, in its space; none where none is
    /// drawn. `[m]`
    pub fn on(&self, body: &CollisionMesh) -> Option<Vec<Vec3>> {
        if !self.is_drawn() {
            return None;
        }
        let measure = Measure::of(&body.mesh);
        let skin = |p: Vec3| {
            let p = measure.crown + p * measure.head;
            let nearest = body.surface.closest(p, f32::MAX);
            nearest.map_or(p, |nearest| nearest.point)
        };
        let mut line = vec![skin(self.points[0])];
        for pair in self.points.windows(2) {
            let steps = (pair[0].distance(pair[1]) / APART)
                .ceil()
                .clamp(1.0, 1000.0);
            let between = (1..=steps as u32).map(|i| pair[0].lerp(pair[1], i as f32 / steps));
            line.extend(between.map(skin));
        }
        Some(line)
    }
}

impl Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, p) in self.points.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            let [x, y, z] = (*p / UNIT).to_array();
            write!(f, "{x:.0} {y:.0} {z:.0}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_survives_being_written_and_wrong_points_are_named() {
        let text = "100 -50 200; 90 0 -20; 80 -10 -150";
        let line = Parting::parse(text).expect("a line");
        assert_eq!(line.to_string(), text);
        assert!(line.is_drawn() && !Parting::default().is_drawn());
        assert_eq!(Parting::parse(" ").expect("none"), Parting::default());
        for (text, why) in [
            ("1 2 3; 4 5", "point 2"),
            ("1 2 3; 4 5 six", "point 2"),
            ("1 2 NaN; 4 5 6", "point 1"),
            ("1 2 3", "no line"),
        ] {
            let error = Parting::parse(text).expect_err("wrong");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
