//! The hand in the picture: strands pulled and pinned, combed and cut.

use super::Program;
use crate::{
    app::{
        brush::{Brush, Hair, Paints, falloff},
        command::Command,
        compare::Side,
        pick::{self, Sight},
        strand as strands,
        tool::Tool,
        worker::Order,
    },
    groom::edit::Edits,
    mesh::paint::{Dab, Paint},
    sim::{hand::Grasp, state::Hold},
};
use glam::Vec3;

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
    first: Sight,
    last: Sight,
    /// How far away the hair is. `[m]`
    depth: f32,
    pulled: Vec<Pulled>,
}

/// A vertex that the hand pulls.
struct Pulled {
    strand: usize,
    vertex: usize,
    from: Vec3,
    /// How much of the hand's way it goes along.
    share: f32,
}

impl Program {
    /// What the left mouse button does.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// What the hand holds, where it wants it. `[m]`
    pub fn held(&self) -> Vec<Grasp> {
        self.work.as_ref().map_or_else(Vec::new, Work::grasps)
    }

    /// How far away the hand is, or would be. `[m]`
    pub fn depth(&self) -> f32 {
        let target = self.camera().target.distance(self.camera().position());
        self.work.as_ref().map_or(target, |work| work.depth)
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
    pub fn grab(&mut self, side: Side, sight: &Sight) -> bool {
        if self.tool == Tool::Look || self.unpin_at(sight) {
            return self.tool != Tool::Look;
        }
        let mut found = self.under(side, sight);
        if self.tool == Tool::Pull && found.is_none() {
            // What is drawn there may be a follower: the hand takes the lock.
            let hand = sight.reaching(self.scene().hand.radius, self.depth());
            found = self.under(side, &hand);
        }
        let (pulled, depth) = match (self.tool, found) {
            (Tool::Pull, Some((strand, depth))) => (self.within_reach(side, sight, strand), depth),
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
        match self.tool {
            Tool::Pull => self.order_grasp(),
            Tool::Cut => self.stroke(sight, sight),
            Tool::Less | Tool::More => self.dab(sight, sight),
            _ => {}
        }
        true
    }

    /// The mouse moved while the hand is at work.
    pub fn drag(&mut self, sight: &Sight) {
        let Some(work) = &mut self.work else { return };
        let before = std::mem::replace(&mut work.last, *sight);
        match self.tool {
            Tool::Pull => self.order_grasp(),
            Tool::Comb | Tool::Cut => self.stroke(&before, sight),
            Tool::Less | Tool::More => self.dab(&before, sight),
            Tool::Look => {}
        }
    }

    /// Brushes from one cursor to another, in steps that leave nothing out.
    fn stroke(&mut self, before: &Sight, sight: &Sight) {
        let depth = self.depth();
        let way = before.at(depth).distance(sight.at(depth));
        let reach = 0.7 * self.scene().hand.radius;
        let steps = (way / reach).ceil().clamp(1.0, MOST_DABS);
        let (mut edits, mut last) = (self.scene().handwork.edits.clone(), *before);
        for step in 1..=steps as u32 {
            let here = before.between(sight, step as f32 / steps);
            let curves = match self.tool {
                Tool::Comb => self.comb(&edits, &last, &here),
                _ => self.cut(&edits, &here),
            };
            if !curves.is_empty() {
                edits = edits.with(curves);
            }
            last = here;
        }
        if edits == self.scene().handwork.edits {
            return;
        }
        // One stroke is one entry to undo.
        let stroke = self.scene().place("hand.radius");
        self.change_at(stroke, true, |scene| {
            scene.handwork.edits = edits;
            Ok(())
        });
    }

    /// How far away the head is at the cursor, and where that is in the head's
    /// space. `[m]`
    fn on_head(&self, sight: &Sight) -> Option<(f32, Vec3)> {
        let (built, pose) = (self.built()?, self.now().pose);
        let depth = sight.head_distance(&built.body, &pose);
        depth
            .is_finite()
            .then(|| (depth, pose.inverse_point(sight.at(depth))))
    }

    /// Whether the head is shown bare with the roots on it: where one is to see
    /// what the brush thins out.
    pub fn bares_head(&self) -> bool {
        self.tool.paints() && self.scene().hand.paints == Paints::Density
    }

    /// Paints less or more of the hair from one cursor to another.
    fn dab(&mut self, before: &Sight, sight: &Sight) {
        let hand = self.scene().hand.clone();
        let Ok(mut paint) = Paint::parse(hand.paints.of(&self.scene().roots)) else {
            return;
        };
        let depth = self.depth();
        let way = before.at(depth).distance(sight.at(depth));
        let steps = (way / (0.4 * hand.radius)).ceil().clamp(1.0, MOST_DABS);
        let middle = self.built().map_or(0.0, |built| {
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
        self.worker.order(Order::Grasp(Vec::new()));
        if !pinned {
            return;
        }
        let pose = self.now().pose;
        let mut pins = self.scene().handwork.pins.to_vec();
        for grasp in work.grasps() {
            // Where it is, not where it was wanted: that may be out of reach.
            let points = strands::points(self, work.side, grasp.strand);
            let Some(place) = points.and_then(|points| points.get(grasp.vertex)) else {
                continue;
            };
            pins.retain(|pin| (pin.strand, pin.vertex) != (grasp.strand, grasp.vertex));
            pins.push(Grasp {
                place: pose.inverse_point(*place),
                on_head: true,
                hold: Hold::Pin,
                ..grasp
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
    fn unpin_at(&mut self, sight: &Sight) -> bool {
        let pose = self.now().pose;
        let near = |pin: &Grasp| {
            let (off, depth) = sight.project(pose.point(pin.place));
            depth > 0.0 && off.length() < PIN
        };
        let pins: Vec<Grasp> = self.scene().handwork.pins.to_vec();
        let left: Vec<Grasp> = pins.iter().filter(|pin| !near(pin)).copied().collect();
        if self.tool != Tool::Pull || left.len() == pins.len() {
            return false;
        }
        self.change(|scene| {
            scene.handwork.pins = left.into();
            Ok(())
        });
        true
    }

    /// The strand at the cursor, and how far away it is there.
    fn under(&self, side: Side, sight: &Sight) -> Option<(usize, f32)> {
        let strand = pick::strand(self, side, sight)?;
        let points = strands::points(self, side, strand)?;
        let (_, depth) = sight.vertex(points)?;
        Some((strand, depth))
    }

    /// What a hand takes that grasps `strand`: its vertex at the cursor, and
    /// those of other strands within reach of that.
    fn within_reach(&self, side: Side, sight: &Sight, strand: usize) -> Vec<Pulled> {
        let (Some(built), Some(points)) = (self.built(), strands::points(self, side, strand))
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
        let hand = &self.scene().hand;
        if !hand.lock {
            return pulled;
        }
        for other in 0..built.groom.strands() {
            let shown = crate::render::is_drawn(other, self.scene().look.drawn);
            let points = strands::points(self, side, other);
            let Some(points) = points.filter(|_| shown && other != strand) else {
                continue;
            };
            let nearest = points.iter().copied().enumerate().min_by(|a, b| {
                let far = |p: &Vec3| p.distance_squared(middle);
                far(&a.1).total_cmp(&far(&b.1))
            });
            let Some((vertex, from)) = nearest.filter(|(vertex, _)| *vertex > 0) else {
                continue;
            };
            let share = falloff(from.distance(middle) / hand.radius);
            if share > LEAST {
                pulled.push(Pulled {
                    strand: other,
                    vertex,
                    from,
                    share,
                });
            }
        }
        pulled
    }

    fn order_grasp(&self) {
        self.worker.order(Order::Grasp(self.held()));
    }

    /// The rest curves of what the scissors cut at `sight`.
    fn cut(&self, edits: &Edits, sight: &Sight) -> Vec<(usize, Vec<Vec3>)> {
        let (Some(hair), Some(built)) = (self.hair(edits), self.built()) else {
            return Vec::new();
        };
        let radius = self.scene().hand.radius;
        let brush = Brush { sight, radius };
        let head = match self.scene().look.show_head {
            true => sight.head_distance(&built.body, &hair.pose),
            false => f32::INFINITY,
        };
        // Scissors reach a little around the head.
        hair.cut(&brush, head + radius)
    }

    /// The rest curves of what the comb takes along from `before` to `sight`.
    fn comb(&mut self, edits: &Edits, before: &Sight, sight: &Sight) -> Vec<(usize, Vec<Vec3>)> {
        // The comb follows the hair nearer and farther.
        let side = self.work.as_ref().map(|work| work.side);
        let found = side.and_then(|side| self.under(side, sight));
        if let (Some(work), Some((_, depth))) = (&mut self.work, found) {
            work.depth = depth;
        }
        let Some(hair) = self.hair(edits) else {
            return Vec::new();
        };
        let depth = self.depth();
        let way = sight.at(depth) - before.at(depth);
        let hand = &self.scene().hand;
        let brush = Brush {
            sight,
            radius: hand.radius,
        };
        let margin = self.scene().sim.collision.margin;
        hair.comb(&brush, depth, way * hand.comb, margin)
    }

    /// The hair that the hand works on, changed by `edits` so far.
    fn hair<'a>(&'a self, edits: &'a Edits) -> Option<Hair<'a>> {
        Some(Hair {
            built: self.built()?,
            edits,
            positions: self.positions(self.work.as_ref()?.side)?,
            pose: self.now().pose,
            drawn: self.scene().look.drawn,
        })
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
    fn grasps(&self) -> Vec<Grasp> {
        let grasp = |pulled: &Pulled| {
            let to = self.first.follow(pulled.from, &self.last);
            Grasp {
                strand: pulled.strand,
                vertex: pulled.vertex,
                place: pulled.from + (to - pulled.from) * pulled.share,
                on_head: false,
                hold: Hold::Hand,
            }
        };
        self.pulled.iter().map(grasp).collect()
    }
}
