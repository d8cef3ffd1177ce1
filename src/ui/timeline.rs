//! The bar over the picture's lower edge: where in a cache one is, among the
//! head's keyframes, or how far one has gone back.

mod graph;
mod head_keys;
mod interpolations;
mod key_entry;
mod keys;
mod number_keys;
mod present;
mod rail;
mod shot_end;
#[cfg(test)]
mod shown;
pub mod state;
mod switches;
mod track_keys;

use super::{
    command::Command, icons::Icon, keys as keyboard, theme, time_unit::TimeUnit, ui_state::UiState,
};
use crate::{
    project::{document::Document, scene::Scene},
    session::{Session, cache_player::PlayPosition},
    sim::MotionPreset,
};
use egui::{
    Align, Area, Color32, Context, Frame, Id, Label, Layout, Margin, Pos2, Rect, RichText, Sense,
    Stroke, Ui, pos2, vec2,
};
use present::number;

pub use shot_end::end as shot_end;

/// No bar is wider. `[points]`
const WIDEST: f32 = 860.0;

/// Narrower pictures have no bar. `[points]`
const NARROWEST: f32 = 300.0;

const HEIGHT: f32 = 40.0;

/// How much of the picture's lower edge the bar takes. `[points]`
pub fn height(scene: &Scene, session: &Session) -> f32 {
    match has_keys(scene) || session.is_paused() || session.playing().is_some() {
        true => HEIGHT + 12.0,
        false => 0.0,
    }
}

/// What the graph of the number `graph` leaves of the picture, where it is shown.
pub fn above_graph(viewport: Rect, scene: &Scene, session: &Session, graph: Option<&str>) -> Rect {
    let shown = session.playing().is_none() && bar_width(viewport) >= NARROWEST;
    let height = match graph.filter(|_| shown) {
        Some(number) => graph_height(viewport, scene, number),
        None => 0.0,
    };
    viewport.with_max_y(viewport.bottom() - height)
}

/// How much higher the graph of that number makes the bar. `[points]`
fn graph_height(viewport: Rect, scene: &Scene, number: &str) -> f32 {
    match graph::is_shown(scene, number) {
        true => graph::height(viewport.height()),
        false => 0.0,
    }
}

/// How wide the bar is. `[points]`
fn bar_width(viewport: Rect) -> f32 {
    (viewport.width() - 24.0).min(WIDEST)
}

/// Whether there are keys to be seen: the head's where it moves by them, and those of numbers.
pub fn has_keys(scene: &Scene) -> bool {
    scene.sim.motion.preset == MotionPreset::Keyframes || !scene.sim.tracks.keys.is_empty()
}

/// What of the window's state the bar goes by.
#[derive(Clone, Copy)]
pub struct TimelineView<'a> {
    /// The number whose graph stands over the keys, where it has some, `section.key`.
    pub graph: Option<&'a str>,
    /// What time is counted in.
    pub unit: TimeUnit,
    /// The present time where keys are shown and set. `[s]`
    pub key_time: f64,
    /// Whether a camera with keys that is moved gets keys.
    pub auto_key: bool,
    /// Whether time begins anew at the shot's end.
    pub looping: bool,
    /// Whether a question or dialog is open, which has the keys to itself.
    pub asked: bool,
}

impl<'a> TimelineView<'a> {
    /// That of the window.
    pub fn of(ui: &'a UiState, scene: &Scene, session: &Session) -> Self {
        Self {
            graph: ui.keyed.graph.as_deref(),
            unit: ui.time_unit(scene),
            key_time: ui.key_time(scene, session),
            auto_key: ui.timeline.auto_key(),
            looping: ui.timeline.looping(),
            asked: ui.is_asked(),
        }
    }
}

