//! What was done by hand to a strand, done to another shape of it.
//!
//! Scissors leave the first part of a strand, a brush lets it grow on, and a comb turns
//! its edges. All is told by comparing the curve with the one that grew when they were at
//! work: how much of it is left, or more than all, and how each of its edges has turned. Hair that grows in another shape is cut to
//! the same share, and each of its edges turns as the one at the same place did. A curl
//! that is combed aside and wound tighter then is a tight curl that lies aside.

use super::edit::{CLEAR, LONGEST, along, first, is_other_length, length, places_of_first, share};
use crate::{math::nearest_rotation, mesh::DistanceGrid};
use glam::{Mat3, Quat, Vec3};
use std::f32::consts::TAU;

/// The turn at a place is that of the edges around it, up to so large a share of the
/// strand: a wave longer than that is one that a comb may have made.
const WIDEST: f32 = 0.1;

/// How much the turn of the edge before counts beside the edges' own: a straight piece
/// says nothing of its turn about itself.
const BEFORE: f32 = 0.02;

/// Vertices are in the same place that are no farther apart: a file rounds to a tenth of a
/// micrometre. `[m]`
const SAME: f32 = 2e-6;

/// A strand, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    /// Its vertices, root first. `[m]`
    pub curve: &'a [Vec3],
    /// The length of its path, around which it curls. `[m]`
    pub length: f32,
    /// Whether the vertices lie evenly along the path. Those of tied hair do not, whose
    /// way to the tie has as many of them however long it is: there the path is measured
    /// along the strand.
    pub even: bool,
}

/// A strand whose vertices are found by their way along it.
struct Measured<'a> {
    shape: Shape<'a>,
    /// From the root along the strand to each vertex. `[m]`
    along: Vec<f32>,
}

impl<'a> Measured<'a> {
    fn new(shape: Shape<'a>) -> Self {
        let along = along(shape.curve);
        Self { shape, along }
    }

    fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// The share of the path before the place so far along the strand `[m]`; the last edge
    /// goes on behind the tip.
    fn share_of_path(&self, along: f32) -> f32 {
        if !self.shape.even {
            return along / self.length().max(f32::MIN_POSITIVE);
        }
        let edges = self.along.len() - 1;
        let edge = self.along[1..edges].partition_point(|end| *end < along);
        let (from, to) = (self.along[edge], self.along[edge + 1]);
        (edge as f32 + (along - from) / (to - from).max(f32::MIN_POSITIVE)) / edges as f32
    }

    /// How far along the strand that share of the path ends; the last edge goes on behind
    /// the tip. `[m]`
    fn along(&self, share: f32) -> f32 {
        if !self.shape.even {
            return share.max(0.0) * self.length();
        }
        let place = share.max(0.0) * (self.along.len() - 1) as f32;
        let edge = (place as usize).min(self.along.len() - 2);
        let (from, to) = (self.along[edge], self.along[edge + 1]);
        from + (place - edge as f32) * (to - from)
    }

    /// The share of it that is left in `edited`, and that as it grew.
    fn left_in(&self, edited: &[Vec3]) -> (f32, Vec<Vec3>) {
        let left = share(self.shape.curve, length(edited));
        (left, first(self.shape.curve, left))
    }

    /// How far along the path the middle of each edge of the [`first`] share `part` is.
    /// `[m]`
    fn middles(&self, part: f32) -> impl Iterator<Item = f32> {
        let places = places_of_first(self.shape.curve, part);
        let along = places.into_iter().map(|(edge, share)| {
            let (from, to) = (self.along[edge], self.along[edge + 1]);
            from + share * (to - from)
        });
        let along: Vec<f32> = along.collect();
        let middles: Vec<f32> = along
            .windows(2)
            .map(|ends| 0.5 * (ends[0] + ends[1]))
            .collect();
        let edges = middles.into_iter();
        edges.map(|along| self.shape.length * self.share_of_path(along))
    }
}

/// How an edge of a strand lies after it was combed.
#[derive(Clone, Copy, Debug)]
struct TurnedEdge {
    /// Where its middle is, along the path. `[m]`
    along: f32,
    /// How it turned with its neighbours.
    turn: Quat,
    /// What its direction has besides.
    besides: Vec3,
}

