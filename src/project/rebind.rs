//! Hair of the scene's head onto another head.

use super::scene::Scene;
use crate::{
    groom::import::BUILT_IN,
    mesh::{HeadParams, Units, Up},
};
use std::path::Path;

/// Whether the scene's hair can be carried to another head: its own head is neither turned,
/// turned over nor scaled, and does not move.
pub fn can_rebind(scene: &Scene) -> bool {
    let plain = HeadParams {
        file: scene.head.file.clone(),
        units: scene.head.units,
        up: scene.head.up,
        ..HeadParams::default()
    };
    scene.head == plain && scene.sim.motion.sequence.is_empty()
}

/// Carries the hair of the scene, which [`can_rebind`] allows, onto that head, whose unit
/// and axis are judged. Hair that was made for another head than the scene's is carried
/// from that one.
pub fn rebind(scene: &mut Scene, head: &Path) {
    let new = HeadParams {
        file: head.display().to_string(),
        ..HeadParams::default()
    };
    let before = std::mem::replace(&mut scene.head, new);
    if scene.import.head.is_empty() {
        // What was set of that head already stays.
        if scene.import.head_units == Units::Auto {
            scene.import.head_units = before.units;
        }
        if scene.import.head_up == Up::Auto {
            scene.import.head_up = before.up;
        }
        scene.import.head = match before.file.is_empty() {
            true => BUILT_IN.into(),
            false => before.file,
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

    #[test]
    fn unit_and_axis_stay_with_the_head_that_they_were_set_for() {
        let mut scene = Scene::default();
        scene.head.file = "a.obj".into();
        scene.head.units = Units::Centimetres;
        scene.head.up = Up::X;
        rebind(&mut scene, Path::new("b.obj"));
        assert_eq!((scene.head.units, scene.head.up), (Units::Auto, Up::Auto));
        let own = scene.import.made_for().expect("a head");
        assert_eq!((own.units, own.up), (Units::Centimetres, Up::X));
        assert_eq!(own.file, "a.obj");
        let mut scene = Scene::default();
        scene.head.up = Up::Y;
        scene.import.head_up = Up::Z;
        rebind(&mut scene, Path::new("b.obj"));
        assert_eq!(scene.import.head_up, Up::Z, "it was set for that head");
    }
}
