//! Strands made longer by a brush, and shorter.
//!
//! A touch takes vertices of the curve as it is drawn, through them, so that a curl keeps its
//! radius however often it is touched; on chords it would wear out.

use super::{
    length::{along, length},
    limits::{CLEAR, LONGEST, SHORTEST},
};
use crate::{
    groom::{
        Groom, curl_pitch::VERTICES_A_TURN, drawn::between, smooth::TurnWindows, turn::edges_a_turn,
    },
    mesh::DistanceGrid,
};
use glam::{Quat, Vec3};

/// A strand whose length would change by less stays as it is. `[m]`
const LEAST: f32 = 1e-5;

/// The rest curve of strand `strand` of `groom` that was `edited`, longer by `more`, or shorter
/// where that is negative. What was cut off grows back, and behind that the curl goes on as in
/// its last turn; it stays out of `skin`. Where edges get too long for the curl's turns, they
/// are pulled apart. What is tied stays, and the tail behind it changes. None where the strand
/// stays as it is: it gets no longer than [`LONGEST`] and no shorter than [`SHORTEST`]. `[m]`
pub fn lengthened(
    edited: &[Vec3],
    groom: &Groom,
    strand: usize,
    more: f32,
    skin: &DistanceGrid,
) -> Option<Vec<Vec3>> {
    let ties = groom.ties.iter().filter(|tie| tie[0] as usize == strand);
    let held = ties.map(|tie| tie[1] as usize).max().unwrap_or(0);
    let (Some(tail), Some(grown)) = (edited.get(held..), groom.strand(strand).get(held..)) else {
        return None;
    };
    let now = length(tail);
    if tail.len() < 3 || grown.len() != tail.len() || now <= f32::MIN_POSITIVE {
        return None;
    }
    let most = (LONGEST - length(&edited[..=held])).max(now);
    let long = (now + more).clamp(SHORTEST.min(now), most);
    if (long - now).abs() < LEAST {
        return None;
    }
    let mut out = edited[..held].to_vec();
    out.extend(Tail::of(tail, grown).with_length(long));
    // What was there before stays as near to the skin as it was.
    let places = along(&out[held..]);
    let new = places.iter().position(|place| *place > now);
    for i in new.map_or(out.len(), |new| held + new)..out.len() {
        keep_out(&mut out, i, skin);
    }
    Some(out)
}

/// Turns the edge before vertex `i` out of `skin` where it goes in: along the plane there. What
/// follows goes along.
fn keep_out(points: &mut [Vec3], i: usize, skin: &DistanceGrid) {
    let (distance, normal) = skin.sample_with_normal(points[i]);
    if distance >= CLEAR || i == 0 {
        return;
    }
    let edge = points[i] - points[i - 1];
    let long = edge.length();
    // As far down as it may go from where it begins, and the rest of it aside.
    let down = (distance - normal.dot(edge) - CLEAR).clamp(-long, long);
    let aside = edge.reject_from_normalized(normal);
    let aside = aside.normalize_or(normal.any_orthonormal_vector());
    let turned = aside * (long * long - down * down).max(0.0).sqrt() - normal * down;
    for p in &mut points[i..] {
        *p += turned - edge;
    }
}

/// A strand, or what of it is behind a tie.
struct Tail<'a> {
    points: &'a [Vec3],
    /// Where they are along it. `[m]`
    along: Vec<f32>,
    /// As it grew.
    grown: &'a [Vec3],
    /// How long a turn of its curl is, if it curls. `[m]`
    turn: Option<f32>,
}

impl<'a> Tail<'a> {
    fn of(points: &'a [Vec3], grown: &'a [Vec3]) -> Self {
        let edge = length(grown) / (grown.len() - 1) as f32;
        Self {
            points,
            along: along(points),
            grown,
            turn: edges_a_turn(grown).map(|edges| edges * edge),
        }
    }

    fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// How long an edge is, on average. `[m]`
    fn edge(&self) -> f32 {
        self.length() / (self.points.len() - 1) as f32
    }

    /// The same with another length, and as many vertices at the same shares of it.
    fn with_length(&self, long: f32) -> Vec<Vec3> {
        let edges = (self.points.len() - 1) as f32;
        let round = self.turn.map_or(f32::INFINITY, |turn| {
            (turn * edges / VERTICES_A_TURN).max(self.length())
        });
        let line = Line::new(self.continued(1.2 * long.min(round) + self.edge()));
        let mut out = Vec::new();
        let mut wanted = long.min(round);
        // Corners that are left out make it shorter.
        for _ in 0..4 {
            let place = |along: &f32| line.at(along / self.length() * wanted);
            out = self.along.iter().map(place).collect();
            wanted *= long.min(round) / length(&out).max(f32::MIN_POSITIVE);
        }
        match long > round {
            true => self.pulled_apart(&out, long),
            false => out,
        }
    }

