//! The panel's part of the groom from a file: how it lies, and what to do.

use super::{command::Command, theme};
use crate::{
    groom::{
        BindReport, ImportParams,
        fit_near::NearFit,
        fit_verdict::{FitFigures, FitVerdict},
    },
    math::length_text,
};
use egui::{Button, Color32, Context, Id, Label, Response, RichText, Sense, Shape, Ui, pos2, vec2};

/// The section of the panel.
pub const SECTION: &str = "import";
/// Its title.
pub const TITLE: &str = "Hair from a file";
/// What the button says that fits the groom, here and in the message.
pub const FIT: &str = "Fit to head";
/// How the warning begins of hair that does not fit: it advises whoever has the command line.
const MISFIT: &str = "the groom does not fit this head";
/// And that which shows the handles.
pub const PLACE: &str = "Place by hand";
/// Of hair that lies well.
const GOOD: Color32 = Color32::from_rgb(124, 190, 104);

/// Where the panel notes the groom whose fit was offered.
fn offered() -> Id {
    Id::unique("the groom that does not fit")
}

/// Whether a groom that does not lie well has just come: what helps is to be seen
/// then. True until it is [`answered`], once a file.
pub fn calls(ctx: &Context, file: &str, bound: Option<&BindReport>) -> bool {
    let doubtful = |bound: &BindReport| bound.figures.verdict() == FitVerdict::Doubtful;
    if !bound.is_some_and(|bound| bound.better.is_some() || doubtful(bound)) {
        return false;
    }
    ctx.data(|data| data.get_temp::<String>(offered()).as_deref() != Some(file))
}

/// What helps is seen.
pub fn answered(ctx: &Context, file: &str, bound: Option<&BindReport>) {
    if calls(ctx, file, bound) {
        ctx.data_mut(|data| data.insert_temp(offered(), file.to_string()));
    }
}

/// Above the rows of the section: of a groom from a file, which is empty for none, how it
/// came onto the head, and whether it `places` by handles now.
pub fn show(
    ui: &mut Ui,
    import: &ImportParams,
    bound: Option<&BindReport>,
    places: bool,
    commands: &mut Vec<Command>,
) {
    let asked = !import.file.is_empty();
    if let Some(bound) = bound.filter(|_| asked) {
        verdict(ui, bound);
        let text = format!("{}{}", bound.size, bound.simulated);
        let text = RichText::new(text).small().color(theme::WEAK);
        ui.add(Label::new(text).wrap());
        let colour = ui.visuals().warn_fg_color;
        for warning in warnings(bound).take(6) {
            ui.add(Label::new(RichText::new(warning).small().color(colour)).wrap());
        }
        if let Some(remedy) = remedy(bound) {
            ui.add(Label::new(RichText::new(remedy).small().color(colour)).wrap());
        }
        if let Some(better) = &bound.better {
            let text = RichText::new(FIT).color(Color32::WHITE);
            let button = Button::new(text).fill(theme::ACCENT_DIM);
            let hint = format!(
                "Set unit, axis, turn, scale and offset to what brings the roots nearest to the \
                 head: {better}"
            );
            if sized(ui, button).on_hover_text(hint).clicked() {
                commands.push(Command::FitGroom);
            }
        }
        // Hair that comes from another head goes where that one's does.
        if import.made_for().is_none() {
            by_hand(ui, places, commands);
        }
    }
    let mut from = vec![(
        "Open a groom …",
        "Hair from a file in place of this",
        Command::AskGroom,
    )];
    if asked {
        let hint = "Hair that the program grows, in place of that of the file";
        from.push(("Back to grown hair", hint, Command::NoGroom));
    }
    beside(ui, &from, commands);
    let carry = "The hair that is on this head now, grown or from a file, goes to the head that you \
                 choose: by its faces where both heads have the same, else by a fit";
    let export = "Write the hair as it is now, or an animation of it, for another program";
    let to = [
        ("Carry to a head …", carry, Command::AskRebind),
        ("Export the hair …", export, Command::AskExport),
    ];
    beside(ui, &to, commands);
    ui.add_space(2.0);
}

/// What a row of the section is about; none of the file itself.
pub fn caption(key: &str) -> Option<&'static str> {
    match key {
        "file" => None,
        "head" | "head_units" | "head_up" => Some("Head that the hair was made for"),
        _ => Some("The groom"),
    }
}

/// What is odd about a groom, but that it does not fit, which its verdict says.
pub fn warnings(bound: &BindReport) -> impl Iterator<Item = &String> {
    let all = bound.warnings.iter();
    all.filter(|text| !text.starts_with(MISFIT))
}

/// What is to be done about hair that does not fit, in words.
fn remedy(bound: &BindReport) -> Option<String> {
    if let Some(better) = &bound.better {
        let near = 1e3 * better.distance;
        return Some(match better.is_part {
            true => format!(
                "Looks like hair of a part of the head. A fit brings its roots to {near:.1} mm \
                 from the skin on average; whether it belongs there, its file does not say."
            ),
            false => format!(
                "Hair of another unit, axis or head? A fit brings its roots to {near:.1} mm from \
                 the skin on average."
            ),
        });
    }
    bound.misfits.then(|| {
        "No better fit was found: place the hair by hand, or open the head that it was made for."
            .into()
    })
}

