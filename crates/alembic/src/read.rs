//! Objects and properties of an archive in memory.

use crate::{
    DEEPEST, Error, Kind, Pod, Sample, Times,
    container::Group,
    header::{PropertyHeader, indexed_metadata, object_headers},
    sample::DIGEST,
};
use std::rc::Rc;

/// An archive: the bytes of a file, and what all of it shares.
#[derive(Clone, Debug)]
pub struct Archive<'a> {
    root: Group<'a>,
    shared: Rc<Shared>,
}

#[derive(Debug)]
struct Shared {
    metadata: Vec<String>,
    times: Vec<Times>,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// Its name, which no other child of its parent has.
    pub name: String,
    /// Which schema it is of, and more.
    pub metadata: String,
    group: Group<'a>,
    depth: usize,
    shared: Rc<Shared>,
}

/// A property.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    header: PropertyHeader,
    group: Group<'a>,
    depth: usize,
    shared: Rc<Shared>,
}

impl<'a> Archive<'a> {
    /// The archive in the bytes of a file.
    ///
    /// # Errors
    /// When it is none, or its beginning is damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let root = Group::root(bytes)?;
        if root.len() < 6 {
            return Err(Error::new(
                root.here(),
                "its first group is not that of an archive",
            ));
        }
        let metadata = indexed_metadata(root.data(5)?)?;
        let times = Times::read_all(root.data(4)?)?;
        Ok(Self {
            root,
            shared: Rc::new(Shared { metadata, times }),
        })
    }

    /// What the archive says of itself.
    ///
    /// # Errors
    /// When that is damaged.
    pub fn metadata(&self) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(self.root.data(3)?).into_owned())
    }

    /// The object that all others are children of.
    ///
    /// # Errors
    /// When there is none.
    pub fn top(&self) -> Result<Object<'a>, Error> {
        Ok(Object {
            name: "ABC".into(),
            metadata: String::new(),
            group: self.root.group(2)?,
            depth: 0,
            shared: self.shared.clone(),
        })
    }
}

impl<'a> Object<'a> {
    /// Its children.
    ///
    /// # Errors
    /// When they are damaged, or lie too deeply.
    pub fn children(&self) -> Result<Vec<Self>, Error> {
        let group = &self.group;
        let Some(last) = group
            .len()
            .checked_sub(1)
            .filter(|last| group.is_data(*last))
        else {
            return Ok(Vec::new());
        };
        if self.depth >= DEEPEST {
            return Err(Error::new(
                group.here(),
                "objects lie in objects too deeply",
            ));
        }
        let headers = object_headers(group.data(last)?, &self.shared.metadata)?;
        let children = headers.into_iter().enumerate();
        children
            .map(|(i, [name, metadata])| {
                Ok(Self {
                    name,
                    metadata,
                    // The properties come first.
                    group: group.group(i + 1)?,
                    depth: self.depth + 1,
                    shared: self.shared.clone(),
                })
            })
            .collect()
    }

    /// Its properties.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn properties(&self) -> Result<Vec<Property<'a>>, Error> {
        match self.group.len() {
            0 => Ok(Vec::new()),
            _ => properties(self.group.group(0)?, &self.shared, self.depth),
        }
    }

    /// Its property of that name.
    ///
    /// # Errors
    /// When its properties are damaged.
    pub fn property(&self, name: &str) -> Result<Option<Property<'a>>, Error> {
        Ok(self.properties()?.into_iter().find(|p| p.name() == name))
    }
}

fn properties<'a>(
    group: Group<'a>,
    shared: &Rc<Shared>,
    depth: usize,
) -> Result<Vec<Property<'a>>, Error> {
    let Some(last) = group
        .len()
        .checked_sub(1)
        .filter(|last| group.is_data(*last))
    else {
        return Ok(Vec::new());
    };
    if depth >= DEEPEST {
        return Err(Error::new(
            group.here(),
            "properties lie in properties too deeply",
        ));
    }
    let headers = PropertyHeader::read_all(group.data(last)?, &shared.metadata)?;
    let all = headers.into_iter().enumerate();
    all.map(|(i, header)| {
        Ok(Property {
            header,
            group: group.group(i)?,
            depth: depth + 1,
            shared: shared.clone(),
        })
    })
    .collect()
}

impl<'a> Property<'a> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// What is said of it.
    pub fn metadata(&self) -> &str {
        &self.header.metadata
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// How its numbers are kept.
    pub fn pod(&self) -> Pod {
        self.header.pod
    }

    /// Numbers of one value: 3 for a vector.
    pub fn extent(&self) -> usize {
        self.header.extent.max(1)
    }

    /// Number of its samples.
    pub fn samples(&self) -> usize {
        self.header.samples
    }

    /// When they were taken.
    pub fn times(&self) -> Option<&Times> {
        self.shared.times.get(self.header.times)
    }

    /// The number of its last sample that was taken at `time` or before; 0 where none was,
    /// or it does not say when they were.
    pub fn index_at(&self, time: f64) -> usize {
        let samples = self.samples();
        self.times()
            .map_or(0, |times| times.index_at(time, samples))
    }

    /// The properties of a compound.
    ///
    /// # Errors
    /// When they are damaged, or lie too deeply.
    pub fn properties(&self) -> Result<Vec<Self>, Error> {
        match self.header.kind {
            Kind::Compound => properties(self.group, &self.shared, self.depth),
            _ => Ok(Vec::new()),
        }
    }

    /// The property of that name in a compound.
    ///
    /// # Errors
    /// When its properties are damaged.
    pub fn property(&self, name: &str) -> Result<Option<Self>, Error> {
        Ok(self.properties()?.into_iter().find(|p| p.name() == name))
    }

    /// The sample of that number.
    ///
    /// # Errors
    /// When it is not there.
    pub fn sample(&self, index: usize) -> Result<Sample<'a>, Error> {
        let header = &self.header;
        // Samples that are as the one before are kept once at both ends.
        let stored = match (header.first, header.last) {
            (_, 0) => 0,
            (first, _) if index < first => 0,
            (first, last) => (index.min(last) + 1).saturating_sub(first),
        };
        let place = match header.kind {
            Kind::Compound => {
                let text = format!("{} is a compound and has no samples", header.name);
                return Err(Error::new(self.group.here(), text));
            }
            Kind::Scalar => stored,
            // The dimensions come beside each.
            Kind::Array => 2 * stored,
        };
        if place >= self.group.len() {
            let text = format!("{} has no sample {index}", header.name);
            return Err(Error::new(self.group.here(), text));
        }
        let data = self.group.data(place)?;
        Ok(Sample {
            bytes: data.get(DIGEST..).unwrap_or_default(),
            pod: header.pod,
            at: self.group.here(),
        })
    }
}
