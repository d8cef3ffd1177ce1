//! The command line: the one place where errors are printed and exit codes
//! are chosen.

mod args;
mod bench;
mod bench_compare;
mod cache_recorder;
mod compared;
mod convert;
mod drawing;
mod export;
mod export_units;
mod farm;
mod headless_session;
mod info;
mod info_fit;
mod logging;
mod measured;
mod method_warnings;
mod no_effect;
mod output;
mod overrides;
mod picture;
mod progress;
mod render;
mod response;
mod result_kind;
mod result_scene;
mod run;
mod shake;
mod simulate;
mod step_figures;
mod sweep;
mod sweep_sheet;
mod sweep_table;
mod targets;
mod usage;
mod validate;
mod vary;
mod word_order;

pub use export::ExportArgs;
pub use export_units::LengthUnit;
pub use overrides::{Overrides, SceneArgs};
pub use picture::{Picture, Shot, picture, view_named};
pub use run::{main, sentence};
