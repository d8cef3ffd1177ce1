//! What the program does about its two sides, and about the strand that is
//! looked at.

use super::AppState;
use crate::{
    io,
    project::compare::{self, SecondParams, Side},
    session::sim_handle::SimCommand,
    sim::solver::method,
    ui::page::Page,
};
use glam::Vec3;
use std::sync::Arc;

impl AppState {
    /// Whether there are two sides.
    pub fn compares(&self) -> bool {
        self.document.scene().compare.on
    }

    /// The side whose parameters the panel shows.
    pub fn side(&self) -> Side {
        match self.compares() {
            true => self.shown,
            false => Side::A,
        }
    }

    /// Tells which side is under the mouse, if any.
    pub fn point_at(&mut self, side: Option<Side>) {
        self.pointed = side;
    }

    /// The side that number keys act on: the one under the mouse, or else the
    /// one whose parameters are shown.
    fn meant(&self) -> Side {
        match self.compares() {
            true => self.pointed.unwrap_or(self.shown),
            false => Side::A,
        }
    }

    /// The vertices of a side as they are shown, in the groom's order, in the
    /// world; none while they are those of other hair. `[m]`
    pub fn positions(&self, side: Side) -> Option<&[Vec3]> {
        let (built, now) = (self.built()?, self.now());
        let positions: &[Vec3] = match side {
            Side::A => &now.positions,
            Side::B => &now.second.as_ref()?.positions,
        };
        let known = now.generation == built.generation;
        (known && positions.len() == built.groom.points.len()).then_some(positions)
    }

    /// The same, shared.
    pub(super) fn shared_positions(&self, side: Side) -> Option<Arc<Vec<Vec3>>> {
        self.positions(side)?;
        let now = self.now();
        Some(match side {
            Side::A => now.positions.clone(),
            Side::B => now.second.as_ref()?.positions.clone(),
        })
    }

    /// The page of plots that is open.
    pub fn page(&self) -> Option<Page> {
        self.page
    }

    /// The strand that is looked at, and on which side.
    pub fn picked(&self) -> Option<(Side, usize)> {
        self.picked
    }

    pub(super) fn take_solver(&mut self, id: &'static str) {
        let side = self.meant();
        self.change(|scene| {
            match side {
                Side::A => scene.sim.step.solver = id.into(),
                Side::B => scene.b.step.0.solver = id.into(),
            }
            Ok(())
        });
        if let Some(method) = method(id) {
            self.toasts.tell(match self.compares() {
                true => format!("{}: {}", side.letter(), method.name),
                false => method.name.into(),
            });
        }
    }

    pub(super) fn toggle_compare(&mut self) {
        self.change(|scene| {
            scene.compare.on ^= true;
            if scene.compare.on && scene.b == SecondParams::default() {
                // Nobody has said what to compare with: another method.
                scene.b.take(&scene.sim);
                let other = compare::other_than(&scene.sim.step.solver);
                scene.b.step.0.solver = other.id.into();
            }
            Ok(())
        });
        self.shown = match self.compares() {
            true => Side::B,
            false => Side::A,
        };
    }

    pub(super) fn toggle_dock(&mut self) {
        self.page = match (self.page, self.picked) {
            (Some(_), _) => None,
            (None, Some(_)) => Some(Page::Strand),
            (None, None) => Some(Page::Time),
        };
    }

    pub(super) fn pick(&mut self, strand: Option<(Side, usize)>) {
        if self.picked == strand {
            return;
        }
        if strand.is_some() && self.picked.is_none() {
            self.page = Some(Page::Strand);
        }
        self.picked = strand;
        if let Some((side, _)) = strand {
            self.shown = side;
        }
        let number = strand.map(|(_, number)| number);
        self.worker.order(SimCommand::Inspect(number));
    }

    /// Puts the method of that side through the validation bench, or gives that up.
    pub(super) fn toggle_trial(&mut self) {
        if self.examiner.trial().is_some() {
            self.examiner.cancel();
        } else if let Some(method) = method(self.document.scene().solver(self.side()))
            && let Err(error) = self.examiner.start(method)
        {
            let why = io::reason(&error);
            self.toasts
                .error(format!("The validation cannot start: {why}"));
        }
    }
}
