//! Messages at the top of the picture: plain news goes away by itself; warnings,
//! errors, questions and offers stay until they are dismissed or answered.

use super::{command::Command, icons::Icon, theme};
use egui::{
    Align2, Area, Button, Color32, Context, Frame, Id, Order, Rect, RichText, Stroke, Ui, pos2,
    vec2,
};

/// How long plain news stays. `[s]`
const STAY: f64 = 5.0;

/// So many are shown at once, the newest.
const SHOWN: usize = 4;

/// One for so much of the picture's height, so that they leave most of it to be seen.
/// `[points]`
const ROOM: f32 = 120.0;

/// So many are kept; what fills a screen many times over is read by nobody.
const KEPT: usize = 40;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Something was done.
    News,
    /// Something is odd.
    Warning,
    /// Something could not be done.
    Error,
    /// A scene could not be built; once one is, that is settled.
    Failure,
    /// Something is for the user to decide.
    Question,
}

impl Kind {
    /// Ground and edge.
    fn colours(self) -> [Color32; 2] {
        match self {
            Self::News => [theme::RAISED, theme::ACCENT_DIM],
            Self::Question => [theme::RAISED, theme::ACCENT],
            Self::Warning => [Color32::from_rgb(54, 44, 24), theme::ACCENT],
            Self::Error | Self::Failure => [Color32::from_rgb(58, 30, 28), theme::ERROR],
        }
    }
}

/// One message.
struct Toast {
    text: String,
    kind: Kind,
    /// What may be done about it.
    offers: Vec<(String, Command)>,
    /// The moment it goes away; none before it was first shown, or never.
    until: Option<f64>,
    number: u64,
}

/// The messages, oldest first.
#[derive(Default)]
pub struct Toasts {
    list: Vec<Toast>,
    count: u64,
}

