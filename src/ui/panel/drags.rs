//! Every slider of the whole panel, dragged: a drag must not lose its slider
//! because something else in the panel comes or goes meanwhile.

use super::{Tab, input::PanelInput, show, table::SECTIONS};
use crate::{
    param::{Kind, Params, Value},
    project::history::ChangeTarget,
    sim::{collider::Shape, solver::SOLVERS},
    ui::{
        app_state::AppState,
        command::Command,
        theme,
        widgets::rails::{self, Rail, button, handle_at_default, moved, number},
    },
};
use egui::{Context, Event, Id, Pos2, RawInput, Rect, Shape as Drawn, vec2};

/// Room for the whole panel with everything open.
const TALL: f32 = 12_000.0;
const WIDE: f32 = 1280.0;

/// One frame of the panel in a window of that height after these events: what
/// was asked for, and the texts that are drawn.
fn frame(
    ctx: &Context,
    program: &AppState,
    tall: f32,
    events: Vec<Event>,
) -> (Vec<Command>, Vec<(String, Rect)>) {
    let mut commands = Vec::new();
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(WIDE, tall))),
        events,
        ..RawInput::default()
    };
    let output = ctx.run_ui(input, |ui| {
        commands.clear();
        let input = PanelInput::of(&program.document, &program.session, &program.ui);
        show(ui, input, &mut commands);
    });
    let texts = output.shapes.iter().filter_map(|clipped| {
        let Drawn::Text(text) = &clipped.shape else {
            return None;
        };
        let seen = text.visual_bounding_rect().intersect(clipped.clip_rect);
        let all = text.galley.text().to_string();
        (seen.height() > 6.0).then_some((all, seen))
    });
    (commands, texts.collect())
}

fn whole_panel(ctx: &Context, program: &AppState, events: Vec<Event>) -> Vec<Command> {
    frame(ctx, program, TALL, events).0
}

/// What the slider changes.
fn target(program: &AppState, rail: &Rail) -> ChangeTarget {
    let body = rail.name.strip_prefix("collider.");
    let of_body = |key: &str| {
        let tunables = program.document.scene().sim.colliders[0].tunables();
        let index = tunables.iter().position(|tunable| tunable.key == key);
        let index = index.expect("a key of a body");
        ChangeTarget::ColliderTunable { row: 0, index }
    };
    let scene = program.document.scene();
    body.map_or_else(|| scene.place(&rail.name).expect("a name").into(), of_body)
}

fn value(program: &AppState, target: ChangeTarget) -> Value {
    let scene = program.document.scene();
    match target {
        ChangeTarget::Tunable((section, index)) => scene.sections()[section].get(index),
        ChangeTarget::ColliderTunable { row, index } => scene.sim.colliders[row].get(index),
        other => panic!("{other:?} is no slider's"),
    }
}

fn put(program: &mut AppState, target: ChangeTarget, value: Value) {
    let scene = program.document.scene_mut();
    let done = match target {
        ChangeTarget::Tunable((section, index)) => scene.sections_mut()[section].set(index, value),
        ChangeTarget::ColliderTunable { row, index } => scene.sim.colliders[row].set(index, value),
        other => panic!("{other:?} is no slider's"),
    };
    done.expect("a value within its range");
}

/// Drags one slider from its default to both ends and back, in one drag.
/// Answers whether it came through its default exactly.
fn drag(ctx: &Context, program: &mut AppState, rail: &Rail) -> bool {
    let target = target(program, rail);
    let name = &rail.name;
    let default = rail.tunable.default.clone();
    let (least, most) = match &rail.tunable.kind {
        Kind::Float { range, .. } => (*range.start(), *range.end()),
        Kind::Int { range, .. } => (*range.start() as f64, *range.end() as f64),
        kind => panic!("{name}: a slider of {kind:?}"),
    };
    put(program, target, default.clone());
    whole_panel(ctx, program, Vec::new());
    let rect = rail.rect;
    let start = rect.left() + handle_at_default(rail);
    let middle = |end: f32| 0.5 * (start + end);
    let at = |x: f32| Pos2::new(x, rect.center().y);

    let mut through = false;
    let mut last = number(&default);
    let stops = [
        (start, None),
        (middle(rect.left()), None),
        (rect.left() - 30.0, Some(least)),
        (start, Some(f64::NAN)),
        (middle(rect.right()), None),
        (rect.right() + 30.0, Some(most)),
        (middle(rect.right()), None),
        (start, Some(f64::NAN)),
        (rect.left() - 30.0, Some(least)),
        (rect.right() + 30.0, Some(most)),
    ];
    let mut pressed_at: Option<f64> = None;
    let mut from = start;
    for (step, (x, wanted)) in stops.into_iter().enumerate() {
        let mut events = vec![moved(at(x))];
        if step == 0 {
            events.push(button(at(x), true));
        }
        for command in whole_panel(ctx, program, events) {
            let (set, value, held) = match command {
                Command::Set { place, value, held } => (place.into(), value, held),
                Command::SetOfBody {
                    row,
                    index,
                    value,
                    held,
                } => (ChangeTarget::ColliderTunable { row, index }, value, held),
                other => panic!("{name}, stop {step}: {other:?}"),
            };
            assert_eq!(set, target, "{name}, stop {step}: another parameter moves");
            assert!(held, "{name}, stop {step}: the button is down");
            put(program, target, value);
        }
        let now = number(&value(program, target));
        let slack = 1e-6 * (most - least);
        let follows = match x < from {
            true => now <= last + slack,
            false => now >= last - slack || step == 0,
        };
        assert!(follows, "{name}, stop {step}: {last}, then {now}");
        match (wanted, pressed_at) {
            (Some(end), _) if end.is_finite() => assert!(
                (now - end).abs() <= slack,
                "{name}, stop {step}: {now} and not {end}: the drag has lost its slider"
            ),
            (Some(_), Some(pressed)) => assert!(
                (now - pressed).abs() <= slack,
                "{name}, stop {step}: {now} where it was {pressed}"
            ),
            _ => {}
        }
        if step == 0 {
            pressed_at = Some(now);
        }
        through |= step == 3 && value(program, target) == default;
        (last, from) = (now, x);
    }
    let loose = whole_panel(ctx, program, vec![button(at(from), false)]);
    assert!(loose.is_empty(), "{name}, released: {loose:?}");
    put(program, target, default);
    whole_panel(ctx, program, vec![moved(Pos2::new(5.0, 5.0))]);
    through
}

