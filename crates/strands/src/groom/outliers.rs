//! Strands of a file that are unlike all others: points far from the hair, roots
//! far from the skin, the same strand twice. They are counted and named by their
//! numbers in the file, from 0.

use super::import::Loose;
use crate::math::counted;
use glam::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// A strand is astray where a point of it lies so many times as far from the
/// middle of the roots as nearly all hair reaches.
const ASTRAY: f32 = 10.0;
/// Or its root so many times as far as the median root.
const ROOT_ASTRAY: f32 = 12.0;
/// The share of the strands that reaches no farther than "nearly all hair".
const NEARLY_ALL: f32 = 0.95;
/// Roots that are farther from the skin are named. `[m]`
const FAR_ROOT: f32 = 0.02;
/// So many numbers are named.
const NAMED: usize = 5;

/// What is unlike the rest, by number in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outliers {
    /// Strands with points far from all hair, in rising order.
    pub astray: Vec<u32>,
    /// How far the farthest point of them is from the middle of the roots, in units
    /// of the file.
    farthest: f32,
    /// Strands that are the same as one before them, and that one.
    pub twins: Vec<[u32; 2]>,
}

impl Outliers {
    /// Finds those of a file.
    pub fn find(loose: &Loose) -> Self {
        let mut out = Self {
            twins: twins(loose),
            ..Self::default()
        };
        let roots = (0..loose.len()).filter_map(|i| loose.strand(i).first());
        let roots: Vec<Vec3> = roots.copied().collect();
        if roots.is_empty() {
            return out;
        }
        let axis = |k: usize| share(roots.iter().map(|p| p[k]).collect(), 0.5);
        let middle = Vec3::new(axis(0), axis(1), axis(2));
        let far = |i: usize| {
            let points = loose.strand(i).iter();
            points.map(|p| p.distance(middle)).fold(0.0, f32::max)
        };
        let reaches: Vec<f32> = (0..loose.len()).into_par_iter().map(far).collect();
        let usual = share(reaches.clone(), NEARLY_ALL);
        let spread = share(roots.iter().map(|p| p.distance(middle)).collect(), 0.5);
        let astray = |i: &usize| {
            let root = loose.strand(*i).first();
            let root = root.map_or(0.0, |root| root.distance(middle));
            // A few strands have no usual reach.
            reaches[*i] > ASTRAY * usual || spread > 0.0 && root > ROOT_ASTRAY * spread
        };
        let found: Vec<usize> = (0..loose.len()).filter(astray).collect();
        if found.len() as f32 <= (1.0 - NEARLY_ALL) * loose.len() as f32 {
            out.farthest = found.iter().map(|i| reaches[*i]).fold(0.0, f32::max);
            out.astray = found.iter().map(|i| *i as u32).collect();
        }
        out
    }

    /// Whether that strand has points far from all hair.
    pub fn is_astray(&self, strand: usize) -> bool {
        self.astray.binary_search(&(strand as u32)).is_ok()
    }

    /// A sentence on each kind; a unit of the file has so many `metres`, where that is known.
    pub fn told(&self, metres: Option<f32>) -> Vec<String> {
        let mut out = Vec::new();
        if !self.astray.is_empty() {
            let one_or = |one, many| if self.astray.len() == 1 { one } else { many };
            out.push(format!(
                "{} points far from all other hair, up to {}: {} with the head on import, and \
                 stays in files that are written; remove it before if it shall not",
                named(&self.astray, ["has", "have"]),
                match metres {
                    Some(metres) => length(self.farthest * metres),
                    None => format!("{:.0} of the file's unit", self.farthest),
                },
                one_or(
                    "it is not simulated but goes",
                    "they are not simulated but go"
                ),
            ));
        }
        if let Some([twin, first]) = self.twins.first() {
            out.push(format!(
                "{} point for point, the first of them {twin} as {first}; all are kept",
                counted(
                    self.twins.len(),
                    "strand is the same as another",
                    "strands are the same as others"
                )
            ));
        }
        out
    }
}

/// A sentence on roots that were far from the skin, by number and distance `[m]`; none
/// where there are none.
pub fn far_roots(roots: impl Iterator<Item = (u32, f32)>) -> Option<String> {
    let mut far: Vec<(u32, f32)> = roots.filter(|(_, apart)| *apart > FAR_ROOT).collect();
    far.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most = far.first()?.1;
    let numbers: Vec<u32> = far.iter().map(|(number, _)| *number).collect();
    Some(format!(
        "{} more than {:.0} cm from the skin, {:.1} cm at most; {} put on it",
        named(&numbers, ["had its root", "had roots"]),
        100.0 * FAR_ROOT,
        100.0 * most,
        if numbers.len() == 1 {
            "it was"
        } else {
            "they were"
        }
    ))
}

