//! A second set of a section's tunables, for two sets side by side: the same
//! declarations under another name, `b.pbd` beside `pbd`.

use super::{ParamError, Params, Tunable, Value, check};

/// Tunables that both sets share, so that the second has none of its own: two
/// sides run by one clock.
const SHARED: &[(&str, &str)] = &[("sim", "rate"), ("sim", "speed")];

/// The second set of a section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Second<P>(pub P);

impl<P: Params> Second<P> {
    /// The tunables that are its own, with their places in the section.
    fn own(&self) -> impl Iterator<Item = (usize, Tunable)> + use<P> {
        let section = self.0.section();
        let own = move |(_, t): &(usize, Tunable)| !SHARED.contains(&(section, t.key));
        self.0.tunables().into_iter().enumerate().filter(own)
    }

    /// Gives its values to `params`; what is shared stays there as it is.
    pub fn lay_over(&self, params: &mut (impl Params + ?Sized)) {
        for (place, _) in self.own() {
            put(params, place, self.0.get(place));
        }
    }

    /// Takes the values of `params`, but for what is shared.
    pub fn take(&mut self, params: &(impl Params + ?Sized)) {
        for (place, _) in self.own() {
            put(&mut self.0, place, params.get(place));
        }
    }

    /// Takes those values of `params` that it has none of its own for: where it
    /// is at its default.
    pub fn inherit(&mut self, params: &(impl Params + ?Sized)) {
        for (place, tunable) in self.own() {
            if self.0.get(place) == tunable.default {
                put(&mut self.0, place, params.get(place));
            }
        }
    }
}

/// Sets what is allowed, for it comes from a section of the same declaration.
fn put(params: &mut (impl Params + ?Sized), place: usize, value: Value) {
    if let Err(error) = params.set(place, value) {
        log::error!("{error}");
    }
}

impl<P: Params> Params for Second<P> {
    fn section(&self) -> &'static str {
        self.0.second()
    }

    fn second(&self) -> &'static str {
        self.0.second()
    }

    fn tunables(&self) -> Vec<Tunable> {
        self.own().map(|(_, tunable)| tunable).collect()
    }

    fn get(&self, index: usize) -> Value {
        let place = self.own().nth(index).map_or(usize::MAX, |(place, _)| place);
        self.0.get(place)
    }

    fn set(&mut self, index: usize, value: Value) -> Result<(), ParamError> {
        match self.own().nth(index) {
            Some((place, tunable)) => {
                // Here, so that a refusal names this section.
                let value = check(self.section(), &tunable, value)?;
                self.0.set(place, value)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{param, params};

    params! {
        /// A section with something shared.
        pub struct Clockwork: "sim" {
            /// Shared.
            rate: u32 = 60u32, param::int(1, 99), "", "Rate";
            /// Own.
            wheels: u32 = 4u32, param::int(1, 9), "", "Wheels";
        }
    }

    #[test]
    fn it_has_the_declarations_but_not_what_is_shared() {
        let second = Second(Clockwork::default());
        let tunables = second.tunables();
        assert_eq!((tunables.len(), tunables[0].key), (1, "wheels"));
        assert_eq!(second.section(), "b.sim");
        assert_eq!(second.get(0), Value::Int(4));
    }

    #[test]
    fn a_refusal_names_the_second_set() {
        let mut second = Second(Clockwork::default());
        let error = second.set(0, Value::Int(10)).expect_err("too many");
        assert_eq!(
            error.to_string(),
            "b.sim.wheels = 10 is outside its range 1 to 9"
        );
        param::set_by_name(&mut [&mut second], "b.sim.wheels", "7").expect("allowed");
        assert_eq!(second.0.wheels, 7);
    }

    #[test]
    fn values_go_to_and_fro_and_the_clock_stays_one() {
        let mut first = Clockwork {
            rate: 30,
            wheels: 5,
        };
        let mut second = Second(Clockwork {
            rate: 60,
            wheels: 8,
        });
        let mut both = first.clone();
        second.lay_over(&mut both);
        assert_eq!(
            both,
            Clockwork {
                rate: 30,
                wheels: 8
            }
        );
        second.inherit(&first);
        assert_eq!(second.0.wheels, 8, "it has one of its own");
        second.take(&first);
        assert_eq!(
            second.0,
            Clockwork {
                rate: 60,
                wheels: 5
            }
        );
        first.wheels = 3;
        second.0.wheels = 4;
        second.inherit(&first);
        assert_eq!(second.0.wheels, 3);
    }
}
