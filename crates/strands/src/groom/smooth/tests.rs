//! Tests of smoothing over a small field of hair.

use super::*;
use crate::{
    groom::edit::{first, length},
    math::{
        elementary::{cos, sin},
        random::{signed, uniform},
    },
};
use std::f32::consts::TAU;

const SIDE: usize = 5;
const VERTICES: usize = 48;

const DAB: SmoothDab = SmoothDab {
    amount: 0.5,
    curls: 0.0,
    wave: 0.06,
};

/// A groom of these strands.
fn groom(strands: Vec<Vec<Vec3>>) -> Groom {
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    for strand in strands {
        groom.points.extend(strand);
        groom.starts.push(groom.points.len() as u32);
    }
    groom
}

/// Hair that hangs from a square of roots, leant to all sides by chance, with kinks as large as
/// `kinks` and curls of that radius [m], each with a phase of its own.
fn field(kinks: f32, radius: f32) -> Groom {
    let strand = |number: usize| -> Vec<Vec3> {
        let draw = |salt: u64| signed(salt, number as u64);
        let root = Vec3::new((number / SIDE) as f32, 0.0, (number % SIDE) as f32) * 0.007;
        let lean = Vec3::new(0.3 * draw(1), 0.0, 0.3 * draw(2));
        let phase = TAU * uniform(3, number as u64);
        let place = |i: usize| {
            let s = 0.2 * i as f32 / (VERTICES - 1) as f32;
            let at = |salt: u64| signed(salt + number as u64, i as u64);
            let kink = Vec3::new(at(100), 0.0, at(200)) * kinks * (s / 0.02).min(1.0);
            let (wide, angle) = (radius * (s / 0.03).min(1.0), phase + TAU * s / 0.025);
            let curl = Vec3::new(wide * cos(angle), 0.0, wide * sin(angle));
            root + Vec3::NEG_Y * s + lean * s + kink + curl
        };
        (0..VERTICES).map(place).collect()
    };
    groom((0..SIDE * SIDE).map(strand).collect())
}

/// One touch of a brush over the whole field that takes that share of each vertex; the
/// strands, and how many were changed.
fn touch(now: &[Vec<Vec3>], grown: &Groom, share: f32, dab: SmoothDab) -> (Vec<Vec<Vec3>>, usize) {
    let neighbours = RootNeighbours::of(grown);
    let tangents: Vec<StrandTangents> = (now.iter().enumerate())
        .map(|(strand, curve)| StrandTangents::of(curve, grown.strand(strand)))
        .collect();
    let mut changed = 0;
    let smooth = |(strand, curve): (usize, &Vec<Vec3>)| {
        let around = neighbours.around(grown, strand);
        let around: Vec<_> = around
            .iter()
            .map(|(n, say)| (&tangents[*n], *say))
            .collect();
        let shares = vec![share; curve.len()];
        let made = smoothed(curve, &tangents[strand], &around, &shares, dab, |_, p| p);
        changed += usize::from(made.is_some());
        made.unwrap_or_else(|| curve.clone())
    };
    let out = now.iter().enumerate().map(smooth).collect();
    (out, changed)
}

fn strands(groom: &Groom) -> Vec<Vec<Vec3>> {
    let strand = |strand| groom.strand(strand).to_vec();
    (0..groom.strands()).map(strand).collect()
}

/// How far centre lines bend from edge to edge and differ from those around them: the sum of
/// squares.
fn roughness(now: &[Vec<Vec3>], grown: &Groom) -> f64 {
    let ways: Vec<Vec<Vec3>> = (now.iter().enumerate())
        .map(|(strand, curve)| StrandTangents::of(curve, grown.strand(strand)).now)
        .collect();
    let neighbours = RootNeighbours::of(grown);
    let mut sum = 0.0;
    for (strand, own) in ways.iter().enumerate() {
        for three in own[1..].windows(3) {
            sum += f64::from((three[0] - 2.0 * three[1] + three[2]).length_squared());
        }
        for (other, say) in neighbours.around(grown, strand) {
            let pairs = own.iter().zip(&ways[other]).skip(1);
            let apart = pairs.map(|(a, b)| f64::from(say * a.distance_squared(*b)));
            sum += apart.sum::<f64>();
        }
    }
    sum
}

#[test]
fn length_and_roots_stay_and_hair_gets_smoother_with_each_touch_until_it_is_smooth() {
    for (kinks, radius) in [(0.0015, 0.0), (0.0, 0.004), (0.0, 0.0)] {
        let grown = field(kinks, radius);
        let mut now = strands(&grown);
        let first = roughness(&now, &grown);
        let (mut before, mut last_way) = (first, f32::INFINITY);
        for step in 0..120 {
            let (next, _) = touch(&now, &grown, 0.8, DAB);
            let moves = next.iter().flatten().zip(now.iter().flatten());
            last_way = moves.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            now = next;
            let rough = roughness(&now, &grown);
            // What is left in the end is the rounding.
            let rounding = 1e-5 * first;
            assert!(rough < before + rounding, "{step}: {before}, then {rough}");
            before = rough;
        }
        let left = before / first;
        assert!(left < 0.02, "{kinks}, {radius}: {left} is left");
        assert!(last_way < 2e-4, "the last touch still moves {last_way} m");
        for (strand, curve) in now.iter().enumerate() {
            let grew = grown.strand(strand);
            assert_eq!(curve[..2], grew[..2], "the root stays, and how it stands");
            let off = (length(curve) / length(grew) - 1.0).abs();
            assert!(off < 1e-5, "strand {strand} is {off} longer or shorter");
        }
    }
}

