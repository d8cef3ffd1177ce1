//! One section of the panel: its header, what stands above its rows, its rows.

use super::{
    input::PanelInput,
    keyed::KeysNow,
    search::{Query, stop_search},
    source_row::SourceRow,
    starts,
    state::Tab,
    table::Section,
};
use crate::{
    io::scene::takes_file,
    param::{Params, Tunable},
    project::{effect, scene::Scene, sides::Side},
    sim::solver::{Method, SOLVERS},
    ui::{
        bar,
        command::Command,
        groom_rows, keys, theme,
        widgets::{Choice, SliderRow, reset_arrow},
    },
};
use egui::{
    Align, Align2, FontId, Frame, Id, Margin, Rect, Response, RichText, Sense, Ui, UiBuilder,
    collapsing_header::{CollapsingState, paint_default_icon},
    pos2, vec2,
};

/// Where the rows of a section come from: on the second side from its own set,
/// as far as it has one.
pub(super) struct Source<'a> {
    /// The section that is reset as a whole.
    number: usize,
    /// Its rows.
    pub rows: Vec<SourceRow<'a>>,
    /// The side whose values these are; none where both have the same.
    side: Option<Side>,
}

impl<'a> Source<'a> {
    /// The rows of the section `id`, if the scene has it, on that side; `all` are its
    /// sections.
    pub fn of(scene: &Scene, side: Side, all: &[&'a dyn Params], id: &str) -> Option<Self> {
        let number = all.iter().position(|params| params.section() == id)?;
        let params = all[number];
        let second = all
            .iter()
            .position(|other| other.section() == params.second());
        let own = second.filter(|_| side == Side::B);
        let row = |(index, tunable): (usize, Tunable)| {
            let mine = own.and_then(|own| {
                let mut theirs = all[own].tunables().into_iter();
                Some((own, theirs.position(|t| t.key == tunable.key)?))
            });
            let place = mine.unwrap_or((number, index));
            (place, all[place.0], tunable)
        };
        let tunables = params.tunables().into_iter().enumerate();
        Some(Self {
            number: own.unwrap_or(number),
            rows: tunables.map(row).collect(),
            side: second.filter(|_| scene.compare.on).map(|_| side),
        })
    }

    /// Whether a reset of the section would change anything.
    fn differs(&self) -> bool {
        let mut own = self.rows.iter().filter(|row| row.0.0 == self.number);
        own.any(|(place, params, tunable)| params.get(place.1) != tunable.default)
    }
}

/// How a section is shown.
#[derive(Clone, Copy)]
pub(super) enum Shown<'a> {
    /// Whole, under a header that folds it.
    Foldable,
    /// As far as it answers a search; a click on its header shows it whole.
    Found(&'a Query),
}

/// Whether the section is of another method than the one at work, `now`.
pub(super) fn is_idle(section: &Section, now: &Method) -> bool {
    effect::is_of_another_method(section.id, now)
}

/// Whether a row of the section is in the panel: lists and brushes of their own
/// show the others.
fn is_shown(section: &Section, scene: &Scene, key: &str) -> bool {
    let elsewhere = ["keyframes", "sequence"].contains(&key)
        || key.starts_with("painted")
        || section.id == "tracks";
    let concerns = match section.id {
        "look" => effect::counts_in_look(&scene.look, scene.head.file.is_empty(), key),
        "light" => effect::counts_in_light(&scene.light, key),
        _ => true,
    };
    !elsewhere && concerns
}

/// How well a section answers a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    /// By what one of its rows is called.
    Name,
    /// By words of a tooltip, or by what stands above or under its rows.
    Words,
    /// As one of these, but of a method that is not at work.
    Idle,
}

/// How well a section answers a search, if it does.
pub(super) fn found(
    section: &Section,
    source: Option<&Source>,
    input: PanelInput,
    query: &Query,
) -> Option<Match> {
    let rows = source.map_or(&[][..], |source| &source.rows);
    let shown = rows
        .iter()
        .filter(|row| is_shown(section, input.scene, row.2.key));
    let found: Vec<_> = shown
        .filter(|row| query.finds(section, &row.2))
        .map(|row| query.names(section, &row.2))
        .collect();
    let extras = section.extra.is_some() || section.below.is_some();
    if found.is_empty() && !(extras && query.asks_for_extras(section)) {
        return None;
    }
    Some(match found.contains(&true) {
        _ if is_idle(section, input.method()) => Match::Idle,
        true => Match::Name,
        false => Match::Words,
    })
}

/// Where the panel notes which section to scroll to.
fn goal() -> Id {
    Id::unique("section to scroll to")
}

