//! What the hand reaches, holds and has pinned, drawn over the picture.

use super::{
    hand::HandState, highlight::Highlight, theme, tool::Tool, view_projection::ViewProjection,
};
use crate::{
    project::{scene::Scene, sides::Side, tools::Paints},
    session::Session,
};
use egui::{Color32, Pos2, Stroke, Ui};

/// No more roots are marked.
const MOST_ROOTS: usize = 6000;

/// What is drawn of a hand.
pub struct HandMarks<'a> {
    /// Parameters of the hand, and pins.
    pub scene: &'a Scene,
    /// The hair.
    pub session: &'a Session,
    /// The tool, and what it is doing.
    pub hand: &'a HandState,
    /// How far away the hand is, or would be. `[m]`
    pub depth: f32,
    /// What it would work on.
    pub highlight: &'a Highlight,
    /// Where the cursor is, where that is over the picture. `[points]`
    pub cursor: Option<Pos2>,
}

impl HandMarks<'_> {
    /// Draws over the sides of the picture how far the brush reaches at the cursor,
    /// what the hand would take there or holds, and the pins.
    pub fn paint(&self, ui: &Ui, eyes: &[ViewProjection]) {
        let (hand, params) = (self.hand, &self.scene.hand);
        let pose = self.session.now().pose;
        for (side, eye) in Side::BOTH.into_iter().zip(eyes) {
            let painter = ui.painter().with_clip_rect(eye.rect);
            self.highlight.paint(&painter, self.session, side, eye);
            let dark = Stroke::new(1.5, Color32::from_black_alpha(170));
            for pin in self.scene.handwork.pins.iter() {
                if let Some(at) = eye.see(pose.point(pin.place)) {
                    painter.circle(at, 4.5, Color32::from_rgb(240, 240, 245), dark);
                }
            }
            for held in hand.held() {
                if let Some(at) = eye.see(held.place) {
                    painter.circle(at, 3.0, theme::ACCENT, dark);
                }
            }
            if self.marks_roots() {
                roots(&painter, self.session, eye);
            }
            let stroke = hand.parting.stroke().iter();
            let stroke: Vec<Pos2> = stroke.filter_map(|p| eye.see(pose.point(*p))).collect();
            painter.add(egui::Shape::line(stroke, Stroke::new(3.0, theme::ACCENT)));
            let Some(at) = self.cursor.filter(|at| eye.rect.contains(*at)) else {
                continue;
            };
            if hand.tool == Tool::Look || hand.tool == Tool::Pull && !params.lock {
                continue;
            }
            let depth = self.highlight.depth().unwrap_or(self.depth);
            let radius = params.radius / eye.scale_at(depth);
            painter.circle_stroke(at, radius, Stroke::new(3.0, Color32::from_black_alpha(90)));
            painter.circle_stroke(at, radius, Stroke::new(1.2, Color32::from_white_alpha(200)));
        }
    }

    /// Whether roots are marked: where a parting is drawn, or the brush thins hair
    /// out.
    fn marks_roots(&self) -> bool {
        let thins = self.hand.tool.paints() && self.scene.hand.paints == Paints::Density;
        self.hand.parting.on || thins
    }
}

/// Marks the roots that face the eye.
fn roots(painter: &egui::Painter, session: &Session, eye: &ViewProjection) {
    let Some(built) = session.built() else {
        return;
    };
    let (groom, pose) = (&built.groom, session.now().pose);
    let count = groom.strands();
    let marked = (0..count).step_by(count.div_ceil(MOST_ROOTS).max(1));
    let marked = marked.map(|strand| pose.point(groom.strand(strand)[0]));
    let all: glam::Vec3 = marked.clone().sum();
    let middle = all / marked.len().max(1) as f32;
    let dark = Stroke::new(1.0, Color32::from_black_alpha(150));
    for root in marked {
        // The scalp is round: what faces away lies behind its middle.
        if (root - middle).dot(eye.place - root) > 0.0
            && let Some(at) = eye.see(root)
        {
            painter.circle(at, 1.6, Color32::WHITE, dark);
        }
    }
}
