//! What keys over time make of the picture that is shown, and what of them is in hand or
//! looked at.

use crate::{
    param::Tracks,
    project::{history::ParamPlace, scene::Scene},
    render::{LightParams, LookParams},
};
use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

/// Notches of the wheel that come sooner after one another are one gesture.
pub const NOTCHES_REST: Duration = Duration::from_millis(400);

/// Look and light as their tracks have them now, and what a hand does with keys.
#[derive(Default)]
pub struct KeyedView {
    look: Option<LookParams>,
    light: Option<LightParams>,
    /// The slider that is dragged, and all keys as they were before that.
    pub drag: Option<(ParamPlace, Tracks)>,
    /// Whether the camera is where a hand has taken it, and not where its tracks have it.
    pub holds_camera: bool,
    /// Whether the camera is where a hand has taken it for good, and the shot's camera goes its
    /// way by its keys without it.
    pub working: bool,
    /// How far the turntable has gone round beside the keys of the camera's yaw; 0 where it
    /// does not turn, or that has none. `[rad]`
    pub turned: f32,
    /// When the wheel last moved the camera, and the time among the keys then. `[s]`
    pub notched: Option<(Instant, f64)>,
    /// The key that was gone to last, until time goes elsewhere. `[s]`
    pub gone_to: Option<f64>,
    /// Whether the shot was sent back to its start, and has not come there yet.
    pub sent_back: bool,
    /// The number whose keys have their graph over the timeline, `section.key`.
    pub graph: Option<String>,
}

impl KeyedView {
    /// Takes over what `scene` looks like at `picture_time`. `[s]`
    pub fn follow(&mut self, scene: &Scene, picture_time: f64) {
        let tracks = &scene.sim.tracks.keys;
        self.look = owned(tracks.over(&scene.look, picture_time));
        self.light = owned(tracks.over(&scene.light, picture_time));
        if !scene.camera.turntable || tracks.of("camera.yaw").is_none() {
            self.turned = 0.0;
        }
        // Keys that it gets later do not open its graph by themselves.
        let gone = |number: &String| tracks.of(number).is_none();
        if self.graph.as_ref().is_some_and(gone) {
            self.graph = None;
        }
    }

    /// When the wheel that moves the camera counts as let go; `None` where it has not moved
    /// it.
    pub fn wheel_rests(&self) -> Option<Instant> {
        self.notched.map(|(then, _)| then + NOTCHES_REST)
    }

    /// The look of the picture.
    pub fn look<'a>(&'a self, scene: &'a Scene) -> &'a LookParams {
        self.look.as_ref().unwrap_or(&scene.look)
    }

    /// The lights of the picture.
    pub fn light<'a>(&'a self, scene: &'a Scene) -> &'a LightParams {
        self.light.as_ref().unwrap_or(&scene.light)
    }
}

/// What is not as the scene has it.
fn owned<P: Clone>(now: Cow<P>) -> Option<P> {
    match now {
        Cow::Owned(now) => Some(now),
        Cow::Borrowed(_) => None,
    }
}
