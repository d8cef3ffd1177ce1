//! What is on the screen: the picture, and the panel beside it.

use super::{
    command::Command,
    effort::Effort,
    gesture::Gesture,
    gui::Gui,
    overlay::{self, Pulse, Status},
    pacing::Pacing,
    panel,
    program::Program,
};
use crate::{
    math::Pose,
    mesh::Mesh,
    render::{Camera, LookParams, Renderer, View, surface::Surface3d},
};
use egui_glow::EventResponse;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use winit::{
    event::WindowEvent, event_loop::ActiveEventLoop, keyboard::ModifiersState, window::Window,
};

/// While the disk is behind, a recording looks again after this time.
const DISK_WAIT: Duration = Duration::from_millis(4);

/// Everything that exists only while there is a window.
pub struct Screen {
    renderer: Renderer,
    gui: Gui,
    surface: Surface3d,
    /// Of the window, as the last event told. `[px]`
    size: [u32; 2],
    /// When to draw.
    pub pacing: Pacing,
    /// The drag in the picture.
    pub gesture: Gesture,
    /// Shift, Ctrl and their kin.
    pub modifiers: ModifiersState,
    /// Whether other windows hide this one.
    pub hidden: bool,
    viewport: egui::Rect,
    status: Status,
    pulse: Pulse,
    pose: Pose,
    uploaded: u64,
    drawn: Option<Drawn>,
    /// The head on the graphics card.
    mesh: Option<Arc<Mesh>>,
    effort: Effort,
}

/// What the renderer's picture shows; when nothing of it changed, the picture
/// need not be drawn anew.
struct Drawn {
    scene: Shown,
    /// The look it was drawn with, which may be simpler than the one wanted.
    look: LookParams,
}

/// All that a picture depends on.
#[derive(Clone, PartialEq)]
struct Shown {
    camera: Camera,
    look: LookParams,
    size: [u32; 2],
    uploaded: u64,
    generation: u64,
}

/// How carefully a picture is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quality {
    /// As the look says.
    Full,
    /// As time allows.
    Live,
}

impl Screen {
    /// Fits out a window. `repaint` is called with a delay whenever the panel
    /// wants to be drawn.
    ///
    /// # Errors
    /// When the driver refuses what the picture needs.
    pub fn new(
        event_loop: &ActiveEventLoop,
        surface: Surface3d,
        interval: Duration,
        repaint: impl Fn(Duration) + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        let renderer = Renderer::new(surface.gl())?;
        let software = renderer.is_software();
        log::info!("{}", renderer.describe());
        let gui = Gui::new(event_loop, surface.gl())?;
        gui.context()
            .set_request_repaint_callback(move |info| repaint(info.delay));
        let size = surface.window().inner_size();
        Ok(Self {
            renderer,
            gui,
            size: [size.width, size.height],
            surface,
            pacing: Pacing::new(interval),
            gesture: Gesture::default(),
            modifiers: ModifiersState::empty(),
            hidden: false,
            viewport: egui::Rect::ZERO,
            status: Status::default(),
            pulse: Pulse::default(),
            pose: Pose::IDENTITY,
            uploaded: 0,
            drawn: None,
            mesh: None,
            effort: Effort::new(software),
        })
    }

    /// The window.
    pub fn window(&self) -> &Window {
        self.surface.window()
    }

    /// Whether there is anything of the window to be seen.
    pub fn is_seen(&self) -> bool {
        !self.hidden && !self.size.contains(&0)
    }

    /// Lets the panel look at an event first.
    pub fn on_event(&mut self, event: &WindowEvent) -> EventResponse {
        self.gui.on_event(self.surface.window(), event)
    }

    /// Whether a text is being edited.
    pub fn is_typing(&self) -> bool {
        self.gui.context().egui_wants_keyboard_input()
    }

    /// Follows the window to a new size. `[px]`
    pub fn resize(&mut self, width: u32, height: u32) {
        self.size = [width, height];
        self.surface.resize(width, height);
    }

