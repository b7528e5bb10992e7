//! Kernels from source text, through the whole compiler.

use shapewright_compiler::db::{CompilerDatabase, items};
use shapewright_compiler::kernels::{kernel, run_item};
use shapewright_compiler::diagnostics::Severity;

use crate::check::Case;
use crate::handmade;

/// Every `run` of the file beside this one, with its sizes and random arguments.
pub fn cases() -> Vec<Case> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("kernels.shape", include_str!("kernels.shape"));
    let mut cases = Vec::new();
    for item in items(&db, file) {
        let checked = run_item(&db, *item);
        let messages: Vec<String> = checked.diagnostics.iter().map(|found| format!("{found:?}")).collect();
        let Some(run) = &checked.run else {
            let kernel = kernel(&db, *item);
            assert!(messages.is_empty() && kernel.diagnostics.iter().all(|d| d.severity() != Severity::Error), "{messages:#?} {:#?}", kernel.diagnostics);
            continue;
        };
        let (kernel, sizes) = ((*run.kernel).clone(), run.bindings.clone());
        cases.push(handmade::sized(&kernel.name.to_string(), kernel, sizes));
    }
    assert!(!cases.is_empty(), "no kernel of kernels.shape passed its checks");
    cases
}
