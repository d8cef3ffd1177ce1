//! The keys: one table for the handler and for the list that F1 shows.

mod mouse;

pub use mouse::MOUSE;

use super::{
    command::Command,
    key_press::{
        Press::{self, Char, Named},
        presses,
    },
    tool::Tool,
};
use crate::{
    render::ViewPreset,
    sim::solver::{Method, SOLVERS},
};
use std::sync::LazyLock;
use winit::keyboard::{Key, ModifiersState, NamedKey, PhysicalKey};

/// One row: a key and what it does.
#[derive(Clone)]
pub struct Binding {
    /// The key.
    pub press: Press,
    /// Whether Ctrl (on a Mac, Command) is held.
    pub ctrl: bool,
    /// Whether Shift has to be held, too; without it, it may be.
    pub shift: bool,
    /// Whether it goes on while the key is held.
    pub repeats: bool,
    /// Its name for people.
    pub name: String,
    /// What it does, for people; empty for a second key of the row above.
    pub help: &'static str,
    /// What it does.
    pub command: Command,
}

impl Binding {
    /// Whether a text that is being edited has no use for it: it is for the whole scene.
    pub fn leaves_text(&self) -> bool {
        // Those select, copy, paste, cut, undo, redo, and delete as Emacs does.
        let of_text = |c: char| "acvxzykuwh".contains(c);
        match self.press {
            Char(c) => self.ctrl && !of_text(c),
            Named(NamedKey::F1 | NamedKey::F11) => true,
            Named(_) => false,
        }
    }
}

/// Keys that belong together in the list.
pub struct KeyGroup {
    /// What they are about.
    pub title: &'static str,
    /// They, in the order of the list.
    pub keys: Vec<Binding>,
}

fn key(press: Press, name: &str, help: &'static str, command: Command) -> Binding {
    Binding {
        press,
        ctrl: false,
        shift: false,
        repeats: false,
        name: name.into(),
        help,
        command,
    }
}

/// A key that is called by what it types.
fn letter(letter: char, help: &'static str, command: Command) -> Binding {
    let name = letter.to_ascii_uppercase().to_string();
    key(Char(letter), &name, help, command)
}

fn shift(with: char, help: &'static str, command: Command) -> Binding {
    let row = letter(with, help, command);
    Binding {
        shift: true,
        name: format!("Shift+{}", row.name),
        ..row
    }
}

fn ctrl(with: char, help: &'static str, command: Command) -> Binding {
    let row = letter(with, help, command);
    Binding {
        ctrl: true,
        name: format!("Ctrl+{}", row.name),
        ..row
    }
}

fn ctrl_shift(with: char, command: Command) -> Binding {
    let row = letter(with, "", command);
    Binding {
        ctrl: true,
        shift: true,
        name: format!("Ctrl+Shift+{}", row.name),
        ..row
    }
}

/// A key that goes on while it is held.
fn held(press: Press, name: &str, help: &'static str, command: Command) -> Binding {
    Binding {
        repeats: true,
        ..key(press, name, help, command)
    }
}

/// The number keys of the first nine rows of the table of methods, and the key of
/// the second side.
fn methods() -> Vec<Binding> {
    const BESIDE: &str = "Side by side: a second method beside the first";
    let numbers = ('1'..='9').zip(SOLVERS.iter());
    let number =
        |(digit, method): (char, &Method)| letter(digit, method.name, Command::Solver(method.id));
    let compare = letter('b', BESIDE, Command::Compare);
    numbers.map(number).chain([compare]).collect()
}

/// The keys, in the order of the list; a new one is a row.
pub static GROUPS: LazyLock<Vec<KeyGroup>> = LazyLock::new(|| {
    let group = |title, keys| KeyGroup { title, keys };
    vec![
        group("Time", time()),
        group("Forces", forces()),
        group("Method", methods()),
        group("Hand, comb and scissors", hand()),
        group("View", view()),
        group("Head", head()),
        group("Recording", recording()),
        group("Files and program", program()),
    ]
});

