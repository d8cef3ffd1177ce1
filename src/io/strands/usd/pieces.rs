//! Values that cubic curves have where their pieces meet.

/// Values that are told where pieces of curves meet, for all control points;
/// none where they are not as many as these ends.
pub fn ends(
    values: &[f32],
    each: usize,
    counts: &[u32],
    pieces: impl Fn(usize) -> Option<usize>,
) -> Option<Vec<f32>> {
    let mut out = Vec::new();
    let mut at = 0usize;
    for count in counts {
        let count = *count as usize;
        let pieces = pieces(count)?;
        let end = at.checked_add(each.checked_mul(pieces + 1)?)?;
        let own = values.get(at..end)?;
        at = end;
        for i in 0..count {
            let x = (i * pieces) as f32 / (count - 1).max(1) as f32;
            let k = (x as usize).min(pieces - 1);
            let mix = |c: usize| {
                let [a, b] = [k, k + 1].map(|k| own[k * each + c]);
                a + (b - a) * (x - k as f32)
            };
            out.extend((0..each).map(mix));
        }
    }
    (at == values.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_at_ends_of_pieces_run_evenly_over_control_points() {
        let pieces = |count: usize| (count % 3 == 1).then_some(count / 3);
        let found = ends(&[0.0, 3.0, 9.0, 5.0, 5.0], 1, &[7, 4], pieces).expect("values");
        let wanted = [0.0, 1.0, 2.0, 3.0, 5.0, 7.0, 9.0, 5.0, 5.0, 5.0, 5.0];
        for (value, wanted) in found.iter().zip(wanted) {
            assert!((value - wanted).abs() < 1e-5, "{found:?}");
        }
        assert_eq!(found.len(), 11);
        assert_eq!(ends(&[0.0; 6], 1, &[7, 4], pieces), None, "one too many");
        assert_eq!(ends(&[0.0; 4], 1, &[7, 4], pieces), None, "one too few");
    }
}
