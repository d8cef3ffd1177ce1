//! What was painted on the head, as colours on it while a brush is in hand.

use super::{theme, timeline, tool::Tool};
use crate::{
    groom::Bed,
    mesh::{
        Mesh, RootParams,
        paint::{Dab, Paint},
        scalp,
    },
    project::{scene::Scene, tools::Paints},
    render::TINTS,
    session::Session,
};
use egui::{Align2, Color32, FontId, Rect, pos2, vec2};
use std::sync::Arc;

/// Width of the legend's bar. `[points]`
const BAR: f32 = 132.0;

/// How much of what is painted there is at each vertex of the head.
#[derive(Default)]
pub struct Tint {
    shown: Option<Shown>,
    count: u64,
}

struct Shown {
    mesh: Arc<Mesh>,
    paints: Paints,
    /// Where hair may grow, and the maps.
    roots: RootParams,
    generation: u64,
    mapped: Option<Vec<f32>>,
    scalp: Vec<f32>,
    text: String,
    dabs: Vec<Dab>,
    painted: Vec<f32>,
    /// The value, and how much it shows, of each vertex; 0..=1.
    values: Vec<[f32; 2]>,
    serial: u64,
}

/// Values to be shown, with a number that differs from set to set.
pub type Tinted<'a> = (u64, &'a [[f32; 2]]);

impl Tint {
    /// What is to be shown now; none while no brush is in hand.
    pub fn follow(&mut self, scene: &Scene, session: &Session, tool: Tool) -> Option<Tinted<'_>> {
        let built = session.built().filter(|_| tool.paints());
        let Some(built) = built else {
            self.shown = None;
            return None;
        };
        let (paints, mesh) = (scene.hand.paints, &built.head.mesh);
        let roots = without_paint(&scene.roots);
        let mapped = !paints.map(&scene.roots).is_empty();
        let serves = self.shown.as_ref().is_some_and(|shown| {
            Arc::ptr_eq(&shown.mesh, mesh)
                && (shown.paints, &shown.roots) == (paints, &roots)
                && (!mapped || shown.generation == built.generation)
        });
        if !serves {
            let growth = match &built.bed {
                Bed::Scalp(_, growth) => Some(growth),
                Bed::Beside(_) => None,
            };
            let count = mesh.positions.len();
            self.shown = Some(Shown {
                mesh: mesh.clone(),
                paints,
                generation: built.generation,
                mapped: growth.and_then(|growth| growth.mapped(paints.quality(), mesh)),
                scalp: scalp::shares(mesh, &roots),
                roots,
                text: String::new(),
                dabs: Vec::new(),
                painted: vec![1.0; count],
                values: Vec::new(),
                serial: 0,
            });
        }
        let shown = self.shown.as_mut()?;
        let text = paints.of(&scene.roots);
        if shown.values.is_empty() || shown.text != text {
            shown.paint(text);
            self.count += 1;
            shown.serial = self.count;
        }
        Some((shown.serial, &shown.values))
    }
}

impl Shown {
    /// Takes over what is painted; mostly there is something more at the end.
    fn paint(&mut self, text: &str) {
        // What cannot be read was complained of where it was set.
        let dabs = Paint::parse(text).unwrap_or_default().dabs;
        if !dabs.starts_with(&self.dabs) {
            self.painted.fill(1.0);
            self.dabs.clear();
        }
        let later = &dabs[self.dabs.len()..];
        Paint::add(later, &self.mesh.positions, &mut self.painted);
        let value = |i: usize| {
            let map = self.mapped.as_ref().map_or(1.0, |mapped| mapped[i]);
            [map * self.painted[i], self.scalp[i]]
        };
        self.values = (0..self.painted.len()).map(value).collect();
        self.dabs = dabs;
        self.text = text.into();
    }
}

/// All of them but what the brush has done.
fn without_paint(roots: &RootParams) -> RootParams {
    let mut roots = roots.clone();
    for paints in [
        Paints::Density,
        Paints::Length,
        Paints::Curl,
        Paints::Stiffness,
    ] {
        paints.of_mut(&mut roots).clear();
    }
    roots
}

/// Explains the colours in the lower left corner of `place`.
pub fn legend(painter: &egui::Painter, scene: &Scene, session: &Session, tool: Tool, place: Rect) {
    if !tool.paints() || place.width() < 2.0 * BAR {
        return;
    }
    let name = match scene.hand.paints {
        Paints::Density => "Density",
        Paints::Length => "Length",
        Paints::Curl => "Curl",
        Paints::Stiffness => "Stiffness",
    };
    let size = vec2(BAR + 20.0, 48.0);
    let lift = 10.0 + timeline::height(scene, session);
    let corner = pos2(place.left() + 10.0, place.bottom() - size.y - lift);
    let rect = Rect::from_min_size(corner, size);
    painter.rect_filled(rect, 6, theme::GROUND.gamma_multiply(0.9));
    let font = FontId::proportional(12.0);
    let inner = rect.shrink2(vec2(10.0, 6.0));
    let title = inner.left_top();
    painter.text(title, Align2::LEFT_TOP, name, font.clone(), theme::TEXT);
    let bar = Rect::from_min_size(pos2(inner.left(), inner.top() + 17.0), vec2(BAR, 7.0));
    let mut mesh = egui::Mesh::default();
    for (i, [r, g, b]) in TINTS.iter().enumerate() {
        let x = bar.left() + BAR * i as f32 / (TINTS.len() - 1) as f32;
        let colour = Color32::from_rgb(*r, *g, *b);
        mesh.colored_vertex(pos2(x, bar.top()), colour);
        mesh.colored_vertex(pos2(x, bar.bottom()), colour);
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(mesh);
    let small = FontId::proportional(10.5);
    for (at, align, text) in [
        (bar.left_bottom(), Align2::LEFT_TOP, "none"),
        (bar.right_bottom(), Align2::RIGHT_TOP, "full"),
    ] {
        painter.text(at + vec2(0.0, 1.0), align, text, small.clone(), theme::WEAK);
    }
}
