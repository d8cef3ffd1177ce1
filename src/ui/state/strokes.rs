//! Comb and scissors work beside the window: the way of the brush is kept until
//! the stroke before it is done, and what comes of it becomes part of the scene.

use super::AppState;
use crate::{
    groom::edit::Edits,
    math::Pose,
    project::{compare::Side, tools::HandParams},
    render::LookParams,
    session::{
        jobs::{Cancelled, JobProgress, Queue},
        outcome::{JobOutcome, StrokeResult},
        sim_handle::BuildResult,
    },
    ui::{
        brush::{Brush, BrushTarget},
        pick_ray::{self, PickRay},
        tool::Tool,
    },
};
use glam::Vec3;
use std::sync::Arc;

/// However fast the mouse is, a brush touches down no more often for each of
/// its moves.
const MOST_DABS: f32 = 40.0;

/// One move of the brush.
#[derive(Clone, Copy)]
struct Leg {
    /// Strokes are counted.
    stroke: u64,
    tool: Tool,
    side: Side,
    /// How far away the hair is where the stroke began. `[m]`
    depth: f32,
    from: PickRay,
    to: PickRay,
}

/// Strokes on their way.
#[derive(Default)]
pub(super) struct Strokes {
    /// The stroke that the hand is making, or made last.
    now: u64,
    /// The stroke that was made part of the scene last.
    taken: u64,
    /// How far away the hair was there. `[m]`
    depth: f32,
    waiting: Vec<Leg>,
    /// The job that is under way.
    job: Option<u64>,
}

impl Strokes {
    /// Another stroke begins.
    pub fn begin(&mut self) {
        self.now += 1;
    }

    /// Whether all that the brush did is part of the scene.
    pub fn is_idle(&self) -> bool {
        self.job.is_none() && self.waiting.is_empty()
    }

    /// Whether that job makes a stroke.
    pub fn is_done_by(&self, number: u64) -> bool {
        self.job == Some(number)
    }

    /// Drops what is not yet part of the scene.
    pub fn forget(&mut self) -> Option<u64> {
        self.waiting.clear();
        self.job.take()
    }
}

/// Moves of one brush over one head of hair.
struct Work {
    built: Arc<BuildResult>,
    positions: Arc<Vec<Vec3>>,
    pose: Pose,
    edits: Edits,
    hand: HandParams,
    look: LookParams,
    /// Hair is kept so far from the skin. `[m]`
    margin: f32,
    depth: f32,
    legs: Vec<Leg>,
}

impl Work {
    fn do_it(mut self, progress: &JobProgress) -> Result<JobOutcome, Cancelled> {
        let before = self.edits.clone();
        let legs = std::mem::take(&mut self.legs);
        let (Some(first), count) = (legs.first().copied(), legs.len()) else {
            return Err(Cancelled);
        };
        for (index, leg) in legs.into_iter().enumerate() {
            progress.at("the hair under the brush", index as f32 / count as f32)?;
            self.follow(&leg, progress)?;
        }
        Ok(JobOutcome::Stroked(Box::new(StrokeResult {
            stroke: first.stroke,
            generation: self.built.generation,
            before,
            after: self.edits,
            depth: self.depth,
        })))
    }

    /// Brushes from one cursor to another, in steps that leave nothing out.
    fn follow(&mut self, leg: &Leg, progress: &JobProgress) -> Result<(), Cancelled> {
        let way = leg.from.at(self.depth).distance(leg.to.at(self.depth));
        let reach = 0.7 * self.hand.radius;
        let steps = (way / reach).ceil().clamp(1.0, MOST_DABS);
        let mut last = leg.from;
        for step in 1..=steps as u32 {
            progress.go_on()?;
            let here = leg.from.between(&leg.to, step as f32 / steps);
            let curves = match leg.tool {
                Tool::Comb => self.comb(&last, &here),
                _ => self.cut(&here),
            };
            if !curves.is_empty() {
                self.edits = self.edits.with(curves);
            }
            last = here;
        }
        Ok(())
    }

