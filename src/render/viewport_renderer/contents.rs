//! What a picture shows, apart from OpenGL: on a new context it is shown again.

use super::{Shown, ViewportRenderer};
use crate::render::{
    Exposure, RenderError,
    frame_request::SideState,
    parts::{DrawnParts, HeadParts},
};
use std::sync::Arc;

/// What a picture shows, without the moving hair, which the simulation has.
pub struct PictureContents {
    sides: usize,
    head: Option<Arc<HeadParts>>,
    drawing: Option<DrawnParts>,
    generation: u64,
    uploaded: u64,
    still: Option<(Shown, Exposure)>,
}

impl PictureContents {
    /// The head of hair that was shown, and the state of it.
    pub fn moment(&self) -> [u64; 2] {
        [self.generation, self.uploaded]
    }
}

impl ViewportRenderer {
    /// Frees all that belongs to the context, which must still be the current one even
    /// if it is lost, and leaves what was shown.
    pub fn into_contents(self) -> PictureContents {
        PictureContents {
            sides: self.sides(),
            head: self.head,
            drawing: self.drawing,
            generation: self.generation,
            uploaded: self.uploaded,
            still: self.still,
        }
    }

    /// Shows on a new context what was shown on another one. `states` are the sides as
    /// they were then, and a still of them is begun again; where they are not to be had
    /// any more it is not, and the next state has to be uploaded.
    ///
    /// # Errors
    /// When the driver refuses what a picture needs.
    pub fn of_contents(
        gl: Arc<glow::Context>,
        contents: &PictureContents,
        states: Option<&[SideState]>,
    ) -> Result<Self, RenderError> {
        let mut picture = Self::new(gl)?;
        match (&contents.drawing, &contents.head) {
            (Some(drawing), _) => picture.take_drawing(drawing, contents.generation),
            (None, Some(head)) => picture.take_head(head),
            (None, None) => {}
        }
        picture.set_sides(contents.sides)?;
        if let Some(states) = states {
            picture.upload(contents.uploaded, states)?;
            if let Some((scene, exposure)) = &contents.still {
                picture.begin_still_of(scene.clone(), exposure);
            }
        }
        Ok(picture)
    }
}
