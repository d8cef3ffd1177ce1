//! Which files the dialogs list: endings, with spaces between.

use crate::{
    io::{cache, panorama, strands},
    mesh,
};
use std::sync::LazyLock;

/// Endings of what holds a scene, the usual one first: scene files, pictures that were
/// recorded, caches.
pub(super) static SCENES: LazyLock<String> =
    LazyLock::new(|| format!("toml png {}", cache::ENDING));

/// Endings of grooms that are read.
pub(super) static GROOMS: LazyLock<String> =
    LazyLock::new(|| strands::endings().collect::<Vec<_>>().join(" "));

/// Endings of heads that are read, the usual one first.
pub(super) static HEADS: LazyLock<String> = LazyLock::new(|| mesh::read::ENDINGS.join(" "));

/// Endings of environments that are read, the usual one first.
pub(super) static ENVIRONMENTS: LazyLock<String> = LazyLock::new(|| panorama::ENDINGS.join(" "));

/// Endings of grooms that are written, the usual one first.
pub(super) static GROOMS_OUT: LazyLock<String> = LazyLock::new(|| {
    let mut all: Vec<_> = strands::written()
        .flat_map(|(format, _)| format.endings)
        .copied()
        .collect();
    all.sort_by_key(|ending| *ending != USUAL);
    all.join(" ")
});

/// Endings of animations that are written: those of grooms, and that of a cache.
pub(super) static ANIMATIONS_OUT: LazyLock<String> =
    LazyLock::new(|| format!("{} {}", *GROOMS_OUT, cache::ENDING));

/// The ending of a groom that is written where nothing else is said.
pub(super) const USUAL: &str = "usda";

/// Endings of pictures that lie over a head, the usual one first.
const MAPS: &str = "png jpg jpeg tga bmp";

/// The title of the dialog that asks for the file of the parameter called `name`,
/// `section.key`, and the endings that the parameter takes; none for a parameter that no
/// file is asked for, or whose file a command of its own takes.
pub(super) fn of_parameter(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "import.head" => ("Open the head that the hair was made for", HEADS.as_str()),
        "roots.density_map" => ("Open a density map", MAPS),
        "roots.length_map" => ("Open a length map", MAPS),
        "roots.curl_map" => ("Open a curl map", MAPS),
        "roots.stiffness_map" => ("Open a stiffness map", MAPS),
        "roots.colour_map" => ("Open a colour map", MAPS),
        _ => return None,
    })
}
