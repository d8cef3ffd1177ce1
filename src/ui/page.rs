//! The pages of plots under the picture.

/// A page of the dock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// What the whole head of hair does over time.
    Time,
    /// One strand, vertex by vertex.
    Strand,
}

impl Page {
    /// All of them, with name and meaning.
    pub const ALL: [(Self, &'static str, &'static str); 2] = [
        (
            Self::Time,
            "Over time",
            "Stretch and energy of the whole head of hair, and how far two sides are apart",
        ),
        (
            Self::Strand,
            "Strand inspector",
            "One strand, vertex by vertex: click it in the picture",
        ),
    ];
}
