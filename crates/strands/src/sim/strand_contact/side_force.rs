//! What an edge of a pair feels: a spring along the normal, Coulomb friction across.

use super::law::{PairForce, PairSide};
use crate::math::{
    lanes::{Lane, V3},
    rotation::Sym3,
};

/// From this share of the most that the load allows, friction was that of sliding.
const SLID: f64 = 0.99;

/// The force on an edge of a pair, and how it changes as the edge moves on.
#[derive(Clone, Copy, Debug)]
pub struct SideForce<T> {
    /// How far its point had moved where the force was worked out. `[m]`
    moved: V3<T>,
    /// Gap there along the normal. `[m]`
    gap: T,
    /// Stiffness along the normal; nothing where the edge does not touch the other.
    /// `[m/s²]`
    pub stiff: T,
    /// Friction there `[m²/s²]`, its direction, and its stiffness across that and along
    /// it `[m/s²]`.
    friction: V3<T>,
    way: V3<T>,
    stick: T,
    along: T,
}

impl<T: Lane> SideForce<T> {
    /// None.
    pub fn none() -> Self {
        let (zero, zero3) = (T::zero(), V3::zero());
        Self {
            moved: zero3,
            gap: zero,
            stiff: zero,
            friction: zero3,
            way: zero3,
            stick: zero,
            along: zero,
        }
    }

    /// That of an edge whose point has moved by the first of `moved` while the plane
    /// moved by the second, and which `friction` held in the last substep: a spring that
    /// remembers this force and gives way where it pulls harder than the load allows
    /// (Cundall and Strack 1979, "A discrete numerical model for granular assemblies", the
    /// shear force of a contact: increments add up and are cut off at the friction's limit).
    /// `[m]`, `[m²/s²]`
    #[inline(always)]
    pub(super) fn of(
        side: &PairSide<T>,
        normal: V3<T>,
        friction: V3<T>,
        [moved, drift]: [V3<T>; 2],
    ) -> Self {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let slip = (moved - drift).across(normal);
        let trial = friction - slip.scale(side.stick);
        let size = trial.dot(trial).max(T::splat(1e-18)).sqrt();
        let share = (side.load / size).min(one);
        let stick = side.stick * share;
        // Sliding on, the force keeps its size: it has no stiffness along its way.
        let slides = side.load.less(size, one, zero);
        let onward = zero.less(trial.dot(friction), slides, zero);
        Self {
            moved,
            gap: side.gap,
            stiff: side.stiff,
            friction: trial.scale(share),
            way: trial.scale(one / size),
            stick,
            along: onward.choose(zero, stick),
        }
    }

    /// The same where edges have moved as if they touched nothing, which says neither
    /// whether they slide nor where to: what slid in the last substep slides on under
    /// the same friction, what stuck sticks. `[m]`, `[m²/s²]`
    #[inline(always)]
    pub(super) fn expected(
        side: &PairSide<T>,
        normal: V3<T>,
        friction: V3<T>,
        [moved, drift]: [V3<T>; 2],
    ) -> Self {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let slip = (moved - drift).across(normal);
        let size = friction.dot(friction).max(T::splat(1e-18)).sqrt();
        let way = friction.scale(one / size);
        // What carried nothing does not rub yet.
        let stick = zero.less(side.load, side.stick, zero);
        let slides = (side.load * T::splat(SLID)).less(size, one, zero);
        let along = slides.choose(zero, stick);
        let held = slip.scale(stick) + way.scale((along - stick) * way.dot(slip));
        Self {
            moved,
            gap: side.gap,
            stiff: side.stiff,
            friction: friction - held,
            way,
            stick,
            along,
        }
    }

    /// How hard the force stands against motion.
    #[inline(always)]
    pub fn stiffness(&self, normal: V3<T>) -> Sym3<T> {
        Sym3::diagonal(self.stick)
            .plus_outer(normal, self.stiff - self.stick)
            .plus_outer(self.way, self.along - self.stick)
    }

    /// The force where it was worked out. `[m²/s²]`
    #[inline(always)]
    pub fn here(&self, normal: V3<T>) -> V3<T> {
        self.friction - normal.scale(self.stiff * self.gap)
    }

    /// The force where its point has moved by `moved`; it pulls where the edges have
    /// parted, and is none where they do not touch. `[m]`
    #[inline(always)]
    pub fn at(&self, normal: V3<T>, moved: V3<T>) -> PairForce<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let touches = zero.less(self.stiff, one, zero);
        let on = moved - self.moved;
        let normal_force = zero - self.stiff * (self.gap + normal.dot(on));
        let v = on.across(normal);
        let along = (self.along - self.stick) * self.way.dot(v);
        let friction = self.friction - v.scale(self.stick) - self.way.scale(along);
        // What is not finite touches nothing.
        PairForce {
            normal_force: zero.less(self.stiff, normal_force, zero),
            friction: friction.select(touches, V3::zero()),
        }
    }
}

/// Puts and takes parts of a row.
impl<B: Lane> SideForce<B> {
    /// Lanes `first..` alone, as many as a `T` has.
    #[inline(always)]
    pub fn cut<T: Lane>(&self, first: usize) -> SideForce<T> {
        SideForce {
            moved: self.moved.cut(first),
            gap: self.gap.cut(first),
            stiff: self.stiff.cut(first),
            friction: self.friction.cut(first),
            way: self.way.cut(first),
            stick: self.stick.cut(first),
            along: self.along.cut(first),
        }
    }

    /// Puts `part` into lanes `first..`.
    #[inline(always)]
    pub fn paste<T: Lane>(&mut self, first: usize, part: &SideForce<T>) {
        self.moved.paste(first, part.moved);
        self.gap.paste(first, part.gap);
        self.stiff.paste(first, part.stiff);
        self.friction.paste(first, part.friction);
        self.way.paste(first, part.way);
        self.stick.paste(first, part.stick);
        self.along.paste(first, part.along);
    }
}
