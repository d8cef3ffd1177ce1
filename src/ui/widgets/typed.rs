//! Numbers as people type them: with a unit of their own, with a comma for a point; and
//! a word beside a field that took another number than was typed, or none.

use super::tooltip::beside;
use crate::param;
use egui::{Color32, DragValue, Id, Response, RichText, Tooltip, emath::round_to_decimals};
use std::{cell::Cell, ops::RangeInclusive};

/// How long the word stays. `[s]`
const STAY: f64 = 4.0;

/// A field of a number in `unit`, and what was typed there in this frame.
pub(in crate::ui) struct Typed<'a> {
    /// What stands behind the number.
    suffix: &'a str,
    limits: RangeInclusive<f64>,
    /// Whether it is a count: a comma separates thousands.
    whole: bool,
    /// What 0 is called, where that is shown.
    zero: Option<&'a str>,
    /// What it reads as, if it does.
    heard: Cell<Option<Option<f64>>>,
}

impl<'a> Typed<'a> {
    /// For numbers within `limits`, with `suffix` behind them.
    pub fn new(suffix: &'a str, limits: RangeInclusive<f64>) -> Self {
        Self {
            suffix,
            limits,
            whole: false,
            zero: None,
            heard: Cell::new(None),
        }
    }

    /// Of whole numbers, if they are.
    pub fn whole(self, whole: bool) -> Self {
        Self { whole, ..self }
    }

    /// Of numbers of which 0 is called that, where it has a word.
    pub fn zero(self, zero: Option<&'a str>) -> Self {
        Self { zero, ..self }
    }

    /// The field, which takes what is typed when it is left.
    pub fn field(&'a self, field: DragValue<'a>) -> DragValue<'a> {
        field
            .range(self.limits.clone())
            .update_while_editing(false)
            .custom_parser(|text| {
                let number = self.read(text);
                self.heard.set(Some(number));
                number
            })
    }

    /// The number that `text` says.
    ///
    /// # Errors
    /// The word on what is wrong with it: it is none, or none within the limits.
    pub fn number(&self, text: &str) -> Result<f64, String> {
        let heard = self.read(text);
        match (heard, self.word(heard)) {
            (Some(number), None) => Ok(number),
            (_, word) => Err(word.unwrap_or_default()),
        }
    }

    fn read(&self, text: &str) -> Option<f64> {
        if self.zero == Some(text.trim()) {
            return Some(0.0);
        }
        let thousands = self.whole || *self.limits.end() >= 1000.0;
        param::read_number(text, self.suffix.trim(), self.whole, thousands)
    }

    /// Says beside the field for a while why it holds no such number as was typed; whether
    /// it does.
    pub fn tell(&self, response: &Response) -> bool {
        let (ctx, id) = (&response.ctx, response.id.with("typed"));
        let now = ctx.input(|input| input.time);
        if let Some(word) = self.heard.get().and_then(|heard| self.word(heard)) {
            ctx.data_mut(|data| data.insert_temp(id, (word, now + STAY)));
        } else if response.has_focus() || response.dragged() {
            ctx.data_mut(|data| data.remove::<(String, f64)>(id));
        }
        let word: Option<(String, f64)> = ctx.data(|data| data.get_temp(id));
        let Some((word, until)) = word.filter(|(_, until)| now < *until) else {
            return false;
        };
        ctx.request_repaint_after_secs((until - now) as f32);
        show(response, id, &word);
        true
    }

    /// What is to be said of a number that was typed.
    fn word(&self, heard: Option<f64>) -> Option<String> {
        let limit = |value: f64| format!("{}{}", round_to_decimals(value, 6), self.suffix);
        let (least, most) = (*self.limits.start(), *self.limits.end());
        match heard {
            None => Some("That is no number".into()),
            Some(number) if number < least => Some(format!("At least {}", limit(least))),
            Some(number) if number > most => Some(format!("At most {}", limit(most))),
            Some(_) => None,
        }
    }
}

fn show(response: &Response, id: Id, word: &str) {
    let ctx = response.ctx.clone();
    let always = Tooltip::always_open(ctx, response.layer_id, id, response.rect);
    beside(always, response).show(|ui| {
        ui.label(RichText::new(word).color(Color32::WHITE));
    });
}
