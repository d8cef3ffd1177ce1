//! The hair of a bare start answers what a person does first, in every method;
//! the table in docs/response.md says how far.

use crate::common::block::check_block_as;
use lovelock::{
    lab::response::{self, ACTS, ResponseRow, Subject},
    project::{built_scene, scene::Scene},
    sim::solver::{Method, SOLVERS},
};
use std::sync::{Arc, atomic::AtomicBool};

/// Strands of the default scene that stand for all of them, and of methods that
/// cut each substep into many.
const STRANDS: [u32; 2] = [160, 16];

/// What these methods make of all acts, on the default scene.
fn rows(methods: &[&'static Method], strands: u32) -> Vec<ResponseRow> {
    let mut scene = Scene::default();
    scene.roots.strands = strands;
    let stage = built_scene::build(&scene).expect("the default scene");
    let subject = Subject {
        body: stage.body.clone(),
        groom: Arc::clone(&stage.groom),
        params: scene.sim,
    };
    let acts: Vec<_> = ACTS.iter().collect();
    let never = AtomicBool::new(false);
    response::run(&subject, methods, &acts, &never, &|_, _| ()).expect("nobody cancels")
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
            let verdict = if row.pass() { "pass" } else { "**fail**" };
            table += &format!(" {:.0} mm, {verdict} |", 1e3 * far);
        }
        table.push('\n');
    }
    table
}

/// The same without the figures.
fn verdicts(table: &str) -> String {
    let cell = |cell: &str| match cell.rsplit_once(", ") {
        Some((_, verdict)) if verdict.contains("pass") || verdict.contains("fail") => {
            verdict.to_string()
        }
        _ => cell.to_string(),
    };
    let line = |line: &str| line.split('|').map(cell).collect::<Vec<_>>().join("|");
    table.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn hair_answers_the_first_keys_in_every_method() {
    let heavy = |method: &Method| ["spring", "der"].contains(&method.id);
    let mut all = Vec::new();
    for (strands, wanted) in STRANDS.into_iter().zip([false, true]) {
        let methods: Vec<_> = SOLVERS.iter().filter(|m| heavy(m) == wanted).collect();
        all.extend(rows(&methods, strands));
    }
    check_block_as("docs/response.md", "response", &table(&all), verdicts);
    let failed: Vec<_> = all.iter().filter(|row| !row.pass()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
