//! Times, and the rows of tables that tell them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use comfy_table::Table;

use super::environment;

/// Adds a time to a table, beside its bound.
pub fn row(table: &mut Table, what: &str, measured: Duration, bound: Duration) {
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let ratio = bound.as_secs_f64() / measured.as_secs_f64();
    table.add_row([
        what.to_owned(),
        milliseconds(measured),
        format!("at most {}", milliseconds(bound)),
        format!("{ratio:.2}"),
    ]);
}

/// The median of some measurements.
///
/// # Errors
/// What one of them says.
pub fn median(times: usize, mut once: impl FnMut() -> Result<Duration, String>) -> Result<Duration, String> {
    Ok(middle((0..times).map(|_| once()).collect::<Result<Vec<_>, _>>()?))
}

/// The median of times.
pub fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The time of a whole process of the command.
///
/// # Errors
/// That it could not be started, or failed.
pub fn whole_process(arguments: &[&std::ffi::OsStr]) -> Result<Duration, String> {
    let binary = environment::command()?;
    let start = Instant::now();
    let output = Command::new(&binary).args(arguments).stdin(Stdio::null()).output();
    let time = start.elapsed();
    match output {
        Ok(output) if output.status.success() => Ok(time),
        Ok(output) => Err(format!("{} failed: {}", binary.display(), String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{} could not be started: {error}", binary.display())),
    }
}
