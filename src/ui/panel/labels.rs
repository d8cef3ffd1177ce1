//! The panel's widgets, found by their labels as a screen reader finds them, and
//! used: each answers by a change of the scene.

use super::{Tab, input::PanelInput, show};
use crate::{
    groom::TieStyle,
    render::pigment::{dye_of, is_dyed, pigment},
    ui::{app_state::AppState, command::Command, theme},
};
use egui::{
    Color32, Event, Key, Modifiers, Rgba, Ui,
    accesskit::{Role, Toggled},
    vec2,
};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

/// The panel of a program in a window of usual size, whose commands are carried
/// out.
pub(super) fn panel(program: AppState) -> Harness<'static, AppState> {
    Harness::builder()
        .with_size(vec2(1280.0, 694.0))
        .with_context_setup(theme::apply)
        .build_ui_state(draw, program)
}

fn draw(ui: &mut Ui, program: &mut AppState) {
    let mut commands = Vec::new();
    let input = PanelInput::of(&program.document, &program.session, &program.ui);
    show(ui, input, &mut commands);
    for command in commands {
        program.perform(command);
    }
}

#[test]
fn wind_and_gravity_are_boxes_that_toggle() {
    let mut panel = panel(AppState::small());
    for (label, before) in [("Wind", Toggled::False), ("Gravity", Toggled::True)] {
        let toggled = |panel: &Harness<AppState>| {
            let found = panel.get_by_role_and_label(Role::CheckBox, label);
            found.accesskit_node().toggled()
        };
        assert_eq!(toggled(&panel), Some(before), "{label}");
        panel.get_by_role_and_label(Role::CheckBox, label).click();
        panel.run_steps(4);
        assert_ne!(toggled(&panel), Some(before), "{label}");
    }
    let sim = &panel.state().document.scene().sim;
    assert!(sim.wind.on && !sim.forces.gravity_on);
}

#[test]
fn a_slider_moves_what_its_label_names() {
    let mut panel = panel(AppState::small());
    let softness = |panel: &Harness<AppState>| panel.state().document.scene().sim.step.softness;
    let before = softness(&panel);
    panel
        .get_by_role_and_label(Role::Slider, "Softness to wiriness")
        .increment_accesskit();
    panel.run_steps(4);
    assert!(softness(&panel) > before, "{}", softness(&panel));
}

#[test]
fn a_recordings_start_and_length_are_set_where_it_is_begun() {
    let mut panel = panel(AppState::small());
    let capture = |panel: &Harness<AppState>| panel.state().document.scene().capture.clone();
    assert!(!capture(&panel).from_start && capture(&panel).seconds == 0.0);
    panel
        .get_by_role_and_label(Role::CheckBox, "From the start")
        .click();
    panel.run_steps(4);
    assert!(capture(&panel).from_start);
    panel
        .get_by_role_and_label(Role::SpinButton, "Seconds")
        .set_value_accesskit(2.5);
    panel.run_steps(4);
    assert_eq!(capture(&panel).seconds, 2.5);
    assert!(panel.query_by_label_contains("60 frames, ").is_some());
}

#[test]
fn a_file_is_chosen_by_the_button_behind_its_field() {
    let mut panel = panel(AppState::small());
    let look_for = |panel: &mut Harness<AppState>, key: &str| {
        let key = key.to_string();
        panel
            .ctx
            .data_mut(|data| data.insert_temp(super::search::typed_id(), key));
        panel.run_steps(4);
    };
    for (key, label) in [
        ("roots.density_map", "Density map: choose a file"),
        ("import.file", "File: choose a file"),
    ] {
        look_for(&mut panel, key);
        assert!(panel.state().ui.dialog.is_none());
        panel.get_by_label(label).click();
        panel.run_steps(4);
        assert!(panel.state().ui.dialog.is_some(), "{key}");
        panel.state_mut().perform(Command::Escape);
    }
    // A text that is no file has none.
    look_for(&mut panel, "roots.parting");
    assert!(panel.query_by_label_contains("choose a file").is_none());
}

#[test]
fn the_toolbar_undoes_and_starts_anew() {
    let mut panel = panel(AppState::small());
    panel.get_by_role_and_label(Role::CheckBox, "Wind").click();
    panel.run_steps(4);
    panel.get_by_label("Undo").click();
    panel.run_steps(4);
    assert!(!panel.state().document.scene().sim.wind.on);
    panel.get_by_label("Redo").click();
    panel.run_steps(4);
    assert!(panel.state().document.scene().sim.wind.on);
    panel.get_by_label("Pause").click();
    panel.run_steps(4);
    assert!(panel.query_by_label("Play").is_some());
}

