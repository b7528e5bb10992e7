//! The checker: names, values, typed kernels, diagnostics.
//!
//! [`db`] has the inputs of the incremental engine: files and items. [`names`] finds the item that declares a word,
//! [`evaluate`] gives an item its value, [`generics`] finds the instances of a
//! generic kernel, [`kernels`] types kernels and proves their accesses, [`run_items`] checks
//! `run` items. Each error is a call of a constructor in [`diagnostics`] with the values; the constructor words the
//! message.
//!
//! It uses all crates below it, and none that produces output: no code generation, no pictures, no byte positions. The
//! database itself is a type of `ide`, so queries here take a `dyn Db`. Begin at [`evaluate::value`] and
//! [`kernels::checked_kernel`].

pub mod db;
pub mod diagnostics;
pub mod discard;
pub mod documentation;
pub mod effort;
pub mod evaluate;
mod function_bodies;
pub mod functions;
pub mod generics;
mod kernel_names;
pub mod kernels;
pub mod library;
pub mod names;
mod read;
pub mod run_items;
pub mod settings;
pub mod spelling;
pub mod transforms;
pub mod unit_words;
pub mod values;
pub mod watched;
