//! Hair that moves, in a file or in a sequence of files: all of its poses.

use super::{
    Fault, FilmTimes, Format, Strands, StrandsError, numbered, present, read, read::parse_each,
};
use crate::io::{read_file, reason};
use glam::Vec3;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Poses in a second of a file that does not say it. `[1/s]`
const RATE: f64 = 24.0;
/// More than twelve hours of poses are a mistake.
const MOST: usize = 1 << 20;

/// A groom in several poses: those of a file, or one a file of a sequence.
pub struct MovingStrands {
    path: PathBuf,
    source: PoseSource,
    strands: Strands,
}

/// Where poses come from.
enum PoseSource {
    /// A file with all of them.
    File {
        bytes: Vec<u8>,
        format: &'static Format,
    },
    /// Files with one each.
    Files(Vec<PathBuf>),
}

/// Whether the file at `path` holds a groom in several poses.
pub fn moves(path: &Path) -> bool {
    MovingStrands::open(path).is_ok_and(|found| found.is_some())
}

impl MovingStrands {
    /// The groom in the file `path`; none where it has one pose.
    ///
    /// # Errors
    /// Those of [`read`](super::read()).
    pub fn open(path: &Path) -> Result<Option<Self>, StrandsError> {
        let bytes = read_file(path).map_err(|error| StrandsError::Read {
            path: path.into(),
            reason: reason(&error),
        })?;
        let (format, strands) =
            parse_each(&bytes, path, 0).map_err(|fault| content(path, fault))?;
        if strands.poses > MOST {
            let text = format!(
                "it claims {} poses, more than {MOST}; export a part of them",
                strands.poses
            );
            return Err(content(path, Fault::whole(text)));
        }
        let moves = strands.poses > 1 && format.each_pose.is_some();
        Ok(moves.then(|| Self {
            path: path.into(),
            source: PoseSource::File { bytes, format },
            strands: strands.evaluated(),
        }))
    }

    /// The groom of the files of `pattern`, which has a place for a number in its name, so many
    /// `rate` a second: their numbers are its time codes.
    ///
    /// # Errors
    /// When there are none, or one is missing between others; and those of
    /// [`read`](super::read()).
    pub fn open_sequence(pattern: &Path, rate: f64) -> Result<Self, StrandsError> {
        let refuse = |reason: String| StrandsError::Read {
            path: pattern.into(),
            reason,
        };
        let file = |number: usize| numbered(pattern, number).unwrap_or_else(|| pattern.into());
        let name = |number: usize| {
            let file = file(number);
            file.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let numbers = present(pattern);
        let Some(first) = numbers.first().copied() else {
            let text = format!("there is no file like {}; check the path", name(1));
            return Err(refuse(text));
        };
        if let Some(pair) = numbers.windows(2).find(|pair| pair[1] != pair[0] + 1) {
            return Err(refuse(format!(
                "{} is followed by {}; an animation needs all files between them",
                name(pair[0]),
                name(pair[1])
            )));
        }
        let mut strands = read::read(&file(first))?.1.evaluated();
        (strands.poses, strands.rate, strands.codes) = (numbers.len(), rate, rate);
        strands.start = first as f64 / rate;
        Ok(Self {
            path: pattern.into(),
            source: PoseSource::Files(numbers.into_iter().map(file).collect()),
            strands,
        })
    }

    /// The file, or the pattern of the files' names.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length, or theirs. `[bytes]`
    pub fn bytes(&self) -> u64 {
        let length = |path: &PathBuf| fs::metadata(path).map_or(0, |found| found.len());
        match &self.source {
            PoseSource::File { bytes, .. } => bytes.len() as u64,
            PoseSource::Files(files) => files.iter().map(length).sum(),
        }
    }

    /// The strands as they are drawn at rest: as the file has them without a time, or
    /// else in their first pose.
    pub fn strands(&self) -> &Strands {
        &self.strands
    }

    /// How many poses there are; two at least in a file.
    pub fn poses(&self) -> usize {
        self.strands.poses
    }

    /// Poses in a second. `[1/s]`
    pub fn rate(&self) -> f64 {
        match self.strands.rate {
            rate if rate > 0.0 => rate,
            _ => RATE,
        }
    }

    /// When they are in the file: a film with these times has them when it has.
    pub fn times(&self) -> FilmTimes {
        let (rate, start) = (self.rate(), self.strands.start);
        FilmTimes {
            start: if start.is_finite() { start } else { 0.0 },
            codes: match self.strands.codes {
                codes if codes > 0.0 => codes,
                _ => rate,
            },
            ..FilmTimes::new(self.poses(), rate)
        }
    }

    /// Hands over the number of each pose, from 0, and the points of its strands, as
    /// many as [`strands`](Self::strands) have, until it is answered false.
    ///
    /// # Errors
    /// When a pose is damaged, or has other strands than the first: one sentence.
    pub fn each(&self, take: &mut dyn FnMut(usize, Vec<Vec3>) -> bool) -> Result<(), StrandsError> {
        let (bytes, format) = match &self.source {
            PoseSource::File { bytes, format } => (bytes, format),
            PoseSource::Files(files) => return self.each_file(files, take),
        };
        let Some(each) = format.each_pose else {
            return Ok(());
        };
        let (mut pose, mut odd) = (0, None);
        let read = each(bytes, &mut |strands| {
            let strands = strands.evaluated();
            odd = self.unlike(pose, &strands);
            pose += 1;
            odd.is_none() && take(pose - 1, strands.points)
        });
        let read = read.and(odd.map_or(Ok(()), Err));
        read.map_err(|fault| content(&self.path, fault))
    }

    /// The same of poses that are a file each.
    fn each_file(
        &self,
        files: &[PathBuf],
        take: &mut dyn FnMut(usize, Vec<Vec3>) -> bool,
    ) -> Result<(), StrandsError> {
        for (pose, file) in files.iter().enumerate() {
            let strands = read::read(file)?.1.evaluated();
            if let Some(fault) = self.unlike(pose, &strands) {
                return Err(content(file, fault));
            }
            if !take(pose, strands.points) {
                break;
            }
        }
        Ok(())
    }

    /// What is wrong with a pose.
    fn unlike(&self, pose: usize, strands: &Strands) -> Option<Fault> {
        let (first, number) = (&self.strands, pose + 1);
        let same = "; export the file with the same curves in every pose";
        let fault = if strands.len() != first.len() {
            format!(
                "pose {number} has {} strands where the first has {}{same}",
                strands.len(),
                first.len()
            )
        } else if strands.points.len() != first.points.len() {
            format!(
                "pose {number} has {} points where the first has {}{same}",
                strands.points.len(),
                first.points.len()
            )
        } else if strands.starts != first.starts {
            format!("pose {number} has strands of other lengths than the first{same}")
        } else if let Some(point) = strands.points.iter().position(|p| !p.is_finite()) {
            format!(
                "point {point} of pose {number} is not a number ({}); export the groom again \
                 without it",
                strands.points[point]
            )
        } else {
            return None;
        };
        Some(Fault::whole(fault))
    }
}

fn content(path: &Path, fault: Fault) -> StrandsError {
    StrandsError::Content {
        path: path.into(),
        fault,
    }
}
