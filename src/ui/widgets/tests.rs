//! Rows drawn one by one.

use super::*;
use crate::{
    param::{self, Params},
    params,
    project::scene::Scene,
    sim::{collider::Collider, solver::RodParams},
};
use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput};

/// Draws all rows of a section, after these events, and collects edits.
fn draw(ctx: &Context, section: &dyn Params, events: Vec<Event>) -> Vec<(usize, Edit)> {
    draw_at(ctx, section, events, None).0
}

/// The same at that time `[s]`, with all texts.
fn draw_at(
    ctx: &Context,
    section: &dyn Params,
    events: Vec<Event>,
    time: Option<f64>,
) -> (Vec<(usize, Edit)>, Vec<String>) {
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(340.0, 900.0))),
        time,
        events,
        ..RawInput::default()
    };
    let mut edits = Vec::new();
    let mut output = ctx.run_ui(input, |ui| {
        edits.clear();
        for (index, tunable) in section.tunables().iter().enumerate() {
            let row = SliderRow {
                keyed: false,
                name: format!("{}.{}", section.section(), tunable.key),
                tunable,
                value: section.get(index),
                choices: None,
                key: "",
            };
            edits.extend(row.show(ui).map(|edit| (index, edit)));
        }
    });
    // Nobody draws them, and egui complains of those that are dropped.
    output.textures_delta.clear();
    let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_string()),
        _ => None,
    });
    (edits, texts.collect())
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
    /// A section of every kind of number, none of which can be shown with all its digits.
    pub struct Odd: "odd" {
        /// A distance.
        far: f32 = 1.180_070_6, param::float(0.0, 50.0), "m", "Far";
        /// A count.
        count: u32 = 4_000_000_001u32, param::int(0, u32::MAX.into()), "", "Count";
        /// A place.
        place: [f32; 3] = [0.123_456_7; 3], Kind::Triple { range: -2.0..=2.0 }, "m", "Place";
        /// A direction.
        way: [f32; 3] = [0.3, 0.4, -0.5], Kind::Direction, "", "Way";
    }
}

