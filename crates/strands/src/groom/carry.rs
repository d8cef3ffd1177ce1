//! Hair that was modelled on one head, carried onto another.
//!
//! Where both heads have the same faces, each root keeps its triangle and its
//! barycentric coordinates there, and the strand turns as the skin around it does.
//! Where they differ, the hair as a whole goes from scalp to scalp or by the placement
//! that fits it best ([`fit`]), is stretched along the axes until roots are
//! nearest to the skin, and roots go onto it; strands turn from the
//! one skin's normal to the other's, alike among neighbours. Strands keep their
//! shape; all lengths are scaled by one factor, how much broader the roots lie on
//! the other head. What would lie deeper in that head than it did in its own is
//! moved out, and its neighbours along the strand with it, less the farther they are.

use super::{
    bind::asked,
    fit::{self, Fitting, Placement},
    fit_limits::FitLimits,
    import::{ImportParams, Loose},
    outliers::Outliers,
    reading::read_as,
    settled::ease,
};
use crate::{
    math::{
        counted,
        elementary::{cbrt, exp},
    },
    mesh::{CollisionMesh, Mesh, Root, RootParams, Surface, Up, root_at, scatter},
};
use glam::{Mat3, Quat, Vec3};
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};

/// Strands whose roots are neighbours turn alike: so many are averaged.
const ALIKE: usize = 16;
/// Roots that are asked how far they are from the skin, and how often they are brought
/// nearer to it.
const ASKED: usize = 400;
const STEPS: usize = 16;
/// An axis is stretched by no more than to this share, or by its inverse.
const LEAST: f32 = 0.8;
/// So many places tell how broad a scalp is.
const SCALP: u32 = 600;
/// Scalp goes to scalp where roots are no farther from the skin than so many times as far
/// as with the best fit.
const SCALP_ODDS: f32 = 1.5;
/// Roots that lie closer together do not tell how broad a head is. `[m]`
const NARROW: f32 = 0.01;
/// Skin farther away than this has nothing to push. `[m]`
const NEAR: f32 = 0.1;
/// A vertex that is moved out takes those along with it that are as near as this
/// along the strand. `[m]`
const TAKES_ALONG: f32 = 0.015;
/// So often are vertices moved out, at last each alone.
const ROUNDS: usize = 5;
/// Strands that are moved out by more than this are told of. `[m]`
const TOLD: f32 = 1e-3;
/// What is no deeper than this below where it may be stays. `[m]`
const SLACK: f32 = 1e-5;

/// Hair on another head.
#[derive(Clone, Debug)]
pub struct Carried {
    /// All points, in the order of the file, in the space of the other head. `[m]`
    pub points: Vec<Vec3>,
    /// How thick hair is at each; empty where the file is silent. `[m]`
    pub widths: Vec<f32>,
    /// How it came there.
    pub report: CarryReport,
}

/// How hair came from one head onto another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CarryReport {
    /// Whether both heads have the same faces.
    pub same_faces: bool,
    /// By what all lengths are multiplied.
    pub scale: f32,
    /// How far roots were from the other skin before they were put on it, on average.
    /// `[m]`
    pub mean_distance: f32,
    /// And at most. `[m]`
    pub largest_distance: f32,
    /// Strands of which a part was moved out of the other head by more than a millimetre.
    pub pushed: usize,
    /// How the file of the hair is read: its unit and axis; empty for grown hair.
    pub reading: String,
    /// One sentence.
    pub summary: String,
}

/// A strand on its own head.
pub(super) struct RootedStrand {
    pub points: Vec<Vec3>,
    /// How deep in that head each point may lie: as deep as it does, as a negative
    /// distance. `[m]`
    pub depths: Vec<f32>,
    /// None of a strand astray.
    pub root: Option<Root>,
}

/// Where a strand's root goes, and how the strand turns.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub root: Vec3,
    pub turn: Quat,
    /// From where the root would be to the skin. `[m]`
    apart: f32,
}

