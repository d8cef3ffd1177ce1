//! Which strands are exported.

use clap::ValueEnum;

/// Which strands are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportStrands {
    /// Those that are simulated
    Guides,
    /// Those that are simulated, and all others of the groom's file
    #[default]
    File,
    /// These and new followers (followers.each)
    All,
}
