//! The air about the strands: wind, gusts, eddies and a fan, and what it does
//! to each vertex.
//!
//! The air is felt at a few places along each strand, where it is now, and
//! drags more across a strand than along it. What it does is worked out once a
//! step for all methods: they add [`Block::push`](super::state::Block) to
//! gravity, beside their own drag.

use super::{SimParams, solver::StepInput, state::Block, wind_occlusion::WindAttenuation};
use crate::math::{
    lanes::{Lane, V3},
    random,
};
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

/// Places along a strand at which the air is felt.
const PLACES: usize = 4;

/// Waves that make the eddies.
const WAVES: usize = 14;

/// The longest and the shortest of them. `[m]`
const LENGTHS: [f64; 2] = [0.6, 0.07];

/// Root mean square of each component of the eddies' speed, over that of the
/// wind, where its turbulence is 1.
const EDDIES: f64 = 0.45;

/// Eddies drift with the wind, but no faster: at the speed of a gale they would
/// only be a flutter. `[m/s]`
const DRIFT: f64 = 1.2;

/// Share of the fan's speed that its eddies have.
const FAN_EDDIES: f64 = 0.15;

/// Wind comes and goes in this time. `[s]`
const SWELL: f64 = 0.6;

/// How far the air has got: what a step must know of those before it.
#[derive(Clone, Debug, Default)]
pub struct WindState {
    /// How far wind and fan have swelled, 0 to 1.
    blows: [f64; 2],
    /// How far the eddies have drifted. `[m]`
    drift: DVec3,
    /// The way of the air that carries the eddies: what they change by while
    /// they drift. It grows wherever the wind turns. `[m]`
    way: f64,
    /// Swellings and gusts gone by.
    swellings: f64,
    gusts: f64,
}

impl WindState {
    /// Lets `seconds` go by; answers the air in the middle of them, for strands
    /// on a head at rest there.
    pub fn pass(&mut self, params: &SimParams, seconds: f64) -> Air {
        for (blows, on) in self.blows.iter_mut().zip([params.wind.on, params.fan.on]) {
            let way = if on { seconds } else { -seconds } / SWELL;
            *blows = (*blows + way).clamp(0.0, 1.0);
        }
        let half = 0.5 * seconds;
        self.go(params, half);
        let air = self.air(params);
        self.go(params, half);
        air
    }

    fn go(&mut self, params: &SimParams, seconds: f64) {
        let wind = &params.wind;
        self.swellings += f64::from(wind.frequency) * seconds;
        self.gusts += f64::from(wind.gust_rate) * seconds;
        let speed = f64::from(wind.strength).min(DRIFT);
        self.drift += direction(wind.direction) * (speed * seconds);
        // A fan has eddies where no wind blows.
        let fan = if params.fan.on {
            f64::from(params.fan.strength).min(DRIFT)
        } else {
            0.0
        };
        self.way += speed.max(fan) * seconds;
    }

    /// The air of a wind that has always blown, at `time`. `[s]`
    pub fn steady(params: &SimParams, time: f64) -> Air {
        let mut breeze = Self::default();
        breeze.go(params, time);
        breeze.blows = [params.wind.on, params.fan.on].map(f64::from);
        breeze.air(params)
    }

    fn air(&self, params: &SimParams) -> Air {
        let wind = &params.wind;
        let [blows, fans] = self.blows.map(|t| t * t * (3.0 - 2.0 * t));
        let strength = f64::from(wind.strength) * blows;
        let swell = 0.5 * (1.0 - (TAU * self.swellings).cos());
        let share =
            1.0 - f64::from(wind.oscillation) * swell + f64::from(wind.gusts) * burst(self.gusts);
        let mut air = Air {
            drag: f64::from(params.forces.drag),
            along: f64::from(params.forces.drag_along),
            steady: direction(wind.direction) * (strength * share),
            eddies: EDDIES * f64::from(wind.turbulence) * strength,
            waves: [Wave::default(); WAVES],
            fan: None,
            lee: None,
        };
        let fan = &params.fan;
        if fans > 0.0 && fan.strength > 0.0 {
            air.fan = Some(Fan {
                place: DVec3::new(fan.x.into(), fan.y.into(), fan.z.into()),
                axis: direction(fan.direction),
                strength: f64::from(fan.strength) * fans,
                reach: f64::from(fan.reach),
                slope: f64::from(fan.width).to_radians().tan(),
            });
        }
        if air.eddies > 0.0 || air.fan.is_some() {
            air.waves = std::array::from_fn(|i| Wave::new(i, self.drift, self.way));
        }
        air
    }
}

