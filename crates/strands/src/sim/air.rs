//! The air about the strands: wind, gusts, eddies and a fan, and what it does
//! to each vertex.
//!
//! The air is felt at a few places along each strand, where it is now, and
//! drags more across a strand than along it. What it does is worked out once a
//! step for all methods: they add it to gravity, beside their own drag, which is
//! that of still air by the linear law.

#[cfg(test)]
mod tests;

mod cylinder;

use super::{AirLaw, params::SimParams, state::Block, wind_occlusion::WindAttenuation};
use crate::math::{
    elementary::{cos, pow, sin, tan},
    lanes::{Lane, V3},
    random,
};
use cylinder::CylinderDrag;
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
        // A fan has eddies where no wind blows, which go with its own air.
        let speed = |blows: bool, strength: f32| match blows {
            true => f64::from(strength).min(DRIFT),
            false => 0.0,
        };
        let blows = (wind.on || self.blows[0] > 0.0) && wind.strength > 0.0;
        let fan = &params.fan;
        let (speed, fanned) = (speed(blows, wind.strength), speed(fan.on, fan.strength));
        let way = match blows {
            true => direction(wind.direction) * speed,
            false => direction(fan.direction) * fanned,
        };
        self.drift += way * seconds;
        self.way += speed.max(fanned) * seconds;
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
        let swell = 0.5 * (1.0 - cos(TAU * self.swellings));
        let share =
            1.0 - f64::from(wind.oscillation) * swell + f64::from(wind.gusts) * burst(self.gusts);
        let mut air = Air {
            drag: f64::from(params.forces.drag),
            cylinder: match params.forces.air {
                AirLaw::Cylinder => Some(CylinderDrag::of(params)),
                AirLaw::Linear => None,
            },
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
                slope: tan(f64::from(fan.width).to_radians()),
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
            DVec3::new(side * cos(turn), z, side * sin(turn))
        };
        let [long, short] = LENGTHS;
        let place = (index as f64 + random(0)) / WAVES as f64;
        let length = long * pow(short / long, place);
        let along = unit(1);
        let across = along
            .cross(unit(3))
            .normalize_or(along.any_orthonormal_vector());
        let per_metre = along / length;
        // Smaller eddies are slower, as in real air, and live less long.
        let speed = pow(length / long, 1.0 / 3.0);
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
    /// What still air does to a strand of ordinary mass by the linear law. `[1/s]`
    drag: f64,
    /// What it does by the other law, where that holds.
    cylinder: Option<CylinderDrag>,
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
        self.drag > 0.0 && (self.cylinder.is_some() || self.along != 1.0 || self.moves())
    }

    /// What the methods slow their strands by themselves, in all directions and at
    /// all speeds alike, for a strand of ordinary mass. `[1/s]`
    pub fn isotropic(&self) -> f64 {
        match self.cylinder {
            Some(_) => 0.0,
            None => self.drag,
        }
    }

    /// How fast hair that rubs in its lock slows what swings against its root: by the
    /// linear law the drag stands for it. `[1/s]`
    pub fn rubs(&self, params: &SimParams) -> f64 {
        match self.cylinder {
            Some(_) => params.forces.rub.into(),
            None => 0.0,
        }
    }

    /// No air pushes a strand of ordinary mass harder, even if that moves at ten
    /// metres a second. `[m/s²]`
    pub fn hardest(&self) -> f64 {
        let fastest = self.fastest();
        match self.cylinder {
            Some(cylinder) if self.drag > 0.0 => fastest * cylinder.rate(fastest + 10.0),
            _ => fastest * self.drag,
        }
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

    /// Air is hardly ever faster: eddies by three times their size. `[m/s]`
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
    /// that is the same in all directions: adds to the `acceleration`. `[m/s²]`
    #[inline(always)]
    pub fn accelerate<T: Lane>(&self, block: &Block<T>, acceleration: &mut [V3<T>]) {
        if !self.acts() {
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
        for (i, acceleration) in acceleration.iter_mut().enumerate().take(block.rows) {
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
            if let Some(cylinder) = &self.cylinder {
                let slip = block.velocity[i] - air;
                let drag = cylinder.drag(slip, edge, square, block.inverse_mass, self.along);
                *acceleration = *acceleration + drag;
                continue;
            }
            // Air that goes along the strand with it hardly drags.
            let slip = edge.dot(block.velocity[i] - air) * spared / square;
            *acceleration = *acceleration + (air.scale(drag) + edge.scale(slip));
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
