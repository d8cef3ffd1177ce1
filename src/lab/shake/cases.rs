//! The stress cases: what is done to the hair, each from rest and back to rest.

use crate::{
    math::Pose,
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation, TorsoMode,
        collider::{Collider, Shape},
        keyframes::{Keyframe, Keyframes},
    },
};
use glam::{Quat, Vec3};

/// Something hair must get through.
pub struct StressCase {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// Name in tables.
    pub name: &'static str,
    /// What is done, in a sentence.
    pub about: &'static str,
    /// How long it is done. `[s]`
    pub lasts: f64,
    /// How deep below the skin the roots lie. `[m]`
    pub sunk: f32,
    /// Sets the scene before it begins.
    pub(super) set: fn(&mut SimParams),
    /// What happens before each step of it.
    pub(super) act: fn(&mut CaseStep),
}

/// A case before one of its steps.
pub(super) struct CaseStep<'a> {
    /// Since the case began. `[s]`
    pub time: f64,
    /// Length of a step. `[s]`
    pub step: f64,
    pub params: &'a mut SimParams,
    pub simulation: &'a mut Simulation,
}

impl CaseStep<'_> {
    /// Whether this is the last step that begins before `time`. `[s]`
    fn at(&self, time: f64) -> bool {
        (self.time..self.time + self.step).contains(&(time - 0.5 * self.step))
    }
}

/// The cases, in the order of the table.
pub const STRESS_CASES: &[StressCase] = &[
    StressCase {
        id: "nod",
        name: "Nod",
        about: "The head nods by 35° to each side, three times in two seconds",
        lasts: 2.5,
        sunk: 0.0,
        set: |params| {
            params.motion.preset = MotionPreset::Nod;
            (params.motion.amplitude, params.motion.frequency) = (35.0, 1.5);
        },
        act: |_| (),
    },
    StressCase {
        id: "head-bang",
        name: "Head-bang",
        about: "The head bangs by 60°, at 10 rad/s where it is fastest",
        lasts: 2.5,
        sunk: 0.0,
        set: |params| {
            params.motion.preset = MotionPreset::HeadBang;
            (params.motion.amplitude, params.motion.travel) = (60.0, 0.08);
            params.motion.frequency = BANG;
        },
        act: |_| (),
    },
    StressCase {
        id: "jerk",
        name: "Jerk",
        about: "The head is jerked aside by 40 cm at 2 m/s, 2.7 m/s where it starts and stops",
        lasts: 0.7,
        sunk: 0.0,
        set: |params| {
            // Even steps are an even speed; one short one lets it begin and end.
            let way = |time: f32| (2.0 * (time - 0.3)).clamp(0.0, 0.4);
            let times = [0.3, 0.32, 0.36, 0.4, 0.44, 0.48, 0.5];
            keyframes(params, times.map(|t| (t, [0.0; 3], [way(t), 0.0, 0.0])));
        },
        act: |_| (),
    },
    StressCase {
        id: "teleport",
        name: "Teleport",
        about: "The head, while it shakes, is put two metres away and turned by 120°, and back",
        lasts: 1.2,
        sunk: 0.0,
        set: |params| {
            params.motion.preset = MotionPreset::Shake;
            (params.motion.amplitude, params.motion.frequency) = (30.0, 0.8);
        },
        act: |act| {
            let there = Pose {
                rotation: Quat::from_rotation_y(120.0f32.to_radians()),
                translation: Vec3::new(1.6, 0.4, -1.1),
            };
            let pose = act.simulation.pose();
            if act.at(0.5) {
                act.simulation.carry(Pose {
                    rotation: (there.rotation * pose.rotation).normalize(),
                    translation: there.rotation * pose.translation + there.translation,
                });
            } else if act.at(0.9) {
                let back = there.rotation.conjugate();
                act.simulation.carry(Pose {
                    rotation: (back * pose.rotation).normalize(),
                    translation: back * (pose.translation - there.translation),
                });
            }
        },
    },
    StressCase {
        id: "hair-dryer",
        name: "Hair-dryer",
        about: "A hair-dryer blows at 20 m/s from the left into the hair beside the face",
        lasts: 2.0,
        sunk: 0.0,
        set: |params| {
            let fan = &mut params.fan;
            (fan.on, fan.strength, fan.width, fan.reach) = (true, 20.0, 30.0, 1.0);
            (fan.x, fan.y, fan.z) = (0.28, 0.02, 0.2);
            fan.direction = [-0.66, -0.07, -0.75];
        },
        act: |_| (),
    },
    StressCase {
        id: "gust",
        name: "Gust",
        about: "A wind of 6 m/s with eddies, and bursts twice as strong on top of it",
        lasts: 2.5,
        sunk: 0.0,
        set: |params| {
            let wind = &mut params.wind;
            (wind.on, wind.strength, wind.gusts) = (true, 6.0, 2.0);
            (wind.gust_rate, wind.turbulence) = (2.0, 0.8);
        },
        act: |_| (),
    },
    StressCase {
        id: "upside-down",
        name: "Upside down",
        about: "The head is turned over to the front in 0.6 s, hangs, and comes back as fast",
        lasts: 2.4,
        sunk: 0.0,
        set: |params| {
            // Quarter turns: the shorter way is always the one meant.
            let turns = [(0.0, 0.0), (0.3, 90.0), (0.6, 180.0)];
            let back = [(1.7, 180.0), (2.0, 90.0), (2.3, 0.0)];
            let key = |(time, pitch): (f32, f32)| (time, [0.0, pitch, 0.0], [0.0; 3]);
            keyframes(params, turns.into_iter().chain(back).map(key));
        },
        act: |_| (),
    },
    StressCase {
        id: "body",
        name: "Body through hair",
        about: "An arm of 7 cm across goes through the hair beside the head at 1 m/s, and back",
        lasts: 1.4,
        sunk: 0.0,
        set: |params| params.colliders = vec![arm(0.0)],
        act: |act| act.params.colliders = vec![arm(act.time + act.step)],
    },
    StressCase {
        id: "roots-inside",
        name: "Roots inside",
        about: "Roots 5 mm below the skin and a ball over the crown that covers some of them, while \
                the head shakes",
        lasts: 1.5,
        sunk: 0.005,
        set: |params| {
            params.colliders = vec![Collider {
                name: "ball".into(),
                centre: [0.0, 0.085, -0.02],
                radius: 0.05,
                ..Collider::default()
            }];
            params.motion.preset = MotionPreset::Shake;
            (params.motion.amplitude, params.motion.frequency) = (30.0, 1.5);
        },
        act: |_| (),
    },
];

