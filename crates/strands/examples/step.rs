//! Makes a head, grows hair on it, lets it hang and shakes it for a second, and prints
//! where tips are and what is measured:
//! `cargo run --release -p lovelock-strands --example step -- [HEAD FILE] [METHOD]`.

use lovelock_strands::{
    groom::{GroomParams, grow::grow},
    mesh::{CollisionMesh, HeadParams, RootParams, load, roots},
    sim::{MotionPreset, SimParams, Simulation, solver},
};
use std::{error::Error, sync::Arc};

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    // Without a file the head that comes with the crate.
    let file = args.next().unwrap_or_default();
    let head = load(&HeadParams {
        file,
        ..HeadParams::default()
    })?;
    println!("{}", head.report.summary);

    // All parameters are SI; each has a declared default.
    let mut params = SimParams::default();
    params.step.solver = args.next().unwrap_or_else(|| "rod".into());
    params.motion.preset = MotionPreset::Shake;
    if solver::method(&params.step.solver).is_none() {
        let known: Vec<&str> = solver::SOLVERS.iter().map(|method| method.id).collect();
        let wrong = &params.step.solver;
        return Err(format!(
            "there is no method {wrong}; name one of {}",
            known.join(", ")
        )
        .into());
    }

    // The mesh with what answers for nearest points, and hair at rest on it.
    let body = Arc::new(CollisionMesh::of_head(&head, params.collision.cell));
    let planted = RootParams {
        strands: 300,
        ..RootParams::default()
    };
    let roots = roots(&head.mesh, &planted)?;
    let groom = Arc::new(grow(&roots, &GroomParams::default(), planted.seed, &body));

    let mut simulation = Simulation::new(groom.clone(), body, &params);
    let mut points = Vec::new();
    for step in 0..params.step.rate {
        simulation.step(&params);
        if step % 15 == 14 {
            // Where every vertex is, in the world: the strands one after the other, each
            // from its root to its tip, as `groom.starts` has them.
            simulation.write_positions(&mut points);
            let tip = points[groom.range(0).end - 1];
            println!("{:.3} s: first tip at {tip:.4} m", simulation.time());
        }
    }

    let told = simulation.statistics(&params);
    println!(
        "{} strands: longest stretch {:.2e}, deepest {:.2e} m, moving with {:.2e} J",
        groom.strands(),
        told.max_stretch,
        told.max_penetration,
        told.kinetic
    );
    // The same on every machine and with any number of threads.
    println!("state {:016x}", simulation.state_hash());
    Ok(())
}
