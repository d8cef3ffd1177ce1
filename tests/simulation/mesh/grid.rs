//! The distance grid against exact distances.

use super::{bust, from_text, point_near};
use glam::Vec3;
use lovelock::{
    math::random,
    mesh::{DistanceGrid, Mesh, Surface, distance::MOST_CELLS},
};

fn bake(mesh: &Mesh, cell: f32, padding: f32) -> (Surface, DistanceGrid) {
    let surface = Surface::new(mesh);
    let grid = DistanceGrid::bake(mesh, &surface, cell, padding);
    assert_eq!(grid.values.len(), grid.dims.iter().product::<usize>());
    assert!(grid.values.iter().all(|v| v.is_finite()));
    (surface, grid)
}

#[test]
fn values_near_the_skin_are_exact_and_others_nearly() {
    let mesh = bust();
    let (surface, grid) = bake(&mesh, 0.004, 0.03);
    let [nx, ny, nz] = grid.dims;
    let mut wrong_side = 0;
    for z in (0..nz).step_by(3) {
        for y in 0..ny {
            for x in (0..nx).step_by(2) {
                let value = grid.values[(z * ny + y) * nx + x];
                let exact = surface.signed_distance(grid.point(x, y, z));
                if exact.abs() < 2.9 * grid.cell {
                    assert!((value.abs() - exact.abs()).abs() < 1e-7, "{value} {exact}");
                } else {
                    // A neighbour's foot is never nearer than the true one.
                    let error = value.abs() - exact.abs();
                    assert!(
                        error > -1e-6 && error < 0.0004 + 0.02 * exact.abs(),
                        "{value} {exact}"
                    );
                }
                if (value < 0.0) != (exact < 0.0) && exact.abs() > 1e-6 {
                    wrong_side += 1;
                }
            }
        }
    }
    assert_eq!(wrong_side, 0);
}

#[test]
fn samples_are_good_near_the_skin() {
    // Interpolation errs by about a cell's share of the curvature; the ears
    // are thinner than a cell.
    let mesh = bust();
    for (cell, worst_allowed, rms_allowed) in [(0.004, 0.0022, 0.000_15), (0.002, 0.001, 0.000_06)]
    {
        let (surface, grid) = bake(&mesh, cell, 0.03);
        let (mut worst, mut sum, mut count) = (0.0f32, 0.0, 0.0);
        let mut tilted = 0.0;
        for i in 0..60_000 {
            let p = point_near(&mesh, 0.02, i);
            let Some(nearest) = surface.closest(p, 0.006) else {
                continue;
            };
            let (value, normal) = grid.sample_with_normal(p);
            assert_eq!(value.to_bits(), grid.sample(p).to_bits());
            assert!((normal.length() - 1.0).abs() < 1e-4);
            let error = (value - nearest.distance).abs();
            worst = worst.max(error);
            sum += error * error;
            count += 1.0;
            tilted += f32::from(u8::from(normal.dot(nearest.normal) < 0.8));
        }
        let rms = (sum / count).sqrt();
        assert!(count > 3000.0);
        assert!(
            worst < worst_allowed && rms < rms_allowed,
            "{cell}: {worst} {rms}"
        );
        assert!(tilted < 0.03 * count, "{cell}: {tilted} of {count}");
    }
}

#[test]
fn what_the_grid_keeps_out_is_out() {
    // A vertex that the grid holds at the default margin is truly outside,
    // even at the ears; at a third less it may be 0.25 mm deep.
    let mesh = bust();
    let (surface, grid) = bake(&mesh, 0.004, 0.03);
    let mut allowed = [0; 2];
    for t in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(t);
        for k in 0..6 {
            let [x, y, z] = [0, 1, 2].map(|j| random::uniform(3 + j, 6 * t as u64 + k));
            let side = x.sqrt();
            let on_skin = a + (b - a) * (side * (1.0 - y)) + (c - a) * (side * y);
            let p = on_skin - surface.face_normal(t as u32) * (0.004 * z - 0.002);
            let (value, exact) = (grid.sample(p), surface.signed_distance(p));
            for (i, (margin, deepest)) in
                [(0.0015, 0.0), (0.001, -0.000_25)].into_iter().enumerate()
            {
                if value >= margin {
                    allowed[i] += 1;
                    assert!(exact >= deepest, "{p} {value} {exact}");
                }
            }
        }
    }
    assert!(allowed[0] > 5000, "{allowed:?}");
}

#[test]
fn beyond_the_lattice_is_a_lower_bound() {
    let mesh = bust();
    let (surface, grid) = bake(&mesh, 0.008, 0.01);
    for i in 0..3000 {
        let p = point_near(&mesh, 0.3, i);
        let (value, normal) = grid.sample_with_normal(p);
        let exact = surface.signed_distance(p);
        if exact > 0.05 {
            assert!(value > 0.0 && value <= exact + 0.003, "{p} {value} {exact}");
            assert!(normal.is_normalized());
        }
    }
    for p in [Vec3::NAN, Vec3::INFINITY, Vec3::MAX, Vec3::splat(1e20)] {
        let (value, normal) = grid.sample_with_normal(p);
        assert!(
            value > 0.0 && normal.is_normalized(),
            "{p} {value} {normal}"
        );
    }
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let mesh = bust();
    let surface = Surface::new(&mesh);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| DistanceGrid::bake(&mesh, &surface, 0.006, 0.02))
    };
    let one = with(1);
    for threads in [2, 3] {
        let other = with(threads);
        assert!(
            one.values
                .iter()
                .zip(&other.values)
                .all(|(a, b)| a.to_bits() == b.to_bits())
        );
    }
}

