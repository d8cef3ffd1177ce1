//! The tree of prims that every kind of USD file is read to.

use crate::{
    Package, UsdError, Value,
    binary::{self, CrateSource, OpenCrate},
    is_crate, is_text, package,
    samples::TimeSamples,
    text::{self, TextSource},
    transform::operation,
};
use glam::DMat4;
use std::rc::Rc;

/// One USD file, without those that it refers to.
#[derive(Debug, Default)]
pub struct Layer<'a> {
    /// The axis that points up, `Y` or `Z`, where the file says it.
    pub up_axis: Option<String>,
    /// The length of its unit, where the file says it. `[m]`
    pub metres_per_unit: Option<f64>,
    /// Time codes a second, where the file says it.
    pub time_codes_per_second: Option<f64>,
    /// Frames a second, where the file says it.
    pub frames_per_second: Option<f64>,
    /// Whether it has sublayers, which are not read.
    pub refers: bool,
    /// Prims that stand in no other.
    pub prims: Vec<Prim<'a>>,
    /// The crate file that its values are decoded from, where it is one.
    pub(crate) open: Option<Rc<OpenCrate<'a>>>,
}

/// What a prim is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specifier {
    /// It is there.
    #[default]
    Def,
    /// It says more of one of another layer.
    Over,
    /// Others inherit from it.
    Class,
}

/// A node of the tree.
#[derive(Debug, Default)]
pub struct Prim<'a> {
    /// Its name, which no other child of its parent has.
    pub name: String,
    /// Its schema: `Xform`, `Mesh`; empty where it has none.
    pub kind: String,
    /// What it is for.
    pub specifier: Specifier,
    /// What it says of itself.
    pub properties: Vec<Property<'a>>,
    /// Prims in it.
    pub children: Vec<Prim<'a>>,
    /// How many sets of variants it has; they are not read.
    pub variant_sets: usize,
    /// Whether more of it is in another layer, which is not read.
    pub refers: bool,
    /// Whether it is switched off (`active = false`), with all in it.
    pub inactive: bool,
}

/// An attribute or a relationship.
#[derive(Clone, Debug, Default)]
pub struct Property<'a> {
    /// Its name, with its namespaces.
    pub name: String,
    /// The name of its type: `point3f[]`; `rel` for a relationship.
    pub kind: String,
    /// How its rows are spread over points and faces; empty where it does not say.
    pub interpolation: String,
    /// Rows of its type that make one of its own; 1 where it does not say.
    pub element_size: usize,
    pub(crate) value: Option<ValueSource<'a>>,
    pub(crate) samples: Option<TimeSamples<'a>>,
    pub(crate) targets: Option<ValueSource<'a>>,
}

/// Where something is written.
#[derive(Clone, Debug)]
pub(crate) enum ValueSource<'a> {
    Text(TextSource<'a>),
    Crate(CrateSource<'a>),
}

impl<'a> Layer<'a> {
    /// The layer in the bytes of a file of any kind; of a package the first one.
    ///
    /// # Errors
    /// When it is none, or its tree is damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, UsdError> {
        if is_text(bytes) {
            return text::read(bytes);
        }
        if is_crate(bytes) {
            return binary::read(bytes);
        }
        if !package::is(bytes) {
            return Err(UsdError::whole("it is no USD file"));
        }
        let layer = Package::open(bytes)?.layer()?;
        match layer {
            _ if is_text(layer) => text::read(layer),
            _ if is_crate(layer) => binary::read(layer),
            _ => Err(UsdError::whole("the first file of the package is no layer")),
        }
    }

    /// Allows as much to be decoded from now on as from a file that was just opened. What
    /// is decoded of a file is bounded, so that a damaged one cannot name the same bytes
    /// without end; a film decodes what stands still in it again for each pose, and calls
    /// this before.
    pub fn renew_bound(&self) {
        if let Some(open) = &self.open {
            open.file.renew_bound();
        }
    }

    /// The prim at that path.
    pub fn at(&self, path: &str) -> Option<&Prim<'a>> {
        let mut found: Option<&Prim> = None;
        for name in path.strip_prefix('/')?.split('/') {
            let list = found.map_or(&self.prims, |prim| &prim.children);
            found = Some(list.iter().find(|prim| prim.name == name)?);
        }
        found
    }
}

