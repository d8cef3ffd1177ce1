//! One picture for a file of what one or more renderers have drawn, with what lies
//! over it: the same for the window and without one.

use super::caption::Captions;
use crate::{
    project::compare::Cell,
    render::{Canvas, RenderError, Renderer},
};
use std::sync::Arc;

/// Puts the parts of pictures together.
///
/// The context it was made from must be current at every call, and when it is
/// dropped.
pub struct FilePicture {
    gl: Arc<glow::Context>,
    canvas: Option<Canvas>,
    captions: Option<Captions>,
}

impl FilePicture {
    /// One on that context, which makes what it needs when it first needs it.
    pub fn new(gl: Arc<glow::Context>) -> Self {
        Self {
            gl,
            canvas: None,
            captions: None,
        }
    }

    /// Makes what pictures of that size `[px]` need, on the context of `renderer`.
    ///
    /// # Errors
    /// When the driver makes no picture of that size, or refuses what text is
    /// painted with.
    pub fn prepare(&mut self, renderer: &Renderer, size: [u32; 2]) -> anyhow::Result<()> {
        self.canvas(renderer, size)?;
        self.captions()?;
        Ok(())
    }

    fn canvas(&mut self, renderer: &Renderer, size: [u32; 2]) -> Result<&Canvas, RenderError> {
        if self.canvas.as_ref().is_none_or(|old| old.size() != size) {
            self.canvas = None;
        }
        match &mut self.canvas {
            Some(canvas) => Ok(canvas),
            none => Ok(none.insert(Canvas::new(renderer, size)?)),
        }
    }

    fn captions(&mut self) -> anyhow::Result<&mut Captions> {
        match &mut self.captions {
            Some(captions) => Ok(captions),
            none => Ok(none.insert(Captions::new(self.gl.clone())?)),
        }
    }

    /// The picture of that size `[px]` of what `sides` have drawn last, each in its
    /// part: width, height, and three bytes a pixel, or four where it is transparent;
    /// `over` paints over it, with so many pixels a point.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    pub fn read<'a>(
        &mut self,
        sides: impl Iterator<Item = (&'a Renderer, Cell)>,
        size: [u32; 2],
        scale: f32,
        over: Option<&mut dyn FnMut(&egui::Painter)>,
    ) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        let mut sides = sides.peekable();
        let Some((first, _)) = sides.peek().copied() else {
            return Ok((0, 0, Vec::new()));
        };
        if over.is_some() {
            self.captions()?;
        }
        let canvas = self.canvas(first, size)?;
        canvas.clear();
        for (renderer, cell) in sides {
            canvas.place(renderer, cell.origin);
        }
        canvas.bind();
        if let Some(over) = over {
            self.captions()?.paint(size, scale, over);
        }
        let canvas = self.canvas(first, size)?;
        Ok(match first.is_transparent() {
            true => canvas.read_rgba(),
            false => canvas.read_rgb(),
        })
    }
}
