//! What is odd about hair on a head though its roots lie on the skin: strands too short to
//! be hair of a head, and strands deep in it.

use super::{fit::Placement, import::ImportParams, settled::Settled};
use crate::{math::length_text, mesh::Surface};
use rayon::prelude::*;

/// Hair that was sized to a head is told of where it is shorter than this on average. `[m]`
const SHORT: f32 = 0.02;
/// Strands deeper in the head than this are told of `[m]`, where they are such a share of
/// all, or one of them is as deep as that `[m]`.
const DEEP: f32 = 0.01;
const DEEP_SHARE: f32 = 0.01;
const DEEPEST: f32 = 0.02;
/// So far below the skin it is looked for. `[m]`
const FAR: f32 = 0.5;
/// Strands that are asked how deep they lie.
const ASKED: usize = 1000;

/// Whether hair is not read as its file has it.
fn is_placed(params: &ImportParams) -> bool {
    params.scale != 1.0 || params.turn != 0.0 || params.offset != [0.0; 3]
}

/// What to say of hair that is so long on average `[m]`, where it was sized or placed to fit
/// the head and not read as its file has it.
pub(super) fn short(
    mean_length: f32,
    params: &ImportParams,
    placement: &Placement,
) -> Option<String> {
    (is_placed(params) && mean_length < SHORT).then(|| {
        format!(
            "strands are {} long on average at this size (one unit of the file is {} here), short \
             for hair of a head; if they were longer where they were made, set import.units and \
             import.scale = 1 and fit them again, or load the head that they were made for",
            length_text(mean_length),
            length_text(placement.metres)
        )
    })
}

/// What to say of strands that lie deep in the head, where they were sized or placed.
pub(super) fn deep(
    strands: &[Settled],
    params: &ImportParams,
    surface: &Surface,
) -> Option<String> {
    if !is_placed(params) {
        return None;
    }
    let every = strands.len().div_ceil(ASKED).max(1);
    let asked: Vec<&Settled> = strands.iter().step_by(every).collect();
    let depths: Vec<f32> = asked
        .par_iter()
        .map(|strand| {
            let depth = |p| surface.closest(p, FAR).map_or(0.0, |below| -below.distance);
            let depths = strand.points.iter().map(|p| depth(*p));
            depths.fold(0.0, f32::max)
        })
        .collect();
    let deep = depths.iter().filter(|depth| **depth > DEEP).count();
    let share = deep as f32 / depths.len().max(1) as f32;
    let deepest = depths.iter().copied().fold(0.0, f32::max);
    (share > DEEP_SHARE || deepest > DEEPEST).then(|| {
        format!(
            "{} of the strands lie more than 1 cm below the skin, {} at most; turn, size or move \
             them with import.turn, scale and offset, or load the head that they were made for",
            match share < 0.01 {
                true => "less than 1 %".into(),
                false => format!("{:.0} %", 100.0 * share),
            },
            length_text(deepest)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{self, CollisionMesh, HeadParams};
    use glam::Vec3;

    #[test]
    fn strands_deep_in_the_head_are_told_of() {
        let head = mesh::load(&HeadParams::default()).expect("the built-in head");
        let surface = &CollisionMesh::of_head(&head, 0.02).surface;
        let above = Vec3::new(0.0, head.mesh.bounds()[1].y + 0.01, 0.0);
        let below = |by: f32| {
            let skin = surface.closest(above, FAR).expect("skin").point;
            skin - by * Vec3::Y
        };
        let placed = ImportParams {
            turn: 90.0,
            ..ImportParams::default()
        };
        let strand = |points: [Vec3; 2]| Settled {
            points: points.into(),
            ..Settled::default()
        };
        let mut strands: Vec<Settled> = (0..200).map(|_| strand([below(0.0), above])).collect();
        assert_eq!(deep(&strands, &placed, surface), None);
        // One that is a little below its skin is none.
        strands[0] = strand([below(0.0), below(0.004)]);
        assert_eq!(deep(&strands, &placed, surface), None);
        strands[0] = strand([below(0.0), Vec3::new(0.0, 0.02, 0.0)]);
        let own = ImportParams::default();
        assert_eq!(deep(&strands, &own, surface), None, "as its file has it");
        let told = deep(&strands, &placed, surface).expect("told");
        assert!(
            told.starts_with("less than 1 % of the strands lie more than 1 cm below"),
            "{told}"
        );
    }

    #[test]
    fn short_hair_is_told_of_where_it_was_sized() {
        let as_it_is = ImportParams::default();
        let told = |params: &ImportParams, length: f32| {
            let placement = Placement {
                up: mesh::Up::Y,
                turn: 0.0,
                metres: 0.133,
                offset: Vec3::ZERO,
                along: None,
            };
            short(length, params, &placement)
        };
        assert_eq!(
            told(&as_it_is, 0.005),
            None,
            "a buzz cut as its file has it"
        );
        let sized = ImportParams {
            scale: 1.3,
            ..as_it_is
        };
        assert_eq!(told(&sized, 0.05), None);
        let said = told(&sized, 0.014).expect("told");
        assert!(
            said.contains("1.4 cm long") && said.contains("is 13.3 cm here"),
            "{said}"
        );
    }
}
