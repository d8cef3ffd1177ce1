//! How a lock turns: as the way from a little below each height to a little above it.

use super::{
    heights::Heights,
    mean::{Mean, Vertices},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::volume::GridMotion,
};
use glam::{Mat3, Vec3};

/// A shorter chord has no direction. `[m]`
const SHORT: f64 = 1e-12;

/// Two directions are opposite when one plus the cosine between them is less.
const OPPOSITE: f64 = 1e-5;

/// Two directions are one when the cosine between them is more: hair at rest has no
/// turn, not even that of rounding, which its lock would follow and so add to.
const ALIKE: f64 = 1.0 - 2.0 * f32::EPSILON as f64;

/// The head that locks ride on.
pub(super) struct Head {
    /// From the head's space.
    axes: Mat3,
    /// How fast it turns. `[rad/s]`
    spin: Vec3,
}

impl Head {
    pub fn new(ride: &GridMotion) -> Self {
        let [now, before] = [ride.now.rotation, ride.before.rotation];
        let turn = now * before.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        Self {
            axes: Mat3::from_quat(now),
            spin: turn.xyz() * (2.0 / ride.seconds as f32),
        }
    }
}

/// How a lock has turned at some heights.
pub(super) struct Turn {
    /// From the lock as it was modelled, in the head's space, to the lock as it is.
    columns: [V3<Heights>; 3],
    /// How fast it turns. `[rad/s]`
    spin: V3<Heights>,
}

impl Turn {
    /// The turn of a lock at some heights, by the way from a little below them to a
    /// little above.
    #[inline(always)]
    pub fn new(head: &Head, below: &Mean, above: &Mean) -> Self {
        let splat = |v: Vec3| V3::splat(v.to_array().map(f64::from));
        let (spin, axes) = (splat(head.spin), head.axes.to_cols_array_2d());
        let head = axes.map(|axis| splat(Vec3::from_array(axis)));
        let (zero, one) = (Heights::zero(), Heights::splat(1.0));
        let chord = above.place - below.place;
        let rest = turned(&head, above.rest - below.rest);
        let rate = above.velocity - below.velocity;
        let (square, modelled) = (chord.dot(chord), rest.dot(rest));
        let short = Heights::splat(SHORT * SHORT);
        let none = square.less(short, one, modelled.less(short, one, zero));
        let to = chord.scale(one / square.max(short).sqrt());
        let from = rest.scale(one / modelled.max(short).sqrt());
        // It turns across its way by itself, and about it with the head.
        let about = to.scale(to.dot(spin));
        let spin = chord.cross(rate).scale(one / square.max(short)) + about;
        let arc = arc(from, to);
        Self {
            columns: head.map(|axis| axis.select(none, turned(&arc, axis))),
            spin: V3::zero().select(none, spin),
        }
    }

    /// What vertices are off their places in the lock `[m]`, and how they move against
    /// the lock, which moves and turns `[m/s]`.
    #[inline(always)]
    pub fn missing_and_slip(&self, vertices: &Vertices, mean: &Mean) -> [V3<Heights>; 2] {
        let offset = turned(&self.columns, vertices.rest - mean.rest);
        [
            vertices.place - mean.place - offset,
            vertices.velocity - mean.velocity - self.spin.cross(offset),
        ]
    }
}

/// `v` in the axes `columns`.
#[inline(always)]
fn turned(columns: &[V3<Heights>; 3], v: V3<Heights>) -> V3<Heights> {
    columns[0].scale(v.x) + columns[1].scale(v.y) + columns[2].scale(v.z)
}

/// The least rotation from one direction to another, by its columns.
#[inline(always)]
fn arc(from: V3<Heights>, to: V3<Heights>) -> [V3<Heights>; 3] {
    let (zero, one) = (Heights::zero(), Heights::splat(1.0));
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(V3::splat);
    let (cosine, about) = (from.dot(to), from.cross(to));
    let opposite = Heights::splat(OPPOSITE);
    let whole = one + cosine;
    let share = one / whole.max(opposite);
    let alike = Heights::splat(ALIKE).less(cosine, one, zero);
    let arc = axes.map(|axis| {
        let along = about.scale(about.dot(axis) * share);
        let turned = axis.scale(cosine) + about.cross(axis) + along;
        axis.select(alike, turned)
    });
    if !whole.any_less(opposite) {
        return arc;
    }
    // Half a turn about any axis across.
    let flat = Heights::splat(0.8).less(from.x.abs(), one, zero);
    let across = from.cross(axes[1].select(flat, axes[0]));
    let across = across.scale(one / across.dot(across).sqrt());
    let reverse = whole.less(opposite, one, zero);
    [0, 1, 2].map(|i| {
        let along = across.scale((one + one) * across.dot(axes[i]));
        (along - axes[i]).select(reverse, arc[i])
    })
}
