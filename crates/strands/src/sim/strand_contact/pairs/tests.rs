//! The search for pairs against all pairs.

use super::super::edges::MovingVertex;
use super::*;
use crate::math::random::signed;

/// All pairs that may come closer than a millimetre.
fn all_pairs(edges: &Edges, margins: Option<&[f32]>) -> Vec<(u32, u32)> {
    find_pairs(edges, 1e-3, margins, Instructions::widest()).concat()
}

#[test]
fn every_pair_that_is_near_is_found_once() {
    // Strands of two edges, some longer than a piece.
    let mut edges = Edges::new(std::iter::repeat_n(3, 300));
    for strand in 0..300u64 {
        let draw = |what: u64| signed(what, strand);
        let vector = |what: u64| Vec3::new(draw(what), draw(what + 1), draw(what + 2));
        let middle = 0.03 * vector(1);
        let length = 0.016 * (1.0 + draw(20).abs());
        for (k, along) in [vector(4), Vec3::ZERO, vector(7)].into_iter().enumerate() {
            edges.vertices[3 * strand as usize + k] = MovingVertex {
                start: middle + length * along.normalize_or_zero(),
                moved: 2e-3 * vector(10 + 3 * k as u64),
            };
        }
    }
    edges.bound(1e-3);
    let mut found = all_pairs(&edges, None);
    found.sort_unstable();
    let mut all = Vec::new();
    for a in (0..900).filter(|a| edges.is_edge(*a)) {
        for b in (a + 1..900).filter(|b| edges.is_edge(*b)) {
            let (one, other) = (edges.splat::<f32>(a), edges.splat(b));
            let contact = PairContact::of(&one, &other);
            let near = HalfWay::of(&one, &other).may_touch(&one, &other, &contact, 1e-3) > 0.0;
            if edges.strands[a] != edges.strands[b] && near {
                all.push((a as u32, b as u32));
            }
        }
    }
    assert!(all.len() > 100, "{} pairs", all.len());
    assert_eq!(found, all);
    // Margins as wide as the most that edges approach by: all of these, and others.
    let margins = vec![0.5 * FARTHEST; 900];
    let wide = all_pairs(&edges, Some(&margins));
    assert!(wide.len() > all.len(), "{} of {}", wide.len(), all.len());
    assert!(all.iter().all(|pair| wide.contains(pair)));
}

#[test]
fn what_is_not_finite_touches_nothing_and_hides_nothing() {
    let mut edges = Edges::new(std::iter::repeat_n(2, 3));
    for (strand, height) in [0.0, 0.0005, 0.0].into_iter().enumerate() {
        for end in 0..2 {
            edges.vertices[2 * strand + end].start = Vec3::new(0.01 * end as f32, height, 0.0);
        }
    }
    for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        edges.vertices[5].start.y = broken;
        assert_eq!(all_pairs(&edges, None), [(0, 2)], "{broken}");
    }
}
