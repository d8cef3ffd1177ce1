//! The running program: the document, what runs beside the window, and what is open
//! in it. Commands are carried out here; panels, gizmos and plots, which only name
//! them, know nothing of it. Neither does it know of windows and of OpenGL.

mod bodies;
mod built;
mod camera;
mod carry;
mod change;
mod dialogs;
mod document;
mod export;
mod files;
mod hand;
mod head;
mod jobs;
mod key_times;
mod outside;
mod pace;
mod parting;
mod placing;
mod recording;
mod righting;
mod shot_camera;
mod shot_loop;
mod sides;
mod strokes;
mod tracks;
mod tunables;

use super::{command::Command, ui_state::UiState};
use crate::{
    project::{
        document::{Document, drop_sequence},
        scene::Scene,
    },
    render::Camera,
    session::{Session, SessionNews, sim_handle::SimCommand},
};

/// The running program.
pub struct AppState {
    /// The scene and all that belongs to it.
    pub document: Document,
    /// What runs beside the window's thread.
    pub session: Session,
    /// What is open in the window.
    pub ui: UiState,
}

impl AppState {
    /// Starts to build `scene`, to be simulated on so many threads; `wake` is called
    /// from another thread when there is something new to see.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        scene: Scene,
        threads: Option<usize>,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Self> {
        let session = Session::new(&scene, threads, wake)?;
        Ok(Self {
            ui: UiState::new(Camera::new(&scene.camera, session.bounds())),
            document: Document::new(scene),
            session,
        })
    }

    /// The mouse button was released: a new drag is a new entry to undo.
    pub fn release(&mut self) {
        self.end_parting();
        self.ui.keyed.drag = None;
        // A stroke is one entry, also what is still being done of it.
        if self.ui.hand.strokes.is_idle() {
            self.document.release();
        }
    }

    /// Takes in what happened on other threads; true when there is a new head
    /// or groom to show.
    pub fn poll(&mut self) -> bool {
        let mut fresh = false;
        while let Some(news) = self.session.next_news() {
            match news {
                SessionNews::Head => {
                    self.take_head();
                    fresh = true;
                }
                SessionNews::Built { before, other_head } => {
                    self.take_built(before.as_deref(), other_head);
                    fresh = true;
                }
                SessionNews::Ended => {
                    self.session.conclude_recording();
                    self.session.pause();
                }
                SessionNews::Failed { message, scene } => self.take_failure(message, scene),
            }
        }
        for note in self.session.recorder_notes() {
            self.take_note(note);
        }
        self.poll_video();
        if let Err(message) = self.session.poll_validation() {
            self.ui.toasts.error(message);
        }
        self.take_endings();
        self.save_on();
        self.watch_pace();
        self.loop_shot();
        fresh
    }

