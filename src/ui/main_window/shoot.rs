//! The picture drawn, for the eye and for files.

use super::{
    MainWindow,
    layout::{eyes, pixels},
};
use crate::{
    project::scene::Scene,
    render::{Camera, Exposure, FrameRequest, LookParams, Quality},
    session::recorder::FilePicture,
    ui::{
        app_state::AppState,
        caption::{self, Captions},
        panel::cost,
        picture_overlay,
    },
};
use egui::Rect;
use std::{sync::Arc, time::Duration};

/// While one paints on the head, no larger share of the strands is drawn.
const PAINTED_SHARE: f32 = 0.2;
/// So much of a frame goes to a still, and to a frame of a recording: that shall
/// not wait for the panel, and the panel's buttons still answer.
const STILL_TIME: Duration = Duration::from_millis(60);
const FILM_TIME: Duration = Duration::from_millis(200);

/// A picture for a file that is on its way. What is painted over it at its end has to be
/// of its begin: meanwhile one may look around.
pub(super) struct StillOnItsWay {
    /// Whether it is a frame of the recording.
    recorded: bool,
    /// `[px]`
    size: [u32; 2],
    camera: Camera,
    /// With the settings of the recording, where it is a frame of that.
    scene: Arc<Scene>,
}

impl MainWindow {
    /// Whether the still on its way is a frame of the recording.
    fn films(&self) -> bool {
        self.still.as_ref().is_some_and(|still| still.recorded)
    }

    /// Draws the picture, and keeps it where that is wanted.
    pub(super) fn show(
        &mut self,
        program: &mut AppState,
        recorded: bool,
        seen: bool,
    ) -> anyhow::Result<()> {
        if recorded {
            self.record(program);
        }
        let (origin, size) = pixels(self.viewport, self.size, self.scale());
        if seen {
            program.ui.picture = size;
        }
        let nothing = size.contains(&0) || !self.picture.has_head();
        if self.can_shoot(program) && self.picture.exposed().is_none() && program.wants_screenshot()
        {
            let scene = program.document.scene().clone();
            let samples = scene.capture.samples;
            self.begin_still(program, scene, program.frame_size(), samples, false);
        }
        let outcome = self.expose(program);
        if self.surface.is_lost() {
            // What was drawn is nothing, and so is what went wrong.
            return Ok(());
        }
        if let Err(error) = outcome {
            self.picture.give_up_still();
            match self.still.take().is_some_and(|still| still.recorded) {
                true => program.end_recording(&error.to_string()),
                false => program
                    .ui
                    .toasts
                    .error(format!("The picture cannot be taken: {error}")),
            }
        }
        if self.picture.exposed().is_some() {
            self.pacing.want();
        }
        if !seen || nothing {
            return Ok(());
        }
        if self.picture.exposed().is_some() {
            self.picture.present(origin, size);
            return Ok(());
        }
        let mut fallback = std::mem::take(&mut self.fallback);
        let told = fallback.draw(&program.document.scene().look, size, |plain| {
            let quality = match plain {
                true => Quality::Plain,
                false => Quality::Live,
            };
            self.draw(program, size, quality)
        });
        self.fallback = fallback;
        if let Some(told) = told?
            && !self.surface.is_lost()
        {
            program.ui.toasts.error(told);
            self.pacing.want();
        }
        let faults = self.picture.shader_faults();
        program.ui.set_drawing(self.picture.passes(), faults);
        self.picture
            .time_passes(cost::is_wanted(self.gui.context()));
        self.picture.present(origin, size);
        Ok(())
    }

    /// Goes on with the still that is on its way, and keeps one that is done.
    fn expose(&mut self, program: &mut AppState) -> anyhow::Result<()> {
        if self.films() && program.session.recorder().size().is_none() {
            // The recording was stopped: nobody waits for its last frame.
            self.picture.give_up_still();
            self.still = None;
        }
        let time = match self.films() {
            true => FILM_TIME,
            false => STILL_TIME,
        };
        if !self.picture.expose(time)? {
            return Ok(());
        }
        let Some(still) = self.still.take() else {
            return Ok(());
        };
        let read = self.read(program, &still);
        if read.is_err() || self.surface.is_lost() {
            // It is taken again on a new context.
            self.still = Some(still);
            return read.map(|_| ());
        }
        let picture = read?;
        self.picture.give_up_still();
        match still.recorded {
            true => program.session.take_frame(&still.scene, picture),
            false => program.take_screenshot(&still.scene, picture),
        }
        Ok(())
    }

