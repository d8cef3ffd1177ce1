//! Strands out of edges between points.

use super::{Fault, Strands};
use crate::math::counted;
use glam::Vec3;

const NONE: u32 = u32::MAX;

/// Joins `edges` to strands through `points`; each begins at its end with the
/// lower number. Points of no edge are left out, and so are closed rings.
pub fn chains(points: &[Vec3], colours: &[[f32; 3]], edges: &[[u32; 2]]) -> Result<Strands, Fault> {
    let mut beside = vec![[NONE; 2]; points.len()];
    for [a, b] in edges {
        if a == b {
            continue;
        }
        for (from, to) in [(a, b), (b, a)] {
            let Some(slots) = beside.get_mut(*from as usize) else {
                return Err(Fault::whole(format!(
                    "an edge goes to point {from} of {}; the file is damaged, export it again",
                    points.len()
                )));
            };
            if slots.contains(to) {
                continue;
            }
            let Some(slot) = slots.iter_mut().find(|slot| **slot == NONE) else {
                return Err(Fault::whole(format!(
                    "more than two edges meet at point {from}: it is a mesh or a net and not hair; \
                     give curves"
                )));
            };
            *slot = *to;
        }
    }
    let mut out = Strands::default();
    out.begin()?;
    let mut used = vec![false; points.len()];
    for start in 0..points.len() {
        let end = beside[start][0] != NONE && beside[start][1] == NONE;
        if !end || used[start] {
            continue;
        }
        let (mut before, mut at) = (NONE, start as u32);
        loop {
            let here = at as usize;
            used[here] = true;
            out.points.push(points[here]);
            out.colours.extend(colours.get(here));
            let next = beside[here].into_iter().find(|next| *next != before);
            let Some(next) = next.filter(|next| *next != NONE && !used[*next as usize]) else {
                break;
            };
            (before, at) = (at, next);
        }
        out.begin()?;
    }
    let left = used.iter().filter(|used| !**used).count();
    if left > 0 {
        out.notes.push(format!(
            "{} left out",
            counted(
                left,
                "point that belongs to no strand is",
                "points that belong to no strand are"
            )
        ));
    }
    Ok(out)
}
