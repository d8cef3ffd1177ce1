use super::*;
use crate::render::{Camera, CameraParams};
use egui::{Rect, vec2};

fn drag(handle: Handle) -> PlacingDrag {
    let bounds = [Vec3::splat(-0.13), Vec3::splat(0.13)];
    let camera = Camera::new(&CameraParams::default(), bounds);
    let rect = Rect::from_min_size(pos2(20.0, 10.0), vec2(800.0, 600.0));
    let eye = ViewProjection::new(&camera, rect);
    let middle = Vec3::new(0.02, 0.05, 0.01);
    let pose = Pose {
        rotation: Quat::from_rotation_y(0.5),
        ..Pose::IDENTITY
    };
    let place = pose.point(middle);
    PlacingDrag {
        import: ImportParams {
            file: "x.hair".into(),
            ..ImportParams::default()
        },
        from_place: Placement {
            up: Up::Z,
            turn: 10.0,
            metres: 0.01,
            offset: Vec3::new(0.0, 0.02, 0.0),
            along: None,
        },
        middle,
        gizmo: Gizmo::upright(place, pose, &eye),
        from: eye.see(place).expect("seen"),
        eye,
        pose,
        handle,
    }
}

#[test]
fn handles_move_turn_and_scale_hair_about_the_middle_of_its_roots() {
    let drag = drag(Handle::Plane);
    let by = drag.pose.rotation * Vec3::new(0.01, 0.0, 0.0);
    let moved = drag.placed(Change::Move(by), false);
    assert!(
        moved.offset.distance(Vec3::new(0.01, 0.02, 0.0)) < 1e-6,
        "under a turned head"
    );
    let axis = drag.gizmo.axes()[1];
    let turn = |degrees: f32, even| {
        let by = Quat::from_axis_angle(axis, degrees.to_radians());
        drag.placed(Change::Turn(by), even)
    };
    assert!((turn(-32.0, false).turn + 22.0).abs() < 1e-3);
    assert!(
        (turn(-32.0, true).turn + 20.0).abs() < 1e-3,
        "two steps of 15°"
    );
    let middle = drag.middle;
    let before = drag.from_place;
    assert!(before.onto(&turn(70.0, false), middle).distance(middle) < 1e-6);
    let scaled = drag.placed(Change::Scale(Vec3::new(1.0, 1.5, 1.0)), false);
    assert!((scaled.metres - 0.015).abs() < 1e-6);
    assert!(before.onto(&scaled, middle).distance(middle) < 1e-6);
}

#[test]
fn a_drag_sets_unit_and_axis_so_that_they_are_read_alike_ever_after() {
    let drag = drag(Handle::Plane);
    let Command::PlaceHair { import, held } = drag.to([drag.from.x, drag.from.y], false) else {
        panic!("it places the hair");
    };
    assert!(held);
    assert_eq!((import.units, import.up), (Units::Centimetres, Up::Z));
    assert_eq!((import.turn, import.scale), (10.0, 1.0));
    assert_eq!(import.offset, [0.0, 0.02, 0.0]);
}
