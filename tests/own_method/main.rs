//! A method of one's own in the window: key, panel section, sliders, scene file,
//! second side. (`tests/cli/plugin.rs` tries the subcommands.) A test program of its
//! own, for the table of methods is one for each process.

#[path = "../../examples/mass_spring/method.rs"]
mod method;

use egui::{Context, Pos2, RawInput, Rect, Shape, vec2};
use lovelock::{
    project::{scene::Scene, sides::Side},
    sim::solver::{RegisterError, SOLVERS, register},
    ui::{
        app_state::AppState,
        command::Command,
        keys,
        panel::{self, input::PanelInput, state::Tab},
    },
};
use method::{ID, METHOD, MassParams};

/// The texts of the panel with everything open, as tall as it wants to be.
fn texts(program: &AppState) -> Vec<String> {
    let ctx = Context::default();
    let input = || RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 12_000.0))),
        ..RawInput::default()
    };
    let mut shown = Vec::new();
    // Twice: sections take their room in the first frame.
    for _ in 0..2 {
        let output = ctx.run_ui(input(), |ui| {
            let input = PanelInput {
                scene: program.document.scene(),
                history: program.document.history(),
                session: &program.session,
                ui: &program.ui,
            };
            panel::show(ui, input, &mut Vec::new());
        });
        let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            Shape::Text(text) => Some(text.galley.text().to_string()),
            _ => None,
        };
        shown = output.shapes.iter().filter_map(text).collect();
    }
    shown
}

#[test]
fn a_method_of_ones_own_has_key_section_sliders_and_a_place_in_files() {
    // What the user's own window has open is none of a test's business.
    let folder = tempfile::tempdir().expect("a temporary folder");
    // SAFETY: this test is alone in its program.
    #[expect(unsafe_code, reason = "the program's state lies where a variable says")]
    unsafe {
        std::env::set_var("LOVELOCK_STATE", folder.path());
    }
    register(METHOD).expect("before anything asks for a method");
    assert_eq!(register(METHOD), Err(RegisterError::Taken(ID)));
    assert_eq!(SOLVERS.last().map(|method| method.id), Some(ID));
    assert_eq!(register(METHOD), Err(RegisterError::TooLate(ID)));

    // The next number key is its key.
    let key = keys::all().find(|key| key.command == Command::Solver(ID));
    assert_eq!(
        key.map(|key| (key.name.as_str(), key.help)),
        Some(("7", METHOD.name))
    );

    // Its parameters are in scene files, on both sides.
    let path = folder.path().join("own.toml");
    let mut scene = Scene::default();
    scene.sim.step.solver = ID.into();
    scene.sim.of_mut::<MassParams>().stretch = 1234.0;
    scene.b.of_mut::<MassParams>().stretch = 2345.0;
    scene.write(&path).expect("written");
    let mut again = Scene::default();
    again.read(&path).expect("read");
    assert_eq!(again, scene);
    assert_eq!(again.solver(Side::A), ID);
    assert_eq!(again.second().of::<MassParams>().stretch, 2345.0);

    // The panel shows its section and its sliders while it is at work, and the
    // section of no other method.
    let mut program = AppState::new(scene, Some(1), || ()).expect("a thread");
    program.perform(Command::ShowTab(Tab::All));
    let shown = texts(&program);
    let shows = |text: &str| shown.iter().any(|shown| shown == text);
    assert!(shows(METHOD.title), "{shown:?}");
    assert!(shows("Stretch rate") && shows("Inner steps"), "{shown:?}");
    assert!(!shows("Rod solver"), "{shown:?}");
    program.perform(Command::Solver("rod"));
    let shown = texts(&program);
    let shows = |text: &str| shown.iter().any(|shown| shown == text);
    assert!(!shows(METHOD.title) && shows("Rod solver"), "{shown:?}");
}
