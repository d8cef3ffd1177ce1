//! The hand in the picture: strands pulled and pinned, combed, smoothed and cut.

use super::AppState;
use crate::{
    mesh::paint::{Dab, Paint},
    param::{Kind, Value},
    project::sides::Side,
    session::sim_handle::SimCommand,
    sim::hand::Pin,
    ui::{
        command::Command,
        hand::{drag::HandDrag, reach::HandReach, strokes::MOST_DABS},
        keys,
        mirror_plane::MirrorPlane,
        pick_ray::{self, PickRay},
        tool::Tool,
    },
};
use glam::Vec3;

/// A hand that comes so near to a pin takes it out. `[points]`
const PIN: f32 = 8.0;

impl AppState {
    pub(super) fn take_tool(&mut self, tool: Tool) {
        self.let_go(false);
        // The palette shows which it is, and its settings lie beside it.
        self.ui.hand.tool = tool;
    }

    /// The left button went down over `side`; true when the hand has found
    /// hair to work on.
    pub fn grab(&mut self, side: Side, sight: &PickRay) -> bool {
        let tool = self.ui.hand.tool;
        if tool == Tool::Pull && self.unpin_at(sight) {
            return true;
        }
        let reach = HandReach {
            scene: self.document.scene(),
            session: &self.session,
            side,
            depth: self.ui.depth(),
        };
        // Where there is nothing to work on, a drag orbits.
        let found = match tool {
            Tool::Look => None,
            Tool::Pull => reach.pulled(sight),
            // A brush may come from beside the hair.
            Tool::Comb | Tool::Smooth | Tool::Cut | Tool::Grow | Tool::Lift => {
                let under = reach.under(sight);
                Some((Vec::new(), under.map_or(reach.depth, |(_, depth)| depth)))
            }
            // A stroke that begins on hair beside the head paints where it comes to the head.
            Tool::Less | Tool::More => {
                let on_head = pick_ray::on_head(&self.session, sight).map(|hit| hit.distance);
                let depth = on_head.or_else(|| reach.under(sight).map(|(_, depth)| depth));
                depth.map(|depth| (Vec::new(), depth))
            }
        };
        let Some((pulled, depth)) = found else {
            return false;
        };
        self.ui.hand.drag = Some(HandDrag::begin(side, sight, depth, pulled));
        self.ui.hand.strokes.begin();
        match tool {
            Tool::Pull => {
                self.order_grasp();
                if self.session.is_paused() {
                    let key = keys::name_of(&Command::Pause);
                    let told = format!("Paused: pulled hair follows once time goes on ({key})");
                    self.ui.toasts.tell(told);
                }
            }
            Tool::Smooth | Tool::Cut | Tool::Grow | Tool::Lift => self.stroke(sight, sight),
            Tool::Less | Tool::More => self.dab(sight, sight),
            // A comb has to move.
            Tool::Comb | Tool::Look => {}
        }
        true
    }

    /// The mouse moved while the hand is at work.
    pub fn drag(&mut self, sight: &PickRay) {
        let hand = &mut self.ui.hand;
        let Some(drag) = &mut hand.drag else { return };
        let before = drag.go_to(sight);
        match hand.tool {
            Tool::Pull => self.order_grasp(),
            Tool::Comb | Tool::Smooth | Tool::Cut | Tool::Grow | Tool::Lift => {
                self.stroke(&before, sight);
            }
            Tool::Less | Tool::More => self.dab(&before, sight),
            Tool::Look => {}
        }
    }

    /// Brushes from one cursor to another, beside the window.
    fn stroke(&mut self, before: &PickRay, sight: &PickRay) {
        let hand = &self.ui.hand;
        if let Some((tool, drag)) = hand.tool.stroke().zip(hand.drag.as_ref()) {
            self.stroke_along(tool, drag.side, [before, sight]);
        }
    }

