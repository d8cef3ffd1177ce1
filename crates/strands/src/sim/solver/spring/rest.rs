//! The rest shape as the springs see it: each edge in the frame before it, and
//! the length of the smoothed curve.

use crate::{
    math::{
        elementary::exp,
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{memory::MethodMemory, state::Block},
};

/// Share of what bounds the coupling of edges by their frames that is taken: strands
/// of 32 to 128 vertices coiled to radii of 3 to 20 mm swing at the limit of stability
/// with a twentieth of it where nothing is smoothed, with less where it is. Twice that,
/// since hair thrown about is not at rest; ten times that, and it is too sluggish to
/// come to rest.
const COUPLING: f64 = 0.1;

/// What the rest shape's numbers depend on beside the groom: lengths over which
/// the curve is smoothed. `[m]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Smoothing {
    pub bend_smoothing: f64,
    pub core_smoothing: f64,
}

/// An edge at rest.
#[derive(Clone, Copy, Debug)]
pub struct RestEdge<T> {
    /// The edge, seen from the frame before it. `[m]`
    pub local: V3<T>,
    /// Its length. `[m]`
    pub length: T,
    /// Length of the smoothed curve's edge. `[m]`
    pub core: T,
}

/// Memory of a block of springs; empty until they move the block.
#[derive(Clone, Debug)]
pub struct SpringState<T> {
    pub(super) made_for: Option<Smoothing>,
    /// Edge `i` leaves vertex `i`; the last one has no length.
    pub edges: Vec<RestEdge<T>>,
    /// How much of the new a smoothed edge takes in, for bending and core.
    pub(super) fresh: [T; 2],
    /// How many times as stiff as with the frames held bending is, at most, since
    /// the frames turn about the curve.
    pub(super) stiffer: T,
}

impl<T: Lane> Default for SpringState<T> {
    /// Nothing yet.
    fn default() -> Self {
        Self {
            made_for: None,
            edges: Vec::new(),
            fresh: [T::splat(1.0); 2],
            stiffer: T::splat(1.0),
        }
    }
}

impl<T: Lane> MethodMemory<T> for SpringState<T> {
    /// Each edge is known in the frame of the one before.
    fn carry(&mut self, _turn: Q<T>) {}

    fn bytes(&self) -> usize {
        size_of_val(&self.edges[..])
    }
}

/// A running average of vectors along a strand that starts with its first one
/// (Iben et al. 2013, section 3.2.1):
/// d_i = 2(1 - b) d_(i-1) - (1 - b)² d_(i-2) + b² v_i.
#[derive(Clone, Copy)]
pub(super) struct Smooth<T> {
    last: V3<T>,
    before: V3<T>,
}

impl<T: Lane> Smooth<T> {
    #[inline(always)]
    pub fn new(first: V3<T>) -> Self {
        Self {
            last: first,
            before: first,
        }
    }

    /// The next average; `fresh` is b.
    #[inline(always)]
    pub fn next(&mut self, v: V3<T>, fresh: T) -> V3<T> {
        let old = T::splat(1.0) - fresh;
        let d = self.last.scale(old + old) - self.before.scale(old * old) + v.scale(fresh * fresh);
        (self.before, self.last) = (self.last, d);
        d
    }
}

/// The adjoint of [`Smooth`]: from what pulls on the averages to what pulls on
/// the vectors, tip first.
#[derive(Clone, Copy)]
pub(super) struct Adjoint<T> {
    next: V3<T>,
    after: V3<T>,
}

impl<T: Lane> Adjoint<T> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            next: V3::zero(),
            after: V3::zero(),
        }
    }

    /// What pulls on v_i; `pull` pulls on d_i.
    #[inline(always)]
    pub fn next(&mut self, pull: V3<T>, fresh: T) -> V3<T> {
        let old = T::splat(1.0) - fresh;
        let all = pull + self.next.scale(old + old) - self.after.scale(old * old);
        (self.after, self.next) = (self.next, all);
        all.scale(fresh * fresh)
    }

    /// What pulls on v_0, which is d_0 and d_(-1) too.
    #[inline(always)]
    pub fn first(&self, pull: V3<T>, fresh: T) -> V3<T> {
        let old = T::splat(1.0) - fresh;
        let square = old * old;
        pull + self.next.scale(old + old - square) - self.after.scale(square)
    }
}

