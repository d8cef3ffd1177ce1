//! The acts: what a person does first, and what the hair must do then.

use super::{
    row::{BACK, ResponseBound, ResponseRow},
    subject::Subject,
    tips::{lone, mean, places, quantile, ways},
};
use crate::lab::strays::Neighbours;
use crate::sim::{MotionPreset, SimParams, Simulation, solver::Method};
use glam::{DVec3, Vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Hair rests so long before an act. `[s]`
const REST: f64 = 2.0;

/// What a person sees of an act, after the key. `[s]`
const LOOK: f64 = 2.0;

/// Wind blows so long before it stops, and before softness is judged in it. `[s]`
const BLOW: f64 = 3.0;

/// A head bangs so long. `[s]`
const BANG: f64 = 3.0;

/// So long after the end hair is back. `[s]`
const AFTER: f64 = 5.0;

/// Tips whose mean place over the end of a run is taken: the wind's eddies
/// alone shall not count as an answer. `[s]`
const AVERAGED: f64 = 1.5;

/// The fan aims at tips so far off its axis, as a share of its width.
const AIMED: f64 = 0.5;

/// What is done to the hair.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ActKind {
    Rest,
    Wind,
    Fan,
    GravityOff,
    /// The softness slider from a quarter before to this place.
    Softness(f32),
    HeadBang,
    WindStops,
}

/// A row of the table of acts.
#[derive(Debug)]
pub struct ResponseAct {
    /// Name in files and on the command line.
    pub id: &'static str,
    /// What is done and measured.
    pub about: &'static str,
    kind: ActKind,
    /// What it asks of elastic rods, and of the other methods.
    asks: [ResponseBound; 2],
}

impl ResponseAct {
    /// What it asks of `method`.
    pub fn bound(&self, method: &Method) -> ResponseBound {
        self.asks[usize::from(!method.rods)]
    }
}

const fn least(rods: f64, others: f64) -> [ResponseBound; 2] {
    [ResponseBound::AtLeast(rods), ResponseBound::AtLeast(others)]
}

const fn quarter(id: &'static str, softness: f32) -> ResponseAct {
    ResponseAct {
        id,
        about: "how far the mean place of the tips in the wind moves over this quarter of softness",
        kind: ActKind::Softness(softness),
        asks: [
            ResponseBound::MeanAtLeast(0.010),
            ResponseBound::MeanAtLeast(0.005),
        ],
    }
}

/// All acts.
pub const ACTS: &[ResponseAct] = &[
    ResponseAct {
        id: "rest",
        about: "five seconds in still air: how far the tips sag from the style as modelled",
        kind: ActKind::Rest,
        asks: [ResponseBound::AtMost(0.010), ResponseBound::AtMost(0.010)],
    },
    ResponseAct {
        id: "wind",
        about: "two seconds after the wind comes on",
        kind: ActKind::Wind,
        asks: least(0.060, 0.045),
    },
    ResponseAct {
        id: "fan",
        about: "two seconds after the fan comes on: the tips that it aims at",
        kind: ActKind::Fan,
        asks: least(0.080, 0.060),
    },
    ResponseAct {
        id: "gravity-off",
        about: "two seconds after gravity is switched off",
        kind: ActKind::GravityOff,
        asks: least(0.150, 0.100),
    },
    quarter("stiffness-0.25", 0.25),
    quarter("stiffness-0.5", 0.5),
    quarter("stiffness-0.75", 0.75),
    quarter("stiffness-1", 1.0),
    ResponseAct {
        id: "head-bang",
        about: "a head-bang of 60°: how far the tips go at most, seen from the head, and when they are back",
        kind: ActKind::HeadBang,
        asks: [
            ResponseBound::OutAndBack(0.060),
            ResponseBound::OutAndBack(0.060),
        ],
    },
    ResponseAct {
        id: "wind-stops",
        about: "five seconds after the wind stops: how far the tips are from where they rested",
        kind: ActKind::WindStops,
        asks: [ResponseBound::AtMost(BACK), ResponseBound::AtMost(BACK)],
    },
];

/// The act of that id.
pub fn act(id: &str) -> Option<&'static ResponseAct> {
    ACTS.iter().find(|act| act.id == id)
}

/// Hair under way in an act.
struct ActRun<'a> {
    simulation: Simulation,
    params: SimParams,
    cancel: &'a AtomicBool,
    all: Vec<Vec3>,
}

impl<'a> ActRun<'a> {
    fn new(subject: &Subject, params: SimParams, cancel: &'a AtomicBool) -> Self {
        Self {
            simulation: Simulation::new(subject.groom.clone(), subject.body.clone(), &params),
            params,
            cancel,
            all: Vec::new(),
        }
    }

    fn steps(&self, seconds: f64) -> u32 {
        (seconds * f64::from(self.params.step.rate)).round() as u32
    }

    /// Lets `seconds` pass; shows the tips after each step. None when cancelled.
    fn pass(&mut self, seconds: f64, mut seen: impl FnMut(f64, &[DVec3])) -> Option<()> {
        let rate = f64::from(self.params.step.rate);
        for step in 1..=self.steps(seconds) {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            self.simulation.step(&self.params);
            let tips = self.tips();
            seen(f64::from(step) / rate, &tips);
        }
        Some(())
    }

    fn tips(&mut self) -> Vec<DVec3> {
        places(&self.simulation, &mut self.all)
    }

    /// The tips after `seconds` more.
    fn after(&mut self, seconds: f64) -> Option<Vec<DVec3>> {
        self.pass(seconds, |_, _| ())?;
        Some(self.tips())
    }

