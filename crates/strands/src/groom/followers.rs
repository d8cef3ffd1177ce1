//! Followers: strands that are drawn but not simulated. Each keeps its place
//! between the nearest guides and gathers around one of them.

use super::{Groom, VellusHair, vellus};
use crate::{
    math::{
        elementary::{cos, sin},
        random::{self, strand_random},
    },
    mesh::{Growth, Mesh, Root, RootParams, scatter},
    param, params,
};
use glam::Vec3;
use rayon::prelude::*;
use rstar::{RTree, primitives::GeomWithData};
use std::sync::Arc;

/// The most of `followers.each`.
pub const MOST_FOLLOWERS: u32 = 300;

params! {
    /// Drawn strands between the simulated ones.
    pub struct FollowerParams: "followers" {
        /// Strands drawn around each simulated one; 0 draws the simulated ones alone, all as wide, without the fine hairs of the hairline.
        each: u32 = 5u32, param::int(0, MOST_FOLLOWERS.into()), "", "For each strand";
        /// How closely followers gather around the strand that they follow.
        clump: f32 = 0.8, param::float(0.0, 1.0), "", "Clump of followers";
        /// How far from it they may lie.
        radius: f32 = 0.003, param::float(0.0, 0.03), "m", "Follower radius";
        /// Amplitude of the small random waves of each follower.
        frizz: f32 = 0.0006, param::float(0.0, 0.01), "m", "Frizz of followers";
        /// Share of followers that leave their lock and stand off from the hair, each at the diameter of a single hair.
        fly_aways: f32 = 0.06, param::float(0.0, 1.0), "", "Fly-aways";
        /// How far fly-aways stand off at the most; about half of it in straight and tied hair.
        stand_off: f32 = 0.02, param::float(0.0, 0.1), "m", "Stand-off";
        /// How far followers are shifted along the strand they follow: curls out of step.
        shift: f32 = 0.003, param::float(0.0, 0.05), "m", "Curl shift";
        /// The most by which a follower is shorter than the strand it follows, as a share.
        length_spread: f32 = 0.15, param::float(0.0, 0.9), "", "Length spread";
    }
}

/// Where followers are rooted.
#[derive(Clone, Debug)]
pub enum Bed {
    /// On the scalp: these roots go on where those of the guides end, as far as
    /// maps and brush let them.
    Scalp(Box<RootParams>, Arc<Growth>),
    /// Where a file has hair, and nowhere else.
    Beside(Arc<Beside>),
}

/// Places beside strands that came from a file.
#[derive(Debug, PartialEq)]
pub struct Beside {
    /// All roots, and the way out of the skin there. `[m]`
    around: Vec<(Vec3, Vec3)>,
    /// How far roots are from their neighbours. `[m]`
    apart: f32,
}

impl Bed {
    /// Beside strands with roots and normals `around`, in an order whose beginning is
    /// everywhere.
    pub fn beside(around: Vec<(Vec3, Vec3)>) -> Self {
        // Strands of one root are one place: to walk past hundreds of them takes long.
        let mut places: Vec<_> = around.iter().map(|(root, _)| root.to_array()).collect();
        places.sort_unstable_by_key(|place| place.map(f32::to_bits));
        places.dedup();
        let tree = RTree::bulk_load(places);
        let asked = around.iter().take(300);
        let gaps = asked.filter_map(|(root, _)| {
            let mut near = tree.nearest_neighbor_iter(root.to_array());
            let next = near.find(|other| Vec3::from(**other) != *root)?;
            Some(Vec3::from(*next).distance(*root))
        });
        let (sum, count) = gaps.fold((0.0, 0), |(sum, n), gap| (sum + gap, n + 1));
        // A lone strand has hair of a lock's width beside it.
        let apart = if count > 0 { sum / count as f32 } else { 0.004 };
        Self::Beside(Arc::new(Beside { around, apart }))
    }
}

impl Default for Bed {
    fn default() -> Self {
        Self::Scalp(Box::default(), Arc::default())
    }
}

impl Beside {
    /// The place of follower `index`, somewhere beside a strand.
    fn root(&self, index: usize) -> Vec3 {
        let Some((root, normal)) = self.around.get(index % self.around.len().max(1)) else {
            return Vec3::ZERO;
        };
        let angle = std::f32::consts::TAU * random::uniform(0xf0110, index as u64);
        let away = self.apart * random::uniform(0xaa7e, index as u64).sqrt();
        let across = normal.normalize_or(Vec3::Y).any_orthonormal_vector();
        let other = normal.cross(across);
        *root + (across * cos(angle) + other * sin(angle)) * away
    }
}

