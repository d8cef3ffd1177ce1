//! Where eyeballs are on a head that has some, as shaders/skin.glsl paints them.

use super::pieces::Pieces;
use crate::mesh::Mesh;
use glam::{Vec3, Vec3Swizzles};

/// Half as wide is an eyeball, or what is seen of one. `[m]`
const SIZES: [f32; 2] = [0.003, 0.04];
/// Pieces whose middles are nearer, as a share of the larger one's radius, are of one eye.
const SAME: f32 = 0.6;
/// An eye is as wide as it is high, up to that share.
const ROUND: f32 = 0.35;
/// What lies so near to the foremost place, as a share of the radius, is the pole.
const POLE: f32 = 0.03;
/// The radius of an iris. `[m]`
const IRIS: f32 = 0.006;
/// The same as a share of the eye's: at least, and at most.
const IRIS_OF_EYE: [f32; 2] = [0.3, 0.45];

/// An eyeball, or some of its layers.
#[derive(Clone, Copy, Debug)]
struct Eye {
    low: Vec3,
    high: Vec3,
}

impl Eye {
    /// Half of how wide or high it is. `[m]`
    fn radius(&self) -> f32 {
        0.5 * (self.high - self.low).xy().max_element()
    }

    fn middle(&self) -> Vec3 {
        self.low.midpoint(self.high)
    }

    fn is_round(&self) -> bool {
        let size = (self.high - self.low).xy();
        let [least, most] = SIZES;
        size.min_element() >= (1.0 - ROUND) * size.max_element()
            && (least..most).contains(&self.radius())
    }
}

