//! A line for whoever starts the program for the first time, and the scenes to
//! begin with; gone for good with a click.

use super::{command::Command, gallery, keys, theme};
use crate::project::state_folder;
use egui::{
    Align, Align2, Area, Button, Color32, Context, Frame, Id, Layout, Order, RichText, vec2,
};
use std::path::PathBuf;

/// Name of the file that says that they were read.
const FILE: &str = "hint-read";

/// Narrower pictures than this leave no room for it. `[points]`
const NARROWEST: f32 = 420.0;

/// Whether they are shown.
#[derive(Debug, Default)]
pub struct Hint {
    shown: bool,
    /// Whether the scenes are shown, too.
    scenes: bool,
    file: Option<PathBuf>,
}

impl Hint {
    /// Shown unless they were read before; never where that cannot be remembered. With
    /// `scenes` to begin with, for whoever has named none.
    pub fn load(scenes: bool) -> Self {
        let hint = Self::at(state_folder::path().map(|folder| folder.join(FILE)));
        Self { scenes, ..hint }
    }

    fn at(file: Option<PathBuf>) -> Self {
        let shown = file.as_ref().is_some_and(|file| !file.exists());
        Self {
            shown,
            scenes: true,
            file,
        }
    }

    /// Whether they are shown.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Whether scenes to begin with are shown beside them.
    pub fn has_scenes(&self) -> bool {
        self.scenes
    }

    /// They were read: not again.
    pub fn dismiss(&mut self) {
        self.shown = false;
        let Some(file) = &self.file else { return };
        state_folder::keep(file, "", "that the hint was read");
    }
}

/// What is done, and what comes of it.
fn lines() -> [(String, &'static str); 4] {
    let key = |command: &Command| keys::name_of(command).to_string();
    [
        (
            "Drag".into(),
            "orbits; with the right button the head turns",
        ),
        (key(&Command::Toggle("wind.on")), "lets the wind blow"),
        (key(&Command::Capture), "records frames"),
        (key(&Command::Help), "lists all keys"),
    ]
}

/// Shows them at the lower edge of the picture, or above the timeline there; with the scenes
/// where there is room.
pub fn show(
    ctx: &Context,
    viewport: egui::Rect,
    above_timeline: bool,
    scenes: bool,
    commands: &mut Vec<Command>,
) {
    if viewport.width() < NARROWEST {
        return;
    }
    let above = if above_timeline { 66.0 } else { 12.0 };
    let place = egui::pos2(viewport.center().x, viewport.bottom() - above);
    let area = Area::new(Id::unique("first hint"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(place)
        .constrain_to(viewport);
    area.show(ctx, |ui| {
        Frame::new()
            .fill(theme::RAISED)
            .stroke(egui::Stroke::new(1.0, theme::ACCENT_DIM))
            .corner_radius(8)
            .inner_margin(12)
            .shadow(theme::shadow())
            .show(ui, |ui| {
                let columns = ((viewport.width() - 120.0) / 84.0).floor().clamp(3.0, 9.0);
                // Half a picture more says that there are more.
                ui.set_width(columns * 84.0 + 36.0);
                ui.horizontal_top(|ui| {
                    let room = vec2(ui.available_width() - 84.0, 22.0);
                    ui.allocate_ui(room, |ui| {
                        ui.horizontal_wrapped(|ui| {
                            ui.spacing_mut().item_spacing.x = 5.0;
                            for (what, comes) in lines() {
                                ui.label(RichText::new(what).strong().color(theme::ACCENT));
                                ui.label(RichText::new(comes).color(theme::TEXT));
                                ui.add_space(8.0);
                            }
                        });
                    });
                    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                        let text = RichText::new("Got it").color(Color32::WHITE);
                        let button = Button::new(text).fill(theme::ACCENT_DIM);
                        let button = ui.add(button.min_size(vec2(72.0, 22.0)));
                        if button
                            .on_hover_text("Never show this again (Esc)")
                            .clicked()
                        {
                            commands.push(Command::HintRead);
                        }
                    });
                });
                if scenes && viewport.height() > 420.0 {
                    ui.add_space(4.0);
                    commands.extend(gallery::row(ui, gallery::styles(), 78.0));
                }
            });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_ends_them_for_good() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("not/there/yet").join(FILE);
        let mut hint = Hint::at(Some(file.clone()));
        assert!(hint.is_shown());
        assert!(Hint::at(Some(file.clone())).is_shown(), "until the click");
        hint.dismiss();
        assert!(!hint.is_shown());
        assert!(!Hint::at(Some(file)).is_shown());
        assert!(!Hint::at(None).is_shown(), "nobody could end them for good");
    }

    #[test]
    fn the_lines_name_keys_that_there_are() {
        assert!(lines().iter().all(|(what, _)| !what.is_empty()));
    }
}
