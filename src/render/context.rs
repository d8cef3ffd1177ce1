//! An OpenGL context without a window on the screen.

#[cfg(target_os = "macos")]
mod cgl;
#[cfg(not(any(windows, target_os = "macos")))]
mod egl;
#[cfg(windows)]
mod hidden_window;

use super::{RenderError, gl::describe};
use parking_lot::{ReentrantMutex, ReentrantMutexGuard};
use std::sync::Arc;

#[cfg(target_os = "macos")]
use self::cgl::CglContext as Offscreen;
#[cfg(not(any(windows, target_os = "macos")))]
use self::egl::EglContext as Offscreen;
#[cfg(windows)]
use self::hidden_window::WglContext as Offscreen;

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
    offscreen: Offscreen,
    // Last: the next one begins when all of this one is gone.
    _turn: ReentrantMutexGuard<'static, ()>,
}

impl Headless {
    /// Makes a context and makes it current on this thread: with EGL, on the first
    /// device that can (graphics hardware or software), else on its default display,
    /// which `EGL_PLATFORM=surfaceless` helps to exist; on Windows for a window that is
    /// never shown, on macOS without any.
    ///
    /// # Errors
    /// When no way leads to an OpenGL 3.3 core context; the message has the
    /// reason that each of them gave.
    pub fn new() -> Result<Self, RenderError> {
        let turn = TURN.lock();
        Ok(Self {
            offscreen: Offscreen::new().map_err(RenderError::Context)?,
            _turn: turn,
        })
    }

    /// The functions of the context.
    pub fn gl(&self) -> Arc<glow::Context> {
        self.offscreen.gl.clone()
    }

    /// What draws, in the driver's words: renderer and version.
    pub fn describe(&self) -> String {
        describe(&self.offscreen.gl)
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
