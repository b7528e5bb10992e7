//! Folding ranges.

use std::ops::Range;

use super::lines::{LineIndex, line_index};
use super::nodes::Node;
use super::places::{bytes, items};
use check::db::{Db, SourceFile};
use syntax::lexer::lex;
use syntax::positions::TokenRanges;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::ItemKind;

/// What a fold hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoldKind {
    /// An item, a block, brackets.
    Code,
    /// A comment, or several lines of comments.
    Comment,
    /// Several `use` items.
    Uses,
}

/// A range of lines of which all but the first can be hidden. A line that only closes a bracket stays visible and is
/// not part of the fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Its bytes.
    pub range: Range<u32>,
    /// What it hides.
    pub kind: FoldKind,
}

/// The folds of a file in order; at most one begins on a line.
pub fn folding_ranges(db: &dyn Db, file: SourceFile) -> Vec<Fold> {
    let mut folds = Folds { text: file.text(db), lines: line_index(db, file), found: Vec::new() };
    folds.comments(0..if file.items(db).is_empty() { folds.text.len() as u32 } else { file.layout(db).start(0) });
    let mut uses: Option<Range<u32>> = None;
    for (position, item) in items(db, file) {
        let whole = bytes(db, file, position, Span::new(0, item.tokens(db).len() as u32));
        let tree = item.tree(db);
        let parsed = tree.item.as_ref();
        if matches!(parsed.map(|parsed| &parsed.kind), Some(ItemKind::Use { .. })) {
            uses = Some(uses.map_or(whole.start, |uses| uses.start)..whole.end);
        } else if let Some(uses) = uses.take() {
            folds.push(uses, FoldKind::Uses);
        }
        folds.gaps(db, file, position, whole.clone());
        if folds.line(whole.start) == folds.line(whole.end) {
            continue;
        }
        folds.code(whole);
        if let Some(parsed) = parsed {
            Node::Item(parsed).visit(&mut |node| {
                if let Node::Block(_) | Node::Suffix(_) | Node::Expr(_) = node {
                    folds.code(bytes(db, file, position, node.span()));
                }
            });
        }
    }
    if let Some(uses) = uses {
        folds.push(uses, FoldKind::Uses);
    }
    folds.finish()
}

struct Folds<'db> {
    text: &'db str,
    lines: &'db LineIndex,
    found: Vec<Fold>,
}