/// Drags all sliders that are in the panel now, but for those that were dragged.
fn drag_all(ctx: &Context, program: &mut AppState, dragged: &mut Vec<String>) -> usize {
    for _ in 0..3 {
        whole_panel(ctx, program, Vec::new());
    }
    let mut through = 0;
    for rail in rails::all(ctx) {
        if dragged.contains(&rail.name) {
            continue;
        }
        through += usize::from(drag(ctx, program, &rail));
        dragged.push(rail.name);
    }
    through
}

#[test]
fn every_slider_of_the_panel_holds_on_to_the_mouse() {
    let mut program = AppState::small();
    program.perform(Command::AddBody(Shape::Capsule));
    program.perform(Command::ShowTab(Tab::All));
    for section in SECTIONS.iter() {
        program.perform(Command::Fold(section.id, true));
    }
    let (ctx, mut dragged, mut through) = (Context::default(), Vec::new(), 0);
    theme::apply(&ctx);
    for method in SOLVERS.iter() {
        program.document.scene_mut().sim.step.solver = method.id.into();
        through += drag_all(&ctx, &mut program, &mut dragged);
    }
    // Its rows take the place of those that place the key light.
    program.document.scene_mut().light.environment = "overcast".into();
    through += drag_all(&ctx, &mut program, &mut dragged);
    let numbers = |params: &&dyn Params| {
        let tunables = params.tunables().into_iter();
        let section = params.section();
        let sliders = tunables.filter(|t| matches!(t.kind, Kind::Float { .. } | Kind::Int { .. }));
        sliders
            .map(|t| format!("{section}.{}", t.key))
            .collect::<Vec<_>>()
    };
    let sections = program.document.scene().sections();
    let own = sections.iter().filter(|params| {
        let id = params.section();
        id != "compare" && !id.starts_with("b.")
    });
    for name in own.flat_map(numbers) {
        assert!(dragged.contains(&name), "{name} was not in the panel");
    }
    assert!(
        2 * through > dragged.len(),
        "only {through} of {} drags came back to the default itself",
        dragged.len()
    );
}

#[test]
fn every_slider_of_the_basic_controls_holds_on_to_the_mouse() {
    let mut program = AppState::small();
    let (ctx, mut dragged) = (Context::default(), Vec::new());
    theme::apply(&ctx);
    // A drag of the wind's slider would turn it on.
    program.document.scene_mut().sim.wind.on = true;
    drag_all(&ctx, &mut program, &mut dragged);
    dragged.sort_unstable();
    let wanted = [
        "cohesion.hold",
        "forces.gravity",
        "groom.curl_radius",
        "groom.length",
        "groom.trim",
        "sim.softness",
        "wind.strength",
    ];
    assert_eq!(dragged, wanted);
}

#[test]
fn the_basic_controls_are_all_seen_in_a_window_of_usual_size() {
    let program = AppState::small();
    let ctx = Context::default();
    theme::apply(&ctx);
    // The status line takes the rest of 720 points.
    let mut texts = Vec::new();
    for _ in 0..4 {
        texts = frame(&ctx, &program, 694.0, Vec::new()).1;
    }
    for wanted in [
        "Open an example scene …",
        "Curly",
        "Length",
        "Cut level at",
        "Curl radius",
        "Holds together",
        "Softness to wiriness",
        "Wind",
        "Gravity",
        "Head-bang",
        "Position Based Dynamics",
        "fast",
        "Record frames",
        "Size",
    ] {
        assert!(middle(&texts, wanted).is_some(), "{wanted}: {texts:?}");
    }
    let [content, seen]: [f32; 2] = ctx
        .data(|data| data.get_temp(Id::unique("room")))
        .expect("a panel");
    assert!(content <= seen, "{content} points of controls in {seen}");
    // In a low window the recording is seen, and what stands under it is not.
    let low = frame(&ctx, &program, 574.0, Vec::new()).1;
    assert!(middle(&low, "Record frames").is_some(), "{low:?}");
}

