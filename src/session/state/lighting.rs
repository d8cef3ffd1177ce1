//! The environment that lights the picture: read, and blurred, by jobs.

use super::Session;
use crate::{
    io::name_of,
    render::{Environment, EnvironmentCache, LightParams},
    session::{
        jobs::{Queue, no_thread},
        outcome::JobOutcome,
    },
};
use std::{path::Path, sync::Arc};

/// Environments that are kept for undo: the one that lights the picture and the one before.
const KEPT: usize = 2;

/// The environment of the picture.
pub(super) struct SceneLighting {
    /// What the scene names, and which document it is of.
    name: String,
    document: u64,
    /// What lights the picture, its name, and the document whose scene named it, if one
    /// did: what was named before, while a job reads another.
    environment: Option<Arc<Environment>>,
    lit_by: String,
    lit_in: Option<u64>,
    /// What lit the picture last.
    cache: EnvironmentCache,
    /// Why three-point light takes the place of what the scene names, and of what it named
    /// before.
    fault: Option<String>,
    fault_before: Option<String>,
    /// The job that reads it, or blurs it.
    job: Option<u64>,
    /// The job that reads another one, which the scene does not name before it is there.
    choice: Option<u64>,
}

impl Default for SceneLighting {
    fn default() -> Self {
        Self {
            name: String::new(),
            document: 0,
            environment: None,
            lit_by: String::new(),
            lit_in: None,
            cache: EnvironmentCache::new(KEPT),
            fault: None,
            fault_before: None,
            job: None,
            choice: None,
        }
    }
}

/// What has come of reading an environment.
pub enum ReadEnvironment {
    /// The picture is lit as the scene says.
    Lit,
    /// The environment that was chosen is there, and lights the picture; the scene is to
    /// name it.
    Chosen,
}

/// What stays where an environment that a scene names was not read to the end.
pub enum UnreadEnvironment {
    /// The one of this name lights the picture as before; the scene is to name it again.
    Before(String),
    /// Three-point light, since the scene has named no other: why, in one sentence.
    ThreePoint(String),
}

impl Session {
    /// What lights the picture; none for three-point light.
    pub fn environment(&self) -> Option<&Arc<Environment>> {
        self.lighting.environment.as_ref()
    }

    /// Why three-point light takes the place of the environment that the scene names: one
    /// sentence.
    pub fn environment_fault(&self) -> Option<&str> {
        self.lighting.fault.as_deref()
    }

    /// Whether the picture is lit as `light` asks for, as far as that can be.
    pub fn has_lighting(&self, light: &LightParams) -> bool {
        let lighting = &self.lighting;
        let environment = lighting.environment.as_ref();
        lighting.name == light.environment
            && lighting.job.is_none()
            && environment.is_none_or(|environment| environment.is_seen_as(light))
    }

