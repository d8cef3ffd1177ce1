//! What outlasts a frame is done beside the window: jobs tell how far they are,
//! can be cancelled, and hand over what came of them.
//!
//! Jobs of one queue are done one after another, on a thread and with a pool of
//! their own: a stroke of the comb does not wait for an export, and nothing that
//! the window itself computes waits for either.

mod progress;

pub use progress::{Cancelled, JobProgress};

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Jobs of one queue are done one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// What reads and writes files, and builds heads of hair.
    Files,
    /// What is simulated for files, which may take hours.
    Animation,
    /// What is read and written at once: scenes saved, dropped files looked at.
    Quick,
    /// What is drawn of the hair.
    Hair,
    /// What the hand does to them.
    Hand,
}

impl Queue {
    const ALL: [Self; 5] = [
        Self::Files,
        Self::Animation,
        Self::Quick,
        Self::Hair,
        Self::Hand,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Animation => "animation",
            Self::Quick => "quick",
            Self::Hair => "followers",
            Self::Hand => "hand",
        }
    }
}

/// What is said when the system gives no thread: one sentence.
pub fn no_thread(error: &io::Error) -> String {
    format!("No thread is left to do that: {}", crate::io::reason(error))
}

/// A job that is waiting or being done.
#[derive(Clone, Debug)]
pub struct Job {
    /// Differs from job to job.
    pub number: u64,
    /// What is being done, as the begin of a sentence: "Exporting a.usda".
    pub title: String,
    /// How far it is.
    pub progress: JobProgress,
    /// Whether it may be given up.
    pub stoppable: bool,
    begun: Instant,
    /// Frames that the window had drawn when it began.
    frames: u64,
}

impl Job {
    /// How long ago it was asked for.
    pub fn age(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// How a job ended.
#[derive(Debug, PartialEq)]
pub enum Ending<T> {
    /// This came of it.
    Done(T),
    /// It was given up; nothing came of it.
    Cancelled,
    /// It stopped by a fault of its own.
    Fault,
}

/// What is done, and what comes of it.
type Work<T> = Box<dyn FnOnce(&JobProgress) -> Result<T, Cancelled> + Send>;

/// A job's number, and how it ended.
type JobEnding<T> = (u64, Ending<T>);

/// What a thread is asked to do.
struct Task<T> {
    number: u64,
    progress: JobProgress,
    work: Work<T>,
}

/// The thread of a queue.
struct Worker<T> {
    tasks: Sender<Task<T>>,
    thread: JoinHandle<()>,
}

/// All jobs. Dropping it gives up what may be given up and waits for the rest.
pub struct Jobs<T> {
    workers: Vec<Option<Worker<T>>>,
    endings: (Sender<JobEnding<T>>, Receiver<JobEnding<T>>),
    wake: Box<dyn Fn() -> Box<dyn Fn() + Send>>,
    list: Vec<Job>,
    count: u64,
    frames: u64,
}

impl<T: Send + 'static> Jobs<T> {
    /// None yet; `wake` is called from another thread when one has ended.
    pub fn new(wake: impl Fn() + Send + Clone + 'static) -> Self {
        Self {
            workers: Queue::ALL.map(|_| None).into(),
            endings: channel(),
            wake: Box::new(move || Box::new(wake.clone())),
            list: Vec::new(),
            count: 0,
            frames: 0,
        }
    }

    /// Starts a job that may be given up; answers its number. Nothing comes of one
    /// that was given up while it was done, whether it has asked for that or not; what
    /// changes a file asks right before.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        &mut self,
        queue: Queue,
        title: impl Into<String>,
        work: impl FnOnce(&JobProgress) -> Result<T, Cancelled> + Send + 'static,
    ) -> io::Result<u64> {
        self.enqueue(queue, title.into(), true, Box::new(work))
    }

    /// Starts one that is never given up, not even when the window closes.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn insist(
        &mut self,
        queue: Queue,
        title: impl Into<String>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<u64> {
        self.enqueue(queue, title.into(), false, Box::new(|_| Ok(work())))
    }

    fn enqueue(
        &mut self,
        queue: Queue,
        title: String,
        stoppable: bool,
        work: Work<T>,
    ) -> io::Result<u64> {
        let slot = &mut self.workers[queue as usize];
        let workers = match slot {
            Some(workers) => workers,
            none => none.insert(spawn_worker(queue, self.endings.0.clone(), (self.wake)())?),
        };
        self.count += 1;
        let progress = JobProgress::default();
        let task = Task {
            number: self.count,
            progress: progress.clone(),
            work,
        };
        let gone = |_| io::Error::other("its thread has ended");
        workers.tasks.send(task).map_err(gone)?;
        self.list.push(Job {
            number: self.count,
            title,
            progress,
            stoppable,
            begun: Instant::now(),
            frames: self.frames,
        });
        Ok(self.count)
    }

