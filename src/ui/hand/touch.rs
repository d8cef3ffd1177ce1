//! What the hand would work on at the cursor, before the click.

use super::{HandState, drag::PulledStrand, reach::HandReach};
use crate::ui::{
    brush::Brushes,
    pick_ray::{self, PickRay},
    tool::Tool,
};
use glam::Vec3;

/// A strand within the hand's reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touched {
    /// The strand.
    pub strand: usize,
    /// From where on it goes along, or falls, in vertices from its root.
    pub from: f32,
    /// How much of the hand's way it goes along, 0..=1.
    pub share: f32,
}

/// All of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The strands, in no order.
    pub strands: Vec<Touched>,
    /// How far away the hand is. `[m]`
    pub depth: f32,
}

/// What the tool in `hand` works on at the cursor.
pub fn touch(reach: &HandReach, hand: &HandState, sight: &PickRay) -> Touch {
    let (strands, depth) = match hand.tool {
        Tool::Look => (Vec::new(), None),
        Tool::Pull => would_pull(reach, hand, sight),
        Tool::Comb | Tool::Smooth | Tool::Grow | Tool::Lift => would_comb(reach, hand, sight),
        Tool::Cut => would_cut(reach, hand, sight),
        Tool::Less | Tool::More => would_paint(reach, sight),
    };
    Touch {
        strands,
        depth: depth.unwrap_or(reach.depth),
    }
}

fn would_pull(reach: &HandReach, hand: &HandState, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let touched = |pulled: &PulledStrand| Touched {
        strand: pulled.strand,
        from: 0.0,
        share: pulled.share,
    };
    if let Some(pulled) = hand.pulled() {
        return (pulled.iter().map(touched).collect(), None);
    }
    let Some((pulled, depth)) = reach.pulled(sight) else {
        return (Vec::new(), None);
    };
    (pulled.iter().map(touched).collect(), Some(depth))
}

/// How far away a brush works: where it does already, or on the hair at the
/// cursor. `[m]`
fn brush_depth(reach: &HandReach, hand: &HandState, sight: &PickRay) -> f32 {
    match hand.works() {
        true => reach.depth,
        false => reach.under(sight).map_or(reach.depth, |found| found.1),
    }
}

/// Whether a strand may be within one of the brushes ([`HandReach::near`]).
fn near(
    reach: &HandReach,
    brushes: &Brushes,
    depth: f32,
) -> impl Fn(&[Vec3]) -> bool + Sync + use<> {
    let near: Vec<_> = brushes
        .all()
        .map(|brush| reach.near(&brush.sight, depth))
        .collect();
    move |points| near.iter().any(|near| near(points))
}

fn would_comb(reach: &HandReach, hand: &HandState, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let depth = brush_depth(reach, hand, sight);
    let brushes = Brushes::new(sight, reach.scene.hand.radius, reach.plane());
    let near = near(reach, &brushes, depth);
    let strands = reach.each_strand(|strand, points| {
        near(points).then_some(())?;
        let (first, share) = brushes.touches(points, depth)?;
        let from = first.saturating_sub(1) as f32;
        Some(Touched {
            strand,
            from,
            share,
        })
    });
    (strands, Some(depth))
}

fn would_cut(reach: &HandReach, hand: &HandState, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let depth = brush_depth(reach, hand, sight);
    let radius = reach.scene.hand.radius;
    let brushes = Brushes::new(sight, radius, reach.plane());
    let most = reach.head_before(sight) + radius;
    let near = near(reach, &brushes, depth);
    let groom = reach.session.built().map(|built| &built.groom);
    let strands = reach.each_strand(|strand, points| {
        near(points).then_some(())?;
        let number = groom?.numbers.number(strand);
        Some(Touched {
            strand,
            from: brushes.cuts(points, most, number, reach.scene.hand.ragged)?,
            share: 1.0,
        })
    });
    (strands, Some(depth))
}

fn would_paint(reach: &HandReach, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let Some(hit) = pick_ray::on_head(reach.session, sight) else {
        return (Vec::new(), None);
    };
    let radius = reach.scene.hand.radius;
    let other = reach.plane().map(|plane| plane.point(hit.place));
    let strands = reach.each_strand(|strand, points| {
        let root = points.first()?;
        let far = |place: Vec3| root.distance(place) / radius;
        let far = far(hit.place).min(other.map_or(f32::INFINITY, far));
        (far < 1.0).then_some(Touched {
            strand,
            from: 0.0,
            share: 1.0 - far,
        })
    });
    (strands, Some(hit.distance))
}
