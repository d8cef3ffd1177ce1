//! Contact with the head: which vertices are close, the planes they must stay
//! in front of, friction and restitution.
//!
//! A vertex looks at the skin only when it may have come close since it looked
//! last; hair that hangs free costs nothing. A row's clock ([`ProximityCache`]) counts
//! what the fastest of its vertices moves; `Block::room` says when each is due.

mod surface;

pub use surface::{CollisionSurface, ContactQuery, ContactResult, Tangent};

use super::{
    solver::{HeadTravel, Scratch, StepInput},
    state::{Block, ProximityCache},
};
use crate::math::lanes::{Lane, LaneFrame, V3};
use glam::{DVec3, Vec3};

/// A near vertex must look again after this much motion: on the tightest curve
/// of a head, an ear of 5 mm, the plane is then off by 0.2 mm. `[m]`
const PLANE_SLACK: f64 = 0.0015;

/// A vertex is near when it is closer than this, so that one that a neighbour
/// yanks within the substep still meets its plane. `[m]`
const NEAR: f64 = 0.003;

/// A vertex that ends so far from where it was expected looks whether its plane
/// was the right one; one that goes no farther in a substep need not. `[m]`
pub const ASIDE: f64 = 0.003;

/// A vertex that was yanked deeper than this is held by another plane. `[m]`
const YANKED: f64 = 0.001;

/// So often a substep is done again for the vertices that [`strayed`].
pub const SECOND_TRIES: usize = 2;

/// The offset of a plane where none is needed: below everything. `[m]`
pub const NO_PLANE: f64 = -1e3;

/// The vertices of a row that look at once.
#[derive(Debug, Default)]
pub struct QueryBatch {
    lanes: Vec<usize>,
    queries: Vec<ContactQuery>,
    results: Vec<ContactResult>,
}

impl QueryBatch {
    fn clear(&mut self) {
        self.lanes.clear();
        self.queries.clear();
        self.results.clear();
    }
}

/// Lets row `i` look where it may have come close, and takes the planes of a
/// near one into the world.
#[inline(always)]
pub fn look<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    input: &StepInput,
    part: &HeadTravel<T>,
    i: usize,
) {
    let Some(skin) = input.skin.filter(|_| i >= block.pinned) else {
        block.proximity[i].near = false;
        return;
    };
    let limits = Limits::new(&block.proximity[i], input);
    if limits.passed(&block.proximity[i]) {
        look_again(block, scratch, i, skin, input, part, limits);
    }
    if block.proximity[i].near {
        scratch.pushed[i] = T::zero();
        scratch.offset[i] = block.plane_offset[i];
        scratch.normal[i] = if input.still {
            block.plane_normal[i]
        } else {
            part.now.vector(block.plane_normal[i])
        };
    }
}

/// What a row's clock will show at most after this substep: vertices with less
/// room must look.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For vertices that were near. `[m]`
    near: f64,
    /// For those that were not. `[m]`
    far: f64,
}

impl Limits {
    /// In this substep a vertex goes at most as far as in the last one and what
    /// gravity and wind add; neighbours may pull as much again.
    #[inline(always)]
    pub fn new(proximity: &ProximityCache, input: &StepInput) -> Self {
        let far = proximity.travel + proximity.last + input.reach + input.head_travel;
        Self { near: far, far }
    }

    /// The same for methods that tell by [`ride`] how far a row has moved as the
    /// head sees it: hair that goes with the head looks no more often than hair
    /// on a resting one. The head may start or stop within a substep; that
    /// counts for vertices that have no plane yet.
    #[inline(always)]
    pub fn riding(proximity: &ProximityCache, input: &StepInput) -> Self {
        Self {
            near: proximity.travel + proximity.last,
            ..Self::new(proximity, input)
        }
    }

    /// Whether any vertex of the row must look.
    #[inline(always)]
    pub fn passed(&self, proximity: &ProximityCache) -> bool {
        self.near > proximity.near_room || self.far > proximity.far_room
    }
}

/// Whether the motion of a row must be told to [`ride`] as the head sees it;
/// far from the skin the way of the head may be added instead, which is less work.
#[inline(always)]
pub fn close(proximity: &ProximityCache, input: &StepInput) -> bool {
    let step = proximity.last + input.reach + input.head_travel;
    proximity.near || proximity.far_room - proximity.travel < 16.0 * step
}

