//! pbrt's curves: cubic Bézier pieces, `Shape "curve"`, of which those that
//! join end to end are one strand.

use super::{Carries, Fault, Format, Strands};
use crate::math::counted;
use glam::Vec3;

/// Points that a piece is followed by, its end included.
const STEPS: usize = 3;

/// The format.
pub const FORMAT: Format = Format {
    id: "pbrt",
    name: "pbrt curves",
    endings: &["pbrt"],
    reads: "`Shape \"curve\"` of four Bézier points, joined where they meet",
    limits: "transforms, other bases and included files are not followed",
    carries: Carries::PLACES,
    is,
    read,
    each_pose: None,
    writing: None,
};

fn is(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let find = |word: &[u8]| head.windows(word.len()).any(|w| w == word);
    find(b"Shape") && find(b"\"curve\"")
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut out = Strands::default();
    let mut words = Words {
        bytes,
        at: 0,
        line: 1,
    };
    let mut end: Option<Vec3> = None;
    let (mut moved, mut included, mut others) = (false, 0, 0);
    let mut shape = None;
    while let Some(word) = words.next() {
        match word {
            b"Transform" | b"ConcatTransform" | b"Translate" | b"Rotate" | b"Scale" => {
                moved = true;
            }
            b"Include" | b"Import" => included += 1,
            b"Shape" => shape = words.next(),
            _ => {}
        }
        if shape != Some(b"\"curve\"") || !word.starts_with(b"\"") {
            continue;
        }
        let mut parts = word.trim_ascii().split(|c| matches!(c, b'"' | b' '));
        let name = parts.rfind(|part| !part.is_empty()).unwrap_or_default();
        match name {
            b"P" => {
                let line = words.line;
                let numbers = words.numbers()?;
                let piece: Option<[f32; 12]> = numbers.try_into().ok();
                let Some(c) = piece else {
                    others += 1;
                    continue;
                };
                let p = [0, 3, 6, 9].map(|i| Vec3::new(c[i], c[i + 1], c[i + 2]));
                if !p.iter().all(|p| p.is_finite()) {
                    return Err(Fault::line(
                        line,
                        "a point is not a number; export the file again without it".into(),
                    ));
                }
                if end.is_none_or(|end| end.distance(p[0]) > 1e-6 * p[0].length()) {
                    out.begin()?;
                    out.points.push(p[0]);
                }
                for step in 1..=STEPS {
                    let t = step as f32 / STEPS as f32;
                    let s = 1.0 - t;
                    let [a, b, c, d] = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
                    let at = match step {
                        STEPS => p[3],
                        _ => p[0] * a + p[1] * b + p[2] * c + p[3] * d,
                    };
                    out.points.push(at);
                }
                end = Some(p[3]);
            }
            b"basis" | b"degree" if words.text_is_other() => others += 1,
            _ => {}
        }
    }
    if out.points.is_empty() && included > 0 {
        return Err(Fault::whole(
            "it has no curves of its own, and the files that it includes (Include, Import) are not \
             followed; give the one of them that has the hair"
                .into(),
        ));
    }
    if out.points.is_empty() {
        return Err(Fault::whole(
            "it has no cubic Bézier curves with four points; export hair as such".into(),
        ));
    }
    out.begin()?;
    if moved {
        out.notes
            .push("transforms are not followed; the curves stand as they are listed".into());
    }
    if included > 0 {
        out.notes.push(format!(
            "{} included (Include, Import) and left out; give each that has hair by itself",
            counted(included, "file is", "files are")
        ));
    }
    if others > 0 {
        out.notes.push(format!(
            "{} not of four Bézier points may be left out or bent otherwise",
            counted(others, "curve that is", "curves that are")
        ));
    }
    Ok(out)
}

struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    /// The next word; a text with its quotes, a bracket by itself.
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let c = *self.bytes.get(self.at)?;
            if c == b'#' {
                let rest = &self.bytes[self.at..];
                let end = rest.iter().position(|c| *c == b'\n');
                self.at += end.unwrap_or(rest.len());
            } else if c.is_ascii_whitespace() {
                self.line += usize::from(c == b'\n');
                self.at += 1;
            } else {
                break;
            }
        }
        let rest = &self.bytes[self.at..];
        let length = match rest[0] {
            b'"' => rest[1..]
                .iter()
                .position(|c| *c == b'"')
                .map_or(rest.len(), |i| i + 2),
            b'[' | b']' => 1,
            _ => {
                let ends = |c: &u8| c.is_ascii_whitespace() || matches!(c, b'[' | b']' | b'"');
                rest.iter().position(ends).unwrap_or(rest.len())
            }
        };
        self.at += length;
        Some(&rest[..length])
    }

    /// The numbers in the brackets that come next.
    fn numbers(&mut self) -> Result<Vec<f32>, Fault> {
        let mut out = Vec::new();
        let mut depth = 0;
        while let Some(word) = self.next() {
            match word {
                b"[" => depth += 1,
                b"]" => return Ok(out),
                word if depth > 0 => out.push(super::text::number(Some(word), self.line)?),
                _ => break,
            }
        }
        Err(Fault::line(
            self.line,
            "points stand in brackets, and these have no end; export the file again".into(),
        ))
    }

    /// Whether the value that comes next is another basis or degree than pbrt's
    /// own.
    fn text_is_other(&mut self) -> bool {
        let mut word = self.next();
        if word == Some(b"[") {
            word = self.next();
        }
        !matches!(word, Some(b"\"bezier\"" | b"3"))
    }
}
