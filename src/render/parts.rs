//! What is worked out of a head and its hair before they can be drawn. That takes
//! its time, but no graphics card: any thread may do it.

use super::{Floor, Renderer, hair, head, occlusion, shadow};
use crate::{
    groom::{Followers, Groom},
    mesh::Mesh,
};
use glam::Vec3;
use std::sync::Arc;

/// Of a head.
pub struct HeadParts {
    pub(super) made: head::HeadGeometry,
    /// What stands in the light's way.
    pub(super) shell: Vec<occlusion::Shell>,
    /// Smallest and largest coordinates. `[m]`
    pub(super) bounds: [Vec3; 2],
}

impl HeadParts {
    /// Works it out.
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            made: head::HeadGeometry::new(mesh),
            shell: occlusion::shell(mesh),
            bounds: mesh.bounds(),
        }
    }
}

/// Of the guides of a groom on a head.
pub struct HairParts {
    pub(super) made: hair::HairGeometry,
    /// Points that stand for all hair, and the length each stands for. `[m]`
    pub(super) samples: Vec<(u32, f32)>,
    /// How much each corner of the head is painted like hair, 0..=1.
    pub(super) painted: Vec<f32>,
}

impl HairParts {
    /// Works it out.
    pub fn new(groom: &Groom, head: &HeadParts) -> Self {
        let roots = groom.starts[..groom.strands()].iter();
        let roots: Vec<Vec3> = roots
            .filter_map(|start| groom.points.get(*start as usize).copied())
            .collect();
        Self {
            made: hair::HairGeometry::new(groom),
            samples: occlusion::samples(groom),
            painted: head.made.painted(&roots),
        }
    }
}

/// Of all strands that are drawn: the guides of a groom and their followers.
pub struct Planted {
    pub(super) drawn: Arc<hair::Drawn>,
    pub(super) groups: Arc<hair::Groups>,
    /// Guides, and all that are drawn.
    pub(super) strands: [usize; 2],
    each: u32,
}

impl Planted {
    /// Works it out; `followers` are those of `groom`, so many for `each` guide.
    pub fn new(groom: &Groom, hair: &HairParts, followers: &Followers, each: u32) -> Self {
        let (drawn, groups) = hair.made.plant(groom, followers);
        let strands = groom.strands();
        Self {
            drawn: Arc::new(drawn),
            groups: Arc::new(groups),
            strands: [strands, strands + followers.list.len()],
            each,
        }
    }

    /// Followers of each guide.
    pub fn each(&self) -> u32 {
        self.each
    }

    /// How many strands are drawn, guides and followers.
    pub fn strands(&self) -> usize {
        self.strands[1]
    }
}

impl Renderer {
    /// Shows another head; call [`Renderer::set_groom`] after it, for the tint
    /// of the scalp.
    pub fn set_head(&mut self, mesh: &Mesh) {
        self.take_head(&Arc::new(HeadParts::new(mesh)));
    }

    /// The same with all that takes long done before, on any thread.
    pub fn take_head(&mut self, parts: &Arc<HeadParts>) {
        self.head.take(parts);
        self.forget_shadow();
        self.occlusion.take_head(parts);
        self.floor = Floor::under(parts.bounds);
        self.sphere = shadow::sphere(parts.bounds, &self.floor);
        self.made.0 = Some(parts.clone());
    }

    /// Shows another groom, at rest and without followers.
    pub fn set_groom(&mut self, groom: &Groom) {
        let head = match &self.made.0 {
            Some(head) => head.clone(),
            None => Arc::new(HeadParts::new(&Mesh::default())),
        };
        let parts = Arc::new(HairParts::new(groom, &head));
        let planted = Planted::new(groom, &parts, &Followers::default(), 0);
        self.take_groom(groom, &parts);
        self.take_planted(&planted);
    }

    /// The same with all that takes long done before, on any thread, of the head
    /// that was set last; call [`Renderer::take_planted`] after it.
    pub fn take_groom(&mut self, groom: &Groom, parts: &Arc<HairParts>) {
        self.hair.take_groom(groom, parts);
        self.occlusion.take_groom(&parts.samples, groom.strands());
        self.occlusion.spread(&groom.points, self.pose);
        self.floor = self.floor.below(&groom.points);
        self.head.set_painted(&parts.painted);
        self.made.1 = Some(parts.clone());
    }

    /// Draws `followers` of `groom`, the one that was set last, beside it.
    pub fn set_followers(&mut self, groom: &Groom, followers: &Followers) {
        if let Some(parts) = &self.made.1 {
            let planted = Planted::new(groom, parts, followers, 0);
            self.take_planted(&planted);
        }
    }

    /// Draws these strands of the groom that was set last.
    pub fn take_planted(&mut self, planted: &Planted) {
        self.hair.take_planted(planted);
        let [strands, drawn] = planted.strands;
        self.occlusion.set_cover(strands, drawn);
    }
}
