//! Rows of numbers that change over time, used as a person does.

use crate::{
    project::scene::Scene,
    ui::{app_state::AppState, panel::labels::panel},
};
use egui::{Event, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

/// Points at the slider of that name.
fn point(panel: &mut Harness<AppState>, label: &str) -> Pos2 {
    let at = panel.get_by_role_and_label(Role::Slider, label).rect();
    let at = at.left_center() + vec2(2.0, 0.0);
    panel.event(Event::PointerMoved(at));
    panel.run_steps(4);
    at
}

fn scene<'a>(panel: &'a Harness<AppState>) -> &'a Scene {
    panel.state().document.scene()
}

const HOLDS: &str = "Holds together";

#[test]
fn the_diamond_of_a_row_sets_a_key_and_takes_it_away() {
    let mut panel = panel(AppState::small());
    let add = format!("Key {HOLDS} (cohesion.hold) at 0.00 s");
    let remove = format!("Remove the key of {HOLDS} (cohesion.hold) at 0.00 s");
    assert!(panel.query_by_label(&add).is_none(), "nobody points there");
    point(&mut panel, HOLDS);
    panel.get_by_label(&add).click();
    panel.run_steps(4);
    let hold = scene(&panel).sim.cohesion.hold;
    let key = |panel: &Harness<AppState>| {
        let track = scene(panel).sim.tracks.keys.of("cohesion.hold");
        track.map(|track| track.keys()[0].value as f32)
    };
    assert_eq!(key(&panel), Some(hold));
    // A number with keys always shows its diamond; a row that cannot have any has none.
    panel.event(Event::PointerMoved(Pos2::ZERO));
    panel.run_steps(4);
    assert!(panel.query_by_label(&remove).is_some());
    point(&mut panel, "Curl radius");
    let text = "Key Curl radius";
    assert!(panel.query_by_label_contains(text).is_none());
    panel.get_by_label(&remove).click();
    panel.run_steps(4);
    assert_eq!(key(&panel), None);
    assert_eq!(scene(&panel).sim.cohesion.hold, hold);
}

#[test]
fn a_keyed_row_shows_the_value_of_its_keys_and_sets_one() {
    let mut program = AppState::small();
    let tracks = &mut program.document.scene_mut().sim.tracks.keys;
    tracks.set_key("cohesion.hold", 0.0, 0.25);
    let mut panel = panel(program);
    panel.run_steps(4);
    let shown = |panel: &Harness<AppState>| {
        let slider = panel.get_by_role_and_label(Role::Slider, HOLDS);
        slider.accesskit_node().numeric_value()
    };
    assert_eq!(shown(&panel), Some(0.25));
    panel
        .get_by_role_and_label(Role::SpinButton, HOLDS)
        .set_value_accesskit(0.75);
    panel.run_steps(4);
    assert_eq!(shown(&panel), Some(0.75));
    assert_eq!(scene(&panel).sim.cohesion.hold, 0.5, "its own value stays");
}

#[test]
fn a_right_click_on_a_row_offers_what_can_be_done_with_its_keys() {
    let mut panel = panel(AppState::small());
    let hold = scene(&panel).sim.cohesion.hold;
    let choose = |panel: &mut Harness<AppState>, what: &str| {
        let pos = point(panel, HOLDS);
        for pressed in [true, false] {
            panel.event(Event::PointerButton {
                pos,
                button: PointerButton::Secondary,
                pressed,
                modifiers: Modifiers::NONE,
            });
            panel.run_steps(2);
        }
        panel.get_by_role_and_label(Role::Button, what).click();
        panel.run_steps(4);
    };
    let count = |panel: &Harness<AppState>| {
        let track = scene(panel).sim.tracks.keys.of("cohesion.hold");
        track.map_or(0, |track| track.keys().len())
    };
    choose(&mut panel, "Key at 0.00 s");
    assert_eq!(count(&panel), 1);
    assert_eq!(
        scene(&panel).sim.cohesion.hold,
        hold,
        "the click moves no slider"
    );
    choose(&mut panel, "Graph");
    let graph = panel.state().ui.keyed.graph.clone();
    assert_eq!(graph.as_deref(), Some("cohesion.hold"));
    choose(&mut panel, "Remove this key");
    assert_eq!(count(&panel), 0);
    let tracks = &mut panel.state_mut().document.scene_mut().sim.tracks.keys;
    tracks.set_key("cohesion.hold", 1.0, 0.25);
    tracks.set_key("cohesion.hold", 2.0, 0.75);
    choose(&mut panel, "Remove all keys");
    assert_eq!(count(&panel), 0);
    assert_eq!(scene(&panel).sim.cohesion.hold, 0.25, "as it was seen");
}
