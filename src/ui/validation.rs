//! The panel's section in which a method is put through the validation,
//! and what came of it is seen beside the theory.

use super::{command::Command, curves, theme};
use crate::{
    io::validation_table,
    lab::validate::{self, MethodRun, STRETCH, TESTS, ValidationReport, ValidationRow},
    session::validation_job::ValidationJob,
    sim::solver::{Method, SOLVERS},
};
use egui::{
    Align, Align2, Button, Color32, FontId, Id, ProgressBar, RichText, Sense, Stroke, Ui, pos2,
    vec2,
};
use std::time::Duration;

/// What passes.
const GOOD: Color32 = Color32::from_rgb(126, 178, 98);

/// The colours of the methods, in the order of their table: none that stands for a side,
/// for theory or for what passes.
const COLOURS: [Color32; 6] = [
    Color32::from_rgb(222, 128, 170),
    Color32::from_rgb(214, 190, 92),
    Color32::from_rgb(164, 136, 220),
    Color32::from_rgb(186, 214, 130),
    Color32::from_rgb(188, 150, 120),
    Color32::from_rgb(92, 190, 180),
];

/// The colour that a method has in table and curves; its variants are paler.
pub fn colour(solver: &str, variant: Option<&str>) -> Color32 {
    let place = SOLVERS.iter().position(|method| method.id == solver);
    let colour = COLOURS[place.unwrap_or(0) % COLOURS.len()];
    match variant {
        None => colour,
        Some(_) => colour.lerp_to_gamma(Color32::WHITE, 0.45),
    }
}

/// Draws the section for the method that moves the hair now.
pub fn show(ui: &mut Ui, validation: &ValidationJob, method: &Method, commands: &mut Vec<Command>) {
    match validation.running() {
        Some((subject, done, of)) => {
            ui.horizontal(|ui| {
                let name = subject.method.name;
                let text = format!("{name}: {done} of {of} tests");
                let width = ui.available_width() - 20.0 - 70.0 - ui.spacing().item_spacing.x;
                ui.add(
                    ProgressBar::new(done as f32 / of as f32)
                        .desired_width(width)
                        .desired_height(24.0)
                        .fill(theme::ACCENT_DIM)
                        .corner_radius(4)
                        .text(RichText::new(text).small()),
                );
                if ui.add_sized([70.0, 24.0], Button::new("Cancel")).clicked() {
                    commands.push(Command::Validate);
                }
            });
            ui.ctx().request_repaint_after(Duration::from_millis(100));
        }
        None => {
            let button = Button::new(format!("Validate {}", method.name));
            if ui
                .add_sized([ui.available_width() - 20.0, 26.0], button)
                .on_hover_text(
                    "A few seconds in the background: rod theory against this method, in fewer and \
                     shorter tests than docs/validation.md has",
                )
                .clicked()
            {
                commands.push(Command::Validate);
            }
        }
    }
    let reports: Vec<&ValidationReport> = SOLVERS
        .iter()
        .flat_map(MethodRun::all_of)
        .filter_map(|subject| {
            let mut reports = validation.reports().iter();
            reports.find(|report| report.label() == subject.label())
        })
        .collect();
    let note = match reports.is_empty() {
        true => format!(
            "{} tests with known answers, shortened: lovelock validate has all of each",
            TESTS.len()
        ),
        false => {
            "Of the cases that are quick. A method that passes here may fail in others: quote \
                  what lovelock validate or docs/validation.md says"
                .into()
        }
    };
    let note = RichText::new(note).small().color(theme::WEAK);
    ui.add(egui::Label::new(note).wrap());
    if reports.is_empty() {
        return;
    }
    taken_out(ui, &reports, commands);
    ui.add_space(2.0);
    table(ui, &reports);
}

