//! Selection ranges, from a cursor outwards.

use std::ops::Range;

use super::cursor::cursor;
use super::nodes::Node;
use super::places::bytes;
use check::db::{Db, SourceFile};
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Expr, ExprKind};

/// The most ranges of one answer; of more, those in the middle are left out.
const MOST_RANGES: usize = 128;

/// The ranges that contain a byte, from the smallest to the whole file: a token, the expressions around it, its
/// statement, its blocks, its item. Each is strictly larger than the one before it. Empty for an empty file.
pub fn selection_ranges(db: &dyn Db, file: SourceFile, offset: u32) -> Vec<Range<u32>> {
    let text = file.text(db);
    let mut ranges = match cursor(db, file, offset) {
        Some(cursor) => {
            let token = Span::new(cursor.token as u32, cursor.token as u32 + 1);
            let spans = spans(db, file, cursor.position, cursor.token);
            [token].into_iter().chain(spans).map(|span| bytes(db, file, cursor.position, span)).collect()
        }
        None => between(db, file, offset),
    };
    ranges.push(0..text.len() as u32);
    let mut grown: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        let grows =
            grown.last().is_none_or(|last| range.start <= last.start && last.end <= range.end && range != *last);
        if grows && range.start < range.end {
            grown.push(range);
        }
    }
    // The answer nests one range in the other, and clients read it recursively.
    if grown.len() > MOST_RANGES {
        grown.drain(MOST_RANGES / 2..grown.len() - MOST_RANGES / 2);
    }
    grown
}

/// The spans around a token, the smallest first.
fn spans(db: &dyn Db, file: SourceFile, position: usize, token: usize) -> Vec<Span> {
    let Some(item) = file.items(db).get(position) else { return Vec::new() };
    let tree = item.tree(db);
    let path = tree.item.as_ref().map(|parsed| Node::Item(parsed).path_to(token)).unwrap_or_default();
    let mut spans = vec![Span::new(0, item.tokens(db).len() as u32)];
    for node in path {
        spans.push(node.span());
        // `a.b(c)[d]` is one expression with a flat list of suffixes; each prefix is a range too.
        if let Node::Expr(Expr { kind: ExprKind::Postfix { base, suffixes }, .. }) = node {
            let beginnings = suffixes.iter().rev().map(|suffix| base.span.to(suffix.span));
            spans.extend(beginnings.filter(|span| (token as u32) < span.end));
        }
    }
    spans.reverse();
    spans
}

/// The ranges around a byte between tokens: a comment, and the common ranges of the tokens on both sides.
fn between(db: &dyn Db, file: SourceFile, offset: u32) -> Vec<Range<u32>> {
    let layout = file.layout(db);
    let position = layout.piece_at(offset);
    let (start, item) = match position {
        Some(position) => (layout.start(position), position),
        None => {
            return comment(
                file.text(db),
                0..layout.pieces().first().map_or(file.text(db).len() as u32, |_| layout.start(0)),
                offset,
            );
        }
    };
    let Some(tokens) = layout.ranges(item) else { return Vec::new() };
    let behind = tokens.tokens_before(offset - start);
    let count = layout.pieces().get(item).map_or(0, |piece| piece.tokens.len());
    let token = |number: usize| bytes(db, file, item, Span::new(number as u32, number as u32 + 1));
    let from = behind.checked_sub(1).map_or(start, |before| token(before).end);
    let next = layout.pieces().get(item + 1).map_or(file.text(db).len() as u32, |_| layout.start(item + 1));
    let to = if behind < count { token(behind).start } else { next };
    let mut ranges = comment(file.text(db), from..to, offset);
    if let (Some(before), true) = (behind.checked_sub(1), behind < count) {
        let around = spans(db, file, item, before).into_iter().map(|span| bytes(db, file, item, span));
        ranges.extend(around.filter(|range| range.start <= offset && offset < range.end));
    }
    ranges
}

/// The comment that contains a byte, in a part of the text without tokens.
fn comment(text: &str, gap: Range<u32>, offset: u32) -> Vec<Range<u32>> {
    use TokenKind::{BlockComment, DocComment, LineComment, UnterminatedComment};
    let is_comment = |kind| matches!(kind, LineComment | DocComment | BlockComment | UnterminatedComment);
    let part = text.get(gap.start as usize..gap.end as usize).unwrap_or_default();
    let comments = lex(part).into_iter().filter(|token| is_comment(token.kind));
    let mut ranges = comments.map(|token| gap.start + token.start..gap.start + token.end);
    ranges.find(|range| range.start <= offset && offset <= range.end).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    fn at(text: &str) -> Vec<String> {
        let Fixture { db, file, offset } = Fixture::new(text);
        let ranges = selection_ranges(&db, file, offset);
        ranges.iter().map(|range| file.text(&db)[range.start as usize..range.end as usize].to_owned()).collect()
    }

    #[test]
    fn a_long_chain_of_members_has_an_answer_that_clients_can_read() {
        let mut db = crate::CompilerDatabase::default();
        let text = format!("show a{};\n", ".b".repeat(5000));
        let file = db.set_text("main.shape", &text);
        let ranges = selection_ranges(&db, file, 5);
        assert_eq!(ranges.len(), MOST_RANGES);
        assert_eq!(ranges.first(), Some(&(5..6)));
        assert_eq!(ranges.last(), Some(&(0..text.len() as u32)));
    }

    #[test]
    fn a_selection_grows_by_the_tree() {
        assert_eq!(
            at("a : [1];\nshow m.upper_shape(0) + max($02, b.rank);\n"),
            [
                "2",
                "(2, b.rank)",
                "max(2, b.rank)",
                "m.upper_shape(0) + max(2, b.rank)",
                "show m.upper_shape(0) + max(2, b.rank)",
                "a : [1];\nshow m.upper_shape(0) + max(2, b.rank);\n"
            ]
        );
        assert_eq!(
            at("show m.up$0per(0).rank"),
            ["upper", ".upper", "m.upper", "m.upper(0)", "m.upper(0).rank", "show m.upper(0).rank"]
        );
    }

    #[test]
    fn a_selection_grows_through_statements_and_blocks() {
        assert_eq!(
            at("kernel k(y: f32) { for i in 0..4 { let a = 1 + $0i; } }"),
            [
                "i",
                "1 + i",
                "let a = 1 + i",
                "{ let a = 1 + i; }",
                "for i in 0..4 { let a = 1 + i; }",
                "{ for i in 0..4 { let a = 1 + i; } }",
                "kernel k(y: f32) { for i in 0..4 { let a = 1 + i; } }"
            ]
        );
        assert_eq!(
            at("kernel k(y: f32) {\n  let a = 1;\n $0 \n}"),
            ["{\n  let a = 1;\n  \n}", "kernel k(y: f32) {\n  let a = 1;\n  \n}"]
        );
    }

    #[test]
    fn comments_and_white_space_are_selected_too() {
        assert_eq!(at("// x$0y\na : [1]"), ["// xy", "// xy\na : [1]"]);
        assert_eq!(at("a : /* $0x */ [1]"), ["/* x */", "a : /* x */ [1]"]);
        assert_eq!(at("a : [1]; $0 "), ["a : [1];  "]);
        assert_eq!(at(" $0"), [" "]);
        assert_eq!(at("$0"), [] as [&str; 0]);
    }
}