    /// Asks a job to end; [`poll`](Self::poll) says when it has.
    pub fn cancel(&mut self, number: u64) {
        let found = self.list.iter().find(|job| job.number == number);
        if let Some(job) = found.filter(|job| job.stoppable) {
            job.progress.cancel();
        }
    }

    /// Asks a job to end and hears no more of it: what comes of it belongs to
    /// something that is gone.
    pub fn abandon(&mut self, number: u64) {
        self.cancel(number);
        self.list.retain(|job| job.number != number);
    }

    /// The next job that has ended, and how.
    pub fn poll(&mut self) -> Option<(Job, Ending<T>)> {
        let (place, ending) = loop {
            let (number, ending) = self.endings.1.try_recv().ok()?;
            if let Some(place) = self.list.iter().position(|job| job.number == number) {
                break (place, ending);
            }
        };
        let job = self.list.remove(place);
        let number = job.number;
        log::info!(
            "job {number}, {}: {} after {:.0} ms beside the window, which drew {} frames \
             meanwhile",
            job.title,
            match ending {
                Ending::Done(_) => "done",
                Ending::Cancelled => "cancelled",
                Ending::Fault => "failed",
            },
            1e3 * job.age().as_secs_f64(),
            self.frames - job.frames,
        );
        Some((job, ending))
    }

    /// Jobs that are waiting or being done, oldest first.
    pub fn list(&self) -> &[Job] {
        &self.list
    }

    /// Whether that job is waiting or being done.
    pub fn has(&self, number: u64) -> bool {
        self.list.iter().any(|job| job.number == number)
    }

    /// JobEnding how many frames the window has drawn.
    pub fn count_frames(&mut self, frames: u64) {
        self.frames = frames;
    }
}

impl<T> Drop for Jobs<T> {
    fn drop(&mut self) {
        for job in self.list.iter().filter(|job| job.stoppable) {
            job.progress.cancel();
        }
        for Worker { tasks, thread } in self.workers.drain(..).flatten() {
            // Without another task to come the thread ends by itself.
            drop(tasks);
            if thread.join().is_err() {
                log::error!("a thread of jobs panicked");
            }
        }
    }
}

