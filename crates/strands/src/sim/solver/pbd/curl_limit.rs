//! How far a pull opens curls.
//!
//! A few passes over local constraints do not hold a curl against several times its
//! weight: each pass carries a pull on to the next vertices only, so the strand comes out
//! straight, however stiff they are. So a vertex that has got farther from one well
//! before it, or from the root, than along the curl's axis is brought back: Kim,
//! Chentanez, Müller 2012, "Long Range Attachments", with the axis of Iben et al. 2013
//! (section 3.2.1, a smoothed curve) in place of the whole length. As in the stretch
//! limit, only the outer vertex comes in, and the inner one gets velocity for it.
//!
//! Limitations: the axis is averaged over eight segments. For curls with many more
//! vertices a turn it comes out too long, and they open farther than the share says.
//! Contact and the stretch limit come later, and win.

use crate::{
    math::lanes::{Lane, V3},
    sim::{
        attachment::AttachmentKind,
        constraint::part_of,
        softness::Softness,
        solver::{Scratch, stretch_limit::give_back},
        state::Block,
    },
};

/// Segments between a vertex and the one that limits it: a turn or two of a curl.
const SPAN: usize = 16;

/// Segments before a vertex over which the axis is averaged: about a turn.
const SMOOTHED: usize = 8;

/// Share of what the limit takes that the other vertex gets back as velocity. With more,
/// curls that hang in the limit never come to rest; with none, a shake throws hair about.
const GIVEN_BACK: f64 = 0.5;

/// How fast a vertex is brought back at most: a strand that a hand lets go of does not
/// snap. `[m/s]`
const FASTEST: f64 = 5.0;

/// The limit of one step, for all blocks.
#[derive(Clone, Debug)]
pub struct CurlLimit {
    /// Share of the way from a straight strand to the modelled curl that is kept.
    kept: f64,
    /// How many times its rest length a segment is at most.
    stretch: f64,
}

impl CurlLimit {
    /// For the parameter `curl_limit`, where a segment stretches to `stretch` times its
    /// length; none where curls may be pulled straight.
    pub fn new(curl_limit: f32, stretch: f64, softness: &Softness) -> Option<Self> {
        let kept = softness.of_share(1.0 - f64::from(curl_limit));
        (kept > 0.0).then_some(Self { kept, stretch })
    }

    /// Works out for each vertex how far it may get from the one that limits it, once
    /// `scratch` has the lengths of the segments.
    #[inline(always)]
    pub fn measure<B: Lane>(&self, block: &Block<B>, scratch: &mut Scratch<B>) {
        let mut opened = B::zero();
        // That of the last `SPAN` vertices; at the root it is zero.
        let mut before = [B::zero(); SPAN];
        for i in 1..block.rows {
            let straight = scratch.length_squared[i][0].sqrt();
            // The axis goes on by a chord's part.
            let from = i.saturating_sub(SMOOTHED);
            let chord = block.rest[i] - block.rest[from];
            let axis = chord.dot(chord).sqrt() * B::splat(1.0 / (i - from) as f64);
            let mut kept = B::splat(self.kept);
            if let Some(share) = block.stiff(i - 1, 0) {
                kept = part_of(kept, share);
            }
            opened = opened + straight - (straight - axis).max(B::zero()) * kept;
            let span = (opened - before[i % SPAN]) * B::splat(self.stretch);
            before[i % SPAN] = opened;
            // The hairstyle as modelled is never too long.
            let rest = block.rest[i] - block.rest[i.saturating_sub(SPAN)];
            scratch.span_squared[i] = (span * span).max(rest.dot(rest));
        }
        for grip in &block.attachments {
            // A hand pulls curls straight; a pin has its place, and what is before it.
            let rows = match grip.kind {
                AttachmentKind::Hand => block.rows,
                _ => grip.row + 1,
            };
            for span in &mut scratch.span_squared[..rows] {
                span.set(grip.lane, f64::from(f32::MAX));
            }
        }
    }

    /// Where vertex `i`, now at `p`, is at most; the vertex that limits it, which is
    /// done with its substep of `h`, gets velocity for it in the lanes where `alive`
    /// is one. `[m]`, `[s]`
    #[inline(always)]
    pub fn apply<B: Lane, T: Lane>(
        &self,
        block: &mut Block<B>,
        scratch: &Scratch<B>,
        [i, first]: [usize; 2],
        p: V3<T>,
        alive: T,
        h: f64,
    ) -> V3<T> {
        let from = i.saturating_sub(SPAN);
        let inner: V3<T> = block.position[from].cut(first);
        let way = p - inner;
        let (now, longest) = (way.dot(way), scratch.span_squared[i].cut::<T>(first));
        // To the others nothing happens, not even a round-off.
        let far = longest.less(now, alive, T::zero());
        if !far.any() {
            return p;
        }
        let now = now.max(T::splat(1e-16)).sqrt();
        let most = longest.sqrt().max(now - T::splat(FASTEST * h));
        let kept = (inner + way.scale(most / now)).select(far, p);
        give_back(block, from, first, p - kept, far, GIVEN_BACK / h);
        kept
    }
}
