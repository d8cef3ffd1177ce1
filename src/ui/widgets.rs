//! One row of the panel for each kind of tunable.
//!
//! A row draws a tunable from its declaration alone and answers with the value
//! it should have; it changes nothing.

mod file;
mod path_text;
#[cfg(test)]
pub mod rails;
mod ramp;
pub(in crate::ui) mod tooltip;
pub(in crate::ui) mod typed;
pub(in crate::ui) mod unit;
mod vector;
mod words;
mod zero;

use super::{command::Command, icons::Icon, name_field::go_on, theme};
use crate::{
    io::scene::takes_file,
    param::{Kind, Tunable, Value, smallest_positive},
    project::history::ParamPlace,
};
use egui::{
    Align, Checkbox, Color32, ComboBox, DragValue, Id, Label, Layout, PointerButton, Rect,
    Response, RichText, Sense, Slider, SliderClamping, TextEdit, TextStyle, Ui, UiBuilder,
    emath::{almost_equal, round_to_decimals},
    text::{LayoutJob, TextFormat},
    vec2,
};
use std::ops::RangeInclusive;
use typed::Typed;
use unit::Unit;
use zero::{worded, zero_word};

/// Height of a row. `[points]`
const ROW: f32 = 22.0;
/// Width kept for the reset arrow, shown or not, so that nothing jumps.
const ARROW: f32 = 18.0;
/// Width of a number, and of a long one.
const NUMBER: [f32; 2] = [72.0, 84.0];

/// What a person did in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The value wanted.
    pub value: Value,
    /// Whether the mouse button is still down: more may follow.
    pub held: bool,
}

impl Edit {
    fn done(value: Value) -> Option<Self> {
        Some(Self { value, held: false })
    }

    /// The wish that the tunable at `place` be so.
    pub fn command(self, place: ParamPlace) -> Command {
        Command::Set {
            place,
            value: self.value,
            held: self.held,
        }
    }
}

/// One entry of a list.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
    /// A few words beside the name, or none.
    pub note: &'static str,
    /// Its tooltip, if it needs one.
    pub help: String,
}

/// What a row needs to know beside the tunable.
pub struct SliderRow<'a> {
    /// `section.key`
    pub name: String,
    /// The declaration.
    pub tunable: &'a Tunable,
    /// The value now.
    pub value: Value,
    /// For a text that may only be one of these.
    pub choices: Option<&'a [Choice]>,
    /// The key that changes it, or empty.
    pub key: &'static str,
    /// Whether it changes over time; the value is that of the present moment.
    pub keyed: bool,
}

