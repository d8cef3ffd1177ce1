//! `--compare pbd,rod`: the methods that are put side by side.

use super::usage::Usage;
use crate::{
    project::{built_scene, scene::Scene},
    sim::solver::method,
};

/// The methods of `pbd,rod`, two at least and as many as `most`.
///
/// # Errors
/// When one is not known, or there are fewer or more.
pub fn methods(text: &str, most: usize) -> Result<Vec<&'static str>, Usage> {
    let mut ids = Vec::new();
    for id in text.split(',').map(str::trim) {
        built_scene::check_solver(id).map_err(|error| Usage(error.to_string()))?;
        ids.extend(method(id).map(|method| method.id));
    }
    match (2..=most).contains(&ids.len()) {
        true => Ok(ids),
        false => Err(Usage(format!(
            "--compare wants two{} methods, like pbd,rod",
            match most {
                2 => String::new(),
                most => format!(
                    " to {}",
                    ["three", "four", "five", "six"][most.clamp(3, 6) - 3]
                ),
            }
        ))),
    }
}

/// Lets a scene that was not made for two have a second side: with the first one's
/// parameters, but for what was said of it.
pub fn inherit(scene: &mut Scene) {
    if !scene.compare.on {
        scene.b.inherit(&scene.sim);
    }
}

/// Makes a scene of two sides of it, which have these methods.
///
/// # Errors
/// When there are not two, or one is not known.
pub fn put_side_by_side(scene: &mut Scene, text: &str) -> Result<(), Usage> {
    let ids = methods(text, 2)?;
    inherit(scene);
    scene.sim.step.solver = ids[0].into();
    scene.b.step.0.solver = ids[1].into();
    scene.compare.on = true;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sides_keep_what_was_said_of_them() {
        let mut scene = Scene::default();
        scene.set_by_name("rod.stiffness", "3").expect("set");
        scene.set_by_name("b.rod.damping", "0.01").expect("set");
        put_side_by_side(&mut scene, "pbd, rod").expect("two");
        let second = scene.second();
        assert_eq!(
            (&scene.sim.step.solver[..], &second.step.solver[..]),
            ("pbd", "rod")
        );
        let rod = second.of::<crate::sim::solver::RodParams>();
        assert_eq!((rod.stiffness, rod.damping), (3.0, 0.01));
        for (text, most, told) in [
            ("pbd", 2, "wants two methods"),
            ("pbd,rod,ftl", 2, "wants two methods"),
            ("pbd", 6, "wants two to six methods"),
        ] {
            let error = methods(text, most).expect_err("refused").0;
            assert!(error.contains(told), "{error}");
        }
    }
}
