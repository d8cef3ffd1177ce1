//! The keys: one table for the handler and for the list that F1 shows.

use super::{command::Command, tool::Tool};
use crate::{render::ViewPreset, sim::solver::SOLVERS};
use std::sync::LazyLock;
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// A key as the table names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key that types this character, unshifted.
    Char(char),
    /// A key with a name.
    Named(NamedKey),
}

/// One row: a key and what it does.
#[derive(Clone)]
pub struct Binding {
    /// The key.
    pub press: Press,
    /// Whether Ctrl (on a Mac, Command) is held.
    pub ctrl: bool,
    /// Its name for people.
    pub name: &'static str,
    /// What it does, for people; empty for a second key of the row above.
    pub help: &'static str,
    /// What it does.
    pub command: Command,
}

const fn plain(press: Press, name: &'static str, help: &'static str, command: Command) -> Binding {
    Binding {
        press,
        ctrl: false,
        name,
        help,
        command,
    }
}

const fn ctrl(key: char, name: &'static str, help: &'static str, command: Command) -> Binding {
    Binding {
        press: Press::Char(key),
        ctrl: true,
        name,
        help,
        command,
    }
}

/// The number keys of the first nine rows of the table of methods.
fn solvers() -> impl Iterator<Item = Binding> {
    const NAMES: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let digits = ('1'..='9').zip(NAMES);
    digits.zip(SOLVERS.iter()).map(|((digit, name), method)| {
        let command = Command::Solver(method.id);
        plain(Char(digit), name, method.name, command)
    })
}

use Press::{Char, Named};

/// The keys, in the order of the list.
pub static KEYS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    let mut all = BEFORE.to_vec();
    all.extend(solvers());
    all.extend_from_slice(AFTER);
    all
});

/// The keys before those of the methods.
const BEFORE: &[Binding] = &[
    plain(
        Named(NamedKey::Space),
        "Space",
        "Pause, resume",
        Command::Pause,
    ),
    plain(Char('.'), ". (dot)", "One step while paused", Command::Step),
    plain(
        Char(','),
        ", (comma)",
        "One step back, to go on from there",
        Command::Back,
    ),
    plain(Char('r'), "R", "Hair back to rest", Command::Reset),
    plain(Char('w'), "W", "Wind on, off", Command::Wind),
    plain(Char('d'), "D", "Dryer (fan) on, off", Command::FanOn),
    plain(Char('g'), "G", "Gravity on, off", Command::Gravity),
    plain(
        Char('v'),
        "V",
        "Slice through the hair's density and motion",
        Command::Slice,
    ),
];

