//! How tightly a strand can be wound.

use super::{GroomParams, params::MOST_VERTICES};

/// A curl has so many vertices a turn, or it would be no curl but a zigzag: where a strand has
/// too few of them it makes fewer turns.
pub(super) const VERTICES_A_TURN: f32 = 4.0;

/// The shortest turn of a curl along so much of a strand `[m]` in so many edges. `[m]`
pub fn shortest_turn(length: f32, edges: usize) -> f32 {
    VERTICES_A_TURN * length / edges as f32
}

/// Curls that have longer turns than they were given, for their strands have too few vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnOutCurls {
    /// A turn along a strand of ordinary length. `[m]`
    pub turn: f32,
    /// With so many vertices a strand, it would be as long as the curl pitch, if a strand may
    /// have so many: a multiple of eight.
    pub vertices: u32,
}

impl DrawnOutCurls {
    /// Those of hair that is grown by these parameters, if its curls are drawn out.
    pub fn of(params: &GroomParams) -> Option<Self> {
        let (length, pitch) = (params.length, params.curl_pitch);
        let turn = shortest_turn(length, params.vertices.saturating_sub(1).max(1) as usize);
        let edges = (VERTICES_A_TURN * length / pitch).ceil();
        let vertices = (edges as u32 + 1).next_multiple_of(8);
        (params.curl_radius > 0.0 && pitch < turn).then_some(Self {
            turn,
            vertices: vertices.min(MOST_VERTICES),
        })
    }
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
        assert_eq!(DrawnOutCurls::of(&params), None);
        params.length = 1.0;
        let told = DrawnOutCurls::of(&params).expect("drawn out");
        assert!((told.turn - 4.0 / 63.0).abs() < 1e-6);
        params.vertices = told.vertices - 8;
        assert!(DrawnOutCurls::of(&params).is_some(), "these are too few");
        params.vertices = told.vertices;
        assert_eq!(DrawnOutCurls::of(&params), None);
        params.vertices = 4;
        params.curl_radius = 0.0;
        assert_eq!(DrawnOutCurls::of(&params), None, "straight hair has none");
    }
}
