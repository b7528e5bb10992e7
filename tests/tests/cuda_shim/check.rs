//! Runs cases on the shim and compares every bit with the reference interpreter.

use std::collections::BTreeMap;

use dims::Symbol;
use emit::{Emitted, IndexWidth, Options, cuda_with};
use kernel::typed::Kernel;
use shapewright_runtime::execute::{Argument, BoundsChecks, SizedKernel};
use testing::compare::{copy, first_difference};

use super::host;

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

/// One way in which a case is emitted.
pub struct Job {
    /// The position of the case.
    pub case: usize,
    /// How it was emitted.
    pub options: Options,
    /// The code, under an entry of its own.
    pub code: Emitted,
}

/// The code of each case: for all sizes, and where it is another one, for sizes that are checked. Every eighth case is
/// emitted with its accesses checked as well.
pub fn emit(cases: &[Case]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (position, case) in cases.iter().enumerate() {
        let mut kernel = case.kernel.clone();
        kernel.name = format!("{}_{position}", kernel.name).into();
        let mut seen: Vec<String> = Vec::new();
        for guarded in [false, true] {
            for width in [IndexWidth::Proven, IndexWidth::Checked] {
                let options = Options { width, guarded };
                let mut code = cuda_with(&kernel, options, &|| {});
                let has_obligations = !code.obligations.is_empty();
                assert!(width == IndexWidth::Checked || !has_obligations, "{}: proven, with obligations", case.what);
                if seen.contains(&code.source) || guarded && position % 8 != 0 {
                    continue;
                }
                seen.push(code.source.clone());
                let entry = format!("{}_{}", code.entry, seen.len());
                code.source = code.source.replace(&code.entry, &entry);
                code.entry = entry;
                jobs.push(Job { case: position, options, code });
            }
        }
    }
    jobs
}

/// Runs every case on the interpreter and on the shim. Panics at the first difference.
pub fn check(cases: &[Case], options: &[&str]) {
    let Some(compiler) = host::compiler() else {
        return;
    };
    let jobs = emit(cases);
    let codes: Vec<&Emitted> = jobs.iter().map(|job| &job.code).collect();
    let kernels = host::compile(&compiler, &codes, options).unwrap_or_else(|error| panic!("{error}"));
    let expected: Vec<Vec<Argument>> = cases.iter().map(interpreted).collect();
    for job in &jobs {
        let case = &cases[job.case];
        if !job.code.fits(&|symbol| case.sizes.get(symbol).copied()) {
            continue;
        }
        let mut arguments = copy(&case.arguments).unwrap();
        let extent = SizedKernel::new(&case.kernel, &case.sizes, BoundsChecks::Proven).unwrap().extent();
        let (blocks, threads) = (u32::try_from(extent.blocks).unwrap(), u32::try_from(extent.threads).unwrap());
        assert!(threads <= 1024, "{}: {threads} threads in a block", case.what);
        // SAFETY: the code was compiled with the others, and emitted from the case's kernel; the interpreter found the arguments to
        // fit it, checked every access, and ran it on them without an error.
        let left_out = unsafe { kernels.run(&job.code, &case.sizes, &mut arguments, blocks, threads) }.unwrap();
        assert_eq!(left_out, 0, "{}: accesses outside their tensors", case.what);
        compare(case, &expected[job.case], &arguments, &format!("{:?}", job.options), &job.code.source);
    }
}

/// Panics where a tensor differs from the interpreter's in more than the bits of a NaN.
pub fn compare(case: &Case, expected: &[Argument], found: &[Argument], how: &str, source: &str) {
    for (place, (expected, found)) in expected.iter().zip(found).enumerate() {
        if let (Argument::Tensor(expected), Argument::Tensor(found)) = (expected, found)
            && let Some(difference) = first_difference(expected, found)
        {
            let (what, sizes, name) = (&case.what, &case.sizes, &case.kernel.params.as_slice()[place].name);
            panic!("{what} ({how}), {name}: {difference}; sizes {sizes:?}\n{source}");
        }
    }
}

/// The arguments after the interpreter's run.
pub fn interpreted(case: &Case) -> Vec<Argument> {
    testing::compare::interpreted(&case.kernel, &case.sizes, &case.arguments)
        .unwrap_or_else(|error| panic!("{}: {error}", case.what))
}
