//! Messages in a corner of the picture: plain news goes away by itself; warnings,
//! errors, questions and offers stay until they are dismissed or answered. More than a few
//! are folded, and warnings about the same thing share a box. What was said stays in a list.

mod past;

use super::{command::Command, corner::MessageCorner, icons::Icon, theme};
use egui::{
    Button, Color32, Context, FontId, Frame, Id, Layout, RichText, ScrollArea, Stroke, Ui,
    text::LayoutJob, vec2,
};
pub use past::PastMessages;

/// Plain news stays so long, and longer the longer it is to read. `[s]`
const STAY: [f64; 2] = [5.0, 12.0];

/// So long it stays once the mouse has left it. `[s]`
const AFTER: f64 = 1.0;

/// Time to read a letter. `[s]`
const LETTER: f64 = 0.06;

/// So many are shown at once; the others are folded.
const SHOWN: usize = 3;

/// One for so much of the picture's height, so that they leave most of it to be seen.
/// `[points]`
const ROOM: f32 = 220.0;

/// So many lines are shown of each while some are folded, more than any but the longest has;
/// the others while the mouse is over it.
const LINES: usize = 12;

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

/// One message, or some about the same thing.
struct Toast {
    /// What is told; several of them begin alike, see [`subject`].
    texts: Vec<String>,
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
    /// Whether all are shown.
    unfolded: bool,
    /// The one that was under the mouse last.
    read: Option<u64>,
    /// Whether a dialog asked something when they were shown last.
    asked: bool,
    /// How many there was room for then; none before that.
    most: Option<usize>,
    /// What was said, also by those that are gone.
    past: PastMessages,
}

/// What a text is about: what stands before its first colon, as in "head.obj: ...".
fn subject(text: &str) -> Option<&str> {
    text.split_once(": ").map(|(subject, _)| subject)
}

impl Toast {
    /// Whether it is to be seen before others.
    fn is_urgent(&self) -> bool {
        matches!(self.kind, Kind::Error | Kind::Failure | Kind::Question)
    }

    /// Whether it goes away by itself: plain news, with which nothing is to be done.
    fn passes(&self) -> bool {
        self.kind == Kind::News && self.offers.is_empty()
    }

    /// Whether it comes later while something is `asked` in a dialog.
    fn waits(&self, asked: bool) -> bool {
        asked && !matches!(self.kind, Kind::Error | Kind::Failure)
    }

    /// Whether a warning with that text belongs into it.
    fn takes(&self, text: &str) -> bool {
        let about = |text| subject(text).filter(|_| self.kind == Kind::Warning);
        let own = self.texts.first().and_then(|first| about(first));
        self.offers.is_empty() && own.is_some() && own == about(text)
    }

    /// All that it tells.
    fn text(&self) -> String {
        match &self.texts[..] {
            [one] => one.clone(),
            all => {
                let about = all.first().and_then(|first| subject(first));
                let mut out = format!("{}:", about.unwrap_or_default());
                for text in all {
                    let told = text.split_once(": ").map_or(&text[..], |(_, told)| told);
                    out += &format!("\n\u{2022} {told}");
                }
                out
            }
        }
    }

    /// How long it stays, of plain news. `[s]`
    fn stay(&self) -> f64 {
        let letters: usize = self.texts.iter().map(|text| text.chars().count()).sum();
        (letters as f64 * LETTER).clamp(STAY[0], STAY[1])
    }
}

