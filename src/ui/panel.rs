//! The panel: the controls that are wanted first, and every section of the
//! scene, drawn from its declarations.
//!
//! It changes nothing itself; it answers with commands.

mod basic;
pub mod cost;
pub mod input;
mod keyed;
pub(super) mod method_notes;
mod recording;
mod roots;
mod search;
mod section;
mod solvers;
mod source_row;
mod starts;
pub mod state;
mod synonyms;
mod table;
mod take;
mod toolbar;

pub use state::{PanelState, Tab};
pub use table::{SECTIONS, Section};

use super::{bar, command::Command, icons::Icon, keys, panel_size, tabs, theme, widgets::tooltip};
use crate::project::{scene::Scene, sides::Side};
use egui::{
    Align, Frame, Key, Layout, Margin, Panel, Rect, RichText, ScrollArea, TextEdit, Ui, vec2,
};
use input::PanelInput;
use keyed::KeysNow;
use search::{Query, typed, typed_id};
use section::{Shown, Source};

/// Its name among the panels of the window.
const NAME: &str = "panel";

/// Its width until it is dragged. `[points]`
const WIDTH: f32 = 344.0;

/// In a narrower one rows stick out. `[points]`
const NARROWEST: f32 = 332.0;

/// Room beside the rows, at the panel's left edge. `[points]`
const EDGE: f32 = 10.0;

/// Draws the panel along the right edge.
pub fn show(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let state = &input.ui.panel;
    panel_size::restore(ui, NAME, WIDTH);
    let panel = Panel::right(NAME)
        .resizable(true)
        .default_size(WIDTH)
        .size_range(NARROWEST..=560.0)
        .frame(Frame::new().fill(theme::GROUND).inner_margin(Margin {
            left: EDGE as i8,
            right: 6,
            top: 8,
            bottom: 0,
        }))
        .show(ui, |ui| {
            let place = ui.max_rect().expand2(vec2(EDGE, 0.0));
            tooltip::keep_clear(ui.ctx(), tooltip::Rows::Panel, place);
            toolbar::show(ui, input.session, input.history, input.ui.page, commands);
            ui.add_space(3.0);
            bar::show(ui, input.scene, input.side(), commands);
            ui.add_space(3.0);
            method_notes::show(ui, input, commands);
            head_line(ui, state, commands);
            ui.add_space(5.0);
            let query = Query::new(&typed(ui.ctx()));
            let what = match (&query, state.tab()) {
                (Some(_), _) => "found",
                (None, Tab::Basic) => "basic",
                (None, Tab::All) => "all",
            };
            let area = ScrollArea::vertical()
                .id_salt(what)
                .auto_shrink([false, false]);
            // What is found first stands on top, wherever the last search was left.
            let area = match search::is_new(ui.ctx()) {
                true => area.vertical_scroll_offset(0.0),
                false => area,
            };
            let shown = area.show(ui, |ui| {
                // Room for the scroll bar, whether it shows or not.
                let margin = Margin {
                    right: 8,
                    bottom: 12,
                    ..Margin::ZERO
                };
                Frame::new()
                    .inner_margin(margin)
                    .show(ui, |ui| match (&query, state.tab()) {
                        (Some(query), _) => found(ui, query, input, commands),
                        (None, Tab::Basic) => basic::show(ui, input, commands),
                        (None, Tab::All) => sections(ui, input, commands),
                    });
            });
            #[cfg(test)]
            note_room(ui.ctx(), shown.content_size.y, shown.inner_rect.height());
            #[cfg(not(test))]
            let _ = shown;
        });
    panel_size::keep(ui, NAME, panel.response.rect.width());
}

/// Draws the rows of these parameters (`section.key`), which have no keys over time,
/// elsewhere than in the panel.
pub fn rows(ui: &mut Ui, scene: &Scene, names: &[&str], commands: &mut Vec<Command>) {
    for name in names {
        section::with_row(scene, Side::A, name, |from| {
            section::row(ui, from, KeysNow::NONE, commands)
        });
    }
}

/// The line that says what is shown, with the field that finds a parameter.
fn head_line(ui: &mut Ui, state: &PanelState, commands: &mut Vec<Command>) {
    let mut text = typed(ui.ctx());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (tab, name) in Tab::BOTH {
            let on = text.trim().is_empty() && state.tab() == tab;
            if tabs::tab(ui, name, on).clicked() {
                text.clear();
                commands.push(Command::ShowTab(tab));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            search_field(ui, state.finds(), &mut text);
        });
    });
    ui.data_mut(|data| data.insert_temp(typed_id(), text));
}

