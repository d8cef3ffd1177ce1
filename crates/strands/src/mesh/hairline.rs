//! Hair thins out towards the border of the scalp: a hairline is no edge.

use super::{
    Mesh, Root,
    edges::{edges, sides},
};
use crate::math::{elementary::sin, random};
use glam::Vec3;
use rstar::{PointDistance, RTree, primitives::Line};

/// The share of hair that grows on the border itself.
const LEAST: f32 = 0.15;

/// Hair recedes from the border by so much in places. `[m]`
const BITE: f32 = 0.006;
/// And there this share of it still grows.
const LEFT: f32 = 0.12;
/// How often it does, along four directions that are not those of a head. `[rad/m]`
const PACES: [(Vec3, f32); 4] = [
    (Vec3::new(0.62, 0.41, 0.67), 160.0),
    (Vec3::new(-0.71, 0.59, 0.38), 235.0),
    (Vec3::new(0.48, -0.52, 0.71), 390.0),
    (Vec3::new(0.55, 0.77, -0.32), 620.0),
];

/// The border of a scalp, and who grows beside it.
pub(super) struct Hairline {
    border: RTree<Line<[f32; 3]>>,
    /// Whether the border is near, for each triangle of the mesh.
    near: Vec<bool>,
    /// Over so much of the scalp's rim hair thins out. `[m]`
    breadth: f32,
    seed: u64,
}

impl Hairline {
    /// The border of those `faces`, along which hair thins out over `breadth`
    /// `[m]`; 0 leaves all.
    pub fn new(mesh: &Mesh, faces: &[u32], breadth: f32, seed: u64) -> Self {
        let mut line = Self {
            border: RTree::new(),
            near: vec![false; mesh.triangles.len()],
            breadth,
            seed,
        };
        if breadth <= 0.0 {
            return line;
        }
        let mut grows = vec![false; mesh.triangles.len()];
        faces.iter().for_each(|face| grows[*face as usize] = true);
        let sides = sides(mesh);
        let border = edges(&sides).filter(|edge| {
            let rooted = edge.iter().filter(|side| grows[side.triangle as usize]);
            rooted.count() == 1
        });
        let line_of = |edge: &[super::edges::Side]| {
            let [a, b] = edge[0].ends.map(|v| mesh.positions[v as usize].to_array());
            Line::new(a, b)
        };
        line.border = RTree::bulk_load(border.map(line_of).collect());
        for face in faces {
            let [a, b, c] = mesh.corners(*face as usize);
            let middle = (a + b + c) / 3.0;
            let radius = [a, b, c].map(|p| p.distance(middle));
            let radius = radius.into_iter().fold(0.0, f32::max);
            line.near[*face as usize] = line.distance(middle) < breadth + radius;
        }
        line
    }

    /// How long the border is. `[m]`
    pub fn length(&self) -> f32 {
        let ends = self.border.iter().map(|line| [line.from, line.to]);
        let ends = ends.map(|ends| ends.map(Vec3::from));
        ends.map(|[from, to]| from.distance(to)).sum()
    }

    /// How far that place is from the border. `[m]`
    pub fn distance(&self, place: Vec3) -> f32 {
        let place = place.to_array();
        let nearest = self.border.nearest_neighbor(place);
        nearest.map_or(f32::INFINITY, |line| line.distance_2(&place).sqrt())
    }

    /// Whether chance lets a strand grow from `root` where the border recedes: a hairline
    /// is no smooth curve.
    pub fn is_within(&self, root: &Root) -> bool {
        if !self.near[root.triangle as usize] {
            return true;
        }
        let phase = (self.seed & 0xff) as f32;
        let wave = |(way, pace): &(Vec3, f32)| sin(way.dot(root.position) * pace + phase);
        let mean = PACES.iter().map(wave).sum::<f32>() / PACES.len() as f32;
        let bite = BITE.min(0.5 * self.breadth) * (0.5 + mean).clamp(0.0, 1.0);
        self.distance(root.position) >= bite
            || random::uniform(self.seed ^ 0xb17e, root.number) < LEFT
    }

    /// Whether chance lets a strand grow from `root`.
    pub fn keeps(&self, root: &Root) -> bool {
        if !self.near[root.triangle as usize] {
            return true;
        }
        let x = (self.distance(root.position) / self.breadth).min(1.0);
        let share = LEAST + (1.0 - LEAST) * x * x * (3.0 - 2.0 * x);
        // Another stream than those of places and maps.
        random::uniform(self.seed ^ 0x4a17, root.number) < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_thins_out_towards_the_border_and_nowhere_else() {
        // A square of 10 cm, of which the left two thirds carry hair.
        let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        let mesh = Mesh {
            positions: [0.0, 0.066, 0.1]
                .into_iter()
                .flat_map(|x| [corner(x, 0.0), corner(x, 0.1)])
                .collect(),
            triangles: vec![[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]],
            ..Mesh::default()
        };
        let share = |breadth: f32, inwards: f32| {
            let line = Hairline::new(&mesh, &[0, 1], breadth, 7);
            let x = 0.066 - inwards;
            let kept = (0..4000).filter(|i| {
                line.keeps(&Root {
                    triangle: 1,
                    uv: [0.0; 2],
                    position: corner(x, 0.02 + 0.06 * *i as f32 / 4000.0),
                    normal: Vec3::Y,
                    number: *i,
                    length: 1.0,
                    curl: 1.0,
                    stiffness: 1.0,
                    colour: None,
                })
            });
            kept.count() as f32 / 4000.0
        };
        assert!((share(0.01, 0.0) - LEAST).abs() < 0.03);
        assert!((share(0.01, 0.005) - 0.5 * (1.0 + LEAST)).abs() < 0.03);
        assert_eq!([share(0.01, 0.0101), share(0.0, 0.0)], [1.0; 2]);
    }
}
