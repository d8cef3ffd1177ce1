//! Pictures over a head's texture coordinates: where hair is dense, long or
//! curly, and which colour it has.

use super::{Image, Mesh, MeshError, Root, texture};
use crate::math::elementary::pow;
use glam::{Vec2, Vec3};
use std::{fs, path::Path, sync::Arc, time::SystemTime};

/// A picture that lies over a head.
#[derive(Clone, Debug)]
pub struct Map {
    /// The file, and when it was written last.
    source: (String, Option<SystemTime>),
    picture: Arc<Image>,
}

impl Map {
    /// Reads the picture at `path`, unless it is one of those that are `known`.
    /// None where `path` is empty.
    ///
    /// # Errors
    /// When there is no such picture, or `mesh` has no texture coordinates.
    pub fn read(path: &str, mesh: &Mesh, known: &[&Self]) -> Result<Option<Self>, MeshError> {
        if path.is_empty() {
            return Ok(None);
        }
        let failed = |why: String, cure: &str| MeshError::Map {
            path: path.into(),
            why,
            cure: cure.into(),
        };
        let written = fs::metadata(path).and_then(|file| file.modified()).ok();
        let source = (path.to_owned(), written);
        let known = known.iter().find(|map| map.source == source);
        let map = match known.filter(|_| written.is_some()) {
            Some(map) => (*map).clone(),
            None => {
                let picture = texture::read(Path::new(path))
                    .map_err(|why| failed(why, "name a PNG or JPEG picture"))?;
                Self {
                    source,
                    picture: Arc::new(picture),
                }
            }
        };
        if mesh.uvs.is_empty() {
            let why = format!("{} has no texture coordinates to lay it over", mesh.name);
            return Err(failed(why, "export the head with its UVs"));
        }
        Ok(Some(map))
    }

    /// How bright it is under `root` of `mesh`: black is 0, white 1, and colours
    /// count by their mean.
    pub fn at(&self, mesh: &Mesh, root: &Root) -> f32 {
        self.under(mesh, root).element_sum() / 3.0
    }

    /// Its colour there, linear RGB.
    pub fn colour_at(&self, mesh: &Mesh, root: &Root) -> [f32; 3] {
        // The curve of sRGB, IEC 61966-2-1.
        let linear = |c: f32| match c <= 0.04045 {
            true => c / 12.92,
            false => pow((c + 0.055) / 1.055, 2.4),
        };
        self.under(mesh, root).to_array().map(linear)
    }

    fn under(&self, mesh: &Mesh, root: &Root) -> Vec3 {
        let Some([a, b, c]) = mesh.uvs.get(root.triangle as usize) else {
            return Vec3::ONE;
        };
        let [u, v] = root.uv;
        self.sample(*a + (*b - *a) * u + (*c - *a) * v)
    }

    /// The value at a texture coordinate: between texels, repeated outside 0..1.
    fn sample(&self, uv: Vec2) -> Vec3 {
        let [width, height] = self.picture.size.map(|side| side as usize);
        // The first row is the top one, where v is 1.
        let wrapped = |x: f32| {
            if x.is_finite() {
                x.rem_euclid(1.0)
            } else {
                0.0
            }
        };
        let x = wrapped(uv.x) * width as f32 - 0.5;
        let y = wrapped(1.0 - uv.y) * height as f32 - 0.5;
        let texel = |x: f32, y: f32| {
            let column = (x as i64).rem_euclid(width as i64) as usize;
            let row = (y as i64).rem_euclid(height as i64) as usize;
            let [r, g, b, _] = self.picture.texels[row * width + column];
            Vec3::from([r, g, b].map(f32::from)) / 255.0
        };
        let (left, top) = (x.floor(), y.floor());
        let across = |y: f32| {
            let (a, b) = (texel(left, y), texel(left + 1.0, y));
            a + (b - a) * (x - left)
        };
        let (upper, lower) = (across(top), across(top + 1.0));
        upper + (lower - upper) * (y - top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_row_is_where_v_is_one_and_texels_blend() {
        // Dark left, bright right below; all bright above.
        let map = Map {
            source: (String::new(), None),
            picture: Arc::new(Image {
                size: [2, 2],
                texels: [255, 255, 0, 255]
                    .map(|grey| [grey, grey, grey, 255])
                    .into(),
            }),
        };
        let at = |u: f32, v: f32| map.sample(Vec2::new(u, v)).y;
        assert_eq!(at(0.25, 0.75), 1.0);
        assert_eq!(at(0.25, 0.25), 0.0);
        assert_eq!(at(0.75, 0.25), 1.0);
        assert!((at(0.5, 0.25) - 0.5).abs() < 1e-6);
        assert!((at(0.25, 0.5) - 0.5).abs() < 1e-6);
        assert_eq!(at(1.25, -0.75), at(0.25, 0.25));
        assert!(at(f32::NAN, 0.3).is_finite());
    }
}