/// Buttons that take all results out, as a table.
fn taken_out(ui: &mut Ui, reports: &[&ValidationReport], commands: &mut Vec<Command>) {
    let table = || validation_table::csv(reports.iter().copied());
    ui.horizontal(|ui| {
        let copy = ui.small_button("Copy as CSV");
        if copy
            .on_hover_text("All results of these methods, a row a case, for a spreadsheet")
            .clicked()
        {
            ui.ctx().copy_text(table());
        }
        let save = ui.small_button("Save as CSV");
        if save
            .on_hover_text("The same into the folder of recordings, numbered")
            .clicked()
        {
            commands.push(Command::SaveTable("validation", table()));
        }
    });
}

/// The test whose curve is shown; none where none is.
type OpenTest = Option<&'static str>;

/// One line a test, one column a method. Under the line of the test that is open stand its
/// curve and its cases; a click opens another one, or closes that one.
fn table(ui: &mut Ui, reports: &[&ValidationReport]) {
    let id = Id::unique("validation: test");
    let open: OpenTest = ui
        .data(|data| data.get_temp(id))
        .unwrap_or(Some(TESTS[0].id));
    let scroll: OpenTest = ui.data_mut(|data| data.remove_temp(id.with("opened")));
    let width = ui.available_width() - 20.0;
    let column = 58.0;
    let small = FontId::proportional(11.0);
    let line =
        |ui: &mut Ui, height: f32, sense: Sense| ui.allocate_exact_size(vec2(width, height), sense);
    ui.spacing_mut().item_spacing.y = 0.0;
    let (head, _) = line(ui, 18.0, Sense::hover());
    let right = |index: usize| head.right() - column * (reports.len() - 1 - index) as f32 - 6.0;
    for (index, report) in reports.iter().enumerate() {
        ui.painter().text(
            pos2(right(index), head.center().y),
            Align2::RIGHT_CENTER,
            report.label(),
            small.clone(),
            colour(report.solver, report.variant),
        );
    }
    let mut group = "";
    let all = TESTS
        .iter()
        .map(|test| (test.id, test.name, test.group))
        .chain([(STRETCH, "Stretch in all of them", "Length")]);
    for (test, name, of) in all {
        if group != of {
            group = of;
            let (rect, _) = line(ui, 17.0, Sense::hover());
            let heading = FontId::proportional(10.5);
            let place = pos2(rect.left() + 2.0, rect.bottom() - 3.0);
            ui.painter()
                .text(place, Align2::LEFT_BOTTOM, of, heading, theme::WEAK);
        }
        let (rect, response) = line(ui, 20.0, Sense::click());
        let is_open = open == Some(test);
        if response.clicked() {
            let now = (!is_open).then_some(test);
            ui.data_mut(|data| {
                data.insert_temp::<OpenTest>(id, now);
                data.insert_temp(id.with("opened"), test);
            });
            ui.ctx().request_repaint();
        }
        // What was open above may have gone: the line stays in sight.
        if scroll == Some(test) {
            response.scroll_to_me(is_open.then_some(Align::TOP));
        }
        let fill = match (is_open, response.hovered()) {
            (true, _) => theme::FIELD,
            (_, true) => theme::RAISED,
            _ => theme::GROUND,
        };
        ui.painter().rect_filled(rect, 3, fill);
        let middle = rect.center().y;
        ui.painter().text(
            pos2(rect.left() + 8.0, middle),
            Align2::LEFT_CENTER,
            name,
            FontId::proportional(13.0),
            theme::TEXT,
        );
        for (index, report) in reports.iter().enumerate() {
            let rows = report.rows.iter();
            let rows = || rows.clone().filter(|row| row.test == test && row.applies);
            let (passed, count) = (rows().filter(|row| row.pass).count(), rows().count());
            verdict(ui, right(index), middle, passed, count);
        }
        response.on_hover_text(match is_open {
            true => "Click to close",
            false => "Click for its curve and its cases",
        });
        if is_open {
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                ui.add_space(3.0);
                details(ui, test, reports);
                ui.add_space(4.0);
            });
        }
    }
    ui.spacing_mut().item_spacing.y = 3.0;
}

