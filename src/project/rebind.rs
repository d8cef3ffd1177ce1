//! Hair of the scene's head onto another head.

use super::scene::Scene;
use crate::{groom::import::BUILT_IN, mesh::HeadParams};
use std::path::Path;

/// Whether the scene's hair can be carried to another head: unit and axis of both are
/// judged, and neither moves.
pub fn can_rebind(scene: &Scene) -> bool {
    let plain = HeadParams {
        file: scene.head.file.clone(),
        ..HeadParams::default()
    };
    scene.head == plain && scene.sim.motion.sequence.is_empty()
}

/// Carries the hair of the scene, which [`can_rebind`] allows, onto that head. Hair that
/// was made for another head than the scene's is carried from that one.
pub fn rebind(scene: &mut Scene, head: &Path) {
    let before = std::mem::replace(&mut scene.head.file, head.display().to_string());
    if scene.import.head.is_empty() {
        scene.import.head = match before.is_empty() {
            true => BUILT_IN.into(),
            false => before,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_is_made_for_the_first_of_all_heads() {
        let mut scene = Scene::default();
        assert!(can_rebind(&scene));
        rebind(&mut scene, Path::new("b.obj"));
        let heads = |scene: &Scene| [scene.import.head.clone(), scene.head.file.clone()];
        assert_eq!(heads(&scene), [BUILT_IN, "b.obj"]);
        assert!(can_rebind(&scene));
        rebind(&mut scene, Path::new("c.obj"));
        assert_eq!(heads(&scene), [BUILT_IN, "c.obj"]);
        scene.head.flip = true;
        assert!(!can_rebind(&scene));
    }
}