/// Draws a section.
pub(super) fn draw(
    ui: &mut Ui,
    section: &'static Section,
    source: Option<Source>,
    shown: Shown,
    input: PanelInput,
    commands: &mut Vec<Command>,
) {
    // The ids of what is in a section depend on the section alone. Ids that egui
    // counts shift when an arrow appears in a header above, and a drag loses
    // its slider.
    let id = ui.make_persistent_id(("section", section.id));
    ui.scope_builder(UiBuilder::new().scope_id(id), |ui| {
        let kept = input.ui.panel.is_open(section.id, section.open);
        let open = kept || matches!(shown, Shown::Found(_));
        let mut state = CollapsingState::load_with_default_open(ui.ctx(), id.with("state"), open);
        state.set_open(open);
        let (file, bound) = (&input.scene.import.file, input.session.bound());
        if section.id == groom_rows::SECTION && groom_rows::calls(ui.ctx(), file, bound) {
            match open {
                true => groom_rows::answered(ui.ctx(), file, bound),
                false => commands.push(Command::Fold(section.id, true)),
            }
        }
        if section.id == "head" && starts::calls(ui.ctx(), input.session.built()) && !open {
            commands.push(Command::Fold(section.id, true));
        }
        let head = header(ui, section, source.as_ref(), &state, input, commands);
        if ui.data(|data| data.get_temp(goal())) == Some(id) {
            ui.data_mut(|data| data.remove::<Id>(goal()));
            head.scroll_to_me(Some(Align::TOP));
        }
        match shown {
            Shown::Foldable if head.clicked() => commands.push(Command::Fold(section.id, !open)),
            Shown::Found(_) if head.clicked() => {
                ui.data_mut(|data| data.insert_temp(goal(), id));
                stop_search(ui.ctx());
                commands.push(Command::Fold(section.id, true));
                commands.push(Command::ShowTab(Tab::All));
            }
            _ => {}
        }
        if state.openness(ui.ctx()) <= 0.0 {
            state.store(ui.ctx());
            return;
        }
        ui.scope_builder(UiBuilder::new().scope_id(id.with("body")), |ui| {
            state.show_body_unindented(ui, |ui| {
                let margin = Margin {
                    left: 8,
                    right: 2,
                    top: 3,
                    bottom: 6,
                };
                Frame::new().inner_margin(margin).show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 3.0;
                    body(ui, id, section, source, shown, input, commands);
                });
            });
        });
    });
}

/// The line with a section's name.
fn header(
    ui: &mut Ui,
    section: &Section,
    source: Option<&Source>,
    state: &CollapsingState,
    input: PanelInput,
    commands: &mut Vec<Command>,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
    let hot = response.hovered();
    let fill = if hot { theme::FIELD } else { theme::RAISED };
    ui.painter().rect_filled(rect, 5, fill);
    let icon = Rect::from_center_size(pos2(rect.left() + 13.0, rect.center().y), vec2(9.0, 9.0));
    paint_default_icon(
        ui,
        state.openness(ui.ctx()),
        &response.clone().with_new_rect(icon),
    );
    let text = ui.painter().text(
        pos2(rect.left() + 26.0, rect.center().y),
        Align2::LEFT_CENTER,
        section.title,
        FontId::proportional(14.0),
        theme::TEXT,
    );
    if is_idle(section, input.method()) {
        ui.painter().text(
            pos2(text.right() + 8.0, rect.center().y + 0.5),
            Align2::LEFT_CENTER,
            "not in use",
            FontId::proportional(11.0),
            theme::WEAK,
        );
    }
    if let Some(side) = source.and_then(|source| source.side) {
        bar::badge(ui, rect, side, 34.0);
    }
    if let Some(source) = source.filter(|source| source.differs()) {
        let place =
            Rect::from_center_size(pos2(rect.right() - 11.0, rect.center().y), vec2(18.0, 18.0));
        let mut part = ui.new_child(UiBuilder::new().max_rect(place));
        if reset_arrow(&mut part)
            .on_hover_text(format!("Reset all of \"{}\"", section.title))
            .clicked()
        {
            commands.push(Command::ResetSection(source.number));
        }
    }
    response
}

