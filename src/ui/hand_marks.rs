//! What the hand reaches, holds and has pinned, drawn over the picture.

use super::{
    hand::HandState, head_ray::ShownHead, highlight::Highlight, mirror_plane::MirrorPlane, theme,
    tool::Tool, view_projection::ViewProjection,
};
use crate::{
    project::{scene::Scene, sides::Side, tools::Paints},
    session::Session,
};
use egui::{Color32, Pos2, Stroke, Ui};
use glam::Vec3;
use rayon::prelude::*;

/// No more roots are marked.
const MOST_ROOTS: usize = 6000;

/// What is so much deeper than the head's surface is hidden by it. `[m]`
const BEHIND: f32 = 0.004;

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
                roots(&painter, self.session, eye, self.scene.look.show_head);
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
            circle(&painter, at, radius, 1.0);
            let (origin, way) = eye.ray(at);
            if let Some((place, hidden)) = self.other_place(origin + way * depth, eye)
                && let Some(at) = eye.see(place)
            {
                let radius = params.radius / eye.scale(place);
                circle(&painter, at, radius, if hidden { 0.35 } else { 0.8 });
            }
        }
    }

    /// The place on the other side of the head where the hand works as well, and whether the
    /// head hides it; none where it works on one side.
    fn other_place(&self, place: Vec3, eye: &ViewProjection) -> Option<(Vec3, bool)> {
        let head = ShownHead::of(self.session).filter(|_| self.scene.hand.mirror)?;
        let other = MirrorPlane::of(head.body, head.pose).point(place);
        let far = other.distance(eye.place);
        let way = (other - eye.place).normalize_or(eye.forward);
        let hit = head
            .ray(eye.place, way)
            .filter(|_| self.scene.look.show_head);
        Some((other, hit.is_some_and(|hit| hit.distance < far - BEHIND)))
    }

    /// Whether roots are marked: where a parting is drawn, or the brush thins hair
    /// out.
    fn marks_roots(&self) -> bool {
        let thins = self.hand.tool.paints() && self.scene.hand.paints == Paints::Density;
        self.hand.parting.on || thins
    }
}

/// How far a brush reaches; `shown` is how much of it shows, 0..=1.
fn circle(painter: &egui::Painter, at: Pos2, radius: f32, shown: f32) {
    for (width, colour) in [
        (3.0, Color32::from_black_alpha(90)),
        (1.2, Color32::from_white_alpha(200)),
    ] {
        painter.circle_stroke(at, radius, Stroke::new(width, colour.gamma_multiply(shown)));
    }
}

/// Marks the roots that the eye sees.
fn roots(painter: &egui::Painter, session: &Session, eye: &ViewProjection, shows_head: bool) {
    let Some(built) = session.built() else {
        return;
    };
    let (groom, pose) = (&built.groom, session.now().pose);
    let count = groom.strands();
    let marked = (0..count).step_by(count.div_ceil(MOST_ROOTS).max(1));
    let from = pose.inverse_point(eye.place);
    // By the head at rest: of one that deforms every triangle would have to be asked, for each
    // of so many rays.
    let seen = |root: &Vec3| {
        let far = from.distance(*root);
        let way = (*root - from).normalize_or(Vec3::Y);
        let surface = &built.body.surface;
        !shows_head || surface.ray(from, way, (far - BEHIND).max(0.0)).is_none()
    };
    let marked: Vec<usize> = marked.collect();
    let marked = marked.par_iter().map(|strand| groom.strand(*strand)[0]);
    let marked = marked.filter(seen).map(|root| pose.point(root));
    let places: Vec<Pos2> = marked.filter_map(|root| eye.see(root)).collect();
    let dark = Stroke::new(1.0, Color32::from_black_alpha(150));
    for at in places {
        painter.circle(at, 1.6, Color32::WHITE, dark);
    }
}
