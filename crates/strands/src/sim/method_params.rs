//! The parameters of the methods: a section each, kept by its type, so that
//! nothing here names a method.

use crate::param::{ParamError, Params, Tunable, Value};
use std::{any::Any, fmt::Debug};

/// A section of parameters that belongs to a method: any that
/// [`params!`](crate::params) declares.
pub trait MethodSection: Params + Any + Debug + Send + Sync {
    /// The same section once more.
    fn copy(&self) -> Box<dyn MethodSection>;
    /// Whether `other` is of the same method and says the same.
    fn same(&self, other: &dyn MethodSection) -> bool;
    /// Whether every parameter is at its default.
    fn is_default(&self) -> bool;
}

impl<P: Params + Clone + Default + PartialEq + Any + Debug + Send + Sync> MethodSection for P {
    fn copy(&self) -> Box<dyn MethodSection> {
        Box::new(self.clone())
    }

    fn same(&self, other: &dyn MethodSection) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<P>().is_some_and(|other| self == other)
    }

    fn is_default(&self) -> bool {
        *self == P::default()
    }
}

impl Params for Box<dyn MethodSection> {
    fn section(&self) -> &'static str {
        (**self).section()
    }

    fn second(&self) -> &'static str {
        (**self).second()
    }

    fn tunables(&self) -> Vec<Tunable> {
        (**self).tunables()
    }

    fn get(&self, index: usize) -> Value {
        (**self).get(index)
    }

    fn set(&mut self, index: usize, value: Value) -> Result<(), ParamError> {
        (**self).set(index, value)
    }
}

impl Clone for Box<dyn MethodSection> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

impl PartialEq for Box<dyn MethodSection> {
    fn eq(&self, other: &Self) -> bool {
        (**self).same(&**other)
    }
}

/// The parameters of all methods. A section that is not there is at its defaults.
#[derive(Clone, Debug, Default)]
pub struct MethodParams {
    sections: Vec<Box<dyn MethodSection>>,
}

impl MethodParams {
    /// Those of one method.
    pub fn of<P: MethodSection + Clone + Default>(&self) -> P {
        let found = self.sections.iter().find_map(|section| {
            let section: &dyn Any = &**section;
            section.downcast_ref::<P>()
        });
        found.cloned().unwrap_or_default()
    }

    /// Those of one method, to be changed.
    pub fn of_mut<P: MethodSection + Default>(&mut self) -> &mut P {
        let place = self.sections.iter().position(|section| {
            let section: &dyn Any = &**section;
            section.is::<P>()
        });
        let place = place.unwrap_or_else(|| {
            self.sections.push(Box::new(P::default()));
            self.sections.len() - 1
        });
        let section: &mut dyn Any = &mut *self.sections[place];
        section
            .downcast_mut()
            .expect("a section of that type is there")
    }

    /// Makes room for all of `sections`, in their order; what is there already
    /// keeps its values.
    pub fn put(&mut self, sections: Vec<Box<dyn MethodSection>>) {
        let had = std::mem::replace(&mut self.sections, sections);
        for section in had {
            let name = section.section();
            match self.sections.iter_mut().find(|new| new.section() == name) {
                Some(new) => *new = section,
                None => self.sections.push(section),
            }
        }
    }

    /// All sections that are there, in their order.
    pub fn sections(&self) -> impl Iterator<Item = &dyn MethodSection> {
        self.sections.iter().map(|section| &**section)
    }

    /// The same, to be changed.
    pub fn sections_mut(&mut self) -> impl Iterator<Item = &mut dyn MethodSection> {
        self.sections.iter_mut().map(|section| &mut **section)
    }

    /// Sets parameter `key` of every section that has one.
    pub fn set_all(&mut self, key: &str, value: &Value) {
        for section in &mut self.sections {
            let index = section.tunables().iter().position(|t| t.key == key);
            if let Some(Err(error)) = index.map(|index| section.set(index, value.clone())) {
                log::error!("{error}");
            }
        }
    }

    /// The section of that name.
    pub fn named(&self, name: &str) -> Option<&dyn MethodSection> {
        self.sections().find(|section| section.section() == name)
    }

    /// The same, to be changed.
    pub fn named_mut(&mut self, name: &str) -> Option<&mut dyn MethodSection> {
        self.sections_mut()
            .find(|section| section.section() == name)
    }

    /// Whether what is here says nothing else than `other`.
    fn within(&self, other: &Self) -> bool {
        self.sections()
            .all(|section| match other.named(section.section()) {
                Some(there) => section.same(there),
                None => section.is_default(),
            })
    }
}

impl PartialEq for MethodParams {
    fn eq(&self, other: &Self) -> bool {
        self.within(other) && other.within(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{param, params};

    params! {
        /// A method's section.
        pub struct First: "first" {
            /// Something.
            value: u32 = 3u32, param::int(0, 9), "", "Value";
        }
    }

    params! {
        /// Another method's section.
        pub struct Other: "other" {
            /// Something else.
            value: u32 = 4u32, param::int(0, 9), "", "Value";
        }
    }

    #[test]
    fn a_section_that_is_not_there_is_at_its_defaults() {
        let mut some = MethodParams::default();
        assert_eq!((some.of::<First>().value, some.of::<Other>().value), (3, 4));
        some.of_mut::<Other>();
        assert_eq!(some, MethodParams::default());
        some.of_mut::<Other>().value = 5;
        assert_ne!(some, MethodParams::default());
        assert_ne!(MethodParams::default(), some);
        assert_eq!(some.clone(), some);
    }

    #[test]
    fn room_for_more_keeps_what_is_said_and_gives_the_order() {
        let mut some = MethodParams::default();
        some.of_mut::<Other>().value = 5;
        some.put(vec![Box::new(First::default()), Box::new(Other::default())]);
        let names: Vec<_> = some.sections().map(|section| section.section()).collect();
        assert_eq!(names, ["first", "other"]);
        assert_eq!(some.of::<Other>().value, 5);
        some.set_all("value", &Value::Int(7));
        assert_eq!((some.of::<First>().value, some.of::<Other>().value), (7, 7));
    }
}
