//! What strands are known by while others come and go.

/// The number of each strand's root among all that were drawn, of which some are
/// thinned out: maps, the brush and the number of strands change where a strand lies in
/// the groom, not its number. Strands of a file are numbered as they lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrandNumbers {
    /// That of each strand; empty where strands are numbered as they lie.
    of: Vec<u32>,
    /// Number and strand, by number.
    sorted: Vec<[u32; 2]>,
}

impl StrandNumbers {
    /// Strands with these numbers, no two the same.
    pub fn new(of: Vec<u32>) -> Self {
        let mut sorted: Vec<[u32; 2]> = (0u32..).zip(&of).map(|(s, n)| [*n, s]).collect();
        sorted.sort_unstable();
        Self { of, sorted }
    }

    /// Whether strands are numbered as they lie: then none is thinned out.
    pub fn are_places(&self) -> bool {
        self.of.is_empty()
    }

    /// The number of a strand.
    pub fn number(&self, strand: usize) -> usize {
        self.of
            .get(strand)
            .map_or(strand, |number| *number as usize)
    }

    /// The strand with that number, where it grows; where strands are numbered as they
    /// lie, that one, though a groom may have fewer.
    pub(super) fn strand(&self, number: usize) -> Option<usize> {
        if self.are_places() {
            return Some(number);
        }
        let number = u32::try_from(number).ok()?;
        let at = self
            .sorted
            .binary_search_by_key(&number, |[n, _]| *n)
            .ok()?;
        Some(self.sorted[at][1] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strand_is_found_by_its_number() {
        let numbers = StrandNumbers::new(vec![7, 2, 9]);
        for strand in 0..3 {
            assert_eq!(numbers.strand(numbers.number(strand)), Some(strand));
        }
        assert_eq!(numbers.strand(3), None, "thinned out");
        let places = StrandNumbers::default();
        assert_eq!((places.number(5), places.strand(5)), (5, Some(5)));
    }
}