    /// Each tip's mean place over the last [`AVERAGED`] of `seconds`.
    fn averaged(&mut self, seconds: f64) -> Option<Vec<DVec3>> {
        let (mut sums, mut count) = (Vec::new(), 0.0);
        self.pass(seconds, |time, tips| {
            if time > seconds - AVERAGED {
                sums.resize(tips.len(), DVec3::ZERO);
                sums.iter_mut()
                    .zip(tips)
                    .for_each(|(sum, tip)| *sum += *tip);
                count += 1.0;
            }
        })?;
        Some(sums.into_iter().map(|sum| sum / count).collect())
    }

    /// Lets [`AFTER`] pass; when the median tip is back at `rest` for good.
    fn back(&mut self, rest: &[DVec3]) -> Option<Option<f64>> {
        let mut back = Some(0.0);
        self.pass(AFTER, |time, tips| {
            let off = quantile(&ways(rest, tips), 0.5);
            match off <= BACK {
                true => back = back.or(Some(time)),
                false => back = None,
            }
        })?;
        Some(back)
    }
}

/// Tips before and after, and when they were back.
struct TipTravel {
    from: Vec<DVec3>,
    to: Vec<DVec3>,
    settle: Option<f64>,
}

/// Puts `method` through `act`. None when `cancel` was set meanwhile.
pub(super) fn run(
    subject: &Subject,
    method: &'static Method,
    act: &'static ResponseAct,
    cancel: &AtomicBool,
) -> Option<ResponseRow> {
    let params = subject.resting(method);
    let mut run = ActRun::new(subject, params, cancel);
    let found = match act.kind {
        ActKind::Softness(softness) => softened(&mut run, subject, softness)?,
        ActKind::Rest => TipTravel {
            from: run.tips(),
            to: run.after(AFTER)?,
            settle: None,
        },
        kind => done(&mut run, kind)?,
    };
    let far = ways(&found.from, &found.to);
    let counted = match act.kind {
        ActKind::Fan => aimed(subject, &found.from, &far),
        _ => far,
    };
    Some(ResponseRow {
        solver: method.id,
        act: act.id,
        tips: counted.len(),
        tip_median: quantile(&counted, 0.5),
        tip_p90: quantile(&counted, 0.9),
        tip_mean: mean(&counted),
        settle: found.settle,
        lone_strands: lone(&Neighbours::new(&subject.groom), &found.from, &found.to),
        bound: act.bound(method),
    })
}

/// Changes what the act changes first.
fn begin(params: &mut SimParams, kind: ActKind) {
    match kind {
        ActKind::Fan => params.fan.on = true,
        ActKind::GravityOff => params.forces.gravity_on = false,
        ActKind::HeadBang => {
            // As lively as the panel's button makes it, and wider.
            params.motion.choose(MotionPreset::HeadBang);
            params.motion.amplitude = 60.0;
        }
        _ => params.wind.on = true,
    }
}

/// One act of hair that has come to rest.
fn done(run: &mut ActRun, kind: ActKind) -> Option<TipTravel> {
    let from = run.after(REST)?;
    begin(&mut run.params, kind);
    let (mut to, mut settle) = (Vec::new(), None);
    match kind {
        ActKind::WindStops => {
            run.after(BLOW)?;
            run.params.wind.on = false;
            settle = run.back(&from)?;
            to = run.tips();
        }
        ActKind::HeadBang => {
            let mut most = -1.0;
            run.pass(BANG, |_, tips| {
                let far = quantile(&ways(&from, tips), 0.5);
                if far > most {
                    most = far;
                    to = tips.to_vec();
                }
            })?;
            run.params.motion.preset = MotionPreset::None;
            settle = run.back(&from)?;
        }
        _ => to = run.after(LOOK)?,
    }
    Some(TipTravel { from, to, settle })
}

/// The same wind at two places of the softness slider, a quarter apart.
fn softened(run: &mut ActRun, subject: &Subject, softness: f32) -> Option<TipTravel> {
    let blown = |softness: f32| {
        let mut params = run.params.clone();
        params.step.softness = softness;
        let mut run = ActRun::new(subject, params, run.cancel);
        run.after(REST)?;
        run.params.wind.on = true;
        run.averaged(BLOW)
    };
    Some(TipTravel {
        from: blown(softness - 0.25)?,
        to: blown(softness)?,
        settle: None,
    })
}

/// The ways of those tips that the fan aims at and sees.
fn aimed(subject: &Subject, tips: &[DVec3], far: &[f64]) -> Vec<f64> {
    let fan = &subject.params.fan;
    let place = Vec3::new(fan.x, fan.y, fan.z);
    let axis = Vec3::from_array(fan.direction).normalize_or_zero();
    let cone = (AIMED * f64::from(fan.width)).to_radians().cos() as f32;
    let sees = |tip: &DVec3| {
        let way = tip.as_vec3() - place;
        let far = way.length();
        let toward = way / far.max(1e-6);
        toward.dot(axis) >= cone && subject.body.surface.ray(place, toward, far).is_none()
    };
    let seen = tips.iter().zip(far).filter(|(tip, _)| sees(tip));
    seen.map(|(_, far)| *far).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_bang_is_as_fast_as_the_panels_and_wider() {
        let mut panel = SimParams::default().motion;
        panel.choose(MotionPreset::HeadBang);
        let mut params = SimParams::default();
        begin(&mut params, ActKind::HeadBang);
        let motion = params.motion;
        assert_eq!(motion.preset, MotionPreset::HeadBang);
        assert_eq!(
            [motion.frequency, motion.travel],
            [panel.frequency, panel.travel]
        );
        assert!(motion.amplitude > panel.amplitude);
        assert!(motion.frequency > SimParams::default().motion.frequency);
    }
}
