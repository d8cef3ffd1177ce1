//! What a person can ask for. Keys, panel and dropped files only name
//! commands; the state of the program carries them out.

use super::{page::Page, panel::Tab, tool::Tool};
use crate::{
    groom::{ImportParams, fit_near::NearFit},
    param::{Tracks, Value},
    project::{
        export::{AnimationOptions, ExportOptions},
        history::ParamPlace,
        sides::Side,
    },
    render::ViewPreset,
    sim::{
        MotionPreset,
        collider::{Collider, Shape},
        keyframes::Keyframes,
    },
};
use glam::Vec3;
use std::path::PathBuf;

/// What was decided about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save, restore, or close.
    Yes,
    /// Go on without it: it is gone.
    No,
    /// Neither; all stays as it is.
    Cancel,
}

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Give a tunable a value; `held` while its slider is being dragged.
    Set {
        /// Which tunable.
        place: ParamPlace,
        /// The value.
        value: Value,
        /// Whether more of the same may follow before the button is released.
        held: bool,
    },
    /// Give two tunables that go together a value each, as one change: a switch, and
    /// what it switches.
    SetBoth {
        /// They, and their values.
        places: [(ParamPlace, Value); 2],
        /// As above, for the second of them.
        held: bool,
    },
    /// Give a tunable of a body a value; `held` as above.
    SetOfBody {
        /// The body's row.
        row: usize,
        /// Number of the tunable in the body.
        index: usize,
        /// The value.
        value: Value,
        /// Whether more of the same may follow before the button is released.
        held: bool,
    },
    /// Give a whole section its defaults.
    ResetSection(usize),
    /// Take the hairstyle of that row of the table.
    Style(usize),
    /// Give the strands vertices enough for their curls.
    EnoughVertices,
    /// Take the hair of the example of that name.
    HairOf(&'static str),
    /// Draw strands as something else: the next of the list.
    Geometry,
    /// Take the hair colour of that row of the table.
    Pigment(usize),
    /// Give the hair this dye and no other colour; `held` while one drags among colours.
    Dye {
        /// What it absorbs of red, green and blue across a fibre's radius.
        dye: [f32; 3],
        /// Whether more may follow before the button is released.
        held: bool,
    },
    /// Take the solver of that id, on the side that is meant.
    Solver(&'static str),
    /// Put a second method beside the first, or take it away.
    Compare,
    /// Show the parameters of that side.
    ShowSide(Side),
    /// Give the second side the method and the parameters of the first.
    MatchSides,
    /// Show or hide plots and inspector.
    Dock,
    /// Show that page of them.
    ShowPage(Page),
    /// Look at that strand of that side, or at none.
    PickStrand(Option<(Side, usize)>),
    /// Turn the head by so many degrees to its left and downwards.
    TurnHead([i8; 2]),
    /// Let the head move by itself like that, as far and fast as is natural.
    Motion(MotionPreset),
    /// Make the head's pose now a keyframe.
    SetKeyframe,
    /// The same at that time among the keyframes. `[s]`
    AddKeyframe(f64),
    /// Let the keyframes be these; `held` while one is dragged.
    ReplaceKeyframes {
        /// All of them.
        keys: Keyframes,
        /// Whether more may follow before the button is released.
        held: bool,
    },
    /// Let the keys of all numbers that change over time be these; `held` while one is dragged.
    ReplaceTracks {
        /// All of them.
        tracks: Tracks,
        /// Whether more may follow before the button is released.
        held: bool,
    },
    /// Show the graph of the keys of that number, `section.key`, over the timeline, or none.
    ShowGraph(Option<String>),
    /// Let the timeline count frames, or seconds.
    ShowFrames(bool),
    /// Let a camera with keys that is moved get keys, or none.
    AutoKey(bool),
    /// Let time begin anew at the shot's end, or go on.
    LoopShot(bool),
    /// Look through the shot's camera again.
    ShotCamera,
    /// Give the numbers of the camera that have keys one, of the present view at the present
    /// time.
    KeyView,
    /// Go to the key after the present time, or to the one before it.
    GoToKey {
        /// Whether to the one after it.
        later: bool,
    },
    /// Take keyframe of that number away.
    DropKeyframe(usize),
    /// Turn and move the head back to where it rests.
    HeadHome,
    /// Add a body beside the head.
    AddBody(Shape),
    /// Another one like that.
    CopyBody(usize),
    /// Take that body away.
    DeleteBody(usize),
    /// Choose that body, or none.
    ChooseBody(Option<usize>),
    /// Let a body be like this; `held` while it is dragged.
    PlaceBody {
        /// Which one.
        row: usize,
        /// What it should be.
        body: Box<Collider>,
        /// Whether more may follow before the button is released.
        held: bool,
    },
    /// Fit bodies to head, neck, shoulders and chest.
    FitBodies,
    /// Draw bodies over the picture, or do not.
    ShowBodies,
    /// Switch the tunable of that name, which is on or off.
    Toggle(&'static str),
    /// Let the wind blow towards there, while its arrow is dragged.
    AimWind([f32; 3]),
    /// Put the fan there, and let it blow towards that, while it is dragged. `[m]`
    PlaceFan([[f32; 3]; 2]),
    /// Show or hide the key light's handle.
    ShowLight,
    /// Put the key light there: yaw and pitch, while it is dragged. `[°]`
    PlaceKeyLight([f32; 2]),
    /// Turns the environment to this angle about the vertical. `[°]`
    TurnEnvironment(f32),
    /// Asks for an environment's file.
    AskEnvironment,
    /// Lights the picture with that environment: a file, one that comes with the program, or none.
    Environment(String),
    /// What the left mouse button does from now on.
    Tool(Tool),
    /// Let the hand reach farther, or less far.
    ResizeBrush(bool),
    /// Remove all pins from the hair.
    Unpin,
    /// Put the method through the validation, or give that up.
    Validate,
    /// Stand still or go on.
    Pause,
    /// One step while paused.
    Step,
    /// One step back, standing still.
    Back,
    /// Show the hair as it was at that time, of the last seconds or of the cache
    /// that is played. `[s]`
    Seek(f64),
    /// Let the cache that is played begin anew at its end, or end there.
    Loop(bool),
    /// Play this cache.
    Play(PathBuf),
    /// Play no cache any more: its scene goes on live.
    Leave,
    /// Hair to rest, time to zero.
    Reset,
    /// Bring the head into the picture.
    FrameHead,
    /// Look at the head from there.
    View(ViewPreset),
    /// Keep the present view under this name.
    KeepView(String),
    /// Look from the kept view of that row.
    GoToView(usize),
    /// Give the kept view of that row this name.
    NameView(usize, String),
    /// Take the kept view of that row away.
    DropView(usize),
    /// Start or stop the recording.
    Capture,
    /// Make a video of the last recording, or give that up.
    Video,
    /// Let the system show this file or folder by the program that it has for it.
    ShowOutside(PathBuf),
    /// Keep one picture.
    Screenshot,
    /// Save a table as CSV beside the recordings, numbered behind that name.
    SaveTable(&'static str, String),
    /// Let the window fill the screen, or no more.
    FullScreen,
    /// Show or hide the panel.
    Panel,
    /// Show that part of the panel.
    ShowTab(Tab),
    /// Open that section of the panel, or fold it.
    Fold(&'static str, bool),
    /// Let a parameter be looked for.
    Find,
    /// Show or hide the list of keys.
    Help,
    /// Take the last change back.
    Undo,
    /// Make it again.
    Redo,
    /// Ask where to save the scene.
    AskSave,
    /// Save the scene where it lies; ask where it lies nowhere yet.
    SaveScene,
    /// Ask which scene to open.
    AskOpen,
    /// Ask which head to load.
    AskHead,
    /// Ask which groom to load.
    AskGroom,
    /// Load this groom.
    Groom(PathBuf),
    /// Ask which file the tunable at that place is to name.
    AskFile(ParamPlace),
    /// Let the tunable at that place name this file.
    File(ParamPlace, PathBuf),
    /// Ask which head to carry the hair to.
    AskRebind,
    /// Carry the hair to this head.
    Rebind(PathBuf),
    /// Ask where and how to write the hair.
    AskExport,
    /// Write the hair as it is now to this file, like that.
    Export(PathBuf, ExportOptions),
    /// Simulate the scene from time zero on, and write that animation to this file, or to
    /// numbered ones, like that.
    ExportAnimation(PathBuf, ExportOptions, AnimationOptions),
    /// Hair that grows, and none from a file.
    NoGroom,
    /// Give the groom the size and the place that bring it nearest to the head.
    FitGroom,
    /// Show the handles that place the hair of a file, or hide them.
    Placing,
    /// Let that hair be placed like this; `held` while it is dragged.
    PlaceHair {
        /// What is set about it.
        import: Box<ImportParams>,
        /// Whether more may follow before the button is released.
        held: bool,
    },
    /// Bring that hair, which lies nearly right, to the skin.
    NearFit(NearFit),
    /// Ask for a frame of an animated head.
    AskSequence,
    /// Play the animated head that this file is a frame of.
    Sequence(PathBuf),
    /// No animated head any more.
    NoSequence,
    /// Write the scene to this file.
    Save(PathBuf),
    /// Read a scene from this file.
    Open(PathBuf),
    /// Open the scene of that name that comes with the program.
    Example(&'static str),
    /// Close the window.
    Close,
    /// That is the answer to the question that is asked.
    Answer(Answer),
    /// Never show the first hints again.
    HintRead,
    /// Load this head.
    Head(PathBuf),
    /// Show the handles that put the head right, or hide them.
    Righting,
    /// Turn the head's model by so many degrees to its left.
    TurnModel(f32),
    /// Let what of the head faces the camera be its front.
    FaceHere,
    /// Let the next stroke over the head be a parting, or not.
    Part,
    /// The stroke goes through this place in the head's space. `[m]`
    PartAt(Vec3),
    /// Give the job of that number up.
    CancelJob(u64),
    /// Close what is open on top: dialog, list of keys, message.
    Escape,
}

impl Command {
    /// Whether it writes, or leaves, the scene with all its keys: what the wheel is about to
    /// key becomes keys first.
    pub fn needs_all_keys(&self) -> bool {
        matches!(
            self,
            Self::SaveScene
                | Self::Save(_)
                | Self::Export(..)
                | Self::ExportAnimation(..)
                | Self::Video
                | Self::Capture
                | Self::Open(_)
                | Self::Example(_)
                | Self::Play(_)
                | Self::Undo
                | Self::Redo
                | Self::Close
        )
    }

    /// Whether it lets time go, or takes it elsewhere than to a key.
    pub fn moves_time(&self) -> bool {
        matches!(
            self,
            Self::Step | Self::Back | Self::Seek(_) | Self::Pause | Self::Reset | Self::Capture
        )
    }
}
