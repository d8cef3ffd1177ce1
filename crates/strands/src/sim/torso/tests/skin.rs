//! Contact of a head and a torso that turn against each other, whatever hair does there.

use super::{HEAD, bend, turns};
use crate::{
    math::{
        instructions::Instructions,
        lanes::{F, Lane, V3},
        random::uniform64,
    },
    mesh::Surface,
    sim::{
        contact::{
            Carrier, CollisionSurface, ContactQuery, ContactResult, PointRow, RowSurface,
            query_rows,
        },
        torso::{BentSurface, NeckBend},
    },
};
use glam::Vec3;

/// Where the head's vertices are under a neck bent so, and their surface. `[m]`
fn drawn(bend: &NeckBend) -> (Vec<Vec3>, Surface) {
    let places: Vec<Vec3> = HEAD.mesh.positions.iter().map(|p| bend.point(*p)).collect();
    let mut surface = HEAD.surface.clone();
    surface.bend(&HEAD.mesh, &places);
    (places, surface)
}

#[test]
fn contact_is_where_the_skin_is_drawn() {
    for turn in turns() {
        let bend = bend(turn);
        let (places, drawn) = drawn(&bend);
        let bends = [bend];
        // Where skin is pressed together to less it nearly folds: there hair may be
        // kept farther off.
        let calm = |p: Vec3| bend.stretch(p) > 0.5;
        for (name, skin) in [
            ("mesh", &HEAD.surface as &dyn CollisionSurface),
            ("grid", &HEAD.grid),
        ] {
            let contact = BentSurface::new(skin, &bends);
            let mut count = 0;
            for (i, triangle) in HEAD.mesh.triangles.iter().enumerate() {
                let at = |places: &[Vec3]| {
                    let [a, b, c] = triangle.map(|v| places[v as usize]);
                    (a + b + c) / 3.0
                };
                let (rest, now) = (at(&HEAD.mesh.positions), at(&places));
                let level = bend.band.level(rest);
                if !(-0.5..1.5).contains(&level) {
                    continue;
                }
                let above = now + drawn.face_normal(i as u32) * 0.003;
                let Some(near) = drawn.closest(above, 0.02) else {
                    continue;
                };
                let found = contact.tangent(above, above);
                let off = found.distance - near.distance;
                let [most, least] = match calm(rest) {
                    true => [1.0e-3, -3.0e-3],
                    false => [6e-3, -0.01],
                };
                assert!((least..most).contains(&off), "{name} {turn} {rest}: {off}");
                let distance = contact.distance(above);
                assert!(!calm(rest) || (distance - near.distance).abs() < 4e-3);
                count += 1;
            }
            assert!(count > 800, "{count}");
        }
    }
}

#[test]
fn distances_promise_no_more_than_there_is() {
    for turn in turns() {
        let bend = bend(turn);
        let (_, drawn) = drawn(&bend);
        let bends = [bend];
        let contact = BentSurface::new(&HEAD.grid, &bends);
        let mut known = 0;
        for i in 0..6000 {
            let part = |k: f32| (i as f32 * k).fract() - 0.5;
            let p =
                Vec3::new(part(0.618_034), part(0.754_878), part(0.569_84)) * 0.6 - Vec3::Y * 0.1;
            let truth = drawn.signed_distance(p);
            if truth < 0.002 {
                continue;
            }
            let query = ContactQuery {
                from: p,
                to: p,
                root: Vec3::ZERO,
                rest: p,
                margin: 0.0,
                clearance: 0.0,
                substep: 0,
            };
            let promised = contact.query(&query).tangent.distance;
            assert!(
                promised < 1.35 * truth + 0.003,
                "{turn} {p}: {promised} of {truth}"
            );
            let clear = clear_at(&contact, p);
            assert!(
                clear < promised + 1e-5,
                "{turn} {p}: {clear} for {promised}"
            );
            known += usize::from(clear > 0.0);
        }
        // What is below the band's upper edge has to ask.
        assert!(known > 1500, "{turn}: {known}");
    }
}

