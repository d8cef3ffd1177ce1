//! What is on the screen: the picture, and the panel beside it.

mod layout;

use layout::{frame_sides, pixels, place};

use super::{
    bodies::{self, Pull},
    caption::Caption,
    command::Command,
    compare::{self, Cell, Side},
    dock,
    eye::Eye,
    gesture::Gesture,
    gui::Gui,
    inspector,
    overlay::{self, Pulse, Status},
    pacing::Pacing,
    panel::{self, cost},
    pick::{self, Sight},
    picture::{Picture, Quality, Wish},
    program::Program,
    slice, timeline, tool, vane,
};
use crate::render::{LookParams, surface::Surface3d};
use egui::{Rect, pos2};
use egui_glow::EventResponse;
use std::time::{Duration, Instant};
use winit::{
    event::WindowEvent, event_loop::ActiveEventLoop, keyboard::ModifiersState, window::Window,
};

/// While the disk is behind, a recording looks again after this time.
const DISK_WAIT: Duration = Duration::from_millis(4);
/// So much of a frame goes to a still.
const STILL_TIME: Duration = Duration::from_millis(60);

/// Everything that exists only while there is a window.
pub struct Screen {
    picture: Picture,
    gui: Gui,
    surface: Surface3d,
    /// Of the window, as the last event told. `[px]`
    size: [u32; 2],
    /// When to draw.
    pub pacing: Pacing,
    /// The drag in the picture.
    pub gesture: Gesture,
    /// The drag of a body's handle.
    pull: Option<Pull>,
    /// Shift, Ctrl and their kin.
    pub modifiers: ModifiersState,
    /// Whether other windows hide this one.
    pub hidden: bool,
    viewport: egui::Rect,
    status: Status,
    pulse: Pulse,
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
        let picture = Picture::new(surface.gl())?;
        let gui = Gui::new(event_loop, surface.gl())?;
        gui.context()
            .set_request_repaint_callback(move |info| repaint(info.delay));
        let size = surface.window().inner_size();
        Ok(Self {
            picture,
            gui,
            size: [size.width, size.height],
            surface,
            pacing: Pacing::new(interval),
            gesture: Gesture::default(),
            pull: None,
            modifiers: ModifiersState::empty(),
            hidden: false,
            viewport: egui::Rect::ZERO,
            status: Status::default(),
            pulse: Pulse::default(),
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
            self.picture.take_built(built);
        }
        let recorded = self.upload(program)?;
        if program.move_camera(begun, recorded) {
            self.pacing.want();
        }
        let seen = self.is_seen();
        if seen {
            self.panel(program);
        }
        self.show(program, recorded, seen)?;
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
    ///
    /// # Errors
    /// When the driver makes no picture of a second side.
    fn upload(&mut self, program: &mut Program) -> anyhow::Result<bool> {
        let recording = program.recorder().is_recording();
        let room = program.recorder().has_room();
        let (snapshot, built) = program.latest();
        let Some(built) = built.filter(|built| built.generation == snapshot.generation) else {
            return Ok(false);
        };
        // A still is of one moment.
        if snapshot.serial == self.picture.uploaded() || self.picture.exposed().is_some() {
            return Ok(false);
        }
        let recorded = recording && snapshot.frame.is_some();
        if recorded && !room {
            // The disk is behind: the frame stays where it is, and the
            // simulation waits for it.
            self.pacing.want_at(Instant::now() + DISK_WAIT);
            return Ok(false);
        }
        self.picture.upload(snapshot, built)?;
        self.status = Status::of(snapshot, built.groom.strands());
        if recorded {
            // The next frame is computed while this one is drawn.
            program.next_frame();
        }
        Ok(recorded)
    }

    fn panel(&mut self, program: &mut Program) {
        let mut commands = Vec::new();
        let mut viewport = self.viewport;
        let (status, pulse, cursor) = (self.status, self.pulse, self.gesture.cursor());
        let drawing = self.picture.simplified();
        let still = self.picture.exposed();
        let (size, scale) = (self.size, self.gui.context().pixels_per_point());
        let pointer = self.pointer_on_picture().then(|| self.gesture.at().into());
        let picture = &self.picture;
        let held = self.pull.as_ref().map(|pull| pull.handle);
        self.gui.run(self.surface.window(), self.size, |ui| {
            // The panel may be laid out twice for one frame.
            commands.clear();
            overlay::status(ui, program, &status, pulse, drawing.as_deref(), still);
            if program.shows_panel() {
                panel::show(ui, program, &mut commands);
            }
            dock::show(ui, program, &mut commands);
            viewport = ui.available_rect_before_wrap();
            if program.built().is_none() {
                overlay::curtain(ui, viewport);
            } else {
                let (_, pixels) = pixels(viewport, size, scale);
                let cells = picture.cells(pixels);
                let places: Vec<Rect> = cells.iter().map(|c| place(*c, scale, viewport)).collect();
                slices(ui.painter(), program, &cells, &places);
                bodies::mark(ui, program, &cells, &places, held);
                inspector::mark(ui, program, &cells, &places);
                vane::show(ui, program, &cells, &places, &mut commands);
                tool::paint(ui, program, &cells, &places, pointer);
                frame_sides(ui, viewport, &places);
                for caption in captions(program, &places) {
                    caption.paint(ui.painter());
                }
            }
            let ctx = ui.ctx().clone();
            if program.built().is_some() {
                tool::palette(&ctx, viewport, program, &mut commands);
            }
            timeline::show(&ctx, viewport, program, &mut commands);
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
    fn show(&mut self, program: &mut Program, recorded: bool, seen: bool) -> anyhow::Result<()> {
        if recorded && let Some(size) = program.recorder().size() {
            let (width, height, rgb) = self.take(program, size)?;
            program.take_frame(width, height, rgb);
        }
        if !seen {
            return Ok(());
        }
        let (origin, size) = pixels(self.viewport, self.size, self.scale());
        program.set_picture(size);
        if size.contains(&0) || program.built().is_none() {
            return Ok(());
        }
        if program.wants_screenshot() {
            let samples = program.scene().capture.samples;
            let wish = self.wish(program, size, Quality::Full);
            self.picture.begin_still(&wish, samples);
        }
        if self.picture.expose(STILL_TIME)? {
            let (width, height, rgb) = self.read(program, size)?;
            program.take_screenshot(width, height, rgb);
        }
        if self.picture.exposed().is_some() {
            self.pacing.want();
            self.picture.present(origin, size);
            return Ok(());
        }
        self.draw(program, size, Quality::Live)?;
        let faults = self.picture.shader_faults();
        program.set_drawing(self.picture.passes(), faults);
        self.picture
            .time_passes(cost::is_wanted(self.gui.context()));
        self.picture.present(origin, size);
        Ok(())
    }

    /// A picture for a file, with all that belongs to it.
    fn take(&mut self, program: &Program, size: [u32; 2]) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        self.draw(program, size, Quality::Full)?;
        self.read(program, size)
    }

    /// What was drawn last, with all that belongs to it.
    fn read(&mut self, program: &Program, size: [u32; 2]) -> anyhow::Result<(u32, u32, Vec<u8>)> {
        let scale = self.scale();
        let cells = self.picture.cells(size);
        let place = |cell: &Cell| place(*cell, scale, Rect::ZERO);
        let places: Vec<Rect> = cells.iter().map(place).collect();
        let captions = captions(program, &places);
        let shows = !captions.is_empty() || program.now().slice.is_some();
        let mut over = |painter: &egui::Painter| {
            slices(painter, program, &cells, &places);
            captions.iter().for_each(|caption| caption.paint(painter));
        };
        self.picture
            .read(size, scale, shows.then_some(&mut over as _))
    }

    /// Draws the picture, unless the renderer has it already.
    fn draw(&mut self, program: &Program, size: [u32; 2], quality: Quality) -> anyhow::Result<()> {
        let mut wish = self.wish(program, size, quality);
        let bare = LookParams {
            show_hair: false,
            ..wish.look.clone()
        };
        if quality == Quality::Live && program.bares_head() {
            wish.look = &bare;
        }
        self.picture.draw(&wish, &mut self.pacing)
    }

    fn wish<'a>(&self, program: &'a Program, size: [u32; 2], quality: Quality) -> Wish<'a> {
        Wish {
            camera: program.camera(),
            look: &program.scene().look,
            followers: &program.scene().followers,
            light: &program.scene().light,
            aperture: program.scene().camera.aperture,
            size,
            quality,
            paused: program.is_paused(),
        }
    }

    /// Pixels a point.
    fn scale(&self) -> f32 {
        self.gui.context().pixels_per_point()
    }

    /// The side under the cursor, with its part of the picture.
    fn pointed(&self) -> Option<(Side, Cell, Rect)> {
        if !self.pointer_on_picture() {
            return None;
        }
        let [x, y] = self.gesture.at();
        let (_, size) = pixels(self.viewport, self.size, self.scale());
        let cells = self.picture.cells(size);
        let mut found = Side::BOTH.into_iter().zip(cells).map(|(side, cell)| {
            let rect = place(cell, self.scale(), self.viewport);
            (side, cell, rect)
        });
        found.find(|(_, _, rect)| rect.contains(pos2(x, y)))
    }

    /// The side under the cursor.
    pub fn side(&self) -> Option<Side> {
        self.pointed().map(|(side, ..)| side)
    }

    /// Height of what a drag moves, as [`Camera::pan`](crate::render::Camera::pan)
    /// wants it. `[points]`
    pub fn pan_height(&self, program: &Program) -> f32 {
        let (_, size) = pixels(self.viewport, self.size, self.scale());
        let Some(cell) = self.picture.cells(size).first().copied() else {
            return self.viewport.height();
        };
        let height = place(cell, self.scale(), self.viewport).height();
        if self.picture.sides() == 1 {
            return height;
        }
        let camera = program.camera();
        let tangent = |fov: f32| (0.5 * fov).tan();
        let wide = tangent(compare::fitted(camera, cell.size).fov) / tangent(camera.fov);
        height / wide
    }

    /// What is seen at the cursor, and on which side.
    pub fn sight(&self, program: &Program) -> Option<(Side, Sight)> {
        let (side, cell, rect) = self.pointed()?;
        let camera = compare::seen(program.camera(), self.picture.sides(), cell);
        let at = self.gesture.at();
        Some((side, Sight::new(&camera, rect, pos2(at[0], at[1]))))
    }

    /// Looks for the strand under the cursor.
    pub fn pick(&self, program: &mut Program) {
        let Some((side, sight)) = self.sight(program) else {
            return;
        };
        let Some((_, cell, rect)) = self.pointed() else {
            return;
        };
        let strand = pick::strand(program, side, &sight);
        let [x, y] = self.gesture.at();
        let at = pos2(x, y);
        let eye = Eye::of(program, self.picture.sides(), cell, rect);
        // An outline is meant, then a strand, then what is inside an outline.
        let body = bodies::beside(program, &eye, at);
        if body.is_none() {
            program.perform(Command::Pick(strand.map(|strand| (side, strand))));
        }
        if body.is_some() || strand.is_none() {
            let body = body.or_else(|| bodies::under(program, &eye, at));
            program.perform(Command::ChooseBody(body));
        }
    }

    /// Takes the handle of a body under the cursor; false where there is none.
    pub fn grab(&mut self, program: &Program) -> bool {
        let [x, y] = self.gesture.at();
        self.pull = self.pointed().and_then(|(_, cell, rect)| {
            let eye = Eye::of(program, self.picture.sides(), cell, rect);
            Pull::begin(program, eye, pos2(x, y))
        });
        self.pull.is_some()
    }

    /// The mouse has moved: what the body whose handle is held should be.
    pub fn pulled(&self) -> Option<Command> {
        let even = self.modifiers.shift_key();
        let pull = self.pull.as_ref()?;
        Some(pull.to(self.gesture.at(), even))
    }

    /// Lets go of the handle; false where none was held.
    pub fn let_go(&mut self) -> bool {
        self.pull.take().is_some()
    }

    /// Takes everything down in the one order that no driver objects to.
    pub fn close(self) {
        let Self {
            picture,
            gui,
            surface,
            ..
        } = self;
        drop(picture);
        gui.close();
        surface.close();
    }
}

/// The cuts through the hair, one a side.
fn slices(painter: &egui::Painter, program: &Program, cells: &[Cell], places: &[Rect]) {
    let (now, params) = (program.now(), &program.scene().slice);
    let second = now.second.as_ref().and_then(|second| second.slice.as_ref());
    let slices = [now.slice.as_ref(), second].into_iter();
    for ((slice, cell), place) in slices.zip(cells).zip(places) {
        if let Some(slice) = slice {
            let eye = Eye::of(program, cells.len(), *cell, *place);
            slice::paint(painter, &eye, slice, params);
        }
    }
}

/// What stands under the sides; nothing under a single one.
fn captions(program: &Program, places: &[Rect]) -> Vec<Caption> {
    if places.len() < 2 {
        return Vec::new();
    }
    let ids = Side::BOTH.map(|side| program.scene().solver(side));
    let names = compare::names(&ids, true).into_iter().zip(places);
    let caption =
        |(side, ((letter, name), rect)): (usize, ((Option<char>, &str), &Rect))| Caption {
            rect: *rect,
            side,
            letter,
            name: name.into(),
        };
    names.enumerate().map(caption).collect()
}
