//! What a frame costs, pass by pass: the drawing part of `lovelock bench`.

use super::output::say;
use crate::{
    groom::Followers,
    math::Pose,
    project::{built_scene, scene::Scene},
    render::{Camera, Geometry, Headless, PassTiming, Renderer, Timing, View},
};
use serde_json::json;
use std::time::Instant;

/// What is drawn: name, strands, vertices of each, followers of each, samples a
/// pixel.
type Case = (&'static str, u32, u32, u32, u32);

const CASES: [Case; 3] = [
    ("few strands, in motion", 500, 30, 0, 1),
    ("default hair, in motion", 2500, 64, 0, 1),
    ("full head, at rest", 2500, 64, 11, 4),
];

/// Width and height of the pictures. `[px]`
const SIZE: [u32; 2] = [1280, 720];

/// Measures all cases, says what each takes, and gives the same as JSON; none,
/// with a word of it, where there is no OpenGL.
pub fn run(quick: bool) -> anyhow::Result<serde_json::Value> {
    let context = match Headless::new() {
        Ok(context) => context,
        Err(error) => {
            say!("\nDrawing is not measured: {error}")?;
            return Ok(json!([]));
        }
    };
    let mut rows = Vec::new();
    say!(
        "\nDrawing {} x {} pixels: {}",
        SIZE[0],
        SIZE[1],
        context.describe()
    )?;
    for (name, strands, vertices, each, samples) in CASES {
        let mut scene = Scene::default();
        scene.roots.strands = strands;
        scene.groom.vertices = vertices;
        scene.look.samples = samples;
        // As the window has it, see `AdaptiveQuality`.
        let moving = samples == 1;
        scene.look.rounding = if moving { 0.5 } else { 1.0 };
        scene.look.geometry = Geometry::Ribbons;
        let stage = built_scene::build(&scene)?;
        let mut renderer = Renderer::new(context.gl())?;
        renderer.set_head(&stage.head.mesh);
        renderer.set_groom(&stage.groom);
        let begun = Instant::now();
        let followers = Followers::plant(&stage.groom, &stage.head.mesh, &stage.bed, each);
        let planted_ms = 1e3 * begun.elapsed().as_secs_f64();
        renderer.set_followers(&stage.groom, &followers);
        let camera = Camera::new(&scene.camera, stage.head.mesh.bounds());
        let view = View {
            camera: &camera,
            look: &scene.look,
            light: &scene.light,
            followers: &scene.followers,
            pose: Pose::IDENTITY,
            size: SIZE,
            exact: !moving,
            swift: moving,
        };
        let mut best: Vec<PassTiming> = Vec::new();
        let (mut upload_ms, mut total) = (f64::INFINITY, f64::INFINITY);
        let times = if quick { 3 } else { 8 };
        // Whole frames; then each pass by itself, which waits for every one.
        for _ in 0..2 * times {
            let begun = Instant::now();
            renderer.upload_positions(&stage.groom.points);
            renderer.frame(&view)?;
            renderer.finish();
            total = total.min(1e3 * begun.elapsed().as_secs_f64());
        }
        renderer.time_passes(Timing::Waiting);
        for _ in 0..times {
            let begun = Instant::now();
            renderer.upload_positions(&stage.groom.points);
            renderer.finish();
            upload_ms = upload_ms.min(1e3 * begun.elapsed().as_secs_f64());
            renderer.frame(&view)?;
            let laps = renderer.laps();
            match best.len() == laps.len() {
                true => best
                    .iter_mut()
                    .zip(laps)
                    .for_each(|(best, lap)| best.1 = best.1.min(lap.1)),
                false => best = laps.to_vec(),
            }
        }
        let drawn = stage.groom.strands() + followers.list.len();
        say!(
            "  {name}: {drawn} strands of {vertices} points, {samples} samples: {total:.1} ms, {:.0} a second",
            1e3 / total
        )?;
        let mut line = vec![format!("positions {upload_ms:.1}")];
        line.extend(best.iter().map(|(pass, ms)| format!("{pass} {ms:.1}")));
        say!("      {} ms", line.join(", "))?;
        let follower_bytes = size_of_val(followers.list.as_slice());
        if each > 0 {
            say!(
                "      {} followers: planted in {planted_ms:.0} ms, {:.1} MB",
                followers.list.len(),
                1e-6 * follower_bytes as f64
            )?;
        }
        rows.push(json!({
            "name": name,
            "strands": drawn,
            "simulated": stage.groom.strands(),
            "vertices": vertices,
            "samples": samples,
            "width": SIZE[0],
            "height": SIZE[1],
            "renderer": context.describe(),
            "ms": total,
            "upload_ms": upload_ms,
            "planting_ms": planted_ms,
            "follower_bytes": follower_bytes,
            "passes": best.iter().map(|(pass, ms)| json!({"pass": pass, "ms": ms})).collect::<Vec<_>>(),
        }));
    }
    rows.push(upload(&context, quick)?);
    Ok(json!(rows))
}

/// What it takes to bring the positions of a whole head of hair to OpenGL.
fn upload(context: &Headless, quick: bool) -> anyhow::Result<serde_json::Value> {
    let (strands, vertices) = if quick { (10_000, 32) } else { (100_000, 32) };
    let mut scene = Scene::default();
    scene.roots.strands = strands;
    scene.groom.vertices = vertices;
    let stage = built_scene::build(&scene)?;
    let mut renderer = Renderer::new(context.gl())?;
    renderer.set_head(&stage.head.mesh);
    renderer.set_groom(&stage.groom);
    let mut upload_ms = f64::INFINITY;
    for _ in 0..10 {
        let begun = Instant::now();
        renderer.upload_positions(&stage.groom.points);
        renderer.finish();
        upload_ms = upload_ms.min(1e3 * begun.elapsed().as_secs_f64());
    }
    say!("  positions of {strands} strands of {vertices} vertices: {upload_ms:.1} ms to OpenGL")?;
    Ok(json!({
        "name": "positions",
        "strands": strands,
        "vertices": vertices,
        "renderer": context.describe(),
        "upload_ms": upload_ms,
    }))
}