#[test]
fn holes_in_the_skin_flip_nothing() {
    // The bust without its base and with a few faces missing here and there.
    let whole = bust();
    let mut mesh = Mesh::clone(&whole);
    let floor = mesh.bounds()[0].y;
    let mut kept = Vec::new();
    for i in 0..mesh.triangles.len() {
        let base = mesh.corners(i).iter().all(|p| p.y < floor + 0.004);
        if !base && i % 97 != 0 {
            kept.push(i);
        }
    }
    mesh.triangles = kept.iter().map(|i| whole.triangles[*i]).collect();
    mesh.normals = kept.iter().map(|i| whole.normals[*i]).collect();
    mesh.groups.clear();
    let (_, grid) = bake(&mesh, 0.005, 0.03);
    let sound = Surface::new(&whole);
    let [nx, ny, nz] = grid.dims;
    let (mut wrong, mut inside) = (0, 0);
    for z in (0..nz).step_by(2) {
        for y in (0..ny).step_by(2) {
            for x in (0..nx).step_by(2) {
                let p = grid.point(x, y, z);
                let value = grid.values[(z * ny + y) * nx + x];
                let truth = sound.signed_distance(p);
                // Near the open base there is no telling.
                if p.y > floor + 0.02 && truth.abs() > 0.004 {
                    wrong += u32::from((value < 0.0) != (truth < 0.0));
                }
                inside += u32::from(truth < 0.0);
            }
        }
    }
    assert!(inside > 1000);
    assert_eq!(wrong, 0);
}

#[test]
fn a_mask_has_a_front_but_no_depth() {
    // A curved sheet, seen from +z; behind it is outside, but for a thin layer.
    let mut text = String::new();
    let n = 20;
    for j in 0..=n {
        for i in 0..=n {
            let [x, y] = [i, j].map(|k| 0.2 * (k as f32 / n as f32 - 0.5));
            text += &format!("v {x} {y} {}\n", 0.05 - 0.3 * (x * x + y * y));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let at = |i: usize, j: usize| j * (n + 1) + i + 1;
            text += &format!(
                "f {} {} {} {}\n",
                at(i, j),
                at(i + 1, j),
                at(i + 1, j + 1),
                at(i, j + 1)
            );
        }
    }
    let mesh = from_text(&text);
    let (_, grid) = bake(&mesh, 0.004, 0.03);
    let lowest = grid.values.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(lowest < 0.0 && lowest > -2.0 * grid.cell, "{lowest}");
    assert!(grid.sample(Vec3::new(0.0, 0.0, 0.06)) > 0.009);
    assert!(grid.sample(Vec3::new(0.0, 0.0, 0.048)) < 0.0);
    assert!(grid.sample(Vec3::new(0.0, 0.0, 0.02)) > 0.02);
}

#[test]
fn the_field_never_jumps() {
    // Half a shell, open behind: the opening is closed by the grid.
    let mut mesh = Mesh::clone(&bust());
    let kept: Vec<usize> = (0..mesh.triangles.len())
        .filter(|i| mesh.corners(*i).iter().all(|p| p.z > -0.01))
        .collect();
    mesh.triangles = kept.iter().map(|i| mesh.triangles[*i]).collect();
    mesh.normals = kept.iter().map(|i| mesh.normals[*i]).collect();
    mesh.groups.clear();
    // At a rim the skin ends on one side only.
    for (mesh, most) in [(&*bust(), 1.1), (&mesh, 2.2)] {
        let (_, grid) = bake(mesh, 0.005, 0.03);
        let [nx, ny, _] = grid.dims;
        for (i, value) in grid.values.iter().enumerate() {
            for step in [1, nx, nx * ny] {
                if let Some(next) = grid.values.get(i + step)
                    && (step > 1 || (i + 1) % nx != 0)
                    && (step != nx || (i / nx + 1) % ny != 0)
                {
                    assert!(
                        (next - value).abs() < most * grid.cell,
                        "{i} {value} {next}"
                    );
                }
            }
        }
        // In the middle of the head there is an inside.
        assert!(grid.sample(Vec3::new(0.0, 0.03, 0.03)) < -0.02);
    }
}

#[test]
fn a_huge_model_gets_larger_cells_and_a_word() {
    let mesh =
        from_text("v 0 0 0\nv 900 0 0\nv 0 900 0\nv 0 0 900\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    let surface = Surface::new(&mesh);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let grid = pool.install(|| DistanceGrid::bake(&mesh, &surface, 0.001, 0.03));
    assert!(grid.values.len() <= MOST_CELLS);
    assert!(
        grid.warning
            .as_ref()
            .is_some_and(|w| w.contains("instead of 0.001 m"))
    );
    assert!(grid.sample(Vec3::splat(50.0)) < 0.0 && grid.sample(Vec3::splat(899.0)) > 0.0);
}

#[test]
fn a_head_far_from_the_origin_works() {
    let mut mesh = Mesh::clone(&bust());
    let offset = Vec3::new(80.0, -30.0, 120.0);
    mesh.positions.iter_mut().for_each(|p| *p += offset);
    let (surface, grid) = bake(&mesh, 0.006, 0.02);
    let near = bust();
    let (exact, _) = bake(&near, 0.05, 0.0);
    for i in 0..2000 {
        let p = point_near(&near, 0.02, i);
        let truth = exact.signed_distance(p);
        assert!((surface.signed_distance(p + offset) - truth).abs() < 5e-5);
        assert!((grid.sample(p + offset) - truth).abs() < 0.005);
    }
}
