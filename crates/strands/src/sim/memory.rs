//! What methods remember of a block of strands from step to step, beside what
//! every method knows; nothing here names a method.

use crate::math::{lanes::V3, rotation::Q};
use std::{any::Any, fmt};

/// Memory of one method for one block.
pub trait MethodMemory<T: 'static>: CopiedMemory<T> + Any + Send + Sync {
    /// Memory that it takes beside itself. `[bytes]`
    fn bytes(&self) -> usize;

    /// Everything in the world turns by `turn`, rigidly: directions turn with it, lengths have
    /// nothing to do.
    fn carry(&mut self, turn: Q<T>);

    /// What the strands touch is not what it was.
    fn invalidate_contact(&mut self) {}

    /// Vertex `row` has gained `velocity` from the spring of a body; `h` is the length of a
    /// substep. `[m/s]`, `[s]`
    fn gain(&mut self, _row: usize, _velocity: V3<T>, _h: f64) {}
}

/// A memory that can be copied by who does not know of what method it is: every one
/// that is `Clone`.
pub trait CopiedMemory<T: 'static> {
    /// The same memory once more.
    fn copy(&self) -> Box<dyn MethodMemory<T>>;
}

impl<T: 'static, M: MethodMemory<T> + Clone> CopiedMemory<T> for M {
    fn copy(&self) -> Box<dyn MethodMemory<T>> {
        Box::new(self.clone())
    }
}

/// The memories of the methods that have moved a block, one of a type.
pub struct Memories<T: 'static> {
    all: Vec<Box<dyn MethodMemory<T>>>,
}

impl<T: 'static> Memories<T> {
    /// Of a block that no method has moved yet.
    pub fn new() -> Self {
        Self { all: Vec::new() }
    }

    fn place<M: MethodMemory<T>>(&self) -> Option<usize> {
        self.all.iter().position(|memory| {
            let memory: &dyn Any = &**memory;
            memory.is::<M>()
        })
    }

    /// That of one method, if it has moved the block.
    pub fn get<M: MethodMemory<T>>(&self) -> Option<&M> {
        let memory: &dyn Any = &*self.all[self.place::<M>()?];
        memory.downcast_ref()
    }

    /// The same, to be changed.
    pub fn get_mut<M: MethodMemory<T>>(&mut self) -> Option<&mut M> {
        let place = self.place::<M>()?;
        let memory: &mut dyn Any = &mut *self.all[place];
        memory.downcast_mut()
    }

    /// Takes a method's memory out for a step, so that it can be changed beside
    /// the block; made when not there. [`put`](Self::put) gives it back.
    pub fn take<M: MethodMemory<T> + Default>(&mut self) -> Box<M> {
        let found = self.place::<M>().map(|place| self.all.swap_remove(place));
        let found = found.and_then(|memory| {
            let memory: Box<dyn Any> = memory;
            memory.downcast().ok()
        });
        found.unwrap_or_default()
    }

    /// Keeps a method's memory until the next step.
    pub fn put<M: MethodMemory<T>>(&mut self, memory: Box<M>) {
        self.all.push(memory);
    }

    /// Memory that they take. `[bytes]`
    pub fn bytes(&self) -> usize {
        self.all.iter().map(|memory| memory.bytes()).sum()
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut dyn MethodMemory<T>> {
        self.all.iter_mut().map(|memory| &mut **memory)
    }
}

impl<T: 'static> Default for Memories<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: 'static> Clone for Memories<T> {
    fn clone(&self) -> Self {
        Self {
            all: self.all.iter().map(|memory| (**memory).copy()).collect(),
        }
    }
}

impl<T: 'static> fmt::Debug for Memories<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} memories", self.all.len())
    }
}
