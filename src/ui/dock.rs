//! Under the picture: plots over time, and the strand inspector.

use super::{
    command::Command,
    icons::Icon,
    inspector::{self, Inspected},
    keys,
    page::Page,
    panel_size, plots, tabs, theme,
};
use egui::{Align, Frame, Layout, Margin, Panel, Ui, vec2};

/// Its name among the panels of the window.
const NAME: &str = "dock";

/// Its height until it is dragged. `[points]`
const HEIGHT: f32 = 218.0;

/// So much is left to the picture: tools and timeline lie below each other. `[points]`
const PICTURE: f32 = 272.0;

/// Narrower than this, what can be chosen on a page has a line of its own. `[points]`
const WIDE: f32 = 620.0;

/// Draws that page of it along the lower edge.
pub fn show(ui: &mut Ui, page: Page, shown: Inspected, commands: &mut Vec<Command>) {
    let room = ui.available_height();
    let most = (room - PICTURE).min(0.6 * room).max(140.0);
    panel_size::restore(ui, NAME, HEIGHT);
    let dock = Panel::bottom(NAME)
        .resizable(true)
        .default_size(HEIGHT)
        .size_range(132.0..=most)
        .frame(Frame::new().fill(theme::GROUND).inner_margin(Margin {
            left: 10,
            right: 8,
            top: 6,
            bottom: 4,
        }))
        .show(ui, |ui| {
            // As high as it was made, whatever is in it.
            ui.set_min_size(ui.available_size());
            let wide = ui.available_width() > WIDE;
            let choices = |ui: &mut Ui, commands: &mut Vec<Command>| match page {
                Page::Time => plots::choices(ui, shown.scene.compare.on),
                Page::Strand => inspector::choices(ui, shown, commands),
            };
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                for (tab, name, help) in Page::ALL {
                    if tabs::tab(ui, name, tab == page)
                        .on_hover_text(help)
                        .clicked()
                    {
                        commands.push(Command::ShowPage(tab));
                    }
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let key = keys::name_of(&Command::Dock);
                    if Icon::Close
                        .small(ui, vec2(16.0, 16.0), theme::WEAK)
                        .on_hover_text(format!("Fold this away ({key})"))
                        .clicked()
                    {
                        commands.push(Command::Dock);
                    }
                    ui.add_space(6.0);
                    if wide {
                        choices(ui, commands);
                    }
                });
            });
            if !wide {
                let line = Layout::right_to_left(Align::Center);
                let size = vec2(ui.available_width(), 18.0);
                ui.allocate_ui_with_layout(size, line, |ui| choices(ui, commands));
            }
            ui.add_space(2.0);
            match page {
                Page::Time => {
                    let history = &shown.session.now().stats_history;
                    plots::show(ui, history, shown.scene, commands);
                }
                Page::Strand => inspector::show(ui, shown, commands),
            }
        });
    panel_size::keep(ui, NAME, dock.response.rect.height());
}
