//! Grooms in files: read as they are, written and read back, refused with a
//! sentence, and brought onto a head.

mod arrays;
mod carried;
mod damaged;
mod fitted;
mod following;
mod formats;
mod identity;
mod looks;
mod offers;
mod poses;
mod with_head;
use glam::Vec3;
use lovelock::{
    io::strands::{Format, Strands, written},
    math::random::{signed, uniform},
    mesh::Up,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A real file, if the inputs are there.
fn input(name: &str) -> Option<PathBuf> {
    let path = crate::inputs::inputs()?.join(name);
    if path.is_file() {
        return Some(path);
    }
    println!("skipped: {} is not here", path.display());
    None
}

/// `count` strands of different lengths, with everything that a file can say.
fn hair(count: usize, points: impl Fn(usize) -> usize) -> Strands {
    let mut out = Strands {
        starts: vec![0],
        up: Some(Up::Y),
        metres_per_unit: Some(0.01),
        ..Strands::default()
    };
    for strand in 0..count {
        let mut at = Vec3::from([1, 2, 3].map(|k| 10.0 * signed(k, strand as u64)));
        for i in 0..points(strand) {
            let salt = (strand * 1000 + i) as u64;
            out.points.push(at);
            out.widths.push(0.006 + 0.004 * uniform(9, salt));
            out.colours.push([4, 5, 6].map(|k| uniform(k, salt)));
            at += Vec3::from([1, 2, 3].map(|k| 0.5 * signed(k ^ 0x77, salt)));
        }
        out.starts.push(out.points.len() as u32);
        out.root_uvs
            .push([uniform(7, strand as u64), uniform(8, strand as u64)]);
    }
    out
}

fn content(id: &str, strands: &Strands) -> Vec<u8> {
    let known = written().find(|(format, _)| format.id == id);
    let (_, writing) = known.expect("is written");
    (writing.write)(strands).expect("writes")
}

/// What a file of the format can hold: strands of different lengths, or of the
/// same.
fn fit_for(format: &Format, count: usize) -> Strands {
    hair(count, |strand| match format.carries.any_counts {
        true => 2 + strand % 17,
        false => 16,
    })
}

/// Sound files of a format, from the seeds of the fuzz target: those whose names
/// end as the format's do.
fn seeds(format: &Format) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/groom");
    let Ok(entries) = fs::read_dir(folder.join(format.id)) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry of the seeds").path());
    let named = |path: &PathBuf| {
        let ending = path.extension().map(|ending| ending.to_string_lossy());
        ending.is_some_and(|ending| format.endings.contains(&&*ending))
    };
    let mut paths: Vec<PathBuf> = paths.filter(named).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a seed");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

fn ids() -> impl Iterator<Item = &'static str> {
    written().map(|(format, _)| format.id)
}
