//! Kernels from source text, through the whole compiler.

use std::path::{Path, PathBuf};

use check::kernels::checked_kernel;
use check::run_items;
use ide::CompilerDatabase;
use kernel::typed::{AtomicOperation, Kernel, Statement, StatementKind};
use syntax::tree::ItemKind;

use super::check::Case;
use super::handmade;
use crate::cookbook;

/// Every `run` of the file beside this one.
pub fn cases() -> Vec<Case> {
    runs("kernels.shape", include_str!("kernels.shape"))
}

/// Every `run` of the examples with tiles.
pub fn examples_of_tiles() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|kind| kind == "shape")).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("partition(") {
            cases.extend(runs(&path.display().to_string(), &text));
        }
    }
    assert!(cases.len() > 5, "only {} runs of examples with tiles", cases.len());
    cases
}

/// Every `run` of the cookbook whose result does not depend on the order of the threads.
pub fn recipes() -> Vec<Case> {
    let mut cases: Vec<Case> = cookbook::programs().flat_map(|(title, program)| runs(title, program)).collect();
    cases.retain(|case| !adds_floats_atomically(&case.kernel));
    assert!(cases.len() > 34, "only {} runs of recipes", cases.len());
    cases
}

fn adds_floats_atomically(kernel: &Kernel) -> bool {
    let mut found = false;
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::Atomic(atomic) = &statement.kind {
            let adds = atomic.operation == AtomicOperation::Add;
            found |= adds && atomic.operands.iter().any(|operand| operand.element.is_float());
        }
    });
    found
}

/// Every `run` of the files with tiles, with atomic accesses and with variables.
pub fn written() -> [Vec<Case>; 3] {
    [
        runs("tiles.shape", include_str!("tiles.shape")),
        runs("atomics.shape", include_str!("atomics.shape")),
        runs("variables.shape", include_str!("variables.shape")),
    ]
}

/// Every `run` of a file, with its sizes and random arguments.
pub fn runs(path: &str, text: &str) -> Vec<Case> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text(path, text);
    db.add_library(file);
    let mut cases = Vec::new();
    for item in file.items(&db) {
        let (checked, own) = (run_items::run(&db, *item), checked_kernel(&db, *item));
        // An error in a kernel would leave its run out without a word.
        let is_kernel = matches!(&item.tree(&db).item, Some(parsed) if matches!(parsed.kind, ItemKind::Kernel(_)));
        assert!(own.kernel.is_some() || !is_kernel, "{:#?}", own.diagnostics);
        if let Some(run) = &checked.run {
            cases.push(handmade::sized(&run.kernel.name, (*run.kernel).clone(), cookbook::sizes_of(run)));
        }
    }
    let expected = text.matches("\nrun ").count();
    assert_eq!(cases.len(), expected, "some run of {path} did not pass its checks");
    cases
}
