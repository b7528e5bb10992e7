//! The facts of every item, for `show` and hover.

use std::ops::Range;
use std::sync::Arc;

use super::candidates::left_open;
use super::places::bytes;
use super::shorten::{on_one_line, shortened};
use super::stages;
use check::db::{Db, Item, SourceFile};
use check::diagnostics::Severity;
use check::effort;
use check::evaluate;
use check::generics::Generics;
use check::settings;
use check::values::Value;
use check::{kernels, run_items};
use dims::Sym;
use kernel::run::Run;
use kernel::typed::{Kernel, ParamKind};
use maps::IndexMap;
use maps::shapes::Shape;
use proofs::{Budget, Verdict};
use syntax::span::Span;
use syntax::tree::ItemKind;

/// Characters of an expression that are shown.
const LONGEST_EXPRESSION: usize = 100;

/// One item with what is known of it.
#[derive(Clone, Debug)]
pub struct ItemFacts {
    /// The names that it declares: several for a `dim` item, none for an expression; for a run its kernel, for a
    /// `use` its path.
    pub names: Vec<String>,
    /// `shape`, `dim`, `const`, `map`, `unit`, `tiling`, `kernel`, `assert`, `show`, `run`, `use` or `expression`.
    pub kind: &'static str,
    /// Its bytes.
    pub range: Range<u32>,
    /// The bytes of its name, or of all of it.
    pub name_range: Range<u32>,
    /// A one-line description.
    pub display: String,
    /// The expression of an `assert`, a `show` or an expression item, on one line; otherwise empty.
    pub expression: String,
    /// Its documentation comment.
    pub documentation: Option<Arc<str>>,
    /// How many errors it has.
    pub errors: usize,
    /// The candidates for the values of generic parameters that it leaves open, the defaults first; none if there is no choice.
    pub candidates: Vec<Generics>,
    /// What is known.
    pub facts: Facts,
}

/// What is known of an item, by kind.
#[derive(Clone, Debug)]
pub enum Facts {
    /// Nothing beyond its display: an item with errors, or one of a kind without facts.
    Nothing,
    /// A shape.
    Shape(Shape),
    /// The symbols' facts, in the language's notation.
    Dim(Vec<String>),
    /// A constant's, an expression's, an assertion's or a shown value.
    Value(Value),
    /// An index map.
    Map(Arc<MapFacts>),
    /// A kernel that passed its checks.
    Kernel(Arc<Kernel>),
    /// A run that passed its checks.
    Run(Arc<Run>),
}

impl Facts {
    /// The map of an item, with the facts about its symbols; for a tiling the map from its iterations to their
    /// threads.
    pub fn as_map(&self) -> Option<(Arc<IndexMap>, dims::Facts)> {
        match self {
            Facts::Map(known) => Some((Arc::clone(&known.map), known.known.clone())),
            Facts::Value(Value::Tiling(tiling)) => Some((Arc::new(tiling.assignment().ok()?), dims::Facts::empty())),
            _ => None,
        }
    }
}

/// What is known of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFacts {
    /// The map.
    pub map: Arc<IndexMap>,
    /// What is known of its symbols.
    pub known: dims::Facts,
    /// The extents of the upper coordinates; `None` is unbounded.
    pub upper_shape: Vec<Option<Sym>>,
    /// The extents of the lower coordinates; `None` is not bounded by the map.
    pub lower_shape: Vec<Option<Sym>>,
    /// The questions that every map answers.
    pub verdicts: Vec<Question>,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The member that asks it: `injective`.
    pub name: &'static str,
    /// The answer.
    pub verdict: Verdict,
}

/// The facts of all items of a file, in its order.
pub fn item_facts(db: &dyn Db, file: SourceFile) -> Vec<ItemFacts> {
    file.items(db).iter().enumerate().map(|(position, item)| of_item(db, *item, position)).collect()
}

