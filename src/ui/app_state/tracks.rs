//! Numbers keyed over time: what is done to one that has keys becomes a key at the present
//! time, and the picture follows its tracks.

use super::AppState;
use crate::{
    param::{Kind, Params as _, Tracks, Value},
    project::{history::ParamPlace, scene::Scene},
    render::{Camera, CameraParams, Lens},
    ui::{keyed_view::KeyedView, time_unit::TimeUnit},
};
use std::time::Instant;

/// Share of its range by which a number of the camera must have changed to become a key.
const MOVED: f64 = 1e-5;

/// A keyed number: its name, where it stands, its value without keys, and that of its keys.
type KeyedNumber = (String, ParamPlace, Value, Value);

impl AppState {
    /// Lets the keys of all numbers be these; `held` while one is dragged.
    pub(super) fn take_tracks(&mut self, tracks: Tracks, held: bool) {
        let place = self.document.scene().place("tracks.keys");
        self.change_at(place, held, |scene| scene.sim.tracks.keys = tracks);
    }

    /// All keys but for the one that the drag of the number at `place` has set so far: while
    /// it goes on, it sets one key.
    pub(super) fn keys_before(&mut self, place: Option<ParamPlace>, held: bool) -> Tracks {
        let now = &self.document.scene().sim.tracks.keys;
        // What happens beside a drag does not end it, and outlasts it.
        let Some(place) = place else {
            return now.clone();
        };
        let begun = (self.ui.keyed.drag.take()).filter(|(number, _)| *number == place);
        let (goes_on, before) = match begun {
            Some((_, before)) => (true, before),
            None => (false, now.clone()),
        };
        // The last move of a drag may come as the button goes up.
        self.ui.keyed.drag = (held || goes_on).then(|| (place, before.clone()));
        before
    }

    /// Told that a change without a place has made the keys of `before` what they are now: a
    /// drag that goes on begins with it.
    pub(super) fn keep_beside_drag(&mut self, before: &Tracks) {
        let now = &self.document.scene().sim.tracks.keys;
        if let Some((_, begun)) = &mut self.ui.keyed.drag
            && now != before
        {
            begun.take_change(before, now);
        }
    }

    /// Lets look, light and camera be as their tracks have them now. While a hand `drags` or
    /// something else moves the camera, that goes where it is taken; then it becomes keys.
    /// Notches of the wheel that follow one another soon are one such move, whose keys lie
    /// where the last of them was.
    pub fn follow_tracks(&mut self, drags: bool) {
        self.follow_tracks_at(Instant::now(), drags);
    }

    /// The same at that moment.
    pub(super) fn follow_tracks_at(&mut self, now: Instant, drags: bool) {
        let picture_time = self.picture_time();
        self.ui.keyed.follow(self.document.scene(), picture_time);
        if !self.has_camera_keys() {
            (self.ui.keyed.holds_camera, self.ui.keyed.notched) = (false, None);
            self.show_shot();
            return;
        }
        if self.ui.keyed.working {
            return;
        }
        if self.ui.keyed.holds_camera {
            let rests = self.ui.keyed.wheel_rests();
            let rolls = rests.is_some_and(|rests| now < rests);
            if drags || self.ui.glide.moves() || rolls {
                return;
            }
            self.ui.keyed.holds_camera = false;
            let notched = self.ui.keyed.notched.take();
            let key_time = self.key_time();
            self.key_camera(notched.map_or(key_time, |(_, time)| time));
        }
        self.ui.camera = self.camera_now();
    }

    /// Lets notches of the wheel that have not become keys yet do so now.
    pub(super) fn settle_wheel(&mut self) {
        if let Some((_, track_time)) = self.ui.keyed.notched.take() {
            self.ui.keyed.holds_camera = false;
            self.key_camera(track_time);
        }
    }

    /// Lets go of what is in hand of the keys of the document before: it is no other's.
    pub(super) fn forget_keyed(&mut self) {
        self.show_shot();
        self.ui.keyed = KeyedView::default();
        self.ui.glide.halt();
        self.follow_tracks(false);
    }