/// How often the head bangs, so that its fastest is 10 rad/s. `[Hz]`
const BANG: f32 = 2.6;

/// The case of that id.
pub fn stress_case(id: &str) -> Option<&'static StressCase> {
    STRESS_CASES.iter().find(|case| case.id == id)
}

/// The settings of the window for `solver`, on a head that rests: four
/// substeps, contact with the true mesh.
pub(super) fn params(solver: &str) -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = solver.into();
    params.collision.mode = CollisionMode::Mesh;
    params.motion.preset = MotionPreset::None;
    // Depth is measured in a head and torso of one piece.
    params.torso.mode = TorsoMode::Off;
    params
}

/// Ends every case: the head stays or comes home, the air stands still.
pub(super) fn calm(params: &mut SimParams) {
    if params.motion.preset != MotionPreset::Keyframes {
        params.motion.preset = MotionPreset::None;
    }
    (params.wind.on, params.fan.on) = (false, false);
}

/// Lets the head follow keys: time, turn and place of each.
fn keyframes(params: &mut SimParams, keys: impl IntoIterator<Item = (f32, [f32; 3], [f32; 3])>) {
    let key = |(time, rotation, position)| Keyframe {
        time,
        rotation,
        position,
    };
    params.motion.preset = MotionPreset::Keyframes;
    let keys = keys.into_iter().map(key).collect();
    // Those above are in order.
    params.motion.keyframes = Keyframes::new(keys).unwrap_or_default();
}

/// The arm at `time`: it comes from the front, past the left ear to the back,
/// waits and returns. `[s]`
fn arm(time: f64) -> Collider {
    let way = if time < 0.7 {
        time.min(0.6)
    } else {
        1.3 - time.min(1.3)
    };
    let z = 0.3 - way as f32;
    Collider {
        kind: Shape::Capsule,
        name: "arm".into(),
        follows_head: false,
        start: [0.13, 0.08, z],
        end: [0.17, -0.2, z],
        radius: 0.035,
        ..Collider::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mesh::{HeadParams, load},
        sim::head::HeadMotion,
    };

    /// Fastest turn and way of the head in a case. `[rad/s]`, `[m/s]`
    fn fastest(id: &str) -> [f32; 2] {
        let mesh = load(&HeadParams::default()).expect("the head").mesh;
        let case = stress_case(id).expect("a case");
        let mut params = params("pbd");
        (case.set)(&mut params);
        let head = HeadMotion::new(&mesh, &params.motion);
        let (steps, h) = ((case.lasts * 1000.0) as usize, 1e-3);
        let poses: Vec<Pose> = (0..steps).map(|i| head.pose(h * i as f64)).collect();
        let mut most = [0.0f32; 2];
        for pair in poses.windows(2) {
            let turn = (pair[1].rotation * pair[0].rotation.conjugate())
                .xyz()
                .length();
            let [a, b] = [0, 1].map(|i| pair[i].point(head.pivot));
            most[0] = most[0].max(2.0 * turn.asin() / h as f32);
            most[1] = most[1].max(a.distance(b) / h as f32);
        }
        most
    }

    #[test]
    fn the_head_is_as_fast_as_it_is_told() {
        let [turn, _] = fastest("head-bang");
        assert!((9.8..10.4).contains(&turn), "{turn} rad/s");
        let [_, way] = fastest("jerk");
        assert!((2.0..2.7).contains(&way), "{way} m/s");
        let [turn, _] = fastest("upside-down");
        assert!((4.0..9.0).contains(&turn), "{turn} rad/s");
    }

    #[test]
    fn the_arm_passes_beside_the_head() {
        let mesh = load(&HeadParams::default()).expect("the head").mesh;
        let surface = crate::mesh::Surface::new(&mesh);
        let mut nearest = f32::MAX;
        for i in 0..140 {
            let arm = arm(0.01 * f64::from(i));
            let [start, end] = [arm.start, arm.end].map(Vec3::from_array);
            for k in 0..=40 {
                let p = start.lerp(end, k as f32 / 40.0);
                nearest = nearest.min(surface.signed_distance(p) - arm.radius);
            }
        }
        // Hair must find room between both.
        assert!((0.0015..0.03).contains(&nearest), "{nearest}");
    }

    #[test]
    fn names_are_unlike_one_another() {
        for (i, case) in STRESS_CASES.iter().enumerate() {
            assert!(STRESS_CASES[..i].iter().all(|other| other.id != case.id));
            assert!(!case.about.ends_with('.') && case.lasts > 0.0);
        }
    }
}
