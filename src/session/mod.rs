//! What runs beside the window: the simulation's thread, going back in time,
//! recording, and jobs that outlast a frame.

pub mod budget;
pub mod cache_player;
pub mod clock;
pub mod dropped_file;
pub mod inspection;
pub mod jobs;
pub mod messages;
pub mod outcome;
pub mod ready;
pub mod recorder;
pub mod rewind;
pub mod sim_handle;
pub mod sim_loop;
pub mod snapshot;
mod state;
pub mod stats_history;
pub mod strand_colours;
pub mod validation_job;
pub mod waits;

pub use state::{ReadEnvironment, Session, SessionNews, UnreadEnvironment};