impl Toasts {
    /// Tells plain news.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::News, Vec::new());
    }

    /// Tells of something odd that a person should know.
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        log::warn!("{text}");
        self.push(text, Kind::Warning, Vec::new());
    }

    /// The same of what the log has been told already.
    pub fn caution(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::Warning, Vec::new());
    }

    /// Tells of an error.
    pub fn error(&mut self, text: impl Into<String>) {
        let text = text.into();
        log::warn!("{text}");
        self.push(text, Kind::Error, Vec::new());
    }

    /// Tells why a scene cannot be built.
    pub fn failure(&mut self, text: impl Into<String>) {
        let text = text.into();
        log::warn!("{text}");
        self.push(text, Kind::Failure, Vec::new());
    }

    /// Tells of something that somebody should decide.
    pub fn ask(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::Question, Vec::new());
    }

    /// Tells of something odd, and offers what may be done about it: each in
    /// words on a button.
    pub fn offer(&mut self, text: impl Into<String>, offers: Vec<(String, Command)>) {
        let text = text.into();
        log::info!("{text}");
        self.push(text, Kind::Warning, offers);
    }

    fn push(&mut self, text: String, kind: Kind, offers: Vec<(String, Command)>) {
        // A dragged slider may cause the same error many times; and what was
        // offered before is no longer what would be done.
        let stale = |old: &Toast| {
            let same = old.offers.iter().map(|(_, command)| command);
            let same = same.eq(offers.iter().map(|(_, command)| command));
            old.text == text || !offers.is_empty() && same
        };
        self.list.retain(|toast| !stale(toast));
        self.count += 1;
        self.list.push(Toast {
            text,
            kind,
            offers,
            until: None,
            number: self.count,
        });
        // News makes room first.
        while self.list.len() > KEPT || self.list.len() > SHOWN && self.drop_news() {
            if self.list.len() > KEPT {
                self.list.remove(0);
            }
        }
    }

    /// Drops the oldest news but the newest message; false where there is none.
    fn drop_news(&mut self) -> bool {
        let last = self.list.len().saturating_sub(1);
        let news = self.list[..last]
            .iter()
            .position(|toast| toast.kind == Kind::News);
        news.map(|place| self.list.remove(place)).is_some()
    }

    /// Removes messages that begin like that: what they told of is no more.
    pub fn retract(&mut self, beginning: &str) {
        self.list.retain(|toast| !toast.text.starts_with(beginning));
    }

    /// Whether a message begins like that.
    #[cfg(test)]
    pub fn shows(&self, beginning: &str) -> bool {
        self.list
            .iter()
            .any(|toast| toast.text.starts_with(beginning))
    }

    /// Removes the newest message; false when there is none.
    pub fn dismiss(&mut self) -> bool {
        self.list.pop().is_some()
    }

    /// Removes the failures to build: what they complained of went well now; and
    /// questions about what was built before.
    pub fn forgive(&mut self) {
        self.list
            .retain(|toast| !matches!(toast.kind, Kind::Failure | Kind::Question));
    }

    /// Shows them at the top of `viewport`; answers with what was chosen. While something
    /// is `asked` in a dialog, all but errors wait.
    pub fn show(&mut self, ctx: &Context, viewport: Rect, asked: bool) -> Option<Command> {
        let now = ctx.input(|input| input.time);
        let waits = |toast: &Toast| asked && !matches!(toast.kind, Kind::Error | Kind::Failure);
        for toast in self.list.iter_mut().filter(|toast| !waits(toast)) {
            if toast.kind == Kind::News && toast.until.is_none() {
                toast.until = Some(now + STAY);
            }
        }
        self.list
            .retain(|toast| waits(toast) || toast.until.is_none_or(|until| now < until));
        let soonest = self.list.iter().filter_map(|toast| toast.until);
        if let Some(soonest) = soonest.min_by(f64::total_cmp) {
            ctx.request_repaint_after_secs((soonest - now) as f32);
        }
        let mut top = viewport.top() + 14.0;
        let (mut dismissed, mut chosen) = (None, None);
        let most = ((viewport.height() / ROOM) as usize).clamp(1, SHOWN);
        let due: Vec<&Toast> = self.list.iter().filter(|toast| !waits(toast)).collect();
        let hidden = due.len().saturating_sub(most);
        for toast in &due[hidden..] {
            let area = Area::new(Id::unique(("toast", toast.number)));
            let shown = over(area, viewport, top).show(ctx, |ui| {
                boxed(toast.kind).show(ui, |ui| {
                    let (close, offer) = one(ui, toast, viewport.width());
                    if close || offer.is_some() {
                        dismissed = Some(toast.number);
                    }
                    chosen = offer.or(chosen.take());
                });
            });
            top += shown.response.rect.height() + 8.0;
        }
        if let Some(number) = dismissed {
            self.list.retain(|toast| toast.number != number);
        }
        let mut all = false;
        if hidden > 0 {
            let area = Area::new(Id::unique("more toasts"));
            over(area, viewport, top).show(ctx, |ui| {
                let text = match hidden {
                    1 => "1 older message; dismiss all".into(),
                    _ => format!("{hidden} older messages; dismiss all"),
                };
                let text = RichText::new(text).small();
                all = ui.add(Button::new(text).fill(theme::RAISED)).clicked();
            });
        }
        if all {
            self.list.clear();
        }
        chosen
    }
}

fn over(area: Area, viewport: Rect, top: f32) -> Area {
    area.order(Order::Foreground)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(pos2(viewport.center().x, top))
        .constrain_to(viewport)
}

fn boxed(kind: Kind) -> Frame {
    let [fill, edge] = kind.colours();
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(7)
        .inner_margin(egui::Margin::symmetric(12, 8))
        .shadow(theme::shadow())
}