    /// The strand and what comes behind its tip, to that length at least. `[m]`
    fn continued(&self, long: f32) -> Vec<Vec3> {
        let mut line = self.points.to_vec();
        let (now, last) = (self.length(), line.len() - 1);
        if long <= now {
            return line;
        }
        // What was cut off, turned as the tip was.
        let grown = Line::new(self.grown.to_vec());
        if now + 0.5 * self.edge() < grown.length() {
            let (tip, own) = (grown.at(now), Line::new(line.clone()));
            let before = now - self.turn.unwrap_or(2.0 * self.edge()).min(now);
            let turn = Quat::from_rotation_arc(
                (tip - grown.at(before)).normalize_or(Vec3::NEG_Y),
                (line[last] - own.at(before)).normalize_or(Vec3::NEG_Y),
            );
            let behind = grown.along.iter().zip(&grown.points);
            let behind = behind.filter(|(along, _)| **along > now + 0.25 * self.edge());
            let from = line[last];
            line.extend(behind.map(|(_, p)| from + turn * (*p - tip)));
        }
        let whole = Line::new(line.clone());
        let turn = self
            .turn
            .unwrap_or_default()
            .max(self.edge())
            .min(whole.length());
        let step = line[line.len() - 1] - whole.at(whole.length() - turn);
        // A stub has short edges: what it grows into needs no more vertices than a few times
        // as many as it has.
        let apart = self
            .edge()
            .max(0.25 * long / (self.points.len() - 1) as f32);
        let mut more = apart;
        while whole.length() + more - apart < long {
            let turns = (more / turn).ceil();
            line.push(whole.at(whole.length() + more - turns * turn) + step * turns);
            more += apart;
        }
        line
    }

    /// The curl of `points`, its turns pulled apart until it is so long: each edge but the
    /// first gets longer along the centre line. `[m]`
    fn pulled_apart(&self, points: &[Vec3], long: f32) -> Vec<Vec3> {
        let edge = length(points) / (points.len() - 1) as f32;
        let turn = self.turn.map(|turn| turn / edge);
        let ways = TurnWindows::of(points, points, turn).means(points);
        let with = |pull: f32| {
            let mut out = vec![points[0]];
            for (i, (ends, way)) in points.windows(2).zip(&ways).enumerate() {
                let pull = if i > 0 { pull } else { 0.0 };
                out.push(out[i] + (ends[1] - ends[0]) + *way * pull);
            }
            out
        };
        let [mut least, mut most] = [0.0, 2.0 * long / (points.len() - 1) as f32];
        for _ in 0..24 {
            let middle = 0.5 * (least + most);
            match length(&with(middle)) < long {
                true => least = middle,
                false => most = middle,
            }
        }
        with(least)
    }
}

/// A curve through its vertices, as it is drawn.
struct Line {
    points: Vec<Vec3>,
    /// Where they are along it. `[m]`
    along: Vec<f32>,
}

impl Line {
    /// Through two vertices at least.
    fn new(points: Vec<Vec3>) -> Self {
        let along = along(&points);
        Self { points, along }
    }

    fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// The place so far along it, between its ends. `[m]`
    fn at(&self, along: f32) -> Vec3 {
        let inner = &self.along[1..self.along.len() - 1];
        let edge = inner.partition_point(|end| *end < along);
        let [from, to] = [self.along[edge], self.along[edge + 1]];
        let share = (along - from) / (to - from).max(f32::MIN_POSITIVE);
        between(&self.points, edge + 1, share.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            cut,
            fixture::{grown, helix},
        },
        *,
    };
    use glam::Vec3Swizzles as _;

    /// Nothing is near.
    fn air() -> DistanceGrid {
        DistanceGrid::of(0.1, |_| 1.0)
    }

    /// The same after so many touches that make it longer by `more` each.
    fn touched(curve: &[Vec3], hair: &Groom, more: f32, times: usize) -> Vec<Vec3> {
        let mut curve = curve.to_vec();
        for _ in 0..times {
            let now = length(&curve);
            curve = lengthened(&curve, hair, 0, more, &air()).expect("changes");
            let off = (length(&curve) - now - more).abs();
            assert!(off < 0.05 * more.abs(), "{now} m: {off} m off");
        }
        curve
    }

    #[test]
    fn hair_grows_on_as_it_curls_however_often_it_is_touched() {
        let hair = grown(helix(), 0.3);
        for angle in [0.0, 0.7] {
            let turn = glam::Quat::from_rotation_x(angle);
            let curve: Vec<Vec3> = helix().iter().map(|p| turn * *p).collect();
            let longer = touched(&curve, &hair, 0.004, 40);
            for curve in [&longer, &touched(&longer, &hair, -0.008, 25)] {
                for p in &curve[1..] {
                    let radius = (turn.inverse() * *p).xz().length();
                    assert!((0.0094..0.0106).contains(&radius), "{radius} at {angle}");
                }
            }
        }
    }

