//! What lies around the picture: the status line.

use super::{command::Command, icons::Icon, keys, numbers::grouped, theme};
use crate::math::counted;
use crate::{
    session::{Session, budget::Substepping, sim_handle::Snapshot},
    sim::Statistics,
};
use egui::{Align, Color32, Frame, Layout, Margin, Panel, RichText, Ui, vec2};

/// How fast the window draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameStats {
    /// Frames a second while something moves.
    pub fps: f64,
    /// Time to draw one. `[ms]`
    pub frame_ms: f64,
}

/// The line along the lower edge; `turns` says that the turntable does.
pub fn status(
    ui: &mut Ui,
    session: &Session,
    state: &Status,
    pulse: FrameStats,
    drawing: Option<&str>,
    still: Option<f32>,
    turns: bool,
) {
    Panel::bottom("status")
        .resizable(false)
        .exact_size(26.0)
        .frame(
            Frame::new()
                .fill(theme::GROUND)
                .inner_margin(Margin::symmetric(10, 3)),
        )
        .show(ui, |ui| {
            ui.horizontal_centered(|ui| {
                ui.spacing_mut().item_spacing.x = 14.0;
                if let Some(recorded) = session.recorder().recorded() {
                    let light = if session.recorder().is_recording() {
                        "REC"
                    } else {
                        "WRITING"
                    };
                    ui.scope(|ui| {
                        ui.spacing_mut().item_spacing.x = 4.0;
                        Icon::Record.small(ui, vec2(12.0, 16.0), theme::ERROR);
                        ui.label(RichText::new(light).small().strong().color(theme::ERROR));
                    });
                    let progress = recorded.progress;
                    let frames = match recorded.wanted {
                        Some(wanted) => format!("{} of {wanted} frames", progress.written),
                        None => counted(progress.written, "frame", "frames"),
                    };
                    fact(
                        ui,
                        &frames,
                        &format!("queue {}, {:.1} s", progress.queued, recorded.seconds),
                        "Frames written, frames waiting to be written, seconds of video",
                    );
                }
                if let Some([done, all]) = session.video() {
                    let share = 100 * u64::from(done) / u64::from(all.max(1));
                    let text = RichText::new(format!("VIDEO {share} %"));
                    ui.label(text.small().strong().color(theme::ACCENT))
                        .on_hover_text("Frames joined into a video; section Recording cancels");
                }
                if let Some(share) = still {
                    let (what, why) = match session.recorder().is_recording() {
                        true => (
                            "DRAWING A FRAME",
                            "In full quality for the recording; stopping does not wait for it",
                        ),
                        false => (
                            "TAKING A PICTURE",
                            "Averaged from as many as Recording says",
                        ),
                    };
                    let text = format!("{what} {:.0} %", 100.0 * share);
                    ui.label(RichText::new(text).small().strong().color(theme::ACCENT))
                        .on_hover_text(why);
                }
                if session.is_paused() {
                    ui.label(
                        RichText::new("PAUSED")
                            .small()
                            .strong()
                            .color(theme::ACCENT),
                    );
                }
                if session.is_stopped() {
                    ui.label(
                        RichText::new("STOPPED")
                            .small()
                            .strong()
                            .color(theme::ERROR),
                    )
                    .on_hover_text(
                        "A fault has ended the simulation. R, or any change of the scene, \
                             starts it again.",
                    );
                }
                if session.is_building() {
                    ui.label(
                        RichText::new(match session.reading() {
                            Some((done, all)) => format!("READING FRAME {done} OF {all}"),
                            None => "BUILDING".into(),
                        })
                        .small()
                        .strong()
                        .color(theme::ACCENT),
                    );
                }
                if state.put_back > 0 {
                    let count = grouped(usize::try_from(state.put_back).unwrap_or(usize::MAX));
                    let text = match state.put_back {
                        1 => "1 STRAND PUT BACK".into(),
                        _ => format!("{count} STRANDS PUT BACK"),
                    };
                    ui.label(RichText::new(text).small().strong().color(theme::ERROR))
                        .on_hover_text(
                            "So often a strand's numbers were not finite, and it was put back to \
                             its last good state. Milder parameters or more substeps help.",
                        );
                }
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
                if ui.available_width() < 190.0 {
                    return;
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(RichText::new("F1 keys").small().color(theme::WEAK));
                    if turns {
                        let key = keys::name_of(&Command::Toggle("camera.turntable"));
                        let text = RichText::new(format!("turntable ({key})"));
                        ui.label(text.small().color(theme::ACCENT))
                            .on_hover_text("The camera goes round the head until it is stopped");
                    }
                    if let Some(note) = drawing {
                        let note = RichText::new(note);
                        ui.label(note.small().color(theme::ACCENT)).on_hover_text(
                            "No graphics hardware was found, so the processor draws: the picture \
                             is coarser while something moves, and of very many strands some \
                             are left out. Recordings have everything.",
                        );
                    }
                });
            });
        });
}

/// Rate and substeps, in words.
fn substepping_words(substepping: &Substepping) -> String {
    let Substepping { rate, substeps } = substepping;
    match substeps {
        1 => format!("{rate} steps/s of 1 substep"),
        _ => format!("{rate} steps/s of {substeps} substeps"),
    }
}

/// Two words, the first one brighter.
fn fact(ui: &mut Ui, first: &str, second: &str, help: &str) {
    pair(ui, [(first, theme::TEXT), (second, theme::WEAK)], help);
}

/// A quantity, and what it is.
fn named(ui: &mut Ui, name: &str, value: &str, help: &str) {
    pair(ui, [(name, theme::WEAK), (value, theme::TEXT)], help);
}

fn pair(ui: &mut Ui, words: [(&str, Color32); 2], help: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut word = |(text, colour)| ui.label(RichText::new(text).small().color(colour));
        let [first, second] = words;
        let first = word(first);
        first.union(word(second)).on_hover_text(help);
    });
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
