//! Numbers as people read them.

/// A count with thin gaps between thousands.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + 6);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_easy_to_read() {
        let plain = |count| grouped(count).replace('\u{2009}', " ");
        assert_eq!(plain(7), "7");
        assert_eq!(plain(3000), "3 000");
        assert_eq!(plain(1_234_567), "1 234 567");
    }
}
