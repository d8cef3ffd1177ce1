//! Which strands of a file are simulated, and how the others follow them.

use super::{
    Groom,
    file_strands::FileStrands,
    followers::Bed,
    interpolation::{Interpolation, choose},
    settled::Settled,
};
use crate::{math::random, mesh::CollisionMesh};

/// Strands of a file, parted.
pub(super) struct Parted {
    /// Those that are simulated.
    pub guides: Vec<Settled>,
    /// Those that follow them.
    pub others: Vec<Settled>,
}

/// Parts `strands`, which lie along a curve that fills the scalp: `count` of them, chosen
/// by their roots and shapes, are simulated; without a count those that the file calls
/// guides, and all where it calls none so, or all.
pub(super) fn part(strands: Vec<Settled>, count: usize, is_guide: &[bool]) -> Parted {
    let called = |strand: &Settled| is_guide.get(strand.index).copied().unwrap_or(false);
    let wanted: Vec<bool> = match count {
        0 if strands.iter().any(called) => strands.iter().map(called).collect(),
        0 => vec![true; strands.len()],
        count => {
            let shapes: Vec<&[glam::Vec3]> = strands.iter().map(|s| &s.points[..]).collect();
            let mut wanted = vec![false; strands.len()];
            choose(shapes, count)
                .into_iter()
                .for_each(|guide| wanted[guide] = true);
            wanted
        }
    };
    let mut parted = Parted {
        guides: Vec::new(),
        others: Vec::new(),
    };
    for (strand, wanted) in strands.into_iter().zip(wanted) {
        match wanted {
            true => parted.guides.push(strand),
            false => parted.others.push(strand),
        }
    }
    parted
}

impl Parted {
    /// The simulated strands, and where others may be drawn beside those of the file.
    pub fn groom(&self, file: &mut FileStrands) -> (Groom, Bed) {
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for strand in &self.guides {
            file.add(strand.index as u32, &strand.places, &strand.from);
            groom.points.extend_from_slice(&strand.points);
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        let all = self.guides.iter().chain(&self.others);
        let mut around: Vec<_> = all
            .map(|strand| (strand.points[0], strand.normal))
            .collect();
        // Spread so that the first of them are everywhere.
        shuffle(&mut around);
        (groom, Bed::beside(around))
    }

    /// How the others follow the strands of `groom` on the head `body`.
    pub fn interpolation(&mut self, groom: &Groom, body: &CollisionMesh) -> Interpolation {
        let curve = |strand: &mut Settled| match strand.all.is_empty() {
            true => strand.points.clone(),
            false => std::mem::take(&mut strand.all),
        };
        let curves: Vec<_> = self.others.iter_mut().map(curve).collect();
        Interpolation::new(groom, &curves, body)
    }
}

fn shuffle<T>(all: &mut [T]) {
    for i in (1..all.len()).rev() {
        all.swap(i, (random::hash(i as u64, 0xbed) % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn strand(i: usize) -> Settled {
        let root = Vec3::X * 0.01 * i as f32;
        Settled {
            index: i,
            points: vec![root, root + 0.1 * Vec3::Y],
            ..Settled::default()
        }
    }

    #[test]
    fn guides_are_chosen_evenly_and_each_strand_goes_one_way() {
        let parted = part((0..100).map(strand).collect(), 25, &[]);
        let guides: Vec<usize> = parted.guides.iter().map(|strand| strand.index).collect();
        assert_eq!(guides.len(), 25);
        assert!(
            guides
                .windows(2)
                .all(|pair| (2..=6).contains(&(pair[1] - pair[0])))
        );
        let mut all = guides;
        all.extend(parted.others.iter().map(|strand| strand.index));
        all.sort_unstable();
        assert!(all.into_iter().eq(0..100), "each strand once");
        let all = part((0..100).map(strand).collect(), 0, &[]);
        assert_eq!((all.guides.len(), all.others.len()), (100, 0));
    }

    #[test]
    fn what_the_file_calls_a_guide_is_one() {
        let called: Vec<bool> = (0..100).map(|i| i % 10 == 3).collect();
        let parted = part((0..100).map(strand).collect(), 0, &called);
        let guides = parted.guides.iter().map(|strand| strand.index);
        assert!(guides.eq((3..100).step_by(10)));
        let more = part((0..100).map(strand).collect(), 40, &called);
        assert_eq!(more.guides.len(), 40);
    }
}
