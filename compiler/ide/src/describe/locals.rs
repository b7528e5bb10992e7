//! Names inside kernels.

use super::{maps, source, values};
use crate::document::{Document, inline};
use crate::expressions::statement_at;
use crate::plural::{bytes, count};
use crate::value_at::value_of_span;
use ::maps::shapes::Shape;
use ::maps::{AxisRole, IndexMap};
use check::db::{Db, Item};
use check::generics::{Generics, generic_parameters};
use check::kernels::{self, Meaning, PartitionMeaning, SharedMeaning, TileMeaning, TypedKernel, ViewMeaning};
use check::values::Value;
use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::{Param, ParamKind};
use syntax::span::Span;
use syntax::tree::{self, ExprKind, Function, ItemKind, Statement, StatementKind};

/// The name that a kernel, or a step of a tiling, declares at some tokens.
pub(crate) fn local(db: &dyn Db, item: Item, declaration: Span) -> Option<Document> {
    if let Some(ItemKind::Function(function)) = item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        return Some(of_function(db, item, function, declaration));
    }
    let Some(kernel) = item.declared_kernel(db) else { return super::threads::iterator(db, item, declaration) };
    let typed = kernels::typed_kernel(db, item);
    if let Some(param) = kernel.params.iter().find(|param| param.name.span == declaration) {
        return Some(parameter(db, item, param, typed));
    }
    if let Some(generic) = kernel.generics.iter().find(|generic| generic.name.span == declaration) {
        return Some(self::generic(db, item, generic));
    }
    let statement = statement_at(&kernel.body, declaration.start as usize)?;
    let meaning = typed.record.meanings.iter().find(|(span, _)| *span == declaration).map(|(_, meaning)| meaning);
    Some(declared(db, item, statement, declaration, meaning))
}

/// A parameter of a function, or a name that its body declares.
fn of_function(db: &dyn Db, item: Item, function: &Function, declaration: Span) -> Document {
    if let Some(param) = function.params.iter().find(|param| param.name.span == declaration) {
        let what = match param.annotation {
            Some(_) => "a parameter of the function",
            None => "a parameter of the function: a number, a size, a tile, a shape or a map",
        };
        return Document::joined([Document::source(source(db, item, param.span)), what.into()]);
    }
    if function.generics.iter().any(|generic| generic.span == declaration) {
        let what = "it follows from the arguments of each call";
        return Document::joined([Document::source(source(db, item, declaration)), what.into()]);
    }
    let within = source(db, item, declaration);
    match &function.body.kind {
        ExprKind::Block(block) => statement_at(block, declaration.start as usize)
            .map_or_else(|| Document::source(within), |found| Document::source(source(db, item, found.span))),
        _ => Document::source(within),
    }
}

/// A one-line description of a name of a kernel.
pub(crate) fn local_detail(db: &dyn Db, item: Item, declaration: Span) -> Option<String> {
    let kernel = item.declared_kernel(db)?;
    if let Some(param) = kernel.params.iter().find(|param| param.name.span == declaration) {
        return Some(source(db, item, param.span));
    }
    if let Some(generic) = kernel.generics.iter().find(|generic| generic.name.span == declaration) {
        return Some(source(db, item, generic.span));
    }
    let typed = kernels::typed_kernel(db, item);
    let (_, meaning) = typed.record.meanings.iter().find(|(span, _)| *span == declaration)?;
    Some(match meaning {
        Meaning::Variable(element) => element.to_string(),
        Meaning::View(view) => share(view),
        Meaning::Shared(array) => shared(array),
        Meaning::ThreadArray(array) => tile(array.element, &array.shape),
        Meaning::Partition(partition) => tiles(partition),
        Meaning::Tile(known) => tile(known.element, &known.shape),
        Meaning::Defined(value) => value.to_string(),
    })
}

fn parameter(db: &dyn Db, item: Item, param: &tree::Param, typed: &TypedKernel) -> Document {
    let known = typed.params().iter().find(|known| known.name == param.name.text);
    let facts = typed.draft.as_ref().map_or_else(Facts::empty, |kernel| kernel.facts.clone());
    let body = match known.map(|known| (known, &known.kind)) {
        Some((known, ParamKind::Tensor { mutable, shape, strides })) => {
            let access = if *mutable { "a tensor that is read and written" } else { "a tensor that is only read" };
            let strides = format!("strides {}", inline(Shape { dims: strides.clone() }));
            let shape = values::shape(&Shape { dims: shape.clone() }, &facts);
            Document::joined([access.into(), shape, strides.into(), storage(known).into()])
        }
        Some((_, ParamKind::Scalar)) => "a scalar, the same for every thread".into(),
        None => Document::default(),
    };
    Document::joined([Document::source(source(db, item, param.span)), body])
}

