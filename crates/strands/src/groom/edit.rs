//! Rest curves changed by hand: shortened, combed, kept beside the grown ones.

use super::Groom;
use glam::{Mat3, Vec3};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// The shortest strand that a cut leaves. `[m]`
pub const SHORTEST: f32 = 0.005;

/// Curves may begin so far from where the hair is rooted now: a head may be
/// read with other units of the last digit, but not be another one. `[m]`
pub(crate) const ROOT_SLACK: f32 = 0.001;

/// Growth by less than this share is none: a length that was written down and read back
/// differs in its last digits.
const UNCHANGED: f32 = 1e-3;

/// A rest curve in place of a grown one.
#[derive(Clone, Debug)]
pub struct EditedCurve {
    /// Its vertices, as many as the grown one has. `[m]`
    pub curve: Arc<[Vec3]>,
    /// The length that the strand was to have then ([`Groom::length`]). `[m]`
    pub length: f32,
}

impl EditedCurve {
    /// A `curve` in place of that of strand `strand` of `groom`.
    pub fn of(curve: Vec<Vec3>, groom: &Groom, strand: usize) -> Self {
        Self {
            curve: curve.into(),
            length: groom.length(strand),
        }
    }

    /// The curve on strand `strand` of `groom`: as many times as long as hair there is to
    /// be now. Of shorter hair it is the first part; longer hair goes on as it grew.
    fn on(&self, groom: &Groom, strand: usize) -> Cow<'_, [Vec3]> {
        let ratio = groom.length(strand) / self.length.max(f32::MIN_POSITIVE);
        if (ratio - 1.0).abs() < UNCHANGED {
            return Cow::Borrowed(&self.curve);
        }
        let long = length(&self.curve) * ratio;
        let changed = match ratio < 1.0 {
            true => cut(&self.curve, long),
            false => Some(continued(&self.curve, groom.strand(strand), long)),
        };
        changed.map_or(Cow::Borrowed(&*self.curve), Cow::Owned)
    }
}