fn enter() -> Event {
    Event::Key {
        key: egui::Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

/// The right one of the fields of a row of [`Odd`].
fn last_field(ctx: &Context, row: usize) -> Pos2 {
    let spacing = ctx.global_style().spacing.item_spacing.y;
    Pos2::new(300.0, row as f32 * (ROW + spacing) + ROW / 2.0)
}

/// Clicks there; answers with what that has edited.
fn click(ctx: &Context, section: &dyn Params, at: Pos2) -> Vec<(usize, Edit)> {
    let events = [
        vec![rails::moved(at)],
        vec![rails::button(at, true)],
        vec![rails::button(at, false)],
        Vec::new(),
    ];
    let edits = events.map(|events| draw(ctx, section, events));
    edits.into_iter().flatten().collect()
}

#[test]
fn a_field_that_is_looked_into_and_left_again_keeps_its_value() {
    let odd = Odd::default();
    for row in 0..4 {
        let ctx = Context::default();
        draw(&ctx, &odd, Vec::new());
        let mut edits = click(&ctx, &odd, last_field(&ctx, row));
        assert!(ctx.memory(|memory| memory.focused().is_some()), "{row}");
        edits.extend(click(&ctx, &odd, Pos2::new(20.0, 800.0)));
        assert!(ctx.memory(|memory| memory.focused().is_none()), "{row}");
        edits.extend(click(&ctx, &odd, last_field(&ctx, row)));
        edits.extend(draw(&ctx, &odd, vec![enter()]));
        edits.extend(draw(&ctx, &odd, Vec::new()));
        assert!(edits.is_empty(), "{row}: {edits:?}");
    }
}

#[test]
fn what_is_typed_counts_also_where_it_is_nearly_what_was_there() {
    let odd = Odd::default();
    for (row, text, wanted) in [
        (0, "1.1801", Value::Float(1.1801)),
        (1, "4000000002", Value::Int(4_000_000_002)),
    ] {
        let ctx = Context::default();
        draw(&ctx, &odd, Vec::new());
        click(&ctx, &odd, last_field(&ctx, row));
        let typed = draw(&ctx, &odd, vec![Event::Text(text.into())]);
        assert!(typed.is_empty(), "{typed:?}");
        let edits = draw(&ctx, &odd, vec![enter()]);
        let values: Vec<_> = edits.into_iter().map(|(_, edit)| edit.value).collect();
        assert_eq!(values, [wanted]);
    }
}

#[test]
fn what_is_typed_may_have_a_unit_and_what_is_not_taken_is_said() {
    let odd = Odd::default();
    for (row, text, wanted, said) in [
        (0, "150 cm", Some(Value::Float(1.5)), ""),
        (0, "1,5", Some(Value::Float(1.5)), ""),
        (0, "80", Some(Value::Float(50.0)), "At most 50 m"),
        (0, "-1 mm", Some(Value::Float(0.0)), "At least 0 m"),
        (0, "far", None, "That is no number"),
        (1, "12,000", Some(Value::Int(12_000)), ""),
        (3, "91", None, "At most 90°"),
    ] {
        let ctx = Context::default();
        let at = |time: f64, events| draw_at(&ctx, &odd, events, Some(time));
        at(0.0, Vec::new());
        click(&ctx, &odd, last_field(&ctx, row));
        at(1.0, vec![Event::Text(text.into())]);
        let (edits, _) = at(1.1, vec![enter()]);
        // A tooltip is laid out once before it is seen.
        at(1.2, Vec::new());
        let (_, texts) = at(1.3, Vec::new());
        let is_word = |t: &&String| ["At ", "That "].iter().any(|begin| t.starts_with(begin));
        let words: Vec<&String> = texts.iter().filter(is_word).collect();
        let wanted_words = if said.is_empty() { vec![] } else { vec![said] };
        assert_eq!(words, wanted_words, "{text}: {texts:?}");
        if row < 3 {
            let values: Vec<_> = edits.into_iter().map(|(_, edit)| edit.value).collect();
            assert_eq!(values, Vec::from_iter(wanted), "{text}");
        }
        let (_, texts) = at(9.0, Vec::new());
        assert!(
            said.is_empty() || !texts.contains(&said.to_string()),
            "{text}"
        );
    }
}

#[test]
fn a_direction_that_is_dragged_straight_up_and_back_keeps_its_azimuth() {
    let (ctx, mut odd) = (Context::default(), Odd::default());
    draw(&ctx, &odd, Vec::new());
    let from = last_field(&ctx, 3);
    let azimuth = |odd: &Odd| odd.way[0].atan2(odd.way[2]).to_degrees();
    let before = azimuth(&odd);
    let mut highest = 0.0f32;
    for (x, pressed) in [(0.0, Some(true)), (150.0, None), (400.0, None), (0.0, None)] {
        let at = from + vec2(x, 0.0);
        let mut events = vec![rails::moved(at)];
        events.extend(pressed.map(|pressed| rails::button(at, pressed)));
        for (index, edit) in draw(&ctx, &odd, events) {
            odd.set(index, edit.value).expect("a direction");
        }
        highest = highest.max(odd.way[1]);
    }
    assert_eq!(highest, 1.0, "straight up");
    let after = azimuth(&odd);
    assert!(
        (after - before).abs() < 1.0 && odd.way[1] < 0.9,
        "{after}, not {before}"
    );
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
            keyed: false,
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
            keyed: false,
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
    // A body's place and its sizes alike.
    let body = Collider::default();
    let three = |v| Value::Vector(v);
    assert_eq!(words(&body, "radius", real(0.048)), "4.8 cm");
    assert_eq!(words(&body, "radius", real(5.0)), "500 cm");
    assert_eq!(
        words(&body, "centre", three([0.012, -0.3, 0.0])),
        "1.2, -30, 0 cm"
    );
    assert_eq!(
        words(&body, "rotation", three([0.0, 90.0, -5.5])),
        "0, 90, -5.5°"
    );
    assert_eq!(
        words(&scene.look, "dye", three([0.0, 0.08, 0.0])),
        "0, 0.08, 0"
    );
    assert_eq!(words(&scene.sim.fan, "reach", real(0.5)), "50 cm");
    assert_eq!(words(&scene.camera, "distance", real(1.25)), "1.25 m");
}

#[test]
fn three_numbers_name_their_unit() {
    let (ctx, body) = (Context::default(), Collider::default());
    let at = |time: f64, events| draw_at(&ctx, &body, events, Some(time)).1;
    let texts = at(0.0, Vec::new());
    for label in ["Centre (cm)", "Radius", "Radii (cm)", "Rotation (°)"] {
        assert!(texts.contains(&label.into()), "{label}: {texts:?}");
    }
    let texts = draw_at(&ctx, &Scene::default().look, Vec::new(), None).1;
    assert!(texts.contains(&"Dye".into()), "{texts:?}");
    // The tooltip has the range, and in the same unit the default.
    let ctx = Context::default();
    let at = |time: f64, events| draw_at(&ctx, &body, events, Some(time)).1;
    at(0.0, Vec::new());
    let row = body.tunables().iter().position(|t| t.key == "radii");
    at(
        1.0,
        vec![rails::moved(last_field(&ctx, row.expect("a row")))],
    );
    let mut texts = Vec::new();
    for frame in 0..8 {
        texts = at(2.0 + f64::from(frame), Vec::new());
    }
    let fact = "each 0.1 cm to 500 cm; default 8, 5, 5 cm";
    assert!(texts.contains(&fact.into()), "{texts:?}");
}

/// Draws rows of the scene's section `id` twice; the texts of the second time.
fn texts_of(scene: &Scene, id: &str) -> Vec<String> {
    let ctx = Context::default();
    let sections = scene.sections();
    let section = sections.iter().find(|params| params.section() == id);
    let section = *section.expect("a section");
    draw(&ctx, section, Vec::new());
    draw_at(&ctx, section, Vec::new(), None).1
}

#[test]
fn a_long_path_shows_its_end_until_it_is_edited() {
    let mut scene = Scene::default();
    scene.head.file = "/home/somebody/heads/of/many/people/old_woman.obj".into();
    let texts = texts_of(&scene, "head");
    let shown = texts.iter().find(|text| text.ends_with("woman.obj"));
    let shown = shown.unwrap_or_else(|| panic!("{texts:?}"));
    assert!(
        shown.starts_with('\u{2026}') && shown.chars().count() > 15,
        "{shown}"
    );
    scene.head.file = "a.obj".into();
    assert!(texts_of(&scene, "head").contains(&"a.obj".into()));
    // In the field it is whole.
    scene.head.file = "/home/somebody/heads/of/many/people/old_woman.obj".into();
    let ctx = Context::default();
    draw(&ctx, &scene.head, Vec::new());
    let at = Pos2::new(200.0, ROW / 2.0);
    for pressed in [true, false] {
        let press = Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        draw(&ctx, &scene.head, vec![Event::PointerMoved(at), press]);
    }
    let typed = vec![Event::Text("x".into())];
    draw(&ctx, &scene.head, typed);
    let edits = draw(&ctx, &scene.head, vec![enter()]);
    let wanted = format!("{}x", scene.head.file);
    assert_eq!(
        edits.first().map(|edit| &edit.1.value),
        Some(&Value::Text(wanted))
    );
}

#[test]
fn a_zero_that_means_something_else_says_so_and_is_kept_when_it_is_looked_into() {
    let scene = Scene::default();
    let texts = texts_of(&scene, "import");
    for word in ["as found", "as in file"] {
        assert!(texts.contains(&word.into()), "{word}: {texts:?}");
    }
    let row = scene
        .import
        .tunables()
        .iter()
        .position(|t| t.key == "guides");
    let ctx = Context::default();
    draw(&ctx, &scene.import, Vec::new());
    let at = last_field(&ctx, row.expect("a row"));
    assert!(click(&ctx, &scene.import, at).is_empty());
    let mut edits = draw(&ctx, &scene.import, vec![enter()]);
    edits.extend(draw(&ctx, &scene.import, Vec::new()));
    assert!(edits.is_empty(), "{edits:?}");
    let typed = Typed::new("", 0.0..=9.0).zero(Some("as in file"));
    assert_eq!(typed.number("as in file"), Ok(0.0));
    assert!(typed.number("as in life").is_err());
}

#[test]
fn what_a_dye_absorbs_says_of_which_colour() {
    let texts = texts_of(&Scene::default(), "look");
    for letter in ["R ", "G ", "B "] {
        let any = texts.iter().any(|text| text.starts_with(letter));
        assert!(any, "{letter}: {texts:?}");
    }
}
