//! What is offered to fit a groom never makes it fit worse.

use super::input;
use glam::{Quat, Vec3};
use lovelock::{
    groom::{ImportParams, bind, import::Found},
    io::strands::{self, Strands},
    math::random,
    mesh::{CollisionMesh, HeadParams, Units, Up, load},
};

/// The same strands in another unit, with another axis up, turned and elsewhere.
fn elsewhere(hair: &Strands, draw: &dyn Fn(u64) -> f32) -> Strands {
    let size = 10f32.powf(6.0 * draw(0) - 3.0);
    let turn = Quat::from_rotation_y([0.0, 1.5, 3.0, 0.4][(4.0 * draw(1)) as usize % 4]);
    let away = 3.0 * Vec3::new(draw(2) - 0.5, draw(3) - 0.5, draw(4) - 0.5);
    let axis = (3.0 * draw(5)) as usize % 3;
    let mut out = hair.clone();
    for p in &mut out.points {
        let q = (turn * *p + away) * size;
        *p = match axis {
            0 => q,
            1 => Vec3::new(q.x, -q.z, q.y),
            _ => Vec3::new(q.y, q.z, q.x),
        };
    }
    out
}

#[test]
fn a_groom_from_anywhere_is_never_offered_a_worse_fit() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = CollisionMesh::new(head.mesh, 0.006);
    let mut offers = 0;
    for (groom, name) in [
        "harolongo.data",
        "Bangs_100.hair",
        "Ratboy_mohawk_v4.tfx",
        "hair-blender-3.0.1.usda",
    ]
    .into_iter()
    .enumerate()
    {
        let Some(path) = input(&format!("hair/{name}")) else {
            return;
        };
        let (_, hair) = strands::read(&path).expect("reads");
        let hair = hair.evaluated();
        for case in 0..3u64 {
            let draw = |k: u64| random::uniform(0x0ff3, 100 * groom as u64 + 10 * case + k);
            let mut file = elsewhere(&hair, &draw);
            if draw(6) < 0.5 {
                file.up = [None, Some(Up::Z)][(2.0 * draw(7)) as usize % 2];
                file.metres_per_unit = Some(0.01);
            }
            let params = ImportParams {
                units: [Units::Auto, Units::Centimetres][(2.0 * draw(8)) as usize % 2],
                ..ImportParams::default()
            };
            let bound = |params: &ImportParams| {
                let bound = bind::bind(&file.loose(&Found::new()), params, &body);
                bound.map(|bound| bound.report)
            };
            let Ok(before) = bound(&params) else { continue };
            let Some(better) = &before.better else {
                continue;
            };
            offers += 1;
            let after = bound(&better.apply(&params)).expect("binds");
            println!(
                "{name} {case}: {:.4} m to {:.4} m",
                before.mean_distance, after.mean_distance
            );
            assert!(
                after.mean_distance < before.mean_distance,
                "{name}: {better}"
            );
            assert!(
                (after.mean_distance - better.distance).abs() < 1e-4,
                "{name}: {better}, {}",
                after.summary
            );
            // What was taken up is not offered again.
            let again = after
                .better
                .is_none_or(|b| b.distance < after.mean_distance);
            assert!(again, "{name}: {better}");
        }
    }
    assert!(offers >= 6, "{offers}");
}
