//! The numbers of the status line: how fast all goes, how much hair there is, and how far
//! it is from what it should be.

use super::words::{badge, fact, named};
use crate::{
    session::{budget::Substepping, sim_handle::Snapshot},
    sim::Statistics,
    ui::{numbers::grouped, theme},
};
use egui::{RichText, Ui};

/// How fast the window draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameStats {
    /// Frames a second while something moves.
    pub fps: f64,
    /// Time to draw one. `[ms]`
    pub frame_ms: f64,
}

/// The numbers of the status line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Status {
    step_ms: f64,
    substepping: Option<Substepping>,
    real_time: Option<f64>,
    strands: usize,
    following: usize,
    vertices: usize,
    max_stretch: f32,
    max_shortening: f32,
    max_penetration: f32,
    put_back: u64,
}

impl Status {
    /// Takes them from a snapshot of so many simulated `strands` and `following` ones.
    pub fn of(snapshot: &Snapshot, strands: usize, following: usize) -> Self {
        let first = &snapshot.measured.statistics;
        let second = snapshot.second.as_ref();
        let second = second.map(|second| &second.measured.statistics);
        // Of two sides the worse.
        let most = |of: fn(&Statistics) -> f32| second.map_or(0.0, of).max(of(first));
        Self {
            step_ms: snapshot.step_ms,
            substepping: snapshot.substepping,
            real_time: snapshot.real_time,
            strands,
            following,
            vertices: snapshot.positions.len(),
            max_stretch: most(|measured| measured.max_stretch),
            max_shortening: most(|measured| measured.max_shortening),
            max_penetration: most(|measured| measured.max_penetration),
            put_back: first.nonfinite + second.map_or(0, |measured| measured.nonfinite),
        }
    }
}

/// All of them.
pub(super) fn show(ui: &mut Ui, state: &Status, pulse: FrameStats) {
    put_back(ui, state.put_back);
    speed(ui, state, pulse);
    hair(ui, state);
    errors(ui, state);
}

/// How often a strand had to be put back, if any had.
fn put_back(ui: &mut Ui, times: u64) {
    if times == 0 {
        return;
    }
    let count = grouped(usize::try_from(times).unwrap_or(usize::MAX));
    let text = match times {
        1 => "1 STRAND PUT BACK".into(),
        _ => format!("{count} STRANDS PUT BACK"),
    };
    badge(ui, text, theme::ERROR).on_hover_text(
        "So often a strand's numbers were not finite, and it was put back to \
         its last good state. Milder parameters or more substeps help.",
    );
}

/// How long a picture and a step take, and how fast the simulation is for it.
fn speed(ui: &mut Ui, state: &Status, pulse: FrameStats) {
    fact(
        ui,
        &format!("{:.0} fps", pulse.fps),
        &format!("{:.1} ms", pulse.frame_ms),
        "Pictures a second while something moves, and the time to draw one",
    );
    named(
        ui,
        "step",
        &format!("{:.1} ms", state.step_ms),
        "Time that one simulation step takes",
    );
    if let Some(substepping) = &state.substepping {
        let text = RichText::new(substepping_words(substepping));
        ui.label(text.small().color(theme::ACCENT)).on_hover_text(
            "Rate and substeps, reduced so that hair moves in real time on this \
             machine (sim.keep_pace), or within a time budget (sim.budget). Full \
             quality returns when there is time; recordings always have it.",
        );
    }
    let real_time = match state.real_time {
        Some(factor) => format!("{factor:.2}×"),
        None => "–".into(),
    };
    named(
        ui,
        "real time",
        &real_time,
        "Simulated seconds per second of yours",
    );
}

/// How many strands and vertices there are.
fn hair(ui: &mut Ui, state: &Status) {
    let (strands, hint) = match state.following {
        0 => (grouped(state.strands), "Strands simulated"),
        following => (
            format!("{} + {}", grouped(state.strands), grouped(following)),
            "Strands simulated, and strands of the file that follow them",
        ),
    };
    named(ui, "strands", &strands, hint);
    named(
        ui,
        "vertices",
        &grouped(state.vertices),
        "Vertices simulated",
    );
}

/// How far segments are from their length, and vertices under the skin.
fn errors(ui: &mut Ui, state: &Status) {
    named(
        ui,
        "length",
        &format!(
            "+{:.2} −{:.2} %",
            100.0 * state.max_stretch,
            100.0 * state.max_shortening
        ),
        "Largest lengthening and shortening of any segment",
    );
    named(
        ui,
        "penetration",
        &format!("{:.2} mm", 1000.0 * state.max_penetration),
        "Deepest vertex below the skin",
    );
}

/// Rate and substeps, in words.
fn substepping_words(substepping: &Substepping) -> String {
    let Substepping { rate, substeps } = substepping;
    match substeps {
        1 => format!("{rate} steps/s of 1 substep"),
        _ => format!("{rate} steps/s of {substeps} substeps"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_counts_substeps() {
        let words = |substeps| substepping_words(&Substepping { rate: 60, substeps });
        assert_eq!(words(1), "60 steps/s of 1 substep");
        assert_eq!(words(2), "60 steps/s of 2 substeps");
    }
}