/// A generic parameter with the values that it has while the kernel is checked.
fn generic(db: &dyn Db, item: Item, generic: &tree::Generic) -> Document {
    let checked = match generic_values(db, item, generic).as_slice() {
        [] => String::new(),
        [default] => format!("{default} where a run gives no other value"),
        [default, others @ ..] => {
            format!("{default} where a run gives no other value; the kernel is also checked for {}", others.join(", "))
        }
    };
    let what = match generic.kind {
        tree::GenericKind::Constant { .. } => "an integer that is known when the kernel is checked",
        tree::GenericKind::Element { .. } => "an element type that is known when the kernel is checked",
    };
    Document::joined([Document::source(source(db, item, generic.span)), what.into(), checked.into()])
}

/// The values for which a kernel is checked, the default first.
pub(crate) fn generic_values(db: &dyn Db, item: Item, generic: &tree::Generic) -> Vec<String> {
    let parameters = generic_parameters(db, item);
    let value = |instance: &Generics| instance.value(&generic.name.text);
    let mut values: Vec<String> = Vec::new();
    for value in std::iter::once(&parameters.default).chain(&parameters.candidates).filter_map(value) {
        let value = value.to_string();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Whether a name of a kernel is a tensor divided into tiles.
pub(crate) fn is_partition(db: &dyn Db, item: Item, declaration: Span) -> bool {
    let meanings = kernels::typed_kernel(db, item).record.meanings.iter();
    meanings.rev().any(|(span, meaning)| *span == declaration && matches!(meaning, Meaning::Partition(_)))
}

fn storage(param: &Param) -> String {
    match param.element.size_bytes() {
        1 => "1 byte for each element".to_owned(),
        bytes => format!("{bytes} bytes for each element"),
    }
}

fn declared(db: &dyn Db, item: Item, statement: &Statement, name: Span, meaning: Option<&Meaning>) -> Document {
    let word = source(db, item, name);
    let typed = |lead: &str| match meaning {
        Some(Meaning::Variable(element)) => format!("{lead}{word}: {element}"),
        Some(Meaning::Tile(known)) => format!("{lead}{word}: {}", tile(known.element, &known.shape)),
        _ => format!("{lead}{word}"),
    };
    match (&statement.kind, meaning) {
        (StatementKind::View { .. }, Some(Meaning::View(known))) => {
            let title = format!("view {word}: {}", share(known));
            let through = format!("through it, elements of {}", inline(&known.tensor));
            Document::joined([
                Document::source(title),
                source_line(db, item, statement.span).into(),
                through.into(),
                maps::formula(&known.map),
            ])
        }
        (StatementKind::View { .. }, Some(Meaning::Partition(known))) => {
            let title = format!("view {word}: {}", tiles(known));
            let line = source_line(db, item, statement.span);
            Document::joined([Document::source(title), divided(&word, known), line.into()])
        }
        (StatementKind::Shared { .. }, Some(Meaning::Shared(known))) => {
            let title = format!("shared {word} : {}", shared(known));
            let written = source(db, item, statement.span);
            let written = if written == title { String::new() } else { inline(written) };
            let share = format!("{} of shared memory, one array for each block", bytes(&known.bytes));
            let total = total_shared(db, item)
                .map_or_else(String::new, |total| format!("all shared arrays of the kernel: {}", bytes(&total)));
            let formula = maps::formula(&known.layout);
            Document::joined([Document::source(title), written.into(), share.into(), formula, total.into()])
        }
        (StatementKind::Let { .. }, Some(Meaning::ThreadArray(known))) => {
            let lead = if known.mutable { "let mut " } else { "let " };
            let title = format!("{lead}{word} : {}", tile(known.element, &known.shape));
            let share =
                format!("{} in the registers of each thread, which has its own", count(known.bytes as usize, "byte"));
            Document::joined([Document::source(title), source_line(db, item, statement.span).into(), share.into()])
        }
        (StatementKind::Define { .. }, Some(Meaning::Defined(value))) => {
            let facts = &kernels::typed_kernel(db, item).facts;
            Document::joined([Document::source(source(db, item, statement.span)), values::value(value, facts)])
        }
        (StatementKind::For { domain, .. }, _) => {
            let found =
                kernels::typed_kernel(db, item).record.collectives.iter().find(|found| found.span == domain.span);
            let values = match found {
                Some(found) => super::collective(found),
                None => iterates(db, item, domain, name, statement).into(),
            };
            Document::joined([Document::source(typed("for ")), values])
        }
        (StatementKind::Let { mutable, value, .. }, _) => {
            let lead = if *mutable { "let mut " } else { "let " };
            let known = value_of_span(db, item, value.span).map(|known| values::value(&known.value, &known.facts));
            let known = if *mutable { None } else { known };
            let line = source_line(db, item, statement.span);
            let place = match meaning {
                Some(Meaning::Tile(tile)) => place_of_tile(db, item, tile, statement.span),
                _ => String::new(),
            };
            Document::joined([
                Document::source(typed(lead)),
                Document::summary(place),
                known.unwrap_or_default(),
                line.into(),
            ])
        }
        _ => Document::source(source(db, item, statement.span)),
    }
}

/// What a tensor is divided into, and the members that say so.
fn divided(word: &str, known: &PartitionMeaning) -> Document {
    let constant = known.shape.iter().all(|size| size.as_constant().is_some());
    let whole = known.order.iter().zip(known.space.iter().zip(&known.tile)).all(|(dimension, (tiles, extent))| {
        let covered = tiles.checked_mul(&Sym::constant(*extent)).ok();
        covered.as_ref() == known.shape.get(*dimension)
    });
    let edge = match (whole, constant) {
        (true, _) => "all of each tile lies inside",
        (false, true) => "the last ones reach over its edge",
        (false, false) => "the last ones may reach over its edge",
    };
    let counts: Vec<String> = known.space.iter().map(inline).collect();
    let of = format!(
        "divides {} of {} into {} tiles; {edge}",
        inline(&known.tensor),
        inline(list_of(&known.shape)),
        counts.join(" × ")
    );
    let listed = [
        ("index_space", list_of(&known.space)),
        ("tensor", list_of(&known.shape)),
        ("mapping", known.mapping.to_string()),
    ];
    let listed = listed.map(|(member, value)| format!("{}: {}", inline(format!("{word}.{member}")), inline(value)));
    Document::joined([Document::summary(of), Document::list("", listed.into())])
}

/// `[M, 4]`
fn list_of(sizes: &[Sym]) -> String {
    let sizes: Vec<String> = sizes.iter().map(Sym::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

/// Where a tile stands, and which part of it a thread computes.
fn place_of_tile(db: &dyn Db, item: Item, tile: &TileMeaning, declared: Span) -> String {
    let typed = kernels::typed_kernel(db, item);
    let (Some(array), Some(kernel)) = (tile.array, &typed.draft) else {
        return "computed wherever it is used, so it takes no memory".to_owned();
    };
    let elements: i64 = tile.shape.iter().product();
    let size = count(elements as usize * tile.element.size_bytes(), "byte");
    let place = format!("{size} of shared memory");
    let distributions = kernel.distributions(array, declared);
    let each: i64 = distributions.iter().map(of_thread).sum();
    match (kernel.launch.threads.as_constant(), each) {
        (Some(threads), 1..) => {
            format!(
                "{place}; each of {} computes {} at most",
                count(threads as usize, "thread"),
                count(each as usize, "element")
            )
        }
        _ => place,
    }
}

/// How many elements a thread has at most.
fn of_thread(distribution: &IndexMap) -> i64 {
    let own = distribution.upper.iter().filter(|axis| axis.role == AxisRole::Local);
    own.filter_map(|axis| axis.extent.as_ref().and_then(Sym::as_constant)).product()
}

fn source_line(db: &dyn Db, item: Item, span: Span) -> String {
    inline(source(db, item, span))
}

/// The values that an iterator takes.
fn iterates(db: &dyn Db, item: Item, domain: &tree::Expr, name: Span, statement: &Statement) -> String {
    let StatementKind::For { iterators, step, .. } = &statement.kind else { return String::new() };
    if let tree::ExprKind::Range(low, high) = &domain.kind {
        let end = |side: &tree::Expr| inline(End::of(db, item, side).text);
        let by = step.as_ref().map_or_else(String::new, |step| format!(", in steps of {}", end(step)));
        return format!("from {}, below {}{by}", end(low), end(high));
    }
    let tree::ExprKind::Postfix { suffixes, .. } = &domain.kind else { return String::new() };
    let Some(tree::SuffixKind::Call(arguments)) = suffixes.first().map(|suffix| &suffix.kind) else {
        return String::new();
    };
    let typed = kernels::typed_kernel(db, item);
    let known = &typed.record.parts;
    // An argument may stand for several sizes, as `px.index_space` does.
    let ends = arguments.iter().flat_map(|argument| match known.sizes(argument.value.span) {
        Some(sizes) => sizes.iter().map(End::of_size).collect(),
        None => vec![End::of(db, item, &argument.value)],
    });
    let ends: Vec<End> = ends.collect();
    let position = iterators.iter().position(|iterator| iterator.span == name);
    let Some(high) = position.and_then(|position| ends.get(position)) else { return String::new() };
    let names: Vec<&str> = iterators.iter().map(|iterator| iterator.text.as_str()).collect();
    let in_clusters = typed.launch.as_ref().is_none_or(|launch| launch.cluster != 1);
    let block = if in_clusters { String::new() } else { format!(", block {}", inline(row_major(&names, &ends))) };
    format!("from `0`, below {}; one iteration for each block{block}", inline(&high.text))
}

/// An end of a range.
struct End {
    text: String,
    /// The text, in parentheses if it is an operation.
    operand: String,
    is_one: bool,
}

impl End {
    /// The value of an expression, or the expression itself if it is no size.
    fn of(db: &dyn Db, item: Item, expr: &tree::Expr) -> Self {
        if let Some(size) = size(db, item, expr) {
            return Self::of_size(&size);
        }
        let text = source(db, item, expr.span);
        let is_operand = matches!(expr.kind, ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::Postfix { .. });
        let operand = if is_operand { text.clone() } else { format!("({text})") };
        Self { text, operand, is_one: false }
    }

    fn of_size(size: &Sym) -> Self {
        Self { text: size.to_string(), operand: size.as_operand(), is_one: *size == Sym::one() }
    }
}

/// `i * n + j`: the number of an iteration, of which the last iterator runs fastest.
fn row_major(names: &[&str], ends: &[End]) -> String {
    let mut number = String::new();
    for (place, (name, End { operand, is_one, .. })) in names.iter().zip(ends).enumerate() {
        number = match place {
            0 => (*name).to_owned(),
            _ if *is_one => format!("{number} + {name}"),
            1 => format!("{number} * {operand} + {name}"),
            _ => format!("({number}) * {operand} + {name}"),
        };
    }
    number
}

/// The value of an expression that is a size.
fn size(db: &dyn Db, item: Item, expr: &tree::Expr) -> Option<Sym> {
    if let Some([size]) = kernels::typed_kernel(db, item).record.parts.sizes(expr.span) {
        return Some(size.clone());
    }
    match value_of_span(db, item, expr.span)?.value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// The bytes of all shared arrays of a kernel without errors.
pub(super) fn total_shared(db: &dyn Db, item: Item) -> Option<Sym> {
    Some(kernels::typed_kernel(db, item).draft.as_ref()?.shared_layout().ok()?.bytes)
}

/// `f32[32, 33]`
fn shared(array: &SharedMeaning) -> String {
    format!("{}{}", array.element, list_of(&array.shape))
}

/// `f32[64, 64]`; a number is `f32`.
pub(crate) fn tile(element: ElementType, shape: &[i64]) -> String {
    if shape.is_empty() {
        return element.to_string();
    }
    let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
    format!("{element}[{}]", extents.join(", "))
}

/// `tiles of f32[64, 64]`
pub(crate) fn tiles(partition: &PartitionMeaning) -> String {
    format!("tiles of {}", tile(partition.element, &partition.tile))
}

/// `f32[4] per thread`; what is not divided among units is `f32[4]`.
pub(crate) fn share(view: &ViewMeaning) -> String {
    let extents = ::maps::extents(view.share.iter().map(Option::<Sym>::as_ref));
    let divided = if view.unit == "grid" { String::new() } else { format!(" per {}", view.unit) };
    format!("{}{extents}{divided}", view.element)
}
