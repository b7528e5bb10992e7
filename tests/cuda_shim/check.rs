//! Runs cases on the shim and compares every bit with the reference interpreter.

use std::collections::BTreeMap;

use shapewright_compiler::dims::Symbol;
use shapewright_compiler::emit::{Emitted, IndexWidth, cuda_with};
use shapewright_compiler::kernels::typed::Kernel;
use shapewright_runtime::execute::{Argument, Control, Executor, bind, run_kernel};
use shapewright_runtime::testing::compare::{copy, first_difference};

use crate::host;

/// A kernel with what it runs on.
pub struct Case {
    /// What it tests, for messages.
    pub what: String,
    /// The kernel.
    pub kernel: Kernel,
    /// The values of its symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// One argument per parameter.
    pub arguments: Vec<Argument>,
}

/// The emitted code of each case, under entries of different names.
pub fn emit(cases: &[Case], width: IndexWidth) -> Vec<Emitted> {
    let named = |(position, case): (usize, &Case)| {
        let mut kernel = case.kernel.clone();
        kernel.name = format!("{}_{position}", kernel.name).into();
        cuda_with(&kernel, width)
    };
    cases.iter().enumerate().map(named).collect()
}

/// Runs every case on the interpreter, and on the shim with both index widths. Panics at the first difference.
pub fn check(cases: &[Case], options: &[&str]) {
    let Some(compiler) = host::compiler() else {
        return;
    };
    let expected: Vec<Vec<Argument>> = cases.iter().map(interpreted).collect();
    for width in [IndexWidth::Proven, IndexWidth::Checked] {
        let emitted = emit(cases, width);
        let kernels = host::compile(&compiler, &emitted, options).unwrap_or_else(|error| panic!("{error}"));
        for (position, case) in cases.iter().enumerate() {
            let code = &emitted[position];
            if !code.fits(&|symbol| case.sizes.get(symbol).copied()) {
                assert_eq!(width, IndexWidth::Checked, "{}: proven code has obligations", case.what);
                continue;
            }
            let mut arguments = copy(&case.arguments).unwrap();
            let extent = bind::bind(&case.kernel, &case.sizes, &arguments).unwrap();
            let (blocks, threads) = (u32::try_from(extent.blocks).unwrap(), u32::try_from(extent.threads).unwrap());
            assert!(threads <= 1024, "{}: {threads} threads in a block", case.what);
            // SAFETY: the code at the position was emitted from the case's kernel; `bind` found the arguments to fit
            // it, and the interpreter, which checks every access, ran it on them without an error.
            unsafe { kernels.run(position, code, &case.sizes, &mut arguments, blocks, threads) }.unwrap();
            for (place, (expected, found)) in expected[position].iter().zip(&arguments).enumerate() {
                if let (Argument::Tensor(expected), Argument::Tensor(found)) = (expected, found)
                    && let Some(difference) = first_difference(expected, found)
                {
                    let name = &case.kernel.params[place].name;
                    panic!("{} ({width:?}), {name}: {difference}; sizes {:?}\n{}", case.what, case.sizes, code.source);
                }
            }
        }
    }
}

/// The arguments after the interpreter's run.
fn interpreted(case: &Case) -> Vec<Argument> {
    let mut arguments = copy(&case.arguments).unwrap();
    let control = Control::default();
    run_kernel(&case.kernel, &case.sizes, &mut arguments, Executor::Interpreter, &control)
        .unwrap_or_else(|error| panic!("{}: {error}", case.what));
    arguments
}
