//! The constants of typed expressions.

use std::hash::{Hash, Hasher};

use elements::ElementType;

/// A constant. Two of them are equal if their bits are: `0.0` is not `-0.0`, and a NaN is itself.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    /// `bool`
    Bool(bool),
    /// A value of any integer type but a `u64` above 2⁶³ − 1.
    Int(i64),
    /// A `u64` above 2⁶³ − 1.
    Unsigned(u64),
    /// Any float type.
    Float(f64),
}

impl Constant {
    /// The constant of an integer; `None` if no integer type holds it.
    pub fn integer(value: i128) -> Option<Self> {
        let unsigned = || u64::try_from(value).ok().map(Self::Unsigned);
        i64::try_from(value).ok().map(Self::Int).or_else(unsigned)
    }

    /// 0 or `false`.
    pub fn zero(element: ElementType) -> Self {
        match element {
            ElementType::Bool => Self::Bool(false),
            _ if element.is_float() => Self::Float(0.0),
            _ => Self::Int(0),
        }
    }

    /// 1 or `true`.
    pub fn one(element: ElementType) -> Self {
        match element {
            ElementType::Bool => Self::Bool(true),
            _ if element.is_float() => Self::Float(1.0),
            _ => Self::Int(1),
        }
    }

    /// The value of an integer.
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Bool(_) | Self::Float(_) => None,
        }
    }

    /// What tells it from every other constant: its kind and its bits.
    fn bits(self) -> (std::mem::Discriminant<Self>, u64) {
        let bits = match self {
            Self::Bool(value) => value.into(),
            Self::Int(value) => value.cast_unsigned(),
            Self::Unsigned(value) => value,
            Self::Float(value) => value.to_bits(),
        };
        (std::mem::discriminant(&self), bits)
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}
