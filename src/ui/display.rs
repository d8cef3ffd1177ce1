//! What the display that the window is on offers.

use std::time::Duration;
use winit::{event_loop::ActiveEventLoop, window::Window};

/// The size wanted, or less where the display is smaller. `[points]`
pub fn fitting(event_loop: &ActiveEventLoop, [width, height]: [u32; 2]) -> [f64; 2] {
    let monitor = event_loop
        .primary_monitor()
        .or_else(|| event_loop.available_monitors().next());
    let most = monitor.map(|monitor| monitor.size().to_logical::<f64>(monitor.scale_factor()));
    let (width, height) = (f64::from(width), f64::from(height));
    match most {
        // Some room is left for the desktop's bars and the window's frame.
        Some(most) if most.width > 0.0 && most.height > 0.0 => [
            width.min(most.width - 40.0).max(480.0),
            height.min(most.height - 80.0).max(320.0),
        ],
        _ => [width, height],
    }
}

/// Time between two pictures of the display that the window is on.
pub fn interval(window: &Window) -> Duration {
    let millihertz = window
        .current_monitor()
        .and_then(|monitor| monitor.refresh_rate_millihertz())
        .filter(|rate| (20_000..=500_000).contains(rate))
        .unwrap_or(60_000);
    Duration::from_secs_f64(1000.0 / f64::from(millihertz))
}
