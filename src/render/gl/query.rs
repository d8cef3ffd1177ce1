//! When the graphics processor has come to a point of its work.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::Gl;
use glow::HasContext as _;

/// A point in the work that was asked for, and the time when it is reached.
pub(in crate::render) struct Stamp {
    gl: Gl,
    raw: glow::Query,
}

impl Stamp {
    /// A stamp; none where the driver has none left.
    pub fn new(gl: &Gl) -> Option<Self> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_query() }.ok()?;
        Some(Self {
            gl: gl.clone(),
            raw,
        })
    }

    /// Marks what was asked for until now.
    pub fn mark(&self) {
        // SAFETY: the query is of this context; counters need no end.
        unsafe { self.gl.0.query_counter(self.raw, glow::TIMESTAMP) };
    }

    /// When the mark was reached; none as long as it is not. `[ns]`
    pub fn time(&self) -> Option<u64> {
        let gl = &*self.gl.0;
        // SAFETY: the query is of this context and has been marked; its result
        // is only asked for where it is there.
        unsafe {
            let there = gl.get_query_parameter_u32(self.raw, glow::QUERY_RESULT_AVAILABLE);
            (there != 0).then(|| gl.get_query_parameter_u64(self.raw, glow::QUERY_RESULT))
        }
    }
}

impl Drop for Stamp {
    fn drop(&mut self) {
        // SAFETY: the query is of this context, which is current.
        unsafe { self.gl.0.delete_query(self.raw) };
    }
}
