//! Where sliders are, for tests that drag them.

use super::{ROW, SliderRow};
use crate::{
    param::{Tunable, Value},
    ui::theme,
};
use egui::{
    Context, Event, Id, Modifiers, PointerButton, Pos2, RawInput, Rect, Ui, UiBuilder, vec2,
};

/// A slider that was drawn.
#[derive(Clone)]
pub struct Rail {
    /// `section.key` of its row.
    pub name: String,
    /// What it moves.
    pub tunable: Tunable,
    /// Where it is. `[points]`
    pub rect: Rect,
    /// Width of slider and number together. `[points]`
    room: f32,
    frame: u64,
}

fn id() -> Id {
    Id::unique("rails")
}

/// Notes where the slider of a row was drawn.
pub(super) fn note(ui: &Ui, row: &SliderRow, rect: Rect, room: f32) {
    let frame = ui.ctx().cumulative_frame_nr();
    let rail = Rail {
        name: row.name.clone(),
        tunable: row.tunable.clone(),
        rect,
        room,
        frame,
    };
    ui.data_mut(|data| {
        let rails: &mut Vec<Rail> = data.get_temp_mut_or_default(id());
        rails.retain(|rail| rail.frame == frame && rail.name != row.name);
        rails.push(rail);
    });
}

/// The sliders of the last frame, in the order in which they were drawn.
pub fn all(ctx: &Context) -> Vec<Rail> {
    ctx.data(|data| data.get_temp(id())).unwrap_or_default()
}

/// The mouse moves there. `[points]`
pub fn moved(to: Pos2) -> Event {
    Event::PointerMoved(to)
}

/// The left button goes down or up there. `[points]`
pub fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

/// A number.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::Float(v) => *v,
        Value::Int(v) => *v as f64,
        other => panic!("{other:?} is no number"),
    }
}

/// Where the mouse takes hold of the slider at its default, from the left end of
/// the slider on. `[points]`
pub fn handle_at_default(rail: &Rail) -> f32 {
    let wanted = number(&rail.tunable.default);
    let row = SliderRow {
        keyed: false,
        name: rail.name.clone(),
        tunable: &rail.tunable,
        value: rail.tunable.default.clone(),
        choices: None,
        key: "",
    };
    let mut nearest = (f64::INFINITY, 0.0);
    let (mut low, mut high) = (0.0, rail.rect.width());
    for _ in 0..12 {
        let ctx = Context::default();
        theme::apply(&ctx);
        let mut now = wanted;
        let mut draw = |events| {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(900.0, 60.0))),
                events,
                ..RawInput::default()
            };
            let _ = ctx.run_ui(input, |ui| {
                let rect = Rect::from_min_size(Pos2::new(20.0, 20.0), vec2(rail.room, ROW));
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                let part = UiBuilder::new().max_rect(rect).layout(layout);
                if let Some(edit) = row.field(&mut ui.new_child(part)) {
                    now = number(&edit.value);
                }
            });
            all(&ctx)[0].rect
        };
        let rect = draw(Vec::new());
        assert_eq!(rect.width(), rail.rect.width(), "{}", rail.name);
        let middle = 0.5 * (low + high);
        let at = Pos2::new(rect.left() + middle, rect.center().y);
        draw(vec![moved(at), button(at, true)]);
        let off = (now - wanted).abs();
        if off < nearest.0 {
            nearest = (off, middle);
        }
        match now < wanted {
            true => low = middle,
            false => high = middle,
        }
    }
    nearest.1
}