/// One message; whether it was dismissed, and what was chosen of its offers.
fn one(ui: &mut Ui, toast: &Toast, width: f32) -> (bool, Option<Command>) {
    let (mut closed, mut chosen) = (false, None);
    ui.set_max_width((width - 60.0).clamp(120.0, 520.0));
    ui.horizontal_top(|ui| {
        let text = RichText::new(&toast.text).color(theme::TEXT);
        let width = ui.available_width() - 26.0;
        ui.scope(|ui| {
            ui.set_max_width(width);
            ui.add(egui::Label::new(text).wrap());
        });
        let close = Icon::Close.small(ui, vec2(16.0, 16.0), theme::WEAK);
        closed = close.on_hover_text("Dismiss (Esc)").clicked();
    });
    if !toast.offers.is_empty() {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            for (words, command) in &toast.offers {
                let words = RichText::new(words).color(Color32::WHITE);
                if ui.add(Button::new(words).fill(theme::ACCENT_DIM)).clicked() {
                    chosen = Some(command.clone());
                }
            }
        });
    }
    (closed, chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Event, Modifiers, PointerButton, Pos2, RawInput};

    /// Draws them at that time `[s]`; what was chosen, and where each text is.
    fn draw(
        ctx: &Context,
        toasts: &mut Toasts,
        time: f64,
        events: Vec<Event>,
    ) -> (Option<Command>, Vec<(String, Pos2)>) {
        let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0));
        let input = RawInput {
            screen_rect: Some(viewport),
            time: Some(time),
            events,
            ..RawInput::default()
        };
        let mut chosen = None;
        let output = ctx.run_ui(input, |ui| {
            chosen = toasts.show(ui.ctx(), viewport, false).or(chosen.take());
        });
        let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
            egui::Shape::Text(text) => Some((
                text.galley.text().to_string(),
                shape.shape.visual_bounding_rect().center(),
            )),
            _ => None,
        });
        (chosen, texts.collect())
    }

    #[test]
    fn while_a_dialog_asks_all_but_errors_wait() {
        let (ctx, mut toasts) = (Context::default(), Toasts::default());
        toasts.tell("saved");
        toasts.warn("odd");
        toasts.error("wrong");
        let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0));
        for _ in 0..2 {
            let output = ctx.run_ui(RawInput::default(), |ui| {
                toasts.show(ui.ctx(), viewport, true);
            });
            let text = format!("{:?}", output.shapes);
            assert!(!text.contains("saved") && !text.contains("odd"));
        }
        assert!(toasts.list.iter().all(|toast| toast.until.is_none()));
        let mut all = texts(&ctx, &mut toasts, 1.0);
        all.sort();
        assert_eq!(all, ["odd", "saved", "wrong"]);
    }

    fn texts(ctx: &Context, toasts: &mut Toasts, time: f64) -> Vec<String> {
        draw(ctx, toasts, time, Vec::new());
        let (_, shown) = draw(ctx, toasts, time + 0.01, Vec::new());
        shown.into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn news_goes_and_what_is_wrong_stays_until_it_is_dismissed() {
        let (ctx, mut toasts) = (Context::default(), Toasts::default());
        toasts.tell("saved");
        toasts.warn("odd");
        toasts.error("wrong");
        assert_eq!(texts(&ctx, &mut toasts, 1.0), ["saved", "odd", "wrong"]);
        assert_eq!(texts(&ctx, &mut toasts, 600.0), ["odd", "wrong"]);
        // However much is told, what is wrong is not pushed out by it.
        for i in 0..20 {
            toasts.tell(format!("news {i}"));
        }
        let shown = texts(&ctx, &mut toasts, 601.0);
        assert!(shown.contains(&"wrong".into()) && shown.contains(&"odd".into()));
        assert!(shown.contains(&"news 19".into()), "{shown:?}");
        for i in 0..6 {
            toasts.error(format!("worse {i}"));
        }
        let shown = texts(&ctx, &mut toasts, 900.0);
        assert_eq!(
            shown.last().map(String::as_str),
            Some("4 older messages; dismiss all")
        );
        for _ in 0..8 {
            assert!(toasts.dismiss());
        }
        assert!(!toasts.dismiss(), "nothing was lost, nothing is left");
        toasts.failure("no such head");
        toasts.ask("how tall is it?");
        toasts.forgive();
        assert!(!toasts.dismiss(), "a later build has settled both");
        let fit = || vec![("Fit".to_string(), Command::FitGroom)];
        toasts.offer("a groom is off", fit());
        toasts.offer("another groom is off", fit());
        assert!(toasts.dismiss() && !toasts.dismiss(), "it took its place");
        toasts.warn("odd: one");
        toasts.warn("wrong");
        toasts.retract("odd");
        assert_eq!(texts(&ctx, &mut toasts, 1000.0), ["wrong"]);
    }

    #[test]
    fn an_offer_is_taken_with_a_click_and_is_gone() {
        let (ctx, mut toasts) = (Context::default(), Toasts::default());
        let offers = vec![
            ("Less".to_string(), Command::Reset),
            ("Other".to_string(), Command::Panel),
        ];
        toasts.offer("too slow", offers);
        draw(&ctx, &mut toasts, 1.0, Vec::new());
        let (_, shown) = draw(&ctx, &mut toasts, 100.0, Vec::new());
        let pos = shown.iter().find(|(text, _)| text == "Other").map(|s| s.1);
        let pos = pos.expect("a button");
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        draw(&ctx, &mut toasts, 100.1, vec![Event::PointerMoved(pos)]);
        draw(&ctx, &mut toasts, 100.2, vec![button(true)]);
        let (chosen, _) = draw(&ctx, &mut toasts, 100.3, vec![button(false)]);
        assert_eq!(chosen, Some(Command::Panel));
        assert!(!toasts.dismiss(), "it is gone");
    }
}
