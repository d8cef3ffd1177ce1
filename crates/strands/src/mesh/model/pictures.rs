//! Pictures of a model, each read once.

use crate::mesh::Image;
use std::{collections::HashMap, sync::Arc};

/// Pictures by their names.
#[derive(Debug, Default)]
pub struct Pictures {
    read: HashMap<String, Option<Arc<Image>>>,
    /// Whether none is read.
    none: bool,
}

impl Pictures {
    /// Of which none is read: for faces alone.
    pub fn none() -> Self {
        Self {
            none: true,
            ..Self::default()
        }
    }

    /// The picture of that name; one that cannot be read earns a warning.
    pub fn take(
        &mut self,
        name: &str,
        warnings: &mut Vec<String>,
        read: impl FnOnce() -> Result<Image, String>,
    ) -> Option<Arc<Image>> {
        if self.none {
            return None;
        }
        if let Some(known) = self.read.get(name) {
            return known.clone();
        }
        let read = match read() {
            Ok(image) => Some(Arc::new(image)),
            Err(why) => {
                warnings.push(format!(
                    "the texture {name} cannot be read ({why}); its colours are missing"
                ));
                None
            }
        };
        self.read.insert(name.into(), read.clone());
        read
    }
}
