//! The whole way of a launch — emit, compile, load, copy, launch, copy back — with the shim in the place of the GPU.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dims::{Facts, Sym};
use emit::{Emitted, IndexWidth, Options, cuda_with};
use libloading::Library;
use shapewright_runtime::cuda::driver::{Driver, DriverError};
use shapewright_runtime::cuda::launch::LaunchError;
use shapewright_runtime::cuda::library::SearchPlaces;
use shapewright_runtime::cuda::{FromCache, Gpu, Nvrtc, NvrtcError, Request};
use shapewright_runtime::execute::{BoundsChecks, Control, ExecuteError, Fault, Measured, SizedKernel};
use testing::build::{KernelBuilder, symbol};
use testing::collectives::{Sample, cluster_ranks};
use testing::gpu;

use super::check::{Case, compare, interpreted};
use super::{handmade, host, source, vectors};

/// What the stand-in says that every launch takes.
const EACH: Duration = Duration::from_micros(500);

/// What was compiled, in its order.
type Sources = RefCell<Vec<String>>;

/// The stand-in's device, with a compiler for it.
fn device<'d>(driver: &'d Driver, nvrtc: &'d Nvrtc, sources: &'d Sources) -> Gpu<'d> {
    let compile = move |emitted: &Emitted, arch: &str| -> Result<FromCache, NvrtcError> {
        assert_eq!(arch, "sm_90");
        sources.borrow_mut().push(emitted.source.clone());
        let name = format!("{}.cu", emitted.entry);
        let compiled = nvrtc.compile(&Request { source: &emitted.source, name: &name, arch, options: &[] })?;
        Ok(FromCache::compiled(compiled))
    };
    Gpu::new(driver.context(0).unwrap(), Box::new(compile))
}

/// Runs a case; its arguments then hold the results.
fn launch(
    device: &Gpu<'_>,
    case: &mut Case,
    bounds: BoundsChecks,
    control: &Control<'_>,
) -> Result<Duration, ExecuteError> {
    SizedKernel::new(&case.kernel, &case.sizes, bounds)?.prepare(device)?.run(&mut case.arguments, control)
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

/// The dynamic shared memory of the last launch.
fn dynamic_shared_bytes(path: &Path) -> u32 {
    // SAFETY: the stand-in is open already, and the function gives an array of ten integers.
    unsafe {
        let library = Library::new(path).unwrap();
        let last_launch = library.get::<unsafe extern "C" fn() -> *const [u32; 10]>("stand_in_last_launch").unwrap();
        (*last_launch())[9]
    }
}

/// Stand-ins for the driver, with these settings, and for NVRTC; and where the driver is.
fn stand_ins(folder: &Path, settings: &str) -> (Driver, Nvrtc, PathBuf) {
    let library = gpu::driver(&folder.join("libcuda.so.1"), settings);
    let nvrtc = gpu::nvrtc(&folder.join("libnvrtc.so.12"), "");
    let places = SearchPlaces { explicit: Some(nvrtc), ..SearchPlaces::default() };
    (Driver::open(&[&library]).unwrap(), Nvrtc::find(&places, None).unwrap(), library)
}

/// A device without clusters is found out before anything is compiled for it.
#[test]
fn clusters_need_a_device_that_has_them() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, _) = stand_ins(folder.path(), "capability=8.0");
    let Sample { kernel, arguments, .. } = cluster_ranks();
    let mut case = Case { what: "clusters".to_owned(), kernel, sizes: BTreeMap::new(), arguments };
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    let error = launch(&device, &mut case, BoundsChecks::Proven, &Control::default()).unwrap_err();
    assert_eq!(sources.borrow().len(), 0);
    assert_eq!(error.fault(), Fault::File);
    assert_eq!(
        error.to_string(),
        "kernel cluster-ranks runs clusters of 2 blocks, but NVIDIA Stand-in (sm_80) has no clusters, sm_90 is the first: \
         write it without `cluster(…)`, or run with --device cpu"
    );
}

/// Arrays whose extents are sizes: the launch passes their bytes, and is refused where the device has fewer.
#[test]
fn shared_memory_of_the_sizes_of_a_launch() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, library) = stand_ins(folder.path(), "shared=101376");
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    let text = "dim N;
kernel reversed(x: f32[N], y: mut f32[N]) grid(1) block(32) {
    shared s : f32[N];
    for t in threads(32, cuda_thread) { for i in t..N step 32 { s[i] = x[i]; } }
    for t in threads(32, cuda_thread) { for i in t..N step 32 { y[i] = s[N - 1 - i]; } }
}
";
    let mut sizes = [5, 12_289, 25_344, 25_345].into_iter();
    let runs: String = sizes.clone().map(|n| format!("\nrun reversed(x: arange, y: zeros) with N = {n};")).collect();
    for mut case in source::runs("reversed.shape", &format!("{text}{runs}\n")) {
        let elements = sizes.next().unwrap();
        let expected = interpreted(&case);
        let result = launch(&device, &mut case, BoundsChecks::Proven, &Control::default());
        if elements <= 25_344 {
            result.unwrap();
            compare(&case, &expected, &case.arguments, "launched", "");
            assert_eq!(dynamic_shared_bytes(&library), 4 * elements as u32);
            continue;
        }
        let ExecuteError::Unsupported(error) = result.unwrap_err() else { panic!("{elements} elements") };
        assert_eq!(
            error.to_string(),
            "the shared arrays of kernel reversed take 4 * N bytes, which are 101380 with these sizes, but a block of NVIDIA Stand-in \
             has at most 101376: use smaller sizes, or run with --device cpu"
        );
    }
}

