//! What makes a face of a head: the colours of lips and cheeks, brows and lashes. The
//! head that comes with the program has them; a file of another head brings its own
//! colours, or none.

mod features;
mod flush;
mod hair;
mod plan;

pub use features::{FACE_HAIR_POINTS, Face, FaceHair};

use super::{Mesh, Surface};
use plan::FacePlan;

/// That of the built-in head, on its mesh as the file has it.
pub(super) fn built_in(mesh: &Mesh) -> Face {
    let plan = FacePlan::built_in();
    Face {
        flush: mesh
            .positions
            .iter()
            .map(|p| flush::at(&plan, *p))
            .collect(),
        hairs: hair::grow(&plan, &Surface::new(mesh)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};
    use glam::Vec3;

    fn built_in(params: &HeadParams) -> (Mesh, Face) {
        let head = load(params).expect("the built-in head");
        let face = head.mesh.face.clone().expect("it has a face");
        ((*head.mesh).clone(), (*face).clone())
    }

    #[test]
    fn brows_and_lashes_grow_out_of_the_skin_and_stay_outside() {
        let (mesh, face) = built_in(&HeadParams::default());
        let surface = Surface::new(&mesh);
        assert!((600..1200).contains(&face.hairs.len()));
        for hair in &face.hairs {
            let root = surface.signed_distance(hair.points[0]);
            assert!((-0.001..=0.0).contains(&root), "a root is {root} m off");
            for point in &hair.points[1..] {
                let off = surface.signed_distance(*point);
                assert!((1e-5..0.013).contains(&off), "a point is {off} m off");
            }
            let long: f32 = hair.points.windows(2).map(|w| w[0].distance(w[1])).sum();
            assert!((0.0015..0.014).contains(&long), "{long} m long");
        }
    }

    #[test]
    fn both_sides_have_as_much_hair_in_any_first_part_of_it() {
        let (_, face) = built_in(&HeadParams::default());
        for share in [0.1, 0.5, 1.0] {
            let count = (share * face.hairs.len() as f32) as usize;
            let left = face.hairs[..count].iter().filter(|h| h.points[0].x > 0.0);
            let left = left.count() as f32 / count as f32;
            assert!((0.4..0.6).contains(&left), "{left} of {count} on one side");
        }
    }

    #[test]
    fn lips_are_redder_than_the_forehead_and_the_scalp_is_as_it_was() {
        let (mesh, face) = built_in(&HeadParams::default());
        assert_eq!(face.flush.len(), mesh.positions.len());
        let nearest = |place: Vec3| {
            let off = |i: &usize| mesh.positions[*i].distance(place);
            let all = 0..mesh.positions.len();
            face.flush[all
                .min_by(|a, b| off(a).total_cmp(&off(b)))
                .expect("vertices")]
        };
        let lip = nearest(Vec3::new(0.006, -0.0765, 0.094));
        assert!(lip[1] < 0.75 * lip[0], "{lip:?}");
        assert_eq!(nearest(Vec3::new(0.0, 0.05, 0.09)), [1.0; 3]);
        assert_eq!(nearest(Vec3::new(0.0, 0.116, 0.0)), [1.0; 3]);
    }

    #[test]
    fn a_face_goes_where_its_head_is_turned() {
        let (_, rest) = built_in(&HeadParams::default());
        let (mesh, turned) = built_in(&HeadParams {
            turn: 90.0,
            scale: 2.0,
            ..HeadParams::default()
        });
        let surface = Surface::new(&mesh);
        for (hair, was) in turned.hairs.iter().zip(&rest.hairs) {
            let root = surface.signed_distance(hair.points[0]);
            assert!((-0.002..=0.0).contains(&root), "a root is {root} m off");
            let [long, before] = [hair, was].map(|h| h.points[0].distance(h.points[5]));
            assert!((long / before - 2.0).abs() < 1e-3);
        }
    }
}
