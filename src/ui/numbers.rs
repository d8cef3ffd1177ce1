//! Numbers as people read them.

/// A count with gaps between thousands, at which no line is broken.
///
/// The thin spaces would look better, but egui breaks lines at each of them.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + 6);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}

/// So many bytes in words.
pub fn size(bytes: u64) -> String {
    let megabytes = bytes as f64 / 1e6;
    match megabytes {
        small if small < 0.1 => format!("{:.1} kB", 1e3 * megabytes),
        large if large >= 1e3 => format!("{:.1} GB", 1e-3 * megabytes),
        _ => format!("{megabytes:.1} MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_they_are_read_in() {
        assert_eq!(size(2_300), "2.3 kB");
        assert_eq!(size(4_230_000), "4.2 MB");
        assert_eq!(size(3_504_000_000), "3.5 GB");
    }

    #[test]
    fn counts_are_easy_to_read() {
        let plain = |count| grouped(count).replace('\u{a0}', " ");
        assert_eq!(plain(7), "7");
        assert_eq!(plain(3000), "3 000");
        assert_eq!(plain(1_234_567), "1 234 567");
    }
}