/// A frame carried along a curve without turning about it.
#[derive(Clone, Copy)]
pub(super) struct Carried<T> {
    pub frame: Q<T>,
    /// Direction of the edge that it is on.
    pub tangent: V3<T>,
    /// One over that edge's length. `[1/m]`
    pub inverse: T,
}

impl<T: Lane> Carried<T> {
    /// On the edge `d`.
    #[inline(always)]
    pub fn new(frame: Q<T>, d: V3<T>) -> Self {
        let inverse = over(d);
        Self {
            frame,
            tangent: d.scale(inverse),
            inverse,
        }
    }

    /// On to the edge `d`, by the shortest turn; answers the curvature binormal
    /// of that turn (Bergou et al. 2008, eq. 1).
    #[inline(always)]
    pub fn go(&mut self, d: V3<T>) -> V3<T> {
        let inverse = over(d);
        let tangent = d.scale(inverse);
        // Where the curve folds back there is no shortest turn: any will do
        // that stays finite.
        let w = (T::splat(1.0) + self.tangent.dot(tangent)).max(T::splat(1e-2));
        let v = self.tangent.cross(tangent);
        let turn = Q { w, v }.normalized();
        self.frame = turn.mul_quat(self.frame);
        (self.tangent, self.inverse) = (tangent, inverse);
        v.scale(T::splat(2.0) / w)
    }
}

/// One over the length of `v`. `[1/m]`
#[inline(always)]
fn over<T: Lane>(v: V3<T>) -> T {
    T::splat(1.0) / v.dot(v).max(T::splat(1e-18)).sqrt()
}

/// Measures the rest curves of `block`.
pub(super) fn measure<T: Lane>(block: &Block<T>, recipe: Smoothing) -> SpringState<T> {
    let zero = V3::zero();
    let edge = |i: usize| {
        if i + 1 < block.rows {
            block.rest[i + 1] - block.rest[i]
        } else {
            zero
        }
    };
    let mut length = T::zero();
    for i in 0..block.rows {
        let e = edge(i);
        length += e.dot(e).sqrt();
    }
    let mean = length / (block.count - T::splat(1.0)).max(T::splat(1.0));
    // b = 1 - exp(-l / smoothing). Along the curve itself frames cannot turn
    // about it at all, and an almost straight strand would be as stiff as glass
    // across its bend: a segment's length is smoothed at least.
    let fresh = |smoothing: f64| {
        T::from_lanes(|lane| {
            let length = mean.get(lane);
            (1.0 - exp(-length / smoothing.max(length).max(1e-9))).max(1e-3)
        })
    };
    let fresh = [fresh(recipe.bend_smoothing), fresh(recipe.core_smoothing)];
    let first = edge(0);
    let mut bend = Smooth::new(first);
    let mut core = Smooth::new(first);
    let mut carried = Carried::new(Q::identity(), first);
    // A change of the smoothed edge j turns the frames of all edges i behind it about
    // the curve, by kb_j / |d_j| at most (Bergou et al. 2008, eq. 1, 10), and so takes
    // along what of edge i lies across the curve. The sum of all these squares bounds
    // the Hessian's norm.
    let (mut turns, mut coupling) = (T::zero(), T::zero());
    let edges = (0..block.rows).map(|i| {
        let e = edge(i);
        let local = carried.frame.conjugate().rotate(e);
        let lever = e - carried.tangent.scale(e.dot(carried.tangent));
        coupling += lever.dot(lever) * turns;
        if i > 0 {
            let turn = carried.go(bend.next(e, fresh[0])).scale(carried.inverse);
            turns += turn.dot(turn);
        }
        let along = if i > 0 { core.next(e, fresh[1]) } else { e };
        RestEdge {
            local,
            length: e.dot(e).sqrt(),
            core: along.dot(along).sqrt(),
        }
    });
    let edges = edges.collect::<Vec<_>>();
    SpringState {
        made_for: Some(recipe),
        edges,
        fresh,
        stiffer: T::splat(1.0) + coupling * T::splat(COUPLING),
    }
}