/// The buttons that place the hair: its handles, and what brings it to the skin.
fn by_hand(ui: &mut Ui, places: bool, commands: &mut Vec<Command>) {
    let (text, hint, fill) = match places {
        true => (
            "Done placing",
            "Hide the handles; the hair stays where it is (Esc)",
            theme::ACCENT_DIM,
        ),
        false => (
            PLACE,
            "Handles in the picture move, turn and scale the hair: drag arrows or the square in \
             the middle, the ring, the boxes. Shift turns by steps of 15°; each drag is one step \
             of undo",
            theme::FIELD,
        ),
    };
    let near = [
        (
            "Drop onto skin",
            "Move the hair, without a turn and as large as it is, until its roots are nearest to \
             the skin",
            NearFit::Drop,
        ),
        (
            "Fit from here",
            "Move and turn the hair, as large as it is, to where it lies best near by",
            NearFit::Here,
        ),
    ];
    row(ui, |ui| {
        let size = part(ui, 3);
        let button = Button::new(text).fill(fill);
        if ui.add_sized(size, button).on_hover_text(hint).clicked() {
            commands.push(Command::Placing);
        }
        for (text, hint, how) in near {
            let button = Button::new(text).fill(theme::FIELD);
            if ui.add_sized(size, button).on_hover_text(hint).clicked() {
                commands.push(Command::NearFit(how));
            }
        }
    });
}

/// How the hair lies, in one line: a green disc, an amber one, or a red triangle before it.
fn verdict(ui: &mut Ui, bound: &BindReport) {
    let figures = &bound.figures;
    let verdict = figures.verdict();
    let colour = match verdict {
        FitVerdict::Well => GOOD,
        FitVerdict::Fairly => ui.visuals().warn_fg_color,
        FitVerdict::Doubtful => theme::ERROR,
    };
    let line = ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 15.0), Sense::hover());
        let middle = rect.center();
        ui.painter().add(match verdict {
            FitVerdict::Doubtful => Shape::convex_polygon(
                vec![
                    pos2(middle.x, middle.y - 5.5),
                    pos2(middle.x + 6.0, middle.y + 4.5),
                    pos2(middle.x - 6.0, middle.y + 4.5),
                ],
                colour,
                egui::Stroke::NONE,
            ),
            _ => Shape::circle_filled(middle, 4.5, colour),
        });
        let text = RichText::new(figures.to_string()).color(colour);
        ui.add(Label::new(text).wrap().sense(Sense::hover()))
    });
    let all = format!("{}\n{}", bound.summary, told(figures));
    line.inner.on_hover_text(all);
}

/// All figures.
fn told(figures: &FitFigures) -> String {
    format!(
        "Roots {:.1} mm from the skin in the middle of all (median), {:.1} mm at most\n\
         {:.0} % of them on the scalp\n\
         {:.0} % of the hair's points more than {:.0} mm below the skin\n\
         Strands {} long on average, roots {} about their middle",
        1e3 * figures.median,
        1e3 * figures.largest,
        100.0 * figures.on_scalp,
        100.0 * figures.deep,
        1e3 * crate::groom::fit_verdict::DEEP,
        length_text(figures.length),
        length_text(figures.breadth),
    )
}

/// Buttons beside one another, each with its tooltip and what it asks for.
fn beside(ui: &mut Ui, buttons: &[(&str, &str, Command)], commands: &mut Vec<Command>) {
    row(ui, |ui| {
        let size = part(ui, buttons.len());
        for (text, hint, command) in buttons {
            let button = ui.add_sized(size, Button::new(*text));
            if button.on_hover_text(*hint).clicked() {
                commands.push(command.clone());
            }
        }
    });
}

/// Between buttons that stand beside one another. `[points]`
const GAP: f32 = 4.0;

fn row(ui: &mut Ui, draw: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        draw(ui);
    });
}

/// The size of each of so many buttons in a row.
fn part(ui: &Ui, count: usize) -> egui::Vec2 {
    let room = ui.available_width() - 20.0 - GAP * (count - 1) as f32;
    vec2(room / count as f32, 24.0)
}

fn sized(ui: &mut Ui, button: Button) -> Response {
    ui.add_sized([ui.available_width() - 20.0, 24.0], button)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::Better,
        mesh::{Units, Up},
    };

    #[test]
    fn hair_that_does_not_fit_is_told_of_in_words_and_by_one_number() {
        let mut bound = BindReport {
            misfits: true,
            warnings: vec![
                "one strand is odd".into(),
                "the groom does not fit this head: its roots are 26.0 mm from the skin on average"
                    .into(),
            ],
            ..BindReport::default()
        };
        let told: Vec<_> = warnings(&bound).collect();
        assert_eq!(told, ["one strand is odd"]);
        assert!(remedy(&bound).is_some_and(|text| text.contains("by hand")));
        bound.better = Some(Better {
            units: Units::Centimetres,
            up: Up::Y,
            turn: 0.0,
            scale: 1.0345,
            offset: [0.0003, 0.0, 0.0],
            distance: 0.0012,
            is_part: false,
        });
        let text = remedy(&bound).expect("a remedy");
        assert!(text.contains("1.2 mm from the skin on average") && !text.contains("import."));
        bound = BindReport::default();
        assert_eq!(remedy(&bound), None);
    }
}
