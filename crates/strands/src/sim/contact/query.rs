//! Vertices that query the skin, and the planes that they find.
//!
//! A vertex queries only when it may have come close since its last query; hair that
//! hangs free costs nothing. `Block::room` is how far each may move until then (`room`).
//! The plane is that of where a vertex would go by itself. One that constraints or
//! neighbours have yanked elsewhere is rechecked where it has come, along its whole way,
//! before the substep is accepted: continuous collision detection for the few that need it.

use super::{
    cache::{AT_ONCE, NO_PLANE, ProximityCache, has_plane},
    carrier::{Carrier, mark},
    far::{FarLimits, Ways},
    plane::{moved_on_skin, tangent_plane},
    room::RoomLimits,
    surface::{CollisionSurface, ContactQuery, ContactResult},
    torso_planes::turn_torso_planes,
};
use crate::{
    math::lanes::{Lane, LaneFrame, V3, set_bits},
    sim::{
        state::Block,
        step::{HeadTravel, Scratch, StepInput},
    },
};
use glam::{DVec3, Vec3};

/// A near vertex must query again after this much motion: on the tightest curve
/// of a head, an ear of 5 mm, the plane is then off by 0.2 mm. `[m]`
const PLANE_SLACK: f64 = 0.0015;

/// A vertex is near when it is closer than this, so that one that a neighbour
/// yanks within the substep still meets its plane. `[m]`
const PLANE_WITHIN: f64 = 0.003;

/// A vertex that ends so far from where it was expected is rechecked: its plane may
/// be the wrong one. One that goes no farther in a substep need not be. `[m]`
pub const ASIDE: f64 = 0.003;

/// A vertex that was yanked deeper than this is held by another plane. `[m]`
pub(super) const YANKED: f64 = 0.001;

/// So often a substep is done again for the vertices that [`recheck_rows`] finds inside.
pub const SECOND_TRIES: usize = 2;

/// Lets row `i` query where it may have come close, and takes the planes of a
/// near one into the world. The method has noted where the vertices were
/// (`scratch.before`); `T` is a register.
#[inline(always)]
pub fn update_planes<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    part: &HeadTravel<B>,
    i: usize,
) {
    turn_torso_planes(block, input, part, i, |_| scratch.before[i]);
    query_if_needed::<B, T>(block, scratch, input, part, i);
    if block.proximity[i].near {
        scratch.pushed[i] = B::zero();
        (scratch.normal[i], scratch.offset[i]) = tangent_plane(block, input, part, i);
    }
}

/// The skin that row `i` must query now, if it must; what
/// rides on the head, and hair that meets nothing, is near nothing.
#[inline(always)]
pub fn skin_to_query<'a, T: Lane>(
    block: &mut Block<T>,
    input: &StepInput<'a>,
    i: usize,
) -> Option<&'a dyn CollisionSurface> {
    let proximity = &mut block.proximity[i];
    let Some(skin) = input.skin.filter(|_| i >= block.pinned) else {
        proximity.near = false;
        return None;
    };
    RoomLimits::of(proximity, input)
        .exceeded(proximity)
        .then_some(skin)
}

/// How vertices ask for what they meet in one substep.
pub(super) struct QueryContext<'a, T> {
    part: &'a HeadTravel<T>,
    before: LaneFrame<f64>,
    now: LaneFrame<f64>,
    margin: f64,
}

impl<'a, T: Lane> QueryContext<'a, T> {
    pub(super) fn new(part: &'a HeadTravel<T>, input: &StepInput) -> Self {
        Self {
            part,
            before: part.before.lane(0),
            now: part.now.lane(0),
            margin: input.margin,
        }
    }

    /// Where vertex `i` of the strand in `lane` was (`scratch.before`), in the head's
    /// space as it was then, and where `place`, from the root, will be in it. `[m]`
    #[inline(always)]
    pub(super) fn way(
        &self,
        block: &Block<T>,
        scratch: &Scratch<T>,
        i: usize,
        lane: usize,
        place: [f64; 3],
    ) -> [Vec3; 2] {
        let start = DVec3::from(scratch.before[i].get(lane));
        let moved = DVec3::from(self.part.root_moved.get(lane));
        [
            seen(&self.before, block, lane, start + moved),
            self.in_head(block, lane, place),
        ]
    }