/// The keys behind those of the methods.
const AFTER: &[Binding] = &[
    plain(
        Char('b'),
        "B",
        "Side by side: a second method beside the first",
        Command::Compare,
    ),
    plain(
        Char('i'),
        "I",
        "Plots over time and strand inspector",
        Command::Dock,
    ),
    plain(
        Char('q'),
        "Q",
        "Look: the left button orbits",
        Command::Tool(Tool::Look),
    ),
    plain(
        Char('e'),
        "E",
        "Pull hair (Shift on release pins it)",
        Command::Tool(Tool::Pull),
    ),
    plain(Char('k'), "K", "Comb hair", Command::Tool(Tool::Comb)),
    plain(Char('x'), "X", "Cut hair", Command::Tool(Tool::Cut)),
    plain(
        Char('y'),
        "Y",
        "Paint less hair: thinner, shorter or straighter",
        Command::Tool(Tool::Less),
    ),
    plain(Char('j'), "J", "Paint hair back", Command::Tool(Tool::More)),
    plain(
        Char('['),
        "[ ]",
        "Shorter, longer reach of hand, comb and scissors",
        Command::Brush(false),
    ),
    plain(Char(']'), "]", "", Command::Brush(true)),
    plain(Char('u'), "U", "Remove all pins", Command::Unpin),
    plain(
        Char('l'),
        "L",
        "Strands as ribbons, tubes, lines",
        Command::Geometry,
    ),
    plain(Char('f'), "F", "Frame the head", Command::FrameHead),
    plain(
        Char('a'),
        "A",
        "Front view",
        Command::View(ViewPreset::Front),
    ),
    plain(
        Char('z'),
        "Z",
        "Three-quarter view",
        Command::View(ViewPreset::ThreeQuarter),
    ),
    plain(
        Char('s'),
        "S",
        "View from the side",
        Command::View(ViewPreset::Side),
    ),
    plain(
        Char('n'),
        "N",
        "View of nape and back",
        Command::View(ViewPreset::Back),
    ),
    plain(
        Char('t'),
        "T",
        "View from the top",
        Command::View(ViewPreset::Top),
    ),
    plain(
        Char('m'),
        "M",
        "Macro: a lock of hair from near",
        Command::View(ViewPreset::Curl),
    ),
    plain(Char('o'), "O", "Turntable: start, stop", Command::Turntable),
    plain(
        Named(NamedKey::ArrowLeft),
        "Arrows",
        "Turn the head a little",
        Command::TurnHead([-5, 0]),
    ),
    plain(
        Named(NamedKey::ArrowRight),
        "Right",
        "",
        Command::TurnHead([5, 0]),
    ),
    plain(
        Named(NamedKey::ArrowUp),
        "Up",
        "",
        Command::TurnHead([0, -5]),
    ),
    plain(
        Named(NamedKey::ArrowDown),
        "Down",
        "",
        Command::TurnHead([0, 5]),
    ),
    plain(
        Named(NamedKey::Home),
        "Home",
        "Reset the head's turn and position",
        Command::HeadHome,
    ),
    plain(
        Char('c'),
        "C",
        "Start, stop recording frames",
        Command::Capture,
    ),
    plain(Char('p'), "P", "Save one picture", Command::Screenshot),
    plain(Char('h'), "H, Tab", "Show, hide the panel", Command::Panel),
    plain(Named(NamedKey::Tab), "Tab", "", Command::Panel),
    ctrl('z', "Ctrl+Z", "Undo a change", Command::Undo),
    ctrl('y', "Ctrl+Y", "Redo a change", Command::Redo),
    ctrl(
        's',
        "Ctrl+S",
        "Save the scene; with Shift under another name",
        Command::SaveScene,
    ),
    ctrl('o', "Ctrl+O", "Open a scene", Command::AskOpen),
    ctrl('g', "Ctrl+G", "Open a groom", Command::AskGroom),
    ctrl('e', "Ctrl+E", "Export the hair", Command::AskExport),
    ctrl('f', "Ctrl+F", "Find a parameter", Command::Find),
    plain(Named(NamedKey::F1), "F1", "This list", Command::Help),
    plain(
        Named(NamedKey::Escape),
        "Esc",
        "Close a dialog or message, let go of a strand",
        Command::Escape,
    ),
];

/// What the mouse does, for the list.
pub const MOUSE: &[(&str, &str)] = &[
    ("Left drag", "Orbit"),
    (
        "Left click",
        "Pick a strand for the inspector, or a body; on nothing, none",
    ),
    (
        "Handles of a body",
        "Move, turn, scale it; Shift scales evenly",
    ),
    ("Middle drag, Shift+drag", "Pan"),
    ("Right drag", "Turn the head"),
    ("Shift+right drag", "Move the head"),
    ("Wheel", "Zoom"),
    ("Number key over a side", "The method of that side"),
    (
        "Drop a file",
        "Load a head (.obj), a groom (.hair, .usda, ...) or a scene (.toml), play a cache",
    ),
];

/// The name of the key of a command, for tooltips; empty without one.
pub fn name_of(command: &Command) -> &'static str {
    KEYS.iter()
        .find(|binding| binding.command == *command)
        .map_or("", |binding| binding.name)
}

/// The command of a key press, if it has one.
pub fn command(logical: &Key, physical: PhysicalKey, modifiers: ModifiersState) -> Option<Command> {
    if modifiers.alt_key() {
        return None;
    }
    let ctrl = modifiers.control_key() || (cfg!(target_os = "macos") && modifiers.super_key());
    // Ctrl+Shift+Z is Redo to many hands.
    if ctrl && modifiers.shift_key() && press(logical, physical) == Some(Char('z')) {
        return Some(Command::Redo);
    }
    if ctrl && modifiers.shift_key() && press(logical, physical) == Some(Char('s')) {
        return Some(Command::AskSave);
    }
    let press = press(logical, physical)?;
    KEYS.iter()
        .find(|binding| binding.press == press && binding.ctrl == ctrl)
        .map(|binding| binding.command.clone())
}

