//! Which strands are drawn: the simulated ones and their followers, in an order
//! of which every beginning is an even choice.

use crate::{
    groom::{Follower, Followers, Groom, VellusHair, drawn::DrawnStrand},
    math::random,
    render::streaks::streak_number,
};
use glam::Vec3;

/// One drawn strand as shaders read it, by the functions of `shaders/record.glsl`: texels of
/// four numbers. Places and directions are in the head's space `[m]`; lengths are in metres,
/// widths shares of the diameter; guides are counted from 0, "number" is what a strand's
/// random numbers come from.
///
/// | Texel | | Follower | Guide | Vellus hair |
/// |---|---|---|---|---|
/// | 0 | xyz | from its guides' roots to its own | 0 | from its guide's root to its own |
/// | | w | length of its first guide | 0 | its length |
/// | 1 | x | weight of the first guide, 0..=1 | [`GUIDE`] | [`VELLUS`] |
/// | | y | weight of the second | width | width, a share of a single hair's |
/// | | z | weight of the third | 0 | 0 |
/// | | w | number | number | number |
/// | 2 | xyz | its three guides; it gathers around the first | itself, three times | unit vector along which it leaves the skin |
/// | | w | width | itself | its guide |
/// | 3 | rgb | colour at the root, linear | same | same |
/// | | a | 1 where it has that colour; 0 where the look colours it | same | same |
/// | 4 | rgb | the same at the tip | same | same |
/// | | a | number of its [streak](crate::render::streaks) | same | same |
type Record = [[f32; 4]; 5];

/// Texels of a record.
pub(super) const RECORD_TEXELS: usize = size_of::<Record>() / size_of::<[f32; 4]>();

/// The kinds of strands whose first weight is none: a simulated one, which draws itself, and
/// a fine hair of the hairline.
const GUIDE: f32 = -1.0;
const VELLUS: f32 = -2.0;

/// What `shaders/record.glsl` needs to know of records, and the functions in it.
pub(super) fn record_glsl() -> String {
    let functions = include_str!("../../../shaders/record.glsl");
    format!(
        "#define RECORD_TEXELS {RECORD_TEXELS}\n\
         #define GUIDE ({GUIDE:?})\n\
         #define VELLUS ({VELLUS:?})\n\
         {functions}"
    )
}

/// The number by which a strand is drawn or left out: 0..=65535.
fn draw_priority(strand: usize) -> u16 {
    (random::hash(0x5eed, strand as u64) >> 48) as u16
}

/// Whether simulated strand `strand` is among the `share` (0..=1) that is drawn.
pub fn is_drawn(strand: usize, share: f32) -> bool {
    f32::from(draw_priority(strand)) / 65535.0 <= share
}

/// The drawn strands of a groom.
#[derive(Default)]
pub(in super::super) struct Drawn {
    /// What the shader needs of each, in drawing order.
    pub records: Vec<Record>,
    /// The guide that each goes along with.
    pub guides: Vec<u32>,
    /// How many of them are fine hairs of the hairline.
    pub vellus: usize,
    /// The draw priority of each, rising.
    draw_priorities: Vec<u16>,
}

impl Drawn {
    /// The guides of `groom` themselves, and `followers` among them.
    pub fn new(groom: &Groom, followers: &Followers) -> Self {
        let (guides, following) = (groom.strands(), followers.list.len());
        let count = guides + following + followers.vellus.len();
        let mut order: Vec<(u16, usize)> = (0..count)
            .map(|strand| (draw_priority(strand), strand))
            .collect();
        order.sort_unstable();
        let mut drawn = Self {
            vellus: followers.vellus.len(),
            ..Self::default()
        };
        let root = |guide: u32| {
            let start = groom.starts.get(guide as usize);
            let point = start.and_then(|start| groom.points.get(*start as usize));
            point.copied().unwrap_or_default()
        };
        // The last number of the root's says whether there is a colour.
        let fine = |guide: usize| followers.guide_widths.get(guide).copied().unwrap_or(1.0);
        let colours = |guide: usize| match groom.colours.get(guide) {
            Some(ends) => ends.map(|[r, g, b]| [r, g, b, 1.0]),
            None => [[0.0; 4]; 2],
        };
        let ends = |guide: usize, grows_at: Vec3| {
            let [from, [r, g, b, _]] = colours(guide);
            [from, [r, g, b, streak_number(grows_at)]]
        };
        for (draw_priority, strand) in order {
            let (record, guide) = match strand.checked_sub(guides) {
                None => {
                    let ends = ends(strand, root(strand as u32));
                    let record = guide_record(strand, fine(strand), ends);
                    (record, strand as u32)
                }
                Some(index) if index >= following => {
                    let hair = &followers.vellus[index - following];
                    let grows_at = root(hair.guide) + hair.offset;
                    let ends = ends(hair.guide as usize, grows_at);
                    (vellus(hair, strand, ends), hair.guide)
                }
                Some(index) => {
                    let follower = &followers.list[index];
                    let [x, y, z] = follower.offset.to_array();
                    let [a, b, c] = follower.weights;
                    let [i, j, k] = follower.guides.map(|guide| guide as f32);
                    let leader = follower.guides[0];
                    // Whole numbers of this size are exact in single precision.
                    let id = (followers.guides + index) as f32;
                    let pulls = follower.guides.into_iter().zip(follower.weights);
                    let between: Vec3 = pulls.map(|(guide, weight)| root(guide) * weight).sum();
                    let [from, to] = ends(leader as usize, between + follower.offset);
                    let record = [
                        [x, y, z, follower.length],
                        [a, b, c, id],
                        [i, j, k, follower.width],
                        from,
                        to,
                    ];
                    (record, leader)
                }
            };
            drawn.records.push(record);
            drawn.guides.push(guide);
            drawn.draw_priorities.push(draw_priority);
        }
        drawn
    }

