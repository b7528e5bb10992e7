//! Verdicts about index maps: in the examples, of large maps, and compared with isl on the questions that isl can
//! state.

mod examples;
mod peers;
mod picture;
mod questions;
mod tilings;

use std::path::Path;
use std::time::{Duration, Instant};

use comfy_table::Table;
use dims::Facts;
use proofs::{Budget, Verdict, injective};

use super::timing::{median, row};
use questions::{Question, mixed, nested};

/// The number of points of the map that is enumerated.
const POINTS: i64 = 1 << 24;

/// Measures and prints the tables.
///
/// # Errors
/// What could not be measured, or an unexpected verdict.
pub(super) fn measure(root: &Path) -> Result<(), String> {
    let mut table = Table::new();
    table.set_header(["what", "measured", "bound", "ratio"]);
    let verdicts = examples::verdicts(root)?;
    let (median, most, worst) = (verdicts.quantile(50), verdicts.quantile(99), verdicts.quantile(100));
    let what =
        |which: &str| format!("verdicts of the {} maps and assertions of the examples, {which}", verdicts.count());
    table.add_row([what("of half"), microseconds(median), String::new(), String::new()]);
    row(&mut table, &what("of 99 of 100"), most, Duration::from_millis(1));
    row(&mut table, &what("the slowest"), worst, Duration::from_millis(20));
    let map = nested();
    let time = proven(51, &Budget::default(), |facts, budget| injective(&map, facts, budget))?;
    row(&mut table, "a nested map of 2^40 points is injective", time, Duration::from_micros(100));
    let (map, everything) = (mixed(POINTS), Budget { points: POINTS.unsigned_abs(), steps: 0, ..Budget::default() });
    let time = proven(7, &everything, |facts, budget| injective(&map, facts, budget))?;
    row(&mut table, "each of 2^24 points is gone through, on one core", time, Duration::from_millis(60));
    let what = "an edited tiling of ten steps over 16 blocks of 1024 threads, checked, proven disjoint, hovered";
    row(&mut table, what, tilings::measure()?, Duration::from_millis(1));
    println!("{table}");
    beside_isl()?;
    picture::measure()?;
    println!(
        "isl is given 20 seconds for a question; the ratio is its time divided by ours, each the median of up to 51"
    );
    if let Some(slowest) = verdicts.slowest() {
        println!("the slowest of the examples: {slowest}");
    }
    Ok(())
}

fn beside_isl() -> Result<(), String> {
    let isl = peers::Peer::new("isl", "isl.py");
    let mut table = Table::new();
    table.set_header(["question", "shapewright", "isl", "isl / ours"]);
    for Question { name, ask } in questions::all() {
        let ours = proven(51, &Budget::default(), |facts, budget| ask(facts, budget))
            .map_err(|error| format!("{name}: {error}"))?;
        let (theirs, ratio) = match &isl {
            Ok(isl) => isl.answer(name)?.cells(ours),
            Err(_) => (String::new(), String::new()),
        };
        table.add_row([name.to_owned(), microseconds(ours), theirs, ratio]);
    }
    println!("{table}");
    if let Err(error) = isl {
        println!("note: isl is left out, since {error}");
    }
    Ok(())
}

/// The median time of a verdict, which must be *proven*. Facts cache their answers, so new ones are made each time.
fn proven(times: usize, budget: &Budget<'_>, ask: impl Fn(&Facts, &Budget<'_>) -> Verdict) -> Result<Duration, String> {
    median(times, || {
        let facts = Facts::empty();
        let start = Instant::now();
        let verdict = ask(&facts, budget);
        let time = start.elapsed();
        if verdict.is_proven() { Ok(time) } else { Err(format!("it must be proven: {verdict:?}")) }
    })
}

fn microseconds(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.1} s"),
    }
}