/// Rest curves that replace those of a groom, by the numbers of their strands
/// ([`StrandNumbers`](super::StrandNumbers)). A copy is cheap and shares all curves.
#[derive(Clone, Debug, Default)]
pub struct Edits(Arc<BTreeMap<usize, EditedCurve>>);

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

    /// The curve that strand `strand` of `groom` was given; none where nobody changed it,
    /// and where the curve belongs to another strand. `[m]`
    pub fn curve(&self, groom: &Groom, strand: usize) -> Option<Cow<'_, [Vec3]>> {
        let edit = self.0.get(&groom.numbers.number(strand))?;
        let grown = groom.strand(strand);
        let same =
            edit.curve.len() == grown.len() && edit.curve[0].distance(grown[0]) <= ROOT_SLACK;
        same.then(|| edit.on(groom, strand))
    }

    /// All edits, by the numbers of their strands.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &EditedCurve)> {
        self.0.iter().map(|(number, edit)| (*number, edit))
    }

    /// The same with these edits besides.
    #[must_use]
    pub fn with(&self, edits: impl IntoIterator<Item = (usize, EditedCurve)>) -> Self {
        let mut all = (*self.0).clone();
        all.extend(edits);
        Self(Arc::new(all))
    }

    /// The numbers of strands whose curves are not those of `other`.
    pub fn unlike(&self, other: &Self) -> Vec<usize> {
        let differs = |number: &usize| match (self.0.get(number), other.0.get(number)) {
            (Some(a), Some(b)) => !Arc::ptr_eq(&a.curve, &b.curve),
            (a, b) => a.is_some() != b.is_some(),
        };
        let mut numbers: Vec<usize> = self.0.keys().chain(other.0.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(differs);
        numbers
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

/// A curve of `long` metres that goes on behind its tip as `grown` does behind as many
/// metres as it has, with as many vertices, evenly spread.
fn continued(curve: &[Vec3], grown: &[Vec3], long: f32) -> Vec<Vec3> {
    let own = length(curve);
    let [.., last, tip] = curve else {
        return curve.to_vec();
    };
    let before = own - last.distance(*tip);
    let (Some(here), Some(there)) = (frame(curve, before), frame(grown, before)) else {
        return curve.to_vec();
    };
    let turn = here * there.transpose();
    let past = upto(grown, own);
    let start = past[past.len() - 1];
    let mut all = curve.to_vec();
    let ahead = grown.iter().skip(past.len() - 1);
    all.extend(ahead.map(|p| *tip + turn * (*p - start)));
    // What grew may be shorter than what is asked for.
    let share = (long / length(&all).max(f32::MIN_POSITIVE)).max(1.0);
    first(&evenly(&upto(&all, long), curve.len()), share)
}

/// The way of a polyline after `long` metres, and the side from which it turns there:
/// columns of a rotation. Between vertices they are those of the two vertices, mixed. None
/// of fewer than three.
fn frame(points: &[Vec3], long: f32) -> Option<Mat3> {
    let last = points.len().checked_sub(2).filter(|last| *last > 0)?;
    let (mut edge, mut passed) = (0, 0.0);
    let length = |edge: usize| points[edge].distance(points[edge + 1]);
    while edge < last && passed + length(edge) < long {
        passed += length(edge);
        edge += 1;
    }
    let share = (long - passed) / length(edge).max(f32::MIN_POSITIVE);
    // Of a vertex: the mean of its edges' directions, and their difference.
    let at = |vertex: usize| {
        let vertex = vertex.clamp(1, last);
        let way = |edge: usize| (points[edge + 1] - points[edge]).normalize_or_zero();
        let (from, to) = (way(vertex - 1), way(vertex));
        (from + to, from - to)
    };
    let ((way, side), (next_way, next_side)) = (at(edge), at(edge + 1));
    let way = way.lerp(next_way, share.clamp(0.0, 1.0)).try_normalize()?;
    let side = side.lerp(next_side, share.clamp(0.0, 1.0));
    let side = (side - way * way.dot(side)).try_normalize();
    let side = side.unwrap_or_else(|| way.any_orthonormal_vector());
    Some(Mat3::from_cols(way, side, way.cross(side)))
}

/// The first `long` metres of a polyline.
fn upto(points: &[Vec3], long: f32) -> Vec<Vec3> {
    let (mut out, mut left) = (vec![points[0]], long);
    for edge in points.windows(2) {
        let length = edge[0].distance(edge[1]);
        if length >= left {
            out.push(edge[0].lerp(edge[1], left / length.max(f32::MIN_POSITIVE)));
            break;
        }
        left -= length;
        out.push(edge[1]);
    }
    out
}

/// `count` vertices along the polyline `points`, as far apart from each other along it.
fn evenly(points: &[Vec3], count: usize) -> Vec<Vec3> {
    let step = length(points) / (count.max(2) - 1) as f32;
    let mut out = vec![points[0]];
    let (mut edge, mut passed) = (1, 0.0);
    for vertex in 1..count {
        let place = step * vertex as f32;
        let mut long = points[edge].distance(points[edge - 1]);
        while edge + 1 < points.len() && passed + long < place {
            passed += long;
            edge += 1;
            long = points[edge].distance(points[edge - 1]);
        }
        let share = ((place - passed) / long.max(f32::MIN_POSITIVE)).min(1.0);
        out.push(points[edge - 1].lerp(points[edge], share));
    }
    out
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

    /// A groom of that one curve, which is to be so long.
    fn grown(points: Vec<Vec3>, length: f32) -> Groom {
        Groom {
            starts: vec![0, points.len() as u32],
            points,
            lengths: vec![length],
            ..Groom::default()
        }
    }

    #[test]
    fn edits_tell_what_they_changed() {
        let hair = grown(helix(), 0.3);
        let edit = |number: usize| (number, EditedCurve::of(helix(), &hair, 0));
        let none = Edits::default();
        let one = none.with([edit(3)]);
        let two = one.with([edit(5)]);
        assert_eq!(none, Edits::default());
        assert_ne!(one, two);
        assert_eq!(two.unlike(&one), [5]);
        assert_eq!(none.unlike(&two), [3, 5]);
        assert_eq!(one.clone(), one);
        assert_eq!(two.len(), 2);
        assert!(two.curve(&hair, 0).is_none(), "nobody changed it");
        let first = none.with([edit(0)]);
        assert!(first.curve(&hair, 0).is_some());
        let fewer = grown(helix()[1..].to_vec(), 0.3);
        assert!(first.curve(&fewer, 0).is_none(), "other vertices");
        let aside = helix().iter().map(|p| *p + Vec3::X * 0.002).collect();
        assert!(first.curve(&grown(aside, 0.3), 0).is_none(), "another root");
    }

    #[test]
    fn combed_hair_grows_shorter_and_longer_as_other_hair() {
        let hair = grown(helix(), 0.3);
        // Turned about its root.
        let turn = |p: &Vec3| helix()[0] + glam::Quat::from_rotation_x(0.7) * (*p - helix()[0]);
        let bent: Vec<Vec3> = hair.points.iter().map(turn).collect();
        let edits = Edits::default().with([(0, EditedCurve::of(bent.clone(), &hair, 0))]);
        let on = |hair: &Groom| edits.curve(hair, 0).expect("changed").into_owned();
        assert_eq!(on(&hair), bent, "as it was");
        // Another lock, but as long: nothing changes.
        assert_eq!(on(&grown(first(&helix(), 0.8), 0.3)), bent);
        let long = length(&bent);
        let half = on(&grown(first(&helix(), 0.5), 0.15));
        assert!((length(&half) / long - 0.5).abs() < 1e-3);
        assert!(half[39].distance(bent[19].midpoint(bent[20])) < 0.004);
        // A half more of the same helix, which goes on turning as the bent one does.
        let longer: Vec<Vec3> = (0..40)
            .map(|i| {
                let t = i as f32 * 0.6;
                Vec3::new(0.01 * t.cos(), -0.006 * i as f32, 0.01 * t.sin())
            })
            .collect();
        let more = on(&grown(longer.clone(), 0.45));
        assert_eq!((more.len(), more[0]), (40, bent[0]));
        let ratio = length(&more) / long;
        assert!((ratio - 1.5).abs() < 0.03, "{ratio} times as long");
        let (tip, should) = (more[39], turn(&longer[39]));
        assert!(tip.distance(should) < 0.006, "{tip} for {should}");
    }
}
