//! Messages that come, merge, fold and go.

use super::*;
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect};

/// Draws them at that time `[s]`; what was chosen, and where each text is.
fn draw(
    ctx: &Context,
    toasts: &mut Toasts,
    time: f64,
    events: Vec<Event>,
) -> (Option<Command>, Vec<(String, Pos2)>) {
    let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 700.0));
    let input = RawInput {
        screen_rect: Some(viewport),
        time: Some(time),
        events,
        ..RawInput::default()
    };
    let mut chosen = None;
    let output = ctx.run_ui(input, |ui| {
        let mut corner = MessageCorner::of(viewport, None).expect("room");
        chosen = toasts.show(ui.ctx(), &mut corner, false).or(chosen.take());
    });
    let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) => Some((
            text.galley.text().to_string(),
            shape.shape.visual_bounding_rect().center(),
        )),
        _ => None,
    });
    (chosen, texts.collect())
}

#[test]
fn while_a_dialog_asks_all_but_errors_wait() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.tell("saved");
    toasts.warn("odd");
    toasts.error("wrong");
    let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 700.0));
    for _ in 0..2 {
        let output = ctx.run_ui(RawInput::default(), |ui| {
            let mut corner = MessageCorner::of(viewport, None).expect("room");
            toasts.show(ui.ctx(), &mut corner, true);
        });
        let text = format!("{:?}", output.shapes);
        assert!(!text.contains("saved") && !text.contains("odd"));
    }
    assert!(toasts.list.iter().all(|toast| toast.until.is_none()));
    let mut all = texts(&ctx, &mut toasts, 1.0);
    all.sort();
    assert_eq!(all, ["odd", "saved", "wrong"]);
}

fn texts(ctx: &Context, toasts: &mut Toasts, time: f64) -> Vec<String> {
    draw(ctx, toasts, time, Vec::new());
    let (_, shown) = draw(ctx, toasts, time + 0.01, Vec::new());
    shown.into_iter().map(|(text, _)| text).collect()
}

#[test]
fn news_goes_and_what_is_wrong_stays_until_it_is_dismissed() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.tell("saved");
    toasts.warn("odd");
    toasts.error("wrong");
    assert_eq!(texts(&ctx, &mut toasts, 1.0), ["saved", "odd", "wrong"]);
    assert_eq!(texts(&ctx, &mut toasts, 600.0), ["odd", "wrong"]);
    // However much is told, what is wrong is not pushed out by it.
    for i in 0..20 {
        toasts.tell(format!("news {i}"));
    }
    let shown = texts(&ctx, &mut toasts, 601.0);
    assert!(shown.contains(&"wrong".into()) && shown.contains(&"odd".into()));
    assert!(shown.contains(&"news 19".into()), "{shown:?}");
    for i in 0..6 {
        toasts.error(format!("worse {i}"));
    }
    let shown = texts(&ctx, &mut toasts, 900.0);
    assert_eq!(shown[..3], ["worse 3", "worse 4", "worse 5"]);
    assert!(shown.contains(&"5 more".into()), "{shown:?}");
    for _ in 0..8 {
        assert!(toasts.dismiss());
    }
    assert!(!toasts.dismiss(), "nothing was lost, nothing is left");
    toasts.failure("no such head");
    toasts.ask("how tall is it?");
    toasts.forgive();
    assert!(!toasts.dismiss(), "a later build has settled both");
    let fit = || vec![("Fit".to_string(), Command::FitGroom)];
    toasts.offer("a groom is off", fit());
    toasts.offer("another groom is off", fit());
    assert!(toasts.dismiss() && !toasts.dismiss(), "it took its place");
    toasts.warn("odd: one");
    toasts.warn("wrong");
    toasts.retract("odd");
    assert_eq!(texts(&ctx, &mut toasts, 1000.0), ["wrong"]);
}

#[test]
fn news_with_an_offer_stays_until_it_is_dismissed() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    let offers = vec![("Show folder".to_string(), Command::Undo)];
    toasts.report("exported", offers);
    toasts.tell("saved");
    for time in [0.0, 1000.0] {
        texts(&ctx, &mut toasts, time);
    }
    assert_eq!(
        texts(&ctx, &mut toasts, 2000.0),
        ["exported", "Show folder"]
    );
    assert!(toasts.dismiss() && !toasts.dismiss());
}

