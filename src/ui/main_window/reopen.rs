//! The window on a new OpenGL context, after the driver has lost the old one.

use super::{MainWindow, news::side_states};
use crate::{
    render::{
        PictureContents, ViewportRenderer,
        surface::{BareWindow, Surface3d},
    },
    ui::{app_state::AppState, fallback::Fallback, gui::Gui},
};
use anyhow::anyhow;

/// What a person is told.
const NOTICE: &str = "The graphics driver was reset; the picture has been set up again.";

impl MainWindow {
    /// Whether the driver has lost the context: then nothing but [`reopen`](Self::reopen)
    /// and [`close`](Self::close) helps.
    pub fn is_lost(&self) -> bool {
        self.surface.is_lost()
    }

    /// Makes everything anew that the driver has lost. What is no part of OpenGL stays:
    /// the panel as it is laid out, what the mouse does, and a still that is on its way,
    /// which is begun again.
    ///
    /// # Errors
    /// When that fails a few times in a row; the window is closed then.
    pub fn reopen(mut self, program: &mut AppState) -> anyhow::Result<Self> {
        log::warn!("the OpenGL context is lost");
        // Nothing that is freed may meet the new context: names would be the same.
        drop(self.captions.take());
        self.gui.leave();
        let contents = self.picture.into_contents();
        let mut bare = self.surface.shut();
        let mut reason = "each new context is lost at once".to_string();
        while let Some(pause) = self.recovery.attempt() {
            std::thread::sleep(pause);
            match on_new_context(bare, self.size, &contents, &mut self.gui, program) {
                Ok((surface, picture)) => {
                    self.surface = surface;
                    self.picture = picture;
                    // What failed before may have failed for the loss.
                    self.fallback = Fallback::default();
                    program.ui.toasts.tell(NOTICE);
                    self.pacing.want();
                    return Ok(self);
                }
                Err((window, error)) => {
                    log::warn!("no new OpenGL context: {error}");
                    (bare, reason) = (window, error);
                }
            }
        }
        bare.close();
        Err(anyhow!(
            "the graphics driver was reset, and the picture cannot be set up again: {reason}"
        ))
    }
}

/// A context with all that is drawn on it; where it cannot be had, the window comes back
/// with the reason.
fn on_new_context(
    bare: Box<BareWindow>,
    size: [u32; 2],
    contents: &PictureContents,
    gui: &mut Gui,
    program: &AppState,
) -> Result<(Surface3d, ViewportRenderer), (Box<BareWindow>, String)> {
    let surface = bare
        .open(size)
        .map_err(|(bare, error)| (bare, error.reason().to_string()))?;
    let now = program.session.now();
    let states = side_states(now);
    let known = contents.moment() == [now.generation, now.serial];
    let states = known.then_some(states.as_slice());
    let picture = ViewportRenderer::of_contents(surface.gl(), contents, states);
    let fitted = picture
        .map_err(|error| error.to_string())
        .and_then(|picture| {
            let painted = gui.paint_on(surface.gl());
            painted.map_err(|error| error.to_string())?;
            Ok(picture)
        });
    match fitted {
        Ok(picture) => Ok((surface, picture)),
        Err(reason) => {
            gui.leave();
            Err((surface.shut(), reason))
        }
    }
}
