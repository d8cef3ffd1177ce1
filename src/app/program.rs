//! What the window shows and what commands do to it; knows nothing of windows
//! and of OpenGL.

mod bodies;
mod change;
mod eye;
mod files;
mod film;
mod hand;
mod head;
mod sides;
mod state;

use change::{drop_sequence, keep_size, set};

use super::{
    beside::Measured,
    command::Command,
    compare::Side,
    dialog::Dialog,
    dock::Page,
    examiner::Examiner,
    glide::Glide,
    history::History,
    recent::Recent,
    recorder::Recorder,
    scene::Scene,
    toast::Toasts,
    tool::Tool,
    worker::{Built, Order, Playing, Report, Worker},
};
use crate::{
    groom::styles::STYLES,
    io,
    render::{Camera, Lap, pigment::PIGMENTS},
    sim::solver::method,
};
use glam::Vec3;
use std::path::{Path, PathBuf};

/// The running program.
pub struct Program {
    scene: Scene,
    camera: Camera,
    glide: Glide,
    worker: Worker,
    history: History,
    recorder: Recorder,
    examiner: Examiner,
    built: Option<Built>,
    bounds: [Vec3; 2],
    building: bool,
    /// Files of a sequence that are read, and how many there are.
    reading: Option<(usize, usize)>,
    paused: bool,
    /// The cache that is played.
    playing: Option<Playing>,
    panel: bool,
    help: bool,
    dialog: Option<Dialog>,
    scene_file: Option<PathBuf>,
    recent: Recent,
    picture: [u32; 2],
    screenshot: bool,
    passes: Vec<Lap>,
    shader_faults: Vec<String>,
    fault: Option<String>,
    measured: [Measured; 2],
    /// The side whose parameters the panel shows.
    shown: Side,
    /// The side under the mouse.
    pointed: Option<Side>,
    /// The page of plots that is open.
    page: Option<Page>,
    /// The strand that is looked at, and on which side it was picked.
    picked: Option<(Side, usize)>,
    /// The body beside the head that is chosen.
    body: Option<usize>,
    /// Whether bodies are drawn.
    bodies: bool,
    /// Whether the key light has a handle.
    light: bool,
    /// What the left mouse button does.
    tool: Tool,
    /// What the hand is doing.
    work: Option<hand::Work>,
    /// Messages over the picture.
    pub toasts: Toasts,
}

