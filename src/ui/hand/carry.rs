//! Hand work on its way from the hair that it was done to, to other hair.

use crate::{project::worked_hair::WorkedHair, sim::hand::Handwork};
use std::sync::Arc;

/// Hand work, and the hair that it was done to.
#[derive(Clone)]
pub struct WorkOnHair {
    /// The hair.
    pub hair: Arc<WorkedHair>,
    /// What was done to it.
    pub work: Handwork,
}

/// Hand work that other hair is to have.
#[derive(Default)]
pub struct HandworkCarry {
    /// What waits for other hair, or is being carried to it.
    waiting: Option<WorkOnHair>,
    /// The job that carries it.
    job: Option<u64>,
    /// What waited last and was forgotten.
    forgotten: Option<WorkOnHair>,
    /// What was carried last, and what it has become.
    last: Option<(WorkOnHair, Handwork)>,
}

impl HandworkCarry {
    /// Where `work` comes from, if it is what was carried last, or what waited last in vain: heads
    /// that change to and fro leave no trace on it.
    pub fn origin_of(&self, work: &Handwork) -> Option<WorkOnHair> {
        let last = self.last.as_ref().filter(|(_, made)| made == work);
        let origin = last.map(|(origin, _)| origin);
        let forgotten = self
            .forgotten
            .as_ref()
            .filter(|origin| origin.work == *work);
        origin.or(forgotten).cloned()
    }

    /// Lets it wait for the hair that takes the place of its own.
    pub fn wait(&mut self, work: WorkOnHair) {
        self.forgotten = None;
        self.waiting = Some(work);
    }

    /// What waits.
    pub fn waiting(&self) -> Option<&WorkOnHair> {
        self.waiting.as_ref()
    }

    /// That job carries it; answers the one that did until now.
    pub fn set_job(&mut self, job: Option<u64>) -> Option<u64> {
        std::mem::replace(&mut self.job, job)
    }

    /// Whether that job carries it.
    pub fn is_done_by(&self, number: u64) -> bool {
        self.job == Some(number)
    }

    /// It has become `made`. Whether that is told: what goes from head to head is so once.
    pub fn arrive(&mut self, made: &Handwork) -> bool {
        self.job = None;
        let Some(origin) = self.waiting.take() else {
            return false;
        };
        let known = |(last, _): &(WorkOnHair, Handwork)| last.work == origin.work;
        let told = !self.last.as_ref().is_some_and(known);
        self.last = Some((origin, made.clone()));
        told
    }

    /// Nothing waits any more; answers the job that carried it.
    pub fn forget(&mut self) -> Option<u64> {
        self.forgotten = self.waiting.take().or(self.forgotten.take());
        self.job.take()
    }
}
