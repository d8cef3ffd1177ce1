//! Vellus hair: fine short hairs along the hairline, drawn but not simulated.
//! They keep to the head and point every way, so that hair does not begin at a
//! line as a wig does.

use super::Groom;
use crate::{
    math::{
        Pose,
        elementary::{cos, sin},
        random::{self, strand_random},
    },
    mesh::{
        Growth, Mesh, RootParams,
        rim::{OUTSIDE, RimRoot, rim_distances, rim_roots},
    },
};
use glam::Vec3;
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};
use std::f32::consts::TAU;

/// No more than this share of all other drawn hair.
const MOST: f32 = 0.12;
/// The shortest and the longest. `[m]`
const LENGTHS: [f32; 2] = [0.006, 0.026];
/// The thinnest and the thickest, as shares of the other hair's diameter.
const WIDTHS: [f32; 2] = [0.22, 0.55];
/// Half the curvature of one that bends most. `[1/m]`
const BEND: f32 = 16.0;
/// How wide a strand on the hairline itself is drawn, a share of the diameter.
pub(super) const FINEST: f32 = 0.35;
/// Which way hair goes is asked so far from its root. `[m]`
const ASKED: f32 = 0.015;

/// A fine short hair beside the root of a guide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VellusHair {
    /// The guide beside whose root it grows.
    pub guide: u32,
    /// From there to its own root, in the head's space. `[m]`
    pub offset: Vec3,
    /// Which way it leaves the skin, in the head's space; unit length.
    pub heading: Vec3,
    /// `[m]`
    pub length: f32,
    /// Its diameter as a share of the other hair's.
    pub width: f32,
}

impl VellusHair {
    /// The place at `t`, 0 at the root and 1 at the tip, of the hair that is drawn as
    /// number `id`: an arc, as `shaders/grow.vert` has it. Its guide's root is at `root`,
    /// the head at `pose`. `[m]`
    pub fn point(&self, root: Vec3, pose: &Pose, id: u32, t: f32) -> Vec3 {
        let s = t * self.length;
        let any = Vec3::from([1, 2, 3].map(|slot| strand_random(id, slot))) * 2.0 - 1.0;
        let bend = any - self.heading * any.dot(self.heading);
        let local = self.offset + self.heading * s + bend * (BEND * s * s);
        root + pose.vector(local)
    }
}

/// The fine hairs along the hairline of `mesh`, beside the guides of `groom`, of
/// which so many strands are drawn otherwise; none where the mesh has no scalp.
pub fn plant(
    groom: &Groom,
    mesh: &Mesh,
    params: &RootParams,
    growth: &Growth,
    drawn: usize,
) -> Vec<VellusHair> {
    let most = (MOST * drawn as f32) as usize;
    let rim = rim_roots(mesh, params, growth, most).unwrap_or_default();
    let roots = (0..groom.strands()).filter_map(|guide| {
        let root = groom.strand(guide).first()?;
        let entry = GeomWithData::new(root.to_array(), guide as u32);
        root.is_finite().then_some(entry)
    });
    let tree = RTree::bulk_load(roots.collect());
    let hair = |place: &RimRoot| {
        let at = place.root.position;
        let guide = tree.nearest_neighbor(at.to_array())?;
        let flow = leaving(groom.strand(guide.data as usize));
        Some(VellusHair {
            guide: guide.data,
            offset: at - Vec3::from(*guide.geom()),
            ..grown(place, flow)
        })
    };
    rim.par_iter().filter_map(hair).collect()
}

/// How wide each guide of `groom` is drawn, a share of the diameter: the finer, the
/// nearer it is rooted to the hairline. None where hair ends there at once.
pub fn guide_widths(groom: &Groom, mesh: &Mesh, params: &RootParams) -> Vec<f32> {
    let roots: Vec<Vec3> = (0..groom.strands())
        .map(|guide| groom.strand(guide).first().copied().unwrap_or_default())
        .collect();
    widths(mesh, params, &roots)
}