    /// Does what was asked for.
    pub fn perform(&mut self, command: Command) {
        if command.needs_all_keys() {
            self.settle_wheel();
        }
        if command.moves_time() {
            self.ui.keyed.gone_to = None;
        }
        match command {
            Command::Set { place, value, held } => self.set(place, value, held),
            Command::SetBoth { places, held } => self.set_both(places, held),
            Command::SetOfBody {
                row,
                index,
                value,
                held,
            } => self.set_of_body(row, index, value, held),
            Command::ResetSection(number) => self.reset_section(number),
            Command::Style(row) => self.change_style(row),
            Command::EnoughVertices => self.give_vertices(),
            Command::HairOf(name) => self.take_hair_of(name),
            Command::Geometry => self.next_geometry(),
            Command::Pigment(row) => self.change_pigment(row),
            Command::Dye { dye, held } => self.dye(dye, held),
            Command::Solver(id) => self.take_solver(id),
            Command::Compare => self.toggle_compare(),
            Command::ShowSide(side) => self.show_side(side),
            Command::MatchSides => self.change(|scene| scene.b.take(&scene.sim)),
            Command::Dock => self.toggle_dock(),
            Command::ShowPage(page) => self.ui.page = Some(page),
            Command::PickStrand(strand) => self.pick(strand),
            Command::AddBody(kind) => self.add_body(kind),
            Command::CopyBody(row) => self.copy_body(row),
            Command::DeleteBody(row) => self.delete_body(row),
            Command::ChooseBody(row) => self.ui.bodies.row = row,
            Command::PlaceBody { row, body, held } => self.place_body(row, *body, held),
            Command::FitBodies => self.fit_bodies(),
            Command::ShowBodies => self.ui.bodies.shown ^= true,
            Command::Toggle(name) => self.toggle(name),
            Command::AimWind(way) => self.turn_wind(way),
            Command::ShowLight => self.ui.shows_light ^= true,
            Command::PlaceKeyLight(angles) => self.move_light(angles),
            Command::TurnEnvironment(angle) => self.turn_environment(angle),
            Command::PlaceFan([place, axis]) => self.move_fan(place, axis),
            Command::TurnHead(by) => self.turn_head_by(by.map(f32::from)),
            Command::HeadHome => self.head_home(),
            Command::Motion(preset) => self.take_motion(preset),
            Command::SetKeyframe => self.set_key(None),
            Command::AddKeyframe(time) => self.set_key(Some(time)),
            Command::ReplaceKeyframes { keys, held } => self.take_keys(keys, held),
            Command::ReplaceTracks { tracks, held } => self.take_tracks(tracks, held),
            Command::ShowGraph(number) => self.ui.keyed.graph = number,
            Command::ShowFrames(on) => self.ui.timeline.show_frames(on),
            Command::AutoKey(on) => self.set_auto_key(on),
            Command::LoopShot(on) => self.ui.timeline.set_looping(on),
            Command::ShotCamera => self.back_to_shot(),
            Command::KeyView => self.key_view(),
            Command::DropKeyframe(index) => {
                self.change(|scene| scene.sim.motion.keyframes.remove(index));
            }
            Command::Tool(tool) => self.take_tool(tool),
            Command::ResizeBrush(up) => self.size_brush(up),
            Command::Unpin => self.unpin(),
            Command::Validate => self.toggle_validation(),
            Command::Pause => self.toggle_pause(),
            Command::Step => self.pause_and(SimCommand::Step),
            Command::Back | Command::Seek(_) | Command::GoToKey { .. }
                if self.session.recorder().is_recording() =>
            {
                self.ui.toasts.error("Stop the recording first");
            }
            Command::GoToKey { later } => self.go_to_key(later),
            Command::Back => self.pause_and(SimCommand::Go(-1)),
            // What plays goes on from there.
            Command::Seek(time) if self.session.playing().is_some() => {
                self.session.order(SimCommand::Seek(time));
            }
            Command::Seek(time) => self.pause_and(SimCommand::Seek(time)),
            Command::Loop(on) => self.session.order(SimCommand::Loop(on)),
            Command::Leave => self.leave_cache(),
            Command::Reset if self.session.is_stopped() => self.start_again(),
            Command::Reset => self.session.order(SimCommand::Reset),
            Command::FrameHead => self.fly_to_head(),
            Command::View(place) => self.visit(place),
            Command::KeepView(name) => self.keep_view(&name),
            Command::GoToView(row) => self.go_to_view(row),
            Command::NameView(row, name) => self.name_view(row, &name),
            Command::DropView(row) => self.drop_view(row),
            Command::Video => self.toggle_video(),
            Command::Capture => self.toggle_recording(),
            Command::ShowOutside(path) => self.show_outside(path),
            Command::Screenshot => self.ui.screenshot = true,
            Command::SaveTable(name, table) => self.save_table(name, &table),
            Command::FullScreen => self.ui.full_screen ^= true,
            Command::Panel => self.ui.shows_panel ^= true,
            Command::ShowTab(tab) => self.ui.panel.show(tab),
            Command::Fold(section, open) => self.ui.panel.fold(section, open),
            Command::Find => {
                self.ui.shows_panel = true;
                self.ui.panel.find();
            }
            Command::Help => self.ui.shows_help ^= true,
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::SaveScene => self.save_or_ask(),
            Command::AskSave
            | Command::AskOpen
            | Command::AskHead
            | Command::AskGroom
            | Command::AskRebind
            | Command::AskEnvironment
            | Command::AskFile(_)
            | Command::AskSequence => self.ask(&command),
            Command::AskExport => self.ask_export(),
            Command::Export(path, options) => self.export(path, options),
            Command::ExportAnimation(path, options, animation) => {
                self.export_animation(path, options, animation);
            }
            Command::Groom(path) => self.take_groom(Some(path)),
            Command::Environment(name) => self.take_environment(name),
            Command::File(place, path) => self.take_file(place, &path),
            Command::NoGroom => self.take_groom(None),
            Command::Rebind(path) => self.rebind(path),
            Command::FitGroom => self.fit_groom(),
            Command::Placing => self.toggle_placing(),
            Command::PlaceHair { import, held } => self.place_hair(*import, held),
            Command::NearFit(how) => self.fit_near(how),
            Command::Righting => self.ui.rights ^= true,
            Command::TurnModel(degrees) => self.turn_model(degrees),
            Command::FaceHere => self.face_here(),
            Command::Part => self.ui.hand.parting.toggle(),
            Command::PartAt(place) => self.ui.hand.parting.touch(place),
            Command::Sequence(path) => self.take_sequence(&path),
            Command::NoSequence => self.change(drop_sequence),
            Command::Save(path) => self.save(path),
            Command::Open(_) | Command::Example(_) | Command::Play(_) | Command::Close => {
                self.leave_for(command);
            }
            Command::Answer(answer) => self.answer(answer),
            Command::HintRead => self.ui.hint.dismiss(),
            Command::Head(path) => self.take_head_file(&path),
            Command::CancelJob(number) => self.session.cancel_job(number),
            Command::Escape => self.escape(),
        }
    }
}

#[cfg(test)]
impl AppState {
    /// One with little hair and one thread, for tests.
    pub fn small() -> Self {
        let mut scene = Scene::default();
        scene.roots.strands = 10;
        scene.groom.vertices = 4;
        let mut program = Self::new(scene, Some(1), || ()).expect("a thread");
        // Not what somebody has left open on this machine.
        program.ui.panel = super::panel::PanelState::at(None);
        program.ui.timeline = super::timeline::state::TimelineState::at(None);
        program.ui.exports = super::export_choices::ExportChoices::at(None);
        program
    }

    /// Takes what other threads have done until `good`; fails after two minutes.
    pub fn wait(&mut self, what: &str, good: impl Fn(&Self) -> bool) {
        let begun = std::time::Instant::now();
        while !good(self) {
            self.poll();
            self.session.latest();
            assert!(begun.elapsed().as_secs() < 120, "waited in vain for {what}");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// The parameters, to be changed without the simulation knowing: it need not
    /// grow a million strands because a slider was drawn at its end.
    pub fn scene_mut(&mut self) -> &mut Scene {
        self.document.scene_mut()
    }
}
