//! Environments of several pictures, so that each file is decoded once.

use crate::{
    io::panorama::PanoramaError,
    render::{Environment, LightParams},
};
use std::{collections::VecDeque, fs, sync::Arc, time::SystemTime};

/// Environments that are kept, some 25 MB each.
const KEPT: usize = 4;

/// The environments of the last pictures.
#[derive(Default)]
pub struct EnvironmentCache {
    /// Those used last come first.
    kept: VecDeque<Kept>,
}

struct Kept {
    name: String,
    /// When its file was written, where it is one.
    written: Option<SystemTime>,
    environment: Arc<Environment>,
}

impl EnvironmentCache {
    /// What lights a picture as `light` asks for; none for three-point light. A file is
    /// read again when it was written anew.
    ///
    /// # Errors
    /// When the file cannot be read: one sentence.
    pub fn load(&mut self, light: &LightParams) -> Result<Option<Arc<Environment>>, PanoramaError> {
        let name = &light.environment;
        let written = fs::metadata(name).and_then(|file| file.modified()).ok();
        let serves = |kept: &Kept| kept.name == *name && kept.written == written;
        let found = self.kept.iter().position(serves);
        let environment = match found.and_then(|index| self.kept.remove(index)) {
            Some(kept) if kept.environment.is_seen_as(light) => kept.environment,
            Some(kept) => Arc::new(Environment::clone(&kept.environment).seen_as(light)),
            None => match Environment::load(light)? {
                Some(environment) => Arc::new(environment),
                None => return Ok(None),
            },
        };
        self.kept.push_front(Kept {
            name: name.clone(),
            written,
            environment: environment.clone(),
        });
        self.kept.truncate(KEPT);
        Ok(Some(environment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        let mut cache = EnvironmentCache::default();
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
