//! Loops that number threads by rows and columns, `for (ty, tx) in threads(8, 32)`, as one number that is taken apart.

use smol_str::SmolStr;

use super::checker::Checker;
use crate::diagnostics::ThreadsInRows;
use crate::values::Value;
use syntax::items::word_hash;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{self, Argument, Block, Name};

/// Names for the one number, of which the first is taken that the kernel does not say.
const COUNTERS: [&str; 4] = ["t", "thread", "lane", "number_of_thread"];

impl Checker<'_> {
    /// How the loop is written with one number; nothing where its iterators and the counts of threads do not fit each other.
    /// `domain` is `threads(…)`.
    pub(super) fn threads_in_rows(
        &mut self,
        iterators: &[Name],
        args: &[Argument],
        domain: Span,
        body: &Block,
    ) -> Option<ThreadsInRows> {
        let (extents, unit) = match args {
            // `threads((8, 32))`, `threads((8, 32), cuda_thread)`
            [
                Argument {
                    name: None,
                    value: tree::Expr { kind: tree::ExprKind::Tuple(parts) | tree::ExprKind::List(parts), .. },
                },
                rest @ ..,
            ] if rest.len() < 2 => (parts.iter().collect::<Vec<_>>(), rest.first()),
            _ => {
                (args.iter().take(iterators.len()).map(|argument| &argument.value).collect(), args.get(iterators.len()))
            }
        };
        let are_plain = args.iter().all(|argument| argument.name.is_none()) && args.len() <= iterators.len() + 1;
        let (first, last) = (iterators.first()?, iterators.last()?);
        if !are_plain
            || extents.len() != iterators.len()
            || !extents.iter().all(|extent| self.is_number_of_threads(extent))
        {
            return None;
        }
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let is_open = |at: Option<u32>| at.is_some_and(|at| tokens.kind(at as usize) == Some(TokenKind::OpenParen));
        let enclosed = is_open(first.span.start.checked_sub(1));
        let iterator_span = match enclosed {
            true => Span::new(first.span.start - 1, last.span.end + 1),
            false => Span::new(first.span.start, last.span.end),
        };
        let is_free = |name: &&&str| {
            let said = std::iter::once(word_hash(name)).collect();
            !tokens.says_any(&said)
        };
        Some(ThreadsInRows {
            counter: COUNTERS.iter().find(is_free)?,
            iterators: iterators.iter().map(|name| name.text.clone()).collect(),
            extents: extents.iter().map(|extent| self.extent_of_threads(extent)).collect(),
            unit: unit.map_or(SmolStr::new_static("cuda_thread"), |unit| self.text_of(unit.value.span)),
            iterator_span,
            // Behind the word and its parenthesis.
            argument_span: Span::new(domain.start + 2, domain.end.checked_sub(1)?),
            brace: Span::new(body.span.start, body.span.start + 1),
        })
    }

    /// Whether an expression is a number; a unit is none. Nothing is reported.
    fn is_number_of_threads(&mut self, expr: &tree::Expr) -> bool {
        let before = self.evaluator.diagnostics.len();
        let value = self.evaluator.expr(expr);
        self.evaluator.diagnostics.truncate(before);
        matches!(value, Some(Value::Int(_)))
    }

    /// The text of an extent, as a factor of a product.
    fn extent_of_threads(&self, extent: &tree::Expr) -> SmolStr {
        let text = self.text_of(extent.span);
        match extent.kind {
            tree::ExprKind::Int(_) | tree::ExprKind::Name(_) | tree::ExprKind::Paren(_) => text,
            _ => format!("({text})").into(),
        }
    }
}
