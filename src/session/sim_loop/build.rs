//! A new head or groom: built here, or installed as built elsewhere.

use super::SimLoop;
use crate::{
    mesh::LoadedHead,
    project::{
        built_scene::{BuildError, BuiltScene, Told},
        scene::Scene,
        tie_report::TieReport,
    },
    render::HeadParts,
    session::{
        messages::{BuildResult, SimEvent},
        ready::Ready,
    },
    sim::volume::HairVolume,
};
use std::sync::{Arc, Mutex, atomic::Ordering};

impl<W: Fn() + Send> SimLoop<W> {
    /// Builds the scene; the old one stays if that fails.
    pub(super) fn build(&mut self) {
        self.report(SimEvent::Building);
        let events = Mutex::new(self.events.clone());
        let leaving = self.leaving.clone();
        let progress = |told| {
            if let (Told::Files(done, all), Ok(events)) = (told, events.lock()) {
                // Sending fails if the window has closed.
                let _ = events.send(SimEvent::Reading(done, all));
            }
            !leaving.load(Ordering::Relaxed)
        };
        let ground = self.stage.as_ref().map(BuiltScene::ground);
        let kept = ground.as_ref().zip(self.drawing.as_ref());
        let show = |head: &LoadedHead, parts: &Arc<HeadParts>| {
            self.report(SimEvent::Head(Box::new(head.clone()), parts.clone()));
        };
        let ready = Ready::build_shown(&self.scene, kept, &progress, &show);
        match ready {
            Ok(ready) => self.install(ready),
            Err(BuildError::GivenUp) => {}
            Err(error) => self.report(SimEvent::Failed {
                message: error.to_string(),
                scene: Some(Box::new(self.scene.clone())),
            }),
        }
    }

    /// Installs a scene whose head and groom are built; builds again on them if the
    /// scene has changed since.
    pub(super) fn take_ready(&mut self, scene: Scene, ready: Ready) {
        self.replace_scene(scene);
        let suits = ready.stage.suits(&self.scene);
        self.install(ready);
        if !suits {
            self.build();
        }
        self.anew = false;
        self.rewind.change();
    }

    fn install(&mut self, ready: Ready) {
        let Ready {
            mut stage,
            drawing,
            scene,
        } = ready;
        // Who changes the hair of a head that moves wants to see it there and then.
        if !self.anew
            && self.player.is_none()
            && let Some(old) = &self.stage
            && Arc::ptr_eq(&old.body, &stage.body)
        {
            stage
                .simulation
                .go_on_from(&old.simulation, &self.scene.sim);
        }
        self.generation += 1;
        let built = Box::new(BuildResult {
            generation: self.generation,
            tie: TieReport::of(&scene, &stage.groom),
            scene,
            head: stage.head.clone(),
            body: stage.body.clone(),
            head_params: stage.head_params().clone(),
            sequence: stage.sequence().into(),
            bed: stage.bed.clone(),
            bound: stage.bound.clone(),
            origin: stage.origin.clone(),
            file_axes: stage.file_axes(),
            groom: stage.groom.clone(),
            longest_edge: stage.groom.longest_edge(),
            ground: stage.ground(),
            drawing: drawing.clone(),
        });
        // Edits made since the build are applied below.
        self.edited = stage.handwork().edits.clone();
        self.stage = Some(stage);
        self.drawing = Some(drawing);
        self.leave_film();
        self.slice_volume = HairVolume::default();
        self.grabbed.clear();
        // The strand numbers of another groom do not match.
        self.inspected = None;
        self.comparison = None;
        self.stats_history.clear();
        self.hold();
        self.keep_comparison();
        self.begin();
        self.take_edits();
        // Sent last: the first snapshot is published by now.
        self.report(SimEvent::Built(built));
    }
}
