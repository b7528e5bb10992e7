//! The results of runs during the session.

use std::collections::HashMap;
use std::sync::Arc;

use check::db::{Db, Item};
use ide::{Ending, Mismatch, RunKey, RunResult, RunTexts};

use crate::ran::{Expect, Run};

/// The outcome of a run.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The key of the run's meaning when it ran; `None` if it had errors.
    pub(super) key: Option<RunKey>,
    /// Its result, or why it has none.
    pub(super) ended: Result<Arc<Run>, String>,
}

impl Outcome {
    /// Whether the meaning of the text has changed since.
    pub(super) fn is_stale(&self, db: &dyn Db, item: Item) -> bool {
        self.key.is_none() || self.key != ide::run_key(db, item)
    }

    /// The texts to show at the run's item.
    pub(super) fn texts(&self, db: &dyn Db, item: Item) -> RunTexts {
        let stale = self.is_stale(db, item);
        ide::run_texts(&match &self.ended {
            Ok(run) => RunResult {
                ending: ending(db, item, run),
                microseconds: Some(run.time.as_ref().map_or(run.run_us, |time| time.run_us_median)),
                gigabytes_per_second: run.time.as_ref().map(|time| time.gb_per_s),
                stale,
            },
            Err(reason) => RunResult {
                ending: Ending::Stopped(reason.clone()),
                microseconds: None,
                gigabytes_per_second: None,
                stale,
            },
        })
    }
}

fn ending(db: &dyn Db, item: Item, run: &Run) -> Ending {
    match (run.expect, &run.first_mismatch) {
        (Expect::None, _) => Ending::Done,
        (Expect::Passed, _) => Ending::Passed,
        (Expect::Failed, found) => Ending::Failed(found.as_ref().map_or_else(Mismatch::default, |found| Mismatch {
            tensor: ide::run_places(db, item).and_then(|places| places.compared),
            index: found.index.clone(),
            actual: found.actual.to_string(),
            expected: found.expected.to_string(),
            wrong: run.mismatches,
        })),
    }
}

/// The last outcome of every run, by file and id.
#[derive(Clone, Debug, Default)]
pub(super) struct Results(HashMap<String, HashMap<String, Outcome>>);

impl Results {
    /// Whether a run of a file has an outcome.
    pub(super) fn has_any(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    pub(super) fn get(&self, path: &str, id: &str) -> Option<&Outcome> {
        self.0.get(path)?.get(id)
    }

    pub(super) fn set(&mut self, path: &str, id: &str, outcome: Outcome) {
        self.0.entry(path.to_owned()).or_default().insert(id.to_owned(), outcome);
    }
}
