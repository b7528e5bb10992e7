//! At the start of an item.

use super::context::Context;
use super::expressions;
use super::insertion::Insertion;
use super::list::CompletionKind::Keyword;
use super::list::{List, Rank};
use crate::documentation::{Subject, of_subject};

/// What each word of an item inserts.
const INSERTS: &[(&str, &str)] = &[
    ("use", "use \"«other».shape\";"),
    ("mdspan", "mdspan «name» : [«»];"),
    ("dim", "dim «N»;"),
    ("const", "const «NAME» = «»;"),
    ("map", "map «name» = «»;"),
    ("unit", "unit «name» = («blockDim»; «»);"),
    ("tiling", "tiling «name» = «»;"),
    ("fn", "fn «name»(«x») = «»;"),
    ("kernel", "kernel «name»(«x: f32[N]», «y: mut f32[N]») {\n    «»\n}"),
    ("run", "run «kernel»(«»);"),
    ("assert", "assert «»;"),
    ("show", "show «»;"),
];

/// The words that start items, and what starts an expression.
pub(super) fn item_start(context: &Context<'_>, list: &mut List) {
    for entry in of_subject(Subject::Item) {
        let insert = INSERTS.iter().find(|(word, _)| *word == entry.word).map_or(entry.word, |(_, insert)| insert);
        list.entry(Rank::Expected, Keyword, entry, Insertion::template(insert));
    }
    expressions::names(context, list, expressions::Scope::File);
    expressions::functions(list, expressions::Scope::File);
}