#[test]
fn the_basic_controls_stand_where_they_are_in_every_scene() {
    let ctx = Context::default();
    theme::apply(&ctx);
    let places = |program: &AppState| {
        let mut texts = Vec::new();
        for _ in 0..4 {
            texts = frame(&ctx, program, 694.0, Vec::new()).1;
        }
        let wanted = [
            "Curl radius",
            "Gravity",
            "Head-bang",
            "Record frames",
            "Size",
        ];
        wanted.map(|wanted| middle(&texts, wanted).expect(wanted))
    };
    let mut program = AppState::small();
    let grown = places(&program);
    program.document.scene_mut().groom.trim = 0.2;
    assert_eq!(places(&program), grown, "hair that is cut level");
    program.document.scene_mut().import.file = "groom.abc".into();
    assert_eq!(places(&program), grown, "hair from a file");
}

/// The middle of the text that is drawn, if it is.
fn middle(texts: &[(String, Rect)], wanted: &str) -> Option<Pos2> {
    let found = texts.iter().find(|(text, _)| text == wanted);
    found.map(|(_, rect)| rect.center())
}

/// Clicks there.
fn click(ctx: &Context, program: &mut AppState, at: Pos2) {
    for events in [
        vec![moved(at)],
        vec![button(at, true)],
        vec![button(at, false)],
    ] {
        for command in frame(ctx, program, 694.0, events).0 {
            program.perform(command);
        }
    }
}

#[test]
fn somebody_looks_for_a_parameter_and_goes_to_its_section() {
    let mut program = AppState::small();
    let ctx = Context::default();
    theme::apply(&ctx);
    let look = |program: &AppState, events| {
        // Sections open slowly.
        for _ in 0..20 {
            frame(&ctx, program, 694.0, Vec::new());
        }
        frame(&ctx, program, 694.0, events).1
    };
    // Nothing of the fan is among the basic controls.
    assert_eq!(middle(&look(&program, Vec::new()), "Fan"), None);
    program.perform(Command::Find);
    look(&program, Vec::new());
    look(&program, vec![Event::Text("spreads".into())]);
    let texts = look(&program, Vec::new());
    assert!(
        middle(&texts, "Width").is_some(),
        "by its tooltip: {texts:?}"
    );
    assert_eq!(middle(&texts, "Reach"), None, "{texts:?}");
    let header = middle(&texts, "Fan").expect("its section");
    // A click on its header ends the search and shows all of the section.
    click(&ctx, &mut program, header);
    let texts = look(&program, Vec::new());
    for wanted in ["Fan", "Width", "Reach", "Place forward"] {
        assert!(middle(&texts, wanted).is_some(), "{wanted}: {texts:?}");
    }
    assert_eq!(program.ui.panel.tab(), Tab::All);
    // Another one folds it.
    let header = middle(&texts, "Fan").expect("its section");
    click(&ctx, &mut program, header);
    let texts = look(&program, Vec::new());
    assert_eq!(middle(&texts, "Reach"), None, "{texts:?}");
    assert!(!program.ui.panel.is_open("fan", true));
}

#[test]
fn a_method_that_is_not_in_use_is_found_and_says_so() {
    let mut program = AppState::small();
    let ctx = Context::default();
    theme::apply(&ctx);
    program.perform(Command::Find);
    for _ in 0..20 {
        frame(&ctx, &program, 694.0, Vec::new());
    }
    frame(
        &ctx,
        &program,
        694.0,
        vec![Event::Text("newton passes".into())],
    );
    let mut texts = Vec::new();
    for _ in 0..20 {
        texts = frame(&ctx, &program, 694.0, Vec::new()).1;
    }
    for wanted in ["Rod solver", "not in use", "Newton passes"] {
        assert!(middle(&texts, wanted).is_some(), "{wanted}: {texts:?}");
    }
    // What nobody finds is answered with what is nearest.
    frame(&ctx, &program, 694.0, vec![Event::Text("q".into())]);
    texts = frame(&ctx, &program, 694.0, Vec::new()).1;
    assert!(
        texts.iter().any(|text| text.0.starts_with("Did you mean")),
        "{texts:?}"
    );
}

#[test]
fn a_drag_of_the_wind_turns_it_on() {
    let mut program = AppState::small();
    let ctx = Context::default();
    theme::apply(&ctx);
    assert!(!program.document.scene().sim.wind.on);
    for _ in 0..3 {
        whole_panel(&ctx, &program, Vec::new());
    }
    let rail = rails::all(&ctx)
        .into_iter()
        .find(|rail| rail.name == "wind.strength");
    let rect = rail.expect("the wind").rect;
    let at = Pos2::new(rect.right() - 12.0, rect.center().y);
    for command in whole_panel(&ctx, &program, vec![moved(at), button(at, true)]) {
        program.perform(command);
    }
    let wind = &program.document.scene().sim.wind;
    assert!(wind.on && wind.strength > 30.0, "{}", wind.strength);
}
