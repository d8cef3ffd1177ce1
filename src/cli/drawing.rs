//! Time of a frame, pass by pass: the drawing part of `lovelock bench`.

use super::output::say;
use crate::{
    groom::Followers,
    math::Pose,
    mesh::Mesh,
    project::{built_scene, scene::Scene},
    render::{
        Camera, Environment, Geometry, GlTraffic, Headless, RenderQuality, Renderer, Timing, View,
        live_rounding,
    },
};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::{sync::Arc, time::Instant};

/// A case of the drawing bench.
struct Case {
    name: &'static str,
    strands: u32,
    vertices: u32,
    /// Followers of each strand.
    each: u32,
    /// Samples per pixel.
    samples: u32,
    /// Whether it is drawn at the window's lowest quality.
    coarsest: bool,
    /// Whether it is what a window with a graphics card draws, and not measured elsewhere.
    on_card: bool,
    /// What lights it, and is seen behind it; empty for three-point light.
    environment: &'static str,
}

/// A window's default hair while it moves.
const MOVING: Case = Case {
    name: "default hair, in motion",
    strands: 2500,
    vertices: 64,
    each: 0,
    samples: 1,
    coarsest: false,
    on_card: false,
    environment: "",
};

const CASES: [Case; 6] = [
    Case {
        name: "few strands, in motion",
        strands: 500,
        vertices: 30,
        ..MOVING
    },
    MOVING,
    Case {
        name: "default hair, in motion, at sunset",
        environment: "sunset",
        ..MOVING
    },
    Case {
        name: "default hair, in motion, the least that is drawn",
        each: 5,
        coarsest: true,
        ..MOVING
    },
    Case {
        name: "default hair, in motion, on a graphics card",
        each: 5,
        samples: 4,
        on_card: true,
        ..MOVING
    },
    Case {
        name: "full head, at rest",
        each: 11,
        samples: 4,
        ..MOVING
    },
];

/// Width and height of the pictures. `[px]`
const SIZE: [u32; 2] = [1280, 720];

/// Frames in motion that are timed together: one in three updates the shade in the hair
/// and its colours.
const FRAMES_PER_TIMING: u32 = 6;

/// Measures all cases, prints their times and returns them as JSON. Without OpenGL it
/// says so and returns an empty list.
pub fn run(quick: bool) -> anyhow::Result<Value> {
    let context = match Headless::new() {
        Ok(context) => context,
        Err(error) => {
            say!("\nDrawing is not measured: {error}")?;
            return Ok(json!([]));
        }
    };
    say!(
        "\nDrawing {} x {} pixels: {}",
        SIZE[0],
        SIZE[1],
        context.describe()
    )?;
    let mut rows = Vec::new();
    for case in &CASES {
        rows.extend(case.measure(&context, quick)?);
    }
    rows.push(upload(&context, quick)?);
    Ok(json!(rows))
}

impl Case {
    /// Whether it is a frame in motion.
    fn moves(&self) -> bool {
        self.samples == 1
    }