/// All keys, in the order of the list.
pub fn all() -> impl Iterator<Item = &'static Binding> {
    GROUPS.iter().flat_map(|group| &group.keys)
}

/// Simulated time.
fn time() -> Vec<Binding> {
    vec![
        key(
            Named(NamedKey::Space),
            "Space",
            "Pause, resume",
            Command::Pause,
        ),
        held(Char('.'), ". (dot)", "One step while paused", Command::Step),
        held(
            Char(','),
            ", (comma)",
            "One step back, to go on from there",
            Command::Back,
        ),
        ctrl(
            '.',
            "On to the next key of the timeline",
            Command::GoToKey { later: true },
        ),
        ctrl(
            ',',
            "Back to the key before",
            Command::GoToKey { later: false },
        ),
        letter(
            'r',
            "Back to the start: hair at rest, time at zero",
            Command::Reset,
        ),
    ]
}

/// What acts on the hair.
fn forces() -> Vec<Binding> {
    vec![
        letter('w', "Wind on, off", Command::Toggle("wind.on")),
        letter('d', "Fan on, off", Command::Toggle("fan.on")),
        letter('g', "Gravity on, off", Command::Toggle("forces.gravity_on")),
    ]
}

/// What the left mouse button does.
fn hand() -> Vec<Binding> {
    vec![
        letter(
            'q',
            "Look: the left button orbits",
            Command::Tool(Tool::Look),
        ),
        letter(
            'e',
            "Pull hair (Shift on release pins it)",
            Command::Tool(Tool::Pull),
        ),
        letter('k', "Comb hair", Command::Tool(Tool::Comb)),
        shift('k', "Smooth hair", Command::Tool(Tool::Smooth)),
        letter('x', "Cut hair", Command::Tool(Tool::Cut)),
        shift(
            'x',
            "Let hair grow longer, or shorten it",
            Command::Tool(Tool::Grow),
        ),
        shift(
            'l',
            "Lift hair off the skin, or lay it down",
            Command::Tool(Tool::Lift),
        ),
        letter(
            'y',
            "Paint less hair: thinner, shorter, straighter or limper",
            Command::Tool(Tool::Less),
        ),
        letter('j', "Paint hair back", Command::Tool(Tool::More)),
        held(
            Char('['),
            "[ ]",
            "Shorter, longer reach of hand, comb, scissors and brushes",
            Command::ResizeBrush(false),
        ),
        held(Char(']'), "]", "", Command::ResizeBrush(true)),
        letter('u', "Remove all pins", Command::Unpin),
    ]
}

/// What is seen, and from where.
fn view() -> Vec<Binding> {
    vec![
        letter(
            'v',
            "Slice through the hair's density and motion",
            Command::Toggle("slice.on"),
        ),
        letter('i', "Plots over time and strand inspector", Command::Dock),
        letter('l', "Strands as ribbons, tubes, lines", Command::Geometry),
        letter('f', "Frame head and hair", Command::FrameHead),
        letter('a', "Front view", Command::View(ViewPreset::Front)),
        letter(
            'z',
            "Three-quarter view",
            Command::View(ViewPreset::ThreeQuarter),
        ),
        letter('s', "View from the side", Command::View(ViewPreset::Side)),
        letter(
            'n',
            "View of nape and back",
            Command::View(ViewPreset::Back),
        ),
        letter('t', "View from the top", Command::View(ViewPreset::Top)),
        letter(
            'm',
            "Curl: a lock of hair from near",
            Command::View(ViewPreset::Curl),
        ),
        letter(
            '0',
            "Back from a working view to the shot's camera",
            Command::ShotCamera,
        ),
        letter(
            'o',
            "Turntable: start, stop",
            Command::Toggle("camera.turntable"),
        ),
    ]
}

