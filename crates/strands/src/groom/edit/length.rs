//! How long a strand is: cut, and grown on.

use crate::{
    groom::{
        Groom,
        edit_transfer::{self, Shape},
        turn::Continued,
    },
    mesh::DistanceGrid,
};
use glam::Vec3;

/// The shortest strand that a cut leaves. `[m]`
pub const SHORTEST: f32 = 0.005;

/// The longest that a brush lets one become. `[m]`
pub const LONGEST: f32 = 1.5;

/// A strand may be longer or shorter than its limit by that share.
const CLOSE: f32 = 1e-3;

/// Length of a curve. `[m]`
pub fn length(points: &[Vec3]) -> f32 {
    points
        .windows(2)
        .map(|edge| edge[0].distance(edge[1]))
        .sum()
}

/// The first share `ratio` of a curve, with as many vertices at the same shares
/// of its length; more than all of it goes on as its last turn does, or straight. Where a
/// curl would be a zigzag it gets larger instead.
pub fn first(points: &[Vec3], ratio: f32) -> Vec<Vec3> {
    let Some(start) = points.first() else {
        return Vec::new();
    };
    let mut ends = vec![0.0];
    for edge in points.windows(2) {
        ends.push(ends[ends.len() - 1] + edge[0].distance(edge[1]));
    }
    let more = match ratio > 1.0 {
        true => Continued::of(points),
        false => None,
    };
    let round = more.as_ref().map_or(ratio, |more| ratio.min(more.most()));
    let tip = ends[ends.len() - 1];
    let mut out = vec![*start];
    let mut edge = 1;
    for end in &ends[1..] {
        let place = end * round;
        if let Some(more) = more.as_ref().filter(|_| place > tip) {
            out.push(more.at(place - tip));
            continue;
        }
        while edge + 1 < points.len() && ends[edge] < place {
            edge += 1;
        }
        let (from, to) = (points[edge - 1], points[edge]);
        let long = (ends[edge] - ends[edge - 1]).max(f32::MIN_POSITIVE);
        out.push(from + (to - from) * ((place - ends[edge - 1]) / long));
    }
    if round < ratio {
        for p in &mut out {
            *p = *start + (*p - *start) * (ratio / round);
        }
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

/// The rest curve of strand `strand` of `groom` that was `edited`, made longer by so much, or
/// shorter where that is less than nothing: it goes on curling as it grew, outside of `skin`.
/// None where it is as long as it may be, [`LONGEST`], or as short, [`SHORTEST`]. `[m]`
pub fn lengthened(
    edited: &[Vec3],
    groom: &Groom,
    strand: usize,
    more: f32,
    skin: &DistanceGrid,
) -> Option<Vec<Vec3>> {
    let now = length(edited);
    let long = (now + more).clamp(SHORTEST.min(now), LONGEST.max(now));
    // At a limit it would be made anew again and again, to the last digit.
    let held = long != now + more && (long - now).abs() < CLOSE * now;
    if more == 0.0 || held {
        return None;
    }
    let shape = Shape {
        curve: groom.strand(strand),
        length: groom.length(strand),
        even: groom.ties.is_empty(),
    };
    Some(edit_transfer::with_length(edited, shape, long, skin))
}

#[cfg(test)]
mod tests {
    use super::{
        super::fixture::{grown, helix},
        *,
    };
    use glam::Vec3Swizzles as _;

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
    fn more_than_all_of_a_line_goes_on_straight() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(first(&line, 1.5)[2], Vec3::X * 3.0);
    }

    #[test]
    fn hair_grows_on_as_it_curls_however_often_it_is_brushed() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let hair = grown(helix(), 0.3);
        for angle in [0.0, 0.7] {
            // The first edge is not turned.
            let turned =
                |p: Vec3, angle| helix()[1] + glam::Quat::from_rotation_x(angle) * (p - helix()[1]);
            let mut curve: Vec<Vec3> = helix()[1..].iter().map(|p| turned(*p, angle)).collect();
            curve.insert(0, helix()[0]);
            let long = length(&curve);
            for more in [0.004; 20].into_iter().chain([-0.008; 20]) {
                let now = length(&curve);
                curve = lengthened(&curve, &hair, 0, more, &skin).expect("grows");
                let off = (length(&curve) - now - more).abs();
                assert!(off < 0.1 * more.abs(), "{now} m: {off} m off");
            }
            let longer = lengthened(&curve, &hair, 0, 0.5 * long, &skin).expect("grows");
            for (curve, name) in [(&curve, "brushed"), (&longer, "longer")] {
                // All lies around the axis of the helix, which 40 touches shift a little.
                for p in &curve[9..] {
                    let radius = turned(*p, -angle).xz().length();
                    assert!(
                        (0.0075..0.0125).contains(&radius),
                        "{name}: {radius}, {angle}"
                    );
                }
            }
        }
    }

    #[test]
    fn hair_grows_within_limits() {
        let skin = DistanceGrid::of(0.1, |_| 1.0);
        let hair = grown(helix(), 0.3);
        let long = length(&helix());
        let grow = |curve: &[Vec3], more| lengthened(curve, &hair, 0, more, &skin);
        let most = grow(&helix(), 9.0).expect("grows");
        assert!(
            (length(&most) - LONGEST).abs() < 5e-3,
            "{} m",
            length(&most)
        );
        assert!(grow(&most, 0.01).is_none(), "as long as it may be");
        // It has 15.7 edges a turn, and four are the fewest: then it gets larger.
        let ways = most.windows(2).map(|edge| edge[1] - edge[0]);
        let ways: Vec<Vec3> = ways.collect();
        let turns = ways
            .windows(2)
            .map(|two| two[0].xz().angle_to(two[1].xz()).abs());
        let sharpest = turns.fold(0.0, f32::max);
        assert!(
            (1.4..1.7).contains(&sharpest),
            "{sharpest} rad from edge to edge"
        );
        assert!(LONGEST / long > 15.7 / 4.0, "that is asked for");
        let stub = grow(&helix(), -9.0).expect("shrinks");
        assert!((length(&stub) - SHORTEST).abs() < 1e-4);
        let line: Vec<Vec3> = (0..40).map(|i| Vec3::NEG_Y * (0.01 * i as f32)).collect();
        let straight = grown(line.clone(), 0.39);
        let most = lengthened(&line, &straight, 0, 9.0, &skin).expect("grows");
        assert!((length(&most) - LONGEST).abs() < 1e-3);
    }
}
