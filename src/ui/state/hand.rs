//! The hand in the picture: strands pulled and pinned, combed and cut.

use super::AppState;
use crate::{
    mesh::paint::{Dab, Paint},
    project::{compare::Side, tools::Paints},
    session::sim_handle::SimCommand,
    sim::{hand::Grab, state::AttachmentKind},
    ui::{
        brush::falloff,
        command::Command,
        pick_ray::{self, PickRay},
        strand as strands,
        tool::Tool,
    },
};
use glam::Vec3;
use rayon::prelude::*;

/// A hand that comes so near to a pin takes it out. `[points]`
const PIN: f32 = 8.0;

/// However fast the mouse is, a brush touches down no more often for each of
/// its moves.
const MOST_DABS: f32 = 40.0;

/// A strand that would follow less is not pulled.
const LEAST: f32 = 0.05;

/// What the mouse is doing to the hair.
pub(super) struct Work {
    side: Side,
    /// What was seen at the cursor when it began, and is now.
    first: PickRay,
    last: PickRay,
    /// How far away the hair is. `[m]`
    depth: f32,
    pulled: Vec<Pulled>,
}

/// A vertex that the hand pulls.
pub(super) struct Pulled {
    pub strand: usize,
    vertex: usize,
    from: Vec3,
    /// How much of the hand's way it goes along.
    pub share: f32,
}

impl AppState {
    /// What the left mouse button does.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// What the hand holds, where it wants it. `[m]`
    pub fn held(&self) -> Vec<Grab> {
        self.work.as_ref().map_or_else(Vec::new, Work::grabs)
    }

    /// How far away the hand is, or would be. `[m]`
    pub fn depth(&self) -> f32 {
        let target = self.camera().target.distance(self.camera().position());
        self.work.as_ref().map_or(target, |work| work.depth)
    }

    /// The vertices that are in the hand; none while it holds nothing.
    pub(super) fn pulled(&self) -> Option<&[Pulled]> {
        let pulled = self.work.as_ref().map(|work| &work.pulled[..]);
        pulled.filter(|pulled| !pulled.is_empty())
    }

    /// Whether the hand is at work.
    pub fn works(&self) -> bool {
        self.work.is_some()
    }

    pub(super) fn take_tool(&mut self, tool: Tool) {
        self.let_go(false);
        self.tool = tool;
        self.toasts.tell(tool.name());
    }

    /// The left button went down over `side`; true when the hand has found
    /// hair to work on.
    pub fn grab(&mut self, side: Side, sight: &PickRay) -> bool {
        if self.tool == Tool::Look || self.unpin_at(sight) {
            return self.tool != Tool::Look;
        }
        let found = match self.tool {
            Tool::GizmoDrag => self.in_hand(side, sight),
            _ => self.under(side, sight),
        };
        let (pulled, depth) = match (self.tool, found) {
            (Tool::GizmoDrag, Some((strand, depth))) => {
                (self.within_reach(side, sight, strand), depth)
            }
            // A brush may come from beside the hair.
            (Tool::Comb | Tool::Cut, found) => {
                (Vec::new(), found.map_or(self.depth(), |(_, depth)| depth))
            }
            // Beside the head a drag orbits.
            (Tool::Less | Tool::More, _) => match self.on_head(sight) {
                Some((depth, _)) => (Vec::new(), depth),
                None => return false,
            },
            _ => return false,
        };
        self.work = Some(Work {
            side,
            first: *sight,
            last: *sight,
            depth,
            pulled,
        });
        self.strokes.begin();
        match self.tool {
            Tool::GizmoDrag => self.order_grasp(),
            Tool::Cut => self.stroke(sight, sight),
            Tool::Less | Tool::More => self.dab(sight, sight),
            _ => {}
        }
        true
    }

    /// The mouse moved while the hand is at work.
    pub fn drag(&mut self, sight: &PickRay) {
        let Some(work) = &mut self.work else { return };
        let before = std::mem::replace(&mut work.last, *sight);
        match self.tool {
            Tool::GizmoDrag => self.order_grasp(),
            Tool::Comb | Tool::Cut => self.stroke(&before, sight),
            Tool::Less | Tool::More => self.dab(&before, sight),
            Tool::Look => {}
        }
    }

