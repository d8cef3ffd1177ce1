//! What measures and proves: on top of the simulation, and knowing methods only
//! through their table.

pub mod response;
