//! A density of hair painted by hand: dabs of a brush, in the order in which
//! they were made.
//!
//! Dabs are balls in the head's space, so they need no texture coordinates and
//! lie on any head, and a stroke takes back what one before it did.

use glam::Vec3;
use rayon::prelude::*;
use std::fmt::{self, Display};

/// Lengths are written in these. `[m]`
const UNIT: f32 = 1e-3;

/// One touch of the brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dab {
    /// Where, in the head's space. `[m]`
    pub place: Vec3,
    /// How far it reaches. `[m]`
    pub radius: f32,
    /// Share of the radius within which it has its full strength, 0..=1.
    pub hardness: f32,
    /// Share of the way that it takes the density to full (above 0) or to none
    /// (below 0), -1..=1.
    pub strength: f32,
}

/// All dabs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paint {
    /// In the order in which they were made.
    pub dabs: Vec<Dab>,
}

impl Dab {
    /// How much of its strength arrives at `p`, 0..=1.
    fn share(&self, p: Vec3) -> f32 {
        let square = p.distance_squared(self.place);
        if square >= self.radius * self.radius {
            return 0.0;
        }
        let far = square.sqrt() / self.radius;
        let t = ((1.0 - far) / (1.0 - self.hardness).max(1e-3)).min(1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// What it makes of a density at `p`.
    fn on(&self, density: f32, p: Vec3) -> f32 {
        let goal = if self.strength > 0.0 { 1.0 } else { 0.0 };
        density + (goal - density) * self.share(p) * self.strength.abs()
    }
}

impl Paint {
    /// What later `dabs` make of the `densities` at these `places`.
    pub fn add(dabs: &[Dab], places: &[Vec3], densities: &mut [f32]) {
        let add = |(density, place): (&mut f32, &Vec3)| {
            *density = dabs
                .iter()
                .fold(*density, |density, dab| dab.on(density, *place));
        };
        densities
            .par_iter_mut()
            .zip(places)
            .with_min_len(1 << 10)
            .for_each(add);
    }

    /// Reads what [`Display`] writes.
    ///
    /// # Errors
    /// Which dab is wrong, and how.
    pub fn parse(text: &str) -> Result<Self, String> {
        let dabs = text.split(';').map(str::trim).filter(|dab| !dab.is_empty());
        let dab = |(number, text): (usize, &str)| {
            let wrong = |why: &str| {
                format!(
                    "dab {} (\"{text}\") {why}; a dab is x y z radius in millimetres, then hardness \
                     0 to 1 and strength -1 to 1",
                    number + 1
                )
            };
            let numbers: Result<Vec<f32>, _> = text.split_whitespace().map(str::parse).collect();
            let numbers = numbers.map_err(|_| wrong("holds a word that is no number"))?;
            let [x, y, z, radius, hardness, strength] = numbers[..] else {
                return Err(wrong("does not have six numbers"));
            };
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(wrong("holds a number that is not finite"));
            }
            if radius <= 0.0 || !(0.0..=1.0).contains(&hardness) || strength.abs() > 1.0 {
                return Err(wrong("is out of range"));
            }
            Ok(Dab {
                place: Vec3::new(x, y, z) * UNIT,
                radius: radius * UNIT,
                hardness,
                strength,
            })
        };
        let dabs: Result<Vec<Dab>, String> = dabs.enumerate().map(dab).collect();
        Ok(Self { dabs: dabs? })
    }

    /// What the dabs make of a density of 1 at `p`, 0..=1.
    pub fn at(&self, p: Vec3) -> f32 {
        self.dabs
            .iter()
            .fold(1.0, |density, dab| dab.on(density, p))
    }
}

impl Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, dab) in self.dabs.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            let [x, y, z] = (dab.place / UNIT).to_array();
            let radius = dab.radius / UNIT;
            let (hardness, strength) = (dab.hardness, dab.strength);
            write!(
                f,
                "{x:.1} {y:.1} {z:.1} {radius:.2} {hardness:.2} {strength:.2}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dab(x: f32, strength: f32) -> Dab {
        Dab {
            place: Vec3::new(x, 0.1, -0.02),
            radius: 0.02,
            hardness: 0.5,
            strength,
        }
    }

    #[test]
    fn later_dabs_take_back_what_earlier_ones_did() {
        let at = |dabs: &[Dab], x: f32| {
            let paint = Paint {
                dabs: dabs.to_vec(),
            };
            paint.at(Vec3::new(x, 0.1, -0.02))
        };
        assert_eq!(at(&[], 0.0), 1.0);
        assert_eq!(
            at(&[dab(0.0, -1.0)], 0.009),
            0.0,
            "full within its hard part"
        );
        let rim = at(&[dab(0.0, -1.0)], 0.015);
        assert!(
            (rim - 0.5).abs() < 1e-3,
            "halfway down its soft part: {rim}"
        );
        assert_eq!(at(&[dab(0.0, -1.0)], 0.021), 1.0);
        assert_eq!(at(&[dab(0.0, -0.5), dab(0.0, -0.5)], 0.0), 0.25);
        assert_eq!(at(&[dab(0.0, -1.0), dab(0.0, 1.0)], 0.0), 1.0);
        assert_eq!(at(&[dab(0.0, 1.0), dab(0.0, -1.0)], 0.0), 0.0);
    }

    #[test]
    fn dabs_may_come_one_after_the_other() {
        let dabs = [dab(-0.01, -0.7), dab(0.004, 0.4), dab(0.012, -1.0)];
        let places: Vec<Vec3> = (-30..30)
            .map(|x| Vec3::new(0.001 * x as f32, 0.1, -0.02))
            .collect();
        let mut densities = vec![1.0; places.len()];
        Paint::add(&dabs[..1], &places, &mut densities);
        Paint::add(&dabs[1..], &places, &mut densities);
        let paint = Paint {
            dabs: dabs.to_vec(),
        };
        for (place, density) in places.iter().zip(densities) {
            assert_eq!(density, paint.at(*place));
        }
    }

    #[test]
    fn dabs_survive_being_written() {
        let paint = Paint {
            dabs: vec![dab(-0.0123, -0.5), dab(0.04, 1.0)],
        };
        let text = paint.to_string();
        assert_eq!(
            text,
            "-12.3 100.0 -20.0 20.00 0.50 -0.50; 40.0 100.0 -20.0 20.00 0.50 1.00"
        );
        let read = Paint::parse(&text).expect("dabs");
        for (read, dab) in read.dabs.iter().zip(&paint.dabs) {
            assert!(read.place.distance(dab.place) < 1e-4);
            assert_eq!((read.hardness, read.strength), (dab.hardness, dab.strength));
        }
        assert_eq!(read.to_string(), text);
        assert_eq!(Paint::parse("").expect("no dabs"), Paint::default());
    }

    #[test]
    fn a_wrong_dab_is_named() {
        for (text, why) in [
            ("1 2 3 4 0.5 1; 1 2 3", "dab 2"),
            ("1 2 3 four 0.5 1", "no number"),
            ("1 2 3 4 0.5 NaN", "not finite"),
            ("1 2 3 0 0.5 1", "out of range"),
            ("1 2 3 4 0.5 2", "out of range"),
        ] {
            let error = Paint::parse(text).expect_err("wrong");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