impl Folds<'_> {
    fn line(&self, offset: u32) -> u32 {
        self.lines.position(offset).line
    }

    fn push(&mut self, range: Range<u32>, kind: FoldKind) {
        if self.line(range.start) < self.line(range.end) {
            self.found.push(Fold { range, kind });
        }
    }

    /// Code, up to the line before the one that closes it.
    fn code(&mut self, range: Range<u32>) {
        if !self.text.get(range.start as usize..range.end as usize).unwrap_or_default().contains(['\n', '\r']) {
            return;
        }
        let last = self.lines.line(self.line(range.end));
        let closing = self.text.get(last.start as usize..range.end as usize).unwrap_or_default().trim_start();
        let end = match closing.starts_with(['}', ']', ')']) {
            true => {
                let before = self.text.get(..last.start as usize).unwrap_or_default();
                before.trim_end_matches(['\n', '\r']).len() as u32
            }
            false => range.end,
        };
        self.push(range.start..end.max(range.start), FoldKind::Code);
    }

    /// The comments between the tokens of an item and after it.
    fn gaps(&mut self, db: &dyn Db, file: SourceFile, position: usize, whole: Range<u32>) {
        let layout = file.layout(db);
        let start = layout.start(position);
        let mut end = whole.start;
        for range in layout.ranges(position).into_iter().flat_map(TokenRanges::all) {
            self.comments(end..start + range.start);
            end = start + range.end;
        }
        let next = layout.pieces().get(position + 1).map_or(self.text.len() as u32, |_| layout.start(position + 1));
        self.comments(end..next);
    }

    /// Comments in a part of the text without tokens: multi-line comments, and consecutive lines of comments.
    fn comments(&mut self, gap: Range<u32>) {
        // Most gaps are a blank.
        if gap.end < gap.start + 2 {
            return;
        }
        let text = self.text.get(gap.start as usize..gap.end as usize).unwrap_or_default();
        if !text.as_bytes().contains(&b'/') {
            return;
        }
        let mut run: Option<Range<u32>> = None;
        for token in lex(text) {
            let range = gap.start + token.start..gap.start + token.end;
            match token.kind {
                TokenKind::BlockComment | TokenKind::UnterminatedComment => self.push(range, FoldKind::Comment),
                TokenKind::LineComment | TokenKind::DocComment => {
                    let follows = run.as_ref().is_some_and(|run| self.line(run.end) + 1 == self.line(range.start));
                    if let Some(ended) = run.take_if(|_| !follows) {
                        self.push(ended, FoldKind::Comment);
                    }
                    // A comment after code begins no fold.
                    let line = self.lines.line(self.line(range.start)).start;
                    let alone = self
                        .text
                        .get(line as usize..range.start as usize)
                        .is_some_and(|before| before.trim().is_empty());
                    run = match run {
                        Some(run) => Some(run.start..range.end),
                        None => alone.then_some(range),
                    };
                }
                _ => {}
            }
        }
        if let Some(run) = run {
            self.push(run, FoldKind::Comment);
        }
    }

    /// Of several folds that begin on a line the one with the most lines.
    fn finish(mut self) -> Vec<Fold> {
        let lines = self.lines;
        let line = |offset| lines.position(offset).line;
        self.found
            .sort_by_key(|fold| (line(fold.range.start), std::cmp::Reverse(line(fold.range.end)), fold.range.start));
        self.found.dedup_by_key(|fold| line(fold.range.start));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    /// Each fold as `first line..last line kind`.
    fn folds(text: &str) -> Vec<String> {
        let Fixture { db, file, .. } = Fixture::new(text);
        let lines = line_index(&db, file);
        let line = |offset| lines.position(offset).line;
        let show = |fold: &Fold| format!("{}..{} {:?}", line(fold.range.start), line(fold.range.end), fold.kind);
        folding_ranges(&db, file).iter().map(show).collect()
    }

    #[test]
    fn items_and_blocks_fold() {
        let kernel = "\
kernel k(
    x: f32[4],
    y: mut f32[4],
) {
    for i in grid(4) {
        if x[i] > 0 {
            y[i] = 1;
        } else {
            y[i] = 2;
        }
    }
}
a : [1, 2];
run k(x: zeros, y: zeros)
    expect y == x;
";
        assert_eq!(folds(kernel), ["0..10 Code", "3..10 Code", "4..9 Code", "5..6 Code", "7..8 Code", "13..14 Code"]);
        assert_eq!(folds("a : [1, 2];\nb : [\n  1,\n  2\n];\n"), ["1..3 Code"]);
        assert_eq!(folds("a : [1]; b : a\n"), [] as [&str; 0]);
    }

    #[test]
    fn comments_and_uses_fold() {
        let text = "// one\n// two\n\n// three\nuse \"a\";\nuse \"b\";\nconst a = 1; // four\n// five\n// six\n/* 7\n8 */\n/// 9\n/// 10\nconst b = 1;\nuse \"c\";\n";
        assert_eq!(folds(text), ["0..1 Comment", "4..5 Uses", "7..8 Comment", "9..10 Comment", "11..12 Comment"]);
        assert_eq!(folds("// only\n// comments"), ["0..1 Comment"]);
        assert_eq!(folds("use \"a\";\n\nuse \"b\""), ["0..2 Uses"]);
        assert_eq!(folds("a : [ // one\n // two\n 1]"), ["0..2 Code"]);
    }
}