/// "3 strands (17, 4, 90) have", with a verb for one and for many.
fn named(numbers: &[u32], [one, many]: [&str; 2]) -> String {
    let shown: Vec<String> = numbers.iter().take(NAMED).map(u32::to_string).collect();
    let more = match numbers.len() > NAMED {
        true => ", ...",
        false => "",
    };
    let list = format!("({}{more})", shown.join(", "));
    let [one, many] = [
        format!("strand {list} {one}"),
        format!("strands {list} {many}"),
    ];
    counted(numbers.len(), &one, &many)
}

/// A length in words, whatever its size. `[m]`
fn length(metres: f32) -> String {
    match metres {
        far if far < 1e6 => format!("{metres:.*} m", usize::from(far < 100.0)),
        _ => "more than 1000 km".into(),
    }
}

/// The value that such a share of `all` does not exceed.
fn share(mut all: Vec<f32>, share: f32) -> f32 {
    let at = (share * all.len().saturating_sub(1) as f32).floor() as usize;
    match all.is_empty() {
        true => 0.0,
        false => *all.select_nth_unstable_by(at, f32::total_cmp).1,
    }
}

fn twins(loose: &Loose) -> Vec<[u32; 2]> {
    let bits = |p: &Vec3| p.to_array().map(f32::to_bits);
    let mut known: HashMap<_, Vec<u32>> = HashMap::with_capacity(loose.len());
    let mut out = Vec::new();
    for strand in 0..loose.len() {
        let points = loose.strand(strand);
        let ([root, ..], [.., tip]) = (points, points) else {
            continue;
        };
        let alike = known.entry((bits(root), bits(tip), points.len()));
        let alike = alike.or_default();
        let same = |other: &&u32| loose.strand(**other as usize) == points;
        match alike.iter().find(same) {
            Some(first) => out.push([strand as u32, *first]),
            None => alike.push(strand as u32),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::import::Found;

    fn outliers(strands: &[Vec<Vec3>]) -> Outliers {
        let points: Vec<Vec3> = strands.concat();
        let mut starts = vec![0];
        for strand in strands {
            starts.push(starts[starts.len() - 1] + strand.len() as u32);
        }
        Outliers::find(&Loose {
            points: &points,
            starts: &starts,
            widths: &[],
            colours: &[],
            is_guide: Vec::new(),
            up: None,
            metres_per_unit: None,
            found: &Found::new(),
        })
    }

    #[test]
    fn what_is_far_from_all_hair_and_what_is_there_twice_is_found() {
        let strand = |i: usize| -> Vec<Vec3> {
            let root = Vec3::new((i % 10) as f32, (i / 10) as f32, 0.0);
            (0..4).map(|k| root + Vec3::Z * k as f32).collect()
        };
        let mut strands: Vec<Vec<Vec3>> = (0..100).map(strand).collect();
        assert_eq!(outliers(&strands), Outliers::default());
        strands[17][2] = Vec3::splat(1e6);
        strands[40].iter_mut().for_each(|p| p.x += 80.0);
        strands[60] = strands[3].clone();
        let found = outliers(&strands);
        assert_eq!(
            (&found.astray[..], &found.twins[..]),
            (&[17, 40][..], &[[60, 3]][..])
        );
        assert!(found.is_astray(40) && !found.is_astray(41));
        let told = found.told(Some(0.01)).join("; ");
        assert!(
            told.contains("2 strands (17, 40) have points far"),
            "{told}"
        );
        assert!(told.contains("up to 17320 m"), "{told}");
        // Where a tenth is elsewhere, hair is there.
        strands[..12]
            .iter_mut()
            .flatten()
            .for_each(|p| p.x += 900.0);
        assert!(outliers(&strands).astray.is_empty());
    }

    #[test]
    fn far_roots_are_named_the_farthest_first() {
        let roots = [(3, 0.001), (5, 0.05), (9, 0.07)];
        let told = far_roots(roots.into_iter()).expect("some");
        assert!(
            told.starts_with("2 strands (9, 5) had roots more than 2 cm"),
            "{told}"
        );
        assert!(told.contains("7.0 cm at most"), "{told}");
        assert_eq!(far_roots([(3, 0.001)].into_iter()), None);
    }
}
