//! Rows drawn one by one.

use super::*;
use crate::{
    param::{self, Params},
    params,
    project::scene::Scene,
    sim::solver::RodParams,
};
use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput};

/// Draws all rows of a section, after these events, and collects edits.
fn draw(ctx: &Context, section: &dyn Params, events: Vec<Event>) -> Vec<(usize, Edit)> {
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(340.0, 900.0))),
        events,
        ..RawInput::default()
    };
    let mut edits = Vec::new();
    let _ = ctx.run_ui(input, |ui| {
        edits.clear();
        for (index, tunable) in section.tunables().iter().enumerate() {
            let row = SliderRow {
                name: format!("{}.{}", section.section(), tunable.key),
                tunable,
                value: section.get(index),
                choices: None,
                key: "",
            };
            edits.extend(row.show(ui).map(|edit| (index, edit)));
        }
    });
    edits
}

#[test]
fn looking_at_a_parameter_does_not_change_it() {
    let mut scene = Scene::default();
    // Odd values, too, must survive being shown.
    scene.groom.length = 0.123_456_7;
    scene.roots.strands = 12_347;
    scene.sim.wind.direction = [3.0, -4.0, 0.012];
    scene.camera.distance = 1.180_070_6;
    for section in scene.sections() {
        let ctx = Context::default();
        for _ in 0..3 {
            let edits = draw(&ctx, section, Vec::new());
            assert!(edits.is_empty(), "{}: {edits:?}", section.section());
        }
    }
}

#[test]
fn every_slider_can_be_dragged_from_end_to_end_within_its_range() {
    let mut scene = Scene::default();
    let at = |x: f32, y: f32| Pos2::new(x, y);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let (mut dragged, mut wanted) = (0, 0);
    for section in scene.sections_mut() {
        let mut below = 0.0;
        for (index, tunable) in section.tunables().into_iter().enumerate() {
            let ctx = Context::default();
            draw(&ctx, section, Vec::new());
            let spacing = ctx.global_style().spacing.item_spacing.y;
            let y = below + ROW / 2.0;
            below += height(&tunable.kind) + spacing;
            if !matches!(tunable.kind, Kind::Float { .. } | Kind::Int { .. }) {
                continue;
            }
            wanted += 1;
            let mut changed = false;
            draw(&ctx, section, vec![Event::PointerMoved(at(160.0, y))]);
            for x in [150.0, 160.0, 230.0, 400.0, 60.0, 203.0] {
                let moved = Event::PointerMoved(at(x, y));
                let events = match x {
                    150.0 => vec![moved, button(at(x, y), true)],
                    _ => vec![moved],
                };
                for (edited, edit) in draw(&ctx, section, events) {
                    assert_eq!(edited, index, "{}", tunable.key);
                    assert!(edit.held, "{}", tunable.key);
                    changed |= edit.value != tunable.default;
                    section
                        .set(index, edit.value)
                        .unwrap_or_else(|error| panic!("{error}"));
                }
            }
            draw(&ctx, section, vec![button(at(203.0, y), false)]);
            dragged += usize::from(changed);
        }
    }
    assert_eq!(dragged, wanted, "sliders that moved");
}

params! {
    /// A section with a share that matters most where it is small.
    pub struct Fine: "fine" {
        /// A share.
        share: f32 = 0.003, param::log_float(0.0, 1.0), "", "Share";
    }
}

#[test]
fn a_logarithmic_slider_may_begin_at_zero() {
    let (ctx, mut fine) = (Context::default(), Fine::default());
    draw(&ctx, &fine, Vec::new());
    let rect = rails::all(&ctx)[0].rect;
    let at = |x: f32| Pos2::new(x, rect.center().y);
    let mut seen = Vec::new();
    let mut x = rect.left() - 4.0;
    let mut events = vec![rails::moved(at(x)), rails::button(at(x), true)];
    while x < rect.right() + 4.0 {
        for (index, edit) in draw(&ctx, &fine, events) {
            fine.set(index, edit.value).expect("within its range");
        }
        seen.push(fine.share);
        x += 1.0;
        events = vec![rails::moved(at(x))];
    }
    assert_eq!((seen[0], seen[seen.len() - 1]), (0.0, 1.0), "{seen:?}");
    assert!(seen.is_sorted(), "{seen:?}");
    let least = seen.iter().copied().find(|share| *share > 0.0);
    let least = least.expect("more than nothing");
    assert!((0.9e-4..2e-4).contains(&least), "{least}");
    // Each decade has its part of the rail.
    for decade in 1..=4 {
        let (low, high) = (0.1f32.powi(decade), 0.1f32.powi(decade - 1));
        let count = seen.iter().filter(|s| (low..high).contains(*s)).count();
        assert!(count * 6 > seen.len(), "{low} to {high}: {count} points");
    }
    // What is small can be read.
    let tunables = fine.tunables();
    let words = |value| {
        let row = SliderRow {
            name: String::new(),
            tunable: &tunables[0],
            value: Value::Float(value),
            choices: None,
            key: "",
        };
        row.words(&row.value)
    };
    let shown = [0.0, 0.0001, 0.00034, 0.003, 0.02, 0.5, 1.0].map(words);
    let wanted = ["0", "0.0001", "0.00034", "0.003", "0.02", "0.5", "1"];
    assert_eq!(shown, wanted);
}

#[test]
fn lengths_are_shown_in_the_unit_of_their_size() {
    let words = |section: &dyn Params, key: &str, value: Value| {
        let tunables = section.tunables();
        let index = tunables.iter().position(|t| t.key == key);
        let tunable = &tunables[index.expect("a key")];
        let row = SliderRow {
            name: String::new(),
            tunable,
            value: value.clone(),
            choices: None,
            key: "",
        };
        row.words(&value)
    };
    let scene = Scene::default();
    let real = Value::Float;
    assert_eq!(words(&scene.groom, "length", real(0.22)), "22 cm");
    assert_eq!(words(&scene.groom, "curl_radius", real(0.0081)), "8.1 mm");
    assert_eq!(words(&scene.sim.wind, "strength", real(4.0)), "4 m/s");
    assert_eq!(words(&scene.roots, "limit_angle", real(75.0)), "75°");
    assert_eq!(words(&scene.roots, "strands", Value::Int(3000)), "3000");
    assert_eq!(words(&scene.sim.wind, "on", Value::Bool(false)), "off");
    assert_eq!(
        words(&scene.sim.of::<RodParams>(), "stiffness", real(0.012)),
        "0.012×"
    );
    assert_eq!(
        words(&scene.sim.of::<RodParams>(), "stiffness", real(100.0)),
        "100×"
    );
    assert_eq!(
        words(&scene.sim.of::<RodParams>(), "damping", real(0.002)),
        "2 ms"
    );
    assert_eq!(words(&scene.sim.material, "diameter", real(80.0)), "80 µm");
    assert_eq!(words(&scene.sim.material, "young", real(0.25)), "0.25 GPa");
}
