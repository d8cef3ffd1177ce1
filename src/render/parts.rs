//! What is worked out of a head and its hair before they can be drawn. That takes
//! its time, but no graphics card: any thread may do it.

use super::{
    floor::Opening,
    hair::{Drawn, Groups, HairGeometry},
    head_geometry::HeadGeometry,
    occlusion::{Shell, samples, shell},
};
use crate::{
    groom::{BindReport, Followers, Groom, Interpolation},
    math::Pose,
    mesh::{CollisionMesh, Face, Mesh},
};
use glam::Vec3;
use std::sync::Arc;

/// Of a head.
pub struct HeadParts {
    pub(super) made: HeadGeometry,
    /// What stands in the light's way.
    pub(super) shell: Vec<Shell>,
    /// Smallest and largest coordinates. `[m]`
    pub(super) bounds: [Vec3; 2],
    /// Its opening below; none where it needs no stand.
    pub(super) opening: Option<Opening>,
    /// What is known of its face.
    pub(super) face: Option<Arc<Face>>,
}

impl HeadParts {
    /// Works it out.
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            made: HeadGeometry::new(mesh),
            shell: shell(mesh),
            bounds: mesh.bounds(),
            opening: Opening::of(mesh),
            face: mesh.face.clone(),
        }
    }
}

/// Of the guides of a groom on a head.
pub struct HairParts {
    pub(super) made: HairGeometry,
    /// Points that stand for all hair, and the length each stands for. `[m]`
    pub(super) samples: Vec<(u32, f32)>,
    /// How much each corner of the head is painted like hair, 0..=1.
    pub(super) painted: Vec<f32>,
}

impl HairParts {
    /// Works it out.
    pub fn new(groom: &Groom, head: &HeadParts) -> Self {
        let strands = (0..groom.strands()).map(|strand| groom.strand(strand));
        let lean = |points: &[Vec3]| {
            let root = *points.first()?;
            let middle = points[points.len() / 2];
            Some((root, (middle - root).normalize_or_zero()))
        };
        let (roots, leans): (Vec<Vec3>, Vec<Vec3>) = strands.filter_map(lean).unzip();
        Self {
            made: HairGeometry::new(groom),
            samples: samples(groom),
            painted: head.made.painted(&roots, &leans),
        }
    }
}

/// Of all strands that are drawn: the guides of a groom and their followers.
pub struct Planted {
    pub(super) drawn: Arc<Drawn>,
    pub(super) groups: Arc<Groups>,
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

    /// How many fine hairs of the hairline are drawn besides.
    pub fn fine_hairs(&self) -> usize {
        self.drawn.vellus
    }
}

/// Strands of a file that follow simulated ones, which are drawn as these are.
#[derive(Clone)]
pub struct Following {
    strands: Arc<Interpolation>,
    /// The head that they keep out of.
    body: Arc<CollisionMesh>,
}

impl Following {
    /// The `strands` on that head; none where there is not one.
    fn new(strands: &Arc<Interpolation>, body: &Arc<CollisionMesh>) -> Option<Self> {
        (strands.strands() > 0).then(|| Self {
            strands: strands.clone(),
            body: body.clone(),
        })
    }

    /// `groom`, that of the simulated strands, and behind them these.
    fn with_guides(&self, groom: &Groom) -> Groom {
        self.strands.with_guides(groom, &self.body)
    }

    /// What is drawn of the simulated strands `groom` on the head `body`, bound as
    /// `report` says: these alone, or all strands of a file and how they follow.
    pub fn drawn(
        groom: &Arc<Groom>,
        report: Option<&BindReport>,
        body: &Arc<CollisionMesh>,
    ) -> (Arc<Groom>, Option<Self>) {
        let following = report.and_then(|report| Self::new(&report.file.following, body));
        let all = match &following {
            Some(following) => Arc::new(following.with_guides(groom)),
            None => groom.clone(),
        };
        (all, following)
    }

    /// Fills `all` with the vertices of the simulated strands, which are at `positions`,
    /// and behind them with these, the head being at `pose`. `[m]`
    pub fn write(&self, positions: &[Vec3], pose: &Pose, all: &mut Vec<Vec3>) {
        all.clear();
        all.extend_from_slice(positions);
        self.strands.append(all, pose, &self.body);
    }
}

/// What the picture has to know of a head and its hair.
#[derive(Clone)]
pub struct DrawnParts {
    /// The head's mesh.
    pub mesh: Arc<Mesh>,
    /// Of the head.
    pub head: Arc<HeadParts>,
    /// The rest curves of the simulated strands and of those that follow them.
    pub groom: Arc<Groom>,
    /// How these follow; none where all are simulated.
    pub following: Option<Following>,
    /// Of the guides.
    pub hair: Arc<HairParts>,
    /// Of all strands that are drawn.
    pub planted: Arc<Planted>,
}
