//! Why an archive cannot be read.

/// Why an archive cannot be read: what, at which byte, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{text}; the file is damaged or cut off, export it again")]
pub struct Error {
    /// Where, in bytes from the beginning.
    pub at: u64,
    /// What is wrong.
    pub text: String,
}

impl Error {
    pub(crate) fn new(at: u64, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
        }
    }
}