/// The same for strands with these `roots`. `[m]`
pub(super) fn widths(mesh: &Mesh, params: &RootParams, roots: &[Vec3]) -> Vec<f32> {
    let within = rim_distances(mesh, params, roots);
    let width = |distance: f32| FINEST + (1.0 - FINEST) * (distance / params.hairline).min(1.0);
    within.into_iter().map(width).collect()
}

/// Which way a strand leaves its root. `[m]`
fn leaving(strand: &[Vec3]) -> Vec3 {
    let Some(root) = strand.first() else {
        return Vec3::ZERO;
    };
    let far = strand.iter().find(|p| p.distance(*root) > ASKED);
    far.or(strand.last()).map_or(Vec3::ZERO, |p| *p - *root)
}

/// The hair of that place where other hair goes along `flow`: with it more or less
/// on the scalp, any way outside it, where it is shorter and finer too.
fn grown(place: &RimRoot, flow: Vec3) -> VellusHair {
    let draw = |salt: u64| random::uniform(salt ^ 0xbab1, place.root.number);
    let normal = place.root.normal;
    let out = (place.outside / OUTSIDE).clamp(0.0, 1.0);
    let flow = (flow - normal * flow.dot(normal)).normalize_or_zero();
    let across = normal.any_orthonormal_vector();
    let turn = TAU * draw(1);
    let any = across * cos(turn) + normal.cross(across) * sin(turn);
    let along = flow * (1.1 - 0.4 * out) + any * (0.6 + 0.3 * out);
    let heading = along.normalize_or(any) + normal * (0.12 + 0.3 * draw(2));
    let [short, long] = LENGTHS;
    let [thin, thick] = WIDTHS;
    VellusHair {
        guide: 0,
        offset: Vec3::ZERO,
        heading: heading.normalize_or(normal),
        length: short + (long - short) * draw(3).powi(2) * (1.0 - 0.5 * out),
        width: thick + (thin - thick) * (0.7 * out + 0.3 * draw(4)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::{GroomParams, grow},
        mesh::{CollisionMesh, HeadParams, load, scatter},
    };

    fn hairs(vellus: f32, drawn: usize) -> (Vec<VellusHair>, Groom) {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let params = RootParams {
            strands: 300,
            vellus,
            ..RootParams::default()
        };
        let body = CollisionMesh::new(head.mesh.clone(), 0.006);
        let roots = scatter::roots(&head.mesh, &params).expect("a scalp");
        let groom = grow::grow(&roots, &GroomParams::default(), 1, &body);
        let growth = Growth::default();
        (plant(&groom, &head.mesh, &params, &growth, drawn), groom)
    }

    #[test]
    fn fine_hairs_are_short_thin_and_point_away_from_the_skin() {
        let (hairs, groom) = hairs(20.0, 100_000);
        assert!(hairs.len() > 800, "{}", hairs.len());
        let at = |hair: &VellusHair, t: f32| {
            let root = groom.strand(hair.guide as usize)[0];
            hair.point(root, &Pose::IDENTITY, 7, t)
        };
        for hair in &hairs {
            assert!((LENGTHS[0]..=LENGTHS[1]).contains(&hair.length));
            assert!((WIDTHS[0]..=WIDTHS[1]).contains(&hair.width));
            assert!((hair.heading.length() - 1.0).abs() < 1e-5);
            let root = groom.strand(hair.guide as usize)[0];
            assert!(at(hair, 0.0).distance(root + hair.offset) < 1e-6);
            let reach = at(hair, 1.0).distance(at(hair, 0.0)) / hair.length;
            assert!((0.9..1.3).contains(&reach), "{reach}");
        }
        // No two go the same way.
        let mean = hairs.iter().map(|hair| hair.heading).sum::<Vec3>() / hairs.len() as f32;
        assert!(mean.length() < 0.7, "{mean}");
    }

    #[test]
    fn little_hair_has_few_of_them() {
        assert_eq!(hairs(20.0, 500).0.len(), 60);
        assert!(hairs(0.0, 500).0.is_empty());
    }
}
