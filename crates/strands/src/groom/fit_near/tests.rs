use super::*;
use crate::mesh::{self, HeadParams, RootParams, Units, Up};

fn head() -> CollisionMesh {
    let head = mesh::load(&HeadParams::default()).expect("the built-in head");
    CollisionMesh::new(head.mesh, 0.02)
}

/// Straight hair all over the scalp, out of the skin.
fn hair(body: &CollisionMesh) -> Vec<Vec<Vec3>> {
    let params = RootParams {
        strands: 200,
        ..RootParams::default()
    };
    let roots = mesh::roots(&body.mesh, &params).expect("a scalp");
    let strand = |root: &mesh::Root| {
        let points = (0..4).map(|k| root.position + root.normal * (0.02 * k as f32));
        points.collect::<Vec<_>>()
    };
    roots.iter().map(strand).collect()
}

const NOW: Placement = Placement {
    up: Up::Y,
    turn: 0.0,
    metres: 1.0,
    offset: Vec3::ZERO,
    along: None,
};

#[test]
fn hair_that_is_moved_off_is_dropped_onto_the_skin_again() {
    let body = head();
    let hair = hair(&body);
    let fitting = Fitting::new(&body, hair.iter().map(|points| &points[..]));
    let off = NOW.moved(Vec3::new(0.004, 0.02, 0.006));
    let there = fitting.dropped(off);
    assert!(fitting.quality(&there).distance < 0.2 * fitting.quality(&off).distance);
    assert!(there.offset.length() < 0.004, "{}", there.offset);
    assert_eq!((there.turn, there.metres), (0.0, 1.0));
}

#[test]
fn a_fit_from_here_turns_hair_back_that_was_turned_by_hand() {
    let body = head();
    let hair = hair(&body);
    let fitting = Fitting::new(&body, hair.iter().map(|points| &points[..]));
    let off = NOW
        .turned(14.0, Vec3::new(0.01, 0.0, 0.0))
        .moved(Vec3::new(0.01, 0.01, -0.01));
    let there = fitting.from_here(off);
    assert!(
        there.turn.abs() < 2.0 && there.offset.length() < 0.004,
        "{there:?}"
    );
    assert_eq!(there.metres, 1.0);
}

#[test]
fn placements_are_turned_and_scaled_about_a_point_and_carry_points_along() {
    let first = Placement {
        turn: 20.0,
        metres: 0.01,
        offset: Vec3::new(0.1, -0.2, 0.3),
        ..NOW
    };
    let pivot = Vec3::new(0.4, 0.1, -0.2);
    let p = Vec3::new(3.0, 5.0, -2.0);
    let turned = first.turned(90.0, pivot);
    let was = first.place(p) - pivot;
    let is = turned.place(p) - pivot;
    assert!(is.distance(Quat::from_rotation_y(90f32.to_radians()) * was) < 1e-5);
    assert_eq!(first.turned(170.0, pivot).turn, -170.0);
    let scaled = first.scaled(2.0, pivot);
    assert!((scaled.place(p) - pivot).distance(was * 2.0) < 1e-5);
    let moved = scaled.turned(-33.0, pivot).moved(Vec3::X);
    assert!(first.onto(&moved, first.place(p)).distance(moved.place(p)) < 1e-5);
}

#[test]
fn what_is_placed_by_hand_is_read_in_the_same_way_ever_after() {
    let params = ImportParams::default();
    let placement = Placement {
        up: Up::Z,
        turn: 12.345_6,
        metres: 0.010_123_4,
        offset: Vec3::new(0.012_34, 0.0, -0.3),
        along: None,
    };
    let placed = params.placed(&placement);
    assert_eq!((placed.units, placed.up), (Units::Centimetres, Up::Z));
    assert_eq!((placed.turn, placed.scale), (12.35, 1.012));
    assert_eq!(placed.offset, [0.0123, 0.0, -0.3]);
    // What was set stays.
    let set = ImportParams {
        units: Units::Millimetres,
        ..ImportParams::default()
    };
    let placed = set.placed(&placement);
    assert_eq!((placed.units, placed.scale), (Units::Millimetres, 10.12));
}
