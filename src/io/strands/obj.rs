//! OBJ polylines: points `v` and lines `l` through them.

use super::{Carries, Detail, Fault, Format, Strands, Writing, content::TOO_MANY, text};
use crate::math::counted;
use glam::Vec3;
use std::fmt::Write as _;

/// The format.
pub const FORMAT: Format = Format {
    id: "obj",
    name: "OBJ polylines",
    endings: &["obj"],
    reads: "yes, pieces that join end to end are one strand",
    limits: "",
    carries: Carries {
        colours: Detail::Point,
        ..Carries::PLACES
    },
    is,
    read,
    each_pose: None,
    writing: Writing::all(write),
};

/// Whether there are lines and no faces.
pub fn is(bytes: &[u8]) -> bool {
    let mut found = false;
    for (_, line) in text::lines(bytes) {
        match text::words(line).next() {
            Some(b"l") => found = true,
            Some(b"f") => return false,
            _ => {}
        }
    }
    found
}

/// The points that lines go through, by their numbers from 0.
#[derive(Default)]
struct Polylines {
    through: Vec<u32>,
    /// Where each strand begins.
    starts: Vec<u32>,
    /// Whether the last line goes on in the next one of the file.
    open: bool,
}

impl Polylines {
    /// Takes in a line `l`, or what goes on with one, of a file with so many `points` before
    /// it.
    fn add(&mut self, content: &[u8], line: usize, points: usize) -> Result<(), Fault> {
        let words = text::words(content).skip(usize::from(!self.open));
        let mut first = !self.open;
        self.open = false;
        for word in words {
            if word == b"\\" {
                self.open = true;
                break;
            }
            let (word, more) = match word.strip_suffix(b"\\") {
                Some(word) => (word, true),
                None => (word, false),
            };
            self.open |= more;
            let index = word.split(|c| *c == b'/').next();
            let index = place(text::number(index, line)?, points, line)?;
            // A strand in pieces, `l 1 2` and `l 2 3`, is one.
            let goes_on = first && self.through.last() == Some(&index);
            if first && !goes_on {
                self.starts.push(self.through.len() as u32);
            }
            if !goes_on {
                self.through.push(index);
            }
            first = false;
        }
        Ok(())
    }
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut points: Vec<Vec3> = Vec::new();
    let mut colours: Vec<[f32; 3]> = Vec::new();
    let mut lines = Polylines::default();
    let (mut faces, mut free) = (0usize, 0usize);
    for (line, content) in text::lines(bytes) {
        let mut words = text::words(content);
        let keyword = words.next();
        // A line may go on behind a backslash.
        let keyword = match keyword {
            Some(_) if lines.open => Some(&b"l"[..]),
            other => other,
        };
        match keyword {
            Some(b"v") => {
                let mut next = || text::number::<f32>(words.next(), line);
                points.push(Vec3::new(next()?, next()?, next()?));
                let rest: Vec<&[u8]> = words.collect();
                if rest.len() >= 3 {
                    let colour = [0, 1, 2].map(|k| text::number(Some(rest[k]), line));
                    let [r, g, b] = colour;
                    // Points before the first coloured one are white.
                    colours.resize(points.len() - 1, [1.0; 3]);
                    colours.push([r?, g?, b?]);
                }
            }
            Some(b"l") => lines.add(content, line, points.len())?,
            Some(b"f") => faces += 1,
            Some(b"curv" | b"surf") => free += 1,
            _ => {}
        }
    }
    let Polylines {
        through, starts, ..
    } = lines;
    if through.is_empty() && free > 0 {
        return Err(Fault::whole(format!(
            "it describes {free} free-form curves or surfaces (curv, surf) and has no lines (l), \
             which are what strands are in OBJ; convert the curves to polylines, or export them \
             as Alembic (.abc)"
        )));
    }
    if through.is_empty() {
        return Err(Fault::whole(match faces {
            0 => "it has no lines (l), which are what strands are in OBJ; export curves".into(),
            _ => format!(
                "it is a mesh of {} and has no lines (l), which are what strands are in OBJ; give \
                 a mesh as the head",
                counted(faces, "face", "faces")
            ),
        }));
    }
    let mut out = Strands {
        starts,
        ..Strands::default()
    };
    if faces > 0 {
        let left = counted(faces, "face is", "faces are");
        out.notes.push(format!("{left} left out"));
    }
    out.starts.push(through.len() as u32);
    let places = || through.iter().map(|index| *index as usize);
    out.points = places().map(|index| points[index]).collect();
    if !colours.is_empty() {
        colours.resize(points.len(), [1.0; 3]);
        out.colours = places().map(|index| colours[index]).collect();
    }
    Ok(out)
}

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    Ok(lines(strands, "hair").into_bytes())
}

/// The text of strands as the object `name`.
pub fn lines(strands: &Strands, name: &str) -> String {
    let mut out = String::with_capacity(40 * strands.points.len());
    let _ = writeln!(out, "# Lovelock: hair as lines, the root first\no {name}");
    for (i, p) in strands.points.iter().enumerate() {
        let _ = write!(out, "v {} {} {}", p.x, p.y, p.z);
        if let Some([r, g, b]) = strands.colours.get(i) {
            let _ = write!(out, " {r} {g} {b}");
        }
        out.push('\n');
    }
    for strand in 0..strands.len() {
        let range = strands.range(strand);
        if range.is_empty() {
            continue;
        }
        out.push('l');
        for i in range {
            let _ = write!(out, " {}", i + 1);
        }
        out.push('\n');
    }
    out
}

/// A point's number from 1, or from the last one backwards, as one from 0.
fn place(number: i64, points: usize, line: usize) -> Result<u32, Fault> {
    let index = match number {
        1.. => number - 1,
        _ => points as i64 + number,
    };
    let known = usize::try_from(index).is_ok_and(|index| index < points) && number != 0;
    if !known {
        return Err(Fault::line(
            line,
            format!("the line goes through point {number} of {points}; export the file again"),
        ));
    }
    u32::try_from(index).map_err(|_| Fault::line(line, TOO_MANY.into()))
}
