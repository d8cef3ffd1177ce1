//! What maps and the brush say of the hair at a place: how much of it grows,
//! how long, curly and stiff it is, and which colour it has.

use super::{
    CollisionMesh, Mesh, MeshError, Root, RootParams, map::Map, paint::Paint, root::root_at,
};
use crate::math::random;
use glam::Vec3;

/// The maps and the paint of a head, read; without any, all hair grows as set.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    density: Amount,
    length: Amount,
    curl: Amount,
    stiffness: Amount,
    colour: Option<Map>,
}

/// A share of something, by a map and by hand.
#[derive(Clone, Debug, Default)]
struct Amount {
    map: Option<Map>,
    paint: Paint,
}

impl Amount {
    /// How much is left at `root` of `mesh`, 0..=1.
    fn at(&self, mesh: &Mesh, root: &Root) -> f32 {
        let map = self.map.as_ref().map_or(1.0, |map| map.at(mesh, root));
        map * self.paint.at(root.position)
    }

    /// Whether it is all there everywhere.
    fn is_whole(&self) -> bool {
        self.map.is_none() && self.paint.dabs.is_empty()
    }
}

/// What of the hair a map and the brush say how much there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaintedQuantity {
    /// How densely it grows.
    Density,
    /// How long it is.
    Length,
    /// How wide its curls are.
    Curl,
    /// How stiff it is.
    Stiffness,
}

impl Growth {
    /// What the map of a quality says at each vertex of `mesh`, 0..=1; none
    /// where there is no map.
    pub fn mapped(&self, quality: PaintedQuantity, mesh: &Mesh) -> Option<Vec<f32>> {
        let amount = match quality {
            PaintedQuantity::Density => &self.density,
            PaintedQuantity::Length => &self.length,
            PaintedQuantity::Curl => &self.curl,
            PaintedQuantity::Stiffness => &self.stiffness,
        };
        let map = amount.map.as_ref()?;
        let mut values = vec![1.0; mesh.positions.len()];
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            for vertex in corners.map(|vertex| vertex as usize) {
                let root = root_at(mesh, triangle as u32, mesh.positions[vertex]);
                values[vertex] = map.at(mesh, &root);
            }
        }
        Some(values)
    }

    /// Reads what `params` names, for `mesh`. A picture that `before` has read
    /// and that has not changed since is taken from there.
    ///
    /// # Errors
    /// [`MeshError::Map`] and [`MeshError::Paint`] when something cannot be read.
    pub fn read(
        mesh: &Mesh,
        params: &RootParams,
        before: Option<&Self>,
    ) -> Result<Self, MeshError> {
        let known: Vec<&Map> = before.into_iter().flat_map(Self::maps).collect();
        let map = |path: &str| Map::read(path, mesh, &known);
        let amount = |path: &str, key: &'static str, painted: &str| {
            Ok::<_, MeshError>(Amount {
                paint: Paint::parse(painted).map_err(|why| MeshError::Paint { key, why })?,
                map: map(path)?,
            })
        };
        let p = params;
        Ok(Self {
            density: amount(&p.density_map, "painted", &p.painted)?,
            length: amount(&p.length_map, "painted_length", &p.painted_length)?,
            curl: amount(&p.curl_map, "painted_curl", &p.painted_curl)?,
            stiffness: amount(&p.stiffness_map, "painted_stiffness", &p.painted_stiffness)?,
            colour: map(&p.colour_map)?,
        })
    }

    fn maps(&self) -> impl Iterator<Item = &Map> {
        let amounts = [&self.density, &self.length, &self.curl, &self.stiffness];
        let maps = amounts.map(|amount| &amount.map).into_iter();
        maps.chain([&self.colour]).flatten()
    }

    /// Whether some hair may not grow.
    pub fn thins_out(&self) -> bool {
        !self.density.is_whole()
    }

    /// The root there, unless chance thins it out.
    pub(super) fn by_chance(&self, mesh: &Mesh, seed: u64, root: Root) -> Option<Root> {
        // Another stream than those of the places.
        let draw = random::uniform(seed ^ 0xde45, root.number);
        (draw < self.density.at(mesh, &root)).then(|| self.ripe(mesh, root))
    }

    /// The root there, unless it comes too late among so many `strands`: where
    /// every beginning is even, half of the density is the first half.
    pub(super) fn by_rank(&self, mesh: &Mesh, root: Root, strands: u32) -> Option<Root> {
        let rank = (root.number as f32 + 0.5) / strands as f32;
        (rank < self.density.at(mesh, &root)).then(|| self.ripe(mesh, root))
    }

    /// What maps and paint say of hair at `root`.
    fn ripe(&self, mesh: &Mesh, root: Root) -> Root {
        Root {
            length: self.length.at(mesh, &root),
            curl: self.curl.at(mesh, &root),
            stiffness: self.stiffness.at(mesh, &root),
            colour: self.colour.as_ref().map(|map| map.colour_at(mesh, &root)),
            ..root
        }
    }

    /// How stiff hair is that is rooted at `point` on `body`, as a share, 0..=1.
    pub fn stiffness_on(&self, body: &CollisionMesh, point: Vec3) -> f32 {
        if self.stiffness.is_whole() {
            return 1.0;
        }
        let Some(nearest) = body.surface.closest(point, f32::MAX) else {
            return 1.0;
        };
        let root = root_at(&body.mesh, nearest.triangle, nearest.point);
        self.stiffness.at(&body.mesh, &root)
    }
}
