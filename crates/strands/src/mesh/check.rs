//! A line-aware check of OBJ text before it is parsed: it finds what is wrong
//! and in which line, and writes a plain text in which nothing is wrong.
//!
//! The parser behind it stops at the first odd line without naming it, and
//! guesses indices that are missing. Here bad faces are left out with a note
//! of their line, and in the text handed on every index is positive and in
//! range; a missing texture coordinate or normal points at a zero entry that
//! stands first in its list.

use super::{
    MeshError,
    words::{EXPORT, Tally, foreign, numbers, shown, write_entry},
};
use crate::math::counted;
use glam::Vec3;
use std::{fmt::Write, path::Path};

/// What a face belongs to that no group or material was named for.
pub(super) const UNNAMED: &str = "default";
/// Coordinates beyond this would overflow products of lengths in f32.
pub(super) const LARGEST: f32 = 1e9;
/// A slot that a face leaves empty.
const MISSING: u32 = u32::MAX;
/// A slot that names no entry that there could be.
const OUT_OF_RANGE: u32 = u32::MAX - 1;

/// OBJ text that parses without surprises, and what was found on the way.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Text in which every index is valid; entry 1 of `vt` and `vn` is zero
    /// and means "missing".
    pub text: String,
    /// `v` lines in the file.
    pub vertices: usize,
    /// Faces that can be used.
    pub faces: usize,
    /// Triangles that these faces make, zero-area ones included.
    pub triangles: usize,
    /// Line of the first usable face.
    pub first_face_line: usize,
    /// Smallest and largest finite coordinates of all `v` lines.
    pub bounds: [Vec3; 2],
    /// Whether any usable face has texture coordinates.
    pub has_uvs: bool,
    /// `mtllib` lines: line number and the rest of the line.
    pub libraries: Vec<(usize, String)>,
    /// One sentence for each kind of trouble.
    pub warnings: Vec<String>,
}

struct Face {
    corners: std::ops::Range<u32>,
    line: usize,
    section: usize,
}

/// Why a face corner cannot be used.
enum BadCorner {
    /// It is not `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    Text,
    /// This vertex index is zero or reaches before the first vertex.
    Range(i64),
}

#[derive(Default)]
struct Scan {
    /// Accepted text of `v`, `vt` and `vn` lines.
    vertices: String,
    uvs: String,
    normals: String,
    vertex_count: u32,
    uv_count: u32,
    normal_count: u32,
    /// Vertices that no face may use: their numbers do not parse.
    bad: Vec<u32>,
    corners: Vec<[u32; 3]>,
    faces: Vec<Face>,
    /// Group and material in force, one entry for each change.
    sections: Vec<(String, String)>,
    bounds: Option<[Vec3; 2]>,
    libraries: Vec<(usize, String)>,
    bad_vertices: Tally,
    bad_attributes: Tally,
    bad_faces: Tally,
    damaged: Tally,
    /// Lines that begin with a word of the format.
    known: usize,
    face_lines: usize,
    last_line: usize,
}

/// Checks the bytes of an OBJ file; `path` only serves the messages.
pub(super) fn check(bytes: &[u8], path: &Path) -> Result<Checked, MeshError> {
    // Some programs end the file with NUL bytes or an old end-of-file mark.
    let junk = |b: &u8| b.is_ascii_whitespace() || matches!(*b, 0 | 0x1a);
    let kept = bytes.len() - bytes.iter().rev().take_while(|b| junk(b)).count();
    let terminated = kept < bytes.len();
    let bytes = &bytes[..kept];
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.is_empty() {
        return Err(MeshError::Empty { path: path.into() });
    }
    if let Some((found, cure)) = foreign(bytes) {
        return Err(MeshError::NotObj {
            path: path.into(),
            line: 1,
            found: found.into(),
            cure,
        });
    }
    let mut scan = Scan::default();
    scan.sections.push((UNNAMED.into(), String::new()));
    scan.read(bytes, terminated, path)?;
    scan.finish(bytes, path)
}

