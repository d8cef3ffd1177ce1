//! The picture of the hair: one renderer a side, and one picture of all of
//! them for files.

use super::{
    adaptive_quality::{AdaptiveQuality, RenderQuality},
    file_picture::FilePicture,
    pacing::Pacing,
    tint::Tinted,
};
use crate::{
    groom::FollowerParams,
    math::Pose,
    project::compare::{self, Cell},
    render::{
        Camera, Exposure, HeadParts, LightParams, LookParams, PassTiming, Planted, Renderer, Still,
        Timing, View,
    },
    session::sim_handle::{BuildResult, Snapshot},
};
use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

/// How carefully a picture is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// As the look says.
    Full,
    /// As time allows.
    Live,
    /// With the least that shows the hair.
    Plain,
}

/// What a picture shall show.
#[derive(Clone, Copy)]
pub struct FrameRequest<'a> {
    /// Where it is taken from.
    pub camera: &'a Camera,
    /// How hair and set are drawn.
    pub look: &'a LookParams,
    /// How drawn strands follow simulated ones.
    pub followers: &'a FollowerParams,
    /// How they are lit.
    pub light: &'a LightParams,
    /// Radius of the lens of a still. `[m]`
    pub aperture: f32,
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// How carefully.
    pub quality: Quality,
    /// Whether the hair stands still.
    pub paused: bool,
    /// Colours on the head.
    pub tint: Option<Tinted<'a>>,
    /// Whether there is no backdrop.
    pub transparent: bool,
}

/// All that a picture depends on.
#[derive(Clone, PartialEq)]
struct Shown {
    camera: Camera,
    look: LookParams,
    followers: FollowerParams,
    light: LightParams,
    size: [u32; 2],
    uploaded: u64,
    generation: u64,
    sides: usize,
    /// Number of the colours on the head; 0 for none.
    tint: u64,
    transparent: bool,
}

impl Shown {
    /// The camera of one of the picture's cells.
    fn camera_of(&self, cell: &Cell) -> Cow<'_, Camera> {
        match self.sides {
            1 => Cow::Borrowed(&self.camera),
            _ => Cow::Owned(compare::fitted(&self.camera, cell.size)),
        }
    }
}

/// What the renderers' pictures show; when nothing of it changed, they need not
/// be drawn anew.
struct Drawn {
    scene: Shown,
    /// How it was drawn, which may be simpler than wanted.
    care: RenderQuality,
}

/// Renderers and what they show.
pub struct ViewportRenderer {
    gl: Arc<glow::Context>,
    first: Renderer,
    /// Kept when the sides become one: they may become two again.
    second: Option<Renderer>,
    two: bool,
    /// Pictures for files.
    files: FilePicture,
    effort: AdaptiveQuality,
    head: Option<Arc<HeadParts>>,
    generation: u64,
    /// The strands that the renderers draw.
    planted: Option<Arc<Planted>>,
    uploaded: u64,
    pose: Pose,
    drawn: Option<Drawn>,
    /// Number of the colours that the renderers' heads have; 0 for none.
    tinted: u64,
    exposing: Option<Exposing>,
}

/// A still on its way: what it shows, and one part a side.
struct Exposing {
    scene: Shown,
    stills: Vec<Still>,
}

impl ViewportRenderer {
    /// On a context that stays current on this thread until the picture is
    /// dropped.
    ///
    /// # Errors
    /// When the driver refuses what a picture needs.
    pub fn new(gl: Arc<glow::Context>) -> anyhow::Result<Self> {
        let first = Renderer::new(gl.clone())?;
        log::info!("{}", first.describe());
        Ok(Self {
            effort: AdaptiveQuality::new(first.is_software()),
            files: FilePicture::new(gl.clone()),
            gl,
            first,
            second: None,
            two: false,
            head: None,
            generation: 0,
            planted: None,
            uploaded: 0,
            pose: Pose::IDENTITY,
            drawn: None,
            tinted: 0,
            exposing: None,
        })
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.effort.is_software()
    }

    /// What the processor draws while something moves, in words; none where
    /// graphics hardware draws.
    pub fn simplified(&self) -> Option<String> {
        self.effort.words()
    }

    /// What is wrong with shaders that are being written, a sentence each.
    pub fn shader_faults(&self) -> Vec<String> {
        self.first.shader_faults()
    }

    /// Number of sides.
    pub fn sides(&self) -> usize {
        1 + usize::from(self.two)
    }

    /// The snapshot that is shown.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// Shows a head without hair.
    pub fn take_head(&mut self, head: &Arc<HeadParts>) {
        self.first.take_head(head);
        self.head = Some(head.clone());
        self.drawn = None;
    }

