//! Light from all around in one picture: equirectangular, in Radiance or OpenEXR files.
//!
//! Directions are those of the OpenEXR documentation ("latitude-longitude map") and of
//! UsdLuxDomeLight: the middle of the picture is +z, its upper edge +y, and +x is at a
//! quarter of its width. So the middle is what the face looks at.

mod built_in;

pub use built_in::BuiltIn;

use super::files::{read_file, reason};
use exr::{
    error::Error as ExrError,
    meta::{MetaData, header::Header},
    prelude::{ReadChannels as _, ReadLayers as _, Text},
};
use image::{ImageDecoder as _, ImageError, codecs::hdr::HdrDecoder, error::UnsupportedErrorKind};
use std::{f32::consts::PI, io::Cursor, path::Path};
use thiserror::Error;

/// Endings of environments that are read, the usual one first.
pub const ENDINGS: [&str; 2] = ["hdr", "exr"];

/// The widest picture that is read; it is half as high. `[px]`
pub const WIDEST: usize = 8192;
/// The narrowest. `[px]`
const NARROWEST: usize = 8;
/// Larger files are refused: uncompressed, the widest picture takes fewer bytes.
const LARGEST_FILE: u64 = 768 << 20;
/// What infinite light is read as: the largest half-precision number, above which
/// OpenEXR files have infinity.
const INFINITE: f32 = 65504.0;
/// More light than this is cut: sums of squares stay finite.
const BRIGHTEST: f32 = 1e15;

/// Light from all directions, in rows from the zenith down, each from +180° of longitude
/// to -180°.
#[derive(Clone, Debug, PartialEq)]
pub struct Panorama {
    width: usize,
    texels: Vec<[f32; 3]>,
}

/// Directions towards the middles of a picture's texels: sines and cosines of longitudes
/// and latitudes are worked out once a column and once a row.
pub struct Directions {
    columns: Vec<(f32, f32)>,
    rows: Vec<(f32, f32)>,
}

impl Directions {
    fn of(height: usize) -> Self {
        let angle = |index: usize| PI * (index as f32 + 0.5) / height as f32;
        Self {
            columns: (0..2 * height).map(|x| (PI - angle(x)).sin_cos()).collect(),
            rows: (0..height)
                .map(|y| (0.5 * PI - angle(y)).sin_cos())
                .collect(),
        }
    }

    /// Towards the middle of a texel; unit length.
    pub fn at(&self, x: usize, y: usize) -> [f32; 3] {
        let (sin_longitude, cos_longitude) = self.columns[x];
        let (sin, cos) = self.rows[y];
        [sin_longitude * cos, sin, cos_longitude * cos]
    }
}

/// Why a picture cannot be read.
#[derive(Debug, Error)]
#[error("{file}: {why}")]
pub struct PanoramaError {
    file: String,
    why: String,
}

impl PanoramaError {
    /// That `file` cannot be read, and why: the rest of a sentence.
    pub fn new(file: &str, why: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            why: why.into(),
        }
    }
}

impl Panorama {
    /// A picture so many texels wide and half as high (at least two wide): `light` says
    /// what comes from a direction of length 1.
    pub fn of(width: usize, light: impl Fn([f32; 3]) -> [f32; 3]) -> Self {
        let height = (width / 2).max(1);
        let mut panorama = Self {
            width: 2 * height,
            texels: Vec::with_capacity(2 * height * height),
        };
        let directions = panorama.directions();
        for y in 0..height {
            for x in 0..2 * height {
                panorama.texels.push(light(directions.at(x, y)));
            }
        }
        panorama
    }

    /// The picture with these texels, row by row; none unless it is twice as wide as high.
    pub fn from_texels(width: usize, texels: Vec<[f32; 3]>) -> Option<Self> {
        let even = width >= 2 && width.is_multiple_of(2);
        (even && texels.len() == width * (width / 2)).then_some(Self { width, texels })
    }

    /// Width. `[px]`
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height. `[px]`
    pub fn height(&self) -> usize {
        self.width / 2
    }

    /// Radiance of all texels: red, green, blue, linear, finite and not negative.
    pub fn texels(&self) -> &[[f32; 3]] {
        &self.texels
    }

    /// Directions towards the middles of all texels.
    pub fn directions(&self) -> Directions {
        Directions::of(self.height())
    }

    /// The solid angle of each texel of a row. `[sr]`
    pub fn solid_angle(&self, y: usize) -> f64 {
        let height = self.height() as f64;
        let edge = |y: usize| (std::f64::consts::PI * y as f64 / height).cos();
        2.0 * std::f64::consts::PI / self.width as f64 * (edge(y) - edge(y + 1))
    }

