//! The hair of a file is placed in the picture: handles move, turn and scale it, and until it
//! is bound anew, lines show where it will lie. Never part of a picture that is written to a
//! file.

use super::{
    bodies::gizmo::{Change, Gizmo, Handle},
    command::Command,
    theme,
    view_projection::ViewProjection,
};
use crate::{
    groom::{ImportParams, fit::Placement},
    math::Pose,
    mesh::{Units, Up},
    session::{Session, sim_handle::BuildResult},
};
use egui::{Pos2, Shape, Stroke, Ui, pos2};
use glam::{Quat, Vec3};

/// So many strands are shown while the hair is not bound yet.
const SHOWN: usize = 240;
/// It is turned by whole steps of this while Shift is held. `[°]`
const STEP: f32 = 15.0;

/// Where hair that was built lies, and where it shall lie.
struct Placed<'a> {
    built: &'a BuildResult,
    was: Placement,
    now: Placement,
}

impl<'a> Placed<'a> {
    /// None of grown hair, and of hair that comes from another head.
    fn new(session: &'a Session, import: &ImportParams) -> Option<Self> {
        let built = session.built()?;
        let was = built.bound.as_deref()?.file.placement()?;
        let then = &built.scene.import;
        if import.made_for().is_some() || then.file != import.file {
            return None;
        }
        let unit = match import.units {
            Units::Auto => was.metres / then.scale,
            set => set.metres(),
        };
        let now = Placement {
            up: match import.up {
                Up::Auto => was.up,
                set => set,
            },
            turn: import.turn,
            metres: unit * import.scale,
            offset: Vec3::from(import.offset),
            along: was.along,
        };
        (now.up == was.up).then_some(Self { built, was, now })
    }

    /// The middle of the roots, where the hair shall lie. `[m]`
    fn middle(&self) -> Vec3 {
        let groom = &self.built.groom;
        let roots = (0..groom.strands()).map(|strand| groom.points[groom.range(strand).start]);
        let middle = roots.sum::<Vec3>() / groom.strands().max(1) as f32;
        self.was.onto(&self.now, middle)
    }

    /// Whether the hair that is shown lies there already.
    fn is_bound(&self, import: &ImportParams) -> bool {
        self.built.scene.import == *import
    }
}

/// A drag of a handle.
#[derive(Clone, Debug)]
pub struct PlacingDrag {
    import: ImportParams,
    from_place: Placement,
    middle: Vec3,
    gizmo: Gizmo,
    eye: ViewProjection,
    pose: Pose,
    from: Pos2,
    /// The handle that is held.
    pub handle: Handle,
}

impl PlacingDrag {
    /// Takes the handle at `at`, if there is one.
    pub fn begin(
        session: &Session,
        import: &ImportParams,
        eye: ViewProjection,
        at: Pos2,
    ) -> Option<Self> {
        let placed = Placed::new(session, import)?;
        let (pose, middle) = (session.now().pose, placed.middle());
        let gizmo = Gizmo::upright(pose.point(middle), pose, &eye);
        let handle = gizmo.handle(&eye, at)?;
        Some(Self {
            import: import.clone(),
            from_place: placed.now,
            middle,
            gizmo,
            eye,
            pose,
            from: at,
            handle,
        })
    }

    /// How the hair should be placed now that the mouse is at `[x, y]`; turned in whole
    /// steps if `even`.
    pub fn to(&self, [x, y]: [f32; 2], even: bool) -> Command {
        let at = pos2(x, y);
        let change = self.gizmo.change(&self.eye, self.handle, self.from, at);
        let import = self.import.placed(&self.placed(change, even));
        Command::PlaceHair {
            import: Box::new(import),
            held: true,
        }
    }

    /// Where the hair comes by a change of the handles.
    fn placed(&self, change: Change, even: bool) -> Placement {
        let start = &self.from_place;
        match change {
            Change::Move(by) => start.moved(self.pose.rotation.conjugate() * by),
            Change::Turn(by) => {
                let mut angle = about(by, self.gizmo.axes()[1]).to_degrees();
                if even {
                    angle = (angle / STEP).round() * STEP;
                }
                start.turned(angle, self.middle)
            }
            Change::Scale(factors) => start.scaled(factors.element_product(), self.middle),
        }
    }
}

/// How far a rotation about that axis turns. `[rad]`
fn about(by: Quat, axis: Vec3) -> f32 {
    let (about, angle) = by.to_axis_angle();
    angle * 1f32.copysign(about.dot(axis))
}

/// Draws the handles over the sides of the picture, and the hair where it shall lie until it
/// is bound there.
pub fn show(
    ui: &Ui,
    eyes: &[ViewProjection],
    session: &Session,
    import: &ImportParams,
    held: Option<Handle>,
) {
    let Some(placed) = Placed::new(session, import) else {
        return;
    };
    let pose = session.now().pose;
    let middle = pose.point(placed.middle());
    for eye in eyes {
        let painter = ui.painter().with_clip_rect(eye.rect);
        if !placed.is_bound(import) {
            painter.extend(lines(&placed, pose, eye));
        }
        let gizmo = Gizmo::upright(middle, pose, eye);
        let under = ui.input(|input| input.pointer.latest_pos());
        let lit = held.or_else(|| under.and_then(|at| gizmo.handle(eye, at)));
        gizmo.draw(&painter, eye, lit);
    }
}

/// Some strands where they shall lie.
fn lines(placed: &Placed, pose: Pose, eye: &ViewProjection) -> Vec<Shape> {
    let groom = &placed.built.groom;
    let every = groom.strands().div_ceil(SHOWN).max(1);
    let see = |p: &Vec3| eye.see(pose.point(placed.was.onto(&placed.now, *p)));
    let stroke = Stroke::new(1.2, theme::ACCENT.gamma_multiply(0.8));
    let mut shapes = Vec::new();
    for strand in (0..groom.strands()).step_by(every) {
        let line: Vec<Pos2> = groom.strand(strand).iter().filter_map(see).collect();
        if let Some(root) = line.first() {
            shapes.push(Shape::circle_filled(*root, 2.0, theme::ACCENT));
        }
        shapes.push(Shape::line(line, stroke));
    }
    shapes
}

#[cfg(test)]
mod tests;
