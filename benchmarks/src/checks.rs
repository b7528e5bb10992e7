//! Checks of all kinds of files: the programs of the repository, random kernels, and excessive texts; and the delay of
//! other requests during such checks.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use check::diagnostics::PAGES;
use comfy_table::Table;
use ide::CompilerDatabase;
use testing::excessive::{self, Excess};
use testing::thread_nests::nest;

use super::timing::{middle, row};
use super::{environment, kernels, server, tiles};

/// The number of random kernels, which are the same in each run.
const RANDOM_KERNELS: u64 = 200;
/// How often each text is checked.
const CHECKS: usize = 5;
/// The longest time for 99 of 100 checks; slower ones are listed.
const MOST_TIME: Duration = Duration::from_millis(50);
/// The most memory of a process that checks one file, in bytes.
const MOST_MEMORY: u64 = 200_000_000;

/// Measures and prints the table.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure(root: &Path) -> Result<(), String> {
    let mut table = Table::new();
    table.set_header(["what", "measured", "bound", "ratio"]);
    // First, because the system reports the peak memory of all processes so far.
    let memory = memory_of_checks()?;
    let programs = programs(root)?;
    let kernels = (0..RANDOM_KERNELS).map(|seed| (format!("random kernel {seed}"), nest(seed).text)).collect();
    let mut daily: Vec<(Duration, String)> =
        daily(root)?.into_iter().map(|(name, text)| (check(&text), name)).collect();
    let excessive = excessive::all().into_iter().map(|Excess { what, text }| (what.to_owned(), text)).collect();
    let texts: [Vec<(String, String)>; 3] = [programs, kernels, excessive];
    let [programs, kernels, excessive] = texts
        .each_ref()
        .map(|texts| texts.iter().map(|(name, text)| (check(text), name.as_str())).collect::<Vec<(Duration, &str)>>());
    let (number_of_programs, number_of_excessive) = (programs.len(), excessive.len());
    let mut times = [programs, kernels].concat();
    let number_of_daily = daily.len();
    let (time, name) = ninety_ninth(&mut daily);
    let what = format!("check, 99 of 100 of {number_of_daily} kernels of daily work: {name}");
    row(&mut table, &what, time, Duration::from_millis(20));
    let what =
        format!("check, 99 of 100 of {} kernels and programs ({number_of_programs} of the repository)", times.len());
    row(&mut table, &what, ninety_ninth(&mut times).0, MOST_TIME);
    times.extend(excessive);
    let what = format!("check, 99 of 100 of these and {number_of_excessive} excessive texts");
    row(&mut table, &what, ninety_ninth(&mut times).0, MOST_TIME);
    let (longest, name) = times[times.len() - 1];
    row(&mut table, &format!("check, the longest: {name}"), longest, Duration::from_millis(500));
    for (time, name) in times.iter().rev().take_while(|(time, _)| *time > MOST_TIME) {
        println!("check of {name}: {:.0} ms", time.as_secs_f64() * 1e3);
    }
    tiles::measure(root, &mut table)?;
    let waits = server::meanwhile(&excessive::all())?;
    let what = format!("hover elsewhere while {} is checked", waits.hover.1);
    row(&mut table, &what, waits.hover.0, Duration::from_millis(50));
    let what = format!("edit → its diagnostics, while {} is checked", waits.edit.1);
    row(&mut table, &what, waits.edit.0, Duration::from_millis(20));
    table.add_row(memory);
    println!("{table}");
    println!(
        "ratio: bound / measured; above 1 is better than the bound. Of hovers and edits the longest of all is shown"
    );
    Ok(())
}

/// Sorts times and returns the one that 99 of 100 do not exceed, with its name.
fn ninety_ninth<N: Ord + Clone>(times: &mut [(Duration, N)]) -> (Duration, N) {
    times.sort_unstable();
    times[(times.len() * 99).div_ceil(100) - 1].clone()
}

/// The kernels of daily work with their names. In their files, a line with the name and perhaps one with sizes stand before each,
/// and what it is given and what numpy computes behind it.
fn daily(root: &Path) -> Result<Vec<(String, String)>, String> {
    let folder = root.join("tests/tests/kernels_check/daily");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut kernels = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for part in format!("\n{text}").split("\n== ").skip(1) {
            let (name, rest) = part.split_once('\n').unwrap_or((part, ""));
            let is_kernel = |line: &&str| !line.starts_with("given ") && !line.starts_with("-- ");
            let lines = rest.lines().filter(|line| !line.starts_with("sizes ")).take_while(is_kernel);
            kernels.push((name.to_owned(), lines.map(|line| format!("{line}\n")).collect()));
        }
    }
    if kernels.is_empty() {
        return Err(format!("{} has no kernels", folder.display()));
    }
    Ok(kernels)
}

/// The files and pages of the repository with their names.
fn programs(root: &Path) -> Result<Vec<(String, String)>, String> {
    let mut texts = Vec::new();
    for folder in ["examples", "tests/fixtures", "compiler/tests/fixtures"] {
        texts.extend(shape_files(root, folder)?);
    }
    for page in PAGES {
        texts.extend([page.wrong, page.right].map(|text| (page.code.to_owned(), text.to_owned())));
    }
    texts.sort();
    Ok(texts)
}

/// The source files of a folder with their names.
///
/// # Errors
/// What cannot be read.
pub(super) fn shape_files(root: &Path, folder: &str) -> Result<Vec<(String, String)>, String> {
    let entries = std::fs::read_dir(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "shape"));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((format!("{folder}/{name}"), text))
    };
    files.map(read).collect()
}

/// The time from a text to its diagnostics, in a new database: the median of several checks, because the first one also
/// pays for memory that the system has not provided yet.
pub(super) fn check(text: &str) -> Duration {
    middle((0..CHECKS).map(|_| check_once(text)).collect())
}

fn check_once(text: &str) -> Duration {
    let start = Instant::now();
    let mut db = CompilerDatabase::default();
    let file = db.set_text("checked.shape", text);
    let found = ide::diagnostics(&db, file);
    let time = start.elapsed();
    drop(found);
    time
}

/// The row for the peak memory of the command that checks a file, the highest of all excessive texts.
fn memory_of_checks() -> Result<[String; 4], String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("checked.shape");
    let command = environment::command()?;
    let mut largest = (None, "");
    for Excess { what, text } in excessive::all() {
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut process = Command::new(&command);
        process.arg("check").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        process.status().map_err(|error| format!("{} could not be started: {error}", command.display()))?;
        let peak = kernels::peak_of_children();
        if peak > largest.0 {
            largest = (peak, what);
        }
    }
    let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    let bound = format!("at most {}", megabytes(MOST_MEMORY));
    let what = format!("peak memory of a check, the largest: {}", largest.1);
    Ok(match largest.0 {
        Some(peak) => [what, megabytes(peak), bound, format!("{:.2}", MOST_MEMORY as f64 / peak as f64)],
        None => [what, "the system does not tell".to_owned(), bound, String::new()],
    })
}
