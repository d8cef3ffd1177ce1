//! What headless pictures are made with: one simulation, or several side by
//! side, and a renderer for each.

use crate::{
    groom::{FollowerParams, Followers, Groom},
    io::cache,
    project::{
        built_scene::BuiltScene,
        compare::{self, Cell},
        scene::Scene,
        tools::SliceParams,
        tween::Tween,
    },
    render::{
        Camera, Exposure, Headless, LightParams, Lock, LookParams, Renderer, View, ViewPreset,
    },
    sim::{
        SimParams, Simulation,
        volume::{GridSlice, HairVolume},
    },
    ui::{
        caption::{Caption, captions},
        file_picture::FilePicture,
        slice,
        view_projection::{ViewProjection, place},
    },
};
use anyhow::anyhow;
use egui::Rect;
use std::sync::Arc;

/// Height of a picture whose captions have their ordinary size. `[px]`
const ORDINARY: f32 = 720.0;

/// One method with its picture.
struct Side {
    params: SimParams,
    simulation: Simulation,
    tween: Tween,
    renderer: Renderer,
    cell: Cell,
    /// What cuts through the hair are made with, and the last one.
    lens: HairVolume,
    slice: Option<GridSlice>,
}

/// Several pictures laid out in one.
struct Layout {
    picture: FilePicture,
    names: Vec<Caption>,
    size: [u32; 2],
    scale: f32,
}

/// Makes pictures at rising times.
pub struct HeadlessRenderer {
    sides: Vec<Side>,
    layout: Option<Layout>,
    look: LookParams,
    followers: FollowerParams,
    light: LightParams,
    cut: SliceParams,
    camera: Camera,
    /// How far it has gone round the head. `[rad]`
    turned: f32,
    /// Whether the camera still has to find a lock to look at.
    seeks: bool,
    groom: Arc<Groom>,
    bounds: [glam::Vec3; 2],
    /// Where pictures are averages.
    exposure: Option<Exposure>,
    positions: Vec<glam::Vec3>,
    shape: Vec<glam::Vec3>,
}

impl HeadlessRenderer {
    /// For pictures of that size `[px]`; each of `sides` has its part of them.
    /// The camera is the scene's, or stands where `view` says.
    pub fn new(
        context: &Headless,
        stage: BuiltScene,
        scene: &Scene,
        sides: Vec<SimParams>,
        view: Option<ViewPreset>,
        size: [u32; 2],
    ) -> anyhow::Result<Self> {
        let bounds = stage.head.mesh.bounds();
        let mut camera = Camera::new(&scene.camera, bounds);
        if let Some(place) = view {
            camera.stand(place, bounds);
        }
        let cells = compare::cells(sides.len(), size);
        let ids: Vec<String> = sides.iter().map(|p| p.step.solver.clone()).collect();
        let (mesh, each) = (&stage.head.mesh, scene.followers.each);
        let followers = Followers::plant(&stage.groom, mesh, &stage.bed, each);
        let mut all = Vec::with_capacity(sides.len());
        for (params, cell) in sides.into_iter().zip(&cells) {
            let mut renderer = Renderer::new(context.gl())?;
            renderer.set_transparent(scene.capture.transparent);
            renderer.set_head(&stage.head.mesh);
            renderer.set_groom(&stage.groom);
            renderer.set_followers(&stage.groom, &followers);
            all.push(Side {
                params,
                tween: Tween::new(&stage.simulation),
                simulation: stage.simulation.clone(),
                renderer,
                cell: *cell,
                lens: HairVolume::default(),
                slice: None,
            });
        }
        let cut = scene.slice.cut();
        let layout = match all.as_slice() {
            [] => None,
            [_] if cut.is_none() => None,
            [first, ..] => {
                let scale = (size[1] as f32 / ORDINARY).max(1.0);
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let mut picture = FilePicture::new(context.gl());
                // What the driver cannot make is told before anything is simulated.
                picture.prepare(&first.renderer, size)?;
                let rects = cells.iter().map(|cell| place(*cell, scale, Rect::ZERO));
                Some(Layout {
                    picture,
                    names: captions(&ids, false, rects),
                    size,
                    scale,
                })
            }
        };
        Ok(Self {
            camera,
            turned: 0.0,
            seeks: view == Some(ViewPreset::Curl),
            groom: stage.groom,
            bounds,
            sides: all,
            layout,
            look: scene.look.clone(),
            followers: scene.followers.clone(),
            light: scene.light.clone(),
            cut: scene.slice.clone(),
            exposure: None,
            positions: Vec::new(),
            shape: Vec::new(),
        })
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
        let lock = self.sides.first().and_then(|side| {
            let pose = side.tween.write(time, &mut self.positions);
            Lock::find(&self.groom, &self.positions, &pose, self.bounds)
        });
        let lock = lock.ok_or_else(|| anyhow!("there is no hair for the view curl to show"))?;
        self.camera.approach(&lock);
        Ok(())
    }

    /// The camera as one of the sides has it.
    fn fitted(&self) -> Camera {
        let mut camera = self.camera.clone();
        camera.yaw += self.turned;
        match self.sides.as_slice() {
            [first, _, ..] => compare::fitted(&camera, first.cell.size),
            _ => camera,
        }
    }

    /// The picture at `time` `[s]`: width, height, red, green and blue of each
    /// pixel, and its cover where pictures are transparent. `progress` is told the share of it that is done, 0..=1.
    pub fn picture(
        &mut self,
        time: f64,
        progress: &mut dyn FnMut(f32),
    ) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        for side in &mut self.sides {
            side.tween
                .advance_to(time, &mut side.simulation, &side.params);
        }
        self.aim(time)?;
        let camera = self.fitted();
        let mut taken = None;
        for side in &mut self.sides {
            let pose = side.tween.write(time, &mut self.positions);
            side.slice = self.cut.cut().map(|cut| {
                let params = &side.params.crowd;
                side.simulation.slice(&mut side.lens, params, &cut)
            });
            side.tween.write_shape(time, &mut self.shape);
            side.renderer.deform_head(&self.shape);
            side.renderer.upload_positions(&self.positions);
            let view = View {
                camera: &camera,
                look: &self.look,
                followers: &self.followers,
                light: &self.light,
                pose,
                size: side.cell.size,
                exact: true,
                swift: false,
            };
            match &self.exposure {
                Some(exposure) => {
                    taken = Some(side.renderer.still(&view, exposure, progress)?);
                }
                None => side.renderer.frame(&view)?,
            }
        }
        let Some(layout) = &mut self.layout else {
            let read = || {
                let one = self.sides.first_mut();
                one.map_or((0, 0, Vec::new()), |side| side.renderer.read())
            };
            return Ok(taken.unwrap_or_else(read));
        };
        let (scale, size, names) = (layout.scale, layout.size, &layout.names);
        let (sides, camera, cut) = (&self.sides, &camera, &self.cut);
        let parts = sides.iter().map(|side| (&side.renderer, side.cell));
        let mut over = |painter: &egui::Painter| {
            for side in sides {
                if let Some(slice) = &side.slice {
                    let rect = place(side.cell, scale, Rect::ZERO);
                    slice::paint(painter, &ViewProjection::new(camera, rect), slice, cut);
                }
            }
            names.iter().for_each(|name| name.paint(painter));
        };
        layout.picture.read(parts, size, scale, Some(&mut over))
    }
}
