//! A pose of the hair as strands for a file, with what the look says of them; and frames of
//! it on their way into files.

mod animation;
mod camera;
mod error;
mod estimate;
mod frame_export;
mod frame_files;
mod guides;
mod names;
mod options;
mod origin;
mod report;
mod target_program;

pub use animation::{AnimationOptions, HIGHEST_START, MOST_FRAMES_A_SECOND, frames_in};
pub use error::ExportError;
pub use estimate::estimated_bytes;
pub use frame_export::FrameExport;
pub use frame_files::{ExportPace, FrameFiles, renumbered};
pub use names::{check_name, older};
pub use options::{
    ExportOptions, ExportStrands, ExportUp, FileAxes, HeadGoes, LengthUnit, head_beside,
};
pub use origin::Origin;
pub use report::{FramesReport, MOST_READ_BACK};
pub use target_program::TargetProgram;

use super::scene::Scene;
use crate::{
    groom::{FileAttributes, Followers, Groom, drawn, file_attributes},
    io::strands::{Attribute, Format, HeadFaces, Strands, WornHead},
    math::Pose,
    mesh::{CollisionMesh, Mesh, Surface, Up},
    render::{Shading, strand_colour::StrandColour, streaks::streak_number},
};
use glam::{Vec2, Vec3};
use guides::{GoesBy, GuideRow};
use origin::StrandSource;
use rayon::prelude::*;
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// What is written, pose after pose.
pub struct Exporter {
    followers: Followers,
    origin: Option<Origin>,
    /// The strands that are written, in their order.
    sources: Vec<StrandSource>,
    /// The head that hair keeps out of.
    body: Arc<CollisionMesh>,
    own: Arc<FileAttributes>,
    root_uvs: Vec<[f32; 2]>,
    /// The unit of the file. `[m]`
    metres: f64,
    /// The axis that points up in it.
    up: Up,
    /// The number of the streak that each strand lies in.
    streaks: Vec<f32>,
    /// What does not change of the head, once it was asked for.
    faces: OnceLock<Arc<HeadFaces>>,
    /// Whether to say which strands others follow.
    tells_guides: bool,
    /// Whether these alone are written.
    guides_only: bool,
}

impl Exporter {
    /// For `groom` on the head `body` in a unit of so many `metres`: the simulated
    /// strands and their `followers`, with the fine hairs of the hairline. Hair of a
    /// file, its `origin`, keeps what the file says of it, and its order; what is not
    /// simulated of it follows. Where one is not to `go_on`, what comes of it is of no
    /// use.
    pub fn new(
        groom: &Groom,
        origin: Option<Origin>,
        body: &Arc<CollisionMesh>,
        followers: Followers,
        metres: f64,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let grown = || (0..groom.strands()).map(StrandSource::Strand).collect();
        let mut sources: Vec<StrandSource> = origin.as_ref().map_or_else(grown, Origin::sources);
        sources.extend((0..followers.list.len()).map(StrandSource::Follower));
        sources.extend((0..followers.vellus.len()).map(StrandSource::Vellus));
        let following: Vec<Vec3> = origin.as_ref().map_or_else(Vec::new, |file| {
            let following = file.following();
            let points = following.posed(&groom.points, &Pose::IDENTITY, body);
            let starts = (0..following.strands()).map(|i| following.range(i).start);
            starts.map(|start| points[start]).collect()
        });
        let (mesh, surface) = (&body.mesh, &body.surface);
        let root = |source: &StrandSource| match *source {
            StrandSource::Strand(strand) => groom.strand(strand)[0],
            StrandSource::Following(i) => following[i],
            StrandSource::Rigid(i) => origin
                .as_ref()
                .map_or(Vec3::ZERO, |file| file.rigid_root(i)),
            StrandSource::Follower(i) => {
                let follower = &followers.list[i];
                let guides = follower.guides.iter().zip(follower.weights);
                let middle: Vec3 = guides.map(|(g, w)| w * groom.strand(*g as usize)[0]).sum();
                middle + follower.offset
            }
            StrandSource::Vellus(i) => {
                let hair = &followers.vellus[i];
                groom.strand(hair.guide as usize)[0] + hair.offset
            }
        };
        let said = |source: &StrandSource| origin.as_ref().and_then(|file| file.root_uv(*source));
        let uv = |source: &StrandSource| match go_on() {
            true => said(source).unwrap_or_else(|| uv_at(mesh, surface, root(source))),
            false => [0.0; 2],
        };
        let streaks = sources.par_iter().map(|source| streak_number(root(source)));
        let streaks = streaks.collect();
        let any =
            !mesh.uvs.is_empty() || sources.first().is_some_and(|first| said(first).is_some());
        let root_uvs = match any {
            true => sources.par_iter().map(uv).collect(),
            false => Vec::new(),
        };
        Self {
            followers,
            body: body.clone(),
            own: origin.as_ref().map(Origin::own).unwrap_or_default(),
            origin,
            sources,
            root_uvs,
            metres,
            up: Up::Y,
            streaks,
            faces: OnceLock::new(),
            tells_guides: false,
            guides_only: false,
        }
    }

