//! Contact of strands with the head and with bodies beside it, the same for every
//! method: the surface (`surface`), what a row of vertices asks of it at once (`rows`,
//! `grid_surface`), which rows must look at it (`due`), which are far from it (`far`), how
//! the others look and what plane they find (`query`), what they remember (`cache`), how the
//! skin moves (`motion`), what takes planes along (`carry`), the plane as a substep sees it
//! (`plane`), and what it does to a vertex: where it is put (`response`), the forces on it
//! in an implicit solve (`compliant`), and how it leaves the skin where its length kept it
//! inside (`depenetration`).

mod cache;
mod carrier;
mod carry;
mod compliant;
mod depenetration;
mod due;
mod far;
mod grid_surface;
mod motion;
mod plane;
mod query;
mod response;
mod rows;
mod surface;

pub(crate) use cache::AT_ONCE;
pub(in crate::sim) use cache::has_plane;
pub use cache::{NO_PLANE, ProximityCache};
pub use carrier::{Carrier, TorsoTurn};
pub use carry::carry;
pub use compliant::{CompliantContact, ContactMemory, ContactSubstep, ContactVertex};
pub use depenetration::{Candidates, Depenetration, depenetrate, may_penetrate, without_impact};
pub use due::{Limits, close, ride, spend};
pub use motion::SurfaceMotion;
pub use plane::{MovingPlane, carried, carried_close, drift, tangent_plane, went};
pub use query::{ASIDE, SECOND_TRIES, due, look, look_again, look_if_due, strayed, strayed_at};
pub use response::{bounce, friction, on_skin, plane, recovery};
pub use rows::{PointNumbers, PointRow, RowSurface, clear_rows, query_one, query_rows};
pub use surface::{CollisionSurface, ContactQuery, ContactResult, QueryBatch, Tangent};
