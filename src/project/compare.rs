//! Two methods, or two parameter sets of one, side by side: what the second
//! side has of its own, and how a picture is shared out between sides.

use crate::{
    param::{Kind, Params, Second},
    params,
    render::Camera,
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

/// Pixels between two sides.
pub const GAP: u32 = 2;

/// A part of a picture: upper left corner and size. `[px]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Upper left corner, from the picture's. `[px]`
    pub origin: [u32; 2],
    /// Width and height, never zero. `[px]`
    pub size: [u32; 2],
}

/// Shares a picture of that size out between `count` sides: all of one size,
/// row by row, as square as can be.
pub fn cells(count: usize, [width, height]: [u32; 2]) -> Vec<Cell> {
    let count = count.max(1) as u32;
    let share = |side: u32, parts: u32| (side.saturating_sub(GAP * (parts - 1)) / parts).max(1);
    let shape = |columns: u32| {
        let rows = count.div_ceil(columns);
        let (w, h) = (share(width, columns), share(height, rows));
        // A cell that stays empty is a pity.
        let spare = (columns * rows - count) as f32;
        (w as f32 / h as f32).ln().abs() + 0.3 * spare
    };
    let columns = (1..=count)
        .min_by(|a, b| shape(*a).total_cmp(&shape(*b)))
        .unwrap_or(1);
    let rows = count.div_ceil(columns);
    let size = [share(width, columns), share(height, rows)];
    (0..count)
        .map(|i| Cell {
            origin: [
                (i % columns) * (size[0] + GAP),
                (i / columns) * (size[1] + GAP),
            ],
            size,
        })
        .collect()
}

/// The camera of one of so many sides: as it is, or so that a narrower side shows
/// the same.
pub fn seen(camera: &Camera, sides: usize, cell: Cell) -> Camera {
    match sides {
        1 => camera.clone(),
        _ => fitted(camera, cell.size),
    }
}

/// `camera` for a picture of that size: a narrow one shows as much to the left
/// and right as one almost square does.
pub fn fitted(camera: &Camera, [width, height]: [u32; 2]) -> Camera {
    /// Width over height that a framed head with its hair needs.
    const NEEDED: f32 = 0.86;
    let aspect = width.max(1) as f32 / height.max(1) as f32;
    let wider = (NEEDED / aspect).max(1.0);
    Camera {
        fov: 2.0 * ((0.5 * camera.fov).tan() * wider).atan(),
        ..camera.clone()
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
        render::CameraParams,
        sim::solver::{PbdParams, RodParams},
    };
    use glam::Vec3;

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
    fn sides_are_alike_and_lie_beside_each_other() {
        for (size, columns) in [
            ([1280, 720], [2, 3, 2, 3, 3]),
            ([500, 900], [1, 1, 2, 2, 2]),
            ([97, 61], [2, 3, 2, 3, 3]),
        ] {
            for (count, columns) in (2..=6).zip(columns) {
                let cells = cells(count, size);
                assert_eq!(cells.len(), count);
                let first_row = cells.iter().filter(|c| c.origin[1] == 0).count();
                assert_eq!(first_row, columns, "{count} in {size:?}");
                for (i, a) in cells.iter().enumerate() {
                    assert_eq!(a.size, cells[0].size);
                    for axis in [0, 1] {
                        assert!(a.origin[axis] + a.size[axis] <= size[axis]);
                    }
                    for b in &cells[..i] {
                        let apart = |axis: usize| {
                            a.origin[axis] >= b.origin[axis] + b.size[axis] + GAP
                                || b.origin[axis] >= a.origin[axis] + a.size[axis] + GAP
                        };
                        assert!(apart(0) || apart(1), "{a:?} {b:?}");
                    }
                }
            }
        }
        assert_eq!(cells(1, [64, 48])[0].size, [64, 48]);
    }

    #[test]
    fn a_narrow_picture_shows_as_much_from_left_to_right() {
        let bounds = [Vec3::new(-0.13, -0.23, -0.11), Vec3::new(0.13, 0.12, 0.11)];
        let camera = Camera::new(&CameraParams::default(), bounds);
        let width = |size: [u32; 2]| {
            let aspect = size[0] as f32 / size[1] as f32;
            (fitted(&camera, size).fov * 0.5).tan() * aspect
        };
        assert_eq!(fitted(&camera, [900, 700]), camera);
        assert!((width([400, 800]) - width([860, 1000])).abs() < 1e-5);
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
