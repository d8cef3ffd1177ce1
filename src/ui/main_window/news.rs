//! What is new from the simulation's thread, brought to the graphics card.

use super::MainWindow;
use crate::{
    render::SideState,
    session::sim_handle::Snapshot,
    ui::{app_state::AppState, overlay::Status},
};
use std::time::{Duration, Instant};

/// While the disk is behind, a recording looks again after this time.
const DISK_WAIT: Duration = Duration::from_millis(4);

impl MainWindow {
    /// Takes in what happened on other threads; `seen` when there is anything of the
    /// window to be seen.
    pub(super) fn take_news(&mut self, program: &mut AppState, seen: bool) {
        let begun = Instant::now();
        self.news |= program.poll();
        program.session.waits.note("news", begun.elapsed());
        if seen && !self.milestones.has_window() {
            // What can be painted at once comes first: no window stays black.
            self.pacing.want();
        } else if self.news && self.picture.exposed().is_some() {
            // A still is of one head of hair.
            self.pacing.want();
        } else if self.news {
            self.news = false;
            let then = Instant::now();
            match (program.session.built(), program.session.bare_head()) {
                // Then the head alone: hair takes longer to draw.
                (Some(built), _) if seen && !self.milestones.has_head() => {
                    self.picture.take_head(&built.drawing.head);
                    self.news = true;
                    self.pacing.want();
                }
                (Some(built), _) => self.picture.take_drawing(&built.drawing, built.generation),
                (None, Some(head)) => self.picture.take_head(head),
                (None, None) => {}
            }
            program.session.waits.note("other hair", then.elapsed());
        }
    }

    /// Whether the picture shows the hair that was built last.
    pub(super) fn shows_newest_hair(&self, program: &AppState) -> bool {
        let built = program.session.built();
        built.is_some_and(|built| built.generation == self.picture.generation())
    }

    /// Shows the strands that are planted, once the picture shows their hair.
    pub(super) fn take_planted(&mut self, program: &AppState) {
        if let Some(planted) = program.session.planted()
            && self.shows_newest_hair(program)
        {
            self.picture.take_planted(planted);
        }
    }

    /// Brings the newest state to the graphics card; true when it is a frame of
    /// the recording, to be taken now.
    pub(super) fn upload(&mut self, program: &mut AppState) -> bool {
        let recording = program.session.recorder().is_recording();
        // All strands are to be in it, and all light.
        let scene = program.document.scene();
        let whole = program.session.is_planted(scene.followers.each)
            && program.session.has_lighting(&scene.light);
        let room = whole && program.session.recorder().has_room();
        // A still is of one moment, which what is painted over it has to show, too. A single
        // picture comes before the next frame of a recording, or it would wait for its end.
        let shoots = recording && whole && program.ui.screenshot && self.can_shoot(program);
        if shoots || self.picture.exposed().is_some() {
            return false;
        }
        let (snapshot, built) = program.session.latest();
        let now = [snapshot.generation, self.picture.generation()];
        let Some(built) = built.filter(|built| now == [built.generation; 2]) else {
            return false;
        };
        if snapshot.serial == self.picture.uploaded() {
            return false;
        }
        let recorded = recording && snapshot.frame.is_some();
        if recorded && !room {
            // The disk is behind: the frame stays where it is, and the
            // simulation waits for it.
            self.pacing.want_at(Instant::now() + DISK_WAIT);
            return false;
        }
        let states = side_states(snapshot);
        if let Err(error) = self.picture.upload(snapshot.serial, &states) {
            if self.surface.is_lost() {
                return false;
            }
            program.end_comparison(&error.to_string());
            return false;
        }
        let bound = built.bound.as_ref();
        let following = bound.map_or(0, |bound| bound.file.following.strands());
        self.status = Status::of(snapshot, built.groom.strands(), following);
        if recorded {
            // The next frame is computed while this one is drawn.
            program.session.next_frame();
        }
        recorded
    }
}

/// What the sides show.
pub(super) fn side_states(snapshot: &Snapshot) -> Vec<SideState<'_>> {
    let second = snapshot.second.as_ref().map(|second| &second.positions);
    [Some(&snapshot.positions), second]
        .into_iter()
        .flatten()
        .map(|positions| SideState {
            positions,
            shape: &snapshot.shape,
            pose: snapshot.pose,
        })
        .collect()
}