#[test]
fn launches_without_a_gpu() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, library) = stand_ins(folder.path(), "threads=512 l2=65536");
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    let live = count(&library, "stand_in_live");

    let mut launches = 0;
    for (position, mut case) in handmade::cases().into_iter().enumerate() {
        case.kernel.name = format!("{}_{position}", case.kernel.name).into();
        let expected = interpreted(&case);
        let time = launch(&device, &mut case, BoundsChecks::Proven, &Control::default()).unwrap();
        compare(&case, &expected, &case.arguments, "launched", "");
        let narrow = Options { width: IndexWidth::Checked, guarded: false };
        assert_eq!(sources.borrow().last(), Some(&cuda_with(&case.kernel, narrow, &|| {}).source));
        let dynamic = if case.what == "much-shared" { 4016 + 1040 + 48_000 } else { 0 };
        assert_eq!(dynamic_shared_bytes(&library), dynamic, "{}", case.what);
        assert_eq!(time, EACH);
        // The device is open; nothing else is left on it.
        launches += 1;
        assert_eq!((count(&library, "stand_in_launches"), count(&library, "stand_in_live")), (launches, live));
        assert_eq!(count(&library, "stand_in_modules"), launches.min(64), "the code is kept, up to a limit");
    }
    launches += measured(&device, &library);
    assert_eq!(count(&library, "stand_in_live"), live);
    refusals(&device);
    assert!(matches!(driver.context(1), Err(DriverError::NoSuchDevice { .. })));
    drop(device);
    // One of them was launched, and found out on the way.
    assert_eq!((count(&library, "stand_in_launches"), count(&library, "stand_in_live")), (launches + 1, 0));
    assert_eq!(count(&library, "stand_in_modules"), 0);
}

/// A kernel that copies rows of any length, of which nothing is known before the launch.
const ROWS: &str = "dim M;
dim N where N >= 16;
kernel rows(x: f32[M, N], y: mut f32[M, N]) block(1) {
    for row in grid(M) { for i in 0..16 { y[row, i] = x[row, i] * 2.0; } }
}
run rows(x: random(1), y: zeros) with M = 3, N = 1024;
run rows(x: random(1), y: zeros) with M = 5, N = 1023;
run rows(x: random(1), y: zeros) with M = 3, N = 48;
run rows(x: random(1), y: zeros) with M = 4, N = 1022;
run rows(x: random(1), y: zeros) with M = 3, N = 17;
run rows(x: random(1), y: zeros) with M = 4, N = 4104;
";

/// What a launch's sizes are multiples of makes vectors provable. One text serves all sizes of which the same is so, and
/// what changes nothing (here the number of rows) makes no text of its own.
#[test]
fn sizes_that_are_multiples_of_a_vector_get_vectors() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, _library) = stand_ins(folder.path(), "");
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    let four: &[&str] = &["16 load x", "16 store y"];
    let two: &[&str] = &["8 load x", "8 store y"];
    let mut texts: Vec<String> = Vec::new();
    for (mut case, expected) in source::runs("rows.shape", ROWS).into_iter().zip([four, &[], four, two, &[], four]) {
        let results = interpreted(&case);
        launch(&device, &mut case, BoundsChecks::Proven, &Control::default()).unwrap();
        compare(&case, &results, &case.arguments, "launched", "");
        let text = sources.borrow().last().cloned().unwrap();
        assert_eq!(vectors::accesses(&text), expected, "{:?}\n{text}", case.sizes);
        texts.push(text);
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 3);
    // Code that checks each access has no vectors to gain.
    let mut case = source::runs("rows.shape", ROWS).remove(0);
    launch(&device, &mut case, BoundsChecks::Guarded, &Control::default()).unwrap();
    assert_eq!(vectors::accesses(sources.borrow().last().unwrap()), [""; 0]);
}

/// A kernel that copies tiles of rows of any length.
const TILES: &str = "dim M, N;
kernel copy(x: f32[M, N], y: mut f32[M, N]) block(64) {
    view px = partition(x, [4, 128]);
    view py = partition(y, [4, 128]);
    for (i, j) in grid(px.index_space) { py.store_masked(px.load_masked(i, j), i, j); }
}
run copy(x: random(1), y: zeros) with M = 5, N = 260;
run copy(x: random(1), y: zeros) with M = 5, N = 259;
run copy(x: random(1), y: zeros) with M = 7, N = 130;
";

