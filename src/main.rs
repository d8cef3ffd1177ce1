//! The `lovelock` program.

fn main() {}
