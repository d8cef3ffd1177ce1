//! Where a cut shortens hair, and which way it is combed.

use glam::Vec3;
use lovelock::{
    groom::{Groom, GroomParams, grow, styles::STYLES},
    mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
    project::examples,
};
use std::sync::LazyLock;

static BODY: LazyLock<CollisionMesh> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the built-in head");
    CollisionMesh::new(head.mesh, 0.004)
});

fn grown(params: &GroomParams) -> Groom {
    let roots = RootParams {
        strands: 1000,
        ..RootParams::default()
    };
    let roots = scatter::roots(&BODY.mesh, &roots).expect("roots");
    grow::grow(&roots, params, 1, &BODY)
}

#[test]
fn a_taper_and_a_framed_face_shorten_hair_where_they_say_and_a_sweep_goes_aside() {
    let mut params = (STYLES[0].params)();
    (params.length, params.frizz, params.length_spread) = (0.1, 0.0, 0.0);
    (params.lock_spread, params.sleek) = (0.0, 0.0);
    let even = grown(&params);
    let length = |groom: &Groom, s: usize| -> f32 {
        let pairs = groom.strand(s).windows(2);
        pairs.map(|pair| pair[0].distance(pair[1])).sum()
    };
    // Mean length of the strands whose roots are there, as a share of that without a cut.
    let share = |groom: &Groom, there: &dyn Fn(Vec3) -> bool| {
        let roots = (0..1000).filter(|s| there(even.strand(*s)[0]));
        let shares: Vec<f32> = roots.map(|s| length(groom, s) / length(&even, s)).collect();
        assert!(shares.len() > 9, "{} roots", shares.len());
        shares.iter().sum::<f32>() / shares.len() as f32
    };
    let roots: Vec<Vec3> = (0..1000).map(|s| even.strand(s)[0]).collect();
    let centre = roots.iter().sum::<Vec3>() / 1000.0;
    let reach = roots.iter().map(|r| r.distance(centre)).fold(0.0, f32::max);
    let out = |p: Vec3| (p - centre) / reach;
    params.taper = 0.6;
    let tapered = grown(&params);
    let (crown, nape) = (|p| out(p).y > 0.4, |p| out(p).y < -0.3);
    assert!((share(&tapered, &crown) - 1.0).abs() < 0.02);
    assert!((share(&tapered, &nape) - 0.4).abs() < 0.03);
    (params.taper, params.face_framing) = (0.0, 0.5);
    let framed = grown(&params);
    let (back, face) = (|p| out(p).z < 0.0, |p| out(p).z > 0.55);
    assert!((share(&framed, &back) - 1.0).abs() < 0.02);
    assert!(share(&framed, &face) < 0.7);
    // A swept fringe lies to one side, as long as it is said to be.
    (params.face_framing, params.fringe) = (0.0, 0.06);
    for sweep in [-1.0, 1.0] {
        params.sweep = sweep;
        let swept = grown(&params);
        let front = (0..1000).filter(|s| {
            let root = out(swept.strand(*s)[0]);
            root.z > 0.6 && root.x.abs() < 0.3
        });
        let front: Vec<usize> = front.collect();
        assert!(front.len() > 20, "{} at the front", front.len());
        for s in front {
            let way = *swept.strand(s).last().expect("a tip") - swept.strand(s)[0];
            assert!(way.x * sweep > 0.01, "{s} goes {way}");
            assert!(
                (length(&swept, s) - 0.06).abs() < 0.012,
                "{s}: {}",
                length(&swept, s)
            );
        }
    }
}

/// Hair that comes down on shoulders lies there, and does not turn back on itself.
#[test]
fn hair_lies_on_shoulders_without_folds() {
    for name in ["layered", "fringe"] {
        let scene = examples::find(name)
            .expect("listed")
            .scene()
            .expect("reads");
        let groom = grown(&scene.groom);
        let sharpest = |s: usize| -> f32 {
            let turn = |w: &[Vec3]| (w[1] - w[0]).angle_between(w[2] - w[1]);
            groom.strand(s).windows(3).map(turn).fold(0.0, f32::max)
        };
        let over = |degrees: f32| {
            let sharp = (0..1000).filter(|s| sharpest(*s) > degrees.to_radians());
            sharp.count()
        };
        assert!(
            over(60.0) <= 10 && over(100.0) == 0,
            "{name}: {}",
            over(60.0)
        );
        // Nor does it lose its length there.
        let off = |s: &usize| {
            let edges = groom.strand(*s).windows(2).map(|w| w[0].distance(w[1]));
            let edges: Vec<f32> = edges.collect();
            // Most of a strand is as long as it was planned.
            let mut sorted = edges.clone();
            sorted.sort_by(f32::total_cmp);
            let planned = sorted[edges.len() / 2] * edges.len() as f32;
            (edges.iter().sum::<f32>() / planned - 1.0).abs() > 0.08
        };
        assert!((0..1000).filter(off).count() <= 10, "{name}");
    }
}
