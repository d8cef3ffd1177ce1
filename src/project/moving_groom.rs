//! A groom's file with many poses, on a head: played like a cache.

use super::{
    built_scene::BuiltScene,
    playback::{PlaybackError, keep_to_frames},
    scene::Scene,
};
use crate::{
    groom::{FileStrands, ImportParams},
    io::{
        cache::Frame,
        strands::{MovingStrands, attribute},
    },
    math::Pose,
    mesh::Mesh,
    sim::{MotionParams, MotionPreset, head::HeadMotion},
};
use glam::Vec3;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// All poses together may take so much memory. `[MB]`
const LARGEST: usize = 4096;

/// Hair in all poses of a file.
pub struct MovingGroom {
    path: PathBuf,
    rate: f64,
    /// Points of the file, pose by pose, in its space; one that is as the pose before
    /// shares its memory.
    poses: Vec<Arc<[Vec3]>>,
    rest: RestPose,
    worn: Option<WornGroom>,
}

/// The pose of a file that its groom is bound in, and how the head moves.
pub struct RestPose {
    points: Vec<Vec3>,
    starts: Vec<u32>,
    motion: MotionParams,
    path: PathBuf,
}

/// How the points of a file become the vertices of a groom on a head.
pub struct WornGroom {
    file: Arc<FileStrands>,
    starts: Vec<u32>,
    /// How far binding has moved each vertex, whose root came onto the skin, in the
    /// head's space. `[m]`
    aside: Vec<Vec3>,
    /// The head that a sequence moves, with its mesh.
    head: Option<(HeadMotion, Arc<Mesh>)>,
}

impl MovingGroom {
    /// Reads all poses of the groom in the file `path`; with the scene `base`, whose hair
    /// it becomes.
    ///
    /// # Errors
    /// When it cannot be read, has one pose, or is too large.
    pub fn open(path: &Path, base: &Scene) -> Result<(Self, Scene), PlaybackError> {
        let (strands, scene) = open(path, base)?;
        let each = size_of_val(&strands.strands().points[..]);
        let mut poses: Vec<Arc<[Vec3]>> = Vec::new();
        let mut taken = 0;
        strands.each(&mut |_, points| {
            match poses.last() {
                Some(last) if last[..] == points[..] => poses.push(last.clone()),
                _ => {
                    taken += each;
                    poses.push(points.into());
                }
            }
            taken >> 20 <= LARGEST
        })?;
        if taken >> 20 > LARGEST {
            return Err(PlaybackError::Large {
                path: path.into(),
                needed: (strands.poses() * each) >> 20,
                limit: LARGEST,
            });
        }
        let groom = Self {
            path: path.into(),
            rate: strands.rate(),
            poses,
            rest: RestPose::new(&strands, &scene),
            worn: None,
        };
        Ok((groom, scene))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Poses in a second. `[1/s]`
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// How many poses there are.
    pub fn poses(&self) -> u32 {
        u32::try_from(self.poses.len()).unwrap_or(u32::MAX)
    }

    /// Brings it onto a stage, whose hair it must be.
    ///
    /// # Errors
    /// When the stage has other hair.
    pub fn wear(&mut self, stage: &BuiltScene) -> Result<(), PlaybackError> {
        self.worn = Some(self.rest.wear(stage)?);
        Ok(())
    }

    /// Writes a pose as a frame; nothing before it is [worn](Self::wear).
    pub fn write(&self, number: u32, frame: &mut Frame) {
        if let (Some(worn), Some(points)) = (&self.worn, self.poses.get(number as usize)) {
            worn.write(points, number, self.rate, frame);
        }
    }
}

/// Opens the groom in the file `path`, which moves; with the scene `base`, whose hair it
/// becomes.
///
/// # Errors
/// When it cannot be read, or has one pose.
pub fn open(path: &Path, base: &Scene) -> Result<(MovingStrands, Scene), PlaybackError> {
    let still = || PlaybackError::Still { path: path.into() };
    let strands = MovingStrands::open(path)?.ok_or_else(still)?;
    let mut scene = base.clone();
    // How another file was fitted says nothing of this one.
    scene.import = ImportParams {
        file: path.display().to_string(),
        ..ImportParams::default()
    };
    // All are as the file has them: none follows others.
    if attribute::guides(&strands.strands().attributes).contains(&true) {
        scene.import.guides = u32::try_from(strands.strands().len()).unwrap_or(u32::MAX);
    }
    scene.played.clone_from(&scene.import.file);
    scene.drop_handwork(base);
    keep_to_frames(&mut scene);
    Ok((strands, scene))
}

impl RestPose {
    /// That of a file, in a scene whose hair it is.
    pub fn new(strands: &MovingStrands, scene: &Scene) -> Self {
        Self {
            points: strands.strands().points.clone(),
            starts: strands.strands().starts.clone(),
            motion: scene.sim.motion.clone(),
            path: strands.path().into(),
        }
    }

