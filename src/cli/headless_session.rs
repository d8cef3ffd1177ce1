//! One simulation, or several side by side, and the pictures of them that are made
//! without a window.

use crate::{
    groom::{FollowerParams, Followers},
    io::cache,
    param::Tracks,
    project::{
        built_scene::BuiltScene,
        scene::Scene,
        subject::CameraSubject,
        tools::{SliceParams, StrandQuantity},
        tween::Tween,
    },
    render::{
        Bookmark, Camera, CameraParams, DrawnParts, Environment, Exposure, Following, FrameRequest,
        HairParts, HeadParts, Headless, Lens, LightParams, Lock, LookParams, Planted, Quality,
        SideState, ViewPreset, ViewportRect, ViewportRenderer,
    },
    session::strand_colours::StrandColours,
    sim::{
        MotionParams, SimParams, Simulation,
        volume::{GridSlice, HairVolume},
    },
    ui::{
        caption::{self, Caption, Captions, captions, stacked},
        picture_overlay::{self, SideOverlay},
        view_projection::{ViewProjection, place},
    },
};
use anyhow::anyhow;
use egui::{Pos2, Rect, vec2};
use glam::Vec3;
use std::{borrow::Cow, sync::Arc, thread, time::Duration};

/// One method, and what its side of the picture shows.
struct HeadlessSide {
    params: SimParams,
    simulation: Simulation,
    tween: Tween,
    positions: Vec<Vec3>,
    shape: Vec<Vec3>,
    /// What cuts through the hair are made with.
    lens: HairVolume,
}

/// What is painted over a side's hair.
struct DrawnOver {
    slice: Option<GridSlice>,
    colours: Option<StrandColours>,
}

impl DrawnOver {
    fn of_side(&self) -> SideOverlay<'_> {
        SideOverlay {
            slice: self.slice.as_ref(),
            colours: self.colours.as_ref(),
        }
    }
}

/// What is painted over pictures.
struct Overlay {
    painter: Captions,
    names: Vec<Caption>,
    /// Pixels a point.
    scale: f32,
}

/// Makes pictures at rising times.
pub struct HeadlessSession {
    sides: Vec<HeadlessSide>,
    renderer: ViewportRenderer,
    /// Counts what the renderer was given to show.
    shown: u64,
    overlay: Option<Overlay>,
    size: [u32; 2],
    transparent: bool,
    look: LookParams,
    followers: FollowerParams,
    light: LightParams,
    environment: Option<Arc<Environment>>,
    cut: SliceParams,
    /// What strands are coloured by.
    quantity: StrandQuantity,
    camera: Camera,
    /// What of the picture changes over time, and the motion whose time that is.
    tracks: Tracks,
    motion: MotionParams,
    /// The scene's camera, which follows its tracks; none where pictures are taken from
    /// elsewhere.
    keyed_camera: Option<CameraParams>,
    /// How far it has gone round the head. `[rad]`
    turned: f32,
    /// Whether the camera still has to find a lock to look at.
    seeks: bool,
    subject: CameraSubject,
    /// Where pictures are averages.
    exposure: Option<Exposure>,
    /// Whether every strand is drawn, however thin.
    all_strands: bool,
    /// The camera that says for all pictures how strands are merged, and how many strands
    /// they show of how many; none before the first.
    merged: Option<(Camera, [usize; 2])>,
}

impl HeadlessSession {
    /// For pictures of that size `[px]` in the light of `environment`, which is the
    /// scene's; each of `sides` has its part of them. The camera is the scene's, or stands
    /// where `view` says.
    pub fn new(
        context: &Headless,
        stage: &BuiltScene,
        scene: &Scene,
        environment: Option<Arc<Environment>>,
        sides: Vec<SimParams>,
        view: Option<ViewPreset>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        let subject = CameraSubject::new(stage, sides.len(), size);
        let camera = match view {
            Some(place) => subject.camera_at(place, &scene.camera),
            None => subject.camera(&scene.camera),
        };
        let mut renderer = ViewportRenderer::new(context.gl())?;
        renderer.take_drawing(&drawn_parts(stage, scene.followers.each), 1);
        // What the driver cannot make is told before anything is simulated.
        renderer.set_sides(sides.len())?;
        let ids: Vec<&str> = sides.iter().map(|p| p.step.solver.as_str()).collect();
        let overlay = match sides.len() > 1
            || scene.slice.cut().is_some()
            || scene.colours.show != StrandQuantity::Nothing
        {
            true => {
                let scale = caption::scale(size[1]);
                renderer.make_canvas(size)?;
                let rects = renderer.rects(size).into_iter();
                let rects = rects.map(|part| place(part, scale, Rect::ZERO));
                Some(Overlay {
                    painter: Captions::new(context.gl())?,
                    names: captions(&ids, false, rects),
                    scale,
                })
            }
            false => None,
        };
        let side = |params| HeadlessSide {
            params,
            tween: Tween::new(&stage.simulation),
            simulation: stage.simulation.clone(),
            positions: Vec::new(),
            shape: Vec::new(),
            lens: HairVolume::default(),
        };
        Ok(Self {
            camera,
            tracks: scene.sim.tracks.keys.clone(),
            motion: scene.sim.motion.clone(),
            keyed_camera: view.is_none().then(|| scene.camera.clone()),
            turned: 0.0,
            seeks: view == Some(ViewPreset::Curl),
            subject,
            sides: sides.into_iter().map(side).collect(),
            renderer,
            shown: 0,
            overlay,
            size,
            transparent: scene.capture.transparent,
            look: scene.look.clone(),
            followers: scene.followers.clone(),
            light: scene.light.clone(),
            environment,
            cut: scene.slice.clone(),
            quantity: scene.colours.show,
            exposure: None,
            all_strands: false,
            merged: None,
        })
    }