    /// Reads a file of the kind that its content says. Negative light and what is not a
    /// number become 0; infinite light becomes 65504.
    ///
    /// # Errors
    /// When there is no such file, when it is of another kind, damaged, black or too
    /// large, or when the picture is not twice as wide as high: one sentence.
    pub fn read(path: &Path) -> Result<Self, PanoramaError> {
        let wrong = |why: String| PanoramaError::new(&path.to_string_lossy(), why);
        let size = std::fs::metadata(path).map_err(|error| wrong(reason(&error)))?;
        if size.is_dir() {
            return Err(wrong("it is a folder".into()));
        }
        if size.len() > LARGEST_FILE {
            return Err(wrong(too_large()));
        }
        let bytes = read_file(path).map_err(|error| wrong(reason(&error)))?;
        Self::decode(&bytes).map_err(wrong)
    }

    /// The same of a file's content.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), without the file's name.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let mut panorama = match bytes {
            [b'#', b'?', ..] => radiance(bytes)?,
            [0x76, 0x2f, 0x31, 0x01, ..] => open_exr(bytes)?,
            _ => {
                return Err(
                    "it is neither a Radiance picture (.hdr) nor OpenEXR (.exr); convert it to \
                     one of them"
                        .into(),
                );
            }
        };
        let mut brightest = 0f32;
        for value in panorama.texels.as_flattened_mut() {
            *value = match *value {
                light if light.is_nan() => 0.0,
                f32::INFINITY => INFINITE,
                light => light.clamp(0.0, BRIGHTEST),
            };
            brightest = brightest.max(*value);
        }
        match brightest > 1e-15 {
            true => Ok(panorama),
            false => Err("it is black all over, and lights nothing; take another file".into()),
        }
    }
}

fn too_large() -> String {
    format!(
        "it is too large; scale it to {WIDEST} x {} texels",
        WIDEST / 2
    )
}

/// Whether a picture of that size is read. `[px]`
fn check_size(width: usize, height: usize) -> Result<(), String> {
    if width > WIDEST || height > WIDEST {
        return Err(too_large());
    }
    if width != 2 * height {
        return Err(format!(
            "it has {width} x {height} texels, but an equirectangular picture of all directions \
             is twice as wide as high; export it as latitude-longitude"
        ));
    }
    match width < NARROWEST {
        true => Err(format!(
            "it has {width} x {height} texels; it needs {NARROWEST} x {} at least",
            NARROWEST / 2
        )),
        false => Ok(()),
    }
}

/// A Radiance picture (Ward 1991, "Real Pixels").
fn radiance(bytes: &[u8]) -> Result<Panorama, String> {
    let damaged = |error: ImageError| match error {
        ImageError::Limits(_) => too_large(),
        ImageError::Unsupported(error) => match error.kind() {
            UnsupportedErrorKind::GenericFeature(what) if what.contains("too large") => too_large(),
            _ => "it is not RGBE with its top row first (-Y, +X); save it so, or as .exr".into(),
        },
        error => format!("it is damaged: {error}"),
    };
    let decoder = HdrDecoder::new_nonstrict(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    check_size(width, height)?;
    let mut texels = vec![[0f32; 3]; width * height];
    decoder
        .read_image(bytemuck::cast_slice_mut(&mut texels))
        .map_err(damaged)?;
    Ok(Panorama { width, texels })
}

/// An OpenEXR picture: its first layer with red, green and blue.
fn open_exr(bytes: &[u8]) -> Result<Panorama, String> {
    let damaged = |error: ExrError| match error {
        ExrError::NotSupported(what) => format!(
            "it uses what is not read ({what}); save it with ZIP or PIZ compression, or as .hdr"
        ),
        error => format!("it is damaged: {error}"),
    };
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(damaged)?;
    let colours = |header: &&Header| {
        let mut names = ["R", "G", "B"].into_iter().map(Text::from);
        !header.deep && names.all(|name| header.channels.find_index_of_channel(&name).is_some())
    };
    // All of them, for the reader chooses by itself.
    for header in &meta.headers {
        if header.layer_size.0 > WIDEST || header.layer_size.1 > WIDEST {
            return Err(too_large());
        }
    }
    let Some(header) = meta.headers.iter().find(colours) else {
        return Err("it has no layer with channels R, G and B; save it with these".into());
    };
    let (size, whole) = (header.layer_size, header.shared_attributes.display_window);
    if size != whole.size || header.own_attributes.layer_position != whole.position {
        return Err("it is a part of a larger picture; save the whole picture".into());
    }
    check_size(size.0, size.1)?;
    let image = exr::prelude::read()
        .no_deep_data()
        .largest_resolution_level()
        .rgb_channels(
            |size, _| Panorama {
                width: size.0,
                texels: vec![[0f32; 3]; size.0 * size.1],
            },
            |panorama, place, (red, green, blue): (f32, f32, f32)| {
                let at = place.1 * panorama.width + place.0;
                if let Some(texel) = panorama.texels.get_mut(at) {
                    *texel = [red, green, blue];
                }
            },
        )
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(damaged)?;
    let panorama = image.layer_data.channel_data.pixels;
    check_size(
        panorama.width,
        panorama.texels.len() / panorama.width.max(1),
    )?;
    Ok(panorama)
}
