//! Contact of strands with the head and with bodies beside it, the same for every
//! method: the surface (`surface`), the two that a head has (`mesh_surface`, `grid_surface`),
//! what a row of vertices asks of one at once (`rows`), how far each may move before it must
//! query (`room`), which are far from it (`far`), what plane the others find, and the recheck
//! before a substep is accepted (`query`), what they remember (`cache`), how the skin moves
//! (`motion`), what takes planes along (`torso_planes`), the plane as a substep sees it
//! (`plane`), and what it does to a vertex: where it is put (`response`), the forces on it in
//! an implicit solve (`compliant`; `stiffness` says how stiff), and how it leaves the skin
//! where its length kept it inside (`depenetration`). The words are in a table in
//! docs/architecture.md, *Words of contact*.

mod cache;
mod candidates;
mod carrier;
mod compliant;
mod depenetration;
mod far;
mod grid_surface;
mod mesh_surface;
mod motion;
mod plane;
mod query;
mod response;
mod room;
mod rows;
mod stiffness;
mod surface;
mod torso_planes;

pub(crate) use cache::AT_ONCE;
pub(in crate::sim) use cache::has_plane;
pub use cache::{NO_PLANE, ProximityCache};
pub use candidates::{Candidates, may_penetrate};
pub use carrier::{Carrier, TorsoTurn};
pub use compliant::{CompliantContact, ContactMemory, ContactSubstep, ContactVertex};
pub use depenetration::{Depenetration, depenetrate, without_impact};
pub use motion::SurfaceMotion;
pub use plane::{MovingPlane, carried, carried_where_tracked, drift, record_motion, tangent_plane};
pub use query::{
    ASIDE, SECOND_TRIES, query_if_needed, query_vertices, recheck_row, recheck_rows, skin_to_query,
    update_planes,
};
pub use response::{
    RECOVERY, bounce, bounce_back, friction, on_skin, plane, recovery, rub_and_bounce,
};
pub use room::{RoomLimits, record_farthest, reduce_room, tracks_each_vertex};
pub use rows::{PointNumbers, PointRow, RowSurface, query_one, query_rows};
pub use stiffness::stiffness_under_load;
pub use surface::{CollisionSurface, ContactQuery, ContactResult, QueryBatch, Tangent};
pub use torso_planes::turn_torso_planes;
