//! Strands that have grown, gathered into a groom.

use super::{
    Band, Groom, GroomParams, StrandNumbers, TieStyle,
    stiffness::{RootFacts, stiffen},
    tied::TiedStrand,
};
use crate::{
    math::{
        curve::morton,
        random::{hash, signed},
    },
    mesh::Root,
};
use glam::Vec3;

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

/// Where a root lies on a curve that fills the scalp (Morton 1966), so that
/// strands that are neighbours share a block.
pub(super) fn place_on_curve(p: Vec3, centre: Vec3, radius: f32) -> u64 {
    let cell =
        ((p - centre) / (2.0 * radius) + Vec3::splat(0.5)).clamp(Vec3::ZERO, Vec3::ONE) * 1023.0;
    // The hash parts roots of one cell in the same way on every run.
    u64::from(morton(cell)) << 32
        | hash(u64::from(p.x.to_bits()) << 32 | u64::from(p.z.to_bits()), 0) >> 32
}
