//! The picture of an environment on the graphics card, where it is seen.

use super::{
    Environment, RenderError, View,
    gl::{Gl, Texture, TextureFormat, units},
};
use std::sync::Arc;

/// A texture, and what is in it.
pub(super) struct EnvironmentMap {
    texture: Texture,
    /// None before the first environment that is seen.
    holds: Option<Arc<Environment>>,
    serial: u64,
}

/// A picture that is blurred by more has no edges: half of its bell curve is wider than
/// half a degree.
const EDGED: f32 = 0.15;

/// Whether a sharp environment is seen.
pub(super) fn has_edges(view: &View) -> bool {
    let blur = view.environment.and_then(|environment| environment.blur());
    view.light.environment_seen && blur.is_some_and(|blur| blur < EDGED)
}

impl EnvironmentMap {
    /// Nothing yet.
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        Ok(Self {
            texture: Texture::new(gl, TextureFormat::Panorama)?,
            holds: None,
            serial: 0,
        })
    }

    /// Takes over what `view` shows, where it shows an environment.
    pub fn follow(&mut self, view: &View, largest: u32) {
        let seen = view.environment.filter(|_| view.light.environment_seen);
        if seen
            .zip(self.holds.as_ref())
            .is_some_and(|(a, b)| Arc::ptr_eq(a, b))
        {
            return;
        }
        self.holds = None;
        let picture = seen.and_then(|environment| environment.backdrop(largest as usize));
        if let Some(picture) = picture {
            let size = [picture.width(), picture.height()].map(|side| side as u32);
            self.texture.set_light(size, picture.texels());
            self.holds = seen.cloned();
            self.serial += 1;
        }
    }

    /// Changes with the picture that it has.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Lets shaders read it.
    pub fn bind(&self) {
        self.texture.bind(units::ENVIRONMENT);
    }
}
