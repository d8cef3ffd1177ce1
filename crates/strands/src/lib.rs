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
//!
//! A head, hair on it, and a step of it:
//!
//! ```
//! use lovelock_strands::{
//!     groom::{GroomParams, grow::grow},
//!     mesh::{CollisionMesh, HeadParams, RootParams, load, roots},
//!     sim::{SimParams, Simulation},
//! };
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // No file: the head that comes with the crate.
//! let head = load(&HeadParams::default())?;
//! let mut params = SimParams::default();
//! params.step.solver = "rod".into();
//! let body = Arc::new(CollisionMesh::of_head(&head, params.collision.cell));
//! let planted = RootParams { strands: 20, ..RootParams::default() };
//! let roots = roots(&head.mesh, &planted)?;
//! let groom = Arc::new(grow(&roots, &GroomParams::default(), planted.seed, &body));
//!
//! let mut simulation = Simulation::new(groom.clone(), body, &params);
//! simulation.step(&params); // 1 / params.step.rate seconds
//!
//! // All vertices in the world, strand after strand, each from its root to its tip. [m]
//! let mut points = Vec::new();
//! simulation.write_positions(&mut points);
//! let tip = points[groom.range(0).end - 1];
//! assert!(tip.is_finite() && points.len() == groom.points.len());
//! // Rods do not stretch.
//! assert!(simulation.statistics(&params).max_stretch < 1e-4);
//! # Ok(())
//! # }
//! ```
//!
//! `examples/step.rs` is the same in full. A method of your own is a
//! [`Method`](sim::solver::Method) that [`register`](sim::solver::register) adds.

pub mod param;

pub mod math;

pub mod mesh;

pub mod groom;

pub mod sim;
