//! What must hold of any bytes that somebody calls a groom.

use lovelock::io::strands::{self, FORMATS, Format, Strands};
use std::{env, fs, path::Path, process, sync::LazyLock};

/// The formats that are tried: the one that `FORMAT` names by its id, or all.
static TRIED: LazyLock<Vec<&'static Format>> = LazyLock::new(|| {
    let wanted = env::var("FORMAT").ok();
    let tried: Vec<_> = FORMATS
        .iter()
        .filter(|format| wanted.as_ref().is_none_or(|id| id == format.id))
        .collect();
    assert!(!tried.is_empty(), "FORMAT={wanted:?} names no format");
    tried
});

/// Does something with a file of these bytes, whose name ends so.
pub fn with_file(bytes: &[u8], ending: &str, test: impl FnOnce(&Path)) {
    let path = env::temp_dir().join(format!("lovelock-fuzz-{}.{ending}", process::id()));
    if fs::write(&path, bytes).is_ok() {
        test(&path);
    }
}

/// Reads `bytes` as a groom of each format: a result and never a panic, in memory
/// of a small multiple of the bytes, and strands that lie one behind the other.
pub fn groom(bytes: &[u8]) {
    for format in TRIED.iter() {
        named(bytes, &format!("x.{}", format.endings[0]));
    }
}

fn named(bytes: &[u8], name: &str) {
    let Ok((_, strands)) = strands::parse(bytes, Path::new(name)) else {
        return;
    };
    let memory = 12 * strands.points.capacity()
        + 4 * strands.starts.capacity()
        + 4 * strands.widths.capacity()
        + 12 * strands.colours.capacity()
        + 8 * strands.root_uvs.capacity();
    assert!(memory <= 32 * bytes.len() + 4096, "{memory} bytes of {}", bytes.len());
    whole(&strands);
    whole(&strands.evaluated());
}

fn whole(strands: &Strands) {
    let points = strands.points.len();
    assert_eq!(strands.starts.last().map(|end| *end as usize), Some(points));
    assert!(strands.starts.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!(strands.widths.is_empty() || strands.widths.len() == points);
    assert!(strands.colours.is_empty() || strands.colours.len() == points);
    assert!(strands.root_uvs.is_empty() || strands.root_uvs.len() == strands.len());
}
