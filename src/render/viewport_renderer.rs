//! The picture of the hair, for the window, for files and without a window: one
//! renderer a side, and one picture of all of them.

mod contents;
mod files;
#[cfg(test)]
mod tests;

pub use contents::PictureContents;

use super::{
    Camera, Environment, Exposure, LightParams, LookParams, PassTiming, RenderError, Renderer,
    Still, Timing, View,
    adaptive_quality::{AdaptiveQuality, RenderQuality},
    canvas::Canvas,
    frame_request::{FrameRequest, Quality, SideState},
    parts::{DrawnParts, HeadParts, Planted},
    viewport_rect::{ViewportRect, viewport_rects},
};
use crate::{groom::FollowerParams, math::Pose};
use files::Exposing;
use glam::Vec3;
use std::{sync::Arc, time::Instant};

/// All that a picture depends on.
#[derive(Clone, PartialEq)]
struct Shown {
    camera: Camera,
    look: LookParams,
    followers: FollowerParams,
    light: LightParams,
    environment: Option<Arc<Environment>>,
    size: [u32; 2],
    uploaded: u64,
    generation: u64,
    sides: usize,
    /// Number of the colours on the head; 0 for none.
    tint: u64,
    transparent: bool,
}

impl Shown {
    /// One of the picture's sides: the camera as that side has it, and where its
    /// head is.
    fn view<'a>(&'a self, camera: &'a Camera, pose: Pose, rect: &ViewportRect) -> View<'a> {
        View {
            camera,
            look: &self.look,
            followers: &self.followers,
            light: &self.light,
            environment: self.environment.as_ref(),
            pose,
            size: rect.size,
            exact: true,
            swift: false,
        }
    }
}

/// How carefully a picture is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Care {
    quality: RenderQuality,
    /// As [`View::exact`] and [`View::swift`] say.
    exact: bool,
    swift: bool,
}

impl Care {
    /// Whether a picture drawn so is as good as one that is drawn as `wanted`.
    fn serves(&self, wanted: &Self) -> bool {
        let as_exact = self.exact || !wanted.exact;
        let as_late = wanted.swift || !self.swift;
        self.quality == wanted.quality && as_exact && as_late
    }
}

/// What the renderers' pictures show; when nothing of it changed, they need not
/// be drawn anew.
struct Drawn {
    scene: Shown,
    /// How it was drawn, which may be simpler than wanted.
    care: Care,
}

/// A renderer with what it shows.
struct Pane {
    renderer: Renderer,
    pose: Pose,
    /// Number of the colours that its head has; 0 for none.
    tinted: u64,
}

impl Pane {
    fn new(gl: &Arc<glow::Context>) -> Result<Self, RenderError> {
        Ok(Self {
            renderer: Renderer::new(gl.clone())?,
            pose: Pose::IDENTITY,
            tinted: 0,
        })
    }

    /// Shows a head, which begins without colours.
    fn take_head(&mut self, head: &Arc<HeadParts>) {
        self.renderer.take_head(head);
        self.tinted = 0;
    }

    /// Paints these colours, which have that number, over the head, or none.
    fn tint_head(&mut self, serial: u64, values: &[[f32; 2]]) {
        if serial != self.tinted {
            self.renderer.tint_head(values);
            self.tinted = serial;
        }
    }
}

/// Renderers and what they show.
///
/// The context it was made from must be current on this thread at every call, and
/// when it is dropped.
pub struct ViewportRenderer {
    gl: Arc<glow::Context>,
    first: Pane,
    /// Kept when the sides become fewer: they may become more again.
    others: Vec<Pane>,
    /// How many of the others are seen.
    beside: usize,
    /// Where the sides are put together for a file.
    canvas: Option<Canvas>,
    effort: AdaptiveQuality,
    head: Option<Arc<HeadParts>>,
    /// What the renderers draw; none while there is no hair.
    drawing: Option<DrawnParts>,
    /// Room for all vertices that are drawn, where more are drawn than simulated.
    all: Vec<Vec3>,
    generation: u64,
    uploaded: u64,
    drawn: Option<Drawn>,
    exposing: Option<Exposing>,
    /// What the still shows that is on its way, or taken and not let go of.
    still: Option<(Shown, Exposure)>,
    /// A still that is taken, until it is read or something else is drawn.
    exposed: Option<Vec<Still>>,
}

