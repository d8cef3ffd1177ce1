//! Where a value is, in eight bytes: of which type, and either itself or its place.

/// Where a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rep(pub(crate) u64);

const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const COMPRESSED: u64 = 1 << 61;
const PAYLOAD: u64 = (1 << 48) - 1;

/// Numbers of types in a file.
pub mod types {
    pub const BOOL: u8 = 1;
    pub const UCHAR: u8 = 2;
    pub const INT: u8 = 3;
    pub const UINT: u8 = 4;
    pub const INT64: u8 = 5;
    pub const UINT64: u8 = 6;
    pub const HALF: u8 = 7;
    pub const FLOAT: u8 = 8;
    pub const DOUBLE: u8 = 9;
    pub const STRING: u8 = 10;
    pub const TOKEN: u8 = 11;
    pub const ASSET: u8 = 12;
    pub const MATRIX2D: u8 = 13;
    pub const MATRIX4D: u8 = 15;
    pub const QUATD: u8 = 16;
    pub const QUATF: u8 = 17;
    pub const QUATH: u8 = 18;
    /// The first vector; those of 2, 3 and 4 numbers follow one another, each of double,
    /// single and half precision and whole.
    pub const VEC2D: u8 = 19;
    pub const VEC2F: u8 = 20;
    pub const VEC4I: u8 = 30;
    pub const PATH_LIST: u8 = 34;
    pub const TOKEN_VECTOR: u8 = 41;
    pub const SPECIFIER: u8 = 42;
    pub const VARIABILITY: u8 = 44;
    pub const TIME_SAMPLES: u8 = 46;
    pub const DOUBLE_VECTOR: u8 = 48;
    pub const BLOCK: u8 = 51;
    pub const TIME_CODE: u8 = 56;
}

/// How one number of a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Bool,
    Byte,
    Int,
    UInt,
    Int64,
    Half,
    Float,
    Double,
    String,
    Token,
}

impl Part {
    /// Its bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::Byte => 1,
            Self::Half => 2,
            Self::Int | Self::UInt | Self::Float | Self::String | Self::Token => 4,
            Self::Int64 | Self::Double => 8,
        }
    }
}

impl Rep {
    /// A value of that type that is in the eight bytes itself.
    pub(crate) fn inlined(kind: u8, value: u32) -> Self {
        Self(INLINED | u64::from(kind) << 48 | u64::from(value))
    }

    /// A value of that type that lies at that place.
    pub(crate) fn at(kind: u8, place: u64) -> Self {
        Self(u64::from(kind) << 48 | place & PAYLOAD)
    }

    /// The same of many.
    pub(crate) fn array(self) -> Self {
        Self(self.0 | ARRAY)
    }

    pub(crate) fn compressed(self) -> Self {
        Self(self.0 | COMPRESSED)
    }

    pub(crate) fn kind(self) -> u8 {
        (self.0 >> 48) as u8
    }

    pub(crate) fn is_array(self) -> bool {
        self.0 & ARRAY != 0
    }

    pub(crate) fn is_inlined(self) -> bool {
        self.0 & INLINED != 0
    }

    pub(crate) fn is_compressed(self) -> bool {
        self.0 & COMPRESSED != 0
    }

    pub(crate) fn payload(self) -> u64 {
        self.0 & PAYLOAD
    }

    /// How its numbers are written, and how many a row has; none where it is none that is
    /// read.
    pub(crate) fn shape(self) -> Option<(Part, usize)> {
        Some(match self.kind() {
            types::BOOL => (Part::Bool, 1),
            types::UCHAR => (Part::Byte, 1),
            types::INT => (Part::Int, 1),
            types::UINT => (Part::UInt, 1),
            types::INT64 | types::UINT64 => (Part::Int64, 1),
            types::HALF => (Part::Half, 1),
            types::FLOAT => (Part::Float, 1),
            types::DOUBLE | types::TIME_CODE => (Part::Double, 1),
            types::STRING => (Part::String, 1),
            types::TOKEN | types::ASSET => (Part::Token, 1),
            kind @ types::MATRIX2D..=types::MATRIX4D => {
                let side = usize::from(kind - types::MATRIX2D) + 2;
                (Part::Double, side * side)
            }
            types::QUATD => (Part::Double, 4),
            types::QUATF => (Part::Float, 4),
            types::QUATH => (Part::Half, 4),
            kind @ types::VEC2D..=types::VEC4I => {
                let index = kind - types::VEC2D;
                let part = [Part::Double, Part::Float, Part::Half, Part::Int];
                (part[usize::from(index % 4)], usize::from(index / 4) + 2)
            }
            _ => return None,
        })
    }

    /// Whether its rows are quaternions, whose real part lies last in a file.
    pub(crate) fn is_quaternion(self) -> bool {
        matches!(self.kind(), types::QUATD | types::QUATF | types::QUATH)
    }

    /// Whether its rows are matrices, which lie in their place by the diagonal alone.
    pub(crate) fn is_matrix(self) -> bool {
        matches!(self.kind(), types::MATRIX2D..=types::MATRIX4D)
    }
}
