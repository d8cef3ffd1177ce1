//! A context of Apple's CGL, which needs no window and, unlike glutin's, no main thread.
#![expect(unsafe_code, reason = "contexts are made and dropped by unsafe calls")]

use cgl::{
    CGLChoosePixelFormat, CGLContextObj, CGLCreateContext, CGLDestroyContext,
    CGLDestroyPixelFormat, CGLError, CGLPixelFormatAttribute, CGLSetCurrentContext, kCGLNoError,
    kCGLPFAAllowOfflineRenderers, kCGLPFAOpenGLProfile,
};
use libloading::Library;
use std::{ffi::c_void, ptr, sync::Arc};

/// `kCGLOGLPVersion_GL4_Core`: OpenGL 4.1, the newest that macOS has.
const CORE_4_1: CGLPixelFormatAttribute = 0x4100;

/// `kCGLOGLPVersion_3_2_Core`, which gives 3.3 where the graphics card has it.
const CORE_3_2: CGLPixelFormatAttribute = 0x3200;

/// Where macOS keeps the functions of OpenGL.
const LIBRARY: &str = "/System/Library/Frameworks/OpenGL.framework/OpenGL";

/// A context that draws into memory only, current on the thread that made it.
pub struct CglContext {
    /// Its functions.
    pub gl: Arc<glow::Context>,
    _context: Context,
    // Last: the functions lie in it.
    _library: Library,
}

impl CglContext {
    /// # Errors
    /// The reason that CGL gives, as a number of its own.
    pub fn new() -> Result<Self, String> {
        // SAFETY: the system's own library, whose start does nothing that others mind.
        let library = unsafe { Library::new(LIBRARY) }.map_err(|error| error.to_string())?;
        let context = Context::new(CORE_4_1).or_else(|_| Context::new(CORE_3_2))?;
        // SAFETY: the functions are those of the context that was made current above,
        // and the library outlives them.
        let gl = unsafe {
            glow::Context::from_loader_function(|name| {
                library
                    .get::<*const c_void>(name.as_bytes())
                    .map_or(ptr::null(), |function| *function)
            })
        };
        Ok(Self {
            gl: Arc::new(gl),
            _context: context,
            _library: library,
        })
    }
}

/// A context that is current on the thread that made it.
struct Context(CGLContextObj);

impl Context {
    fn new(profile: CGLPixelFormatAttribute) -> Result<Self, String> {
        let attributes = [
            kCGLPFAOpenGLProfile,
            profile,
            kCGLPFAAllowOfflineRenderers,
            0,
        ];
        let (mut format, mut formats) = (ptr::null_mut(), 0);
        // SAFETY: the attributes end with zero, and both places live.
        checked("no pixel format", unsafe {
            CGLChoosePixelFormat(attributes.as_ptr(), &raw mut format, &raw mut formats)
        })?;
        if format.is_null() {
            return Err("no pixel format has a core profile of OpenGL".into());
        }
        let mut context = ptr::null_mut();
        // SAFETY: the format was chosen above; nothing is shared.
        let made = unsafe { CGLCreateContext(format, ptr::null_mut(), &raw mut context) };
        // SAFETY: the context keeps what it needs of the format.
        unsafe { CGLDestroyPixelFormat(format) };
        checked("no context", made)?;
        let context = Self(context);
        // SAFETY: the context was made above and lives.
        checked("no current context", unsafe {
            CGLSetCurrentContext(context.0)
        })?;
        Ok(context)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is this one's, and no function of it is called any more.
        unsafe {
            CGLSetCurrentContext(ptr::null_mut());
            CGLDestroyContext(self.0);
        }
    }
}

/// # Errors
/// When CGL says anything but that all is well.
fn checked(what: &str, error: CGLError) -> Result<(), String> {
    if error == kCGLNoError {
        return Ok(());
    }
    Err(format!("{what}: CGL's error {error}"))
}
