//! The simulation: methods against closed forms and one another, contact, forces,
//! motion, heads, grooms and their files.

mod cohesion;
mod cohesion_law;
mod colliders;
#[path = "../common/mod.rs"]
mod common;
mod contact;
mod damage;
mod der;
mod determinism;
mod ftl;
mod groom;
mod groom_hold;
mod hair_volume;
mod haircuts;
mod hand;
mod heads;
#[path = "../common/inputs.rs"]
mod inputs;
mod mesh;
mod methods;
mod motion;
#[path = "../common/numpy.rs"]
mod numpy;
mod panorama;
mod particles;
mod pbd;
mod rod;
mod rods;
mod rubbing;
mod sequence;
mod shape;
mod spring;
mod stiffness;
mod strands;
mod tie_lengths;
mod tied;
mod trace;
