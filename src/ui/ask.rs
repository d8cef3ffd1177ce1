//! Questions that have to be answered before anything else is done: what to do
//! with work that is not saved, with work that a crash has left, and with what is
//! being written while the window closes.

use super::{
    command::{Answer, Command},
    theme,
};
use egui::{Align, Button, Color32, Context, Id, Key, Layout, Modal, RichText};

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The scene of that name has work in it that `then` would lose.
    Unsaved {
        /// The scene.
        name: String,
        /// What was asked for.
        then: Box<Command>,
    },
    /// A scene of that name was left behind by a program that did not end in
    /// order.
    Left {
        /// The scene.
        name: String,
        /// How long ago, in words.
        age: String,
    },
    /// Something is being written that a window which closes gives up.
    Busy {
        /// What that is, and what becomes of it: one sentence.
        work: &'static str,
    },
}

impl Question {
    /// Heading, explanation, and what the answers are called.
    fn words(&self) -> (String, String, &'static [(Answer, &'static str)]) {
        match self {
            Self::Unsaved { name, then } => {
                let then = match **then {
                    Command::Close => {
                        "Closing the window discards what was changed since it was saved last."
                    }
                    _ => {
                        "Another scene takes the place of what was changed since it was saved \
                         last. Undo leads back to it until the window is closed."
                    }
                };
                (
                    format!("Save the changes to \"{name}\"?"),
                    then.into(),
                    &[
                        (Answer::Yes, "Save"),
                        (Answer::No, "Discard"),
                        (Answer::Cancel, "Cancel"),
                    ],
                )
            }
            Self::Left { name, age } => (
                format!("Restore \"{name}\"?"),
                format!(
                    "Lovelock ended before this was saved. The autosave was written {age}; \
                     restoring it changes no file until you save."
                ),
                &[
                    (Answer::Yes, "Restore"),
                    (Answer::No, "Discard"),
                    (Answer::Cancel, "Later"),
                ],
            ),
            Self::Busy { work } => (
                "Close the window now?".into(),
                (*work).into(),
                &[(Answer::Yes, "Close"), (Answer::Cancel, "Cancel")],
            ),
        }
    }

    /// Shows the question; the answer once there is one.
    pub fn show(&self, ctx: &Context) -> Option<Answer> {
        let (title, text, answers) = self.words();
        let frame = egui::Frame::popup(&ctx.global_style())
            .fill(theme::GROUND)
            .inner_margin(16);
        let mut answer = None;
        Modal::new(Id::unique("question"))
            .frame(frame)
            .show(ctx, |ui| {
                ui.set_width(380.0);
                ui.label(RichText::new(title).heading());
                ui.add_space(6.0);
                ui.add(egui::Label::new(RichText::new(text).color(theme::TEXT)).wrap());
                ui.add_space(12.0);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    for (what, name) in answers {
                        let (key, key_name) = match what {
                            Answer::Yes => (Key::Enter, "Enter"),
                            Answer::No => (Key::D, "D"),
                            Answer::Cancel => (Key::Escape, "Esc"),
                        };
                        let (colour, fill) = match what {
                            Answer::Yes => (Color32::WHITE, theme::ACCENT_DIM),
                            _ => (theme::TEXT, theme::FIELD),
                        };
                        let button = Button::new(RichText::new(*name).color(colour))
                            .fill(fill)
                            .min_size(egui::vec2(84.0, 26.0));
                        let clicked = ui.add(button).on_hover_text(key_name).clicked();
                        if clicked || ui.input(|input| input.key_pressed(key)) {
                            answer = Some(*what);
                        }
                    }
                });
            });
        answer
    }
}
