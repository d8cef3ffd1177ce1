//! What a row of the panel is drawn from.

use crate::{
    param::{Params, Tunable},
    project::history::ParamPlace,
};

/// A row: where its value is, the section that has it, its declaration.
pub(super) type SourceRow<'a> = (ParamPlace, &'a dyn Params, Tunable);
