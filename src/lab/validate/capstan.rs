//! A strand laid half around a post, one end drawn and the other held back: what the
//! capstan of a post and that of another strand have in common (Euler, Eytelwein).

use super::{
    fixture::{Fibre, SEGMENTS, place},
    theory::GRAVITY,
};
use crate::sim::attachment::{Attachment, AttachmentKind};
use glam::DVec3;
use std::f64::consts::PI;

/// What holds the strand back, in its own weights: little enough for the other
/// end's pin to give way by less than it is drawn, much enough for the strand's
/// weight and stiffness not to matter.
const LOAD: f64 = 15.0;

/// A hand pulls with 4 m / (0.05 s)^2 times its distance. `[1/s²]`
const HAND: f64 = 1600.0;

/// How fast the other end is drawn. `[m/s]`
const SPEED: f64 = 0.02;

/// How long it is drawn. `[s]`
pub(super) const DRAWN: f64 = 2.5;

/// When the tensions are read: the strand has begun to slide. `[s]`
pub(super) const SLIDES: f64 = 1.5;

/// A strand laid half around a post: up, over, down.
pub(super) struct Capstan {
    /// Its vertices. `[m]`
    pub strand: Vec<DVec3>,
    length: f64,
}

impl Capstan {
    /// Around a post of that radius, with so much strand on either side. `[m]`
    pub fn new(radius: f64, side: f64) -> Self {
        let segments = 2 * SEGMENTS;
        let length = 2.0 * side + PI * radius;
        let l = length / segments as f64;
        let mut p = DVec3::new(-radius - 1e-5, -side, 0.0);
        let mut strand = vec![p];
        for j in 0..segments {
            let angle = ((l * (j as f64 + 0.5) - side) / radius).clamp(0.0, PI);
            p += DVec3::new(angle.sin(), angle.cos(), 0.0) * l;
            strand.push(p);
        }
        Self { strand, length }
    }

    /// What it is made of: hair made so limp that bending bears no load.
    pub fn fibre() -> Fibre {
        Fibre::hair().times(1e-2)
    }

    /// What the hand holds the strand back with. `[N]`
    pub fn load(&self) -> f64 {
        LOAD * Fibre::DENSITY * self.length * GRAVITY
    }

    /// What acts on its ends at that time, the strand being that of the first lane: a hand
    /// holds the `first` vertex back, a pin draws the last. `[m]`, `[s]`
    pub fn ends(&self, first: DVec3, time: f64) -> Vec<Attachment> {
        let last = self.strand.len() - 1;
        let back = first - DVec3::Y * (LOAD * GRAVITY / HAND);
        let drawn = self.strand[last] - DVec3::Y * (SPEED * time);
        vec![
            Attachment::in_world([0, 0], place(back), AttachmentKind::Hand),
            Attachment::in_world([0, last], place(drawn), AttachmentKind::Pin),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strand_goes_up_half_around_the_post_and_down_as_far() {
        let capstan = Capstan::new(0.03, 0.09);
        let last = capstan.strand.len() - 1;
        let tip = capstan.strand[last];
        assert!(tip.distance(DVec3::new(0.03, -0.09, 0.0)) < 1e-4, "{tip}");
        let top = capstan.strand.iter().map(|p| p.y).fold(f64::MIN, f64::max);
        assert!((top - 0.03).abs() < 1e-4, "{top}");
        let nearest = capstan.strand.iter().map(|p| p.length());
        assert!(nearest.fold(f64::MAX, f64::min) > 0.0299);
        let [hand, pin] = &capstan.ends(capstan.strand[0], 1.0)[..] else {
            panic!("two ends");
        };
        assert_eq!(
            (hand.kind, pin.kind),
            (AttachmentKind::Hand, AttachmentKind::Pin)
        );
    }
}