    /// The scene's camera as its tracks have it now, and turned on by the turntable.
    pub(super) fn camera_now(&self) -> Camera {
        let scene = self.document.scene();
        let now = (scene.sim.tracks.keys).over(&scene.camera, self.picture_time());
        let mut camera = self.camera_of(&now);
        camera.yaw += self.ui.keyed.turned;
        camera
    }

    /// The camera's lens now.
    pub fn lens(&self) -> Lens {
        let scene = self.document.scene();
        let tracks = &scene.sim.tracks.keys;
        Lens::of(&tracks.over(&scene.camera, self.picture_time()))
    }
}

/// The numbers of the camera with keys that are not what those say at `track_time` `[s]`,
/// by their place in the section, and what they are `here`.
pub(super) fn moved(scene: &Scene, here: &CameraParams, track_time: f64) -> Vec<(usize, f64)> {
    let keyed = keyed_camera(scene, here, track_time).into_iter();
    let moved = keyed.filter(|(_, _, moves)| *moves);
    moved.map(|(index, value, _)| (index, value)).collect()
}

/// The numbers of the camera with keys, by their place in the section, what they are `here`,
/// and whether that is another value than their keys have at `track_time`. `[s]`
pub(super) fn keyed_camera(
    scene: &Scene,
    here: &CameraParams,
    track_time: f64,
) -> Vec<(usize, f64, bool)> {
    let tracks = &scene.sim.tracks.keys;
    let tunables = here.tunables().into_iter().enumerate();
    let numbers = tunables.filter_map(|(index, tunable)| {
        let track = tracks.of(&format!("camera.{}", tunable.key))?;
        let (Kind::Float { range, .. }, Value::Float(mut value)) = (&tunable.kind, here.get(index))
        else {
            return None;
        };
        // A camera does not know how it is moved, nor what its lens is like.
        if ["aperture", "focus", "turn_speed"].contains(&tunable.key) {
            return None;
        }
        let before = track.shown(track_time);
        if tunable.key == "yaw" {
            // The short way round.
            let turns = ((before - value) / 360.0).round();
            let turned = value + 360.0 * turns;
            if range.contains(&turned) {
                value = turned;
            }
        }
        let value = (1e4 * value).round() / 1e4;
        let far = (value - before).abs() > MOVED * (range.end() - range.start());
        range.contains(&value).then_some((index, value, far))
    });
    numbers.collect()
}

/// Changes `scene`, in which all keys but those of the change itself are `before`: keyed
/// numbers are shown to it as they are at `track_time` `[s]`, and those that it gives another
/// value get a key there, where those of `unit` are put.
pub(super) fn change_keyed(
    scene: &mut Scene,
    before: &Tracks,
    (track_time, unit): (f64, TimeUnit),
    change: impl FnOnce(&mut Scene) -> Result<(), String>,
) -> Result<(), String> {
    scene.sim.tracks.keys.clone_from(before);
    let numbers = show(scene, before, track_time);
    change(scene)?;
    for (name, place, plain, shown) in numbers {
        let now = scene.sections()[place.0].get(place.1);
        if let Value::Float(value) = now
            && now != shown
        {
            let time = unit.place(track_time, before);
            scene.sim.tracks.keys.set_key(&name, time, value);
        }
        // One that has no keys any more stays as it was seen last.
        if scene.sim.tracks.keys.of(&name).is_some() {
            put(scene, place, plain);
        }
    }
    Ok(())
}

/// Gives all numbers of `scene` with keys their values at `track_time` `[s]`, on both
/// sides.
fn show(scene: &mut Scene, tracks: &Tracks, track_time: f64) -> Vec<KeyedNumber> {
    let mut numbers = Vec::new();
    for track in tracks.tracks() {
        let name = track.parameter();
        for name_there in [name.to_string(), format!("b.{name}")] {
            let Some(place) = scene.place(&name_there) else {
                continue;
            };
            let plain = scene.sections()[place.0].get(place.1);
            put(scene, place, Value::Float(track.shown(track_time)));
            let shown = scene.sections()[place.0].get(place.1);
            numbers.push((name.into(), place, plain, shown));
        }
    }
    numbers
}

fn put(scene: &mut Scene, (section, index): ParamPlace, value: Value) {
    if let Err(error) = scene.sections_mut()[section].set(index, value) {
        log::error!("{error}");
    }
}

#[cfg(test)]
mod tests;
