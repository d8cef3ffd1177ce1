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

/// What of a file is left out, and curves that are not as it has them.
#[derive(Default)]
struct LeftOut {
    /// Whether there are transforms.
    moved: bool,
    /// Included files.
    included: usize,
    /// Curves of another kind, or what hints at them.
    others: usize,
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut out = Strands::default();
    let mut words = Words {
        bytes,
        at: 0,
        line: 1,
    };
    let mut end: Option<Vec3> = None;
    let mut left_out = LeftOut::default();
    let mut shape = None;
    while let Some(word) = words.next() {
        match word {
            b"Transform" | b"ConcatTransform" | b"Translate" | b"Rotate" | b"Scale" => {
                left_out.moved = true;
            }
            b"Include" | b"Import" => left_out.included += 1,
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
                    left_out.others += 1;
                    continue;
                };
                let piece = [0, 3, 6, 9].map(|i| Vec3::new(c[i], c[i + 1], c[i + 2]));
                if !piece.iter().all(|p| p.is_finite()) {
                    return Err(Fault::line(
                        line,
                        "a point is not a number; export the file again without it".into(),
                    ));
                }
                append(&mut out, piece, end)?;
                end = Some(piece[3]);
            }
            b"basis" | b"degree" if words.text_is_other() => left_out.others += 1,
            _ => {}
        }
    }
    left_out.check(&out)?;
    out.begin()?;
    out.notes.extend(left_out.notes());
    Ok(out)
}

/// Lets the last strand, which is at `end`, go on with the Bézier piece `p`, or begins
/// another one where that begins elsewhere.
fn append(out: &mut Strands, p: [Vec3; 4], end: Option<Vec3>) -> Result<(), Fault> {
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
    Ok(())
}

impl LeftOut {
    /// Refuses a file without curves: says what it has in their place.
    fn check(&self, out: &Strands) -> Result<(), Fault> {
        if !out.points.is_empty() {
            return Ok(());
        }
        Err(Fault::whole(match self.included {
            0 => "it has no cubic Bézier curves with four points; export hair as such".into(),
            _ => "it has no curves of its own, and the files that it includes (Include, Import) \
                  are not followed; give the one of them that has the hair"
                .into(),
        }))
    }

    /// What is to be said of what is left out.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.moved {
            notes.push("transforms are not followed; the curves stand as they are listed".into());
        }
        if self.included > 0 {
            notes.push(format!(
                "{} included (Include, Import) and left out; give each that has hair by itself",
                counted(self.included, "file is", "files are")
            ));
        }
        if self.others > 0 {
            notes.push(format!(
                "{} not of four Bézier points may be left out or bent otherwise",
                counted(self.others, "curve that is", "curves that are")
            ));
        }
        notes
    }
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
