//! A context of EGL, which needs no window.
#![expect(
    unsafe_code,
    reason = "EGL displays and contexts are made by unsafe calls"
)]

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
use raw_window_handle::{AndroidDisplayHandle, RawDisplayHandle};
use std::{ffi::CString, num::NonZeroU32, sync::Arc};

/// A context that draws into memory only, current on the thread that made it.
pub struct EglContext {
    /// Its functions.
    pub gl: Arc<glow::Context>,
    // Kept only because the context dies with them; dropped in this order.
    _surface: Option<Surface<PbufferSurface>>,
    _context: PossiblyCurrentContext,
    _display: Display,
}

impl EglContext {
    /// # Errors
    /// The reason of each device and of the default display.
    pub fn new() -> Result<Self, String> {
        let mut reasons = Vec::new();
        let devices = Device::query_devices().map(Iterator::collect::<Vec<_>>);
        match devices {
            Ok(devices) => {
                for (index, device) in devices.iter().enumerate() {
                    // SAFETY: the device comes from EGL, and no raw display is given.
                    let display = unsafe { Display::with_device(device, None) };
                    match display.map_err(|e| e.to_string()).and_then(Self::on) {
                        Ok(offscreen) => return Ok(offscreen),
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
            Ok(offscreen) => Ok(offscreen),
            Err(reason) => {
                reasons.push(format!("default display: {reason}"));
                Err(reasons.join("; "))
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
        })
    }
}
