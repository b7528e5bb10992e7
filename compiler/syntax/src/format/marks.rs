//! Properties of an item's tokens that follow from the tree rather than from their kinds.

use std::collections::BTreeMap;

use super::words::Word;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// A prefix operator.
pub(super) const PREFIX: u16 = 1;
/// A bracket, or a `!`, without a space before it.
pub(super) const SUFFIX: u16 = 2;
/// The `|` before a size.
pub(super) const SIZE_START: u16 = 4;
/// The `|` after a size.
pub(super) const SIZE_END: u16 = 8;
/// A `<` that is a bracket.
pub(super) const ANGLE_START: u16 = 16;
/// A `>` that is a bracket.
pub(super) const ANGLE_END: u16 = 32;
/// A `:` with a space before it.
pub(super) const SPACED: u16 = 64;
/// A `{` around statements.
pub(super) const BODY: u16 = 128;
/// A word that starts a clause of its item.
pub(super) const CLAUSE: u16 = 256;
/// A bracket after a shape, for a derived shape.
pub(super) const DERIVATION: u16 = 512;

/// The tokens of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementSpan {
    pub(super) span: Span,
    /// Whether no `;` follows it: it ends with a body, or is the value of a function.
    pub(super) ends_alone: bool,
}

/// The marks of all tokens.
pub(super) struct Marks {
    flags: Vec<u16>,
    /// The statements of each body, by its opening brace.
    bodies: BTreeMap<usize, Vec<StatementSpan>>,
    in_shape: bool,
}

/// Whether a statement ends without a `;`.
fn ends_alone(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Function(function) => function.has_braces(),
        _ => statement.bodies().next().is_some(),
    }
}

/// The token after `[…]`, if there are such brackets at this token; otherwise this one.
fn after_generics(start: u32, words: &[Word<'_>]) -> u32 {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(start as usize) {
        match word.kind {
            kind if kind.is_opening() && (depth > 0 || kind == TokenKind::OpenBracket) => depth += 1,
            kind if kind.is_closing() && depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if index == start as usize { start } else { index as u32 + 1 };
        }
    }
    start
}

