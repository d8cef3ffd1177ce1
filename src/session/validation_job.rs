//! Puts methods through the validation bench beside the window.

use crate::{
    lab::validate::{self, TESTS, ValidationReport},
    sim::solver::Method,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// What was found about each method, and the one that is on trial now.
#[derive(Default)]
pub struct ValidationJob {
    reports: Vec<ValidationReport>,
    trial: Option<Trial>,
}

struct Trial {
    method: &'static Method,
    done: Arc<AtomicUsize>,
    cancel: Arc<AtomicBool>,
    thread: JoinHandle<Option<ValidationReport>>,
}

impl ValidationJob {
    /// Starts with `method`; whatever was on trial is given up.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(&mut self, method: &'static Method) -> std::io::Result<()> {
        self.cancel();
        let (done, cancel) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        // One thread of its own: window and hair keep theirs.
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .thread_name(|_| "validation".into())
            .build()
            .map_err(std::io::Error::other)?;
        let told = (done.clone(), cancel.clone());
        let thread = thread::Builder::new()
            .name("examiner".into())
            .spawn(move || {
                let (done, cancel) = told;
                let progress = |count: usize, _: usize| {
                    done.fetch_max(count, Ordering::Relaxed);
                };
                pool.install(|| validate::run(method, true, &cancel, &progress))
            })?;
        self.trial = Some(Trial {
            method,
            done,
            cancel,
            thread,
        });
        Ok(())
    }

    /// Gives up what is on trial; its thread ends by itself within a moment.
    pub fn cancel(&mut self) {
        if let Some(trial) = self.trial.take() {
            trial.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Takes in a report that is ready.
    ///
    /// # Errors
    /// When the bench stopped by a fault of its own, as a sentence.
    pub fn poll(&mut self) -> Result<(), String> {
        let Some(trial) = self.trial.take_if(|trial| trial.thread.is_finished()) else {
            return Ok(());
        };
        match trial.thread.join() {
            Ok(Some(report)) => {
                self.reports.retain(|old| old.solver != report.solver);
                self.reports.push(report);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(_) => Err(format!(
                "the validation of {} stopped by a fault of its own",
                trial.method.name
            )),
        }
    }

    /// The method on trial, and how many of all tests are done.
    pub fn trial(&self) -> Option<(&'static Method, usize, usize)> {
        let trial = self.trial.as_ref()?;
        let done = trial.done.load(Ordering::Relaxed);
        Some((trial.method, done, TESTS.len()))
    }

    /// What was found, a report a method, the newest last.
    pub fn reports(&self) -> &[ValidationReport] {
        &self.reports
    }
}

impl Drop for ValidationJob {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solver::SOLVERS;
    use std::time::{Duration, Instant};

    fn wait(examiner: &mut ValidationJob) {
        let begun = Instant::now();
        while examiner.trial().is_some() {
            examiner.poll().expect("no fault");
            assert!(begun.elapsed().as_secs() < 120, "it never ends");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn reports_are_kept_for_each_method_once() {
        let mut examiner = ValidationJob::default();
        for method in [&SOLVERS[0], &SOLVERS[1], &SOLVERS[0]] {
            examiner.start(method).expect("a thread");
            assert_eq!(examiner.trial().map(|t| t.0.id), Some(method.id));
            wait(&mut examiner);
        }
        let ids: Vec<_> = examiner.reports().iter().map(|r| r.solver).collect();
        assert_eq!(ids, [SOLVERS[1].id, SOLVERS[0].id]);
    }

    #[test]
    fn a_trial_that_is_given_up_leaves_nothing() {
        let mut examiner = ValidationJob::default();
        examiner.start(&SOLVERS[0]).expect("a thread");
        examiner.cancel();
        assert!(examiner.trial().is_none());
        examiner.poll().expect("no fault");
        assert!(examiner.reports().is_empty());
    }
}
