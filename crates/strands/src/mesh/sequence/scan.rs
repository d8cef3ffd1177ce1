//! A frame's vertices and faces as the file has them, in its own order: what
//! the frames of a sequence have in common.

use super::SequenceError;
use crate::math::counted;
use crate::mesh::{MeshError, assemble::Polygons};
use glam::DVec3;
use std::path::Path;

/// A file without anything that a moving head does not need.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Vertices, of an OBJ its `v` lines, in the file's units.
    pub positions: Vec<DVec3>,
    /// Vertices of all faces, counted from 0.
    pub corners: Vec<u32>,
    /// Where each face begins in `corners`, and its line, or else its number.
    pub faces: Vec<(u32, u32)>,
    /// Whether that is its number.
    numbered: bool,
}

impl Scan {
    /// The vertices and faces of an OBJ text.
    pub fn read(bytes: &[u8], path: &Path) -> Result<Self, SequenceError> {
        let mut scan = Self::default();
        // Old Macintosh files end their lines with a lone carriage return.
        let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        let mut joined = Vec::new();
        for (index, line) in bytes.split(|b| *b == end).enumerate() {
            let line = line.trim_ascii();
            // A backslash at the very end continues the line, but not a comment: it may
            // be the end of a folder's name.
            let continued = line
                .strip_suffix(b"\\")
                .filter(|part| !joined.is_empty() || !part.starts_with(b"#"));
            if let Some(part) = continued {
                joined.extend_from_slice(part);
                joined.push(b' ');
                continue;
            }
            if joined.is_empty() {
                scan.line(line, index + 1, path)?;
            } else {
                joined.extend_from_slice(line);
                let whole = std::mem::take(&mut joined);
                scan.line(&whole, index + 1, path)?;
            }
        }
        Ok(scan)
    }

    /// Those of the parts of a model.
    pub fn of(parts: &[Polygons], path: &Path) -> Result<Self, MeshError> {
        let mut scan = Self {
            numbered: true,
            ..Self::default()
        };
        for part in parts {
            let first = scan.positions.len() as u32;
            for p in &part.positions {
                if !p.as_vec3().is_finite() {
                    return Err(MeshError::Model {
                        path: path.into(),
                        place: String::new(),
                        why: format!("a vertex at {p} has no place; export it again"),
                    });
                }
                scan.positions.push(*p);
            }
            let mut start = scan.corners.len() as u32;
            for count in &part.arities {
                scan.faces.push((start, scan.faces.len() as u32 + 1));
                start += count;
            }
            scan.corners.extend(
                part.corners
                    .iter()
                    .map(|corner| first.saturating_add(*corner)),
            );
        }
        Ok(scan)
    }

    fn line(&mut self, line: &[u8], number: usize, path: &Path) -> Result<(), SequenceError> {
        let wanted = matches!(line, [b'v' | b'f', b' ' | b'\t', ..]);
        if !wanted {
            return Ok(());
        }
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace();
        if words.next() == Some("v") {
            let mut next = || words.next().and_then(|w| w.parse::<f64>().ok());
            let place = next().zip(next()).zip(next());
            let place = place.map(|((x, y), z)| DVec3::new(x, y, z));
            // It becomes f32.
            match place.filter(|p| p.as_vec3().is_finite()) {
                Some(p) => self.positions.push(p),
                None => {
                    let found: String = text.chars().take(60).collect();
                    return Err(SequenceError::Vertex {
                        path: path.into(),
                        line: number,
                        found: format!("\"{found}\""),
                    });
                }
            }
            return Ok(());
        }
        self.faces.push((self.corners.len() as u32, number as u32));
        for word in words.take_while(|word| !word.starts_with('#')) {
            let index = word.split('/').next().and_then(|i| i.parse::<i64>().ok());
            let count = self.positions.len() as i64;
            let index = match index {
                Some(i) if i < 0 => count + i,
                Some(i) => i - 1,
                None => -1,
            };
            // What is no index at all is the same in every frame.
            self.corners.push(u32::try_from(index).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    fn face(&self, index: usize) -> &[u32] {
        let start = self.faces[index].0 as usize;
        let end = self
            .faces
            .get(index + 1)
            .map_or(self.corners.len(), |next| next.0 as usize);
        &self.corners[start..end]
    }

    /// What makes `other` another mesh than this one.
    pub fn unlike(&self, other: &Self) -> Option<String> {
        let (mine, its) = (self.positions.len(), other.positions.len());
        if mine != its {
            return Some(format!(
                "it has {} and not {mine}",
                counted(its, "vertex", "vertices")
            ));
        }
        let (mine, its) = (self.faces.len(), other.faces.len());
        if mine != its {
            return Some(format!(
                "it has {} and not {mine}",
                counted(its, "face", "faces")
            ));
        }
        if self.corners == other.corners {
            let starts = |scan: &Self| scan.faces.iter().map(|f| f.0).collect::<Vec<_>>();
            if starts(self) == starts(other) {
                return None;
            }
        }
        let odd = (0..self.faces.len()).find(|i| self.face(*i) != other.face(*i))?;
        let place = other.faces[odd].1;
        Some(match other.numbered {
            true => format!("face {place} joins other vertices"),
            false => format!("the face in line {place} joins other vertices"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_ends_in_a_backslash_is_one_line() {
        let text = b"# C:\\heads\\\nv 0 0 0\nv 1 \\\n 0 0\nv 0 1 0\nf 1 2 \\\n3\n";
        let scan = Scan::read(text, Path::new("a.obj")).expect("reads");
        assert_eq!(scan.positions.len(), 3);
        assert_eq!(scan.corners, [0, 1, 2]);
    }
}
