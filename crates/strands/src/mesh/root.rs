//! A root: where one strand grows.

use super::Mesh;
use glam::Vec3;

/// Where one strand grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The triangle it grows on.
    pub triangle: u32,
    /// Barycentric coordinates (u, v): the point is `a + u (b - a) + v (c - a)`.
    pub uv: [f32; 2],
    /// The point itself, in the head's space. `[m]`
    pub position: Vec3,
    /// Unit normal interpolated from the corners.
    pub normal: Vec3,
    /// Its number among all that were drawn, of which some may be thinned out:
    /// what chance gives a strand goes by it.
    pub number: u64,
    /// Share of its length that a strand has here, 0..=1.
    pub length: f32,
    /// Share of its curl that a strand has here, 0..=1.
    pub curl: f32,
    /// Share of its method's stiffness that a strand has here, 0..=1.
    pub stiffness: f32,
    /// Colour of a strand here, linear RGB; none where no map says.
    pub colour: Option<[f32; 3]>,
}

/// The root at a `point` of `triangle`, for hair that was not drawn here.
pub fn root_at(mesh: &Mesh, triangle: u32, point: Vec3) -> Root {
    let [a, b, c] = mesh.corners(triangle as usize);
    let (e, f, d) = (b - a, c - a, point - a);
    // Barycentric coordinates by Cramer's rule (Ericson 2005, section 3.4).
    let [ee, ef, ff] = [e.dot(e), e.dot(f), f.dot(f)];
    let (de, df) = (d.dot(e), d.dot(f));
    let over = 1.0 / (ee * ff - ef * ef).max(f32::MIN_POSITIVE);
    let uv = [(ff * de - ef * df) * over, (ee * df - ef * de) * over];
    let finite = uv.iter().all(|c| c.is_finite());
    root_of(mesh, triangle, if finite { uv } else { [0.0; 2] })
}

/// The root at the barycentric coordinates `[u, v]` of `triangle`.
pub(super) fn root_of(mesh: &Mesh, triangle: u32, [u, v]: [f32; 2]) -> Root {
    let [a, b, c] = mesh.corners(triangle as usize);
    let [na, nb, nc] = mesh.normals[triangle as usize];
    let face = mesh.area_normal(triangle as usize).normalize_or(Vec3::Y);
    Root {
        triangle,
        uv: [u, v],
        position: a + (b - a) * u + (c - a) * v,
        normal: (na * (1.0 - u - v) + nb * u + nc * v).normalize_or(face),
        number: 0,
        length: 1.0,
        curl: 1.0,
        stiffness: 1.0,
        colour: None,
    }
}
