//! Tests of the table of keys.

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