    /// The part of the window that the picture fills. `[points]`
    pub fn viewport(&self) -> egui::Rect {
        self.viewport
    }

    /// Pixels to points.
    pub fn points(&self, pixels: [f64; 2]) -> [f32; 2] {
        let scale = f64::from(self.gui.context().pixels_per_point());
        pixels.map(|v| (v / scale) as f32)
    }

    /// Whether the cursor is over the picture and nothing lies over it there.
    pub fn pointer_on_picture(&self) -> bool {
        let [x, y] = self.gesture.at();
        let at = egui::pos2(x, y);
        // The edge towards the panel is for resizing that.
        let picture = self.viewport.with_max_x(self.viewport.max.x - 5.0);
        let above = self.gui.context().layer_id_at(at);
        picture.contains(at) && above.is_none_or(|layer| layer.order == egui::Order::Background)
    }

    /// One frame: news, panel, picture, and the frame of a recording.
    ///
    /// # Errors
    /// When the driver cannot draw the picture.
    pub fn frame(&mut self, program: &mut Program) -> anyhow::Result<()> {
        let begun = Instant::now();
        self.pacing.drawn(begun);
        if program.poll()
            && let Some(built) = program.built()
        {
            let mesh = &built.head.mesh;
            if !self.mesh.as_ref().is_some_and(|old| Arc::ptr_eq(old, mesh)) {
                self.renderer.set_head(mesh);
                self.mesh = Some(mesh.clone());
            }
            self.renderer.set_groom(&built.groom);
            self.drawn = None;
        }
        let recorded = self.upload(program);
        let seen = self.is_seen();
        if seen {
            self.panel(program);
        }
        self.picture(program, recorded, seen)?;
        if seen {
            self.gui.paint(self.size);
            self.surface.swap();
        }
        let ms = 1e3 * begun.elapsed().as_secs_f64();
        self.pulse.frame_ms += 0.15 * (ms - self.pulse.frame_ms);
        self.pulse.fps = self.pacing.rate();
        Ok(())
    }

    /// Brings the newest state to the graphics card; true when it is a frame of
    /// the recording, to be taken now.
    fn upload(&mut self, program: &mut Program) -> bool {
        let Some((generation, strands)) = program
            .built()
            .map(|built| (built.generation, built.groom.strands()))
        else {
            return false;
        };
        let recording = program.recorder().is_recording();
        let room = program.recorder().has_room();
        let snapshot = program.latest();
        if snapshot.generation != generation || snapshot.serial == self.uploaded {
            return false;
        }
        let recorded = recording && snapshot.frame.is_some();
        if recorded && !room {
            // The disk is behind: the frame stays where it is, and the
            // simulation waits for it.
            self.pacing.want_at(Instant::now() + DISK_WAIT);
            return false;
        }
        self.renderer.upload_positions(&snapshot.positions);
        self.uploaded = snapshot.serial;
        self.status = Status::of(snapshot, strands);
        self.pose = snapshot.pose;
        if recorded {
            // The next frame is computed while this one is drawn.
            program.next_frame();
        }
        recorded
    }

    fn panel(&mut self, program: &mut Program) {
        let mut commands = Vec::new();
        let mut viewport = self.viewport;
        let (status, pulse, cursor) = (self.status, self.pulse, self.gesture.cursor());
        let software = self.effort.is_software();
        self.gui.run(self.surface.window(), self.size, |ui| {
            // The panel may be laid out twice for one frame.
            commands.clear();
            overlay::status(ui, program, &status, pulse, software);
            if program.shows_panel() {
                panel::show(ui, program, &mut commands);
            }
            viewport = ui.available_rect_before_wrap();
            if program.built().is_none() {
                overlay::curtain(ui, viewport);
            }
            let ctx = ui.ctx().clone();
            if program.shows_help() && !overlay::help(&ctx, viewport) {
                commands.push(Command::Help);
            }
            if let Some(dialog) = program.dialog_mut() {
                commands.extend(dialog.show(&ctx));
            }
            program.toasts.show(&ctx, viewport);
            if let Some(cursor) = cursor {
                ctx.set_cursor_icon(cursor);
            }
        });
        self.viewport = viewport;
        for command in commands {
            program.perform(command);
            self.pacing.want();
        }
        if !self.gui.context().input(|input| input.pointer.any_down()) {
            program.release();
        }
    }

