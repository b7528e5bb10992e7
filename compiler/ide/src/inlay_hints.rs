//! Inlay hints: computed shapes, values, verdicts, launches, the shares of views, barriers.

mod collectives;

use std::ops::Range;

use super::cursor::items_in;
use super::describe;
use super::document::{Document, inline};
use super::facts::{MapFacts, facts_of_map};
use super::places::bytes;
use super::plural::count;
use super::shorten::shortened;
use crate::database::CompilerDatabase;
use crate::database::known::is_checked;
use check::db::{Db, Item, SourceFile};
use check::evaluate;
use check::kernels::{self, Meaning};
use check::values::Value;
use check::watched::{Watched, all_watched_in_item};
use dims::Facts;
use syntax::span::Span;
use syntax::tree::{BinaryOp, Block, Expr, ExprKind, ItemKind, Kernel, LaunchClauseKind, Link, StatementKind};

/// The most characters of a hint.
const LONGEST: usize = 60;

/// A text that is shown between the characters of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The byte before which it is shown.
    pub position: u32,
    /// The text.
    pub label: String,
    /// More detail.
    pub tooltip: Document,
    /// Whether a blank belongs before it.
    pub padded: bool,
}

/// A hint after a token of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Hint {
    token: u32,
    label: String,
    tooltip: Document,
    padded: bool,
}

/// The hints in a part of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlayHints {
    /// In the order of the file.
    pub hints: Vec<InlayHint>,
    /// Whether these are all: barriers are shown only if their kernel has been checked already, to avoid waiting.
    pub complete: bool,
}

/// The hints in a part of a file.
pub fn inlay_hints(db: &CompilerDatabase, file: SourceFile, part: Range<u32>) -> InlayHints {
    let mut found = InlayHints { hints: Vec::new(), complete: true };
    for position in items_in(db, file, part.clone()) {
        let Some(&item) = file.items(db).get(position) else { continue };
        let barriers = match (is_checked(db, item), item.declared_kernel(db)) {
            (_, None) => &[],
            (true, Some(_)) => of_barriers(db, item),
            (false, Some(_)) => {
                found.complete = false;
                &[]
            }
        };
        let hints = of_item(db, item).iter().chain(barriers).map(|hint| {
            let position = bytes(db, file, position, Span::new(hint.token, hint.token + 1)).end;
            InlayHint { position, label: hint.label.clone(), tooltip: hint.tooltip.clone(), padded: hint.padded }
        });
        found.hints.extend(hints.filter(|hint| part.contains(&hint.position) || hint.position == part.end));
    }
    found.hints.sort_by_key(|hint| hint.position);
    found
}

/// The hints of an item. They depend on the item and what it uses, but on no positions, so other edits do not
/// invalidate them.
#[salsa::tracked(returns(deref))]
fn of_item(db: &dyn Db, item: Item) -> Vec<Hint> {
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Shape { value, .. } | ItemKind::Const { value, .. }) => computed(db, item, value),
        Some(ItemKind::Map { value, .. }) => {
            let whole = facts_of_map(db, item).as_ref().map(|known| map(value, known));
            stages(db, item, value).into_iter().chain(whole).collect()
        }
        Some(ItemKind::Tiling { value, .. }) => tiling(db, item, value),
        Some(ItemKind::Kernel(kernel)) => of_kernel(db, item, kernel),
        _ => Vec::new(),
    }
}

/// The value of a shape or a constant, if it differs from the source.
fn computed(db: &dyn Db, item: Item, expr: &Expr) -> Vec<Hint> {
    let known = evaluate::value(db, item);
    let Some(value) = &known.value else { return Vec::new() };
    let shown = describe::short(value);
    let tokens = item.tokens(db);
    let written: String = (expr.span.start..expr.span.end).map(|token| tokens.text(token as usize)).collect();
    if written == shown.split_whitespace().collect::<String>() || matches!(value, Value::Text(_)) {
        return Vec::new();
    }
    vec![Hint {
        token: expr.span.end.saturating_sub(1),
        label: shortened(format!("= {shown}"), LONGEST),
        tooltip: describe::value(value, &known.facts),
        padded: true,
    }]
}

/// The shapes of a map, and a sign for its verdicts; failed ones are named.
fn map(expr: &Expr, known: &MapFacts) -> Hint {
    let doubtful = known.verdicts.iter().filter(|question| !question.verdict.is_proven());
    let doubtful: Vec<String> = doubtful
        .map(|question| format!("{} {}", describe::mark(&question.verdict), describe::word(question.name)))
        .collect();
    let verdicts = if doubtful.is_empty() { "✓".to_owned() } else { doubtful.join(", ") };
    let shapes = describe::short(&Value::Map(known.map.clone()));
    Hint {
        token: expr.span.end.saturating_sub(1),
        label: format!("{shapes} {verdicts}"),
        tooltip: describe::map(known),
        padded: true,
    }
}