/// The typed kernel of a name, before barriers are placed; `None` if it has type errors.
pub fn program(db: &dyn Db, file: SourceFile, name: &str) -> Option<Arc<Kernel>> {
    let is_named = |item: &&Item| {
        let tree = item.tree(db);
        let kind = tree.item.as_ref().map(|parsed| &parsed.kind);
        kind.is_some_and(|kind| matches!(kind, ItemKind::Kernel(_)) && names_of(kind).iter().any(|own| own == name))
    };
    let item = file.items(db).iter().find(is_named)?;
    kernels::typed_kernel(db, *item).draft.clone()
}

fn of_item(db: &dyn Db, item: Item, position: usize) -> ItemFacts {
    let file = item.file(db);
    let tree = item.tree(db);
    let parsed = tree.item.as_ref();
    let all = Span::new(0, item.tokens(db).len() as u32);
    let name_span = parsed.and_then(|parsed| match &parsed.kind {
        ItemKind::Run(run) => Some(run.kernel.span),
        kind => check::db::declared(kind).first().map(|name| name.span),
    });
    let facts = parsed.map_or(Facts::Nothing, |parsed| facts_of(db, item, &parsed.kind));
    let errors = stages::of_item(db, item);
    let errors = errors.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error).count();
    ItemFacts {
        names: parsed.map_or_else(Vec::new, |parsed| names_of(&parsed.kind)),
        kind: parsed.map_or("error", |parsed| kind_name(&parsed.kind)),
        range: bytes(db, file, position, all),
        name_range: bytes(db, file, position, name_span.unwrap_or(all)),
        display: parsed.map_or_else(String::new, |parsed| display(&parsed.kind, &facts)),
        expression: parsed.map_or_else(String::new, |parsed| expression(db, file, position, &parsed.kind)),
        documentation: item.documentation(db).clone(),
        errors,
        candidates: left_open(db, item),
        facts,
    }
}

pub(super) fn kind_name(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Use { .. } => "use",
        ItemKind::Shape { .. } => "shape",
        ItemKind::Dim { .. } => "dim",
        ItemKind::Const { .. } => "const",
        ItemKind::Map { .. } => "map",
        ItemKind::Unit { .. } => "unit",
        ItemKind::Tiling { .. } => "tiling",
        ItemKind::Kernel(_) => "kernel",
        ItemKind::Function(_) => "fn",
        ItemKind::Run(_) => "run",
        ItemKind::Assert { .. } => "assert",
        ItemKind::Show { .. } => "show",
        ItemKind::Expr(_) => "expression",
    }
}

impl ItemFacts {
    /// Whether `name` is one of its names.
    pub fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// Its names in one line; empty where it has none.
    pub fn title(&self) -> String {
        self.names.join(", ")
    }
}

fn names_of(kind: &ItemKind) -> Vec<String> {
    match kind {
        ItemKind::Run(run) => vec![run.kernel.text.to_string()],
        ItemKind::Use { path } => vec![path.text.to_string()],
        kind => check::db::declared(kind).iter().map(|name| name.text.to_string()).collect(),
    }
}

/// The source of an item without a name.
fn expression(db: &dyn Db, file: SourceFile, position: usize, kind: &ItemKind) -> String {
    let (ItemKind::Assert { value } | ItemKind::Show { value } | ItemKind::Expr(value)) = kind else {
        return String::new();
    };
    let range = bytes(db, file, position, value.span);
    let text = file.text(db).get(range.start as usize..range.end as usize).unwrap_or_default();
    shortened(on_one_line(text), LONGEST_EXPRESSION)
}

pub(super) fn facts_of(db: &dyn Db, item: Item, kind: &ItemKind) -> Facts {
    match kind {
        ItemKind::Use { .. } => Facts::Nothing,
        ItemKind::Dim { .. } => {
            let known = evaluate::dim_facts(db, item);
            Facts::Dim(known.facts.iter().map(ToString::to_string).collect())
        }
        ItemKind::Kernel(_) => kernels::checked_kernel(db, item).kernel.clone().map_or(Facts::Nothing, Facts::Kernel),
        ItemKind::Run(_) => run_items::run(db, item).run.clone().map_or(Facts::Nothing, Facts::Run),
        _ => {
            let evaluated = evaluate::value(db, item);
            match &evaluated.value {
                None => Facts::Nothing,
                Some(Value::Shape(shape)) => Facts::Shape(shape.clone()),
                Some(Value::Map(_)) => facts_of_map(db, item).clone().map_or(Facts::Nothing, Facts::Map),
                Some(value) => Facts::Value(value.clone()),
            }
        }
    }
}

