//! What the log shows.

use std::io::Write as _;

/// Both name what the log shows; the second wins.
const LOG_VARIABLES: [&str; 2] = ["RUST_LOG", "LOVELOCK_LOG"];

pub fn log_is_asked_for() -> bool {
    LOG_VARIABLES.iter().any(|v| std::env::var_os(v).is_some())
}

/// Warnings, and whatever `LOVELOCK_LOG` or `RUST_LOG` asks for, on standard error.
pub fn start_log() {
    let mut log = env_logger::Builder::new();
    log.filter_level(log::LevelFilter::Warn);
    for variable in LOG_VARIABLES {
        if let Ok(filters) = std::env::var(variable) {
            log.parse_filters(&filters);
        }
    }
    log.format(|out, record| {
        let level = record.level().as_str().to_lowercase();
        writeln!(out, "lovelock: {level}: {}", record.args())
    });
    // Nobody else starts a log in this program.
    let _ = log.try_init();
}
