//! Which numbers can be keyed over time, and the simulation's parameters at a time.

use super::{
    MotionParams, MotionPreset, SimParams, Simulation,
    solver::{SOLVERS, hold_all},
};
use crate::param::{self, Kind, Params, Track, Tracks, Tunable, Value, check};
use std::borrow::Cow;

/// Sections of the simulation whose numbers can be keyed, beside those of the methods.
const MOVING: &[&str] = &[
    "material",
    "forces",
    "wind",
    "fan",
    "collision",
    "crowd",
    "cohesion",
];

/// Numbers of them that say how something is built, once and for all times.
const BUILT: &[&str] = &["collision.cell", "crowd.cell", "cohesion.width"];

/// Numbers of other sections of the simulation that can be keyed. The head's pose has
/// keyframes of its own, and where the neck bends is the shape of a head.
const MORE: &[&str] = &[
    "sim.softness",
    "motion.amplitude",
    "motion.travel",
    "motion.frequency",
    "motion.inertia",
    "torso.follow",
    "torso.delay",
    "torso.reach",
];

/// Sections of the picture whose numbers can be keyed.
pub const PICTURE: &[&str] = &["look", "light", "camera"];

/// Numbers of them that cannot: a blur is worked out beside the window, and a turntable
/// counts on from where the camera is.
const STEADY: &[&str] = &["light.environment_blur", "camera.turn_speed"];

/// Whether the number `section.key` can be keyed over time. What a second side has of its
/// own follows the tracks of the first.
pub fn keyable(section: &str, tunable: &Tunable) -> bool {
    let name = format!("{section}.{}", tunable.key);
    let is_in = |list: &[&str], name: &str| list.contains(&name);
    let of_method = SOLVERS.iter().any(|method| method.id == section);
    let moves = of_method || is_in(MOVING, section) && !is_in(BUILT, &name);
    let shows = is_in(PICTURE, section) && !is_in(STEADY, &name);
    matches!(tunable.kind, Kind::Float { .. }) && (moves || shows || is_in(MORE, &name))
}

/// The name under which the parameter `section.key` is keyed: that of the first side, whose
/// tracks the second follows.
pub fn track_name(section: &str, key: &str) -> String {
    format!("{}.{key}", section.strip_prefix("b.").unwrap_or(section))
}

/// Checks that `track` is that of one of `sections` and that its parameter allows all of its
/// values.
///
/// # Errors
/// A sentence on the parameter, or on the first value and the number of its key.
pub fn check_track(track: &Track, sections: &[&dyn Params]) -> Result<(), (Option<usize>, String)> {
    let name = track.parameter();
    let found = sections.iter().find_map(|params| {
        let section = params.section();
        let key = name.strip_prefix(section)?.strip_prefix('.')?;
        let tunable = params.tunables().into_iter().find(|t| t.key == key)?;
        Some((section, tunable))
    });
    let Some((section, tunable)) = found else {
        let able = sections.iter().flat_map(|params| {
            let section = params.section();
            let tunables = params.tunables().into_iter();
            let able = tunables.filter(move |tunable| keyable(section, tunable));
            able.map(move |tunable| format!("{section}.{}", tunable.key))
        });
        let guess = param::guess(name, able);
        return Err((None, format!("there is no parameter {name}{guess}")));
    };
    if !keyable(section, &tunable) {
        return Err((
            None,
            format!(
                "{name} cannot be keyed over time; what can be are numbers of the methods, of \
                 {} and of {}, and {}",
                MOVING.join(", "),
                PICTURE.join(", "),
                MORE.join(", ")
            ),
        ));
    }
    for (index, key) in track.keys().iter().enumerate() {
        check(section, &tunable, Value::Float(key.value))
            .map_err(|error| (Some(index), error.to_string()))?;
    }
    Ok(())
}

/// Checks all of `tracks` against what `sections` allow.
///
/// # Errors
/// A sentence on the first that is wrong.
pub fn check_tracks(tracks: &Tracks, sections: &[&dyn Params]) -> Result<(), String> {
    let mut tracks = tracks.tracks().iter();
    tracks.try_for_each(|track| check_track(track, sections).map_err(|(_, message)| message))
}

impl MotionParams {
    /// The time among the keys of tracks, so long after the motion began: with repeating
    /// keyframes of the head they repeat, too. `[s]`
    pub fn track_time(&self, since: f64) -> f64 {
        match self.preset {
            MotionPreset::Keyframes => self.keyframes.wrapped(since, self.repeat),
            _ => since,
        }
    }

    /// Between which times among their keys tracks go round with keyframes of the head that
    /// repeat; `None` where they do not. `[s]`
    pub fn rounds(&self) -> Option<[f64; 2]> {
        match self.preset {
            MotionPreset::Keyframes => self.keyframes.round(self.repeat),
            _ => None,
        }
    }
}

impl SimParams {
    /// The sections of the simulation, in the order of files and panel.
    pub fn sections(&self) -> Vec<&dyn Params> {
        let methods = self.methods.sections();
        let mut all: Vec<&dyn Params> = vec![&self.step];
        all.extend(methods.map(|section| section as &dyn Params));
        let more: [&dyn Params; 10] = [
            &self.material,
            &self.forces,
            &self.wind,
            &self.fan,
            &self.collision,
            &self.volume,
            &self.cohesion,
            &self.motion,
            &self.torso,
            &self.tracks,
        ];
        all.extend(more);
        all
    }

    /// The same, to be changed.
    pub fn sections_mut(&mut self) -> Vec<&mut dyn Params> {
        let methods = self.methods.sections_mut();
        let mut all: Vec<&mut dyn Params> = vec![&mut self.step];
        all.extend(methods.map(|section| section as &mut dyn Params));
        let more: [&mut dyn Params; 10] = [
            &mut self.material,
            &mut self.forces,
            &mut self.wind,
            &mut self.fan,
            &mut self.collision,
            &mut self.volume,
            &mut self.cohesion,
            &mut self.motion,
            &mut self.torso,
            &mut self.tracks,
        ];
        all.extend(more);
        all
    }

    /// The parameters at `time` of their tracks: these where nothing of the simulation is
    /// keyed. `[s]`
    pub fn at(&self, time: f64) -> Cow<'_, Self> {
        let tracks = &self.tracks.keys;
        let shows = |track: &Track| PICTURE.contains(&track.section());
        if tracks.tracks().iter().all(shows) {
            return Cow::Borrowed(self);
        }
        let mut now = self.clone();
        // A method's section that nobody has named is at its defaults, and may be keyed.
        hold_all(&mut now);
        for section in now.sections_mut() {
            tracks.apply(section, time);
        }
        Cow::Owned(now)
    }

    /// Whether hair moves alike by both: all of them is the same, but for tracks of the picture.
    pub fn moves_like(&self, other: &Self) -> bool {
        let moving = |params: &Self| {
            let mut moving = params.clone();
            for track in params.tracks.keys.tracks() {
                if PICTURE.contains(&track.section()) {
                    moving.tracks.keys.remove(track.parameter());
                }
            }
            moving
        };
        self == other || moving(self) == moving(other)
    }
}

impl Simulation {
    /// The parameters at the time of the present state: these where nothing of them is keyed.
    pub fn params_now<'a>(&self, params: &'a SimParams) -> Cow<'a, SimParams> {
        params.at(self.track_time(&params.motion))
    }

    /// The present time among the keys of tracks. `[s]`
    pub fn track_time(&self, motion: &MotionParams) -> f64 {
        motion.track_time(self.head.since(motion, self.time))
    }
}

#[cfg(test)]
mod tests;