    /// What drawn strand `strand` is.
    pub fn strand(&self, strand: usize) -> DrawnStrand {
        let [place, kind, third, ..] = &self.records[strand];
        let [offset, heading] = [place, third].map(|[x, y, z, _]| Vec3::new(*x, *y, *z));
        let id = kind[3] as u32;
        if kind[0] == VELLUS {
            let hair = VellusHair {
                guide: third[3] as u32,
                offset,
                heading,
                length: place[3],
                width: kind[1],
            };
            return DrawnStrand::Vellus(hair, id);
        }
        if kind[0] == GUIDE {
            return DrawnStrand::Guide(third[0] as u32);
        }
        let follower = Follower {
            offset,
            weights: [kind[0], kind[1], kind[2]],
            guides: [third[0], third[1], third[2]].map(|guide| guide as u32),
            length: place[3],
            width: third[3],
        };
        DrawnStrand::Follower(follower, id)
    }

    /// What drawn strand `strand` is finer than others by, a factor: as
    /// shaders/width.glsl has it. `fly_away` tells the width of a follower with
    /// that number where it is one that stands off; a `single` hair is so wide.
    pub fn fineness(
        &self,
        strand: usize,
        single: f32,
        fly_away: impl Fn(u32) -> Option<f32>,
    ) -> f32 {
        match self.records.get(strand) {
            Some([_, [VELLUS, width, ..], ..]) => *width * single,
            Some([_, [GUIDE, width, ..], ..]) => *width,
            Some([_, [.., id], [.., width], ..]) => fly_away(*id as u32).unwrap_or(*width),
            None => 1.0,
        }
    }

    /// How many of the first `strands` are no fine hairs of the hairline, which make
    /// no head fuller.
    pub fn without_fine(&self, strands: usize) -> usize {
        let all = self.records.len().max(1);
        strands - (strands * self.vellus / all).min(strands)
    }

    /// How many of them make up `share` (0..=1).
    pub fn count(&self, share: f32) -> usize {
        self.draw_priorities
            .partition_point(|draw_priority| f32::from(*draw_priority) / 65535.0 <= share)
    }
}

/// A fine hair of the hairline.
fn vellus(hair: &VellusHair, strand: usize, [root, tip]: [[f32; 4]; 2]) -> Record {
    let [x, y, z] = hair.offset.to_array();
    let [i, j, k] = hair.heading.to_array();
    [
        [x, y, z, hair.length],
        [VELLUS, hair.width, 0.0, strand as f32],
        [i, j, k, hair.guide as f32],
        root,
        tip,
    ]
}

/// A guide that draws itself, at that share of the width.
fn guide_record(strand: usize, width: f32, [root, tip]: [[f32; 4]; 2]) -> Record {
    let id = strand as f32;
    [[0.0; 4], [GUIDE, width, 0.0, id], [id; 4], root, tip]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_draws_the_strands_that_picking_takes_for_drawn() {
        let groom = Groom {
            points: vec![glam::Vec3::ZERO; 2000],
            starts: (0..=1000).map(|i| 2 * i).collect(),
            masses: vec![1.0; 1000],
            ..Groom::default()
        };
        let drawn = Drawn::new(&groom, &Followers::default());
        for share in [0.0, 0.1, 0.5, 1.0] {
            let count = drawn.count(share);
            let mut seen: Vec<u32> = drawn.guides[..count].to_vec();
            seen.sort_unstable();
            let wanted: Vec<u32> = (0..1000).filter(|s| is_drawn(*s as usize, share)).collect();
            assert_eq!(seen, wanted);
            assert!((count as f32 - 1000.0 * share).abs() < 60.0, "{count}");
        }
    }
}
