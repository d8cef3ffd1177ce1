//! Light from all around, out of a picture: what is concentrated becomes four lights, the
//! rest comes from everywhere. Worked out once, when the picture is taken.

mod blur;
mod cache;
mod harmonics;
mod lights;

pub use cache::EnvironmentCache;
pub(super) use harmonics::Harmonics;
pub(super) use lights::Light;

use super::LightParams;
use crate::io::panorama::{BuiltIn, Panorama, PanoramaError};
use glam::{DVec3, Vec3};
use lights::Cell;
use std::{borrow::Cow, fs, path::Path, sync::Arc, time::SystemTime};

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
#[derive(Clone)]
pub struct Environment {
    /// The strongest first; those that are missing have no light.
    pub(super) lights: [Light; 4],
    /// What is not in the lights.
    pub(super) ambient: Harmonics,
    /// What may be seen, sharp and as bright as the light.
    sharp: Arc<Panorama>,
    /// What is seen behind the head; none before somebody has asked for it.
    backdrop: Option<Blurred>,
    /// When its file was written, as that was read; none where it is none.
    written: Option<SystemTime>,
}

/// When the file of that name was written, if there is one.
fn written(name: &str) -> Option<SystemTime> {
    fs::metadata(name).and_then(|file| file.modified()).ok()
}

/// A picture with the blur that it has, 0 to 1.
#[derive(Clone)]
struct Blurred {
    picture: Arc<Panorama>,
    blur: f32,
}

/// Each one taken is another one, whatever it shows: pictures are not compared.
impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Environment {
    /// What `light` asks for, as it asks to see it: one that comes with the program by its
    /// name, or a file; none where it names none. A picture of 2048 x 1024 texels takes
    /// some 100 ms.
    ///
    /// # Errors
    /// When the file cannot be read: one sentence.
    pub fn load(light: &LightParams) -> Result<Option<Self>, PanoramaError> {
        let name = light.environment.as_str();
        if name.is_empty() {
            return Ok(None);
        }
        let (path, written) = (Path::new(name), written(name));
        let picture = match BuiltIn::named(name) {
            Some(built_in) => built_in.picture(),
            None if path.extension().is_none() && !path.exists() => {
                let names = BuiltIn::NAMES.join(", ");
                let why = format!("there is no such file, and those of the program are {names}");
                return Err(PanoramaError::new(name, why));
            }
            None => Panorama::read(path)?,
        };
        let environment = Self {
            written,
            ..Self::new(&picture)
        };
        Ok(Some(environment.seen_as(light)))
    }

    /// Whether the file of that name was not written since this was read from it.
    fn is_as_in_file(&self, name: &str) -> bool {
        self.written == written(name)
    }

    /// Works out the light of a picture, which is not seen itself.
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
            sharp: Arc::new(blur::scaled(picture, SEEN, scale as f32)),
            backdrop: None,
            written: None,
        }
    }

    /// Whether it is as `light` asks to see it: blurred as much, or not seen.
    pub fn is_seen_as(&self, light: &LightParams) -> bool {
        !light.environment_seen || self.blur() == Some(light.environment_blur)
    }

    /// The same light, and its picture as `light` asks to see it. A small blur of a large
    /// picture takes some 100 ms.
    pub fn seen_as(mut self, light: &LightParams) -> Self {
        if !self.is_seen_as(light) {
            let blur = light.environment_blur;
            let picture = Arc::new(blur::blurred(&self.sharp, blur));
            self.backdrop = Some(Blurred { picture, blur });
        }
        self
    }

    /// The blur of what is seen, 0 to 1; none where nothing is.
    pub(super) fn blur(&self) -> Option<f32> {
        self.backdrop.as_ref().map(|backdrop| backdrop.blur)
    }

    /// What is seen, as bright as the light, and at most so wide; none before somebody has
    /// asked for it. `[px]`
    pub(super) fn backdrop(&self, widest: usize) -> Option<Cow<'_, Panorama>> {
        let picture = &*self.backdrop.as_ref()?.picture;
        Some(match picture.width() > widest {
            true => Cow::Owned(blur::scaled(picture, widest, 1.0)),
            false => Cow::Borrowed(picture),
        })
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
