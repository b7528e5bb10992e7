//! Tensors: their memory, their elements, initial values, comparison, and `.npy` files.

mod compare;
pub(crate) mod element;
mod error;
mod initial;
pub mod npy;
pub mod round;
mod scalar;
mod small_floats;
mod storage;
mod tensor;

pub use compare::{Comparison, Mismatch, compare, first_mismatch};
pub use element::{Bits, Element, Wide};
pub use elements::ElementType;
pub use error::TensorError;
pub use initial::{Initial, random_bits, random_value};
pub use scalar::Scalar;
pub use small_floats::{E4m3, E5m2};
pub use storage::ALIGNMENT;
pub use tensor::{Offsets, Tensor};

pub(crate) use error::list;

#[cfg(test)]
mod tests;
