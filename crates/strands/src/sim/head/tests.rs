//! Tests of the head on its way.

use super::*;
use crate::sim::keyframes::{Keyframe, Keyframes};

const PRESETS: [MotionPreset; 10] = [
    MotionPreset::None,
    MotionPreset::Sway,
    MotionPreset::Nod,
    MotionPreset::Shake,
    MotionPreset::Tilt,
    MotionPreset::Spin,
    MotionPreset::Jump,
    MotionPreset::Walk,
    MotionPreset::HeadBang,
    MotionPreset::Keyframes,
];

fn params(preset: MotionPreset) -> MotionParams {
    MotionParams {
        preset,
        amplitude: 40.0,
        travel: 0.2,
        frequency: 1.5,
        keyframes: keyframes(),
        ..MotionParams::default()
    }
}

/// Round once in both senses of the quaternion, and home.
fn keyframes() -> Keyframes {
    let key = |(time, yaw, x)| Keyframe {
        time,
        rotation: [yaw, 10.0, 0.0],
        position: [x, 0.0, 0.0],
    };
    let keys = [(0.8, 120.0, 0.1), (1.6, -120.0, 0.0), (2.4, 20.0, 0.0)].map(key);
    let home = Keyframe {
        time: 0.0,
        rotation: [0.0; 3],
        position: [0.0; 3],
    };
    Keyframes::new([&[home], &keys[..]].concat()).expect("times grow")
}

fn head(params: &MotionParams) -> HeadMotion {
    let mesh = Mesh {
        positions: vec![Vec3::new(-0.1, -0.2, -0.1), Vec3::splat(0.1)],
        ..Mesh::default()
    };
    HeadMotion::new(&mesh, params)
}

/// Turning and moving speed at `time`. `[rad/s]`, `[m/s]`
fn speed(head: &HeadMotion, time: f64) -> (DVec3, DVec3) {
    let h = 1e-5;
    let (a, b) = (head.place(time), head.place(time + h));
    let turn = shortest(b.rotation * a.rotation.conjugate());
    (turn / h, (b.offset - a.offset) / h)
}

/// How far place and speed on both sides of `time` differ, when `before`
/// gives way to `after` there.
fn step(before: &HeadMotion, after: &HeadMotion, time: f64) -> f64 {
    let (a, b) = (before.place(time), after.place(time));
    let turned = shortest(a.rotation * b.rotation.conjugate());
    let (u, v) = (speed(before, time - 1e-5), speed(after, time));
    let place = turned.length() + a.offset.distance(b.offset);
    // A speed may have changed a little in two hundred-thousandths of a second.
    1e3 * place + (u.0 - v.0).length() + u.1.distance(v.1)
}

#[test]
fn every_motion_begins_at_rest_and_has_a_steady_speed() {
    for preset in PRESETS {
        let head = head(&params(preset));
        assert_eq!(head.pose(0.0), Pose::IDENTITY, "{preset:?}");
        let (spin, way) = speed(&head, 0.0);
        assert!(
            spin.length() + way.length() < 2e-3,
            "{preset:?} {spin} {way}"
        );
        let mut fastest: f64 = 0.0;
        for i in 1..40_000 {
            let time = f64::from(i) * 1e-4;
            let jolt = step(&head, &head, time);
            assert!(jolt < 0.02, "{preset:?} at {time}: {jolt}");
            let (spin, way) = speed(&head, time);
            fastest = fastest.max(spin.length() + way.length());
        }
        let rests = preset == MotionPreset::None;
        assert!(rests || fastest > 1.0, "{preset:?} moves: {fastest}");
    }
}

#[test]
fn whatever_moves_it_next_the_head_goes_on_from_where_it_is() {
    for (i, from) in PRESETS.iter().enumerate() {
        for (k, to) in PRESETS.iter().enumerate() {
            let mut head = head(&params(*from));
            let time = 1.7 + 0.13 * (i + 3 * k) as f64;
            let mut next = params(*to);
            match k % 3 {
                0 => next.amplitude = 5.0,
                1 => next.frequency = 0.4,
                _ => (next.yaw, next.x) = (150.0, -0.5),
            }
            let before = head.clone();
            head.follow(&next, time);
            let jolt = step(&before, &head, time);
            assert!(jolt < 0.02, "{from:?} to {to:?}: {jolt}");
            // In a moment it is where the motion wants it.
            let (place, goal) = (head.place(time + 3.0), head.goal(time + 3.0));
            assert_eq!(place, goal, "{from:?} to {to:?}");
        }
    }
}