    /// Brushes from one cursor to another, beside the window.
    fn stroke(&mut self, before: &PickRay, sight: &PickRay) {
        if let Some(side) = self.work.as_ref().map(|work| work.side) {
            self.stroke_along(side, before, sight);
        }
    }

    /// The hair under the brush is so far away. `[m]`
    pub(super) fn set_depth(&mut self, depth: f32) {
        if let Some(work) = &mut self.work {
            work.depth = depth;
        }
    }

    /// How far away the head is at the cursor, and where that is in the head's
    /// space. `[m]`
    pub(super) fn on_head(&self, sight: &PickRay) -> Option<(f32, Vec3)> {
        let (built, pose) = (self.session.built()?, self.session.now().pose);
        let depth = sight.head_distance(&built.body, &pose);
        depth
            .is_finite()
            .then(|| (depth, pose.inverse_point(sight.at(depth))))
    }

    /// Whether roots are marked: where a parting is drawn, or the brush thins hair
    /// out.
    pub fn marks_roots(&self) -> bool {
        self.parts() || self.tool.paints() && self.scene().hand.paints == Paints::Density
    }

    /// Paints less or more of the hair from one cursor to another.
    fn dab(&mut self, before: &PickRay, sight: &PickRay) {
        let hand = self.scene().hand.clone();
        let Ok(mut paint) = Paint::parse(hand.paints.of(&self.scene().roots)) else {
            return;
        };
        let depth = self.depth();
        let way = before.at(depth).distance(sight.at(depth));
        let steps = (way / (0.4 * hand.radius)).ceil().clamp(1.0, MOST_DABS);
        let middle = self.session.built().map_or(0.0, |built| {
            let [min, max] = built.body.mesh.bounds();
            0.5 * (min.x + max.x)
        });
        for step in 1..=steps as u32 {
            let here = before.between(sight, step as f32 / steps);
            let Some((depth, place)) = self.on_head(&here) else {
                continue;
            };
            if let Some(work) = &mut self.work {
                work.depth = depth;
            }
            let strength = match self.tool {
                Tool::More => hand.density,
                _ => -hand.density,
            };
            let dab = Dab {
                place,
                radius: hand.radius,
                hardness: hand.hardness,
                strength,
            };
            paint.dabs.push(dab);
            if hand.mirror {
                let place = Vec3::new(2.0 * middle - place.x, place.y, place.z);
                paint.dabs.push(Dab { place, ..dab });
            }
        }
        // One stroke is one entry to undo.
        let stroke = self.scene().place(hand.paints.key());
        self.change_at(stroke, true, |scene| {
            *hand.paints.of_mut(&mut scene.roots) = paint.to_string();
            Ok(())
        });
    }

    /// The button went up; what was pulled goes back, or stays `pinned`.
    pub fn let_go(&mut self, pinned: bool) {
        let Some(work) = self.work.take() else { return };
        if work.pulled.is_empty() {
            return;
        }
        self.session.order(SimCommand::Grab(Vec::new()));
        if !pinned {
            return;
        }
        let pose = self.session.now().pose;
        let mut pins = self.scene().handwork.pins.to_vec();
        for grab in work.grabs() {
            // Where it is, not where it was wanted: that may be out of reach.
            let points = strands::points(self, work.side, grab.strand);
            let Some(place) = points.and_then(|points| points.get(grab.vertex)) else {
                continue;
            };
            pins.retain(|pin| (pin.strand, pin.vertex) != (grab.strand, grab.vertex));
            pins.push(Grab {
                place: pose.inverse_point(*place),
                on_head: true,
                hold: AttachmentKind::Pin,
                ..grab
            });
        }
        self.change(|scene| {
            scene.handwork.pins = pins.into();
            Ok(())
        });
    }

    pub(super) fn unpin(&mut self) {
        self.change(|scene| {
            scene.handwork.pins = [].into();
            Ok(())
        });
    }

    /// Takes the pin under the cursor out, if there is one.
    fn unpin_at(&mut self, sight: &PickRay) -> bool {
        let pose = self.session.now().pose;
        let near = |pin: &Grab| {
            let (off, depth) = sight.project(pose.point(pin.place));
            depth > 0.0 && off.length() < PIN
        };
        let pins: Vec<Grab> = self.scene().handwork.pins.to_vec();
        let left: Vec<Grab> = pins.iter().filter(|pin| !near(pin)).copied().collect();
        if self.tool != Tool::GizmoDrag || left.len() == pins.len() {
            return false;
        }
        self.change(|scene| {
            scene.handwork.pins = left.into();
            Ok(())
        });
        true
    }

