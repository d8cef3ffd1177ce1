//! A method that is too slow for this machine says so once, and offers what
//! would help.

use super::AppState;
use crate::{
    param::Value,
    project::sides::Side,
    sim::{
        StepParams,
        solver::{Method, SOLVERS, method},
    },
    ui::{command::Command, slow_notice::SlowNotice},
};
use std::time::{Duration, Instant};

/// How the message begins.
const TOO_MUCH: &str = "This machine moves";

/// Steps that take less than this share of the time that they show are not what is slow:
/// drawing is, or another program.
const HEAVY: f64 = 0.4;

/// Whatever it is about, it is not said again so soon: who has closed it knows.
const QUIET: Duration = Duration::from_secs(180);

impl AppState {
    /// Says that the hair moves too slowly, where it does.
    pub(super) fn watch_pace(&mut self) {
        let still = self.session.is_paused()
            || self.session.is_building()
            || self.session.playing().is_some()
            || self.session.recorder().is_recording();
        let step = &self.document.scene().sim.step;
        let (speed, rate) = (f64::from(step.speed), f64::from(step.rate));
        let now = self.session.now();
        let pace = now.real_time.map(|factor| factor / speed);
        let pace = pace.filter(|_| !still && self.session.built().is_some());
        let pace = pace.filter(|_| is_heavy(now.step_ms, rate * speed));
        let hair = self.session.built().map(|built| built.generation);
        let methods = self.methods().map(|method| method.map(|method| method.id));
        let about = (methods, hair, self.document.scene().sim.step.substeps());
        if self.ui.slow.about != about {
            self.forget_pace();
            self.ui.slow.about = about;
        }
        if self.ui.slow.is_over(pace, Instant::now()) {
            self.forget_pace();
        }
        let now = Instant::now();
        let said = self.ui.slow_told.is_some_and(|then| now - then < QUIET);
        if self.ui.slow.look(pace, now) && !said {
            self.ui.slow_told = Some(now);
            self.tell_slow();
        }
    }

    /// Another scene or method: what was said was said of the one before.
    pub(super) fn forget_pace(&mut self) {
        self.ui.slow = SlowNotice::default();
        self.ui.toasts.retract(TOO_MUCH);
    }

    /// The methods at work, of one side or of two.
    fn methods(&self) -> [Option<&'static Method>; 2] {
        let scene = self.document.scene();
        let second = scene.compare.on.then(|| scene.solver(Side::B));
        [Some(scene.solver(Side::A)), second].map(|id| id.and_then(method))
    }

    fn tell_slow(&mut self) {
        let names = self
            .methods()
            .into_iter()
            .flatten()
            .map(|method| method.name);
        let names = names.collect::<Vec<_>>().join(" and ");
        let strands = self
            .session
            .built()
            .map_or(0, |built| built.groom.strands());
        let text = format!(
            "{TOO_MUCH} {} strands by {names} at less than half the speed that is set.",
            crate::ui::numbers::grouped(strands)
        );
        let offers = self.offers(strands);
        self.ui.toasts.offer(text, offers);
    }

