//! Hair that moves in a file: all of its poses.

use super::{Fault, FilmTimes, Format, Strands, StrandsError, read::parse_each};
use crate::io::{read_file, reason};
use glam::Vec3;
use std::path::{Path, PathBuf};

/// Poses in a second of a file that does not say it. `[1/s]`
const RATE: f64 = 24.0;
/// More than twelve hours of poses are a mistake.
const MOST: usize = 1 << 20;

/// A groom's file that holds several poses.
pub struct MovingStrands {
    path: PathBuf,
    bytes: Vec<u8>,
    format: &'static Format,
    strands: Strands,
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
            bytes,
            format,
            strands: strands.evaluated(),
        }))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length. `[bytes]`
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The strands as they are drawn at rest: as the file has them without a time, or
    /// else in their first pose.
    pub fn strands(&self) -> &Strands {
        &self.strands
    }

    /// How many poses there are; two at least.
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
        let Some(each) = self.format.each_pose else {
            return Ok(());
        };
        let (mut pose, mut odd) = (0, None);
        let read = each(&self.bytes, &mut |strands| {
            let strands = strands.evaluated();
            odd = self.unlike(pose, &strands);
            pose += 1;
            odd.is_none() && take(pose - 1, strands.points)
        });
        let read = read.and(odd.map_or(Ok(()), Err));
        read.map_err(|fault| content(&self.path, fault))
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
