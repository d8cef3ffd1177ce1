//! What a hand did to a head of hair, and where that is on hair of which strands came and
//! went since.

use super::Grab;
use crate::{
    groom::{
        Groom,
        correspondence::{Correspondence, HairOnHead, Relation},
        edit::Edits,
    },
    mesh::DistanceGrid,
    sim::attachment::AttachmentKind,
};
use glam::Vec3;
use rayon::prelude::*;
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
    /// Number of vertices of the strand then; none where nobody knows.
    pub vertices: Option<usize>,
    /// Where it should be, in the head's space. `[m]`
    pub place: Vec3,
}

impl Pin {
    /// The vertex at the same share of the strand, now that it has `count` of them.
    pub fn vertex_of(&self, count: usize) -> usize {
        match self.vertices {
            Some(then) if then != count && then > 1 && count > 1 => {
                let share = self.vertex as f64 / (then - 1) as f64;
                ((share * (count - 1) as f64).round() as usize).max(1)
            }
            _ => self.vertex,
        }
    }
}

/// Handwork that does not belong to this hair.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "the hair was cut, combed or pinned when it was other hair: {what}; set head, roots and, in a \
     scene of an older version, groom back to their former values, or delete [handwork] and [[pin]] \
     from the scene"
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

    /// What can be done to hair of another shape, which has as many vertices or not: all
    /// but what scenes of earlier versions tell too little of.
    #[must_use]
    pub fn on_another_shape(&self, as_many: bool) -> Self {
        let pins = self.pins.iter().copied();
        Self {
            edits: self.edits.known(),
            pins: pins
                .filter(|pin| as_many || pin.vertices.is_some())
                .collect(),
        }
    }

    /// The same on other hair: strands that are not there, or are gone from where they were,
    /// have none of it.
    #[must_use]
    pub fn carried(&self, from: HairOnHead, to: HairOnHead, relation: &Relation) -> Self {
        let way = Correspondence::new(&self.edits, from, to, relation);
        let mut pins: Vec<Pin> = Vec::new();
        for pin in self.pins.iter() {
            let strand = from.groom.strand_numbered(pin.number);
            let count = strand.map_or(0, |strand| from.groom.strand(strand).len());
            let Some((number, vertices, place)) = way.held(pin.number, pin.place) else {
                continue;
            };
            let pin = Pin {
                number,
                vertex: pin.vertex_of(count),
                vertices: Some(count),
                place,
            };
            let vertex = |pin: &Pin| (pin.number, pin.vertex_of(vertices));
            if pin.vertex_of(vertices) < vertices {
                pins.retain(|other| vertex(other) != vertex(&pin));
                pins.push(pin);
            }
        }
        Self {
            edits: way.edits(),
            pins: pins.into(),
        }
    }

    /// The rest curves that strands of `groom` were given, outside of `skin`. `[m]`
    pub fn curves<'a>(
        &'a self,
        groom: &Groom,
        skin: &DistanceGrid,
    ) -> Vec<(usize, Cow<'a, [Vec3]>)> {
        let numbers: Vec<usize> = self.edits.iter().map(|(number, _)| number).collect();
        let curve = |number: usize| {
            let strand = groom.strand_numbered(number)?;
            Some((strand, self.edits.curve(groom, strand, skin)?))
        };
        numbers.into_par_iter().filter_map(curve).collect()
    }

    /// What of `groom` is pinned.
    pub fn grabs(&self, groom: &Groom) -> impl Iterator<Item = Grab> {
        self.pins.iter().filter_map(|pin| {
            let strand = groom.strand_numbered(pin.number)?;
            Some(Grab {
                strand,
                vertex: pin.vertex_of(groom.strand(strand).len()),
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
            if let Some(what) = edit.misfit(groom, strand) {
                return misfit(format!("strand {number} {what}"));
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
            if pin.vertex_of(count) >= count {
                return misfit(format!(
                    "strand {} is pinned at vertex {} and has {count}",
                    pin.number, pin.vertex
                ));
            }
        }
        Ok(waiting)
    }
}