/// The facts about the map of an item. A query, so that repeated hovers do not repeat the proofs.
#[salsa::tracked]
pub(super) fn facts_of_map(db: &dyn Db, item: Item) -> Option<Arc<MapFacts>> {
    let evaluated = evaluate::value(db, item);
    match &evaluated.value {
        Some(Value::Map(map)) => {
            let poll = settings::poll(db);
            let ask = || map_facts(map, &evaluated.facts, &settings::budget(db, &poll));
            Some(Arc::new(effort::of_item(db, item, ask).0))
        }
        _ => None,
    }
}

/// What is known of a map, under facts about its symbols.
pub fn map_facts(map: &Arc<IndexMap>, facts: &dims::Facts, budget: &Budget) -> MapFacts {
    let mut verdicts = vec![
        Question { name: "injective", verdict: proofs::injective(map, facts, budget) },
        Question { name: "race_free", verdict: proofs::race_free(map, facts, budget) },
    ];
    if let Some(bounds) = map.lower.iter().map(|axis| axis.extent.clone()).collect::<Option<Vec<_>>>() {
        verdicts.push(Question { name: "in_bounds", verdict: proofs::in_bounds(map, &bounds, facts, budget) });
        let slots: Vec<Range<Sym>> = bounds.into_iter().map(|bound| Sym::zero()..bound).collect();
        verdicts.push(Question { name: "covers", verdict: proofs::covers(map, &slots, facts, budget) });
    }
    MapFacts {
        upper_shape: map.upper.iter().map(|axis| axis.extent.clone()).collect(),
        lower_shape: map.lower.iter().map(|axis| axis.extent.clone()).collect(),
        map: Arc::clone(map),
        known: facts.clone(),
        verdicts,
    }
}

/// A one-line description of an item.
fn display(kind: &ItemKind, facts: &Facts) -> String {
    match facts {
        Facts::Nothing => String::new(),
        Facts::Shape(shape) => shape.to_string(),
        Facts::Dim(known) if known.is_empty() => format!("{}: positive, known at launch", names_of(kind).join(", ")),
        Facts::Dim(known) => known.join(", "),
        Facts::Value(value) => value.to_string(),
        Facts::Map(map) => format!("{} -> {}", extents(&map.upper_shape), extents(&map.lower_shape)),
        Facts::Kernel(kernel) => signature(kernel),
        Facts::Run(run) => run_line(run),
    }
}

/// `[3, _]`: extents; `_` is unbounded.
pub(super) fn extents(extents: &[Option<Sym>]) -> String {
    maps::extents(extents.iter().map(Option::as_ref))
}

/// `scale(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4)`
fn signature(kernel: &Kernel) -> String {
    let params: Vec<String> = kernel
        .params
        .iter()
        .map(|param| match &param.kind {
            ParamKind::Scalar => format!("{}: {}", param.name, param.element),
            ParamKind::Tensor { mutable, shape, .. } => {
                let word = if *mutable { "mut " } else { "" };
                let dims = Shape { dims: shape.clone() };
                format!("{}: {word}{}{dims}", param.name, param.element)
            }
        })
        .collect();
    let launch = &kernel.launch;
    let cluster = if launch.cluster == 1 { String::new() } else { format!(" cluster({})", launch.cluster) };
    format!("{}({}){cluster} grid({}) block({})", kernel.name, params.join(", "), launch.blocks, launch.threads)
}

fn run_line(run: &Run) -> String {
    let mut line = format!("run {}", run.kernel.name);
    if !run.bindings.is_empty() {
        let bindings: Vec<String> = run.bindings.iter().map(|(symbol, value)| format!("{symbol} = {value}")).collect();
        line.push_str(&format!(" with {}", bindings.join(", ")));
    }
    if run.expect.is_some() {
        line.push_str(", with an expectation");
    }
    line
}
