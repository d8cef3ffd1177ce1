//! Work that is worth compiling for every instruction set.

/// Work on rows of numbers; all that it calls is to be inlined.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does it with the widest instructions of this processor; the bits are the same.
pub fn work<W: Work>(work: W) {
    #[cfg(target_arch = "x86_64")]
    super::wide::work(work);
    #[cfg(not(target_arch = "x86_64"))]
    work.run();
}