    /// Where a vertex of the strand in `lane` will be in the head's space that is at `place`
    /// from its root. `[m]`
    #[inline(always)]
    pub(super) fn in_head(&self, block: &Block<T>, lane: usize, place: [f64; 3]) -> Vec3 {
        seen(&self.now, block, lane, place.into())
    }

    /// What vertex `i` of the strand in `lane` asks on a way in the head's space. `[m]`
    #[inline(always)]
    pub(super) fn query(
        &self,
        block: &Block<T>,
        i: usize,
        lane: usize,
        way: [Vec3; 2],
    ) -> ContactQuery {
        contact_query(block, self.part, block.root_rest, self.margin, i, lane, way)
    }
}

/// Where in the head's space, as that is in `frame`, a vertex is that is at `p` from the root
/// of the strand in `lane`. `[m]`
#[inline(always)]
fn seen<T: Lane>(frame: &LaneFrame<f64>, block: &Block<T>, lane: usize, p: DVec3) -> Vec3 {
    let root = DVec3::from(block.root_rest.get(lane));
    let seen = frame.inverse_vector(V3::<f64>::splat(p.into()));
    (root + DVec3::from(seen.get(0))).as_vec3()
}

/// What vertex `i` of the strand in `lane` of those that `head` is told of asks on
/// a way in the head's space; `root` is each strand's there. `[m]`
#[inline(always)]
pub(super) fn contact_query<B: Lane, T: Lane>(
    block: &Block<B>,
    head: &HeadTravel<T>,
    root: V3<T>,
    margin: f64,
    i: usize,
    lane: usize,
    [from, to]: [Vec3; 2],
) -> ContactQuery {
    let root = root.at(lane);
    ContactQuery {
        from,
        to,
        root,
        rest: root + block.rest[i].at(head.first + lane),
        margin,
        clearance: block.clearance[i].get(head.first + lane),
        substep: head.substep,
    }
}

/// Lets the vertices of row `i` query that have no room left for their way from where
/// they were (`scratch.before`) to where they would go (`block.position`), if the row
/// must; `T` is a register.
#[inline(always)]
pub fn query_if_needed<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    part: &HeadTravel<B>,
    i: usize,
) {
    if let Some(skin) = skin_to_query(block, input, i) {
        query_vertices::<B, T>(block, scratch, input, part, i, skin);
    }
}

/// The same of a row that must.
#[inline(always)]
pub fn query_vertices<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    input: &StepInput,
    part: &HeadTravel<B>,
    i: usize,
    skin: &dyn CollisionSurface,
) {
    let (mut room, mut needs, mut any) = (B::zero(), B::zero(), false);
    for first in (0..B::LANES).step_by(T::LANES) {
        let [left, needed] = room_left::<B, T>(block, scratch, input, part, [i, first]);
        room.paste(first, left);
        needs.paste(first, needed);
        any |= needed.any();
    }
    if any {
        // The clock starts anew, so that its numbers stay small.
        block.room[i] = room;
        let proximity = &mut block.proximity[i];
        (proximity.travel, proximity.aside) = (0.0, 0.0);
        let asking = needs * block.alive(i);
        let ways = ways_in_head(block, scratch, part, i, block.position[i], asking);
        let asking = leave_far(block, skin, input, part.substep, i, &ways, needs);
        if asking.any() {
            query_skin(block, scratch, i, skin, input, part, &asking);
        }
        block.update_least_room::<T>(i);
        let drift = block.plane_drift[i];
        let proximity = &mut block.proximity[i];
        proximity.drifts = B::zero().any_less(drift.dot(drift));
        proximity.near = proximity.near_room < f64::from(f32::MAX);
    }
}

/// How much room the vertices of row `i` in lanes `first..` have left, `[m]` and one in the
/// lanes of those that must query.
#[inline(always)]
fn room_left<B: Lane, T: Lane>(
    block: &Block<B>,
    scratch: &Scratch<B>,
    input: &StepInput,
    part: &HeadTravel<B>,
    [i, first]: [usize; 2],
) -> [T; 2] {
    let ProximityCache {
        travel,
        aside,
        last,
        ..
    } = block.proximity[i];
    let offset: T = block.plane_offset[i].cut(first);
    // The torso's motion counts for those that have no plane.
    let aside_of_far = has_plane(offset, T::zero(), T::splat(aside));
    let room = block.room[i].cut::<T>(first) - T::splat(travel) - aside_of_far;
    // Each pays for its own way, and queries before it would owe, what gravity, wind and
    // neighbours may add included: these no more than the fastest of the row went last.
    // One that has no plane must not miss it where the head starts or stops.
    let start: V3<T> = scratch.before[i].cut(first);
    let moved = [start, block.position[i].cut(first) - start];
    let way = moved_on_skin(block, input, &part.cut(first), i, moved);
    let sudden = has_plane(offset, T::zero(), T::splat(input.head_travel));
    let way = way.dot(way).sqrt() + T::splat(last + input.reach) + sudden;
    [room, room.less(way, T::splat(1.0), T::zero())]
}

