//! How the camera moves by itself: to another view, on after a drag, and round
//! and round on the turntable.
//!
//! All of it is told how much time has passed, so that a recording turns by its
//! frames and not by the clock.

use crate::render::Camera;
use std::{
    collections::VecDeque,
    f32::consts::{PI, TAU},
    time::{Duration, Instant},
};

/// A flight to another view takes so long. `[s]`
const FLIGHT: f32 = 0.5;
/// The speed of a drag is measured over its last moments.
const RECENT: Duration = Duration::from_millis(80);
/// A hand that rested so long before it let go wanted the picture to stand.
const REST: Duration = Duration::from_millis(50);
/// The turn after a drag fades by the factor e in this time. `[s]`
const FADE: f32 = 0.15;
/// Slower is standing still. `[points/s]`
const STILL: f32 = 8.0;
/// No faster, whatever the mouse says. `[points/s]`
const FASTEST: f32 = 1000.0;
/// A slow frame is no reason to jump. `[s]`
const LONGEST: f32 = 0.25;

/// A way between two views.
#[derive(Clone, Debug)]
struct Flight {
    from: Camera,
    to: Camera,
    /// Time that has passed. `[s]`
    passed: f32,
}

/// The camera's own motion.
#[derive(Clone, Debug, Default)]
pub struct CameraMotion {
    flight: Option<Flight>,
    /// What is left of a drag. `[points/s]`
    speed: [f32; 2],
    /// The last moments of a drag: when, and how far.
    drag: VecDeque<(Instant, [f32; 2])>,
    /// When the camera was moved last, while it moves.
    last: Option<Instant>,
}

impl CameraMotion {
    /// Begins to move from one view to another.
    pub fn fly(&mut self, from: &Camera, to: Camera) {
        self.halt();
        self.flight = Some(Flight {
            from: from.clone(),
            to,
            passed: 0.0,
        });
    }

    /// Stops where it is.
    pub fn halt(&mut self) {
        self.flight = None;
        self.speed = [0.0; 2];
    }

    /// The mouse turned the picture. `[points]`
    pub fn dragged(&mut self, by: [f32; 2], now: Instant) {
        self.drag.push_back((now, by));
        self.forget(now);
    }

    /// The mouse let go of the picture, which turns on if it was turning.
    pub fn release(&mut self, now: Instant) {
        self.forget(now);
        let newest = self.drag.back().map(|(at, _)| *at);
        let oldest = self.drag.front().map(|(at, _)| *at);
        let rested = |at: Instant| now.saturating_duration_since(at) > REST;
        if let (Some(oldest), Some(newest)) = (oldest, newest)
            && !rested(newest)
        {
            // Two events at once are no infinite speed.
            let seconds = now
                .saturating_duration_since(oldest)
                .as_secs_f32()
                .max(0.03);
            let way = self
                .drag
                .iter()
                .fold([0.0; 2], |[x, y], (_, by)| [x + by[0], y + by[1]]);
            let speed = way[0].hypot(way[1]) / seconds;
            let share = (FASTEST / speed).min(1.0) / seconds;
            self.speed = way.map(|way| {
                if speed > 4.0 * STILL {
                    way * share
                } else {
                    0.0
                }
            });
        }
        self.drag.clear();
    }

    fn forget(&mut self, now: Instant) {
        let old = |at: &Instant| now.saturating_duration_since(*at) > RECENT;
        while self.drag.front().is_some_and(|(at, _)| old(at)) {
            self.drag.pop_front();
        }
    }

    /// Whether it moves, apart from a turntable.
    pub fn moves(&self) -> bool {
        self.flight.is_some() || self.speed != [0.0; 2]
    }

    /// The time since this was asked last, while it `moves`; nothing at first. `[s]`
    pub fn elapsed(&mut self, now: Instant, moves: bool) -> f32 {
        let before = std::mem::replace(&mut self.last, moves.then_some(now));
        let passed = before.map(|before| now.saturating_duration_since(before));
        passed.map_or(0.0, |passed| passed.as_secs_f32().min(LONGEST))
    }

    /// Moves `camera` on by so many seconds.
    pub fn advance(&mut self, camera: &mut Camera, seconds: f32) {
        if let Some(flight) = &mut self.flight {
            flight.passed += seconds;
            *camera = flight.at(flight.passed / FLIGHT);
            if flight.passed >= FLIGHT {
                self.flight = None;
            }
        }
        if self.speed != [0.0; 2] {
            // v' = -v / FADE, whatever the frames.
            let left = (-seconds / FADE).exp();
            let [x, y] = self.speed.map(|v| v * FADE * (1.0 - left));
            camera.orbit(x, y);
            self.speed = self.speed.map(|v| v * left);
            if self.speed[0].hypot(self.speed[1]) < STILL {
                self.speed = [0.0; 2];
            }
        }
    }
}

