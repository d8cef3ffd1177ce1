//! What pushes crowded hair apart: a pressure where hair is denser than it was
//! at rest, and none where it is thinner.
//!
//! Hair is a fluid that resists being pressed together and not being drawn apart:
//! Narain, Golas, Curtis and Lin 2009, "Aggregate dynamics for dense crowd
//! simulation", section 4, and McAdams, Selle, Ward, Sifakis and Teran 2009,
//! "Detail preserving continuum simulation of straight hair", section 3. It yields
//! a little, so that few passes solve it. With the crowding e = density / density
//! at rest - 1 and the mean velocity v of the hair at each node,
//!
//!   p = max(0, e - dt div v'),  v' = v - dt k grad p
//!
//! which is one implicit step of sound at the speed sqrt(k): it takes energy from
//! the hair and never gives it more than crowding had stored.
//!
//! Neighbouring nodes push each other, one as much as the other and along the line
//! between them, by the lighter one's mass. So what all hair gains adds up to
//! nothing, and thin hair at the edge is not thrown off. The divergence is the
//! transpose of that push, without which the step could gain energy.

use super::domain::{Domain, EDGE, OWN};
use crate::math::work::{Work, work};
use rayon::prelude::*;

/// Passes of the projected gradient descent.
const PASSES: usize = 4;

/// Bricks that one task works on at least.
const TOGETHER: usize = 16;

/// What the hair at the nodes of a brick is like.
#[derive(Clone, Debug)]
pub(super) struct BrickHair {
    /// Mass, as length of ordinary hair. `[m]`
    pub mass: [f32; OWN],
    /// Mean velocity. `[m/s]`
    pub speed: [[f32; OWN]; 3],
    /// Density beyond that at rest, as a share of it; negative where hair is thin.
    pub crowding: [f32; OWN],
}

impl BrickHair {
    /// No hair.
    pub const NONE: Self = Self {
        mass: [0.0; OWN],
        speed: [[0.0; OWN]; 3],
        crowding: [0.0; OWN],
    };
}

/// How crowded hair pushes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// Square of the speed of sound in crowded hair. `[m²/s²]`
    pub stiffness: f32,
    /// The time that it acts in. `[s]`
    pub seconds: f32,
    /// Most velocity gained in that time. `[m/s]`
    pub most: f32,
}

/// Pressure at the nodes of the bricks; the first brick is an empty one.
#[derive(Default)]
pub(super) struct Pressure {
    /// What is known of the hair; filled in by who solves for the pressure.
    pub hair: Vec<BrickHair>,
    /// Pressure over that of hair twice as dense as at rest.
    pressure: Vec<[f32; OWN]>,
    /// What the pressure adds to the velocity. `[m/s]`
    gain: Vec<[[f32; OWN]; 3]>,
    /// The velocity that results. `[m/s]`
    speed: Vec<[[f32; OWN]; 3]>,
    /// The bricks with pressure, by their keys and their places, and those with
    /// their neighbours.
    pressed: Vec<bool>,
    pushed: Vec<bool>,
}

impl Pressure {
    /// Makes room for so many bricks.
    pub fn resize(&mut self, bricks: usize) {
        self.hair.resize(bricks, BrickHair::NONE);
        self.pressure.resize(bricks, [0.0; OWN]);
        self.gain.resize(bricks, [[0.0; OWN]; 3]);
        self.speed.resize(bricks, [[0.0; OWN]; 3]);
        self.pressed.resize(bricks, false);
        self.pushed.resize(bricks, false);
    }

    /// What the velocity at the nodes of a brick gains; none where nothing pushes.
    pub fn gain(&self, brick: usize) -> Option<&[[f32; OWN]; 3]> {
        self.pushed[brick].then(|| &self.gain[brick])
    }

