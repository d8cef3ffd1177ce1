//! Whether the driver has lost the context: after a reset of the graphics card, an
//! update of the driver, or a long sleep of the machine.
#![expect(
    unsafe_code,
    reason = "glow has no name for glGetGraphicsResetStatus, which is called by its address"
)]

use glow::HasContext as _;
use glutin::display::{Display, GlDisplay as _};
use std::{cell::Cell, ffi::c_void};

/// `glGetGraphicsResetStatus`.
type GetResetStatus = extern "system" fn() -> u32;

/// What is known of the context of a window: a driver may tell of a reset only once.
pub(super) struct ResetStatus {
    /// None where the driver cannot tell.
    get: Option<GetResetStatus>,
    lost: Cell<bool>,
    /// Frames shown so far.
    frames: Cell<u32>,
    /// After so many the context counts as lost, for tests.
    lose_after: Option<u32>,
}

impl ResetStatus {
    /// Of a context of that display, which is current.
    pub fn new(gl: &glow::Context, display: &Display, lose_after: Option<u32>) -> Self {
        let version = gl.version();
        let has = |extension| gl.supported_extensions().contains(extension);
        // A name that the driver does not offer may have an address all the same.
        let name = if (version.major, version.minor) >= (4, 5) || has("GL_KHR_robustness") {
            Some(c"glGetGraphicsResetStatus")
        } else if has("GL_ARB_robustness") {
            Some(c"glGetGraphicsResetStatusARB")
        } else {
            None
        };
        let address = name.map_or(std::ptr::null(), |name| display.get_proc_address(name));
        // SAFETY: a null pointer becomes `None`; any other is that function, which
        // takes nothing and answers with a GLenum.
        let get = unsafe { std::mem::transmute::<*const c_void, Option<GetResetStatus>>(address) };
        if get.is_none() {
            log::debug!("the driver does not tell when it loses a context");
        }
        Self {
            get,
            lost: Cell::new(false),
            frames: Cell::new(0),
            lose_after,
        }
    }

    /// A frame was shown.
    pub fn shown(&self) {
        self.frames.set(self.frames.get().saturating_add(1));
    }

    /// The window system says that the context is lost.
    pub fn lose(&self) {
        self.lost.set(true);
    }

    /// Whether the context is lost; it must be the current one.
    pub fn is_lost(&self) -> bool {
        let lost = self.lost.get()
            || self.get.is_some_and(|get| get() != glow::NO_ERROR)
            || self
                .lose_after
                .is_some_and(|most| self.frames.get() >= most);
        self.lost.set(lost);
        lost
    }
}
