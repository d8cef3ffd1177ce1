//! Pictures that a material lays over the surface: its colours and its relief.

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

/// A picture that a library names.
#[derive(Clone, Debug, PartialEq)]
struct Named {
    file: String,
    /// Factor of a relief: `-bm`.
    factor: f32,
    /// Whether the statement is one for normals and not for heights.
    normals: bool,
}

/// What a library says of one material's pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wanted {
    colour: Option<Named>,
    relief: Option<Named>,
}

/// The pictures that the text of a material library names, for each of its
/// materials in their order.
pub(super) fn wanted(text: &str) -> Vec<Wanted> {
    let mut all: Vec<Wanted> = Vec::new();
    for line in text.lines().map(str::trim) {
        let (word, rest) = line
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((line, ""));
        let word = word.to_ascii_lowercase();
        if word == "newmtl" {
            if !rest.trim().is_empty() {
                all.push(Wanted::default());
            }
            continue;
        }
        let Some(material) = all.last_mut() else {
            continue;
        };
        match word.as_str() {
            "map_kd" => material.colour = named(rest, false).or(material.colour.take()),
            // Normals say more than heights.
            "norm" | "map_norm" | "map_kn" | "map_normal" => {
                material.relief = named(rest, true).or(material.relief.take());
            }
            "bump" | "map_bump" if !material.relief.as_ref().is_some_and(|r| r.normals) => {
                material.relief = named(rest, false).or(material.relief.take());
            }
            _ => {}
        }
    }
    all
}

/// Options first, then the file's name, which may have spaces in it.
fn named(rest: &str, normals: bool) -> Option<Named> {
    let (mut rest, mut factor) = (rest.trim(), 1.0);
    let word = |text: &str| -> (String, usize) {
        let end = text
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(text.len());
        (text[..end].to_string(), end)
    };
    while rest.starts_with('-') {
        let (option, end) = word(rest);
        // Words that follow each option; the first ones may be fewer numbers.
        let (least, most) = match option.to_ascii_lowercase().as_str() {
            "-s" | "-o" | "-t" => (1, 3),
            "-mm" => (2, 2),
            "-bm" | "-boost" | "-texres" | "-blendu" | "-blendv" | "-cc" | "-clamp"
            | "-imfchan" | "-type" => (1, 1),
            // A name that begins so.
            _ => break,
        };
        let mut after = rest[end..].trim_start();
        for number in 0..most {
            let (value, end) = word(after);
            let is_number = value.parse::<f32>().is_ok();
            if number >= least && !is_number {
                break;
            }
            if option.eq_ignore_ascii_case("-bm") {
                factor = value.parse().unwrap_or(1.0);
            }
            after = after[end..].trim_start();
        }
        rest = after;
    }
    let file = rest.trim_matches('"').to_string();
    (!file.is_empty()).then_some(Named {
        file,
        factor,
        normals,
    })
}

/// Reads the pictures of materials, each file once.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    read: HashMap<(PathBuf, Use), Option<Arc<Image>>>,
}

/// What a picture is read for; reliefs by the bits of their factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    Colour,
    Normals,
    Relief(u32),
}

impl Shelf {
    /// The pictures that `wanted` names, as seen from the library `mtl`. What
    /// cannot be read earns a warning and is left out.
    pub(super) fn maps(&mut self, wanted: &Wanted, mtl: &Path, warnings: &mut Vec<String>) -> Maps {
        let mut take = |named: &Option<Named>, colour: bool| {
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
    fn pictures_are_named_with_and_without_options() {
        let text = "map_Kd lost.png\nnewmtl a\nKd 1 1 1\nmap_Kd -s 2 2 -o 0.5 0 0 my skin.png\n\
                    map_Bump -bm 0.3 bump.png\nnorm n.png\nbump late.png\n\
                    newmtl b\r\nmap_bump -bm 2 dir\\b.png\r\nnewmtl c\nmap_Kn -clamp on k.jpg\n\
                    newmtl d\nmap_Kd\nmap_Kd -odd name.png";
        let all = wanted(text);
        let file = |named: &Option<Named>| named.as_ref().map(|n| n.file.clone());
        assert_eq!(all.len(), 4);
        assert_eq!(file(&all[0].colour).as_deref(), Some("my skin.png"));
        assert_eq!(file(&all[0].relief).as_deref(), Some("n.png"));
        assert_eq!(file(&all[1].relief).as_deref(), Some("dir\\b.png"));
        assert_eq!(all[1].relief.as_ref().map(|r| r.factor), Some(2.0));
        assert_eq!(file(&all[2].relief).as_deref(), Some("k.jpg"));
        assert!(all[2].relief.as_ref().is_some_and(|r| r.normals));
        assert_eq!(file(&all[3].colour).as_deref(), Some("-odd name.png"));
        assert_eq!(all[1].colour, None);
    }

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