/// Carries `loose` strands, which are read as `params` say and were modelled on head
/// `from`, onto head `to`. Where both have the same faces, `twin` has the place of
/// each vertex of the first on the second. `[m]`
pub fn carry(
    loose: &Loose,
    params: &ImportParams,
    from: &CollisionMesh,
    to: &CollisionMesh,
    twin: Option<&[Vec3]>,
) -> Carried {
    let outliers = Outliers::find(loose);
    let (reading, _) = read_as(loose, params, &asked(loose, &outliers), from);
    let placement = reading.placement(params);
    let rooted: Vec<RootedStrand> = (0..loose.len())
        .into_par_iter()
        .map(|i| {
            let points = loose.strand(i).iter().map(|p| placement.place(*p));
            root_on_skin(points.collect(), from, outliers.is_astray(i))
        })
        .collect();
    let twin = twin.filter(|twin| twin.len() == from.mesh.positions.len());
    let (ways, scale, rest) = match twin {
        Some(twin) => by_faces(&rooted, &from.mesh, to, twin),
        None => by_fit(&rooted, from, to),
    };
    let carried: Vec<(Vec<Vec3>, f32)> = rooted
        .par_iter()
        .zip(&ways)
        .map(|(strand, way)| match (&strand.root, way) {
            (Some(root), Some(way)) => {
                let off = |p: &Vec3| way.root + way.turn * (*p - root.position) * scale;
                let mut points: Vec<Vec3> = strand.points.iter().map(off).collect();
                points[0] = way.root;
                let depths: Vec<f32> = strand.depths.iter().map(|d| d * scale).collect();
                let by = push_out(&mut points, &depths, &to.surface);
                (points, by)
            }
            _ => (strand.points.iter().map(|p| rest.place(*p)).collect(), 0.0),
        })
        .collect();
    let n = ways.iter().flatten().count().max(1) as f32;
    let apart = || ways.iter().flatten().map(|way| way.apart);
    let mut report = CarryReport {
        same_faces: twin.is_some(),
        scale,
        mean_distance: apart().sum::<f32>() / n,
        largest_distance: apart().fold(0.0, f32::max),
        pushed: carried.iter().filter(|(_, by)| *by > TOLD).count(),
        reading: reading.told(),
        summary: String::new(),
    };
    report.summary = report.told(&rest);
    Carried {
        points: carried.into_iter().flat_map(|(points, _)| points).collect(),
        widths: loose.widths.iter().map(|w| w * placement.metres).collect(),
        report,
    }
}

impl CarryReport {
    fn told(&self, rest: &Placement) -> String {
        let way = match (self.same_faces, rest.turn) {
            (true, _) => "by its faces, which are the same".to_string(),
            (false, 0.0) => "by a fit, for its faces are others".into(),
            (false, turn) => format!("by a fit, turned by {turn}°, for its faces are others"),
        };
        format!(
            "carried {way}; lengths are multiplied by {:.3}; roots were {:.2} mm from the skin on \
             average, {:.2} mm at most, and were put on it; {} moved out of the head by more than \
             1 mm",
            self.scale,
            1e3 * self.mean_distance,
            1e3 * self.largest_distance,
            counted(self.pushed, "strand was", "strands were")
        )
    }
}

/// A strand with its root on its own head's skin.
fn root_on_skin(mut points: Vec<Vec3>, from: &CollisionMesh, astray: bool) -> RootedStrand {
    let first = points.first().copied().filter(|p| p.is_finite() && !astray);
    let nearest = first.and_then(|p| Some((p, from.surface.closest(p, f32::MAX)?)));
    let Some((first, nearest)) = nearest else {
        return RootedStrand {
            points,
            depths: Vec::new(),
            root: None,
        };
    };
    ease(&mut points, nearest.point - first);
    points[0] = nearest.point;
    let depth = |p: &Vec3| {
        let below = from.surface.closest(*p, NEAR);
        below.map_or(0.0, |nearest| nearest.distance.min(0.0))
    };
    RootedStrand {
        depths: points.iter().map(depth).collect(),
        root: Some(root_at(&from.mesh, nearest.triangle, nearest.point)),
        points,
    }
}

