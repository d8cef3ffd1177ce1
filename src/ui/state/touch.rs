//! What the hand would work on at the cursor, before the click.

use super::{AppState, hand::Pulled};
use crate::{
    project::compare::Side,
    ui::{
        brush::Brush,
        pick_ray::{PickRay, STRETCHED},
        tool::Tool,
    },
};
use glam::Vec3;
use rayon::prelude::*;

/// A first look at a strand takes every so manieth vertex.
const STRIDE: usize = 4;

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

impl AppState {
    /// What the tool at hand works on at the cursor over `side`.
    pub fn touch(&self, side: Side, sight: &PickRay) -> Touch {
        let (strands, depth) = match self.tool() {
            Tool::Look => (Vec::new(), None),
            Tool::GizmoDrag => self.would_pull(side, sight),
            Tool::Comb => self.would_comb(side, sight),
            Tool::Cut => self.would_cut(side, sight),
            Tool::Less | Tool::More => self.would_paint(side, sight),
        };
        Touch {
            strands,
            depth: depth.unwrap_or_else(|| self.depth()),
        }
    }

    fn would_pull(&self, side: Side, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
        let touched = |pulled: &Pulled| Touched {
            strand: pulled.strand,
            from: 0.0,
            share: pulled.share,
        };
        if let Some(pulled) = self.pulled() {
            return (pulled.iter().map(touched).collect(), None);
        }
        let Some((strand, depth)) = self.in_hand(side, sight) else {
            return (Vec::new(), None);
        };
        let pulled = self.within_reach(side, sight, strand);
        (pulled.iter().map(touched).collect(), Some(depth))
    }

    fn would_comb(&self, side: Side, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
        let depth = match self.works() {
            true => self.depth(),
            false => self
                .under(side, sight)
                .map_or(self.depth(), |found| found.1),
        };
        let radius = self.scene().hand.radius;
        let brush = Brush { sight, radius };
        let near = self.near(sight, depth);
        let strands = self.each_strand(side, |strand, points| {
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

    fn would_cut(&self, side: Side, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
        let depth = match self.works() {
            true => self.depth(),
            false => self
                .under(side, sight)
                .map_or(self.depth(), |found| found.1),
        };
        let radius = self.scene().hand.radius;
        let brush = Brush { sight, radius };
        let most = self.head_before(sight) + radius;
        let near = self.near(sight, depth);
        let strands = self.each_strand(side, |strand, points| {
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

    fn would_paint(&self, side: Side, sight: &PickRay) -> (Vec<Touched>, Option<f32>) {
        let (Some((depth, place)), pose) = (self.on_head(sight), self.session.now().pose) else {
            return (Vec::new(), None);
        };
        let middle = pose.point(place);
        let radius = self.scene().hand.radius;
        let strands = self.each_strand(side, |strand, points| {
            let far = points.first()?.distance(middle) / radius;
            (far < 1.0).then_some(Touched {
                strand,
                from: 0.0,
                share: 1.0 - far,
            })
        });
        (strands, Some(depth))
    }

    /// Whether a strand may be within a brush that is so far away `[m]`, by a
    /// look at few of its vertices.
    fn near(&self, sight: &PickRay, depth: f32) -> impl Fn(&[Vec3]) -> bool + Sync + use<> {
        // What is nearer to the eye is reached from farther aside.
        let hand = sight.reaching(self.scene().hand.radius, 0.5 * depth);
        let longest = self.session.built().map_or(0.0, |built| built.longest_edge);
        move |points| hand.may_meet(points, STRIDE, STRETCHED * longest)
    }

    /// The strands that are drawn and that `touch` finds touched.
    fn each_strand(
        &self,
        side: Side,
        touch: impl Fn(usize, &[Vec3]) -> Option<Touched> + Sync,
    ) -> Vec<Touched> {
        let (Some(built), Some(positions)) = (self.session.built(), self.session.positions(side))
        else {
            return Vec::new();
        };
        let (groom, drawn) = (&built.groom, self.scene().look.drawn);
        (0..groom.strands())
            .into_par_iter()
            .with_min_len(256)
            .filter(|strand| crate::render::is_drawn(*strand, drawn))
            .filter_map(|strand| touch(strand, &positions[groom.range(strand)]))
            .collect()
    }
}
