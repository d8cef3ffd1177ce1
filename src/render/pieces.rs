//! Which vertices hang together.

/// Vertices in pieces: at first each is one of its own.
pub(super) struct Pieces {
    /// Of each vertex one of the same piece, nearer to its least.
    nearer: Vec<u32>,
}

impl Pieces {
    /// So many vertices.
    pub fn new(count: usize) -> Self {
        Self {
            nearer: (0..count as u32).collect(),
        }
    }

    /// Puts two vertices, and all that hang together with them, into one piece.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.nearer[a.max(b) as usize] = a.min(b);
    }

    /// The least vertex of the piece that `v` is in.
    pub fn first(&mut self, mut v: u32) -> u32 {
        let nearer = &mut self.nearer;
        while nearer[v as usize] != v {
            // The way is shortened for the next who asks.
            nearer[v as usize] = nearer[nearer[v as usize] as usize];
            v = nearer[v as usize];
        }
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_vertices_are_one_piece_and_others_are_not() {
        let mut pieces = Pieces::new(6);
        for (a, b) in [(4, 5), (5, 2), (0, 3)] {
            pieces.join(a, b);
        }
        let first: Vec<u32> = (0..6).map(|v| pieces.first(v)).collect();
        assert_eq!(first, [0, 1, 2, 0, 2, 2]);
    }
}
