//! One row of the panel for each kind of tunable.
//!
//! A row draws a tunable from its declaration alone and answers with the value
//! it should have; it changes nothing.

mod ramp;
mod unit;
mod vector;

use super::{icons::Icon, theme};
use crate::param::{Kind, Tunable, Value};
use egui::{
    Align, Checkbox, ComboBox, DragValue, Id, Label, Layout, Rect, Response, RichText, Sense,
    Slider, SliderClamping, TextEdit, Ui, UiBuilder, vec2,
};
use std::ops::RangeInclusive;
use unit::Unit;

/// Height of a row. `[points]`
const ROW: f32 = 22.0;
/// Width kept for the reset arrow, shown or not, so that nothing jumps.
const ARROW: f32 = 18.0;
/// Width of a number, and of one with a long unit.
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
}

/// One entry of a list.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
    /// Its tooltip, if it needs one.
    pub help: String,
}

/// What a row needs to know beside the tunable.
pub struct Row<'a> {
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
}

impl Row<'_> {
    /// Draws the row.
    pub fn show(&self, ui: &mut Ui) -> Option<Edit> {
        let width = ui.available_width();
        let height = height(&self.tunable.kind);
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        let split = rect.left() + (width * 0.4).clamp(96.0, 190.0);
        let label = Rect::from_min_max(rect.min, egui::pos2(split - 4.0, rect.bottom()));
        let arrow = Rect::from_min_max(egui::pos2(rect.right() - ARROW, rect.top()), rect.max);
        let field = Rect::from_min_max(
            egui::pos2(split, rect.top()),
            egui::pos2(arrow.left() - 2.0, rect.bottom()),
        );
        let changed = self.value != self.tunable.default;
        let mut edit = None;

        let mut part = child(ui, label, "label");
        let text = RichText::new(self.tunable.label).color(if changed {
            theme::TEXT
        } else {
            theme::WEAK
        });
        let response = part.add(Label::new(text).truncate().sense(Sense::hover()));
        self.explain(response);

        let mut part = child(ui, field, "field");
        part.push_id(&self.name, |ui| edit = self.field(ui));

        if changed {
            let mut part = child(ui, arrow, "reset");
            if reset_arrow(&mut part, &self.name)
                .on_hover_text(format!("Back to {}", self.words(&self.tunable.default)))
                .clicked()
            {
                edit = Edit::done(self.tunable.default.clone());
            }
        }
        edit
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
        // A camera may stand far away, but mostly it is moved by centimetres.
        let wide = self.tunable.unit == "m" && unit.factor == 1.0;
        let log = log || wide;
        let number = NUMBER[usize::from(unit.suffix.chars().count() > 4)];
        let width = (ui.available_width() - number - 6.0).max(30.0);
        ui.spacing_mut().slider_width = width;
        ui.spacing_mut().item_spacing.x = 6.0;
        let whole = unit.decimals == 0;
        let mut slider = Slider::new(value, limits.clone())
            .show_value(false)
            .logarithmic(log)
            .clamping(SliderClamping::Edits);
        if whole {
            slider = slider.integer();
        } else if log {
            let smallest = if wide {
                0.01
            } else {
                limits.start().abs().max(1e-6)
            };
            slider = slider.smallest_positive(smallest);
        }
        let slider = ui.add(slider);
        let speed = match log {
            true if whole => (0.01 * value.abs()).max(0.1),
            true => (0.01 * value.abs()).max(if wide { 1e-3 } else { 1e-4 }),
            false => (limits.end() - limits.start()) / 400.0,
        };
        let decimals = unit.decimals_of(*value);
        let number = DragValue::new(value)
            .range(limits)
            .speed(speed)
            .max_decimals(decimals)
            .suffix(unit.suffix.clone())
            .update_while_editing(false);
        let number = ui.add_sized([ui.available_width(), ROW - 2.0], number);
        let held = slider.is_pointer_button_down_on() || number.dragged();
        self.explain(slider);
        self.explain(number);
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
                for Choice { id, label, help } in choices {
                    let mut entry = ui.selectable_label(*id == current, *label);
                    if !help.is_empty() {
                        entry = entry.on_hover_text(help);
                    }
                    if entry.clicked() && *id != current {
                        chosen = Edit::done(Value::Text((*id).to_string()));
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
        let response = ui.add(
            TextEdit::singleline(&mut draft)
                .id(id.with("edit"))
                .desired_width(f32::INFINITY)
                .hint_text("none"),
        );
        if response.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, draft));
            return None;
        }
        ui.data_mut(|data| data.remove::<String>(id));
        let left = response.lost_focus();
        let escaped = ui.input(|input| input.key_pressed(egui::Key::Escape));
        self.explain(response);
        if left && !escaped && draft != current {
            return Edit::done(Value::Text(draft));
        }
        None
    }

    /// The tooltip: what it does, unit, range, default, key, name in files.
    fn explain(&self, response: Response) {
        self.explain_with(response, "");
    }

    /// The same, with more about the value now.
    fn explain_with(&self, response: Response, more: &str) {
        response.on_hover_ui(|ui| {
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.label(self.tunable.help);
            if !more.is_empty() {
                ui.label(more);
            }
            let mut facts = Vec::new();
            match &self.tunable.kind {
                Kind::Float { range, .. } => facts.push(format!(
                    "{} to {}",
                    self.words(&Value::Float(*range.start())),
                    self.words(&Value::Float(*range.end()))
                )),
                Kind::Int { range, .. } => facts.push(format!(
                    "{} to {}",
                    range.start(),
                    self.words(&Value::Int(*range.end()))
                )),
                Kind::Direction => facts.push(
                    "the first angle is 0° for forwards, 90° for the head's left; the second is upwards. Drag in the compass, which is seen from above"
                        .into(),
                ),
                Kind::Ramp { range } => facts.push(format!(
                    "{} to {}; from the root (left) to the tip (right). Drag a point up or down; with Shift all of them",
                    range.start(),
                    range.end()
                )),
                _ => {}
            }
            facts.push(format!("normally {}", self.words(&self.tunable.default)));
            if !self.key.is_empty() {
                facts.push(format!("key {}", self.key));
            }
            ui.label(RichText::new(facts.join("; ")).color(theme::WEAK));
            ui.label(RichText::new(&self.name).monospace().color(theme::WEAK));
        });
    }

    /// A value in the unit it is shown in.
    fn words(&self, value: &Value) -> String {
        let unit = Unit::of(self.tunable);
        match value {
            Value::Float(v) => {
                let text = format!("{:.*}", unit.decimals_of(v * unit.factor), v * unit.factor);
                let text = match text.contains('.') {
                    true => text.trim_end_matches('0').trim_end_matches('.'),
                    false => &text,
                };
                format!("{text}{}", unit.suffix)
            }
            Value::Int(v) => format!("{v}{}", unit.suffix),
            Value::Bool(on) => if *on { "on" } else { "off" }.into(),
            Value::Choice(name) => (*name).into(),
            Value::Vector([x, y, z]) => format!("{x}, {y}, {z}"),
            Value::Ramp(ramp) if ramp.0.iter().all(|c| *c == ramp.0[0]) => {
                format!("{} all the way", ramp.0[0])
            }
            Value::Ramp(ramp) => ramp.0.map(|c| c.to_string()).join(", "),
            Value::Text(text) if text.is_empty() => "none".into(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// How tall a row is. `[points]`
fn height(kind: &Kind) -> f32 {
    match kind {
        Kind::Ramp { .. } => 2.0 * ROW,
        _ => ROW,
    }
}

fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let layout = Layout::left_to_right(Align::Center);
    ui.new_child(UiBuilder::new().max_rect(rect).layout(layout).id_salt(salt))
}

/// A small arrow that turns back.
pub fn reset_arrow(ui: &mut Ui, name: &str) -> Response {
    ui.push_id((name, "reset"), |ui| {
        Icon::Restart.small(ui, vec2(ARROW, ARROW), theme::ACCENT)
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::scene::Scene, param::Params};
    use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput};

    /// Draws all rows of a section, after these events, and collects edits.
    fn draw(ctx: &Context, section: &dyn Params, events: Vec<Event>) -> Vec<(usize, Edit)> {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(340.0, 900.0))),
            events,
            ..RawInput::default()
        };
        let mut edits = Vec::new();
        let _ = ctx.run_ui(input, |ui| {
            edits.clear();
            for (index, tunable) in section.tunables().iter().enumerate() {
                let row = Row {
                    name: format!("{}.{}", section.section(), tunable.key),
                    tunable,
                    value: section.get(index),
                    choices: None,
                    key: "",
                };
                edits.extend(row.show(ui).map(|edit| (index, edit)));
            }
        });
        edits
    }

    #[test]
    fn looking_at_a_parameter_does_not_change_it() {
        let mut scene = Scene::default();
        // Odd values, too, must survive being shown.
        scene.groom.length = 0.123_456_7;
        scene.roots.strands = 12_347;
        scene.sim.wind.direction = [3.0, -4.0, 0.012];
        scene.camera.distance = 1.180_070_6;
        for section in scene.sections() {
            let ctx = Context::default();
            for _ in 0..3 {
                let edits = draw(&ctx, section, Vec::new());
                assert!(edits.is_empty(), "{}: {edits:?}", section.section());
            }
        }
    }

    #[test]
    fn every_slider_can_be_dragged_from_end_to_end_within_its_range() {
        let mut scene = Scene::default();
        let at = |x: f32, y: f32| Pos2::new(x, y);
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let (mut dragged, mut wanted) = (0, 0);
        for section in scene.sections_mut() {
            let mut below = 0.0;
            for (index, tunable) in section.tunables().into_iter().enumerate() {
                let ctx = Context::default();
                draw(&ctx, section, Vec::new());
                let spacing = ctx.global_style().spacing.item_spacing.y;
                let y = below + ROW / 2.0;
                below += height(&tunable.kind) + spacing;
                if !matches!(tunable.kind, Kind::Float { .. } | Kind::Int { .. }) {
                    continue;
                }
                wanted += 1;
                let mut changed = false;
                draw(&ctx, section, vec![Event::PointerMoved(at(160.0, y))]);
                for x in [150.0, 160.0, 230.0, 400.0, 60.0, 203.0] {
                    let moved = Event::PointerMoved(at(x, y));
                    let events = match x {
                        150.0 => vec![moved, button(at(x, y), true)],
                        _ => vec![moved],
                    };
                    for (edited, edit) in draw(&ctx, section, events) {
                        assert_eq!(edited, index, "{}", tunable.key);
                        assert!(edit.held, "{}", tunable.key);
                        changed |= edit.value != tunable.default;
                        section
                            .set(index, edit.value)
                            .unwrap_or_else(|error| panic!("{error}"));
                    }
                }
                draw(&ctx, section, vec![button(at(203.0, y), false)]);
                dragged += usize::from(changed);
            }
        }
        assert_eq!(dragged, wanted, "sliders that moved");
    }

    #[test]
    fn lengths_are_shown_in_the_unit_of_their_size() {
        let words = |section: &dyn Params, key: &str, value: Value| {
            let tunables = section.tunables();
            let index = tunables.iter().position(|t| t.key == key);
            let tunable = &tunables[index.expect("a key")];
            let row = Row {
                name: String::new(),
                tunable,
                value: value.clone(),
                choices: None,
                key: "",
            };
            row.words(&value)
        };
        let scene = Scene::default();
        let real = Value::Float;
        assert_eq!(words(&scene.groom, "length", real(0.22)), "22 cm");
        assert_eq!(words(&scene.groom, "curl_radius", real(0.0081)), "8.1 mm");
        assert_eq!(words(&scene.sim.wind, "strength", real(4.0)), "4 m/s");
        assert_eq!(words(&scene.roots, "limit_angle", real(75.0)), "75°");
        assert_eq!(words(&scene.roots, "strands", Value::Int(3000)), "3000");
        assert_eq!(words(&scene.sim.wind, "on", Value::Bool(false)), "off");
        assert_eq!(words(&scene.sim.rod, "stiffness", real(0.012)), "0.012×");
        assert_eq!(words(&scene.sim.rod, "stiffness", real(100.0)), "100×");
        assert_eq!(words(&scene.sim.rod, "damping", real(0.002)), "2 ms");
        assert_eq!(words(&scene.sim.material, "diameter", real(80.0)), "80 µm");
        assert_eq!(words(&scene.sim.material, "young", real(0.25)), "0.25 GPa");
    }
}
