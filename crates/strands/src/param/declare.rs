//! The macros that declare tunables, and the Rust types that these can have.

use super::{Ramp, Value};

/// A Rust type that a tunable can have.
pub trait ParamType: Sized {
    /// What its text must be, for the sentence that refuses another; `None` where its kind
    /// says it all.
    const TEXT: Option<&'static str> = None;
    /// The value as a [`Value`].
    fn to_value(&self) -> Value;
    /// Reads a checked value back.
    fn from_value(value: &Value) -> Option<Self>;
}

impl ParamType for f32 {
    fn to_value(&self) -> Value {
        // Through text, so that 0.1f32 is written 0.1 and not 0.10000000149.
        Value::Float(self.to_string().parse().unwrap_or(f64::from(*self)))
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Float(v) => Some(*v as f32),
            Value::Int(v) => Some(*v as f32),
            _ => None,
        }
    }
}

impl ParamType for u32 {
    fn to_value(&self) -> Value {
        Value::Int(i64::from(*self))
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(v) => u32::try_from(*v).ok(),
            _ => None,
        }
    }
}

impl ParamType for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamType for [f32; 3] {
    fn to_value(&self) -> Value {
        Value::Vector(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Vector(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamType for Ramp {
    fn to_value(&self) -> Value {
        Value::Ramp(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Ramp(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamType for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(v) => Some(v.clone()),
            _ => None,
        }
    }
}

/// Declares a section of tunables.
///
/// ```
/// use lovelock_strands::{param::{self, Params}, params};
/// params! {
///     /// How the spring behaves.
///     pub struct Spring: "spring" {
///         /// Force per metre of stretch.
///         stiffness: f32 = 40.0, param::float(0.0, 1000.0), "N/m", "Stiffness";
///     }
/// }
/// assert_eq!(Spring::default().tunables()[0].unit, "N/m");
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $struct_doc:literal])+
        pub struct $name:ident : $section:literal {
            $(
                $(#[doc = $help:literal])+
                $field:ident : $ty:ty = $default:expr, $kind:expr, $unit:literal, $label:literal;
            )+
        }
    ) => {
        $(#[doc = $struct_doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(
                $(#[doc = $help])+
                #[doc = concat!("\n\nUnit: ", $unit, "; declared range: `", stringify!($kind), "`.")]
                pub $field: $ty,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default.into(),)+ }
            }
        }

        impl $crate::param::Params for $name {
            fn section(&self) -> &'static str {
                $section
            }
            fn second(&self) -> &'static str {
                concat!("b.", $section)
            }
            fn tunables(&self) -> Vec<$crate::param::Tunable> {
                use $crate::param::ParamType;
                vec![$($crate::param::Tunable {
                    key: stringify!($field),
                    label: $label,
                    unit: $unit,
                    help: concat!($($help),+).trim_ascii(),
                    kind: $kind,
                    default: <$ty>::from($default).to_value(),
                },)+]
            }
            #[allow(unused_assignments)]
            fn get(&self, index: usize) -> $crate::param::Value {
                use $crate::param::ParamType;
                [$(|s: &Self| s.$field.to_value()),+][index](self)
            }
            fn set(&mut self, index: usize, value: $crate::param::Value) -> Result<(), $crate::param::ParamError> {
                use $crate::param::ParamType;
                let tunable = &self.tunables()[index];
                let value = $crate::param::check($section, tunable, value)?;
                let put: &[fn(&mut Self, &$crate::param::Value) -> bool] =
                    &[$(|s, v| match ParamType::from_value(v) {
                        Some(v) => {
                            s.$field = v;
                            true
                        }
                        None => false,
                    }),+];
                match put[index](self, &value) {
                    true => Ok(()),
                    false => {
                        let text = [$(<$ty as ParamType>::TEXT),+][index];
                        Err($crate::param::unreadable($section, tunable, &value, text))
                    }
                }
            }
        }
    };
}

/// Declares an enum whose variants have names in files: the type of a
/// [`Kind::Choice`](crate::param::Kind::Choice) tunable.
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident {
            $( $(#[doc = $help:literal])+ $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[doc = $help])+ $variant, )+
        }

        impl $name {
            /// The names as files spell them, in declaration order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
            /// The name as files spell it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
            /// The variant of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl $crate::param::ParamType for $name {
            fn to_value(&self) -> $crate::param::Value {
                $crate::param::Value::Choice(self.name())
            }
            fn from_value(value: &$crate::param::Value) -> Option<Self> {
                match value {
                    $crate::param::Value::Choice(name) => Self::from_name(name),
                    _ => None,
                }
            }
        }
    };
}
