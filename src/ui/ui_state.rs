//! What is open, chosen and in hand in the window: all of its state that is
//! neither the document nor what runs beside it.

use super::{
    ask::Question, bodies::selection::BodySelection, camera_motion::CameraMotion, command::Command,
    dialog::Dialog, export_choices::ExportChoices, hand::HandState, hint::Hint,
    keyed_view::KeyedView, page::Page, panel::state::PanelState, present_key::present_key,
    slow_notice::SlowNotice, time_unit::TimeUnit, timeline::state::TimelineState, toast::Toasts,
};
use crate::{
    project::{scene::Scene, sides::Side},
    render::{Camera, PassTiming},
    session::Session,
    sim::MotionPreset,
};
use std::path::PathBuf;

/// The state of the window.
pub struct UiState {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// The camera's own motion.
    pub glide: CameraMotion,
    /// What keys make of the picture.
    pub keyed: KeyedView,
    /// The size of the picture that is shown. `[px]`
    pub picture: [u32; 2],
    /// What the passes of the last frame took; empty unless they are timed.
    pub passes: Vec<PassTiming>,
    /// What is wrong with shaders that are being written, a text each.
    pub shader_faults: Vec<String>,
    /// Whether a single picture is wanted.
    pub screenshot: bool,
    /// Whether a video is wanted of the recording that is being ended.
    pub video_wanted: bool,
    /// What was said of the last video that could not be made.
    pub video_fault: Option<String>,

    /// Whether the window fills the screen.
    pub full_screen: bool,
    /// Whether the panel is shown.
    pub shows_panel: bool,
    /// What is open in the panel.
    pub panel: PanelState,
    /// How the timeline is shown.
    pub timeline: TimelineState,
    /// Whether the list of keys is shown.
    pub shows_help: bool,
    /// The page of plots that is open.
    pub page: Option<Page>,
    /// The first hints.
    pub hint: Hint,
    /// Messages over the picture.
    pub toasts: Toasts,
    /// What was said of a method that is too slow.
    pub slow: SlowNotice,
    /// When it was said last that hair moves too slowly.
    pub slow_told: Option<std::time::Instant>,

    /// How hair was exported last.
    pub exports: ExportChoices,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What has to be answered first.
    pub question: Option<Question>,
    /// What to do once the scene is saved.
    pub pending: Option<Box<Command>>,
    /// Where to save the scene once hand work is carried to its hair.
    pub held_save: Option<PathBuf>,
    /// The job that saves it.
    pub saving: Option<u64>,
    /// Whether the window is to be closed.
    pub over: bool,
    /// Why the program cannot go on.
    pub fault: Option<String>,

    /// Of two sides, the one whose parameters the panel shows.
    pub shown: Side,
    /// The side under the mouse.
    pub pointed: Option<Side>,
    /// The strand that is looked at, and on which side it was picked.
    pub picked: Option<(Side, usize)>,
    /// The bodies beside the head.
    pub bodies: BodySelection,
    /// Whether the key light has a handle in the picture.
    pub shows_light: bool,
    /// Whether the head has handles to put it right.
    pub rights: bool,
    /// Whether the hair of a file has handles to place it.
    pub places: bool,
    /// The tool at hand, and what is being done with it.
    pub hand: HandState,
}

impl UiState {
    /// That of a window that opens, with what the last one has left open.
    pub fn new(camera: Camera) -> Self {
        Self {
            camera,
            glide: CameraMotion::default(),
            keyed: KeyedView::default(),
            picture: [0, 0],
            passes: Vec::new(),
            shader_faults: Vec::new(),
            screenshot: false,
            video_wanted: false,
            video_fault: None,
            full_screen: false,
            shows_panel: true,
            panel: PanelState::load(),
            timeline: TimelineState::load(),
            shows_help: false,
            page: None,
            hint: Hint::default(),
            toasts: Toasts::default(),
            slow: SlowNotice::default(),
            slow_told: None,
            exports: ExportChoices::load(),
            dialog: None,
            question: None,
            pending: None,
            held_save: None,
            saving: None,
            over: false,
            fault: None,
            shown: Side::A,
            pointed: None,
            picked: None,
            bodies: BodySelection::default(),
            shows_light: false,
            rights: false,
            places: false,
            hand: HandState::default(),
        }
    }

    /// The side whose parameters the panel shows.
    pub fn side(&self, scene: &Scene) -> Side {
        match scene.compare.on {
            true => self.shown,
            false => Side::A,
        }
    }

    /// The side that number keys act on: the one under the mouse, or else the
    /// one whose parameters are shown.
    pub fn side_meant(&self, scene: &Scene) -> Side {
        match scene.compare.on {
            true => self.pointed.unwrap_or(self.shown),
            false => Side::A,
        }
    }

    /// What the timeline counts time in.
    pub fn time_unit(&self, scene: &Scene) -> TimeUnit {
        TimeUnit::of(self.timeline.shows_frames(), scene.capture.fps)
    }

    /// The present time where numbers with keys are shown and set: that of the key that was gone
    /// to, or that no other step is nearer to; else, where frames are counted, the nearest
    /// frame. `[s]`
    pub fn key_time(&self, scene: &Scene, session: &Session) -> f64 {
        let (sim, unit) = (&scene.sim, self.time_unit(scene));
        let now = session.track_time(&sim.motion);
        let gone_to = self.keyed.gone_to.filter(|_| session.is_paused());
        match present_key(sim, now, gone_to) {
            Some(key) => unit.of_key(key),
            None => unit.present(now, &sim.motion),
        }
    }

    /// Where a keyframe of the head is put that is set now. `[s]`
    pub fn head_key_time(&self, scene: &Scene, session: &Session) -> f64 {
        let (motion, unit) = (&scene.sim.motion, self.time_unit(scene));
        match motion.preset {
            MotionPreset::Keyframes => {
                unit.head_place(self.key_time(scene, session), &motion.keyframes)
            }
            // Those that do not play go on where they end.
            _ => {
                let next = session.key_time(motion);
                unit.grid().nearest(unit.present(next, motion))
            }
        }
    }

    /// Whether a question or a dialog is open, which has the keys to itself.
    pub fn is_asked(&self) -> bool {
        self.question.is_some() || self.dialog.is_some()
    }

    /// How far away the hand is, or would be. `[m]`
    pub fn depth(&self) -> f32 {
        self.hand.depth(&self.camera)
    }

    /// Told what the picture took, and what is wrong with its shaders.
    pub fn set_drawing(&mut self, passes: &[PassTiming], faults: Vec<String>) {
        if !passes.is_empty() {
            self.passes = passes.to_vec();
        }
        if faults != self.shader_faults {
            if !faults.is_empty() {
                let text = "A shader is wrong; another draws in its place. See the look's section.";
                self.toasts.error(text);
            }
            self.shader_faults = faults;
        }
    }
}
