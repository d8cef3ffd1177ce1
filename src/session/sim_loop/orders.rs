//! What the window asks of the simulation thread, taken in its order.

use super::{SimLoop, recording::Recording};
use crate::{
    project::scene::Scene,
    session::{cache_player::CachePlayer, messages::SimCommand},
};
use std::sync::mpsc::TryRecvError;

impl<W: Fn() + Send> SimLoop<W> {
    /// Executes `first` and all commands in the queue. False if the window has closed.
    pub(super) fn take_orders(&mut self, first: Option<SimCommand>) -> bool {
        // A dragged slider sends many scenes, a dragged clock many times: of those in a
        // row only the newest is taken.
        let (mut scene, mut sought) = (None, None);
        let mut next = first.map_or_else(|| self.commands.try_recv(), Ok);
        loop {
            let order = match next {
                Ok(order) => order,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return false,
            };
            match order {
                // What was sought before it is sought in hair as it was then.
                SimCommand::Scene(newest) => {
                    self.take_waiting(&mut None, &mut sought);
                    scene = Some(newest);
                }
                SimCommand::Seek(time) => sought = Some(time),
                SimCommand::Ready(newest, ready) => {
                    // It replaces the scenes sent before it.
                    scene = None;
                    self.take_ready(*newest, *ready);
                }
                order => {
                    self.take_waiting(&mut scene, &mut sought);
                    self.obey(order);
                }
            }
            next = self.commands.try_recv();
        }
        self.take_waiting(&mut scene, &mut sought);
        true
    }

    /// Takes the scene and seeks the time that wait, in this order.
    fn take_waiting(&mut self, scene: &mut Option<Box<Scene>>, sought: &mut Option<f64>) {
        if let Some(scene) = scene.take() {
            self.take_scene(*scene);
        }
        if let Some(time) = sought.take() {
            self.seek(time);
        }
    }

    /// Goes on with another scene.
    fn take_scene(&mut self, scene: Scene) {
        let before = self.replace_scene(scene);
        if self.stage.as_ref().is_none_or(|s| !s.suits(&self.scene)) {
            self.build();
        }
        self.anew = false;
        self.keep_comparison();
        if self.paused {
            self.pose_head(&before);
        }
        let shown = |scene: &Scene| (scene.slice.cut(), scene.colours.show);
        if shown(&before) != shown(&self.scene) && self.recording.is_none() {
            self.publish(self.time(), None);
        }
        self.take_edits();
        self.hold();
        let now = &self.scene;
        let alike = before.sim.moves_like(&now.sim) && before.handwork == now.handwork;
        if !alike || before.b != now.b || before.compare != now.compare {
            self.rewind.change();
        }
    }

    /// Replaces the scene and returns the old one. Steps reduced to the time budget
    /// are derived again from the new scene.
    pub(super) fn replace_scene(&mut self, scene: Scene) -> Scene {
        if self.reduced.take().is_some() {
            // Rewind repeats each step with the parameters it had.
            self.rewind.renew();
        }
        std::mem::replace(&mut self.scene, scene)
    }

    /// Executes any command but a new scene.
    fn obey(&mut self, order: SimCommand) {
        if !matches!(order, SimCommand::Inspect(_) | SimCommand::Grab(_)) {
            self.ahead = None;
        }
        match order {
            SimCommand::Scene(_) | SimCommand::Ready(..) | SimCommand::Seek(_) => {}
            SimCommand::Pause(paused) => {
                self.paused = paused;
                self.restart_clocks();
                if !paused && self.player.as_ref().is_some_and(CachePlayer::ended) {
                    self.show_player(|player| player.go(0));
                }
                if paused && self.tween.is_some() && self.recording.is_none() {
                    // What was shown lies between two steps; a pause begins at the last one.
                    self.keep_tween(false);
                    self.publish(self.time(), None);
                }
            }
            SimCommand::BeginAnew => self.anew = true,
            SimCommand::Step => self.single_steps += 1,
            SimCommand::Reset => self.reset(),
            SimCommand::Inspect(strand) => {
                self.inspected = strand;
                self.inspect();
                if self.recording.is_none() {
                    self.publish(self.time(), None);
                }
            }
            SimCommand::Grab(grabs) => {
                self.grabbed = grabs;
                self.hold();
                self.rewind.change();
            }
            SimCommand::Go(steps) => self.go(steps),
            SimCommand::Play(reader) => self.play(*reader),
            SimCommand::Loop(on) => self.show_player(|player| {
                player.set_looping(on);
                Ok(())
            }),
            SimCommand::Leave if self.player.is_none() => {}
            SimCommand::Leave => {
                self.leave_film();
                if let Some(stage) = &mut self.stage {
                    stage.simulation.reset(&self.scene.sim);
                }
                self.keep_comparison();
                self.hold();
                self.begin();
            }
            SimCommand::Record { fps, from_start } => {
                if from_start {
                    self.reset();
                }
                self.restart_clocks();
                self.recording = Some(Recording::new(fps, self.time(), self.now()));
            }
            SimCommand::EndRecording => {
                self.restart_clocks();
                self.recording = None;
                // Those that are left were to be its frames.
                self.single_steps = 0;
            }
            SimCommand::NextFrame => {
                if let Some(recording) = &mut self.recording {
                    recording.want();
                }
            }
        }
    }
}