    /// Solves for the pressure in the bricks of `keys`, which are in `table`.
    pub fn solve(&mut self, domain: &Domain, keys: &[u32], table: &[u32], push: &Push) {
        let near = |key: u32| {
            domain.strides().map(|stride| {
                let key = key as usize;
                [key - stride, key + stride].map(|key| table[key] as usize)
            })
        };
        let law = PressureLaw {
            push: *push,
            cell: domain.cell as f32,
        };
        // Where hair is crowded, or will be when it has moved on.
        let (hair, pressure) = (&self.hair, &mut self.pressure[1..]);
        let bricks = keys.par_iter().zip(pressure).zip(&mut self.pressed[1..]);
        let bricks = bricks.with_min_len(TOGETHER).enumerate();
        bricks.for_each(|(at, ((key, pressure), pressed))| {
            let own = &hair[at + 1];
            let mut flow = [0.0; OWN];
            work(Divergence {
                law: &law,
                hair,
                brick: at + 1,
                near: near(*key),
                speed: |brick: usize| &hair[brick].speed,
                out: &mut flow,
            });
            *pressed = false;
            for i in 0..OWN {
                pressure[i] = (own.crowding[i] - push.seconds * flow[i]).max(0.0);
                *pressed |= pressure[i] > 0.0;
            }
        });
        self.pushed.fill(false);
        for (at, key) in keys.iter().enumerate() {
            if self.pressed[at + 1] {
                self.pushed[at + 1] = true;
                near(*key)
                    .as_flattened()
                    .iter()
                    .for_each(|brick| self.pushed[*brick] = true);
            }
        }
        self.pushed[0] = false;
        if !self.pushed.contains(&true) {
            return;
        }
        for pass in 0..PASSES {
            self.move_on(&law, keys, near, pass == 0);
            self.press(&law, keys, near);
        }
        self.move_on(&law, keys, near, false);
    }

    /// Works out what the pressure does to the velocity. Where nothing pushes, that is
    /// taken over the `first` time and stays.
    fn move_on(
        &mut self,
        law: &PressureLaw,
        keys: &[u32],
        near: impl Fn(u32) -> [[usize; 2]; 3] + Sync,
        first: bool,
    ) {
        let (hair, pressure, pushed) = (&self.hair, &self.pressure, &self.pushed);
        let bricks = keys.par_iter().zip(&mut self.gain[1..]);
        let bricks = bricks.zip(&mut self.speed[1..]).enumerate();
        bricks
            .with_min_len(TOGETHER)
            .for_each(|(at, ((key, gain), speed))| {
                if !pushed[at + 1] {
                    if first {
                        *speed = hair[at + 1].speed;
                    }
                    return;
                }
                work(Gain {
                    law,
                    hair,
                    pressure,
                    brick: at + 1,
                    near: near(*key),
                    out: gain,
                });
                for axis in 0..3 {
                    for i in 0..OWN {
                        speed[axis][i] = hair[at + 1].speed[axis][i] + gain[axis][i];
                    }
                }
            });
    }

    /// Brings the pressure nearer to what that velocity asks for.
    fn press(
        &mut self,
        law: &PressureLaw,
        keys: &[u32],
        near: impl Fn(u32) -> [[usize; 2]; 3] + Sync,
    ) {
        let (hair, speeds, pressed) = (&self.hair, &self.speed, &self.pressed);
        let (step, seconds) = (law.descent(), law.push.seconds);
        let bricks = keys.par_iter().zip(&mut self.pressure[1..]).enumerate();
        bricks
            .with_min_len(TOGETHER)
            .for_each(|(at, (key, pressure))| {
                if !pressed[at + 1] {
                    return;
                }
                let mut flow = [0.0; OWN];
                work(Divergence {
                    law,
                    hair,
                    brick: at + 1,
                    near: near(*key),
                    speed: |brick: usize| &speeds[brick],
                    out: &mut flow,
                });
                for i in 0..OWN {
                    let wanted = hair[at + 1].crowding[i] - seconds * flow[i];
                    pressure[i] = (pressure[i] + step * (wanted - pressure[i])).max(0.0);
                }
            });
    }
}

/// What does not change from pass to pass.
struct PressureLaw {
    push: Push,
    /// `[m]`
    cell: f32,
}

impl PressureLaw {
    /// How far a pass goes down the gradient: less than two over the largest
    /// eigenvalue, which is 1 + 3.8 k dt² / cell² where masses differ most.
    fn descent(&self) -> f32 {
        let far = self.push.seconds / self.cell;
        1.0 / (1.0 + 2.0 * self.push.stiffness * far * far)
    }
}

