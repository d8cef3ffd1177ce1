//! The sections of the panel: what stands in which order, and the few things that
//! each of them shows.

use super::{cost, input::PanelInput, keyed, recording, roots, solvers, starts};
use crate::{
    project::effect::MATERIAL,
    sim::solver::{Method, SOLVERS},
    ui::{
        bodies, command::Command, environment_rows, groom_rows, motions, palette, validation,
        views, wind_gizmo,
    },
};
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
    pub extra: Option<fn(&mut Ui, PanelInput, &mut Vec<Command>)>,
    /// What stands under its rows, if anything.
    pub below: Option<fn(&mut Ui, PanelInput)>,
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
        below: Some(|ui, at| {
            let side = at.side();
            solvers::status(ui, at.scene, side, at.session.measured(side));
        }),
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
        extra: Some(|ui, at, out| starts::head(ui, at.scene, at.session, at.ui.rights, out)),
        below: Some(|ui, at| starts::head_warnings(ui, at.scene, at.session.built())),
        ..section("head", "Head")
    },
    Section {
        words: "painted density length curl clear draw a parting line where hair parts",
        extra: Some(|ui, at, out| roots::show(ui, at.scene, at.ui.hand.parting.on, out)),
        ..section("roots", "Roots")
    },
    Section {
        words: "open a groom export the hair fit to the head procedural place by hand move turn scale handles drop onto skin fit from here lies carry to a head back to grown hair",
        extra: Some(|ui, at, out| {
            let (import, bound) = (&at.scene.import, at.session.bound());
            groom_rows::show(ui, import, bound, at.ui.places, out);
        }),
        ..section(groom_rows::SECTION, groom_rows::TITLE)
    },
    Section {
        open: true,
        words: "style straight wavy curly coily",
        extra: Some(|ui, at, out| {
            starts::styles(ui, at.scene, out);
            starts::tie(ui, at.session.built());
        }),
        ..section("groom", "Hairstyle")
    },
    section("hand", "Hand, comb and scissors"),
    Section {
        below: Some(|ui, at| solvers::substeps(ui, at.scene, at.side())),
        ..section("sim", "Simulation")
    },
];

/// The sections behind those of the methods.
const AFTER: &[Section] = &[
    section("followers", "Followers"),
    section(MATERIAL, "Hair material"),
    Section {
        words: "test theory bench",
        extra: Some(|ui, at, out| validation::show(ui, at.session.validation(), at.method(), out)),
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
        extra: Some(|ui, at, out| {
            bodies::list::show(ui, &at.scene.sim.colliders, at.ui.bodies, out);
        }),
        ..section(BODIES, "Colliders")
    },
    section("crowd", "Hair against hair"),
    Section {
        words: "cohesion locks clumps stray strands stick bonds",
        ..section("cohesion", "Locks")
    },
    Section {
        words: "preset keyframes animated head sequence",
        extra: Some(|ui, at, out| {
            let unit = at.ui.time_unit(at.scene);
            let next = at.ui.head_key_time(at.scene, at.session);
            motions::show(ui, &at.scene.sim.motion, at.session, (unit, next), out);
        }),
        ..section("motion", "Head motion")
    },
    Section {
        words: "keys over time animate numbers tracks timeline",
        extra: Some(|ui, at, out| keyed::list(ui, at.keys(), out)),
        ..section("tracks", "Keys over time")
    },
    Section {
        words: "neck shoulders bust stay turn",
        ..section("torso", "Torso")
    },
    Section {
        open: true,
        words: "hair colour swatches any colour picker cost of a frame",
        extra: Some(|ui, at, out| palette::show(ui, &at.scene.look, out)),
        below: Some(|ui, at| cost::show(ui, &at.ui.passes, &at.ui.shader_faults)),
        ..section("look", "Look")
    },
    Section {
        words: "show key-light handle environment hdri three-point softboxes overcast sunset",
        extra: Some(|ui, at, out| {
            let fault = at.session.environment_fault();
            environment_rows::show(ui, &at.scene.light.environment, fault, out);
            let environment = at.session.environment().map(|light| &**light);
            wind_gizmo::light_switch(ui, at.ui.shows_light, environment, out);
        }),
        ..section("light", "Light")
    },
    Section {
        words: "views front side back top save view",
        extra: Some(|ui, at, out| views::show(ui, &at.scene.views, out)),
        ..section("camera", "Camera")
    },
    section("slice", "Slice through the hair"),
    Section {
        words: "groom hold stiffness rods stretch change of length strain",
        ..section("colours", "Colours along strands")
    },
    Section {
        words: "record frames video mp4",
        extra: Some(|ui, at, out| recording::show(ui, at.scene, at.session, out)),
        ..section("capture", "Recording")
    },
    section("rewind", "Rewind"),
];

/// The sections that no scene has as such.
pub(super) const VALIDATION: &str = "validation";
pub(super) const BODIES: &str = "bodies";
