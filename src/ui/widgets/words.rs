//! What a row says of itself: its tooltip, and values in words.

use super::{SliderRow, tooltip::beside, unit::Unit};
use crate::{
    param::{Kind, Value},
    ui::theme,
};
use egui::{Response, RichText, Tooltip, accesskit::Role, emath::round_to_decimals};

impl SliderRow<'_> {
    /// The name; with the unit of three numbers, whose fields have no room for it.
    pub(super) fn title(&self) -> String {
        let label = self.tunable.label;
        let suffix = Unit::of(self.tunable).suffix;
        match self.tunable.kind {
            Kind::Triple { .. } if !suffix.is_empty() => format!("{label} ({})", suffix.trim()),
            _ => label.into(),
        }
    }

    /// The tooltip: what it does, unit, range, default, key, name in files.
    pub(super) fn explain(&self, response: Response) {
        self.explain_with(response, "");
    }

    /// The same, with more about the value now.
    pub(super) fn explain_with(&self, response: Response, more: &str) {
        // Its name stands beside it: who cannot see that is told.
        let ctx = response.ctx.clone();
        ctx.accesskit_node_builder(response.id, |node| {
            if node.role() != Role::Label && node.label().is_none() {
                node.set_label(self.tunable.label);
            }
        });
        beside(Tooltip::for_enabled(&response), &response).show(|ui| {
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
                Kind::Triple { range } => facts.push(format!(
                    "each {} to {}",
                    self.words(&Value::Float(*range.start())),
                    self.words(&Value::Float(*range.end()))
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
            facts.push(format!("default {}", self.words(&self.tunable.default)));
            if !self.key.is_empty() {
                facts.push(format!("key {}", self.key));
            }
            ui.label(RichText::new(facts.join("; ")).color(theme::WEAK));
            ui.label(RichText::new(&self.name).monospace().color(theme::WEAK));
        });
    }

    /// A value in the unit it is shown in.
    pub(super) fn words(&self, value: &Value) -> String {
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
            Value::Vector(numbers) => {
                // A decimal fraction of metres is none in centimetres.
                let shown = numbers.map(|v| match unit.factor {
                    1.0 => v.to_string(),
                    factor => round_to_decimals(f64::from(v) * factor, 4).to_string(),
                });
                format!("{}{}", shown.join(", "), unit.suffix)
            }
            Value::Ramp(ramp) if ramp.0.iter().all(|c| *c == ramp.0[0]) => {
                format!("{} all the way", ramp.0[0])
            }
            Value::Ramp(ramp) => ramp.0.map(|c| c.to_string()).join(", "),
            Value::Text(text) if text.is_empty() => "none".into(),
            Value::Text(text) => text.clone(),
        }
    }
}