    /// The head of hair that is shown; 0 for none yet.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether there is a head to be seen.
    pub fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Shows another head or other hair.
    pub fn take_built(&mut self, built: &BuildResult) {
        let drawing = &built.drawing;
        let head = &drawing.head;
        let other = !self.head.as_ref().is_some_and(|old| Arc::ptr_eq(old, head));
        for renderer in [Some(&mut self.first), self.second.as_mut()]
            .into_iter()
            .flatten()
        {
            if other {
                renderer.take_head(head);
            }
            renderer.take_groom(&built.groom, &drawing.hair);
            renderer.take_planted(&drawing.planted);
        }
        if other {
            // A head begins without colours.
            self.tinted = 0;
        }
        self.effort.expect(drawing.planted.strands());
        self.head = Some(head.clone());
        self.generation = built.generation;
        self.planted = Some(drawing.planted.clone());
        self.drawn = None;
        self.exposing = None;
    }

    /// Draws these strands of the hair that was taken over last.
    pub fn take_planted(&mut self, planted: &Arc<Planted>) {
        let same = |old: &Arc<Planted>| Arc::ptr_eq(old, planted);
        // A still is of one head of hair.
        if self.planted.as_ref().is_some_and(same) || self.exposing.is_some() {
            return;
        }
        let second = self.second.as_mut();
        for renderer in [Some(&mut self.first), second].into_iter().flatten() {
            renderer.take_planted(planted);
        }
        self.effort.expect(planted.strands());
        self.planted = Some(planted.clone());
        self.drawn = None;
    }

    /// Brings a state of `built` to the graphics card.
    ///
    /// # Errors
    /// When the driver makes no second renderer.
    pub fn upload(&mut self, snapshot: &Snapshot, built: &BuildResult) -> anyhow::Result<()> {
        self.first.deform_head(&snapshot.shape);
        self.first.upload_positions(&snapshot.positions);
        self.two = false;
        if let Some(second) = &snapshot.second {
            let renderer = match &mut self.second {
                Some(renderer) => renderer,
                none => {
                    let mut renderer = Renderer::new(self.gl.clone())?;
                    renderer.take_head(&built.drawing.head);
                    renderer.take_groom(&built.groom, &built.drawing.hair);
                    if let Some(planted) = &self.planted {
                        renderer.take_planted(planted);
                    }
                    // Both sides get their colours together.
                    self.tinted = 0;
                    none.insert(renderer)
                }
            };
            renderer.deform_head(&snapshot.shape);
            renderer.upload_positions(&second.positions);
            self.two = true;
        }
        self.uploaded = snapshot.serial;
        self.pose = snapshot.pose;
        Ok(())
    }

    /// Draws what is wished for, unless the renderers have it already; asks
    /// `pacing` for another look where time did not allow all.
    ///
    /// # Errors
    /// When the driver cannot draw it.
    pub fn draw(&mut self, wish: &FrameRequest, pacing: &mut Pacing) -> anyhow::Result<()> {
        let scene = self.shown(wish);
        let begun = Instant::now();
        let same = self.drawn.as_ref().filter(|drawn| drawn.scene == scene);
        let full = match wish.quality {
            Quality::Plain => RenderQuality::plain(&scene.look),
            Quality::Full | Quality::Live => RenderQuality::full(&scene.look),
        };
        if same.is_some_and(|drawn| drawn.care == full) {
            return Ok(());
        }
        let learns = wish.quality == Quality::Live && self.effort.is_software();
        let care = if !learns {
            full
        } else if same.is_none() {
            self.effort.moved(begun);
            pacing.want_at(self.effort.rests_at());
            self.effort.live(&scene.look)
        } else if !wish.paused {
            // The next step comes soon.
            return Ok(());
        } else if begun < self.effort.rests_at() {
            pacing.want_at(self.effort.rests_at());
            return Ok(());
        } else {
            self.effort.at_rest(&scene.look)
        };
        if same.is_some_and(|drawn| drawn.care == care) {
            return Ok(());
        }
        let moves = learns && same.is_none();
        self.dress(wish);
        let (cells, pose) = (self.cells(wish.size), self.pose);
        for (renderer, cell) in self.renderers().zip(&cells) {
            renderer.frame(&View {
                camera: &scene.camera_of(cell),
                look: &care.look,
                followers: &scene.followers,
                light: &scene.light,
                pose,
                size: cell.size.map(|side| care.pixels(side)),
                exact: wish.quality == Quality::Full || wish.paused && !moves,
                swift: moves,
            })?;
        }
        // A bald head says nothing of what hair costs.
        let planted = self.planted.as_ref().map_or(0, |planted| planted.strands());
        if moves && planted > 0 {
            self.first.finish();
            let ms = 1e3 * begun.elapsed().as_secs_f64();
            self.effort.learn(ms, planted);
        }
        self.drawn = Some(Drawn { scene, care });
        Ok(())
    }

