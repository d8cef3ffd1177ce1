//! The window's drawing surface and the OpenGL context on it.
#![expect(
    unsafe_code,
    reason = "contexts and surfaces of the window system are made by unsafe calls"
)]

use super::gl::describe;
use glutin::{
    config::{ConfigTemplateBuilder, GlConfig as _},
    context::{
        ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentGlContext as _,
        PossiblyCurrentContext, PossiblyCurrentGlContext as _, Version,
    },
    display::{Display, GetGlDisplay as _, GlDisplay as _},
    surface::{GlSurface as _, Surface, SurfaceAttributesBuilder, SwapInterval, WindowSurface},
};
use glutin_winit::{ApiPreference, DisplayBuilder};
use raw_window_handle::HasWindowHandle as _;
use std::{ffi::CString, num::NonZeroU32, sync::Arc};
use thiserror::Error;
use winit::{
    event_loop::ActiveEventLoop,
    window::{Window, WindowAttributes},
};

/// Why a window could not be had.
#[derive(Debug, Error)]
#[error(
    "cannot open a window with OpenGL 3.3: {0}; `lovelock render` makes pictures without a window"
)]
pub struct SurfaceError(String);

impl SurfaceError {
    fn at(what: &str, error: impl std::fmt::Display) -> Self {
        Self(format!("{what}: {error}"))
    }
}

/// A window with a current OpenGL 3.3 core context.
///
/// The context is current on the thread that made it until
/// [`close`](Self::close). What was made from [`gl`](Self::gl) must be gone by
/// then.
pub struct Surface3d {
    gl: Arc<glow::Context>,
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    display: Display,
    window: Window,
}

impl Surface3d {
    /// Opens a window and makes its context current.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
    ) -> Result<Self, SurfaceError> {
        // EGL on X11 is markedly faster than GLX on software renderers; some
        // drivers know GLX only. Other window systems offer one kind anyway.
        Self::attempt(event_loop, attributes.clone(), ApiPreference::PreferEgl).or_else(|first| {
            log::debug!("{first}; trying the window system's own way");
            Self::attempt(event_loop, attributes.clone(), ApiPreference::FallbackEgl)
                .map_err(|second| SurfaceError(format!("{}; {}", first.0, second.0)))
        })
    }

    fn attempt(
        event_loop: &ActiveEventLoop,
        attributes: WindowAttributes,
        preference: ApiPreference,
    ) -> Result<Self, SurfaceError> {
        // The scene has its own multisampled target, so the window's own
        // samples, depth and transparency would only cost time.
        let template = ConfigTemplateBuilder::new()
            .prefer_hardware_accelerated(None)
            .with_depth_size(0)
            .with_stencil_size(0)
            .with_transparency(false);
        let (window, config) = DisplayBuilder::new()
            .with_preference(preference)
            .with_window_attributes(Some(attributes.clone()))
            .build(event_loop, template, |configs| {
                #[expect(
                    clippy::unwrap_used,
                    reason = "the builder's closure cannot fail, and no driver answers so plain \
                              a wish with an empty list instead of an error"
                )]
                configs.min_by_key(|config| config.num_samples()).unwrap()
            })
            .map_err(|error| SurfaceError::at("no display configuration", error))?;
        let display = config.display();
        let window = match window {
            Some(window) => window,
            None => glutin_winit::finalize_window(event_loop, attributes, &config)
                .map_err(|error| SurfaceError::at("no window", error))?,
        };
        let handle = window
            .window_handle()
            .map_err(|error| SurfaceError::at("no window handle", error))?
            .as_raw();
        let context = ContextAttributesBuilder::new()
            .with_profile(GlProfile::Core)
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(Some(handle));
        // SAFETY: the handle is that of a window that lives as long as `Self`.
        let context = unsafe { display.create_context(&config, &context) }
            .map_err(|error| SurfaceError::at("no context", error))?;
        let size = window.inner_size();
        let surface = SurfaceAttributesBuilder::<WindowSurface>::new().build(
            handle,
            NonZeroU32::new(size.width).unwrap_or(NonZeroU32::MIN),
            NonZeroU32::new(size.height).unwrap_or(NonZeroU32::MIN),
        );
        // SAFETY: as above; the surface is dropped before the window.
        let surface = unsafe { display.create_window_surface(&config, &surface) }
            .map_err(|error| SurfaceError::at("no surface", error))?;
        let context = context
            .make_current(&surface)
            .map_err(|error| SurfaceError::at("no current context", error))?;
        // Some drivers cannot wait for the display; the window has its own
        // frame limit, so nothing is lost.
        if let Err(error) = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN))
        {
            log::debug!("no swap interval: {error}");
        }
        // SAFETY: the functions are loaded from the display of the current context.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| match CString::new(name) {
                Ok(name) => display.get_proc_address(&name),
                Err(_) => std::ptr::null(),
            })
        };
        Ok(Self {
            gl: Arc::new(gl),
            surface,
            context,
            display,
            window,
        })
    }

    /// The window.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// The functions of the context.
    pub fn gl(&self) -> Arc<glow::Context> {
        self.gl.clone()
    }

    /// What draws, in the driver's words.
    pub fn describe(&self) -> String {
        describe(&self.gl)
    }

    /// Follows the window to a new size; a side of zero is ignored. `[px]`
    pub fn resize(&self, width: u32, height: u32) {
        if let (Some(width), Some(height)) = (NonZeroU32::new(width), NonZeroU32::new(height)) {
            self.surface.resize(&self.context, width, height);
        }
    }

    /// Shows what was drawn.
    pub fn swap(&self) {
        self.window.pre_present_notify();
        if let Err(error) = self.surface.swap_buffers(&self.context) {
            log::warn!("cannot show the frame: {error}");
        }
    }

    /// Takes everything down in the one order that no driver objects to.
    pub fn close(self) {
        let Self {
            gl,
            surface,
            context,
            display,
            window,
        } = self;
        drop(gl);
        let context = context.make_not_current();
        drop(surface);
        drop(context);
        drop(window);
        // Without this, some drivers crash when the process ends after the
        // event loop has closed the connection.
        if let Display::Egl(display) = display {
            // SAFETY: the context and the surface of this display are gone, and
            // nothing else in the process uses it.
            unsafe { display.terminate() };
        }
    }
}
