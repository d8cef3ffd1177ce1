//! A method that is too slow for this machine says so once, and offers what
//! would help.

use super::AppState;
use crate::{
    param::Value,
    project::compare::Side,
    sim::solver::{method, pbd, rod},
    ui::command::Command,
};
use std::time::{Duration, Instant};

/// Slower than this share of the speed that is wanted, hair no longer moves as
/// hair.
const TOO_SLOW: f64 = 0.5;

/// It must have been so slow for so long: building takes its time, too.
const FOR: Duration = Duration::from_secs(4);

/// How the message begins.
const TOO_MUCH: &str = "This machine moves";

/// Since when the hair moves too slowly, and whether that was said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slow {
    since: Option<Instant>,
    told: bool,
    /// Since when it moves well again after that was said.
    well: Option<Instant>,
}

impl Slow {
    /// Looks at simulated over real time; none where the hair does not move by
    /// itself. True when it is time to say something.
    fn look(&mut self, pace: Option<f64>, now: Instant) -> bool {
        let Some(_) = pace.filter(|pace| *pace < TOO_SLOW) else {
            self.since = None;
            return false;
        };
        let since = *self.since.get_or_insert(now);
        let long = now.saturating_duration_since(since) >= FOR;
        long && !std::mem::replace(&mut self.told, true)
    }
}

impl Slow {
    /// Whether what was said has not been true for a while, or was said of
    /// something else.
    fn is_over(&mut self, pace: Option<f64>, now: Instant) -> bool {
        match pace {
            Some(pace) if self.told && pace >= TOO_SLOW => {
                let well = *self.well.get_or_insert(now);
                now.saturating_duration_since(well) >= FOR
            }
            _ => {
                self.well = None;
                false
            }
        }
    }
}

impl AppState {
    /// Says that the hair moves too slowly, where it does.
    pub(super) fn watch_pace(&mut self) {
        let still = self.session.is_paused()
            || self.session.is_building()
            || self.session.playing().is_some()
            || self.session.recorder().is_recording();
        let speed = f64::from(self.document.scene().sim.step.speed);
        let pace = self.session.now().real_time.map(|factor| factor / speed);
        let pace = pace.filter(|_| !still && self.session.built().is_some());
        if self.slow.is_over(pace, Instant::now()) {
            self.forget_pace();
        }
        if self.slow.look(pace, Instant::now()) {
            self.tell_slow(pace.unwrap_or_default());
        }
    }

    /// Another scene or method: what was said was said of the one before.
    pub(super) fn forget_pace(&mut self) {
        self.slow = Slow::default();
        self.toasts.retract(TOO_MUCH);
    }

    fn tell_slow(&mut self, pace: f64) {
        let step = &self.document.scene().sim.step;
        let name = method(&step.solver).map_or(step.solver.as_str(), |method| method.name);
        let strands = self
            .session
            .built()
            .map_or(0, |built| built.groom.strands());
        let text = format!(
            "{TOO_MUCH} {} strands by {name} at {pace:.2} of real time. What helps:",
            crate::ui::numbers::grouped(strands)
        );
        let offers = self.offers(strands);
        self.toasts.offer(text, offers);
    }

    /// What would make it faster, in words and as commands.
    fn offers(&self, strands: usize) -> Vec<(String, Command)> {
        let mut offers = Vec::new();
        let mut number = |name: &str, value: usize, words: String| {
            if let Some(place) = self.document.scene().place(name) {
                let value = Value::Int(value as i64);
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
            let words = format!("{} strands", crate::ui::numbers::grouped(half));
            number(name, half, words);
        }
        let substeps = self.document.scene().sim.step.substeps;
        if substeps > 1 {
            let fewer = substeps / 2;
            let words = match fewer {
                1 => "1 substep".into(),
                _ => format!("{fewer} substeps"),
            };
            number("sim.substeps", fewer as usize, words);
        }
        let other = match self.document.scene().solver(Side::A) {
            rod::ID => pbd::ID,
            _ => rod::ID,
        };
        if let Some(method) = method(other) {
            offers.push((method.name.into(), Command::Solver(method.id)));
        }
        offers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowness_is_told_once_after_a_while() {
        let (mut slow, begun) = (Slow::default(), Instant::now());
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        assert!(!slow.look(Some(0.2), at(0)) && !slow.look(Some(0.2), at(3)));
        // Fast enough in between, or nothing to judge by: it begins anew.
        assert!(!slow.look(Some(0.8), at(4)) && !slow.look(Some(0.2), at(5)));
        assert!(!slow.look(None, at(8)) && !slow.look(Some(0.2), at(9)));
        assert!(!slow.look(Some(0.4), at(12)));
        assert!(slow.look(Some(0.4), at(13)));
        for second in 14..30 {
            assert!(!slow.look(Some(0.1), at(second)), "told already");
        }
        slow = Slow::default();
        assert!(!slow.look(Some(0.1), at(30)) && slow.look(Some(0.1), at(34)));
    }

    #[test]
    fn what_is_offered_is_less_work() {
        let mut program = AppState::small();
        program.scene_mut().sim.step.substeps = 4;
        let offers = program.offers(20_000);
        let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words,
            ["10\u{2009}000 strands", "2 substeps", "Kirchhoff rod"]
        );
        for (_, command) in offers {
            program.perform(command);
        }
        let scene = program.scene();
        assert_eq!(scene.roots.strands, 10_000);
        assert_eq!(scene.sim.step.substeps, 2);
        assert_eq!(scene.sim.step.solver, "rod");
        program.scene_mut().sim.step.substeps = 1;
        program.scene_mut().import.file = "a.hair".into();
        let offers = program.offers(150);
        let words: Vec<&str> = offers.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["Position Based Dynamics"], "nothing else is left");
    }
}
