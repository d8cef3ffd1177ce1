//! What the two sides are called: by their methods, and where those are the same by the
//! first numbers that differ.

use super::named_value::named_value;
use crate::{
    param::Params,
    project::{scene::Scene, sides::Side},
    sim::{SimParams, solver::method},
};

/// So many numbers are named.
const NAMED: usize = 2;

/// The name of each side, the letter aside.
pub fn side_names(scene: &Scene) -> [String; 2] {
    let name = |side| method(scene.solver(side)).map_or("?", |method| method.name);
    let names = Side::BOTH.map(|side| name(side).to_string());
    if scene.solver(Side::A) != scene.solver(Side::B) {
        return names;
    }
    let params = Side::BOTH.map(|side| scene.params_of(side));
    let values = differences(&params[0], &params[1]);
    let told = |side: usize| {
        let mut text = names[side].clone();
        for both in values.iter().take(NAMED) {
            text += &format!(" \u{00b7} {}", both[side]);
        }
        if values.len() > NAMED {
            text += " \u{2026}";
        }
        text
    };
    [told(0), told(1)]
}

/// What differs between two sets of one method, as each has it.
fn differences(a: &SimParams, b: &SimParams) -> Vec<[String; 2]> {
    let Some(method) = method(&a.step.solver) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    if let (Some(a), Some(b)) = (a.methods.named(method.id), b.methods.named(method.id)) {
        compare(a, b, &mut all);
    }
    if method.material {
        compare(&a.material, &b.material, &mut all);
    }
    compare(&a.step, &b.step, &mut all);
    all
}

fn compare(a: &dyn Params, b: &dyn Params, all: &mut Vec<[String; 2]>) {
    for (index, tunable) in a.tunables().iter().enumerate() {
        let values = [a.get(index), b.get(index)];
        if values[0] != values[1] {
            all.push(values.map(|value| named_value(tunable, &value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::solver::RodParams;

    #[test]
    fn sides_of_one_method_are_told_apart_by_what_differs() {
        let mut scene = Scene::default();
        scene.sim.step.solver = "rod".into();
        scene.compare.on = true;
        scene.b.take(&scene.sim);
        assert_eq!(side_names(&scene), ["Kirchhoff rod"; 2].map(String::from));
        scene.b.of_mut::<RodParams>().stiffness = 0.06;
        assert_eq!(
            side_names(&scene),
            [
                "Kirchhoff rod · stiffness 1×",
                "Kirchhoff rod · stiffness 0.06×"
            ]
            .map(String::from)
        );
        scene.b.of_mut::<RodParams>().sag_free = false;
        scene.b.material.0.young = 2.0;
        let [a, b] = side_names(&scene);
        assert!(a.ends_with("stiffness 1× · hold the groom on …"), "{a}");
        assert!(b.ends_with("stiffness 0.06× · hold the groom off …"), "{b}");
        // Other methods differ in more than numbers.
        scene.b.step.0.solver = "pbd".into();
        assert_eq!(side_names(&scene)[1], "Position Based Dynamics");
    }
}
