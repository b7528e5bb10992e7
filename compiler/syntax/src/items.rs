//! Splits a file's tokens into items.
//!
//! Each item is parsed, resolved, checked and cached on its own. Therefore the split must not depend on columns, and an
//! error in one item must not swallow the next one. The rules:
//!
//! 1. A `;` outside brackets ends an item. So does one where only square brackets are open, since lists contain none.
//!    The `;` itself is not part of the item.
//! 2. Outside brackets the end of a line ends an item if the token before it can end one and the token after it cannot
//!    continue one. Binary operators (also `-`), `,` `.` `=` `=>` `:` `::` `{`, closing brackets and the words of
//!    clauses (`where grid block cluster expect within with save else`, unless a `:` or `=` follows) continue an item;
//!    `[`, `(` and `|` do not.
//! 3. The brace that closes a kernel's body ends the kernel.
//! 4. A *hard head* starts an item if it is first on its line, however many brackets are still open: `kernel NAME (`,
//!    `kernel NAME <`, `run NAME (`, `map NAME =` (also with `unit`, `tiling`, `const`), `dim NAME`, `use "…"`, `mdspan
//!    <`, `mdspan NAME :`, and `assert` and `show` with an operand after them. In a kernel's body, where a statement may
//!    start, only `kernel`, `run`, `use` and `mdspan` are that certain: the others belong to the body if it is closed
//!    before one of these or the end of the file, and start items if it is not.
//! 5. `NAME :` and `NAME =` at the start of a line start an item if only square brackets are open: inside parentheses
//!    and braces they are parameters, arguments and assignments. They do not start one if a clause of a `run` or a word
//!    such as `mdspan` needs them. After a `;` that did not end its item because of an open parenthesis they do, since
//!    parentheses never contain that.
//!
//! A contextual keyword is a name wherever these rules do not give it a meaning.

mod divisions;
mod tokens;

use std::ops::Range;
use std::sync::Arc;

use super::brackets::Brackets;
use super::head::{Head, head_of};
use super::lexer::RawToken;
use super::token::TokenKind;

pub use tokens::{ItemTokens, word_hash};

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileItem {
    /// Its significant tokens, without the `;` that ends it.
    pub tokens: ItemTokens,
    /// The documentation comments before it, without `///`, one line each.
    pub doc: Option<Arc<str>>,
    /// The index of its first token in the file.
    pub first: u32,
    /// The end of its tokens in the file (exclusive), including the final `;`.
    pub end: u32,
    /// Whether no open body before it can contain it.
    pub firm: bool,
    /// Whether it is a kernel without its last brace that ends at a head which a body might contain, so that its end
    /// depends on everything up to the next firm item.
    pub cut: bool,
}

/// An error of a file outside its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The kind of the error.
    pub kind: FileErrorKind,
    /// The bytes with the error.
    pub range: Range<u32>,
}

/// The kinds of errors outside items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileErrorKind {
    /// `/*` without `*/`.
    UnterminatedComment,
    /// `//` that was meant as a division.
    Division,
}

impl FileError {
    /// The message: one sentence without a full stop.
    pub fn message(&self) -> String {
        match self.kind {
            FileErrorKind::UnterminatedComment => "this comment never ends".to_owned(),
            FileErrorKind::Division => "`//` begins a comment".to_owned(),
        }
    }

    /// Advice how to correct it.
    pub fn help(&self) -> String {
        match self.kind {
            FileErrorKind::UnterminatedComment => {
                "end it with `*/`; comments do not nest, the first `*/` ends them all".to_owned()
            }
            FileErrorKind::Division => "division is `/`".to_owned(),
        }
    }
}

/// The items of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Its items, in order.
    pub items: Vec<FileItem>,
    /// The errors outside them.
    pub errors: Vec<FileError>,
    /// Whether a kernel ends where it does because the tokens end without its last brace.
    pub cut_by_end: bool,
}

/// Splits the tokens of a source into items.
pub fn split(source: &str, tokens: &[RawToken]) -> Split {
    let mut significant = Vec::with_capacity(tokens.len() / 2 + 1);
    let mut starts_line = true;
    let mut errors = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Newline => starts_line = true,
            TokenKind::LineComment if !starts_line => {
                let before = significant.last().map(|token: &Significant| token.kind);
                if before.is_some_and(|before| divisions::is_division(before, token.text(source))) {
                    errors.push(FileError { kind: FileErrorKind::Division, range: token.start..token.end });
                }
            }
            // A comment over several lines separates tokens like a line end.
            TokenKind::BlockComment => starts_line |= token.text(source).contains(['\n', '\r']),
            TokenKind::UnterminatedComment => {
                errors.push(FileError { kind: FileErrorKind::UnterminatedComment, range: token.start..token.end })
            }
            kind if kind.is_trivia() => {}
            kind => {
                significant.push(Significant { index: index as u32, kind, starts_line });
                starts_line = false;
            }
        }
    }
    let mut splitter = Splitter { source, tokens, significant: &significant, items: Vec::new(), after_last: 0 };
    let cut_by_end = splitter.run();
    Split { items: splitter.items, errors, cut_by_end }
}

