//! Heads, strands of hair and the methods that move them.
//!
//! The lower layers of Lovelock, under their own names in `lovelock` too: a
//! tunable ([`param`]), numbers in lanes ([`math`]), heads ([`mesh`]), hair at
//! rest ([`groom`]) and hair in motion ([`sim`]). Nothing here reads a file of
//! hair, draws, or knows a window. A file names only its own layer and earlier
//! ones.
//!
//! SI units everywhere: metres, kilograms, seconds, newtons; y is up and the
//! face looks along +z.

pub mod param;

pub mod math;

pub mod mesh;

pub mod groom;

pub mod sim;