/// What `edited` was made of `grown`, made of `now`: with as many vertices as `now` has,
/// and outside of `skin`. Each has two vertices at least, and `edited` as many as `grown`.
pub(super) fn transferred(
    edited: &[Vec3],
    grown: Shape<'_>,
    now: Shape<'_>,
    skin: &DistanceGrid,
) -> Vec<Vec3> {
    made_alike(edited, grown, now, None, skin)
}

/// The same of a strand that is another one: where `edited` was cut, so much of `now` is left,
/// however long that is. `[m]`
pub(super) fn transferred_to_other(
    edited: &[Vec3],
    grown: Shape<'_>,
    now: Shape<'_>,
    long: f32,
    skin: &DistanceGrid,
) -> Vec<Vec3> {
    made_alike(edited, grown, now, Some(long), skin)
}

fn made_alike(
    edited: &[Vec3],
    grown: Shape<'_>,
    now: Shape<'_>,
    long: Option<f32>,
    skin: &DistanceGrid,
) -> Vec<Vec3> {
    let (grown, now) = (Measured::new(grown), Measured::new(now));
    let (left, before) = grown.left_in(edited);
    let edges = turned_edges(&before, edited, grown.middles(left));
    let part = match long.filter(|_| is_other_length(left)) {
        // What was cut is cut, and what was grown on is grown on.
        Some(long) if left < 1.0 => share(now.shape.curve, long).min(1.0),
        Some(long) => share(now.shape.curve, long).max(1.0),
        None => {
            // Whatever was only combed is as long as it grows, to the last digit.
            let left = if is_other_length(left) { left } else { 1.0 };
            let kept = grown.share_of_path(left * grown.length());
            now.along(kept) / now.length().max(f32::MIN_POSITIVE)
        }
    };
    let most = LONGEST.max(now.length()) / now.length().max(f32::MIN_POSITIVE);
    let part = part.min(most);
    let cut = first(now.shape.curve, part);
    turned(&cut, &edges, now.middles(part), skin)
}

/// The share of the path of `grown` that is left in `edited`, and whether that was combed,
/// too: whether it lies elsewhere by more than a hundredth of its length.
pub(super) fn kept(edited: &[Vec3], grown: Shape<'_>) -> (f32, bool) {
    let grown = Measured::new(grown);
    let (left, before) = grown.left_in(edited);
    let off = before.iter().zip(edited).map(|(a, b)| a.distance(*b));
    let combed = off.fold(0.0, f32::max) > 0.01 * length(edited);
    (grown.share_of_path(left * grown.length()), combed)
}

