//! Lists of strands without a header: USC-HairSalon's `.data` and CT2Hair's
//! `.bin`, which has four more numbers at each point.

use super::{
    Carries, Fault, Format, Strands, Writing,
    bytes::{Bytes, points, put},
};
use crate::math::counted;

const POINT: usize = 12;
const CT2HAIR_POINT: usize = 28;

/// USC-HairSalon's `.data`.
pub const DATA: Format = Format {
    id: "data",
    name: "USC-HairSalon .data",
    endings: &["data"],
    reads: "yes",
    limits: "",
    carries: Carries::PLACES,
    is: |bytes| fits(bytes, POINT),
    read: |bytes| read(bytes, POINT),
    each_pose: None,
    writing: Writing::all(|strands| write(strands, POINT)),
};

/// CT2Hair's `.bin`.
pub const BIN: Format = Format {
    id: "bin",
    name: "CT2Hair .bin",
    endings: &["bin"],
    reads: "yes",
    limits: "the four further numbers of each point are left out, and written as zeroes",
    carries: Carries::PLACES,
    is: |bytes| fits(bytes, CT2HAIR_POINT),
    read: |bytes| {
        let mut strands = read(bytes, CT2HAIR_POINT)?;
        let left_out = "the four numbers beside each point's place are left out";
        strands.notes.push(left_out.into());
        Ok(strands)
    },
    each_pose: None,
    writing: Writing::all(|strands| write(strands, CT2HAIR_POINT)),
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
                "{} promised in {} bytes; the file is cut off, damaged or another format, fetch \
                 or export it again",
                counted(count, "strand is", "strands are"),
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
            "{} left out",
            counted(
                file.left(),
                "byte behind the last strand is",
                "bytes behind the last strand are"
            )
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
