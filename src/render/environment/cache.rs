//! Environments that were decoded last.

use super::Environment;
use crate::{io::panorama::PanoramaError, render::LightParams};
use std::{collections::VecDeque, sync::Arc};

/// The environments that were used last, some 25 MB each, so that a file is decoded again
/// only when it was written anew.
pub struct EnvironmentCache {
    /// By name; those used last come first.
    kept: VecDeque<(String, Arc<Environment>)>,
    capacity: usize,
}

/// As many as pictures that are drawn one after another may alternate between.
impl Default for EnvironmentCache {
    fn default() -> Self {
        Self::new(4)
    }
}

impl EnvironmentCache {
    /// Keeps at most so many.
    pub fn new(capacity: usize) -> Self {
        Self {
            kept: VecDeque::with_capacity(capacity + 1),
            capacity,
        }
    }

    /// What lights a picture as `light` asks for; none for three-point light.
    ///
    /// # Errors
    /// When the file cannot be read: one sentence.
    pub fn load(&mut self, light: &LightParams) -> Result<Option<Arc<Environment>>, PanoramaError> {
        let name = &light.environment;
        let environment = match self.find(name) {
            Some(kept) if kept.is_seen_as(light) => kept,
            Some(kept) => Arc::new(Environment::clone(&kept).seen_as(light)),
            None => match Environment::load(light)? {
                Some(environment) => Arc::new(environment),
                None => return Ok(None),
            },
        };
        self.insert(name.clone(), environment.clone());
        Ok(Some(environment))
    }

    /// The environment of that name as it was used last; none where it is not kept, or its
    /// file was written since it was read.
    pub fn find(&self, name: &str) -> Option<Arc<Environment>> {
        let mut kept = self.kept.iter();
        let (_, kept) = kept.find(|(kept, _)| kept == name)?;
        kept.is_as_in_file(name).then(|| kept.clone())
    }

    /// Keeps an environment under the name that scenes give it, in place of the one before.
    pub fn insert(&mut self, name: String, environment: Arc<Environment>) {
        self.kept.retain(|(kept, _)| *kept != name);
        self.kept.push_front((name, environment));
        self.kept.truncate(self.capacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    /// A Radiance picture of even light.
    fn even(light: u8) -> Vec<u8> {
        let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n".to_vec();
        bytes.extend([light, light, light, 129].repeat(32));
        bytes
    }

    #[test]
    fn a_file_is_decoded_once_and_again_when_it_was_written_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sky.hdr");
        std::fs::write(&path, even(128)).expect("written");
        let mut light = LightParams {
            environment: path.display().to_string(),
            ..LightParams::default()
        };
        let mut cache = EnvironmentCache::new(3);
        let mut load = |light: &LightParams| cache.load(light).expect("it is read");
        let first = load(&light).expect("an environment");
        light.environment_turn = 40.0;
        let second = load(&light).expect("an environment");
        assert!(Arc::ptr_eq(&first, &second));
        // Others between do not push it out.
        for name in ["", "sunset", "overcast"] {
            let other = load(&LightParams {
                environment: name.into(),
                ..LightParams::default()
            });
            assert_eq!(other.is_none(), name.is_empty());
        }
        assert!(Arc::ptr_eq(&first, &load(&light).expect("kept")));
        // The program's own comes as the light asks for it, blur and all.
        light.environment_seen = true;
        let name = std::mem::replace(&mut light.environment, "sunset".into());
        let sunset = load(&light).expect("one of the program's");
        assert!(sunset.is_seen_as(&light));
        light.environment = name;
        std::fs::write(&path, even(64)).expect("written");
        let file = std::fs::File::options().write(true).open(&path);
        let later = SystemTime::now() + Duration::from_secs(9);
        file.and_then(|file| file.set_modified(later))
            .expect("a time");
        let again = load(&light).expect("an environment");
        assert!(!Arc::ptr_eq(&first, &again));
        std::fs::remove_file(&path).expect("removed");
        assert!(cache.load(&light).is_err(), "no file, no light");
    }
}
