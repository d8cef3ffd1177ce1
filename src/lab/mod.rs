//! What measures and proves, on top of the simulation: the validation against rod
//! theory, the stress test, the response test and the benchmark.

pub mod bench;
mod hair;
pub mod response;
pub mod shake;
pub mod strays;
pub mod validate;