/// Draws the bar where there is something to go through.
pub fn show(
    ctx: &Context,
    viewport: Rect,
    (document, session): (&Document, &Session),
    view: TimelineView,
    commands: &mut Vec<Command>,
) {
    let (scene, graph) = (document.scene(), view.graph);
    let now = session.now();
    let playing = now.playing.filter(|_| session.playing().is_some());
    let rewind = now
        .reach
        .filter(|_| session.is_paused() && playing.is_none());
    let keyed = playing.is_none() && has_keys(scene);
    let width = bar_width(viewport);
    if width < NARROWEST || (playing.is_none() && rewind.is_none() && !keyed) {
        return;
    }
    let above = above_graph(viewport, scene, session, graph);
    let higher = viewport.bottom() - above.bottom();
    let corner = pos2(
        viewport.center().x - 0.5 * width,
        above.bottom() - HEIGHT - 12.0,
    );
    Area::new(Id::unique("timeline"))
        .fixed_pos(corner)
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::GROUND.gamma_multiply(0.93))
                .stroke(Stroke::new(1.0, theme::FIELD))
                .corner_radius(7)
                .inner_margin(Margin::symmetric(8, 6))
                .show(ui, |ui| {
                    ui.set_width(width - 16.0);
                    ui.set_height(HEIGHT - 12.0 + higher);
                    let place = ui.max_rect().with_max_y(ui.max_rect().top() + higher);
                    ui.add_space(higher);
                    ui.horizontal_centered(|ui| {
                        ui.spacing_mut().item_spacing.x = 6.0;
                        if let Some(place) = playing {
                            played(ui, session, &place, commands);
                        } else if keyed {
                            let graph = graph.filter(|_| higher > 0.0);
                            let graph = graph.map(|number| (number, place));
                            keys::show(ui, (document, session), view, graph, commands);
                        } else if let Some(reach) = rewind {
                            chip(ui, "REWIND").on_hover_text(format!(
                                "The last {:.1} s are kept, in {:.0} of {} MB. Any of them goes \
                                 on from there; what you change first makes it go another way. \
                                 How much is kept: section Rewind",
                                reach.to - reach.from,
                                reach.memory,
                                scene.rewind.memory
                            ));
                            buttons(ui, session.is_paused(), commands);
                            let back = reach.to - now.time;
                            // Less than is shown of it is none.
                            let text = match back >= 0.005 {
                                true => format!("−{back:.2} s"),
                                false => "now".into(),
                            };
                            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                                number(ui, &text, 62.0).on_hover_text(format!(
                                    "Simulated time gone back by; shown is {:.2} s after the start",
                                    now.time
                                ));
                                let told = |time: f64| format!("−{:.2} s", reach.to - time);
                                track(ui, [reach.from, reach.to], now.time, &told, commands);
                            });
                        }
                    });
                });
        });
}

fn played(ui: &mut Ui, session: &Session, place: &PlayPosition, commands: &mut Vec<Command>) {
    let Some(playing) = session.playing() else {
        return;
    };
    chip(ui, "CACHE").on_hover_text(format!(
        "{}: {}.\nWhat is shown was simulated before: camera, look and light can be changed, \
         the hair's motion cannot",
        playing.path.display(),
        playing.told
    ));
    buttons(ui, session.is_paused(), commands);
    let colour = match place.looping {
        true => theme::ACCENT,
        false => theme::WEAK,
    };
    if Icon::Loop
        .small(ui, vec2(24.0, 26.0), colour)
        .on_hover_text(match place.looping {
            true => "Begins anew after the last frame; click to stop there",
            false => "Stops at the last frame; click to begin anew",
        })
        .clicked()
    {
        commands.push(Command::Loop(!place.looping));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if Icon::Close
            .small(ui, vec2(24.0, 26.0), theme::WEAK)
            .on_hover_text("Leave the cache: its scene goes on live, from rest")
            .clicked()
        {
            commands.push(Command::Leave);
        }
        let [first, last] = place.ends;
        number(ui, &format!("{} / {last}", place.frame), 88.0).on_hover_text(format!(
            "Frame shown, and the last one; {} frames a second",
            place.fps
        ));
        let time = |frame: u32| f64::from(frame) / place.fps;
        number(ui, &format!("{:.2} s", time(place.frame)), 54.0)
            .on_hover_text(format!("Simulated time, of {:.2} s", time(last)));
        let told = |time: f64| format!("{time:.2} s, frame {:.0}", time * place.fps);
        let ends = [time(first), time(last)];
        track(ui, ends, time(place.frame), &told, commands);
    });
}

