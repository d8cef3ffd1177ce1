use super::*;
use crate::mesh::{self, HeadParams, RootParams};

fn head() -> CollisionMesh {
    let head = mesh::load(&HeadParams::default()).expect("the built-in head");
    CollisionMesh::new(head.mesh, 0.02)
}

/// Strands whose file has them so far off the skin, rooted on the scalp.
fn strands(body: &CollisionMesh, off: f32, out: f32) -> Vec<Settled> {
    let params = RootParams {
        strands: 101,
        ..RootParams::default()
    };
    let roots = mesh::roots(&body.mesh, &params).expect("a scalp");
    let strand = |root: &mesh::Root| Settled {
        points: vec![
            root.position,
            root.position + root.normal * (0.5 * out),
            root.position + root.normal * out,
        ],
        distance: off,
        length: out.abs(),
        ..Settled::default()
    };
    roots.iter().map(strand).collect()
}

#[test]
fn roots_that_are_ten_millimetres_off_are_told_as_that() {
    let body = head();
    let figures = FitFigures::measure(&strands(&body, 0.01, 0.1), &body, false);
    assert_eq!((figures.median, figures.largest), (0.01, 0.01));
    assert_eq!((figures.on_scalp, figures.deep), (1.0, 0.0));
    assert!((figures.length - 0.1).abs() < 1e-6);
    assert_eq!(figures.verdict(), FitVerdict::Doubtful);
    let told = figures.to_string();
    assert!(
        told.starts_with("Doubtful: the roots are 10 mm from the skin"),
        "{told}"
    );
}

#[test]
fn hair_on_the_scalp_lies_well() {
    let body = head();
    let mut hair = strands(&body, 0.0008, 0.1);
    hair[0].distance = 0.004;
    let figures = FitFigures::measure(&hair, &body, false);
    assert_eq!((figures.median, figures.largest), (0.0008, 0.004));
    assert_eq!(figures.verdict(), FitVerdict::Well);
    assert_eq!(
        figures.to_string(),
        "Lies well: roots 0.8 mm from the skin, 100 % on the scalp"
    );
    let fairly = FitFigures::measure(&strands(&body, 0.005, 0.1), &body, false);
    assert_eq!(fairly.verdict(), FitVerdict::Fairly);
    // The same strands, inwards: two of three points are below the skin.
    let inwards = FitFigures::measure(&strands(&body, 0.0, -0.03), &body, false);
    assert!((inwards.deep - 2.0 / 3.0).abs() < 0.02, "{}", inwards.deep);
    assert_eq!(inwards.verdict(), FitVerdict::Doubtful);
    assert!(inwards.to_string().contains("below the skin"), "{inwards}");
    assert!((inwards.breadth - figures.breadth).abs() < 1e-6);
}

#[test]
fn roots_on_the_face_are_doubtful() {
    let body = head();
    let mut hair = strands(&body, 0.0, 0.05);
    let [_, high] = body.mesh.bounds();
    // The nose, from the front.
    let front = Vec3::new(0.0, high.y - 0.14, 1.0);
    let hit = body.surface.ray(front, Vec3::NEG_Z, 2.0).expect("a face");
    let nose = front - Vec3::Z * hit.distance;
    for made in hair.iter_mut().take(40) {
        made.points = vec![nose, nose + Vec3::Z * 0.05];
    }
    let figures = FitFigures::measure(&hair, &body, false);
    assert!(
        (figures.on_scalp - 61.0 / 101.0).abs() < 1e-6,
        "{}",
        figures.on_scalp
    );
    let told = figures.to_string();
    assert!(
        told.starts_with("Doubtful: 40 % of the roots lie on face"),
        "{told}"
    );
}

#[test]
fn hair_of_a_part_of_a_head_is_told_to_lie_well_in_many_places() {
    let body = head();
    let whole = strands(&body, 0.0008, 0.1);
    assert!(!FitFigures::measure(&whole, &body, false).is_part);
    let fringe = whole.iter().filter(|strand| strand.points[0].z > 0.06);
    let fringe: Vec<Settled> = fringe.cycle().take(2 * FEW).cloned().collect();
    assert_eq!(fringe.len(), 2 * FEW, "some of them are in front");
    let figures = FitFigures::measure(&fringe, &body, false);
    assert!(figures.is_part);
    let told = figures.to_string();
    assert!(told.ends_with("fits in many places, so look"), "{told}");
}

#[test]
fn a_few_strands_of_an_experiment_may_grow_anywhere() {
    let body = head();
    let neck = |strand: &mut Settled| strand.points.iter_mut().for_each(|p| p.y -= 0.25);
    let mut hair = strands(&body, 0.0, 0.1);
    hair.iter_mut().for_each(neck);
    let figures = FitFigures::measure(&hair, &body, false);
    assert_eq!(figures.verdict(), FitVerdict::Doubtful, "{figures}");
    hair.truncate(5);
    let figures = FitFigures {
        deep: 0.0,
        ..FitFigures::measure(&hair, &body, false)
    };
    assert_eq!(figures.verdict(), FitVerdict::Well);
    assert_eq!(figures.to_string(), "Lies well: roots 0.0 mm from the skin");
}
