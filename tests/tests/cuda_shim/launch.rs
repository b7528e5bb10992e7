//! The whole way of a launch — emit, compile, load, copy, launch, copy back — with the shim in the place of the GPU.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dims::{Facts, Sym};
use emit::{Emitted, IndexWidth};
use libloading::Library;
use shapewright_runtime::cuda::driver::{Driver, DriverError};
use shapewright_runtime::cuda::launch::{LaunchError, LaunchReport, run_on};
use shapewright_runtime::cuda::{Code, Compiled, FromCache, NvrtcError};
use shapewright_runtime::execute::{BoundsMode, Control, ExecuteError};
use testing::build::{KernelBuilder, symbol};
use testing::collectives::{Sample, cluster_ranks};

use super::check::{Case, compare, interpreted};
use super::{handmade, host};

/// Runs a case on the stand-in's device; the case's arguments hold the results.
fn launch(
    driver: &Driver,
    folder: &Path,
    compiler: &str,
    case: &mut Case,
    control: &Control<'_>,
) -> Result<LaunchReport, LaunchError> {
    let context = driver.context(0)?;
    let compile = |emitted: &Emitted, arch: &str| -> Result<FromCache, NvrtcError> {
        assert_eq!(arch, "sm_90");
        let folder = folder.join(&emitted.entry);
        std::fs::create_dir_all(&folder).unwrap();
        let library = host::compile_into(&folder, compiler, &[emitted], &["-O1"]).unwrap();
        let code = library.display().to_string().into_bytes();
        let compiled = Compiled { form: Code::Cubin, code, log: String::new(), kernels: Vec::new() };
        Ok(FromCache { compiled, cached: false })
    };
    run_on(&context, &compile, &case.kernel, &case.sizes, &mut case.arguments, control, 3)
}

/// What the stand-in counts.
fn count(path: &Path, name: &str) -> i32 {
    // SAFETY: the stand-in is open already, and its counters are functions that take nothing.
    unsafe {
        let library = Library::new(path).unwrap();
        let counter = library.get::<unsafe extern "C" fn() -> i32>(name.as_bytes()).unwrap();
        counter()
    }
}

/// The stand-in as a driver, built with these options, and where it is.
fn stand_in(folder: &Path, compiler: &str, options: &[&str]) -> (Driver, PathBuf) {
    let source = folder.join("stand_in.cpp");
    std::fs::copy(host::folder().join("stand_in.cpp"), &source).unwrap();
    let library = host::shared_library(compiler, &source, options).unwrap();
    (Driver::open(&[&library]).unwrap(), library)
}

/// A device without clusters is found out before anything is compiled for it.
#[test]
fn clusters_need_a_device_that_has_them() {
    let Some(compiler) = host::compiler().filter(|_| cfg!(target_os = "linux")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (driver, _) = stand_in(folder.path(), &compiler, &["-O1", "-DCAPABILITY=8"]);
    let Sample { kernel, arguments, .. } = cluster_ranks();
    let mut case = Case { what: "clusters".to_owned(), kernel, sizes: BTreeMap::new(), arguments };
    let error = launch(&driver, folder.path(), &compiler, &mut case, &Control::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel cluster-ranks runs clusters of 2 blocks, but stand-in (sm_80) has no clusters, sm_90 is the first: \
         write it without `cluster(…)`, or run with --device cpu"
    );
}

#[test]
fn launches_without_a_gpu() {
    let Some(compiler) = host::compiler() else {
        return;
    };
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, library) = stand_in(folder.path(), &compiler, &["-O1"]);
    let control = Control::default();

    let mut launches = 0;
    for (position, mut case) in handmade::cases().into_iter().enumerate() {
        case.kernel.name = format!("{}_{position}", case.kernel.name).into();
        let expected = interpreted(&case);
        let report = launch(&driver, folder.path(), &compiler, &mut case, &control).unwrap();
        compare(&case, &expected, &case.arguments, "launched", "");
        assert_eq!(report.width, IndexWidth::Checked);
        let dynamic = if case.what == "much-shared" { 4016 + 1040 + 48_000 } else { 0 };
        assert_eq!(count(&library, "stand_in_dynamic_shared"), dynamic, "{}", case.what);
        assert_eq!((report.first_microseconds, &report.microseconds[..]), (Some(500.0), &[500.0; 3][..]));
        assert_eq!(report.median_microseconds(), Some(500.0));
        // The run whose results count, and three that were only timed.
        launches += 4;
        assert_eq!((count(&library, "stand_in_launches"), count(&library, "stand_in_live")), (launches, 0));
    }
    refusals(&driver, folder.path(), &compiler);
    // One of them was launched, and found out on the way.
    assert_eq!((count(&library, "stand_in_launches"), count(&library, "stand_in_live")), (launches + 1, 0));
}

/// What cannot be launched, and what the user is told.
fn refusals(driver: &Driver, folder: &Path, compiler: &str) {
    let sized = |name: &str, blocks: Sym, threads: Sym, value: i64| Case {
        what: name.to_owned(),
        kernel: KernelBuilder::new(name, blocks, threads).finish(Vec::new()),
        sizes: [(symbol("N"), value)].into(),
        arguments: Vec::new(),
    };
    let n = Sym::symbol(symbol("N"));
    let run = |mut case: Case| launch(driver, folder, compiler, &mut case, &Control::default());

    let error = run(sized("many", n.clone(), Sym::one(), 1 << 31)).unwrap_err();
    assert!(matches!(error, LaunchError::TooManyBlocks { blocks: 2_147_483_648, .. }), "{error}");
    let error = run(sized("wide", Sym::one(), n.clone(), 513)).unwrap_err();
    assert!(matches!(error, LaunchError::TooManyThreads { threads: 513, most: 512, .. }), "{error}");
    let none = n.checked_floor_div(&Sym::constant(64), &Facts::empty()).unwrap();
    let report = run(sized("empty", none, Sym::one(), 63)).unwrap();
    assert_eq!((report.first_microseconds, report.median_microseconds()), (None, None));

    // The element one past the end: without the check it would be read.
    let mut case = handmade::past_the_end();
    let control = Control { bounds: BoundsMode::Guarded, ..Control::default() };
    let error = launch(driver, folder, compiler, &mut case, &control).unwrap_err();
    let LaunchError::Execute(ExecuteError::Faults { count, tensor, offset, length, .. }) = error else {
        panic!("{error}");
    };
    assert_eq!((count, tensor.as_str(), offset, length), (1, "x", 100, 100));

    let mut case = handmade::cases().remove(0);
    let control = Control { cancel: Some(&true.into()), ..Control::default() };
    let error = launch(driver, folder, compiler, &mut case, &control).unwrap_err();
    assert!(matches!(error, LaunchError::Execute(ExecuteError::Cancelled { .. })), "{error}");
    case.arguments.pop();
    let error = launch(driver, folder, compiler, &mut case, &Control::default()).unwrap_err();
    assert!(matches!(error, LaunchError::Execute(ExecuteError::ArgumentCount { .. })), "{error}");
    assert!(matches!(driver.context(1), Err(DriverError::NoSuchDevice { .. })));
}
