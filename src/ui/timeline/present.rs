//! What stands right of the rail: the present time, and what it is counted in.

use crate::ui::{command::Command, theme, time_unit::TimeUnit};
use egui::{Align2, FontId, Response, Sense, Ui, vec2};

/// With less room for rail and time both are told more briefly. `[points]`
const ROOMY: f32 = 340.0;

/// The present time; `round` is how long a round of keys that repeat is. `[s]`
pub fn show(
    ui: &mut Ui,
    unit: TimeUnit,
    time: f64,
    round: Option<f64>,
    commands: &mut Vec<Command>,
) {
    let roomy = ui.available_width() >= ROOMY;
    // While time goes on, the nearest frame is told, too.
    let frame = unit.brief(unit.grid().nearest(time));
    let shown = match (unit, round) {
        (TimeUnit::Seconds, Some(round)) => number(ui, &format!("{time:.2} / {round:.2} s"), 92.0),
        (TimeUnit::Seconds, None) => number(ui, &unit.text(time), 92.0),
        (TimeUnit::Frames(_), _) if roomy => number(ui, &format!("{frame} · {time:.2} s"), 146.0),
        (TimeUnit::Frames(_), _) => {
            let lines = [frame, format!("{time:.2} s")];
            two_lines(ui, &lines, 70.0)
        }
    };
    let round = round.map(|round| format!(", of {}", unit.text(round)));
    shown.on_hover_text(format!(
        "Time since the keys began{}; they begin anew with R",
        round.unwrap_or_default()
    ));
    switch(ui, unit, roomy, commands);
}

/// Says what time is counted in; a click takes the other.
fn switch(ui: &mut Ui, unit: TimeUnit, roomy: bool, commands: &mut Vec<Command>) {
    let (long, short, on) = match unit {
        TimeUnit::Seconds => ("Seconds", "s", false),
        TimeUnit::Frames(_) => ("Frames", "f", true),
    };
    let help = match unit {
        TimeUnit::Seconds => {
            "Time is counted in seconds, and keys are put at hundredths of them. Click to count \
             frames"
                .into()
        }
        TimeUnit::Frames(rate) => format!(
            "Time is counted in frames, {rate:.0} a second (Frame rate in the section \
             Recording), and keys are put at whole ones; those between frames stay until they \
             are dragged. Click to count seconds"
        ),
    };
    let button = ui.small_button(if roomy { long } else { short });
    if button.on_hover_text(help).clicked() {
        commands.push(Command::ShowFrames(!on));
    }
}

/// Two lines in a place of their own width.
fn two_lines(ui: &mut Ui, lines: &[String; 2], width: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 28.0), Sense::hover());
    for (line, up) in lines.iter().zip([-6.5, 6.5]) {
        let at = rect.right_center() + vec2(0.0, up);
        let font = FontId::monospace(11.0);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, line, font, theme::TEXT);
    }
    response
}

/// A number in a place of its own width, so that nothing trembles.
pub fn number(ui: &mut Ui, text: &str, width: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        text,
        FontId::monospace(12.0),
        theme::TEXT,
    );
    response
}
