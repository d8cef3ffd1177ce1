//! Where a model is cut off, as a head is at its neck: what tells which axis is up.

use super::{Mesh, Up, edges};
use std::f32::consts::PI;

/// An end that is cut off by so much of the model's extent across may be a neck,
const NECK: f32 = 0.2;
/// where the lower one is cut off by less than this share of it.
const LOWER: f32 = 0.4;
/// How far an end reaches, as a share of the model's extent.
const REACH: f32 = 0.08;

/// An end of a model along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// Where coordinates are least.
    Low,
    /// Where they are largest.
    High,
}

/// How much of an end along `axis` is cut off: the area that is flat there, or open, as
/// a part of the model's extent across.
pub(super) fn cut(mesh: &Mesh, axis: usize, end: End) -> f32 {
    let sign = match end {
        End::Low => 1.0,
        End::High => -1.0,
    };
    let [min, max] = mesh.bounds();
    let size = (max - min).to_array();
    let first = match end {
        End::Low => min[axis],
        End::High => -max[axis],
    };
    let limit = first + REACH * size[axis];
    let (mut flat, mut rim) = (0.0, 0.0);
    for i in 0..mesh.triangles.len() {
        let normal = mesh.area_normal(i);
        let there = mesh.corners(i).iter().all(|p| sign * p[axis] <= limit);
        if there && sign * normal[axis] < -0.95 * normal.length() {
            flat += 0.5 * normal.length();
        }
    }
    let sides = edges::sides(mesh);
    for edge in edges::edges(&sides) {
        if let [side] = edge {
            let [a, b] = side.ends.map(|v| mesh.positions[v as usize]);
            if (sign * a[axis]).max(sign * b[axis]) <= limit {
                rim += a.distance(b);
            }
        }
    }
    // A rim of length l can enclose l² / 4π.
    let across = size[(axis + 1) % 3] * size[(axis + 2) % 3];
    ((flat + rim * rim / (4.0 * PI)) / across.max(f32::MIN_POSITIVE)).min(1.0)
}

/// What to say where the model is cut off at a side and not below, though the axis that
/// is `taken` to point up has such a side.
pub(super) fn doubt(mesh: &Mesh, taken: Up) -> Option<String> {
    let own = match taken {
        Up::X => 0,
        Up::Auto | Up::Y => 1,
        Up::Z => 2,
    };
    let below = cut(mesh, own, End::Low);
    let sides = (0..3).filter(|axis| *axis != own);
    let sides = sides.flat_map(|axis| [(axis, End::Low), (axis, End::High)]);
    let (cut, (axis, end)) = sides
        .map(|(axis, end)| (cut(mesh, axis, end), (axis, end)))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    if cut < NECK || below > LOWER * cut {
        return None;
    }
    let name = ["x", "y", "z"][axis];
    let (sign, also) = match end {
        End::Low => ("-", ""),
        End::High => ("+", " and head.flip = true"),
    };
    Some(format!(
        "which axis points up is unclear: {} is taken, but the model is cut off towards \
         {sign}{name}, as at a neck; if it stands there, set head.up = {name}{also}",
        taken.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};
    use glam::Vec3;

    /// A round cup that is open where `open` looks to.
    fn cup(open: Vec3) -> Mesh {
        let (rings, each) = (12u32, 16u32);
        let (side, other) = open.any_orthonormal_pair();
        let mut mesh = Mesh::default();
        for i in 0..=rings {
            let t = 2.6 * i as f32 / rings as f32;
            for k in 0..each {
                let a = std::f32::consts::TAU * k as f32 / each as f32;
                let round = side * cos(a) + other * sin(a);
                mesh.positions.push(round * sin(t) - open * cos(t));
            }
        }
        for i in 0..rings {
            for k in 0..each {
                let [a, b] = [k, (k + 1) % each].map(|k| i * each + k);
                let [c, d] = [a + each, b + each];
                mesh.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        mesh
    }

    #[test]
    fn a_head_that_is_open_at_its_side_is_doubted() {
        assert_eq!(doubt(&cup(Vec3::NEG_Y), Up::Y), None);
        assert_eq!(doubt(&cup(Vec3::NEG_Z), Up::Z), None);
        let told = doubt(&cup(Vec3::NEG_X), Up::Y).expect("a doubt");
        assert!(told.contains("towards -x, as at a neck"), "{told}");
        assert!(told.ends_with("set head.up = x"), "{told}");
        let told = doubt(&cup(Vec3::X), Up::Y).expect("a doubt");
        assert!(told.ends_with("head.up = x and head.flip = true"), "{told}");
    }
}