    fn hair(&self) -> BrushTarget<'_> {
        BrushTarget {
            built: &self.built,
            edits: &self.edits,
            positions: &self.positions,
            pose: self.pose,
            drawn: self.look.drawn,
        }
    }

    /// The rest curves of what the scissors cut at `sight`.
    fn cut(&self, sight: &PickRay) -> Vec<(usize, Vec<Vec3>)> {
        let radius = self.hand.radius;
        let head = match self.look.show_head {
            true => sight.head_distance(&self.built.body, &self.pose),
            false => f32::INFINITY,
        };
        // Scissors reach a little around the head.
        self.hair().cut(&Brush { sight, radius }, head + radius)
    }

    /// The rest curves of what the comb takes along from `before` to `sight`.
    fn comb(&mut self, before: &PickRay, sight: &PickRay) -> Vec<(usize, Vec<Vec3>)> {
        // The comb follows the hair nearer and farther.
        let (positions, pose) = (&self.positions[..], &self.pose);
        let under = pick_ray::strand_of(&self.built, positions, pose, &self.look, sight);
        let points = under.map(|strand| &positions[self.built.groom.range(strand)]);
        if let Some((_, depth)) = points.and_then(|points| sight.vertex(points)) {
            self.depth = depth;
        }
        let way = sight.at(self.depth) - before.at(self.depth);
        let radius = self.hand.radius;
        let brush = Brush { sight, radius };
        let way = way * self.hand.comb;
        self.hair().comb(&brush, self.depth, way, self.margin)
    }
}

impl AppState {
    /// The brush went from one cursor to another over `side`.
    pub(super) fn stroke_along(&mut self, side: Side, from: &PickRay, to: &PickRay) {
        self.strokes.waiting.push(Leg {
            stroke: self.strokes.now,
            tool: self.tool,
            side,
            depth: self.depth(),
            from: *from,
            to: *to,
        });
        self.stroke_on();
    }

    /// Goes on with what waits, unless something is under way.
    fn stroke_on(&mut self) {
        let waiting = &self.strokes.waiting;
        let (Some(first), None) = (waiting.first().copied(), self.strokes.job) else {
            return;
        };
        let positions = self.session.shared_positions(first.side);
        let (Some(built), Some(positions)) = (self.session.shared_built(), positions) else {
            self.strokes.forget();
            return;
        };
        let same = waiting.iter().take_while(|leg| leg.stroke == first.stroke);
        let count = same.count();
        let legs = self.strokes.waiting.drain(..count).collect();
        let goes_on = self.strokes.taken == first.stroke;
        let scene = self.document.scene();
        let work = Work {
            built,
            positions,
            pose: self.session.now().pose,
            edits: scene.handwork.edits.clone(),
            hand: scene.hand.clone(),
            look: scene.look.clone(),
            margin: scene.sim.collision.margin,
            depth: if goes_on {
                self.strokes.depth
            } else {
                first.depth
            },
            legs,
        };
        let title = match first.tool {
            Tool::Comb => "Combing",
            _ => "Cutting",
        };
        self.strokes.job = self.start(Queue::Hand, title.into(), move |progress| {
            work.do_it(progress)
        });
    }

    /// Makes what came of a stroke part of the scene, unless that is another one
    /// by now.
    pub(super) fn take_stroked(&mut self, stroked: StrokeResult) {
        self.strokes.job = None;
        let StrokeResult {
            stroke,
            generation,
            before,
            after,
            depth,
        } = stroked;
        let now = self.session.built().map(|built| built.generation);
        if now != Some(generation) || self.document.scene().handwork.edits != before {
            self.strokes.forget();
            return;
        }
        if self.strokes.taken != stroke {
            // One stroke is one entry to undo.
            self.document.release();
        }
        (self.strokes.taken, self.strokes.depth) = (stroke, depth);
        if self.strokes.now == stroke {
            self.set_depth(depth);
        }
        if after != before {
            let place = self.document.scene().place("hand.radius");
            self.change_at(place, true, |scene| {
                scene.handwork.edits = after;
                Ok(())
            });
        }
        self.stroke_on();
    }

    /// Drops what the brush did and is not yet part of the scene.
    pub(super) fn forget_strokes(&mut self) {
        if let Some(number) = self.strokes.forget() {
            self.session.abandon_job(number);
        }
    }
}