impl Toasts {
    /// Tells plain news.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::News, Vec::new());
    }

    /// Tells of something that was done, and offers what may be done with it: each in words on
    /// a button.
    pub fn report(&mut self, text: impl Into<String>, offers: Vec<(String, Command)>) {
        let text = text.into();
        log::info!("{text}");
        self.push(text, Kind::News, offers);
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
            !offers.is_empty() && same
        };
        self.list.retain(|toast| !stale(toast));
        self.drop_texts(|old| old == text);
        self.past.note(&text, kind.colours()[1]);
        self.count += 1;
        let mergeable = kind == Kind::Warning && offers.is_empty();
        let place = self.list.iter().position(|toast| toast.takes(&text));
        let texts = match place.filter(|_| mergeable) {
            Some(place) => {
                let mut texts = self.list.remove(place).texts;
                texts.push(text);
                texts
            }
            None => vec![text],
        };
        self.list.push(Toast {
            texts,
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

    /// Drops the oldest news that nobody reads, but never the newest message; false where there
    /// is none.
    fn drop_news(&mut self) -> bool {
        let last = self.list.len().saturating_sub(1);
        let goes = |toast: &Toast| toast.passes() && self.read != Some(toast.number);
        let news = self.list[..last].iter().position(goes);
        news.map(|place| self.list.remove(place)).is_some()
    }

    /// Removes messages that begin like that: what they told of is no more.
    pub fn retract(&mut self, beginning: &str) {
        self.drop_texts(|text| text.starts_with(beginning));
    }

    /// Removes the texts that are `gone`, and messages without any.
    fn drop_texts(&mut self, gone: impl Fn(&str) -> bool) {
        for toast in &mut self.list {
            toast.texts.retain(|text| !gone(text));
        }
        self.list.retain(|toast| !toast.texts.is_empty());
    }

    /// All that was said, the newest first.
    pub fn past(&self) -> &PastMessages {
        &self.past
    }

    /// Whether a message begins like that.
    #[cfg(test)]
    pub fn shows(&self, beginning: &str) -> bool {
        let mut texts = self.list.iter().flat_map(|toast| &toast.texts);
        texts.any(|text| text.starts_with(beginning))
    }

    /// Removes the newest message that is shown; false when there is none.
    pub fn dismiss(&mut self) -> bool {
        let newest = self.shown().pop();
        newest.map(|place| self.list.remove(place)).is_some()
    }

    /// The places of those that do not wait.
    fn due(&self) -> Vec<usize> {
        let all = 0..self.list.len();
        all.filter(|place| !self.list[*place].waits(self.asked))
            .collect()
    }

    /// The places of those that are shown: what is urgent, and then what is new, unless all are.
    fn shown(&self) -> Vec<usize> {
        let mut due = self.due();
        let most = self.most.filter(|_| !self.unfolded);
        let rest = most.map_or(0, |most| due.len().saturating_sub(most));
        due.sort_by_key(|place| (rest > 0 && self.list[*place].is_urgent(), *place));
        let mut shown = due.split_off(rest);
        shown.sort_unstable();
        shown
    }

    /// Removes the failures to build: what they complained of went well now; and
    /// questions about what was built before.
    pub fn forgive(&mut self) {
        self.list
            .retain(|toast| !matches!(toast.kind, Kind::Failure | Kind::Question));
    }

    /// Shows them in that `corner`; answers with what was chosen. While something is `asked`
    /// in a dialog, all but errors wait.
    pub fn show(
        &mut self,
        ctx: &Context,
        corner: &mut MessageCorner,
        asked: bool,
    ) -> Option<Command> {
        let now = ctx.input(|input| input.time);
        let waits = |toast: &Toast| toast.waits(asked);
        for toast in self.list.iter_mut().filter(|toast| !waits(toast)) {
            if toast.passes() && toast.until.is_none() {
                toast.until = Some(now + toast.stay());
            }
            // Nothing goes while somebody reads it.
            if self.read == Some(toast.number) {
                toast.until = toast.until.map(|until| until.max(now + AFTER));
            }
        }
        self.list
            .retain(|toast| waits(toast) || toast.until.is_none_or(|until| now < until));
        let soonest = self.list.iter().filter_map(|toast| toast.until);
        if let Some(soonest) = soonest.min_by(f64::total_cmp) {
            ctx.request_repaint_after_secs((soonest - now) as f32);
        }
        let most = ((corner.room() / ROOM) as usize).clamp(1, SHOWN);
        (self.asked, self.most) = (asked, Some(most));
        let mut rest = self.due().len().saturating_sub(most);
        self.unfolded &= rest > 0;
        let shown = self.shown().into_iter().map(|place| &self.list[place]);
        let shown: Vec<&Toast> = shown.collect();
        let done = match self.unfolded {
            true => all(ctx, corner, &shown),
            false => some(ctx, corner, &shown),
        };
        self.read = done.read;
        if let Some(number) = done.closed {
            self.list.retain(|toast| toast.number != number);
            rest = rest.saturating_sub(1);
        }
        if rest > 0 {
            match fold_line(ctx, corner, rest, self.unfolded) {
                FoldLine::Nothing => {}
                FoldLine::Turn => self.unfolded ^= true,
                FoldLine::CloseAll => self.list.retain(waits),
            }
        }
        done.chosen
    }
}

/// What was done with the messages that are shown.
#[derive(Default)]
struct Done {
    /// The message that was closed, or whose offer was taken.
    closed: Option<u64>,
    /// The message under the mouse.
    read: Option<u64>,
    chosen: Option<Command>,
}

impl Done {
    /// Draws a message, `lines` of its text at most.
    fn draw(&mut self, ui: &mut Ui, toast: &Toast, width: f32, lines: usize) {
        boxed(toast.kind).show(ui, |ui| {
            let (close, offer) = one(ui, toast, width, lines);
            if close || offer.is_some() {
                self.closed = Some(toast.number);
            }
            self.chosen = offer.or(self.chosen.take());
        });
        // One that has left the window points to nothing.
        let points = ui.input(|input| input.pointer.has_pointer());
        if points && ui.ui_contains_pointer() {
            self.read = Some(toast.number);
        }
    }
}

/// Draws a few messages below each other.
fn some(ctx: &Context, corner: &mut MessageCorner, shown: &[&Toast]) -> Done {
    let mut done = Done::default();
    let width = corner.width();
    for toast in shown {
        let id = Id::unique(("toast", toast.number));
        corner.put(ctx, id, |ui| done.draw(ui, toast, width, LINES));
    }
    done
}

/// Draws all messages, as many at once as there is room for.
fn all(ctx: &Context, corner: &mut MessageCorner, shown: &[&Toast]) -> Done {
    let mut done = Done::default();
    let (width, room) = (corner.width(), (corner.room() - 110.0).max(80.0));
    corner.put(ctx, Id::unique("all toasts"), |ui| {
        ScrollArea::vertical().max_height(room).show(ui, |ui| {
            ui.set_width(width);
            for toast in shown {
                let salt = egui::UiBuilder::new().id_salt(toast.number);
                ui.scope_builder(salt, |ui| done.draw(ui, toast, width, usize::MAX));
            }
        });
    });
    done
}

/// What was done in the line below the messages.
enum FoldLine {
    Nothing,
    Turn,
    CloseAll,
}

/// Draws the line that says how many more there are.
fn fold_line(ctx: &Context, corner: &mut MessageCorner, rest: usize, unfolded: bool) -> FoldLine {
    let width = corner.width();
    corner.put(ctx, Id::unique("more toasts"), |ui| {
        ui.allocate_ui_with_layout(
            vec2(width, 20.0),
            Layout::right_to_left(egui::Align::Center),
            |ui| {
                let mut button = |text: String| {
                    let text = RichText::new(text).small();
                    ui.add(Button::new(text).fill(theme::RAISED)).clicked()
                };
                let close = button("Close all".into());
                let turn = match unfolded {
                    true => button("Fewer".into()),
                    false => button(format!("{rest} more")),
                };
                match (close, turn) {
                    (true, _) => FoldLine::CloseAll,
                    (_, true) => FoldLine::Turn,
                    _ => FoldLine::Nothing,
                }
            },
        )
        .inner
    })
}

fn boxed(kind: Kind) -> Frame {
    let [fill, edge] = kind.colours();
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(7)
        .inner_margin(egui::Margin::symmetric(MARGIN as i8, 7))
        .shadow(theme::shadow())
}

/// Beside a message, within its box. `[points]`
const MARGIN: f32 = 10.0;

/// One message in a box so wide, `lines` of its text at most; whether it was dismissed, and
/// what was chosen of its offers.
fn one(ui: &mut Ui, toast: &Toast, width: f32, lines: usize) -> (bool, Option<Command>) {
    let (mut closed, mut chosen) = (false, None);
    ui.set_width(width - 2.0 * (MARGIN + 1.0));
    ui.horizontal_top(|ui| {
        let room = ui.available_width() - 22.0;
        let text = toast.text();
        let font = FontId::proportional(12.5);
        let mut job = LayoutJob::simple(text.clone(), font, theme::TEXT, room);
        job.wrap.max_rows = lines;
        let galley = ui.painter().layout_job(job);
        let elided = galley.elided;
        let label = ui
            .scope(|ui| {
                ui.set_width(room);
                ui.add(egui::Label::new(galley).sense(egui::Sense::hover()))
            })
            .inner;
        if elided {
            label.on_hover_text(text);
        }
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
mod tests;
