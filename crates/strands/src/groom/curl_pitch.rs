//! How tightly a strand can be wound.

use super::{GroomParams, params::MOST_VERTICES};

/// A curl has so many vertices a turn, or it would be no curl but a zigzag: where a strand has
/// too few of them it makes fewer turns.
pub(super) const VERTICES_A_TURN: f32 = 4.0;

/// The shortest turn of a curl along so much of a strand `[m]` in so many edges. `[m]`
pub fn shortest_turn(length: f32, edges: usize) -> f32 {
    VERTICES_A_TURN * length / edges as f32
}

/// How many vertices a strand must have for curls that are grown by these parameters, a
/// multiple of eight, or the most that it may have; none where it has enough, and its turns
/// are no longer than the curl pitch.
pub fn vertices_for_curls(params: &GroomParams) -> Option<u32> {
    let (length, pitch) = (params.length, params.curl_pitch);
    let turn = shortest_turn(length, params.vertices.saturating_sub(1).max(1) as usize);
    let edges = (VERTICES_A_TURN * length / pitch).ceil();
    let vertices = (edges as u32 + 1).next_multiple_of(8);
    (params.curl_radius > 0.0 && pitch < turn).then_some(vertices.min(MOST_VERTICES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_hair_needs_more_vertices_for_its_curls() {
        let mut params = GroomParams {
            vertices: 64,
            length: 0.5,
            curl_pitch: 0.034,
            curl_radius: 0.008,
            ..GroomParams::default()
        };
        assert_eq!(vertices_for_curls(&params), None);
        params.length = 1.0;
        let enough = vertices_for_curls(&params).expect("drawn out");
        params.vertices = enough - 8;
        assert!(vertices_for_curls(&params).is_some(), "these are too few");
        params.vertices = enough;
        assert_eq!(vertices_for_curls(&params), None);
        params.vertices = 4;
        params.curl_radius = 0.0;
        assert_eq!(vertices_for_curls(&params), None, "straight hair has none");
    }
}