    /// The scene that is drawn.
    fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        scene.roots.strands = self.strands;
        scene.groom.vertices = self.vertices;
        scene.look.samples = self.samples;
        scene.look.geometry = Geometry::Ribbons;
        scene.light.environment = self.environment.into();
        scene.light.environment_seen = true;
        scene
    }

    /// Measures it, prints its times and returns them as JSON; `None` on a machine where
    /// it is not measured.
    fn measure(&self, context: &Headless, quick: bool) -> anyhow::Result<Option<Value>> {
        let mut scene = self.scene();
        let environment = Environment::load(&scene.light)?.map(Arc::new);
        let mut renderer = Renderer::new(context.gl())?;
        if self.on_card && renderer.is_software() {
            return Ok(None);
        }
        let built = built_scene::build(&scene)?;
        // As in the window, see `AdaptiveQuality`.
        let live = live_rounding(&built.groom);
        if !self.on_card {
            scene.look.rounding = if self.moves() { live } else { 1.0 };
        }
        renderer.set_head(&built.head.mesh);
        renderer.set_groom(&built.groom);
        let begun = Instant::now();
        let followers = Followers::plant(&built.groom, &built.head.mesh, &built.bed, self.each);
        let planted_ms = 1e3 * begun.elapsed().as_secs_f64();
        renderer.set_followers(&built.groom, &followers);
        let planted = built.groom.strands() + followers.list.len();
        let quality = match self.coarsest {
            true => RenderQuality::coarsest(&scene.look, planted, live),
            false => RenderQuality::full(&scene.look),
        };
        let camera = Camera::new(&scene.camera, built.head.mesh.bounds());
        let view = View {
            camera: &camera,
            look: &quality.look,
            light: &scene.light,
            environment: environment.as_ref(),
            followers: &scene.followers,
            pose: Pose::IDENTITY,
            size: SIZE.map(|side| quality.pixels(side)),
            exact: !self.moves() && !self.on_card,
            swift: self.moves() || self.on_card,
        };
        let rounds = if quick { 3 } else { 9 };
        let mesh = &built.head.mesh;
        let shapes = [-SWAY, SWAY].map(|angle| match view.swift {
            true => bent(mesh, angle),
            false => Vec::new(),
        });
        let frames = Frames {
            view,
            points: &built.groom.points,
            shapes,
        };
        let found = FrameCost::of(&mut renderer, &frames, rounds)?;
        let drawn = (planted as f32 * quality.look.drawn).round() as usize;
        self.print(drawn, &found)?;
        let follower_bytes = size_of_val(followers.list.as_slice());
        if self.each > 0 {
            say!(
                "      {} followers: planted in {planted_ms:.0} ms, {:.1} MB",
                followers.list.len(),
                1e-6 * follower_bytes as f64
            )?;
        }
        let passes = found.passes.iter().map(|pass| {
            let PassCost { name, ms, ran, of } = pass;
            json!({"pass": name, "ms": ms, "ran": ran, "of": of})
        });
        Ok(Some(json!({
            "name": self.name,
            "strands": drawn,
            "simulated": built.groom.strands(),
            "vertices": self.vertices,
            "samples": self.samples,
            "width": frames.view.size[0],
            "height": frames.view.size[1],
            "renderer": context.describe(),
            "ms": found.total_ms,
            "upload_ms": found.upload_ms,
            "gl_calls": found.traffic.calls,
            "gl_draws": found.traffic.draws,
            "bytes_up": found.traffic.bytes_up,
            "bytes_down": found.traffic.bytes_down,
            "planting_ms": planted_ms,
            "follower_bytes": follower_bytes,
            "passes": passes.collect::<Vec<_>>(),
        })))
    }

    /// Prints what was found, of so many strands.
    fn print(&self, drawn: usize, found: &FrameCost) -> anyhow::Result<()> {
        say!(
            "  {}: {drawn} strands of {} points, {} samples: {:.1} ms, {:.0} a second",
            self.name,
            self.vertices,
            self.samples,
            found.total_ms,
            1e3 / found.total_ms
        )?;
        let mut line = vec![format!("positions {:.1}", found.upload_ms)];
        line.extend(found.passes.iter().map(PassCost::told));
        say!("      {} ms", line.join(", "))?;
        say!("      {}", told(&found.traffic))
    }
}

/// How far a head that moves sways from frame to frame. `[rad]`
const SWAY: f32 = 0.01;

/// A head that is turned by that angle over a torso that stands: the places of its
/// vertices in its own space. `[m]`
fn bent(mesh: &Mesh, angle: f32) -> Vec<Vec3> {
    let [low, high] = mesh.bounds();
    let turned = |p: &Vec3| {
        let up = (p.y - low.y) / (high.y - low.y).max(f32::MIN_POSITIVE);
        Quat::from_rotation_y(-angle * (1.0 - up)) * *p
    };
    mesh.positions.iter().map(turned).collect()
}

/// What is drawn, frame by frame.
struct Frames<'a> {
    view: View<'a>,
    /// The hair. `[m]`
    points: &'a [Vec3],
    /// The head's vertices, one after the other; empty where it stands. `[m]`
    shapes: [Vec<Vec3>; 2],
}

