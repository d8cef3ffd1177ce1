//! Whole numbers as USD's `Sdf_IntegerCompression` has them: each by how it differs from
//! the one before; the most common difference once, and of each number two bits that say
//! whether it differs by that or by how many bytes.

use super::lz4;
use std::collections::HashMap;

/// Bytes of the four codes for numbers of 32 bits, and of 64.
const WIDTHS: [[usize; 4]; 2] = [[0, 1, 2, 4], [0, 2, 4, 8]];

fn number(bytes: &[u8]) -> Option<i64> {
    Some(match *bytes {
        [a] => i64::from(a as i8),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => i64::from_le_bytes(bytes.try_into().ok()?),
    })
}

/// `count` numbers out of compressed bytes, of 64 bits where they are `wide`; none where
/// these are damaged. Needs twelve bytes a number, or seventeen.
pub fn read(bytes: &[u8], count: usize, wide: bool) -> Option<Vec<i64>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let size = if wide { 8 } else { 4 };
    let codes = count.div_ceil(4);
    let most = count.checked_mul(size)?.checked_add(size + codes)?;
    let all = lz4::decompress(bytes, most)?;
    let (common, rest) = all.split_at_checked(size)?;
    let (codes, mut rest) = rest.split_at_checked(codes)?;
    let common = number(common)?;
    let mut out = Vec::with_capacity(count);
    let mut last = 0i64;
    for i in 0..count {
        let code = usize::from(codes[i / 4] >> (2 * (i % 4)) & 3);
        let step = match WIDTHS[usize::from(wide)][code] {
            0 => common,
            width => {
                let (own, behind) = rest.split_at_checked(width)?;
                rest = behind;
                number(own)?
            }
        };
        last = last.wrapping_add(step);
        if !wide {
            last = i64::from(last as i32);
        }
        out.push(last);
    }
    Some(out)
}

/// Numbers of 32 bits, compressed.
pub fn write(numbers: impl Iterator<Item = i32>) -> Vec<u8> {
    let mut last = 0i32;
    let steps = numbers.map(|number| {
        let step = number.wrapping_sub(last);
        last = number;
        step
    });
    let steps: Vec<i32> = steps.collect();
    if steps.is_empty() {
        return lz4::compress(&[]);
    }
    let mut often = HashMap::new();
    for step in &steps {
        *often.entry(*step).or_insert(0usize) += 1;
    }
    // The same numbers give the same bytes.
    let common = often
        .into_iter()
        .max_by_key(|(step, count)| (*count, *step));
    let common = common.map_or(0, |(step, _)| step);
    let mut codes = vec![0u8; steps.len().div_ceil(4)];
    let mut own = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let code = if *step == common {
            0
        } else if let Ok(small) = i8::try_from(*step) {
            own.extend(small.to_le_bytes());
            1
        } else if let Ok(small) = i16::try_from(*step) {
            own.extend(small.to_le_bytes());
            2
        } else {
            own.extend(step.to_le_bytes());
            3
        };
        codes[i / 4] |= code << (2 * (i % 4));
    }
    lz4::compress(&[&common.to_le_bytes()[..], &codes, &own].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_reference_is_read() {
        // From the head of pxr/usd/sdf/integerCoding.h: 123, 124, 125, 100125, 100125,
        // 100126, 100126 differ by 123, 1, 1, 100000, 0, 1, 0.
        let bytes = [
            1,
            0,
            0,
            0,
            0b1100_0001,
            0b0001_0001,
            123,
            0xa0,
            0x86,
            1,
            0,
            0,
            0,
        ];
        let found = read(&lz4::compress(&bytes), 7, false);
        let wanted = [123, 124, 125, 100_125, 100_125, 100_126, 100_126];
        assert_eq!(found.as_deref(), Some(&wanted[..]));
        assert_eq!(
            read(&lz4::compress(&bytes[..10]), 7, false),
            None,
            "cut off"
        );
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<i32>(), 0..40)) {
            let bytes = write(numbers.iter().copied());
            let found = read(&bytes, numbers.len(), false).expect("reads");
            let wanted: Vec<i64> = numbers.into_iter().map(i64::from).collect();
            prop_assert_eq!(found, wanted);
        }
    }
}