/// Whether the search field was asked for and has not got the keys yet: the frame that gives
/// them to it is still to come.
pub fn awaits_search(ctx: &egui::Context, state: &PanelState) -> bool {
    let answered = ctx.data(|data| data.get_temp(typed_id().with("field")));
    state.finds() != answered.unwrap_or(0)
}

/// The field itself; `finds` is how often its key was pressed.
fn search_field(ui: &mut Ui, finds: u32, text: &mut String) {
    let id = typed_id().with("field");
    // The key was pressed since the last frame: what was typed after it is meant for the field.
    let answered = ui.data(|data| data.get_temp(id)).unwrap_or(0);
    if finds != answered {
        ui.memory_mut(|memory| memory.request_focus(id));
        ui.data_mut(|data| data.insert_temp(id, finds));
    }
    let key = keys::name_of(&Command::Find);
    let field = TextEdit::singleline(text)
        .id(id)
        .hint_text(format!("Search ({key})"));
    let width = ui.available_width() - 4.0;
    let field = ui.add_sized([width, 22.0], field).on_hover_text(format!(
        "Finds parameters by name, by key as scene files have it, and by words of the tooltip \
         ({key}; Esc ends the search)"
    ));
    if !text.is_empty() {
        let place = Rect::from_center_size(
            egui::pos2(field.rect.right() - 11.0, field.rect.center().y),
            vec2(16.0, 16.0),
        );
        let builder = egui::UiBuilder::new()
            .max_rect(place)
            .scope_id(id.with("clear"));
        let mut part = ui.new_child(builder);
        if Icon::Close
            .small(&mut part, vec2(16.0, 16.0), theme::WEAK)
            .clicked()
        {
            text.clear();
        }
    }
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        text.clear();
    }
    // Who drags what was found has done with words: keys are commands again.
    if !field.contains_pointer() && ui.input(|input| input.pointer.any_pressed()) {
        field.surrender_focus();
    }
}

/// Every section, under headers that fold.
fn sections(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let all = input.scene.sections();
    // Of the methods only the one at work, and what it uses.
    for section in SECTIONS
        .iter()
        .filter(|section| !section::is_idle(section, input.method()))
    {
        let source = Source::of(input.scene, input.side(), &all, section.id);
        section::draw(ui, section, source, Shown::Foldable, input, commands);
    }
}

/// What answers a search, of all methods: the best answers first, else in the panel's
/// order.
fn found(ui: &mut Ui, query: &Query, input: PanelInput, commands: &mut Vec<Command>) {
    let all = input.scene.sections();
    let sections = SECTIONS.iter().filter_map(|section| {
        let source = Source::of(input.scene, input.side(), &all, section.id);
        let how = section::found(section, source.as_ref(), input, query)?;
        Some((how, section, source))
    });
    let mut sections: Vec<_> = sections.collect();
    sections.sort_by_key(|(how, ..)| *how);
    let any = !sections.is_empty();
    for (_, section, source) in sections {
        section::draw(ui, section, source, Shown::Found(query), input, commands);
    }
    if any {
        return;
    }
    ui.add_space(8.0);
    let meant = query.nearest(&SECTIONS, &all);
    ui.label(
        RichText::new("No parameter has that in its name, key or tooltip.").color(theme::WEAK),
    );
    if let Some(meant) = meant
        && ui
            .link(format!("Did you mean \u{201c}{meant}\u{201d}?"))
            .clicked()
    {
        ui.data_mut(|data| data.insert_temp(typed_id(), meant));
    }
}

/// Notes how high the panel's content is and how much of it is seen.
#[cfg(test)]
fn note_room(ctx: &egui::Context, content: f32, seen: f32) {
    ctx.data_mut(|data| data.insert_temp(egui::Id::unique("room"), [content, seen]));
}

#[cfg(test)]
mod drags;
#[cfg(test)]
mod labels;

#[cfg(test)]
mod tests {
    use super::{
        table::{BODIES, VALIDATION},
        *,
    };
    use crate::project::scene::Scene;

    #[test]
    fn every_section_of_the_scene_is_in_the_panel_once() {
        let scene = Scene::default();
        let mut wanted: Vec<_> = scene.sections().iter().map(|s| s.section()).collect();
        let mut shown: Vec<_> = SECTIONS.iter().map(|section| section.id).collect();
        shown.retain(|id| ![VALIDATION, BODIES].contains(id));
        // The bar at the top has the switch; the sections of the method show
        // either side's values.
        wanted.retain(|id| *id != "compare" && !id.starts_with("b."));
        wanted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(wanted, shown);
    }
}
