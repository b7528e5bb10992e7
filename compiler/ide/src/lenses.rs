//! Code lenses: to run or to draw an item.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::places::{self, bytes};
use check::db::{Db, Item, SourceFile};
use check::names;
use syntax::tree::{Block, DomainWord, ItemKind, Statement, StatementKind};

/// A code lens above an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The bytes of the item's name, above which it is shown.
    pub range: Range<u32>,
    /// The item.
    pub item: Item,
    /// What it does.
    pub kind: LensKind,
}

/// What a lens does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LensKind {
    /// Runs `run` items.
    Run {
        /// The id of a `run` item, or the name of a kernel for all of its runs; see [`runs_named`].
        id: SmolStr,
        /// How many runs.
        runs: usize,
    },
    /// Shows the picture of a map, or of a kernel's views.
    Show {
        /// The name of the map or the kernel.
        name: SmolStr,
    },
}

/// The lenses of a file in order: on each run and each kernel with a run, on each map, and on each kernel with a
/// view.
pub fn lenses(db: &dyn Db, file: SourceFile) -> Vec<Lens> {
    let items = run_items(db, file);
    let mut runs: FxHashMap<&str, usize> = FxHashMap::default();
    items.iter().for_each(|run| *runs.entry(&run.kernel).or_default() += 1);
    let ids: FxHashMap<Item, SmolStr> = items.iter().map(|run| (run.item, run.id())).collect();
    let mut found = Vec::new();
    for (position, item) in places::items(db, file) {
        let Some(parsed) = &item.tree(db).item else { continue };
        let (name, kind) = match &parsed.kind {
            ItemKind::Run(run) => match ids.get(&item) {
                Some(id) => (&run.kernel, LensKind::Run { id: id.clone(), runs: 1 }),
                None => continue,
            },
            ItemKind::Kernel(kernel) => {
                let range = bytes(db, file, position, kernel.name.span);
                let id = &kernel.name.text;
                let run = runs.get(id.as_str()).map(|&runs| LensKind::Run { id: id.clone(), runs });
                let show = has_picture(&kernel.body).then(|| LensKind::Show { name: id.clone() });
                found.extend(run.into_iter().chain(show).map(|kind| Lens { range: range.clone(), item, kind }));
                continue;
            }
            ItemKind::Map { name, .. } | ItemKind::Tiling { name, .. } => {
                (name, LensKind::Show { name: name.text.clone() })
            }
            _ => continue,
        };
        found.push(Lens { range: bytes(db, file, position, name.span), item, kind });
    }
    found
}

/// Whether a view, or a loop over thread collectives, stands in a block or in one within it.
fn has_picture(block: &Block) -> bool {
    let is_drawn = |statement: &Statement| match &statement.kind {
        StatementKind::View { .. } | StatementKind::With { .. } => true,
        StatementKind::For { domain, .. } => matches!(domain.domain_call(), Some((DomainWord::Threads, _))),
        _ => false,
    };
    block.statements.iter().any(|statement| is_drawn(statement) || statement.bodies().any(has_picture))
}

/// A `run` item whose kernel is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunItem {
    /// The name of the kernel.
    pub kernel: SmolStr,
    /// Its number among the kernel's runs in the file, from 1.
    pub number: usize,
    /// The item.
    pub item: Item,
}

impl RunItem {
    /// The unique id of the run in its file: `saxpy#1`.
    pub fn id(&self) -> SmolStr {
        SmolStr::from(format!("{}#{}", self.kernel, self.number))
    }
}

/// The `run` items of a file whose kernel is declared.
pub fn run_items(db: &dyn Db, file: SourceFile) -> Vec<RunItem> {
    let mut counts: BTreeMap<SmolStr, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (_, item) in places::items(db, file) {
        let kernel = match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
            Some(ItemKind::Run(run)) => run.kernel.text.clone(),
            _ => continue,
        };
        if names::lookup(db, file, kernel.clone()).is_some() {
            let number = counts.entry(kernel.clone()).or_default();
            *number += 1;
            found.push(RunItem { kernel, number: *number, item });
        }
    }
    found
}

/// The `run` items that an id, or the name of a kernel, stands for.
pub fn runs_named(db: &dyn Db, file: SourceFile, name: &str) -> Vec<Item> {
    let all = run_items(db, file).into_iter();
    all.filter(|run| run.kernel == name || run.id() == name).map(|run| run.item).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    const FILE: &str = "map m = reshape_map([3] | [4]);
kernel k(y: mut f32[12]) { view ys = y via m; for i in 0..3 { ys[i] = 1.0; } }
kernel idle(y: mut f32[1]) { y[0] = 1.0; }
run k(y: zeros);
run missing(y: zeros);
run k(y: ones) expect y == 1.0;
s : [3];
tiling t = block(64);
kernel lanes(y: mut f32[64]) { for i in threads(64, cuda_thread) { y[i] = 1.0; } }
";

    #[test]
    fn runs_maps_and_kernels_with_runs_or_views_have_lenses() {
        let Fixture { db, file, .. } = Fixture::new(FILE);
        let shown: Vec<String> = lenses(&db, file)
            .iter()
            .map(|lens| {
                let name = &FILE[lens.range.start as usize..lens.range.end as usize];
                match &lens.kind {
                    LensKind::Run { id, runs } => format!("{name}: run {id} ({runs})"),
                    LensKind::Show { name: shown } => format!("{name}: show {shown}"),
                }
            })
            .collect();
        assert_eq!(
            shown,
            [
                "m: show m",
                "k: run k (2)",
                "k: show k",
                "k: run k#1 (1)",
                "k: run k#2 (1)",
                "t: show t",
                "lanes: show lanes"
            ]
        );
    }

    #[test]
    fn an_id_stands_for_a_run_and_a_name_for_all() {
        let Fixture { db, file, .. } = Fixture::new(FILE);
        let items = file.items(&db);
        assert_eq!(runs_named(&db, file, "k"), [items[3], items[5]]);
        assert_eq!(runs_named(&db, file, "k#2"), [items[5]]);
        assert!(runs_named(&db, file, "k#3").is_empty());
        assert!(runs_named(&db, file, "missing").is_empty());
    }
}