/// Starts the thread of a queue.
fn spawn_worker<T: Send + 'static>(
    queue: Queue,
    endings: Sender<(u64, Ending<T>)>,
    wake: Box<dyn Fn() + Send>,
) -> io::Result<Worker<T>> {
    let (tasks, commands) = channel::<Task<T>>();
    // One core is left to the window.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(cores.saturating_sub(1).max(1))
        .thread_name(move |index| format!("{}-{index}", queue.name()))
        .build()
        .map_err(io::Error::other)?;
    let thread = thread::Builder::new()
        .name(queue.name().into())
        .spawn(move || {
            for task in commands {
                let Task {
                    number,
                    progress,
                    work,
                } = task;
                let ending = match progress.go_on() {
                    Err(Cancelled) => Ending::Cancelled,
                    Ok(()) => {
                        let work = AssertUnwindSafe(|| pool.install(|| work(&progress)));
                        match catch_unwind(work) {
                            // Work that does not ask is given up all the same.
                            Ok(Ok(_)) if progress.is_cancelled() => Ending::Cancelled,
                            Ok(Ok(done)) => Ending::Done(done),
                            Ok(Err(Cancelled)) => Ending::Cancelled,
                            Err(_) => Ending::Fault,
                        }
                    }
                };
                // The window may be gone already; then nobody wants to know.
                let _ = endings.send((number, ending));
                wake();
            }
        })?;
    Ok(Worker { tasks, thread })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    fn wait<T: Send + 'static>(jobs: &mut Jobs<T>) -> (Job, Ending<T>) {
        let begun = Instant::now();
        loop {
            if let Some(ended) = jobs.poll() {
                return ended;
            }
            assert!(begun.elapsed().as_secs() < 60, "a job never ends");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_job_tells_how_far_it_is_and_hands_over_what_came_of_it() {
        let woken = Arc::new(AtomicUsize::new(0));
        let count = woken.clone();
        let mut jobs = Jobs::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        let (go, wait_for_go) = channel::<()>();
        let (there, wait_till_there) = channel::<()>();
        let work = move |progress: &JobProgress| {
            progress.at("halfway there", 0.5)?;
            there.send(()).expect("somebody listens");
            wait_for_go.recv().expect("somebody tells");
            Ok(thread::current().name().map(str::to_string))
        };
        let number = jobs
            .start(Queue::Files, "Counting", work)
            .expect("a thread");
        wait_till_there.recv().expect("it begins");
        assert!(jobs.has(number) && jobs.poll().is_none());
        let job = jobs.list()[0].clone();
        assert_eq!(
            (job.title.as_str(), job.progress.what().as_str()),
            ("Counting", "halfway there")
        );
        assert_eq!(job.progress.share(), 0.5);
        go.send(()).expect("it waits");
        let (job, ending) = wait(&mut jobs);
        assert_eq!(job.number, number);
        let Ending::Done(Some(name)) = ending else {
            panic!("{ending:?}");
        };
        assert!(
            name.starts_with("files"),
            "not on the caller's thread: {name}"
        );
        assert!(jobs.list().is_empty() && !jobs.has(number));
        // The wake-up comes after the ending.
        let begun = Instant::now();
        while woken.load(Ordering::SeqCst) == 0 {
            assert!(begun.elapsed().as_secs() < 60, "nobody is told");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_cancelled_job_ends_and_nothing_comes_of_it() {
        let mut jobs = Jobs::new(|| ());
        let endless = |progress: &JobProgress| {
            loop {
                progress.go_on()?;
                thread::sleep(Duration::from_millis(1));
            }
        };
        let first = jobs
            .start(Queue::Files, "Waiting", endless)
            .expect("a thread");
        // The second waits for the first, and is given up before it begins.
        let never = |_: &JobProgress| -> Result<(), Cancelled> { panic!("it was given up") };
        let second = jobs.start(Queue::Files, "Never", never).expect("a thread");
        jobs.cancel(second);
        assert!(jobs.poll().is_none());
        jobs.cancel(first);
        assert_eq!(wait(&mut jobs).1, Ending::Cancelled);
        let (job, ending) = wait(&mut jobs);
        assert_eq!((job.number, ending), (second, Ending::Cancelled));
    }

    #[test]
    fn nothing_comes_of_a_cancelled_job_that_does_not_ask() {
        let mut jobs = Jobs::new(|| ());
        let (go, wait_for_go) = channel::<()>();
        let (there, wait_till_there) = channel::<()>();
        let work = move |_: &JobProgress| {
            there.send(()).expect("somebody listens");
            wait_for_go.recv().expect("somebody tells");
            Ok("read")
        };
        let number = jobs.start(Queue::Quick, "Reading", work).expect("a thread");
        wait_till_there.recv().expect("it begins");
        jobs.cancel(number);
        go.send(()).expect("it waits");
        assert_eq!(wait(&mut jobs).1, Ending::Cancelled);
    }

    #[test]
    fn nothing_is_heard_of_a_job_that_was_abandoned() {
        let mut jobs = Jobs::new(|| ());
        let (go, wait_for_go) = channel::<()>();
        let work = move |_: &JobProgress| {
            wait_for_go.recv().expect("somebody tells");
            Ok("too late")
        };
        let stale = jobs.start(Queue::Files, "Stale", work).expect("a thread");
        let fresh = jobs.start(Queue::Files, "Fresh", |_| Ok("in time"));
        let fresh = fresh.expect("a thread");
        jobs.abandon(stale);
        assert!(!jobs.has(stale) && jobs.has(fresh));
        go.send(()).expect("it waits");
        let (job, ending) = wait(&mut jobs);
        assert_eq!((job.number, ending), (fresh, Ending::Done("in time")));
        assert!(jobs.poll().is_none());
    }

    #[test]
    fn queues_do_not_wait_for_each_other_and_each_keeps_its_order() {
        let mut jobs = Jobs::new(|| ());
        let (go, wait_for_go) = channel::<()>();
        let work = move |_: &JobProgress| {
            wait_for_go.recv().expect("somebody tells");
            Ok(1)
        };
        jobs.start(Queue::Files, "Long", work).expect("a thread");
        jobs.start(Queue::Files, "After it", |_| Ok(2))
            .expect("a thread");
        jobs.start(Queue::Hand, "Beside it", |_| Ok(3))
            .expect("a thread");
        assert_eq!(wait(&mut jobs).1, Ending::Done(3));
        go.send(()).expect("it waits");
        assert_eq!(wait(&mut jobs).1, Ending::Done(1));
        assert_eq!(wait(&mut jobs).1, Ending::Done(2));
    }

    #[test]
    fn a_fault_ends_one_job_and_no_other() {
        let mut jobs = Jobs::new(|| ());
        let faulty = |_: &JobProgress| -> Result<u8, Cancelled> { panic!("on purpose") };
        jobs.start(Queue::Hair, "Faulty", faulty).expect("a thread");
        jobs.start(Queue::Hair, "Sound", |_| Ok(5))
            .expect("a thread");
        assert_eq!(wait(&mut jobs).1, Ending::Fault);
        assert_eq!(wait(&mut jobs).1, Ending::Done(5));
    }

    #[test]
    fn what_must_not_be_given_up_is_finished_at_the_end() {
        let finished = Arc::new(AtomicUsize::new(0));
        let count = finished.clone();
        let mut jobs = Jobs::new(|| ());
        let number = jobs
            .insist(Queue::Files, "Saving", move || {
                thread::sleep(Duration::from_millis(50));
                count.fetch_add(1, Ordering::SeqCst);
            })
            .expect("a thread");
        jobs.cancel(number);
        drop(jobs);
        assert_eq!(finished.load(Ordering::SeqCst), 1);
    }
}
