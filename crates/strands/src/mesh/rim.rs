//! The rim of the scalp: where fine short hairs grow, within the hairline and
//! outside it.

use super::{
    Growth, Mesh, MeshError, Root, RootParams, hairline::Hairline, root::root_of, scalp,
    surface::Surface,
};
use crate::math::random;
use glam::Vec3;
use rayon::prelude::*;

/// Fine hairs grow so far outside the border, ever fewer. `[m]`
pub const OUTSIDE: f32 = 0.014;
/// And so far within it. `[m]`
pub const WITHIN: f32 = 0.006;
/// Skin over parts thinner than this has none of them: ears and lids. `[m]`
const THIN: f32 = 0.02;
/// So many places are tried for each that is wanted.
const TRIES: u64 = 40;

/// A place on the rim.
#[derive(Clone, Copy, Debug)]
pub struct RimRoot {
    /// Where the hair grows.
    pub root: Root,
    /// How far outside the border that is; negative within. `[m]`
    pub outside: f32,
}

/// Places on the rim of the scalp, `params.vellus` for each centimetre of its
/// border but `most` at most, denser at the border than away from it, and only
/// where `growth` lets hair grow. The same seed gives the same places.
///
/// # Errors
/// [`MeshError::NoScalp`] when no face carries hair.
pub fn rim_roots(
    mesh: &Mesh,
    params: &RootParams,
    growth: &Growth,
    most: usize,
) -> Result<Vec<RimRoot>, MeshError> {
    if params.vellus <= 0.0 || most == 0 {
        return Ok(Vec::new());
    }
    let faces = scalp::faces(mesh, params)?;
    let seed = u64::from(params.seed);
    let hairline = Hairline::new(mesh, &faces, OUTSIDE, seed);
    let mut hairy = vec![false; mesh.triangles.len()];
    faces.iter().for_each(|face| hairy[*face as usize] = true);
    let near = near(mesh, &hairline, &hairy);
    let mut total = 0.0f64;
    let ends: Vec<f64> = near
        .iter()
        .map(|face| {
            total += f64::from(mesh.area_normal(*face as usize).length());
            total
        })
        .collect();
    let Some(last) = near.len().checked_sub(1).filter(|_| total > 0.0) else {
        return Ok(Vec::new());
    };
    let wanted = (100.0 * params.vellus * hairline.length()).min(most as f32) as usize;
    let place = |i: u64| {
        // Another stream than those of other hair.
        let draw = |k: u64| random::uniform64(seed ^ 0x7e11, 4 * i + k);
        let slot = ends
            .partition_point(|end| *end <= draw(0) * total)
            .min(last);
        let side = draw(1).sqrt();
        let uv = [side * (1.0 - draw(2)), side * draw(2)].map(|c| c as f32);
        let root = Root {
            number: i,
            ..root_of(mesh, near[slot], uv)
        };
        let distance = hairline.distance(root.position);
        let outside = match hairy[near[slot] as usize] {
            true => -distance,
            false => distance,
        };
        let grows = (draw(3) as f32) < density(outside);
        growth
            .by_chance(mesh, seed, root)
            .filter(|_| grows)
            .map(|root| RimRoot { root, outside })
    };
    let tries = TRIES * wanted as u64;
    Ok((0..tries).filter_map(place).take(wanted).collect())
}

/// How far each of `places` is from the border of the scalp, those far away at least
/// `params.hairline`; nothing where hair ends there at once or there is no scalp. `[m]`
pub fn rim_distances(mesh: &Mesh, params: &RootParams, places: &[Vec3]) -> Vec<f32> {
    let seed = u64::from(params.seed);
    match scalp::faces(mesh, params) {
        Ok(faces) if params.hairline > 0.0 => {
            let hairline = Hairline::new(mesh, &faces, params.hairline, seed);
            let distance = |p: &Vec3| hairline.distance(*p);
            places.par_iter().map(distance).collect()
        }
        _ => Vec::new(),
    }
}

/// How densely fine hairs grow so far outside the border, 1 at the most. `[m]`
fn density(outside: f32) -> f32 {
    let reach = if outside > 0.0 { OUTSIDE } else { WITHIN };
    let left = 1.0 - (outside.abs() / reach).min(1.0);
    left * left
}

/// The faces near the border, but for those outside it on thin parts.
fn near(mesh: &Mesh, hairline: &Hairline, hairy: &[bool]) -> Vec<u32> {
    let surface = Surface::new(mesh);
    let thin = |face: u32, middle: Vec3| {
        let normal = surface.face_normal(face);
        let from = middle - 1e-4 * normal;
        surface.ray(from, -normal, THIN).is_some()
    };
    (0..mesh.triangles.len() as u32)
        .filter(|face| {
            let corners = mesh.corners(*face as usize);
            let middle = corners.iter().sum::<Vec3>() / 3.0;
            let radius = corners.iter().map(|p| p.distance(middle));
            let radius = radius.fold(0.0, f32::max);
            hairline.distance(middle) < OUTSIDE + radius
                && (hairy[*face as usize] || !thin(*face, middle))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};

    fn places(vellus: f32, most: usize) -> (Vec<RimRoot>, f32) {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let params = RootParams {
            vellus,
            ..RootParams::default()
        };
        let faces = scalp::faces(&head.mesh, &params).expect("a scalp");
        let border = Hairline::new(&head.mesh, &faces, OUTSIDE, 1).length();
        let rim = rim_roots(&head.mesh, &params, &Growth::default(), most);
        (rim.expect("a rim"), border)
    }

    #[test]
    fn fine_hairs_thin_out_on_both_sides_of_the_border() {
        let (rim, border) = places(20.0, usize::MAX);
        assert!((0.4..1.2).contains(&border), "{border} m");
        let wanted = 2000.0 * border;
        assert!((rim.len() as f32 - wanted).abs() < 0.02 * wanted);
        let share = |from: f32, to: f32| {
            let inside = |place: &&RimRoot| (from..to).contains(&place.outside);
            rim.iter().filter(inside).count() as f32 / rim.len() as f32
        };
        assert!((share(-WITHIN, OUTSIDE) - 1.0).abs() < 1e-6);
        let [first, second, third] = [0.0, 0.004, 0.008].map(|from| share(from, from + 0.004));
        assert!(
            first > 1.8 * second && second > 2.5 * third,
            "{first} {second} {third}"
        );
    }

    #[test]
    fn there_are_none_where_none_are_wanted_and_never_more_than_allowed() {
        assert!(places(0.0, 1000).0.is_empty());
        assert!(places(20.0, 0).0.is_empty());
        assert_eq!(places(20.0, 100).0.len(), 100);
    }
}