/// How far a strand goes around its centre line: the mean sine of the angle between.
fn curl_of(now: &[Vec<Vec3>], grown: &Groom) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (strand, curve) in now.iter().enumerate() {
        let ways = StrandTangents::of(curve, grown.strand(strand)).now;
        for (edge, way) in curve.windows(2).zip(ways).skip(12) {
            sum += way.cross((edge[1] - edge[0]).normalize()).length();
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn curls_stay_unless_they_are_to_go() {
    let grown = field(0.0, 0.004);
    let before = curl_of(&strands(&grown), &grown);
    assert!(before > 0.5, "{before}");
    for (curls, least, most) in [(0.0, 0.95, 1.05), (1.0, 0.0, 0.05)] {
        let mut now = strands(&grown);
        for _ in 0..40 {
            now = touch(&now, &grown, 1.0, SmoothDab { curls, ..DAB }).0;
        }
        let left = curl_of(&now, &grown) / before;
        assert!((least..=most).contains(&left), "{curls}: {left} is left");
    }
}

#[test]
fn mirrored_hair_is_smoothed_to_mirrored_hair() {
    for (kinks, radius) in [(0.0015, 0.0), (0.0, 0.004)] {
        let flip = |p: &Vec3| Vec3::new(-p.x, p.y, p.z);
        let flipped = |strands: &[Vec<Vec3>]| -> Vec<Vec<Vec3>> {
            let flip = |strand: &Vec<Vec3>| strand.iter().map(flip).collect();
            strands.iter().map(flip).collect()
        };
        let grown = field(kinks, radius);
        let other = groom(flipped(&strands(&grown)));
        let (mut now, mut there) = (strands(&grown), strands(&other));
        for _ in 0..6 {
            now = touch(&now, &grown, 0.7, DAB).0;
            there = touch(&there, &other, 0.7, DAB).0;
        }
        let pairs = now.iter().flatten().zip(there.iter().flatten());
        let off = pairs.map(|(a, b)| flip(a).distance(*b)).fold(0.0, f32::max);
        assert!(off < 1e-5, "{off} m off");
    }
}

#[test]
fn what_the_brush_does_not_touch_stays_and_hair_across_a_parting_has_no_say() {
    let grown = field(0.001, 0.0);
    let (same, changed) = touch(&strands(&grown), &grown, 0.0, DAB);
    assert!(changed == 0 && same == strands(&grown));
    // Ten strands that fall to the left and ten that fall to the right.
    let falls = |number: usize| -> Vec<Vec3> {
        let side = if number < 10 { -1.0 } else { 1.0 };
        let root = Vec3::new(side * 0.002, 0.0, 0.004 * (number % 10) as f32);
        let lean = 0.5 + 0.2 * signed(7, number as u64);
        let way = Vec3::new(side, -lean, 0.0).normalize() * 0.004;
        (0..40).map(|i| root + way * i as f32).collect()
    };
    let parted = groom((0..20).map(falls).collect());
    let mut now = strands(&parted);
    for _ in 0..30 {
        now = touch(&now, &parted, 1.0, DAB).0;
    }
    for (number, strand) in now.iter().enumerate() {
        let side = if number < 10 { -1.0 } else { 1.0 };
        assert!(
            strand[39].x * side > 0.1,
            "{number} falls to {}",
            strand[39]
        );
    }
}

/// A strand that was cut has no say behind its tip, and its curl has the same centre.
#[test]
fn cut_strands_are_smoothed_as_long_as_they_are() {
    let grown = field(0.0, 0.004);
    let mut now = strands(&grown);
    for strand in now.iter_mut().step_by(2) {
        *strand = first(strand, 0.4);
    }
    let lengths: Vec<f32> = now.iter().map(|strand| length(strand)).collect();
    for _ in 0..40 {
        now = touch(&now, &grown, 1.0, DAB).0;
    }
    for (strand, long) in now.iter().zip(lengths) {
        assert!((length(strand) / long - 1.0).abs() < 1e-5);
    }
    let left = curl_of(&now, &grown) / curl_of(&strands(&grown), &grown);
    assert!((0.85..1.1).contains(&left), "{left} of the curl is left");
}

#[test]
fn odd_hair_is_left_as_it_is() {
    for count in 0..3 {
        let strand = vec![Vec3::Y; count];
        let grown = groom(vec![strand.clone(), strand.clone()]);
        let own = StrandTangents::of(&strand, &strand);
        let around = RootNeighbours::of(&grown).around(&grown, 0);
        assert!(around.len() < 2);
        let shares = vec![1.0; count];
        let made = smoothed(&strand, &own, &[(&own, 1.0)], &shares, DAB, |_, p| p);
        assert!(made.is_none(), "{count} vertices");
    }
    // All vertices at one place.
    let dot = vec![Vec3::Y; 9];
    let own = StrandTangents::of(&dot, &dot);
    let made = smoothed(&dot, &own, &[(&own, 1.0)], &[1.0; 9], DAB, |_, p| p);
    assert!(made.is_none_or(|curve| curve.iter().all(|p| p.is_finite())));
}
