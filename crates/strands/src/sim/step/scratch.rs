//! Memory of a thread: what a block needs within a step.

use super::Prefetch;
use crate::{
    math::lanes::{Lane, V3},
    sim::contact::QueryBatch,
};
use std::any::Any;

/// Memory of one thread: what a block needs within a step and not beyond.
pub struct Scratch<T> {
    /// What accelerates each vertex in this step, beside gravity and the drag of still air that
    /// is the same in all directions. `[m/s²]`
    pub acceleration: Vec<V3<T>>,
    /// Positions at the start of the substep, from the root at its end. `[m]`
    pub before: Vec<V3<T>>,
    /// The rest curve under the head's pose `[m]`, or what a method without need of
    /// it keeps for each vertex.
    pub target: Vec<V3<T>>,
    /// Squared rest distances to the vertices one, two and three before. `[m²]`
    pub length_squared: Vec<[T; 3]>,
    /// Largest squared distance of each vertex from one well before it. `[m²]`
    pub span_squared: Vec<T>,
    /// Shape stiffness of each vertex.
    pub pull: Vec<T>,
    /// Contact planes in the world: normal.
    pub normal: Vec<V3<T>>,
    /// Contact planes: offset from the root along that normal. `[m]`
    pub offset: Vec<T>,
    /// How far contact has pushed in this substep. `[m]`
    pub pushed: Vec<T>,
    /// Share of its pulls that each vertex feels where a grip leads a strand.
    pub free: Vec<T>,
    /// Vertices that query the skin.
    pub queries: QueryBatch,
    /// The block that comes next.
    pub ahead: Prefetch,
    /// Whatever else a method wants to keep from block to block.
    kept: Option<Box<dyn Any + Send>>,
}

impl<T: Lane> Scratch<T> {
    /// Empty; grows with the first block.
    pub fn new() -> Self {
        Self {
            acceleration: Vec::new(),
            before: Vec::new(),
            target: Vec::new(),
            length_squared: Vec::new(),
            span_squared: Vec::new(),
            pull: Vec::new(),
            normal: Vec::new(),
            offset: Vec::new(),
            pushed: Vec::new(),
            free: Vec::new(),
            queries: QueryBatch::default(),
            ahead: Prefetch::default(),
            kept: None,
        }
    }

    /// A method's own scratch: made when first asked for.
    pub fn keep<S: Default + Send + 'static>(&mut self) -> &mut S {
        if !self.kept.as_ref().is_some_and(|kept| kept.is::<S>()) {
            self.kept = None;
        }
        let kept = self.kept.get_or_insert_with(|| Box::new(S::default()));
        kept.downcast_mut()
            .expect("replaced above where of another type")
    }

    /// Makes room for `rows` rows.
    pub fn fit(&mut self, rows: usize) {
        if self.before.len() < rows {
            self.acceleration.resize(rows, V3::zero());
            self.before.resize(rows, V3::zero());
            self.target.resize(rows, V3::zero());
            self.length_squared.resize(rows, [T::zero(); 3]);
            self.span_squared.resize(rows, T::zero());
            self.pull.resize(rows, T::zero());
            self.normal.resize(rows, V3::zero());
            self.offset.resize(rows, T::zero());
            self.pushed.resize(rows, T::zero());
            self.free.resize(rows, T::zero());
        }
    }
}

impl<T: Lane> Default for Scratch<T> {
    fn default() -> Self {
        Self::new()
    }
}
