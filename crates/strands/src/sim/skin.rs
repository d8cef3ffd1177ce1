//! The surface of the head that strands collide with.

use super::{CollisionMode, CollisionParams, Response, contact::CollisionSurface};
use crate::mesh::CollisionMesh;

/// With so many vertices or more, `collision.mode = "auto"` takes the grid.
pub const AUTO_GRID_VERTICES: usize = 20_000;

/// By what hair queries the skin: what it has noted of that holds for nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QueryKey {
    mode: CollisionMode,
    margin: f32,
    response: Response,
}

impl QueryKey {
    /// Under these tunables.
    pub fn of(params: &CollisionParams) -> Self {
        Self {
            mode: params.mode,
            margin: params.margin,
            response: params.response,
        }
    }
}

/// What strands collide with under these tunables; `vertices` are those of all
/// strands. `None` where collision is off.
pub fn skin<'a>(
    body: &'a CollisionMesh,
    params: &CollisionParams,
    vertices: usize,
) -> Option<&'a dyn CollisionSurface> {
    (params.mode != CollisionMode::Off).then(|| surface(body, params.mode, vertices))
}

/// The same; where collision is off, what would be chosen if it were on.
pub(super) fn surface(
    body: &CollisionMesh,
    mode: CollisionMode,
    vertices: usize,
) -> &dyn CollisionSurface {
    match mode {
        CollisionMode::Mesh => body,
        CollisionMode::Grid => &body.grid,
        CollisionMode::Auto | CollisionMode::Off if vertices < AUTO_GRID_VERTICES => body,
        CollisionMode::Auto | CollisionMode::Off => &body.grid,
    }
}
