//! Where the vertices of strands that follow go: the work of every picture.

use super::{
    Interpolation,
    links::{GUIDES, Link},
    skin::{LANES, Skin},
    stations::Station,
};
use crate::math::work::Work;
use glam::{Mat4, Vec3, Vec4};
use std::ops::Range;

/// How four vertices of a strand lie beside its guides at rest. The last of a strand may
/// have less, and zeros behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VertexGroup {
    /// From the weighted middle of the guides to each: all x, y and z. `[m]`
    beside: [[f32; LANES]; 3],
    /// The guides' stations that each goes with.
    stations: [u8; LANES],
    /// A bit for each that is kept out of the head.
    outside: u32,
}

impl VertexGroup {
    /// Puts a vertex there that lies so `beside` its guides at `station`, and is kept
    /// `outside` of the head. `[m]`
    pub fn set(&mut self, lane: usize, beside: Vec3, station: u8, outside: bool) {
        for (row, value) in self.beside.iter_mut().zip(beside.to_array()) {
            row[lane] = value;
        }
        self.stations[lane] = station;
        self.outside |= u32::from(outside) << lane;
    }

    /// From the weighted middle of the guides to a vertex. `[m]`
    pub fn beside(&self, lane: usize) -> Vec3 {
        Vec3::from_array(self.beside.map(|row| row[lane]))
    }
}

/// The guides of one strand; each has room for `ROOM` stations.
pub(super) struct Bones<'a, const ROOM: usize> {
    guides: [&'a [Station; ROOM]; GUIDES],
    weights: [f32; GUIDES],
}

impl<'a, const ROOM: usize> Bones<'a, ROOM> {
    /// Those that `link` says, among all.
    #[inline(always)]
    pub fn new(all: &'a [[Station; ROOM]], link: &Link) -> Self {
        Self {
            guides: link.guides.map(|guide| &all[guide as usize]),
            weights: link.weights,
        }
    }

    /// The weighted middle of the guides at a station, `[m]`, and how they have turned
    /// there: a quaternion of any length.
    #[inline(always)]
    pub fn blend(&self, station: u8) -> (Vec4, Vec4) {
        // The mask changes nothing and spares the compiler a check.
        let [a, b, c] = self
            .guides
            .map(|guide| &guide[usize::from(station) & (ROOM - 1)]);
        let [u, v, w] = self.weights;
        let at = a.at * u + b.at * v + c.at * w;
        (at, a.turn * u + b.turn * v + c.turn * w)
    }

    /// Writes where these vertices go; those that are to be are kept out of the head.
    #[inline(always)]
    fn pose(&self, group: &VertexGroup, skin: &Skin, out: &mut [Vec3; LANES]) {
        let (mut middle, mut turn) = ([Vec4::ZERO; LANES], [Vec4::ZERO; LANES]);
        for (lane, station) in group.stations.iter().enumerate() {
            (middle[lane], turn[lane]) = self.blend(*station);
        }
        let [mx, my, mz, _] = rows(middle);
        let [x, y, z, w] = rows(turn);
        let [a, b, c] = group.beside.map(Vec4::from_array);
        // v + 2 (w u × v + u × (u × v)) / |q|²: v turned by a quaternion of any length.
        // Opposite turns have no middle, and where they meet v stays as it is.
        let across = [y * c - z * b, z * a - x * c, x * b - y * a];
        let [d, e, f] = across;
        let square = x * x + y * y + z * z + w * w;
        let double = Vec4::splat(2.0) / square.max(Vec4::splat(1e-12));
        let px = mx + (a + (d * w + (y * f - z * e)) * double);
        let py = my + (b + (e * w + (z * d - x * f)) * double);
        let pz = mz + (c + (f * w + (x * e - y * d)) * double);
        for (out, point) in out.iter_mut().zip(rows([px, py, pz, Vec4::ZERO])) {
            *out = point.truncate();
        }
        // Most hair is nowhere near.
        let near = skin.near(px, py, pz) & group.outside;
        if near != 0 {
            skin.keep_out(near, out);
        }
    }
}

/// Rows of four columns.
#[inline(always)]
fn rows(columns: [Vec4; LANES]) -> [Vec4; LANES] {
    let [a, b, c, d] = columns;
    let rows = Mat4::from_cols(a, b, c, d).transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis]
}

/// Strands of one task.
pub(super) struct Follow<'a, const ROOM: usize> {
    pub all: &'a Interpolation,
    pub guides: &'a [[Station; ROOM]],
    pub skin: &'a Skin<'a>,
    pub strands: Range<usize>,
    pub out: &'a mut [Vec3],
}

impl<const ROOM: usize> Work for Follow<'_, ROOM> {
    #[inline(always)]
    fn run(self) {
        let all = self.all;
        let mut out = self.out;
        for strand in self.strands {
            let bones = Bones::new(self.guides, &all.links[strand]);
            let (own, after) = out.split_at_mut(all.range(strand).len());
            out = after;
            let groups = &all.groups[all.first_groups[strand] as usize..];
            let (to, left) = own.as_chunks_mut::<LANES>();
            for (group, out) in groups.iter().zip(&mut *to) {
                bones.pose(group, self.skin, out);
            }
            if let (Some(group), false) = (groups.get(to.len()), left.is_empty()) {
                let mut few = [Vec3::ZERO; LANES];
                bones.pose(group, self.skin, &mut few);
                left.copy_from_slice(&few[..left.len()]);
            }
        }
    }
}
