//! The prims of a crate file.

use super::{
    Rep,
    file::CrateFile,
    paths::{self, NONE},
    rep::types,
    source::{CrateSource, OpenCrate, is_sampled, value},
};
use crate::{
    DEEPEST, Layer, Prim, Property, Specifier, UsdError, Value, layer::ValueSource,
    samples::TimeSamples,
};
use std::{collections::HashMap, rc::Rc};

/// What a spec is of, by its number in a file.
pub const ATTRIBUTE: i64 = 1;
pub const PRIM: i64 = 6;
pub const ROOT: i64 = 7;
const RELATIONSHIP: i64 = 8;
const VARIANT_SET: i64 = 11;

/// The layer of a crate file.
pub fn read(bytes: &[u8]) -> Result<Layer<'_>, UsdError> {
    let file = CrateFile::open(bytes)?;
    let paths = paths::read(&file)?;
    let count = paths.nodes.len();
    file.spend_on_tables(count.saturating_mul(40))?;
    let mut specs = vec![None; count];
    {
        let mut section = file.section(b"SPECS")?;
        let count = section.size()?;
        let mut list =
            || -> Result<Vec<i64>, UsdError> { Ok(file.integers(&mut section, count)?.collect()) };
        let (numbers, sets, kinds) = (list()?, list()?, list()?);
        for ((number, set), kind) in numbers.into_iter().zip(sets).zip(kinds) {
            if let Some(spec) = specs.get_mut(number as u32 as usize) {
                *spec = Some((set as u32, kind));
            }
        }
    }
    let mut children = vec![Vec::new(); count];
    for number in &paths.order {
        let parent = paths.nodes[*number as usize].parent;
        if parent != NONE {
            children[parent as usize].push(*number);
        }
    }
    let root = paths.order.first().copied().unwrap_or(NONE);
    let reader = Reader {
        open: Rc::new(OpenCrate { file, paths }),
        specs,
        children,
    };
    let mut layer = Layer::default();
    let mut order = Vec::new();
    if let Some((set, ROOT)) = reader.spec(root) {
        for (name, rep) in reader.open.file.set(set)? {
            match &name[..] {
                "metersPerUnit" => layer.metres_per_unit = reader.number(rep)?,
                "timeCodesPerSecond" => layer.time_codes_per_second = reader.number(rep)?,
                "framesPerSecond" => layer.frames_per_second = reader.number(rep)?,
                "upAxis" => layer.up_axis = Some(reader.word(rep)?),
                "primChildren" => order = reader.words(rep)?,
                "subLayers" => layer.refers = true,
                _ => {}
            }
        }
        layer.prims = reader.prims(root, order, 0)?;
    }
    layer.open = Some(reader.open);
    Ok(layer)
}

struct Reader<'a> {
    open: Rc<OpenCrate<'a>>,
    /// Field set and kind of each path, where it has a spec.
    specs: Vec<Option<(u32, i64)>>,
    children: Vec<Vec<u32>>,
}

impl<'a> Reader<'a> {
    fn spec(&self, number: u32) -> Option<(u32, i64)> {
        self.specs.get(number as usize).copied().flatten()
    }

    fn words(&self, rep: Rep) -> Result<Vec<String>, UsdError> {
        let words = value(&self.open.file, rep)?.and_then(Value::texts);
        Ok(words.unwrap_or_default())
    }

    fn word(&self, rep: Rep) -> Result<String, UsdError> {
        Ok(self.words(rep)?.into_iter().next().unwrap_or_default())
    }

    fn number(&self, rep: Rep) -> Result<Option<f64>, UsdError> {
        let all = value(&self.open.file, rep)?.and_then(Value::doubles);
        Ok(all.and_then(|all| all.first().copied()))
    }

    fn name(&self, number: u32) -> String {
        let open = &self.open;
        open.file.token(open.paths.nodes[number as usize].token)
    }

    /// The prims in that one, in the order of these names.
    fn prims(
        &self,
        parent: u32,
        order: Vec<String>,
        depth: usize,
    ) -> Result<Vec<Prim<'a>>, UsdError> {
        if depth > DEEPEST {
            return Err(UsdError::whole("prims stand in prims too deeply"));
        }
        let mut out = Vec::new();
        for child in &self.children[parent as usize] {
            if let Some((set, PRIM)) = self.spec(*child) {
                out.push(self.prim(*child, set, depth)?);
            }
        }
        sort(&mut out, order, |prim| &prim.name);
        Ok(out)
    }

    fn prim(&self, number: u32, set: u32, depth: usize) -> Result<Prim<'a>, UsdError> {
        let mut prim = Prim {
            name: self.name(number),
            ..Prim::default()
        };
        let (mut children, mut properties) = (Vec::new(), Vec::new());
        for (name, rep) in self.open.file.set(set)? {
            match &name[..] {
                "typeName" => prim.kind = self.word(rep)?,
                "specifier" if rep.kind() == types::SPECIFIER => {
                    prim.specifier = match rep.payload() {
                        0 => Specifier::Def,
                        1 => Specifier::Over,
                        _ => Specifier::Class,
                    };
                }
                "primChildren" => children = self.words(rep)?,
                "properties" => properties = self.words(rep)?,
                "references" | "payload" => prim.refers = true,
                "active" => prim.inactive = self.number(rep)? == Some(0.0),
                _ => {}
            }
        }
        for child in &self.children[number as usize] {
            match self.spec(*child) {
                Some((set, ATTRIBUTE | RELATIONSHIP)) => {
                    prim.properties.push(self.property(*child, set)?);
                }
                Some((_, VARIANT_SET)) => prim.variant_sets += 1,
                _ => {}
            }
        }
        sort(&mut prim.properties, properties, |property| &property.name);
        prim.children = self.prims(number, children, depth + 1)?;
        Ok(prim)
    }

    fn property(&self, number: u32, set: u32) -> Result<Property<'a>, UsdError> {
        let mut property = Property {
            name: self.name(number),
            element_size: 1,
            ..Property::default()
        };
        let bare = |rep| CrateSource {
            open: self.open.clone(),
            rep,
        };
        let source = |rep| Some(ValueSource::Crate(bare(rep)));
        for (name, rep) in self.open.file.set(set)? {
            match &name[..] {
                "typeName" => property.kind = self.word(rep)?,
                "default" if rep.kind() != types::BLOCK => property.value = source(rep),
                "timeSamples" if is_sampled(&self.open.file, rep)? => {
                    property.samples = Some(TimeSamples::Crate(bare(rep)));
                }
                "interpolation" => property.interpolation = self.word(rep)?,
                "elementSize" => {
                    let size = value(&self.open.file, rep)?.and_then(Value::counts);
                    let size = size.and_then(|all| all.first().copied());
                    property.element_size = size.unwrap_or(1) as usize;
                }
                "targetPaths" | "connectionPaths" => property.targets = source(rep),
                _ => {}
            }
        }
        Ok(property)
    }
}

/// Brings what has names into their order; what is not among these comes last.
fn sort<T>(all: &mut [T], order: Vec<String>, name: impl Fn(&T) -> &String) {
    let ranks: HashMap<String, usize> = order.into_iter().zip(0..).collect();
    all.sort_by_key(|each| ranks.get(name(each)).copied().unwrap_or(usize::MAX));
}
