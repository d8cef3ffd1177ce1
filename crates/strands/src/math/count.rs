//! Counts in sentences.

use std::fmt::Display;

/// A count and what is counted: `one` where it is 1, and `many` otherwise.
///
/// ```
/// use lovelock_strands::math::counted;
/// assert_eq!(counted(1, "strand is", "strands are"), "1 strand is");
/// assert_eq!(counted(0, "strand is", "strands are"), "0 strands are");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let what = if count == N::from(1) { one } else { many };
    format!("{count} {what}")
}
