//! What a file is meant for that somebody drops on the window.

use crate::{
    io::{panorama, strands},
    mesh::sequence,
    project::playback,
};
use std::path::PathBuf;

/// A dropped file, by what is in it.
#[derive(Clone, Debug, PartialEq)]
pub enum DroppedFile {
    /// A frame of an animated head.
    Sequence(PathBuf),
    /// A head.
    Head(PathBuf),
    /// Hair.
    Groom(PathBuf),
    /// A scene.
    Scene(PathBuf),
    /// A cache, or a groom that moves.
    Recorded(PathBuf),
    /// A picture that says where hair grows.
    Map(PathBuf),
    /// An environment.
    Environment(PathBuf),
}

impl DroppedFile {
    /// Looks at the file.
    ///
    /// # Errors
    /// When it is nothing that the program knows: one sentence.
    pub fn of(path: PathBuf) -> Result<Self, String> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        Ok(match ending.as_deref() {
            // A frame of many is meant to be played; one that only has a number
            // in its name is not.
            Some("obj") if sequence::is_frame(&path) => Self::Sequence(path),
            _ if strands::is_head(&path) => match sequence::moves(&path) {
                true => Self::Sequence(path),
                false => Self::Head(path),
            },
            // Lines without faces are hair, whatever else is in an OBJ.
            Some("obj") => Self::Groom(path),
            Some("toml") => Self::Scene(path),
            Some("png" | "jpg" | "jpeg" | "tga" | "bmp") => Self::Map(path),
            Some(ending) if panorama::ENDINGS.contains(&ending) => Self::Environment(path),
            _ if playback::is_recorded(&path) => Self::Recorded(path),
            _ if strands::is_named_like_groom(&path) => Self::Groom(path),
            _ => {
                return Err(format!(
                    "{} is neither a head (.obj, .glb, .usda, ...), a groom (.hair, .tfx, .data, \
                     .ply, .usda, ...), a scene (.toml), a density map (.png, .jpg), an environment \
                     (.hdr, .exr) nor a cache",
                    path.display()
                ));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_may_hold_a_head_or_hair_goes_by_what_is_in_it() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        for (name, wanted) in [
            ("head/box.obj", DroppedFile::Head as fn(PathBuf) -> _),
            ("head/cube.glb", DroppedFile::Head),
            ("head/cube.usdc", DroppedFile::Head),
            ("head/cube.abc", DroppedFile::Head),
            ("head/turning.abc", DroppedFile::Sequence),
            ("groom/obj/three.obj", DroppedFile::Groom),
            ("groom/usda/three.usda", DroppedFile::Groom),
            ("groom/usdz/three.usdz", DroppedFile::Groom),
            ("groom/abc/hair.abc", DroppedFile::Groom),
            ("groom/abc/curves.abc", DroppedFile::Recorded),
            ("environment/small.hdr", DroppedFile::Environment),
            ("environment/small.exr", DroppedFile::Environment),
        ] {
            let path = corpus.join(name);
            assert_eq!(DroppedFile::of(path.clone()), Ok(wanted(path)), "{name}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("moving.usda");
        let text = "#usda 1.0\ndef BasisCurves \"hair\" {\n  uniform token type = \"linear\"\n  \
                    int[] curveVertexCounts = [2]\n  point3f[] points.timeSamples = {\n    \
                    1: [(0, 0, 0), (0, 1, 0)],\n    2: [(0, 0, 0), (0, 1, 1)],\n  }\n}\n";
        std::fs::write(&path, text).expect("written");
        assert_eq!(
            DroppedFile::of(path.clone()),
            Ok(DroppedFile::Recorded(path))
        );
    }
}