    /// The strand that a hand takes hold of at the cursor, and how far away it
    /// is there.
    pub(super) fn in_hand(&self, side: Side, sight: &PickRay) -> Option<(usize, f32)> {
        let near = || {
            // What is drawn there may be a follower: the hand takes the lock.
            let hand = sight.reaching(self.scene().hand.radius, self.depth());
            self.under(side, &hand)
        };
        self.under(side, sight).or_else(near)
    }

    /// The strand at the cursor, and how far away it is there.
    pub(super) fn under(&self, side: Side, sight: &PickRay) -> Option<(usize, f32)> {
        let strand = pick_ray::strand(self, side, sight)?;
        let points = strands::points(self, side, strand)?;
        let (_, depth) = sight.vertex(points)?;
        Some((strand, depth))
    }

    /// What a hand takes that grasps `strand`: its vertex at the cursor, and
    /// those of other strands within reach of that.
    pub(super) fn within_reach(&self, side: Side, sight: &PickRay, strand: usize) -> Vec<Pulled> {
        let (Some(built), Some(points)) =
            (self.session.built(), strands::points(self, side, strand))
        else {
            return Vec::new();
        };
        let Some((vertex, _)) = sight.vertex(points) else {
            return Vec::new();
        };
        let middle = points[vertex];
        let mut pulled = vec![Pulled {
            strand,
            vertex: vertex.max(1),
            from: middle,
            share: 1.0,
        }];
        let (hand, drawn) = (&self.scene().hand, self.scene().look.drawn);
        if !hand.lock {
            return pulled;
        }
        let Some(positions) = self.session.positions(side) else {
            return pulled;
        };
        let groom = &built.groom;
        let take = |other: usize| {
            let points = &positions[groom.range(other)];
            if other == strand || !crate::render::is_drawn(other, drawn) {
                return None;
            }
            let nearest = points.iter().copied().enumerate().min_by(|a, b| {
                let far = |p: &Vec3| p.distance_squared(middle);
                far(&a.1).total_cmp(&far(&b.1))
            });
            let (vertex, from) = nearest.filter(|(vertex, _)| *vertex > 0)?;
            let share = falloff(from.distance(middle) / hand.radius);
            (share > LEAST).then_some(Pulled {
                strand: other,
                vertex,
                from,
                share,
            })
        };
        pulled.par_extend(
            (0..groom.strands())
                .into_par_iter()
                .with_min_len(256)
                .filter_map(take),
        );
        pulled
    }

    fn order_grasp(&self) {
        self.session.order(SimCommand::Grab(self.held()));
    }

    /// How far away the head is that hides what is behind it; infinitely far
    /// where it is not, or is not drawn. `[m]`
    pub(super) fn head_before(&self, sight: &PickRay) -> f32 {
        match self.session.built().filter(|_| self.scene().look.show_head) {
            Some(built) => sight.head_distance(&built.body, &self.session.now().pose),
            None => f32::INFINITY,
        }
    }

    /// Makes the brush larger or smaller by a step.
    pub(super) fn size_brush(&mut self, up: bool) {
        let place = self.scene().place("hand.radius");
        let factor = if up { 1.25 } else { 0.8 };
        let radius = (self.scene().hand.radius * factor).clamp(0.001, 0.2);
        if let Some(place) = place {
            self.perform(Command::Set {
                place,
                value: crate::param::Value::Float(f64::from(radius)),
                held: false,
            });
        }
    }
}

impl Work {
    fn grabs(&self) -> Vec<Grab> {
        let grab = |pulled: &Pulled| {
            let to = self.first.follow(pulled.from, &self.last);
            Grab {
                strand: pulled.strand,
                vertex: pulled.vertex,
                place: pulled.from + (to - pulled.from) * pulled.share,
                on_head: false,
                hold: AttachmentKind::Hand,
            }
        };
        self.pulled.iter().map(grab).collect()
    }
}
