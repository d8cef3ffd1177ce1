//! Lists of strands without a header: USC-HairSalon's `.data` and CT2Hair's
//! `.bin`, which has four more numbers at each point.

use super::{
    Carries, Detail, Fault, Format, Strands,
    bytes::{Bytes, points, put},
};

/// USC-HairSalon's `.data`.
pub struct Data;
/// CT2Hair's `.bin`.
pub struct Bin;

const POINT: usize = 12;
const CT2HAIR_POINT: usize = 28;

impl Format for Data {
    fn id(&self) -> &'static str {
        "data"
    }

    fn name(&self) -> &'static str {
        "USC-HairSalon .data"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["data"]
    }

    fn is(&self, bytes: &[u8]) -> bool {
        fits(bytes, POINT)
    }

    fn read(&self, bytes: &[u8]) -> Result<Strands, Fault> {
        read(bytes, POINT)
    }

    fn carries(&self) -> Option<Carries> {
        Some(BARE)
    }

    fn write(&self, strands: &Strands) -> Result<Vec<u8>, Fault> {
        write(strands, POINT)
    }
}

impl Format for Bin {
    fn id(&self) -> &'static str {
        "bin"
    }

    fn name(&self) -> &'static str {
        "CT2Hair .bin"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["bin"]
    }

    fn is(&self, bytes: &[u8]) -> bool {
        fits(bytes, CT2HAIR_POINT)
    }

    fn read(&self, bytes: &[u8]) -> Result<Strands, Fault> {
        let mut strands = read(bytes, CT2HAIR_POINT)?;
        strands
            .notes
            .push("the four numbers beside each point's place are left out".into());
        Ok(strands)
    }

    fn carries(&self) -> Option<Carries> {
        Some(BARE)
    }

    fn write(&self, strands: &Strands) -> Result<Vec<u8>, Fault> {
        write(strands, CT2HAIR_POINT)
    }
}

const BARE: Carries = Carries {
    any_counts: true,
    widths: Detail::None,
    colours: Detail::None,
    root_uvs: false,
    units: false,
    animation: false,
};

/// Whether strands with points of that size fill the file exactly.
fn fits(bytes: &[u8], point: usize) -> bool {
    let mut file = Bytes::new(bytes);
    let Ok(count) = file.u32("strands") else {
        return false;
    };
    let whole = |file: &mut Bytes| -> Result<(), Fault> {
        for _ in 0..count {
            let points = file.u32("")? as usize;
            file.take(points, point, "")?;
        }
        Ok(())
    };
    count > 0 && whole(&mut file).is_ok() && file.left() == 0
}

fn read(bytes: &[u8], point: usize) -> Result<Strands, Fault> {
    let mut file = Bytes::new(bytes);
    let count = file.u32("numbers of strands")? as usize;
    // Each strand has a count at least.
    if count > file.left() / 4 {
        return Err(Fault::byte(
            0,
            format!(
                "{count} strands are promised in {} bytes; the file is cut off, damaged or another \
                 format, fetch or export it again",
                bytes.len()
            ),
        ));
    }
    let mut out = Strands {
        points: Vec::with_capacity((file.left() - 4 * count) / point),
        starts: Vec::with_capacity(count + 1),
        ..Strands::default()
    };
    out.begin()?;
    for strand in 0..count {
        let points_here = file.u32("numbers of points")? as usize;
        let what = format!("points of strand {strand}");
        out.points
            .extend(points(file.take(points_here, point, &what)?, point));
        out.begin()?;
    }
    if file.left() > 0 {
        out.notes.push(format!(
            "{} bytes behind the last strand are left out",
            file.left()
        ));
    }
    Ok(out)
}

fn write(strands: &Strands, point: usize) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::with_capacity(4 + 4 * strands.len() + point * strands.points.len());
    out.extend((strands.len() as u32).to_le_bytes());
    for strand in strands.iter() {
        out.extend((strand.len() as u32).to_le_bytes());
        for p in strand {
            put(&mut out, &p.to_array());
            out.resize(out.len() + point - POINT, 0);
        }
    }
    Ok(out)
}
