//! Pictures for files: stills, and all sides put together in one.

use super::{Care, Drawn, Shown, ViewportRenderer};
use crate::render::{
    Exposure, RenderError, Still, adaptive_quality::RenderQuality, canvas::Canvas,
    frame_request::FrameRequest, still::TILE, viewport_rect::viewport_rects,
};
use std::time::{Duration, Instant};

/// A still: what it shows, and one part a side.
pub(super) struct Exposing {
    scene: Shown,
    stills: Vec<Still>,
}

impl ViewportRenderer {
    /// Begins a still of what is wished for.
    pub fn begin_still(&mut self, wish: &FrameRequest, exposure: &Exposure) {
        let scene = self.shown(wish);
        self.dress(wish);
        self.begin_still_of(scene, exposure);
    }

    /// The same of what is known already; the renderers may be on a new context.
    pub(super) fn begin_still_of(&mut self, scene: Shown, exposure: &Exposure) {
        let rects = self.rects(scene.size);
        let stills = self
            .panes()
            .zip(&rects)
            .map(|(pane, rect)| {
                pane.renderer.set_transparent(scene.transparent);
                pane.renderer.begin_still(rect.size, exposure, TILE)
            })
            .collect();
        self.still = Some((scene.clone(), *exposure));
        self.exposing = Some(Exposing { scene, stills });
    }

    /// Lets go of a still that is on its way, or taken.
    pub fn give_up_still(&mut self) {
        self.exposing = None;
        self.exposed = None;
        self.still = None;
    }

    /// The share of a still that is taken; none where none is on its way.
    pub fn exposed(&self) -> Option<f32> {
        let stills = &self.exposing.as_ref()?.stills;
        let sum: f32 = stills.iter().map(Still::share).sum();
        Some(sum / stills.len().max(1) as f32)
    }

    /// Goes on with a still for about so long; true when it has become
    /// [`read`](Self::read)y.
    ///
    /// # Errors
    /// When the driver cannot draw it.
    pub fn expose(&mut self, time: Duration) -> Result<bool, RenderError> {
        let Some(Exposing { scene, mut stills }) = self.exposing.take() else {
            return Ok(false);
        };
        // Whatever comes of it, the renderers do not hold what was drawn before.
        self.drawn = None;
        let begun = Instant::now();
        let mut done = true;
        let rects = viewport_rects(scene.sides, scene.size);
        for ((pane, rect), still) in self.panes().zip(&rects).zip(&mut stills) {
            let camera = scene.camera.of_side(scene.sides, rect.size);
            let view = scene.view(&camera, pane.pose, rect);
            // One at least, or it would never end.
            while !still.is_done() {
                pane.renderer.expose(&view, still)?;
                if begun.elapsed() > time {
                    break;
                }
            }
            done &= still.is_done();
        }
        // They hold the last tile of it now.
        let whole = done && scene.size.iter().all(|side| *side <= TILE);
        self.drawn = whole.then(|| Drawn {
            care: Care {
                quality: RenderQuality::full(&scene.look),
                exact: true,
                swift: false,
            },
            scene: scene.clone(),
        });
        match done {
            true => self.exposed = Some(stills),
            false => self.exposing = Some(Exposing { scene, stills }),
        }
        Ok(done)
    }

    /// Makes what a file of several sides, or with something over it, is put
    /// together on. `[px]`
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn make_canvas(&mut self, size: [u32; 2]) -> Result<&Canvas, RenderError> {
        if self.canvas.as_ref().is_none_or(|old| old.size() != size) {
            self.canvas = None;
        }
        match &mut self.canvas {
            Some(canvas) => Ok(canvas),
            none => Ok(none.insert(Canvas::new(&self.first.renderer, size)?)),
        }
    }

    /// The picture as it was drawn last, or the still, for a file: width, height,
    /// and three bytes a pixel, or four where it is transparent; `over` paints over
    /// it, into the framebuffer that is bound.
    ///
    /// # Errors
    /// Those of [`make_canvas`](Self::make_canvas).
    pub fn read(
        &mut self,
        size: [u32; 2],
        over: Option<&mut dyn FnMut()>,
    ) -> Result<(u32, u32, Vec<u8>), RenderError> {
        let mut stills = self.exposed.take();
        if over.is_none() && self.beside == 0 {
            let still = stills.as_mut().and_then(Vec::pop).map(Still::into_pixels);
            return Ok(still.unwrap_or_else(|| self.first.renderer.read()));
        }
        self.make_canvas(size)?;
        let rects = self.rects(size);
        let panes = std::iter::once(&self.first).chain(self.others.iter().take(self.beside));
        let Some(canvas) = &self.canvas else {
            return Ok((0, 0, Vec::new()));
        };
        canvas.clear();
        match stills {
            Some(stills) => {
                for (still, rect) in stills.into_iter().zip(&rects) {
                    canvas.place_pixels(still.into_pixels(), rect.origin);
                }
            }
            None => {
                for (pane, rect) in panes.zip(&rects) {
                    canvas.place(&pane.renderer, rect.origin);
                }
            }
        }
        canvas.bind();
        if let Some(over) = over {
            over();
        }
        Ok(match self.first.renderer.is_transparent() {
            true => canvas.read_rgba(),
            false => canvas.read_rgb(),
        })
    }
}