/// Where the head is.
fn head() -> Vec<Binding> {
    vec![
        held(
            Named(NamedKey::ArrowLeft),
            "Arrows",
            "Turn the head a little",
            Command::TurnHead([-5, 0]),
        ),
        held(
            Named(NamedKey::ArrowRight),
            "Right",
            "",
            Command::TurnHead([5, 0]),
        ),
        held(
            Named(NamedKey::ArrowUp),
            "Up",
            "",
            Command::TurnHead([0, -5]),
        ),
        held(
            Named(NamedKey::ArrowDown),
            "Down",
            "",
            Command::TurnHead([0, 5]),
        ),
        key(
            Named(NamedKey::Home),
            "Home",
            "Reset the head's turn and position",
            Command::HeadHome,
        ),
    ]
}

/// Pictures for files.
fn recording() -> Vec<Binding> {
    vec![
        letter('c', "Start, stop recording frames", Command::Capture),
        letter('p', "Save one picture", Command::Screenshot),
    ]
}

/// Everything else.
fn program() -> Vec<Binding> {
    vec![
        key(Char('h'), "H, Tab", "Show, hide the panel", Command::Panel),
        key(Named(NamedKey::Tab), "Tab", "", Command::Panel),
        ctrl('z', "Undo a change", Command::Undo),
        Binding {
            name: "Ctrl+Y, Ctrl+Shift+Z".into(),
            ..ctrl('y', "Redo a change", Command::Redo)
        },
        ctrl_shift('z', Command::Redo),
        ctrl(
            's',
            "Save the scene; with Shift under another name",
            Command::SaveScene,
        ),
        ctrl_shift('s', Command::AskSave),
        ctrl('o', "Open a scene", Command::AskOpen),
        ctrl('g', "Open a groom", Command::AskGroom),
        ctrl('e', "Export the hair", Command::AskExport),
        ctrl('f', "Find a parameter", Command::Find),
        ctrl('q', "Quit", Command::Close),
        key(
            Named(NamedKey::F1),
            "F1",
            "This list, and earlier messages",
            Command::Help,
        ),
        key(
            Named(NamedKey::F11),
            "F11",
            "Full screen; Esc leaves it",
            Command::FullScreen,
        ),
        key(
            Named(NamedKey::Escape),
            "Esc",
            "Close a dialog, graph or message, let go of a strand",
            Command::Escape,
        ),
    ]
}

/// The name of the key of a command, for tooltips; empty without one.
pub fn name_of(command: &Command) -> &'static str {
    all()
        .find(|binding| binding.command == *command)
        .map_or("", |binding| &binding.name)
}

/// The name of the key that switches that tunable; empty without one.
pub fn switch_of(tunable: &str) -> &'static str {
    all()
        .find(|row| matches!(row.command, Command::Toggle(name) if name == tunable))
        .map_or("", |row| &row.name)
}

/// The row of a key press, if it has one.
pub fn pressed(
    logical: &Key,
    physical: PhysicalKey,
    modifiers: ModifiersState,
) -> Option<&'static Binding> {
    let mac = cfg!(target_os = "macos");
    let ctrl = modifiers.control_key() || (mac && modifiers.super_key());
    let [typed, placed] = presses(logical, physical);
    let row = |press: Press, ctrl: bool| {
        let meant =
            |shift| move |row: &&Binding| (row.press, row.ctrl, row.shift) == (press, ctrl, shift);
        let shifted = all().find(meant(true)).filter(|_| modifiers.shift_key());
        shifted.or_else(|| all().find(meant(false)))
    };
    if modifiers.alt_key() {
        // What stands for AltGr, Ctrl and Alt or on a Mac Option, makes brackets of other
        // keys; else nothing is meant with Alt.
        let sign = |press: &Press| matches!(press, Char(c) if c.is_ascii_punctuation());
        let made = typed.filter(|press| (ctrl || mac) && sign(press))?;
        return row(made, false);
    }
    let of_typed = typed.and_then(|press| row(press, ctrl));
    of_typed.or_else(|| placed.and_then(|press| row(press, ctrl)))
}

#[cfg(test)]
mod tests;