    /// Paints less or more of the hair from one cursor to another.
    fn dab(&mut self, before: &PickRay, sight: &PickRay) {
        let hand = self.document.scene().hand.clone();
        let Ok(mut paint) = Paint::parse(hand.paints.of(&self.document.scene().roots)) else {
            return;
        };
        let depth = self.ui.depth();
        let way = before.at(depth).distance(sight.at(depth));
        let steps = (way / (0.4 * hand.radius)).ceil().clamp(1.0, MOST_DABS);
        let plane = MirrorPlane::in_use(&hand, &self.session);
        for step in 1..=steps as u32 {
            let here = before.between(sight, step as f32 / steps);
            let Some(hit) = pick_ray::on_head(&self.session, &here) else {
                continue;
            };
            if let Some(drag) = &mut self.ui.hand.drag {
                drag.depth = hit.distance;
            }
            // Paint belongs to the skin, wherever that is now.
            let place = hit.at_rest;
            let strength = match self.ui.hand.tool {
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
            if let Some(plane) = &plane {
                let place = plane.at_rest(place);
                paint.dabs.push(Dab { place, ..dab });
            }
        }
        // One stroke is one entry to undo.
        let stroke = self.document.scene().place(hand.paints.key());
        self.change_at(stroke, true, |scene| {
            *hand.paints.of_mut(&mut scene.roots) = paint.to_string();
        });
    }

    /// The button went up; what was pulled goes back, or stays `pinned`.
    pub fn let_go(&mut self, pinned: bool) {
        let Some(drag) = self.ui.hand.drag.take() else {
            return;
        };
        if drag.pulled().is_empty() {
            return;
        }
        self.session.order(SimCommand::Grab(Vec::new()));
        if !pinned || self.waits_for_carry() {
            return;
        }
        let Some(built) = self.session.built() else {
            return;
        };
        let pose = self.session.now().pose;
        let mut pins = self.document.scene().handwork.pins.to_vec();
        for grab in drag.grabs() {
            // Where it is, not where it was wanted: that may be out of reach.
            let points = self.session.strand(drag.side, grab.strand);
            let Some(place) = points.and_then(|points| points.get(grab.vertex)) else {
                continue;
            };
            let (number, vertex) = (built.groom.numbers.number(grab.strand), grab.vertex);
            let count = points.map_or(0, <[Vec3]>::len);
            pins.retain(|pin| (pin.number, pin.vertex_of(count)) != (number, vertex));
            pins.push(Pin {
                number,
                vertex,
                vertices: Some(count),
                place: pose.inverse_point(*place),
            });
        }
        self.change(|scene| {
            scene.handwork.pins = pins.into();
        });
    }

    pub(super) fn unpin(&mut self) {
        if self.waits_for_carry() {
            return;
        }
        self.change(|scene| {
            scene.handwork.pins = [].into();
        });
    }

    /// Takes the pin under the cursor out, if there is one.
    fn unpin_at(&mut self, sight: &PickRay) -> bool {
        let pose = self.session.now().pose;
        let near = |pin: &Pin| {
            let (off, depth) = sight.project(pose.point(pin.place));
            depth > 0.0 && off.length() < PIN
        };
        let pins: Vec<Pin> = self.document.scene().handwork.pins.to_vec();
        if !pins.iter().any(near) {
            return false;
        }
        // Where both sides are worked on, the other one's goes with it.
        let hand = &self.document.scene().hand;
        let plane = MirrorPlane::in_use(hand, &self.session);
        let other = |pin: &Pin| {
            let place = |plane: &MirrorPlane| plane.at_rest(pin.place);
            let place = plane.as_ref().map(place);
            place.is_some_and(|place| near(&Pin { place, ..*pin }))
        };
        let left = pins.iter().filter(|pin| !near(pin) && !other(pin));
        let left: Vec<Pin> = left.copied().collect();
        self.change(|scene| {
            scene.handwork.pins = left.into();
        });
        true
    }

    fn order_grasp(&self) {
        self.session.order(SimCommand::Grab(self.ui.hand.held()));
    }

    /// Makes the brush larger or smaller by a step, within the range of its tunable.
    pub(super) fn size_brush(&mut self, up: bool) {
        let scene = self.document.scene();
        let Some(place) = scene.place("hand.radius") else {
            return;
        };
        let factor = if up { 1.25 } else { 0.8 };
        let radius = f64::from(scene.hand.radius) * factor;
        let value = match scene.sections()[place.0].tunables()[place.1].kind {
            Kind::Float { ref range, .. } => {
                Value::Float(radius.clamp(*range.start(), *range.end()))
            }
            _ => return,
        };
        self.perform(Command::Set {
            place,
            value,
            held: true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_size_the_brush_to_the_ends_of_its_range_and_no_farther() {
        let mut program = AppState::small();
        let place = program.document.scene().place("hand.radius");
        let place = place.expect("its place");
        let kind = program.document.scene().sections()[place.0].tunables()[place.1]
            .kind
            .clone();
        let Kind::Float { range, .. } = kind else {
            panic!("a length")
        };
        let radius = |program: &AppState| f64::from(program.document.scene().hand.radius);
        for (up, end) in [(true, *range.end()), (false, *range.start())] {
            for _ in 0..60 {
                program.perform(Command::ResizeBrush(up));
            }
            let reached = radius(&program);
            assert!((reached / end - 1.0).abs() < 1e-6, "{reached} of {end}");
        }
    }
}
