//! Where a plot has its marks.

use egui_plot::{GridInput, GridMark};

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
