//! What a hand did to a head of hair, and where that is on hair of which strands came and
//! went since.

use super::Grab;
use crate::{
    groom::{
        Groom,
        edit::{Edits, ROOT_SLACK},
    },
    math::counted,
    sim::attachment::AttachmentKind,
};
use glam::Vec3;
use std::{borrow::Cow, sync::Arc};
use thiserror::Error;

/// What a hand did to a head of hair. Strands go by their numbers
/// ([`StrandNumbers`](crate::groom::StrandNumbers)), so that it stays on them while others
/// are planted and thinned out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handwork {
    /// Rest curves that were cut and combed.
    pub edits: Edits,
    /// Where hair is pinned to the head.
    pub pins: Arc<[Pin]>,
}

/// A vertex that is pinned to the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// The number of its strand.
    pub number: usize,
    /// The vertex.
    pub vertex: usize,
    /// Where it should be, in the head's space. `[m]`
    pub place: Vec3,
}

/// Handwork that does not belong to this hair.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "the hair was cut, combed or pinned when it was other hair: {what}; give head, roots and groom \
     the values they had, or delete [handwork] and [[pin]] from the scene"
)]
pub struct HandworkError {
    /// What does not fit.
    what: String,
}

impl Handwork {
    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.pins.is_empty()
    }

    /// The rest curves that strands of `groom` were given. `[m]`
    pub fn curves<'a>(
        &'a self,
        groom: &'a Groom,
    ) -> impl Iterator<Item = (usize, Cow<'a, [Vec3]>)> {
        self.edits.iter().filter_map(|(number, _)| {
            let strand = groom.strand_numbered(number)?;
            Some((strand, self.edits.curve(groom, strand)?))
        })
    }

    /// What of `groom` is pinned.
    pub fn grabs(&self, groom: &Groom) -> impl Iterator<Item = Grab> {
        self.pins.iter().filter_map(|pin| {
            Some(Grab {
                strand: groom.strand_numbered(pin.number)?,
                vertex: pin.vertex,
                place: pin.place,
                on_head: true,
                kind: AttachmentKind::Pin,
            })
        })
    }

    /// Whether it can be done to `groom`: the number of strands that are thinned out
    /// there, on which it waits for them.
    ///
    /// # Errors
    /// The first strand that is not as it was.
    pub fn fits(&self, groom: &Groom) -> Result<usize, HandworkError> {
        let misfit = |what| Err(HandworkError { what });
        let missing = |number: usize| {
            let strands = groom.strands();
            format!("strand {number} is missing among {strands} that are counted from 0")
        };
        let mut waiting = 0;
        for (number, edit) in self.edits.iter() {
            let Some(strand) = groom.strand_numbered(number) else {
                if groom.numbers.are_places() {
                    return misfit(missing(number));
                }
                waiting += 1;
                continue;
            };
            let grown = groom.strand(strand);
            if edit.curve.len() != grown.len() {
                return misfit(format!(
                    "strand {number} had {} and has {}",
                    counted(edit.curve.len(), "vertex", "vertices"),
                    grown.len()
                ));
            }
            let apart = edit.curve[0].distance(grown[0]);
            if apart > ROOT_SLACK {
                return misfit(format!(
                    "strand {number} is rooted {:.1} mm from where it was",
                    apart * 1e3
                ));
            }
        }
        for pin in self.pins.iter() {
            let Some(strand) = groom.strand_numbered(pin.number) else {
                if groom.numbers.are_places() {
                    return misfit(missing(pin.number));
                }
                waiting += 1;
                continue;
            };
            let count = groom.strand(strand).len();
            if pin.vertex >= count {
                return misfit(format!(
                    "strand {} is pinned at vertex {} and has {count}",
                    pin.number, pin.vertex
                ));
            }
        }
        Ok(waiting)
    }
}
