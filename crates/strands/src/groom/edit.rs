//! Rest curves changed by hand: shortened, combed, kept beside the grown ones.

use glam::Vec3;
use std::{collections::BTreeMap, sync::Arc};

/// The shortest strand that a cut leaves. `[m]`
pub const SHORTEST: f32 = 0.005;

/// Rest curves that replace those of a groom, strand by strand. A copy is cheap
/// and shares all curves. Each curve has as many vertices as the grown one.
#[derive(Clone, Debug, Default)]
pub struct Edits(Arc<BTreeMap<usize, Arc<[Vec3]>>>);

/// Whether they are the same edits, not merely alike.
impl PartialEq for Edits {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.is_empty() && other.is_empty()
    }
}

impl Edits {
    /// Whether all hair is as it was grown.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of strands that were changed.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The curve of strand `strand`, where that was changed. `[m]`
    pub fn curve(&self, strand: usize) -> Option<&[Vec3]> {
        self.0.get(&strand).map(|curve| &**curve)
    }

    /// All curves that were changed, by the numbers of their strands. `[m]`
    pub fn curves(&self) -> impl Iterator<Item = (usize, &[Vec3])> {
        self.0.iter().map(|(strand, curve)| (*strand, &**curve))
    }

    /// The same with these curves besides.
    #[must_use]
    pub fn with(&self, curves: impl IntoIterator<Item = (usize, Vec<Vec3>)>) -> Self {
        let mut all = (*self.0).clone();
        all.extend(
            curves
                .into_iter()
                .map(|(strand, curve)| (strand, curve.into())),
        );
        Self(Arc::new(all))
    }

    /// The strands whose curves are not those of `other`.
    pub fn unlike(&self, other: &Self) -> Vec<usize> {
        let differs = |strand: &usize| match (self.0.get(strand), other.0.get(strand)) {
            (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
            (a, b) => a.is_some() != b.is_some(),
        };
        let mut strands: Vec<usize> = self.0.keys().chain(other.0.keys()).copied().collect();
        strands.sort_unstable();
        strands.dedup();
        strands.retain(differs);
        strands
    }
}

/// Length of a curve. `[m]`
pub fn length(points: &[Vec3]) -> f32 {
    points
        .windows(2)
        .map(|edge| edge[0].distance(edge[1]))
        .sum()
}

/// The first share `ratio` of a curve, with as many vertices at the same shares
/// of its length; more than all of it goes on straight.
pub fn first(points: &[Vec3], ratio: f32) -> Vec<Vec3> {
    let Some(start) = points.first() else {
        return Vec::new();
    };
    let mut ends = vec![0.0];
    for edge in points.windows(2) {
        ends.push(ends[ends.len() - 1] + edge[0].distance(edge[1]));
    }
    let mut out = vec![*start];
    let mut edge = 1;
    for end in &ends[1..] {
        let place = end * ratio;
        while edge + 1 < points.len() && ends[edge] < place {
            edge += 1;
        }
        let (from, to) = (points[edge - 1], points[edge]);
        let long = (ends[edge] - ends[edge - 1]).max(f32::MIN_POSITIVE);
        out.push(from + (to - from) * ((place - ends[edge - 1]) / long));
    }
    out
}

/// The share of a curve whose [`first`] part is so long. Fewer corners make a
/// part shorter than its share, hence the correction. `[m]`
pub fn share(points: &[Vec3], long: f32) -> f32 {
    let mut share = long / length(points).max(f32::MIN_POSITIVE);
    for _ in 0..3 {
        share *= long / length(&first(points, share)).max(f32::MIN_POSITIVE);
    }
    share
}

/// A rest curve that goes no farther than `long` metres; none where it is no
/// longer than that.
pub fn cut(points: &[Vec3], long: f32) -> Option<Vec<Vec3>> {
    let now = length(points);
    let long = long.max(SHORTEST);
    (long < now * 0.999).then(|| first(points, share(points, long)))
}

/// A curve whose vertices were pushed, from the second one on; each edge keeps
/// its length, from root to tip. `free` takes a vertex to the nearest place
/// where it may be.
pub fn combed(
    points: &[Vec3],
    push: impl Fn(usize) -> Vec3,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Vec<Vec3> {
    let mut out = points.to_vec();
    for i in 2..points.len() {
        if push(i) == Vec3::ZERO && out[i - 1] == points[i - 1] {
            continue;
        }
        let edge = points[i] - points[i - 1];
        let long = edge.length();
        let along = |place: Vec3, from: Vec3| {
            from + (place - from).normalize_or(edge.normalize_or(Vec3::NEG_Y)) * long
        };
        let place = along(points[i] + push(i), out[i - 1]);
        let away = free(i, place);
        out[i] = if away == place {
            place
        } else {
            along(away, out[i - 1])
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helix() -> Vec<Vec3> {
        (0..40)
            .map(|i| {
                let t = i as f32 * 0.4;
                Vec3::new(0.01 * t.cos(), -0.004 * i as f32, 0.01 * t.sin())
            })
            .collect()
    }

    #[test]
    fn a_cut_leaves_the_first_part_of_the_curve() {
        let curve = helix();
        let long = length(&curve);
        let cut = cut(&curve, 0.5 * long).expect("is shorter");
        assert_eq!(cut.len(), curve.len());
        assert!((length(&cut) / long - 0.5).abs() < 1e-4);
        assert_eq!(cut[0], curve[0]);
        let tip = cut[39];
        assert!(tip.distance(curve[19].midpoint(curve[20])) < 0.004);
        assert!(super::cut(&curve, 2.0 * long).is_none(), "nothing to cut");
        let stub = super::cut(&curve, 0.0).expect("is shorter");
        assert!((length(&stub) - SHORTEST).abs() < 1e-4);
    }

    #[test]
    fn more_than_all_goes_on_straight() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(first(&line, 1.5)[2], Vec3::X * 3.0);
    }

    #[test]
    fn combing_moves_vertices_and_keeps_lengths() {
        let curve = helix();
        let pushed = combed(
            &curve,
            |i| if i > 10 { Vec3::X * 0.02 } else { Vec3::ZERO },
            |_, p| p,
        );
        assert_eq!(pushed[..=10], curve[..=10]);
        for (a, b) in curve.windows(2).zip(pushed.windows(2)) {
            assert!((a[0].distance(a[1]) - b[0].distance(b[1])).abs() < 1e-6);
        }
        assert!(pushed[39].x - curve[39].x > 0.01);
    }

    #[test]
    fn edits_tell_what_they_changed() {
        let none = Edits::default();
        let one = none.with([(3, helix())]);
        let two = one.with([(5, helix())]);
        assert_eq!(none, Edits::default());
        assert_ne!(one, two);
        assert_eq!(two.unlike(&one), [5]);
        assert_eq!(none.unlike(&two), [3, 5]);
        assert_eq!(one.clone(), one);
        assert_eq!((two.len(), two.curve(4)), (2, None));
    }
}
