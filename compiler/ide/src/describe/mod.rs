//! Descriptions of items, names and values, for hovers and the tooltips of hints.

mod kernels;
mod locals;
mod maps;
mod runs;
mod threads;
mod values;

use super::document::{Document, inline};
use super::facts::{self, Facts};
use super::places::{bytes, position};
use super::shorten::{on_one_line, shortened};
use check::db::{Db, Item};
use check::evaluate;
use dims::{Sym, Symbol};
use syntax::span::Span;
use syntax::tree::ItemKind;

pub(super) use kernels::{header, launch_text};
pub(super) use locals::{generic_values, is_partition, local, local_detail, share, tile, tiles};
pub(super) use maps::{extent, formula, map, mark, word};
pub(super) use threads::{collective, collective_summary, summary};
pub(super) use values::{map_extents, short, value};

/// Characters of a line of source that are shown.
const LONGEST_LINE: usize = 160;
/// The text shown while a check is running.
const NOT_CHECKED: &str = "It is being checked.";

/// An item, or one of the names that it declares. For a kernel or a run, `checked` says whether its check has
/// finished; otherwise only what is known without it is shown.
pub(super) fn item(db: &dyn Db, item: Item, name: Option<&str>, checked: bool) -> Document {
    let Some(parsed) = &item.tree(db).item else { return Document::default() };
    let known = match &parsed.kind {
        ItemKind::Kernel(_) | ItemKind::Run(_) | ItemKind::Function(_) => Facts::Nothing,
        kind => facts::facts_of(db, item, kind),
    };
    let (title, body) = match (&parsed.kind, &known) {
        (ItemKind::Dim { names, .. }, _) => {
            let first = names.first().map(|name| name.text.as_str()).unwrap_or_default();
            let name = name.unwrap_or(first);
            (format!("dim {name}"), symbol(db, item, name))
        }
        (ItemKind::Kernel(kernel), _) => (header(db, item, kernel), kernels::body(db, item, checked)),
        (ItemKind::Run(_), _) => (source(db, item, all(db, item)), runs::body(db, item, checked)),
        (_, Facts::Map(known)) => (source(db, item, all(db, item)), map(known)),
        (ItemKind::Shape { name, .. }, Facts::Shape(shape)) => {
            let title = format!("{} : {shape}", name.text);
            let written = as_written(db, item, &title);
            (title, Document::joined([written.into(), values::shape(shape, &facts_behind(db, item))]))
        }
        (ItemKind::Const { name, .. }, Facts::Value(known)) => {
            let title = format!("const {} = {}", name.text, short(known));
            let written = as_written(db, item, &title);
            (title, written.into())
        }
        (_, Facts::Value(known)) => (source(db, item, all(db, item)), value(known, &facts_behind(db, item))),
        _ => (source(db, item, all(db, item)), Document::default()),
    };
    let comment = item.documentation(db).as_deref().unwrap_or_default();
    Document::joined([Document::source(title), comment.into(), body])
}

/// A one-line description of a name of an item.
pub(super) fn detail(db: &dyn Db, item: Item, name: &str) -> String {
    let Some(parsed) = &item.tree(db).item else { return String::new() };
    match &parsed.kind {
        ItemKind::Dim { .. } => facts_about(db, item, name).join(", "),
        ItemKind::Kernel(kernel) => header(db, item, kernel),
        ItemKind::Shape { .. }
        | ItemKind::Const { .. }
        | ItemKind::Map { .. }
        | ItemKind::Unit { .. }
        | ItemKind::Tiling { .. }
        | ItemKind::Function(_) => evaluate::value(db, item).value.as_ref().map_or_else(String::new, short),
        kind => facts::kind_name(kind).to_owned(),
    }
}

/// What is known of a symbol.
fn symbol(db: &dyn Db, item: Item, name: &str) -> Document {
    let known = evaluate::dim_facts(db, item);
    let scope = salsa::plumbing::AsId::as_id(&item.file(db)).index();
    let range = known.facts.range(&Sym::symbol(Symbol::new(name, scope)));
    let limits = match (range.lo, range.hi) {
        (Some(low), Some(high)) => format!("A size that is known at launch, from {low} to {high}."),
        (Some(low), None) => format!("A size that is known at launch, at least {low}."),
        _ => "A size that is known at launch.".to_owned(),
    };
    let facts: Vec<String> = facts_about(db, item, name).iter().map(inline).collect();
    Document::joined([limits.into(), Document::list("", facts)])
}

/// The facts of a `dim` item that mention a symbol.
fn facts_about(db: &dyn Db, item: Item, name: &str) -> Vec<String> {
    let known = evaluate::dim_facts(db, item);
    let about = known.facts.iter().filter(|fact| fact.symbols().iter().any(|symbol| symbol.name() == name));
    about.map(ToString::to_string).collect()
}

/// What is known of the symbols in an item's value.
fn facts_behind(db: &dyn Db, item: Item) -> dims::Facts {
    evaluate::value(db, item).facts.clone()
}

/// The source of an item, if it differs from the notation of its value.
fn as_written(db: &dyn Db, item: Item, title: &str) -> String {
    let written = source(db, item, all(db, item));
    if written == title { String::new() } else { inline(written) }
}

fn all(db: &dyn Db, item: Item) -> Span {
    Span::new(0, item.tokens(db).len() as u32)
}

/// The source of some tokens of an item, on one line and shortened.
pub(super) fn source(db: &dyn Db, item: Item, span: Span) -> String {
    let file = item.file(db);
    let range = position(db, item).map_or(0..0, |position| bytes(db, file, position, span));
    let text = file.text(db).get(range.start as usize..range.end as usize).unwrap_or_default();
    shortened(on_one_line(text), LONGEST_LINE)
}
