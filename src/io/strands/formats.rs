//! All file formats of grooms.

use super::{Format, Writing, abc, data, hair, mitsuba, numpy, obj, pbrt, ply, tfx, usd};

/// All formats; content is tried against each in this order.
pub static FORMATS: &[Format] = &[
    hair::FORMAT,
    ply::FORMAT,
    usd::TEXT,
    usd::CRATE,
    usd::PACKAGE,
    abc::FORMAT,
    tfx::FORMAT,
    numpy::FORMAT,
    data::DATA,
    data::BIN,
    obj::FORMAT,
    pbrt::FORMAT,
    mitsuba::FORMAT,
];

/// How names of grooms end, format after format.
pub fn endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.endings).copied()
}

/// The same as a list for people: `.hair, .ply` and so on.
pub fn endings_text() -> String {
    let dotted: Vec<_> = endings().map(|ending| format!(".{ending}")).collect();
    dotted.join(", ")
}

/// The formats that can be written, each with how.
pub fn written() -> impl Iterator<Item = (&'static Format, &'static Writing)> {
    let writing = |format: &'static Format| Some((format, format.writing.as_ref()?));
    FORMATS.iter().filter_map(writing)
}

/// The format that can be written and is called `id`, or one of whose files a name ends
/// in that, whatever its case.
pub fn writer(id: &str) -> Option<(&'static Format, &'static Writing)> {
    let id = id.to_lowercase();
    let by_id = written().find(|(format, _)| format.id == id);
    by_id.or_else(|| written().find(|(format, _)| format.endings.contains(&&id[..])))
}

/// The names of formats that can be written, with `between` between them.
pub fn written_names(between: &str) -> String {
    let names: Vec<_> = written().map(|(format, _)| format.id).collect();
    names.join(between)
}
