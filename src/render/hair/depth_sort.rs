//! In which order segments are drawn: the farthest first, so that each lies over
//! what is behind it.
//!
//! Sorting every segment of every strand takes too long for a moving picture.
//! Neighbours lie at about the same distance, so one leader is sorted for a
//! group of strands, and its neighbours' segments are drawn with its own.

use crate::{groom::Groom, math::curve::morton};
use glam::Vec3;
use rayon::prelude::*;
use std::{ops::Range, sync::Arc};

/// About so many leaders are sorted.
const LEADERS: usize = 2000;

/// Groups of drawn strands, each with the guide that leads it.
#[derive(Clone, Default)]
pub(super) struct DepthSort {
    /// Vertices of each leader among the guides' vertices.
    leaders: Vec<Range<usize>>,
    /// Who is led.
    pub groups: Arc<Groups>,
    /// Places of the leaders' vertices, one leader after the other. `[m]`
    places: Vec<Vec3>,
    /// Where each leader's places begin.
    offsets: Vec<usize>,
    /// The group of each guide.
    group_of: Vec<u32>,
}

/// The drawn strands of each group.
#[derive(Default)]
pub(in super::super) struct Groups {
    /// Where each group begins in `members`, and the end.
    starts: Vec<u32>,
    /// Drawn strands by their numbers, rising within a group.
    members: Vec<u32>,
}

impl DepthSort {
    /// Leaders for the guides of `groom`; nothing is drawn until they have
    /// [`DepthSort::groups`].
    pub fn new(groom: &Groom) -> Self {
        // Guides along a curve that fills space: neighbours follow each other.
        let mut along: Vec<u32> = (0..groom.strands() as u32).collect();
        let root = |guide: u32| groom.strand(guide as usize).first().copied();
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let roots = along.iter().filter_map(|guide| root(*guide));
        let [low, high] = roots.fold(start, |[low, high], p| [low.min(p), high.max(p)]);
        let scale = 1023.0 / (high - low).max_element().max(1e-6);
        along.sort_by_cached_key(|guide| {
            let root = root(*guide).unwrap_or(low);
            morton((root - low) * scale)
        });
        let each = along.len().div_ceil(LEADERS).max(1);
        let mut order = Self {
            group_of: vec![0; along.len()],
            ..Self::default()
        };
        for (group, run) in along.chunks(each).enumerate() {
            for guide in run {
                order.group_of[*guide as usize] = group as u32;
            }
            let leader = groom.range(run[run.len() / 2] as usize);
            order.offsets.push(order.places.len());
            order
                .places
                .extend_from_slice(&groom.points[leader.clone()]);
            order.leaders.push(leader);
        }
        order.groups = Arc::new(order.grouped(&[]));
        order
    }

