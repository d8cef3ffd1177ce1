//! A groom: rest curves, constant while the hair moves.

pub mod bind;
pub mod carry;
mod centre_line;
pub mod drawn;
pub mod edit;
pub mod file_attributes;
pub mod file_strands;
pub mod fit;
pub mod flow;
mod fly_away;
pub mod followers;
pub mod grow;
pub mod import;
pub mod interpolation;
pub mod outliers;
mod params;
mod reading;
mod rest_curves;
mod settled;
mod simulated;
pub mod stiffness;
pub mod styles;
mod tied;
pub mod vellus;

pub use bind::BindReport;
pub use file_attributes::FileAttributes;
pub use file_strands::FileStrands;
pub use fly_away::FlyAways;
pub use followers::{Bed, Follower, FollowerParams, Followers, MOST_FOLLOWERS};
pub use import::ImportParams;
pub use interpolation::Interpolation;
pub use params::{GroomParams, Handedness, TieStyle};
pub use reading::Better;
pub use rest_curves::{Bundle, Groom};
pub use vellus::VellusHair;
