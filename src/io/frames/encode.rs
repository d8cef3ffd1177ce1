//! A picture as PNG or BMP.

use super::Frame;
use crate::io::{FrameFormat, reason};
use image::{ExtendedColorType, ImageEncoder, ImageError, codecs::bmp::BmpEncoder};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter, Info};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

/// Writes a picture to the file at `path`; the reason where it cannot.
pub(super) fn encode(format: FrameFormat, path: &Path, frame: &Frame) -> Result<(), String> {
    let file = File::create(path).map_err(|error| reason(&error))?;
    let mut file = BufWriter::new(file);
    match format {
        FrameFormat::Png => encode_png(&mut file, frame).map_err(|error| match error {
            EncodingError::IoError(error) => reason(&error),
            other => other.to_string(),
        })?,
        FrameFormat::Bmp => BmpEncoder::new(&mut file)
            .write_image(
                &frame.pixels,
                frame.width,
                frame.height,
                ExtendedColorType::Rgb8,
            )
            .map_err(|error| match error {
                ImageError::IoError(error) => reason(&error),
                other => other.to_string(),
            })?,
    }
    file.flush().map_err(|error| reason(&error))
}

fn encode_png(file: &mut impl Write, frame: &Frame) -> Result<(), EncodingError> {
    let mut info = Info::with_size(frame.width, frame.height);
    let count = u64::from(frame.width) * u64::from(frame.height);
    info.bit_depth = BitDepth::Eight;
    info.color_type = match frame.pixels.len() as u64 == 3 * count {
        true => ColorType::Rgb,
        false => ColorType::Rgba,
    };
    if let Some(scene) = &frame.scene {
        scene.put_into(&mut info);
    }
    let mut encoder = Encoder::with_info(file, info)?;
    // A twentieth of the default's time for a file 1.4 times as large.
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&frame.pixels)?;
    writer.finish()
}
