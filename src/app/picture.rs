//! The picture of the hair: one renderer a side, and one picture of all of
//! them for files.

use super::{
    caption::Captions,
    compare::{self, Cell},
    effort::{Care, Effort},
    pacing::Pacing,
    worker::{Built, Snapshot},
};
use crate::{
    groom::{Bed, FollowerParams, Followers, Groom},
    math::Pose,
    mesh::Mesh,
    render::{
        Camera, Canvas, Exposure, Lap, LightParams, LookParams, Renderer, Still, Timing, View,
    },
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
}

/// What a picture shall show.
#[derive(Clone, Copy)]
pub struct Wish<'a> {
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
    care: Care,
}

/// Renderers and what they show.
pub struct Picture {
    gl: Arc<glow::Context>,
    first: Renderer,
    /// Kept when the sides become one: they may become two again.
    second: Option<Renderer>,
    two: bool,
    canvas: Option<Canvas>,
    captions: Option<Captions>,
    effort: Effort,
    mesh: Option<Arc<Mesh>>,
    generation: u64,
    groom: Arc<Groom>,
    bed: Bed,
    /// Followers of each strand that the renderers have.
    each: u32,
    uploaded: u64,
    pose: Pose,
    drawn: Option<Drawn>,
    exposing: Option<Exposing>,
}

/// A still on its way: what it shows, and one part a side.
struct Exposing {
    scene: Shown,
    stills: Vec<Still>,
}

impl Picture {
    /// On a context that stays current on this thread until the picture is
    /// dropped.
    ///
    /// # Errors
    /// When the driver refuses what a picture needs.
    pub fn new(gl: Arc<glow::Context>) -> anyhow::Result<Self> {
        let first = Renderer::new(gl.clone())?;
        log::info!("{}", first.describe());
        Ok(Self {
            effort: Effort::new(first.is_software()),
            gl,
            first,
            second: None,
            two: false,
            canvas: None,
            captions: None,
            mesh: None,
            generation: 0,
            groom: Arc::default(),
            bed: Bed::default(),
            each: 0,
            uploaded: 0,
            pose: Pose::IDENTITY,
            drawn: None,
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

    /// Shows another head or other hair.
    pub fn take_built(&mut self, built: &Built) {
        let mesh = &built.head.mesh;
        let other = !self.mesh.as_ref().is_some_and(|old| Arc::ptr_eq(old, mesh));
        for renderer in [Some(&mut self.first), self.second.as_mut()]
            .into_iter()
            .flatten()
        {
            if other {
                renderer.set_head(mesh);
            }
            renderer.set_groom(&built.groom);
        }
        self.mesh = Some(mesh.clone());
        self.generation = built.generation;
        self.groom = built.groom.clone();
        self.bed = built.bed.clone();
        self.each = 0;
        self.drawn = None;
        self.exposing = None;
    }

    /// Brings a state of `built` to the graphics card.
    ///
    /// # Errors
    /// When the driver makes no second renderer.
    pub fn upload(&mut self, snapshot: &Snapshot, built: &Built) -> anyhow::Result<()> {
        self.first.deform_head(&snapshot.shape);
        self.first.upload_positions(&snapshot.positions);
        self.two = snapshot.second.is_some();
        if let Some(second) = &snapshot.second {
            let renderer = match &mut self.second {
                Some(renderer) => renderer,
                none => {
                    let mut renderer = Renderer::new(self.gl.clone())?;
                    renderer.set_head(&built.head.mesh);
                    renderer.set_groom(&built.groom);
                    // Both sides get their followers together.
                    self.each = 0;
                    none.insert(renderer)
                }
            };
            renderer.deform_head(&snapshot.shape);
            renderer.upload_positions(&second.positions);
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
    pub fn draw(&mut self, wish: &Wish, pacing: &mut Pacing) -> anyhow::Result<()> {
        let scene = self.shown(wish);
        let begun = Instant::now();
        let same = self.drawn.as_ref().filter(|drawn| drawn.scene == scene);
        let full = Care::full(&scene.look);
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
        self.follow(scene.followers.each);
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
        if moves {
            self.first.finish();
            let ms = 1e3 * begun.elapsed().as_secs_f64();
            let strands = self.groom.strands() * (1 + self.each as usize);
            self.effort.learn(ms, strands);
        }
        self.drawn = Some(Drawn { scene, care });
        Ok(())
    }

    fn shown(&self, wish: &Wish) -> Shown {
        Shown {
            camera: wish.camera.clone(),
            look: wish.look.clone(),
            followers: wish.followers.clone(),
            light: wish.light.clone(),
            size: wish.size,
            uploaded: self.uploaded,
            generation: self.generation,
            sides: self.sides(),
        }
    }

    /// One renderer a side.
    fn renderers(&mut self) -> impl Iterator<Item = &mut Renderer> {
        let second = self.second.as_mut().filter(|_| self.two);
        [Some(&mut self.first), second].into_iter().flatten()
    }

    /// Begins a still of what is wished for, averaged from so many pictures.
    pub fn begin_still(&mut self, wish: &Wish, samples: u32) {
        let scene = self.shown(wish);
        self.follow(scene.followers.each);
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
            while still.share() < 1.0 {
                renderer.expose(&view, still)?;
                if begun.elapsed() > time {
                    break;
                }
            }
            done &= still.share() >= 1.0;
        }
        // The renderers hold it now, not what was drawn before.
        self.drawn = None;
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
    pub fn passes(&mut self) -> &[Lap] {
        self.first.laps()
    }

    /// Lets every strand have so many followers.
    fn follow(&mut self, each: u32) {
        let Some(mesh) = self.mesh.as_ref().filter(|_| each != self.each) else {
            return;
        };
        let followers = Followers::plant(&self.groom, mesh, &self.bed, each);
        for renderer in [Some(&mut self.first), self.second.as_mut()]
            .into_iter()
            .flatten()
        {
            renderer.set_followers(&self.groom, &followers);
        }
        self.each = each;
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
    /// bytes a pixel; `over` paints over it.
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
            return Ok(self.first.read_rgb());
        }
        let canvas = match &mut self.canvas {
            Some(canvas) if canvas.size() == size => canvas,
            other => other.insert(Canvas::new(&self.first, size)?),
        };
        let painter = match &mut self.captions {
            Some(captions) => captions,
            none => none.insert(Captions::new(self.gl.clone())?),
        };
        canvas.clear();
        let cells = compare::cells(sides, size);
        let renderers = [Some(&self.first), second].into_iter().flatten();
        for (renderer, cell) in renderers.zip(&cells) {
            canvas.place(renderer, cell.origin);
        }
        canvas.bind();
        if let Some(over) = over {
            painter.paint(size, scale, over);
        }
        Ok(canvas.read_rgb())
    }
}