#[test]
fn an_offer_is_taken_with_a_click_and_is_gone() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    let offers = vec![
        ("Less".to_string(), Command::Reset),
        ("Other".to_string(), Command::Panel),
    ];
    toasts.offer("too slow", offers);
    draw(&ctx, &mut toasts, 1.0, Vec::new());
    let (_, shown) = draw(&ctx, &mut toasts, 100.0, Vec::new());
    let pos = shown.iter().find(|(text, _)| text == "Other").map(|s| s.1);
    let pos = pos.expect("a button");
    let button = |pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    draw(&ctx, &mut toasts, 100.1, vec![Event::PointerMoved(pos)]);
    draw(&ctx, &mut toasts, 100.2, vec![button(true)]);
    let (chosen, _) = draw(&ctx, &mut toasts, 100.3, vec![button(false)]);
    assert_eq!(chosen, Some(Command::Panel));
    assert!(!toasts.dismiss(), "it is gone");
}

#[test]
fn warnings_about_the_same_file_share_a_box() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.warn("head.obj: no texture a.png");
    toasts.tell("Opened head.obj");
    toasts.warn("head.obj: no texture b.png");
    toasts.error("head.obj: it is cut off");
    let both = "head.obj:\n\u{2022} no texture a.png\n\u{2022} no texture b.png";
    let shown = ["Opened head.obj", both, "head.obj: it is cut off"];
    assert_eq!(texts(&ctx, &mut toasts, 1.0), shown);
    // The same once more is not told twice, and each goes by itself.
    toasts.warn("head.obj: no texture b.png");
    toasts.retract("head.obj: no texture a");
    assert!(toasts.shows("head.obj: no texture b") && !toasts.shows("head.obj: no texture a"));
    toasts.retract("head.obj: ");
    assert_eq!(texts(&ctx, &mut toasts, 2.0), ["Opened head.obj"]);
}

#[test]
fn what_is_folded_unfolds_with_a_click_and_errors_come_first() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.error("wrong");
    for i in 0..5 {
        toasts.warn(format!("odd {i}"));
    }
    let few = texts(&ctx, &mut toasts, 1.0);
    assert_eq!(few[..3], ["wrong", "odd 3", "odd 4"]);
    assert!(few.contains(&"3 more".into()), "{few:?}");
    let click = |toasts: &mut Toasts, time: f64, words: &str| {
        let (_, shown) = draw(&ctx, toasts, time, Vec::new());
        let pos = shown.iter().find(|(text, _)| text == words);
        let pos = pos.unwrap_or_else(|| panic!("{words}: {shown:?}")).1;
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        for events in [
            vec![Event::PointerMoved(pos)],
            vec![button(true)],
            vec![button(false)],
        ] {
            draw(&ctx, toasts, time + 0.1, events);
        }
    };
    click(&mut toasts, 2.0, "3 more");
    let all = texts(&ctx, &mut toasts, 3.0);
    for told in [
        "wrong", "odd 0", "odd 1", "odd 2", "odd 3", "odd 4", "Fewer",
    ] {
        assert!(all.contains(&told.into()), "{told}: {all:?}");
    }
    click(&mut toasts, 4.0, "Fewer");
    assert!(texts(&ctx, &mut toasts, 5.0).contains(&"3 more".into()));
    click(&mut toasts, 6.0, "Close all");
    assert!(!toasts.dismiss(), "all are gone");
}

#[test]
fn news_that_is_longer_to_read_stays_longer_and_nothing_goes_under_the_mouse() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.tell("short");
    toasts.tell("long ".repeat(30));
    draw(&ctx, &mut toasts, 1.0, Vec::new());
    let (_, shown) = draw(&ctx, &mut toasts, 1.1, Vec::new());
    assert_eq!(shown.len(), 2);
    let (_, shown) = draw(&ctx, &mut toasts, 8.0, Vec::new());
    assert_eq!(shown.len(), 1, "the long one: {shown:?}");
    draw(
        &ctx,
        &mut toasts,
        9.5,
        vec![Event::PointerMoved(shown[0].1)],
    );
    for time in [9.8, 12.0, 20.0, 60.0] {
        let (_, shown) = draw(&ctx, &mut toasts, time, Vec::new());
        assert_eq!(shown.len(), 1, "it is being read at {time}");
    }
    draw(&ctx, &mut toasts, 60.5, vec![Event::PointerGone]);
    draw(&ctx, &mut toasts, 61.6, Vec::new());
    draw(&ctx, &mut toasts, 61.7, Vec::new());
    assert!(!toasts.dismiss());
}

