//! Brushes and scissors work beside the window: the way of the brush is kept until
//! the stroke before it is done.

use crate::{
    groom::{
        edit::{EditedCurve, Edits},
        smooth::{RootNeighbours, SmoothDab},
    },
    math::{Pose, elementary::pow},
    project::{scene::Scene, sides::Side, tools::HandParams},
    render::LookParams,
    session::{
        jobs::{Cancelled, JobProgress},
        outcome::{JobOutcome, StrokeResult},
        sim_handle::BuildResult,
    },
    ui::{
        brush::{BrushTarget, Brushes},
        head_ray::ShownHead,
        mirror_plane::MirrorPlane,
        pick_ray::{self, PickRay},
        tool::StrokeTool,
    },
};
use glam::Vec3;
use std::{cell::OnceCell, sync::Arc};

/// However fast the mouse is, a brush touches down no more often for each of
/// its moves.
pub const MOST_DABS: f32 = 40.0;

/// A brush goes on by so much of its reach from touch to touch.
const SPACING: f32 = 0.7;

/// Smoothing takes out waves that are shorter than the brush is wide and than this: longer
/// ones are how hair falls. `[m]`
const LONGEST_WAVE: f32 = 0.08;

/// One move of the brush.
#[derive(Clone, Copy)]
struct Leg {
    /// Strokes are counted.
    stroke: u64,
    tool: StrokeTool,
    side: Side,
    /// How far away the hair is where the stroke began. `[m]`
    depth: f32,
    from: PickRay,
    to: PickRay,
}

/// Strokes on their way.
#[derive(Default)]
pub struct StrokeQueue {
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

/// Moves of one stroke that wait.
pub struct BrushMoves {
    /// The tool.
    pub tool: StrokeTool,
    depth: f32,
    legs: Vec<Leg>,
}

/// How many touches a way of so many spacings is; one without a way is one.
fn touches_in(way: f32) -> f32 {
    if way > 0.0 { way } else { 1.0 }
}

impl StrokeQueue {
    /// Another stroke begins.
    pub fn begin(&mut self) {
        self.now += 1;
    }

    /// The brush went from one cursor to another, over hair so far away. `[m]`
    pub fn push(&mut self, tool: StrokeTool, side: Side, depth: f32, [from, to]: [PickRay; 2]) {
        self.waiting.push(Leg {
            stroke: self.now,
            tool,
            side,
            depth,
            from,
            to,
        });
    }

    /// The side that is to be brushed next; none while there is nothing to do, or a
    /// job under way.
    pub fn next_side(&self) -> Option<Side> {
        let first = self.waiting.first().filter(|_| self.job.is_none());
        first.map(|leg| leg.side)
    }

    /// Takes the moves of the oldest stroke that wait.
    pub fn take_next(&mut self) -> Option<BrushMoves> {
        let first = self.waiting.first().copied()?;
        let of_it = |leg: &&Leg| leg.stroke == first.stroke;
        let count = self.waiting.iter().take_while(of_it).count();
        Some(BrushMoves {
            tool: first.tool,
            // It goes on where it was.
            depth: match self.taken == first.stroke {
                true => self.depth,
                false => first.depth,
            },
            legs: self.waiting.drain(..count).collect(),
        })
    }

    /// That job makes them part of the scene; none where there is none.
    pub fn set_job(&mut self, job: Option<u64>) {
        self.job = job;
    }

    /// What came of `stroke` becomes part of the scene, with the hair so far away
    /// `[m]`; whether it is another stroke than the last that did.
    pub fn take(&mut self, stroke: u64, depth: f32) -> bool {
        let other = self.taken != stroke;
        (self.taken, self.depth) = (stroke, depth);
        other
    }