/// Guides that lean apart by more than this do not share followers: the cosine
/// of the angle. Across a parting it is negative.
const TOGETHER: f32 = 0.3;

/// So many of the nearest guides are asked whether they lean alike.
const ASKED: usize = 12;

/// A strand that follows guides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower {
    /// From the weighted middle of the guides' roots to its own root, in the
    /// head's space at rest. `[m]`
    pub offset: Vec3,
    /// Weight of each guide; their sum is 1, and the first is the greatest.
    pub weights: [f32; 3],
    /// The nearest guides that lean alike; it gathers around the first.
    pub guides: [u32; 3],
    /// Length of the first guide at rest. `[m]`
    pub length: f32,
    /// How wide it is drawn, a share of the diameter: the nearer it is rooted to the
    /// hairline, the finer, and the likelier to be short.
    pub width: f32,
}

impl Follower {
    /// Share of its guide's length that one with number `id` has for being near the
    /// hairline: some of those there are short. As `shaders/grow.vert` has it.
    pub fn grown(&self, id: u32) -> f32 {
        let within = (self.width - vellus::FINEST) / (1.0 - vellus::FINEST);
        if strand_random(id, 24) < 0.3 + 0.9 * within {
            return 1.0;
        }
        let [short, more] = SHORT;
        ((short + more * strand_random(id, 25).powi(2)) / self.length.max(1e-3)).min(1.0)
    }
}

/// The shortest hair near the hairline, and how much longer the longest of the short
/// is; as in `shaders/grow.vert`. `[m]`
const SHORT: [f32; 2] = [0.012, 0.07];

/// All followers of a groom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followers {
    /// Strands of the groom that they follow; their own numbers begin behind these.
    pub guides: usize,
    /// One entry each.
    pub list: Vec<Follower>,
    /// The fine short hairs along the hairline besides.
    pub vellus: Vec<VellusHair>,
    /// How wide each guide is drawn, a share of the diameter: the nearer to the
    /// hairline, the finer. Empty where all are as wide.
    pub guide_widths: Vec<f32>,
}

/// No more followers are planted: each takes some 160 bytes here and as many on
/// the graphics card.
const MOST: usize = 4_000_000;

/// As many followers for each of so many `strands` as memory allows.
fn affordable(strands: usize, each: u32) -> u32 {
    each.min(u32::try_from(MOST / strands.max(1)).unwrap_or(u32::MAX))
}

impl Followers {
    /// What to say where fewer than `each` are planted for each of so many `strands`;
    /// none where they are as many.
    pub fn capped(strands: usize, each: u32) -> Option<String> {
        let most = affordable(strands, each);
        (most < each).then(|| {
            format!(
                "{each} hairs between {strands} strands each are more than {MOST}; {most} are drawn"
            )
        })
    }

    /// Plants `each` followers for every strand of `groom` on `mesh`.
    pub fn plant(groom: &Groom, mesh: &Mesh, bed: &Bed, each: u32) -> Self {
        Self::plant_while(groom, mesh, bed, each, &|| true).unwrap_or_default()
    }

    /// The same, as long as one is to `go_on`; none where it was given up.
    pub fn plant_while(
        groom: &Groom,
        mesh: &Mesh,
        bed: &Bed,
        each: u32,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        if let Some(text) = Self::capped(groom.strands(), each) {
            log::warn!("{text}");
        }
        let each = affordable(groom.strands(), each);
        let (params, growth) = match bed {
            Bed::Scalp(params, growth) => (params, growth),
            Bed::Beside(beside) => {
                let wanted = groom.strands().saturating_mul(each as usize);
                let roots = (0..wanted).map(|i| beside.root(i)).collect();
                return Self::rooted(groom, roots, go_on);
            }
        };
        // Hair that did not grow from these roots has its own number of strands.
        let strands = groom.strands() as u32;
        let grown = match growth.thins_out() {
            true => params.strands,
            false => strands,
        };
        let params = RootParams {
            strands: grown,
            ..RootParams::clone(params)
        };
        if each == 0 {
            return go_on().then(Self::default);
        }
        let roots = scatter::more_roots(mesh, &params, growth, each).unwrap_or_else(|error| {
            log::warn!("no hair is drawn between the simulated strands: {error}");
            Vec::new()
        });
        let roots: Vec<Vec3> = roots.iter().map(|root| root.position).collect();
        let widths = vellus::widths(mesh, &params, &roots);
        let mut planted = Self::rooted(groom, roots, go_on)?;
        for (follower, width) in planted.list.iter_mut().zip(widths) {
            follower.width = width;
        }
        let drawn = groom.strands() + planted.list.len();
        planted.vellus = vellus::plant(groom, mesh, &params, growth, drawn);
        planted.guide_widths = vellus::guide_widths(groom, mesh, &params);
        go_on().then_some(planted)
    }

