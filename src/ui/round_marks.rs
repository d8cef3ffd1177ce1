//! What plots have in common: where their marks are, and that they stand still.

use egui_plot::{GridInput, GridMark, Plot};

/// A plot that is looked at, and neither moved nor zoomed.
pub fn fixed_plot<'a>(id: impl std::hash::Hash + std::fmt::Debug) -> Plot<'a> {
    Plot::new(id)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .show_background(true)
}

/// About so many marks and one more, at multiples of 1, 2 or 5.
pub fn round_marks(input: &GridInput, about: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / about;
    if !rough.is_finite() || rough <= 0.0 {
        return Vec::new();
    }
    let decade = 10f64.powf(rough.log10().floor());
    let step = match rough / decade {
        ..1.5 => decade,
        ..3.5 => 2.0 * decade,
        ..7.5 => 5.0 * decade,
        _ => 10.0 * decade,
    };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let mark = |i: i64| GridMark {
        value: i as f64 * step,
        step_size: step,
    };
    (first..=last).map(mark).collect()
}
