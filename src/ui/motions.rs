//! The head's motions in the panel: presets to choose from, and keyframes.

use super::{command::Command, theme, time_unit::TimeUnit};
use crate::math::counted;
use crate::{
    session::Session,
    sim::{MotionParams, MotionPreset, head_place::HeadPlace, keyframes::Keyframe, motion::hand},
};
use egui::{Button, Color32, RichText, Ui};
use std::path::Path;

/// The presets, in rows, and what they are called.
const ROWS: [&[(MotionPreset, &str)]; 2] = [
    &[
        (MotionPreset::None, "Rest"),
        (MotionPreset::Sway, "Sway"),
        (MotionPreset::Nod, "Nod"),
        (MotionPreset::Shake, "Shake"),
        (MotionPreset::Tilt, "Tilt"),
        (MotionPreset::Spin, "Spin"),
    ],
    &[
        (MotionPreset::Jump, "Jump"),
        (MotionPreset::Walk, "Walk"),
        (MotionPreset::HeadBang, "Head-bang"),
        (MotionPreset::Keyframes, "Keyframes"),
    ],
];

/// Above the rows of the section; a keyframe that is set now lies at the time `next`. `[s]`
pub fn show(
    ui: &mut Ui,
    motion: &MotionParams,
    session: &Session,
    (unit, next): (TimeUnit, f64),
    commands: &mut Vec<Command>,
) {
    presets(ui, motion.preset, commands);
    sequence(ui, motion, session, commands);
    let keys = motion.keyframes.keys();
    if keys.is_empty() && !makes_keys(motion) {
        return;
    }
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        let text = format!("Set keyframe at {}", unit.text(next));
        if ui
            .button(text)
            .on_hover_text("The head as it is turned and moved now becomes a keyframe")
            .clicked()
        {
            commands.push(Command::SetKeyframe);
        }
    });
    for (index, key) in keys.iter().enumerate() {
        ui.horizontal(|ui| {
            if ui
                .small_button("x")
                .on_hover_text("Delete this keyframe")
                .clicked()
            {
                commands.push(Command::DropKeyframe(index));
            }
            ui.label(
                RichText::new(describe(key, unit))
                    .small()
                    .color(theme::TEXT),
            );
        });
    }
}

/// Whether the head is so that a first keyframe may be wanted: turned or moved by hand.
fn makes_keys(motion: &MotionParams) -> bool {
    motion.preset == MotionPreset::Keyframes || hand(motion) != HeadPlace::HOME
}

/// Buttons that choose what the head does by itself.
pub fn presets(ui: &mut Ui, now: MotionPreset, commands: &mut Vec<Command>) {
    for row in ROWS {
        ui.horizontal(|ui| {
            let gap = 4.0;
            ui.spacing_mut().item_spacing.x = gap;
            ui.spacing_mut().button_padding.x = 2.0;
            let count = row.len() as f32;
            let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
            for (preset, name) in row {
                let (colour, fill) = match *preset == now {
                    true => (Color32::WHITE, theme::ACCENT_DIM),
                    false => (theme::TEXT, theme::FIELD),
                };
                let button = Button::new(RichText::new(*name).color(colour)).fill(fill);
                if ui.add_sized([width, 23.0], button).clicked() {
                    commands.push(Command::Motion(*preset));
                }
            }
        });
    }
}

/// The animated head: chosen, named, played from its begin, left.
fn sequence(ui: &mut Ui, motion: &MotionParams, session: &Session, commands: &mut Vec<Command>) {
    ui.add_space(3.0);
    if motion.sequence.is_empty() {
        let width = ui.available_width() - 20.0;
        let open = ui.add_sized([width, 24.0], Button::new("Play an animated head …"));
        let open = open.on_hover_text(
            "One file a frame, with the same faces, named like head.0001.obj: choose any of \
             them; or an Alembic archive or USD file that holds all. The first frame is the \
             head at rest, on which the hair grows. A frame that is dropped on the window does \
             the same.",
        );
        if open.clicked() {
            commands.push(Command::AskSequence);
        }
        return;
    }
    let path = Path::new(&motion.sequence);
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let footage = session
        .built()
        .and_then(|built| built.body.footage.as_ref());
    let detail = match (session.reading(), footage, session.frame()) {
        (Some((done, all)), ..) => format!("reading frame {done} of {all}"),
        (_, Some(_), Some((frame, all))) => format!("frame {frame} of {all}"),
        (_, Some(footage), None) => format!(
            "{}, not played",
            counted(footage.frames(), "frame", "frames")
        ),
        _ => String::new(),
    };
    ui.horizontal(|ui| {
        let what = footage.map_or_else(String::new, |footage| footage.summary());
        ui.label(RichText::new(name).strong()).on_hover_text(what);
        ui.label(RichText::new(detail).color(theme::WEAK));
    });
    ui.horizontal(|ui| {
        let plays = motion.preset == MotionPreset::Sequence;
        let play = match plays {
            true => ui.button("Back to the start").on_hover_text(
                "Hair at rest, time at zero, and the first frame: nothing whips (R)",
            ),
            false => ui
                .button("Play")
                .on_hover_text("The head follows its frames in place of its other motion"),
        };
        if play.clicked() {
            commands.push(match plays {
                true => Command::Reset,
                false => Command::Motion(MotionPreset::Sequence),
            });
        }
        if ui
            .button("Other …")
            .on_hover_text("Another sequence")
            .clicked()
        {
            commands.push(Command::AskSequence);
        }
        if ui
            .button("Remove")
            .on_hover_text("Back to the head that does not play")
            .clicked()
        {
            commands.push(Command::NoSequence);
        }
    });
}

/// A key in words.
pub fn describe(key: &Keyframe, unit: TimeUnit) -> String {
    // (Adding nothing makes a plain zero of -0.)
    let whole = |v: f32| v.round() + 0.0;
    let [yaw, pitch, roll] = key.rotation.map(whole);
    let time = unit.text(key.time.into());
    let mut text = format!("{time}: {yaw}\u{b0} {pitch}\u{b0} {roll}\u{b0}");
    if key.position != [0.0; 3] {
        let [x, y, z] = key.position.map(|way| whole(100.0 * way));
        text += &format!(", {x} {y} {z} cm");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_is_turned_or_moved_in_any_way_may_become_a_keyframe() {
        let rest = MotionParams {
            preset: MotionPreset::None,
            ..MotionParams::default()
        };
        assert!(!makes_keys(&rest));
        let ways: [fn(&mut MotionParams) -> &mut f32; 6] = [
            |motion| &mut motion.yaw,
            |motion| &mut motion.pitch,
            |motion| &mut motion.roll,
            |motion| &mut motion.x,
            |motion| &mut motion.y,
            |motion| &mut motion.z,
        ];
        for (number, way) in ways.into_iter().enumerate() {
            let mut motion = rest.clone();
            *way(&mut motion) = 0.1;
            assert!(makes_keys(&motion), "{number}");
        }
    }
}
