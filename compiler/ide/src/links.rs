//! Paths in a file that lead to other files.

use std::ops::Range;

use smol_str::SmolStr;

use super::nodes::Node;
use super::places::{bytes, items};
use check::db::{Db, Item, SourceFile};
use check::names::path_named;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Argument, Expr, ExprKind, ItemKind, SuffixKind};

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// `use "other.shape"`
    Use,
    /// `npy("x.npy")`
    Load,
    /// `save y: "y.npy"`, which a run writes.
    Save,
}

/// A path that leads to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// The bytes of the path, without its quotes.
    pub range: Range<u32>,
    /// The file, named as the compiler names files, whether it exists or not.
    pub path: String,
    /// What it is for.
    pub kind: LinkKind,
}

/// The paths of a file, in its order.
pub fn document_links(db: &dyn Db, file: SourceFile) -> Vec<DocumentLink> {
    let mut links = Vec::new();
    for (position, item) in items(db, file) {
        for (span, text, kind) in paths(db, item) {
            let range = bytes(db, file, position, span);
            let quoted = item.tokens(db).kind(span.start as usize) == Some(TokenKind::String);
            let range = if quoted { range.start + 1..range.end - 1 } else { range };
            links.push(DocumentLink { range, path: path_named(file.path(db), &text), kind });
        }
    }
    links
}

/// The paths in an item, in its order. A path that is empty leads nowhere.
fn paths(db: &dyn Db, item: Item) -> Vec<(Span, SmolStr, LinkKind)> {
    let mut found = Vec::new();
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Use { path }) => found.push((path.span, path.text.clone(), LinkKind::Use)),
        Some(ItemKind::Run(run)) => {
            for argument in &run.args {
                Node::Argument(argument).visit(&mut |node| found.extend(loaded(node)));
            }
            found.extend(run.save.iter().map(|(_, path)| (path.span, path.text.clone(), LinkKind::Save)));
        }
        _ => {}
    }
    found.retain(|(_, text, _)| !text.is_empty());
    found.sort_by_key(|(span, ..)| span.start);
    found
}

/// The path of an `npy("…")`.
fn loaded(node: Node<'_>) -> Option<(Span, SmolStr, LinkKind)> {
    let Node::Expr(Expr { kind: ExprKind::Postfix { base, suffixes }, .. }) = node else { return None };
    let (ExprKind::Name(name), SuffixKind::Call(arguments)) = (&base.kind, &suffixes.first()?.kind) else {
        return None;
    };
    let [Argument { value: Expr { kind: ExprKind::Str(path), span }, .. }] = arguments.as_slice() else { return None };
    (name == "npy").then_some((*span, path.clone(), LinkKind::Load))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn paths_are_relative_to_the_folder_of_their_file() {
        let text = "//- a/b.shape\nuse \"../c.shape\";\nrun k(x: npy(\"d/x.npy\"), y: zeros) save y: \"y.npy\", z: \"\";\n\
                    show \"no.npy\"; use \"open\nuse ";
        let Fixture { db, file, .. } = Fixture::new(text);
        let text = file.text(&db);
        let found: Vec<String> = document_links(&db, file)
            .iter()
            .map(|link| {
                format!("{} {:?} {}", &text[link.range.start as usize..link.range.end as usize], link.kind, link.path)
            })
            .collect();
        assert_eq!(found[..3], ["../c.shape Use c.shape", "d/x.npy Load a/d/x.npy", "y.npy Save a/y.npy"]);
        assert!(found[3..].iter().all(|link| link.ends_with("Use a/open")), "{found:?}");
    }
}
