//! How far a job is, told by its thread and read by the window.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

/// A job was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Shared by the thread that does a job and the window.
#[derive(Clone, Debug, Default)]
pub struct JobProgress(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Share of the work that is done, as the bits of an `f32`.
    share: AtomicU32,
    what: Mutex<String>,
    cancelled: AtomicBool,
}

impl JobProgress {
    /// Tells what is done now and which share of all is done, 0 to 1.
    ///
    /// # Errors
    /// When the job was given up.
    pub fn at(&self, what: &str, share: f32) -> Result<(), Cancelled> {
        self.0.share.store(share.to_bits(), Ordering::Relaxed);
        let mut told = self.0.what.lock().unwrap_or_else(PoisonError::into_inner);
        if *told != what {
            *told = what.into();
        }
        drop(told);
        self.go_on()
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// When the job was given up.
    pub fn go_on(&self) -> Result<(), Cancelled> {
        match self.is_cancelled() {
            true => Err(Cancelled),
            false => Ok(()),
        }
    }

    /// Asks the job to end.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the job was given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// The share that is done, 0 to 1.
    pub fn share(&self) -> f32 {
        f32::from_bits(self.0.share.load(Ordering::Relaxed))
    }

    /// What is done now, in a few words; empty where nobody has told.
    pub fn what(&self) -> String {
        let told = self.0.what.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }
}