/// The word at the left end.
fn chip(ui: &mut Ui, text: &str) -> egui::Response {
    Frame::new()
        .fill(theme::ACCENT_DIM)
        .corner_radius(4)
        .inner_margin(Margin::symmetric(6, 3))
        .show(ui, |ui| {
            let text = RichText::new(text).small().strong().color(theme::TEXT);
            ui.add(Label::new(text).selectable(false));
        })
        .response
}

/// Back to where the keyframes begin.
fn to_start(ui: &mut Ui, commands: &mut Vec<Command>) {
    let help = format!("Back to the start ({})", keyboard::name_of(&Command::Reset));
    let button = Icon::Restart.small(ui, vec2(24.0, 26.0), theme::TEXT);
    if button.on_hover_text(help).clicked() {
        commands.push(Command::Reset);
    }
}

fn buttons(ui: &mut Ui, paused: bool, commands: &mut Vec<Command>) {
    let go_on = match paused {
        true => (Icon::Play, "Go on from here"),
        false => (Icon::Pause, "Stand still"),
    };
    for ((icon, what), command) in [
        ((Icon::Back, "One step back"), Command::Back),
        (go_on, Command::Pause),
        ((Icon::Forward, "One step on"), Command::Step),
    ] {
        let help = format!("{what} ({})", keyboard::name_of(&command));
        let button = icon.small(ui, vec2(24.0, 26.0), theme::TEXT);
        if button.on_hover_text(help).clicked() {
            commands.push(command);
        }
    }
}

/// How near to an end of a rail a click means that end. `[points]`
const END: f32 = 4.0;

/// The time at `x` on a rail from one moment to another.
fn time_at(rail: Rect, [from, to]: [f64; 2], x: f32) -> f64 {
    if x >= rail.right() - END {
        return to;
    }
    if x <= rail.left() + END {
        return from;
    }
    let share = (x - rail.left()) / rail.width();
    from + f64::from(share) * (to - from)
}

/// What is left of the width: a rail, to be dragged along.
fn track(
    ui: &mut Ui,
    [from, to]: [f64; 2],
    at: f64,
    told: &dyn Fn(f64) -> String,
    commands: &mut Vec<Command>,
) {
    let width = (ui.available_width() - 4.0).max(40.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 26.0), Sense::click_and_drag());
    let rail = Rect::from_center_size(rect.center(), vec2(rect.width() - 14.0, 4.0));
    let span = (to - from).max(1e-9);
    let x = |time: f64| {
        let share = ((time - from) / span).clamp(0.0, 1.0);
        rail.left() + share as f32 * rail.width()
    };
    let time = |at: Pos2| time_at(rail, [from, to], at.x);
    let painter = ui.painter();
    painter.rect_filled(rail, 2, theme::FIELD);
    painter.rect_filled(rail.with_max_x(x(at)), 2, theme::ACCENT);
    // Whole seconds, while they are not a comb.
    if f64::from(rail.width()) / span > 7.0 {
        let mut second = from.ceil();
        while second <= to {
            let place = pos2(x(second), rail.bottom() + 5.0);
            painter.circle_filled(place, 1.1, theme::WEAK);
            second += 1.0;
        }
    }
    let hot = response.hovered() || response.dragged();
    let knob = pos2(x(at), rail.center().y);
    let radius = if hot { 7.0 } else { 6.0 };
    let edge = Stroke::new(1.0, Color32::from_black_alpha(120));
    painter.circle(knob, radius, theme::TEXT, edge);
    if (response.dragged() || response.clicked())
        && let Some(pointer) = response.interact_pointer_pos()
    {
        commands.push(Command::Seek(time(pointer)));
    }
    if let Some(pointer) = response.hover_pos() {
        response.on_hover_text_at_pointer(told(time(pointer)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_near_to_an_end_of_the_rail_means_that_end() {
        let rail = Rect::from_min_max(pos2(100.0, 0.0), pos2(500.0, 4.0));
        let at = |x| time_at(rail, [2.0, 10.0], x);
        assert_eq!([at(0.0), at(101.0), at(103.9)], [2.0; 3]);
        assert_eq!([at(496.5), at(499.0), at(900.0)], [10.0; 3]);
        assert_eq!(at(300.0), 6.0);
    }
}
