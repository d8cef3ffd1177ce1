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
        self.session.order(SimCommand::Inspect(number));
    }

    /// Puts the method of that side through the validation bench, or gives that up.
    pub(super) fn toggle_trial(&mut self) {
        if self.session.validation().trial().is_some() {
            self.session.cancel_validation();
        } else if let Some(method) = method(self.scene().solver(self.side()))
            && let Err(error) = self.session.start_validation(method)
        {
            let why = io::reason(&error);
            self.toasts
                .error(format!("The validation cannot start: {why}"));
        }
    }
}
