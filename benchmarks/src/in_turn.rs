//! Kernels and their peers, measured in turn, so that both are equally affected by other load.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dims::Symbol;
use kernel::typed::Kernel;
use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{Argument, Control, SizedKernel};

use super::timing::middle;

/// The times of a kernel; `between` is called after each run, with its number and the arguments. Before each run that counts, the
/// kernel runs for `warm_up`.
///
/// # Errors
/// What the executor or `between` says.
pub fn times(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    warm_up: Duration,
    mut between: impl FnMut(usize, &[Argument]) -> Result<(), String>,
) -> Result<Vec<Duration>, String> {
    let sized = SizedKernel::at_launch(kernel, sizes).map_err(|error| error.to_string())?;
    let mut prepared = sized.prepare(&Cpu::DEFAULT).map_err(|error| error.to_string())?;
    let once = |number| {
        let mut run = || prepared.run(arguments, &Control::default()).map_err(|error| error.to_string());
        let start = Instant::now();
        while start.elapsed() < warm_up {
            run()?;
        }
        let time = run()?;
        between(number, arguments)?;
        Ok(time)
    };
    (0..15).map(once).collect()
}

/// A row: what is measured, our time, that of a peer, and the ratio of neighbouring runs. The work is in the unit of the speed.
pub fn row(
    (name, peer): (&str, &str),
    (ours, theirs): (Vec<Duration>, Vec<Duration>),
    (work, unit): (f64, &str),
) -> [String; 4] {
    let pairs = theirs.iter().zip(&ours).map(|(theirs, ours)| theirs.as_secs_f64() / ours.as_secs_f64());
    let mut ratios: Vec<f64> = pairs.collect();
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    let shown = |times: Vec<Duration>| {
        let time = middle(times).as_secs_f64();
        format!("{:.1} ms, {:.1} {unit}", time * 1e3, work / time / 1e9)
    };
    [name.to_owned(), shown(ours), format!("{peer}: {}", shown(theirs)), format!("{ratio:.2}")]
}
