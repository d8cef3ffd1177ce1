//! Strands that have grown, gathered into a groom.

use super::{
    Band, Groom, GroomParams, StrandNumbers, TieStyle,
    stiffness::{RootFacts, stiffen},
    tied::TiedStrand,
};
use crate::{math::random::signed, mesh::Root};

/// The groom of these strands, in their order.
pub fn groom_of<'a>(
    strands: impl Iterator<Item = (&'a Root, TiedStrand)>,
    params: &GroomParams,
    seed: u32,
) -> Groom {
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    let mut planted = Vec::new();
    let mut bound: Vec<Vec<u32>> = Vec::new();
    for (root, tied) in strands {
        let TiedStrand {
            points,
            held,
            bound: own,
        } = tied;
        let strand = groom.strands() as u32;
        let start = groom.points.len() as u32;
        for (band, vertex) in own {
            bound.resize_with(bound.len().max(band + 1), Vec::new);
            bound[band].push(start + vertex);
        }
        groom
            .ties
            .extend(held.iter().map(|vertex| [strand, *vertex]));
        let mass = 1.0 + params.mass_spread * signed(u64::from(seed) ^ 0x3a55, root.number);
        groom.points.extend(points);
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(mass);
        groom.lengths.push(share(root, params.length));
        groom.colours.extend(root.colour.map(|colour| [colour; 2]));
        planted.push(RootFacts {
            number: root.number,
            share: root.stiffness,
        });
    }
    let band = |edges| Band::around(&groom.points, edges, params.tie == TieStyle::Bun);
    groom.bands = bound.into_iter().filter_map(band).collect();
    groom.numbers = StrandNumbers::new(planted.iter().map(|root| root.number as u32).collect());
    stiffen(&mut groom, &planted, params, seed);
    groom
}

/// What the map of lengths leaves of a length; a stubble at least. `[m]`
pub fn share(root: &Root, length: f32) -> f32 {
    (length * root.length).max(length.min(0.005))
}
