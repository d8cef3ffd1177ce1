//! Contact of strands with the head and with bodies beside it, the same for every
//! method: the surface (`surface`), which rows must look at it (`due`), how they look
//! and what plane they find (`query`), what they remember (`cache`), how the skin
//! moves (`motion`), and what it does to a vertex (`response`).

mod cache;
mod due;
mod motion;
mod query;
mod response;
mod surface;

pub(crate) use cache::AT_ONCE;
pub use cache::{NO_PLANE, ProximityCache};
pub use due::{Limits, close, ride, went};
pub use motion::SurfaceMotion;
pub use query::{ASIDE, SECOND_TRIES, drift, look, look_again, strayed, strayed_at};
pub use response::{bounce, friction, on_skin, plane};
pub use surface::{CollisionSurface, ContactQuery, ContactResult, QueryBatch, Tangent};