/// The threads of a tile do as many neighbours at a time as the launch's sizes prove to be vectors.
#[test]
fn tiles_of_aligned_rows_get_vectors() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, _library) = stand_ins(folder.path(), "");
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    let expected: [&[&str]; 3] = [&["16 load x", "16 store y"], &[], &["8 load x", "8 store y"]];
    for (mut case, expected) in source::runs("tiles.shape", TILES).into_iter().zip(expected) {
        let results = interpreted(&case);
        launch(&device, &mut case, BoundsChecks::Proven, &Control::default()).unwrap();
        compare(&case, &results, &case.arguments, "launched", "");
        let text = sources.borrow().last().cloned().unwrap();
        assert_eq!(vectors::accesses(&text), expected, "{:?}\n{text}", case.sizes);
    }
}

/// Kernels with vectors of every kind give what the interpreter gives, whatever their launch adds.
#[test]
fn kernels_with_vectors_are_launched() {
    if host::compiler().is_none() || !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (driver, nvrtc, _library) = stand_ins(folder.path(), "");
    let sources = Sources::default();
    let device = device(&driver, &nvrtc, &sources);
    for mut case in vectors::cases() {
        let expected = interpreted(&case);
        launch(&device, &mut case, BoundsChecks::Proven, &Control::default()).unwrap();
        compare(&case, &expected, &case.arguments, "launched", "");
    }
}

/// A measurement repeats the run at least three times after one that does not count, empties the cache before each, and
/// says what a launch of nothing takes. Returns how often something was launched.
fn measured(device: &Gpu<'_>, library: &Path) -> i32 {
    let before = count(library, "stand_in_launches");
    let mut case = handmade::cases().remove(0);
    let mut prepared =
        SizedKernel::new(&case.kernel, &case.sizes, BoundsChecks::Proven).unwrap().prepare(device).unwrap();
    prepared.run(&mut case.arguments, &Control::default()).unwrap();
    let Measured { times, floor, notes } = prepared.measure(&mut case.arguments, &Control::default()).unwrap();
    assert!(times.len() >= 3, "{times:?}");
    assert!(times.iter().all(|time| *time == EACH), "{times:?}");
    assert_eq!((floor, notes), (Some(EACH), Vec::new()));
    let launches = count(library, "stand_in_launches") - before;
    // The run; ten launches of nothing; and for each repetition, one before them included, two.
    assert_eq!(launches, 1 + 10 + 2 * (1 + times.len() as i32));
    let cancelled = Control { cancel: Some(&true.into()), ..Control::default() };
    let error = prepared.measure(&mut case.arguments, &cancelled).unwrap_err();
    assert!(matches!(error, ExecuteError::Cancelled { .. }), "{error}");
    launches
}

/// What cannot be launched, and what the user is told.
fn refusals(device: &Gpu<'_>) {
    let sized = |name: &str, blocks: Sym, threads: Sym, value: i64| Case {
        what: name.to_owned(),
        kernel: KernelBuilder::new(name, blocks, threads).finish(Vec::new()),
        sizes: [(symbol("N"), value)].into(),
        arguments: Vec::new(),
    };
    let n = Sym::symbol(symbol("N"));
    let run = |mut case: Case| launch(device, &mut case, BoundsChecks::Proven, &Control::default());
    let unsupported = |case: Case| match run(case).unwrap_err() {
        ExecuteError::Unsupported(error) => *error.downcast::<LaunchError>().unwrap(),
        error => panic!("{error}"),
    };

    let error = unsupported(sized("many", n.clone(), Sym::one(), 1 << 31));
    assert!(matches!(error, LaunchError::TooManyBlocks { blocks: 2_147_483_648, .. }), "{error}");
    let error = unsupported(sized("wide", Sym::one(), n.clone(), 513));
    assert!(matches!(error, LaunchError::TooManyThreads { threads: 513, most: 512, .. }), "{error}");
    let none = n.checked_floor_div(&Sym::constant(64), &Facts::empty()).unwrap();
    assert_eq!(run(sized("empty", none, Sym::one(), 63)).unwrap(), Duration::ZERO);

    // The element one past the end: without the check it would be read.
    let mut case = handmade::past_the_end();
    let error = launch(device, &mut case, BoundsChecks::Guarded, &Control::default()).unwrap_err();
    let ExecuteError::Faults { count, tensor, offset, length, .. } = error else { panic!("{error}") };
    assert_eq!((count, tensor.as_str(), offset, length), (1, "x", 100, 100));

    let mut case = handmade::cases().remove(0);
    let control = Control { cancel: Some(&true.into()), ..Control::default() };
    let error = launch(device, &mut case, BoundsChecks::Proven, &control).unwrap_err();
    assert!(matches!(error, ExecuteError::Cancelled { .. }), "{error}");
    case.arguments.pop();
    let error = run(case).unwrap_err();
    assert!(matches!(error, ExecuteError::ArgumentCount { .. }), "{error}");
}