/// What a section holds, under its header.
fn body(
    ui: &mut Ui,
    id: Id,
    section: &Section,
    source: Option<Source>,
    shown: Shown,
    input: PanelInput,
    commands: &mut Vec<Command>,
) {
    let extras = match shown {
        Shown::Foldable => true,
        Shown::Found(query) => query.asks_for_extras(section),
    };
    if let Some(extra) = section.extra.filter(|_| extras) {
        ui.scope_builder(UiBuilder::new().scope_id(id.with("extra")), |ui| {
            extra(ui, input, commands);
        });
    }
    let Some(source) = source else {
        return;
    };
    let rows = source.rows.iter().filter(|row| {
        let asked = match shown {
            Shown::Found(query) => query.finds(section, &row.2),
            Shown::Foldable => true,
        };
        asked && is_shown(section, input.scene, row.2.key)
    });
    match section.id {
        "groom" => starts::told(ui, input.scene, "Rows in grey"),
        "roots" => {
            let scalp = starts::has_scalp(input.session.built());
            starts::told_of_roots(ui, input.scene, scalp);
        }
        _ => {}
    }
    let mut last = None;
    for from in rows {
        let about = Some(from.2.key).filter(|_| section.id == groom_rows::SECTION);
        let caption = about.and_then(groom_rows::caption);
        if let Some(caption) = caption.filter(|_| caption != last) {
            ui.label(RichText::new(caption).small().color(theme::WEAK));
        }
        last = caption;
        row_of(ui, input, from, commands);
    }
    // What is told of the hair is told of the method at work.
    let told = extras && !is_idle(section, input.method());
    if let Some(below) = section.below.filter(|_| told) {
        ui.scope_builder(UiBuilder::new().scope_id(id.with("below")), |ui| {
            below(ui, input);
        });
    }
}

/// One row of the scene, grey where it has no effect on the hair that there is.
pub(super) fn row_of(
    ui: &mut Ui,
    input: PanelInput,
    from: &SourceRow,
    commands: &mut Vec<Command>,
) {
    let keys = input.keys();
    let scalp = starts::has_scalp(input.session.built());
    match effect::counts(input.scene, scalp, from.1.section(), from.2.key) {
        true => row(ui, from, keys, commands),
        false => {
            ui.add_enabled_ui(false, |ui| row(ui, from, keys, commands));
        }
    }
}

/// One row; what somebody does there becomes a command.
pub(super) fn row(ui: &mut Ui, from: &SourceRow, keys: KeysNow, commands: &mut Vec<Command>) {
    let solvers = (from.2.key == "solver").then(methods);
    let row = SliderRow {
        choices: solvers.as_deref(),
        ..bare(from, keys)
    };
    let place = row.place(ui);
    let (edit, asks) = match takes_file(&row.name) {
        true => row.show_file(ui),
        false => (row.show(ui), false),
    };
    commands.extend(edit.map(|edit| edit.command(from.0)));
    if asks {
        commands.push(Command::AskFile(from.0));
    }
    keys.mark(ui, place, from, commands);
}

/// Hands over the row of a parameter (`section.key`), on that side.
pub(super) fn with_row(scene: &Scene, side: Side, name: &str, draw: impl FnOnce(&SourceRow)) {
    let all = scene.sections();
    let row = name.split_once('.').and_then(|(section, key)| {
        let source = Source::of(scene, side, &all, section)?;
        source.rows.into_iter().find(|row| row.2.key == key)
    });
    if let Some(row) = row {
        draw(&row);
    }
}

/// A row, and before it a switch in place of its name.
pub(super) fn switched(
    ui: &mut Ui,
    switch: &SourceRow,
    from: &SourceRow,
    keys: KeysNow,
    commands: &mut Vec<Command>,
) {
    let row = bare(from, keys);
    let place = row.place(ui);
    let [switched, changed] = row.show_switched(ui, &bare(switch, keys));
    keys.mark(ui, place, from, commands);
    commands.extend(match (switched, changed) {
        (Some(on), Some(edit)) => Some(Command::SetBoth {
            places: [(switch.0, on.value), (from.0, edit.value)],
            held: edit.held,
        }),
        (Some(edit), None) => Some(edit.command(switch.0)),
        (None, edit) => edit.map(|edit| edit.command(from.0)),
    });
}

fn bare<'a>(from: &'a SourceRow, now: KeysNow) -> SliderRow<'a> {
    let (_, params, tunable) = from;
    let name = format!("{}.{}", params.section(), tunable.key);
    let (value, keyed) = now.value(from);
    SliderRow {
        key: keys::switch_of(&name),
        name,
        tunable,
        value,
        keyed,
        choices: None,
    }
}

/// The methods, as the list of the panel has them.
fn methods() -> Vec<Choice> {
    let choice = |method: &Method| Choice {
        id: method.id,
        label: method.name,
        note: method.purpose,
        help: format!(
            "{}\n{}\nKey {}",
            method.source,
            method.about,
            keys::name_of(&Command::Solver(method.id))
        ),
    };
    SOLVERS.iter().map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_methods_says_what_each_is_for_and_where_it_is_from() {
        for (choice, method) in methods().iter().zip(SOLVERS.iter()) {
            assert_eq!((choice.id, choice.note), (method.id, method.purpose));
            assert!(choice.help.contains(method.source) && choice.help.contains(method.about));
            let words = method.purpose.split(' ').count();
            assert!((1..=3).contains(&words), "{}", method.purpose);
        }
    }
}