fn direction(v: [f32; 3]) -> DVec3 {
    Vec3::from_array(v).as_dvec3().normalize_or_zero()
}

/// A random burst: 0 most of the time, 1 at its height, with a steady slope;
/// one every `gusts` or so.
fn burst(gusts: f64) -> f64 {
    let (whole, part) = (gusts.floor(), gusts - gusts.floor());
    let at = |k: f64| random::uniform64(0x6057, (whole + k).max(0.0) as u64);
    let t = part * part * part * (part * (6.0 * part - 15.0) + 10.0);
    let noise = at(0.0) + (at(1.0) - at(0.0)) * t;
    let s = ((noise - 0.4) / 0.5).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// One wave of the eddies: speed `push` times a sine of `turns` that grow along
/// `per_metre`. As `push` stands across `per_metre`, the air is neither
/// gathered nor thinned anywhere (Kraichnan 1970, "Diffusion by a Random
/// Velocity Field", eq. 12).
#[derive(Clone, Copy, Debug, Default)]
struct Wave {
    /// `[1/m]`
    per_metre: DVec3,
    turns: f64,
    push: DVec3,
}

impl Wave {
    fn new(index: usize, drift: DVec3, way: f64) -> Self {
        let random = |k: u64| random::uniform64(0xeddb, 8 * index as u64 + k);
        let unit = |k: u64| {
            let (z, turn) = (2.0 * random(k) - 1.0, TAU * random(k + 1));
            let side = (1.0 - z * z).sqrt();
            DVec3::new(side * turn.cos(), z, side * turn.sin())
        };
        let [long, short] = LENGTHS;
        let place = (index as f64 + random(0)) / WAVES as f64;
        let length = long * (short / long).powf(place);
        let along = unit(1);
        let across = along
            .cross(unit(3))
            .normalize_or(along.any_orthonormal_vector());
        let per_metre = along / length;
        // Smaller eddies are slower, as in real air, and live less long.
        let speed = (length / long).powf(1.0 / 3.0);
        let turns = random(5) - per_metre.dot(drift) + 0.6 * speed / length * way * 0.1;
        Self {
            per_metre,
            turns: turns.rem_euclid(1.0),
            push: across * (speed * NORM),
        }
    }
}

/// Makes the waves' mean square that of three components of 1: measured.
const NORM: f64 = 0.8;

/// A fan: its air spreads in a cone and slows on its way.
#[derive(Clone, Copy, Debug)]
struct Fan {
    place: DVec3,
    axis: DVec3,
    strength: f64,
    reach: f64,
    slope: f64,
}

/// The air in one step.
#[derive(Clone, Debug)]
pub struct Air {
    /// What still air does to a strand of ordinary mass. `[1/s]`
    drag: f64,
    /// Share of it that acts along the strand.
    along: f64,
    /// The wind without its eddies. `[m/s]`
    steady: DVec3,
    /// Size of the eddies. `[m/s]`
    eddies: f64,
    waves: [Wave; WAVES],
    fan: Option<Fan>,
    /// Where there is less of it.
    lee: Option<WindAttenuation>,
}

impl Air {
    /// Whether air acts on strands at all.
    pub fn acts(&self) -> bool {
        self.drag > 0.0 && (self.along != 1.0 || self.moves())
    }

    fn moves(&self) -> bool {
        self.steady != DVec3::ZERO || self.fan.is_some()
    }

    /// Where wind and fan blow to at `middle`, as unit vectors (zero for one
    /// that does not blow); none where no air moves. `[m]`
    pub fn ways(&self, middle: Vec3) -> Option<[Vec3; 2]> {
        let fan = self
            .fan
            .map_or(DVec3::ZERO, |fan| middle.as_dvec3() - fan.place);
        let ways = [self.steady, fan].map(|way| way.normalize_or_zero().as_vec3());
        self.moves().then_some(ways)
    }

    /// The same air, less in the `lee` of something.
    pub fn behind(self, lee: WindAttenuation) -> Self {
        Self {
            lee: Some(lee),
            ..self
        }
    }

    /// No air is faster. `[m/s]`
    pub fn fastest(&self) -> f64 {
        let fan = self.fan.map_or(0.0, |fan| fan.strength);
        self.steady.length() + 3.0 * self.eddies + fan * (1.0 + 3.0 * FAN_EDDIES)
    }

    /// Velocity of the air at `p`. `[m/s]`
    #[inline(always)]
    pub fn at<T: Lane>(&self, p: V3<T>) -> V3<T> {
        let (mut wind, mut fans) = (T::splat(1.0), T::splat(1.0));
        if let Some(lee) = &self.lee {
            for lane in 0..T::LANES {
                let [a, b] = lee.at(Vec3::from_array(p.get(lane).map(|c| c as f32)));
                wind.set(lane, a.into());
                fans.set(lane, b.into());
            }
        }
        let mut speed = V3::splat(self.steady.to_array()).scale(wind);
        let mut lively = T::splat(self.eddies) * wind;
        if let Some(fan) = &self.fan {
            let way = p - V3::splat(fan.place.to_array());
            let tiny = T::splat(1e-4);
            let ahead = way.dot(V3::splat(fan.axis.to_array())).max(T::zero());
            let square = way.dot(way).max(tiny * tiny);
            let beside = (square - ahead * ahead).max(T::zero()).sqrt();
            let (one, slope) = (T::splat(1.0), T::splat(fan.slope.max(1e-3)));
            // One on the axis, a quarter at the rim of the cone, no edge anywhere.
            let width = ahead * slope + T::splat(0.02);
            let share = width * width / (width * width + beside * beside);
            let near = one / (one + ahead / T::splat(fan.reach.max(1e-3)));
            let begins = ahead / (ahead + T::splat(0.01));
            let strength = T::splat(fan.strength) * share * share * near * begins * fans;
            speed = speed + way.scale(strength / square.sqrt());
            lively += strength * T::splat(FAN_EDDIES);
        }
        if self.eddies > 0.0 || self.fan.is_some() {
            let mut eddy = V3::zero();
            for wave in &self.waves {
                let turns = p.dot(V3::splat(wave.per_metre.to_array())) + T::splat(wave.turns);
                eddy = eddy + V3::splat(wave.push.to_array()).scale(sine(turns));
            }
            speed = speed + eddy.scale(lively);
        }
        speed
    }

    /// What the air does to each vertex of `block` beside the drag of still air
    /// that is the same in all directions: notes accelerations in `push`. `[m/s²]`
    #[inline(always)]
    pub fn accelerate<T: Lane>(&self, block: &Block<T>, push: &mut Vec<V3<T>>) {
        push.resize(push.len().max(block.rows), V3::zero());
        if !self.acts() {
            push.fill(V3::zero());
            return;
        }
        let drag = T::splat(self.drag) * block.inverse_mass;
        let spared = drag * T::splat(1.0 - self.along);
        let moves = self.moves();
        let mut felt = [V3::zero(); PLACES];
        if moves {
            for (k, felt) in felt.iter_mut().enumerate() {
                *felt = self.at(place(block, k));
            }
        }
        let scale = T::splat((PLACES - 1) as f64) / (block.count - T::splat(1.0));
        let one = T::splat(1.0);
        for (i, push) in push.iter_mut().enumerate().take(block.rows) {
            let mut air = V3::zero();
            if moves {
                let s = T::splat(i as f64) * scale;
                let s = s.min(T::splat((PLACES - 1) as f64));
                for (k, felt) in felt.iter().enumerate() {
                    let off = (s - T::splat(k as f64)).abs();
                    air = air + felt.scale((one - off).max(T::zero()));
                }
            }
            let (here, before) = (block.position[i], block.position[i.saturating_sub(1)]);
            // A tip is a tip, whatever its neighbours have behind theirs.
            let after = match block.position.get(i + 1) {
                Some(next) if i + 1 < block.rows => next.select(block.alive(i + 1), here),
                _ => here,
            };
            let edge = after - before;
            let square = edge.dot(edge).max(T::splat(1e-14));
            // Air that goes along the strand with it hardly drags.
            let slip = edge.dot(block.velocity[i] - air) * spared / square;
            *push = air.scale(drag) + edge.scale(slip);
        }
    }
}

/// Where the air is felt for the `k`-th time along each strand. `[m]`
#[inline(always)]
fn place<T: Lane>(block: &Block<T>, k: usize) -> V3<T> {
    let mut place = V3::zero();
    for lane in 0..T::LANES {
        let row = (block.counts[lane] - 1) * k / (PLACES - 1);
        place.set(lane, block.position[row].get(lane));
    }
    place + block.root
}

/// A smooth wave of period 1 that looks like a sine, within 0.001.
#[inline(always)]
fn sine<T: Lane>(turns: T) -> T {
    let t = turns - turns.round();
    let bow = T::splat(8.0) * t - T::splat(16.0) * t * t.abs();
    T::splat(0.775) * bow + T::splat(0.225) * bow * bow.abs()
}

impl StepInput<'_> {
    /// Works out what the air does to `block` in this step.
    #[inline(always)]
    pub fn accelerate<T: Lane>(&self, block: &Block<T>, push: &mut Vec<V3<T>>) {
        self.air.accelerate(block, push);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn air(change: impl FnOnce(&mut SimParams)) -> Air {
        let mut params = SimParams::default();
        params.wind.on = true;
        params.wind.strength = 4.0;
        params.wind.oscillation = 0.0;
        change(&mut params);
        WindState::steady(&params, 3.7)
    }

    fn speed(air: &Air, p: DVec3) -> DVec3 {
        DVec3::from(air.at::<f64>(V3::splat(p.to_array())).get(0))
    }

    fn places() -> impl Iterator<Item = DVec3> {
        (0..400u64).map(|i| DVec3::from_array([0, 1, 2].map(|k| f64::from(random::signed(k, i)))))
    }

    #[test]
    fn eddies_neither_gather_air_nor_thin_it() {
        let air = air(|params| params.wind.turbulence = 1.0);
        let (h, mut sum, mut slope) = (1e-6, DVec3::ZERO, 0.0);
        let mut squares = DVec3::ZERO;
        for p in places() {
            let along =
                |axis: DVec3| (speed(&air, p + axis * h) - speed(&air, p - axis * h)) / (2.0 * h);
            let (x, y, z) = (along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
            let divergence = x.x + y.y + z.z;
            let size = x.length() + y.length() + z.length();
            slope += size;
            assert!(
                divergence.abs() < 1e-6 * (1.0 + size),
                "{divergence} of {size}"
            );
            let eddy = speed(&air, p) - air.steady;
            sum += eddy;
            squares += eddy * eddy;
        }
        assert!(slope / 400.0 > 10.0, "eddies are small: {slope}");
        let size = (squares / 400.0 / 16.0).element_sum() / 3.0;
        let wanted = EDDIES * EDDIES;
        assert!((size / wanted - 1.0).abs() < 0.35, "{size} for {wanted}");
        assert!((sum / 400.0).length() < 1.0, "they go nowhere: {sum}");
    }

    #[test]
    fn a_fan_blows_ahead_and_fades_with_distance_and_aside() {
        let air = air(|params| {
            params.wind.on = false;
            params.fan.on = true;
            (params.fan.x, params.fan.y, params.fan.z) = (1.0, 0.0, 0.0);
            params.fan.direction = [-1.0, 0.0, 0.0];
            params.fan.strength = 20.0;
            params.fan.reach = 0.5;
            params.fan.width = 14.0;
        });
        // Without its eddies.
        let calm = Air {
            waves: [Wave::default(); WAVES],
            ..air.clone()
        };
        let at = |x: f64, y: f64| speed(&calm, DVec3::new(x, y, 0.0));
        assert!((at(0.5, 0.0).x + 10.0).abs() < 0.3, "{}", at(0.5, 0.0));
        let mut before = f64::INFINITY;
        for i in 1..40 {
            let here = at(0.95 - 0.05 * f64::from(i), 0.0).length();
            assert!(here < before && here > 1.0);
            before = here;
        }
        // At the rim of the cone a quarter, behind it nothing.
        let rim = 0.5 * 14f64.to_radians().tan() + 0.02;
        let share = at(0.5, rim).length() / at(0.5, 0.0).length();
        assert!((share - 0.25).abs() < 0.02, "{share}");
        assert!(at(0.5, 0.5).length() < 0.5 && at(1.1, 0.0).length() < 1e-9);
        assert!(speed(&air, DVec3::new(0.5, 0.0, 0.0)).length() <= air.fastest());
        // It has no edge anywhere.
        let mut old = at(1.2, 0.03);
        for i in 1..2000 {
            let new = at(1.2 - 1e-3 * f64::from(i), 0.03);
            assert!(new.distance(old) < 1.5, "{i}: {old} {new}");
            old = new;
        }
    }

    #[test]
    fn wind_swells_gusts_come_in_bursts_and_nothing_jumps() {
        let mut params = SimParams::default();
        params.wind.strength = 4.0;
        params.wind.turbulence = 0.5;
        params.wind.gusts = 2.0;
        params.wind.gust_rate = 2.0;
        let (mut breeze, mut old) = (WindState::default(), DVec3::ZERO);
        let (mut most, mut least, h) = (0f64, f64::INFINITY, 1.0 / 240.0);
        for step in 0..4800 {
            params.wind.on = step % 1200 >= 240;
            params.wind.frequency = if step > 2000 { 2.0 } else { 0.3 };
            let air = breeze.pass(&params, h);
            let new = speed(&air, DVec3::new(0.05, 0.1, 0.1));
            assert!(new.distance(old) < 0.9, "{step}: {old} {new}");
            if !params.wind.on && step % 1200 > 200 {
                assert_eq!(new, DVec3::ZERO);
            }
            if step % 1200 > 480 {
                most = most.max(air.steady.length());
                least = least.min(air.steady.length());
            }
            old = new;
        }
        // Of 4 m/s with an oscillation of a half and bursts of twice as much.
        assert!(
            most > 8.0 && most < 12.1 && least < 2.4,
            "{least} to {most}"
        );
    }

    #[test]
    fn eddies_change_without_wind_and_never_run_backwards() {
        let mut params = SimParams::default();
        (params.wind.strength, params.fan.on) = (0.0, true);
        let mut breeze = WindState::default();
        let place = DVec3::new(0.05, 0.1, 0.1);
        let mut felt = Vec::new();
        for _ in 0..200 {
            felt.push(speed(&breeze.pass(&params, 0.01), place));
        }
        let late = &felt[100..];
        let mean = late.iter().sum::<DVec3>() / late.len() as f64;
        let most = late.iter().map(|v| v.distance(mean)).fold(0.0, f64::max);
        assert!(most > 0.01 * mean.length(), "{most} of {mean}");

        params.wind.strength = 4.0;
        params.wind.on = true;
        let mut way = breeze.way;
        for sign in [1.0, -1.0] {
            params.wind.direction = [sign, 0.0, 0.0];
            for _ in 0..100 {
                breeze.pass(&params, 0.01);
                assert!(breeze.way > way);
                way = breeze.way;
            }
        }
        assert!(breeze.drift.length() < 1e-9, "{}", breeze.drift);
    }

    #[test]
    fn a_short_strand_feels_the_same_beside_a_long_one() {
        use crate::math::lanes::F;
        let strand = |points: usize, turn: f32| {
            let curl = move |i: usize| {
                let angle = turn + 0.7 * i as f32;
                Vec3::new(0.004 * angle.cos(), -0.005 * i as f32, 0.004 * angle.sin())
            };
            (0..points).map(curl).collect::<Vec<_>>()
        };
        let pushed = |strands: &[Vec<Vec3>]| {
            let mut starts = vec![0];
            for strand in strands {
                starts.push(starts[starts.len() - 1] + strand.len() as u32);
            }
            let groom = crate::groom::Groom {
                points: strands.concat(),
                starts,
                masses: vec![1.0; strands.len()],
                ..crate::groom::Groom::default()
            };
            let pose = crate::math::Pose::IDENTITY;
            let mut block = Block::<F<4>>::new(&groom, 0, strands.len(), &pose);
            // Behind the tip there may be anything.
            for row in 6..block.rows {
                block.position[row].set(0, [0.3, 0.2, 0.1 * row as f64]);
            }
            for (i, velocity) in block.velocity.iter_mut().enumerate() {
                velocity.set(0, [0.1, -0.2, 0.03 * i as f64]);
            }
            let mut push = Vec::new();
            air(|_| {}).accelerate(&block, &mut push);
            (0..6)
                .map(|i| push[i].get(0).map(f64::to_bits))
                .collect::<Vec<_>>()
        };
        let alone = pushed(&[strand(6, 0.3)]);
        assert_eq!(alone, pushed(&[strand(6, 0.3), strand(9, 1.0)]));
    }

    /// A strand along and one across the wind.
    #[test]
    fn air_drags_less_along_a_strand_than_across() {
        let mut params = SimParams::default();
        params.forces.drag = 1.5;
        params.wind.on = true;
        params.wind.strength = 4.0;
        params.wind.oscillation = 0.0;
        params.wind.turbulence = 0.0;
        params.wind.direction = [1.0, 0.0, 0.0];
        let air = WindState::steady(&params, 0.0);
        let pushed = |way: Vec3, velocity: DVec3| {
            let groom = crate::groom::Groom {
                points: (0..6).map(|i| way * (0.01 * i as f32)).collect(),
                starts: vec![0, 6],
                masses: vec![1.0],
                ..crate::groom::Groom::default()
            };
            let mut block = Block::<f64>::new(&groom, 0, 1, &crate::math::Pose::IDENTITY);
            block.velocity.fill(V3::splat(velocity.to_array()));
            let mut push = Vec::new();
            air.accelerate(&block, &mut push);
            // With the drag that every method has of its own.
            DVec3::from(push[3].get(0)) - velocity * 1.5
        };
        let (still, rides) = (DVec3::ZERO, DVec3::X * 4.0);
        assert!(pushed(Vec3::Y, still).distance(DVec3::X * 6.0) < 1e-9);
        assert!(pushed(Vec3::X, still).distance(DVec3::X * 2.1) < 1e-6);
        assert!(pushed(Vec3::X, rides).length() < 1e-6, "with the wind");
        let askew = pushed(Vec3::new(0.6, 0.8, 0.0), still);
        // It is blown aside: more across than along.
        let wanted = DVec3::X * 6.0 - DVec3::new(0.6, 0.8, 0.0) * (0.65 * 6.0 * 0.6);
        assert!(askew.distance(wanted) < 1e-6, "{askew}");
    }
}