fn press(logical: &Key, physical: PhysicalKey) -> Option<Press> {
    match logical {
        Key::Named(name) => Some(Named(*name)),
        Key::Character(text) => {
            let mut characters = text.chars().flat_map(char::to_lowercase);
            match (characters.next(), characters.next()) {
                // Some keyboards have digits only with Shift; what the others
                // type with Shift there means nothing here.
                (Some(character), None) if character.is_ascii_punctuation() => {
                    Some(Char(digit(physical).unwrap_or(character)))
                }
                (Some(character), None) if character.is_ascii() => Some(Char(character)),
                // A keyboard that types other scripts: the key's place counts.
                _ => latin(physical).or(digit(physical)).map(Char),
            }
        }
        _ => None,
    }
}

/// The letter on that key of a keyboard with Latin letters.
fn latin(physical: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = physical else {
        return None;
    };
    Some(match code {
        KeyCode::KeyA => 'a',
        KeyCode::KeyB => 'b',
        KeyCode::KeyC => 'c',
        KeyCode::KeyD => 'd',
        KeyCode::KeyE => 'e',
        KeyCode::KeyF => 'f',
        KeyCode::KeyG => 'g',
        KeyCode::KeyH => 'h',
        KeyCode::KeyI => 'i',
        KeyCode::KeyJ => 'j',
        KeyCode::KeyK => 'k',
        KeyCode::KeyL => 'l',
        KeyCode::KeyM => 'm',
        KeyCode::KeyN => 'n',
        KeyCode::KeyO => 'o',
        KeyCode::KeyP => 'p',
        KeyCode::KeyQ => 'q',
        KeyCode::KeyR => 'r',
        KeyCode::KeyS => 's',
        KeyCode::KeyT => 't',
        KeyCode::KeyU => 'u',
        KeyCode::KeyV => 'v',
        KeyCode::KeyW => 'w',
        KeyCode::KeyX => 'x',
        KeyCode::KeyY => 'y',
        KeyCode::KeyZ => 'z',
        _ => return None,
    })
}

/// The digit on that key of the upper row.
fn digit(physical: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = physical else {
        return None;
    };
    Some(match code {
        KeyCode::Digit1 => '1',
        KeyCode::Digit2 => '2',
        KeyCode::Digit3 => '3',
        KeyCode::Digit4 => '4',
        KeyCode::Digit5 => '5',
        KeyCode::Digit6 => '6',
        KeyCode::Digit7 => '7',
        KeyCode::Digit8 => '8',
        KeyCode::Digit9 => '9',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, code: KeyCode, modifiers: ModifiersState) -> Option<Command> {
        command(
            &Key::Character(text.into()),
            PhysicalKey::Code(code),
            modifiers,
        )
    }

    #[test]
    fn no_key_means_two_things() {
        for (i, a) in KEYS.iter().enumerate() {
            for b in &KEYS[..i] {
                assert!(
                    (a.press, a.ctrl) != (b.press, b.ctrl),
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
    fn letters_work_shifted_with_ctrl_and_on_other_keyboards() {
        let none = ModifiersState::empty();
        assert_eq!(typed("w", KeyCode::KeyW, none), Some(Command::Wind));
        assert_eq!(
            typed("W", KeyCode::KeyW, ModifiersState::SHIFT),
            Some(Command::Wind)
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
        assert_eq!(typed("ц", KeyCode::KeyW, none), Some(Command::Wind));
        assert_eq!(typed("c", KeyCode::KeyC, ModifiersState::CONTROL), None);
        assert_eq!(typed("c", KeyCode::KeyC, ModifiersState::ALT), None);
        assert_eq!(
            command(
                &Key::Named(NamedKey::F1),
                PhysicalKey::Code(KeyCode::F1),
                none
            ),
            Some(Command::Help)
        );
    }
}
