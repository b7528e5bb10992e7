//! Constants, maps and assertions in the body of a kernel, which are evaluated when it is checked.

use super::bindings::Binding;
use super::checker::Checker;
use super::meaning::Meaning;
use crate::diagnostics;
use crate::values::Value;
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{self, DefinitionWord, Name};

impl Checker<'_> {
    /// Checks `const NAME = E;` or `map NAME = E;`. The name is one of the file's scope from here on.
    pub(super) fn definition(&mut self, word: DefinitionWord, name: &Name, value: &tree::Expr) -> Option<()> {
        if word == DefinitionWord::Const
            && let Some((computed, span)) = self.computed_in_run(value)
        {
            let word = Span::new(name.span.start.saturating_sub(1), name.span.start);
            self.bind(name, Binding::Broken);
            return self.report(diagnostics::computed_constant(word, &computed, span));
        }
        let defined = self.define(word, name, value)?;
        self.found.record.meanings.push((name.span, Meaning::Defined(defined)));
        self.raiser.learn(&self.evaluator.facts);
        Some(())
    }

    /// The first name in an expression of what only a run knows.
    pub(super) fn computed_in_run(&self, expr: &tree::Expr) -> Option<(SmolStr, Span)> {
        if let tree::ExprKind::Name(name) = &expr.kind {
            let is_computed = matches!(
                self.binding(name),
                Some(
                    Binding::Memory(_)
                        | Binding::View(_)
                        | Binding::ThreadArray(_)
                        | Binding::Local(_)
                        | Binding::Scalar(_)
                        | Binding::Tile(_)
                )
            );
            return is_computed.then(|| (name.clone(), expr.span));
        }
        let mut found = None;
        expr.each_inside(|inner| found = found.take().or_else(|| self.computed_in_run(inner)));
        found
    }

    /// Evaluates a definition and makes its name known.
    fn define(&mut self, word: DefinitionWord, name: &Name, value: &tree::Expr) -> Option<Value> {
        let value = self.evaluator.defined_value(word, name, value);
        self.define_as(name, value.clone());
        value
    }

    /// Makes a name known that the evaluator gives a value; `None` if it has an error.
    pub(super) fn define_as(&mut self, name: &Name, value: Option<Value>) {
        self.bind(name, if value.is_some() { Binding::Defined } else { Binding::Broken });
        // What is bound takes a place itself.
        let place = self.bindings.len() - 1;
        self.evaluator.scope.push(name.text.clone(), place, value);
    }

    /// Makes what a statement defines known to the statements after it, before the body is checked; nothing is said of
    /// mistakes, which are reported later.
    pub(super) fn foresee(&mut self, statement: &tree::Statement) {
        if let tree::StatementKind::Define { word, name, value } = &statement.kind {
            self.define(*word, name, value);
        }
    }

    /// Forgets the names beyond the first `length`.
    pub(super) fn unbind(&mut self, length: usize) {
        self.bindings.truncate(length);
        self.evaluator.scope.truncate(length);
    }
}
