//! What a text means, and what is wrong with it: names, values, typed kernels, diagnostics.
//!
//! [`db`] has the inputs of the incremental engine: files and items. [`names`] finds the item that declares a word,
//! [`evaluate`] gives an item its value, [`kernels`] types a kernel and has its accesses proven, [`run_items`] checks what
//! is run. Whoever finds something wrong calls a constructor of [`diagnostics`] with the values; how it is worded is
//! decided there.
//!
//! It uses all crates below it, and none that writes anything: no code, no pictures, no positions in bytes. The database
//! itself is a type of `ide`, so queries here take a `dyn Db`. Begin at [`evaluate::value`] and [`kernels::checked_kernel`].

pub mod db;
pub mod diagnostics;
pub mod discard;
pub mod evaluate;
pub mod kernels;
pub mod names;
pub mod run_items;
pub mod settings;
pub mod spelling;
pub mod transforms;
pub mod values;