impl SliderRow<'_> {
    /// Draws the row.
    pub fn show(&self, ui: &mut Ui) -> Option<Edit> {
        self.show_with(ui, |field| self.field(field))
    }

    /// The same with what `draw` draws for a field.
    fn show_with(&self, ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> Option<Edit>) -> Option<Edit> {
        let [mut label, mut field, mut arrow] = self.parts(ui);
        let changed = self.is_changed();
        let text =
            RichText::new(self.title()).color(if changed { theme::TEXT } else { theme::WEAK });
        let response = label.add(Label::new(text).truncate().sense(Sense::hover()));
        self.explain(response);
        self.tell_keyed(&mut field);
        let edit = draw(&mut field);
        if changed && self.goes_back(&mut arrow) {
            return Edit::done(self.tunable.default.clone());
        }
        edit
    }

    /// Draws the row with a switch in place of its name; answers with what was
    /// done to the switch and to the row. A slider that is moved while the switch
    /// is off turns it on: a hand that drags the wind wants wind.
    pub fn show_switched(&self, ui: &mut Ui, switch: &SliderRow) -> [Option<Edit>; 2] {
        let [mut label, mut field, mut arrow] = self.parts(ui);
        let on = switch.value == Value::Bool(true);
        let mut now = on;
        let text =
            RichText::new(switch.tunable.label).color(if on { theme::TEXT } else { theme::WEAK });
        let response = label.add(Checkbox::new(&mut now, text));
        let mut switched = match response.changed() {
            true => Edit::done(Value::Bool(now)),
            false => None,
        };
        switch.explain(response);
        if !on {
            field.visuals_mut().selection.bg_fill = theme::FIELD;
        }
        self.tell_keyed(&mut field);
        let edit = self.field(&mut field);
        if edit.is_some() && !on {
            switched = Edit::done(Value::Bool(true));
        }
        if (self.is_changed() || switch.is_changed()) && self.goes_back(&mut arrow) {
            let back = |row: &SliderRow| Edit::done(row.tunable.default.clone());
            return [back(switch), back(self)];
        }
        [switched, edit]
    }

    /// Where the row will be that is drawn next.
    pub fn place(&self, ui: &Ui) -> Rect {
        let size = vec2(ui.available_width(), height(&self.tunable.kind));
        Rect::from_min_size(ui.cursor().min, size)
    }

    /// Whether the value is another than the default.
    fn is_changed(&self) -> bool {
        self.value != self.tunable.default
    }

    /// Room for the name, the field and the reset arrow of a new row.
    ///
    /// What is in them takes its ids from the row's name alone. Ids that egui
    /// counts shift when an arrow appears above, and a drag loses its slider.
    fn parts(&self, ui: &mut Ui) -> [Ui; 3] {
        let width = ui.available_width();
        let height = height(&self.tunable.kind);
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        let split = rect.left() + (width * 0.4).clamp(96.0, 190.0);
        let right = rect.right() - ARROW;
        let id = ui.make_persistent_id(("row", &self.name));
        let layout = Layout::left_to_right(Align::Center);
        let mut part = |name, left, right| {
            let place = Rect::from_x_y_ranges(left..=right, rect.y_range());
            let part = UiBuilder::new().max_rect(place).layout(layout);
            ui.new_child(part.scope_id(id.with(name)))
        };
        [
            part("label", rect.left(), split - 4.0),
            part("field", split, right - 2.0),
            part("reset", right, rect.right()),
        ]
    }

    /// A number that changes over time is shown in a colour of its own.
    fn tell_keyed(&self, field: &mut Ui) {
        if self.keyed {
            field.visuals_mut().override_text_color = Some(theme::ACCENT);
        }
    }

    /// The arrow back to the default; whether it was clicked.
    fn goes_back(&self, ui: &mut Ui) -> bool {
        reset_arrow(ui)
            .on_hover_text(format!("Back to {}", self.words(&self.tunable.default)))
            .clicked()
    }

    fn field(&self, ui: &mut Ui) -> Option<Edit> {
        if let (Some(choices), Value::Text(current)) = (self.choices, &self.value) {
            return self.listed(ui, choices, current);
        }
        match (&self.tunable.kind, &self.value) {
            (Kind::Float { range, log }, Value::Float(value)) => {
                let unit = Unit::of(self.tunable);
                let mut shown = value * unit.factor;
                let limits = range.start() * unit.factor..=range.end() * unit.factor;
                let held = self.number(ui, &mut shown, limits, *log, &unit)?;
                Some(Edit {
                    value: Value::Float(shown / unit.factor),
                    held,
                })
            }
            (Kind::Int { range, log }, Value::Int(value)) => {
                let mut shown = *value as f64;
                let limits = *range.start() as f64..=*range.end() as f64;
                let unit = Unit {
                    decimals: 0,
                    ..Unit::of(self.tunable)
                };
                let held = self.number(ui, &mut shown, limits, *log, &unit)?;
                Some(Edit {
                    value: Value::Int(shown.round() as i64),
                    held,
                })
            }
            (Kind::Bool, Value::Bool(on)) => {
                let mut now = *on;
                let response = ui.add(Checkbox::without_text(&mut now));
                let clicked = response.changed();
                self.explain(response);
                clicked.then_some(Edit {
                    value: Value::Bool(now),
                    held: false,
                })
            }
            (Kind::Choice(names), Value::Choice(current)) => {
                let choice = |name: &&'static str| Choice {
                    id: name,
                    label: name,
                    note: "",
                    help: String::new(),
                };
                let choices: Vec<_> = names.iter().map(choice).collect();
                self.listed(ui, &choices, current)
                    .and_then(|edit| match edit.value {
                        Value::Text(text) => names
                            .iter()
                            .find(|name| **name == text)
                            .and_then(|name| Edit::done(Value::Choice(name))),
                        _ => None,
                    })
            }
            (Kind::Colour, Value::Vector(rgb)) => {
                let mut now = *rgb;
                ui.spacing_mut().interact_size.x = ui.available_width();
                let response = ui.color_edit_button_rgb(&mut now);
                // Its arithmetic alone changes the last digits.
                let changed = response.changed();
                self.explain(response);
                let held = ui.input(|input| input.pointer.any_down());
                changed.then(|| Edit {
                    value: Value::Vector(now.map(|c| c.clamp(0.0, 1.0))),
                    held,
                })
            }
            (Kind::Direction, Value::Vector(way)) => self.direction(ui, *way),
            (Kind::Triple { range }, Value::Vector(now)) => self.triple(ui, *now, range),
            (Kind::Ramp { range }, Value::Ramp(now)) => self.ramp(ui, *now, range),
            (Kind::Text, Value::Text(text)) => self.text(ui, text),
            _ => {
                ui.label("?");
                None
            }
        }
    }

    /// Slider and number; answers whether the mouse is still down when the
    /// value was changed.
    fn number(
        &self,
        ui: &mut Ui,
        value: &mut f64,
        limits: RangeInclusive<f64>,
        log: bool,
        unit: &Unit,
    ) -> Option<bool> {
        let before = *value;
        #[cfg(test)]
        let room = ui.available_width();
        // A camera may stand far away, but mostly it is moved by centimetres.
        let wide = self.tunable.unit == "m" && unit.factor == 1.0;
        let log = log || wide;
        let end = *limits.end();
        let longest = format!("{end:.*}{}", unit.decimals_of(end), unit.suffix);
        let number = NUMBER[usize::from(longest.chars().count() > 10)];
        let width = (ui.available_width() - number - 6.0).max(30.0);
        ui.spacing_mut().slider_width = width;
        ui.spacing_mut().item_spacing.x = 6.0;
        let whole = unit.decimals == 0;
        let smallest = match wide {
            true => 0.01,
            false => smallest_positive(&limits),
        };
        let mut slider = Slider::new(value, limits.clone())
            .show_value(false)
            .logarithmic(log)
            .clamping(SliderClamping::Edits);
        if whole {
            slider = slider.integer();
        } else if log {
            slider = slider.smallest_positive(smallest);
        }
        let slider = ui.add(slider);
        #[cfg(test)]
        rails::note(ui, self, slider.rect, room);
        let speed = match log {
            true if whole => (0.01 * value.abs()).max(0.1),
            true => (0.01 * value.abs()).max((0.1 * smallest).min(if wide { 1e-3 } else { 1e-4 })),
            false => (limits.end() - limits.start()) / 400.0,
        };
        let (decimals, shown) = (unit.decimals_of(*value), *value);
        let zero = zero_word(&self.name);
        let typed = Typed::new(&unit.suffix, limits).whole(whole).zero(zero);
        let number = DragValue::new(value).speed(speed).max_decimals(decimals);
        let number = worded(number, shown, zero, &unit.suffix);
        let number = ui.add_sized([ui.available_width(), ROW - 2.0], typed.field(number));
        if !number.dragged() && is_as_shown(shown, *value, decimals) {
            *value = shown;
        }
        let held = slider.is_pointer_button_down_on() || number.dragged();
        self.explain(slider);
        if !typed.tell(&number) {
            self.explain(number);
        }
        if is_right_click(ui) {
            *value = before;
        }
        (*value != before).then_some(held)
    }

    fn listed(&self, ui: &mut Ui, choices: &[Choice], current: &str) -> Option<Edit> {
        let known = choices.iter().find(|choice| choice.id == current);
        let mut chosen = None;
        let list = ComboBox::from_id_salt("list")
            .width(ui.available_width())
            .selected_text(known.map_or(current, |choice| choice.label))
            .truncate()
            .show_ui(ui, |ui| {
                for choice in choices {
                    let Choice { id, help, .. } = choice;
                    let text = named(ui, choice.label, choice.note);
                    let mut entry = ui.selectable_label(*id == current, text);
                    if !help.is_empty() {
                        entry = entry.on_hover_text(help);
                    }
                    // From where it stands, one goes on by the arrow keys.
                    if *id == current && ui.memory(|memory| memory.focused().is_none()) {
                        entry.request_focus();
                    }
                    if entry.clicked() {
                        // A click closes it; Enter would not.
                        ui.close();
                        if *id != current {
                            chosen = Edit::done(Value::Text((*id).to_string()));
                        }
                    }
                }
            });
        self.explain_with(list.response, known.map_or("", |choice| &choice.help));
        chosen
    }

    fn text(&self, ui: &mut Ui, current: &str) -> Option<Edit> {
        let id = Id::unique(("text", &self.name));
        // While it is edited, the text lives here and not in the scene.
        let mut draft = ui
            .data(|data| data.get_temp::<String>(id))
            .unwrap_or_else(|| current.to_string());
        let edit = id.with("edit");
        let field = TextEdit::singleline(&mut draft)
            .id(edit)
            .desired_width(f32::INFINITY)
            .hint_text("none");
        let is_file = takes_file(&self.name);
        let response = match is_file && !ui.memory(|memory| memory.has_focus(edit)) {
            true => ui.add(field.layouter(&mut path_text::end_first)),
            false => ui.add(field),
        };
        if is_file && response.gained_focus() {
            go_on(ui.ctx(), edit, current);
        }
        if response.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, draft));
            return None;
        }
        ui.data_mut(|data| data.remove::<String>(id));
        let left = response.lost_focus();
        let escaped = ui.input(|input| input.key_pressed(egui::Key::Escape));
        // Paths are longer than their field.
        let path = if is_file { current } else { "" };
        self.explain_with(response, path);
        if left && !escaped && draft != current {
            return Edit::done(Value::Text(draft));
        }
        None
    }
}

