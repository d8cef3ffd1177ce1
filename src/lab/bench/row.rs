//! One measurement of the bench, and what is told while it runs.

/// One measurement.
#[derive(Clone, Debug)]
pub struct BenchRow {
    /// The rows of one group belong together, as a table's heading says.
    pub group: String,
    /// What was measured: a row of the same group, method and number of threads is known by
    /// it again, so it has nothing in it that was measured.
    pub name: String,
    /// Method; `textbook` for the array-of-structs comparison.
    pub solver: String,
    /// What the processor computed with: `baseline`, `avx2`, `avx512`; `scalar`
    /// for one strand at a time.
    pub instructions: &'static str,
    /// Number of strands.
    pub strands: usize,
    /// Vertices of each strand.
    pub vertices: usize,
    /// Substeps a step.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Inner steps of a strand in a substep, on average; none where a method cuts its
    /// substeps into none.
    pub inner_steps: Option<f64>,
    /// Threads used.
    pub threads: usize,
    /// Wall-clock time for each vertex and substep: best of several steps, or,
    /// where the head is shaken, of several whole shakes. `[ns]`
    pub ns_per_vertex_substep: f64,
    /// How many times as fast as the textbook at this size, wall clock.
    pub ratio_to_textbook: f64,
    /// How many times as fast as the same kernel one strand wide on 64 strands, for each
    /// core; none where that was not measured. Those strands stay in the processor's
    /// caches; hair that does not, is compared with a kernel that waits for no memory.
    pub ratio_to_scalar: Option<f64>,
    /// How many times as fast as the same on one thread; none where that was
    /// not measured.
    pub scaling: Option<f64>,
    /// How many times as long the step in the middle of all took as the best: far above 1 on
    /// a machine that does other work.
    pub spread: f64,
    /// Simulated time over wall-clock time at the step rate, median step.
    pub real_time_factor: f64,
    /// Largest relative lengthening of any segment at the end.
    pub max_stretch: f64,
    /// Share of strands and substeps that took another pass than all take; none
    /// for methods that know no such thing.
    pub extra_passes: Option<f64>,
    /// Share of the vertices that press on the skin at the end; none for
    /// methods that do not tell.
    pub touching: Option<f64>,
    /// Peak memory of the process while this row ran; 0 where the system does
    /// not tell. `[bytes]`
    pub peak_bytes: u64,
    /// What of that is not head and program, for each vertex; none after larger
    /// hair, whose memory may still count, and where the system does not tell.
    /// `[bytes]`
    pub bytes_per_vertex: Option<f64>,
}

impl BenchRow {
    /// What was measured, with the inner steps that it took.
    pub fn title(&self) -> String {
        match self.inner_steps {
            Some(steps) => format!("{}, {steps:.0} inner steps", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether the machine did so much else meanwhile that its ratios mean little, as far as
    /// can be seen: the steps took unlike times, or more threads helped more than they can.
    pub fn is_noisy(&self) -> bool {
        // Beyond twice on two: each core brings its own cache.
        let most = 1.5 * self.threads as f64;
        self.spread > 1.25 || self.scaling.is_some_and(|scaling| scaling > most)
    }

    /// Wall-clock time times threads, for each vertex and substep. `[ns]`
    pub fn ns_per_core(&self) -> f64 {
        self.ns_per_vertex_substep * self.threads as f64
    }
}

/// What the bench tells while it runs.
#[derive(Clone, Copy, Debug)]
pub enum BenchProgress<'a> {
    /// This comes next.
    Doing(&'a str),
    /// This was measured.
    Measured(&'a BenchRow),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_help_more_than_they_can_are_noise() {
        let row = |spread: f64, scaling: Option<f64>| BenchRow {
            group: String::new(),
            name: String::new(),
            solver: "pbd".into(),
            instructions: "avx2",
            strands: 1,
            vertices: 2,
            substeps: 1,
            iterations: 1,
            inner_steps: None,
            threads: 2,
            ns_per_vertex_substep: 1.0,
            ratio_to_textbook: 1.0,
            ratio_to_scalar: None,
            scaling,
            spread,
            real_time_factor: 1.0,
            max_stretch: 0.0,
            extra_passes: None,
            touching: None,
            peak_bytes: 0,
            bytes_per_vertex: None,
        };
        assert!(row(1.0, Some(5.58)).is_noisy() && row(1.6, None).is_noisy());
        assert!(!row(1.1, Some(2.1)).is_noisy() && !row(1.0, None).is_noisy());
    }
}