    /// Binds strands with these `roots` to the guides of `groom`; without guides
    /// there are no followers.
    pub fn new(groom: &Groom, roots: &[Root]) -> Self {
        let roots = roots.iter().map(|root| root.position).collect();
        Self::rooted(groom, roots, &|| true).unwrap_or_default()
    }

    fn rooted(groom: &Groom, roots: Vec<Vec3>, go_on: &(dyn Fn() -> bool + Sync)) -> Option<Self> {
        let tied = groom.tied();
        let guides: Vec<Guide> = (0..groom.strands())
            .filter_map(|strand| Guide::new(groom, strand, tied[strand]))
            .collect();
        let entries = guides
            .iter()
            .enumerate()
            .map(|(i, guide)| Entry::new(guide.root.to_array(), i));
        let tree = RTree::bulk_load(entries.collect());
        let list = roots
            .into_par_iter()
            .filter_map(|root| bind(root, &guides, &tree).filter(|_| go_on()))
            .collect();
        let guides = groom.strands();
        go_on().then_some(Self {
            guides,
            list,
            ..Self::default()
        })
    }
}

/// What is asked of a guide at rest.
struct Guide {
    strand: u32,
    root: Vec3,
    /// Which way it leans, root to middle; any length.
    lean: Vec3,
    length: f32,
    tied: bool,
}

impl Guide {
    fn new(groom: &Groom, strand: usize, tied: bool) -> Option<Self> {
        let points = groom.strand(strand);
        let root = *points.first()?;
        let edges = points.windows(2);
        root.is_finite().then(|| Self {
            strand: strand as u32,
            root,
            lean: points[points.len() / 2] - root,
            length: edges.map(|edge| edge[0].distance(edge[1])).sum(),
            tied,
        })
    }

    /// Nothing lies between hair that is tied and hair that hangs.
    fn leans_like(&self, other: &Self) -> bool {
        let along = self.lean.dot(other.lean);
        self.tied == other.tied && along >= TOGETHER * self.lean.length() * other.lean.length()
    }
}

type Entry = GeomWithData<[f32; 3], usize>;

fn bind(root: Vec3, guides: &[Guide], tree: &RTree<Entry>) -> Option<Follower> {
    let near: Vec<&Guide> = tree
        .nearest_neighbor_iter(root.to_array())
        .take(ASKED)
        .map(|entry| &guides[entry.data])
        .collect();
    let first = on_its_side(root, &near)?;
    let mut chosen = [first; 3];
    let mut count = 1;
    let others = near.iter().filter(|guide| guide.strand != first.strand);
    for guide in others.filter(|guide| guide.leans_like(first)).take(2) {
        chosen[count] = guide;
        count += 1;
    }
    // Nearer guides count for more; a follower on a guide's root is its copy.
    let mut weights = [0.0; 3];
    for (weight, guide) in weights.iter_mut().zip(&chosen).take(count) {
        *weight = 1.0 / (guide.root.distance_squared(root) + 2e-6);
    }
    let sum: f32 = weights.iter().sum();
    let weights = weights.map(|weight| weight / sum);
    let middle: Vec3 = (0..3).map(|k| chosen[k].root * weights[k]).sum();
    Some(Follower {
        offset: root - middle,
        weights,
        guides: chosen.map(|guide| guide.strand),
        length: first.length,
        width: 1.0,
    })
}