/// Whether the right button is at work, which opens a menu and drags no slider.
fn is_right_click(ui: &Ui) -> bool {
    let right = PointerButton::Secondary;
    ui.input(|input| input.pointer.button_down(right) || input.pointer.button_released(right))
}

/// Whether `after` is what a field with so many digits at most has shown of `before`:
/// one that is looked into and left again gives that, which is rounded.
fn is_as_shown(before: f64, after: f64, decimals: usize) -> bool {
    // A field shows fewer digits where egui finds that they say as much.
    let alike = almost_equal(after as f32, before as f32, 16.0 * f32::EPSILON);
    let mut fewest = if alike { 0 } else { decimals }..=decimals;
    fewest.any(|digits| round_to_decimals(before, digits) == after)
}

/// A name, and behind it in a weaker colour a few words on it.
pub fn named(ui: &Ui, name: &str, note: &str) -> LayoutJob {
    let font = |style: TextStyle| style.resolve(ui.style());
    let mut job = LayoutJob::default();
    let format = TextFormat::simple(font(TextStyle::Button), Color32::PLACEHOLDER);
    job.append(name, 0.0, format);
    if !note.is_empty() {
        let mut format = TextFormat::simple(font(TextStyle::Small), theme::WEAK);
        format.valign = Align::Center;
        job.append(note, 8.0, format);
    }
    job
}

/// How tall a row is. `[points]`
fn height(kind: &Kind) -> f32 {
    match kind {
        Kind::Ramp { .. } => 2.0 * ROW,
        _ => ROW,
    }
}

/// A small arrow that turns back.
pub fn reset_arrow(ui: &mut Ui) -> Response {
    Icon::Restart.small(ui, vec2(ARROW, ARROW), theme::ACCENT)
}

#[cfg(test)]
mod tests;
