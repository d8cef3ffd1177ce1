//! What is asked in a dialog, and what is closed with Esc.

use super::AppState;
use crate::ui::{
    command::{Answer, Command},
    dialog::Dialog,
};
use std::path::Path;

impl AppState {
    /// Opens the dialog that `command` asks for.
    pub(super) fn ask(&mut self, command: &Command) {
        let dialog = match command {
            Command::AskSave => Dialog::save(self.document.file().suggestion()),
            Command::AskOpen => Dialog::open(self.document.file().path(), self.document.recent()),
            Command::AskHead => Dialog::head(Path::new(&self.document.scene().head.file)),
            Command::AskGroom => Dialog::groom(Path::new(&self.document.scene().import.file)),
            Command::AskEnvironment => {
                Dialog::environment(Path::new(&self.document.scene().light.environment))
            }
            Command::AskRebind => Dialog::rebind(Path::new(&self.document.scene().head.file)),
            Command::AskSequence => {
                let last = match self.document.scene().sim.motion.sequence.as_str() {
                    "" => &self.document.scene().head.file,
                    sequence => sequence,
                };
                Dialog::sequence(Path::new(last))
            }
            _ => return,
        };
        self.ui.dialog = Some(dialog);
    }

    /// Closes the dialog, if one is open. Whoever does not say where to save does not want
    /// to go on with what was to follow.
    pub(super) fn close_dialog(&mut self) {
        (self.ui.dialog, self.ui.pending) = (None, None);
    }

    /// Closes what is open on top: question, dialog, list of keys, handles, what is
    /// picked, message.
    pub(super) fn escape(&mut self) {
        if self.ui.question.is_some() {
            return self.answer(Answer::Cancel);
        }
        if self.ui.dialog.is_some() {
            return self.close_dialog();
        }
        if std::mem::take(&mut self.ui.shows_help) {
            return;
        }
        if self.ui.hand.parting.put_away() || std::mem::take(&mut self.ui.rights) {
            return;
        }
        match self.ui.picked {
            Some(_) => self.pick(None),
            None if self.ui.bodies.row.take().is_some() => {}
            None => {
                self.ui.toasts.dismiss();
            }
        }
    }
}
