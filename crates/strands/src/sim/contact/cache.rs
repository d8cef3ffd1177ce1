//! What a row of vertices remembers of the skin, so that it need not query again.

use crate::math::lanes::Lane;

/// The offset of a plane where none is needed: below everything. `[m]`
pub const NO_PLANE: f64 = -1e3;

/// The room of a vertex that must query at once. `[m]`
pub(crate) const AT_ONCE: f64 = -1.0;

/// One of two values in each lane: does the vertex with this `offset` have a plane?
#[inline(always)]
pub(in crate::sim) fn has_plane<T: Lane>(offset: T, yes: T, no: T) -> T {
    T::splat(0.5 * NO_PLANE).less(offset, yes, no)
}

/// How near a row of vertices is to the skin, and a clock that counts its motion.
#[derive(Clone, Copy, Debug)]
pub struct ProximityCache {
    /// How far any vertex of the row may have moved since one queried. `[m]`
    pub travel: f64,
    /// How far the torso has since then, as the head sees it: that counts for
    /// vertices without a plane. `[m]`
    pub aside: f64,
    /// The least `Block::room` of the vertices that have a plane. `[m]`
    pub near_room: f64,
    /// The least of those that have none. `[m]`
    pub far_room: f64,
    /// Largest move in the last substep. `[m]`
    pub last: f64,
    /// Whether any vertex of the row is close enough to touch.
    pub near: bool,
    /// Whether what any vertex of the row touches may move otherwise than the head does.
    pub drifts: bool,
    /// The lanes whose plane goes with the torso, a bit each.
    pub with_torso: u32,
}

impl Default for ProximityCache {
    /// Of vertices that must query at once.
    fn default() -> Self {
        Self {
            travel: 0.0,
            aside: 0.0,
            near_room: AT_ONCE,
            far_room: AT_ONCE,
            last: 0.0,
            near: false,
            drifts: false,
            with_torso: 0,
        }
    }
}
