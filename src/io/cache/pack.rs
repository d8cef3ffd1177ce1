//! Strands as few bits.
//!
//! Each strand begins with its first vertex as three floats; it is exact. The
//! others are multiples of the quantum, q, of which the next is foretold from
//! the last (order 1: the same again) or the last two (order 2: straight on).
//! What the foretelling misses by takes, for each axis, as many bits as the
//! strand's worst miss needs:
//!
//! ```text
//! f32 x3   first vertex [m]
//! u8  x3   for x, y, z: bits 0-6 the width w, 1 to 56; bit 7 set for order 2
//! bits     for each further vertex x, y, z: the miss m as 2m, or -2m - 1 below
//!          zero, in w bits; lowest bit first; filled up to a whole byte
//! ```

use glam::Vec3;
use rayon::prelude::*;

/// Strands that are packed together; the packs of a frame are independent.
pub const PACK: usize = 256;

/// Bytes that every strand takes at least.
const STRAND: usize = 15;

/// The widest miss. `[bits]`
const WIDEST: u32 = 56;

/// No coordinate is farther out: with 2^41 quanta, no sum below overflows. `[m]`
const FARTHEST: f32 = 16_777_216.0;

const ORDER_2: u8 = 0x80;

/// Packs of the strands that begin at `starts`. None when a coordinate is not
/// finite or beyond 16,777 km.
pub fn encode(points: &[Vec3], starts: &[u32], quantum: f64) -> Option<Vec<Vec<u8>>> {
    let strands = starts.len().saturating_sub(1);
    let packs = strands.div_ceil(PACK);
    (0..packs)
        .into_par_iter()
        .map(|pack| {
            let mut out = Vec::new();
            let mut whole = Vec::new();
            let end = strands.min((pack + 1) * PACK);
            for ends in starts[pack * PACK..=end].windows(2) {
                let strand = &points[ends[0] as usize..ends[1] as usize];
                encode_strand(strand, quantum, &mut whole, &mut out)?;
            }
            Some(out)
        })
        .collect()
}

fn encode_strand(
    strand: &[Vec3],
    quantum: f64,
    whole: &mut Vec<[i64; 3]>,
    out: &mut Vec<u8>,
) -> Option<()> {
    let first = strand.first()?;
    whole.clear();
    for p in strand {
        if !p.is_finite() || p.abs().max_element() > FARTHEST {
            return None;
        }
        whole.push(
            p.to_array()
                .map(|c| (f64::from(c) / quantum).round() as i64),
        );
    }
    for c in first.to_array() {
        out.extend(c.to_le_bytes());
    }
    let mut all = [[0u64; 2]; 3];
    for i in 1..whole.len() {
        for (axis, all) in all.iter_mut().enumerate() {
            for (order, all) in all.iter_mut().enumerate() {
                *all |= fold(miss(whole, i, axis, order == 1));
            }
        }
    }
    let ways = all.map(|[one, two]| {
        let width = |bits: u64| (64 - bits.leading_zeros()).max(1);
        match width(two) < width(one) {
            true => (width(two), true),
            false => (width(one), false),
        }
    });
    for (width, second) in ways {
        out.push(width as u8 | if second { ORDER_2 } else { 0 });
    }
    let (mut held, mut bits) = (0u64, 0);
    for i in 1..whole.len() {
        for (axis, (width, second)) in ways.iter().enumerate() {
            held |= fold(miss(whole, i, axis, *second)) << bits;
            bits += width;
            while bits >= 8 {
                out.push(held as u8);
                held >>= 8;
                bits -= 8;
            }
        }
    }
    if bits > 0 {
        out.push(held as u8);
    }
    Some(())
}

/// What the foretelling of vertex `i`, from 1, misses by.
fn miss(whole: &[[i64; 3]], i: usize, axis: usize, second: bool) -> i64 {
    let now = whole[i - 1][axis];
    let before = whole[i.saturating_sub(2)][axis];
    whole[i][axis] - now - if second { now - before } else { 0 }
}

/// Small numbers of either sign as small numbers.
fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn unfold(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The fewest bytes that so many strands of so many points in all can take.
pub fn least(strands: usize, points: usize) -> u64 {
    // Three misses of one bit each for all vertices but the first ones.
    let bits = 3 * points.saturating_sub(strands) as u64;
    (strands * STRAND) as u64 + bits / 8
}

/// Undoes [`encode`]; `points` has room for all. None when the packs do not
/// hold those strands.
pub fn decode(packs: &[&[u8]], starts: &[u32], quantum: f64, points: &mut [Vec3]) -> Option<()> {
    let strands = starts.len().saturating_sub(1);
    let mut parts = Vec::with_capacity(packs.len());
    let mut rest = points;
    for (number, bytes) in packs.iter().enumerate() {
        let from = (number * PACK).min(strands);
        let end = strands.min(from + PACK);
        let count = starts[end] - starts[from];
        let (part, tail) = rest.split_at_mut_checked(count as usize)?;
        parts.push((*bytes, &starts[from..=end], part));
        rest = tail;
    }
    let good = parts
        .into_par_iter()
        .all(|(bytes, starts, part)| decode_pack(bytes, starts, quantum, part).is_some());
    (good && rest.is_empty()).then_some(())
}

fn decode_pack(
    mut bytes: &[u8],
    starts: &[u32],
    quantum: f64,
    mut points: &mut [Vec3],
) -> Option<()> {
    for ends in starts.windows(2) {
        let (strand, tail) = points.split_at_mut_checked((ends[1] - ends[0]) as usize)?;
        bytes = decode_strand(bytes, quantum, strand)?;
        points = tail;
    }
    bytes.is_empty().then_some(())
}

fn decode_strand<'a>(bytes: &'a [u8], quantum: f64, strand: &mut [Vec3]) -> Option<&'a [u8]> {
    let (fixed, bytes) = bytes.split_first_chunk::<STRAND>()?;
    let float = |i: usize| {
        let at = 4 * i;
        f32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]])
    };
    let (first, others) = strand.split_first_mut()?;
    *first = Vec3::new(float(0), float(1), float(2));
    let mut ways = [(0u32, false); 3];
    for (way, byte) in ways.iter_mut().zip(&fixed[12..]) {
        *way = (u32::from(byte & !ORDER_2), byte & ORDER_2 != 0);
        if !(1..=WIDEST).contains(&way.0) {
            return None;
        }
    }
    let bits: u64 = ways.iter().map(|(width, _)| u64::from(*width)).sum();
    let length = (bits * others.len() as u64).div_ceil(8);
    let (packed, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    let mut next = packed.iter();
    let (mut held, mut bits) = (0u64, 0);
    let mut now = first
        .to_array()
        .map(|c| (f64::from(c) / quantum).round() as i64);
    let mut before = now;
    for point in others {
        let mut place = [0.0; 3];
        for (axis, (width, second)) in ways.iter().enumerate() {
            while bits < *width {
                held |= u64::from(*next.next()?) << bits;
                bits += 8;
            }
            let miss = unfold(held & ((1 << width) - 1));
            held >>= width;
            bits -= width;
            let on = match second {
                true => now[axis].wrapping_sub(before[axis]),
                false => 0,
            };
            before[axis] = now[axis];
            now[axis] = now[axis].wrapping_add(on).wrapping_add(miss);
            place[axis] = (now[axis] as f64 * quantum) as f32;
        }
        *point = Vec3::from_array(place);
    }
    Some(rest)
}