/// Notes that row `i` has moved by `farthest` in a substep, as the head sees it
/// where the row is [`close`]. `[m]`
#[inline(always)]
pub fn ride<T: Lane>(block: &mut Block<T>, input: &StepInput, i: usize, farthest: f64) {
    let proximity = &mut block.proximity[i];
    // Bodies beside the head move by themselves, as the head sees it.
    proximity.travel += match close(proximity, input) {
        true => input.body_travel,
        false => input.head_travel,
    };
    proximity.last = farthest;
    proximity.travel += farthest;
}

/// How the skin moves in a substep.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceMotion<T> {
    columns: [V3<T>; 3],
    root_moved: V3<T>,
}

impl<T: Lane> SurfaceMotion<T> {
    /// From one pose of the head to the next, while roots move by `root_moved`.
    #[inline(always)]
    pub fn new(before: &LaneFrame<T>, now: &LaneFrame<T>, root_moved: V3<T>) -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(V3::<T>::splat);
        let mut columns = axes;
        for (column, axis) in columns.iter_mut().zip(axes) {
            *column = now.vector(before.inverse_vector(axis)) - axis;
        }
        Self {
            columns,
            root_moved,
        }
    }

    /// How far the head moves what was at `start`, a place that was noted from
    /// the root's new place. `[m]`
    #[inline(always)]
    pub fn at(&self, start: V3<T>) -> V3<T> {
        let old = start + self.root_moved;
        let [x, y, z] = self.columns;
        x.scale(old.x) + y.scale(old.y) + z.scale(old.z) + self.root_moved
    }
}

/// How vertices ask for what they meet in one substep.
struct QueryContext<'a, T> {
    part: &'a HeadTravel<T>,
    before: LaneFrame<f64>,
    now: LaneFrame<f64>,
    margin: f64,
}

impl<'a, T: Lane> QueryContext<'a, T> {
    fn new(part: &'a HeadTravel<T>, input: &StepInput) -> Self {
        Self {
            part,
            before: part.before.lane(0),
            now: part.now.lane(0),
            margin: input.margin,
        }
    }

    /// Where vertex `i` of the strand in `lane` was (`scratch.before`), in the head's
    /// space as it was then, and where `place`, from the root, will be in it. `[m]`
    fn way(
        &self,
        block: &Block<T>,
        scratch: &Scratch<T>,
        i: usize,
        lane: usize,
        place: [f64; 3],
    ) -> [Vec3; 2] {
        let root = DVec3::from(block.root_rest.get(lane));
        let seen = |frame: &LaneFrame<f64>, p: DVec3| {
            let seen = frame.inverse_vector(V3::<f64>::splat(p.into()));
            (root + DVec3::from(seen.get(0))).as_vec3()
        };
        let start = DVec3::from(scratch.before[i].get(lane));
        let moved = DVec3::from(self.part.root_moved.get(lane));
        [
            seen(&self.before, start + moved),
            seen(&self.now, place.into()),
        ]
    }

    /// What vertex `i` of the strand in `lane` asks on a way in the head's space. `[m]`
    fn query(
        &self,
        block: &Block<T>,
        i: usize,
        lane: usize,
        [from, to]: [Vec3; 2],
    ) -> ContactQuery {
        let place = |p: [f64; 3]| DVec3::from(p).as_vec3();
        ContactQuery {
            from,
            to,
            root: place(block.root_rest.get(lane)),
            rest: place((block.root_rest + block.rest[i]).get(lane)),
            margin: self.margin,
            clearance: block.clearance[i].get(lane),
            substep: self.part.substep,
        }
    }
}