    #[test]
    fn hair_that_was_cut_grows_back_and_straightened_hair_stays_straight() {
        let hair = grown(helix(), 0.3);
        let half = cut(&helix(), 0.5 * length(&helix())).expect("is shorter");
        let back = touched(&half, &hair, 0.05 * length(&helix()), 10);
        let grew = helix();
        let off = back.iter().zip(&grew).map(|(a, b)| a.distance(*b));
        let off = off.fold(0.0, f32::max);
        assert!(off < 0.002, "{off} m off");
        let line: Vec<Vec3> = (0..40).map(|i| Vec3::NEG_Y * (0.0057 * i as f32)).collect();
        let long = touched(&line, &hair, 0.005, 20);
        let aside = long.iter().map(|p| p.xz().length()).fold(0.0, f32::max);
        assert!(aside < 1e-4, "{aside} m aside");
    }

    #[test]
    fn a_corner_stays_one() {
        let corner = |i: usize| match i {
            0..20 => Vec3::NEG_Y * (0.005 * i as f32),
            _ => Vec3::new(0.005 * (i - 20) as f32, -0.1, 0.0),
        };
        let curve: Vec<Vec3> = (0..64).map(corner).collect();
        let hair = grown(
            (0..64).map(|i| Vec3::NEG_Y * (0.005 * i as f32)).collect(),
            0.315,
        );
        let bent = touched(&curve, &hair, 0.003, 20);
        let ways: Vec<Vec3> = bent.windows(2).map(|edge| edge[1] - edge[0]).collect();
        let turns = ways.windows(2).map(|two| two[0].angle_between(two[1]));
        let wide = turns.filter(|turn| *turn > 0.1).count();
        assert!((1..=6).contains(&wide), "{wide} edges wide");
        assert!(ways[62].angle_between(Vec3::X) < 0.01);
    }

    #[test]
    fn hair_grows_within_limits_and_tight_curls_are_pulled_apart() {
        let hair = grown(helix(), 0.3);
        let grow = |curve: &[Vec3], more| lengthened(curve, &hair, 0, more, &air());
        let most = grow(&helix(), 9.0).expect("grows");
        assert!(
            (length(&most) - LONGEST).abs() < 2e-3,
            "{} m",
            length(&most)
        );
        let out = most[1..].iter().map(|p| p.xz().length());
        let [least, widest] = out.fold([1.0f32, 0.0], |[a, b], r| [a.min(r), b.max(r)]);
        assert!(0.006 < least && widest < 0.014, "{least} to {widest} m");
        assert!(grow(&most, 1e-3).is_none_or(|more| length(&more) <= LONGEST + 2e-3));
        let stub = grow(&helix(), -9.0).expect("shrinks");
        assert!((length(&stub) - SHORTEST).abs() < 1e-4);
        assert!(grow(&stub, -0.01).is_none(), "as short as it may be");
        assert!(grow(&helix(), 1e-6).is_none(), "nothing to speak of");
        // A strand of next to no length grows, and takes no more memory than others.
        let dot: Vec<Vec3> = helix().iter().map(|p| *p * 1e-9).collect();
        let out = lengthened(&dot, &grown(dot.clone(), 0.3), 0, 0.1, &air()).expect("grows");
        assert!((length(&out) - 0.1).abs() < 2e-3, "{} m", length(&out));
        for few in 0..3 {
            let hair = grown(helix()[..few].to_vec(), 0.1);
            if few > 0 {
                assert!(lengthened(hair.strand(0), &hair, 0, 0.01, &air()).is_none());
            }
        }
    }

    #[test]
    fn what_grows_stays_out_of_the_skin_and_what_is_tied_stays_where_it_is() {
        // A floor, to which the strand leads down.
        let line: Vec<Vec3> = (0..40)
            .map(|i| Vec3::new(0.0, 0.2 - 0.005 * i as f32, 0.0))
            .collect();
        let mut hair = grown(line.clone(), 0.195);
        let floor = DistanceGrid::of(0.4, |p| p.y);
        let long = lengthened(&line, &hair, 0, 0.1, &floor).expect("grows");
        assert!((length(&long) - 0.295).abs() < 1e-3);
        let deepest = long.iter().map(|p| p.y).fold(1.0, f32::min);
        assert!(deepest > 0.0, "{deepest} m");
        hair.ties = vec![[0, 15]];
        let tail = lengthened(&line, &hair, 0, 0.1, &air()).expect("grows");
        assert_eq!(tail[..=15], line[..=15]);
        assert!((length(&tail) - 0.295).abs() < 1e-3);
        hair.ties = vec![[0, 15], [0, 38]];
        assert!(
            lengthened(&line, &hair, 0, 0.1, &air()).is_none(),
            "all of it is tied"
        );
    }
}
