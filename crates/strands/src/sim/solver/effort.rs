//! What solvers have had to do.

/// What a solver had to do, counted in strands times substeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Substeps taken.
    pub substeps: u64,
    /// Passes beyond the ordinary ones.
    pub extra: u64,
    /// Inner steps taken.
    pub inner: u64,
}

impl Effort {
    /// Adds what was done elsewhere.
    pub fn add(&mut self, other: Self) {
        self.substeps += other.substeps;
        self.extra += other.extra;
        self.inner += other.inner;
    }
}