    /// The same of these `strands`, for a file of that `format` in which the axis `up` points
    /// up: it says which of them are simulated where the format can.
    #[must_use]
    pub fn for_file(self, strands: ExportStrands, format: &Format, up: Up) -> Self {
        let mut exporter = self.with_up(up);
        if strands == ExportStrands::Guides {
            exporter = exporter.of_guides();
        }
        // Elsewhere it would be told of as lost.
        if format.carries.columns {
            exporter = exporter.telling_guides();
        }
        exporter
    }

    /// The same, which also says which strands are simulated and how the others follow them,
    /// where some do: `groom_guide` and its kin.
    #[must_use]
    pub fn telling_guides(self) -> Self {
        Self {
            tells_guides: true,
            ..self
        }
    }

    /// The same of the simulated strands alone.
    #[must_use]
    pub fn of_guides(mut self) -> Self {
        let is_guide = |source: &StrandSource| matches!(source, StrandSource::Strand(_));
        let are_guides: Vec<bool> = self.sources.iter().map(is_guide).collect();
        let mut rows = are_guides.iter();
        self.root_uvs.retain(|_| rows.next().is_some_and(|is| *is));
        let mut rows = are_guides.iter();
        self.streaks.retain(|_| rows.next().is_some_and(|is| *is));
        self.sources.retain(is_guide);
        self.guides_only = true;
        self
    }

    /// The same for a file in which that axis points up.
    #[must_use]
    pub fn with_up(self, up: Up) -> Self {
        Self { up, ..self }
    }

    /// What was left out or taken otherwise when the hair's file was read, a sentence
    /// each; none of grown hair.
    pub fn notes(&self) -> &[String] {
        self.origin.as_ref().map_or(&[], Origin::notes)
    }