#[test]
fn only_what_is_shown_is_dismissed() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    for i in 0..5 {
        toasts.error(format!("wrong {i}"));
    }
    toasts.warn("odd");
    // Folded away, the newest of all stays.
    texts(&ctx, &mut toasts, 1.0);
    assert!(toasts.dismiss() && toasts.shows("odd") && !toasts.shows("wrong 4"));

    // What waits behind a dialog outlasts "Close all".
    toasts.ask("how tall?");
    let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 700.0));
    let mut asked = |events| {
        let input = RawInput {
            screen_rect: Some(viewport),
            events,
            ..RawInput::default()
        };
        let output = ctx.run_ui(input, |ui| {
            let mut corner = MessageCorner::of(viewport, None).expect("room");
            toasts.show(ui.ctx(), &mut corner, true);
        });
        let mut shapes = output.shapes.iter();
        let words = |shape: &egui::Shape| match shape {
            egui::Shape::Text(text) => text.galley.text() == "Close all",
            _ => false,
        };
        let close = shapes.find(|shape| words(&shape.shape));
        close.map(|shape| shape.shape.visual_bounding_rect().center())
    };
    asked(Vec::new());
    asked(Vec::new());
    let pos = asked(Vec::new()).expect("a button");
    let button = |pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    asked(vec![Event::PointerMoved(pos)]);
    asked(vec![button(true)]);
    asked(vec![button(false)]);
    assert!(!toasts.shows("wrong") && toasts.shows("odd") && toasts.shows("how tall?"));
    assert!(!toasts.dismiss(), "nobody sees them yet");
}

/// A message of so many letters, in words.
fn long(letters: usize) -> String {
    "word ".repeat(letters / 5).trim().into()
}

#[test]
fn a_message_has_as_many_lines_as_it_needs_and_no_number_is_broken() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.warn(long(500));
    let viewport = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 700.0));
    let galleys = |toasts: &mut Toasts| {
        let mut galleys = Vec::new();
        for _ in 0..3 {
            let output = ctx.run_ui(RawInput::default(), |ui| {
                let mut corner = MessageCorner::of(viewport, None).expect("room");
                toasts.show(ui.ctx(), &mut corner, false);
            });
            let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
                egui::Shape::Text(text) => Some(text.galley.clone()),
                _ => None,
            });
            galleys = texts.collect();
        }
        galleys
    };
    let shown = galleys(&mut toasts);
    assert!(
        shown[0].rows.len() > 4 && !shown[0].elided,
        "{:?}",
        shown[0].text()
    );
    assert!(toasts.dismiss());
    let count = crate::ui::numbers::grouped(96_000);
    for words in 30..60 {
        toasts.warn(format!("{}{count} points", long(words)));
        let shown = galleys(&mut toasts);
        let rows = shown[0].rows.iter().map(|row| row.text());
        let rows: Vec<String> = rows.collect();
        assert!(rows.iter().any(|row| row.contains(&count)), "{rows:?}");
        assert!(toasts.dismiss());
    }
}

#[test]
fn what_was_said_can_be_read_again_the_newest_first_and_once() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    for text in ["saved", "odd", "saved"] {
        toasts.tell(text);
    }
    while toasts.dismiss() {}
    let output = ctx.run_ui(RawInput::default(), |ui| toasts.past().show(ui));
    let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_string()),
        _ => None,
    });
    let mut texts: Vec<_> = texts.collect();
    texts.retain(|text| text != "\u{2022}");
    assert_eq!(texts, ["just now, 2 times", "saved", "just now", "odd"]);
}

#[test]
fn news_that_is_read_makes_no_room_for_other_news() {
    let (ctx, mut toasts) = (Context::default(), Toasts::default());
    toasts.tell("first");
    draw(&ctx, &mut toasts, 1.0, Vec::new());
    let (_, shown) = draw(&ctx, &mut toasts, 1.1, Vec::new());
    let on_it = vec![Event::PointerMoved(shown[0].1)];
    draw(&ctx, &mut toasts, 1.2, on_it);
    draw(&ctx, &mut toasts, 1.3, Vec::new());
    for i in 0..6 {
        toasts.tell(format!("news {i}"));
    }
    assert!(toasts.shows("first") && !toasts.shows("news 0"));
}
