//! Mitsuba's hair: points line by line with an empty line between strands, or
//! the same in binary behind the letters BINARY_HAIR.

use super::{Carries, Detail, Fault, Format, Strands, bytes::Bytes, text};
use glam::Vec3;

const MAGIC: &[u8] = b"BINARY_HAIR";

/// The format.
pub const FORMAT: Format = Format {
    id: "mitsuba",
    name: "Mitsuba hair",
    endings: &["mitshair", "txt"],
    reads: "text and `BINARY_HAIR`",
    limits: "radii only if all points have one",
    carries: Carries {
        widths: Detail::Point,
        ..Carries::PLACES
    },
    is,
    read,
    each_pose: None,
    writing: None,
};

fn is(bytes: &[u8]) -> bool {
    if bytes.starts_with(MAGIC) {
        return true;
    }
    // Numbers, three or four a line, and nothing else.
    let mut points = 0;
    for (_, line) in text::lines(bytes) {
        let mut words = 0;
        for word in text::words(line) {
            let text = std::str::from_utf8(word).unwrap_or_default();
            if words == 4 || text.parse::<f32>().is_err() {
                return false;
            }
            words += 1;
        }
        if !matches!(words, 0 | 3 | 4) {
            return false;
        }
        points += usize::from(words > 0);
    }
    points > 1
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    if bytes.starts_with(MAGIC) {
        return binary(bytes);
    }
    let mut out = Strands::default();
    let mut open = false;
    for (line, content) in text::lines(bytes) {
        let mut words = text::words(content);
        let Some(first) = words.next() else {
            open = false;
            continue;
        };
        if !open {
            out.begin()?;
            open = true;
        }
        let x = text::number(Some(first), line)?;
        let y = text::number(words.next(), line)?;
        let z = text::number(words.next(), line)?;
        out.points.push(Vec3::new(x, y, z));
        if let Some(radius) = words.next() {
            let radius: f32 = text::number(Some(radius), line)?;
            // All points have one or none has.
            if out.widths.len() + 1 == out.points.len() {
                out.widths.push(2.0 * radius);
            }
        }
    }
    if out.widths.len() != out.points.len() {
        out.widths.clear();
    }
    out.begin()?;
    Ok(out)
}

/// A count of points, then their coordinates; infinity begins a strand.
fn binary(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut file = Bytes::from(bytes, MAGIC.len());
    let count = file.u32("numbers of points")? as usize;
    // That many are there at least, whatever the number of strands.
    Bytes::from(bytes, MAGIC.len() + 4).take(count, 12, "points")?;
    let mut out = Strands {
        points: Vec::with_capacity(count),
        ..Strands::default()
    };
    while out.points.len() < count {
        let mut x = file.f32("points")?;
        if x == f32::INFINITY {
            out.begin()?;
            x = file.f32("points")?;
        } else if out.points.is_empty() {
            out.begin()?;
        }
        let [y, z] = [file.f32("points")?, file.f32("points")?];
        out.points.push(Vec3::new(x, y, z));
    }
    out.begin()?;
    Ok(out)
}
