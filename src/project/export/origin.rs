//! Strands of a file go out as they came in: in the file's order, with its points,
//! widths, colours and columns.

use crate::{
    groom::{BindReport, FileAttributes, Groom, Interpolation},
    io::strands::{
        Attribute, Strands,
        attribute::{self, Of, Values},
    },
    math::Pose,
};
use glam::Vec3;
use std::sync::Arc;

/// Where a strand that is written comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrandSource {
    /// It is simulated.
    Strand(usize),
    /// It follows simulated ones as the file has it.
    Following(usize),
    /// It has no length, and rides on the head.
    Rigid(usize),
    /// It is drawn, and follows others.
    Follower(usize),
    /// It is drawn, a fine hair of the hairline.
    Vellus(usize),
}

/// The file that a groom comes from.
#[derive(Clone)]
pub struct Origin {
    /// What it holds.
    strands: Arc<Strands>,
    /// How that came onto the head.
    report: Arc<BindReport>,
}

impl Origin {
    /// That of `groom`, which is `bound` as its report says.
    pub fn new(groom: &Groom, strands: &Arc<Strands>, bound: &Arc<BindReport>) -> Option<Self> {
        let file = &bound.file;
        let same = file.numbers.len() == groom.strands() && file.count == strands.len();
        same.then(|| Self {
            strands: strands.clone(),
            report: bound.clone(),
        })
    }

    /// What was left out or taken otherwise when the file was read, a sentence each; that
    /// it has more poses is none of it.
    pub fn notes(&self) -> &[String] {
        &self.strands.notes
    }

    /// What the file says of each vertex of the groom.
    pub fn own(&self) -> Arc<FileAttributes> {
        self.report.own.clone()
    }

    /// All strands of the file that are there, in its order.
    pub fn sources(&self) -> Vec<StrandSource> {
        let file = &self.report.file;
        let simulated = file.numbers.iter().enumerate();
        let simulated = simulated.map(|(i, number)| (*number, StrandSource::Strand(i)));
        let rigid = file.rigid.iter().enumerate();
        let rigid = rigid.map(|(i, rigid)| (rigid.number, StrandSource::Rigid(i)));
        let following = file.followers.iter().enumerate();
        let following = following.map(|(i, number)| (*number, StrandSource::Following(i)));
        let mut all: Vec<(u32, StrandSource)> = simulated.chain(following).chain(rigid).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, source)| source).collect()
    }

    /// Where the root of one that rides on the head is, in the head's space. `[m]`
    pub fn rigid_root(&self, rigid: usize) -> Vec3 {
        let points = &self.report.file.rigid[rigid].points;
        points.first().copied().unwrap_or_default()
    }

    /// Points of a strand that rides on a head at `pose`. `[m]`
    pub fn write_rigid(&self, rigid: usize, pose: &Pose, out: &mut Vec<Vec3>) {
        let points = self.report.file.rigid[rigid].points.iter();
        out.extend(points.map(|p| pose.point(*p)));
    }

    /// How strands of the file follow simulated ones.
    pub fn following(&self) -> &Interpolation {
        &self.report.file.following
    }

    /// Points of simulated strand `strand` of `groom`, whose vertices are at `now`, and
    /// whether they are those of the file. `[m]`
    pub fn write(
        &self,
        groom: &Groom,
        strand: usize,
        now: &[Vec3],
        pose: &Pose,
        out: &mut Vec<Vec3>,
    ) {
        match self.is_whole(groom, strand) {
            true => {
                let rest = groom.strand(strand);
                self.report.file.write(strand, rest, now, pose, out);
            }
            false => out.extend_from_slice(now),
        }
    }

    /// Whether simulated strand `strand` still is as long as in the file.
    fn is_whole(&self, groom: &Groom, strand: usize) -> bool {
        let file = &self.report.file;
        let points = self.strands.range(file.numbers[strand] as usize).len();
        file.fits(strand, groom.range(strand).len(), points)
    }

    /// Its number in the file; of what is drawn with another that of its guide.
    fn number(&self, source: StrandSource, guide: impl Fn(StrandSource) -> usize) -> usize {
        let file = &self.report.file;
        let number = match source {
            StrandSource::Strand(i) => file.numbers[i],
            StrandSource::Rigid(i) => file.rigid[i].number,
            StrandSource::Following(i) => file.followers[i],
            StrandSource::Follower(_) | StrandSource::Vellus(_) => file.numbers[guide(source)],
        };
        number as usize
    }

    /// Widths of the points `[m]` and colours of a strand as the file has them; none
    /// where it is silent, or nobody wants them.
    pub fn looks(
        &self,
        groom: &Groom,
        source: StrandSource,
    ) -> (Option<Vec<f32>>, Option<&[[f32; 3]]>) {
        let whole = match source {
            StrandSource::Strand(strand) => self.is_whole(groom, strand),
            StrandSource::Rigid(i) => !self.report.file.rigid[i].points.is_empty(),
            StrandSource::Following(_) => true,
            StrandSource::Follower(_) | StrandSource::Vellus(_) => false,
        };
        if !whole {
            return (None, None);
        }
        let own = &self.report.own;
        let range = self.strands.range(self.number(source, |_| 0));
        let widths = self.strands.widths.get(range.clone());
        let widths = widths.filter(|_| !own.widths.is_empty());
        let metres = self.report.file.metres;
        let colours = self.strands.colours.get(range);
        (
            widths.map(|widths| widths.iter().map(|width| width * metres).collect()),
            colours.filter(|_| !own.colours.is_empty()),
        )
    }

    /// Where a strand is rooted on the head's texture, if the file says so.
    pub fn root_uv(&self, source: StrandSource) -> Option<[f32; 2]> {
        match source {
            source if is_new(source) => None,
            source => self
                .strands
                .root_uvs
                .get(self.number(source, |_| 0))
                .copied(),
        }
    }

    /// The file's columns for the strands `sources`, which have so many `points`
    /// each; without numbers of strands among them the file's own count. What is drawn
    /// with another has a `guide` to take them from.
    pub fn columns(
        &self,
        sources: &[StrandSource],
        points: impl Fn(usize) -> usize,
        guide: impl Fn(StrandSource) -> usize,
    ) -> Vec<Attribute> {
        let numbers: Vec<usize> = sources
            .iter()
            .map(|source| self.number(*source, &guide))
            .collect();
        let mut out: Vec<Attribute> = Vec::new();
        for column in &self.strands.attributes {
            out.push(match column.of {
                Of::Groom => column.clone(),
                Of::Strand => column.picked(numbers.iter().copied()),
                Of::Point => {
                    let rows = numbers.iter().enumerate().flat_map(|(i, number)| {
                        let own = self.strands.range(*number);
                        let count = points(i);
                        (0..count).map(move |k| nearest(&own, k, count))
                    });
                    let rows: Vec<usize> = rows.collect();
                    column.picked(rows.iter().copied())
                }
            });
        }
        let ids = out
            .iter_mut()
            .find(|column| column.name == attribute::ID && column.of == Of::Strand);
        let new = sources.iter().map(|source| is_new(*source));
        match ids {
            Some(ids) => number_anew(&mut ids.values, new),
            None => {
                let mut values = Values::I32(numbers.iter().map(|n| *n as i32).collect());
                number_anew(&mut values, new);
                out.push(Attribute {
                    name: attribute::ID.into(),
                    of: Of::Strand,
                    each: 1,
                    values,
                });
            }
        }
        out
    }
}