/// The nearest of the guides that lean to the side on which `root` is: where those
/// `near`, the nearest first, lean to two sides, hair parts along a straight line between
/// them, and not in teeth around each of them.
fn on_its_side<'a>(root: Vec3, near: &[&'a Guide]) -> Option<&'a Guide> {
    let nearest = *near.first()?;
    let (like, unlike): (Vec<&Guide>, Vec<&Guide>) =
        near.iter().partition(|guide| guide.leans_like(nearest));
    let Some(other) = unlike.first() else {
        return Some(nearest);
    };
    let lean = |side: &[&Guide]| -> Vec3 {
        let all = side.iter().map(|guide| guide.lean.normalize_or_zero());
        all.sum::<Vec3>() / side.len() as f32
    };
    let across = lean(&like) - lean(&unlike);
    let along = |guide: &&Guide| guide.root.dot(across);
    let low = like.iter().map(along).fold(f32::INFINITY, f32::min);
    let high = unlike.iter().map(along).fold(f32::NEG_INFINITY, f32::max);
    let stays = root.dot(across) >= 0.5 * (low + high);
    Some(if stays { nearest } else { other })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_bounds_the_followers() {
        assert_eq!(affordable(0, 300), 300);
        assert_eq!(affordable(2_500, 300), 300);
        // The ends of both sliders would take 10 GB.
        assert_eq!(affordable(100_000, 300), 40);
        let text = Followers::capped(100_000, 300).expect("fewer than asked for");
        assert!(text.ends_with("; 40 are drawn"), "{text}");
        assert_eq!(Followers::capped(2_500, 300), None);
    }

    /// Straight strands from roots on a 1 cm lattice that lean to the side they
    /// are on; 10 x 10 of them around the origin.
    fn parted() -> Groom {
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for i in 0..100 {
            let root = Vec3::new((i % 10) as f32 - 4.5, 0.0, (i / 10) as f32 - 4.5) * 0.01;
            let way = Vec3::new(root.x.signum(), 0.5, 0.0) * 0.02;
            groom.points.extend((0..5).map(|k| root + way * k as f32));
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        groom
    }

    fn root(x: f32, z: f32) -> Root {
        Root {
            triangle: 0,
            uv: [0.0; 2],
            position: Vec3::new(x, 0.0, z),
            normal: Vec3::Y,
            number: 0,
            length: 1.0,
            curl: 1.0,
            stiffness: 1.0,
            colour: None,
        }
    }

    #[test]
    fn followers_lie_between_the_nearest_guides_of_their_side() {
        let groom = parted();
        let roots: Vec<Root> = (0..500)
            .map(|i| {
                let draw = |salt| crate::math::random::signed(salt, i) * 0.045;
                root(draw(1), draw(2))
            })
            .collect();
        let followers = Followers::new(&groom, &roots);
        assert_eq!(followers.list.len(), 500);
        for (follower, root) in followers.list.iter().zip(&roots) {
            let guide = |k: usize| groom.strand(follower.guides[k] as usize);
            let sides: Vec<f32> = (0..3).map(|k| guide(k)[0].x.signum()).collect();
            assert!(sides.iter().all(|s| *s == sides[0]), "across the parting");
            assert!((follower.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(follower.weights[0] >= follower.weights[1]);
            // Its root is where it was asked for, and no guide is nearer.
            let middle: Vec3 = (0..3).map(|k| guide(k)[0] * follower.weights[k]).sum();
            assert!((middle + follower.offset).distance(root.position) < 1e-6);
            let nearest = (0..100).map(|g| groom.strand(g)[0].distance(root.position));
            let nearest = nearest.fold(f32::INFINITY, f32::min);
            assert!((guide(0)[0].distance(root.position) - nearest).abs() < 1e-6);
            let length = 4.0 * 0.02 * 1.25f32.sqrt();
            assert!((follower.length - length).abs() < 1e-5);
        }
    }

    #[test]
    fn a_follower_on_a_guides_root_is_its_copy() {
        let groom = parted();
        let followers = Followers::new(&groom, &[root(0.005, 0.005)]);
        let follower = followers.list[0];
        assert!(follower.weights[0] > 0.95, "{:?}", follower.weights);
        assert!(follower.offset.length() < 1e-3);
    }

    #[test]
    fn few_guides_or_none_are_enough() {
        let none = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        assert_eq!(
            Followers::new(&none, &[root(0.0, 0.0)]),
            Followers::default()
        );
        let mut one = none;
        one.points = vec![Vec3::ZERO, Vec3::Y];
        one.starts.push(2);
        let followers = Followers::new(&one, &[root(0.3, 0.0)]);
        assert_eq!(followers.list[0].weights, [1.0, 0.0, 0.0]);
        assert_eq!(followers.list[0].offset, Vec3::X * 0.3);
    }
}
