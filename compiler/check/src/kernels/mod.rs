//! Checks kernels: typing gives a typed kernel, whose accesses are then proven safe and whose barriers are placed.
//!
//! Begin with `queries`. Typing is done by one `checker::Checker`: each file with an `impl Checker` types one kind of thing, and
//! uses the files that only declare what a checker holds. Where both are about one thing, the declaration is in the file in the
//! singular: `view` says what a view is, and `views` types views.

mod access;
mod as_sizes;
mod at_points;
mod atomic_fixes;
mod atomics;
mod bank_conflicts;
mod bindings;
mod bit_casts;
mod branches;
mod calls;
mod checker;
mod claims;
mod coalescing;
mod collectives;
mod conditions;
mod constants;
mod context;
mod copies;
mod definitions;
mod element_maps;
mod exchanged;
mod exchanges;
mod executor;
mod expressions;
mod forms;
mod free_type;
mod free_types;
mod functions;
mod hints;
mod holders;
mod induction;
mod integers;
mod launch;
mod leaving;
mod looped;
mod loops;
mod lower;
mod map_calls;
mod meaning;
mod meanings;
mod memories;
mod narrow;
mod number_guards;
mod operand;
mod operands;
mod operators;
mod owners;
mod pairs;
mod pointwise;
mod prover;
mod queries;
mod races;
mod raised;
mod reached;
mod record;
mod regions;
mod remembered;
mod repeated;
mod results;
mod room;
mod scattered;
mod shared;
mod shared_array;
mod shifted;
mod signature;
mod statements;
mod steps;
mod thread_arrays;
mod threads_in_rows;
mod tiles;
mod typing;
mod view;
mod views;
mod waits;
mod whole_tensors;
mod words;

pub use calls::functions as kernel_functions;
pub(crate) use exchanges::unit_together;
pub use exchanges::{EXCHANGES, OVER};
pub(crate) use functions::function_diagnostics;
pub use meaning::{
    CollectiveLoop, Meaning, PartitionMeaning, SharedMeaning, ThreadArrayMeaning, TileMeaning, TileParts, ViewMeaning,
};
pub use queries::{checked_instance, checked_kernel, refuted_accesses, typed_instance, typed_kernel};
pub use record::Record;
pub use results::{CheckedKernel, PlacedKernel, ProvenKernel, RefutedAccess, TypedKernel};
pub(crate) use tiles::is_new_dimension;
pub use tiles::{PartitionMember, TileFunction, TileMethod, parameters};
