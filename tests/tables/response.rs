//! The hair of a bare start answers what a person does first, in every method;
//! the table in docs/response.md says how far.

use crate::measured::check_measured;
use lovelock::{
    lab::response::{self, ACTS, ResponseAct, ResponseRow, Subject},
    project::{built_scene, scene::Scene},
    sim::solver::{Method, SOLVERS},
};
use std::sync::{Arc, atomic::AtomicBool};

/// Strands of the default scene that stand for all of them, and of methods that
/// cut each substep into many.
const STRANDS: [u32; 2] = [160, 16];

/// Strands of the fan's act, of all methods: it counts only the tips that the fan aims at,
/// 13 of these.
const FAN_STRANDS: u32 = 320;

/// The act that counts few tips.
fn is_aimed(act: &ResponseAct) -> bool {
    act.id == "fan"
}

/// What these methods make of these acts, on the default scene.
fn rows(
    methods: &[&'static Method],
    acts: &[&'static ResponseAct],
    strands: u32,
) -> Vec<ResponseRow> {
    let mut scene = Scene::default();
    scene.roots.strands = strands;
    let built = built_scene::build(&scene).expect("the default scene");
    let subject = Subject {
        body: built.body.clone(),
        groom: Arc::clone(&built.groom),
        params: scene.sim,
    };
    let never = AtomicBool::new(false);
    response::run(&subject, methods, acts, &never, &|_, _| ()).expect("nobody cancels")
}

/// Acts down, methods across: how far the tips go, as the act counts it.
fn table(rows: &[ResponseRow]) -> String {
    let names = SOLVERS.iter().map(|method| format!(" `{}` |", method.id));
    let mut table = format!("| Act | What is measured |{}\n", names.collect::<String>());
    table += &format!("|---|---|{}\n", "---|".repeat(SOLVERS.len()));
    for act in ACTS {
        table += &format!("| {} | {} |", act.id, act.about);
        for method in SOLVERS.iter() {
            let row = rows
                .iter()
                .find(|row| row.act == act.id && row.solver == method.id)
                .expect("a row for each act and method");
            let far = match row.bound {
                response::ResponseBound::MeanAtLeast(_) => row.tip_mean,
                _ => row.tip_median,
            };
            table += &match row.verdict() {
                "not measured" => " not measured |".into(),
                "fail" => format!(" {:.0} mm, **fail** |", 1e3 * far),
                verdict => format!(" {:.0} mm, {verdict} |", 1e3 * far),
            };
        }
        table.push('\n');
    }
    table
}

#[test]
#[ignore = "takes minutes: cargo test --release --test tables -- --ignored"]
fn hair_answers_the_first_keys_in_every_method() {
    let heavy = |method: &Method| ["spring", "der"].contains(&method.id);
    let (aimed, acts): (Vec<_>, Vec<_>) = ACTS.iter().partition(|act| is_aimed(act));
    let every: Vec<_> = SOLVERS.iter().collect();
    let mut all = rows(&every, &aimed, FAN_STRANDS);
    for (strands, wanted) in STRANDS.into_iter().zip([false, true]) {
        let methods: Vec<_> = SOLVERS.iter().filter(|m| heavy(m) == wanted).collect();
        all.extend(rows(&methods, &acts, strands));
    }
    check_measured("docs/response.md", "response", &table(&all));
    let uncounted: Vec<_> = all.iter().filter(|row| !row.applies()).collect();
    assert!(uncounted.is_empty(), "too few tips count: {uncounted:#?}");
    let failed: Vec<_> = all.iter().filter(|row| !row.pass()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