/// The way of each strand where both heads have the same faces, the factor of all
/// lengths, and where strands astray go.
pub(super) fn by_faces(
    rooted: &[RootedStrand],
    mesh: &Mesh,
    to: &CollisionMesh,
    twin: &[Vec3],
) -> (Vec<Option<Way>>, f32, Placement) {
    let turns = turns(mesh, twin);
    let way = |strand: &RootedStrand| {
        let root = strand.root.as_ref()?;
        let corners = mesh.triangles[root.triangle as usize].map(|v| v as usize);
        let [u, v] = root.uv;
        let [a, b, c] = corners.map(|corner| twin[corner]);
        let place = a + (b - a) * u + (c - a) * v;
        let shares = corners.into_iter().zip([1.0 - u - v, u, v]);
        let turn = mean(shares.map(|(corner, share)| (turns[corner], share)));
        // The same skin but for diagonals of bent quads.
        let skin = to.surface.closest(place, f32::MAX);
        let skin = skin.map_or(place, |nearest| nearest.point);
        let apart = skin.distance(place);
        Some(Way {
            root: if apart > SLACK { skin } else { place },
            turn,
            apart,
        })
    };
    let ways: Vec<Option<Way>> = rooted.par_iter().map(way).collect();
    let roots = |of: &dyn Fn(&RootedStrand, &Way) -> Vec3| -> Vec<Vec3> {
        let both = rooted.iter().zip(&ways);
        both.filter_map(|(strand, way)| Some(of(strand, way.as_ref()?)))
            .collect()
    };
    let were = roots(&|strand, _| strand.points[0]);
    let are = roots(&|_, way| way.root);
    let ratio = |were: &[Vec3], are: &[Vec3]| fit::breadth(are) / fit::breadth(were).max(1e-9);
    let scale = match fit::breadth(&were) > NARROW {
        true => ratio(&were, &are),
        false => ratio(&mesh.positions, twin),
    };
    let middle = |p: &[Vec3]| p.iter().sum::<Vec3>() / p.len().max(1) as f32;
    let rest = Placement {
        metres: scale,
        offset: middle(&are) - middle(&were) * scale,
        ..IDENTITY
    };
    (ways, scale, rest)
}

const IDENTITY: Placement = Placement {
    up: Up::Y,
    turn: 0.0,
    metres: 1.0,
    offset: Vec3::ZERO,
    along: None,
};

/// The same where their faces differ: of the placement that fits the hair best and the
/// one that takes scalp to scalp, each then stretched along the axes until roots are
/// nearest to the skin, the one with which they are; scalp to scalp if it is nearly so,
/// for with it hair covers as much of the head as it did.
pub(super) fn by_fit(
    rooted: &[RootedStrand],
    from: &CollisionMesh,
    to: &CollisionMesh,
) -> (Vec<Option<Way>>, f32, Placement) {
    let strands = || rooted.iter().filter(|strand| strand.root.is_some());
    let were: Vec<Vec3> = strands().map(|strand| strand.points[0]).collect();
    let scalps = Stretch::scalp_to_scalp(&from.mesh, &to.mesh);
    let scalps = scalps.map(|way| (way.nearer(&were, &to.surface), 0.0));
    let fitting = Fitting::new(to, strands().map(|strand| &strand.points[..]));
    let stays = fitting.quality(&IDENTITY).cost;
    let best = fitting.best(Some(Up::Y), &FitLimits::default());
    let best = best.filter(|(_, quality)| quality.cost < stays);
    let fitted = best.map_or(IDENTITY, |(placement, _)| placement);
    let turn = fitted.turn;
    let fitted = (Stretch::of(&fitted).nearer(&were, &to.surface), turn);
    let (stretch, turn) = match scalps {
        Some(scalps) if scalps.0.apart < SCALP_ODDS * fitted.0.apart => scalps,
        _ => fitted,
    };
    let way = |strand: &RootedStrand| {
        let root = strand.root.as_ref()?;
        let place = stretch.place(root.position);
        let skin = to.surface.closest(place, f32::MAX)?;
        let there = root_at(&to.mesh, skin.triangle, skin.point);
        let was = stretch.turn * root.normal;
        let lean = Quat::from_rotation_arc(was.normalize_or(Vec3::Y), there.normal);
        Some(Way {
            root: skin.point,
            turn: lean * stretch.turn,
            apart: skin.point.distance(place),
        })
    };
    let mut ways: Vec<Option<Way>> = rooted.par_iter().map(way).collect();
    turn_alike(&mut ways);
    let are: Vec<Vec3> = ways.iter().flatten().map(|way| way.root).collect();
    let scale = match fit::breadth(&were) > NARROW {
        true => fit::breadth(&are) / fit::breadth(&were),
        false => cbrt(stretch.scale.element_product()),
    };
    let rest = Placement {
        turn,
        metres: scale,
        offset: stretch.offset,
        ..IDENTITY
    };
    (ways, scale, rest)
}

