use super::{samples::SAMPLES, *};
use crate::{
    groom::Groom,
    mesh::{HeadParams, load},
    render::{Headless, Renderer},
};
use glam::Quat;

fn box_of(size: Vec3) -> Lattice {
    Lattice::around([Vec3::ZERO, size])
}

#[test]
fn a_slab_is_as_deep_as_its_path_is_long() {
    let lattice = box_of(Vec3::splat(0.3));
    let mut density = vec![Vec2::ZERO; lattice.len()];
    let row = (lattice.size.x * lattice.size.y) as usize;
    // Density 50/m in the slices 10..15 of z.
    density[10 * row..15 * row].fill(Vec2::new(50.0, 0.0));
    let middle = (lattice.size.x / 2 + lattice.size.y / 2 * lattice.size.x) as usize;
    let at = |depths: &[Vec2], z: usize| depths[z * row + middle].x;
    let thick = 50.0 * 5.0 * lattice.cell;
    let up = sweep(&density, &lattice, Vec3::Z);
    assert!((at(&up, 3) - thick).abs() < 1e-3 && at(&up, 20) == 0.0);
    let down = sweep(&density, &lattice, -Vec3::Z);
    assert!((at(&down, 20) - thick).abs() < 1e-3 && at(&down, 3) == 0.0);
    // 30 degrees off the normal, the way through is 1 / cos 30 longer.
    let slanted = sweep(&density, &lattice, Vec3::new(0.5, 0.0, 0.75f32.sqrt()));
    let expected = thick / 0.75f32.sqrt();
    assert!((at(&slanted, 8) - expected).abs() < 1e-2 * expected);
}

#[test]
fn a_shadow_falls_away_from_the_light() {
    let lattice = box_of(Vec3::splat(0.3));
    let mut density = vec![Vec2::ZERO; lattice.len()];
    let place = Vec3::new(0.15, 0.15, 0.15);
    lattice.spread(&mut density, place, Vec2::new(1000.0, 0.0));
    let total: f32 = density.iter().map(|cell| cell.x).sum();
    assert!((total - 1000.0).abs() < 0.1, "nothing is lost: {total}");
    let direction = Vec3::new(0.4, 0.8, -0.3).normalize();
    let depths = sweep(&density, &lattice, direction);
    let depth = |p: Vec3| {
        let cell = (p / lattice.cell - lattice.low.as_vec3()).as_ivec3();
        let row = cell.x + lattice.size.x * (cell.y + lattice.size.y * cell.z);
        depths[row as usize].x
    };
    assert!(depth(place - direction * 0.08) > 0.5, "lit behind the lock");
    assert!(
        depth(place + direction * 0.08) < 1e-3,
        "dark before the lock"
    );
    assert!(depth(place - Vec3::X * 0.08) < 0.1, "dark beside the lock");
}

#[test]
fn few_and_many_samples_stand_for_the_same_hair() {
    let groom = |strands: u32, vertices: u32| Groom {
        points: (0..strands)
            .flat_map(|_| (0..vertices).map(move |i| Vec3::Y * i as f32 / (vertices - 1) as f32))
            .collect(),
        starts: (0..=strands).map(|i| i * vertices).collect(),
        masses: vec![1.0; strands as usize],
        ..Groom::default()
    };
    let area = |groom: &Groom| {
        let length: f32 = samples(groom).iter().map(|(_, length)| length).sum();
        length * cover(groom.strands(), groom.strands())
    };
    // Hairs of a metre, six times as wide as one of a full head.
    let few = area(&groom(100, 10));
    assert!((few - 100.0 * 6.0 * HAIR).abs() < 0.01 * few, "{few}");
    let many = groom(8000, 40);
    let width = HAIR * (1e5 / 8000.0f32).powf(0.75);
    assert!((area(&many) - 8000.0 * width.min(6.0 * HAIR)).abs() < 0.01 * area(&many));
    assert!(samples(&many).len() < SAMPLES * 5 / 4);
    assert!(samples(&Groom::default()).is_empty());
    // Followers stand for themselves, at their own width.
    let followed = cover(100, 100_000) * 100.0;
    assert!((followed - 100_000.0 * HAIR).abs() < 1e-3, "{followed}");
}

#[test]
fn the_box_keeps_to_its_size_whatever_the_hair_does() {
    for bounds in [
        [Vec3::INFINITY, Vec3::NEG_INFINITY],
        [Vec3::NAN, Vec3::NAN],
        [Vec3::ZERO, Vec3::ZERO],
        [Vec3::splat(-1.2), Vec3::splat(1.2)],
        [Vec3::splat(-1e30), Vec3::splat(1e30)],
    ] {
        let size = Lattice::around(bounds).size;
        assert!(
            size.min_element() >= 2 && size.max_element() <= CELLS,
            "{bounds:?} {size}"
        );
        assert!(
            size.to_array()
                .iter()
                .all(|n| !(*n as u32).is_power_of_two()),
            "shaders would be compiled anew: {size}"
        );
    }
}

#[test]
fn skin_that_deforms_hides_light_where_it_is() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
    let head = load(&HeadParams::default()).expect("the built-in head");
    renderer.set_head(&head.mesh);
    // A hair across all of the box.
    renderer.set_groom(&Groom {
        points: vec![Vec3::splat(-0.4), Vec3::splat(0.4)],
        starts: vec![0, 2],
        masses: vec![1.0],
        ..Groom::default()
    });
    let lights = [Vec3::Y; 4];
    let mut hides = |skin: &[Vec3], pose| {
        renderer.deform_head(skin);
        renderer.occlusion.update(lights, pose, None);
        renderer.occlusion.head_density.clone()
    };
    let rest = hides(&[], Pose::IDENTITY);
    let there = Pose {
        rotation: Quat::from_rotation_x(0.6) * Quat::from_rotation_y(0.3),
        translation: Vec3::new(0.02, 0.05, -0.03),
    };
    let moved = hides(&[], there);
    let whole: f32 = rest.iter().sum();
    let apart = |a: &[f32], b: &[f32]| {
        let apart: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
        apart / whole
    };
    assert!(whole > 0.0 && apart(&rest, &moved) > 0.3);
    let skin: Vec<Vec3> = head
        .mesh
        .positions
        .iter()
        .map(|p| there.point(*p))
        .collect();
    let deformed = hides(&skin, Pose::IDENTITY);
    assert!(apart(&moved, &deformed) < 1e-3);
    // What is no shape of this mesh lets it rest.
    assert!(hides(&skin[1..], Pose::IDENTITY) == rest);
    hides(&skin, Pose::IDENTITY);
    assert!(hides(&[], Pose::IDENTITY) == rest);
}
