//! How long the head's questions take; run with
//! `cargo test --release --test mesh timing -- --ignored --nocapture`.

use super::{bust, point_near};
use glam::Vec3;
use lovelock::{
    math::random,
    mesh::{self, DistanceGrid, HeadParams, RootParams, Surface},
};

/// Time that this thread has run, which other programs do not lengthen. `[s]`
fn thread_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|t| t.parse::<f64>().ok());
    1e-9 * first.unwrap_or_default()
}

/// Runs `work` and tells what one of `count` parts of it took.
fn timed<T>(name: &str, count: u32, work: impl FnOnce() -> T) -> T {
    let start = thread_time();
    let result = work();
    let each = (thread_time() - start) / f64::from(count);
    if each > 1e-4 {
        println!("{name}: {:.1} ms", 1e3 * each);
    } else {
        println!("{name}: {:.0} ns", 1e9 * each);
    }
    result
}

#[test]
#[ignore = "prints timings"]
fn timing() {
    // One thread, so that its time is the whole time.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.install(measure);
}

fn measure() {
    timed("load", 1, || mesh::load(&HeadParams::default()).unwrap());
    let mesh = bust();
    timed("3000 roots", 1, || {
        mesh::roots(&mesh, &RootParams::default()).unwrap()
    });
    let surface = timed("index", 1, || Surface::new(&mesh));
    for cell in [0.004, 0.003, 0.002] {
        let grid = timed(&format!("grid of {cell} m"), 1, || {
            DistanceGrid::bake(&mesh, &surface, cell, 0.03)
        });
        let (mut worst, mut sum, mut count, mut far) = (0.0f32, 0.0f64, 0u32, 0.0f32);
        for i in 0..100_000 {
            let p = point_near(&mesh, 0.03, i);
            let exact = surface.signed_distance(p);
            let error = (grid.sample(p) - exact).abs();
            if exact.abs() < 0.006 {
                worst = worst.max(error);
                sum += f64::from(error).powi(2);
                count += 1;
            } else {
                far = far.max(error);
            }
        }
        println!(
            "  {:?}; within 6 mm of the skin worst {:.2} mm, rms {:.3} mm; elsewhere worst {:.2} mm",
            grid.dims,
            1e3 * worst,
            1e3 * (sum / f64::from(count)).sqrt(),
            1e3 * far
        );
    }
    let n = 200_000;
    let points: Vec<Vec3> = (0..n)
        .map(|i| {
            let t = i / 11 % mesh.triangles.len();
            let [a, b, c] = mesh.corners(t);
            let height = 0.004 * random::uniform(1, i as u64) - 0.001;
            (a + b + c) / 3.0 + surface.face_normal(t as u32) * height
        })
        .collect();
    for max in [0.002, 0.004, 0.01, 1.0] {
        timed(&format!("nearest point within {max} m"), n as u32, || {
            points
                .iter()
                .filter(|p| surface.closest(**p, max).is_some())
                .count()
        });
    }
    for max in [0.003, 3.0] {
        timed(&format!("ray of {max} m"), n as u32, || {
            let hit = |(i, p): (usize, &Vec3)| {
                let a = i as f32;
                surface
                    .ray(*p, Vec3::new(a.sin(), a.cos(), 0.3), max)
                    .is_some()
            };
            points
                .iter()
                .enumerate()
                .map(hit)
                .filter(|hit| *hit)
                .count()
        });
    }
    let grid = DistanceGrid::bake(&mesh, &surface, 0.004, 0.03);
    timed("grid sample with normal", n as u32, || {
        points
            .iter()
            .map(|p| grid.sample_with_normal(*p).0)
            .sum::<f32>()
    });
}
