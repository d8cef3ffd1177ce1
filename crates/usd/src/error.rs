//! Why a layer cannot be read.

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsdPlace {
    /// The file as a whole.
    Whole,
    /// A line, from 1.
    Line(usize),
    /// So many bytes from the beginning.
    Byte(usize),
}

/// Why a layer cannot be read: what, where, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{text}; export the file again")]
pub struct UsdError {
    /// Where.
    pub place: UsdPlace,
    /// What is wrong.
    pub text: String,
}

impl UsdError {
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self {
            place: UsdPlace::Whole,
            text: text.into(),
        }
    }

    pub(crate) fn line(line: usize, text: impl Into<String>) -> Self {
        Self {
            place: UsdPlace::Line(line),
            text: text.into(),
        }
    }

    pub(crate) fn byte(at: usize, text: impl Into<String>) -> Self {
        Self {
            place: UsdPlace::Byte(at),
            text: text.into(),
        }
    }
}
