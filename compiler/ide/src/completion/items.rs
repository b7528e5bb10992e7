//! At the start of an item.

use super::CompletionKind::Keyword;
use super::{Context, List, Rank, expressions};
use crate::documentation::{Subject, of_subject};

/// What each word of an item inserts.
const INSERTS: &[(&str, &str)] = &[
    ("use", "use \"${1:other}.shape\";"),
    ("mdspan", "mdspan ${1:name} : [${2}];"),
    ("dim", "dim ${1:N};"),
    ("const", "const ${1:NAME} = ${2};"),
    ("map", "map ${1:name} = ${2};"),
    ("unit", "unit ${1:name} = (${2:blockDim}; ${3});"),
    ("tiling", "tiling ${1:name} = ${2};"),
    ("kernel", "kernel ${1:name}(${2:x: f32[N]}, ${3:y: mut f32[N]}) {\n    ${4}\n}"),
    ("run", "run ${1:kernel}(${2});"),
    ("assert", "assert ${1};"),
    ("show", "show ${1};"),
];

/// The words that start items, and what starts an expression.
pub(super) fn item_start(context: &Context<'_>, list: &mut List) {
    for entry in of_subject(Subject::Item) {
        let insert = INSERTS.iter().find(|(word, _)| *word == entry.word).map_or(entry.word, |(_, insert)| insert);
        list.entry(Rank::Expected, Keyword, entry, insert);
    }
    expressions::names(context, list, expressions::Scope::File);
    expressions::functions(list, expressions::Scope::File);
}