/// The ways of the vertices of row `i` from where they were (`scratch.before`) to `x`, as
/// the head sees them; those ask that have a one in `asking`.
#[inline(always)]
fn ways_in_head<B: Lane, T: Lane>(
    block: &Block<B>,
    scratch: &Scratch<B>,
    part: &HeadTravel<T>,
    i: usize,
    x: V3<T>,
    asking: T,
) -> Ways {
    let first = part.first;
    let start = scratch.before[i].cut(first) + part.root_moved;
    let root = block.root_rest.cut(first);
    let from = root + part.before.inverse_vector(start);
    let to = root + part.now.inverse_vector(x);
    Ways::new(&from, &to, asking)
}

/// Frees the vertices of row `i` that are far from all they may meet of their planes, in
/// the lanes where `needs` is one; answers in which of them vertices must query.
#[inline(always)]
fn leave_far<T: Lane>(
    block: &mut Block<T>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    substep: usize,
    i: usize,
    ways: &Ways,
    needs: T,
) -> T {
    let (zero, half) = (T::zero(), T::splat(0.5));
    let [gap, far] = ways
        .far(skin, far_limits(input, PLANE_WITHIN), substep)
        .lanes();
    // Behind a strand's tip there is nothing to meet.
    let exists = block.alive(i);
    let gap = exists.choose(gap, T::splat(f64::from(f32::MAX)));
    let far = exists.choose(far, needs);
    block.room[i] = far.choose(gap, block.room[i]);
    block.plane_offset[i] = far.choose(T::splat(NO_PLANE), block.plane_offset[i]);
    block.plane_drift[i] = V3::zero().select(far, block.plane_drift[i]);
    block.proximity[i].with_torso &= !half.bits_less(far);
    far.choose(zero, needs)
}

/// What counts as far from what a vertex may meet: a fast one may end far from where it was
/// expected. `[m]`
fn far_limits(input: &StepInput, near: f64) -> FarLimits {
    FarLimits {
        margin: input.margin,
        near,
        travel: input.body_travel,
    }
}

/// Lets the vertices of row `i` query the skin in the lanes where `needs` is one.
#[inline(never)]
fn query_skin<T: Lane>(
    block: &mut Block<T>,
    scratch: &mut Scratch<T>,
    i: usize,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<T>,
    needs: &T,
) {
    let (mut room, mut offset) = (block.room[i], block.plane_offset[i]);
    let asking = QueryContext::new(part, input);
    // All at once: a skin may wait for memory once instead of for each.
    let mut batch = std::mem::take(&mut scratch.queries);
    batch.clear();
    for lane in set_bits(T::splat(0.5).bits_less(*needs)) {
        let way = asking.way(block, scratch, i, lane, block.position[i].get(lane));
        batch.push(lane, asking.query(block, i, lane, way));
    }
    batch.run(skin);
    for (lane, query, met) in batch.results() {
        let (mut drift, mut with_torso) = (Vec3::ZERO, false);
        let gap = met.gap();
        // A fast vertex may end far from where it was expected.
        let close = gap < PLANE_WITHIN + f64::from(query.from.distance(query.to));
        if close && met.tangent.offset > f32::MIN {
            let (normal, plane) = met.plane(query.root.as_dvec3());
            block.plane_normal[i].set(lane, normal.to_array());
            offset.set(lane, plane);
            (drift, with_torso) = (met.drift, met.carrier == Carrier::Torso);
            room.set(lane, plane_room(met));
        } else {
            // One that a neighbour may yank through the skin is watched all the same.
            offset.set(lane, NO_PLANE);
            room.set(lane, if close { PLANE_SLACK } else { gap });
        }
        block.plane_drift[i].set(lane, drift.to_array().map(f64::from));
        mark(&mut block.proximity[i].with_torso, lane, with_torso);
    }
    scratch.queries = batch;
    (block.room[i], block.plane_offset[i]) = (room, offset);
}