    /// How it is worn on a stage, whose hair it must be.
    ///
    /// # Errors
    /// When the stage has other hair.
    pub fn wear(&self, stage: &BuiltScene) -> Result<WornGroom, PlaybackError> {
        let other = || PlaybackError::OtherGroom {
            path: self.path.clone(),
        };
        let bound = stage.bound.as_ref().ok_or_else(other)?;
        let file = bound.file.clone();
        if stage.carried.is_some() || file.count + 1 != self.starts.len() {
            return Err(other());
        }
        let mut aside = Vec::with_capacity(stage.groom.points.len());
        file.carry(&self.points, &self.starts, &mut aside);
        if aside.len() != stage.groom.points.len() {
            return Err(other());
        }
        for (aside, rest) in aside.iter_mut().zip(&stage.groom.points) {
            *aside = *rest - *aside;
        }
        let played = self.motion.preset == MotionPreset::Sequence;
        let footage = stage.body.footage.clone().filter(|_| played);
        let head = footage.map(|footage| {
            let mesh = stage.head.mesh.clone();
            let motion = HeadMotion::new(&mesh, &self.motion).playing(Some(footage));
            (motion, mesh)
        });
        Ok(WornGroom {
            file,
            starts: self.starts.clone(),
            aside,
            head,
        })
    }
}

impl WornGroom {
    /// Writes the file's `points` in pose `number` of so many a second as a frame.
    pub fn write(&self, points: &[Vec3], number: u32, rate: f64, frame: &mut Frame) {
        frame.number = number;
        frame.time = f64::from(number) / rate;
        frame.pose = Pose::IDENTITY;
        frame.shape.clear();
        if let Some((head, mesh)) = &self.head {
            frame.pose = head.pose(frame.time);
            head.write_shape(frame.time, mesh, &mut frame.shape);
        }
        frame.positions.clear();
        self.file.carry(points, &self.starts, &mut frame.positions);
        for (point, aside) in frame.positions.iter_mut().zip(&self.aside) {
            *point += frame.pose.vector(*aside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        io::strands::{FilmTimes, Strands, written},
        mesh::Up,
        project::{built_scene, playback},
    };

    #[test]
    fn all_poses_are_worn_as_the_file_has_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hair.usdc");
        // Two strands on the built-in head, one with points that are one, and their guide.
        let scene = Scene::default();
        let stage = built_scene::build(&scene).expect("builds");
        let root = |i: usize| stage.groom.strand(i)[0];
        let mut strands = Strands {
            starts: vec![0, 3, 7],
            up: Some(Up::Y),
            metres_per_unit: Some(1.0),
            ..Strands::default()
        };
        for (i, along) in [(0, &[0.0, 0.1, 0.2][..]), (9, &[0.0, 0.1, 0.1, 0.3])] {
            strands
                .points
                .extend(along.iter().map(|x| root(i) + Vec3::Y * *x));
        }
        let begin = written().find(|(format, _)| format.id == "usdc");
        let begin = begin.and_then(|(_, writing)| writing.film).expect("films");
        let mut film = begin(&path, &FilmTimes::new(3, 12.0)).expect("begins");
        let moved = |k: usize| -> Vec<Vec3> {
            let by = |p: &Vec3| *p + Vec3::X * 0.01 * k as f32 * (p.y - 0.1);
            strands.points.iter().map(by).collect()
        };
        for k in 0..3 {
            let points = moved(k);
            let pose = Strands {
                points,
                ..strands.clone()
            };
            film.add(&pose).expect("adds");
        }
        film.finish().expect("ends");
        let (mut recorded, scene) = playback::open(&path, &scene).expect("opens");
        assert_eq!((recorded.end(), recorded.fps()), (3, 12.0));
        let stage = stage.rebuilt(&scene, &|_| true).expect("builds");
        recorded.wear(&stage).expect("it is its hair");
        let mut frame = Frame::default();
        for k in 0..3 {
            recorded.read(k, &mut frame).expect("reads");
            assert_eq!(frame.time, f64::from(k) / 12.0);
            let mut wanted = moved(k as usize);
            // Two points in one place are one vertex.
            wanted.remove(5);
            let groom = &stage.groom;
            assert_eq!(groom.points.len(), 6);
            // Strands are sorted by their roots.
            let first = groom.strand(0)[0].distance(wanted[0]) > 0.005;
            if first {
                wanted.rotate_left(3);
            }
            for (found, wanted) in frame.positions.iter().zip(&wanted) {
                assert!(found.distance(*wanted) < 1e-4, "{k}: {found} {wanted}");
            }
        }
        // Nothing else is its hair.
        let other = built_scene::build(&Scene::default()).expect("builds");
        let refused = recorded.wear(&other).expect_err("other hair").to_string();
        assert!(refused.contains("hair.usdc moves other hair"), "{refused}");
        assert!(!refused.contains("simulate it"), "{refused}");
    }

    #[test]
    fn a_groom_in_one_pose_is_not_played() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/groom/usda/three.usda");
        let refused = playback::open(&path, &Scene::default())
            .err()
            .expect("refused");
        assert!(refused.to_string().contains("has one pose"), "{refused}");
    }
}