#[test]
fn rows_meet_what_each_vertex_alone_meets() {
    let bends = [Vec3::new(0.1, 0.3, 0.05), Vec3::new(0.1, 0.31, 0.04)].map(bend);
    let bent = BentSurface::new(&HEAD.grid, &bends);
    let part = |i: usize, k: u64| uniform64(5, 4 * i as u64 + k) as f32;
    let query = |(i, p): (usize, &Vec3)| {
        let to = *p * (0.98 + 0.1 * part(i, 0).powi(3));
        let way = Vec3::new(part(i, 1), part(i, 2), part(i, 3)) - 0.5;
        ContactQuery {
            root: Vec3::ZERO,
            margin: 0.001,
            clearance: 0.01 * f64::from(part(i, 1)),
            ..ContactQuery::of_point(to - way * 0.02 * part(i, 2).powi(4), to, 0)
        }
    };
    let positions = HEAD.mesh.positions.iter().enumerate();
    let queries: Vec<_> = positions.map(query).collect();
    let counts = agree(&bent, &queries);
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
    let counts = agree(&HEAD.grid, &queries);
    assert!(counts[Carrier::Head as usize] > 500, "{counts:?}");
}

#[test]
fn points_of_a_row_have_the_bounds_of_each_alone() {
    let bend = bend(Vec3::new(0.2, 0.5, 0.1));
    let bends = [bend; 2];
    let bent = BentSurface::new(&HEAD.grid, &bends);
    let [low, high] = HEAD.mesh.bounds();
    let (mut asked, mut bounded) = (0, 0);
    for row in 0..200 {
        let part = |k: usize| uniform64(3, (4 * (32 * row + k)) as u64) as f32;
        let point = |lane: usize| {
            let at = [0, 1, 2].map(|k| uniform64(3, (4 * (32 * row + lane) + k + 1) as u64) as f32);
            low - 0.05 + (high - low + 0.1) * Vec3::from_array(at)
        };
        // In every third row nobody asks.
        let asks = |lane: usize| row % 3 != 0 && part(lane) < 0.7;
        let p = V3::<F<32>>::from_lanes(point);
        let asking = F::<32>::from_lanes(|lane| f64::from(u8::from(asks(lane))));
        let wide: F<32> = bent.clear(&PointRow::new(&p, asking), 0).lanes(0);
        for lane in (0..32).filter(|lane| asks(*lane)) {
            let alone = clear_at(&bent, point(lane));
            assert_eq!(wide.0[lane].to_bits(), alone.to_bits(), "{}", point(lane));
            asked += 1;
            bounded += usize::from(alone > f32::MIN);
        }
    }
    assert!(asked > 2000 && bounded > 1000, "{asked} {bounded}");
}

/// How far a surface says that it is from `p` at least. `[m]`
fn clear_at(skin: &impl CollisionSurface, p: Vec3) -> f32 {
    let row = PointRow::new(&V3::<f32>::from(p), 1.0);
    skin.clear(&row, 0).lanes::<f32>(0)
}

/// Holds rows of every width against one vertex after the other; answers how many planes
/// each carrier has.
fn agree<S: RowSurface + CollisionSurface>(skin: &S, queries: &[ContactQuery]) -> [usize; 3] {
    let mut carried = [0; 3];
    for instructions in Instructions::ALL {
        // Rows of other lengths than registers have.
        for queries in queries.chunks(21) {
            let mut results = [ContactResult::NONE; 21];
            query_rows(skin, instructions, queries, &mut results[..queries.len()]);
            for (query, met) in queries.iter().zip(&results) {
                assert_eq!(*met, skin.query(query), "{instructions:?} {query:?}");
                carried[met.carrier as usize] += usize::from(met.tangent.offset > f32::MIN);
            }
        }
    }
    carried
}
