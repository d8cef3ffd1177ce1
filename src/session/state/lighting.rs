//! The environment that lights the picture, read by a job.

use super::Session;
use crate::{
    render::Environment,
    session::{
        jobs::Queue,
        outcome::{JobOutcome, name_of},
    },
};
use std::{path::Path, sync::Arc};

/// The environment of the picture.
#[derive(Default)]
pub(super) struct SceneLighting {
    /// The one that was asked for last, as the scene names it.
    asked: String,
    /// Whether its file may be another one by now.
    stale: bool,
    /// The job that reads it.
    reading: Option<u64>,
    environment: Option<Arc<Environment>>,
}

impl Session {
    /// What lights the picture; none for three-point light.
    pub fn environment(&self) -> Option<&Arc<Environment>> {
        self.lighting.environment.as_ref()
    }

    /// Whether the picture is lit as `name` asks for, as far as that can be.
    pub fn is_lit(&self, name: &str) -> bool {
        self.lighting.asked == name && self.lighting.reading.is_none()
    }

    /// Lets the environment be read that a scene names, where it is another one than
    /// before; until it is there the light stays as it is.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn keep_lit(&mut self, name: &str) -> Result<(), String> {
        if self.lighting.asked == name && !self.lighting.stale {
            return Ok(());
        }
        (self.lighting.asked, self.lighting.stale) = (name.into(), false);
        if let Some(number) = self.lighting.reading.take() {
            self.abandon_job(number);
        }
        if name.is_empty() {
            self.lighting.environment = None;
            return Ok(());
        }
        let title = format!("Opening {}", name_of(Path::new(name)));
        let name = name.to_string();
        let number = self.start(Queue::Quick, title, move |_| {
            let read = Environment::load(&name);
            let read = read.map(|read| read.map(Arc::new));
            let read = read.map_err(|error| error.to_string());
            Ok(JobOutcome::Lit(name, read))
        })?;
        self.lighting.reading = Some(number);
        Ok(())
    }

    /// Lets the environment's file be read again, which may have changed.
    pub fn relight(&mut self) {
        self.lighting.stale = true;
    }

    /// Takes over what was read; what cannot be read is three-point light, and a
    /// sentence.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn take_lit(
        &mut self,
        name: &str,
        read: Result<Option<Arc<Environment>>, String>,
    ) -> Result<(), String> {
        if self.lighting.asked != name {
            return Ok(());
        }
        self.lighting.reading = None;
        self.lighting.environment = None;
        self.lighting.environment = read?;
        Ok(())
    }

    /// That job has ended without an environment; whether it was to read one.
    pub fn end_lighting(&mut self, number: u64) -> bool {
        let ended = self.lighting.reading.take_if(|job| *job == number);
        ended.is_some()
    }
}
