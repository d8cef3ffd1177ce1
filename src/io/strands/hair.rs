//! Cem Yuksel's HAIR: a header of 128 bytes, then arrays. The magic is "HAIR";
//! some writers spell it in small letters.

use super::{
    Carries, Detail, Fault, Format, Strands, Writing,
    bytes::{Bytes, floats, points, put},
};
use crate::math::counted;

const SEGMENTS: u32 = 1;
const POINTS: u32 = 2;
const THICKNESS: u32 = 4;
const TRANSPARENCY: u32 = 8;
const COLOUR: u32 = 16;

/// The format.
pub const FORMAT: Format = Format {
    id: "hair",
    name: "HAIR",
    endings: &["hair"],
    reads: "yes, magic in capitals or small letters",
    limits: "65536 points a strand; transparency is left out",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        ..Carries::PLACES
    },
    is,
    read,
    each_pose: None,
    writing: Writing::all(write),
};

fn is(bytes: &[u8]) -> bool {
    bytes
        .get(..4)
        .is_some_and(|magic| magic.eq_ignore_ascii_case(b"HAIR"))
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    if !is(bytes) {
        return Err(Fault::byte(
            0,
            "it does not begin with the letters HAIR, so it is another format or damaged; \
             export it again"
                .into(),
        ));
    }
    let mut file = Bytes::from(bytes, 4);
    let [strands, count, arrays, segments] = {
        let mut next = || file.u32("numbers of the header");
        [next()?, next()?, next()?, next()?]
    };
    let thickness = file.f32("thickness")?;
    let _transparency = file.f32("transparency")?;
    let colour = [file.f32("red")?, file.f32("green")?, file.f32("blue")?];
    file.take(88, 1, "letters of the header")?;
    if arrays & POINTS == 0 {
        return Err(Fault::byte(
            12,
            "the header says that there are no points; export the groom again".into(),
        ));
    }
    let (strands, count) = (strands as usize, count as usize);
    let mut out = Strands::default();
    let mut next = 0u64;
    if arrays & SEGMENTS != 0 {
        let bytes = file.take(strands, 2, "numbers of segments")?;
        out.starts.reserve_exact(strands + 1);
        out.starts.push(0);
        for pair in bytes.chunks_exact(2) {
            next += 1 + u64::from(u16::from_le_bytes([pair[0], pair[1]]));
            out.starts.push(u32::try_from(next).unwrap_or(u32::MAX));
        }
    } else {
        next = strands as u64 * (1 + u64::from(segments));
    }
    if next != count as u64 {
        return Err(Fault::byte(
            8,
            format!(
                "the header says that there are {}, and the strands come to {next} points; the \
                 file is damaged, export it again",
                counted(count, "point", "points")
            ),
        ));
    }
    let bytes = file.take(count, 12, "points")?;
    // Only now is it known that the file is as large as it says.
    if arrays & SEGMENTS == 0 {
        let each = segments as usize + 1;
        out.starts = (0..=strands).map(|i| (i * each) as u32).collect();
    }
    out.points = points(bytes, 12).collect();
    out.widths = match arrays & THICKNESS {
        0 => vec![thickness; count],
        _ => file.floats(count, "thicknesses")?,
    };
    if arrays & TRANSPARENCY != 0 {
        file.take(count, 4, "transparencies")?;
        out.notes
            .push("the transparency of the hair is left out".into());
    }
    if arrays & COLOUR != 0 {
        let mut all = floats(file.take(count, 12, "colours")?);
        let mut next = || all.next().unwrap_or_default();
        out.colours = (0..count).map(|_| [next(), next(), next()]).collect();
    } else if colour != WHITE {
        out.colours = vec![colour; count];
    }
    if file.left() > 0 {
        out.notes.push(format!(
            "{} left out",
            counted(
                file.left(),
                "byte behind the last array is",
                "bytes behind the last array are"
            )
        ));
    }
    Ok(out)
}

/// What every program puts into the header where it knows no colour: it is none.
const WHITE: [f32; 3] = [1.0; 3];

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let count = strands.points.len();
    // A strand without points cannot be said: segments are one fewer.
    let kept: Vec<usize> = (0..strands.len())
        .filter(|i| !strands.range(*i).is_empty())
        .collect();
    let mut segments = Vec::with_capacity(2 * kept.len());
    for strand in &kept {
        let points = strands.range(*strand).len();
        let Ok(edges) = u16::try_from(points - 1) else {
            return Err(Fault::whole(format!(
                "strand {strand} has {points} points, and a .hair file holds no more than \
                 65536; write another format"
            )));
        };
        segments.extend(edges.to_le_bytes());
    }
    let mut arrays = SEGMENTS | POINTS;
    let one = |width: &f32| Some(width) == strands.widths.first();
    let same = strands.widths.iter().all(one);
    let plain = |colour: &[f32; 3]| Some(colour) == strands.colours.first();
    let tinted = !strands.colours.iter().all(plain);
    arrays |= if same { 0 } else { THICKNESS };
    let white = strands.colours.first() == Some(&WHITE);
    let tinted = tinted || white;
    arrays |= if tinted { COLOUR } else { 0 };
    let mut out = Vec::with_capacity(128 + segments.len() + 28 * count);
    out.extend(b"HAIR");
    for number in [kept.len() as u32, count as u32, arrays, 0] {
        out.extend(number.to_le_bytes());
    }
    put(&mut out, &[*strands.widths.first().unwrap_or(&1.0), 0.0]);
    put(&mut out, strands.colours.first().unwrap_or(&WHITE));
    out.extend(b"Lovelock");
    out.resize(128, 0);
    out.extend(segments);
    for point in &strands.points {
        put(&mut out, &point.to_array());
    }
    if !same {
        put(&mut out, &strands.widths);
    }
    if tinted {
        put(&mut out, strands.colours.as_flattened());
    }
    Ok(out)
}
