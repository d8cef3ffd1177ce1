//! Rest curves changed by hand: cut, grown on, combed, kept beside the grown ones.

#[cfg(test)]
mod fixture;
mod grown_on;
mod length;
mod limits;

pub use grown_on::lengthened;
pub use length::{EdgePlace, along, cut, first, length, places_of_first, points_at, share};
pub(super) use limits::CLEAR;
pub use limits::{LONGEST, SHORTEST};

use super::{
    Groom,
    edit_transfer::{self, Shape},
};
use crate::{math::counted, mesh::DistanceGrid};
use glam::Vec3;
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// Curves may begin so far from where the hair is rooted now: a head may be
/// read with other units of the last digit, but not be another one. `[m]`
pub(crate) const ROOT_SLACK: f32 = 0.001;

/// Growth by less than this share is none: a length that was written down and read back
/// differs in its last digits.
const UNCHANGED: f32 = 1e-3;

/// Hair of which this share is left was neither cut nor grown on, to the last digits.
const UNCUT: f32 = 0.998;

/// Whether hair of which that share is left was cut, or grown on.
pub(super) fn is_other_length(left: f32) -> bool {
    left.min(2.0 - left) < UNCUT
}

/// A rest curve in place of a grown one.
#[derive(Clone, Debug)]
pub struct EditedCurve {
    /// Its vertices. `[m]`
    pub curve: Arc<[Vec3]>,
    /// What grew there when it was made, with as many vertices; none where nobody knows.
    /// `[m]`
    pub grown: Option<Arc<[Vec3]>>,
    /// The length that the strand was to have then ([`Groom::length`]). `[m]`
    pub length: f32,
}

impl EditedCurve {
    /// A `curve` in place of that of strand `strand` of `groom`.
    pub fn of(curve: Vec<Vec3>, groom: &Groom, strand: usize) -> Self {
        Self {
            curve: curve.into(),
            grown: Some(groom.strand(strand).into()),
            length: groom.length(strand),
        }
    }

    /// Why it does not belong to strand `strand` of `groom`, if it does not: how it was
    /// and is.
    pub fn misfit(&self, groom: &Groom, strand: usize) -> Option<String> {
        let grows = groom.strand(strand);
        if self.grown.is_none() && self.curve.len() != grows.len() {
            return Some(format!(
                "had {} and has {}",
                counted(self.curve.len(), "vertex", "vertices"),
                grows.len()
            ));
        }
        let apart = self.curve[0].distance(grows[0]);
        let moved = || format!("is rooted {:.1} mm from where it was", apart * 1e3);
        (apart > ROOT_SLACK).then(moved)
    }

    /// The curve on strand `strand` of `groom`, outside of `skin`. Where that grows in
    /// another shape or another length than it did, it is what was done, done to that.
    fn on(&self, groom: &Groom, strand: usize, skin: &DistanceGrid) -> Cow<'_, [Vec3]> {
        let even = groom.ties.is_empty();
        let now = Shape {
            curve: groom.strand(strand),
            length: groom.length(strand),
            even,
        };
        let ratio = self.length / now.length.max(f32::MIN_POSITIVE);
        let as_long = (ratio - 1.0).abs() < UNCHANGED;
        let same = |grown: &Arc<[Vec3]>| edit_transfer::alike(grown, now.curve);
        if as_long && self.grown.as_ref().is_none_or(same) {
            return Cow::Borrowed(&self.curve);
        }
        let grown = match &self.grown {
            Some(grown) => Cow::Borrowed(&**grown),
            // Then as now, shorter or longer.
            None => Cow::Owned(first(
                now.curve,
                share(now.curve, ratio * length(now.curve)),
            )),
        };
        let grown = Shape {
            curve: &grown,
            length: self.length,
            even,
        };
        Cow::Owned(edit_transfer::transferred(&self.curve, grown, now, skin))
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

    /// The curve that strand `strand` of `groom` was given, outside of `skin`; none where
    /// nobody changed it, and where the curve belongs to another strand. `[m]`
    pub fn curve(
        &self,
        groom: &Groom,
        strand: usize,
        skin: &DistanceGrid,
    ) -> Option<Cow<'_, [Vec3]>> {
        let edit = self.0.get(&groom.numbers.number(strand))?;
        let fits = edit.misfit(groom, strand).is_none();
        fits.then(|| edit.on(groom, strand, skin))
    }

    /// The edit of the strand of that number.
    pub(super) fn get(&self, number: usize) -> Option<&EditedCurve> {
        self.0.get(&number)
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

    /// The lengths alone, for hair that is `tied` and will be no more, or the other way round:
    /// each as that of a straight strand, since nothing lies there as it did. Whether
    /// anything else is lost.
    pub fn uncombed(&self, tied: bool) -> (Self, bool) {
        let mut lost = false;
        let mut cuts = BTreeMap::new();
        for (number, edit) in self.0.iter() {
            let Some(grown) = edit.grown.as_deref() else {
                lost = true;
                continue;
            };
            let grown = Shape {
                curve: grown,
                length: edit.length,
                even: !tied,
            };
            let (kept, combed) = edit_transfer::kept(&edit.curve, grown);
            lost |= combed;
            if is_other_length(kept) {
                let down = Vec3::NEG_Y * (edit.length / (grown.curve.len() - 1) as f32);
                let line = (0..grown.curve.len()).map(|i| edit.curve[0] + down * i as f32);
                let line: Vec<Vec3> = line.collect();
                let cut = EditedCurve {
                    curve: first(&line, kept).into(),
                    grown: Some(line.into()),
                    length: edit.length,
                };
                cuts.insert(*number, cut);
            }
        }
        (Self(Arc::new(cuts)), lost)
    }

    /// Those of which it is known what grew there before.
    #[must_use]
    pub fn known(&self) -> Self {
        let all = self.0.iter().filter(|(_, edit)| edit.grown.is_some());
        Self(Arc::new(all.map(|(n, edit)| (*n, edit.clone())).collect()))
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
        let place = edge_end(out[i - 1], points[i] + push(i), edge);
        let away = free(i, place);
        out[i] = if away == place {
            place
        } else {
            edge_end(out[i - 1], away, edge)
        };
    }
    out
}

