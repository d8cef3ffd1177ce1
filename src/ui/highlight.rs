//! The strands that the hand would work on, drawn over the picture: before the
//! click, and while it is at work.

use super::{
    hand::{
        HandState,
        reach::HandReach,
        touch::{Touch, Touched, touch},
    },
    pick_ray::PickRay,
    tool::Tool,
    view_projection::ViewProjection,
};
use crate::{math::random::uniform, project::sides::Side, session::Session};
use egui::{Color32, Pos2, Shape, Stroke};
use glam::Vec3;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// No more strands are drawn so.
const MOST: usize = 220;

/// No more of their vertices are.
const MOST_VERTICES: usize = 5000;

/// Tells their lots from other numbers that are drawn of a strand.
const LOTS: u64 = 0x1077_0f57;

/// While the mouse is at rest and the hair moves, one looks again after this
/// time; where the strands are drawn is always where they are.
const AGAIN: Duration = Duration::from_millis(90);

/// What is so much deeper than the head's surface is hidden by it. `[m]`
const BEHIND: f32 = 0.004;

/// Every so manieth vertex is asked whether the head hides it.
const ASKED: usize = 3;

/// What goes along with the hand, and what falls to the scissors.
const HELD: Color32 = Color32::from_rgb(255, 226, 150);
const CUT: Color32 = Color32::from_rgb(255, 118, 96);

/// One strand, as far as it is seen.
struct Strand {
    number: usize,
    from: f32,
    share: f32,
    /// Whether the head hides a vertex.
    hidden: Vec<bool>,
}

/// What is highlighted now.
#[derive(Default)]
pub struct Highlight {
    seen: Option<Seen>,
}

struct Seen {
    side: Side,
    strands: Vec<Strand>,
    depth: f32,
    state: State,
    looked: Instant,
}

/// What it depends on, but for the motion of hair.
#[derive(Clone, Copy, PartialEq)]
struct State {
    at: [f32; 2],
    tool: Tool,
    radius: f32,
    works: bool,
    generation: u64,
}

impl Highlight {
    /// Looks what the hand would work on at the cursor `at` `[points]`; nothing
    /// where it is not over the picture. `eye` is where the camera is.
    pub fn follow(
        &mut self,
        hand: &HandState,
        seen: Option<(HandReach, PickRay)>,
        at: [f32; 2],
        eye: Vec3,
    ) {
        let tool = hand.tool;
        let Some((reach, sight)) = seen.filter(|_| tool != Tool::Look) else {
            self.seen = None;
            return;
        };
        let side = reach.side;
        let state = State {
            at,
            tool,
            radius: reach.scene.hand.radius,
            works: hand.works(),
            generation: reach.session.now().generation,
        };
        let fresh = self.seen.as_ref().is_some_and(|seen| {
            seen.state == state && seen.side == side && seen.looked.elapsed() < AGAIN
        });
        if fresh {
            return;
        }
        let touch = touch(&reach, hand, &sight);
        self.seen = Some(Seen {
            side,
            depth: touch.depth,
            strands: strands(&reach, eye, touch),
            state,
            looked: Instant::now(),
        });
    }

    /// How far away the hand is; none where it is not over the picture. `[m]`
    pub fn depth(&self) -> Option<f32> {
        self.seen.as_ref().map(|seen| seen.depth)
    }

    /// Paints the strands of `side` where they are now.
    pub fn paint(
        &self,
        painter: &egui::Painter,
        session: &Session,
        side: Side,
        eye: &ViewProjection,
    ) {
        let Some(seen) = self.seen.as_ref().filter(|seen| seen.side == side) else {
            return;
        };
        let (Some(built), Some(positions)) = (session.built(), session.positions(side)) else {
            return;
        };
        let colour = match seen.state.tool {
            Tool::Cut => CUT,
            _ => HELD,
        };
        for strand in &seen.strands {
            if strand.number >= built.groom.strands() {
                continue;
            }
            let points = &positions[built.groom.range(strand.number)];
            let alpha = 0.25 + 0.6 * strand.share;
            let stroke = Stroke::new(1.3, colour.gamma_multiply(alpha));
            for line in strand.lines(points, eye) {
                painter.add(Shape::line(line, stroke));
            }
        }
    }
}

impl Strand {
    /// The parts of it that are seen. `[points]`
    fn lines(&self, points: &[Vec3], eye: &ViewProjection) -> Vec<Vec<Pos2>> {
        let mut lines: Vec<Vec<Pos2>> = Vec::new();
        let mut line: Vec<Pos2> = Vec::new();
        let first = self.from.floor().max(0.0) as usize;
        for (i, point) in points.iter().enumerate().skip(first) {
            let place = match points.get(i + 1) {
                Some(next) if i == first => point.lerp(*next, self.from.fract()),
                _ => *point,
            };
            let hidden = self.hidden.get(i).copied().unwrap_or(false);
            match eye.see(place).filter(|_| !hidden) {
                Some(at) => line.push(at),
                None => lines.push(std::mem::take(&mut line)),
            }
        }
        lines.push(line);
        lines.retain(|line| line.len() > 1);
        lines
    }
}

/// The strands of `touch` that are drawn: where they are too many some of them, drawn by lot
/// and the same ones from place to place, so that all that the hand reaches is seen to be.
fn strands(reach: &HandReach, eye: Vec3, touch: Touch) -> Vec<Strand> {
    let session = reach.session;
    let (Some(built), Some(positions)) = (session.built(), session.positions(reach.side)) else {
        return Vec::new();
    };
    let mut touched = touch.strands;
    let lot = |touched: &Touched| uniform(LOTS, touched.strand as u64);
    touched.sort_unstable_by(|a, b| lot(a).total_cmp(&lot(b)).then(a.strand.cmp(&b.strand)));
    touched.truncate(MOST);
    let mut room = MOST_VERTICES;
    touched.retain(|touched| {
        let vertices = built.groom.range(touched.strand).len();
        let fits = vertices <= room;
        room -= vertices.min(room);
        fits
    });
    let pose = session.now().pose;
    let look = reach.scene.look.show_head;
    let hides = |p: Vec3| {
        let (from, to) = (pose.inverse_point(eye), pose.inverse_point(p));
        let far = to.distance(from);
        let way = (to - from) / far.max(1e-6);
        let hit = built.body.surface.ray(from, way, (far - BEHIND).max(0.0));
        look && hit.is_some()
    };
    touched
        .par_iter()
        .map(|touched| {
            let points = &positions[built.groom.range(touched.strand)];
            let asked: Vec<bool> = points.iter().step_by(ASKED).map(|p| hides(*p)).collect();
            let hidden = (0..points.len()).map(|i| {
                // By the nearest vertex that was asked.
                let nearest = (i + ASKED / 2) / ASKED;
                asked
                    .get(nearest)
                    .or(asked.last())
                    .copied()
                    .unwrap_or(false)
            });
            Strand {
                number: touched.strand,
                from: touched.from,
                share: touched.share,
                hidden: hidden.collect(),
            }
        })
        .collect()
}
