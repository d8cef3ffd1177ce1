//! The sections of the panel.

use super::{
    super::{
        bodies, command::Command, groom_rows, motions, palette, state::AppState, views, wind_gizmo,
    },
    cost, roots, solvers, starts,
};
use crate::sim::solver::{Method, SOLVERS};
use egui::Ui;
use std::sync::LazyLock;

/// One section of the panel.
#[derive(Clone, Copy)]
pub struct Section {
    /// The section of the scene, or of nothing that a scene holds.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Words for what stands above or under its rows, by which a search finds it.
    pub words: &'static str,
    /// Whether it is open at the start.
    pub open: bool,
    /// What stands above its rows, if anything.
    pub extra: Option<fn(&mut Ui, &AppState, &mut Vec<Command>)>,
    /// What stands under its rows, if anything.
    pub below: Option<fn(&mut Ui, &AppState)>,
}

const fn section(id: &'static str, title: &'static str) -> Section {
    Section {
        id,
        title,
        words: "",
        open: false,
        extra: None,
        below: None,
    }
}

/// The sections, in the order of the panel: one for each method among them.
pub static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let of_method = |method: &'static Method| Section {
        open: true,
        below: Some(solvers::status),
        ..section(method.id, method.title)
    };
    let mut all = BEFORE.to_vec();
    all.extend(SOLVERS.iter().map(of_method));
    all.extend_from_slice(AFTER);
    all
});

/// The sections before those of the methods.
const BEFORE: &[Section] = &[
    Section {
        words: "open a head obj file mesh put right turn over upside down fit",
        extra: Some(starts::head),
        ..section("head", "Head")
    },
    Section {
        words: "painted density length curl clear draw a parting line where hair parts",
        extra: Some(roots::show),
        ..section("roots", "Roots")
    },
    Section {
        words: "open a groom export the hair fit to the head procedural",
        extra: Some(groom_rows::show),
        ..section(groom_rows::SECTION, groom_rows::TITLE)
    },
    Section {
        open: true,
        words: "style straight wavy curly coily",
        extra: Some(starts::styles),
        ..section("groom", "Hairstyle")
    },
    section("hand", "Hand, comb and scissors"),
    section("sim", "Simulation"),
];

/// The sections behind those of the methods.
const AFTER: &[Section] = &[
    section("followers", "Interpolated hairs"),
    section(MATERIAL, "Hair material"),
    Section {
        words: "test theory bench",
        extra: Some(super::trial),
        ..section(VALIDATION, "Validation")
    },
    section("forces", "Forces"),
    Section {
        open: true,
        ..section("wind", "Wind")
    },
    section("fan", "Fan"),
    section("collision", "Collision"),
    Section {
        words: "bodies sphere ellipsoid capsule fit to head",
        extra: Some(bodies::list::show),
        ..section(BODIES, "Colliders")
    },
    section("crowd", "Hair against hair"),
    Section {
        words: "preset keyframes animated head sequence",
        extra: Some(motions::show),
        ..section("motion", "Head motion")
    },
    Section {
        open: true,
        words: "hair colour swatches cost of a frame",
        extra: Some(palette::show),
        below: Some(cost::show),
        ..section("look", "Look")
    },
    Section {
        words: "show key-light handle",
        extra: Some(wind_gizmo::light_switch),
        ..section("light", "Light")
    },
    Section {
        words: "views front side back top save view",
        extra: Some(views::show),
        ..section("camera", "Camera")
    },
    section("slice", "Slice through the hair"),
    Section {
        words: "record frames video mp4",
        extra: Some(super::recording::show),
        ..section("capture", "Recording")
    },
    section("rewind", "Rewind"),
];

/// The section that only methods with a material need.
pub(super) const MATERIAL: &str = "material";

/// The sections that no scene has as such.
pub(super) const VALIDATION: &str = "validation";
pub(super) const BODIES: &str = "bodies";