impl Scan {
    fn read(&mut self, bytes: &[u8], terminated: bool, path: &Path) -> Result<(), MeshError> {
        // Old Macintosh files end their lines with a lone carriage return.
        let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        let mut lines = bytes.split(|b| *b == end).enumerate().peekable();
        let mut joined = Vec::new();
        while let Some((index, line)) = lines.next() {
            let number = index + 1;
            let mut line = line;
            // A backslash at the very end continues the line, but not a comment: it may
            // be the end of a folder's name.
            let comment = line.trim_ascii_start().starts_with(b"#");
            if !comment && line.trim_ascii_end().ends_with(b"\\") {
                joined.clear();
                joined.extend_from_slice(line.trim_ascii_end());
                while joined.ends_with(b"\\") {
                    joined.pop();
                    joined.push(b' ');
                    let Some((_, next)) = lines.next() else { break };
                    joined.extend_from_slice(next.trim_ascii_end());
                }
                line = &joined;
            }
            self.last_line = number;
            let problem = self.line(number, line);
            if let Some(why) = problem
                && !terminated
                && lines.peek().is_none()
            {
                return Err(MeshError::Truncated {
                    path: path.into(),
                    line: number,
                    why,
                });
            }
        }
        Ok(())
    }

    /// Takes in one line; says what is wrong with it if it looks cut short.
    fn line(&mut self, number: usize, line: &[u8]) -> Option<String> {
        let Ok(text) = std::str::from_utf8(line) else {
            return self.odd_line(number, &String::from_utf8_lossy(line));
        };
        self.text_line(number, text)
    }

    fn odd_line(&mut self, number: usize, text: &str) -> Option<String> {
        // Names and comments may be in any encoding; numbers may not.
        match text.split_ascii_whitespace().next() {
            Some("v" | "vt" | "vn" | "f" | "g" | "o" | "usemtl" | "mtllib") => {
                self.text_line(number, text)
            }
            _ => None,
        }
    }

    fn text_line(&mut self, number: usize, text: &str) -> Option<String> {
        let mut words = text.split_ascii_whitespace();
        let keyword = words.next()?;
        let rest = || text.trim_ascii_start()[keyword.len()..].trim();
        match keyword {
            "v" => self.vertex(number, words),
            "vt" => self.attribute(number, words, true),
            "vn" => self.attribute(number, words, false),
            "f" | "fo" => self.face(number, words),
            "g" | "o" => {
                self.known += 1;
                let name = match rest() {
                    "" => UNNAMED,
                    name => name,
                };
                self.section().0 = name.into();
                None
            }
            "usemtl" => {
                self.known += 1;
                self.section().1 = rest().into();
                None
            }
            "mtllib" => {
                self.known += 1;
                self.libraries.push((number, rest().into()));
                None
            }
            "l" | "p" | "s" | "vp" => {
                self.known += 1;
                None
            }
            _ if text.contains('\0') => {
                self.damaged.add(number, || "it holds NUL bytes".into());
                None
            }
            _ => None,
        }
    }

    /// The section that the next face belongs to, to be changed.
    fn section(&mut self) -> &mut (String, String) {
        let last = self.sections.len() - 1;
        if self.faces.last().is_some_and(|face| face.section == last) {
            let copy = self.sections[last].clone();
            self.sections.push(copy);
        }
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    fn vertex<'a>(
        &mut self,
        number: usize,
        words: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        self.known += 1;
        match numbers::<3>(words, 3) {
            Ok((p, text)) if p.iter().all(|c| c.abs() <= LARGEST) => {
                let p = Vec3::from_array(p);
                let [min, max] = self.bounds.unwrap_or([p, p]);
                self.bounds = Some([min.min(p), max.max(p)]);
                write_entry(&mut self.vertices, "v", text);
                self.vertex_count += 1;
                None
            }
            found => {
                let why = match found {
                    Err(why) => why,
                    Ok(_) => format!("a coordinate is larger than {LARGEST:e}"),
                };
                self.bad_vertices.add(number, || why.clone());
                self.bad.push(self.vertex_count);
                self.vertices.push_str("v 0 0 0\n");
                self.vertex_count += 1;
                Some(why)
            }
        }
    }