impl Frames<'_> {
    /// Brings hair and head there, as they are in the frame of that number.
    fn upload(&self, renderer: &mut Renderer, number: u32) {
        renderer.upload_positions(self.points);
        renderer.deform_head(&self.shapes[number as usize % 2]);
    }

    /// Draws that frame.
    fn draw(&self, renderer: &mut Renderer, number: u32) -> anyhow::Result<()> {
        let angle = match self.shapes[0].is_empty() {
            true => 0.0,
            false => [-SWAY, SWAY][number as usize % 2],
        };
        let pose = Pose {
            rotation: Quat::from_rotation_y(angle),
            ..Pose::IDENTITY
        };
        Ok(renderer.frame(&View { pose, ..self.view })?)
    }
}

/// What it costs to draw a view.
struct FrameCost {
    /// A whole frame, the best of several rounds. `[ms]`
    total_ms: f64,
    /// The upload of positions, the best. `[ms]`
    upload_ms: f64,
    /// Each pass by itself.
    passes: Vec<PassCost>,
    /// What a graphics card would be asked for.
    traffic: GlTraffic,
}

impl FrameCost {
    /// Measures so many rounds: whole frames, several together, because some passes do not
    /// run in every one; then each pass by itself, waiting for it to end.
    fn of(renderer: &mut Renderer, frames: &Frames, rounds: u32) -> anyhow::Result<Self> {
        let together = match frames.view.swift {
            true => FRAMES_PER_TIMING,
            false => 1,
        };
        // The first frame makes what all others have.
        frames.upload(renderer, 1);
        frames.draw(renderer, 1)?;
        let mut total_ms = f64::INFINITY;
        for _ in 0..rounds {
            let begun = Instant::now();
            for number in 0..together {
                frames.upload(renderer, number);
                frames.draw(renderer, number)?;
                renderer.finish();
            }
            total_ms = total_ms.min(1e3 * begun.elapsed().as_secs_f64() / f64::from(together));
        }
        let traffic = traffic(renderer, frames, together)?;
        let (upload_ms, passes) = passes(renderer, frames, rounds)?;
        Ok(Self {
            total_ms,
            upload_ms,
            passes,
            traffic,
        })
    }
}

/// What a graphics card would be asked for: the most of so many frames.
fn traffic(renderer: &mut Renderer, frames: &Frames, together: u32) -> anyhow::Result<GlTraffic> {
    renderer.draw_as_software(false);
    // Shaders that a software driver did not need are compiled first.
    for number in 0..together {
        frames.upload(renderer, number);
        frames.draw(renderer, number)?;
    }
    renderer.take_traffic();
    let mut most = GlTraffic::default();
    for number in 0..together {
        frames.upload(renderer, number);
        frames.draw(renderer, number)?;
        most = most.most(&renderer.take_traffic());
    }
    renderer.draw_as_software(renderer.is_software());
    Ok(most)
}

/// What a pass costs in the frames in which it runs.
#[derive(Debug, PartialEq)]
struct PassCost {
    name: &'static str,
    /// The mean of those frames. `[ms]`
    ms: f64,
    /// In how many frames it ran.
    ran: usize,
    /// Of how many.
    of: usize,
}

/// A pass that takes less than this share of its longest time had nothing to do: frames in
/// motion make shade and colours anew in one of three.
const IDLE: f64 = 0.05;

impl PassCost {
    /// Of a pass that took so long, frame by frame. `[ms]`
    fn of(name: &'static str, times: &[f64]) -> Self {
        let longest = times.iter().copied().fold(0.0, f64::max);
        let ran: Vec<f64> = times
            .iter()
            .copied()
            .filter(|ms| *ms >= IDLE * longest)
            .collect();
        Self {
            name,
            ms: ran.iter().sum::<f64>() / ran.len().max(1) as f64,
            ran: ran.len(),
            of: times.len(),
        }
    }

    /// The cost in words.
    fn told(&self) -> String {
        let Self { name, ms, ran, of } = self;
        match ran == of {
            true => format!("{name} {ms:.1}"),
            false => format!("{name} {ms:.1} (in {ran} of {of} frames)"),
        }
    }
}

