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
    const ALL: [(Self, &'static str); 5] = [
        (Self::All, "All"),
        (Self::Kinetic, "Kinetic"),
        (Self::Potential, "Potential"),
        (Self::Elastic, "Elastic"),
        (Self::Total, "Total"),
    ];

    /// Of one side; the potential counts from its own lowest value, `floor`.
    fn of(self, reading: &Reading, floor: f64) -> f64 {
        match self {
            Self::Kinetic => reading.kinetic,
            Self::Potential => reading.potential - floor,
            Self::Elastic => reading.elastic,
            Self::All | Self::Total => reading.total() - floor,
        }
    }
}

/// The least that an energy plot reaches, so that the noise of hair at rest looks small. `[J]`
const LEAST_ENERGY: f64 = 1e-8;

pub(super) fn chosen(ui: &Ui) -> Energy {
    ui.data(|data| data.get_temp(Id::unique("energy")))
        .unwrap_or(Energy::All)
}

/// The choice of energies, from right to left.
pub fn choices(ui: &mut Ui) {
    let now = chosen(ui);
    ui.spacing_mut().item_spacing.x = 0.0;
    for (energy, name) in Energy::ALL.into_iter().rev() {
        if tabs::tab(ui, name, energy == now).clicked() {
            ui.data_mut(|data| data.insert_temp(Id::unique("energy"), energy));
        }
    }
    ui.label(RichText::new("Energy ").size(12.0).color(theme::WEAK))
        .on_hover_text(
            "Potential energy counts from the lowest that it had since the hair was set back, each \
             side's from its own. Elastic energy is known of rods alone.",
        );
}

/// What there is to know of a side whose energies are shown.
pub(super) struct EnergySide {
    /// The lowest potential energy, which it counts from. `[J]`
    floor: f64,
    /// The method's name.
    method: &'static str,
    /// Whether that knows the energy of bending and twisting.
    elastic: bool,
}

impl EnergySide {
    /// Of that side of the scene.
    pub fn of(scene: &Scene, side: Side, floor: f64) -> Self {
        let method = method(scene.solver(side));
        Self {
            floor,
            method: method.map_or("?", |method| method.name),
            elastic: method.is_some_and(|method| method.rods),
        }
    }

    /// Whether there is such an energy.
    fn has(&self, energy: Energy) -> bool {
        self.elastic || energy != Energy::Elastic
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
        // Of two sides, all would be a tangle: the two that tell most.
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
            let sides = sides.iter().enumerate();
            sides.filter_map(|(side, own)| reading(s, side).map(|r| (r, own.floor)))
        })
        .flat_map(|(r, floor)| kinds.iter().map(move |(kind, _)| kind.of(&r, floor).abs()))
        .fold(0.0, f64::max);
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
                entry: entry(side, compares && index > 0, compares),
                colour: match compares {
                    true => caption::colour(side),
                    false => caption::colour(index),
                },
                dashed: compares && index > 0,
                points: points(samples, now, |s| {
                    let known = reading(s, side).filter(|_| own.has(*kind));
                    known.map(|r| factor * kind.of(&r, own.floor))
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
    fn the_potential_counts_from_its_floor_and_the_rest_does_not() {
        let reading = Reading {
            kinetic: 2.0,
            potential: -5.0,
            elastic: 1.0,
            ..Reading::default()
        };
        let of = |energy: Energy| energy.of(&reading, -6.0);
        assert_eq!(of(Energy::Kinetic), 2.0);
        assert_eq!(of(Energy::Potential), 1.0);
        assert_eq!(of(Energy::Elastic), 1.0);
        assert_eq!(of(Energy::Total), 4.0);
    }

    #[test]
    fn sums_that_lack_a_part_are_told_and_the_part_is_not_zero() {
        let mut scene = Scene::default();
        scene.sim.step.solver = "pbd".into();
        scene.b.step.0.solver = "rod".into();
        let sides = Side::BOTH.map(|side| EnergySide::of(&scene, side, 0.0));
        let help = energy_help(&sides);
        assert!(
            help.contains("Position Based Dynamics knows no elastic"),
            "{help}"
        );
        assert!(help.contains("different sums"), "{help}");
        assert!(!energy_help(&sides[1..]).contains("knows no"));
        let sample = Sample {
            second: Some((Reading::default(), [0.0; 2])),
            ..Sample::default()
        };
        let graph = energy(&[sample], 0.0, &sides, Energy::Elastic);
        let counts: Vec<usize> = graph.curves.iter().map(|c| c.points.len()).collect();
        assert_eq!(counts, [0, 1], "none of A, one of B");
    }
}