    fn attribute<'a>(
        &mut self,
        number: usize,
        words: impl Iterator<Item = &'a str>,
        uv: bool,
    ) -> Option<String> {
        self.known += 1;
        let problem = if uv {
            self.uv_count += 1;
            match numbers::<2>(words, 1) {
                Ok((_, text)) => {
                    write_entry(&mut self.uvs, "vt", text);
                    None
                }
                Err(why) => {
                    self.uvs.push_str("vt 0 0\n");
                    Some(why)
                }
            }
        } else {
            self.normal_count += 1;
            match numbers::<3>(words, 3) {
                Ok((_, text)) => {
                    write_entry(&mut self.normals, "vn", text);
                    None
                }
                Err(why) => {
                    self.normals.push_str("vn 0 0 0\n");
                    Some(why)
                }
            }
        };
        if let Some(why) = &problem {
            self.bad_attributes.add(number, || why.clone());
        }
        problem
    }

    fn face<'a>(&mut self, number: usize, words: impl Iterator<Item = &'a str>) -> Option<String> {
        self.known += 1;
        self.face_lines += 1;
        let first = self.corners.len();
        let mut shape = None;
        let mut problem = None;
        let mut cut = None;
        for word in words.take_while(|w| !w.starts_with('#')) {
            match self.corner(word) {
                Ok(corner) => self.corners.push(corner),
                Err(BadCorner::Text) => {
                    problem = Some(format!("\"{}\" is not a face corner", shown(word)));
                    cut.clone_from(&problem);
                    break;
                }
                Err(BadCorner::Range(0)) => {
                    problem = Some("index 0 (OBJ counts from 1)".into());
                    break;
                }
                Err(BadCorner::Range(index)) => {
                    problem = Some(format!(
                        "index {index} is out of range ({} so far)",
                        counted(self.vertex_count, "vertex", "vertices")
                    ));
                    break;
                }
            }
            // A last corner with fewer slots than its neighbours is the mark
            // of a cut line; elsewhere it is only untidy.
            let filled = word
                .split('/')
                .map(|part| 1 + usize::from(!part.is_empty()));
            let own = filled.fold(0, |shape, slot| 3 * shape + slot);
            let odd = *shape.get_or_insert(own) != own;
            cut = odd.then(|| format!("corner \"{}\" is not complete", shown(word)));
        }
        let count = self.corners.len() - first;
        if problem.is_none() && count < 3 {
            problem = Some(format!("a face has {count} corners where it needs 3"));
            cut.clone_from(&problem);
        }
        match problem {
            Some(why) => {
                self.corners.truncate(first);
                self.bad_faces.add(number, || why);
            }
            None => self.faces.push(Face {
                corners: first as u32..self.corners.len() as u32,
                line: number,
                section: self.sections.len() - 1,
            }),
        }
        cut
    }

    /// Resolves `v`, `v/vt`, `v//vn` or `v/vt/vn`; whether an index is in
    /// range is known only when all lines are read.
    fn corner(&self, word: &str) -> Result<[u32; 3], BadCorner> {
        let counts = [self.vertex_count, self.uv_count, self.normal_count];
        let mut corner = [MISSING; 3];
        for (slot, part) in word.split('/').enumerate() {
            if slot > 2 || (slot == 0 && part.is_empty()) {
                return Err(BadCorner::Text);
            }
            if part.is_empty() {
                continue;
            }
            let index: i64 = part.parse().map_err(|_| BadCorner::Text)?;
            let resolved = match index {
                1.. => Some(index - 1),
                0 => None,
                _ => Some(i64::from(counts[slot]) + index).filter(|i| *i >= 0),
            };
            match resolved.and_then(|i| u32::try_from(i).ok()) {
                Some(i) if i < OUT_OF_RANGE => corner[slot] = i,
                // Without its texture coordinate or normal a corner still stands.
                _ if slot > 0 => corner[slot] = OUT_OF_RANGE,
                _ => return Err(BadCorner::Range(index)),
            }
        }
        Ok(corner)
    }

    fn finish(mut self, bytes: &[u8], path: &Path) -> Result<Checked, MeshError> {
        if self.known == 0 {
            let first = bytes.trim_ascii_start();
            let skipped = &bytes[..bytes.len() - first.len()];
            let line = first.split(|b| *b == b'\n').next().unwrap_or_default();
            return Err(MeshError::NotObj {
                path: path.into(),
                line: 1 + skipped.iter().filter(|b| **b == b'\n').count(),
                found: format!("\"{}\"", shown(&String::from_utf8_lossy(line))),
                cure: EXPORT,
            });
        }
        let mut checked = Checked {
            vertices: self.vertex_count as usize,
            bounds: self.bounds.unwrap_or_default(),
            libraries: std::mem::take(&mut self.libraries),
            ..Checked::default()
        };
        let mut used = vec![false; self.vertex_count as usize];
        let mut lost_slots = Tally::default();
        let mut text = String::with_capacity(bytes.len() + 64);
        // Which library it is does not matter: the parser is given all at once.
        if !checked.libraries.is_empty() {
            text.push_str("mtllib all\n");
        }
        text.push_str(&self.vertices);
        text.push_str("vt 0 0\n");
        text.push_str(&self.uvs);
        text.push_str("vn 0 0 0\n");
        text.push_str(&self.normals);
        let mut section = usize::MAX;
        for face in &self.faces {
            let corners = &self.corners[face.corners.start as usize..face.corners.end as usize];
            if let Some(why) = self.out_of_range(corners) {
                self.bad_faces.add(face.line, || why);
                continue;
            }
            if face.section != section {
                section = face.section;
                let (group, material) = &self.sections[section];
                let _ = writeln!(text, "g {group}");
                if !material.is_empty() {
                    let _ = writeln!(text, "usemtl {material}");
                }
            }
            text.push('f');
            for [v, vt, vn] in corners {
                used[*v as usize] = true;
                let mut slot = |i: u32, count: u32| match i {
                    MISSING => 1,
                    i if i < count => i + 2,
                    _ => {
                        lost_slots.add(face.line, || {
                            "a texture coordinate or normal is out of range".into()
                        });
                        1
                    }
                };
                let (vt, vn) = (slot(*vt, self.uv_count), slot(*vn, self.normal_count));
                checked.has_uvs |= vt > 1;
                let _ = write!(text, " {}/{vt}/{vn}", v + 1);
            }
            text.push('\n');
            if checked.faces == 0 {
                checked.first_face_line = face.line;
            }
            checked.faces += 1;
            checked.triangles += corners.len() - 2;
        }
        if checked.faces == 0 {
            return Err(match self.bad_faces.first {
                Some((line, why)) => MeshError::BadFaces {
                    path: path.into(),
                    line,
                    why,
                    faces: self.face_lines,
                },
                None => MeshError::NoFaces {
                    path: path.into(),
                    line: self.last_line,
                    vertices: checked.vertices,
                },
            });
        }
        checked.text = text;
        let unused = used.iter().filter(|used| !**used).count();
        checked.warnings.extend(
            [
                self.bad_vertices.sentence("vertex line", "unusable"),
                self.bad_attributes
                    .sentence("texture coordinate or normal", "ignored"),
                self.bad_faces.sentence("face", "left out"),
                lost_slots.sentence("corner", "given a computed value"),
                self.damaged.sentence("line", "skipped"),
            ]
            .into_iter()
            .flatten(),
        );
        // A text cut exactly between two lines still parses; what shows it are
        // vertices that nothing refers to.
        if unused * 50 > checked.vertices && checked.vertices > 100 {
            checked.warnings.push(format!(
                "{unused} of {} vertices belong to no face; the file may be cut short after line {}",
                checked.vertices, self.last_line
            ));
        }
        Ok(checked)
    }

    fn out_of_range(&self, corners: &[[u32; 3]]) -> Option<String> {
        corners.iter().find_map(|[v, ..]| {
            if *v >= self.vertex_count {
                Some(format!(
                    "index {} is out of range ({} vertices)",
                    u64::from(*v) + 1,
                    self.vertex_count
                ))
            } else if self.bad.binary_search(v).is_ok() {
                Some(format!("vertex {} is not a finite point", v + 1))
            } else {
                None
            }
        })
    }
}
