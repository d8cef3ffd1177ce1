//! An OpenGL context without a window or an X server.
#![expect(
    unsafe_code,
    reason = "EGL displays and contexts are made by unsafe calls"
)]

use super::{RenderError, gl::describe};
use glutin::{
    api::egl::{
        context::PossiblyCurrentContext, device::Device, display::Display, surface::Surface,
    },
    config::{Api, ConfigSurfaceTypes, ConfigTemplateBuilder},
    context::{ContextApi, ContextAttributesBuilder, GlProfile, Version},
    display::GlDisplay as _,
    prelude::NotCurrentGlContext as _,
    surface::{PbufferSurface, SurfaceAttributesBuilder},
};
use parking_lot::{ReentrantMutex, ReentrantMutexGuard};
use raw_window_handle::{AndroidDisplayHandle, RawDisplayHandle};
use std::{ffi::CString, num::NonZeroU32, sync::Arc};

/// One thread at a time draws into memory. In Mesa's software driver up to 22.3 all
/// contexts of a process look through one another's lists of what is in use, without a
/// lock, and two of them on two threads crash now and then.
static TURN: ReentrantMutex<()> = ReentrantMutex::new(());

/// A current OpenGL 3.3 core context that draws into memory only.
///
/// While it lives, other threads that want one wait for theirs. It is current on the
/// thread that made it until it is dropped or another one is made there. Drop what was
/// made from [`Headless::gl`] first.
pub struct Headless {
    gl: Arc<glow::Context>,
    // Kept only because the context dies with them; dropped in this order.
    _surface: Option<Surface<PbufferSurface>>,
    _context: PossiblyCurrentContext,
    _display: Display,
    // Last: the next one begins when all of this one is gone.
    _turn: ReentrantMutexGuard<'static, ()>,
}

impl Headless {
    /// Makes a context and makes it current on this thread: on the first EGL
    /// device that can (graphics hardware or software), else on EGL's default
    /// display, which `EGL_PLATFORM=surfaceless` helps to exist.
    ///
    /// # Errors
    /// When no way leads to an OpenGL 3.3 core context; the message has the
    /// reason that each of them gave.
    pub fn new() -> Result<Self, RenderError> {
        let mut reasons = Vec::new();
        let devices = Device::query_devices().map(Iterator::collect::<Vec<_>>);
        match devices {
            Ok(devices) => {
                for (index, device) in devices.iter().enumerate() {
                    // SAFETY: the device comes from EGL, and no raw display is given.
                    let display = unsafe { Display::with_device(device, None) };
                    match display.map_err(|e| e.to_string()).and_then(Self::on) {
                        Ok(headless) => return Ok(headless),
                        Err(reason) => reasons.push(format!("device {index}: {reason}")),
                    }
                }
                if devices.is_empty() {
                    reasons.push("EGL knows no device".into());
                }
            }
            Err(error) => reasons.push(format!("EGL devices: {error}")),
        }
        // glutin turns this handle into eglGetDisplay(EGL_DEFAULT_DISPLAY).
        let default = RawDisplayHandle::Android(AndroidDisplayHandle::new());
        // SAFETY: this kind of handle holds no pointer that could be wrong.
        let display = unsafe { Display::new(default) };
        match display.map_err(|e| e.to_string()).and_then(Self::on) {
            Ok(headless) => Ok(headless),
            Err(reason) => {
                reasons.push(format!("default display: {reason}"));
                Err(RenderError::Context(reasons.join("; ")))
            }
        }
    }

    /// Without a surface if the display allows it, else with a tiny one.
    fn on(display: Display) -> Result<Self, String> {
        Self::attempt(&display, false).or_else(|first| {
            Self::attempt(&display, true).map_err(|second| format!("{first}, {second}"))
        })
    }

    fn attempt(display: &Display, pbuffer: bool) -> Result<Self, String> {
        let text = |error: glutin::error::Error| error.to_string();
        let surfaces = if pbuffer {
            ConfigSurfaceTypes::PBUFFER
        } else {
            ConfigSurfaceTypes::empty()
        };
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(surfaces)
            .with_api(Api::OPENGL)
            .build();
        let turn = TURN.lock();
        // SAFETY: the template names no native window.
        let config = unsafe { display.find_configs(template) }
            .map_err(text)?
            .next()
            .ok_or("no OpenGL configuration")?;
        let attributes = ContextAttributesBuilder::new()
            .with_profile(GlProfile::Core)
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(None);
        // SAFETY: the attributes name no native window.
        let context = unsafe { display.create_context(&config, &attributes) }.map_err(text)?;
        let (context, surface) = if pbuffer {
            let side = NonZeroU32::MIN.saturating_add(15);
            let attributes = SurfaceAttributesBuilder::<PbufferSurface>::new().build(side, side);
            // SAFETY: a pbuffer needs no native window.
            let surface =
                unsafe { display.create_pbuffer_surface(&config, &attributes) }.map_err(text)?;
            (context.make_current(&surface).map_err(text)?, Some(surface))
        } else {
            (context.make_current_surfaceless().map_err(text)?, None)
        };
        // SAFETY: the context that was made current above is the one whose
        // functions are loaded, and it lives as long as they do.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| match CString::new(name) {
                Ok(name) => display.get_proc_address(&name),
                Err(_) => std::ptr::null(),
            })
        };
        Ok(Self {
            gl: Arc::new(gl),
            _surface: surface,
            _context: context,
            _display: display.clone(),
            _turn: turn,
        })
    }

    /// The functions of the context.
    pub fn gl(&self) -> Arc<glow::Context> {
        self.gl.clone()
    }

    /// What draws, in the driver's words: renderer and version.
    pub fn describe(&self) -> String {
        describe(&self.gl)
    }
}

#[cfg(test)]
impl Headless {
    /// A context for a test; none, and a word of it, where there is no OpenGL. With
    /// `REQUIRE_GL=1` the test fails then.
    pub(crate) fn or_skip() -> Option<Self> {
        match Self::new() {
            Ok(headless) => Some(headless),
            Err(error) if std::env::var("REQUIRE_GL").is_ok_and(|v| v == "1") => panic!("{error}"),
            Err(error) => {
                println!("skipped: {error}");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn threads_take_turns_and_one_may_have_two() {
        let alive = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let Some(headless) = Headless::or_skip() else {
                        return;
                    };
                    assert_eq!(alive.fetch_add(1, Ordering::SeqCst), 0);
                    let second = Headless::new();
                    assert!(second.is_ok());
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    drop(second);
                    assert_eq!(alive.fetch_sub(1, Ordering::SeqCst), 1);
                    drop(headless);
                });
            }
        });
    }
}
