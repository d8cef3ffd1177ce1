//! The scene in a picture: a PNG file carries the text of the scene that it shows.
//!
//! It is international text (iTXt, section 11.3.3.4 of the PNG specification), compressed,
//! with a keyword of its own. Other programs leave it alone or drop it.

use png::{Decoder, Info, text_metadata::ITXtChunk};
use std::{
    fs::File,
    io::{BufRead, BufReader, Seek},
    path::Path,
    sync::LazyLock,
};

const KEYWORD: &str = "Lovelock scene";

/// How every PNG file begins.
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// No scene has a longer text. `[bytes]`
const LONGEST: usize = 256 << 20;

/// Makes the text of a scene, compressed; none where pictures hold none.
type Making = Box<dyn FnOnce() -> Option<ITXtChunk> + Send>;

/// The text of a scene, to be put into pictures.
#[derive(Debug)]
pub struct PictureScene(LazyLock<Option<ITXtChunk>, Making>);

impl PictureScene {
    /// The text is asked for and compressed when the first picture is written, on the
    /// thread that does that, and once for all pictures; none is put into none.
    pub fn new(text: impl FnOnce() -> Option<String> + Send + 'static) -> Self {
        Self(LazyLock::new(Box::new(move || {
            let mut chunk = ITXtChunk::new(KEYWORD, text()?);
            // Where that fails, the text goes as it is.
            chunk.compressed = chunk.compress_text().is_ok();
            Some(chunk)
        })))
    }

    /// Puts it into a picture that is about to be written.
    pub fn put_into(&self, picture: &mut Info) {
        picture.utf8_text.extend(self.0.iter().cloned());
    }
}

/// Whether a file begins like a PNG picture.
pub fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(&SIGNATURE)
}

/// Whether the file `path` is a PNG picture with a scene in it.
pub fn holds_scene(path: &Path) -> bool {
    let file = File::open(path).map(BufReader::new);
    file.is_ok_and(|file| matches!(chunk(file), Ok(Some(_))))
}

/// The text of the scene in a PNG picture; none where it has none.
///
/// # Errors
/// When the picture is damaged.
pub fn scene_text(picture: impl BufRead + Seek) -> Result<Option<String>, png::DecodingError> {
    let Some(mut chunk) = chunk(picture)? else {
        return Ok(None);
    };
    chunk.decompress_text_with_limit(LONGEST)?;
    chunk.get_text().map(Some)
}

fn chunk(picture: impl BufRead + Seek) -> Result<Option<ITXtChunk>, png::DecodingError> {
    // It stands before the pixels, which nobody decodes here.
    let reader = Decoder::new(picture).read_info()?;
    let mut texts = reader.info().utf8_text.iter();
    Ok(texts.find(|text| text.keyword == KEYWORD).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn picture(scene: Option<&str>) -> Vec<u8> {
        let mut info = Info::with_size(2, 1);
        if let Some(text) = scene {
            let text = text.to_string();
            PictureScene::new(|| Some(text)).put_into(&mut info);
        }
        let mut bytes = Vec::new();
        let encoder = png::Encoder::with_info(&mut bytes, info).expect("begins");
        let mut writer = encoder.write_header().expect("begins");
        writer.write_image_data(&[1, 2]).expect("written");
        drop(writer);
        bytes
    }

    #[test]
    fn a_scene_comes_out_of_a_picture_as_it_went_in() {
        let text = "version = 1\n# Grüße\n".repeat(1000);
        let bytes = picture(Some(&text));
        assert!(is_picture(&bytes) && bytes.len() < 1000, "compressed");
        assert_eq!(scene_text(Cursor::new(&bytes)).expect("reads"), Some(text));
        assert_eq!(scene_text(Cursor::new(picture(None))).expect("reads"), None);
    }

    #[test]
    fn a_damaged_picture_is_an_error_and_no_panic() {
        let bytes = picture(Some("version = 1\n"));
        for end in 0..bytes.len() {
            let _ = scene_text(Cursor::new(&bytes[..end]));
        }
        for at in 8..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x55;
            let _ = scene_text(Cursor::new(broken));
        }
        assert!(scene_text(Cursor::new(b"no picture")).is_err());
    }
}