/// The end of the `edge` that begins at `from` and is turned towards `place`. `[m]`
pub(super) fn edge_end(from: Vec3, place: Vec3, edge: Vec3) -> Vec3 {
    from + (place - from).normalize_or(edge.normalize_or(Vec3::NEG_Y)) * edge.length()
}

#[cfg(test)]
mod tests {
    use super::{
        fixture::{grown, helix},
        *,
    };
    use crate::math::elementary::{cos, sin};
    use glam::Vec3Swizzles as _;

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
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        assert!(two.curve(&hair, 0, &skin).is_none(), "nobody changed it");
        let first = none.with([edit(0)]);
        assert!(first.curve(&hair, 0, &skin).is_some());
        let aside = grown(helix().iter().map(|p| *p + Vec3::X * 0.002).collect(), 0.3);
        assert!(first.curve(&aside, 0, &skin).is_none(), "another root");
        let fewer = grown(helix()[..30].to_vec(), 0.3);
        let (_, mut unknown) = edit(0);
        assert!(first.curve(&fewer, 0, &skin).is_some());
        unknown.grown = None;
        let unknown = none.with([(0, unknown)]);
        assert!(unknown.curve(&fewer, 0, &skin).is_none(), "other vertices");
    }

    #[test]
    fn hair_that_is_bound_keeps_its_cuts_alone() {
        let hair = grown(helix(), 0.3);
        let half = cut(&helix(), 0.5 * length(&helix())).expect("is shorter");
        let away = |points: &[Vec3]| points.iter().map(|p| p.yxz()).collect();
        let curves = [half.clone(), away(&half), away(&helix())];
        let edits = curves.map(|curve| EditedCurve::of(curve, &hair, 0));
        let edits = Edits::default().with((0..).zip(edits));
        let (cuts, lost) = edits.uncombed(false);
        assert!(lost, "two were combed");
        let numbers: Vec<usize> = cuts.iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, [0, 1], "the third was only combed");
        for (_, edit) in cuts.iter() {
            let left = length(&edit.curve) / length(edit.grown.as_ref().expect("known"));
            assert!((left - 0.5).abs() < 0.01, "{left} is left");
        }
        // What was cut twice was not combed.
        let twice = cut(&half, 0.3 * length(&helix())).expect("is shorter");
        let twice = Edits::default().with([(0, EditedCurve::of(twice, &hair, 0))]);
        assert!(!twice.uncombed(false).1);
        assert_eq!(edits.known().len(), 3);
    }

    /// Shorter and longer hair, of which somebody knows how it grew before, or nobody.
    #[test]
    fn combed_hair_grows_shorter_and_longer_as_other_hair() {
        let hair = grown(helix(), 0.3);
        // Turned about its root.
        let turn = |p: &Vec3| helix()[0] + glam::Quat::from_rotation_x(0.7) * (*p - helix()[0]);
        let bent: Vec<Vec3> = hair.points.iter().map(turn).collect();
        let known = EditedCurve::of(bent.clone(), &hair, 0);
        let unknown = EditedCurve {
            grown: None,
            ..known.clone()
        };
        // A half more of the same helix, which goes on turning as the bent one does.
        let longer: Vec<Vec3> = (0..40)
            .map(|i| {
                let t = i as f32 * 0.6;
                Vec3::new(0.01 * cos(t), -0.006 * i as f32, 0.01 * sin(t))
            })
            .collect();
        let long = length(&bent);
        for (edit, name, near) in [(known, "known", 0.006), (unknown, "unknown", 0.01)] {
            let skin = DistanceGrid::of(0.1, |_| 1.0);
            let on = |hair: &Groom| edit.on(hair, 0, &skin).into_owned();
            assert_eq!(on(&hair), bent, "as it was");
            let half = on(&grown(first(&helix(), 0.5), 0.15));
            let ratio = length(&half) / long;
            assert!((ratio - 0.5).abs() < 5e-3, "{name}: {ratio} times as long");
            assert!(half[39].distance(bent[19].midpoint(bent[20])) < 0.004);
            let more = on(&grown(longer.clone(), 0.45));
            assert_eq!((more.len(), more[0]), (40, bent[0]));
            let ratio = length(&more) / long;
            assert!((ratio - 1.5).abs() < 0.04, "{name}: {ratio} times as long");
            let off = more[39].distance(turn(&longer[39]));
            assert!(off < near, "{name}: {off} m off");
        }
    }
}
