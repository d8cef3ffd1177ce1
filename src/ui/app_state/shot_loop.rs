//! The shot that begins anew at its end.

use super::AppState;
use crate::{session::sim_handle::SimCommand, ui::timeline};

impl AppState {
    /// Lets time begin anew where the shot is over and *Loop* is on. A recording goes on, and
    /// so does what has no timeline to switch that off.
    pub(super) fn loop_shot(&mut self) {
        let (scene, session) = (self.document.scene(), &self.session);
        let over = timeline::shot_end(scene)
            .filter(|_| timeline::has_keys(scene) && session.playing().is_none())
            .is_some_and(|end| session.clip_time() >= end);
        let live = !session.is_paused() && !session.is_stopped();
        let plays = live && !session.recorder().is_recording();
        if !over {
            self.ui.keyed.sent_back = false;
        } else if plays && self.ui.timeline.looping() && !self.ui.keyed.sent_back {
            self.session.order(SimCommand::Reset);
            self.ui.keyed.sent_back = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::Command;

    /// One whose shot of a tenth of a second has keys.
    fn program() -> AppState {
        let mut program = AppState::small();
        program.session.pause();
        program.wait("hair", |program| program.session.built().is_some());
        let scene = program.document.scene_mut();
        scene.capture.seconds = 0.1;
        scene.sim.tracks.keys.set_key("look.drawn", 0.0, 0.5);
        program
    }

    #[test]
    fn a_shot_begins_anew_at_its_end_where_that_is_wanted() {
        let mut program = program();
        program.perform(Command::Pause);
        program.wait("time", |program| program.session.now().time > 0.2);
        program.perform(Command::LoopShot(true));
        // (The simulation's time is set back with the shot.)
        program.wait("the start", |program| program.session.now().time < 0.1);
        assert!(!program.session.is_paused());
        program.perform(Command::LoopShot(false));
        program.wait("time", |program| program.session.now().time > 0.2);
    }

    #[test]
    fn without_keys_an_end_or_time_that_goes_on_nothing_begins_anew() {
        let mut program = program();
        program.perform(Command::LoopShot(true));
        for _ in 0..9 {
            let before = program.session.now().serial;
            program.perform(Command::Step);
            program.wait("a step", |program| program.session.now().serial != before);
        }
        assert!(program.session.now().time > 0.14, "it stands still");
        program.document.scene_mut().capture.seconds = 0.0;
        program.perform(Command::Pause);
        program.wait("time", |program| program.session.now().time > 0.3);
        let scene = program.document.scene_mut();
        scene.capture.seconds = 0.1;
        scene.sim.tracks.keys = crate::param::Tracks::default();
        program.wait("time", |program| program.session.now().time > 0.5);
    }
}
