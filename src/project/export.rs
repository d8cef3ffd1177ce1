//! A pose of the hair as strands for a file, with what the look says of them.

use super::scene::Scene;
use crate::{
    groom::{BindReport, FileAttributes, Followers, Groom, drawn, file_attributes},
    io::strands::Strands,
    math::Pose,
    mesh::{Mesh, Surface, Up},
};
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::{fmt::Write as _, sync::Arc};

/// What is written, pose after pose.
pub struct Exporter {
    followers: Followers,
    own: Arc<FileAttributes>,
    root_uvs: Vec<[f32; 2]>,
    /// The unit of the file. `[m]`
    metres: f64,
}

impl Exporter {
    /// For `groom` on a head in a unit of so many `metres`: the simulated
    /// strands and their `followers`. Hair of a file, `bound` to the head, keeps
    /// what the file says of it. Where one is not to `go_on`, what comes of it is
    /// of no use.
    pub fn new(
        groom: &Groom,
        bound: Option<&BindReport>,
        (mesh, surface): (&Mesh, &Surface),
        followers: Followers,
        metres: f64,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut roots: Vec<Vec3> = (0..groom.strands()).map(|i| groom.strand(i)[0]).collect();
        for follower in &followers.list {
            let guides = follower.guides.iter().zip(follower.weights);
            let middle: Vec3 = guides.map(|(g, w)| w * groom.strand(*g as usize)[0]).sum();
            roots.push(middle + follower.offset);
        }
        let root_uvs = match mesh.uvs.is_empty() {
            true => Vec::new(),
            false => {
                let uv = |root: &Vec3| match go_on() {
                    true => uv_at(mesh, surface, *root),
                    false => [0.0; 2],
                };
                roots.par_iter().map(uv).collect()
            }
        };
        Self {
            followers,
            own: bound.map(|bound| bound.own.clone()).unwrap_or_default(),
            root_uvs,
            metres,
        }
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
        let params = &scene.followers;
        let mut out = Strands {
            points: positions.to_vec(),
            starts: groom.starts.clone(),
            root_uvs: self.root_uvs.clone(),
            up: Some(Up::Y),
            metres_per_unit: Some(self.metres),
            ..Strands::default()
        };
        let followers = &self.followers;
        let curves = drawn::followers_while(groom, followers, params, positions, pose, go_on);
        for curve in curves {
            out.points.extend(curve);
            out.starts.push(out.points.len() as u32);
        }
        let scale = (1.0 / self.metres) as f32;
        // By the exact unit, so that metres stay as they are.
        if self.metres != 1.0 {
            out.points.iter_mut().for_each(|p| *p *= scale);
        }
        let [root, tip] = [scene.look.root_colour, scene.look.tip_colour].map(Vec3::from);
        out.widths.reserve(out.points.len());
        out.colours.reserve(out.points.len());
        let widths: &[[f32; 1]] = bytemuck::cast_slice(&self.own.widths);
        for strand in 0..out.len() {
            // A follower is as the guide that it goes along with.
            let guide = match strand.checked_sub(groom.strands()) {
                None => strand,
                Some(index) => self.followers.list[index].guides[0] as usize,
            };
            let range = groom.range(guide);
            let ends = groom.colours.get(guide);
            let ends = ends.map_or([root, tip], |ends| ends.map(Vec3::from));
            let count = out.range(strand).len();
            let last = count.saturating_sub(1).max(1) as f32;
            let ramp = scene.look.width_ramp;
            for t in (0..count).map(|i| i as f32 / last) {
                let look = ramp.at(t) * scene.look.width;
                let [width] = file_attributes::along(widths, range.clone(), t).unwrap_or([look]);
                out.widths.push(width * scale);
                let [root, tip] = ends;
                let ends = root.lerp(tip, t).to_array();
                let colour = file_attributes::along(&self.own.colours, range.clone(), t);
                out.colours.push(colour.unwrap_or(ends));
            }
        }
        out
    }

    /// The head as OBJ text, its vertices at `places` of its own space.
    pub fn head(&self, mesh: &Mesh, places: &[Vec3], pose: &Pose) -> String {
        let scale = (1.0 / self.metres) as f32;
        let mut out = String::from("# Lovelock: the head\no head\n");
        for place in places {
            let p = pose.point(*place) * scale;
            let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
        }
        for [a, b, c] in &mesh.triangles {
            let _ = writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        out
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