/// From the space of one head to that of another: turned, then scaled along each axis
/// and moved. `[m]`
#[derive(Clone, Copy)]
struct Stretch {
    turn: Quat,
    scale: Vec3,
    offset: Vec3,
    /// From roots to the skin on average, once that is measured. `[m]`
    apart: f32,
}

impl Stretch {
    fn of(placement: &Placement) -> Self {
        let offset = placement.place(Vec3::ZERO);
        let axis = |v: Vec3| (placement.place(v) - offset) / placement.metres;
        let turn = Mat3::from_cols(axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z));
        Self {
            turn: Quat::from_mat3(&turn),
            scale: Vec3::splat(placement.metres),
            offset,
            apart: f32::MAX,
        }
    }

    /// Takes middle and breadth of one scalp to those of the other, along each axis.
    fn scalp_to_scalp(from: &Mesh, to: &Mesh) -> Option<Self> {
        let params = RootParams {
            strands: SCALP,
            ..RootParams::default()
        };
        let scalp = |mesh: &Mesh| {
            let roots = scatter::roots(mesh, &params).ok()?;
            let n = roots.len().max(1) as f32;
            let middle = roots.iter().map(|root| root.position).sum::<Vec3>() / n;
            let square = |root: &Root| (root.position - middle) * (root.position - middle);
            let squares = roots.iter().map(square).sum::<Vec3>() / n;
            let breadth = squares.map(f32::sqrt);
            (breadth.min_element() > 0.0).then_some((middle, breadth))
        };
        let ((was, broad), (is, broader)) = (scalp(from)?, scalp(to)?);
        let scale = broader / broad;
        Some(Self {
            turn: Quat::IDENTITY,
            scale,
            offset: is - was * scale,
            apart: f32::MAX,
        })
    }

    fn place(&self, p: Vec3) -> Vec3 {
        self.turn * p * self.scale + self.offset
    }

    /// Stretched along each axis and moved until `roots` are as near to the skin as they
    /// come by that (Besl & McKay 1992, with a regression for each axis).
    fn nearer(mut self, roots: &[Vec3], surface: &Surface) -> Self {
        let every = roots.len().div_ceil(ASKED).max(1);
        let roots: Vec<Vec3> = roots.iter().step_by(every).copied().collect();
        let n = roots.len().max(1) as f32;
        let first = self.scale;
        let mut best = self;
        for _ in 0..STEPS {
            let places: Vec<Vec3> = roots.iter().map(|p| self.place(*p)).collect();
            let skin = |p: &Vec3| surface.closest(*p, f32::MAX).map_or(*p, |near| near.point);
            let skin: Vec<Vec3> = places.par_iter().map(skin).collect();
            let both = || places.iter().zip(&skin);
            self.apart = both().map(|(p, q)| p.distance(*q)).sum::<f32>() / n;
            if self.apart < best.apart {
                best = self;
            }
            let (a, b) = (
                places.iter().sum::<Vec3>() / n,
                skin.iter().sum::<Vec3>() / n,
            );
            let with = both().map(|(p, q)| (*p - a) * (*q - b)).sum::<Vec3>();
            let own = places.iter().map(|p| (*p - a) * (*p - a)).sum::<Vec3>();
            let slope = with / own.max(Vec3::splat(1e-12));
            // No axis far from where it began: a few roots fit in many ways.
            let slope = (self.scale * slope).clamp(first * LEAST, first / LEAST) / self.scale;
            self.scale *= slope;
            self.offset = (self.offset - a) * slope + b;
        }
        best
    }
}