/// Whether no strand of the file is this one.
fn is_new(source: StrandSource) -> bool {
    matches!(source, StrandSource::Follower(_) | StrandSource::Vellus(_))
}

/// The point of a strand in the file that point `k` of `count` stands for.
fn nearest(own: &std::ops::Range<usize>, k: usize, count: usize) -> usize {
    let last = own.len().saturating_sub(1);
    match count == own.len() || count < 2 {
        true => own.start + k.min(last),
        false => own.start + (k * last + (count - 1) / 2) / (count - 1),
    }
}

/// Gives strands that are `new` numbers that no other has.
fn number_anew(ids: &mut Values, new: impl Iterator<Item = bool>) {
    match ids {
        Values::I32(ids) => {
            let mut next = ids.iter().copied().max().unwrap_or(-1);
            for (id, _) in ids.iter_mut().zip(new).filter(|(_, new)| *new) {
                next = next.saturating_add(1);
                *id = next;
            }
        }
        Values::I64(ids) => {
            let mut next = ids.iter().copied().max().unwrap_or(-1);
            for (id, _) in ids.iter_mut().zip(new).filter(|(_, new)| *new) {
                next = next.saturating_add(1);
                *id = next;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_follower_stand_for_those_of_its_strand() {
        let rows = |count| (0..count).map(move |k| nearest(&(10..15), k, count));
        assert!(rows(5).eq(10..15));
        assert!(rows(3).eq([10, 12, 14]));
        assert!(rows(9).eq([10, 11, 11, 12, 12, 13, 13, 14, 14]));
        assert!(rows(1).eq([10]));
    }

    #[test]
    fn new_strands_get_numbers_that_none_has() {
        let mut ids = Values::I32(vec![7, 3, 3, 7]);
        number_anew(&mut ids, [false, false, true, true].into_iter());
        assert_eq!(ids, Values::I32(vec![7, 3, 8, 9]));
    }
}
