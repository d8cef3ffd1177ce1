//! A head as the simulation meets it: its mesh and what finds a way on it.

use super::{
    DistanceGrid, LoadedHead, Mesh, MeshSequence, Neck, Placing, RootParams, Surface, scalp,
};
use std::sync::{Arc, OnceLock};

/// How far the distance grid reaches beyond the mesh. `[m]`
const PADDING: f32 = 0.03;

/// A mesh with its spatial index and its distance grid, built once a head.
#[derive(Clone, Debug)]
pub struct CollisionMesh {
    /// The triangles.
    pub mesh: Arc<Mesh>,
    /// Nearest points and rays, exact.
    pub surface: Surface,
    /// Distances, fast.
    pub grid: DistanceGrid,
    /// Where its neck is, if it has one.
    pub neck: Option<Neck>,
    /// How it moves by itself, where a sequence of files tells.
    pub footage: Option<Arc<MeshSequence>>,
    /// How its file's points became its own, where that is more than a unit and
    /// an upward axis: hair made for that file comes the same way.
    pub placing: Option<Placing>,
    /// Whether each triangle is of the scalp, once somebody has asked.
    scalp: OnceLock<Arc<Vec<bool>>>,
}

impl CollisionMesh {
    /// That of a head that was read from a file, with a distance grid of spacing `cell`
    /// `[m]`.
    pub fn of_head(head: &LoadedHead, cell: f32) -> Self {
        let placing = Some(head.report.placing).filter(|placing| !placing.is_plain());
        Self {
            placing,
            ..Self::new(head.mesh.clone(), cell)
        }
    }

    /// Indexes `mesh` and measures its distance grid with spacing `cell` `[m]`.
    pub fn new(mesh: Arc<Mesh>, cell: f32) -> Self {
        let surface = Surface::new(&mesh);
        let grid = DistanceGrid::bake(&mesh, &surface, cell, PADDING);
        if let Some(warning) = &grid.warning {
            log::warn!("{warning}");
        }
        Self {
            neck: Neck::find(&mesh),
            mesh,
            surface,
            grid,
            footage: None,
            placing: None,
            scalp: OnceLock::new(),
        }
    }

    /// Whether hair usually grows on that triangle; nowhere on a head without a scalp.
    pub fn is_scalp(&self, triangle: u32) -> bool {
        let scalp = self.scalp.get_or_init(|| {
            let mut on = vec![false; self.mesh.triangles.len()];
            let faces = scalp::faces(&self.mesh, &RootParams::default());
            for face in faces.unwrap_or_default() {
                on[face as usize] = true;
            }
            Arc::new(on)
        });
        scalp.get(triangle as usize).copied().unwrap_or_default()
    }
}