/// dt k grad p at the nodes of a brick.
struct Gain<'a> {
    law: &'a PressureLaw,
    hair: &'a [BrickHair],
    pressure: &'a [[f32; OWN]],
    brick: usize,
    /// Its neighbours along each axis.
    near: [[usize; 2]; 3],
    out: &'a mut [[f32; OWN]; 3],
}

impl Work for Gain<'_> {
    #[inline(always)]
    fn run(self) {
        let (law, hair, pressure) = (self.law, self.hair, self.pressure);
        let share = 0.5 * law.push.stiffness * law.push.seconds / law.cell;
        // Along each axis, so that all three together gain no more.
        let most = law.push.most / 3f32.sqrt();
        let (mass, own) = (&hair[self.brick].mass, &pressure[self.brick]);
        for (axis, [before, after]) in self.near.into_iter().enumerate() {
            let masses = beside(axis, mass, &hair[before].mass, &hair[after].mass);
            let presses = beside(axis, own, &pressure[before], &pressure[after]);
            for i in 0..OWN {
                let across = |side: usize| {
                    let push = (share * (own[i] + presses[side][i])).min(most);
                    mass[i].min(masses[side][i]) * push
                };
                self.out[axis][i] = (across(0) - across(1)) / mass[i].max(f32::MIN_POSITIVE);
            }
        }
    }
}

/// div v at the nodes of a brick. `[1/s]`
struct Divergence<'a, S> {
    law: &'a PressureLaw,
    hair: &'a [BrickHair],
    brick: usize,
    /// Its neighbours along each axis.
    near: [[usize; 2]; 3],
    /// The velocity in each brick.
    speed: S,
    out: &'a mut [f32; OWN],
}

impl<'a, S: Fn(usize) -> &'a [[f32; OWN]; 3]> Work for Divergence<'a, S> {
    #[inline(always)]
    fn run(self) {
        let (hair, speed) = (self.hair, self.speed);
        let share = 0.5 / self.law.cell;
        let (mass, own) = (&hair[self.brick].mass, speed(self.brick));
        let mut all = [0.0; OWN];
        for (axis, [before, after]) in self.near.into_iter().enumerate() {
            let masses = beside(axis, mass, &hair[before].mass, &hair[after].mass);
            let own = &own[axis];
            let speeds = beside(axis, own, &speed(before)[axis], &speed(after)[axis]);
            for i in 0..OWN {
                let [low, high] = [0, 1].map(|side| mass[i].min(masses[side][i]));
                all[i] += low * (own[i] - speeds[0][i]) + high * (speeds[1][i] - own[i]);
            }
        }
        for i in 0..OWN {
            self.out[i] = all[i] * (share / mass[i].max(f32::MIN_POSITIVE));
        }
    }
}

/// What the nodes have that lie before and behind each node along an axis.
#[inline(always)]
fn beside(
    axis: usize,
    own: &[f32; OWN],
    before: &[f32; OWN],
    after: &[f32; OWN],
) -> [[f32; OWN]; 2] {
    match axis {
        0 => shifted::<{ EDGE * EDGE }>(own, before, after),
        1 => shifted::<EDGE>(own, before, after),
        _ => shifted::<1>(own, before, after),
    }
}

/// The same where nodes along the axis are `STRIDE` apart.
#[inline(always)]
fn shifted<const STRIDE: usize>(
    own: &[f32; OWN],
    before: &[f32; OWN],
    after: &[f32; OWN],
) -> [[f32; OWN]; 2] {
    let (mut low, mut high) = ([0.0; OWN], [0.0; OWN]);
    let far = (EDGE - 1) * STRIDE;
    for first in (0..OWN).step_by(EDGE * STRIDE) {
        for i in 0..STRIDE {
            low[first + i] = before[first + i + far];
            high[first + i + far] = after[first + i];
        }
        for i in 0..far {
            low[first + i + STRIDE] = own[first + i];
            high[first + i] = own[first + i + STRIDE];
        }
    }
    [low, high]
}