/// Lets the vertices of row `i` look that have no room left: from where they
/// were (`scratch.before`) to where they would go (`block.position`).
#[inline(never)]
pub fn look_again<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    i: usize,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<T>,
    limits: Limits,
) {
    let travel = block.proximity[i].travel;
    // The clock starts anew, so that its numbers stay small.
    let limit = |limit: f64| T::splat(limit - travel);
    let mut room = block.room[i] - T::splat(travel);
    let mut offset = block.plane_offset[i];
    let limit = has_plane(offset, limit(limits.near), limit(limits.far));
    let due = room.less(limit, T::splat(1.0), T::zero());
    let asking = QueryContext::new(part, input);
    // All at once: a skin may wait for memory once instead of for each.
    let mut looks = std::mem::take(&mut scratch.looks);
    looks.clear();
    for lane in 0..T::LANES {
        if due.get(lane) < 0.5 {
            continue;
        }
        if i >= block.counts[lane] {
            offset.set(lane, NO_PLANE);
            room.set(lane, f64::from(f32::MAX));
            continue;
        }
        let way = asking.way(block, scratch, i, lane, block.position[i].get(lane));
        looks.lanes.push(lane);
        looks.queries.push(asking.query(block, i, lane, way));
    }
    skin.query_all(&looks.queries, &mut looks.results);
    for ((&lane, query), met) in looks.lanes.iter().zip(&looks.queries).zip(&looks.results) {
        if input.body_travel > 0.0 {
            let drift = met.drift.to_array().map(f64::from);
            block.plane_drift[i].set(lane, drift);
        }
        let gap = f64::from(met.tangent.distance) - met.keep;
        // A fast vertex may end far from where it was expected.
        let close = gap < NEAR + f64::from(query.from.distance(query.to));
        if close && met.tangent.offset > f32::MIN {
            let (normal, plane) = met.plane(query);
            block.plane_normal[i].set(lane, normal.to_array());
            offset.set(lane, plane);
            // A plane that moves by itself is good for now only.
            room.set(lane, if met.moves { -1.0 } else { PLANE_SLACK });
        } else {
            // One that a neighbour may yank through the skin is watched all the same.
            offset.set(lane, NO_PLANE);
            room.set(lane, if close { PLANE_SLACK } else { gap });
        }
    }
    scratch.looks = looks;
    (block.room[i], block.plane_offset[i]) = (room, offset);
    let most = T::splat(f64::from(f32::MAX));
    let proximity = &mut block.proximity[i];
    proximity.travel = 0.0;
    proximity.near_room = -(-has_plane(offset, room, most)).largest();
    proximity.far_room = -(-has_plane(offset, most, room)).largest();
    proximity.near = proximity.near_room < f64::from(f32::MAX);
}

/// One of two values in each lane: does the vertex with this `offset` have a plane?
#[inline(always)]
fn has_plane<T: Lane>(offset: T, yes: T, no: T) -> T {
    T::splat(0.5 * NO_PLANE).less(offset, yes, no)
}

/// Looks where the vertices of the strands in lanes `first..` have come in a
/// substep, by `place`, before it is accepted. Those that something yanked into
/// the skin past the plane they knew get the one they went through, and the
/// substep is to be done again: then the answer is true.
#[inline(always)]
pub fn strayed<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    part: &HeadTravel<B>,
    first: usize,
    place: impl Fn(usize) -> V3<T>,
) -> bool {
    let Some(skin) = input.skin else {
        return false;
    };
    let mut any = false;
    for i in block.pinned..block.rows {
        let expected = block.position[i].cut(first);
        any |= strayed_at(
            block,
            scratch,
            skin,
            input,
            part,
            i,
            first,
            expected,
            place(i),
        );
    }
    any
}

/// The same for row `i` alone, whose vertices were `expected` somewhere and have
/// come to `x`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
pub fn strayed_at<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<B>,
    i: usize,
    first: usize,
    expected: V3<T>,
    x: V3<T>,
) -> bool {
    let start: V3<T> = scratch.before[i].cut(first);
    let length = |v: V3<T>| v.dot(v).sqrt();
    let aside = length(x - expected);
    let went = (length(x - start) + T::splat(input.head_travel)).max(aside);
    let room: T = block.room[i].cut(first);
    let room = room - T::splat(block.proximity[i].travel);
    let offset: T = block.plane_offset[i].cut(first);
    let plane = T::splat(0.5 * NO_PLANE).less(offset, T::splat(ASIDE) - aside, room - went);
    T::zero().any_less(-plane)
        && recheck_neighbour(block, scratch, skin, input, part, i, first, plane, x)
}

