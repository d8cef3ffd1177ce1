//! Time and memory, as well as a busy machine lets one measure them.

use std::time::Instant;

/// How long to measure.
pub(super) struct Plan {
    /// No repetition begins after so much time. `[s]`
    pub budget: f64,
    /// So many steps count as one: what changes from step to step is averaged.
    pub together: usize,
}

/// What a step took.
pub(super) struct Times {
    /// The shortest. `[s]`
    pub best: f64,
    /// The one in the middle. `[s]`
    pub median: f64,
}

impl Times {
    /// The shortest, for each vertex and substep. `[ns]`
    pub fn ns(&self, vertices: usize, substeps: u32) -> f64 {
        self.best * 1e9 / (vertices.max(1) as f64 * f64::from(substeps))
    }
}

/// Times `step` until the budget is spent, twice at least.
pub(super) fn best_of(plan: &Plan, mut step: impl FnMut()) -> Times {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < 2 || (begun.elapsed().as_secs_f64() < plan.budget && times.len() < 1000) {
        let started = Instant::now();
        for _ in 0..plan.together {
            step();
        }
        times.push(started.elapsed().as_secs_f64() / plan.together as f64);
    }
    times.sort_by(f64::total_cmp);
    Times {
        best: times[0],
        median: times[times.len() / 2],
    }
}

/// Starts a new peak-memory reading where the system offers one.
pub(super) fn reset_peak() {
    // Linux only; elsewhere the reading is 0 anyhow.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// What the system says of this process: `VmRSS:`, or `VmHWM:` for the peak
/// since [`reset_peak`]; 0 where it says nothing. `[bytes]`
pub(super) fn memory(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kibibytes = line
        .and_then(|line| line.split_whitespace().next())
        .and_then(|n| n.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
