//! The scene in a picture: a PNG file carries the text of the scene that it shows.
//!
//! It is international text (iTXt, section 11.3.3.4 of the PNG specification), compressed,
//! with a keyword of its own. Other programs leave it alone or drop it.

use png::{Decoder, Info, text_metadata::ITXtChunk};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
    sync::LazyLock,
};

const KEYWORD: &str = "Lovelock scene";

/// How every PNG file begins.
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// What is said of a picture that ends before its pixels do, but not before its scene.
pub const CUT_OFF: &str = "the picture is cut off; the scene in it is whole and was read";

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

/// Whether a PNG picture goes on to its end: one that was cut off on its way may still have
/// its scene, which stands before the pixels.
pub fn is_whole(mut picture: impl Read + Seek) -> bool {
    let length = picture.seek(SeekFrom::End(0)).unwrap_or(0);
    let mut at = SIGNATURE.len() as u64;
    loop {
        // Length and name, what is in it, and its checksum.
        let mut head = [0; 8];
        let read = picture
            .seek(SeekFrom::Start(at))
            .and_then(|_| picture.read_exact(&mut head));
        if read.is_err() {
            return false;
        }
        let [a, b, c, d, name @ ..] = head;
        at += 12 + u64::from(u32::from_be_bytes([a, b, c, d]));
        if at > length {
            return false;
        }
        if &name == b"IEND" {
            return true;
        }
    }
}

/// What to say of the file `path` where it is a picture that is cut off and whose scene was
/// read all the same.
pub fn cut_off(path: &Path) -> Option<String> {
    let mut file = BufReader::new(File::open(path).ok()?);
    let begins = file.fill_buf().is_ok_and(is_picture);
    (begins && !is_whole(file)).then(|| format!("{}: {CUT_OFF}", path.display()))
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
    fn a_picture_that_is_cut_off_is_told_from_a_whole_one() {
        let text = "version = 1\n";
        let bytes = picture(Some(text));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.png");
        for end in 8..=bytes.len() {
            let part = &bytes[..end];
            assert_eq!(is_whole(Cursor::new(part)), end == bytes.len(), "{end}");
            // Of a scene comes all or nothing.
            let read = scene_text(Cursor::new(part)).ok().flatten();
            assert!(read.is_none_or(|read| read == text), "{end}");
            std::fs::write(&path, part).expect("written");
            let told = cut_off(&path);
            assert_eq!(told.is_some(), end < bytes.len(), "{end}: {told:?}");
        }
        let longer = [&bytes[..], b"and more"].concat();
        assert!(is_whole(Cursor::new(longer)));
        std::fs::write(&path, text).expect("written");
        assert_eq!(cut_off(&path), None, "no picture");
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
