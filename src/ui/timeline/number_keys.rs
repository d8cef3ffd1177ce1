//! What rail and graph have in common where they handle keys.

use crate::{
    param::{ParamType, Params, Tracks, Tunable, Value},
    ui::command::Command,
};
use egui::Context;

/// The declaration of the number `name`, `section.key`.
pub fn tunable(sections: &[&dyn Params], name: &str) -> Option<Tunable> {
    let (section, key) = name.rsplit_once('.')?;
    let section = sections.iter().find(|params| params.section() == section)?;
    let mut tunables = section.tunables().into_iter();
    tunables.find(|tunable| tunable.key == key)
}

/// Lets the keys of all numbers be these; `held` while one is dragged.
pub fn replace_tracks(tracks: Tracks, held: bool) -> Command {
    Command::ReplaceTracks { tracks, held }
}

/// Puts keys into the clipboard, as text.
pub fn copy(ctx: &Context, keys: &impl ParamType) {
    if let Value::Text(text) = keys.to_value() {
        ctx.copy_text(text);
    }
}
