//! The machine types of values, and the values of all lanes.
//!
//! A value that may differ between lanes is a pack: 128-bit machine vectors that together hold one element per lane.
//! Elements of up to 32 bits take 32 bits each: narrow integers are sign- or zero-extended, f16 and bf16 are f32, and a
//! `bool` is all zeros or all ones. Elements of 64 bits take two vectors for every four lanes.

use cranelift_codegen::ir::{Type, Value, types};
use elements::ElementType;

/// The value of all lanes.
#[derive(Clone, Debug)]
pub enum Pack {
    /// A uniform value, in one register.
    Uniform(Value),
    /// One element per lane.
    Vectors(Vec<Value>),
}

/// The machine vector that holds elements of a type.
pub fn vector_type(element: ElementType) -> Type {
    match register_type(element) {
        types::F32 => types::F32X4,
        types::F64 => types::F64X2,
        types::I64 => types::I64X2,
        _ => types::I32X4,
    }
}

/// The machine type for one value of an element type. Floats narrower than f32 are held as the f32 of equal value.
pub fn register_type(element: ElementType) -> Type {
    match (element.is_float(), element.size_bytes()) {
        (false, 1) => types::I8,
        (false, 2) => types::I16,
        (false, 4) => types::I32,
        (false, _) => types::I64,
        (true, 8) => types::F64,
        (true, _) => types::F32,
    }
}