    /// Whether a single picture can be taken of what is seen: all of that is of one moment.
    pub(super) fn can_shoot(&self, program: &AppState) -> bool {
        let (_, size) = pixels(self.viewport, self.size, self.scale());
        let now = program.session.now();
        let shown = [self.picture.generation(), self.picture.uploaded()];
        self.is_seen()
            && !size.contains(&0)
            && self.picture.has_head()
            && shown == [now.generation, now.serial]
    }

    /// Begins a frame of the recording.
    fn record(&mut self, program: &AppState) {
        let recorder = program.session.recorder();
        if let (Some(params), Some(size)) = (recorder.params(), recorder.size()) {
            let mut scene = program.document.scene().clone();
            // What is chosen meanwhile is for the next recording.
            scene.capture.clone_from(params);
            let samples = params.frame_samples(scene.camera.turntable, scene.opens_lens());
            self.begin_still(program, scene, size, samples, true);
        }
    }

    fn begin_still(
        &mut self,
        program: &AppState,
        scene: Scene,
        size: [u32; 2],
        samples: u32,
        recorded: bool,
    ) {
        let lens = program.lens();
        let wish = FrameRequest {
            transparent: scene.capture.transparent,
            ..wish(program, size, Quality::Full)
        };
        self.picture.begin_still(&wish, &Exposure { samples, lens });
        self.still = Some(StillOnItsWay {
            recorded,
            size,
            camera: program.ui.camera.clone(),
            scene: Arc::new(scene),
        });
    }

    /// What was drawn last, with all that belongs to it.
    fn read(&mut self, program: &AppState, still: &StillOnItsWay) -> anyhow::Result<FilePicture> {
        let (size, scene) = (still.size, &still.scene);
        let scale = match scene.capture.pixels() {
            Some([_, height]) => caption::scale(height),
            None => self.scale(),
        };
        let parts = self.picture.rects(size);
        let eyes = eyes(&still.camera, &parts, scale, Rect::ZERO);
        let now = program.session.now();
        let captions = picture_overlay::captions(scene, &eyes);
        if captions.is_empty() && now.slice.is_none() && now.colours.is_none() {
            return Ok(self.picture.read(size, None)?);
        }
        let painter = match &mut self.captions {
            Some(painter) => painter,
            none => none.insert(Captions::new(self.surface.gl())?),
        };
        let mut over = |painter: &egui::Painter| {
            let sides = picture_overlay::of_snapshot(now);
            picture_overlay::paint(painter, &sides, &scene.slice, &eyes);
            captions.iter().for_each(|caption| caption.paint(painter));
        };
        let mut paint = || painter.paint(size, scale, &mut over);
        Ok(self.picture.read(size, Some(&mut paint))?)
    }

    /// Draws the picture, unless the renderer has it already.
    fn draw(&mut self, program: &AppState, size: [u32; 2], quality: Quality) -> anyhow::Result<()> {
        let mut wish = wish(program, size, quality);
        // Painted skin shows between few strands.
        let thin = LookParams {
            drawn: wish.look.drawn.min(PAINTED_SHARE),
            ..wish.look.clone()
        };
        let turned = program.turned_camera();
        if program.ui.hand.tool.paints() || program.ui.hand.parting.on {
            wish.look = &thin;
        }
        // Colours are of the head that is built last.
        if program.ui.hand.tool.paints() && self.shows_newest_hair(program) {
            wish.tint = self.tint.follow(
                program.document.scene(),
                &program.session,
                program.ui.hand.tool,
            );
        }
        wish.camera = turned.as_ref().unwrap_or(wish.camera);
        if let Some(moment) = self.picture.draw(&wish)? {
            self.pacing.want_at(moment);
        }
        Ok(())
    }
}

/// A picture of what the program shows.
fn wish(program: &AppState, size: [u32; 2], quality: Quality) -> FrameRequest<'_> {
    FrameRequest {
        camera: &program.ui.camera,
        look: program.ui.keyed.look(program.document.scene()),
        followers: &program.document.scene().followers,
        light: program.ui.keyed.light(program.document.scene()),
        environment: program.session.environment(),
        size,
        quality,
        paused: program.session.is_paused(),
        tint: None,
        transparent: false,
    }
}