/// How many passed, and a lamp: green for all, red for none, amber between.
fn verdict(ui: &Ui, right: f32, middle: f32, passed: usize, count: usize) {
    let amber = ui.visuals().warn_fg_color;
    let lamp = match passed {
        _ if count == 0 => theme::WEAK,
        _ if passed == count => GOOD,
        0 => theme::ERROR,
        _ => amber,
    };
    let painter = ui.painter();
    painter.circle_filled(pos2(right - 3.0, middle), 3.5, lamp);
    painter.text(
        pos2(right - 11.0, middle),
        Align2::RIGHT_CENTER,
        match count {
            0 => "–".into(),
            _ => format!("{passed}/{count}"),
        },
        FontId::proportional(11.0),
        theme::TEXT,
    );
}

/// The curve of a test and its rows.
fn details(ui: &mut Ui, test: &'static str, reports: &[&ValidationReport]) {
    let about = TESTS
        .iter()
        .find(|known| known.id == test)
        .map_or("Segments keep their length in every test", |test| {
            test.about
        });
    ui.add(egui::Label::new(RichText::new(about).color(theme::WEAK)).wrap());
    curves::show(ui, test, reports);
    // The same rows side by side: what is measured differs, cases do not.
    let rows = |report: &ValidationReport| -> Vec<ValidationRow> {
        let of_test = report.rows.iter().filter(|row| row.test == test);
        of_test.cloned().collect()
    };
    let all: Vec<Vec<ValidationRow>> = reports.iter().map(|report| rows(report)).collect();
    let most = all.iter().map(Vec::len).max().unwrap_or(0);
    for index in 0..most {
        let beside: Vec<&ValidationRow> = all.iter().filter_map(|rows| rows.get(index)).collect();
        if let Some(first) = beside.first() {
            compare(ui, first, &beside);
        }
    }
}

