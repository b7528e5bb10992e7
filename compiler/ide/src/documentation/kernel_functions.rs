//! Functions in kernels: what the table of functions says of each.

use std::sync::LazyLock;

use kernel::functions::{FUNCTIONS, Function};

use super::Subject::KernelFunction;
use super::{Entry, call};

pub(super) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |function: &&'static Function| {
        call(KernelFunction, function.name, function.parameters, function.text, function.example)
    };
    FUNCTIONS.iter().map(entry).collect()
});
