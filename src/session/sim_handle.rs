//! The simulation on its own thread.
//!
//! Commands go in by channel; the latest positions come out through a triple
//! buffer, so that neither side ever waits for the other. Only a recording
//! waits: each of its frames is held until the window has taken it.

#[cfg(test)]
mod tests;

pub use super::{
    messages::{BuildResult, Playing, SimCommand, SimEvent},
    snapshot::{SecondSnapshot, Snapshot},
};

use super::sim_loop::SimLoop;
use crate::project::scene::Scene;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

/// The window's end.
pub struct SimHandle {
    commands: Option<Sender<SimCommand>>,
    events: Receiver<SimEvent>,
    latest: triple_buffer::Output<Snapshot>,
    leaving: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SimHandle {
    /// Starts the thread, which builds `scene` first and steps it on so many
    /// `threads`. `wake` is called from there whenever there is something new
    /// to see.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(
        scene: Scene,
        threads: Option<usize>,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (commands, orders_in) = channel();
        let (reports_out, events) = channel();
        let (snapshots, latest) = triple_buffer::triple_buffer(&Snapshot::default());
        // One core is left to the window.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(cores.saturating_sub(1)).max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("hair-{index}"))
            .build()
            .map_err(std::io::Error::other)?;
        let leaving = Arc::new(AtomicBool::new(false));
        let told = leaving.clone();
        let thread = thread::Builder::new()
            .name("simulation".into())
            .spawn(move || {
                let mut driver = SimLoop::new(scene, orders_in, reports_out, snapshots, told, wake);
                // A fault in the simulation must not freeze the window in
                // silence.
                let outcome = catch_unwind(AssertUnwindSafe(|| driver.run(&pool)));
                if outcome.is_err() {
                    driver.report(SimEvent::Failed {
                        message: "the simulation stopped by a fault of its own; R, or any \
                                  change of the scene, starts it again"
                            .into(),
                        scene: None,
                    });
                }
            })?;
        Ok(Self {
            commands: Some(commands),
            events,
            latest,
            leaving,
            thread: Some(thread),
        })
    }

    /// Gives an order; it is dropped when the thread has ended.
    pub fn order(&self, order: SimCommand) {
        if let Some(commands) = &self.commands
            && commands.send(order).is_err()
        {
            log::debug!("the simulation has ended");
        }
    }

    /// Whether the thread has ended, which it does by itself only by a fault.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// The next report, if there is one.
    pub fn report(&self) -> Option<SimEvent> {
        self.events.try_recv().ok()
    }

    /// The snapshot that [`latest`](Self::latest) gave last.
    pub fn now(&self) -> &Snapshot {
        self.latest.output_buffer()
    }

    /// The newest snapshot.
    pub fn latest(&mut self) -> &Snapshot {
        self.latest.read()
    }
}

/// Ends the thread; at most one step or one part of a building is waited for.
impl Drop for SimHandle {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        self.commands = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the simulation's thread panicked");
        }
    }
}