/// How far a vertex may go before it asks anew for a plane that it has found. `[m]`
fn plane_room(met: &ContactResult) -> f64 {
    match met.carrier {
        Carrier::Head | Carrier::Torso => PLANE_SLACK * f64::from(met.holds),
        Carrier::Itself => AT_ONCE,
    }
}

/// Rechecks where the vertices of the strands in lanes `first..` have come in a
/// substep, by `place`, before it is accepted. Those that something yanked into
/// the skin past the plane they knew get the one they went through, and the
/// substep is to be done again: then the answer is true.
#[inline(always)]
pub fn recheck_rows<B: Lane, T: Lane>(
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
        let came = [expected, place(i)];
        any |= recheck_row(block, scratch, skin, input, part, [i, first], came);
    }
    any
}

/// The same for row `i` alone, whose vertices were `expected` somewhere and have
/// come to `x`. `[m]`
#[inline(always)]
pub fn recheck_row<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<B>,
    [i, first]: [usize; 2],
    [expected, x]: [V3<T>; 2],
) -> bool {
    let start: V3<T> = scratch.before[i].cut(first);
    let length = |v: V3<T>| v.dot(v).sqrt();
    let aside = length(x - expected);
    let went = (length(x - start) + T::splat(input.head_travel)).max(aside);
    let room: T = block.room[i].cut(first);
    let room = room - T::splat(block.proximity[i].travel + block.proximity[i].aside);
    let offset: T = block.plane_offset[i].cut(first);
    // One that has a plane may end so far aside; one that has none may go so far at all.
    let room_left = has_plane(offset, T::splat(ASIDE) - aside, room - went);
    T::zero().any_less(-room_left)
        && recheck_lanes(
            block,
            scratch,
            skin,
            input,
            part,
            [i, first],
            (room_left, x),
        )
}

/// Gives planes to vertices of row `i` that are inside at `x`, in the lanes from
/// `first` on where `room_left` is negative; answers whether there is any.
fn recheck_lanes<B: Lane, T: Lane>(
    block: &mut Block<B>,
    scratch: &mut Scratch<B>,
    skin: &dyn CollisionSurface,
    input: &StepInput,
    part: &HeadTravel<B>,
    [i, first]: [usize; 2],
    (room_left, x): (T, V3<T>),
) -> bool {
    let (zero, one) = (T::zero(), T::splat(1.0));
    let exists: T = block.alive(i).cut(first);
    let asking = room_left.less(zero, exists, zero);
    let ways = ways_in_head(block, scratch, &part.cut(first), i, x, asking);
    let far = ways.far(skin, far_limits(input, -YANKED), part.substep);
    let [_, far] = far.lanes::<T>();
    let asking = asking * (one - far);
    let context = QueryContext::new(part, input);
    let mut batch = std::mem::take(&mut scratch.queries);
    batch.clear();
    for lane in set_bits(T::splat(0.5).bits_less(asking)) {
        let all = first + lane;
        if all >= block.strands {
            continue;
        }
        let way = context.way(block, scratch, i, all, x.get(lane));
        batch.push(all, context.query(block, i, all, way));
    }
    batch.run(skin);
    let mut any = false;
    for (all, query, met) in batch.results() {
        let gap = met.gap();
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
        let (normal, offset) = met.plane(query.root.as_dvec3());
        block.plane_normal[i].set(all, normal.to_array());
        block.plane_offset[i].set(all, offset);
        block.plane_drift[i].set(all, met.drift.to_array().map(f64::from));
        block.proximity[i].drifts |= met.drift != Vec3::ZERO;
        mark(
            &mut block.proximity[i].with_torso,
            all,
            met.carrier == Carrier::Torso,
        );
        // How far the old plane pushed says nothing about friction on this one.
        scratch.pushed[i].set(all, 0.0);
        // Another one may be nearer where it ends.
        block.room[i].set(all, AT_ONCE);
        any = true;
    }
    scratch.queries = batch;
    if any {
        let proximity = &mut block.proximity[i];
        if !proximity.near {
            // From when the row was last near.
            scratch.pushed[i] = B::zero();
        }
        (proximity.near, proximity.near_room) = (true, -1.0);
        scratch.offset[i] = block.plane_offset[i];
        scratch.normal[i] = part.now.vector(block.plane_normal[i]);
    }
    any
}
