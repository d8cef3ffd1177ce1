//! A head in motion, read from a sequence of files with the same faces, or from an
//! Alembic archive or a USD layer that holds its poses.
//!
//! The first frame is the head at rest. Each frame is split into a rigid part,
//! the best fit of the faces that carry hair, and what is left of every vertex
//! in the head's own space. Between frames both run along Catmull-Rom curves,
//! so that speeds are steady.

mod error;
mod find;
mod fit;
mod frames;
mod scan;
mod twin;

use crate::math::counted;
pub use error::SequenceError;
pub use find::is_frame;
pub use frames::{moves, rate};
pub use twin::twin;

use self::frames::Frames;
use super::{HeadParams, LoadedHead, Mesh, MeshError, RootParams, load, scalp};
use crate::choice;
use glam::{DQuat, DVec3, Vec3};
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};
use std::{
    cell::OnceCell,
    collections::HashMap,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// Frames that differ less from a rigid motion are one: files are printed with
/// six digits. `[m]`
const RIGID: f32 = 5e-5;

/// All frames together may take so much memory. `[MB]`
const LARGEST: usize = 4096;

choice! {
    /// What comes after the last frame of a sequence.
    pub enum Play {
        /// The first one again.
        Loop = "loop",
        /// Nothing: the head stays.
        Hold = "hold",
        /// The frames backwards, and so on.
        PingPong = "ping-pong",
    }
}

/// Where the head is in a frame: `x` goes to `rotation x + translation`.
#[derive(Clone, Copy, Debug)]
struct Stand {
    rotation: DQuat,
    translation: DVec3,
}

/// The frames of a moving head.
#[derive(Clone, Debug)]
pub struct MeshSequence {
    /// The file of the first frame.
    pub first: PathBuf,
    stands: Vec<Stand>,
    /// How far each vertex is from its place in the first frame, in the head's
    /// space; empty where the head only moves rigidly. `[m]`
    offsets: Vec<Vec<Vec3>>,
    /// Frames after which a loop begins anew.
    period: usize,
    /// Whether a loop goes on smoothly there.
    closed: bool,
}

/// Frames and their shares at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    frames: [usize; 4],
    shares: [f64; 4],
}

