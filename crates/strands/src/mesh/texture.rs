//! Pictures that a material lays over the surface: its colours and its relief.

use super::library::{MapName, Wanted};
use glam::Vec3;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Larger files and pictures are refused: no head needs them.
const LARGEST_FILE: u64 = 256 << 20;
const LARGEST_SIDE: u32 = 16_384;
const LARGEST_MEMORY: u64 = 1 << 30;
/// Slope of a surface whose height picture rises from black to white within
/// one texel, where the material names no other factor.
const STEEPNESS: f32 = 4.0;

/// A picture, its top row first.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Width and height.
    pub size: [u32; 2],
    /// Red, green, blue and opacity of each texel.
    pub texels: Vec<[u8; 4]>,
}

/// The pictures of a material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// Diffuse reflectance, as sRGB.
    pub colour: Option<Arc<Image>>,
    /// Normals in the surface's own frame (x along u, y along v, z outwards),
    /// from -1 at 1 to +1 at 255.
    pub normal: Option<Arc<Image>>,
}

/// Pictures of materials, each file read once.
#[derive(Debug, Default)]
pub(super) struct TextureCache {
    read: HashMap<(PathBuf, Use), Option<Arc<Image>>>,
}

/// What a picture is read for; reliefs by the bits of their factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    Colour,
    Normals,
    Relief(u32),
}

impl TextureCache {
    /// The pictures that `wanted` names, as seen from the library `mtl`. What
    /// cannot be read earns a warning and is left out.
    pub(super) fn maps(&mut self, wanted: &Wanted, mtl: &Path, warnings: &mut Vec<String>) -> Maps {
        let mut take = |named: &Option<MapName>, colour: bool| {
            let named = named.as_ref()?;
            let purpose = match (colour, named.normals) {
                (true, _) => Use::Colour,
                (_, true) => Use::Normals,
                _ => Use::Relief(named.factor.to_bits()),
            };
            let path = found(mtl, &named.file);
            self.read
                .entry((path.clone(), purpose))
                .or_insert_with(|| match read(&path) {
                    Ok(picture) => Some(Arc::new(match purpose {
                        Use::Relief(_) if !holds_normals(&picture) => {
                            normals(&picture, named.factor)
                        }
                        _ => picture,
                    })),
                    Err(why) => {
                        let lost = if colour { "colours are" } else { "relief is" };
                        warnings.push(format!(
                            "the texture {} cannot be read ({why}); its {lost} missing",
                            named.file
                        ));
                        None
                    }
                })
                .clone()
        };
        Maps {
            colour: take(&wanted.colour, true),
            normal: take(&wanted.relief, false),
        }
    }
}

/// Where a texture is: where the library says, or beside it when that place
/// belongs to another machine.
fn found(mtl: &Path, name: &str) -> PathBuf {
    let folder = mtl.with_file_name("");
    // Windows programs write backslashes.
    let name = name.replace('\\', "/");
    let told = folder.join(&name);
    let last = name.rsplit('/').next().unwrap_or(&name);
    let beside = folder.join(last);
    if !told.is_file() && beside.is_file() {
        return beside;
    }
    told
}

/// Reads a picture of any common format; the error says why not.
pub(super) fn read(path: &Path) -> Result<Image, String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => error.to_string(),
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err("it is not a file".into());
    }
    if metadata.len() > LARGEST_FILE {
        return Err(format!("it has more than {} MB", LARGEST_FILE >> 20));
    }
    decode(
        &std::fs::read(path).map_err(failed)?,
        &path.to_string_lossy(),
    )
}

/// A picture of any common format in memory; where its content does not say which, its
/// `name` does. The error says why not.
pub(super) fn decode(bytes: &[u8], name: &str) -> Result<Image, String> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes));
    // A TGA does not say what it is.
    if let Ok(format) = image::ImageFormat::from_path(name) {
        reader.set_format(format);
    }
    let mut reader = reader
        .with_guessed_format()
        .map_err(|error| error.to_string())?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(LARGEST_SIDE);
    limits.max_image_height = Some(LARGEST_SIDE);
    limits.max_alloc = Some(LARGEST_MEMORY);
    reader.limits(limits);
    let decoded = reader
        .decode()
        .map_err(|error| error.to_string())?
        .into_rgba8();
    let size = [decoded.width(), decoded.height()];
    let texels = decoded.pixels().map(|pixel| pixel.0).collect();
    match size.contains(&0) {
        true => Err("it is empty".into()),
        false => Ok(Image { size, texels }),
    }
}

/// Whether a relief is one of normals, which are bluish, and not of heights,
/// which are grey.
fn holds_normals(picture: &Image) -> bool {
    let step = (picture.texels.len() / 4096).max(1);
    let asked = picture.texels.iter().step_by(step);
    let count = asked.clone().count();
    let bluish =
        asked.filter(|[r, g, b, _]| i32::from(*b) > i32::from((*r).min(*g)) + 20 && *b > 100);
    2 * bluish.count() > count
}

/// The normals of a surface whose heights are the brightness of `heights`.
fn normals(heights: &Image, factor: f32) -> Image {
    let [w, h] = heights.size.map(|side| side as usize);
    let height = |x: usize, y: usize| {
        let [r, g, b, _] = heights.texels[(y % h) * w + x % w].map(f32::from);
        (r + g + b) / 765.0
    };
    let factor = if factor.is_finite() {
        factor * STEEPNESS
    } else {
        0.0
    };
    let mut texels = Vec::with_capacity(heights.texels.len());
    for y in 0..h {
        for x in 0..w {
            // Central differences; rows run downwards, v upwards.
            let along_u = 0.5 * (height(x + 1, y) - height(x + w - 1, y));
            let along_v = 0.5 * (height(x, y + h - 1) - height(x, y + 1));
            let normal = Vec3::new(-along_u * factor, -along_v * factor, 1.0).normalize();
            let [r, g, b] = normal.to_array().map(|c| (128.0 + 127.0 * c).round() as u8);
            texels.push([r, g, b, 255]);
        }
    }
    Image {
        size: heights.size,
        texels,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_of_heights_leans_its_normals_against_it() {
        // Rises to the right by 8 levels a texel.
        let ramp = |x: u32| [8 * x as u8, 8 * x as u8, 8 * x as u8, 255];
        let heights = Image {
            size: [16, 4],
            texels: (0..64).map(|i| ramp(i % 16)).collect(),
        };
        assert!(!holds_normals(&heights));
        let normals = normals(&heights, 1.0);
        let [r, g, b, _] = normals.texels[16 + 7];
        let slope = STEEPNESS * 8.0 / 255.0;
        let wanted = -127.0 * slope / (1.0 + slope * slope).sqrt();
        assert!((f32::from(r) - 128.0 - wanted).abs() < 1.0, "{r} {wanted}");
        assert_eq!(g, 128);
        assert!(b > 250 && holds_normals(&normals));
    }
}
