//! What runs gave, for as long as the session lasts.

use std::collections::HashMap;
use std::sync::Arc;

use shapewright_compiler::db::{Db, Item, SourceFile};
use shapewright_compiler::kernels::run_item;
use shapewright_compiler::syntax::tree::ItemKind;

use crate::cli::json::Run;

/// A `run` item of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunItem {
    /// The item.
    pub(super) item: Item,
    /// Its number among the file's `run` items.
    pub(super) number: usize,
}

/// The `run` items of a file with their names: the kernel's, and from the second run of a kernel on with a number.
pub(super) fn run_items(db: &dyn Db, file: SourceFile) -> Vec<(String, RunItem)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for &item in file.items(db) {
        let Some(ItemKind::Run(run)) = item.tree(db).item.as_ref().map(|parsed| &parsed.kind) else { continue };
        let count = counts.entry(run.kernel.text.as_str()).or_default();
        *count += 1;
        let name = if *count == 1 { run.kernel.text.to_string() } else { format!("{}#{count}", run.kernel.text) };
        let number = found.len();
        found.push((name, RunItem { item, number }));
    }
    found
}

/// What a run means: two runs of equal meaning give the same. White space, comments and positions are no part of it.
/// `None` for a run with mistakes.
pub(super) fn meaning(db: &dyn Db, item: Item) -> Option<Meaning> {
    let run = run_item(db, item).run.as_ref()?;
    Some(Meaning(*blake3::hash(format!("{run:?}").as_bytes()).as_bytes()))
}

/// A fingerprint of what a run means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning([u8; 32]);

/// What a run gave.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// What the run meant then.
    pub(super) meaning: Option<Meaning>,
    /// What it gave.
    pub(super) run: Arc<Run>,
}

impl Outcome {
    /// Whether the text means something else by now.
    pub(super) fn is_stale(&self, now: Option<Meaning>) -> bool {
        self.meaning.is_none() || self.meaning != now
    }
}

/// The last outcome of every run, by file and name.
#[derive(Clone, Debug, Default)]
pub(super) struct Results(HashMap<(String, String), Outcome>);

impl Results {
    pub(super) fn get(&self, path: &str, name: &str) -> Option<&Outcome> {
        self.0.get(&(path.to_owned(), name.to_owned()))
    }

    pub(super) fn set(&mut self, path: &str, name: &str, outcome: Outcome) {
        self.0.insert((path.to_owned(), name.to_owned()), outcome);
    }
}