impl ViewportRenderer {
    /// On a context that is current on this thread.
    ///
    /// # Errors
    /// When the driver refuses what a picture needs.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let first = Pane::new(&gl)?;
        log::info!("{}", first.renderer.describe());
        Ok(Self {
            effort: AdaptiveQuality::new(first.renderer.is_software()),
            gl,
            first,
            others: Vec::new(),
            beside: 0,
            canvas: None,
            head: None,
            drawing: None,
            all: Vec::new(),
            generation: 0,
            uploaded: 0,
            drawn: None,
            exposing: None,
            still: None,
            exposed: None,
        })
    }

    /// How much of the hair the processor draws now, in words; none where graphics
    /// hardware draws.
    pub fn simplified(&self) -> Option<String> {
        let shown = self.drawn.as_ref();
        let share = shown.map_or(1.0, |shown| {
            shown.care.quality.look.drawn / shown.scene.look.drawn
        });
        self.effort.words(share)
    }

    /// What is wrong with shaders that are being written, a sentence each.
    pub fn shader_faults(&self) -> Vec<String> {
        self.first.renderer.shader_faults()
    }

    /// Number of sides.
    pub fn sides(&self) -> usize {
        1 + self.beside
    }

    /// The state that is shown.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// The head of hair that is shown; 0 for none yet.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether there is a head to be seen.
    pub fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Shows a head without hair.
    pub fn take_head(&mut self, head: &Arc<HeadParts>) {
        self.first.take_head(head);
        self.head = Some(head.clone());
        self.drawn = None;
    }

    /// Shows another head or other hair, which has that number.
    pub fn take_drawing(&mut self, drawing: &DrawnParts, generation: u64) {
        let head = &drawing.head;
        let other = !self.head.as_ref().is_some_and(|old| Arc::ptr_eq(old, head));
        for pane in std::iter::once(&mut self.first).chain(&mut self.others) {
            if other {
                pane.take_head(head);
            }
            pane.renderer.take_groom(&drawing.groom, &drawing.hair);
            pane.renderer.take_planted(&drawing.planted);
        }
        self.effort.expect_hair(drawing);
        self.head = Some(head.clone());
        self.generation = generation;
        self.drawing = Some(drawing.clone());
        self.drawn = None;
        self.give_up_still();
    }

    /// Draws these strands of the hair that was taken over last.
    pub fn take_planted(&mut self, planted: &Arc<Planted>) {
        // A still is of one head of hair.
        let waits = self.exposing.is_some();
        let Some(drawing) = self.drawing.as_mut().filter(|_| !waits) else {
            return;
        };
        if Arc::ptr_eq(&drawing.planted, planted) {
            return;
        }
        drawing.planted = planted.clone();
        for pane in std::iter::once(&mut self.first).chain(&mut self.others) {
            pane.renderer.take_planted(planted);
        }
        self.effort.expect_hair(drawing);
        self.drawn = None;
    }

    /// Shows so many sides, at least one.
    ///
    /// # Errors
    /// When the driver makes no renderer for each of them.
    pub fn set_sides(&mut self, sides: usize) -> Result<(), RenderError> {
        self.beside = 0;
        while self.others.len() + 1 < sides {
            let mut pane = Pane::new(&self.gl)?;
            if let Some(drawing) = &self.drawing {
                pane.take_head(&drawing.head);
                pane.renderer.take_groom(&drawing.groom, &drawing.hair);
                pane.renderer.take_planted(&drawing.planted);
            }
            self.others.push(pane);
        }
        self.beside = sides.saturating_sub(1);
        Ok(())
    }

    /// Brings a state to the graphics card, which has that number; there are as
    /// many sides from now on.
    ///
    /// # Errors
    /// Those of [`set_sides`](Self::set_sides).
    pub fn upload(&mut self, serial: u64, states: &[SideState]) -> Result<(), RenderError> {
        self.set_sides(states.len())?;
        let following = self
            .drawing
            .as_ref()
            .and_then(|drawing| drawing.following.clone());
        let mut all = std::mem::take(&mut self.all);
        for (pane, state) in self.panes().zip(states) {
            pane.renderer.deform_head(state.shape);
            let positions = match &following {
                None => state.positions,
                Some(following) => {
                    following.write(state.positions, &state.pose, &mut all);
                    &all
                }
            };
            pane.renderer.upload_positions(positions);
            pane.pose = state.pose;
        }
        self.all = all;
        self.uploaded = serial;
        Ok(())
    }

    /// The look of a picture for a file: where the processor draws, strands too thin for
    /// its size are merged. Also the number of strands that are drawn, and of all.
    pub fn merged(&self, wish: &FrameRequest) -> (LookParams, [usize; 2]) {
        let planted = |drawing: &DrawnParts| drawing.planted.strands();
        let all = self.drawing.as_ref().map_or(0, planted);
        let rect = self.rects(wish.size).into_iter().next();
        let size = rect.map_or(wish.size, |rect| rect.size);
        let quality = match self.effort.is_software() {
            true => {
                let camera = wish.camera.of_side(self.sides(), size);
                let magnified = self.first.renderer.pixels_per_metre(&camera, size);
                RenderQuality::merged(wish.look, all, magnified)
            }
            false => RenderQuality::full(wish.look),
        };
        let drawn = (all as f32 * quality.look.drawn).round() as usize;
        (quality.look, [drawn, all])
    }

    /// Draws what is wished for, unless the renderers have it already. Where time
    /// did not allow all, answers when to ask again: at once where
    /// [`simplified`](Self::simplified) says something else now, which was told before.
    ///
    /// # Errors
    /// When the driver cannot draw it.
    pub fn draw(&mut self, wish: &FrameRequest) -> Result<Option<Instant>, RenderError> {
        let scene = self.shown(wish);
        let begun = Instant::now();
        let told = self.simplified();
        let same = self.drawn.as_ref().filter(|drawn| drawn.scene == scene);
        let software = self.effort.is_software();
        let full = Care {
            quality: match wish.quality {
                Quality::Plain => RenderQuality::plain(&scene.look),
                Quality::Full | Quality::Live => RenderQuality::full(&scene.look),
            },
            // Ordering every segment reads points back and sorts on the processor: in files,
            // and once where the processor draws anyway. A graphics card never waits for it.
            exact: wish.quality == Quality::Full || wish.paused && software,
            swift: false,
        };
        if same.is_some_and(|drawn| drawn.care.serves(&full)) {
            return Ok(None);
        }
        let learns = wish.quality == Quality::Live && software;
        let mut later = None;
        let care = if !learns {
            full
        } else if same.is_none() {
            self.effort.moved(begun);
            later = Some(self.effort.rests_at());
            Care {
                quality: self.effort.live(&scene.look),
                exact: false,
                swift: true,
            }
        } else if !wish.paused {
            // The next step comes soon.
            return Ok(None);
        } else if begun < self.effort.rests_at() {
            return Ok(Some(self.effort.rests_at()));
        } else {
            Care {
                quality: self.effort.at_rest(&scene.look),
                ..full
            }
        };
        if same.is_some_and(|drawn| drawn.care.serves(&care)) {
            return Ok(later);
        }
        self.dress(wish);
        let sides = self.sides();
        for (pane, rect) in self.panes().zip(viewport_rects(sides, wish.size)) {
            let camera = scene.camera.of_side(sides, rect.size);
            pane.renderer.frame(&View {
                look: &care.quality.look,
                size: rect.size.map(|side| care.quality.pixels(side)),
                exact: care.exact,
                swift: care.swift,
                ..scene.view(&camera, pane.pose, &rect)
            })?;
        }
        // A bald head says nothing of what hair costs.
        let strands = |drawing: &DrawnParts| drawing.planted.strands();
        let planted = self.drawing.as_ref().map_or(0, strands);
        if care.swift && planted > 0 {
            self.first.renderer.finish();
            let ms = 1e3 * begun.elapsed().as_secs_f64();
            self.effort.learn(ms, planted);
        }
        self.drawn = Some(Drawn { scene, care });
        self.exposed = None;
        match self.simplified() == told {
            true => Ok(later),
            false => Ok(Some(begun)),
        }
    }

    fn shown(&self, wish: &FrameRequest) -> Shown {
        Shown {
            camera: wish.camera.clone(),
            look: wish.look.clone(),
            followers: wish.followers.clone(),
            light: wish.light.clone(),
            environment: wish.environment.cloned(),
            size: wish.size,
            uploaded: self.uploaded,
            generation: self.generation,
            sides: self.sides(),
            tint: wish.tint.map_or(0, |(serial, _)| serial),
            transparent: wish.transparent,
        }
    }

    /// The sides that are seen.
    fn panes(&mut self) -> impl Iterator<Item = &mut Pane> {
        std::iter::once(&mut self.first).chain(self.others.iter_mut().take(self.beside))
    }

    /// Takes the time of every pass from now on, or does not.
    pub fn time_passes(&mut self, on: bool) {
        let timing = match on {
            true => self.first.renderer.timing(),
            false => Timing::Off,
        };
        self.first.renderer.time_passes(timing);
    }

    /// What the passes of the last frame of the first side took.
    pub fn passes(&mut self) -> &[PassTiming] {
        self.first.renderer.laps()
    }

    /// Lets the renderers draw with colours on the head or without, and with a
    /// backdrop or without.
    fn dress(&mut self, wish: &FrameRequest) {
        let transparent = wish.transparent;
        self.panes()
            .for_each(|pane| pane.renderer.set_transparent(transparent));
        let (serial, values) = wish.tint.unwrap_or((0, &[]));
        self.panes().for_each(|pane| pane.tint_head(serial, values));
    }

    /// The parts of a picture of that size, one a side. `[px]`
    pub fn rects(&self, size: [u32; 2]) -> Vec<ViewportRect> {
        viewport_rects(self.sides(), size)
    }

    /// Copies the picture to the window, its lower left corner to `origin`.
    /// `[px]`
    pub fn present(&mut self, origin: [u32; 2], size: [u32; 2]) {
        let rects = self.rects(size);
        for (pane, rect) in self.panes().zip(&rects) {
            // OpenGL counts from the bottom.
            let bottom = size[1] - rect.origin[1] - rect.size[1];
            let place = [origin[0] + rect.origin[0], origin[1] + bottom];
            pane.renderer.present(place, rect.size);
        }
    }
}