/// Time of the upload of hair and head, the best, and of each pass. `[ms]`
fn passes(
    renderer: &mut Renderer,
    frames: &Frames,
    rounds: u32,
) -> anyhow::Result<(f64, Vec<PassCost>)> {
    renderer.time_passes(renderer.timing());
    let mut upload_ms = f64::INFINITY;
    let mut times: Vec<(&'static str, Vec<f64>)> = Vec::new();
    for number in 0..rounds {
        let begun = Instant::now();
        frames.upload(renderer, number);
        renderer.finish();
        upload_ms = upload_ms.min(1e3 * begun.elapsed().as_secs_f64());
        frames.draw(renderer, number)?;
        // A graphics processor's own times are known once it is done with the frame.
        renderer.finish();
        for (name, ms) in renderer.laps() {
            match times.iter_mut().find(|(pass, _)| pass == name) {
                Some((_, times)) => times.push(*ms),
                None => times.push((*name, vec![*ms])),
            }
        }
    }
    renderer.time_passes(Timing::Off);
    let costs = times.iter().map(|(name, times)| PassCost::of(name, times));
    Ok((upload_ms, costs.collect()))
}

/// Measures the upload of a full head's positions to OpenGL, and counts what a frame of
/// it asks of a graphics card, whatever the size of the picture.
fn upload(context: &Headless, quick: bool) -> anyhow::Result<Value> {
    let (strands, vertices) = if quick { (10_000, 32) } else { (100_000, 32) };
    let mut scene = Scene::default();
    scene.roots.strands = strands;
    scene.groom.vertices = vertices;
    let built = built_scene::build(&scene)?;
    let mut renderer = Renderer::new(context.gl())?;
    renderer.set_head(&built.head.mesh);
    renderer.set_groom(&built.groom);
    let mut upload_ms = f64::INFINITY;
    for _ in 0..10 {
        let begun = Instant::now();
        renderer.upload_positions(&built.groom.points);
        renderer.finish();
        upload_ms = upload_ms.min(1e3 * begun.elapsed().as_secs_f64());
    }
    let camera = Camera::new(&scene.camera, built.head.mesh.bounds());
    let view = View {
        camera: &camera,
        look: &scene.look,
        light: &scene.light,
        environment: None,
        followers: &scene.followers,
        pose: Pose::IDENTITY,
        size: [64, 36],
        exact: false,
        swift: false,
    };
    renderer.draw_as_software(false);
    let mut traffic = GlTraffic::default();
    // Positions take turns; after the first ones each has its memory.
    for frame in 0..5 {
        renderer.upload_positions(&built.groom.points);
        renderer.frame(&view)?;
        let asked = renderer.take_traffic();
        if frame > 2 {
            traffic = traffic.most(&asked);
        }
    }
    say!("  positions of {strands} strands of {vertices} vertices: {upload_ms:.1} ms to OpenGL")?;
    say!("      a frame on a graphics card: {}", told(&traffic))?;
    Ok(json!({
        "name": "positions",
        "strands": strands,
        "vertices": vertices,
        "renderer": context.describe(),
        "upload_ms": upload_ms,
        "gl_calls": traffic.calls,
        "gl_draws": traffic.draws,
        "bytes_up": traffic.bytes_up,
        "bytes_down": traffic.bytes_down,
    }))
}

/// What was asked of OpenGL, in words.
fn told(traffic: &GlTraffic) -> String {
    format!(
        "at most {} calls of OpenGL, {} of them draw; {:.2} MB up, {:.2} MB down",
        traffic.calls,
        traffic.draws,
        1e-6 * traffic.bytes_up as f64,
        1e-6 * traffic.bytes_down as f64
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_costs_what_it_costs_in_the_frames_in_which_it_runs() {
        let shade = PassCost::of("occlusion", &[6.0, 0.01, 0.02, 6.4, 0.01, 0.01]);
        assert_eq!((shade.ran, shade.of), (2, 6));
        assert!((shade.ms - 6.2).abs() < 1e-12, "{shade:?}");
        assert_eq!(shade.told(), "occlusion 6.2 (in 2 of 6 frames)");
        let strands = PassCost::of("strands", &[3.0, 4.0, 3.5]);
        assert_eq!(strands.told(), "strands 3.5");
        assert_eq!(PassCost::of("none", &[]).ms, 0.0);
    }
}