impl Flight {
    /// The view after this share of the way, which begins and ends gently.
    fn at(&self, share: f32) -> Camera {
        let s = share.clamp(0.0, 1.0);
        let s = s * s * (3.0 - 2.0 * s);
        let (from, to) = (&self.from, &self.to);
        if s >= 1.0 {
            return to.clone();
        }
        let mix = |a: f32, b: f32| a + (b - a) * s;
        // The shorter way round.
        let turn = (to.yaw - from.yaw + PI).rem_euclid(TAU) - PI;
        let tangent = |camera: &Camera| (0.5 * camera.fov).tan();
        Camera {
            target: from.target.lerp(to.target, s),
            // As many times nearer in each moment.
            distance: mix(from.distance.ln(), to.distance.ln()).exp(),
            yaw: from.yaw + turn * s,
            pitch: mix(from.pitch, to.pitch),
            fov: 2.0 * mix(tangent(from), tangent(to)).atan(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::CameraParams;
    use glam::Vec3;

    fn camera() -> Camera {
        let bounds = [Vec3::splat(-0.12), Vec3::splat(0.12)];
        Camera::new(&CameraParams::default(), bounds)
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_flight_ends_where_it_should_and_takes_the_shorter_way() {
        let from = Camera {
            yaw: 170f32.to_radians(),
            ..camera()
        };
        let to = Camera {
            yaw: -170f32.to_radians(),
            distance: 0.1,
            target: Vec3::X,
            ..camera()
        };
        let (mut glide, mut now) = (CameraMotion::default(), from.clone());
        glide.fly(&from, to.clone());
        let mut steps = 0;
        while glide.moves() {
            let before = now.clone();
            glide.advance(&mut now, 1.0 / 60.0);
            if glide.moves() {
                // Twenty degrees in half a second, gently, never the long way.
                let turned = now.yaw - before.yaw;
                assert!((0.0..0.02).contains(&turned), "{turned}");
                assert!(now.distance < before.distance + 1e-6);
            }
            steps += 1;
        }
        assert_eq!((now, steps), (to, 30));
    }

    #[test]
    fn halfway_a_flight_is_in_the_middle() {
        let from = camera();
        let to = Camera {
            distance: 4.0 * from.distance,
            pitch: from.pitch + 0.4,
            ..from.clone()
        };
        let (mut glide, mut now) = (CameraMotion::default(), from.clone());
        glide.fly(&from, to);
        glide.advance(&mut now, 0.5 * FLIGHT);
        assert!((now.distance / from.distance - 2.0).abs() < 1e-4);
        assert!((now.pitch - from.pitch - 0.2).abs() < 1e-5);
        glide.halt();
        let rests = now.clone();
        glide.advance(&mut now, 0.1);
        assert_eq!(now, rests, "it stops at once");
    }

    /// A drag of 10 points to the right each 10 ms, then a wait.
    fn thrown(wait: Duration) -> CameraMotion {
        let (mut glide, start) = (CameraMotion::default(), Instant::now());
        for k in 0..20 {
            glide.dragged([10.0, 0.0], start + 10 * k * MS);
        }
        glide.release(start + 190 * MS + wait);
        glide
    }

    #[test]
    fn a_drag_goes_on_by_its_speed_times_the_fading_time_whatever_the_frames() {
        for frame in [1.0 / 240.0, 1.0 / 24.0] {
            let (mut glide, mut now) = (thrown(MS), camera());
            let [speed, _] = glide.speed;
            assert!((speed - 1100.0).abs() < 150.0, "{speed}");
            let start = now.yaw;
            while glide.moves() {
                glide.advance(&mut now, frame);
            }
            // The integral of v exp(-t / FADE), less the end that is cut off.
            let mut whole = camera();
            whole.orbit((speed - STILL) * FADE, 0.0);
            let off = (now.yaw - start) - (whole.yaw - start);
            assert!(off.abs() < STILL * FADE * 0.007, "{off}");
        }
    }

    #[test]
    fn a_hand_that_rests_before_it_lets_go_throws_nothing() {
        assert!(thrown(MS).moves());
        assert!(!thrown(60 * MS).moves());
        assert!(
            !CameraMotion {
                drag: VecDeque::new(),
                ..thrown(60 * MS)
            }
            .moves()
        );
        let mut glide = thrown(MS);
        glide.halt();
        assert!(!glide.moves());
        // A slow drag ends where it is.
        let start = Instant::now();
        glide.dragged([1.0, 0.0], start);
        glide.dragged([1.0, 0.0], start + 70 * MS);
        glide.release(start + 72 * MS);
        assert!(!glide.moves());
    }

    #[test]
    fn time_is_counted_only_while_it_moves() {
        let (mut glide, start) = (CameraMotion::default(), Instant::now());
        assert_eq!(glide.elapsed(start, true), 0.0);
        assert!((glide.elapsed(start + 20 * MS, true) - 0.02).abs() < 1e-6);
        assert_eq!(glide.elapsed(start + 900 * MS, false), LONGEST);
        assert_eq!(glide.elapsed(start + 950 * MS, true), 0.0);
    }
}
