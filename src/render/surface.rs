//! The window's drawing surface and the OpenGL context on it.
#![expect(
    unsafe_code,
    reason = "contexts and surfaces of the window system are made by unsafe calls"
)]

use super::{gl::describe, reset::ResetStatus};
use glutin::{
    config::{Config, ConfigTemplateBuilder, GlConfig as _},
    context::{
        ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext,
        NotCurrentGlContext as _, PossiblyCurrentContext, PossiblyCurrentGlContext as _,
        Robustness, Version,
    },
    display::{Display, GetGlDisplay as _, GlDisplay as _},
    error::ErrorKind,
    surface::{GlSurface as _, Surface, SurfaceAttributesBuilder, SwapInterval, WindowSurface},
};
use glutin_winit::{ApiPreference, DisplayBuilder};
use raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
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

    /// The reason alone.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// A window with a current OpenGL 3.3 core context.
///
/// The context is current on the thread that made it until
/// [`close`](Self::close) or [`shut`](Self::shut). What was made from
/// [`gl`](Self::gl) must be gone by then.
pub struct Surface3d {
    gl: Arc<glow::Context>,
    reset: ResetStatus,
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    bare: Box<BareWindow>,
}

/// A window without a context: one can be [`open`](Self::open)ed on it.
pub struct BareWindow {
    config: Config,
    display: Display,
    window: Window,
    /// After so many frames each context counts as lost, for tests.
    lose_after: Option<u32>,
}

impl Surface3d {
    /// Opens a window and makes its context current. For tests, the context counts as
    /// lost after so many frames, and each that replaces it.
    ///
    /// # Errors
    /// When there is no display, or no OpenGL 3.3 on it.
    pub fn open(
        event_loop: &ActiveEventLoop,
        attributes: &WindowAttributes,
        lose_after: Option<u32>,
    ) -> Result<Self, SurfaceError> {
        let attempt = |preference| {
            let bare = BareWindow::new(event_loop, attributes.clone(), preference, lose_after)?;
            let size = bare.window.inner_size();
            bare.open([size.width, size.height])
                .map_err(|(_, error)| error)
        };
        // EGL on X11 is markedly faster than GLX on software renderers; some
        // drivers know GLX only. Other window systems offer one kind anyway.
        attempt(ApiPreference::PreferEgl).or_else(|first| {
            log::debug!("{first}; trying the window system's own way");
            attempt(ApiPreference::FallbackEgl)
                .map_err(|second| SurfaceError(format!("{}; {}", first.0, second.0)))
        })
    }

    /// The window.
    pub fn window(&self) -> &Window {
        &self.bare.window
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
        self.bare.window.pre_present_notify();
        match self.surface.swap_buffers(&self.context) {
            Ok(()) => self.reset.shown(),
            Err(error) if error.error_kind() == ErrorKind::ContextLost => self.reset.lose(),
            Err(error) => log::warn!("cannot show the frame: {error}"),
        }
    }

    /// Whether the driver has lost the context, as after a reset of the graphics card.
    /// Nothing is drawn any more then, and what is read back means nothing.
    pub fn is_lost(&self) -> bool {
        self.reset.is_lost()
    }

    /// Takes the context down, but not the window.
    pub fn shut(self) -> Box<BareWindow> {
        let Self {
            gl,
            reset,
            surface,
            context,
            bare,
        } = self;
        drop((gl, reset));
        let context = context.make_not_current();
        drop(surface);
        drop(context);
        bare
    }

    /// Takes everything down in the one order that no driver objects to.
    pub fn close(self) {
        self.shut().close();
    }
}

impl BareWindow {
    fn new(
        event_loop: &ActiveEventLoop,
        attributes: WindowAttributes,
        preference: ApiPreference,
        lose_after: Option<u32>,
    ) -> Result<Box<Self>, SurfaceError> {
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
        Ok(Box::new(Self {
            config,
            display,
            window,
            lose_after,
        }))
    }

    /// Makes a context for the window, which is of that size, and makes it current. `[px]`
    ///
    /// # Errors
    /// When the driver makes none; the window comes back with the reason.
    pub fn open(self: Box<Self>, size: [u32; 2]) -> Result<Surface3d, (Box<Self>, SurfaceError)> {
        match self.make(size) {
            Ok((surface, context)) => {
                let gl = self.functions();
                Ok(Surface3d {
                    reset: ResetStatus::new(&gl, &self.display, self.lose_after),
                    gl: Arc::new(gl),
                    surface,
                    context,
                    bare: self,
                })
            }
            Err(error) => Err((self, error)),
        }
    }

    fn make(
        &self,
        size: [u32; 2],
    ) -> Result<(Surface<WindowSurface>, PossiblyCurrentContext), SurfaceError> {
        let handle = self
            .window
            .window_handle()
            .map_err(|error| SurfaceError::at("no window handle", error))?
            .as_raw();
        // One that may be lost says so; one that may not draws on as if nothing were.
        let robust = self.context(handle, Robustness::RobustLoseContextOnReset);
        let context = robust
            .or_else(|error| {
                log::debug!("no robust context: {error}");
                self.context(handle, Robustness::NotRobust)
            })
            .map_err(|error| SurfaceError::at("no context", error))?;
        let [width, height] = size.map(|side| NonZeroU32::new(side).unwrap_or(NonZeroU32::MIN));
        let surface = SurfaceAttributesBuilder::<WindowSurface>::new().build(handle, width, height);
        // SAFETY: the handle is that of a window that is dropped after the surface.
        let surface = unsafe { self.display.create_window_surface(&self.config, &surface) }
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
        Ok((surface, context))
    }

    fn context(
        &self,
        handle: RawWindowHandle,
        robustness: Robustness,
    ) -> glutin::error::Result<NotCurrentContext> {
        let attributes = ContextAttributesBuilder::new()
            .with_profile(GlProfile::Core)
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .with_robustness(robustness)
            .build(Some(handle));
        // SAFETY: the handle is that of a window that is dropped after the context.
        unsafe { self.display.create_context(&self.config, &attributes) }
    }

    fn functions(&self) -> glow::Context {
        // SAFETY: the functions are loaded from the display of the current context.
        unsafe {
            glow::Context::from_loader_function(|name| match CString::new(name) {
                Ok(name) => self.display.get_proc_address(&name),
                Err(_) => std::ptr::null(),
            })
        }
    }

    /// Closes the window.
    pub fn close(self: Box<Self>) {
        let Self {
            config,
            display,
            window,
            ..
        } = *self;
        drop(config);
        drop(window);
        // Without this, some drivers crash when the process ends after the
        // event loop has closed the connection. macOS has no EGL.
        #[cfg(target_os = "macos")]
        drop(display);
        #[cfg(not(target_os = "macos"))]
        if let Display::Egl(display) = display {
            // SAFETY: the context and the surface of this display are gone, and
            // nothing else in the process uses it.
            unsafe { display.terminate() };
        }
    }
}