    fn shown(&self, wish: &FrameRequest) -> Shown {
        Shown {
            camera: wish.camera.clone(),
            look: wish.look.clone(),
            followers: wish.followers.clone(),
            light: wish.light.clone(),
            size: wish.size,
            uploaded: self.uploaded,
            generation: self.generation,
            sides: self.sides(),
            tint: wish.tint.map_or(0, |(serial, _)| serial),
            transparent: wish.transparent,
        }
    }

    /// One renderer a side.
    fn renderers(&mut self) -> impl Iterator<Item = &mut Renderer> {
        let second = self.second.as_mut().filter(|_| self.two);
        [Some(&mut self.first), second].into_iter().flatten()
    }

    /// Begins a still of what is wished for, averaged from so many pictures.
    pub fn begin_still(&mut self, wish: &FrameRequest, samples: u32) {
        let scene = self.shown(wish);
        self.dress(wish);
        let exposure = Exposure {
            samples,
            aperture: wish.aperture,
        };
        let cells = self.cells(wish.size);
        let stills = self
            .renderers()
            .zip(&cells)
            .map(|(renderer, cell)| renderer.begin_still(cell.size, &exposure, u32::MAX))
            .collect();
        self.exposing = Some(Exposing { scene, stills });
    }

    /// Lets go of a still that is on its way.
    pub fn give_up_still(&mut self) {
        self.exposing = None;
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
    pub fn expose(&mut self, time: Duration) -> anyhow::Result<bool> {
        let Some(Exposing { scene, mut stills }) = self.exposing.take() else {
            return Ok(false);
        };
        let begun = Instant::now();
        let (cells, pose) = (self.cells(scene.size), self.pose);
        let mut done = true;
        for ((renderer, cell), still) in self.renderers().zip(&cells).zip(&mut stills) {
            let view = View {
                camera: &scene.camera_of(cell),
                look: &scene.look,
                followers: &scene.followers,
                light: &scene.light,
                pose,
                size: cell.size,
                exact: true,
                swift: false,
            };
            // One at least, or it would never end.
            while !still.is_done() {
                renderer.expose(&view, still)?;
                if begun.elapsed() > time {
                    break;
                }
            }
            done &= still.is_done();
        }
        // The renderers hold it now, not what was drawn before.
        self.drawn = done.then(|| Drawn {
            care: RenderQuality::full(&scene.look),
            scene: scene.clone(),
        });
        if !done {
            self.exposing = Some(Exposing { scene, stills });
        }
        Ok(done)
    }

    /// Takes the time of every pass from now on, or does not.
    pub fn time_passes(&mut self, on: bool) {
        let timing = match on {
            true => self.first.timing(),
            false => Timing::Off,
        };
        self.first.time_passes(timing);
    }

    /// What the passes of the last frame of the first side took.
    pub fn passes(&mut self) -> &[PassTiming] {
        self.first.laps()
    }

    /// Lets the renderers draw with colours on the head or without, and with a
    /// backdrop or without.
    fn dress(&mut self, wish: &FrameRequest) {
        let transparent = wish.transparent;
        self.renderers()
            .for_each(|side| side.set_transparent(transparent));
        let (serial, values) = wish.tint.unwrap_or((0, &[]));
        if serial != self.tinted {
            self.renderers().for_each(|side| side.tint_head(values));
            self.tinted = serial;
        }
    }

    /// The parts of a picture of that size, one a side. `[px]`
    pub fn cells(&self, size: [u32; 2]) -> Vec<Cell> {
        compare::cells(self.sides(), size)
    }

    /// Copies the picture to the window, its lower left corner to `origin`.
    /// `[px]`
    pub fn present(&mut self, origin: [u32; 2], size: [u32; 2]) {
        let (cells, two) = (self.cells(size), self.two);
        let second = self.second.as_mut().filter(|_| two);
        let sides = [Some(&mut self.first), second].into_iter().flatten();
        for (renderer, cell) in sides.zip(&cells) {
            // OpenGL counts from the bottom.
            let bottom = size[1] - cell.origin[1] - cell.size[1];
            let place = [origin[0] + cell.origin[0], origin[1] + bottom];
            renderer.present(place, cell.size);
        }
    }

    /// The picture as it was drawn last, for a file: width, height, and three
    /// bytes a pixel, or four where it is transparent; `over` paints over it.
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn read(
        &mut self,
        size: [u32; 2],
        scale: f32,
        over: Option<&mut dyn FnMut(&egui::Painter)>,
    ) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        let (sides, second) = (self.sides(), self.second.as_ref().filter(|_| self.two));
        if over.is_none() && second.is_none() {
            return Ok(self.first.read());
        }
        let renderers = [Some(&self.first), second].into_iter().flatten();
        let parts = renderers.zip(compare::cells(sides, size));
        self.files.read(parts, size, scale, over)
    }
}
