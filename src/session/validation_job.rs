//! Puts methods through the validation beside the window.

use crate::lab::validate::{self, MethodRun, TESTS, ValidationReport};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// What was found about each method, and the one that is being validated.
#[derive(Default)]
pub struct ValidationJob {
    reports: Vec<ValidationReport>,
    running: Option<Running>,
}

struct Running {
    subject: MethodRun,
    done: Arc<AtomicUsize>,
    cancel: Arc<AtomicBool>,
    thread: JoinHandle<Option<ValidationReport>>,
}

impl ValidationJob {
    /// Starts with `subject`; another that is running is given up.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(&mut self, subject: MethodRun) -> std::io::Result<()> {
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
            .name("validation".into())
            .spawn(move || {
                let (done, cancel) = told;
                let progress = |count: usize, _: usize| {
                    done.fetch_max(count, Ordering::Relaxed);
                };
                let tests: Vec<_> = TESTS.iter().collect();
                pool.install(|| validate::run(subject, &tests, true, &cancel, &progress))
            })?;
        self.running = Some(Running {
            subject,
            done,
            cancel,
            thread,
        });
        Ok(())
    }

    /// Gives up what is running; its thread ends by itself within a moment.
    pub fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Takes in a report that is ready.
    ///
    /// # Errors
    /// When the validation stopped by a fault of its own, as a sentence.
    pub fn poll(&mut self) -> Result<(), String> {
        let Some(running) = self.running.take_if(|running| running.thread.is_finished()) else {
            return Ok(());
        };
        match running.thread.join() {
            Ok(Some(report)) => {
                self.reports.retain(|old| old.label() != report.label());
                self.reports.push(report);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(_) => Err(format!(
                "the validation of {} stopped by a fault of its own",
                running.subject.method.name
            )),
        }
    }

    /// What is validated, and how many of all tests are done.
    pub fn running(&self) -> Option<(MethodRun, usize, usize)> {
        let running = self.running.as_ref()?;
        let done = running.done.load(Ordering::Relaxed);
        Some((running.subject, done, TESTS.len()))
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
    use crate::sim::solver::{SOLVERS, method};
    use std::time::{Duration, Instant};

    fn wait(validation: &mut ValidationJob) {
        let begun = Instant::now();
        while validation.running().is_some() {
            validation.poll().expect("no fault");
            assert!(begun.elapsed().as_secs() < 120, "it never ends");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn reports_are_kept_once_for_each_method_and_variant() {
        let mut validation = ValidationJob::default();
        let subject = |id: &str, variant: usize| {
            let method = method(id).expect("a method");
            MethodRun::all_of(method).nth(variant).expect("a variant")
        };
        for (id, variant) in [("rod", 0), ("rod", 1), ("pbd", 0), ("rod", 0)] {
            let subject = subject(id, variant);
            validation.start(subject).expect("a thread");
            let running = validation.running().map(|t| t.0.label());
            assert_eq!(running, Some(subject.label()));
            wait(&mut validation);
        }
        let labels: Vec<_> = validation.reports().iter().map(|r| r.label()).collect();
        assert_eq!(labels, ["rod, bdf2", "pbd", "rod"]);
    }

    #[test]
    fn a_trial_that_is_given_up_leaves_nothing() {
        let mut validation = ValidationJob::default();
        let mut first = MethodRun::all_of(&SOLVERS[0]);
        validation
            .start(first.next().expect("itself"))
            .expect("a thread");
        validation.cancel();
        assert!(validation.running().is_none());
        validation.poll().expect("no fault");
        assert!(validation.reports().is_empty());
    }
}