impl Program {
    /// Starts to build `scene`, to be simulated on so many threads; `wake` is called from another thread when there
    /// is something new to see.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        scene: Scene,
        threads: Option<usize>,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let bounds = [Vec3::new(-0.13, -0.23, -0.13), Vec3::new(0.13, 0.13, 0.13)];
        Ok(Self {
            camera: Camera::new(&scene.camera, bounds),
            glide: Glide::default(),
            worker: Worker::spawn(scene.clone(), threads, wake)?,
            scene,
            history: History::default(),
            recorder: Recorder::default(),
            examiner: Examiner::default(),
            built: None,
            bounds,
            building: true,
            reading: None,
            paused: false,
            playing: None,
            panel: true,
            help: false,
            dialog: None,
            scene_file: None,
            recent: Recent::load(),
            picture: [0, 0],
            screenshot: false,
            passes: Vec::new(),
            shader_faults: Vec::new(),
            fault: None,
            measured: [Measured::default(); 2],
            shown: Side::A,
            pointed: None,
            page: None,
            picked: None,
            body: None,
            bodies: true,
            light: false,
            tool: Tool::default(),
            work: None,
            toasts: Toasts::default(),
        })
    }

    /// Tells the size of the picture that is shown. `[px]`
    pub fn set_picture(&mut self, size: [u32; 2]) {
        self.picture = size;
    }

    /// The mouse button was released: a new drag is a new entry to undo.
    pub fn release(&mut self) {
        self.history.release();
    }

    /// Takes in what happened on other threads; true when there is a new head
    /// or groom to show.
    pub fn poll(&mut self) -> bool {
        let mut fresh = false;
        while let Some(report) = self.worker.report() {
            match report {
                Report::Building => (self.building, self.reading) = (true, None),
                Report::Reading(done, all) => self.reading = Some((done, all)),
                Report::Built(built) => {
                    self.take_built(*built);
                    fresh = true;
                }
                Report::Playing(playing) => self.playing = playing,
                Report::Ended => {
                    if self.recorder.is_recording() {
                        self.toggle_recording();
                    }
                    self.pause();
                }
                Report::Failed { message, head } => self.take_failure(message, head),
            }
        }
        for note in self.recorder.notes() {
            self.take_note(note);
        }
        if let Err(message) = self.examiner.poll() {
            self.toasts.error(message);
        }
        fresh
    }

    fn take_built(&mut self, built: Built) {
        self.building = false;
        self.toasts.forgive();
        let other_head = self.built.as_ref().is_none_or(|old| {
            (&old.head_params, &old.sequence) != (&built.head_params, &built.sequence)
        });
        if other_head {
            let first = self.built.is_none();
            self.bounds = built.head.mesh.bounds();
            if first {
                self.camera = Camera::new(&self.scene.camera, self.bounds);
            } else {
                self.frame_head();
                self.toasts.tell(built.head.report.summary.clone());
                if let Some(footage) = &built.body.footage {
                    self.toasts.tell(footage.summary());
                }
            }
            for warning in built.head.report.warnings.iter().take(2) {
                self.toasts.tell(warning.clone());
            }
        }
        self.tell_groom(&built);
        // Another head of hair has other strands. A stroke of paint goes on, or it
        // would end as soon as the hair that it has changed is there.
        self.picked = None;
        if other_head || !self.tool.paints() {
            self.work = None;
        }
        self.built = Some(built);
    }

    fn take_failure(&mut self, message: String, head: bool) {
        self.building = false;
        match &self.built {
            // Without any head there is nothing to show.
            None => self.fault = Some(message),
            Some(built) => {
                if head {
                    // The old head stays, and the panel says so.
                    self.scene.head = built.head_params.clone();
                    self.scene.sim.motion.sequence = built.sequence.clone();
                    self.worker
                        .order(Order::Scene(Box::new(self.scene.clone())));
                }
                self.toasts.error(message);
            }
        }
    }

    /// Does what was asked for.
    pub fn perform(&mut self, command: Command) {
        match command {
            Command::Set { place, value, held } => {
                self.change_at(Some(place), held, |scene| {
                    let fov = scene.camera.fov;
                    set(scene, place, value)?;
                    keep_size(&mut scene.camera, fov);
                    Ok(())
                });
            }
            Command::ResetSection(number) => self.change(|scene| {
                if let Some(section) = scene.sections_mut().into_iter().nth(number) {
                    for (index, tunable) in section.tunables().into_iter().enumerate() {
                        section
                            .set(index, tunable.default)
                            .map_err(|error| error.to_string())?;
                    }
                }
                Ok(())
            }),
            Command::Style(row) => self.change(|scene| {
                if let Some(style) = STYLES.get(row) {
                    scene.groom = (style.params)();
                    // Hair from a file has no style.
                    scene.import.file.clear();
                }
                Ok(())
            }),
            Command::Geometry => {
                self.change(|scene| {
                    scene.look.geometry = scene.look.geometry.next();
                    Ok(())
                });
                let name = self.scene.look.geometry.name();
                self.toasts.tell(format!("Strands as {name}"));
            }
            Command::Pigment(row) => self.change(|scene| {
                if let Some(pigment) = PIGMENTS.get(row) {
                    pigment.dip(&mut scene.look);
                }
                Ok(())
            }),
            Command::Solver(id) => self.take_solver(id),
            Command::Compare => self.toggle_compare(),
            Command::Show(side) => self.shown = side,
            Command::Match => self.change(|scene| {
                scene.b.take(&scene.sim);
                Ok(())
            }),
            Command::Dock => self.toggle_dock(),
            Command::Page(page) => self.page = Some(page),
            Command::Pick(strand) => self.pick(strand),
            Command::AddBody(kind) => self.add_body(kind),
            Command::CopyBody(row) => self.copy_body(row),
            Command::DeleteBody(row) => self.delete_body(row),
            Command::ChooseBody(row) => self.choose_body(row),
            Command::PlaceBody { row, body, held } => self.place_body(row, *body, held),
            Command::FitBodies => self.fit_bodies(),
            Command::ShowBodies => self.show_bodies(),
            Command::Wind => {
                self.change(|scene| {
                    scene.sim.wind.on ^= true;
                    Ok(())
                });
                let on = self.scene.sim.wind.on;
                self.toasts.tell(if on { "Wind on" } else { "Wind off" });
            }
            Command::WindWay(way) => self.turn_wind(way),
            Command::ShowLight => self.light ^= true,
            Command::KeyLight(angles) => self.move_light(angles),
            Command::Fan([place, axis]) => self.move_fan(place, axis),
            Command::FanOn => {
                self.change(|scene| {
                    scene.sim.fan.on ^= true;
                    Ok(())
                });
                let on = self.scene.sim.fan.on;
                self.toasts.tell(if on { "Fan on" } else { "Fan off" });
            }
            Command::Gravity => {
                self.change(|scene| {
                    scene.sim.forces.gravity_on ^= true;
                    Ok(())
                });
                let on = self.scene.sim.forces.gravity_on;
                self.toasts
                    .tell(if on { "Gravity on" } else { "Gravity off" });
            }
            Command::TurnHead(by) => self.turn_head_by(by.map(f32::from)),
            Command::HeadHome => self.head_home(),
            Command::Slice => self.change(|scene| {
                scene.slice.on ^= true;
                Ok(())
            }),
            Command::Motion(preset) => self.take_motion(preset),
            Command::SetKey => self.set_key(),
            Command::DropKey(index) => {
                self.change(|scene| {
                    scene.sim.motion.keyframes.remove(index);
                    Ok(())
                });
            }
            Command::Tool(tool) => self.take_tool(tool),
            Command::Brush(up) => self.size_brush(up),
            Command::Unpin => self.unpin(),
            Command::Validate => self.toggle_trial(),
            Command::Pause => {
                self.paused = !self.paused;
                self.worker.order(Order::Pause(self.paused));
            }
            Command::Step => {
                self.pause();
                self.worker.order(Order::Step);
            }
            Command::Back => {
                if !self.recorder.is_recording() {
                    self.pause();
                    self.worker.order(Order::Go(-1));
                }
            }
            Command::Seek(time) => {
                if self.playing.is_none() {
                    self.pause();
                }
                self.worker.order(Order::Seek(time));
            }
            Command::Loop(on) => self.worker.order(Order::Loop(on)),
            Command::Play(path) => self.play(&path),
            Command::Leave => {
                if self.recorder.is_recording() {
                    self.toggle_recording();
                }
                self.worker.order(Order::Leave);
            }
            Command::Reset => self.worker.order(Order::Reset),
            Command::FrameHead => self.fly_to_head(),
            Command::View(place) => self.visit(place),
            Command::Turntable => self.toggle_turntable(),
            Command::KeepView(name) => self.keep_view(&name),
            Command::GoToView(row) => self.go_to_view(row),
            Command::NameView(row, name) => self.name_view(row, &name),
            Command::DropView(row) => self.drop_view(row),
            Command::Capture => self.toggle_recording(),
            Command::Screenshot => self.screenshot = true,
            Command::Panel => self.panel = !self.panel,
            Command::Help => self.help = !self.help,
            Command::Undo => self.walk(History::undo, "Nothing to undo"),
            Command::Redo => self.walk(History::redo, "Nothing to redo"),
            Command::AskSave => {
                let file = self.scene_file.clone();
                self.dialog = Some(Dialog::save(file.unwrap_or_else(|| "scene.toml".into())));
            }
            Command::AskOpen => {
                self.dialog = Some(Dialog::open(self.scene_file.as_deref(), self.recent.list()))
            }
            Command::AskHead => {
                let head = Path::new(&self.scene.head.file);
                self.dialog = Some(Dialog::head(head));
            }
            Command::AskGroom => {
                let groom = Path::new(&self.scene.import.file);
                self.dialog = Some(Dialog::groom(groom));
            }
            Command::AskExport => self.dialog = Some(Dialog::export("hair.usda".into())),
            Command::Export(path) => self.export(path),
            Command::Groom(path) => self.take_groom(Some(path)),
            Command::NoGroom => self.take_groom(None),
            Command::FitGroom => self.fit_groom(),
            Command::AskSequence => {
                let motion = &self.scene.sim.motion;
                let last = match motion.sequence.as_str() {
                    "" => &self.scene.head.file,
                    sequence => sequence,
                };
                self.dialog = Some(Dialog::sequence(Path::new(last)));
            }
            Command::Sequence(path) => self.take_sequence(&path),
            Command::NoSequence => self.change(|scene| {
                drop_sequence(scene);
                Ok(())
            }),
            Command::Save(path) => self.save(path),
            Command::Open(path) => self.open(path),
            Command::Head(path) => {
                self.dialog = None;
                self.change(|scene| {
                    scene.head.file = path.display().to_string();
                    drop_sequence(scene);
                    Ok(())
                });
            }
            Command::Escape => {
                if self.dialog.take().is_some() || std::mem::take(&mut self.help) {
                    return;
                }
                match self.picked {
                    Some(_) => self.pick(None),
                    None if self.body.take().is_some() => {}
                    None => {
                        self.toasts.dismiss();
                    }
                }
            }
        }
    }

    fn pause(&mut self) {
        if !self.paused {
            self.paused = true;
            self.worker.order(Order::Pause(true));
        }
    }

    fn frame_head(&mut self) {
        let bounds = self.bounds;
        self.look(|camera| camera.frame(bounds));
    }

    fn toggle_trial(&mut self) {
        if self.examiner.trial().is_some() {
            self.examiner.cancel();
        } else if let Some(method) = method(self.scene.solver(self.side()))
            && let Err(error) = self.examiner.start(method)
        {
            let why = io::reason(&error);
            self.toasts
                .error(format!("The validation cannot start: {why}"));
        }
    }
}

#[cfg(test)]
impl Program {
    /// One with little hair and one thread, for tests.
    pub fn small() -> Self {
        let mut scene = Scene::default();
        scene.roots.strands = 10;
        scene.groom.vertices = 4;
        Self::new(scene, Some(1), || ()).expect("a thread")
    }
}
