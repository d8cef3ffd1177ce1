//! The bar at the top of the panel: which method moves the hair and what it is
//! for, and what is compared with it.

use super::{
    caption, command::Command, icons::Icon, keys, side_names::side_names, theme, widgets::named,
};
use crate::{
    param::Value,
    project::{scene::Scene, sides::Side},
    sim::solver::{SOLVERS, method},
};
use egui::{
    Align2, Button, Color32, FontId, Frame, Margin, Popup, PopupCloseBehavior, Rect, Response,
    RichText, Sense, Stroke, TextStyle, Ui, pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};

/// Height of a tab. `[points]`
const HEIGHT: f32 = 26.0;
/// Height of the menu, which has two lines. `[points]`
const MENU: f32 = 38.0;

/// Width of the open menu. `[points]`
const WIDE: f32 = 300.0;

/// Draws the bar; `shown` is the side whose parameters the panel shows.
pub fn show(ui: &mut Ui, scene: &Scene, shown: Side, commands: &mut Vec<Command>) {
    let key = keys::name_of(&Command::Compare);
    if !scene.compare.on {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let button = 92.0;
            let width = ui.available_width() - button - 14.0;
            menu(ui, width, scene, Side::A, commands);
            if ui
                .add_sized([button, MENU], Button::new("Side by side"))
                .on_hover_text(format!(
                    "Put a second method beside this one, or the same with other parameters: \
                     same hair, head, wind and clock ({key})"
                ))
                .clicked()
            {
                commands.push(Command::Compare);
            }
        });
        return;
    }
    Frame::new()
        .fill(theme::RAISED)
        .corner_radius(6)
        .inner_margin(Margin::same(5))
        .outer_margin(Margin {
            right: 8,
            ..Margin::ZERO
        })
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
            ui.horizontal(|ui| {
                let width = (ui.available_width() - 5.0) / 2.0;
                for side in Side::BOTH {
                    if tab(ui, width, scene, side, side == shown).clicked() {
                        commands.push(Command::ShowSide(side));
                    }
                }
            });
            ui.horizontal(|ui| {
                let copy = 88.0;
                let width = ui.available_width() - copy - HEIGHT - 10.0;
                menu(ui, width, scene, shown, commands);
                if ui
                    .add_sized([copy, MENU], Button::new("Copy A to B"))
                    .on_hover_text("Give B the method and all its parameters of A")
                    .clicked()
                {
                    commands.push(Command::MatchSides);
                }
                if Icon::Close
                    .button(ui, vec2(HEIGHT, MENU), theme::WEAK)
                    .on_hover_text(format!("End the comparison; A goes on alone ({key})"))
                    .clicked()
                {
                    commands.push(Command::Compare);
                }
            });
        });
}

/// The tab of a side: letter and method, underlined where its parameters are
/// the ones that are shown.
fn tab(ui: &mut Ui, width: f32, scene: &Scene, side: Side, on: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
    let hot = response.hovered();
    let fill = match (on, hot) {
        (true, _) => theme::FIELD,
        (false, true) => Color32::from_rgb(45, 47, 52),
        (false, false) => theme::GROUND,
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 4, fill);
    let colour = caption::colour(side.index());
    let centre = pos2(rect.left() + 14.0, rect.center().y - 0.5);
    caption::chip(painter, centre, 16.0, side.index(), side.letter());
    let text = if on { theme::TEXT } else { theme::WEAK };
    let name = &side_names(scene)[side.index()];
    let format = TextFormat::simple(FontId::proportional(12.5), text);
    let mut job = LayoutJob::single_section(name.clone(), format);
    job.wrap = TextWrapping::truncate_at_width(rect.width() - 34.0);
    let words = painter.layout_job(job);
    let place = pos2(rect.left() + 28.0, centre.y - 0.5 * words.size().y);
    painter.galley(place, words, text);
    if on {
        let line = rect.left() + 5.0..=rect.right() - 5.0;
        painter.hline(line, rect.bottom() - 1.0, Stroke::new(2.0, colour));
    }
    let letter = side.letter();
    response.on_hover_text(format!("The sliders below are those of {letter}: {name}"))
}

/// The menu of methods of a side, with what each is for and its key.
fn menu(ui: &mut Ui, width: f32, scene: &Scene, side: Side, commands: &mut Vec<Command>) {
    let now = scene.solver(side);
    let (name, purpose) = method(now).map_or((now, ""), |method| (method.name, method.purpose));
    let (rect, response) = ui.allocate_exact_size(vec2(width, MENU), Sense::click());
    let style = ui.style().interact(&response);
    ui.painter().rect_filled(rect, 4, style.weak_bg_fill);
    let line = |text: &str, size: TextStyle, colour: Color32, middle: f32| {
        let format = TextFormat::simple(size.resolve(ui.style()), colour);
        let mut job = LayoutJob::single_section(text.into(), format);
        job.wrap = TextWrapping::truncate_at_width(width - 30.0);
        let words = ui.painter().layout_job(job);
        let place = pos2(rect.left() + 9.0, middle - 0.5 * words.size().y);
        ui.painter().galley(place, words, colour);
    };
    let middle = rect.center().y;
    line(name, TextStyle::Button, style.text_color(), middle - 8.0);
    line(purpose, TextStyle::Small, theme::WEAK, middle + 8.5);
    let arrow = Rect::from_center_size(pos2(rect.right() - 13.0, rect.center().y), vec2(9.0, 6.0));
    let corners = vec![arrow.left_top(), arrow.right_top(), arrow.center_bottom()];
    let triangle = egui::Shape::convex_polygon(corners, style.text_color(), Stroke::NONE);
    ui.painter().add(triangle);
    let about = method(now).map_or("", |method| method.about);
    let response = response.on_hover_text(format!("The method that moves the hair\n{about}"));
    Popup::menu(&response)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .width(width.max(WIDE))
        .show(|ui| {
            for method in SOLVERS.iter() {
                let key = keys::name_of(&Command::Solver(method.id));
                let key = RichText::new(key).color(theme::WEAK);
                let text = named(ui, method.name, method.purpose);
                let entry = Button::selectable(method.id == now, text)
                    .shortcut_text(key)
                    .min_size(vec2(width.max(WIDE) - 14.0, 24.0));
                let help = format!("{}\n{}", method.source, method.about);
                if ui.add(entry).on_hover_text(help).clicked() && method.id != now {
                    let name = ["sim.solver", "b.sim.solver"][side.index()];
                    if let Some(place) = scene.place(name) {
                        commands.push(Command::Set {
                            place,
                            value: Value::Text(method.id.into()),
                            held: false,
                        });
                    }
                }
            }
        });
}

/// The letter of a side at the right end of a section's head.
pub fn badge(ui: &Ui, head: Rect, side: Side, room: f32) {
    let centre = pos2(head.right() - room, head.center().y);
    caption::chip(ui.painter(), centre, 15.0, side.index(), side.letter());
}

/// A word where a plot or a table would be.
pub fn note(ui: &Ui, rect: Rect, text: &str) {
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(13.0),
        theme::WEAK,
    );
}
