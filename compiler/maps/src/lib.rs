//! Index maps: one type for every way of saying where an element lies.
//!
//! A map takes an upper coordinate (as the program writes it) to a lower coordinate (nearer to memory), and decides
//! which upper coordinates are valid. Layouts, `reshape_map`, transforms and the accesses of a kernel are all ways to
//! build [`IndexMap`]; the prover, the evaluator and the emitter know only this type.
//!
//! [`shapes`] has the arithmetic of shapes. [`threads`] has units of threads and tilings; which threads run which
//! iteration is an index map too. [`normal`] is the form in which provers see a map.
//!
//! It uses `dims`, and proves nothing. Begin at [`IndexMap`] and [`MapBuilder`].

mod affine;
pub mod arithmetic;
mod at;
mod builder;
mod chunk;
mod compiled;
mod compose;
mod describe;
mod digits;
mod display;
mod error;
mod evaluate;
pub mod hardware;
mod index_map;
pub mod inverse;
mod inverted;
mod lanes;
mod masks;
pub mod normal;
pub mod owners;
mod permute;
pub mod range;
mod replace;
mod reshape;
pub mod row_major;
mod siblings;

pub use describe::labels as atom_labels;
pub use display::extents;
pub use range::xor_unit;

pub use at::{SymbolicPoint, Validity, at};
pub use builder::MapBuilder;
pub use chunk::{Chunk, Walk};
pub use compiled::{CompiledMap, Domain};
pub use compose::{ChainLevel, chain, compose, specialize, with_coordinates, with_extent};
pub use describe::{Description, Piece, describe};
pub use error::MapError;
pub use evaluate::{Point, evaluate};
pub use index_map::{Affine, AxisRole, IndexMap, LowerAxis, Mask, MaskReason, Term, TermId, UpperAxis};
pub use inverse::{NoInverse, upper};
pub use inverted::inverse;
pub use owners::{OwnersError, owners};
pub use permute::permute;
pub use range::Range;
pub use replace::replace_symbol;
pub use reshape::{LayoutEntry, ReshapeMapSpec, reshape_map};
pub use siblings::{continuous_linear, linear, map2d};

pub mod shapes;
pub mod threads;
