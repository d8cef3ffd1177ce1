//! About how large the files of an animation will be.

use super::AnimationOptions;
use crate::io::strands::Format;

/// Bytes of a vertex in a cache (docs/formats.md, Caches).
const CACHED: f64 = 4.6;

/// Bytes of a vertex of a head in an OBJ of its own, with its share of the faces and of the
/// texture coordinates.
const HEAD_BESIDE: f64 = 150.0;

/// What a file needs for a point of hair. `[bytes]`
struct PointSize {
    /// Where it is, in each frame.
    place: f64,
    /// Its width and its colour.
    looks: f64,
}

/// That of a file of the format with that id.
fn point_size(id: &str) -> PointSize {
    let (place, looks) = match id {
        "data" => (12.0, 0.0),
        "bin" => (28.0, 0.0),
        "ply" => (12.0, 7.0),
        "tfx" => (16.0, 16.0),
        "obj" => (36.0, 42.0),
        "usda" => (36.0, 48.0),
        _ => (12.0, 16.0),
    };
    PointSize { place, looks }
}

/// About how large the files of an `animation` are: of that `format`, or a cache without one;
/// `numbered`, a file a frame; each frame with so many points of hair and vertices of the
/// `head`, if that is written. `[bytes]`
pub fn estimated_bytes(
    animation: &AnimationOptions,
    format: Option<&Format>,
    numbered: bool,
    (points, head): (usize, Option<usize>),
) -> u64 {
    let (frames, points) = (animation.frames() as f64, points as f64);
    let Some(format) = format else {
        return (frames * points * CACHED) as u64;
    };
    let PointSize { place, looks } = point_size(format.id);
    let speeds = match animation.velocities && format.carries.animation {
        true => 2.0,
        false => 1.0,
    };
    let looked = if numbered { frames } else { 1.0 };
    let hair = points * (frames * place * speeds + looked * looks);
    let head = head.unwrap_or(0) as f64;
    let head = match format.carries.head {
        Some(_) => head * (frames * place * speeds + looked * 4.0 * place),
        None => head * frames * HEAD_BESIDE,
    };
    (hair + head) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::strands::{FilmTimes, Strands, written};
    use glam::Vec3;

    /// Strands of which no two points are alike.
    fn strands(turn: f32) -> Strands {
        let (count, each) = (200, 16);
        let point = |i: usize| {
            let t = i as f32 * 0.618 + turn;
            Vec3::new(0.12 * t.sin(), 1.5 + 0.15 * (1.7 * t).cos(), 0.1 * t.cos())
        };
        let all = 0..count * each;
        Strands {
            points: all.clone().map(point).collect(),
            starts: (0..=count).map(|i| (i * each) as u32).collect(),
            widths: all.clone().map(|i| 7e-5 + 1e-9 * i as f32).collect(),
            colours: all.map(|i| [0.1 + 1e-5 * i as f32, 0.06, 0.03]).collect(),
            ..Strands::default()
        }
    }

    /// Says by how much the estimate misses what a file has.
    fn near(name: &str, estimate: u64, real: u64) {
        let share = estimate as f64 / real as f64;
        assert!((0.7..1.4).contains(&share), "{name}: {estimate} of {real}");
    }

    #[test]
    fn files_are_about_as_large_as_was_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let animation = AnimationOptions {
            seconds: 0.5,
            fps: 24.0,
            start: None,
            velocities: false,
            camera: false,
        };
        let frames = animation.frames();
        let points = strands(0.0).points.len();
        for (format, writing) in written() {
            let one = (writing.write)(&strands(0.3)).expect("writes").len();
            let real = (frames * one) as u64;
            let estimate = estimated_bytes(&animation, Some(format), true, (points, None));
            near(format.id, estimate, real);
            let Some(begin) = writing.film else { continue };
            let path = folder.path().join(format.id);
            let mut film = begin(&path, &FilmTimes::new(frames, 24.0)).expect("begins");
            for frame in 0..frames {
                film.add(&strands(frame as f32)).expect("writes");
            }
            film.finish().expect("writes");
            let real = path.metadata().expect("is there").len();
            let estimate = estimated_bytes(&animation, Some(format), false, (points, None));
            near(format.id, estimate, real);
        }
    }

    #[test]
    fn velocities_and_the_head_make_files_larger() {
        let mut animation = AnimationOptions {
            seconds: 1.0,
            fps: 24.0,
            start: None,
            velocities: false,
            camera: false,
        };
        let (abc, _) = crate::io::strands::writer("abc").expect("is written");
        let (obj, _) = crate::io::strands::writer("obj").expect("is written");
        let size = |animation: &AnimationOptions, format, head| {
            estimated_bytes(animation, format, false, (1000, head))
        };
        let plain = size(&animation, Some(abc), None);
        assert!(plain < size(&animation, Some(abc), Some(500)));
        assert!(size(&animation, None, None) < plain);
        let [obj_alone, obj_beside] =
            [None, Some(500)].map(|head| size(&animation, Some(obj), head));
        animation.velocities = true;
        assert!(size(&animation, Some(abc), None) > plain * 3 / 2);
        assert_eq!(size(&animation, Some(obj), None), obj_alone);
        assert!(obj_beside > obj_alone);
    }
}
