//! Statements whose words alone do not say what they are: `let v = …;` and expressions.

use smol_str::SmolStr;

use super::atomics::{AtomicCall, atomic_call};
use super::bindings::Binding;
use super::checker::Checker;
use super::statements::Declared;
use super::tiles::ScatterCall;
use crate::diagnostics::{self, Diagnostic};
use crate::read::Read;
use kernel::typed::Statement;
use syntax::span::Span;
use syntax::tree;

/// What a `let` declares.
enum LetForm<'t> {
    /// An array that the thread holds, with these extents.
    ThreadArray(&'t [tree::Expr]),
    /// A number, with the extents of a tile that it is not.
    NoTile(&'t [tree::Expr]),
    /// The element from before an atomic access.
    Atomic(AtomicCall<'t>),
    Tile,
    Number,
}

/// What an expression is as a statement.
enum ExpressionForm<'t> {
    Atomic(AtomicCall<'t>),
    Scatter(ScatterCall<'t>),
    /// A single word, which is from another language.
    Word(&'t SmolStr),
    /// `a == b` with the place of its operator, which may be meant as an assignment.
    Comparison(Span),
    /// It begins with a word that nothing declares.
    Unknown(Diagnostic),
    /// A value, which may be an operation on a tile.
    Value,
}

impl Checker<'_> {
    /// What `let name: element[shape] = value;` declares.
    fn form_of_let<'t>(&self, shape: Option<&'t [tree::Expr]>, value: &'t tree::Expr) -> LetForm<'t> {
        let is_tile = self.mentions_tiles(value);
        match (shape, atomic_call(value)) {
            (Some(shape), _) if !is_tile && self.is_of_threads() => LetForm::ThreadArray(shape),
            (Some(shape), _) if !is_tile => LetForm::NoTile(shape),
            (_, Some(call)) => LetForm::Atomic(call),
            _ if is_tile => LetForm::Tile,
            _ => LetForm::Number,
        }
    }

    /// What an expression is as a statement.
    fn form_of_expression<'t>(&self, expr: &'t tree::Expr) -> ExpressionForm<'t> {
        if let Some(call) = atomic_call(expr) {
            return ExpressionForm::Atomic(call);
        }
        if let Some(call) = self.scatter_call(expr) {
            return ExpressionForm::Scatter(call);
        }
        match &expr.kind {
            tree::ExprKind::Name(word) if self.binding(word).is_none() => ExpressionForm::Word(word),
            tree::ExprKind::Chain { first, rest }
                if let [tree::Link { op: tree::BinaryOp::Equal, operand, .. }] = rest.as_slice() =>
            {
                ExpressionForm::Comparison(Span::new(first.span.end, operand.span.start))
            }
            _ => self.unknown_word(expr).map_or(ExpressionForm::Value, ExpressionForm::Unknown),
        }
    }

    /// `let v = value;`
    pub(super) fn declaration(
        &mut self,
        declared: Declared<'_>,
        shape: Option<&[tree::Expr]>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let Declared { name, mutable, element } = declared;
        match self.form_of_let(shape, value) {
            LetForm::ThreadArray(shape) => self.let_array(declared, shape, value, span),
            LetForm::NoTile(shape) => self.no_tile(name, shape, value),
            LetForm::Atomic(call) => self.atomic_statement(call, Some(declared)),
            LetForm::Tile => self.let_tile(name, mutable, element, shape, value, span),
            LetForm::Number => {
                let (value, is_free) = self.let_value(declared, value);
                let statements = self.let_statement(name, mutable, value, span);
                if let (true, Some(&Binding::Local(local))) = (is_free, self.binding(&name.text)) {
                    self.free_types.declare(local, name.span);
                }
                statements
            }
        }
    }

    /// A statement that is an expression.
    pub(super) fn expression_statement(&mut self, expr: &tree::Expr) -> Option<Vec<Statement>> {
        match self.form_of_expression(expr) {
            ExpressionForm::Atomic(call) => self.atomic_statement(call, None),
            ExpressionForm::Scatter(call) => self.scatter_statement(call),
            ExpressionForm::Word(word) => {
                // What stands behind it would have been reached by other threads than it seems.
                self.context.left_early |= word == "return";
                self.unknown_local(word, expr.span)
            }
            ExpressionForm::Comparison(operator) => self.report(diagnostics::unused_comparison(expr.span, operator)),
            ExpressionForm::Unknown(diagnostic) => self.report(diagnostic),
            ExpressionForm::Value => match self.store_statement(expr) {
                Read::Is(stored) => Some(stored),
                Read::Wrong => None,
                Read::NotMine if self.mentions_broken(expr) => None,
                Read::NotMine if self.mentions_tiles(expr) => self.report(diagnostics::tile_unused(expr.span)),
                Read::NotMine => {
                    // What is wrong with the value itself is said first.
                    self.operand(expr)?;
                    self.report(diagnostics::unused_value(expr.span))
                }
            },
        }
    }
}
