//! What a command writes, as far as a file of an earlier run is known by it.

use crate::io::{
    stats::StatsFormat,
    strands::{self, Format},
};
use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// Most kinds are known by their beginning. `[bytes]`
const BEGINNING: u64 = 1 << 20;

/// Others by all of the file, which is not read beyond this. `[bytes]`
const MOST: u64 = 256 << 20;

/// A kind of file that a command writes: one of the same kind may be replaced.
#[derive(Clone, Copy)]
pub enum ResultKind {
    /// Hair in that format.
    Hair(&'static Format),
    /// A mesh as OBJ.
    Mesh,
    /// Statistics of steps.
    Statistics(StatsFormat),
    /// A picture as PNG.
    Picture,
}

impl std::fmt::Debug for ResultKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.name())
    }
}

impl ResultKind {
    /// A file of the kind, in words that follow "a" or "no".
    pub fn name(self) -> String {
        match self {
            Self::Hair(format) => format!("file of {}", format.name),
            Self::Mesh => "mesh in OBJ".into(),
            Self::Statistics(StatsFormat::Csv) => "table of statistics".into(),
            Self::Statistics(StatsFormat::Json) => "list of statistics".into(),
            Self::Picture => "PNG picture".into(),
        }
    }

    /// The file at `path`, or the first of the pattern `path`, that is there and of another
    /// kind, and holds something.
    pub fn other_at(self, path: &Path) -> Option<PathBuf> {
        if strands::numbered(path, 1).is_none() {
            return (!self.is_at(path)).then(|| path.into());
        }
        let numbers = strands::present(path).into_iter();
        let mut files = numbers.filter_map(|number| strands::numbered(path, number));
        files.find(|file| !self.is_at(file))
    }

    /// Whether what is at `path` may be replaced: nothing, nothing that could be read, or a
    /// file of this kind.
    fn is_at(self, path: &Path) -> bool {
        let part = |most: u64| {
            let file = File::open(path).ok().filter(|_| path.is_file())?;
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        };
        // What cannot be read is told by whoever writes it.
        let is = |bytes: Option<Vec<u8>>| bytes.is_none_or(|b| b.is_empty() || self.is(&b));
        is(part(BEGINNING)) || is(part(MOST))
    }

    fn is(self, bytes: &[u8]) -> bool {
        match self {
            Self::Hair(format) => (format.is)(bytes),
            Self::Mesh => {
                let lines = || bytes.split(|byte| *byte == b'\n');
                let has = |word: &[u8]| lines().any(|line| line.starts_with(word));
                has(b"v ") && has(b"f ")
            }
            Self::Statistics(format) => format.is(bytes),
            Self::Picture => bytes.starts_with(b"\x89PNG"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_knows_its_own_and_no_notes() {
        let folder = tempfile::tempdir().expect("a folder");
        let strands = strands::Strands {
            points: vec![glam::Vec3::ZERO, glam::Vec3::Y, glam::Vec3::X],
            starts: vec![0, 3],
            ..strands::Strands::default()
        };
        for (format, writing) in strands::written() {
            let path = folder.path().join(format!("hair.0001.{}", format.id));
            let kind = ResultKind::Hair(format);
            assert_eq!(kind.other_at(&path), None, "{}", format.id);
            for notes in ["what I saw, on Monday\n", "1 2\n"] {
                std::fs::write(&path, notes).expect("written");
                assert_eq!(kind.other_at(&path), Some(path.clone()), "{}", format.id);
                let pattern = path.with_file_name(format!("hair.####.{}", format.id));
                assert_eq!(kind.other_at(&pattern), Some(path.clone()), "{}", format.id);
            }
            strands::write(&path, writing, &strands).expect("written");
            assert_eq!(kind.other_at(&path), None, "{}", format.id);
            std::fs::write(&path, "").expect("emptied");
            assert_eq!(kind.other_at(&path), None, "{}", format.id);
        }
    }

    #[test]
    fn a_mesh_has_faces() {
        assert!(ResultKind::Mesh.is(b"# a head\nv 0 0 0\nf 1 1 1\n"));
        assert!(!ResultKind::Mesh.is(b"v 0 0 0\nl 1 1\n"));
        assert!(!ResultKind::Mesh.is(b"very fine\n"));
    }
}
