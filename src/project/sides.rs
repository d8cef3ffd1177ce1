//! Two methods, or two parameter sets of one, side by side: what the second
//! side has of its own, and what the sides are called.

use crate::{
    param::{Kind, Params, Second, Value},
    params,
    sim::{
        MaterialParams, SimParams, StepParams,
        method_params::MethodSection,
        solver::{Method, SOLVERS, hold_all, method},
    },
};
use std::any::Any;

params! {
    /// Side by side.
    pub struct CompareParams: "compare" {
        /// Whether a second method, or the same with other parameters, moves the same hair beside the first. What it has of its own are the keys that begin with "b.", such as b.sim.solver and b.pbd.iterations.
        on: bool = false, Kind::Bool, "", "Side by side";
    }
}

/// What the second side has of its own: method, material and the parameters of
/// all methods. Head, hair, forces, motion and clock are those of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondParams {
    /// The second set of [`SimParams::step`].
    pub step: Second<StepParams>,
    /// The second set of [`SimParams::material`].
    pub material: Second<MaterialParams>,
    /// The second set of [`SimParams::methods`].
    pub methods: Vec<Second<Box<dyn MethodSection>>>,
}

impl Default for SecondParams {
    fn default() -> Self {
        Self {
            step: Second::default(),
            material: Second::default(),
            methods: SOLVERS
                .iter()
                .map(|method| Second((method.params)()))
                .collect(),
        }
    }
}

impl SecondParams {
    /// Its parameters of a method, to be changed.
    pub fn of_mut<P: MethodSection + Default>(&mut self) -> &mut P {
        let place = self.methods.iter().position(|section| {
            let section: &dyn Any = &*section.0;
            section.is::<P>()
        });
        let place = place.unwrap_or_else(|| {
            self.methods.push(Second(Box::new(P::default())));
            self.methods.len() - 1
        });
        let section: &mut dyn Any = &mut *self.methods[place].0;
        section
            .downcast_mut()
            .expect("a section of that type is there")
    }

    /// Its sections, in the order of the panel.
    pub fn sections(&self) -> Vec<&dyn Params> {
        let mut all: Vec<&dyn Params> = vec![&self.step, &self.material];
        all.extend(self.methods.iter().map(|section| section as &dyn Params));
        all
    }

    /// Its sections, to be changed.
    pub fn sections_mut(&mut self) -> Vec<&mut dyn Params> {
        let mut all: Vec<&mut dyn Params> = vec![&mut self.step, &mut self.material];
        all.extend(
            self.methods
                .iter_mut()
                .map(|section| section as &mut dyn Params),
        );
        all
    }

    /// Gives its values to `params`.
    pub fn lay_over(&self, params: &mut SimParams) {
        self.step.lay_over(&mut params.step);
        self.material.lay_over(&mut params.material);
        hold_all(params);
        for section in &self.methods {
            if let Some(first) = params.methods.named_mut(section.0.section()) {
                section.lay_over(first);
            }
        }
    }

    /// Takes over the values of `params`.
    pub fn take(&mut self, params: &SimParams) {
        self.step.take(&params.step);
        self.material.take(&params.material);
        for section in &mut self.methods {
            if let Some(first) = params.methods.named(section.0.section()) {
                section.take(first);
            }
        }
    }

    /// Takes over those values of `params` that it says nothing about: where it
    /// is at its default.
    pub fn inherit(&mut self, params: &SimParams) {
        self.step.inherit(&params.step);
        self.material.inherit(&params.material);
        for section in &mut self.methods {
            if let Some(first) = params.methods.named(section.0.section()) {
                section.inherit(first);
            }
        }
    }
}

/// One of two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// The left one, which is there alone when nothing is compared.
    #[default]
    A,
    /// The right one.
    B,
}

impl Side {
    /// Both, in their order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Its place among the sides.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    pub fn letter(self) -> char {
        ['A', 'B'][self.index()]
    }
}

/// The method to put beside `first` when nobody has chosen one.
pub fn other_than(first: &str) -> &'static Method {
    // Rods beside what is held by sliders.
    let rods = SOLVERS.iter().rev().find(|method| method.rods);
    rods.filter(|method| method.id != first)
        .or_else(|| SOLVERS.iter().find(|method| method.id != first))
        .unwrap_or(&SOLVERS[0])
}

/// Whether the method that these parameters choose takes the groom as the shape under
/// gravity; none where it has no such switch.
pub fn holds_groom(params: &SimParams) -> Option<bool> {
    let section = params.methods.named(&params.step.solver)?;
    let index = section
        .tunables()
        .iter()
        .position(|tunable| tunable.key == "sag_free")?;
    match section.get(index) {
        Value::Bool(holds) => Some(holds),
        _ => None,
    }
}

/// What the sides are called: the method's name, with a letter before it where
/// two of them have the same, or where letters are wanted.
pub fn names(solvers: &[&str], letters: bool) -> Vec<(Option<char>, &'static str)> {
    let same = solvers
        .iter()
        .enumerate()
        .any(|(i, id)| solvers[..i].contains(id));
    ('A'..='Z')
        .zip(solvers)
        .map(|(letter, id)| {
            let name = method(id).map_or("", |method| method.name);
            ((same || letters).then_some(letter), name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        project::scene::Scene,
        sim::solver::{PbdParams, RodParams},
    };

    #[test]
    fn every_method_has_its_parameters_on_both_sides() {
        let scene = Scene::default();
        let all: Vec<_> = scene.sections().iter().map(|s| s.section()).collect();
        for method in SOLVERS.iter() {
            assert!(all.contains(&method.id), "{}", method.id);
            let second = format!("b.{}", method.id);
            assert!(all.contains(&second.as_str()), "{second}");
        }
        assert!(all.contains(&"b.sim") && all.contains(&"b.material"));
    }

    #[test]
    fn the_second_side_has_its_own_method_and_the_first_ones_world() {
        let mut scene = Scene::default();
        scene.sim.wind.on = true;
        scene.sim.step.rate = 120;
        scene.sim.of_mut::<PbdParams>().iterations = 3;
        scene.b.step.0.solver = "rod".into();
        scene.b.of_mut::<RodParams>().stiffness = 2.0;
        let second = scene.second();
        assert!(second.wind.on && second.step.rate == 120);
        assert_eq!(
            (
                second.step.solver.as_str(),
                second.of::<PbdParams>().iterations
            ),
            ("rod", 1)
        );
        assert_eq!(second.of::<RodParams>().stiffness, 2.0);
        scene.b.inherit(&scene.sim);
        let inherited = scene.second();
        assert_eq!(
            (
                inherited.of::<PbdParams>().iterations,
                inherited.of::<RodParams>().stiffness
            ),
            (3, 2.0)
        );
        assert_eq!(inherited.step.solver, "rod");
        scene.b.take(&scene.sim);
        assert_eq!(scene.second(), scene.sim);
    }

    #[test]
    fn letters_tell_sides_of_one_method_apart() {
        let letters = |ids: &[&str], wanted| -> String {
            let names = names(ids, wanted);
            names.iter().filter_map(|(letter, _)| *letter).collect()
        };
        assert_eq!(letters(&["pbd", "rod"], false), "");
        assert_eq!(letters(&["pbd", "rod"], true), "AB");
        assert_eq!(letters(&["pbd", "rod", "pbd"], false), "ABC");
        assert_eq!(names(&["rod", "pbd"], false)[0].1, "Kirchhoff rod");
    }
}
