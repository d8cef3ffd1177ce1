//! An animation from the scene's beginning, simulated and written by a job, which has a
//! simulation of its own: each frame as `lovelock simulate --export` writes it of the scene
//! in a file.

use super::{
    Session,
    building::tell,
    export::{named_by, odd_axis, writer},
};
use crate::{
    io::{
        PartFolder,
        cache::{self, Header, is_named_like_cache},
        name_of,
        strands::{self, Format, Writing},
    },
    project::{
        built_scene::{self, BuildError, BuiltScene, Ground},
        cache_recorder::CacheRecorder,
        export::{
            AnimationOptions, ExportError, ExportOptions, ExportPace, FrameExport, FrameFiles,
            HeadGoes, check_name,
        },
        scene::Scene,
        tween::Tween,
    },
    session::{
        jobs::{Cancelled, JobProgress, Queue},
        outcome::{ExportedAnimation, JobOutcome},
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The share of the work that building head and hair is shown as.
const BUILDING: f32 = 0.05;

/// How the sentence ends that says that the head moves.
const MOVES: &str = "; write the head with it, or let the head stand still";

/// What an animation is written of, and where.
struct AnimationJob {
    path: PathBuf,
    scene: Scene,
    /// What the scene is called, for a cache.
    name: Option<String>,
    options: ExportOptions,
    animation: AnimationOptions,
    /// What files are written, and how; none for a cache.
    files: Option<(&'static Format, &'static Writing)>,
    /// What was built for the window.
    ground: Option<Ground>,
}

/// Frames on their way into files.
enum Recording {
    Frames(Box<FrameExport>),
    Cache(Box<CacheRecorder>, PartFolder),
}

impl Session {
    /// Simulates `scene`, which is called `name`, from time zero on beside the hair that is
    /// shown, and writes it: into one file or numbered ones, by the ending of `path` and the
    /// place for a number in its name, or into a cache. What is there already is replaced once
    /// all is written.
    ///
    /// # Errors
    /// When the name says no format, or one that holds no animation, when files of the format
    /// do not know the axis, when a file of the scene or one that is no cache would be
    /// replaced, when the file is being written already, or when the system gives no thread:
    /// one sentence.
    pub fn export_animation(
        &mut self,
        path: PathBuf,
        (scene, name): (&Scene, Option<String>),
        options: ExportOptions,
        animation: AnimationOptions,
    ) -> Result<(), String> {
        self.check_free(&path)?;
        let files = match is_named_like_cache(&path) {
            true => {
                cache::check_free(&path, true).map_err(|error| error.to_string())?;
                None
            }
            false => Some(self.check_files(&path, scene, options, animation)?),
        };
        if let Some(name) = named_by(scene, &path) {
            return Err(would_replace(&path, &name));
        }
        let title = format!("Exporting {}", name_of(&path));
        let job = AnimationJob {
            path: path.clone(),
            scene: scene.clone(),
            name,
            options,
            animation,
            files,
            ground: self.built.as_ref().map(|built| built.ground.clone()),
        };
        let started = self.start(Queue::Animation, title, move |progress| {
            match job.make(progress) {
                Ok(made) => Ok(JobOutcome::Animated(Box::new(made))),
                Err(ExportError::GivenUp) => Err(Cancelled),
                Err(error) => Ok(JobOutcome::Failed(error.to_string())),
            }
        });
        self.exports.push((started?, path));
        Ok(())
    }

    /// What the name `path` says of files; refuses such as cannot hold an animation, or would
    /// replace others.
    fn check_files(
        &self,
        path: &Path,
        scene: &Scene,
        options: ExportOptions,
        animation: AnimationOptions,
    ) -> Result<(&'static Format, &'static Writing), String> {
        check_name(path)?;
        let (format, writing) = writer(path)?;
        if strands::numbered(path, 1).is_none() && writing.film.is_none() {
            return Err(format!(
                "{}: a file of {} holds one frame; put #### into the name for a number, or choose \
                 a format that holds an animation",
                path.display(),
                format.name
            ));
        }
        if let Some(built) = &self.built {
            let axis = options.up.axis(built.file_axes, format);
            axis.map_err(|why| odd_axis(path, why))?;
        }
        let beside = HeadGoes::of(options.head, format) == HeadGoes::Beside;
        let replaced = animation.taken(path, beside);
        let named = |file: &PathBuf| Some((file.clone(), named_by(scene, file)?));
        match replaced.iter().find_map(named) {
            Some((file, name)) => Err(would_replace(&file, &name)),
            None => Ok((format, writing)),
        }
    }
}

fn would_replace(file: &Path, name: &str) -> String {
    format!(
        "the export would replace {}, which {name} names; give the hair another name",
        file.display()
    )
}

impl AnimationJob {
    /// Simulates and writes it.
    fn make(mut self, progress: &JobProgress) -> Result<ExportedAnimation, ExportError> {
        self.take_saved_handwork()?;
        let mut stage = self.build(progress)?;
        let made = self.record(&mut stage, progress);
        made.map_err(|error| error.of_cache(&self.path))
    }

    fn record(
        &self,
        stage: &mut BuiltScene,
        progress: &JobProgress,
    ) -> Result<ExportedAnimation, ExportError> {
        at(progress, "planting the followers", BUILDING)?;
        let mut recording = self.begin(stage, progress)?;
        for step in 1.. {
            let [done, all] = recording.progress();
            if done == all {
                break;
            }
            let share = BUILDING + (1.0 - BUILDING) * done as f32 / all as f32;
            at(progress, &format!("frame {} of {all}", done + 1), share)?;
            stage.simulation.step(&self.scene.sim);
            recording.follow(stage, &self.scene, step)?;
        }
        at(progress, "giving the files their names", 1.0)?;
        let mut made = self.finish(recording, stage)?;
        if self.scene.compare.on {
            let text = "the scene compares two methods, and the first one's hair is written";
            made.told.push(text.into());
        }
        Ok(made)
    }

    /// Takes what was cut, combed and pinned as a file of the scene has it, which rounds it:
    /// so the command line makes the same of that.
    fn take_saved_handwork(&mut self) -> Result<(), ExportError> {
        if self.scene.handwork.is_empty() {
            return Ok(());
        }
        let mut saved = Scene::default();
        saved.read_text(&self.path, &self.scene.text(&self.path))?;
        self.scene.handwork = saved.handwork;
        Ok(())
    }

    fn build(&self, progress: &JobProgress) -> Result<BuiltScene, ExportError> {
        let told = |told| tell(progress, told, BUILDING);
        let built = match &self.ground {
            Some(ground) => ground.build(&self.scene, &told),
            None => built_scene::build_told(&self.scene, &told),
        };
        built.map_err(|error| match error {
            BuildError::GivenUp => ExportError::GivenUp,
            error => ExportError::Build(error),
        })
    }

    /// Begins the files with the first frame.
    fn begin(&self, stage: &BuiltScene, progress: &JobProgress) -> Result<Recording, ExportError> {
        let (path, fps) = (&self.path, self.animation.fps);
        let frames = self.animation.frames();
        let Some((format, writing)) = self.files else {
            let part =
                PartFolder::beside(path).map_err(|error| ExportError::write(path, &error))?;
            let planned = u32::try_from(frames).unwrap_or(u32::MAX);
            let create = |mut header: Header| {
                if let Some(name) = &self.name {
                    header.call_scene(name);
                }
                cache::Writer::create(&part.place(path), header)
            };
            let plan = (planned, fps);
            let recorder = CacheRecorder::begin(path, &self.scene, stage, plan, create)?;
            return Ok(Recording::Cache(Box::new(recorder), part));
        };
        let files = FrameFiles {
            path: path.clone(),
            numbered: strands::numbered(path, 1).is_some(),
            format,
            writing,
            options: self.options,
            velocities: self.animation.velocities && format.carries.animation,
            camera: self.animation.camera,
            start: self.animation.start,
            together: true,
        };
        let pace = ExportPace::Rate(fps, Tween::new(&stage.simulation));
        let plan = Some((frames, fps));
        let go_on = || !progress.is_cancelled();
        let export = files.begin(stage, &self.scene, pace, plan, 0, &go_on)?;
        let mut export = export.telling_moves(&self.scene, MOVES);
        export.step(stage, &self.scene, 0, u64::MAX)?;
        Ok(Recording::Frames(Box::new(export)))
    }

    fn finish(
        &self,
        recording: Recording,
        stage: &BuiltScene,
    ) -> Result<ExportedAnimation, ExportError> {
        let (path, fps) = (self.path.clone(), self.animation.fps);
        match recording {
            Recording::Frames(export) => {
                let report = export.finish()?;
                Ok(ExportedAnimation {
                    path,
                    format: format!("{}, {}", report.format.name, report.space),
                    plays: false,
                    files: report.files,
                    frames: report.frames,
                    fps,
                    strands: report.strands,
                    bytes: report.bytes,
                    head: report.head,
                    camera: report.camera,
                    told: report.told,
                })
            }
            Recording::Cache(recorder, part) => {
                let [frames, _] = recorder.progress();
                recorder.into_writer().finish()?;
                // Another file may have come there while this was simulated.
                cache::check_free(&path, true)?;
                let kept = part.keep(std::slice::from_ref(&path));
                kept.map_err(|(path, error)| ExportError::write(&path, &error))?;
                Ok(ExportedAnimation {
                    format: "a cache".into(),
                    plays: true,
                    files: 1,
                    frames,
                    fps,
                    strands: stage.groom.strands(),
                    bytes: fs::metadata(&path).map_or(0, |file| file.len()),
                    head: None,
                    camera: None,
                    told: Vec::new(),
                    path,
                })
            }
        }
    }
}

impl Recording {
    /// How many frames are written, of so many.
    fn progress(&self) -> [usize; 2] {
        match self {
            Self::Frames(export) => export.progress(),
            Self::Cache(recorder, _) => recorder.progress(),
        }
    }

    /// Takes what the simulation's `step` has come past.
    fn follow(&mut self, stage: &BuiltScene, scene: &Scene, step: u64) -> Result<(), ExportError> {
        match self {
            Self::Frames(export) => export.step(stage, scene, step, u64::MAX),
            Self::Cache(recorder, _) => Ok(recorder.follow(&stage.simulation)?),
        }
    }
}

/// Tells what is done now.
fn at(progress: &JobProgress, what: &str, share: f32) -> Result<(), ExportError> {
    progress
        .at(what, share)
        .map_err(|Cancelled| ExportError::GivenUp)
}
