//! What the program does about its two sides, and about the strand that is
//! looked at.

use super::AppState;
use crate::{
    io,
    lab::validate::MethodRun,
    project::{
        history::ParamPlace,
        scene::Scene,
        sides::{self, SecondParams, Side},
    },
    session::sim_handle::SimCommand,
    sim::solver::method,
    ui::{page::Page, panel::method_notes::other_hold},
};

impl AppState {
    pub(super) fn take_solver(&mut self, id: &'static str) {
        let side = self.ui.side_meant(self.document.scene());
        let before = self.document.scene().clone();
        self.change(|scene| match side {
            Side::A => scene.sim.step.solver = id.into(),
            Side::B => scene.b.step.0.solver = id.into(),
        });
        if let Some(method) = method(id) {
            self.ui.toasts.tell(match self.document.scene().compare.on {
                true => format!("{}: {}", side.letter(), method.name),
                false => method.name.into(),
            });
        }
        self.tell_other_hold(&before);
    }

    /// The scene as it is, where that place chooses a method.
    pub(super) fn method_place(&self, place: ParamPlace) -> Option<Scene> {
        let scene = self.document.scene();
        let chooses = ["sim.solver", "b.sim.solver"].map(|name| scene.place(name));
        chooses.contains(&Some(place)).then(|| scene.clone())
    }

    /// Tells where a method was chosen that rests in another shape than the one in `before`.
    pub(super) fn tell_other_hold(&mut self, before: &Scene) {
        let scene = self.document.scene();
        // Of two sides the panel tells, as long as they differ.
        if scene.compare.on {
            return;
        }
        if let Some((text, offer)) = other_hold(before, scene, Side::A) {
            self.ui.toasts.offer(text, vec![offer]);
        }
    }

    pub(super) fn toggle_compare(&mut self) {
        // A change is shown keyed numbers as they are now, also those of the second side.
        let nobody_set_it = self.document.scene().b == SecondParams::default();
        self.change(|scene| {
            scene.compare.on ^= true;
            if scene.compare.on && nobody_set_it {
                // Nobody has said what to compare with: another method.
                scene.b.take(&scene.sim);
                let other = sides::other_than(&scene.sim.step.solver);
                scene.b.step.0.solver = other.id.into();
            }
        });
        self.ui.shown = match self.document.scene().compare.on {
            true => Side::B,
            false => Side::A,
        };
    }

    pub(super) fn toggle_dock(&mut self) {
        if self.ui.page == Some(Page::Strand) {
            // With its page goes the mark on the strand.
            self.pick(None);
        }
        self.ui.page = match (self.ui.page, self.ui.picked) {
            (Some(_), _) => None,
            (None, Some(_)) => Some(Page::Strand),
            (None, None) => Some(Page::Time),
        };
    }

    /// Shows the parameters of that side, and of a strand that is inspected what that side does
    /// to it.
    pub(super) fn show_side(&mut self, side: Side) {
        self.ui.shown = side;
        if let Some((_, strand)) = self.ui.picked {
            self.pick(Some((side, strand)));
        }
    }

    pub(super) fn pick(&mut self, strand: Option<(Side, usize)>) {
        if self.ui.picked == strand {
            return;
        }
        if strand.is_some() && self.ui.picked.is_none() {
            self.ui.page = Some(Page::Strand);
        }
        self.ui.picked = strand;
        if let Some((side, _)) = strand {
            self.ui.shown = side;
        }
        let number = strand.map(|(_, number)| number);
        self.session.order(SimCommand::Inspect(number));
    }

    /// Puts the method of that side through the validation, or gives that up.
    pub(super) fn toggle_validation(&mut self) {
        if self.session.validation().running().is_some() {
            return self.session.cancel_validation();
        }
        let scene = self.document.scene();
        let side = self.ui.side(scene);
        let Some(method) = method(scene.solver(side)) else {
            return;
        };
        let subject = MethodRun::under(method, &scene.params_of(side));
        if let Err(error) = self.session.start_validation(subject) {
            let why = io::reason(&error);
            let text = format!("The validation cannot start: {why}");
            self.ui.toasts.error(text);
        }
    }
}
