//! Hair on one head beside hair on another: which strand of the one is which of the other,
//! and what was done to it by hand, done there.
//!
//! The same strands, carried to another head or read there from the same file, are found by
//! what they are known by; each turns as its curve does. Other strands, grown on another
//! head, take over from the strand whose root comes nearest to theirs when the first hair is
//! carried to their head ([`carry`](super::carry)), and it turns as it does then. Strands of
//! other lengths count as farther away: where the fringe of one head reaches to the side hair of
//! the other, that is not taken for a fringe that nobody cut. A cut leaves
//! the same share of the same strand; of another one, whose length chance has drawn anew, it
//! leaves as much as of the first, longer as the head is larger.

use super::{
    Groom,
    carry::{RootedStrand, Way, by_faces, by_fit},
    edit::{EditedCurve, Edits, length},
    edit_transfer::{Shape, alike, transferred, transferred_to_other},
};
use crate::{
    math::{elementary::ln, nearest_rotation},
    mesh::{CollisionMesh, root_at},
};
use glam::{Mat3, Quat, Vec3};
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};
use std::{collections::HashMap, f32::consts::PI};

/// How a strand turns is seen by so many of its chords.
const CHORDS: usize = 8;

/// Strands that say how all hair turns.
const ASKED: usize = 2000;

/// How much the turn of all hair counts beside a strand's own: a straight one says nothing of
/// its turn about itself.
const OF_ALL: f32 = 2e-3;

/// A strand that is e times as long as another, or as short, counts as so much farther away.
/// `[m]`
const OF_LENGTH: f32 = 0.08;

/// What is pinned keeps so far from the skin. `[m]`
const CLEAR: f32 = 0.0015;

/// Hair on its head.
#[derive(Clone, Copy, Debug)]
pub struct HairOnHead<'a> {
    /// The hair.
    pub groom: &'a Groom,
    /// The head.
    pub body: &'a CollisionMesh,
}

/// How the strands of two heads of hair belong together.
#[derive(Clone, Debug)]
pub enum Relation<'a> {
    /// They are the same ones: by what those of each are known, in the order of its groom.
    Same([Vec<u32>; 2]),
    /// They are others; where each vertex of the first head is on the second, if both have
    /// the same faces. `[m]`
    Other(Option<&'a [Vec3]>),
}

/// A strand that something was done to, or not.
struct SourceStrand<'a> {
    /// As it grows.
    curve: &'a [Vec3],
    edit: Option<&'a EditedCurve>,
    /// The length that it is to have. `[m]`
    length: f32,
}

/// What is the same of the same strands, and of others.
enum Matching {
    /// The turn of all hair.
    Same(Quat),
    /// The factor of lengths, and the ways of all sources.
    Other(f32, Vec<Option<Way>>),
}

/// Which strand of one head of hair is which of another.
pub struct Correspondence<'a> {
    from: HairOnHead<'a>,
    to: HairOnHead<'a>,
    sources: Vec<SourceStrand<'a>>,
    matching: Matching,
    /// The source of each strand of the other hair.
    source_of: Vec<Option<usize>>,
}

impl<'a> Correspondence<'a> {
    /// That between hair to which `edits` were made, and other hair.
    pub fn new(
        edits: &'a Edits,
        from: HairOnHead<'a>,
        to: HairOnHead<'a>,
        relation: &Relation,
    ) -> Self {
        let groom = from.groom;
        let grows = |strand: usize| SourceStrand {
            curve: groom.strand(strand),
            edit: edits.get(groom.numbers.number(strand)),
            length: groom.length(strand),
        };
        let mut sources: Vec<SourceStrand> = (0..groom.strands()).map(grows).collect();
        // What was done to strands that are thinned out; of the same strands, by their numbers.
        let mut waiting = Vec::new();
        if !groom.numbers.are_places() {
            for (number, edit) in edits.iter() {
                if let (None, Some(grown)) = (groom.strand_numbered(number), &edit.grown) {
                    waiting.push(number as u32);
                    sources.push(SourceStrand {
                        curve: grown,
                        edit: Some(edit),
                        length: edit.length,
                    });
                }
            }
        }
        let (matching, source_of) = match relation {
            Relation::Same([mine, theirs]) => {
                let known = mine.iter().chain(&waiting).copied().zip(0..);
                let known: HashMap<u32, usize> = known.collect();
                let source_of = theirs.iter().map(|key| known.get(key).copied());
                let source_of: Vec<Option<usize>> = source_of.collect();
                let turn = turn_of_all(&sources, to.groom, &source_of);
                (Matching::Same(turn), source_of)
            }
            Relation::Other(twin) => {
                let (ways, scale) = ways(&sources, from.body, to.body, *twin);
                let places = ways.iter().zip(0..).filter_map(|(way, source)| {
                    let root = (*way)?.root;
                    let curve = sources[source].curve;
                    Some(GeomWithData::new(place(root, curve), source))
                });
                let tree: RTree<_> = RTree::bulk_load(places.collect());
                let nearest = |strand: usize| {
                    let curve = to.groom.strand(strand);
                    let found = tree.nearest_neighbor(place(curve[0], curve));
                    found.map(|found| found.data)
                };
                let strands = 0..to.groom.strands();
                let source_of = strands.into_par_iter().map(nearest).collect();
                (Matching::Other(scale, ways), source_of)
            }
        };
        Self {
            from,
            to,
            sources,
            matching,
            source_of,
        }
    }

