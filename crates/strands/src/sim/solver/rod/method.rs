//! The row of the table of methods.

use super::{
    constants::Rod,
    params::{ID, Integrator, RodParams},
};
use crate::{
    param::Value,
    sim::{
        SimParams, Statistics,
        solver::{
            bench_plan::{BenchCase, BenchPlan, BenchSize, size},
            dispatch::prepared,
            method::{Method, MethodStatus, StatusLine, Variant},
        },
    },
};

/// The method.
pub const METHOD: Method = Method {
    id: ID,
    name: "Kirchhoff rod",
    title: "Rod solver",
    source: "Kirchhoff 1859; Bergou et al. 2008",
    purpose: "true to material",
    about: "Hair that bends, twists and hangs as its material says, stiffer only where the \
            hairstyle would topple, and never stretches. Costs more than PBD when the head is \
            shaken hard. Implicit Euler calms its swings; BDF2 keeps them.",
    material: true,
    rods: true,
    tension: true,
    led: false,
    params: || Box::new(RodParams::default()),
    prepare: |params, width| {
        prepared(
            Rod::new(&params.of(), &params.material, &params.step),
            width,
        )
    },
    bare,
    exact,
    converge: |params| params.of_mut::<RodParams>().passes = 4,
    variants: &[Variant {
        name: Integrator::Bdf2.name(),
        is_on: |params| params.of::<RodParams>().integrator == Integrator::Bdf2,
        set: |params| params.of_mut::<RodParams>().integrator = Integrator::Bdf2,
    }],
    bench: BenchPlan {
        sizes: &[
            size(500, 100, 4),
            size(2_000, 64, 2),
            BenchSize {
                slow: true,
                ..size(2_000, 32, 2)
            },
            BenchSize {
                slow: true,
                ..size(20_000, 32, 1)
            },
            BenchSize {
                slow: true,
                ..size(100_000, 16, 1)
            },
        ],
        cases: &[
            BenchCase::FREE,
            BenchCase::CONTACT,
            BenchCase::LYING,
            BenchCase::SHAKEN,
            STRANDS_TOUCH,
        ],
        deep: true,
    },
    status,
};

/// A head that is shaken hard, and strands that touch.
const STRANDS_TOUCH: BenchCase = BenchCase {
    name: "strand contact, head shaken",
    set: |params| {
        (BenchCase::SHAKEN.set)(params);
        params.methods.set_all("strand_contact", &Value::Bool(true));
    },
    most: 2_000 * 32,
    slow: true,
    ..BenchCase::SHAKEN
};

/// The groom hold and the extra passes in words.
fn status(now: &MethodStatus) -> Vec<StatusLine> {
    let hold = match now.params.of::<RodParams>().sag_free {
        true => hold_words(now.statistics),
        false => "Groom hold: off, the hair sags".into(),
    };
    let passes = 100.0 * now.extra_passes;
    let mut lines = vec![
        StatusLine {
            text: hold,
            help: "Where the hairstyle would topple under its own weight, as a curl that stands up \
                   does, the joints near its root are made stiffer than their material until it \
                   stays as it was modelled. The numbers are the median over all joints and over those \
                   of the strands' outer halves, and the stiffest joint. Strands that need more than \
                   the largest groom hold sag.",
            remedy: None,
        },
        StatusLine {
            text: format!("Extra passes: {passes:.1} % of the strands"),
            help: "Strands that were moved so fast or hit so hard that one Newton pass was not \
                   enough for them. Many of them make the step slower; more substeps make them \
                   fewer.",
            remedy: None,
        },
    ];
    if now.params.of::<RodParams>().strand_contact {
        lines.push(StatusLine {
            text: format!("Strand contact: {} pairs touch", now.statistics.touching),
            help: "Pairs of edges of two strands that press against each other. The more \
                   there are, the longer a step takes; a smaller contact thickness makes \
                   them fewer.",
            remedy: None,
        });
    }
    lines
}

fn hold_words(measured: &Statistics) -> String {
    let percent = |share: f32| match 100.0 * share {
        few if few < 1.0 => "under 1 %".into(),
        share => format!("{share:.0} %"),
    };
    let sag = format!(
        "{} need more than allowed, and sag",
        percent(measured.toppling)
    );
    match (measured.held, measured.toppling) {
        (0.0, 0.0) => return "Groom hold: none needed".into(),
        (0.0, _) => return format!("Groom hold: none; {sag}"),
        _ => (),
    }
    let times = |hold: f32| format!("×{:.*}", usize::from(hold < 10.0), hold);
    let enough = match measured.toppling {
        0.0 => String::new(),
        _ => format!("; {sag}"),
    };
    format!(
        "Groom hold: {} of strands, joints {} (outer half {}), at most {}{enough}",
        percent(measured.held),
        times(measured.hold_median),
        times(measured.hold_outer_median),
        times(measured.hold),
    )
}

fn bare(params: &mut SimParams) {
    let own: &mut RodParams = params.of_mut();
    own.stiffness = 1.0;
    own.damping = 0.0;
    own.sag_free = false;
    own.integrator = Integrator::Euler;
    own.passes = 1;
}

fn exact(params: &mut SimParams) {
    // What a rod does at its fastest: one step.
    params.step.set_substeps(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groom_hold_is_told_in_words() {
        let words = |held, hold, toppling| {
            hold_words(&Statistics {
                held,
                hold,
                hold_median: 1.5,
                toppling,
                ..Statistics::default()
            })
        };
        assert_eq!(words(0.0, 1.0, 0.0), "Groom hold: none needed");
        assert!(
            words(1.0, 64.0, 0.004)
                .ends_with("at most ×64; under 1 % need more than allowed, and sag")
        );
        assert!(words(1.0, 64.0, 0.126).ends_with("; 13 % need more than allowed, and sag"));
        assert_eq!(
            words(0.384, 4.0, 0.0),
            "Groom hold: 38 % of strands, joints ×1.5 (outer half ×1.0), at most ×4.0"
        );
        assert!(words(0.001, 1.4, 0.0).contains("under 1 %"));
        assert_eq!(
            words(0.0, 1.0, 1.0),
            "Groom hold: none; 100 % need more than allowed, and sag"
        );
    }
}