/// The dimensions above each stage of a pipeline but the last, which has the hint of the map.
fn stages(db: &dyn Db, item: Item, expr: &Expr) -> Vec<Hint> {
    let ExprKind::Chain { rest, .. } = &expr.kind else { return Vec::new() };
    let before_last = rest.split_last().map_or(&[][..], |(_, before)| before);
    // All in one evaluation: a pipeline may be long.
    let spans: Vec<Span> = pipes(before_last).collect();
    let hint = |known: Watched| {
        let Value::Map(map) = &known.value else { return None };
        Some(Hint {
            token: known.span.end.saturating_sub(1),
            label: shortened(describe::map_extents(map).0, LONGEST),
            tooltip: describe::value(&known.value, &known.facts),
            padded: true,
        })
    };
    all_watched_in_item(db, item, &spans).into_iter().flatten().filter_map(hint).collect()
}

/// The right side of each `|>`.
fn pipes(links: &[Link]) -> impl Iterator<Item = Span> {
    links.iter().filter(|link| link.op == BinaryOp::Pipe).map(|link| link.operand.span)
}

/// The threads of one iteration after each step, and the number of iterations after the last one.
fn tiling(db: &dyn Db, item: Item, expr: &Expr) -> Vec<Hint> {
    let hint = |span: Span, label: String, known: &Value| Hint {
        token: span.end.saturating_sub(1),
        label: shortened(label, LONGEST),
        tooltip: describe::value(known, &Facts::empty()),
        padded: true,
    };
    let rest = if let ExprKind::Chain { rest, .. } = &expr.kind { rest.as_slice() } else { &[] };
    let before_last = rest.split_last().map_or(&[][..], |(_, before)| before);
    let mut found: Vec<Hint> = Vec::new();
    let spans: Vec<Span> = pipes(before_last).collect();
    for Watched { value, span, .. } in all_watched_in_item(db, item, &spans).into_iter().flatten() {
        if let Value::Tiling(tiling) = &value {
            found.push(hint(span, count(tiling.leaf_threads() as usize, "thread"), &value));
        }
    }
    if let Some(value @ Value::Tiling(tiling)) = &evaluate::value(db, item).value {
        found.push(hint(expr.span, describe::summary(tiling), value));
    }
    found
}

fn of_kernel(db: &dyn Db, item: Item, kernel: &Kernel) -> Vec<Hint> {
    let typed = kernels::typed_kernel(db, item);
    let written = |kind| kernel.clauses.iter().any(|clause| clause.kind == kind);
    let mut found = Vec::new();
    if let (Some(launch), Some(last)) = (&typed.launch, kernel.body.span.start.checked_sub(1)) {
        let mut clauses = Vec::new();
        if !written(LaunchClauseKind::Grid) {
            clauses.push(format!("grid({})", launch.blocks));
        }
        if !written(LaunchClauseKind::Block) {
            clauses.push(format!("block({})", launch.threads));
        }
        if !clauses.is_empty() {
            let launch = describe::launch_text(launch);
            let tooltip = format!("The launch that the compiler chose: {}", inline(launch)).into();
            found.push(Hint { token: last, label: clauses.join(" "), tooltip, padded: true });
        }
    }
    let mut untyped = Vec::new();
    declarations(&kernel.body, &mut untyped);
    found.extend(typed.record.meanings.iter().filter_map(|(span, meaning)| {
        if !untyped.contains(span) {
            return None;
        }
        let (label, tooltip) = match meaning {
            Meaning::Variable(element) => (element.to_string(), Document::default()),
            Meaning::View(view) => {
                let through = format!("elements of {} through", inline(&view.tensor));
                (describe::share(view), Document::joined([through.into(), describe::formula(&view.map)]))
            }
            Meaning::Tile(tile) => (describe::tile(tile.element, &tile.shape), Document::default()),
            Meaning::Partition(partition) => {
                let of = format!("tiles of {}", inline(&partition.tensor));
                (describe::tiles(partition), Document::joined([of.into(), describe::formula(&partition.map)]))
            }
            // What it is is written.
            Meaning::Shared(_) | Meaning::ThreadArray(_) | Meaning::Defined(_) => return None,
        };
        Some(Hint { token: span.start, label: format!(": {label}"), tooltip, padded: false })
    }));
    found.extend(collectives::loops(typed));
    found
}

/// The barriers of a kernel.
#[salsa::tracked(returns(deref))]
fn of_barriers(db: &dyn Db, item: Item) -> Vec<Hint> {
    let placed = &kernels::checked_kernel(db, item).kernel;
    match (item.declared_kernel(db), placed) {
        (Some(kernel), Some(placed)) => collectives::barriers(item.tokens(db), &kernel, placed),
        _ => Vec::new(),
    }
}

/// The names of views, and of variables without a written type.
fn declarations(block: &Block, found: &mut Vec<Span>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::View { name, .. } | StatementKind::Let { name, element: None, .. } => found.push(name.span),
            _ => {}
        }
        statement.bodies().for_each(|block| declarations(block, found));
    }
}

#[cfg(test)]
mod tests;