impl<'a> Prim<'a> {
    /// Its property of that name.
    pub fn property(&self, name: &str) -> Option<&Property<'a>> {
        self.properties.iter().find(|found| found.name == name)
    }

    /// The value of its property of that name; none where it has none.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn value(&self, name: &str) -> Result<Option<Value>, UsdError> {
        self.property(name).map_or(Ok(None), Property::value)
    }

    /// The same at a time; none is the value without a time, or else the first.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn value_at(&self, name: &str, time: Option<f64>) -> Result<Option<Value>, UsdError> {
        let found = self.property(name);
        found.map_or(Ok(None), |property| property.value_at(time))
    }

    /// The first word of its property of that name; empty where it has none.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn word(&self, name: &str) -> Result<String, UsdError> {
        let texts = self.value(name)?.and_then(Value::texts);
        Ok(texts
            .and_then(|all| all.into_iter().next())
            .unwrap_or_default())
    }

    /// What a relationship of that name, or a connected attribute, points to: paths.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn targets(&self, name: &str) -> Result<Vec<String>, UsdError> {
        self.property(name)
            .map_or(Ok(Vec::new()), Property::targets)
    }

    /// Where it stands, under a parent that stands there: for points that are columns.
    ///
    /// # Errors
    /// When a transform is damaged or of a kind that is not known.
    pub fn place(&self, parent: DMat4) -> Result<DMat4, UsdError> {
        self.place_at(parent, None)
    }

    /// The same at a time; none is without a time, or else the first.
    ///
    /// # Errors
    /// Those of [`place`](Self::place).
    pub fn place_at(&self, parent: DMat4, time: Option<f64>) -> Result<DMat4, UsdError> {
        let order = self.value("xformOpOrder")?.and_then(Value::texts);
        let mut all = parent;
        for name in order.unwrap_or_default() {
            if name == "!resetXformStack!" {
                all = DMat4::IDENTITY;
                continue;
            }
            let (wanted, inverse) = match name.strip_prefix("!invert!") {
                Some(name) => (name, true),
                None => (&name[..], false),
            };
            let Some(numbers) = self.value_at(wanted, time)?.and_then(Value::doubles) else {
                continue;
            };
            let Some(matrix) = operation(wanted, &numbers) else {
                let place = self.property(wanted).and_then(Property::place);
                let text = format!("cannot follow the transform {wanted}; freeze transforms");
                return Err(UsdError {
                    place: place.unwrap_or(crate::UsdPlace::Whole),
                    text,
                });
            };
            all *= if inverse { matrix.inverse() } else { matrix };
        }
        Ok(all)
    }
}

impl Property<'_> {
    /// Its value without a time, or else the first in time; none where it has neither, or
    /// its type is none of values.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn value(&self) -> Result<Option<Value>, UsdError> {
        match (&self.value, &self.samples) {
            (Some(ValueSource::Text(source)), _) => source.value(&self.kind),
            (Some(ValueSource::Crate(source)), _) => source.value(),
            (None, Some(samples)) => samples.value(0, &self.kind),
            (None, None) => Ok(None),
        }
    }

    /// Its value at a time, where it has values in time, between two of them a mixture;
    /// otherwise, and without a time, its [`value`](Self::value).
    ///
    /// # Errors
    /// When it is damaged.
    pub fn value_at(&self, time: Option<f64>) -> Result<Option<Value>, UsdError> {
        match (&self.samples, time) {
            (Some(samples), Some(time)) => samples.at(time, &self.kind),
            _ => self.value(),
        }
    }

    /// The times at which it has values, as they are written; empty where it has none in
    /// time.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn times(&self) -> Result<Vec<f64>, UsdError> {
        self.samples
            .as_ref()
            .map_or(Ok(Vec::new()), TimeSamples::times)
    }

    /// Whether it has values in time, and none without.
    pub fn moves(&self) -> bool {
        self.samples.is_some() && self.value.is_none()
    }

    /// Whether it has values in time, and one without a time as well.
    pub fn is_rest_and_moves(&self) -> bool {
        self.samples.is_some() && self.value.is_some()
    }

    /// What it points to: paths.
    ///
    /// # Errors
    /// When that is damaged.
    pub fn targets(&self) -> Result<Vec<String>, UsdError> {
        match &self.targets {
            Some(ValueSource::Text(source)) => source.links(),
            Some(ValueSource::Crate(source)) => source.paths(),
            None => Ok(Vec::new()),
        }
    }

    /// Where its value is written.
    pub fn place(&self) -> Option<crate::UsdPlace> {
        match (&self.value, &self.samples) {
            (Some(ValueSource::Text(source)), _) => Some(source.place()),
            (Some(ValueSource::Crate(source)), _) => Some(source.place()),
            (None, Some(TimeSamples::Text(all))) => Some(all.first()?.1.place()),
            (None, Some(TimeSamples::Crate(source))) => Some(source.place()),
            (None, None) => None,
        }
    }
}
