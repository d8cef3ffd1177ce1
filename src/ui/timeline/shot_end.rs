//! Where the shot ends on the rail: the length of a recording, dragged and chosen.

use super::{
    key_entry::{EntryTarget, end_place, set_end},
    rail::RailScale,
};
use crate::{
    param::Value,
    project::scene::Scene,
    ui::{command::Command, theme, time_unit::TimeUnit},
};
use egui::{Button, Color32, CursorIcon, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};

/// How wide the end can be grasped. `[points]`
const GRASP: f32 = 10.0;

/// What one does with the end of the shot.
#[derive(Clone, Default)]
pub struct EndHand {
    /// While it is dragged, how much the rail shows, and from the end to the mouse. `[s, points]`
    drag: Option<(f64, f32)>,
    /// Where on the rail the menu was asked for. `[s]`
    asked: Option<f64>,
    /// What is to be typed.
    typed: Option<EntryTarget>,
}

impl EndHand {
    /// How much the rail shows while the end is dragged. `[s]`
    pub fn dragged_span(&self) -> Option<f64> {
        self.drag.map(|(span, _)| span)
    }

    /// Told that the menu of the rail is asked for, at that time if not at the end. `[s]`
    pub fn ask(&mut self, time: Option<f64>) {
        self.asked = time;
    }

    /// What is to be typed, once.
    pub fn take_typed(&mut self) -> Option<EntryTarget> {
        self.typed.take()
    }
}

/// When the shot ends; none where a recording goes on until it is stopped. `[s]`
pub fn end(scene: &Scene) -> Option<f64> {
    let seconds = f64::from(scene.capture.seconds);
    (seconds > 0.0).then_some(seconds)
}

/// Darkens what lies behind the end.
pub fn shade(painter: &Painter, scale: &RailScale, rect: Rect, scene: &Scene) {
    if let Some(end) = end(scene).filter(|end| *end < scale.span) {
        let beyond = rect.with_min_x(scale.x(end));
        painter.rect_filled(beyond, 0, Color32::from_black_alpha(90));
    }
}

/// The end, which is dragged along the rail; whether a `recording` goes on.
pub fn show(
    ui: &Ui,
    (rect, scale): (Rect, &RailScale),
    (scene, unit): (&Scene, TimeUnit),
    recording: bool,
    hand: &mut EndHand,
    commands: &mut Vec<Command>,
) {
    let Some(end) = end(scene).filter(|end| *end <= scale.span + 1e-6) else {
        return;
    };
    let x = scale.x(end);
    let place = Rect::from_center_size(pos2(x, rect.center().y), vec2(GRASP, rect.height()));
    let id = ui.scope_id().with("end of the shot");
    let response = ui.interact(place, id, Sense::click_and_drag());
    let hot = response.hovered() || response.dragged();
    let colour = if hot { theme::ACCENT } else { theme::WEAK };
    let stroke = Stroke::new(if hot { 2.0 } else { 1.5 }, colour);
    // A bracket that closes what is recorded.
    let [top, bottom] = [rect.top() + 1.0, rect.bottom() - 1.0];
    ui.painter().vline(x, top..=bottom, stroke);
    for y in [top, bottom] {
        ui.painter().hline(x - 4.0..=x, y, stroke);
    }
    if hot {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.drag_started() {
        let at = ui.input(|input| input.pointer.press_origin());
        hand.drag = Some((scale.span, at.map_or(0.0, |at| at.x - x)));
    }
    if response.dragged()
        && let (Some((_, grip)), Some(at)) = (hand.drag, response.interact_pointer_pos())
    {
        let freely = ui.input(|input| input.modifiers.command);
        let grid = unit.drag_grid(freely);
        let most = end_place(scene).map_or(f64::INFINITY, |(_, most)| most);
        let time = scale.time(at.x - grip, grid).clamp(grid.time(1.0), most);
        if time as f32 != scene.capture.seconds
            && let Ok(command) = set_end(scene, time, unit, true)
        {
            commands.push(command);
        }
    } else if !ui.input(|input| input.pointer.any_down()) {
        hand.drag = None;
    }
    if response.double_clicked() {
        hand.typed = Some(EntryTarget::End(end));
    }
    if response.secondary_clicked() {
        hand.ask(None);
    }
    response.context_menu(|ui| menu(ui, (scene, unit), recording, hand, commands));
    let told = unit.text(end);
    response.on_hover_text(format!(
        "The shot ends at {told}: so long is a recording (Length in the section Recording). \
         Drag it; with Ctrl between frames. Double-click: type it"
    ));
}

/// Rows of the menu of the rail.
pub fn menu(
    ui: &mut Ui,
    (scene, unit): (&Scene, TimeUnit),
    recording: bool,
    hand: &mut EndHand,
    commands: &mut Vec<Command>,
) {
    let now = end(scene);
    if let Some(time) = hand.asked.filter(|time| *time > 0.0) {
        let text = format!("Shot ends here: {}", unit.text(time));
        if ui.button(text).clicked() {
            commands.extend(set_end(scene, time, unit, false));
            ui.close();
        }
    }
    if ui.button("Length of the shot …").clicked() {
        hand.typed = Some(EntryTarget::End(now.unwrap_or(0.0)));
        ui.close();
    }
    let none = ui.add_enabled(now.is_some(), Button::new("No end"));
    let none = none.on_hover_text("A recording goes on until it is stopped");
    if none.clicked() {
        commands.extend(set_end(scene, 0.0, unit, false));
        ui.close();
    }
    ui.separator();
    let record = ui.add_enabled(now.is_some() && !recording, Button::new("Record the shot"));
    let record = record
        .on_hover_text(
            "Hair, head and keys begin at time zero; frames of the shot's camera are recorded to \
             the end, where time then stands still",
        )
        .on_disabled_hover_text("The shot has no end yet");
    if record.clicked() {
        if !scene.capture.from_start
            && let Some(place) = scene.place("capture.from_start")
        {
            commands.push(Command::Set {
                place,
                value: Value::Bool(true),
                held: false,
            });
        }
        commands.push(Command::Capture);
        ui.close();
    }
}
