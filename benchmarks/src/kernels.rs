//! Kernels on the CPU, compared with handwritten loops.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use check::kernels::checked_kernel;
use comfy_table::Table;
use ide::CompilerDatabase;
use kernel::typed::Kernel;
use rayon::prelude::*;
use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{Argument, BoundsChecks, Control, SizedKernel};
use shapewright_runtime::tensors::{ElementType, Initial, Scalar, Tensor};

use super::timing::{middle, row, whole_process};

/// Elements of the saxpy: 64 Mi.
const ELEMENTS: u64 = 64 << 20;

/// Adds the rows of compiling and running kernels.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let (compile, _) = saxpy(SCALE, 12, || {})?;
    row(table, "CPU compile of a small kernel", compile, Duration::from_millis(2));
    let mut peer = Peer::new();
    for (name, source) in [("blocked [i0, t0]", BLOCKED), ("interleaved [t0, i0]", INTERLEAVED), ("one each", SINGLE)] {
        // In turns, so that both are equally affected by other load.
        let mut theirs = Vec::new();
        let (_, ours) = saxpy(source, ELEMENTS, || theirs.push(peer.once()))?;
        let pairs = theirs.iter().zip(&ours).map(|(theirs, ours)| theirs.as_secs_f64() / ours.as_secs_f64());
        let mut ratios: Vec<f64> = pairs.collect();
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ratios.len() / 2];
        let (ours, theirs) = (middle(ours), middle(theirs));
        let what = format!("saxpy over 64 Mi f32, {name}");
        let gigabytes = |time: Duration| 12.0 * ELEMENTS as f64 / time.as_secs_f64() / 1e9;
        table.add_row([
            what,
            format!("{:.1} ms, {:.1} GB/s", ours.as_secs_f64() * 1e3, gigabytes(ours)),
            format!("Rust and rayon: {:.1} ms, {:.1} GB/s", theirs.as_secs_f64() * 1e3, gigabytes(theirs)),
            format!("{ratio:.2}"),
        ]);
    }
    Ok(())
}

/// The row for the peak memory of a saxpy on large tensors, through the command line.
pub(super) fn memory_of_a_run(folder: &Path) -> Result<[String; 4], String> {
    let file = folder.join("saxpy.shape");
    std::fs::write(&file, INTERLEAVED).map_err(|error| error.to_string())?;
    let size = format!("N={ELEMENTS}");
    let words = ["saxpy", "--device", "cpu", "--in", "a=2", "--in", "x=ones", "--in", "y=ones", "-D", &size];
    let mut arguments: Vec<&std::ffi::OsStr> = vec!["run".as_ref(), file.as_ref()];
    arguments.extend(words.map(std::ffi::OsStr::new));
    whole_process(&arguments)?;
    let mebibytes = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    let tensors = 2 * 4 * ELEMENTS;
    let bound = tensors + (64 << 20);
    let (measured, ratio) = match peak_of_children() {
        Some(peak) => (mebibytes(peak), format!("{:.2}", bound as f64 / peak as f64)),
        None => ("this system does not tell".to_owned(), String::new()),
    };
    let what = "peak memory of run, saxpy over 64 Mi f32".to_owned();
    Ok([what, measured, format!("at most {}, of which tensors {}", mebibytes(bound), mebibytes(tensors)), ratio])
}

/// The peak memory, in bytes, of the largest process started so far.
#[cfg(unix)]
pub(super) fn peak_of_children() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let peak = u64::try_from(getrusage(UsageWho::RUSAGE_CHILDREN).ok()?.max_rss()).ok()?;
    // In bytes on Apple's systems, in KiB elsewhere.
    Some(if cfg!(target_vendor = "apple") { peak } else { peak * 1024 })
}

/// The peak memory of processes, which is not available on this system.
#[cfg(not(unix))]
pub(super) fn peak_of_children() -> Option<u64> {
    None
}

const SCALE: &str = "kernel saxpy(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via reshape_map([3] | [4] => layout: [t0, i0]);
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = a * xs[i] + ys[i]; }
}";
const BLOCKED: &str = "dim N where N % 1024 == 0;
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [N / 4] => layout: [i0, t0]);
    view ys = y via reshape_map([4] | [N / 4] => layout: [i0, t0]);
    for i in 0..4 { ys[i] = a * xs[i] + ys[i]; }
}";
const INTERLEAVED: &str = "dim N where N % 1024 == 0;
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [N / 4] => layout: [t0, i0]);
    view ys = y via reshape_map([4] | [N / 4] => layout: [t0, i0]);
    for i in 0..4 { ys[i] = a * xs[i] + ys[i]; }
}";
const SINGLE: &str = "dim N;
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([1] | [N] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [N] => layout: [i0, t0]);
    ys[0] = a * xs[0] + ys[0];
}";

/// The kernel in a text with a single kernel.
pub(super) fn checked(source: &str) -> Result<Arc<Kernel>, String> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("kernel.shape", source);
    let checked = file.items(&db).iter().find_map(|item| checked_kernel(&db, *item).kernel.clone());
    checked.ok_or_else(|| "the benchmark's own kernel does not check".to_owned())
}

/// The median time to compile a saxpy kernel, and the times to run it; `between` is called after each run.
fn saxpy(source: &str, elements: u64, mut between: impl FnMut()) -> Result<(Duration, Vec<Duration>), String> {
    let kernel = checked(source)?;
    let size = i64::try_from(elements).map_err(|error| error.to_string())?;
    let sizes: BTreeMap<_, _> = kernel.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
    let tensor = || Tensor::initial(ElementType::F32, &[elements], Initial::Ones).map_err(|error| error.to_string());
    let mut arguments = [Argument::Scalar(Scalar::F32(2.0)), Argument::Tensor(tensor()?), Argument::Tensor(tensor()?)];
    let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Proven).map_err(|error| error.to_string())?;
    let mut timings = Vec::new();
    for _ in 0..15 {
        let timing = sized.run(&Cpu::DEFAULT, &mut arguments, &Control::default());
        timings.push(timing.map_err(|error| error.to_string())?);
        between();
    }
    let compile = middle(timings.iter().map(|timing| timing.compile).collect());
    Ok((compile, timings.into_iter().map(|timing| timing.run).collect()))
}

/// The same loop, handwritten in Rust.
struct Peer {
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Peer {
    fn new() -> Peer {
        let count = usize::try_from(ELEMENTS).unwrap_or(usize::MAX);
        Peer { x: vec![1.0; count], y: vec![1.0; count] }
    }

    fn once(&mut self) -> Duration {
        let start = Instant::now();
        self.y.par_iter_mut().with_min_len(1 << 16).zip(&self.x).for_each(|(y, x)| *y += 2.0 * *x);
        start.elapsed()
    }
}
