//! Reports syntax of other languages once: the part that cannot be parsed becomes one token without a meaning.

use elements::ElementType;
use smol_str::SmolStr;

use super::Preparation;
use super::operands::MOST_TOKENS;
use crate::error::SyntaxErrorKind;
use crate::foreign::{Construct, Foreign};
use crate::grammar::from_c::{ThreePartLoop, is_in_header, is_step, joined, three_part_loop};
use crate::head::Head;
use crate::span::Span;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// Handles syntax of another language at a token; returns the next token to read, if there is such syntax.
    pub(super) fn foreign(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        use TokenKind::*;
        let of_another = self.foreign_statement(kind, at).or_else(|| self.foreign_in_signature(kind, at));
        if let Some(next) = of_another.or_else(|| self.foreign_clause(kind, at)).or_else(|| self.bare_path(at)) {
            return Some(next);
        }
        match kind {
            Dot => self.point(at),
            For if self.brackets.in_braces() => {
                three_part_loop(self.tokens, at).map(|found| self.three_part_loop(at, found))
            }
            Plus | Minus if self.in_body() && is_step(self.tokens, at) => Some(self.step(at)),
            Unit | Tiling | Dim | Show if self.starts_item(at) => Some(self.item_inside(at)),
            Const if self.defines(at) => None,
            Const => self.declaration(at),
            Let if self.in_body() => self.unfinished_let(at),
            If if self.head.has_body() && self.after_operand() => self.choice_of_python(at),
            Name => self.foreign_word(at),
            OpenParen => self.cast(at),
            Star if self.head.has_body() && self.before_operand() => {
                self.no_pointers(vec![(one(at), SmolStr::default())], at, at + 1);
                Some(at + 1)
            }
            Ampersand if self.address(at) => Some(at + 1),
            Bar if self.in_generics() => None,
            DotDot if self.head == Head::Kernel && self.tokens.kind(at + 1) == Some(Equal) => {
                Some(self.inclusive_range(at))
            }
            OpenBrace if self.in_body() && self.starts_here() => {
                self.report_foreign(Construct::Block, Vec::new(), at, at + 1);
                // It is read as what an `if` does.
                self.expect_brace();
                self.push(If, at, at);
                self.push(Folded, at, at);
                None
            }
            Colon | DotDot if self.in_index() => self.range_of_index(kind, at),
            Star | Question if self.after_operand() => self.foreign_operator(kind, at),
            _ => None,
        }
    }

    /// Whether this is inside the brackets after a kernel's name, where bars separate element types.
    fn in_generics(&self) -> bool {
        self.head.has_body() && self.brackets.innermost() == Some((TokenKind::OpenBracket, 2))
    }

    /// Whether this is inside the brackets behind an operand of a kernel's or a function's body, or of a run's expectation.
    fn in_index(&self) -> bool {
        let Some((TokenKind::OpenBracket, opening)) = self.brackets.innermost() else { return false };
        let before = (opening as usize).checked_sub(1).and_then(|before| self.tokens.kind(before));
        // Brackets behind the name of the item hold generic parameters.
        let has_indices = match self.head {
            Head::Run | Head::Function => opening > 2,
            head => head.has_body() && self.brackets.in_braces(),
        };
        has_indices && before.is_some_and(TokenKind::ends_operand)
    }

    /// Handles `:` in an index, and `..` without one of its ends. A whole dimension, `x[:, 1]`, is read as `_`: what is
    /// indexed says how to write it.
    fn range_of_index(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        use TokenKind::*;
        let before = !matches!(self.previous, Some(OpenBracket | Comma));
        let after = !matches!(self.tokens.kind(at + 1), Some(Comma | CloseBracket) | None);
        match (before, after) {
            (false, false) => self.push(Underscore, at, at + 1),
            (true, true) if kind == Colon => {
                self.report_foreign(Construct::ColonRange, vec![(one(at), SmolStr::new_static(".."))], at, at + 1);
                self.push(DotDot, at, at + 1);
            }
            (true, true) => return None,
            _ => {
                self.report_foreign(Construct::OpenRange, Vec::new(), at, at + 1);
                let end = self.expression_end(at + 1, usize::MAX, |_, _| false);
                let start = self.expression_start(at).min(at);
                self.push(Folded, start, end);
                return Some(end);
            }
        }
        Some(at + 1)
    }

    /// Handles `lo..=hi`, which is read as `lo..hi`.
    fn inclusive_range(&mut self, at: usize) -> usize {
        let ends = |tokens: &Self, at: usize| tokens.kind(at) == TokenKind::OpenBrace;
        let end = self.expression_end(at + 2, at + MOST_TOKENS, ends);
        let is_whole = matches!(self.tokens.kind(end), Some(TokenKind::OpenBrace | TokenKind::CloseBracket));
        let edits = match is_whole {
            true => vec![(one(at + 1), SmolStr::default()), (gap(end), SmolStr::new_static(" + 1"))],
            false => Vec::new(),
        };
        self.report_foreign(Construct::InclusiveRange, edits, at, at + 2);
        self.push(TokenKind::DotDot, at, at + 1);
        at + 2
    }

    /// Replaces the header of a C loop by an unknown range. Returns the index of the body.
    fn three_part_loop(&mut self, at: usize, found: ThreePartLoop) -> usize {
        let ThreePartLoop { variable, end, header } = found;
        self.close_to_brace(at);
        self.report(SyntaxErrorKind::ThreePartLoop { header }, at + 1, end);
        self.push(TokenKind::For, at, at + 1);
        self.push(TokenKind::Name, variable, variable + 1);
        self.push(TokenKind::In, variable + 1, variable + 1);
        self.push(TokenKind::Folded, variable + 1, end);
        end
    }

    /// Replaces `i++` by an assignment of an unknown value.
    fn step(&mut self, at: usize) -> usize {
        let assignment = if self.kind(at) == TokenKind::Plus { TokenKind::PlusEqual } else { TokenKind::MinusEqual };
        use TokenKind::{CloseBrace, OpenBrace, Semicolon};
        let around = self.terminals.iter().rev().map(|terminal| terminal.kind);
        let is_value =
            around.take_while(|kind| !matches!(kind, Semicolon | OpenBrace | CloseBrace)).any(TokenKind::assigns);
        self.report(SyntaxErrorKind::Step { is_value }, at, at + 2);
        self.push(assignment, at, at + 1);
        self.push(TokenKind::Folded, at + 1, at + 2);
        at + 2
    }

    /// Replaces `and`, `or`, `not`, `by` by their counterparts. The `max` before the bound of a `while` is no function's name.
    fn foreign_word(&mut self, at: usize) -> Option<usize> {
        if self.bound_of == Some(self.brackets.depth())
            && self.tokens.text(at) == "max"
            && self.previous != Some(TokenKind::While)
            && self.after_operand()
        {
            self.bound_of = None;
            self.push(TokenKind::Most, at, at + 1);
            return Some(at + 1);
        }
        if let Some(next) = self.cuda_tiles(at).or_else(|| self.declaration(at)).or_else(|| self.cast_of_cpp(at)) {
            return Some(next);
        }
        if !self.tokens.kind(at + 1)?.starts_operand() {
            return None;
        }
        let (construct, kind) = match self.tokens.text(at) {
            "and" if self.after_operand() => (Construct::And, TokenKind::AndAnd),
            "or" if self.after_operand() => (Construct::Or, TokenKind::OrOr),
            "not" if self.before_operand() => return self.not(at),
            "as" if self.after_operand() => return self.conversion_behind(at),
            "by" if self.after_operand() && self.previous != Some(TokenKind::Step) && is_in_header(self.tokens, at) => {
                (Construct::By, TokenKind::Step)
            }
            "return" if self.head == Head::Function && self.starts_here() => {
                self.report_foreign(Construct::Return, vec![(one(at), SmolStr::default())], at, at + 1);
                return Some(at + 1);
            }
            _ => return None,
        };
        let edits = vec![(one(at), SmolStr::new_static(kind.fixed_text()?))];
        self.report_foreign(construct, edits, at, at + 1);
        self.push(kind, at, at + 1);
        Some(at + 1)
    }

    /// Handles `not a`, and `not a == b`, in which it binds less tightly than `!`.
    fn not(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        if matches!(self.kind(at + 1), Minus | Bar | OpenBracket) {
            return None;
        }
        let ends = |tokens: &Self, at: usize| {
            matches!(tokens.kind(at), AndAnd | OrOr) || matches!(tokens.tokens.text(at), "and" | "or")
        };
        let end = self.expression_end(at + 1, usize::MAX, ends);
        let compares = (at..end)
            .any(|at| matches!(self.kind(at), EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual));
        let operand = self.tokens.text(at + 1);
        let mut edits = vec![(Span::new(at as u32, at as u32 + 2), SmolStr::from(format!("!{operand}")))];
        if compares {
            edits[0].1 = SmolStr::from(format!("!({operand}"));
            edits.push((gap(end), SmolStr::new_static(")")));
        }
        self.report_foreign(Construct::Not, edits, at, at + 1);
        self.push(Folded, at, end);
        Some(end)
    }

    /// Handles `(float)x`.
    fn cast(&mut self, at: usize) -> Option<usize> {
        let close = (at + 1..at + 5).find(|at| self.tokens.kind(*at) == Some(TokenKind::CloseParen))?;
        let follows = self.tokens.kind(close + 1)?;
        let operand =
            follows.is_word() || matches!(follows, TokenKind::Integer | TokenKind::Float | TokenKind::OpenParen);
        if !operand || !self.before_operand() {
            return None;
        }
        let words: Vec<&str> = (at + 1..close).map(|at| self.tokens.text(at)).collect();
        let function = SmolStr::new_static(ElementType::from_elsewhere(&words.join(" "))?.name());
        let end = self.operand_end(close + 1);
        let edits = match end {
            Some(end) => vec![
                (Span::new(at as u32, close as u32 + 1), SmolStr::from(format!("{function}("))),
                (gap(end), SmolStr::new_static(")")),
            ],
            None => Vec::new(),
        };
        self.report_foreign(Construct::Cast { function }, edits, at, close + 1);
        let Some(end) = end else { return Some(close + 1) };
        self.push(TokenKind::Folded, at, end);
        Some(end)
    }

    /// Handles `**` and `? :`, with the whole expression around them.
    fn foreign_operator(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        if kind == TokenKind::Question {
            return self.choice(at);
        }
        if self.tokens.kind(at + 1) != Some(kind) {
            return None;
        }
        self.report_foreign(Construct::Power, Vec::new(), at, at + 2);
        let end = self.expression_end(at + 2, usize::MAX, |_, _| false);
        let start = self.expression_start(at).min(at);
        self.push(TokenKind::Folded, start, end);
        Some(end)
    }

    /// Handles `c ? a : b`.
    fn choice(&mut self, at: usize) -> Option<usize> {
        let colon = self.expression_end(at + 1, at + MOST_TOKENS, |_, _| false);
        if self.tokens.kind(colon) != Some(TokenKind::Colon) {
            return None;
        }
        let end = self.expression_end(colon + 1, usize::MAX, |_, _| false);
        let start = self.expression_start(at);
        let edits = vec![
            (one(start), SmolStr::from(format!("if {}", self.tokens.text(start)))),
            (one(at), SmolStr::new_static("{")),
            (one(colon), SmolStr::new_static("} else {")),
            (gap(end), SmolStr::new_static(" }")),
        ];
        self.report_foreign(Construct::Choice, edits, at, at + 1);
        self.push(TokenKind::Folded, start, end);
        Some(end)
    }

    /// Handles `a if c else b`.
    fn choice_of_python(&mut self, at: usize) -> Option<usize> {
        let is_else = |at: usize| self.tokens.kind(at) == Some(TokenKind::Else);
        let otherwise = Some(self.expression_end(at + 1, at + MOST_TOKENS, |_, _| false)).filter(|at| is_else(*at))?;
        let mut end = self.expression_end(otherwise + 1, usize::MAX, |_, _| false);
        let condition = joined(self.tokens, at + 1, otherwise).filter(|_| self.tokens.kind(end) != Some(TokenKind::If));
        // The expression after the last `else` may be another choice.
        while matches!(self.tokens.kind(end), Some(TokenKind::If | TokenKind::Else)) {
            end = self.expression_end(end + 1, usize::MAX, |_, _| false);
        }
        let start = self.expression_start(at);
        let edits = condition.map(|condition| {
            vec![
                (one(start), SmolStr::from(format!("if {condition} {{ {}", self.tokens.text(start)))),
                (Span::new(at as u32, otherwise as u32 + 1), SmolStr::new_static("} else {")),
                (gap(end), SmolStr::new_static(" }")),
            ]
        });
        self.report_foreign(Construct::ChoiceBehind, edits.unwrap_or_default(), at, at + 1);
        self.push(TokenKind::Folded, start, end);
        Some(end)
    }

    /// Handles `e as f32`.
    fn conversion_behind(&mut self, at: usize) -> Option<usize> {
        let function = SmolStr::new_static(ElementType::from_elsewhere(self.tokens.text(at + 1))?.name());
        let edits = match self.operand_start(at) {
            Some(start) if start + 1 == at => {
                vec![(span(start, at + 2), SmolStr::from(format!("{function}({})", self.tokens.text(start))))]
            }
            Some(start) => vec![
                (one(start), SmolStr::from(format!("{function}({}", self.tokens.text(start)))),
                (span(at - 1, at + 2), SmolStr::from(format!("{})", self.tokens.text(at - 1)))),
            ],
            None => Vec::new(),
        };
        self.report_foreign(Construct::ConversionBehind { function }, edits, at, at + 2);
        let end = self.expression_end(at + 2, usize::MAX, |_, _| false);
        let start = self.expression_start(at).min(at);
        self.push(TokenKind::Folded, start, end);
        Some(end)
    }

    /// Handles `&x`, as in arguments of atomic functions of CUDA. If the function is unknown, that is reported;
    /// otherwise that there are no pointers.
    fn address(&mut self, at: usize) -> bool {
        let is_address = self.head.has_body() && self.before_operand();
        let Some((bracket, opening)) = self.brackets.innermost().filter(|_| is_address) else { return false };
        let callee = (opening as usize).checked_sub(1).map_or("", |callee| self.tokens.text(callee));
        let is_of_cuda = callee.starts_with("atomic") && !callee.starts_with("atomic_") || callee.starts_with("__");
        if bracket != TokenKind::OpenParen || !is_of_cuda {
            self.no_pointers(vec![(one(at), SmolStr::default())], at, at + 1);
        }
        true
    }

    /// Reports the first pointer of an item; others usually follow from it.
    pub(super) fn no_pointers(&mut self, edits: Vec<(Span, SmolStr)>, start: usize, end: usize) {
        if !self.has_reported(&Construct::Pointer) {
            self.report_foreign(Construct::Pointer, edits, start, end);
        }
    }

    /// Whether a construct has been reported for this item.
    pub(super) fn has_reported(&self, construct: &Construct) -> bool {
        let is_same = |kind: &SyntaxErrorKind| matches!(kind, SyntaxErrorKind::Foreign(foreign) if foreign.construct == *construct);
        self.errors.iter().any(|(kind, _)| is_same(kind))
    }

    pub(super) fn report_foreign(
        &mut self,
        construct: Construct,
        edits: Vec<(Span, SmolStr)>,
        start: usize,
        end: usize,
    ) {
        self.report(SyntaxErrorKind::Foreign(Box::new(Foreign { construct, edits })), start, end);
    }
}

pub(super) fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

pub(super) fn one(at: usize) -> Span {
    Span::new(at as u32, at as u32 + 1)
}

/// The gap before `at`.
pub(super) fn gap(at: usize) -> Span {
    Span::new(at as u32, at as u32)
}