    /// Whether the hand is making that stroke, or made it last.
    pub fn is_now(&self, stroke: u64) -> bool {
        self.now == stroke
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
pub struct BrushWork {
    built: Arc<BuildResult>,
    positions: Arc<Vec<Vec3>>,
    pose: Pose,
    /// The places of the head's vertices, as [`ShownHead`] has them.
    shape: Vec<Vec3>,
    edits: Edits,
    hand: HandParams,
    /// What it works on both sides of; none where it works on one.
    plane: Option<MirrorPlane>,
    look: LookParams,
    /// Hair is kept so far from the skin. `[m]`
    margin: f32,
    depth: f32,
    legs: Vec<Leg>,
    /// The strands around each, for a smoothing brush.
    neighbours: OnceCell<RootNeighbours>,
}

impl BrushWork {
    /// The work of `moves` on what there is now, with the head in that pose and shape.
    pub fn new(
        scene: &Scene,
        built: Arc<BuildResult>,
        positions: Arc<Vec<Vec3>>,
        (pose, shape): (Pose, Vec<Vec3>),
        moves: BrushMoves,
    ) -> Self {
        Self {
            plane: (scene.hand.mirror).then(|| MirrorPlane::of(&built.body, pose)),
            built,
            positions,
            pose,
            shape,
            edits: scene.handwork.edits.clone(),
            hand: scene.hand.clone(),
            look: scene.look.clone(),
            margin: scene.sim.collision.margin,
            depth: moves.depth,
            legs: moves.legs,
            neighbours: OnceCell::new(),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// When it was given up.
    pub fn run(mut self, progress: &JobProgress) -> Result<JobOutcome, Cancelled> {
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
        let spacing = SPACING * self.hand.radius;
        let steps = (way / spacing).ceil().clamp(1.0, MOST_DABS);
        let mut last = leg.from;
        for step in 1..=steps as u32 {
            progress.go_on()?;
            let here = leg.from.between(&leg.to, step as f32 / steps);
            let edits = match leg.tool {
                StrokeTool::Comb => self.comb(&last, &here),
                StrokeTool::Smooth => self.smooth(&here, way / steps / spacing),
                StrokeTool::Cut => self.cut(&here),
                StrokeTool::Grow => self.grow(&here, way / steps / spacing),
                StrokeTool::Lift => self.lift(&here, way / steps / spacing),
            };
            if !edits.is_empty() {
                self.edits = self.edits.with(edits);
            }
            last = here;
        }
        Ok(())
    }

    fn head(&self) -> ShownHead<'_> {
        ShownHead {
            body: &self.built.body,
            shape: &self.shape,
            pose: self.pose,
        }
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

    /// The brush at `sight`, and the one on the other side where that is wanted.
    fn brushes(&self, sight: &PickRay) -> Brushes {
        Brushes::new(sight, self.hand.radius, self.plane)
    }

    /// The rest curves of what the scissors cut at `sight`.
    fn cut(&self, sight: &PickRay) -> Vec<(usize, EditedCurve)> {
        let radius = self.hand.radius;
        let head = match self.look.show_head {
            true => sight.head_distance(&self.head()),
            false => f32::INFINITY,
        };
        // Scissors reach a little around the head.
        self.hair()
            .cut(&self.brushes(sight), head + radius, self.hand.ragged)
    }

    /// The rest curves of what grows at `sight`, where the brush came from so many times its
    /// spacing away, as [`smooth`](Self::smooth) says.
    fn grow(&mut self, sight: &PickRay, way: f32) -> Vec<(usize, EditedCurve)> {
        let depth = self.depth_at(sight);
        let more = self.hand.grow * touches_in(way);
        self.hair().grow(&self.brushes(sight), depth, more)
    }

    /// The same of what is lifted.
    fn lift(&mut self, sight: &PickRay, way: f32) -> Vec<(usize, EditedCurve)> {
        let depth = self.depth_at(sight);
        let lift = self.hand.lift * touches_in(way);
        self.hair()
            .lift(&self.brushes(sight), depth, lift, self.margin)
    }

    /// The rest curves of what is smoothed at `sight`, where the brush came from so many times
    /// its spacing away: a way has the same effect in many short moves as in a few long ones.
    fn smooth(&mut self, sight: &PickRay, way: f32) -> Vec<(usize, EditedCurve)> {
        let depth = self.depth_at(sight);
        let around = || RootNeighbours::of(&self.built.groom);
        let neighbours = self.neighbours.get_or_init(around);
        let left = (1.0 - self.hand.smooth).max(0.0);
        let dab = SmoothDab {
            amount: 1.0 - pow(left, touches_in(way)),
            curls: self.hand.smooth_curls,
            wave: (2.0 * self.hand.radius).min(LONGEST_WAVE),
        };
        let brushes = self.brushes(sight);
        self.hair()
            .smooth(&brushes, depth, neighbours, dab, self.margin)
    }

    /// How far away the hair at `sight` is, or was where there is none: the brush follows the
    /// hair nearer and farther. `[m]`
    fn depth_at(&mut self, sight: &PickRay) -> f32 {
        let positions = &self.positions[..];
        let under = pick_ray::strand_of(&self.built, positions, &self.head(), &self.look, sight);
        let points = under.map(|strand| &positions[self.built.groom.range(strand)]);
        if let Some((_, depth)) = points.and_then(|points| sight.vertex(points)) {
            self.depth = depth;
        }
        self.depth
    }

    /// The rest curves of what the comb takes along from `before` to `sight`.
    fn comb(&mut self, before: &PickRay, sight: &PickRay) -> Vec<(usize, EditedCurve)> {
        let depth = self.depth_at(sight);
        let way = sight.at(depth) - before.at(depth);
        let (brushes, way) = (self.brushes(sight), way * self.hand.comb);
        self.hair().comb(&brushes, depth, way, self.margin)
    }
}
