//! Light from all around, out of a picture: what is concentrated becomes four lights, the
//! rest comes from everywhere. Worked out once, when the picture is taken.

mod blur;
mod built_in;
mod harmonics;
mod lights;

pub use built_in::BuiltIn;
pub(super) use harmonics::Harmonics;
pub(super) use lights::Light;

use crate::io::panorama::{Panorama, PanoramaError};
use glam::{DVec3, Vec3};
use lights::Cell;
use std::path::Path;

/// Mean luminance to which all environments are brought: as much light as key, fill and
/// room of the three-point light send together (25, over the sphere's 4 pi).
const MEAN: f64 = 2.0;

/// Width of what is integrated over. `[px]`
const FINE: usize = 256;
/// Width of what is kept to be seen. `[px]`
const SEEN: usize = 2048;

/// The red, green and blue shares of light's brightness (ITU-R BT.709).
const BRIGHTNESS: DVec3 = DVec3::new(0.2126, 0.7152, 0.0722);

/// What lights hair and head in place of the three-point light.
pub struct Environment {
    /// The strongest first; those that are missing have no light.
    pub(super) lights: [Light; 4],
    /// What is not in the lights.
    pub(super) ambient: Harmonics,
    /// What is seen.
    picture: Panorama,
}

/// Each one taken is another one, whatever it shows: pictures are not compared.
impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Environment {
    /// What the parameter `light.environment` asks for: one of the program's own by its
    /// name, or a file; none where it is empty.
    ///
    /// # Errors
    /// When the file cannot be read: one sentence.
    pub fn load(name: &str) -> Result<Option<Self>, PanoramaError> {
        if name.is_empty() {
            return Ok(None);
        }
        let path = Path::new(name);
        let picture = match BuiltIn::named(name) {
            Some(own) => own.picture(),
            None if path.extension().is_none() && !path.exists() => {
                let own = BuiltIn::ALL.map(|own| own.id).join(", ");
                let why = format!("there is no such file, and the program's own are {own}");
                return Err(PanoramaError::new(name, why));
            }
            None => Panorama::read(path)?,
        };
        Ok(Some(Self::new(&picture)))
    }

    /// Works out the light of a picture.
    pub fn new(picture: &Panorama) -> Self {
        let mut cells = Cell::all_of(picture, FINE);
        let whole: f64 = cells.iter().map(|cell| cell.solid).sum();
        let light: DVec3 = cells.iter().map(|cell| cell.light * cell.solid).sum();
        let mean = light.dot(BRIGHTNESS) / whole.max(f64::MIN_POSITIVE);
        let scale = match mean > 0.0 {
            true => MEAN / mean,
            false => 0.0,
        };
        cells.iter_mut().for_each(|cell| cell.light *= scale);
        let (lights, spread) = lights::take(&mut cells);
        let mut ambient = Harmonics::default();
        for cell in &cells {
            ambient.add(cell.towards, cell.light * cell.solid);
        }
        ambient.add_everywhere(spread);
        Self {
            lights,
            ambient,
            picture: blur::scaled(picture, SEEN, scale as f32),
        }
    }

    /// The picture as it is seen with that blur, 0 to 1, as bright as the light, and at
    /// most so wide. `[px]`
    pub(super) fn seen(&self, blur: f32, widest: usize) -> Panorama {
        let seen = blur::blurred(&self.picture, blur);
        match seen.width() > widest {
            true => blur::scaled(&seen, widest, 1.0),
            false => seen,
        }
    }

    /// Light that a white, matt surface with this normal (unit) sends on where nothing is
    /// in the way: red, green, blue, before strength and turn.
    pub fn on_white(&self, normal: Vec3) -> Vec3 {
        let from = |light: &Light| light.colour * light.towards.dot(normal).max(0.0);
        let lights: Vec3 = self.lights.iter().map(from).sum();
        lights / std::f32::consts::PI + self.ambient.at(normal)
    }
}

#[cfg(test)]
mod tests;