    /// Draws the picture, and keeps it where that is wanted.
    fn picture(&mut self, program: &mut Program, recorded: bool, seen: bool) -> anyhow::Result<()> {
        if recorded && let Some(size) = program.recorder().size() {
            self.draw(program, size, Quality::Full)?;
            let (width, height, rgb) = self.renderer.read_rgb();
            program.take_frame(width, height, rgb);
        }
        if !seen {
            return Ok(());
        }
        let (origin, size) = self.pixels();
        program.set_picture(size);
        if size.contains(&0) || program.built().is_none() {
            return Ok(());
        }
        if program.wants_screenshot() {
            self.draw(program, size, Quality::Full)?;
            let (width, height, rgb) = self.renderer.read_rgb();
            program.take_screenshot(width, height, rgb);
        }
        self.draw(program, size, Quality::Live)?;
        self.renderer.present(origin, size);
        Ok(())
    }

    /// Draws the picture, unless the renderer has it already.
    fn draw(&mut self, program: &Program, size: [u32; 2], quality: Quality) -> anyhow::Result<()> {
        let scene = Shown {
            camera: program.camera().clone(),
            look: program.scene().look.clone(),
            size,
            uploaded: self.uploaded,
            generation: program.built().map_or(0, |built| built.generation),
        };
        let begun = Instant::now();
        let same = self.drawn.as_ref().filter(|drawn| drawn.scene == scene);
        if same.is_some_and(|drawn| drawn.look == scene.look) {
            return Ok(());
        }
        let learns = quality == Quality::Live && self.effort.is_software();
        let look = if !learns {
            scene.look.clone()
        } else if same.is_none() {
            self.effort.moved(begun);
            self.pacing.want_at(self.effort.rests_at());
            self.effort.live(&scene.look)
        } else if !program.is_paused() {
            // The next step comes soon.
            return Ok(());
        } else if begun < self.effort.rests_at() {
            self.pacing.want_at(self.effort.rests_at());
            return Ok(());
        } else {
            self.effort.at_rest(&scene.look)
        };
        if same.is_some_and(|drawn| drawn.look == look) {
            return Ok(());
        }
        let moves = learns && same.is_none();
        self.renderer.frame(&View {
            camera: &scene.camera,
            look: &look,
            pose: self.pose,
            size,
        })?;
        if moves {
            self.renderer.finish();
            let ms = 1e3 * begun.elapsed().as_secs_f64();
            let strands = program.built().map_or(0, |built| built.groom.strands());
            self.effort.learn(ms, strands);
        }
        self.drawn = Some(Drawn { scene, look });
        Ok(())
    }

    /// Lower left corner and size of the picture in the window. `[px]`
    fn pixels(&self) -> ([u32; 2], [u32; 2]) {
        let [width, height] = self.size;
        let scale = self.gui.context().pixels_per_point();
        let pixel =
            |points: f32, most: u32| (points * scale).round().clamp(0.0, most as f32) as u32;
        let (left, right) = (
            pixel(self.viewport.left(), width),
            pixel(self.viewport.right(), width),
        );
        let (top, bottom) = (
            pixel(self.viewport.top(), height),
            pixel(self.viewport.bottom(), height),
        );
        (
            [left, height - bottom],
            [right.saturating_sub(left), bottom.saturating_sub(top)],
        )
    }

    /// Takes everything down in the one order that no driver objects to.
    pub fn close(self) {
        let Self {
            renderer,
            gui,
            surface,
            ..
        } = self;
        drop(renderer);
        gui.close();
        surface.close();
    }
}