/// Gives planes to vertices of row `i` that are inside at `x`, in the lanes from
/// `first` on where `room` is negative; answers whether there is any.
#[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
fn recheck_neighbour<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<B>,
    i: usize,
    first: usize,
    room: T,
    x: V3<T>,
) -> bool {
    let asking = QueryContext::new(part, input);
    let mut any = false;
    for lane in 0..T::LANES {
        let all = first + lane;
        if room.get(lane) >= 0.0 || all >= block.strands || i >= block.counts[all] {
            continue;
        }
        let way = asking.way(block, scratch, i, all, x.get(lane));
        let query = asking.query(block, i, all, way);
        let met = skin.query(&query);
        let gap = f64::from(met.tangent.distance) - met.keep;
        if gap > -YANKED {
            continue;
        }
        let known = DVec3::from(block.plane_normal[i].get(all));
        let here = (query.to.as_dvec3() - query.root.as_dvec3()).dot(known)
            - block.plane_offset[i].get(all);
        if here < 0.5 * gap {
            // It knows, and is on its way out.
            continue;
        }
        let (normal, offset) = met.plane(&query);
        block.plane_normal[i].set(all, normal.to_array());
        block.plane_offset[i].set(all, offset);
        block.plane_drift[i].set(all, met.drift.to_array().map(f64::from));
        // Another one may be nearer where it ends.
        block.room[i].set(all, -1.0);
        any = true;
    }
    if any {
        let proximity = &mut block.proximity[i];
        (proximity.near, proximity.near_room) = (true, -1.0);
        scratch.offset[i] = block.plane_offset[i];
        scratch.normal[i] = part.now.vector(block.plane_normal[i]);
        scratch.pushed[i] = B::zero();
    }
    any
}

/// How far what the vertices of row `i` touch moves in this substep otherwise
/// than the head does, in the world. `[m]`
#[inline(always)]
pub fn drift<B: Lane, T: Lane>(
    block: &Block<B>,
    input: &StepInput,
    now: &LaneFrame<T>,
    first: usize,
    i: usize,
) -> V3<T> {
    if input.body_travel > 0.0 {
        now.vector(block.plane_drift[i].cut(first))
    } else {
        V3::zero()
    }
}

/// Coulomb friction on positions: the sideways motion against the skin is
/// taken back by at most `mu` times what contact pushed (Macklin et al. 2014,
/// "Unified Particle Physics", eq. 24). `carried` is how far the skin moved.
#[inline(always)]
pub fn friction<T: Lane>(
    p: V3<T>,
    start: V3<T>,
    carried: V3<T>,
    normal: V3<T>,
    pushed: T,
    mu: f64,
) -> V3<T> {
    let slip = p - start - carried;
    let slip = slip - normal.scale(normal.dot(slip));
    let length = slip.dot(slip).sqrt();
    let hold = pushed * T::splat(mu);
    // All of the slip where friction can hold it, else as much as it can.
    let share = length.less(hold, T::splat(1.0), hold / length.max(T::splat(1e-12)));
    p - slip.scale(share)
}

/// What to add to the velocity so that the speed of impact along the normal
/// comes back times `restitution`.
#[inline(always)]
pub fn bounce<T: Lane>(velocity: V3<T>, normal: V3<T>, pushed: T, restitution: f64) -> V3<T> {
    let impact = normal.dot(velocity).min(T::zero());
    let touched = T::zero().less(pushed, T::splat(-restitution), T::zero());
    normal.scale(impact * touched)
}

/// Where a vertex `p` that the stretch limit drew below the skin goes instead:
/// along the tangent plane, no farther from `inner` than the squared length
/// `longest` allows. The length has the last word: where the plane is out of
/// reach, the vertex goes straight towards it.
#[inline(always)]
pub fn on_skin<T: Lane>(inner: V3<T>, p: V3<T>, longest: T, normal: V3<T>, offset: T) -> V3<T> {
    let tiny = T::splat(1e-16);
    let d = p - inner;
    let along = d - normal.scale(normal.dot(d));
    let rise = (offset - normal.dot(inner)).min(longest.sqrt());
    let reach = (longest - rise * rise).max(T::zero());
    let stride = (reach / along.dot(along).max(reach).max(tiny)).sqrt();
    let slid = inner + normal.scale(rise) + along.scale(stride);
    let below = normal.dot(p);
    let pick = |slid: T, p: T| below.less(offset, slid, p);
    V3 {
        x: pick(slid.x, p.x),
        y: pick(slid.y, p.y),
        z: pick(slid.z, p.z),
    }
}
