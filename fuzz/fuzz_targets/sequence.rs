//! Any bytes as a head that moves: refused, or a head, and where it is between its frames.
#![no_main]

use lovelock::mesh::{
    HeadParams,
    sequence::{self, Play},
};
use lovelock_fuzz::with_file;

/// More frames than this are given up: they say nothing new.
const FRAMES: usize = 64;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    with_file(bytes, "abc", |path| {
        let rate = sequence::rate(path);
        assert!(rate.is_none_or(|rate| rate > 0.0 && rate.is_finite()));
        let few = |_, all| all <= FRAMES;
        let Ok((head, film)) = sequence::read(path, &HeadParams::default(), &few) else {
            return;
        };
        let mut shape = vec![Default::default(); head.mesh.positions.len()];
        let blend = film.blend(0.5 * film.frames() as f64, Play::Loop);
        film.offsets(&blend, 1.0, &mut shape);
        let (turn, _) = film.stand(&blend);
        assert!((turn.length() - 1.0).abs() < 1e-6, "{turn}");
    });
});
