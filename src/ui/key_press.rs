//! Which key of the table was pressed, whatever the keyboard.

use Press::{Char, Named};
use winit::keyboard::{
    Key,
    KeyCode::{
        self, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, KeyA, KeyB,
        KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO, KeyP, KeyQ,
        KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
    },
    NamedKey, PhysicalKey,
};

/// A key as the table names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key that types this character, unshifted.
    Char(char),
    /// A key with a name.
    Named(NamedKey),
}

/// What was pressed: the key by what it types, and by where it lies, which counts where
/// what it types means nothing.
pub fn presses(logical: &Key, physical: PhysicalKey) -> [Option<Press>; 2] {
    match logical {
        Key::Named(name) => [Some(Named(*name)), None],
        Key::Character(text) => {
            let mut characters = text.chars().flat_map(char::to_lowercase);
            match (characters.next(), characters.next()) {
                // Some keyboards have digits only with Shift, and others brackets with AltGr
                // on the same keys.
                (Some(character), None) if character.is_ascii_punctuation() => {
                    [Some(character), nth(&DIGITS, '1', physical)].map(|found| found.map(Char))
                }
                (Some(character), None) if character.is_ascii() => [Some(Char(character)), None],
                // A keyboard that types other scripts: the key's place counts.
                _ => {
                    let letter = nth(&LETTERS, 'a', physical);
                    let placed = letter.or_else(|| nth(&DIGITS, '1', physical));
                    [None, placed.map(Char)]
                }
            }
        }
        _ => [None, None],
    }
}

/// The letters of a keyboard with Latin letters, from a to z.
const LETTERS: [KeyCode; 26] = [
    KeyA, KeyB, KeyC, KeyD, KeyE, KeyF, KeyG, KeyH, KeyI, KeyJ, KeyK, KeyL, KeyM, KeyN, KeyO, KeyP,
    KeyQ, KeyR, KeyS, KeyT, KeyU, KeyV, KeyW, KeyX, KeyY, KeyZ,
];

/// The digits of the upper row, from 1 to 9.
const DIGITS: [KeyCode; 9] = [
    Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
];

/// The character at that place of a row of keys that begins with `first`.
fn nth(row: &[KeyCode], first: char, physical: PhysicalKey) -> Option<char> {
    (first..)
        .zip(row)
        .find_map(|(character, at)| (physical == *at).then_some(character))
}