#[test]
fn a_head_posed_while_time_stands_is_there_at_once_and_keeps_its_speed() {
    for (i, preset) in PRESETS.iter().enumerate() {
        let mut head = head(&params(*preset));
        let time = 1.7 + 0.13 * i as f64;
        let before = head.clone();
        let mut next = params(*preset);
        for yaw in [20.0, 40.0] {
            next.yaw = yaw;
            head.stand_as(&next, time);
        }
        assert_eq!(head.place(time), head.goal(time), "{preset:?}");
        let turned = head.place(time).rotation * before.place(time).rotation.conjugate();
        assert!(turned.to_scaled_axis().length() > 0.3, "{preset:?}");
        let ((spin, way), (old_spin, old_way)) = (speed(&head, time), speed(&before, time));
        // A turn of the hand turns the axis that the motion turns about, too.
        let spins = (spin.length() - old_spin.length()).abs();
        let jolt = spins + way.distance(old_way);
        assert!(jolt < 0.05 * old_spin.length() + 0.02, "{preset:?}: {jolt}");
    }
}

#[test]
fn a_head_that_is_put_elsewhere_is_there_also_while_it_goes_to_another_motion() {
    let mut head = head(&params(MotionPreset::Shake));
    head.follow(&params(MotionPreset::Tilt), 1.3);
    let wanted = Pose {
        rotation: glam::Quat::from_rotation_y(0.7),
        translation: Vec3::new(0.1, -0.2, 0.3),
    };
    head.put(&wanted, 1.35);
    let there = head.pose(1.35);
    assert!(
        there.rotation.dot(wanted.rotation).abs() > 1.0 - 1e-6,
        "{there:?}"
    );
    assert!(
        there.translation.distance(wanted.translation) < 1e-5,
        "{there:?}"
    );
}

#[test]
fn a_head_that_has_turned_far_goes_home_the_short_way() {
    for rounds in [0.6, 0.95, 1.05, 2.4] {
        let mut head = head(&params(MotionPreset::Spin));
        // The first moment at which it has turned by so much.
        let wanted = std::f64::consts::TAU * rounds;
        let (mut time, mut way) = (0.0, 0.0);
        while way < wanted {
            let (a, b) = (head.place(time).rotation, head.place(time + 1e-3).rotation);
            way += shortest(b * a.conjugate()).length();
            time += 1e-3;
        }
        head.follow(&params(MotionPreset::None), time);
        let step = |i: u32| {
            let at = |i: u32| head.place(time + 1e-3 * f64::from(i)).rotation;
            shortest(at(i + 1) * at(i).conjugate()).length()
        };
        let way: f64 = (0..3000).map(step).sum();
        // Half a round at most, and what it overshoots by at its speed.
        assert!(way < 5.0, "{rounds} rounds: {way} rad");
    }
}

#[test]
fn a_mouse_that_jumps_moves_the_head_fast_and_no_faster() {
    let mut params = params(MotionPreset::None);
    let mut head = head(&params);
    head.follow(&params, 1.0);
    params.x = 0.5;
    params.yaw = 170.0;
    head.follow(&params, 1.0);
    let (mut spin, mut way): (f64, f64) = (0.0, 0.0);
    for i in 0..1000 {
        let (s, w) = speed(&head, 1.0 + 1e-3 * f64::from(i));
        (spin, way) = (spin.max(s.length()), way.max(w.length()));
    }
    assert!((1.5..3.0).contains(&way), "{way} m/s");
    assert!((8.0..16.0).contains(&spin), "{spin} rad/s");
    let there = head.pose(2.0).translation;
    assert!((there.x - 0.5).abs() < 0.2 && head.pose(9.0) == head.goal(9.0).pose(head.pivot));
}

#[test]
fn a_slider_that_is_dragged_does_not_make_it_tremble() {
    // After a minute the least change of the frequency is many rounds.
    let mut params = params(MotionPreset::Nod);
    let mut head = head(&params);
    for i in 0..30 {
        let time = 60.0 + f64::from(i) / 60.0;
        params.frequency += 0.01;
        let before = head.goal(time);
        head.follow(&params, time);
        let turned = (head.goal(time).rotation * before.rotation.conjugate()).to_scaled_axis();
        assert!(turned.length() < 1e-6, "{turned}");
    }
}