    /// The groups of strands that go along with these `guides`.
    pub fn grouped(&self, guides: &[u32]) -> Groups {
        // Counting sort of the drawn strands by group.
        let group_of = |guide: u32| self.group_of[guide as usize] as usize;
        let mut starts = vec![0; self.leaders.len() + 1];
        for guide in guides {
            starts[group_of(*guide) + 1] += 1;
        }
        for group in 0..self.leaders.len() {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut members = vec![0; guides.len()];
        for (strand, guide) in guides.iter().enumerate() {
            let slot = &mut next[group_of(*guide)];
            members[*slot as usize] = strand as u32;
            *slot += 1;
        }
        Groups { starts, members }
    }

    /// Takes over where the guides' vertices are now. `[m]`
    pub fn upload(&mut self, positions: &[Vec3]) {
        for (leader, offset) in self.leaders.iter().zip(&self.offsets) {
            if let Some(from) = positions.get(leader.clone()) {
                self.places[*offset..*offset + from.len()].copy_from_slice(from);
            }
        }
    }

    /// Pieces of drawn strands `0..count`, the farthest from `eye` first: `each`
    /// segments in a row (fewer at the tip) of the `segments` that a strand has.
    pub fn farthest_first(
        &self,
        eye: Vec3,
        [segments, each]: [usize; 2],
        count: usize,
        mut piece: impl FnMut(u32, Range<u32>),
    ) {
        let pieces = segments.div_ceil(each.max(1));
        let range = |i: usize| i * each..((i + 1) * each).min(segments);
        let mut keys: Vec<u64> = (0..self.leaders.len())
            .into_par_iter()
            .flat_map_iter(|group| {
                let offset = self.offsets[group];
                let places = &self.places[offset..offset + self.leaders[group].len()];
                (0..pieces).map(move |i| {
                    let middle = 0.5 * (range(i).start + range(i).end) as f32;
                    let u = middle / segments as f32;
                    let distance = along(places, u).distance_squared(eye);
                    // Positive reals sort like their bits.
                    let far = !distance.to_bits();
                    u64::from(far) << 32 | (group * pieces + i) as u64
                })
            })
            .collect();
        keys.par_sort_unstable();
        for key in keys {
            let slot = key as u32 as usize;
            let (group, i) = (slot / pieces, range(slot % pieces));
            let [from, to] = [group, group + 1].map(|g| self.groups.starts[g] as usize);
            let members = &self.groups.members[from..to];
            let shown = members.partition_point(|strand| (*strand as usize) < count);
            for strand in &members[..shown] {
                piece(*strand, i.start as u32..i.end as u32);
            }
        }
    }
}

/// The same for strands whose `points` are known, each segment by itself: right
/// where strands cross, which shows from near.
pub(super) fn every_segment(points: &[[f32; 4]], segments: usize, eye: Vec3, out: &mut Vec<u32>) {
    let each = segments + 1;
    let place = |i: usize| Vec3::new(points[i][0], points[i][1], points[i][2]);
    let mut keys: Vec<u64> = (0..points.len() / each * segments)
        .into_par_iter()
        .map(|segment| {
            let i = segment / segments * each + segment % segments;
            let far = !place(i)
                .midpoint(place(i + 1))
                .distance_squared(eye)
                .to_bits();
            u64::from(far) << 32 | segment as u64
        })
        .collect();
    keys.par_sort_unstable();
    out.clear();
    out.extend(keys.iter().map(|key| *key as u32));
}

/// The place at `u` (0..=1) of a polyline, by its vertices' numbers.
fn along(places: &[Vec3], u: f32) -> Vec3 {
    let Some(last) = places.len().checked_sub(1) else {
        return Vec3::ZERO;
    };
    let x = u * last as f32;
    let i = (x as usize).min(last.saturating_sub(1));
    places[i].lerp(places[(i + 1).min(last)], x - i as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Straight strands of 3 vertices along y, their roots along z.
    fn comb(strands: usize) -> Groom {
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for strand in 0..strands {
            let z = strand as f32 * 0.01;
            let points = [0.0, 0.1, 0.2].map(|y| Vec3::new(0.0, y, z));
            groom.points.extend(points);
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        groom
    }

    /// Segment numbers as they are drawn.
    fn sorted(order: &DepthSort, eye: Vec3, cut: [usize; 2], count: usize) -> Vec<u32> {
        let mut out = Vec::new();
        order.farthest_first(eye, cut, count, |strand, piece| {
            out.extend(piece.map(|i| strand * cut[0] as u32 + i));
        });
        out
    }

    #[test]
    fn pieces_of_several_segments_cover_each_strand_once() {
        let groom = comb(20);
        let guides: Vec<u32> = (0..40).map(|s| s % 20).collect();
        let mut order = DepthSort::new(&groom);
        order.groups = Arc::new(order.grouped(&guides));
        let eye = Vec3::new(0.0, 5.0, 0.1);
        for each in [1, 3, 7, 100] {
            let out = sorted(&order, eye, [7, each], 40);
            let mut seen = out.clone();
            seen.sort_unstable();
            assert_eq!(seen, (0..280).collect::<Vec<u32>>(), "{each}");
        }
        // Of pieces of three, those at the root lie farthest from an eye above.
        let out = sorted(&order, eye, [7, 3], 40);
        assert!(out[..120].iter().all(|segment| segment % 7 < 3));
        assert!(out[240..].iter().all(|segment| segment % 7 == 6));
    }

    #[test]
    fn every_segment_comes_once_and_nearer_ones_later() {
        let groom = comb(50);
        // Each guide, and two followers.
        let guides: Vec<u32> = (0..150).map(|s| s % 50).collect();
        let mut order = DepthSort::new(&groom);
        order.groups = Arc::new(order.grouped(&guides));
        let eye = Vec3::new(0.0, 0.1, 3.0);
        let mut out = sorted(&order, eye, [4, 1], 150);
        let mut seen = out.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..600).collect::<Vec<u32>>());
        let far = |segment: u32| {
            let (strand, i) = (segment / 4, segment % 4);
            let y = (i as f32 + 0.5) / 4.0 * 0.2;
            let z = (strand % 50) as f32 * 0.01;
            Vec3::new(0.0, y, z).distance(eye)
        };
        assert!(out.windows(2).all(|w| far(w[0]) >= far(w[1]) - 1e-5));
        // Moved to the other side, the order turns round; fewer are fewer.
        let moved: Vec<Vec3> = groom
            .points
            .iter()
            .map(|p| *p * Vec3::new(1.0, 1.0, -1.0))
            .collect();
        order.upload(&moved);
        out = sorted(&order, eye, [4, 1], 60);
        assert_eq!(out.len(), 240);
        assert!(out.iter().all(|segment| *segment < 240));
        assert_eq!(out[0] / 4 % 50, 49, "the farthest strand comes first");
    }

    #[test]
    fn many_guides_are_led_by_their_neighbours() {
        let groom = comb(9000);
        let guides: Vec<u32> = (0..9000).collect();
        let mut order = DepthSort::new(&groom);
        order.groups = Arc::new(order.grouped(&guides));
        assert!(order.leaders.len() <= LEADERS);
        let out = sorted(&order, Vec3::new(0.0, 0.0, -10.0), [2, 1], 9000);
        assert_eq!(out.len(), 18_000);
        // No strand is farther out of place than its group is wide.
        let z = |segment: u32| (segment / 2) as f32 * 0.01;
        let mut least = f32::INFINITY;
        for segment in out {
            assert!(z(segment) <= least + 0.06);
            least = least.min(z(segment));
        }
    }

    #[test]
    fn each_segment_is_sorted_where_strands_cross() {
        // Two strands of two segments: one rises towards the eye, one away.
        let point = |x: f32, z: f32| [x, 0.0, z, 0.0];
        let points = [
            [point(0.0, 0.0), point(0.0, 0.5), point(0.0, 1.0)],
            [point(0.1, 0.9), point(0.1, 0.4), point(0.1, -0.1)],
        ];
        let mut out = Vec::new();
        every_segment(points.as_flattened(), 2, Vec3::Z * 9.0, &mut out);
        assert_eq!(out, [3, 0, 2, 1]);
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        let order = DepthSort::new(&Groom {
            starts: vec![0],
            ..Groom::default()
        });
        assert!(sorted(&order, Vec3::ZERO, [3, 1], 0).is_empty());
        let mut out = vec![1];
        every_segment(&[], 3, Vec3::ZERO, &mut out);
        assert!(out.is_empty());
    }
}
