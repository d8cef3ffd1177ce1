//! Tied hair is as long as its cut says, and what does not reach the tie hangs as if there
//! were none; half-up hair; smooth braids; a band that is seen.

use glam::Vec3;
use lovelock::{
    groom::{Groom, GroomParams, TieStyle, grow, styles},
    mesh::{CollisionMesh, HeadParams, Root, RootParams, load, scatter},
    project::examples,
};
use std::sync::{Arc, LazyLock};

static BODY: LazyLock<Arc<CollisionMesh>> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the built-in head");
    Arc::new(CollisionMesh::new(head.mesh, 0.004))
});

const BOUND: [TieStyle; 3] = [TieStyle::Ponytail, TieStyle::Braid, TieStyle::Bun];

fn roots(strands: u32) -> Vec<Root> {
    let params = RootParams {
        strands,
        ..RootParams::default()
    };
    scatter::roots(&BODY.mesh, &params).expect("roots")
}

fn scene(name: &str) -> GroomParams {
    let example = examples::find(name).expect("listed");
    example.scene().expect("a scene").groom
}

fn style(name: &str, length: f32) -> GroomParams {
    GroomParams {
        length,
        ..(styles::style(name).expect("listed").params)()
    }
}

fn long(points: &[Vec3]) -> f32 {
    points.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// How far from its cut a tied strand may be: the most, and on average. The way behind the tie
/// is fitted to the length that is left in some rounds; in fine curls an edge more or less makes
/// a jump, and long edges on a small bun cut its turns short: of 300 strands two.
const OFF: [f32; 2] = [0.25, 0.004];

/// Which strands are tied, after a look at all: as long as without a tie or, where loose, the
/// same to the bit. Loose hair of half-up is combed down at its roots and stays as long.
fn tied_like_loose(roots: &[Root], params: &GroomParams, seed: u32, what: &str) -> Vec<bool> {
    let tied = grow::grow(roots, params, seed, &BODY);
    let loose = GroomParams {
        tie: TieStyle::None,
        ..params.clone()
    };
    let loose = grow::grow(roots, &loose, seed, &BODY);
    assert_eq!(tied.numbers, loose.numbers);
    let holds = tied.tied();
    let (mut most, mut sum, mut count) = (0.0f32, 0.0, 0);
    for (strand, holds) in holds.iter().enumerate() {
        let (is, was) = (tied.strand(strand), loose.strand(strand));
        if *holds {
            let off = (long(is) / long(was) - 1.0).abs();
            (most, sum, count) = (most.max(off), sum + off, count + 1);
        } else {
            let (own, other) = (long(is), long(was));
            match params.tie_share < 1.0 {
                true => assert!((own / other - 1.0).abs() < 1e-4, "{what}: {own}, {other} m"),
                false => assert_eq!(is, was, "{what}: what is loose hangs as without a tie"),
            }
        }
    }
    let mean = sum / count.max(1) as f32;
    println!("{what}: {count} tied, off by {mean} on average, {most} at most");
    assert!(
        most < OFF[0] && mean < OFF[1],
        "{what}: {most}, {mean} on average"
    );
    holds
}

#[test]
fn a_tie_makes_no_strand_longer_or_shorter() {
    let roots = roots(300);
    let cuts = [
        ("straight", style("straight", 0.45)),
        ("wavy", style("wavy", 0.45)),
        ("curly", style("curly", 0.3)),
        ("coily", style("coily", 0.2)),
        ("bob", scene("bob")),
        ("layered", scene("layered")),
        ("ponytail", scene("ponytail")),
    ];
    for (name, cut) in cuts {
        for tie in BOUND {
            let params = GroomParams { tie, ..cut.clone() };
            for seed in [1, 2] {
                let what = format!("{name}, {tie:?}");
                let holds = tied_like_loose(&roots, &params, seed, &what);
                assert!(holds.contains(&true), "{what}");
            }
        }
    }
}

#[test]
fn a_bob_makes_a_short_tail_and_its_fringe_hangs() {
    let params = GroomParams {
        tie: TieStyle::Ponytail,
        ..scene("bob")
    };
    let groom = grow::grow(&roots(600), &params, 1, &BODY);
    let holds = groom.tied();
    let strands = || (0..groom.strands()).filter(|i| holds[*i]);
    let share = strands().count() as f32 / groom.strands() as f32;
    assert!((0.2..0.95).contains(&share), "{share} reaches the tie");
    let tie = |i: usize| {
        let held = groom.ties.iter().find(|[strand, _]| *strand == i as u32);
        held.expect("it is tied")[1] as usize
    };
    let tail = |i: usize| long(&groom.strand(i)[tie(i)..]);
    let longest = strands().map(tail).fold(0.0, f32::max);
    assert!((0.05..0.2).contains(&longest), "{longest} m behind the tie");
    // Over the forehead.
    let front = (0..groom.strands()).filter(|i| groom.strand(*i)[0].z > 0.075);
    let front: Vec<bool> = front.map(|i| holds[i]).collect();
    assert!(front.len() > 2 && !front.contains(&true), "{front:?}");
}

#[test]
fn half_up_ties_what_grows_above_a_plane_alike_on_both_sides() {
    let roots = roots(800);
    let mut heights: Vec<f32> = roots.iter().map(|root| root.position.y).collect();
    heights.sort_unstable_by(f32::total_cmp);
    let reach = heights[799] - heights[0];
    for tie in BOUND {
        for share in [0.3f32, 0.5, 0.7] {
            let params = GroomParams {
                tie,
                tie_share: share,
                ..style("wavy", 0.45)
            };
            let what = format!("{tie:?}, {share}");
            let holds = tied_like_loose(&roots, &params, 1, &what);
            let groom = grow::grow(&roots, &params, 1, &BODY);
            let plane = heights[((1.0 - share) * 800.0) as usize];
            let root = |i: usize| groom.strand(i)[0];
            for (i, holds) in holds.iter().enumerate() {
                let above = root(i).y - plane;
                assert!(!holds || above > 0.0, "{what}: {above} m");
                assert!(*holds || above < 0.1 * reach, "{what}: {above} m");
            }
            let side = |sign: f32| {
                let all = holds.iter().enumerate();
                all.filter(|(i, holds)| **holds && root(*i).x * sign > 0.0)
                    .count() as f32
            };
            let sides = side(1.0) / side(-1.0);
            assert!((0.85..1.18).contains(&sides), "{what}: {sides}");
        }
    }
}

/// What is bound ends where loose hair begins: that must not stand off as a step.
#[test]
fn below_the_parting_of_half_up_loose_hair_lies_close() {
    let roots = roots(1500);
    for name in ["wavy", "curly"] {
        let params = GroomParams {
            tie: TieStyle::Ponytail,
            tie_share: 0.5,
            ..style(name, 0.35)
        };
        let half_up = grow::grow(&roots, &params, 1, &BODY);
        let holds = half_up.tied();
        let free = GroomParams {
            tie: TieStyle::None,
            ..params
        };
        let free = grow::grow(&roots, &free, 1, &BODY);
        let highest = (0..half_up.strands()).filter(|i| !holds[*i]);
        let highest = highest
            .map(|i| half_up.strand(i)[0].y)
            .fold(f32::MIN, f32::max);
        // How high over the skin hair lies three centimetres from its root, on average.
        let height = |groom: &Groom, from: f32, to: f32| {
            let near = (0..groom.strands()).filter(|i| {
                let below = highest - groom.strand(*i)[0].y;
                !holds[*i] && (from..to).contains(&below)
            });
            let heights: Vec<f32> = near
                .map(|i| {
                    let points = groom.strand(i);
                    let mut way = 0.0;
                    let reached = points.windows(2).position(|w| {
                        way += w[0].distance(w[1]);
                        way > 0.03
                    });
                    let point = points[reached.expect("longer") + 1];
                    BODY.grid.sample_with_normal(point).0
                })
                .collect();
            heights.iter().sum::<f32>() / heights.len() as f32
        };
        let (close, before) = (height(&half_up, 0.0, 0.02), height(&free, 0.0, 0.02));
        println!("{name}: {close} m over the skin, {before} m without a tie");
        assert!(close < 0.6 * before, "{name}: {close}, {before} m");
        // Far below it hangs as ever.
        assert_eq!(height(&half_up, 0.11, 0.2), height(&free, 0.11, 0.2));
    }
}

/// Hair that is long on one side alone: that side is tied, at the same place.
#[test]
fn uneven_hair_is_tied_as_far_as_it_reaches() {
    let mut roots = roots(600);
    for root in roots.iter_mut().filter(|root| root.position.x > 0.0) {
        root.length = 0.1;
    }
    for tie in BOUND {
        let params = GroomParams {
            tie,
            ..style("straight", 0.45)
        };
        let holds = tied_like_loose(&roots, &params, 1, &format!("{tie:?}"));
        let groom = grow::grow(&roots, &params, 1, &BODY);
        for (i, holds) in holds.iter().enumerate() {
            assert_eq!(*holds, groom.strand(i)[0].x <= 0.0, "{tie:?}");
        }
        let ring = groom.bands[0].ring(&groom.points).expect("a band");
        assert!(ring.middle.x.abs() < 0.012, "{tie:?}: {ring:?}");
    }
}

#[test]
fn nothing_to_tie_is_hair_as_it_hangs() {
    let short = |tie| GroomParams {
        tie,
        ..style("straight", 0.03)
    };
    let roots = roots(100);
    for tie in BOUND {
        let holds = tied_like_loose(&roots, &short(tie), 1, "short");
        assert!(!holds.contains(&true), "{tie:?}");
        let half_up = GroomParams {
            tie_share: 0.5,
            ..short(tie)
        };
        let [half_up, all] = [half_up, short(tie)].map(|it| grow::grow(&roots, &it, 1, &BODY));
        assert_eq!(half_up.points, all.points, "nothing is parted either");
        let groom = grow::grow(&roots, &short(tie), 1, &BODY);
        assert!(groom.bands.is_empty() && groom.ties.is_empty());
    }
}

/// No bound strand turns back on itself, and most have no corner but the one in their band, where
/// they are held.
#[test]
fn tied_strands_go_around_bends_without_a_fold() {
    let roots = roots(400);
    for (tie, name) in BOUND.into_iter().zip(["ponytail", "braid", "bun"]) {
        let params = GroomParams { tie, ..scene(name) };
        let groom = grow::grow(&roots, &params, 1, &BODY);
        let mut bands = vec![0; groom.strands()];
        for [strand, vertex] in groom.ties.iter().rev() {
            bands[*strand as usize] = *vertex as usize;
        }
        let turn = |strand: usize| {
            let turns = groom.strand(strand).windows(3).enumerate();
            turns
                .filter(|(i, _)| i + 1 != bands[strand])
                .map(|(_, w)| (w[1] - w[0]).angle_between(w[2] - w[1]).to_degrees())
                .fold(0.0, f32::max)
        };
        let mut sharpest: Vec<f32> = (0..groom.strands()).map(turn).collect();
        sharpest.sort_by(f32::total_cmp);
        let [half, most] = [sharpest[sharpest.len() / 2], sharpest[sharpest.len() - 1]];
        println!("{name}: turns by {half}° at a vertex in half of all strands, {most}° at most");
        assert!(half < 50.0 && most < 110.0, "{name}: {half}°, {most}°");
    }
}

/// How much the strands of curly hair turn behind their tie, on average. `[rad/m]`
fn turning(groom: &Groom) -> f32 {
    let (mut turned, mut along) = (0.0, 0.0);
    for strand in 0..groom.strands() {
        let points = groom.strand(strand);
        // From behind the tie to where the brush of a braid may begin.
        for w in points[points.len() * 2 / 5..points.len() * 3 / 5].windows(3) {
            let (from, to) = (w[1] - w[0], w[2] - w[1]);
            turned += from.angle_between(to);
            along += from.length();
        }
    }
    turned / along
}

#[test]
fn curls_are_combed_smooth_in_a_braid_and_a_bun() {
    let roots = roots(300);
    let groom = |tie| {
        let params = GroomParams {
            tie,
            ..style("curly", 0.3)
        };
        turning(&grow::grow(&roots, &params, 1, &BODY))
    };
    let curls = groom(TieStyle::Ponytail);
    for tie in [TieStyle::Braid, TieStyle::Bun] {
        let combed = groom(tie);
        assert!(combed < 0.65 * curls, "{tie:?}: {combed} of {curls} rad/m");
    }
}

/// From behind, the band stands out above the tail that falls from it.
#[test]
fn no_hair_of_a_ponytail_rises_before_its_band() {
    for height in [-10.0, 10.0, 28.0] {
        let params = GroomParams {
            tie_height: height,
            ..scene("ponytail")
        };
        let groom = grow::grow(&roots(600), &params, 1, &BODY);
        let ring = groom.bands[0].ring(&groom.points).expect("a band");
        let top = ring.middle.y + ring.radius * (1.0 - ring.axis.y * ring.axis.y).sqrt();
        let behind = |p: &&Vec3| p.z < ring.middle.z - 0.005;
        let highest = groom.points.iter().filter(behind).map(|p| p.y);
        let highest = highest.fold(f32::MIN, f32::max);
        assert!(
            highest < top + 0.006,
            "{height}°: {highest} m, and the band {top} m"
        );
    }
}
