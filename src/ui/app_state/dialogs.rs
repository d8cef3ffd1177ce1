//! What is asked in a dialog, and what is closed with Esc.

use super::AppState;
use crate::{
    param::Value,
    project::{history::ParamPlace, scene::Scene},
    ui::{
        command::{Answer, Command},
        dialog::Dialog,
    },
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
            Command::AskFile(place) => return self.ask_file(*place),
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

    /// Opens the dialog for the file that the tunable at `place` names. Heads, grooms and
    /// environments come by commands of their own, which do more than to change a name.
    fn ask_file(&mut self, place: ParamPlace) {
        let Some((name, last)) = named(self.document.scene(), place) else {
            return;
        };
        let own = match name.as_str() {
            "head.file" => Command::AskHead,
            "import.file" => Command::AskGroom,
            "motion.sequence" => Command::AskSequence,
            "light.environment" => Command::AskEnvironment,
            _ => {
                self.ui.dialog = Dialog::parameter(place, &name, Path::new(&last));
                return;
            }
        };
        self.ask(&own);
    }

    /// Closes the dialog, if one is open. Whoever does not say where to save does not want
    /// to go on with what was to follow.
    pub(super) fn close_dialog(&mut self) {
        (self.ui.dialog, self.ui.pending) = (None, None);
    }

    /// Closes what is open on top: question, dialog, list of keys, handles, the graph of a
    /// number's keys, what is picked, message.
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
        if self.ui.hand.parting.put_away()
            || std::mem::take(&mut self.ui.rights)
            || std::mem::take(&mut self.ui.places)
        {
            return;
        }
        if let Some(number) = self.ui.keyed.graph.take()
            && self.document.scene().sim.tracks.keys.of(&number).is_some()
        {
            return;
        }
        match self.ui.picked {
            Some(_) => self.pick(None),
            None if self.ui.bodies.row.take().is_some() => {}
            None if self.ui.hint.is_shown() => self.ui.hint.dismiss(),
            None => {
                let closed = self.ui.toasts.dismiss();
                self.ui.full_screen &= closed;
            }
        }
    }
}

/// What the tunable at that place is called, `section.key`, and its text; none where it is
/// no text.
fn named(scene: &Scene, (section, index): ParamPlace) -> Option<(String, String)> {
    let params = *scene.sections().get(section)?;
    let tunable = params.tunables().into_iter().nth(index)?;
    let Value::Text(text) = params.get(index) else {
        return None;
    };
    Some((format!("{}.{}", params.section(), tunable.key), text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::scene::takes_file;

    #[test]
    fn every_parameter_that_names_a_file_has_a_dialog_of_files() {
        let mut program = AppState::small();
        let sections = program.document.scene().sections();
        let names = sections.iter().flat_map(|params| {
            let keys = params.tunables().into_iter().map(|tunable| tunable.key);
            keys.map(|key| format!("{}.{key}", params.section()))
        });
        let names: Vec<String> = names.filter(|name| takes_file(name)).collect();
        assert!(names.len() >= 10, "{names:?}");
        for name in names {
            let place = program.document.scene().place(&name).expect("its place");
            program.perform(Command::AskFile(place));
            assert!(program.ui.dialog.is_some(), "{name}");
            program.perform(Command::Escape);
            assert!(program.ui.dialog.is_none(), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_chosen_is_one_step_to_undo() {
        let mut program = AppState::small();
        let place = program.document.scene().place("roots.length_map");
        let place = place.expect("its place");
        let now = |program: &AppState| program.document.scene().roots.length_map.clone();
        for name in ["maps/short.png", "maps/long.png"] {
            program.perform(Command::AskFile(place));
            program.perform(Command::File(place, name.into()));
            assert!(program.ui.dialog.is_none(), "it closes");
            assert_eq!(now(&program), name);
        }
        program.perform(Command::Undo);
        assert_eq!(now(&program), "maps/short.png");
        program.perform(Command::Undo);
        assert_eq!(now(&program), "");
    }
}
