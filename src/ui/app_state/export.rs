//! Hair exported, as it is now or moving, and what is told of that.

use super::AppState;
use crate::{
    io::name_of,
    project::export::{AnimationOptions, ExportOptions},
    session::outcome::{ExportedAnimation, ExportedHair},
    ui::{
        command::Command,
        dialog::{Dialog, ExportRows},
        name_field::whole,
        numbers::{grouped, size},
    },
};
use std::path::{Path, PathBuf};

/// What the button is called that shows where files were written.
const SHOW: &str = "Show folder";

/// What the button is called that plays a cache.
const PLAY: &str = "Play it";

impl AppState {
    /// Opens the dialog that asks where and how the hair is exported.
    pub(super) fn ask_export(&mut self) {
        let built = self.session.built();
        let bound = self.session.bound();
        let simulated = built.map_or(0, |built| built.groom.strands());
        let all = bound.map_or(simulated, |bound| bound.file.count);
        let drawn = self.session.planted();
        let drawn = drawn.map(|planted| planted.strands() + planted.fine_hairs());
        let exports = &self.ui.exports;
        let rows = ExportRows {
            options: exports.options(),
            moves: exports.moves(),
            animation: exports.animation(self.document.scene()),
            strands: [simulated, all, drawn.unwrap_or(all).max(all)],
            points: built.map_or(0.0, |built| {
                built.groom.points.len() as f64 / simulated.max(1) as f64
            }),
            head: built.map_or(0, |built| built.head.mesh.positions.len()),
            from_file: bound.is_some(),
            axes: built.map(|built| built.file_axes).unwrap_or_default(),
        };
        self.ui.dialog = Some(Dialog::export(exports.suggestion(), rows));
    }

    /// Writes the hair as it is now, like that; the next export begins with the same choices.
    pub(super) fn export(&mut self, path: PathBuf, options: ExportOptions) {
        self.keep_choices(&path, options, None);
        let scene = self.document.scene();
        if let Err(message) = self.session.export(path, scene, options) {
            self.ui.toasts.error(message);
        }
    }

    /// Writes that animation of the scene, like that; the next export begins with the same
    /// choices.
    pub(super) fn export_animation(
        &mut self,
        path: PathBuf,
        options: ExportOptions,
        animation: AnimationOptions,
    ) {
        self.keep_choices(&path, options, Some(animation));
        let (scene, name) = (self.document.scene(), self.document.file().name());
        let started = self
            .session
            .export_animation(path, (scene, name), options, animation);
        if let Err(message) = started {
            self.ui.toasts.error(message);
        }
    }

    /// Closes the dialog and remembers what was chosen in it.
    fn keep_choices(
        &mut self,
        path: &Path,
        options: ExportOptions,
        animation: Option<AnimationOptions>,
    ) {
        // What the format cannot hold is chosen all the same.
        let dialog = self.ui.dialog.as_ref();
        let chosen = dialog.and_then(Dialog::export_choices);
        let options = chosen.map_or(options, |rows| rows.options);
        self.close_dialog();
        let (exports, scene) = (&mut self.ui.exports, self.document.scene());
        exports.keep(path, options, animation, scene);
    }

    /// Says what was written of an animation, and offers to show it.
    pub(super) fn take_animation(&mut self, hair: &ExportedAnimation) {
        let path = whole(&hair.path);
        let folder = path.parent().unwrap_or(&path).to_path_buf();
        let mut offers = vec![(SHOW.to_string(), Command::ShowOutside(folder))];
        if hair.plays {
            offers.push((PLAY.into(), Command::Play(path)));
        }
        self.ui.toasts.report(animated(hair), offers);
    }
}

fn grouped_count(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(count)),
    }
}

/// What was exported, in words.
pub(super) fn exported(hair: &ExportedHair) -> String {
    let mut parts = vec![format!(
        "Exported {}: {}, {}, in {}, {} up, {}",
        whole(&hair.path).display(),
        grouped_count(hair.strands, "strand", "strands"),
        grouped_count(hair.points, "point", "points"),
        hair.unit.name(),
        hair.up.name(),
        size(hair.bytes)
    )];
    let head = hair.head.as_ref();
    parts.extend(head.map(|head| match *head == hair.path {
        true => "the head with it".into(),
        false => format!("the head in {}", name_of(head)),
    }));
    parts.extend(hair.lost.iter().cloned());
    parts.join("; ")
}

/// The same of an animation.
fn animated(hair: &ExportedAnimation) -> String {
    let files = match hair.files {
        1 => String::new(),
        files => format!(" in {} files", grouped(files)),
    };
    let mut parts = vec![format!(
        "Exported {}: {} at {} a second, {}, {}, {}{files}",
        whole(&hair.path).display(),
        grouped_count(hair.frames, "frame", "frames"),
        (1e3 * hair.fps).round() / 1e3,
        grouped_count(hair.strands, "strand", "strands"),
        hair.format,
        size(hair.bytes)
    )];
    parts.extend(hair.head.as_ref().map(|head| format!("the head: {head}")));
    let camera = hair.camera.as_ref();
    parts.extend(camera.map(|camera| format!("the camera: {camera}")));
    parts.extend(hair.told.iter().cloned());
    parts.join("; ")
}

#[cfg(test)]
mod tests;
