//! What the BFGS minimisation of twist remembers.

use crate::math::lanes::Lane;

/// Pairs of steps and changes that BFGS remembers.
pub(super) const PAIRS: usize = 6;

/// What BFGS remembers within one minimisation.
#[derive(Clone, Debug)]
pub(super) struct BfgsHistory<T> {
    /// Steps, changes of the gradient, one over their product; the newest first.
    pub(super) pairs: Vec<(Vec<T>, Vec<T>, T)>,
    pub(super) gradient: Vec<T>,
    pub(super) old: Vec<T>,
    pub(super) diagonal: Vec<T>,
    pub(super) step: Vec<T>,
    pub(super) start: Vec<T>,
}

impl<T: Lane> BfgsHistory<T> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            pairs: Vec::new(),
            gradient: Vec::new(),
            old: Vec::new(),
            diagonal: Vec::new(),
            step: Vec::new(),
            start: Vec::new(),
        }
    }

    /// Makes room for `rows` vertices and forgets all pairs.
    pub fn fit(&mut self, rows: usize) {
        for column in [
            &mut self.gradient,
            &mut self.old,
            &mut self.diagonal,
            &mut self.step,
            &mut self.start,
        ] {
            column.resize(rows, T::zero());
        }
        let empty = || (vec![T::zero(); rows], vec![T::zero(); rows], T::zero());
        self.pairs.resize_with(PAIRS, empty);
        for (s, y, rho) in &mut self.pairs {
            s.resize(rows, T::zero());
            y.resize(rows, T::zero());
            *rho = T::zero();
        }
    }
}