#[test]
fn a_button_that_is_off_says_what_it_is_for() {
    let mut panel = panel(AppState::small());
    panel.get_by_label("Undo").hover();
    panel.run_steps(10);
    assert!(panel.query_by_label("Undo (Ctrl+Z)").is_some());
}

#[test]
fn hair_takes_a_named_colour_or_the_one_that_is_typed() {
    let mut panel = panel(AppState::small());
    panel.get_by_role_and_label(Role::Button, "Copper").click();
    panel.run_steps(4);
    let look = |panel: &Harness<AppState>| panel.state().document.scene().look.clone();
    let copper = pigment("copper").expect("a colour");
    assert!(copper.colours(&look(&panel)));
    panel
        .get_by_role_and_label(Role::ColorWell, "Any colour")
        .click();
    panel.run_steps(4);
    assert!(egui::Popup::is_any_open(&panel.ctx));
    assert!(copper.colours(&look(&panel)), "looking changes nothing");
    let field = panel.get_by_role_and_label(Role::TextInput, "Hexadecimal");
    field.click();
    panel.run_steps(4);
    panel.key_press_modifiers(Modifiers::COMMAND, Key::A);
    panel.event(Event::Text("7a3b2e".into()));
    panel.run_steps(4);
    let brown = look(&panel);
    let [r, g, b, _] = Rgba::from(Color32::from_rgb(0x7a, 0x3b, 0x2e)).to_array();
    assert!(is_dyed(&brown, dye_of([r, g, b].into())), "{brown:?}");
    assert!(brown.dye.is_sorted(), "{:?}", brown.dye);
    panel.state_mut().perform(Command::Undo);
    assert!(copper.colours(&look(&panel)));
}

#[test]
fn an_open_list_is_gone_through_by_keys() {
    let mut panel = panel(AppState::small());
    let text = "ponytail".to_string();
    panel
        .ctx
        .data_mut(|data| data.insert_temp(super::search::typed_id(), text));
    panel.run_steps(4);
    panel.get_by_role_and_label(Role::ComboBox, "Tie").click();
    panel.run_steps(4);
    assert!(egui::Popup::is_any_open(&panel.ctx));
    panel.key_press(egui::Key::ArrowDown);
    panel.run_steps(4);
    panel.key_press(egui::Key::Enter);
    panel.run_steps(4);
    assert_eq!(panel.state().document.scene().groom.tie, TieStyle::Ponytail);
    assert!(!egui::Popup::is_any_open(&panel.ctx), "it closes");
}

/// Whoever cannot see the panel is told what each button, box, slider and field of
/// it is for.
#[test]
fn nothing_that_can_be_used_is_without_a_name() {
    let mut program = AppState::small();
    for tab in [Tab::Basic, Tab::All] {
        program.perform(Command::ShowTab(tab));
        let mut panel = Harness::builder()
            .with_size(vec2(1280.0, 12_000.0))
            .with_context_setup(theme::apply)
            .build_ui_state(draw, std::mem::replace(&mut program, AppState::small()));
        panel.run_steps(20);
        let used = [
            Role::Button,
            Role::CheckBox,
            Role::Slider,
            Role::SpinButton,
            Role::ComboBox,
            Role::TextInput,
            Role::ColorWell,
        ];
        let mut seen = 0;
        for role in used {
            for node in panel.query_all_by_role(role) {
                let name = node.accesskit_node().label();
                assert!(
                    name.is_some_and(|name| !name.is_empty()),
                    "a {role:?} at {:?} has no name",
                    node.rect()
                );
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen} in {tab:?}");
    }
}

#[test]
fn no_name_of_a_recordings_row_is_cut_in_a_narrow_panel() {
    // What a panel of 332 points leaves to a name.
    const ROOM: f32 = 115.0;
    let scene = crate::project::scene::Scene::default();
    let ctx = egui::Context::default();
    theme::apply(&ctx);
    let mut cut = Vec::new();
    let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
        let font = egui::TextStyle::Body.resolve(ui.style());
        let rows = crate::param::Params::tunables(&scene.capture);
        cut = rows
            .into_iter()
            .map(|tunable| tunable.label)
            .filter(|label| {
                let text = label.to_string();
                let galley = ui.painter().layout_no_wrap(text, font.clone(), theme::TEXT);
                galley.size().x > ROOM
            })
            .collect();
    });
    assert!(cut.is_empty(), "{cut:?}");
}