    /// Draws every strand from now on, however thin.
    pub fn draw_all_strands(&mut self) {
        self.all_strands = true;
    }

    /// Writes these lines into the lower left corner of all pictures from now on, the
    /// last one lowest.
    pub fn label(&mut self, context: &Headless, lines: &[String]) -> anyhow::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let scale = caption::scale(self.size[1]);
        self.renderer.make_canvas(self.size)?;
        let [width, height] = self.size.map(|side| side as f32 / scale);
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        let names = stacked(lines, rect);
        match &mut self.overlay {
            Some(overlay) => overlay.names.extend(names),
            None => {
                self.overlay = Some(Overlay {
                    painter: Captions::new(context.gl())?,
                    names,
                    scale,
                });
            }
        }
        Ok(())
    }

    /// Writes where the camera stands into `params`.
    pub fn write_view(&self, params: &mut CameraParams) {
        let here = self.camera.to_params(self.subject.bounds);
        Bookmark::new(String::new(), &here).apply(params);
    }

    /// The hair of each side, and what moves it, as far as it has come.
    pub fn simulations(&self) -> impl Iterator<Item = (&Simulation, &SimParams)> {
        let sides = self.sides.iter();
        sides.map(|side| (&side.simulation, &side.params))
    }

    /// How many strands the pictures show of how many.
    pub fn drawn(&self) -> [usize; 2] {
        self.merged.as_ref().map_or([0; 2], |(_, drawn)| *drawn)
    }

    /// Averages so many pictures for each one from now on.
    pub fn expose(&mut self, exposure: Exposure) {
        self.exposure = Some(exposure);
    }

    /// Shows hair that was simulated elsewhere in the next picture.
    pub fn show(&mut self, frame: &cache::Frame) {
        for side in &mut self.sides {
            let tween = &mut side.tween;
            tween.show(frame.time, frame.pose, &frame.positions, &frame.shape);
        }
    }

    /// Turns the camera around the head, from where it stood at first. `[rad]`
    pub fn turn(&mut self, to: f32) {
        self.turned = to;
    }

    /// Lets a camera that looks for a lock look for it in the hair shown now.
    pub fn aim(&mut self, time: f64) -> anyhow::Result<()> {
        match std::mem::take(&mut self.seeks) {
            true => self.seek(time),
            false => Ok(()),
        }
    }

    /// Looks from near at a lock of the first side's hair at `time`. `[s]`
    fn seek(&mut self, time: f64) -> anyhow::Result<()> {
        let lock = self.sides.first_mut().and_then(|side| {
            let pose = side.tween.write(time, &mut side.positions);
            Lock::find(
                &self.subject.groom,
                &side.positions,
                &pose,
                self.subject.bounds,
            )
        });
        let lock = lock.ok_or_else(|| anyhow!("there is no hair for the view curl to show"))?;
        self.camera.approach(&lock);
        Ok(())
    }

    /// The picture at `time` `[s]`: width, height, red, green and blue of each
    /// pixel, and its cover where pictures are transparent. While it is drawn, the
    /// simulation goes on to the time of the `next` one, if that is known. `progress`
    /// is told the share of it that is done, 0..=1.
    pub fn picture(
        &mut self,
        time: f64,
        next: Option<f64>,
        progress: &mut dyn FnMut(f32),
    ) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        advance(&mut self.sides, time);
        self.aim(time)?;
        let over = self.upload(time)?;
        let track_time = self.track_time(time);
        let mut sides = std::mem::take(&mut self.sides);
        let drawn = thread::scope(|scope| {
            let ahead = &mut sides;
            if let Some(next) = next {
                scope.spawn(move || advance(ahead, next));
            }
            self.draw(&over, track_time, progress)
        });
        self.sides = sides;
        drawn
    }

    /// `time` among the keys of tracks. `[s]`
    fn track_time(&self, time: f64) -> f64 {
        let simulation = self.sides.first().map(|side| &side.simulation);
        let begun = simulation.map_or(0.0, Simulation::motion_begun);
        self.motion.track_time((time - begun).max(0.0))
    }

    /// Where a camera with keys shows the head largest, whoever draws which picture; none
    /// of a camera without.
    fn nearest_camera(&self) -> Option<Camera> {
        let params = self.keyed_camera.as_ref()?;
        let keyed = |time| match self.tracks.over(params, time) {
            Cow::Owned(now) => Some(self.subject.camera(&now)),
            Cow::Borrowed(_) => None,
        };
        let height = |camera: &Camera| camera.distance * (0.5 * camera.fov).tan();
        let cameras = self.tracks.times().into_iter().filter_map(keyed);
        cameras.min_by(|a, b| height(a).total_cmp(&height(b)))
    }

    /// Lets the renderer show the hair at `time`; returns the cut through it and the colours
    /// along its strands, for each side. `[s]`
    fn upload(&mut self, time: f64) -> anyhow::Result<Vec<DrawnOver>> {
        let (mut states, mut over) = (Vec::new(), Vec::new());
        for side in &mut self.sides {
            let pose = side.tween.write(time, &mut side.positions);
            let slice = self.cut.cut().map(|cut| {
                let params = &side.params.volume;
                side.simulation.slice(&mut side.lens, params, &cut)
            });
            let colours = StrandColours::of(&side.simulation, &side.params, self.quantity);
            over.push(DrawnOver { slice, colours });
            side.tween.write_shape(time, &mut side.shape);
            states.push(SideState {
                positions: &side.positions,
                shape: &side.shape,
                pose,
            });
        }
        self.shown += 1;
        self.renderer.upload(self.shown, &states)?;
        Ok(over)
    }

    /// The picture of what was uploaded last, `track_time` among the keys of tracks,
    /// with this over it. `[s]`
    fn draw(
        &mut self,
        over: &[DrawnOver],
        track_time: f64,
        progress: &mut dyn FnMut(f32),
    ) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        let mut lens = None;
        if let Some(params) = &self.keyed_camera
            && let Cow::Owned(now) = self.tracks.over(params, track_time)
        {
            self.camera = self.subject.camera(&now);
            lens = Some(Lens::of(&now));
        }
        let mut camera = self.camera.clone();
        camera.yaw += self.turned;
        let look = self.tracks.over(&self.look, track_time);
        let light = self.tracks.over(&self.light, track_time);
        let mut wish = FrameRequest {
            camera: &camera,
            look: &look,
            followers: &self.followers,
            light: &light,
            environment: self.environment.as_ref(),
            size: self.size,
            quality: Quality::Full,
            paused: true,
            tint: None,
            transparent: self.transparent,
        };
        // Averages are asked for where every strand counts. One camera says for all pictures
        // how strands are merged, or hair would thin out while the camera goes back.
        let mut merged_look = None;
        if self.exposure.is_none() && !self.all_strands {
            let first = match self.merged.take() {
                Some((first, _)) => first,
                None => self.nearest_camera().unwrap_or_else(|| camera.clone()),
            };
            let (merged, drawn) = self.renderer.merged(&FrameRequest {
                camera: &first,
                ..wish
            });
            self.merged = Some((first, drawn));
            wish.look = merged_look.insert(merged);
        }
        match &self.exposure {
            Some(exposure) => {
                let exposure = Exposure {
                    lens: lens.unwrap_or(exposure.lens),
                    ..*exposure
                };
                self.renderer.begin_still(&wish, &exposure);
                while !self.renderer.expose(Duration::ZERO)? {
                    progress(self.renderer.exposed().unwrap_or(1.0));
                }
                progress(1.0);
            }
            None => _ = self.renderer.draw(&wish)?,
        }
        let Some(overlay) = &mut self.overlay else {
            return Ok(self.renderer.read(self.size, None)?);
        };
        let parts = self.renderer.rects(self.size);
        let (cut, scale) = (&self.cut, overlay.scale);
        let eye = |part: &ViewportRect| {
            let rect = place(*part, scale, Rect::ZERO);
            ViewProjection::of(&camera, parts.len(), *part, rect)
        };
        let eyes: Vec<_> = parts.iter().map(eye).collect();
        let sides: Vec<_> = over.iter().map(DrawnOver::of_side).collect();
        let mut over = |painter: &egui::Painter| {
            picture_overlay::paint(painter, &sides, cut, &eyes);
            overlay.names.iter().for_each(|name| name.paint(painter));
        };
        let mut paint = || overlay.painter.paint(self.size, scale, &mut over);
        Ok(self.renderer.read(self.size, Some(&mut paint))?)
    }
}

/// Makes the steps of all sides up to that time. `[s]`
fn advance(sides: &mut [HeadlessSide], time: f64) {
    for side in sides {
        side.tween
            .advance_to(time, &mut side.simulation, &side.params);
    }
}

/// What the renderer has to know of a scene, with so many followers of each strand.
fn drawn_parts(stage: &BuiltScene, each: u32) -> DrawnParts {
    let mesh = stage.head.mesh.clone();
    let followers = Followers::plant(&stage.groom, &mesh, &stage.bed, each);
    let head = Arc::new(HeadParts::new(&mesh));
    let (groom, following) = Following::drawn(&stage.groom, stage.bound.as_deref(), &stage.body);
    let hair = Arc::new(HairParts::new(&groom, &head));
    let planted = Planted::new(&groom, &hair, &followers, each);
    DrawnParts {
        mesh,
        head,
        groom,
        following,
        hair,
        planted: Arc::new(planted),
    }
}
