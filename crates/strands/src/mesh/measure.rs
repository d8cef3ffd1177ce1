//! How large the head in a mesh is, and what is there of it: the measure by
//! which units are judged, and in which heads of all sizes are alike.

use super::Mesh;
use glam::{Vec2, Vec3};

/// From the crown to the chin of an adult. `[m]`
pub const USUAL: f32 = 0.225;
/// Its bounds for people of all ages, and for models that are drawn freely;
/// beyond, the next unit is nearly as likely. `[m]`
const LEAST: f32 = 0.12;
const MOST: f32 = 0.42;

/// A head is so many times as high as its skull is broad and long, where that is
/// the side of a square as large as the skull's box seen from above.
const SLENDER: f32 = 1.22;
/// Of a head so much from the crown down is skull, without nose and neck.
const SKULL: f32 = 0.55;
/// Level cuts through a model.
const CUTS: usize = 320;

/// More than this is a bust, and more than this a body. `[head heights]`
const BUST: f32 = 1.9;
const BODY: f32 = 3.6;
/// A head that is as open as this is a scalp: the area that is missing, as a
/// share of what is there.
const OPEN: f32 = 0.2;

/// What a model shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// The part of a head where hair grows.
    Scalp,
    /// A head, with its neck.
    Head,
    /// A head with shoulders.
    Bust,
    /// A whole person.
    Body,
}

impl ModelKind {
    /// With its article, for a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalp => "a scalp",
            Self::Head => "a head",
            Self::Bust => "a bust",
            Self::Body => "a body",
        }
    }
}

/// The head in a mesh that stands upright, in the mesh's own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// From the crown to the chin, as the skull tells, also where there is no
    /// chin.
    pub head: f32,
    /// Over the middle of the skull, at the height of the crown.
    pub crown: Vec3,
    /// What the mesh shows.
    pub kind: ModelKind,
}

impl Measure {
    /// Measures `mesh`.
    pub fn of(mesh: &Mesh) -> Self {
        let [min, max] = mesh.bounds();
        let tall = (max.y - min.y).max(f32::MIN_POSITIVE);
        let cuts = cuts(mesh, [min.y, max.y]);
        let (mut broad, mut box_) = (0.0f32, [Vec2::INFINITY, Vec2::NEG_INFINITY]);
        let (mut head, mut middle) = (None, (min + max).with_y(0.0) * 0.5);
        for (i, cut) in cuts.iter().enumerate() {
            let size = (cut[1] - cut[0]).max(Vec2::ZERO);
            broad = broad.max((size.x * size.y).sqrt());
            box_ = [box_[0].min(cut[0]), box_[1].max(cut[1])];
            // What is above this cut is the skull if that reaches so far down.
            let depth = tall * (i as f32 + 0.5) / CUTS as f32;
            let centre = (box_[0] + box_[1]) * 0.5;
            if centre.is_finite() {
                middle = Vec3::new(centre.x, 0.0, centre.y);
            }
            if broad > 0.0 && depth >= SKULL * SLENDER * broad {
                head = Some(SLENDER * broad);
                break;
            }
        }
        // A flat model has no inside to measure: then its extent has to do.
        let across = (max - min).max_element();
        let flat = if broad > 0.0 { SLENDER * broad } else { across };
        let head = head.unwrap_or(flat).max(f32::MIN_POSITIVE);
        let shown = tall / head;
        let kind = match shown {
            BODY.. => ModelKind::Body,
            BUST.. => ModelKind::Bust,
            _ if openness(mesh).1 > OPEN => ModelKind::Scalp,
            _ => ModelKind::Head,
        };
        Self {
            head,
            crown: middle.with_y(max.y),
            kind,
        }
    }

    /// How far that head is from a usual one in a unit of so many metres, as a
    /// ratio of at least 1, and whether a head can be as large as that.
    pub fn judge(&self, metres: f32) -> (f32, bool) {
        let head = self.head * metres;
        let ratio = (head / USUAL).max(USUAL / head.max(f32::MIN_POSITIVE));
        (ratio, (LEAST..=MOST).contains(&head))
    }
}

/// What a mesh lacks to enclose a volume: the way in which it is closed, away
/// from the opening, and the area of the opening as a share of the mesh's.
pub(super) fn openness(mesh: &Mesh) -> (Vec3, f32) {
    let (mut sum, mut area) = (glam::DVec3::ZERO, 0.0);
    for i in 0..mesh.triangles.len() {
        let normal = mesh.area_normal(i).as_dvec3();
        sum += normal;
        area += normal.length();
    }
    let share = sum.length() / area.max(f64::MIN_POSITIVE);
    (sum.normalize_or_zero().as_vec3(), share as f32)
}

/// The box of the outline in each of the level cuts, from the top down, in x
/// and z.
fn cuts(mesh: &Mesh, [low, high]: [f32; 2]) -> Vec<[Vec2; 2]> {
    let step = (high - low) / CUTS as f32;
    let mut cuts = vec![[Vec2::INFINITY, Vec2::NEG_INFINITY]; CUTS];
    if step <= 0.0 || !step.is_finite() {
        return cuts;
    }
    for triangle in 0..mesh.triangles.len() {
        let corners = mesh.corners(triangle);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (mut a, mut b) = (corners[a], corners[b]);
            if a.y < b.y {
                (a, b) = (b, a);
            }
            let first = ((high - a.y) / step - 0.5).ceil().max(0.0) as usize;
            let last = ((high - b.y) / step - 0.5).floor();
            if last < 0.0 || a.y == b.y {
                continue;
            }
            let reached = cuts.iter_mut().enumerate().take(last as usize + 1);
            for (i, cut) in reached.skip(first) {
                let level = high - step * (i as f32 + 0.5);
                let p = a.lerp(b, ((a.y - level) / (a.y - b.y)).clamp(0.0, 1.0));
                let p = Vec2::new(p.x, p.z);
                *cut = [cut[0].min(p), cut[1].max(p)];
            }
        }
    }
    cuts
}
