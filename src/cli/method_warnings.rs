//! What a method warns of while it runs, with the option that ends it; and a tie that
//! holds next to nothing.

use crate::{
    groom::Groom,
    param::Value,
    project::{scene::Scene, tie_report::TieReport},
    sim::{
        SimParams, Statistics,
        solver::{MethodStatus, method},
    },
};

/// The warnings of the method that moved hair with `params`, of which that was measured, a
/// sentence each; names of parameters begin with `side`, "b." for a second one.
pub fn warnings(params: &SimParams, statistics: &Statistics, side: &str) -> Vec<String> {
    let Some(method) = method(&params.step.solver) else {
        return Vec::new();
    };
    let lines = (method.status)(&MethodStatus {
        params,
        statistics,
        extra_passes: 0.0,
    });
    let warned = lines.into_iter().filter_map(|line| {
        let remedy = line.remedy?;
        let value = match remedy.value {
            Value::Int(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Bool(on) => on.to_string(),
            Value::Choice(name) => name.into(),
            Value::Text(text) => text,
            Value::Vector(_) | Value::Ramp(_) => return Some(line.text),
        };
        let (text, name) = (line.text, remedy.parameter);
        Some(format!("{text}; --set {side}{name}={value} ends that"))
    });
    let solver = &params.step.solver;
    warned.map(|text| format!("{solver}: {text}")).collect()
}

/// Warns where next to nothing of this hair reaches the tie that `scene` asks for.
pub fn tell_tie(scene: &Scene, groom: &Groom) {
    if let Some(tie) = TieReport::of(scene, groom).filter(|tie| tie.is_scarce) {
        log::warn!("{}", tie.text);
    }
}

/// Of two measurements the one of more softened strands, or of those that need more steps.
pub fn worse(a: Statistics, b: &Statistics) -> Statistics {
    let softness = |of: &Statistics| (of.softened, of.steps_needed);
    match softness(b) > softness(&a) {
        true => *b,
        false => a,
    }
}