/// How the skin of `mesh` turns at each vertex where its vertices come to be at `twin`:
/// the mean of the turns of its faces, by their areas.
fn turns(mesh: &Mesh, twin: &[Vec3]) -> Vec<Quat> {
    let mut sums: Vec<Vec<(Quat, f32)>> = vec![Vec::new(); twin.len()];
    for (i, corners) in mesh.triangles.iter().enumerate() {
        let frames = (
            frame(mesh.corners(i)),
            frame(corners.map(|v| twin[v as usize])),
        );
        if let (Some(was), Some(is)) = frames {
            let turn = Quat::from_mat3(&(is * was.transpose())).normalize();
            for v in corners {
                sums[*v as usize].push((turn, mesh.area_normal(i).length()));
            }
        }
    }
    sums.into_iter().map(|all| mean(all.into_iter())).collect()
}

/// Axes of a triangle: between its first two edges, across that, and out of it; none
/// of one without area.
fn frame([a, b, c]: [Vec3; 3]) -> Option<Mat3> {
    let (e, f) = ((b - a).try_normalize()?, (c - a).try_normalize()?);
    let out = e.cross(f).try_normalize()?;
    let between = (e + f).try_normalize()?;
    Some(Mat3::from_cols(between, out.cross(between), out))
}

/// The mean of turns that are much alike, each with its weight; none is no turn.
fn mean(mut turns: impl Iterator<Item = (Quat, f32)>) -> Quat {
    let Some((first, weight)) = turns.next() else {
        return Quat::IDENTITY;
    };
    let add = |sum: Quat, (turn, weight): (Quat, f32)| match first.dot(turn) < 0.0 {
        true => sum - turn * weight,
        false => sum + turn * weight,
    };
    let sum = turns.fold(first * weight, add);
    match sum.length_squared() > 1e-12 {
        true => sum.normalize(),
        false => first,
    }
}

/// Strands beside one another turn as their mean does, or they would cross.
fn turn_alike(ways: &mut [Option<Way>]) {
    let known = ways.iter().flatten();
    let known = known.map(|way| GeomWithData::new(way.root.to_array(), way.turn));
    let tree: RTree<_> = RTree::bulk_load(known.collect());
    ways.par_iter_mut().flatten().for_each(|way| {
        let near = tree.nearest_neighbor_iter(way.root.to_array()).take(ALIKE);
        way.turn = mean(near.map(|other| (other.data, 1.0)));
    });
}

/// Moves what lies deeper in the head than `depths` out of it, and what is beside it
/// along the strand with it; by how much at most. The root stays. `[m]`
fn push_out(points: &mut [Vec3], depths: &[f32], surface: &Surface) -> f32 {
    let mut most = 0.0f32;
    for round in 0..ROUNDS {
        let need = |(p, depth): (&Vec3, &f32)| {
            let nearest = surface.closest(*p, NEAR);
            let deeper = nearest.filter(|nearest| nearest.distance < depth - SLACK);
            deeper.map_or(Vec3::ZERO, |nearest| {
                nearest.normal * (depth - nearest.distance)
            })
        };
        let mut by: Vec<Vec3> = points.iter().zip(depths).map(need).collect();
        by[0] = Vec3::ZERO;
        if by.iter().all(|by| *by == Vec3::ZERO) {
            return most;
        }
        most = by.iter().map(|by| by.length()).fold(most, f32::max);
        if round + 2 < ROUNDS {
            let pass = |by: &mut [Vec3], from: usize, to: usize| {
                let edge = points[from].distance(points[to]);
                let along = by[from] * exp(-edge / TAKES_ALONG);
                if to > 0 && along.length_squared() > by[to].length_squared() {
                    by[to] = along;
                }
            };
            (1..points.len()).for_each(|i| pass(&mut by, i - 1, i));
            (1..points.len())
                .rev()
                .for_each(|i| pass(&mut by, i, i - 1));
        }
        points.iter_mut().zip(by).for_each(|(p, by)| *p += by);
    }
    most
}