    /// The same edits on the other hair.
    pub fn edits(&self) -> Edits {
        let strands = (0..self.to.groom.strands()).into_par_iter();
        let made: Vec<(usize, EditedCurve)> = strands.filter_map(|s| self.edit(s)).collect();
        Edits::default().with(made)
    }

    /// The edit of that strand of the other hair, by its number.
    fn edit(&self, strand: usize) -> Option<(usize, EditedCurve)> {
        let groom = self.to.groom;
        let source = self.source_of.get(strand).copied().flatten()?;
        let edit = self.sources[source].edit?;
        let turn = self.turn(source, strand)?;
        let SourceStrand {
            curve,
            length: wanted,
            ..
        } = self.sources[source];
        // Of an edit of which nobody knows what grew before: what grows now.
        let fits = edit.grown.is_some() || edit.curve.len() == curve.len();
        let (curve, long) = match &edit.grown {
            Some(grown) => (&**grown, edit.length),
            None => (curve, wanted),
        };
        let now = groom.strand(strand);
        if !fits || now.len() < 2 || curve.len() < 2 {
            return None;
        }
        let number = groom.numbers.number(strand);
        if long == groom.length(strand) && alike(curve, now) {
            // It grows there as it did.
            return Some((number, edit.clone()));
        }
        let turned = |points: &[Vec3]| -> Vec<Vec3> {
            let turned = points.iter().map(|p| now[0] + turn * (*p - points[0]));
            turned.collect()
        };
        let (edited, grown) = (turned(&edit.curve), turned(curve));
        let grown = Shape {
            curve: &grown,
            length: long,
            even: self.from.groom.ties.is_empty(),
        };
        let shape = Shape {
            curve: now,
            length: groom.length(strand),
            even: groom.ties.is_empty(),
        };
        let skin = &self.to.body.grid;
        let made = match &self.matching {
            Matching::Same(_) => transferred(&edited, grown, shape, skin),
            Matching::Other(scale, _) => {
                let long = scale * length(&edited);
                transferred_to_other(&edited, grown, shape, long, skin)
            }
        };
        Some((number, EditedCurve::of(made, groom, strand)))
    }

    /// Where something is on the other hair that is held at `place` on strand `number`:
    /// the number of the strand there, how many vertices that has, and the place, both in the
    /// head's space `[m]`; none where the strand is not there.
    pub fn held(&self, number: usize, place: Vec3) -> Option<(usize, usize, Vec3)> {
        let source = self.from.groom.strand_numbered(number)?;
        let strand = match &self.matching {
            Matching::Same(_) => {
                let mut strands = self.source_of.iter();
                strands.position(|of| *of == Some(source))?
            }
            Matching::Other(_, ways) => {
                let root = ways.get(source).copied().flatten()?.root;
                let apart = |s: &usize| self.to.groom.strand(*s)[0].distance_squared(root);
                let strands = 0..self.to.groom.strands();
                strands.min_by(|a, b| apart(a).total_cmp(&apart(b)))?
            }
        };
        let (was, is) = (self.sources[source].curve, self.to.groom.strand(strand));
        let scale = match &self.matching {
            Matching::Same(_) => length(is) / length(was).max(f32::MIN_POSITIVE),
            Matching::Other(scale, _) => *scale,
        };
        let turn = self.turn(source, strand)?;
        let there = is[0] + turn * (place - was[0]) * scale;
        let (distance, out) = self.to.body.grid.sample_with_normal(there);
        let there = there + out * (CLEAR - distance).max(0.0);
        Some((self.to.groom.numbers.number(strand), is.len(), there))
    }

