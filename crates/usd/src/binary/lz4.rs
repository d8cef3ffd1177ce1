//! LZ4 as USD's `TfFastCompression` has it: a count of chunks, none where it is one block,
//! and before each chunk its size.

use lz4_flex::block;

/// A block of LZ4 makes no more than so many bytes of one.
const MOST: usize = 255;

/// Decompresses to at most `most` bytes; none where the bytes are damaged or there are more.
pub fn decompress(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let (chunks, mut rest) = bytes.split_first()?;
    if *chunks == 0 {
        return one(rest, most);
    }
    let mut out = Vec::new();
    for _ in 0..*chunks {
        let (size, behind) = rest.split_at_checked(4)?;
        let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
        let (chunk, behind) = behind.split_at_checked(size)?;
        out.extend(one(chunk, most.checked_sub(out.len())?)?);
        rest = behind;
    }
    Some(out)
}

fn one(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; most.min(bytes.len().saturating_mul(MOST))];
    let size = block::decompress_into(bytes, &mut out).ok()?;
    out.truncate(size);
    Some(out)
}

/// Compresses as one block.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0];
    out.extend(block::compress(bytes));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_and_no_more_is_made_than_asked_for() {
        let word = b"hair hair hair hair hair hair";
        assert_eq!(
            decompress(&compress(word), word.len()).as_deref(),
            Some(&word[..])
        );
        assert_eq!(decompress(&compress(word), word.len() - 1), None);
        let chunk = &compress(word)[1..];
        let size = (chunk.len() as u32).to_le_bytes();
        let two = [&[2][..], &size, chunk, &size, chunk].concat();
        let joined = decompress(&two, 100).expect("joins");
        assert_eq!(joined, [&word[..], word].concat());
        assert_eq!(decompress(&two, 40), None);
        assert_eq!(decompress(&two[..two.len() - 3], 100), None);
    }
}