/// Reads the sequence that the file `path` is one of, or that it holds; its first frame
/// is the head. Unit and axis are judged by that frame as `params` say. `progress` is
/// told how many frames are read, and of how many; where it answers false, no
/// more are.
///
/// # Errors
/// When a frame is missing, cannot be read or is another mesh, and when reading
/// was given up.
pub fn read(
    path: &Path,
    params: &HeadParams,
    progress: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<(LoadedHead, MeshSequence), MeshError> {
    let files = Frames::of(path)?;
    go_on(progress, 0, files.len())?;
    let head = load::load(&HeadParams {
        file: files.file(0).display().to_string(),
        ..params.clone()
    })?;
    let base = files.scan(0)?;
    let vertices = head.mesh.positions.len();
    if files.len() * vertices * size_of::<Vec3>() > LARGEST << 20 {
        return Err(MeshError::MeshSequence(SequenceError::TooLarge {
            path: files.file(0).into(),
            frames: files.len(),
            vertices,
            limit: LARGEST,
        }));
    }
    let placing = head.report.placing;
    let place = |p: &DVec3| placing.place(*p);
    let sources = sources(&head.mesh, &base.positions, place);
    let weights = weights(&head.mesh);
    let done = AtomicUsize::new(1);
    let frame = |number: usize| -> Result<(Stand, Vec<Vec3>), MeshError> {
        let other = files.scan(number)?;
        if let Some(what) = base.unlike(&other) {
            return Err(MeshError::MeshSequence(SequenceError::Topology {
                frame: files.name(number),
                first: files.name(0),
                what,
            }));
        }
        let place = |source: &u32| place(&other.positions[*source as usize]);
        let positions: Vec<Vec3> = sources.iter().map(place).collect();
        let (rotation, translation) = fit::rigid(&head.mesh.positions, &positions, &weights);
        let back = rotation.conjugate();
        let rest = head.mesh.positions.iter();
        let offset = |(p, rest): (&Vec3, &Vec3)| {
            (back * (p.as_dvec3() - translation) - rest.as_dvec3()).as_vec3()
        };
        let offsets = positions.iter().zip(rest).map(offset).collect();
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        go_on(progress, done, files.len())?;
        let stand = Stand {
            rotation,
            translation,
        };
        Ok((stand, offsets))
    };
    let frames: Vec<Result<_, MeshError>> = (1..files.len()).into_par_iter().map(frame).collect();
    let rest = Stand {
        rotation: DQuat::IDENTITY,
        translation: DVec3::ZERO,
    };
    let (mut stands, mut offsets) = (vec![rest], vec![vec![Vec3::ZERO; vertices]]);
    for frame in frames {
        // The first that is wrong is the one that is told of.
        let (mut stand, offset) = frame?;
        if stand.rotation.dot(stands[stands.len() - 1].rotation) < 0.0 {
            stand.rotation = -stand.rotation;
        }
        stands.push(stand);
        offsets.push(offset);
    }
    let largest = |list: &Vec<Vec3>| list.iter().map(|v| v.length()).fold(0.0, f32::max);
    if offsets.iter().map(largest).fold(0.0, f32::max) < RIGID {
        offsets = Vec::new();
    }
    let mut footage = MeshSequence {
        first: files.file(0).into(),
        period: stands.len(),
        closed: true,
        stands,
        offsets,
    };
    footage.judge_loop(&head.mesh);
    log::info!("{}", footage.summary());
    Ok((head, footage))
}

/// Tells how many files are read, and stops where that is wanted.
fn go_on(
    progress: &(dyn Fn(usize, usize) -> bool + Sync),
    done: usize,
    all: usize,
) -> Result<(), SequenceError> {
    match progress(done, all) {
        true => Ok(()),
        false => Err(SequenceError::GivenUp),
    }
}

/// For each vertex of `mesh` the number of the file's vertex that it comes from.
fn sources(mesh: &Mesh, raw: &[DVec3], place: impl Fn(&DVec3) -> Vec3) -> Vec<u32> {
    let bits = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut found = HashMap::with_capacity(raw.len());
    for (index, p) in raw.iter().enumerate() {
        found.entry(bits(place(p))).or_insert(index as u32);
    }
    // Vertices that were welded to others are the few that need a search.
    let tree = OnceCell::new();
    let nearest = |p: &Vec3| {
        let tree = tree.get_or_init(|| {
            let all = raw.iter().map(|q| place(q).to_array()).zip(0u32..);
            let all = all.filter(|(q, _)| q.iter().all(|c| c.is_finite()));
            RTree::bulk_load(all.map(|(q, i)| GeomWithData::new(q, i)).collect())
        });
        // Of several at one place the first in the file.
        let best = tree.nearest_neighbors(&p.to_array()).into_iter();
        best.map(|found| found.data).min().unwrap_or(0)
    };
    let source = |p: &Vec3| found.get(&bits(*p)).copied().unwrap_or_else(|| nearest(p));
    mesh.positions.iter().map(source).collect()
}

/// The share of each vertex in the faces that usually carry hair, or in all
/// where there are none.
fn weights(mesh: &Mesh) -> Vec<f64> {
    let all = || (0..mesh.triangles.len() as u32).collect();
    let faces = scalp::faces(mesh, &RootParams::default()).unwrap_or_else(|_| all());
    let mut weights = vec![0.0; mesh.positions.len()];
    for face in faces {
        let area = f64::from(mesh.area_normal(face as usize).length());
        for v in mesh.triangles[face as usize] {
            weights[v as usize] += area;
        }
    }
    weights
}

impl MeshSequence {
    /// How many frames there are; at least two.
    pub fn frames(&self) -> usize {
        self.stands.len()
    }

    /// Whether the head does more than move rigidly.
    pub fn deforms(&self) -> bool {
        !self.offsets.is_empty()
    }

    /// One sentence: what was found.
    pub fn summary(&self) -> String {
        let name = self.first.file_name().unwrap_or_default();
        let kind = if self.deforms() {
            "deforms"
        } else {
            "moves rigidly"
        };
        format!(
            "{} and {}: the head {kind}",
            name.to_string_lossy(),
            counted(self.frames() - 1, "more frame", "more frames")
        )
    }

    /// Whether the last frame leads back to the first, and is perhaps the same.
    fn judge_loop(&mut self, mesh: &Mesh) {
        let count = self.frames();
        let place = |frame: usize, v: usize| {
            let own = self.offsets.get(frame).map_or(Vec3::ZERO, |o| o[v]);
            let p = (mesh.positions[v] + own).as_dvec3();
            self.stands[frame].rotation * p + self.stands[frame].translation
        };
        // Some vertices are enough to tell.
        let stride = mesh.positions.len().div_ceil(500).max(1);
        let apart = |a: usize, b: usize| {
            let way = |v| place(a, v).distance(place(b, v));
            (0..mesh.positions.len())
                .step_by(stride)
                .map(way)
                .fold(0.0, f64::max)
        };
        let usual = (1..count).map(|i| apart(i - 1, i)).fold(0.0, f64::max);
        let gap = apart(count - 1, 0);
        (self.period, self.closed) = if gap <= 0.05 * usual && count > 2 {
            (count - 1, true)
        } else if gap <= 1.5 * usual {
            (count, true)
        } else {
            (count, false)
        };
    }

    /// The frames at `phase`, counted in frames from the first one.
    pub fn blend(&self, phase: f64, play: Play) -> Blend {
        let last = self.frames() - 1;
        let phase = if phase.is_finite() { phase } else { 0.0 };
        let at = match play {
            // A phase just below a whole round may be rounded up to one.
            Play::Loop => match phase.rem_euclid(self.period as f64) {
                at if at < self.period as f64 => at,
                _ => 0.0,
            },
            Play::Hold => phase.clamp(0.0, last as f64),
            Play::PingPong => {
                let round = phase.rem_euclid(2.0 * last as f64);
                round.min(2.0 * last as f64 - round)
            }
        };
        let closed = play == Play::Loop && self.closed;
        if play == Play::Loop && !closed && at > last as f64 {
            // The last frame lasts as long as all others: the head goes straight on
            // until it jumps to the first.
            let s = at - last as f64;
            return Blend {
                frames: [last - 1, last, last, last],
                shares: [-s, 1.0 + s, 0.0, 0.0],
            };
        }
        let from = match closed {
            true => (at.floor() as usize).min(self.period - 1),
            false => (at.floor() as usize).min(last - 1),
        };
        let s = at - from as f64;
        let (s2, s3) = (s * s, s * s * s);
        let mut shares = [
            -0.5 * s3 + s2 - 0.5 * s,
            1.5 * s3 - 2.5 * s2 + 1.0,
            -1.5 * s3 + 2.0 * s2 + 0.5 * s,
            0.5 * s3 - 0.5 * s2,
        ];
        let number = |i: i64| match closed {
            true => i.rem_euclid(self.period as i64) as usize,
            // Beyond an end lies the mirrored frame: there the head rests.
            false => {
                let i = i.unsigned_abs() as usize;
                if i > last { 2 * last - i } else { i }
            }
        };
        let from = from as i64;
        if play == Play::Loop && !closed {
            // Beyond an end it goes straight on: a loop does not slow down there.
            if from == 0 {
                shares[1] += 2.0 * shares[0];
                shares[2] -= shares[0];
                shares[0] = 0.0;
            }
            if from + 1 == last as i64 {
                shares[2] += 2.0 * shares[3];
                shares[1] -= shares[3];
                shares[3] = 0.0;
            }
        }
        Blend {
            frames: [from - 1, from, from + 1, from + 2].map(number),
            shares,
        }
    }

    /// Whether the head jumps from the last frame to the first between two phases.
    pub fn cuts(&self, from: f64, to: f64, play: Play) -> bool {
        let round = |phase: f64| (phase / self.period as f64).floor();
        play == Play::Loop && !self.closed && round(from) != round(to)
    }

    /// The number of the frame nearest to `phase`, from 0.
    pub fn nearest(&self, phase: f64, play: Play) -> usize {
        let blend = self.blend(phase, play);
        let later = blend.shares[2] > blend.shares[1];
        blend.frames[1 + usize::from(later)]
    }

    /// Where the head is: rotation, and where the origin goes. `[m]`
    pub fn stand(&self, blend: &Blend) -> (DQuat, DVec3) {
        let near = self.stands[blend.frames[1]].rotation;
        let (mut rotation, mut translation) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
        for (frame, share) in blend.frames.iter().zip(blend.shares) {
            let stand = &self.stands[*frame];
            let sign = 1.0f64.copysign(stand.rotation.dot(near));
            rotation += stand.rotation * (sign * share);
            translation += stand.translation * share;
        }
        let rotation = match rotation.length() > 1e-3 {
            true => rotation.normalize(),
            false => near,
        };
        (rotation, translation)
    }

    /// Writes `share` of the offsets of all vertices from rest, in the head's
    /// space; zeros where the head is rigid. `[m]`
    pub fn offsets(&self, blend: &Blend, share: f32, out: &mut [Vec3]) {
        if !self.deforms() || share == 0.0 {
            out.fill(Vec3::ZERO);
            return;
        }
        let shares = blend.shares.map(|s| s as f32 * share);
        let lists = blend.frames.map(|frame| &self.offsets[frame]);
        out.par_iter_mut()
            .with_min_len(1 << 12)
            .enumerate()
            .for_each(|(v, out)| {
                *out = lists[0][v] * shares[0]
                    + lists[1][v] * shares[1]
                    + lists[2][v] * shares[2]
                    + lists[3][v] * shares[3];
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_that_were_welded_are_found_by_their_places_and_in_time() {
        let begun = std::time::Instant::now();
        let count = 40_000u32;
        let raw: Vec<DVec3> = (0..count)
            .map(|i| DVec3::new(f64::from(i % 200), f64::from(i / 200), 0.0))
            .collect();
        let mesh = Mesh {
            positions: raw.iter().rev().map(|p| p.as_vec3() + 1e-3).collect(),
            ..Mesh::default()
        };
        let wanted: Vec<u32> = (0..count).rev().collect();
        assert_eq!(sources(&mesh, &raw, |p| p.as_vec3()), wanted);
        // Each beside every other would be 1.6 10^9 pairs.
        assert!(begun.elapsed().as_secs_f64() < 8.0, "{:?}", begun.elapsed());
    }
}
