use super::*;
use crate::{
    groom::fit_verdict::FitVerdict,
    mesh::{Units, Up},
    project::scene::Scene,
    ui::command::Command,
};

/// A fringe of a few strands in centimetres, which lies on the built-in head.
fn with_hair(folder: &std::path::Path) -> AppState {
    let mut program = AppState::small();
    program.wait("a head", |program| program.session.built().is_some());
    let built = program.session.shared_built().expect("built");
    let mut text = String::new();
    let groom = &built.groom;
    let mut count = 0;
    for strand in 0..groom.strands() {
        let points = groom.strand(strand);
        for p in points {
            let p = *p * 100.0;
            text += &format!("v {} {} {}\n", p.x, p.y, p.z);
        }
        let numbers = (1..=points.len()).map(|k| format!(" {}", count + k));
        text += &format!("l{}\n", numbers.collect::<String>());
        count += points.len();
    }
    let path = folder.join("hair.obj");
    std::fs::write(&path, text).expect("written");
    program.perform(Command::Groom(path));
    program.wait("its hair", |program| program.session.bound().is_some());
    program
}

fn offset(by: f32) -> impl Fn(&AppState) -> Command {
    move |program| {
        let mut import = program.document.scene().import.clone();
        import.units = Units::Centimetres;
        import.up = Up::Y;
        import.offset[1] += by;
        Command::PlaceHair {
            import: Box::new(import),
            held: true,
        }
    }
}

#[test]
fn hair_is_placed_dropped_and_fitted_from_there_and_each_is_one_step_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = with_hair(folder.path());
    let figures = program.session.bound().expect("hair").figures;
    assert_eq!(figures.verdict(), FitVerdict::Well, "{figures}");
    program.perform(Command::Placing);
    assert!(program.ui.places);
    let first = program.document.scene().clone();
    // A drag in many pieces.
    for _ in 0..20 {
        let command = offset(0.001)(&program);
        program.perform(command);
    }
    program.release();
    let dragged = program.document.scene().clone();
    assert!((dragged.import.offset[1] - 0.02).abs() < 1e-6);
    program.wait("the hair up there", |program| {
        let built = program.session.built();
        built.is_some_and(|built| built.scene.import == dragged.import)
    });
    let figures = program.session.bound().expect("hair").figures;
    assert!(figures.median > 0.004, "{figures}");
    // It is written and read as it is.
    let path = folder.path().join("placed.toml");
    dragged.write(&path).expect("written");
    let mut back = Scene::default();
    back.read(&path).expect("read");
    assert_eq!(back.import, dragged.import);
    for how in [NearFit::Drop, NearFit::Here] {
        let before = program.document.scene().clone();
        program.perform(Command::NearFit(how));
        program.wait("the hair on the skin", |program| {
            program.document.scene().import != before.import && !program.session.is_building()
        });
        let import = program.document.scene().import.clone();
        assert_eq!(import.scale, dragged.import.scale);
        program.wait("it to be bound", |program| {
            let built = program.session.built();
            built.is_some_and(|built| built.scene.import == import)
        });
        let figures = program.session.bound().expect("hair").figures;
        assert!(figures.median < 0.004, "{how:?}: {figures}");
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().import, before.import);
    }
    program.perform(Command::Undo);
    assert_eq!(program.document.scene().import, first.import);
    program.perform(Command::Escape);
    assert!(!program.ui.places, "the handles are gone");
}
