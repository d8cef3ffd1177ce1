//! Files and folders that other programs of the system show.

use super::AppState;
use crate::{
    io::name_of,
    session::{jobs::Queue, outcome::JobOutcome},
};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

impl AppState {
    /// Lets the system show a file or a folder by the program that it has for it. It takes a
    /// moment to see whether that starts, for which the window does not wait.
    pub(super) fn show_outside(&mut self, path: PathBuf) {
        let title = format!("Opening {}", name_of(&path));
        self.start(Queue::Quick, title, move |_| {
            Ok(match hand_over(&path) {
                Ok(()) => JobOutcome::Shown,
                Err(why) => JobOutcome::Failed(format!("Cannot open {}: {why}", path.display())),
            })
        });
    }
}

/// Hands the file or folder over; the error says why that cannot be.
fn hand_over(path: &Path) -> Result<(), String> {
    // A desktop may say so in a window of its own, or not at all.
    if !path.exists() {
        return Err("it is not there any more".into());
    }
    open::that_detached(path).map_err(|error| {
        log::info!("{}: {error}", path.display());
        match error.kind() {
            ErrorKind::NotFound => {
                "nothing on this system opens files for other programs (on Linux xdg-utils does)"
            }
            _ => "the system has no program for it",
        }
        .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::Command;
    use std::{
        thread,
        time::{Duration, Instant},
    };

    #[test]
    fn what_cannot_be_opened_is_named_in_a_message() {
        let folder = tempfile::tempdir().expect("a folder");
        let video = folder.path().join("video0000.mp4");
        let mut program = AppState::small();
        program.perform(Command::ShowOutside(video.clone()));
        let message = format!("Cannot open {}: it is not there", video.display());
        let begun = Instant::now();
        while !program.ui.toasts.shows(&message) {
            assert!(begun.elapsed().as_secs() < 60, "waited in vain");
            program.poll();
            thread::sleep(Duration::from_millis(5));
        }
    }
}
