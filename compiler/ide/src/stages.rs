//! Every stage that reports diagnostics about an item, in the order of the compiler.

use check::db::{Db, Item, SourceFile};
use check::diagnostics::{self, Diagnostic};
use check::evaluate;
use check::functions;
use check::names;
use check::{kernels, run_items};

use crate::database::CompilerDatabase;
use crate::database::known::{self, Reported};
use syntax::error::SyntaxErrorKind;
use syntax::tree::ItemKind;

/// The items of a file with diagnostics. Not to be called in a query.
pub(super) fn of_file(db: &CompilerDatabase, file: SourceFile) -> Reported {
    known::reported(db, file, of_item)
}

/// The diagnostics of an item, in its own token positions.
pub(super) fn of_item(db: &dyn Db, item: Item) -> Vec<Diagnostic> {
    let parse = item.tree(db);
    let mut found: Vec<Diagnostic> = parse.errors.iter().map(diagnostics::syntax_error).collect();
    // The tree lacks the parts that are nested too deeply or too long, so further errors may be wrong.
    let is_left_out =
        |kind: &SyntaxErrorKind| matches!(kind, SyntaxErrorKind::TooDeeplyNested | SyntaxErrorKind::TooLong);
    if parse.errors.iter().any(|error| is_left_out(&error.kind)) {
        return found;
    }
    found.extend(names::name_diagnostics(db, item));
    match parse.item.as_ref().map(|parsed| &parsed.kind) {
        None | Some(ItemKind::Use { .. }) => {}
        Some(ItemKind::Dim { .. }) => found.extend(evaluate::dim_facts(db, item).diagnostics.iter().cloned()),
        Some(ItemKind::Kernel(_)) => found.extend(kernels::checked_kernel(db, item).diagnostics.iter().cloned()),
        Some(ItemKind::Function(_)) => found.extend(functions::function_errors(db, item).iter().cloned()),
        Some(ItemKind::Run(_)) => found.extend(run_items::run(db, item).diagnostics.iter().cloned()),
        Some(_) => found.extend(evaluate::value(db, item).diagnostics.iter().cloned()),
    }
    found
}

/// Checks everything in a file except its kernels and runs, and returns the kernels.
///
/// Kernels take nearly all the time of a check. They depend on the values of other items, which are known then, but
/// never on each other: so each kernel may be passed to [`check_item`] on another thread, before asking for the
/// file's diagnostics.
pub fn check_all_but_kernels(db: &CompilerDatabase, file: SourceFile) -> Vec<Item> {
    known::read_names(db, file);
    let mut kernels = Vec::new();
    for &item in file.items(db) {
        match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
            Some(ItemKind::Kernel(_)) => kernels.push(item),
            Some(ItemKind::Run(_)) => {}
            _ => check_item(db, item),
        }
    }
    kernels
}

/// Checks an item, so that its diagnostics are cached.
pub fn check_item(db: &dyn Db, item: Item) {
    of_item(db, item);
}