    /// Lets the environment be read that the scene of a document names, where it is another
    /// one than before, and be blurred as the scene says; until that is done the light stays
    /// as it is. `document` differs from one document to the next.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn follow_light(&mut self, light: &LightParams, document: u64) -> Result<(), String> {
        let name = &light.environment;
        if self.lighting.document != document {
            // It was chosen for the other one.
            self.forget_choice();
            self.lighting.document = document;
        }
        if self.lighting.name != *name {
            if let Some(number) = self.lighting.job.take() {
                self.abandon_job(number);
            }
            // It was chosen for the scene as it was.
            self.forget_choice();
            self.lighting.name.clone_from(name);
            if let Some(fault) = self.lighting.fault.take() {
                self.lighting.fault_before = Some(fault);
            }
            if name.is_empty() {
                self.lighting.light_by(String::new(), None);
            } else if !self.lighting.is_lit_as_named() {
                let Some(kept) = self.lighting.cache.find(name) else {
                    self.lighting.job = Some(self.read_environment(light.clone())?);
                    return Ok(());
                };
                self.lighting.light_by(name.clone(), Some(kept));
            }
        }
        if self.lighting.name == self.lighting.lit_by {
            self.lighting.lit_in = Some(document);
        }
        // A blur that is dragged is followed as fast as it is worked out.
        let environment = self.lighting.environment.as_ref();
        let stale = environment.filter(|environment| !environment.is_seen_as(light));
        if let Some(environment) = stale.filter(|_| self.lighting.job.is_none()) {
            let (environment, light) = (Environment::clone(environment), light.clone());
            let title = "Blurring the environment";
            let started = self.insist(Queue::Quick, title.into(), move || {
                let environment = environment.seen_as(&light);
                let read = Ok(Some(Arc::new(environment)));
                JobOutcome::Environment(light.environment, read)
            });
            self.lighting.job = Some(started.map_err(|error| no_thread(&error))?);
        }
        Ok(())
    }

    /// Reads the environment that `light` names, for the scene to name it once it is there.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn choose_environment(&mut self, light: LightParams) -> Result<(), String> {
        self.forget_choice();
        self.lighting.choice = Some(self.read_environment(light)?);
        Ok(())
    }

    /// Gives up the environment that was chosen, and is not there yet.
    pub fn forget_choice(&mut self) {
        if let Some(number) = self.lighting.choice.take() {
            self.abandon_job(number);
        }
    }

    fn read_environment(&mut self, light: LightParams) -> Result<u64, String> {
        let title = format!("Opening {}", name_of(Path::new(&light.environment)));
        self.start(Queue::Quick, title, move |_| {
            let read = Environment::load(&light);
            let read = read.map(|read| read.map(Arc::new));
            let read = read.map_err(|error| error.to_string());
            Ok(JobOutcome::Environment(light.environment, read))
        })
    }

    /// Takes over what job `number` has read. In place of what the scene names and cannot
    /// be read is three-point light; after a choice that cannot be read all is as it was.
    ///
    /// # Errors
    /// Why it cannot be read: one sentence.
    pub fn take_environment(
        &mut self,
        number: u64,
        name: String,
        read: Result<Option<Arc<Environment>>, String>,
    ) -> Result<ReadEnvironment, String> {
        let lighting = &mut self.lighting;
        if lighting.choice.take_if(|job| *job == number).is_some() {
            let environment = read.map_err(|fault| format!("{fault}; the light is as it was"))?;
            let outdated = lighting.job.take();
            lighting.name.clone_from(&name);
            lighting.light_by(name, environment);
            if let Some(number) = outdated {
                self.abandon_job(number);
            }
            return Ok(ReadEnvironment::Chosen);
        }
        // Nobody hears of another one: a job whose place another takes is abandoned.
        debug_assert_eq!(lighting.job, Some(number));
        lighting.job = None;
        match read {
            Ok(environment) => {
                lighting.light_by(name, environment);
                Ok(ReadEnvironment::Lit)
            }
            Err(fault) => {
                lighting.light_by(name, None);
                lighting.fault = Some(fault.clone());
                Err(format!("{fault}; three-point light takes its place"))
            }
        }
    }

    /// Job `number` has ended without an environment. If it was to read the one that the
    /// scene names, answers what stays in its place.
    pub fn end_lighting(&mut self, number: u64) -> Option<UnreadEnvironment> {
        let lighting = &mut self.lighting;
        lighting.choice.take_if(|job| *job == number);
        lighting.job.take_if(|job| *job == number)?;
        if lighting.name == lighting.lit_by {
            // It was to be blurred, and would not be the next time.
            lighting.light_by(lighting.name.clone(), None);
            return None;
        }
        if lighting.lit_in != Some(lighting.document) {
            // What lights the picture is another scene's, and none of this one's.
            let name = lighting.name.clone();
            let fault = format!("{name}: not read to its end");
            lighting.light_by(name, None);
            lighting.fault = Some(fault.clone());
            return Some(UnreadEnvironment::ThreePoint(fault));
        }
        lighting.name.clone_from(&lighting.lit_by);
        lighting.fault = lighting.fault_before.take();
        Some(UnreadEnvironment::Before(lighting.name.clone()))
    }
}

impl SceneLighting {
    /// Whether what the scene names is at hand, and lights the picture: the scene has come
    /// back to it before another one was read.
    fn is_lit_as_named(&self) -> bool {
        self.environment.is_some() && self.name == self.lit_by
    }

    /// The environment of that name lights the picture from now on; none for three-point
    /// light.
    fn light_by(&mut self, name: String, environment: Option<Arc<Environment>>) {
        if let Some(environment) = &environment {
            self.cache.insert(name.clone(), environment.clone());
        }
        (self.lit_by, self.environment) = (name, environment);
        (self.fault, self.fault_before) = (None, None);
        self.lit_in = Some(self.document);
    }
}