    /// How what is done to a source turns on that strand of the other hair.
    fn turn(&self, source: usize, strand: usize) -> Option<Quat> {
        Some(match &self.matching {
            Matching::Other(_, ways) => ways[source]?.turn,
            Matching::Same(turn) => {
                let (was, is) = (self.sources[source].curve, self.to.groom.strand(strand));
                let skin = |head: &CollisionMesh, root: Vec3| {
                    let nearest = head.surface.closest(root, f32::MAX);
                    nearest.map_or(Vec3::ZERO, |nearest| nearest.normal)
                };
                let normals = [skin(self.from.body, was[0]), skin(self.to.body, is[0])];
                let own = product(was, is) + outer(normals[1], normals[0]);
                rotation_of(own + Mat3::from_quat(*turn) * OF_ALL, *turn)
            }
        })
    }
}

/// The way of each source where the hair is carried to the other head, and the factor of
/// lengths.
fn ways(
    sources: &[SourceStrand],
    from: &CollisionMesh,
    to: &CollisionMesh,
    twin: Option<&[Vec3]>,
) -> (Vec<Option<Way>>, f32) {
    let rooted = |source: &SourceStrand| {
        let first = source.curve.first().copied().filter(|p| p.is_finite());
        let nearest = first.and_then(|p| from.surface.closest(p, f32::MAX));
        RootedStrand {
            points: source.curve.to_vec(),
            depths: Vec::new(),
            root: nearest.map(|near| root_at(&from.mesh, near.triangle, near.point)),
        }
    };
    let rooted: Vec<RootedStrand> = sources.par_iter().map(rooted).collect();
    let twin = twin.filter(|twin| twin.len() == from.mesh.positions.len());
    let (ways, scale, _) = match twin {
        Some(twin) => by_faces(&rooted, &from.mesh, to, twin),
        None => by_fit(&rooted, from, to),
    };
    (ways, scale)
}

/// Where a strand of that shape is looked for: its root, and its length as a way. `[m]`
fn place(root: Vec3, curve: &[Vec3]) -> [f32; 4] {
    let [x, y, z] = root.to_array();
    [x, y, z, OF_LENGTH * ln(length(curve).max(1e-4))]
}

/// How all hair turns from where it was to where it is.
fn turn_of_all(sources: &[SourceStrand], to: &Groom, source_of: &[Option<usize>]) -> Quat {
    let every = source_of.len().div_ceil(ASKED).max(1);
    let both = source_of.iter().enumerate().step_by(every);
    let products = both.filter_map(|(strand, source)| {
        let was = sources[(*source)?].curve;
        Some(product(was, to.strand(strand)))
    });
    let sum = products.fold(Mat3::ZERO, |sum, product| sum + product);
    rotation_of(sum, Quat::IDENTITY)
}

/// The rotation in `matrix`, looked for about `start`, and half turns away from that: from so
/// far no way leads to the nearest one.
fn rotation_of(matrix: Mat3, start: Quat) -> Quat {
    let fit = |turn: &Quat| {
        let turn = Mat3::from_quat(*turn);
        let axes = (0..3).map(|axis| turn.col(axis).dot(matrix.col(axis)));
        axes.sum::<f32>()
    };
    let half_turns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Quat::from_axis_angle(axis, PI));
    let turns = half_turns.map(|half| nearest_rotation(matrix, half * start));
    let near = nearest_rotation(matrix, start);
    let better = |best, turn| match fit(&turn) > fit(&best) + 1e-4 {
        true => turn,
        false => best,
    };
    // Few steps may not lead all the way.
    nearest_rotation(matrix, turns.into_iter().fold(near, better))
}

/// What tells the rotation from one curve to another.
fn product(was: &[Vec3], is: &[Vec3]) -> Mat3 {
    let both = chords(was).into_iter().zip(chords(is));
    let products = both.map(|(was, is)| outer(is, was));
    products.fold(Mat3::ZERO, |sum, product| sum + product) * (1.0 / CHORDS as f32)
}

/// The directions of a curve, from root to tip.
fn chords(curve: &[Vec3]) -> [Vec3; CHORDS] {
    let last = curve.len().saturating_sub(1);
    let at = |chord: usize| {
        curve
            .get(chord * last / CHORDS)
            .copied()
            .unwrap_or_default()
    };
    std::array::from_fn(|chord| (at(chord + 1) - at(chord)).normalize_or_zero())
}

