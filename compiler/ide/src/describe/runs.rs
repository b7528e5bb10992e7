//! Runs.

use super::NOT_CHECKED;
use super::kernels::launch_with;
use crate::document::{Document, inline};
use crate::plural::count;
use check::db::{Db, Item};
use check::run_items;
use kernel::run::Run;
use kernel::typed::ParamKind;
use maps::shapes::Shape;

/// What a run means: its sizes, its launch, its tensors.
pub(super) fn body(db: &dyn Db, item: Item, checked: bool) -> Document {
    if !checked {
        return NOT_CHECKED.into();
    }
    match &run_items::run(db, item).run {
        Some(run) => meaning(run),
        None => "It does not run: see its diagnostics and those of its kernel.".into(),
    }
}

fn meaning(run: &Run) -> Document {
    let sizes: Vec<String> = run.bindings.iter().map(|(symbol, value)| format!("{symbol} = {value}")).collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!("sizes: {}", inline(sizes.join(", "))) };
    let launch = launch_with(&run.kernel.launch, &run.bindings).map_or_else(String::new, |(blocks, threads)| {
        let (blocks, threads) = (count_of(blocks, "block"), count_of(threads, "thread"));
        format!("launch: {blocks} of {threads}")
    });
    let open: Vec<&str> = run
        .kernel
        .symbols
        .iter()
        .filter(|symbol| !run.bindings.contains_key(symbol))
        .map(|symbol| symbol.name())
        .collect();
    let open = match open.as_slice() {
        [] => String::new(),
        open => format!("open until it runs: {}", inline(open.join(", "))),
    };
    Document::joined([sizes.into(), open.into(), launch.into(), tensors(run)])
}

fn count_of(number: i64, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// The tensors with the shapes that they have in this run.
fn tensors(run: &Run) -> Document {
    let known = |symbol: &dims::Symbol| run.bindings.get(symbol).copied();
    let lines: Vec<String> = run
        .kernel
        .params
        .iter()
        .filter_map(|param| {
            let ParamKind::Tensor { shape, .. } = &param.kind else { return None };
            let dims = shape.iter().map(|dim| dim.evaluate(&known).map_or_else(|_| dim.clone(), dims::Sym::constant));
            let shape = Shape { dims: dims.collect() };
            Some(inline(format!("{}: {}{shape}", param.name, param.element)))
        })
        .collect();
    Document::list("", lines)
}
