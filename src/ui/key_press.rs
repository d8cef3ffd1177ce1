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

/// What was pressed: the key by what it types, and by where it lies.
pub fn press(logical: &Key, physical: PhysicalKey) -> Option<Press> {
    match logical {
        Key::Named(name) => Some(Named(*name)),
        Key::Character(text) => {
            let mut characters = text.chars().flat_map(char::to_lowercase);
            match (characters.next(), characters.next()) {
                // Some keyboards have digits only with Shift; what the others
                // type with Shift there means nothing here.
                (Some(character), None) if character.is_ascii_punctuation() => {
                    Some(Char(nth(&DIGITS, '1', physical).unwrap_or(character)))
                }
                (Some(character), None) if character.is_ascii() => Some(Char(character)),
                // A keyboard that types other scripts: the key's place counts.
                _ => nth(&LETTERS, 'a', physical)
                    .or_else(|| nth(&DIGITS, '1', physical))
                    .map(Char),
            }
        }
        _ => None,
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
