//! Why nothing can be drawn.

use thiserror::Error;

/// Why nothing can be drawn.
#[derive(Clone, Debug, Error)]
pub enum RenderError {
    /// No headless context; what was tried, and why it failed.
    #[error(
        "OpenGL 3.3 is not to be had without a window ({0}); install a driver, such as Mesa's libegl-mesa0 and libgl1-mesa-dri, or set EGL_PLATFORM=surfaceless"
    )]
    Context(String),
    /// A shader does not compile or link.
    #[error(
        "the driver refuses the shader {shader}: {log}; please report this with your graphics card and driver version"
    )]
    Shader {
        /// File name, or program and "program" when linking fails.
        shader: String,
        /// The driver's words.
        log: String,
    },
    /// The driver makes no picture of this size.
    #[error(
        "the driver makes no picture of {width}x{height} pixels with {samples} samples (status {status:#x}); choose a smaller size or fewer samples"
    )]
    Target {
        /// Width. `[px]`
        width: u32,
        /// Height. `[px]`
        height: u32,
        /// Samples of each pixel.
        samples: u32,
        /// OpenGL's framebuffer status.
        status: u32,
    },
    /// The driver makes no more objects.
    #[error(
        "the graphics driver fails: {0}; close other programs that use the graphics card, then start again"
    )]
    Driver(String),
}
