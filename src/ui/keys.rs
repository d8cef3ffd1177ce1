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
            Named(NamedKey::F1) => true,
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
        letter('r', "Hair back to rest", Command::Reset),
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
        letter('x', "Cut hair", Command::Tool(Tool::Cut)),
        letter(
            'y',
            "Paint less hair: thinner, shorter, straighter or limper",
            Command::Tool(Tool::Less),
        ),
        letter('j', "Paint hair back", Command::Tool(Tool::More)),
        held(
            Char('['),
            "[ ]",
            "Shorter, longer reach of hand, comb, scissors and brush",
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
        letter('f', "Frame the head", Command::FrameHead),
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
            "Macro: a lock of hair from near",
            Command::View(ViewPreset::Curl),
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
        key(Named(NamedKey::F1), "F1", "This list", Command::Help),
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
mod tests {
    use super::*;
    use crate::{param::Value, project::scene::Scene};
    use winit::keyboard::KeyCode;

    fn command(key: &Key, code: KeyCode, modifiers: ModifiersState) -> Option<Command> {
        pressed(key, PhysicalKey::Code(code), modifiers).map(|row| row.command.clone())
    }

    fn typed(text: &str, code: KeyCode, modifiers: ModifiersState) -> Option<Command> {
        command(&Key::Character(text.into()), code, modifiers)
    }

    #[test]
    fn a_key_that_switches_names_a_tunable_that_is_on_or_off() {
        let scene = Scene::default();
        for row in all() {
            if let Command::Toggle(name) = row.command {
                let place = scene.place(name);
                let value = place.map(|(section, index)| scene.sections()[section].get(index));
                assert!(matches!(value, Some(Value::Bool(_))), "{name}");
            }
        }
    }

    #[test]
    fn no_key_means_two_things() {
        for (i, a) in all().enumerate() {
            for b in all().take(i) {
                assert!(
                    (a.press, a.ctrl, a.shift) != (b.press, b.ctrl, b.shift),
                    "{} and {}",
                    a.name,
                    b.name
                );
            }
        }
    }

    #[test]
    fn every_method_has_its_number_on_every_keyboard() {
        let none = ModifiersState::empty();
        let codes = [
            KeyCode::Digit1,
            KeyCode::Digit2,
            KeyCode::Digit3,
            KeyCode::Digit4,
            KeyCode::Digit5,
            KeyCode::Digit6,
        ];
        // What a French keyboard types without Shift.
        let french = ["&", "é", "\"", "'", "(", "-"];
        assert!(SOLVERS.len() <= codes.len(), "more keys to test");
        for (index, method) in SOLVERS.iter().enumerate() {
            let wanted = Some(Command::Solver(method.id));
            let number = (index + 1).to_string();
            assert_eq!(typed(&number, codes[index], none), wanted);
            assert_eq!(typed(french[index], codes[index], none), wanted);
            // The digits at the side have no place of their own.
            assert_eq!(typed(&number, KeyCode::Numpad0, none), wanted);
            assert_eq!(name_of(&Command::Solver(method.id)), number);
        }
        // A dot stays a dot.
        assert_eq!(typed(".", KeyCode::Period, none), Some(Command::Step));
    }

    #[test]
    fn brackets_are_brackets_wherever_a_keyboard_has_them() {
        let [shorter, longer] = [false, true].map(|up| Some(Command::ResizeBrush(up)));
        let (none, ctrl, alt) = (
            ModifiersState::empty(),
            ModifiersState::CONTROL,
            ModifiersState::ALT,
        );
        assert_eq!(typed("[", KeyCode::BracketLeft, none), shorter);
        // AltGr on a French keyboard and on a German one.
        assert_eq!(typed("[", KeyCode::Digit5, none), shorter);
        assert_eq!(typed("[", KeyCode::Digit8, none), shorter);
        assert_eq!(typed("]", KeyCode::Digit9, none), longer);
        // Where Ctrl and Alt stand for it.
        assert_eq!(typed("]", KeyCode::Digit9, ctrl | alt), longer);
        assert_eq!(typed("(", KeyCode::Digit9, ctrl | alt), None);
        assert_eq!(typed("s", KeyCode::KeyS, ctrl | alt), None);
    }

    #[test]
    fn letters_work_shifted_with_ctrl_and_on_other_keyboards() {
        let none = ModifiersState::empty();
        assert_eq!(
            typed("w", KeyCode::KeyW, none),
            Some(Command::Toggle("wind.on"))
        );
        assert_eq!(
            typed("W", KeyCode::KeyW, ModifiersState::SHIFT),
            Some(Command::Toggle("wind.on"))
        );
        // A French keyboard types z where others have w.
        assert_eq!(
            typed("z", KeyCode::KeyW, none),
            Some(Command::View(ViewPreset::ThreeQuarter))
        );
        assert_eq!(
            typed("z", KeyCode::KeyW, ModifiersState::CONTROL),
            Some(Command::Undo)
        );
        assert_eq!(
            typed(
                "Z",
                KeyCode::KeyZ,
                ModifiersState::CONTROL | ModifiersState::SHIFT
            ),
            Some(Command::Redo)
        );
        // A Russian one.
        assert_eq!(
            typed("ц", KeyCode::KeyW, none),
            Some(Command::Toggle("wind.on"))
        );
        assert_eq!(typed("c", KeyCode::KeyC, ModifiersState::CONTROL), None);
        assert_eq!(typed("c", KeyCode::KeyC, ModifiersState::ALT), None);
        assert_eq!(
            command(&Key::Named(NamedKey::F1), KeyCode::F1, none),
            Some(Command::Help)
        );
    }

    #[test]
    fn text_fields_keep_their_keys_and_leave_those_of_the_scene() {
        let ctrl = ModifiersState::CONTROL;
        let leaves = |text: &str, code| {
            let key = Key::Character(text.into());
            let row = pressed(&key, PhysicalKey::Code(code), ctrl);
            row.is_some_and(Binding::leaves_text)
        };
        assert!(leaves("s", KeyCode::KeyS) && leaves("o", KeyCode::KeyO));
        assert!(!leaves("z", KeyCode::KeyZ) && !leaves("y", KeyCode::KeyY));
    }
}