/// For each vertex of an eyeball where it lies from the pole of the iris: across, up and
/// forward, in radii of the iris. None for vertices of anything else, and where no part is
/// named so. The face looks along +z, and so do the eyes.
///
/// What is named for an eye but shares vertices with other parts is skin around one.
pub(super) fn eye_places(mesh: &Mesh) -> Vec<Option<Vec3>> {
    let is_eye = mesh.eye_triangles();
    let mut places = vec![None; mesh.positions.len()];
    if !is_eye.contains(&true) {
        return places;
    }
    let mut piece = Pieces::new(mesh.positions.len());
    for (triangle, _) in mesh.triangles.iter().zip(&is_eye).filter(|(_, eye)| **eye) {
        let [a, b, c] = *triangle;
        piece.join(a, b);
        piece.join(b, c);
    }
    // Of each vertex whether it is on a piece that is an eyeball's.
    let mut on_eye = vec![false; places.len()];
    for of_eye in [true, false] {
        for (triangle, _) in mesh
            .triangles
            .iter()
            .zip(&is_eye)
            .filter(|t| *t.1 == of_eye)
        {
            for v in triangle {
                let v = piece.first(*v);
                on_eye[v as usize] = of_eye;
            }
        }
    }
    let vertices: Vec<u32> = (0..places.len() as u32)
        .filter(|v| on_eye[piece.first(*v) as usize])
        .collect();
    let mut pieces: Vec<Option<Eye>> = vec![None; places.len()];
    for v in &vertices {
        let p = mesh.positions[*v as usize];
        let at = piece.first(*v) as usize;
        let eye = pieces[at].get_or_insert(Eye { low: p, high: p });
        (eye.low, eye.high) = (eye.low.min(p), eye.high.max(p));
    }
    // The largest first: iris and pupil lie in the middle of the white.
    let mut all: Vec<(usize, Eye)> = (0..)
        .zip(pieces)
        .filter_map(|(i, e)| Some((i, e?)))
        .collect();
    all.retain(|(_, eye)| eye.is_round());
    all.sort_by(|a, b| b.1.radius().total_cmp(&a.1.radius()));
    let mut eyes: Vec<Eye> = Vec::new();
    let mut eye_of: Vec<Option<usize>> = vec![None; places.len()];
    for (at, part) in all {
        let apart = |eye: &Eye| eye.middle().xy().distance(part.middle().xy());
        let known = eyes.iter().position(|eye| apart(eye) < SAME * eye.radius());
        eye_of[at] = Some(known.unwrap_or(eyes.len()));
        match known {
            Some(known) => {
                let eye = &mut eyes[known];
                (eye.low, eye.high) = (eye.low.min(part.low), eye.high.max(part.high));
            }
            None => eyes.push(part),
        }
    }
    let mut poles = vec![(Vec3::ZERO, 0.0); eyes.len()];
    let mut of_eye = |v: u32| eye_of[piece.first(v) as usize];
    for v in &vertices {
        let p = mesh.positions[*v as usize];
        if let Some(number) = of_eye(*v)
            && p.z >= eyes[number].high.z - POLE * eyes[number].radius()
        {
            poles[number].0 += p;
            poles[number].1 += 1.0;
        }
    }
    for v in vertices {
        let Some(number) = of_eye(v) else {
            continue;
        };
        let (eye, (sum, count)) = (&eyes[number], poles[number]);
        let pole: Vec3 = sum / f32::max(count, 1.0);
        let [least, most] = IRIS_OF_EYE.map(|share| share * eye.radius());
        let iris = IRIS.min(most).max(least);
        places[v as usize] = Some((mesh.positions[v as usize] - pole) / iris);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Group, Material};

    /// Adds a ball whose poles lie before and behind, or its front alone; how many
    /// triangles it has.
    fn ball(mesh: &mut Mesh, middle: Vec3, radius: f32, rings: u32) -> usize {
        let (first, before) = (mesh.positions.len() as u32, mesh.triangles.len());
        let around = 16;
        mesh.positions.push(middle + radius * Vec3::Z);
        for ring in 1..=rings {
            let (aside, along) = (std::f32::consts::PI * ring as f32 / 16.0).sin_cos();
            for step in 0..around {
                let (x, y) = (std::f32::consts::TAU * step as f32 / around as f32).sin_cos();
                let way = Vec3::new(x * aside, y * aside, along);
                mesh.positions.push(middle + radius * way);
            }
        }
        for ring in 0..rings {
            for step in 0..around {
                let next = (step + 1) % around;
                let at = |ring: u32, step: u32| match ring {
                    0 => first,
                    _ => first + 1 + (ring - 1) * around + step,
                };
                let [a, b] = [at(ring, step), at(ring, next)];
                let [c, d] = [at(ring + 1, step), at(ring + 1, next)];
                mesh.triangles.push([a, c, d]);
                if ring > 0 {
                    mesh.triangles.push([a, d, b]);
                }
            }
        }
        mesh.normals.resize(mesh.triangles.len(), [Vec3::Z; 3]);
        mesh.triangles.len() - before
    }

    fn named(mesh: &mut Mesh, name: &str, count: usize) {
        mesh.materials.push(Material {
            name: name.into(),
            ..Material::default()
        });
        let number = mesh.materials.len() as u32 - 1;
        mesh.triangle_material.extend(vec![number; count]);
    }

    #[test]
    fn each_eye_has_its_iris_before_it_whatever_its_layers() {
        let mut mesh = Mesh::default();
        let count = ball(&mut mesh, Vec3::ZERO, 0.1, 14);
        named(&mut mesh, "skin", count);
        let places = [-0.03, 0.03].map(|x| Vec3::new(x, 0.02, 0.09));
        for place in places {
            let count = ball(&mut mesh, place, 0.014, 15);
            named(&mut mesh, "Sclera", count);
            // A small part before it.
            let count = ball(&mut mesh, place, 0.0142, 4);
            named(&mut mesh, "Iris", count);
        }
        let found = eye_places(&mesh);
        let skin = mesh.triangles.iter().zip(&mesh.triangle_material);
        for (triangle, material) in skin {
            for v in triangle {
                assert_eq!(found[*v as usize].is_none(), *material == 0);
            }
        }
        for (p, found) in mesh.positions.iter().zip(&found) {
            let Some(found) = found else { continue };
            let place = places[usize::from(p.x > 0.0)];
            let wanted = (*p - place - 0.0142 * Vec3::Z) / IRIS;
            // The pole is the mean of what lies around it.
            assert!(
                found.xy().distance(wanted.xy()) < 0.01,
                "{p}: {found} {wanted}"
            );
            assert!((found.z - wanted.z).abs() < 0.1, "{p}: {found} {wanted}");
        }
    }

    #[test]
    fn skin_around_an_eye_and_what_is_no_ball_is_not_painted() {
        // A group of the skin itself.
        let mut mesh = Mesh::default();
        let count = ball(&mut mesh, Vec3::ZERO, 0.02, 14);
        for (name, triangles) in [("eyes", 0..40), ("skin", 40..count)] {
            mesh.groups.push(Group {
                name: name.into(),
                triangles,
            });
        }
        assert!(eye_places(&mesh).iter().all(Option::is_none));
        // A whole head of that name, and a strip.
        let mut mesh = Mesh::default();
        let count = ball(&mut mesh, Vec3::ZERO, 0.1, 14);
        named(&mut mesh, "Iris", count);
        let from = mesh.positions.len();
        let count = ball(&mut mesh, Vec3::X, 0.01, 14);
        named(&mut mesh, "Eye", count);
        mesh.positions[from..].iter_mut().for_each(|p| p.y *= 0.4);
        assert!(eye_places(&mesh).iter().all(Option::is_none));
        assert!(eye_places(&Mesh::default()).is_empty());
    }
}
