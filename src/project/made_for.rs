//! Hair that was made for another head than the scene's, and is carried onto it.

use super::{built_scene::BuildError, scene::Scene};
use crate::{
    groom::{
        Groom, ImportParams,
        carry::{Carried, CarryReport, carry},
        grow,
        import::{Found, Loose},
    },
    io::strands::Strands,
    mesh::{self, CollisionMesh, Growth, LoadedHead, Parting, Places, Units, Up, sequence},
};
use glam::Vec3;

/// The head that hair was made for.
pub struct OtherHead {
    head: LoadedHead,
    body: CollisionMesh,
    /// Where its vertices are on the scene's head, if both have the same faces. `[m]`
    twin: Option<Vec<Vec3>>,
}

impl OtherHead {
    /// Loads the head that the scene's hair was made for; none where that is the scene's
    /// `head`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(scene: &Scene, head: &LoadedHead) -> Result<Option<Self>, BuildError> {
        let Some(params) = scene.import.made_for() else {
            return Ok(None);
        };
        let other = mesh::load(&params).map_err(BuildError::Head)?;
        let twin = sequence::twin((&other, &params), (head, &scene.head));
        Ok(Some(Self {
            body: CollisionMesh::of_head(&other, scene.sim.collision.cell),
            head: other,
            twin,
        }))
    }

    /// The strands of a file on the scene's head, `body`, in metres and upright.
    pub fn carry(
        &self,
        strands: &Strands,
        params: &ImportParams,
        body: &CollisionMesh,
    ) -> (Strands, CarryReport) {
        let found = Found::new();
        let carried = self.carried(&strands.loose(&found), params, body);
        let strands = Strands {
            points: carried.points,
            widths: carried.widths,
            up: Some(Up::Y),
            metres_per_unit: Some(1.0),
            ..strands.clone()
        };
        (strands, carried.report)
    }

    /// How the strands of a file are read once they are carried.
    pub fn params(params: &ImportParams) -> ImportParams {
        ImportParams {
            units: Units::Metres,
            up: Up::Y,
            turn: 0.0,
            scale: 1.0,
            offset: [0.0; 3],
            ..params.clone()
        }
    }

    /// Grows hair on the other head and carries it onto the scene's, `body`.
    ///
    /// # Errors
    /// When no hair can grow on the other head.
    pub fn grow(
        &self,
        scene: &Scene,
        body: &CollisionMesh,
    ) -> Result<(Groom, CarryReport), BuildError> {
        let (mesh, roots) = (&self.head.mesh, &scene.roots);
        let growth = Growth::read(mesh, roots, None).map_err(BuildError::Roots)?;
        let places = Places::draw(mesh, roots).map_err(BuildError::Roots)?;
        let planted = places.grown(mesh, roots, &growth);
        let planted = planted.map_err(BuildError::Roots)?;
        let parting = Parting::parse(&roots.parting).ok();
        let line = parting.and_then(|parting| parting.on(&self.body));
        let mut groom = grow::grow_parted(&planted, &scene.groom, roots.seed, &self.body, line);
        let found = Found::new();
        let loose = Loose {
            points: &groom.points,
            starts: &groom.starts,
            widths: &[],
            colours: &[],
            is_guide: Vec::new(),
            up: Some(Up::Y),
            metres_per_unit: Some(1.0),
            found: &found,
        };
        let carried = self.carried(&loose, &Self::params(&scene.import), body);
        groom.points = carried.points;
        Ok((groom, carried.report))
    }

    fn carried(&self, loose: &Loose, params: &ImportParams, body: &CollisionMesh) -> Carried {
        let carried = carry(loose, params, &self.body, body, self.twin.as_deref());
        log::info!("{}: {}", self.head.report.name, carried.report.summary);
        carried
    }
}