    /// What would make it faster, in words and as commands.
    fn offers(&self, strands: usize) -> Vec<(String, Command)> {
        let mut offers = Vec::new();
        let mut number = |name: &str, value: Value, words: String| {
            if let Some(place) = self.document.scene().place(name) {
                let held = false;
                offers.push((words, Command::Set { place, value, held }));
            }
        };
        let half = strands / 2;
        if half >= 100 {
            // Of a groom from a file so many are simulated, and the rest follows.
            let name = match self.document.scene().import.file.is_empty() {
                true => "roots.strands",
                false => "import.guides",
            };
            let words = format!("Use {} strands", crate::ui::numbers::grouped(half));
            number(name, Value::Int(half as i64), words);
        }
        let mut step = self.document.scene().sim.step.clone();
        let usual = StepParams {
            rate: step.rate,
            ..StepParams::default()
        };
        // As many as by default, or half of few.
        let fewer = match (step.substeps(), usual.substeps()) {
            (now, usual) if now > usual => usual,
            (now, _) => now / 2,
        };
        // Steps that keep pace as far as they can have fewer already.
        let reduced = self.session.now().substepping.is_some();
        if fewer > 0 && !reduced {
            step.set_substeps(fewer);
            let words = match fewer {
                1 => "Use 1 substep".into(),
                _ => format!("Use {fewer} substeps"),
            };
            let longer = Value::Float(f64::from(step.substep_ms));
            number("sim.substep_ms", longer, words);
        }
        // Two sides keep to no budget: they could not be compared.
        if !step.keep_pace && step.budget <= 0.0 && !self.document.scene().compare.on {
            number(
                "sim.keep_pace",
                Value::Bool(true),
                "Keep to real time".into(),
            );
        }
        // The first of the table is the one for speed. Who compares two methods wants those.
        let fast = &SOLVERS[0];
        let compares = self.document.scene().compare.on;
        if !compares && self.document.scene().solver(Side::A) != fast.id {
            offers.extend(self.document.scene().place("sim.solver").map(|place| {
                let value = Value::Text(fast.id.into());
                let held = false;
                (
                    format!("Use {}", fast.name),
                    Command::Set { place, value, held },
                )
            }));
        }
        offers
    }
}

/// Whether steps that take so long `[ms]`, so many a second, are a good part of it.
fn is_heavy(step_ms: f64, steps: f64) -> bool {
    1e-3 * step_ms * steps >= HEAVY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::sides::other_than;

    #[test]
    fn what_is_offered_is_less_work() {
        let mut program = AppState::small();
        program.document.scene_mut().sim.step.set_substeps(4);
        program.document.scene_mut().sim.step.keep_pace = false;
        let offers = program.offers(20_000);
        let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words,
            [
                "Use 10\u{a0}000 strands",
                "Use 2 substeps",
                "Keep to real time"
            ],
            "nothing is faster than the method at work"
        );
        for (_, command) in offers {
            program.perform(command);
        }
        let scene = program.document.scene();
        assert_eq!(scene.roots.strands, 10_000);
        assert_eq!(scene.sim.step.substeps(), 2);
        assert!(scene.sim.step.keep_pace);
        program.document.scene_mut().sim.step.keep_pace = false;
        program.document.scene_mut().compare.on = true;
        let offers = program.offers(20_000);
        let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words,
            ["Use 10\u{a0}000 strands", "Use 1 substep"],
            "no budget"
        );
        // Two methods are compared because they are these two.
        for id in ["ftl", "rod"] {
            program.document.scene_mut().sim.step.solver = id.into();
            let offers = program.offers(20_000);
            let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
            assert_eq!(words, ["Use 10\u{a0}000 strands", "Use 1 substep"], "{id}");
        }
        program.document.scene_mut().sim.step.solver = SOLVERS[0].id.into();
        program.document.scene_mut().compare.on = false;
        program.document.scene_mut().sim.step.keep_pace = true;
        program.perform(Command::Solver("rod"));
        program.document.scene_mut().sim.step.set_substeps(112);
        let offers = program.offers(150);
        assert_eq!(offers[0].0, "Use 4 substeps", "as by default");
        program.document.scene_mut().sim.step.set_substeps(1);
        program.document.scene_mut().import.file = "a.hair".into();
        let offers = program.offers(150);
        let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words,
            ["Use Position Based Dynamics"],
            "nothing else is left"
        );
    }

    #[test]
    fn steps_that_take_no_time_are_not_what_is_slow() {
        assert!(!is_heavy(0.2, 60.0) && !is_heavy(5.0, 60.0));
        assert!(is_heavy(20.0, 60.0) && is_heavy(8.0, 60.0));
    }

    #[test]
    fn what_was_said_of_one_method_goes_with_it() {
        let mut program = AppState::small();
        program.watch_pace();
        program.tell_slow();
        program.watch_pace();
        assert!(
            program.ui.toasts.shows(TOO_MUCH),
            "it stays with its method"
        );
        let other = other_than(program.document.scene().solver(Side::A));
        program.perform(Command::Solver(other.id));
        program.watch_pace();
        assert!(!program.ui.toasts.shows(TOO_MUCH));
    }
}