/// Whether two curves are the same but for the last digit.
pub(super) fn alike(a: &[Vec3], b: &[Vec3]) -> bool {
    let near = |(a, b): (&Vec3, &Vec3)| a.distance(*b) <= SAME;
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// How the edges of `before` turned to be those of `after`; where the middles of these
/// are, along the path. `[m]`
fn turned_edges(
    before: &[Vec3],
    after: &[Vec3],
    middles: impl Iterator<Item = f32>,
) -> Vec<TurnedEdge> {
    let ways = |points: &[Vec3]| -> Vec<Vec3> {
        let way = |edge: &[Vec3]| (edge[1] - edge[0]).normalize_or_zero();
        points.windows(2).map(way).collect()
    };
    let (from, to) = (ways(before), ways(after));
    let half = half_window(&from);
    let mut turn = Quat::IDENTITY;
    let edges = from.len().min(to.len());
    let of = |(edge, along): (usize, f32)| {
        let (low, high) = (edge.saturating_sub(half), (edge + half + 1).min(edges));
        let mut product = Mat3::from_quat(turn) * (BEFORE * (high - low) as f32);
        for (a, b) in from[low..high].iter().zip(&to[low..high]) {
            product += Mat3::from_cols(*b * a.x, *b * a.y, *b * a.z);
        }
        turn = nearest_rotation(product, turn);
        TurnedEdge {
            along,
            turn,
            besides: to[edge] - turn * from[edge],
        }
    };
    (0..edges).zip(middles).map(of).collect()
}

/// Half of the edges around one whose turn is taken together: half a turn of a curl.
fn half_window(ways: &[Vec3]) -> usize {
    let angle: f32 = ways
        .windows(2)
        .map(|two| two[0].angle_between(two[1]))
        .sum();
    let widest = WIDEST * ways.len() as f32;
    let half = 0.5 * ways.len() as f32 * TAU / angle.max(f32::MIN_POSITIVE);
    half.min(widest).round() as usize
}

/// The curve `points`, whose edges' middles are there along its path `[m]`, with its edges
/// turned as those of another one were at the same places.
fn turned(
    points: &[Vec3],
    edges: &[TurnedEdge],
    middles: impl Iterator<Item = f32>,
    skin: &DistanceGrid,
) -> Vec<Vec3> {
    let mut out = vec![points[0]];
    let mut edge = 0;
    for ((i, ends), along) in points.windows(2).enumerate().zip(middles) {
        let way = ends[1] - ends[0];
        let long = way.length();
        while edge + 1 < edges.len() && edges[edge + 1].along < along {
            edge += 1;
        }
        let from = out[i];
        // The first edge stands on the skin as it grows, which no comb turns.
        let Some(this) = edges.get(edge).filter(|_| i > 0) else {
            out.push(from + way);
            continue;
        };
        let next = edges.get(edge + 1).unwrap_or(this);
        let between = (along - this.along) / (next.along - this.along).max(f32::MIN_POSITIVE);
        let between = between.clamp(0.0, 1.0);
        let turn = this.turn.slerp(next.turn, between);
        let besides = this.besides.lerp(next.besides, between);
        let towards = (turn * way.normalize_or_zero() + besides).normalize_or(Vec3::NEG_Y);
        let place = from + towards * long;
        out.push(outside(from, place, ends[1], skin));
    }
    out
}

/// The end `place` of the edge from `from`, turned out of the skin; what grew nearer to it,
/// at `grown`, may stay so.
fn outside(from: Vec3, place: Vec3, grown: Vec3, skin: &DistanceGrid) -> Vec3 {
    let (distance, out) = skin.sample_with_normal(place);
    if distance >= CLEAR {
        return place;
    }
    let deep = CLEAR.min(skin.sample(grown)) - distance;
    if deep <= 0.0 {
        return place;
    }
    let way = place - from;
    from + (way + out * deep).normalize_or(out) * way.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    /// A helix along -y of that radius and pitch `[m]`, 0.2 m of path with `count` vertices.
    fn helix(radius: f32, pitch: f32, count: usize) -> Vec<Vec3> {
        let place = |i: usize| {
            let down = 0.2 * i as f32 / (count - 1) as f32;
            let angle = TAU * down / pitch;
            // The curl begins behind the root.
            let wide = radius * (down / 0.02).min(1.0);
            Vec3::new(wide * cos(angle), -down, wide * sin(angle))
        };
        (0..count).map(place).collect()
    }

    /// A curve whose edges are turned about x, the farther they are the more.
    fn bent(curve: &[Vec3], most: f32) -> Vec<Vec3> {
        let mut out = vec![curve[0]];
        for (i, edge) in curve.windows(2).enumerate() {
            let share = (edge[0].y / -0.1).clamp(0.0, 1.0);
            out.push(out[i] + Quat::from_rotation_x(-most * share) * (edge[1] - edge[0]));
        }
        out
    }

    fn shape(curve: &[Vec3]) -> Shape<'_> {
        Shape {
            curve,
            length: 0.2,
            even: true,
        }
    }

    /// Half of a strand, of which a third of the vertices lie on the first tenth.
    #[test]
    fn half_of_tied_hair_is_half_of_its_way() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let place = |i: u32| match i {
            ..20 => 0.02 * i as f32 / 20.0,
            _ => 0.02 + 0.18 * (i - 20) as f32 / 40.0,
        };
        let tied: Vec<Vec3> = (0..=60).map(|i| Vec3::NEG_Y * place(i)).collect();
        let tied = Shape {
            even: false,
            ..shape(&tied)
        };
        let line: Vec<Vec3> = (0..=60)
            .map(|i| Vec3::NEG_Y * (0.2 * i as f32 / 60.0))
            .collect();
        let half = first(&line, 0.5);
        let line = Shape {
            even: false,
            ..shape(&line)
        };
        let made = transferred(&half, line, tied, &skin);
        assert!((length(&made) - 0.1).abs() < 1e-4, "{} m", length(&made));
    }

    #[test]
    fn the_first_edge_stays_as_it_grows() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let grown = helix(0.004, 0.02, 64);
        let mut edited = grown.clone();
        for p in &mut edited[2..] {
            *p = grown[1] + Quat::from_rotation_x(1.2) * (*p - grown[1]);
        }
        let turn = Quat::from_rotation_z(0.9);
        let now: Vec<Vec3> = grown.iter().map(|p| turn * *p).collect();
        let made = transferred(&edited, shape(&grown), shape(&now), &skin);
        assert_eq!(made[..2], now[..2]);
    }

    /// What was done to one curl, done to another one, is what the same hand had made of
    /// that.
    #[test]
    fn another_curl_is_combed_as_the_first_one_was() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let shapes = [
            (0.0, 0.1, 64),
            (0.008, 0.034, 64),
            (0.004, 0.02, 96),
            (0.015, 0.06, 40),
        ];
        for (radius, pitch, count) in shapes {
            let grown = helix(radius, pitch, count);
            let edited = bent(&grown, 1.4);
            for (radius, pitch, count) in shapes {
                let now = helix(radius, pitch, count);
                let made = transferred(&edited, shape(&grown), shape(&now), &skin);
                let wanted = bent(&now, 1.4);
                let ratio = length(&made) / length(&wanted);
                assert!((ratio - 1.0).abs() < 1e-3, "{ratio} times as long");
                let off = made.iter().zip(&wanted).map(|(a, b)| a.distance(*b));
                let most = off.fold(0.0, f32::max);
                assert!(most < 0.012, "{radius} m, {count} vertices: {most} m off");
            }
        }
    }

    #[test]
    fn what_grows_as_it_did_is_as_it_was_made() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        for (radius, pitch) in [(0.0, 0.1), (0.008, 0.034)] {
            let grown = helix(radius, pitch, 64);
            // A corner, which no turn of neighbours has.
            let mut edited = bent(&grown, 1.4);
            let corner = edited[30];
            for p in &mut edited[31..] {
                *p = corner + Quat::from_rotation_z(0.8) * (*p - corner);
            }
            let made = transferred(&edited, shape(&grown), shape(&grown), &skin);
            let off = made.iter().zip(&edited).map(|(a, b)| a.distance(*b));
            let most = off.fold(0.0, f32::max);
            assert!(most < 2e-4, "{most} m off");
        }
    }

    /// A cut leaves the same share of the path, whatever curls are on it.
    #[test]
    fn another_curl_is_cut_at_the_same_height() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let grown = helix(0.008, 0.034, 64);
        let edited = first(&grown, 0.5);
        for (radius, pitch, count) in [(0.0, 0.1, 64), (0.004, 0.02, 96), (0.015, 0.06, 40)] {
            let now = helix(radius, pitch, count);
            let made = transferred(&edited, shape(&grown), shape(&now), &skin);
            assert_eq!((made.len(), made[0]), (count, now[0]));
            let tip = made[count - 1];
            assert!(
                (tip.y + 0.1).abs() < 0.006,
                "{radius} m, {count}: ends at {tip}"
            );
            // It is the first part of what grows.
            let same = first(&now, share(&now, length(&made)));
            let off = made.iter().zip(&same).map(|(a, b)| a.distance(*b));
            let most = off.fold(0.0, f32::max);
            assert!(most < 1e-3, "{radius} m, {count}: {most} m off");
        }
    }

    #[test]
    fn nothing_is_turned_into_the_skin() {
        // A wall at z = -5 mm, towards which the hair was combed when it was straight.
        let wall = DistanceGrid::of(0.25, |p| p.z + 0.005);
        let grown = helix(0.0, 0.1, 64);
        let edited = bent(&grown, -0.04);
        let now = helix(0.012, 0.05, 64);
        let clear: Vec<f32> = now.iter().map(|p| wall.sample(*p).min(CLEAR)).collect();
        let made = transferred(&edited, shape(&grown), shape(&now), &wall);
        for (p, clear) in made.iter().zip(&clear).skip(2) {
            let deep = clear - wall.sample(*p);
            assert!(deep < 1e-3, "{p} is {deep} m too deep");
        }
        let free = transferred(
            &edited,
            shape(&grown),
            shape(&now),
            &DistanceGrid::of(0.1, |_| 1.0),
        );
        let deepest = |points: &[Vec3]| points.iter().map(|p| wall.sample(*p)).fold(1.0, f32::min);
        assert!(
            deepest(&free) < deepest(&now) - 0.002,
            "the wall has to do something"
        );
        assert!((length(&made) / length(&free) - 1.0).abs() < 1e-4);
    }
}
