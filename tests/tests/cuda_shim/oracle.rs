//! Kernels whose results an oracle of the test knows: on the interpreter, in machine code, in adversarial orders of threads, and
//! as CUDA on the shim.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::{BoundsChecks, at_launch};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Element, Tensor};
use testing::compare::{copy, first_difference, interpreter_and_cpu};

use super::check::{self, Case};
use crate::thread_nests::orders::all_give;

/// A kernel, on what it runs, and what it has to give.
pub struct Expected {
    what: String,
    text: String,
    sizes: BTreeMap<&'static str, i64>,
    arguments: Vec<Argument>,
    results: Vec<(usize, Tensor)>,
}

impl Expected {
    /// A file with one kernel.
    pub fn new(what: impl Into<String>, text: impl Into<String>, sizes: &[(&'static str, i64)]) -> Self {
        let (what, text, sizes) = (what.into(), text.into(), sizes.iter().copied().collect());
        Self { what, text, sizes, arguments: Vec::new(), results: Vec::new() }
    }

    /// The next parameter is a tensor that the kernel reads.
    pub fn reads<T: Element>(mut self, shape: &[u64], elements: &[T]) -> Self {
        self.arguments.push(Argument::Tensor(Tensor::from_slice(shape, elements).unwrap()));
        self
    }

    /// The next parameter is a tensor that holds `before`, and then `after`.
    pub fn becomes<T: Element>(mut self, shape: &[u64], before: &[T], after: &[T]) -> Self {
        self.results.push((self.arguments.len(), Tensor::from_slice(shape, after).unwrap()));
        self.reads(shape, before)
    }

    /// Runs it on the interpreter, in machine code, and with its threads in orders that nobody hopes for.
    fn on_processors(self) -> Case {
        let Self { what, text, sizes, arguments, results } = self;
        let checked = crate::support::check(&text);
        assert!(checked.errors().is_empty(), "{what}\n{text}\n{}", checked.report());
        let kernel = checked.kernel().unwrap();
        let sizes: BTreeMap<Symbol, i64> =
            kernel.symbols.iter().map(|symbol| (symbol.clone(), sizes[symbol.name()])).collect();
        let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("{what}: {problem:?}\n{text}"));
        assert_eq!(bounds, BoundsChecks::Proven, "{what}\n{text}");
        let mut found = copy(&arguments).unwrap();
        if let Err(difference) = interpreter_and_cpu(&kernel, &sizes, &mut found, bounds) {
            panic!("{what}: {difference}\n{text}");
        }
        if let Err(difference) = all_give(&kernel, &sizes, &arguments, &found, seeds::seed()) {
            panic!("{what}, {difference}\n{text}");
        }
        for (place, expected) in results {
            let Argument::Tensor(found) = &found[place] else { panic!("{what}: no tensor at {place}") };
            if let Some(difference) = first_difference(&expected, found) {
                panic!("{what}, {}: {difference}\n{text}", kernel.params.as_slice()[place].name);
            }
        }
        Case { what, kernel: (*kernel).clone(), sizes, arguments }
    }
}

/// Runs every case everywhere. Panics at the first difference.
pub fn everywhere(cases: Vec<Expected>) {
    let cases: Vec<Case> = cases.into_iter().map(Expected::on_processors).collect();
    check::check(&cases, &["-O1"]);
}
