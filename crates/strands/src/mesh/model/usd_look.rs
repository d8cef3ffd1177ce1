//! Materials of USD: UsdPreviewSurface's diffuse colour and its texture, and colours that
//! are shown without a material.

use super::pictures::Pictures;
use crate::mesh::{
    Image, Maps, Material,
    assemble::BARE,
    texture::{self, decode},
};
use lovelock_usd::{Layer, Package, Prim, UsdError, Value};
use std::{collections::HashMap, path::Path, sync::Arc};

/// Materials as they are asked for.
#[derive(Debug)]
pub struct Looks<'a, 'l> {
    layer: &'l Layer<'l>,
    package: Option<&'l Package<'a>>,
    path: &'l Path,
    pub materials: Vec<Material>,
    pub warnings: Vec<String>,
    known: HashMap<String, Option<u32>>,
    pictures: Pictures,
}

impl<'a, 'l> Looks<'a, 'l> {
    pub fn new(
        layer: &'l Layer<'l>,
        package: Option<&'l Package<'a>>,
        path: &'l Path,
        pictures: Pictures,
    ) -> Self {
        Self {
            layer,
            package,
            path,
            materials: Vec::new(),
            warnings: Vec::new(),
            known: HashMap::new(),
            pictures,
        }
    }

    /// The material at a path; none where there is none.
    pub fn material(&mut self, path: &str) -> Result<Option<u32>, UsdError> {
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        let number = match self.layer.at(path) {
            Some(prim) => {
                let material = self.read(prim)?;
                self.materials.push(material);
                Some(self.materials.len() as u32 - 1)
            }
            None => None,
        };
        self.known.insert(path.into(), number);
        Ok(number)
    }

    /// A material of the colour that a mesh is shown in without one: the mean of those of
    /// its parts.
    pub fn displayed(&mut self, prim: &Prim) -> Result<Option<u32>, UsdError> {
        let colours = prim.value("primvars:displayColor")?.and_then(Value::floats);
        let colours = colours.filter(|colours| colours.len() >= 3);
        let Some(colours) = colours else {
            return Ok(None);
        };
        let count = (colours.len() / 3) as f64;
        let mean = [0, 1, 2].map(|c| {
            let all = colours.chunks_exact(3).map(|colour| f64::from(colour[c]));
            shade((all.sum::<f64>() / count) as f32)
        });
        self.materials.push(Material {
            name: prim.name.clone(),
            diffuse: mean,
            maps: Maps::default(),
            clear: 0.0,
        });
        Ok(Some(self.materials.len() as u32 - 1))
    }

    fn read(&mut self, prim: &Prim) -> Result<Material, UsdError> {
        let mut material = Material {
            name: prim.name.clone(),
            diffuse: BARE,
            maps: Maps::default(),
            clear: 0.0,
        };
        let Some(surface) = surface(prim)? else {
            return Ok(material);
        };
        let colour = surface
            .value("inputs:diffuseColor")?
            .and_then(Value::floats);
        // What UsdPreviewSurface has where nothing is said.
        let mut diffuse = [0.18; 3];
        if let Some([r, g, b]) = colour.as_deref() {
            diffuse = [*r, *g, *b].map(shade);
        }
        material.maps.colour = self.picture(surface, "inputs:diffuseColor")?;
        material.maps.normal = self.picture(surface, "inputs:normal")?;
        let opacity = surface.value("inputs:opacity")?.and_then(Value::floats);
        let connected = !surface.targets("inputs:opacity")?.is_empty();
        // A connection counts in place of the value.
        if let (Some([opacity]), false) = (opacity.as_deref(), connected) {
            material.clear = 1.0 - opacity.clamp(0.0, 1.0);
        }
        material.diffuse = match material.maps.colour {
            Some(_) => [1.0; 3],
            None => diffuse,
        };
        Ok(material)
    }

    /// The picture that is connected to an input.
    fn picture(&mut self, surface: &Prim, input: &str) -> Result<Option<Arc<Image>>, UsdError> {
        let Some(target) = surface.targets(input)?.into_iter().next() else {
            return Ok(None);
        };
        let path = target.split('.').next().unwrap_or_default();
        let Some(shader) = self.layer.at(path) else {
            return Ok(None);
        };
        let name = shader.word("inputs:file")?;
        if name.is_empty() {
            return Ok(None);
        }
        let (package, path) = (self.package, self.path);
        Ok(self.pictures.take(&name, &mut self.warnings, || {
            if let Some(bytes) = package.and_then(|package| package.file(&name)) {
                return decode(bytes, &name);
            }
            texture::read(&path.with_file_name("").join(name.replace('\\', "/")))
        }))
    }
}

/// A share of light.
fn shade(value: f32) -> f32 {
    match value.is_finite() {
        true => value.clamp(0.0, 1.0),
        false => 0.0,
    }
}

/// The first UsdPreviewSurface in a material.
fn surface<'p, 'b>(prim: &'p Prim<'b>) -> Result<Option<&'p Prim<'b>>, UsdError> {
    for child in &prim.children {
        if child.word("info:id")? == "UsdPreviewSurface" {
            return Ok(Some(child));
        }
        if let Some(found) = surface(child)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
