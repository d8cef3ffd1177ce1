//! What lies around the picture: the status line and the list of keys.

use super::{icons::Icon, keys, panel::grouped, program::Program, theme, worker::Snapshot};
use crate::sim::Statistics;
use egui::{
    Align, Align2, Context, Frame, Grid, Layout, Margin, Panel, RichText, Ui, Window, vec2,
};

/// How fast the window draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pulse {
    /// Frames a second while something moves.
    pub fps: f64,
    /// Time to draw one. `[ms]`
    pub frame_ms: f64,
}

/// The line along the lower edge.
pub fn status(
    ui: &mut Ui,
    program: &Program,
    state: &Status,
    pulse: Pulse,
    drawing: Option<&str>,
    still: Option<f32>,
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
                if let Some(recorded) = program.recorder().recorded() {
                    let light = if program.recorder().is_recording() {
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
                    fact(
                        ui,
                        &format!("{} frames", progress.written),
                        &format!("queue {}, {:.1} s", progress.queued, recorded.seconds),
                        "Frames written, frames waiting to be written, seconds of video",
                    );
                }
                if let Some(share) = still {
                    let text = format!("TAKING A PICTURE {:.0} %", 100.0 * share);
                    ui.label(RichText::new(text).small().strong().color(theme::ACCENT))
                        .on_hover_text("Averaged from as many as Recording says");
                }
                if program.is_paused() {
                    ui.label(
                        RichText::new("PAUSED")
                            .small()
                            .strong()
                            .color(theme::ACCENT),
                    );
                }
                if program.is_building() {
                    ui.label(
                        RichText::new(match program.reading() {
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
                fact(
                    ui,
                    &format!("{:.1} ms", state.step_ms),
                    "step",
                    "Time that one simulation step takes",
                );
                let real_time = match state.real_time {
                    Some(factor) => format!("{factor:.2}×"),
                    None => "–".into(),
                };
                fact(
                    ui,
                    &real_time,
                    "real time",
                    "Simulated seconds per second of yours",
                );
                fact(ui, &grouped(state.strands), "strands", "Strands simulated");
                fact(
                    ui,
                    &grouped(state.vertices),
                    "vertices",
                    "Vertices simulated",
                );
                fact(
                    ui,
                    &format!("{:.2} %", 100.0 * state.max_stretch),
                    "stretch",
                    "Largest lengthening of any segment",
                );
                fact(
                    ui,
                    &format!("{:.2} mm", 1000.0 * state.max_penetration),
                    "deep",
                    "Deepest vertex below the skin",
                );
                if ui.available_width() < 190.0 {
                    return;
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(RichText::new("F1 keys").small().color(theme::WEAK));
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

fn fact(ui: &mut Ui, value: &str, name: &str, help: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let value = ui.label(RichText::new(value).small().color(theme::TEXT));
        let name = ui.label(RichText::new(name).small().color(theme::WEAK));
        value.union(name).on_hover_text(help);
    });
}

/// The numbers of the status line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Status {
    step_ms: f64,
    real_time: Option<f64>,
    strands: usize,
    vertices: usize,
    max_stretch: f32,
    max_penetration: f32,
    put_back: u64,
}

impl Status {
    /// Takes them from a snapshot.
    pub fn of(snapshot: &Snapshot, strands: usize) -> Self {
        let first = &snapshot.measured.statistics;
        let second = snapshot.second.as_ref();
        let second = second.map(|second| &second.measured.statistics);
        // Of two sides the worse.
        let most = |of: fn(&Statistics) -> f32| second.map_or(0.0, of).max(of(first));
        Self {
            step_ms: snapshot.step_ms,
            real_time: snapshot.real_time,
            strands,
            vertices: snapshot.positions.len(),
            max_stretch: most(|measured| measured.max_stretch),
            max_penetration: most(|measured| measured.max_penetration),
            put_back: first.nonfinite + second.map_or(0, |measured| measured.nonfinite),
        }
    }
}

/// What fills the picture before there is a head.
pub fn curtain(ui: &Ui, viewport: egui::Rect) {
    let painter = ui.painter();
    painter.rect_filled(viewport, 0, theme::CURTAIN);
    painter.text(
        viewport.center(),
        Align2::CENTER_CENTER,
        "Growing hair …",
        egui::FontId::proportional(17.0),
        theme::TEXT,
    );
}

/// The list of keys; false when it was closed.
pub fn help(ctx: &Context, viewport: egui::Rect) -> bool {
    let mut open = true;
    Window::new(RichText::new("Keys and mouse").strong())
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(viewport.center())
        .show(ctx, |ui| {
            let rows: Vec<(&str, &str)> = keys::KEYS
                .iter()
                .filter(|binding| !binding.help.is_empty())
                .map(|binding| (binding.name, binding.help))
                .chain(keys::MOUSE.iter().copied())
                .collect();
            ui.horizontal_top(|ui| {
                // Two columns, for low windows.
                for (index, rows) in rows.chunks(rows.len().div_ceil(2)).enumerate() {
                    Grid::new(("keys", index))
                        .num_columns(2)
                        .spacing(vec2(16.0, 5.0))
                        .show(ui, |ui| {
                            for (name, what) in rows {
                                ui.label(RichText::new(*name).strong().color(theme::ACCENT));
                                ui.label(*what);
                                ui.end_row();
                            }
                        });
                    ui.add_space(14.0);
                }
            });
        });
    open
}
