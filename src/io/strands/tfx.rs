//! TressFX 4, `.tfx`: guides with equally many points each.

use super::{
    Carries, Detail, Fault, Format, Strands, Writing,
    bytes::{Bytes, floats, points, put},
    resample::resample,
};

const HEADER: usize = 160;
/// Points that TressFX holds at the root of a strand.
const HELD: usize = 2;
/// Its loader takes these numbers of points and no others.
const COUNTS: [usize; 5] = [4, 8, 16, 32, 64];

/// The format.
pub const FORMAT: Format = Format {
    id: "tfx",
    name: "TressFX 4",
    endings: &["tfx"],
    reads: "yes; versions 3 and 2 are refused by name",
    limits: "all strands 4, 8, 16, 32 or 64 points: others are resampled; a `.tfxbone` beside it \
        is reported and left out, and so are texture coordinates of points, transparency and \
        inverse masses",
    carries: Carries {
        any_counts: false,
        widths: Detail::Strand,
        colours: Detail::Point,
        root_uvs: true,
        ..Carries::PLACES
    },
    is,
    read,
    each_pose: None,
    writing: Writing::all(write),
};

fn is(bytes: &[u8]) -> bool {
    // The version, and positions that begin behind the header or later.
    let number = |at| Bytes::from(bytes, at).u32("").unwrap_or_default();
    number(0) == 4.0f32.to_bits() && number(12) as usize >= HEADER
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let mut file = Bytes::new(bytes);
    let version = file.f32("version numbers")?;
    if version != 4.0 {
        let older = "export it with a TressFX 4 exporter, or convert it to .hair";
        let text = if bytes.starts_with(b"numStrands") {
            format!("it is the text of TressFX 2, and only version 4 is read; {older}")
        } else if (1.0..16.0).contains(&version) {
            format!("its version is {version:.1}, and only version 4 is read; {older}")
        } else {
            format!(
                "it does not begin with version 4.0 as TressFX 4 does: an older version \
                 (3 or 2), another format or damaged; {older}"
            )
        };
        return Err(Fault::byte(0, text));
    }
    let strands = file.u32("numbers of strands")? as usize;
    let each = file.u32("numbers of points")? as usize;
    let [positions, strand_uv, vertex_uv, thickness, colour] = {
        let mut next = || file.u32("offsets");
        [next()?, next()?, next()?, next()?, next()?].map(|at| at as usize)
    };
    if each == 0 || positions < HEADER {
        return Err(Fault::byte(
            8,
            format!(
                "{each} points a strand from byte {positions} on cannot be; the file is \
                 damaged, export it again"
            ),
        ));
    }
    let array = |at: usize, count: usize, size: usize, what: &str| {
        Bytes::from(bytes, at).take(count, size, what)
    };
    let count = strands.saturating_mul(each);
    let bytes_of_points = array(positions, count, 16, "points")?;
    let mut out = Strands {
        points: points(bytes_of_points, 16).collect(),
        ..Strands::default()
    };
    out.starts = (0..=strands).map(|i| (i * each) as u32).collect();
    if strand_uv != 0 {
        let mut all = floats(array(strand_uv, strands, 8, "texture coordinates")?);
        let mut next = || all.next().unwrap_or_default();
        out.root_uvs = (0..strands).map(|_| [next(), next()]).collect();
    }
    if thickness != 0 {
        let widths = floats(array(thickness, strands, 4, "thicknesses")?);
        let widths = widths.flat_map(|width| std::iter::repeat_n(width, each));
        out.widths = widths.collect();
    }
    if colour != 0 {
        let mut all = floats(array(colour, count, 16, "colours")?);
        let mut next = || all.next().unwrap_or_default();
        let colours = (0..count).map(|_| [next(), next(), next(), next()]);
        let mut clear = false;
        out.colours = colours
            .map(|[r, g, b, opaque]| {
                clear |= opaque != 1.0;
                [r, g, b]
            })
            .collect();
        if clear {
            out.notes
                .push("how transparent each point is, which the file says, is left out".into());
        }
    }
    if vertex_uv != 0 {
        out.notes
            .push("texture coordinates of each point are left out".into());
    }
    // Of two points at a root and all others nothing is to be said.
    let usual = |(i, point): (usize, &[u8])| {
        let held = f32::from_le_bytes([point[12], point[13], point[14], point[15]]);
        // Exporters write where a point stands, or how far it may move.
        held == 1.0 || (held == 0.0 && i % each < HELD)
    };
    if !bytes_of_points.chunks_exact(16).enumerate().all(usual) {
        let text = "the fourth number of each point, its inverse mass, is left out: every root is \
                    held, and all else moves";
        out.notes.push(text.into());
    }
    Ok(out)
}

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let [_, most] = strands.counts();
    let each = COUNTS.into_iter().find(|count| *count >= most);
    let even = resample(strands, each.unwrap_or(64));
    let count = even.points.len();
    let uvs = HEADER + 16 * count;
    let thickness = uvs + 8 * even.len();
    let has_widths = !even.widths.is_empty();
    let colours = thickness + if has_widths { 4 * even.len() } else { 0 };
    let mut out = Vec::with_capacity(colours + 16 * count);
    put(&mut out, &[4.0]);
    for number in [
        even.len(),
        each.unwrap_or(64),
        HEADER,
        uvs,
        0,
        if has_widths { thickness } else { 0 },
        if even.colours.is_empty() { 0 } else { colours },
    ] {
        let number = u32::try_from(number).map_err(|_| {
            Fault::whole("a .tfx file cannot be larger than 4 GB; write fewer strands".into())
        })?;
        out.extend(number.to_le_bytes());
    }
    out.resize(HEADER, 0);
    for strand in even.iter() {
        for (i, p) in strand.iter().enumerate() {
            let free = if i < HELD { 0.0 } else { 1.0 };
            put(&mut out, &[p.x, p.y, p.z, free]);
        }
    }
    // TressFX's own loader reads these whether they are there or not.
    for strand in 0..even.len() {
        put(&mut out, even.root_uvs.get(strand).unwrap_or(&[0.0; 2]));
    }
    if has_widths {
        for strand in 0..even.len() {
            put(&mut out, &[even.widths[even.range(strand).start]]);
        }
    }
    for [r, g, b] in &even.colours {
        put(&mut out, &[*r, *g, *b, 1.0]);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn what_is_left_out_of_a_file_is_noted() {
        let strands = Strands {
            points: (0..4).map(|i| Vec3::Y * i as f32).collect(),
            starts: vec![0, 4],
            colours: vec![[0.5; 3]; 4],
            ..Strands::default()
        };
        let plain = write(&strands).expect("written");
        let notes = |bytes: &[u8]| read(bytes).expect("reads").notes;
        assert!(notes(&plain).is_empty(), "nothing is left out of our own");
        let with = |at: usize, bytes: [u8; 4]| {
            let mut file = plain.clone();
            let from = if at < HEADER {
                at
            } else {
                file.len() - at + HEADER
            };
            file[from..from + 4].copy_from_slice(&bytes);
            notes(&file)
        };
        // Where coordinates of points begin; the last point's alpha; the last one's mass.
        let coordinates = with(20, (HEADER as u32).to_le_bytes());
        assert!(coordinates[0].contains("texture coordinates of each point"));
        let alpha = with(HEADER + 4, 0.5f32.to_le_bytes());
        assert!(
            alpha.len() == 1 && alpha[0].contains("transparent"),
            "{alpha:?}"
        );
        let mut held = plain.clone();
        held[HEADER + 3 * 16 + 12..][..4].copy_from_slice(&0.0f32.to_le_bytes());
        let held = notes(&held);
        assert!(
            held.len() == 1 && held[0].contains("inverse mass"),
            "{held:?}"
        );
    }
}