/// The matrix that takes `b` to `a`.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{self, HeadParams};

    /// Straight strands of those lengths along that way, rooted on the head's crown in a row.
    fn row(body: &CollisionMesh, lengths: &[f32], way: Vec3) -> Groom {
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for (i, long) in lengths.iter().enumerate() {
            let above = Vec3::new(0.004 * i as f32, 0.3, 0.0);
            let root = body.surface.closest(above, f32::MAX).expect("skin").point;
            let point = |v: i32| root + way * (long * v as f32 / 19.0);
            groom.points.extend((0..20).map(point));
            groom.starts.push(groom.points.len() as u32);
            groom.lengths.push(*long);
        }
        groom
    }

    #[test]
    fn strands_take_over_from_near_ones_of_their_length() {
        let head = mesh::load(&HeadParams::default()).expect("the built-in head");
        let body = CollisionMesh::new(head.mesh.clone(), 0.004);
        let up = Vec3::new(0.0, 0.8, 0.6);
        // A short strand, which nobody touched, beside a long one that was cut to a half.
        let before = row(&body, &[0.05, 0.2], up);
        let long = before.strand(1);
        let half = long.iter().map(|p| long[0] + (*p - long[0]) * 0.5);
        let half: Vec<Vec3> = half.collect();
        let edits = Edits::default().with([(1, EditedCurve::of(half, &before, 1))]);
        let after = row(&body, &[0.2, 0.06, 0.25], up);
        let hair = |groom| HairOnHead { groom, body: &body };
        let twin = &head.mesh.positions;
        let relation = Relation::Other(Some(twin));
        let way = Correspondence::new(&edits, hair(&before), hair(&after), &relation);
        let made = way.edits();
        let left: Vec<(usize, f32)> = made
            .iter()
            .map(|(n, edit)| (n, length(&edit.curve)))
            .collect();
        let [(first, a), (last, b)] = left[..] else {
            panic!("{left:?}")
        };
        assert_eq!((first, last), (0, 2), "the short one stays as it is");
        // As much is left as of the first, though the last one would be longer.
        assert!(
            (a - 0.1).abs() < 2e-3 && (b - 0.1).abs() < 2e-3,
            "{a} and {b}"
        );
    }

    #[test]
    fn the_same_strands_keep_their_share_and_turn_with_their_hair() {
        let head = mesh::load(&HeadParams::default()).expect("the built-in head");
        let body = CollisionMesh::new(head.mesh.clone(), 0.004);
        let before = row(&body, &[0.1, 0.2, 0.15], Vec3::new(0.0, 0.8, 0.6));
        let turn = Quat::from_rotation_x(-0.5);
        let bent = |strand: usize| {
            let grown = before.strand(strand);
            let bend = |p: &Vec3| grown[1] + turn * (*p - grown[1]) * 0.5;
            let mut curve: Vec<Vec3> = grown.iter().map(bend).collect();
            curve[..2].copy_from_slice(&grown[..2]);
            (strand, EditedCurve::of(curve, &before, strand))
        };
        let edits = Edits::default().with([bent(0), bent(2)]);
        // The same hair turned about the vertical, twice as long, in another order.
        let about = Quat::from_rotation_y(2.9);
        let after = row(&body, &[0.3, 0.4, 0.2], about * Vec3::new(0.0, 0.8, 0.6));
        let hair = |groom| HairOnHead { groom, body: &body };
        let relation = Relation::Same([vec![7, 8, 9], vec![9, 8, 7]]);
        let way = Correspondence::new(&edits, hair(&before), hair(&after), &relation);
        let made = way.edits();
        assert_eq!(made.iter().map(|(n, _)| n).collect::<Vec<_>>(), [0, 2]);
        for (strand, edit) in made.iter() {
            let now = after.strand(strand);
            let share = length(&edit.curve) / length(now);
            assert!((share - 0.5).abs() < 0.03, "{share} of {strand} is left");
            let lies = (edit.curve[19] - edit.curve[1]).normalize();
            let wanted = about * turn * Vec3::new(0.0, 0.8, 0.6);
            let off = lies.angle_between(wanted);
            assert!(off < 0.15, "{strand} lies {off} rad off");
        }
        // A pin in the middle of a strand is in the middle of it there.
        let (number, vertices, place) = way.held(0, before.strand(0)[10]).expect("its strand");
        assert_eq!((number, vertices), (2, 20));
        assert!(place.distance(after.strand(2)[10]) < 3e-3, "{place}");
        assert!(way.held(5, Vec3::ZERO).is_none(), "there is no such strand");
    }
}