impl Marks {
    /// Collects the marks from a tree; `words` are the item's tokens.
    pub(super) fn new(item: &Item, words: &[Word<'_>]) -> Self {
        let in_shape = matches!(item.kind, ItemKind::Shape { .. });
        let mut marks = Self { flags: vec![0; words.len()], bodies: BTreeMap::new(), in_shape };
        marks.item(item, words);
        marks
    }

    /// Whether a token has any of these marks.
    pub(super) fn has(&self, index: usize, flags: u16) -> bool {
        self.flags.get(index).is_some_and(|found| found & flags != 0)
    }

    /// Whether each body stands in braces. A word alone is read as a body too, which is reported where names are known.
    pub(super) fn has_braces(&self, words: &[Word<'_>]) -> bool {
        self.bodies.keys().all(|open| words.get(*open).is_some_and(|word| word.kind == TokenKind::OpenBrace))
    }

    /// The statements of the body with this opening brace.
    pub(super) fn statements(&self, brace: usize) -> &[StatementSpan] {
        self.bodies.get(&brace).map_or(&[], Vec::as_slice)
    }

    fn set(&mut self, index: u32, flag: u16) {
        if let Some(flags) = self.flags.get_mut(index as usize) {
            *flags |= flag;
        }
    }

    fn before(&mut self, span: Span, flag: u16) {
        if let Some(index) = span.start.checked_sub(1) {
            self.set(index, flag);
        }
    }

    fn item(&mut self, item: &Item, words: &[Word<'_>]) {
        match &item.kind {
            ItemKind::Use { .. } => {}
            ItemKind::Shape { name, rank, value } => {
                if let Some(rank) = rank {
                    self.before(rank.span, ANGLE_START);
                    self.set(rank.span.end, ANGLE_END);
                    self.expr(rank, words);
                }
                self.set(name.span.end, SPACED);
                self.expr(value, words);
            }
            ItemKind::Dim { facts, .. } => {
                if let Some(first) = facts.first() {
                    self.before(first.span, CLAUSE);
                }
                self.exprs(facts, words);
            }
            ItemKind::Const { value, .. }
            | ItemKind::Map { value, .. }
            | ItemKind::Unit { value, .. }
            | ItemKind::Tiling { value, .. }
            | ItemKind::Assert { value }
            | ItemKind::Show { value }
            | ItemKind::Expr(value) => self.expr(value, words),
            ItemKind::Kernel(kernel) => self.kernel(kernel, words),
            ItemKind::Function(function) => self.function(function, words),
            ItemKind::Run(run) => self.run(run, words),
        }
    }

    fn function(&mut self, function: &Function, words: &[Word<'_>]) {
        let after_name = function.name.span.end;
        self.set(after_name, SUFFIX);
        self.set(after_generics(after_name, words), SUFFIX);
        let types = function.params.iter().filter_map(|param| param.annotation.as_ref()).chain(&function.result);
        for found in types {
            if let Some(shape) = &found.shape {
                self.set(found.element.span.end, SUFFIX);
                self.exprs(shape, words);
            }
        }
        self.expr(&function.body, words);
    }

    /// A block whose last statement is its value, which no `;` follows.
    fn block_with_value(&mut self, block: &Block, words: &[Word<'_>]) {
        self.block(block, words);
        let statements = self.bodies.get_mut(&(block.span.start as usize));
        if let Some(marked) = statements.and_then(|statements| statements.last_mut()) {
            marked.ends_alone = true;
        }
    }

    fn kernel(&mut self, kernel: &Kernel, words: &[Word<'_>]) {
        let after_name = kernel.name.span.end;
        self.set(after_name, SUFFIX);
        self.set(after_generics(after_name, words), SUFFIX);
        for generic in &kernel.generics {
            if let GenericKind::Constant { default: Some(default) } = &generic.kind {
                self.expr(default, words);
            }
        }
        if let Some(first) = kernel.facts.first() {
            self.before(first.span, CLAUSE);
        }
        self.exprs(&kernel.facts, words);
        self.tune(kernel, words);
        for param in &kernel.params {
            if let Some(shape) = &param.shape {
                self.set(param.element.span.end, SUFFIX);
                self.exprs(shape, words);
            }
            self.exprs(param.strides.as_deref().unwrap_or(&[]), words);
        }
        self.launch(&kernel.clauses);
        kernel.clauses.iter().for_each(|clause| self.exprs(&clause.args, words));
        self.block(&kernel.body, words);
    }

    /// The parenthesis of `tune(…)`, and the candidates in it.
    fn tune(&mut self, kernel: &Kernel, words: &[Word<'_>]) {
        for argument in &kernel.tune {
            self.expr(&argument.value, words);
        }
        let Some(first) = kernel.tune.first() else { return };
        let first = first.name.as_ref().map_or(first.value.span, |name| name.span);
        if let Some(open) = first.start.checked_sub(1)
            && words.get(open as usize).is_some_and(|word| word.kind == TokenKind::OpenParen)
        {
            self.set(open, SUFFIX);
            self.before(Span::new(open, open), CLAUSE);
        }
    }

    fn run(&mut self, run: &Run, words: &[Word<'_>]) {
        self.set(run.kernel.span.end, SUFFIX);
        self.set(after_generics(run.kernel.span.end, words), SUFFIX);
        run.generics.iter().for_each(|argument| self.expr(&argument.value, words));
        run.args.iter().for_each(|argument| self.expr(&argument.value, words));
        if let Some((name, _)) = run.with.first() {
            self.before(name.span, CLAUSE);
        }
        for value in run.expected() {
            // Behind a tolerance, a condition may follow by `&&`.
            let word = value.span.start.checked_sub(1).and_then(|before| words.get(before as usize));
            if word.is_some_and(|word| matches!(word.kind, TokenKind::Expect | TokenKind::Within)) {
                self.before(value.span, CLAUSE);
            }
            self.expr(value, words);
        }
        if let Some((name, _)) = run.save.first() {
            self.before(name.span, CLAUSE);
        }
        for (_, value) in &run.with {
            self.expr(value, words);
        }
    }

    fn launch(&mut self, clauses: &[LaunchClause]) {
        clauses.iter().for_each(|clause| self.set(clause.span.start + 1, SUFFIX));
    }

    fn exprs(&mut self, exprs: &[Expr], words: &[Word<'_>]) {
        for expr in exprs {
            self.expr(expr, words);
        }
    }

    fn expr(&mut self, expr: &Expr, words: &[Word<'_>]) {
        match &expr.kind {
            ExprKind::Size(_) => {
                self.set(expr.span.start, SIZE_START);
                self.before(Span::new(expr.span.end, expr.span.end), SIZE_END);
            }
            ExprKind::Prefix { ops, .. } => ops.iter().for_each(|(_, span)| self.set(span.start, PREFIX)),
            ExprKind::Postfix { suffixes, .. } => suffixes.iter().for_each(|suffix| self.suffix(suffix)),
            // The bracket of the local dimensions has a parenthesis directly before it, and that may have a `!`
            // directly before it.
            ExprKind::ReshapeMap(map) => self.before(map.local_span, SUFFIX),
            ExprKind::Launch(clauses) => self.launch(clauses),
            ExprKind::Block(block) => return self.block_with_value(block, words),
            _ => {}
        }
        expr.each_inside(|inner| self.expr(inner, words));
    }

    fn suffix(&mut self, suffix: &Suffix) {
        match &suffix.kind {
            SuffixKind::Member(_) => {}
            SuffixKind::Call(_) => self.set(suffix.span.start, SUFFIX),
            SuffixKind::Bracket(_) => {
                self.set(suffix.span.start, if self.in_shape { DERIVATION } else { SUFFIX });
            }
        }
    }

    fn block(&mut self, block: &Block, words: &[Word<'_>]) {
        self.set(block.span.start, BODY);
        let spans = block
            .statements
            .iter()
            .map(|statement| StatementSpan { span: statement.span, ends_alone: ends_alone(statement) });
        self.bodies.insert(block.span.start as usize, spans.collect());
        for statement in &block.statements {
            self.statement(statement, words);
        }
    }

    fn statement(&mut self, statement: &Statement, words: &[Word<'_>]) {
        if let StatementKind::Shared { name, element, .. } = &statement.kind {
            self.set(name.span.end, SPACED);
            self.set(element.span.end, SUFFIX);
        }
        if let StatementKind::Let { element: Some(element), shape: Some(_), .. } = &statement.kind {
            self.set(element.span.end, SUFFIX);
        }
        for part in statement.parts() {
            match part {
                Part::Expr(expr) | Part::Collective(expr) => self.expr(expr, words),
                Part::Body(body) => self.block(body, words),
                Part::Function(function) => self.function(function, words),
                Part::Declared(..) | Part::ElementType(_) => {}
            }
        }
    }
}
