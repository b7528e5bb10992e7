//! Tiles: rectangular parts of tensors as values, which a block loads, computes with and stores.
//!
//! `partitions` reads `view px = partition(x, [64, 64])`, and `sizes` what it knows the sizes of. `values` reads expressions
//! of tiles, and `shapes` makes the shapes of operands one. `table` lists the words, of which each is defined next to what it
//! does: `makers`, `cat`, `choices`, `products`, `gathers` and `scatters` have functions; `methods`, `folds`, `scans` and
//! `orders` have methods; `members` and `atomics` have the members of partitions. `transfers` loads and stores tiles;
//! `undivided` says of a partition how its tiles are loaded; `arrays` gives tiles their places; `statements` has the statements.
//!
//! A tile in the middle of an expression is an element's expression over the axes of the tile. A tile with a name, and
//! one from which an operation reads in another order, stands in an array of the block.
//!
//! The checks take one thread of a block for the one that does an operation: which thread does which element is not the
//! program's business, and no element is touched by two of them.

mod arrays;
mod atomics;
mod beyond;
mod calls;
mod cat;
mod choices;
mod edge;
mod examples;
mod folds;
mod gathers;
mod makers;
mod members;
mod merges;
mod methods;
mod orders;
pub mod parameters;
mod partition;
mod partitions;
mod products;
mod reductions;
mod scans;
mod scatters;
mod shapes;
mod sizes;
mod slices;
mod state;
mod statements;
mod table;
mod tile;
mod transfers;
mod undivided;
mod uniform;
mod values;
mod words;

pub(super) use choices::SELECT;
pub(super) use partition::Partition;
pub(super) use partitions::is_partition;
pub(super) use scatters::ScatterCall;
pub(crate) use slices::is_new_dimension;
pub(super) use state::{TILE_THREADS, Tiles};
pub(super) use tile::{Tile, TileVariable, variable};
pub use words::{PartitionMember, TileFunction, TileMethod};