/// One case: what is compared, what theory says, what each method did.
fn compare(ui: &mut Ui, first: &ValidationRow, beside: &[&ValidationRow]) {
    ui.add_space(3.0);
    let (case, _) = first.case.split_once(';').unwrap_or((&first.case, ""));
    ui.add(egui::Label::new(RichText::new(case).small().color(theme::WEAK)).wrap());
    let width = ui.available_width() - 20.0;
    for row in beside {
        let (rect, response) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
        let painter = ui.painter();
        let middle = rect.center().y;
        let text = |x: f32, anchor: Align2, text: String, colour: Color32| {
            let font = FontId::proportional(12.0);
            painter.text(pos2(x, middle), anchor, text, font, colour);
        };
        let number = |value: Option<f64>| value.map_or_else(|| "–".into(), validate::number);
        let lamp = match (row.applies, row.pass) {
            (false, _) => theme::WEAK,
            (true, true) => GOOD,
            (true, false) => theme::ERROR,
        };
        painter.circle_filled(pos2(rect.left() + 5.0, middle), 3.5, lamp);
        let left = rect.left();
        let name = validate::label(row.solver, row.variant);
        text(
            left + 14.0,
            Align2::LEFT_CENTER,
            name,
            colour(row.solver, row.variant),
        );
        let measured = number(row.measured);
        text(
            left + 0.40 * width,
            Align2::RIGHT_CENTER,
            measured,
            theme::TEXT,
        );
        let wanted = match row.reference {
            Some(reference) => format!("theory {}", validate::number(reference)),
            None => row.allowed_text(),
        };
        text(
            left + 0.72 * width,
            Align2::RIGHT_CENTER,
            wanted,
            theme::WEAK,
        );
        let error = match row.error {
            Some(_) => format!("off {}", row.error_text()),
            None if !row.applies => row.verdict().into(),
            None => String::new(),
        };
        let shade = if row.pass { theme::WEAK } else { theme::ERROR };
        text(left + width - 4.0, Align2::RIGHT_CENTER, error, shade);
        response.on_hover_text(format!("{}; allowed {}", row.case, row.allowed_text()));
    }
    let line = ui.min_rect();
    let y = line.bottom() + 2.0;
    let stroke = Stroke::new(1.0, theme::RAISED);
    ui.painter()
        .hline(line.left()..=line.left() + width, y, stroke);
    ui.add_space(2.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect};
    use std::time::Instant;

    /// Draws the section after these events; what was asked for, and all text.
    fn draw(
        ctx: &Context,
        validation: &ValidationJob,
        events: Vec<Event>,
    ) -> (Vec<Command>, String) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(330.0, 2000.0))),
            events,
            ..RawInput::default()
        };
        let mut commands = Vec::new();
        let output = ctx.run_ui(input, |ui| {
            commands.clear();
            show(ui, validation, &SOLVERS[0], &mut commands);
        });
        let mut text = String::new();
        for shape in output.shapes {
            collect(&shape.shape, &mut text);
        }
        (commands, text)
    }

    fn collect(shape: &egui::Shape, text: &mut String) {
        match shape {
            egui::Shape::Text(found) => {
                *text += found.galley.text();
                *text += "\n";
            }
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, text)),
            _ => {}
        }
    }

    fn click(ctx: &Context, validation: &ValidationJob, pos: Pos2) -> (Vec<Command>, String) {
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        draw(ctx, validation, vec![Event::PointerMoved(pos)]);
        draw(ctx, validation, vec![button(true)]);
        draw(ctx, validation, vec![button(false)])
    }

    #[test]
    fn a_person_starts_it_and_sees_what_came_of_it() {
        let ctx = Context::default();
        let mut validation = ValidationJob::default();
        let (_, text) = draw(&ctx, &validation, Vec::new());
        assert!(text.contains("Validate Position Based Dynamics"), "{text}");
        let (commands, _) = click(&ctx, &validation, pos2(150.0, 20.0));
        assert_eq!(commands, [Command::Validate]);
        let first = MethodRun::all_of(&SOLVERS[0]).next();
        validation.start(first.expect("itself")).expect("a thread");
        let (_, text) = draw(&ctx, &validation, Vec::new());
        assert!(
            text.contains(&format!("of {} tests", TESTS.len())) && text.contains("Cancel"),
            "{text}"
        );
        let begun = Instant::now();
        while validation.running().is_some() {
            validation.poll().expect("no fault");
            assert!(begun.elapsed().as_secs() < 120, "it never ends");
            std::thread::sleep(Duration::from_millis(5));
        }
        let (_, text) = draw(&ctx, &validation, Vec::new());
        for wanted in [
            "Cantilever",
            "0/5",
            "Incline",
            "12/12",
            "elastica",
            "weight/stiffness",
        ] {
            assert!(text.contains(wanted), "{wanted} is not to be seen: {text}");
        }
        // What came of it can be taken out.
        assert!(text.contains("Copy as CSV"), "{text}");
        let saved = (40..110).step_by(4).find_map(|y| {
            let (commands, _) = click(&ctx, &validation, pos2(130.0, y as f32));
            commands.into_iter().find_map(|command| match command {
                Command::SaveTable(name, table) => Some((name, table)),
                _ => None,
            })
        });
        let (name, table) = saved.expect("a button");
        assert_eq!(name, "validation");
        assert!(
            table.starts_with("solver,") && table.contains("\npbd,,cantilever,"),
            "{table}"
        );
        // Another line of the table shows another test.
        assert!(!text.contains("second order"));
        let seen: Vec<String> = (40..900)
            .step_by(10)
            .map(|y| click(&ctx, &validation, pos2(100.0, y as f32)).1)
            .collect();
        assert!(seen.iter().any(|text| text.contains("second order")));
        // What is open stands under its own line, before the next one.
        let place = |text: &str, word: &str| text.find(word).expect(word);
        ctx.data_mut(|data| {
            data.insert_temp::<OpenTest>(Id::unique("validation: test"), Some("cantilever"));
        });
        let (_, text) = draw(&ctx, &validation, Vec::new());
        let row = place(&text, "Cantilever");
        let next = place(&text, "Incline");
        assert!((row..next).contains(&place(&text, "elastica")), "{text}");
    }
}
