//! How long files are damaged at random.

use std::time::Duration;

/// Three seconds, or as many as `DAMAGE_SECONDS` says: more of it finds more.
pub fn time() -> Duration {
    let told = std::env::var("DAMAGE_SECONDS").ok();
    Duration::from_secs(told.and_then(|s| s.parse().ok()).unwrap_or(3))
}
