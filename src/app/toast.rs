//! Messages at the top of the picture: good news goes away by itself, an error
//! stays until it is dismissed.

use super::{icons::Icon, theme};
use egui::{Align2, Area, Color32, Context, Frame, Id, Order, RichText, Stroke, vec2};

/// How long good news stays. `[s]`
const STAY: f64 = 5.0;

/// One message.
struct Toast {
    text: String,
    error: bool,
    /// The moment it goes away; none before it was first shown, or never.
    until: Option<f64>,
    number: u64,
}

/// The messages that are shown, oldest first.
#[derive(Default)]
pub struct Toasts {
    list: Vec<Toast>,
    count: u64,
}

impl Toasts {
    /// Tells good news.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Tells of an error.
    pub fn error(&mut self, text: impl Into<String>) {
        let text = text.into();
        log::warn!("{text}");
        self.push(text, true);
    }

    fn push(&mut self, text: String, error: bool) {
        // A dragged slider may cause the same error many times.
        self.list.retain(|toast| toast.text != text);
        self.count += 1;
        self.list.push(Toast {
            text,
            error,
            until: None,
            number: self.count,
        });
        if self.list.len() > 4 {
            self.list.remove(0);
        }
    }

    /// Removes the newest message; false when there is none.
    pub fn dismiss(&mut self) -> bool {
        self.list.pop().is_some()
    }

    /// Removes the errors: what they complained of went well now.
    pub fn forgive(&mut self) {
        self.list.retain(|toast| !toast.error);
    }

    /// Shows them at the top of `viewport`.
    pub fn show(&mut self, ctx: &Context, viewport: egui::Rect) {
        let now = ctx.input(|input| input.time);
        for toast in &mut self.list {
            if !toast.error && toast.until.is_none() {
                toast.until = Some(now + STAY);
            }
        }
        self.list
            .retain(|toast| toast.until.is_none_or(|until| now < until));
        let soonest = self.list.iter().filter_map(|toast| toast.until);
        if let Some(soonest) = soonest.min_by(f64::total_cmp) {
            ctx.request_repaint_after_secs((soonest - now) as f32);
        }
        let mut top = viewport.top() + 14.0;
        let mut dismissed = None;
        for toast in &self.list {
            let (fill, edge) = if toast.error {
                (Color32::from_rgb(58, 30, 28), theme::ERROR)
            } else {
                (theme::RAISED, theme::ACCENT_DIM)
            };
            let middle = egui::pos2(viewport.center().x, top);
            let area = Area::new(Id::unique(("toast", toast.number)))
                .order(Order::Foreground)
                .pivot(Align2::CENTER_TOP)
                .fixed_pos(middle)
                .constrain_to(viewport);
            let shown = area.show(ctx, |ui| {
                Frame::new()
                    .fill(fill)
                    .stroke(Stroke::new(1.0, edge))
                    .corner_radius(7)
                    .inner_margin(egui::Margin::symmetric(12, 8))
                    .shadow(theme::shadow())
                    .show(ui, |ui| {
                        ui.set_max_width((viewport.width() - 60.0).clamp(120.0, 520.0));
                        ui.horizontal_top(|ui| {
                            let text = RichText::new(&toast.text).color(theme::TEXT);
                            let width = ui.available_width() - 26.0;
                            ui.scope(|ui| {
                                ui.set_max_width(width);
                                ui.add(egui::Label::new(text).wrap());
                            });
                            let close = Icon::Close.small(ui, vec2(16.0, 16.0), theme::WEAK);
                            if close.on_hover_text("Dismiss (Esc)").clicked() {
                                dismissed = Some(toast.number);
                            }
                        });
                    });
            });
            top += shown.response.rect.height() + 8.0;
        }
        if let Some(number) = dismissed {
            self.list.retain(|toast| toast.number != number);
        }
    }
}
