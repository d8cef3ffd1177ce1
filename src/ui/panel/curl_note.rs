//! A note where curls are drawn out because their strands have too few vertices.

use super::{input::PanelInput, note::Note, starts};
use crate::{
    groom::DrawnOutCurls,
    math::length_text,
    param::Params,
    project::{effect, scene::Scene},
    ui::command::Command,
};
use egui::Ui;

/// Draws it, if there is one.
pub(super) fn show(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let scalp = starts::has_scalp(input.session.built());
    if let Some(note) = curl_note(input.scene, scalp) {
        note.show(ui, commands);
    }
}

/// That note, if the hair of the scene is grown and has such curls.
fn curl_note(scene: &Scene, has_scalp: bool) -> Option<Note> {
    let curls = DrawnOutCurls::of(&scene.groom)?;
    if !effect::counts(scene, has_scalp, scene.groom.section(), "curl_pitch") {
        return None;
    }
    let groom = &scene.groom;
    let text = format!(
        "{} vertices are too few for curls of this length: a turn takes {}, not {}",
        groom.vertices,
        length_text(curls.turn),
        length_text(groom.curl_pitch),
    );
    let remedy = (curls.vertices > groom.vertices).then(|| {
        let label = format!("Use {} vertices", curls.vertices);
        (label, Command::EnoughVertices)
    });
    Some(Note {
        side: None,
        text,
        help: "A turn of a curl takes four vertices or more, or it is a zigzag. Where a strand \
               has fewer, its curls are drawn out: they turn more slowly than \u{201c}Curl \
               pitch\u{201d} says. More vertices cost time in proportion."
            .into(),
        remedy,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curls_are_told_of_until_they_have_vertices_enough() {
        let mut scene = Scene::default();
        assert_eq!(curl_note(&scene, true), None);
        scene.groom.length = 1.0;
        let note = curl_note(&scene, true).expect("a note");
        assert_eq!(
            note.text,
            "64 vertices are too few for curls of this length: a turn takes 6.3 cm, not 3.4 cm"
        );
        let remedy = Some(("Use 120 vertices".into(), Command::EnoughVertices));
        assert_eq!(note.remedy, remedy);
        scene.groom.vertices = 120;
        assert_eq!(curl_note(&scene, true), None);
        // Hair of a file is as it is.
        scene.groom.vertices = 64;
        scene.import.file = "hair.abc".into();
        assert_eq!(curl_note(&scene, true), None);
    }
}
