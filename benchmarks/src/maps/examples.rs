//! The times of the verdicts in the example files.

use std::path::Path;
use std::time::{Duration, Instant};

use check::db::declared;
use check::evaluate::value;
use check::values::Value;
use ide::CompilerDatabase;
use ide::map_facts;
use proofs::Budget;
use syntax::tree::ItemKind;

use crate::timing::middle;

/// The number of repetitions of each verdict, each in a new database.
const REPETITIONS: usize = 9;

/// The times of all maps and assertions, ascending, each with its description.
pub(super) struct Verdicts {
    times: Vec<(Duration, String)>,
}

impl Verdicts {
    pub(super) fn count(&self) -> usize {
        self.times.len()
    }

    /// The time that `of_hundred` of 100 verdicts do not exceed.
    pub(super) fn quantile(&self, of_hundred: usize) -> Duration {
        let last = (self.times.len() * of_hundred).div_ceil(100).saturating_sub(1);
        self.times.get(last).map_or(Duration::ZERO, |(time, _)| *time)
    }

    /// The slowest verdict.
    pub(super) fn slowest(&self) -> Option<String> {
        self.times.last().map(|(time, what)| format!("{what}, {:.1} µs", time.as_secs_f64() * 1e6))
    }
}

/// Measures the verdicts of every map and assertion in the example files: for a map all answers that a hover shows, for
/// an assertion its value.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn verdicts(root: &Path) -> Result<Verdicts, String> {
    let mut times = Vec::new();
    let folder = root.join("examples");
    let entries =
        std::fs::read_dir(&folder).map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "shape"));
    files.sort();
    for path in files {
        let text =
            std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let runs: Vec<Vec<(String, Duration)>> = (0..REPETITIONS).map(|_| once(&name, &text)).collect();
        for (number, (what, _)) in runs.first().into_iter().flatten().enumerate() {
            let all = runs.iter().filter_map(|run| run.get(number)).map(|(_, time)| *time);
            times.push((middle(all.collect()), what.clone()));
        }
    }
    times.sort();
    Ok(Verdicts { times })
}

/// The verdicts of one file, in its order. The items that an item uses are evaluated before it is measured.
fn once(name: &str, text: &str) -> Vec<(String, Duration)> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text(name, text);
    let mut times = Vec::new();
    for (number, item) in file.items(&db).iter().enumerate() {
        let tree = item.tree(&db);
        let Some(parsed) = &tree.item else { continue };
        let start = Instant::now();
        let evaluated = value(&db, *item);
        let time = start.elapsed();
        match (&parsed.kind, &evaluated.value) {
            (ItemKind::Assert { .. }, _) => times.push((format!("{name}, assertion {number}"), time)),
            (kind, Some(Value::Map(map))) => {
                let start = Instant::now();
                let facts = map_facts(map, &evaluated.facts, &Budget::default());
                times.push((
                    format!("{name}, {}", declared(kind).first().map_or("a map", |name| &name.text)),
                    start.elapsed(),
                ));
                drop(facts);
            }
            _ => {}
        }
    }
    times
}
