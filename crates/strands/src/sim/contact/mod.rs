//! Contact of strands with the head and with bodies beside it, the same for every
//! method: the surface, who looks at it and when, what is remembered of it, and
//! what it does to a vertex.

mod cache;
mod due;
mod motion;
mod query;
mod response;
mod surface;

pub(crate) use cache::AT_ONCE;
pub use cache::{NO_PLANE, ProximityCache};
pub use due::{Limits, close, ride};
pub use motion::SurfaceMotion;
pub use query::{ASIDE, SECOND_TRIES, drift, look, look_again, strayed, strayed_at};
pub use response::{bounce, friction, on_skin, plane};
pub use surface::{CollisionSurface, ContactQuery, ContactResult, QueryBatch, Tangent};
