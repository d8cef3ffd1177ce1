//! How tightly a strand can be wound.

/// A curl has so many vertices a turn, or it would be no curl but a zigzag: where a strand has
/// too few of them it makes fewer turns.
pub(super) const VERTICES_A_TURN: f32 = 4.0;

/// The shortest turn of a curl along so much of a strand `[m]` in so many edges. `[m]`
pub fn shortest_turn(length: f32, edges: usize) -> f32 {
    VERTICES_A_TURN * length / edges as f32
}
