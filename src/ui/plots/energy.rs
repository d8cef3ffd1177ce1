//! The plot of energies: of which, and of sides whose methods know different ones.

use super::graph::{Curve, Graph, entry, named, over_time, points, reading, told_of};
use crate::{
    project::{scene::Scene, sides::Side},
    session::stats_history::{Reading, Sample},
    sim::solver::method,
    ui::{caption, tabs, theme},
};
use egui::{Id, RichText, Ui};

/// What the energy plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Energy {
    All,
    Kinetic,
    Potential,
    Elastic,
    Total,
}

impl Energy {
    const ALL: [Self; 5] = [
        Self::All,
        Self::Kinetic,
        Self::Potential,
        Self::Elastic,
        Self::Total,
    ];

    /// Of one side, where it is known. `[J]`
    fn of(self, reading: &Reading) -> Option<f64> {
        match self {
            Self::Kinetic => Some(reading.kinetic),
            Self::Potential => Some(reading.potential),
            Self::Elastic => reading.elastic,
            Self::All | Self::Total => reading.total(),
        }
    }

    /// What its tab is called; of two sides all would be a tangle.
    fn name(self, compares: bool) -> &'static str {
        match self {
            Self::All if compares => "Total, kinetic",
            Self::All => "All",
            Self::Kinetic => "Kinetic",
            Self::Potential => "Potential",
            Self::Elastic => "Elastic",
            Self::Total => "Total",
        }
    }
}

/// The least that an energy plot reaches, so that the noise of hair at rest looks small. `[J]`
const LEAST_ENERGY: f64 = 1e-8;

pub(super) fn chosen(ui: &Ui) -> Energy {
    ui.data(|data| data.get_temp(Id::unique("energy")))
        .unwrap_or(Energy::All)
}

/// The choice of energies, from right to left; of two sides where it `compares`.
pub fn choices(ui: &mut Ui, compares: bool) {
    let now = chosen(ui);
    ui.spacing_mut().item_spacing.x = 0.0;
    for energy in Energy::ALL.into_iter().rev() {
        if tabs::tab(ui, energy.name(compares), energy == now).clicked() {
            ui.data_mut(|data| data.insert_temp(Id::unique("energy"), energy));
        }
    }
    ui.label(RichText::new("Energy ").size(12.0).color(theme::WEAK))
        .on_hover_text(
            "Potential energy is that of gravity, against the hair as it was modelled: less than 0 \
             where it hangs lower. Elastic energy is known of rods alone, from their first step on.",
        );
}

/// What there is to know of a side whose energies are shown.
pub(super) struct EnergySide {
    /// What has moved its hair, for tables.
    owner: String,
    /// The method's name.
    method: &'static str,
    /// Whether that knows the energy of bending and twisting.
    elastic: bool,
}

impl EnergySide {
    /// Of that side of the scene.
    pub fn of(scene: &Scene, side: Side, owner: String) -> Self {
        let method = method(scene.solver(side));
        Self {
            owner,
            method: method.map_or("?", |method| method.name),
            elastic: method.is_some_and(|method| method.rods),
        }
    }
}

/// What the legend of energies says of sums that lack a part.
fn energy_help(sides: &[EnergySide]) -> String {
    let lacking: Vec<&str> = (sides.iter())
        .filter(|side| !side.elastic)
        .map(|side| side.method)
        .collect();
    let mut text = String::from("Total is kinetic, potential and elastic energy.");
    if let Some(first) = lacking.first() {
        text += &format!(" {first} knows no elastic energy: its total is without.");
    }
    if sides.len() > 1 && lacking.len() == 1 {
        text += " The totals of the two sides are therefore different sums; compare kinetic or \
                 potential energy instead.";
    }
    text
}

/// Energies over time of these sides.
pub(super) fn energy(
    samples: &[Sample],
    now: f64,
    sides: &[EnergySide],
    which: Energy,
) -> Graph<'static> {
    let compares = sides.len() > 1;
    let kinds: Vec<(Energy, &str)> = match which {
        // The two that tell most.
        Energy::All if compares => vec![(Energy::Total, "total"), (Energy::Kinetic, "kinetic")],
        Energy::All => vec![
            (Energy::Total, "total"),
            (Energy::Potential, "potential"),
            (Energy::Elastic, "elastic"),
            (Energy::Kinetic, "kinetic"),
        ],
        one => vec![(one, "")],
    };
    let most = samples
        .iter()
        .flat_map(|s| {
            let sides = 0..sides.len();
            sides.filter_map(|side| reading(s, side))
        })
        .flat_map(|r| kinds.iter().filter_map(move |(kind, _)| kind.of(&r)))
        .fold(0.0, |most: f64, energy| most.max(energy.abs()));
    let (unit, factor) = match most {
        m if m < 2e-3 => ("µJ", 1e6),
        m if m < 2.0 => ("mJ", 1e3),
        _ => ("J", 1.0),
    };
    let mut curves = Vec::new();
    for (side, own) in sides.iter().enumerate() {
        for (index, (kind, name)) in kinds.iter().enumerate() {
            curves.push(Curve {
                name: named(name, side, compares),
                full: told_of(name, side, compares),
                owner: Some(own.owner.clone()),
                entry: entry(side, compares && index > 0, compares),
                colour: match compares {
                    true => caption::colour(side),
                    false => caption::colour(index),
                },
                dashed: compares && index > 0,
                points: points(samples, now, |s| {
                    Some(factor * kind.of(&reading(s, side)?)?)
                }),
            });
        }
    }
    let title = match which {
        Energy::All => "Energy",
        Energy::Kinetic => "Kinetic energy",
        Energy::Potential => "Potential energy",
        Energy::Elastic => "Elastic energy",
        Energy::Total => "Total energy",
    };
    Graph {
        help: energy_help(sides),
        ..over_time((title, ""), unit, LEAST_ENERGY * factor, now, curves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_lack_a_part_are_told_and_the_part_is_not_zero() {
        let mut scene = Scene::default();
        scene.sim.step.solver = "pbd".into();
        scene.b.step.0.solver = "rod".into();
        let sides = Side::BOTH.map(|side| EnergySide::of(&scene, side, String::new()));
        let help = energy_help(&sides);
        assert!(
            help.contains("Position Based Dynamics knows no elastic"),
            "{help}"
        );
        assert!(help.contains("different sums"), "{help}");
        assert!(!energy_help(&sides[1..]).contains("knows no"));
        let rods = Reading {
            knows_elastic: true,
            ..Reading::default()
        };
        let moved = Reading {
            elastic: Some(1.0),
            ..rods
        };
        let sample = |second: Reading| Sample {
            second: Some((second, [0.0; 2])),
            ..Sample::default()
        };
        let samples = [sample(rods), sample(moved)];
        let counts = |which: Energy| -> Vec<usize> {
            let graph = energy(&samples, 0.0, &sides, which);
            graph.curves.iter().map(|c| c.points.len()).collect()
        };
        let told = "none of A; of B once rods have moved it";
        assert_eq!(counts(Energy::Elastic), [0, 1], "{told}");
        assert_eq!(counts(Energy::Total), [2, 1], "{told}");
    }
}
