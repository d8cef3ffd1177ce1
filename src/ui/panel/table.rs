//! The sections of the panel.

use super::{
    super::{
        app_state::AppState, bodies, command::Command, groom_rows, motions, palette, views,
        wind_gizmo,
    },
    cost, roots, solvers, starts,
};
use egui::Ui;

/// One section of the panel.
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

/// The sections, in the order of the panel.
pub const SECTIONS: &[Section] = &[
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
    Section {
        open: true,
        ..section("pbd", "PBD solver")
    },
    Section {
        open: true,
        ..section("ftl", "FTL solver")
    },
    Section {
        open: true,
        ..section("shape", "Shape solver")
    },
    Section {
        open: true,
        ..section("spring", "Spring solver")
    },
    Section {
        open: true,
        below: Some(solvers::elastic_rods),
        ..section("der", "Elastic rod solver")
    },
    Section {
        open: true,
        below: Some(solvers::rods),
        ..section("rod", "Rod solver")
    },
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
