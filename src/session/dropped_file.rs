//! What a file is meant for that somebody drops on the window.

use crate::{
    io::{panorama, picture_scene, strands},
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
    /// A scene, or a picture that holds one.
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
            Some("png") if picture_scene::holds_scene(&path) => Self::Scene(path),
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
    use crate::{
        io::{
            CaptureParams, FrameFormat,
            frames::{FRAME, FrameWriter},
        },
        project::{scene::Scene, scene_file::SceneFile},
    };
    use std::path::Path;

    #[test]
    fn a_picture_brings_its_scene_back_and_others_are_maps() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scene = Scene::default();
        scene.capture.folder = folder.path().display().to_string();
        scene.sim.wind.on = true;
        scene.groom.length = 0.31;
        let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
        let mut picture = |text: Option<String>| {
            writer.carry_scene(text.as_deref());
            let path = writer.write(4, 2, vec![90; 24]).expect("takes it");
            while writer.progress().written == 0 || !path.is_file() {
                assert!(writer.error().is_none());
                std::thread::yield_now();
            }
            path
        };
        let path = picture(scene.picture_text());
        assert_eq!(
            DroppedFile::of(path.clone()),
            Ok(DroppedFile::Scene(path.clone()))
        );
        let mut read = Scene::default();
        read.read(&path).expect("reads");
        let folder = CaptureParams::default().folder;
        assert_eq!(read.capture.folder, folder, "it may lie elsewhere by now");
        read.capture.folder.clone_from(&scene.capture.folder);
        assert_eq!(read, scene);
        // A save goes elsewhere than into the picture, whatever that is called.
        let capitals = path.with_extension("PNG");
        std::fs::copy(&path, &capitals).expect("copied");
        assert_eq!(SceneFile::of_file(capitals, &read).path(), None);
        let file = SceneFile::of_file(path, &read);
        assert_eq!(file.path(), None);
        assert!(file.title(false).starts_with("render0000"));
        scene.capture.scene = false;
        let bare = picture(scene.picture_text());
        assert_eq!(
            DroppedFile::of(bare.clone()),
            Ok(DroppedFile::Map(bare.clone()))
        );
        let refused = read.read(&bare).expect_err("no scene").to_string();
        assert!(
            refused.contains("there is no scene in this picture"),
            "{refused}"
        );
        assert_eq!(read.groom.length, 0.31, "and changes nothing");
    }

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
