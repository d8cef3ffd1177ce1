//! Colours and measures of the panel.

use super::copy_glyph;
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Theme,
    Visuals, vec2,
};

/// The panel's ground.
pub const GROUND: Color32 = Color32::from_rgb(27, 28, 31);
/// What lies on it: section heads, messages.
pub const RAISED: Color32 = Color32::from_rgb(38, 39, 44);
/// In place of the picture before there is one: much like its backdrop.
pub const CURTAIN: Color32 = Color32::from_rgb(84, 85, 88);
/// Buttons and fields.
pub const FIELD: Color32 = Color32::from_rgb(50, 52, 58);
/// Rails of sliders, insides of text fields.
pub const SUNKEN: Color32 = Color32::from_rgb(18, 19, 21);
/// Text.
pub const TEXT: Color32 = Color32::from_rgb(218, 216, 211);
/// Text that may be overlooked.
pub const WEAK: Color32 = Color32::from_rgb(146, 145, 143);
/// What is chosen, filled or on.
pub const ACCENT: Color32 = Color32::from_rgb(206, 132, 72);
/// The same, quieter.
pub const ACCENT_DIM: Color32 = Color32::from_rgb(128, 84, 50);
/// Errors, and the recording's light.
pub const ERROR: Color32 = Color32::from_rgb(222, 84, 70);

/// The shadow of what floats.
pub fn shadow() -> Shadow {
    Shadow {
        offset: [0, 4],
        blur: 16,
        spread: 0,
        color: Color32::from_black_alpha(110),
    }
}

/// Dresses egui.
pub fn apply(ctx: &Context) {
    copy_glyph::install(ctx);
    ctx.set_theme(Theme::Dark);
    let mut visuals = Visuals::dark();
    visuals.panel_fill = GROUND;
    visuals.window_fill = Color32::from_rgb(32, 33, 37);
    visuals.window_stroke = Stroke::new(1.0, Color32::from_rgb(58, 60, 66));
    visuals.window_corner_radius = CornerRadius::same(9);
    visuals.window_shadow = shadow();
    visuals.popup_shadow = shadow();
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = SUNKEN;
    visuals.faint_bg_color = RAISED;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(WEAK);
    visuals.hyperlink_color = ACCENT;
    visuals.error_fg_color = ERROR;
    visuals.warn_fg_color = Color32::from_rgb(226, 170, 92);
    visuals.selection.bg_fill = ACCENT_DIM;
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(250, 240, 228));
    visuals.slider_trailing_fill = true;
    visuals.striped = false;
    visuals.button_frame = true;
    let radius = CornerRadius::same(4);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_fill = GROUND;
    widgets.noninteractive.weak_bg_fill = GROUND;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(46, 47, 52));
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    widgets.inactive.bg_fill = FIELD;
    widgets.inactive.weak_bg_fill = FIELD;
    widgets.inactive.bg_stroke = Stroke::NONE;
    widgets.inactive.fg_stroke = Stroke::new(1.0, TEXT);
    widgets.hovered.bg_fill = Color32::from_rgb(66, 68, 76);
    widgets.hovered.weak_bg_fill = Color32::from_rgb(62, 64, 71);
    widgets.hovered.bg_stroke = Stroke::new(1.0, Color32::from_rgb(86, 88, 96));
    widgets.hovered.fg_stroke = Stroke::new(1.2, Color32::from_rgb(242, 238, 230));
    widgets.active.bg_fill = ACCENT;
    widgets.active.weak_bg_fill = ACCENT_DIM;
    widgets.active.bg_stroke = Stroke::new(1.0, ACCENT);
    widgets.active.fg_stroke = Stroke::new(1.2, Color32::WHITE);
    widgets.open = widgets.hovered;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    ctx.set_visuals_of(Theme::Dark, visuals);
    ctx.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, font(13.0));
        style.text_styles.insert(TextStyle::Button, font(13.0));
        style.text_styles.insert(TextStyle::Small, font(11.0));
        style.text_styles.insert(TextStyle::Heading, font(17.0));
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(6.0, 5.0);
        spacing.button_padding = vec2(8.0, 3.0);
        spacing.interact_size = vec2(36.0, 21.0);
        spacing.slider_rail_height = 5.0;
        spacing.icon_width = 16.0;
        spacing.icon_width_inner = 9.0;
        spacing.indent = 14.0;
        spacing.combo_width = 60.0;
        // As high as the pictures of all scenes: no list is given more at first.
        spacing.default_area_size = vec2(600.0, 480.0);
        spacing.window_margin = Margin::same(14);
        spacing.menu_margin = Margin::same(6);
        spacing.tooltip_width = 320.0;
        spacing.scroll.foreground_color = false;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.45;
    });
}
