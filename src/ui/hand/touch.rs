//! What the hand would work on at the cursor, before the click.

use super::{HandState, drag::Pulled, reach::HandReach};
use crate::ui::{
    brush::Brush,
    pick_ray::{self, PickRay},
    tool::Tool,
};

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
        Tool::Comb => would_comb(reach, hand, sight),
        Tool::Cut => would_cut(reach, hand, sight),
        Tool::Less | Tool::More => would_paint(reach, sight),
    };
    Touch {
        strands,
        depth: depth.unwrap_or(reach.depth),
    }
}

fn would_pull(reach: &HandReach, hand: &HandState, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let touched = |pulled: &Pulled| Touched {
        strand: pulled.strand,
        from: 0.0,
        share: pulled.share,
    };
    if let Some(pulled) = hand.pulled() {
        return (pulled.iter().map(touched).collect(), None);
    }
    let Some((strand, depth)) = reach.in_hand(sight) else {
        return (Vec::new(), None);
    };
    let pulled = reach.within_reach(sight, strand);
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

fn would_comb(reach: &HandReach, hand: &HandState, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
    let depth = brush_depth(reach, hand, sight);
    let radius = reach.scene.hand.radius;
    let brush = Brush { sight, radius };
    let near = reach.near(sight, depth);
    let strands = reach.each_strand(|strand, points| {
        near(points).then_some(())?;
        let (first, share) = brush.touches(points, depth)?;
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
    let brush = Brush { sight, radius };
    let most = reach.head_before(sight) + radius;
    let near = reach.near(sight, depth);
    let strands = reach.each_strand(|strand, points| {
        near(points).then_some(())?;
        let (i, t) = brush.enters(points, most)?;
        Some(Touched {
            strand,
            from: i as f32 - 1.0 + t,
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
    let strands = reach.each_strand(|strand, points| {
        let far = points.first()?.distance(hit.place) / radius;
        (far < 1.0).then_some(Touched {
            strand,
            from: 0.0,
            share: 1.0 - far,
        })
    });
    (strands, Some(hit.distance))
}
