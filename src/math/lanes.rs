//! Placeholder until the kernels arrive.
