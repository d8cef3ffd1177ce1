//! Values of properties.

/// The numbers or words of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Whole numbers of up to 32 bits; yes is 1 and no is 0.
    I32(Vec<i32>),
    /// Whole numbers that may not fit 32 bits.
    I64(Vec<i64>),
    /// Numbers of half or single precision.
    F32(Vec<f32>),
    /// Numbers of double precision.
    F64(Vec<f64>),
    /// Strings, tokens, and names of other files.
    Text(Vec<String>),
}

/// A value: rows of so many numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// All of them, row after row; of quaternions the real part first.
    pub data: Data,
    /// Numbers of a row: 3 for a point, 16 for a matrix of 4 by 4.
    pub width: usize,
}

impl Data {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(all) => all.len(),
            Self::I64(all) => all.len(),
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
            Self::Text(all) => all.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Value {
    /// Numbers of single precision; none where they are words.
    pub fn floats(self) -> Option<Vec<f32>> {
        Some(match self.data {
            Data::F32(all) => all,
            Data::F64(all) => all.into_iter().map(|v| v as f32).collect(),
            Data::I32(all) => all.into_iter().map(|v| v as f32).collect(),
            Data::I64(all) => all.into_iter().map(|v| v as f32).collect(),
            Data::Text(_) => return None,
        })
    }

    /// Numbers of double precision; none where they are words.
    pub fn doubles(self) -> Option<Vec<f64>> {
        Some(match self.data {
            Data::F64(all) => all,
            Data::F32(all) => all.into_iter().map(f64::from).collect(),
            Data::I32(all) => all.into_iter().map(f64::from).collect(),
            Data::I64(all) => all.into_iter().map(|v| v as f64).collect(),
            Data::Text(_) => return None,
        })
    }

    /// Whole numbers from zero up; none where there are others.
    pub fn counts(self) -> Option<Vec<u32>> {
        match self.data {
            Data::I32(all) => all.into_iter().map(|v| u32::try_from(v).ok()).collect(),
            Data::I64(all) => all.into_iter().map(|v| u32::try_from(v).ok()).collect(),
            _ => None,
        }
    }

    /// Words; none where they are numbers.
    pub fn texts(self) -> Option<Vec<String>> {
        match self.data {
            Data::Text(all) => Some(all),
            _ => None,
        }
    }
}

/// How the numbers of a type are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Bool,
    I32,
    I64,
    F32,
    F64,
    Text,
}

/// What the name of a type says: how its numbers are kept, and how many a row has; none
/// where it is none of values. An array's brackets are no part of it.
pub(crate) fn shape(name: &str) -> Option<(Scalar, usize)> {
    let name = name.strip_suffix("[]").unwrap_or(name);
    let scalar = match name {
        "bool" => Scalar::Bool,
        "uchar" | "int" => Scalar::I32,
        "uint" | "int64" | "uint64" => Scalar::I64,
        "half" | "float" => Scalar::F32,
        "double" | "timecode" => Scalar::F64,
        "string" | "token" | "asset" => Scalar::Text,
        _ => return rows(name),
    };
    Some((scalar, 1))
}

/// The same of types whose rows have several numbers: `float3`, `color3f`, `matrix4d`.
fn rows(name: &str) -> Option<(Scalar, usize)> {
    if let Some(letter) = name.strip_prefix("quat") {
        return Some((precision(letter)?, 4));
    }
    let digit = name.find(|c: char| ('2'..='4').contains(&c))?;
    let (stem, rest) = name.split_at(digit);
    let (number, letter) = rest.split_at(1);
    let number: usize = number.parse().ok()?;
    match (stem, letter) {
        ("int", "") => Some((Scalar::I32, number)),
        ("half" | "float", "") => Some((Scalar::F32, number)),
        ("double", "") => Some((Scalar::F64, number)),
        ("matrix", "d") => Some((Scalar::F64, number * number)),
        ("point" | "normal" | "vector" | "color" | "texCoord", letter) => {
            Some((precision(letter)?, number))
        }
        ("frame", "d") => Some((Scalar::F64, 16)),
        _ => None,
    }
}

fn precision(letter: &str) -> Option<Scalar> {
    match letter {
        "h" | "f" => Some(Scalar::F32),
        "d" => Some(Scalar::F64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_say_how_many_numbers_a_row_has() {
        for (name, wanted) in [
            ("int", Some((Scalar::I32, 1))),
            ("int[]", Some((Scalar::I32, 1))),
            ("float3[]", Some((Scalar::F32, 3))),
            ("color3f[]", Some((Scalar::F32, 3))),
            ("texCoord2d[]", Some((Scalar::F64, 2))),
            ("quatf", Some((Scalar::F32, 4))),
            ("int64[]", Some((Scalar::I64, 1))),
            ("int2[]", Some((Scalar::I32, 2))),
            ("matrix4d", Some((Scalar::F64, 16))),
            ("string", Some((Scalar::Text, 1))),
            ("opaque", None),
            ("rel", None),
            ("texCoord", None),
        ] {
            assert_eq!(shape(name), wanted, "{name}");
        }
    }
}