    /// The strands with their vertices at `positions` and the head at `pose`; of
    /// no use where one is not to `go_on`.
    pub fn strands(
        &self,
        groom: &Groom,
        positions: &[Vec3],
        pose: &Pose,
        scene: &Scene,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Strands {
        let mut out = Strands {
            points: Vec::with_capacity(positions.len()),
            starts: vec![0],
            root_uvs: self.root_uvs.clone(),
            up: Some(self.up),
            metres_per_unit: Some(self.metres),
            ..Strands::default()
        };
        let (followers, params) = (&self.followers, &scene.followers);
        let curves = drawn::followers_while(groom, followers, params, positions, pose, go_on);
        let followed = self.origin.as_ref().map(|file| {
            let following = file.following();
            (following, following.posed(positions, pose, &self.body))
        });
        for (row, source) in self.sources.iter().enumerate() {
            match (*source, &self.origin) {
                (StrandSource::Strand(strand), Some(file)) => {
                    let now = &positions[groom.range(strand)];
                    file.write(groom, strand, now, pose, &mut out.points);
                }
                (StrandSource::Strand(strand), None) => {
                    out.points
                        .extend_from_slice(&positions[groom.range(strand)]);
                }
                (StrandSource::Rigid(i), Some(file)) => file.write_rigid(i, pose, &mut out.points),
                (StrandSource::Following(i), _) => {
                    if let Some((following, points)) = &followed {
                        out.points.extend_from_slice(&points[following.range(i)]);
                    }
                }
                (StrandSource::Rigid(_), None) => {}
                (StrandSource::Follower(i), _) => out.points.extend_from_slice(&curves[i]),
                (StrandSource::Vellus(i), _) => {
                    let hair = &followers.vellus[i];
                    let id = self.number(row, groom);
                    let guide = groom.range(hair.guide as usize);
                    let (root, last) = (positions[guide.start], guide.len().max(2) - 1);
                    let shares = (0..=last).map(|k| k as f32 / last as f32);
                    let point = |t| hair.point(root, pose, id, t);
                    out.points.extend(shares.map(point));
                }
            }
            out.starts.push(out.points.len() as u32);
        }
        let scale = (1.0 / self.metres) as f32;
        // By the exact unit, so that metres stay as they are.
        if self.metres != 1.0 {
            out.points.iter_mut().for_each(|p| *p *= scale);
        }
        if self.up != Up::Y {
            out.points.iter_mut().for_each(|p| *p = self.up.laid(*p));
        }
        self.write_looks(groom, scene, &mut out);
        out.attributes = self.columns(&out);
        out
    }

    /// Widths and colours of all points.
    fn write_looks(&self, groom: &Groom, scene: &Scene, out: &mut Strands) {
        let scale = (1.0 / self.metres) as f32;
        let [root, tip] = [scene.look.root_colour, scene.look.tip_colour].map(Vec3::from);
        out.widths.reserve(out.points.len());
        out.colours.reserve(out.points.len());
        let widths: &[[f32; 1]] = bytemuck::cast_slice(&self.own.widths);
        for (row, source) in self.sources.iter().enumerate() {
            let guide = self.guide(*source);
            let fine = match *source {
                StrandSource::Vellus(i) => self.followers.vellus[i].width,
                _ => 1.0,
            };
            let range = guide.map_or(0..0, |guide| groom.range(guide));
            let ends = guide.and_then(|guide| groom.colours.get(guide));
            let own_ends = ends.map(|ends| ends.map(Vec3::from));
            let [root, tip] = own_ends.unwrap_or([root, tip]);
            let fibre = StrandColour::new(&scene.look, self.number(row, groom), self.streaks[row]);
            let file = self.origin.as_ref();
            let (own_widths, own_colours) =
                file.map_or((None, None), |file| file.looks(groom, *source));
            let count = out.range(row).len();
            let last = count.saturating_sub(1).max(1) as f32;
            let ramp = scene.look.width_ramp;
            for i in 0..count {
                let t = i as f32 / last;
                let width = own_widths.as_ref().map(|own| own[i]).unwrap_or_else(|| {
                    let look = ramp.at(t) * scene.look.width;
                    let along = file_attributes::along(widths, range.clone(), t);
                    along.map_or(look, |[width]| width)
                });
                out.widths.push(fine * width * scale);
                let own = own_colours.map(|own| own[i]).or_else(|| {
                    file_attributes::along(&self.own.colours, range.clone(), t)
                        .or(own_ends.map(|_| root.lerp(tip, t).to_array()))
                });
                out.colours.push(match scene.look.shading {
                    Shading::Fibre => fibre.at(t, own.map(Vec3::from)).to_array(),
                    _ => own.unwrap_or_else(|| root.lerp(tip, t).to_array()),
                });
            }
        }
    }

    /// The number by which the picture draws the strand in that row.
    fn number(&self, row: usize, groom: &Groom) -> u32 {
        let guides = self.followers.guides;
        let number = match self.sources[row] {
            StrandSource::Strand(strand) => strand,
            StrandSource::Follower(i) => guides + i,
            // As the picture counts what it draws.
            StrandSource::Vellus(i) => groom.strands() + self.followers.list.len() + i,
            // The picture has them with other numbers or not at all.
            StrandSource::Following(_) | StrandSource::Rigid(_) => row,
        };
        number as u32
    }

    /// The simulated strand that one goes along with, and looks like; none of what
    /// rides on the head.
    fn guide(&self, source: StrandSource) -> Option<usize> {
        match source {
            StrandSource::Strand(strand) => Some(strand),
            StrandSource::Following(i) => {
                let following = self.origin.as_ref().map(Origin::following);
                following.map(|following| following.guide(i))
            }
            StrandSource::Rigid(_) => None,
            StrandSource::Follower(i) => Some(self.followers.list[i].guides[0] as usize),
            StrandSource::Vellus(i) => Some(self.followers.vellus[i].guide as usize),
        }
    }

    /// What else the file says of the strands in `out`.
    fn columns(&self, out: &Strands) -> Vec<Attribute> {
        let file = self.origin.as_ref();
        let points = |row: usize| out.range(row).len();
        let mut columns = file.map_or_else(Vec::new, |file| {
            let guide = |source| self.guide(source).unwrap_or_default();
            file.columns(&self.sources, points, guide)
        });
        if self.tells_guides {
            guides::tell(&mut columns, &self.guide_rows(), self.guides_only);
        }
        columns
    }

    /// What each strand that is written goes by.
    fn guide_rows(&self) -> Vec<GuideRow> {
        let simulated = self.sources.iter().enumerate();
        let rows: HashMap<u32, usize> = simulated
            .filter_map(|(row, source)| match source {
                StrandSource::Strand(strand) => Some((*strand as u32, row)),
                _ => None,
            })
            .collect();
        let row = |strand: u32| rows.get(&strand).copied().unwrap_or_default();
        let of = |source: &StrandSource| {
            let (goes_by, added) = match *source {
                StrandSource::Strand(_) => (GoesBy::Itself, false),
                StrandSource::Rigid(_) => (GoesBy::Head, false),
                StrandSource::Following(i) => {
                    let following = self.origin.as_ref().map(Origin::following);
                    let followed = following.map(|following| following.followed(i));
                    let (guides, weights) = followed.unwrap_or_default();
                    (GoesBy::Guides(guides.map(row), weights), false)
                }
                StrandSource::Follower(i) => {
                    let follower = &self.followers.list[i];
                    (
                        GoesBy::Guides(follower.guides.map(row), follower.weights),
                        true,
                    )
                }
                StrandSource::Vellus(i) => {
                    let guide = row(self.followers.vellus[i].guide);
                    (GoesBy::Guides([guide; 3], [1.0, 0.0, 0.0]), true)
                }
            };
            GuideRow { goes_by, added }
        };
        self.sources.iter().map(of).collect()
    }

    /// The head as a mesh for a file, its vertices at `places` of its own space.
    pub fn worn_head(&self, mesh: &Mesh, places: &[Vec3], pose: &Pose) -> WornHead {
        let scale = (1.0 / self.metres) as f32;
        let faces = self.faces.get_or_init(|| Arc::new(HeadFaces::of(mesh)));
        let place = |place: &Vec3| self.up.laid(pose.point(*place) * scale);
        WornHead {
            points: places.iter().map(place).collect(),
            velocities: Vec::new(),
            faces: faces.clone(),
        }
    }

    /// The same as OBJ text.
    pub fn head(&self, mesh: &Mesh, places: &[Vec3], pose: &Pose) -> String {
        self.worn_head(mesh, places, pose).obj()
    }
}

/// The texture coordinates of the skin nearest to a point.
fn uv_at(mesh: &Mesh, surface: &Surface, p: Vec3) -> [f32; 2] {
    let Some(nearest) = surface.closest(p, f32::MAX) else {
        return [0.0; 2];
    };
    let triangle = nearest.triangle as usize;
    let (Some(uvs), [a, b, c]) = (mesh.uvs.get(triangle), mesh.corners(triangle)) else {
        return [0.0; 2];
    };
    let across = mesh.area_normal(triangle);
    let share = |from: Vec3, to: Vec3| {
        let part = (from - nearest.point).cross(to - nearest.point);
        part.dot(across) / across.length_squared().max(f32::MIN_POSITIVE)
    };
    let [u, v, w] = [share(b, c), share(c, a), share(a, b)];
    let at: Vec2 = uvs[0] * u + uvs[1] * v + uvs[2] * w;
    at.to_array()
}