/// A token that is neither white space nor a comment.
#[derive(Clone, Copy)]
struct Significant {
    /// Its index among all tokens.
    index: u32,
    kind: TokenKind,
    /// Whether it is the first on its line.
    starts_line: bool,
}

struct Splitter<'file> {
    source: &'file str,
    tokens: &'file [RawToken],
    significant: &'file [Significant],
    items: Vec<FileItem>,
    /// The end of the last item's tokens, exclusive.
    after_last: u32,
}

impl Splitter<'_> {
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.significant.get(at).map(|token| token.kind)
    }

    fn head(&self, at: usize) -> Head {
        match self.kind(at) {
            Some(first) => head_of(first, self.kind(at + 1), self.kind(at + 2)),
            None => Head::Expression,
        }
    }

    /// Finds the items; tells whether a kernel is cut because the tokens end.
    fn run(&mut self) -> bool {
        let mut at = 0;
        let mut cut_by_end = false;
        while let Some((cut, by_end)) = self.items_from(at) {
            at = cut;
            cut_by_end |= by_end;
        }
        cut_by_end
    }

    /// Finds the items from a token on. Returns where a kernel that is never closed was cut, if one was, and whether the
    /// end of the tokens said so: from there on the items have to be found again. Nothing between a cut and the next firm
    /// head is a kernel that could be cut, so all tokens are read at most twice.
    fn items_from(&mut self, from: usize) -> Option<(usize, bool)> {
        let mut brackets = Brackets::default();
        let mut start = from;
        let mut head = self.head(from);
        let mut saves = false;
        // Whether a `=` stands outside brackets: a function that is defined by it has no body.
        let mut defines = false;
        let mut kernel_closed = false;
        // The first head in the body of a kernel that starts an item if the body is never closed.
        let mut doubtful = None;
        for at in from..self.significant.len() {
            let token = self.significant[at];
            let is_hard = token.starts_line && self.is_hard_head(at);
            // A bracket that a statement leaves open does not hide that the next one begins.
            let in_braces = brackets.innermost_is_brace() || brackets.in_braces() && self.is_statement(at);
            let in_body = head.has_body() && !kernel_closed && in_braces;
            let is_doubtful = is_hard && in_body && !self.is_firm_head(at);
            if is_doubtful && at > start {
                doubtful = doubtful.or(Some(at));
            }
            let ends_before = at > start
                && token.kind != TokenKind::Semicolon
                && (kernel_closed
                    || is_hard && !is_doubtful
                    || token.starts_line
                        && (self.is_definition(at, &brackets, head, saves)
                            || brackets.depth() == 0 && !self.continues(at) && self.can_end(at - 1, head)));
            if ends_before && let Some(cut) = doubtful {
                self.finish_cut(start..cut);
                return Some((cut, false));
            }
            if ends_before {
                self.finish(start..at, at);
            }
            if ends_before || at == start {
                (start, head, saves, defines, kernel_closed) = (at, self.head(at), false, false, false);
                brackets.clear();
            }
            match token.kind {
                TokenKind::Semicolon if brackets.only_square() => {
                    self.finish(start..at, at + 1);
                    start = at + 1;
                }
                TokenKind::Save if brackets.depth() == 0 => saves = true,
                TokenKind::Equal if brackets.depth() == 0 => defines = true,
                kind if kind.is_opening() => brackets.open(kind, 0),
                kind if kind.is_closing() => {
                    for _ in 0..brackets.closed_by(kind).unwrap_or(0) {
                        brackets.close();
                    }
                    kernel_closed =
                        head.has_body() && !defines && kind == TokenKind::CloseBrace && brackets.depth() == 0;
                    doubtful = doubtful.filter(|_| !kernel_closed);
                }
                _ => {}
            }
        }
        if let Some(cut) = doubtful {
            self.finish_cut(start..cut);
            return Some((cut, true));
        }
        self.finish(start..self.significant.len(), self.significant.len());
        None
    }

    /// Makes an item of a kernel without its last brace.
    fn finish_cut(&mut self, range: Range<usize>) {
        let end = range.end;
        self.finish(range, end);
        if let Some(kernel) = self.items.last_mut() {
            kernel.cut = true;
        }
    }

    /// Whether a hard head is a statement in the body of a kernel.
    fn is_statement(&self, at: usize) -> bool {
        use TokenKind::{Assert, Const, Fn, Map};
        matches!(self.significant[at].kind, Assert | Const | Map | Fn)
    }

    /// Whether a hard head can stand in no kernel's body, not even by mistake.
    fn is_firm_head(&self, at: usize) -> bool {
        use TokenKind::{Kernel, Mdspan, Run, Use};
        matches!(self.significant[at].kind, Kernel | Run | Use | Mdspan)
    }

    /// Whether the token starts an item whatever brackets are open.
    fn is_hard_head(&self, at: usize) -> bool {
        use TokenKind::*;
        let second = self.kind(at + 1);
        let third = self.kind(at + 2);
        let named = second.is_some_and(TokenKind::is_word);
        match self.significant[at].kind {
            Kernel => named && matches!(third, Some(OpenParen | OpenBracket | Less)),
            Fn => named && matches!(third, Some(OpenParen | OpenBracket | Less)),
            Run => named && matches!(third, Some(OpenParen | OpenBracket)),
            Map | Unit | Tiling => named && matches!(third, Some(Equal | Colon)),
            // `const NAME :` may be one of a kernel's generic parameters.
            Const => named && third == Some(Equal),
            Dim => named,
            Use => second == Some(String),
            Mdspan => second == Some(Less) || named && matches!(third, Some(Colon | Equal)),
            Assert => second.is_some_and(TokenKind::starts_operand),
            // Inside brackets, `show (x)`, `show [x]` and `show - x` may use a shape called `show`.
            Show => second.is_some_and(|kind| {
                kind.starts_operand() && !matches!(kind, OpenParen | OpenBracket | OpenBrace | Minus | Bar)
            }),
            _ => false,
        }
    }

    /// Whether `NAME :` or `NAME =` is at the start of the line and no earlier token needs it.
    fn is_definition(&self, at: usize, brackets: &Brackets, head: Head, saves: bool) -> bool {
        use TokenKind::*;
        if !self.significant[at].kind.is_word() || !matches!(self.kind(at + 1), Some(Colon | Equal)) {
            return false;
        }
        let Some(previous) = at.checked_sub(1).and_then(|before| self.kind(before)) else {
            return true;
        };
        if brackets.depth() > 0 {
            return brackets.only_square() || previous == Semicolon && !brackets.in_braces();
        }
        match previous {
            Mdspan | Map | Unit | Tiling | Const | Let | Shared => false,
            With | Expect => head != Head::Run,
            Save => !saves,
            Greater => head != Head::Mdspan,
            Comma => head != Head::Run,
            _ => true,
        }
    }

    /// Whether a token at the start of a line can continue the item before it.
    fn continues(&self, at: usize) -> bool {
        use TokenKind::*;
        match self.significant[at].kind {
            Pipe | OrOr | AndAnd | EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | Plus | Minus
            | Star | Slash | Percent | Hash | DotDot | Dot | Comma | Equal | FatArrow | Arrow | Colon
            | PathSeparator | OpenBrace | Ampersand | Caret | ShiftLeft | ShiftRight => true,
            kind if kind.is_compound_assignment() => true,
            Where | Tune | Grid | Block | Cluster | Expect | Within | With | Save | Else => {
                !matches!(self.kind(at + 1), Some(Colon | Equal))
            }
            kind => kind.is_closing(),
        }
    }

    /// Whether a token at the end of a line can end its item.
    fn can_end(&self, at: usize, head: Head) -> bool {
        use TokenKind::*;
        match self.significant[at].kind {
            Expect | With | Within | Save => head != Head::Run,
            Where => !matches!(head, Head::Dim | Head::Kernel),
            Else => false,
            Bar | Unknown => true,
            kind => kind.ends_operand(),
        }
    }

    /// Makes an item of significant tokens; `end` is the end of the tokens including the final `;`.
    fn finish(&mut self, range: Range<usize>, end: usize) {
        let before = self.after_last;
        if let Some(last) = self.significant[..end].last() {
            self.after_last = last.index + 1;
        }
        let Some(first) = self.significant[range.clone()].first() else {
            return;
        };
        let first_token = self.significant[range.start];
        let firm = first_token.starts_line && self.is_hard_head(range.start) && self.is_firm_head(range.start);
        let tokens = &self.significant[range];
        let bytes = tokens
            .iter()
            .map(|token| self.tokens[token.index as usize])
            .map(|token| (token.end - token.start) as usize)
            .sum();
        let mut text = String::with_capacity(bytes);
        let mut kinds = Vec::with_capacity(tokens.len());
        for token in tokens {
            text.push_str(self.tokens[token.index as usize].text(self.source));
            kinds.push((token.kind, text.len() as u32));
        }
        self.items.push(FileItem {
            tokens: ItemTokens::collected(&kinds, text),
            doc: self.doc(before, first.index),
            first: first.index,
            end: self.after_last,
            firm,
            cut: false,
        });
    }

    /// The documentation comments among some tokens, each on a line of its own.
    fn doc(&self, from: u32, to: u32) -> Option<Arc<str>> {
        let between = &self.tokens[from as usize..to as usize];
        if !between.iter().any(|token| token.kind == TokenKind::DocComment) {
            return None;
        }
        let mut lines = Vec::new();
        let mut starts_line = from == 0;
        for token in between {
            match token.kind {
                TokenKind::Newline => starts_line = true,
                TokenKind::DocComment if starts_line => {
                    let line = token.text(self.source).trim_start_matches('/');
                    lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
                }
                _ => {}
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n").into())
    }
}

#[cfg(test)]
mod tests;
