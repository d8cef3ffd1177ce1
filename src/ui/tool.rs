//! What the left mouse button does in the picture, and the palette that says so.

use super::{
    command::Command, highlight::Highlight, icons::Icon, keys, state::AppState, theme,
    view_projection::ViewProjection,
};
use crate::project::compare::{Cell, Side};
use egui::{Color32, Frame, Margin, Pos2, Rect, RichText, Stroke, Ui, vec2};

/// No more roots are marked.
const MOST_ROOTS: usize = 6000;

/// What the left mouse button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Turns the camera; a click picks a strand.
    #[default]
    Look,
    /// Pulls hair.
    GizmoDrag,
    /// Combs it.
    Comb,
    /// Cuts it.
    Cut,
    /// Paints less of it: thinner, shorter, straighter or limper.
    Less,
    /// Paints it back.
    More,
}

impl Tool {
    /// All of them, in the order of the palette.
    pub const ALL: [Self; 6] = [
        Self::Look,
        Self::GizmoDrag,
        Self::Comb,
        Self::Cut,
        Self::Less,
        Self::More,
    ];

    /// Whether it paints on the head.
    pub fn paints(self) -> bool {
        matches!(self, Self::Less | Self::More)
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Look => "Look",
            Self::GizmoDrag => "Pull",
            Self::Comb => "Comb",
            Self::Cut => "Cut",
            Self::Less => "Paint less",
            Self::More => "Paint more",
        }
    }

    /// How it is used.
    pub fn help(self) -> &'static str {
        match self {
            Self::Look => "Drag orbits; a click on a strand opens the inspector",
            Self::GizmoDrag => {
                "Drag hair to pull it; with Shift it stays pinned where it is let go. \
                 A click on a pin takes it out. Beside the hair a drag orbits"
            }
            Self::Comb => "Drag over hair to comb it; Alt and drag orbits",
            Self::Cut => "Drag over hair to cut it; Alt and drag orbits",
            Self::Less => {
                "Drag over the head: hair is thinned out there (dots are its roots), or shortened, \
                 straightened or made limp: \"Brush paints\" says which, with size, hardness, strength and \
                 mirror, under \"Hand, comb and scissors\""
            }
            Self::More => "Drag over the head: what was painted away grows back",
        }
    }

    fn icon(self) -> Icon {
        match self {
            Self::Look => Icon::ViewProjection,
            Self::GizmoDrag => Icon::GizmoDrag,
            Self::Comb => Icon::Comb,
            Self::Cut => Icon::Scissors,
            Self::Less => Icon::Less,
            Self::More => Icon::More,
        }
    }
}

/// Draws the palette into the upper left corner of the picture.
pub fn palette(
    ctx: &egui::Context,
    viewport: Rect,
    program: &AppState,
    commands: &mut Vec<Command>,
) {
    egui::Area::new(egui::Id::unique("tools"))
        .fixed_pos(viewport.min + vec2(10.0, 10.0))
        .show(ctx, |ui| {
            Frame::new()
                .fill(theme::GROUND.gamma_multiply(0.9))
                .corner_radius(6)
                .inner_margin(Margin::same(4))
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
                    for tool in Tool::ALL {
                        let on = program.tool() == tool;
                        let colour = if on { theme::ACCENT } else { theme::TEXT };
                        let key = keys::name_of(&Command::Tool(tool));
                        let button = tool.icon().button(ui, vec2(30.0, 30.0), colour);
                        if on {
                            let stroke = Stroke::new(1.5, theme::ACCENT);
                            let inside = egui::StrokeKind::Inside;
                            ui.painter().rect_stroke(button.rect, 4, stroke, inside);
                        }
                        let help = format!("{} ({key})\n{}", tool.name(), tool.help());
                        if button.on_hover_text(help).clicked() {
                            commands.push(Command::Tool(tool));
                        }
                    }
                    if !program.scene().handwork.pins.is_empty() {
                        let count = program.scene().handwork.pins.len();
                        let key = keys::name_of(&Command::Unpin);
                        let text = RichText::new(format!("{count}")).small();
                        if ui
                            .add_sized([30.0, 22.0], egui::Button::new(text))
                            .on_hover_text(format!("Pinned vertices; remove all pins ({key})"))
                            .clicked()
                        {
                            commands.push(Command::Unpin);
                        }
                    }
                });
        });
}

/// Draws over the picture how far the brush reaches at the cursor, what the
/// hand would take there or holds, and the pins.
pub fn paint(
    ui: &Ui,
    program: &AppState,
    cells: &[Cell],
    places: &[Rect],
    highlight: &Highlight,
    cursor: Option<Pos2>,
) {
    let pose = program.now().pose;
    for ((side, cell), place) in Side::BOTH.into_iter().zip(cells).zip(places) {
        let eye = ViewProjection::of(program, cells.len(), *cell, *place);
        let painter = ui.painter().with_clip_rect(*place);
        highlight.paint(&painter, program, side, &eye);
        let dark = Stroke::new(1.5, Color32::from_black_alpha(170));
        for pin in program.scene().handwork.pins.iter() {
            if let Some(at) = eye.see(pose.point(pin.place)) {
                painter.circle(at, 4.5, Color32::from_rgb(240, 240, 245), dark);
            }
        }
        for held in program.held() {
            if let Some(at) = eye.see(held.place) {
                painter.circle(at, 3.0, theme::ACCENT, dark);
            }
        }
        if program.marks_roots() {
            roots(&painter, program, &eye);
        }
        let stroke = program.parting().iter();
        let stroke: Vec<Pos2> = stroke.filter_map(|p| eye.see(pose.point(*p))).collect();
        painter.add(egui::Shape::line(stroke, Stroke::new(3.0, theme::ACCENT)));
        let Some(at) = cursor.filter(|at| place.contains(*at)) else {
            continue;
        };
        if program.tool() == Tool::Look
            || program.tool() == Tool::GizmoDrag && !program.scene().hand.lock
        {
            continue;
        }
        let radius = program.scene().hand.radius
            / eye.scale_at(highlight.depth().unwrap_or(program.depth()));
        painter.circle_stroke(at, radius, Stroke::new(3.0, Color32::from_black_alpha(90)));
        painter.circle_stroke(at, radius, Stroke::new(1.2, Color32::from_white_alpha(200)));
    }
}

/// Marks the roots that face the eye.
fn roots(painter: &egui::Painter, program: &AppState, eye: &ViewProjection) {
    let Some(built) = program.built() else { return };
    let (groom, pose) = (&built.groom, program.now().pose);
    let place = |strand: usize| pose.point(groom.strand(strand)[0]);
    let count = groom.strands();
    let all = (0..count).map(place).sum::<glam::Vec3>();
    let middle = all / count.max(1) as f32;
    let dark = Stroke::new(1.0, Color32::from_black_alpha(150));
    for strand in (0..count).step_by(count.div_ceil(MOST_ROOTS).max(1)) {
        let root = place(strand);
        // The scalp is round: what faces away lies behind its middle.
        if (root - middle).dot(eye.place - root) > 0.0
            && let Some(at) = eye.see(root)
        {
            painter.circle(at, 1.6, Color32::WHITE, dark);
        }
    }
}
