//! The present time among keys, and the way from key to key.

use super::AppState;
use crate::{
    param::Tracks,
    session::sim_handle::SimCommand,
    ui::{
        present_key::{key_near, key_times},
        time_unit::TimeUnit,
    },
};

impl AppState {
    /// The present time among the keys of tracks. `[s]`
    pub fn track_time(&self) -> f64 {
        self.session.track_time(&self.document.scene().sim.motion)
    }

    /// What the timeline counts time in.
    pub(super) fn time_unit(&self) -> TimeUnit {
        self.ui.time_unit(self.document.scene())
    }

    /// The present time where numbers with keys are shown and set. `[s]`
    pub fn key_time(&self) -> f64 {
        self.ui.key_time(self.document.scene(), &self.session)
    }

    /// The time among the keys that the picture is of. While time stands still that is the
    /// one at which keys are set: what one sets is what one sees. `[s]`
    pub fn picture_time(&self) -> f64 {
        let session = &self.session;
        let live = session.playing().is_none() && !session.recorder().is_recording();
        match live && session.is_paused() {
            true => self.key_time(),
            false => self.track_time(),
        }
    }

    /// Goes to the key after the present time, or to the one before it, as far as time can be
    /// gone through.
    pub(super) fn go_to_key(&mut self, later: bool) {
        if self.session.playing().is_some() {
            return self.ui.toasts.tell("A cache that is played has no keys");
        }
        let sim = &self.document.scene().sim;
        let times = key_times(sim);
        let now = self.track_time();
        let near = key_near(sim);
        let shown = self.key_time();
        let times = times.into_iter();
        let found = match later {
            true => times
                .filter(|time| *time >= shown + Tracks::NEAR)
                .min_by(f64::total_cmp),
            false => times
                .filter(|time| *time <= shown - Tracks::NEAR)
                .max_by(f64::total_cmp),
        };
        let Some(key) = found else {
            let side = if later { "after" } else { "before" };
            return (self.ui.toasts).tell(format!("There is no key {side} this time"));
        };
        let (time, reach) = (self.session.now().time, self.session.now().reach);
        let there = time + key - now;
        let told = self.time_unit().text(key);
        match reach {
            _ if later || reach.is_some_and(|reach| there >= reach.from - near) => {
                if reach.is_none_or(|reach| there > reach.to + near) {
                    let text =
                        format!("On to the next key, {told}: the hair is simulated to there");
                    self.ui.toasts.tell(text);
                }
                self.session.pause();
                self.session.order(SimCommand::Seek(there));
                self.ui.keyed.gone_to = Some(key);
            }
            Some(_) => self.ui.toasts.tell(format!(
                "The key before, {told}, is longer ago than what is kept; Rewind sets how much is"
            )),
            None => self.ui.toasts.tell(format!(
                "The key, {told}, cannot be gone to: nothing of the past is kept (Rewind)"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        param::Value,
        sim::{MotionPreset, keyframes::Keyframe},
        ui::command::Command,
    };

    /// Keys at 0, 2 and 40 frames, and of the head at 6; half a second has gone by.
    fn program() -> AppState {
        let mut program = AppState::small();
        let sim = &mut program.document.scene_mut().sim;
        for frame in [0, 2, 40] {
            let time = f64::from(frame) / 24.0;
            sim.tracks.keys.set_key("look.drawn", time, 0.5);
        }
        sim.motion.preset = MotionPreset::Keyframes;
        sim.motion.repeat = false;
        sim.motion.keyframes.set(Keyframe {
            time: 6.0 / 24.0,
            rotation: [0.0; 3],
            position: [0.0; 3],
        });
        program.session.pause();
        // One step after the other, so that none is left to be made later.
        while program.track_time() < 0.5 {
            let before = program.session.now().serial;
            program.perform(Command::Step);
            program.wait("a step", |program| {
                program.session.built().is_some() && program.session.now().serial != before
            });
        }
        program
    }

    #[test]
    fn one_goes_from_key_to_key_as_far_as_time_has_been() {
        let mut program = program();
        program.perform(Command::ShowFrames(true));
        let go = |program: &mut AppState, later: bool, frame: f64| {
            program.perform(Command::GoToKey { later });
            let wanted = frame / 24.0;
            program.wait("the key", |program| program.key_time() == wanted);
        };
        go(&mut program, false, 6.0);
        go(&mut program, false, 2.0);
        go(&mut program, true, 6.0);
        go(&mut program, false, 2.0);
        go(&mut program, false, 0.0);
        program.perform(Command::GoToKey { later: false });
        assert!(program.ui.toasts.shows("There is no key before"));
        go(&mut program, true, 2.0);
        go(&mut program, true, 6.0);
        // What is still to come is simulated.
        go(&mut program, true, 40.0);
        assert!(
            program
                .ui
                .toasts
                .shows("On to the next key, frame 40 · 1.67 s")
        );
        assert!(program.session.is_paused());
        go(&mut program, false, 6.0);
    }

    #[test]
    fn while_time_stands_still_the_picture_is_of_the_frame_at_which_keys_are_set() {
        let mut program = program();
        let exact = program.track_time();
        assert_eq!(program.picture_time(), exact, "seconds");
        program.perform(Command::ShowFrames(true));
        let frame = (24.0 * exact).round() / 24.0;
        assert_eq!([program.picture_time(), program.key_time()], [frame; 2]);
        program.perform(Command::Pause);
        let now = [program.picture_time(), program.track_time()];
        assert_eq!(now[0], now[1], "it goes on smoothly");
    }

    /// Half a second has gone by, with keys of `number` at those times. `[s]`
    fn keyed(number: &str, times: &[f64]) -> AppState {
        let mut program = program();
        let sim = &mut program.document.scene_mut().sim;
        (sim.tracks.keys, sim.motion.preset) = (Tracks::default(), MotionPreset::None);
        for time in times {
            sim.tracks.keys.set_key(number, *time, 0.5);
        }
        program
    }

    #[test]
    fn a_key_set_after_a_jump_replaces_the_one_that_was_gone_to() {
        // Beside steps of a sixtieth, two at one of them, and beside hundredths.
        let keys = [
            0.01, 0.06, 0.07, 0.125, 0.19, 0.26, 0.33, 0.375, 0.41, 0.458,
        ];
        let mut program = keyed("look.drawn", &keys);
        for later in [false, true] {
            let mut way = keys.to_vec();
            match later {
                true => drop(way.remove(0)),
                false => way.reverse(),
            }
            for (number, key) in way.iter().enumerate() {
                program.perform(Command::GoToKey { later });
                program.wait("the key", |program| {
                    (program.track_time() - key).abs() < 0.5 / 60.0 + 1e-6
                });
                assert_eq!(program.key_time(), *key);
                let place = program.document.scene().place("look.drawn");
                let value = 0.2 + 0.01 * number as f64;
                program.perform(Command::Set {
                    place: place.expect("a number"),
                    value: Value::Float(value),
                    held: false,
                });
                let tracks = &program.document.scene().sim.tracks.keys;
                assert_eq!(tracks.times(), keys, "none lies beside another");
                let set = tracks.of("look.drawn").expect("keys").shown(*key);
                assert!((set - value).abs() < 1e-6, "{set} {value}");
            }
        }
    }

    #[test]
    fn a_step_near_a_key_stands_for_it_and_the_next_key_is_none_that_is_passed_over() {
        let mut program = keyed("look.drawn", &[0.36, 0.43]);
        // The step at 0.35: the key at 0.36 is nearer to the one after it.
        program.perform(Command::Seek(0.35));
        program.wait("the step", |program| {
            (program.track_time() - 0.35).abs() < 1e-6
        });
        assert_eq!(program.key_time(), program.track_time());
        program.perform(Command::GoToKey { later: true });
        assert_eq!(program.ui.keyed.gone_to, Some(0.36));
        program.wait("the key", |program| program.track_time() > 0.36);
        // Also who comes there step by step has the key.
        for command in [Command::Back, Command::Step] {
            let before = program.session.now().serial;
            program.perform(command);
            program.wait("a step", |program| program.session.now().serial != before);
        }
        assert_eq!(program.ui.keyed.gone_to, None);
        assert_eq!(program.key_time(), 0.36);
    }
}
