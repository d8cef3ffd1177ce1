//! A context for a window that is never shown: WGL knows none without.
#![expect(
    unsafe_code,
    reason = "windows and contexts of Windows are made by unsafe calls"
)]

use glutin::{
    api::wgl::{context::PossiblyCurrentContext, display::Display, surface::Surface},
    config::{ConfigTemplateBuilder, GlConfig as _},
    context::{ContextApi, ContextAttributesBuilder, GlProfile, Version},
    display::GlDisplay as _,
    prelude::NotCurrentGlContext as _,
    surface::{SurfaceAttributesBuilder, WindowSurface},
};
use raw_window_handle::{
    RawDisplayHandle, RawWindowHandle, Win32WindowHandle, WindowsDisplayHandle,
};
use std::{
    ffi::CString,
    io,
    num::{NonZeroIsize, NonZeroU32},
    ptr,
    sync::Arc,
};
use windows_sys::{
    Win32::{
        System::LibraryLoader::GetModuleHandleW,
        UI::WindowsAndMessaging::{
            CS_OWNDC, CreateWindowExW, DefWindowProcW, DestroyWindow, RegisterClassW, WNDCLASSW,
            WS_POPUP,
        },
    },
    w,
};

/// A context that draws into memory only, current on the thread that made it.
pub struct WglContext {
    /// Its functions.
    pub gl: Arc<glow::Context>,
    // Kept only because the context dies with them; dropped in this order.
    _context: PossiblyCurrentContext,
    _surface: Surface<WindowSurface>,
    _window: HiddenWindow,
}

impl WglContext {
    /// # Errors
    /// What Windows or the driver refuses.
    pub fn new() -> Result<Self, String> {
        let text = |error: glutin::error::Error| error.to_string();
        let window = HiddenWindow::new()?;
        let handle = window.handle();
        let display = RawDisplayHandle::Windows(WindowsDisplayHandle::new());
        // SAFETY: the window lives, and its handle names its instance.
        let display = unsafe { Display::new(display, Some(handle)) }.map_err(text)?;
        let template = ConfigTemplateBuilder::new()
            .compatible_with_native_window(handle)
            .with_depth_size(0)
            .with_stencil_size(0)
            .build();
        // SAFETY: the window that the template names outlives this call.
        let config = unsafe { display.find_configs(template) }
            .map_err(text)?
            .min_by_key(|config| config.num_samples())
            .ok_or("no OpenGL configuration")?;
        let attributes = ContextAttributesBuilder::new()
            .with_profile(GlProfile::Core)
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(Some(handle));
        // SAFETY: the window is dropped after the context.
        let context = unsafe { display.create_context(&config, &attributes) }.map_err(text)?;
        let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(
            handle,
            NonZeroU32::MIN,
            NonZeroU32::MIN,
        );
        // SAFETY: the window is dropped after the surface.
        let surface =
            unsafe { display.create_window_surface(&config, &attributes) }.map_err(text)?;
        let context = context.make_current(&surface).map_err(text)?;
        // SAFETY: the context that was made current above is the one whose
        // functions are loaded, and it lives as long as they do.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| match CString::new(name) {
                Ok(name) => display.get_proc_address(&name),
                Err(_) => ptr::null(),
            })
        };
        Ok(Self {
            gl: Arc::new(gl),
            _context: context,
            _surface: surface,
            _window: window,
        })
    }
}

/// A window of one pixel that nobody sees.
struct HiddenWindow {
    window: NonZeroIsize,
    instance: NonZeroIsize,
}

impl HiddenWindow {
    fn new() -> Result<Self, String> {
        let class = w!("Lovelock offscreen");
        // SAFETY: no name asks for the program itself.
        let instance = unsafe { GetModuleHandleW(ptr::null()) };
        let description = WNDCLASSW {
            style: CS_OWNDC,
            lpfnWndProc: Some(DefWindowProcW),
            cbClsExtra: 0,
            cbWndExtra: 0,
            hInstance: instance,
            hIcon: 0,
            hCursor: 0,
            hbrBackground: 0,
            lpszMenuName: ptr::null(),
            lpszClassName: class,
        };
        // SAFETY: all pointers in the description are null or to what is never freed. A
        // class that is registered already is refused, and the first is as good.
        unsafe { RegisterClassW(&raw const description) };
        // SAFETY: the class was registered above; what is null or zero may be.
        let window = unsafe {
            CreateWindowExW(
                0,
                class,
                class,
                WS_POPUP,
                0,
                0,
                1,
                1,
                0,
                0,
                instance,
                ptr::null(),
            )
        };
        match (NonZeroIsize::new(window), NonZeroIsize::new(instance)) {
            (Some(window), Some(instance)) => Ok(Self { window, instance }),
            _ => Err(format!("no window: {}", io::Error::last_os_error())),
        }
    }

    fn handle(&self) -> RawWindowHandle {
        let mut handle = Win32WindowHandle::new(self.window);
        handle.hinstance = Some(self.instance);
        RawWindowHandle::Win32(handle)
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        // SAFETY: the window is this one's, made on this thread: a context is current on
        // the thread that made it, and so nothing here goes to another.
        unsafe { DestroyWindow(self.window.get()) };
    }
}
