//! One method takes hair over from another.

use super::state::Block;
use crate::math::lanes::Lane;

/// A method that takes over may let its pulls grow to their full strength in
/// this time, so that hair goes from one method's rest to another's in a swing
/// and not at once. `[s]`
const EASE: f64 = 0.4;

impl<T: Lane> Block<T> {
    /// Notes that `method` moves the block from now on; what another one knew
    /// of the skin is forgotten.
    pub fn take_over(&mut self, method: &'static str) {
        if self.moved_by != method {
            // Hair that was combed is moved by none, and goes on coming in.
            if self.eased_for != method && !self.eased_for.is_empty() {
                self.eased = 0.0;
            }
            (self.moved_by, self.eased_for) = (method, method);
            self.forget_skin();
        }
    }

    /// Hands the block for a step of so many seconds to a method that follows the
    /// rest shape. Answers the share of its pulls and of the weight that may act in
    /// it: less than all only shortly after another method has moved the block.
    pub fn take_over_shape(&mut self, method: &'static str, seconds: f64) -> f64 {
        if self.shape.edges.len() != self.rows {
            self.shape.measure(&self.rest);
        }
        self.take_over(method);
        self.ease(seconds)
    }

    /// Lets the method at work come in during `seconds` more; answers the share
    /// of its pulls that may act.
    pub fn ease(&mut self, seconds: f64) -> f64 {
        self.eased = (self.eased + seconds / EASE).min(1.0);
        self.acting_share()
    }

    /// The share of the pulls of the method at work that acts now.
    pub fn acting_share(&self) -> f64 {
        self.eased * self.eased
    }
}
