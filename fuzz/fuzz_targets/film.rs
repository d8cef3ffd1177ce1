//! Any bytes as a groom that moves: refused, or each of its first poses has the strands of
//! the groom at rest, or is refused.
#![no_main]

use lovelock::io::strands::MovingStrands;
use lovelock_fuzz::with_file;

/// More poses than this say nothing new.
const POSES: usize = 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    with_file(bytes, "abc", |path| {
        let Ok(Some(moving)) = MovingStrands::open(path) else {
            return;
        };
        assert!(moving.poses() > 1 && moving.rate() > 0.0 && moving.rate().is_finite());
        let points = moving.strands().points.len();
        let _ = moving.each(&mut |pose, found| {
            assert_eq!(found.len(), points);
            pose + 1 < POSES
        });
    });
});
