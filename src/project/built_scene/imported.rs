//! Hair from a file: read, and bound to the scene's head.

use super::error::BuildError;
use crate::math::counted;
use crate::{
    groom::{
        Groom,
        bind::{self, Bound},
        carry::CarryReport,
        import::Found,
        stiffness::{RootFacts, stiffen},
    },
    io::strands::{self, Strands},
    mesh::{CollisionMesh, Growth},
    project::{made_for::OtherHead, scene::Scene},
};
use rayon::prelude::*;
use std::{borrow::Cow, path::Path, sync::Arc};

/// The strands of a file, and how they fit the head best.
pub(in crate::project) struct Wig {
    pub strands: Arc<Strands>,
    pub found: Found,
}

/// The strands of the scene's file, if it names one.
pub(in crate::project) fn import(scene: &Scene) -> Result<Option<Arc<Wig>>, BuildError> {
    if scene.import.file.is_empty() {
        return Ok(None);
    }
    let (file, each) = (Path::new(&scene.import.file), scene.import.points);
    let (format, strands) = strands::read_each(file, each as usize)?;
    let strands = strands.evaluated();
    log::info!(
        "{}: {}, {}",
        scene.import.file,
        format.name,
        counted(strands.len(), "strand", "strands")
    );
    for note in &strands.notes {
        log::info!("{}: {note}", scene.import.file);
    }
    Ok(Some(Arc::new(Wig {
        strands: Arc::new(strands),
        found: Found::new(),
    })))
}

/// The strands of a file on a head.
pub(super) struct BoundImport {
    /// As they are simulated.
    pub bound: Bound,
    /// The file's strands that those are; carried ones, where they were made for another head.
    pub worn: Arc<Strands>,
    /// How they were carried.
    pub carried: Option<CarryReport>,
}

impl BoundImport {
    /// Binds the strands of `wig`, which were made for this head where `made_for` names no
    /// other one.
    pub fn bind(
        wig: &Wig,
        made_for: Option<&OtherHead>,
        growth: &Growth,
        body: &CollisionMesh,
        scene: &Scene,
    ) -> Result<Self, BuildError> {
        let mut params = Cow::Borrowed(&scene.import);
        let (mut worn, mut carried) = (wig.strands.clone(), None);
        if let Some(other) = made_for {
            let (strands, report) = other.carry(&wig.strands, &params, body);
            (worn, carried) = (Arc::new(strands), Some(report));
            params = Cow::Owned(OtherHead::params(&params));
        }
        let elsewhere = Found::new();
        let found = match made_for {
            Some(_) => &elsewhere,
            None => &wig.found,
        };
        let file = &scene.import.file;
        let bound = bind::bind(&worn.loose(found), &params, body);
        let mut bound = bound.map_err(|source| BuildError::Bind {
            file: file.clone(),
            source,
        })?;
        if let Some(carried) = &carried {
            bound
                .report
                .tell_carried(&carried.reading, &carried.summary);
        }
        // First, for a panel shows no more than two.
        let left = wig.strands.poses_left();
        let left = left.filter(|_| scene.played != *file);
        bound.report.warnings.splice(0..0, left);
        log::info!("{file}: {}", bound.report.summary);
        for warning in &bound.report.warnings {
            log::warn!("{file}: {warning}");
        }
        stiffen_bound(&mut bound.groom, growth, body, scene);
        Ok(Self {
            bound,
            worn,
            carried,
        })
    }
}

/// Hair from a file is as stiff as grown hair would be at its roots.
fn stiffen_bound(groom: &mut Groom, growth: &Growth, body: &CollisionMesh, scene: &Scene) {
    let planted = |strand: usize| RootFacts {
        number: strand as u64,
        share: growth.stiffness_on(body, groom.strand(strand)[0]),
    };
    let planted: Vec<RootFacts> = (0..groom.strands()).into_par_iter().map(planted).collect();
    stiffen(groom, &planted, &scene.groom, scene.roots.seed);
}
