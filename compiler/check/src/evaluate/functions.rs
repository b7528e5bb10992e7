//! Calls of functions that a file declares.
//!
//! A call is evaluated as its body, with the arguments in the places of the parameters. Meanwhile the evaluator is in the
//! function's item, since names and spans in the body are those of that item. Diagnostics that the body gives are moved to
//! the call afterwards, with a pointer to the place in the body.

use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use super::open_calls::MOST_TOKENS;
use crate::db::{DeclarationKind, Item};
use crate::diagnostics::{self, Called, TooDeep};
use crate::names;
use crate::values::{Definition, FunctionValue, Generics, Scope, Value};
use dims::Fact;
use maps::shapes::Shape;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{self, Argument, Block, Expr, Name, StatementKind};

/// The most calls within each other.
const MOST_NESTED: usize = 128;

/// What an evaluator takes up again after a call.
pub(crate) struct Caller {
    item: Item,
    scope: Scope,
    generics: Generics,
    own_symbols: FxHashSet<SmolStr>,
    otherwise: Vec<Fact>,
    subject: Option<Shape>,
    bare_bracket: bool,
    /// The number of diagnostics before the call.
    diagnostics: usize,
}

impl Evaluator<'_> {
    /// The function that a word names here.
    pub(crate) fn function_named(&self, name: &str) -> Option<Arc<FunctionValue>> {
        if let Some(own) = self.scope.get(name) {
            return match own {
                Definition::Value(Value::Function(function)) => Some(function.clone()),
                _ => None,
            };
        }
        if self.own_symbols.contains(name) || self.generics.declares(name) {
            return None;
        }
        let declaration = names::lookup(self.db, self.item.file(self.db), name.into())?;
        if declaration.interface(self.db).kind != DeclarationKind::Function {
            return None;
        }
        match &super::value(self.db, declaration).value {
            Some(Value::Function(function)) => Some(function.clone()),
            _ => None,
        }
    }

    /// The value of a function that is declared here.
    pub(crate) fn declared_function(&self, function: &Arc<tree::Function>) -> Value {
        Value::Function(Arc::new(FunctionValue {
            item: self.item,
            function: function.clone(),
            scope: self.scope.clone(),
            generics: self.generics.clone(),
        }))
    }

    /// The arguments in the order of the parameters.
    pub(crate) fn arguments_of<'a>(
        &mut self,
        function: &FunctionValue,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Vec<&'a Expr>> {
        let parameters = function.parameters();
        let called = Called::Function(&function.function.name.text);
        let matched = self.matched(called, &parameters, parameters.len(), arguments, span)?;
        match matched.into_iter().map(|argument| argument.map(|argument| &argument.value)).collect() {
            Some(all) => Some(all),
            None => self.report(diagnostics::fixed_argument_count(span, called, &parameters, arguments.len())),
        }
    }

    /// Goes into the item of a function that is called at `span`; every [`Evaluator::enter`] needs a
    /// [`Evaluator::leave`]. `None` if the call is within itself, or too deep, which is reported.
    pub(crate) fn enter(&mut self, function: &FunctionValue, span: Span) -> Option<Caller> {
        let tokens = (function.function.span.end - function.function.span.start) as usize;
        let name = &function.function.name.text;
        if self.calls.is_stopped {
            return None;
        }
        if self.calls.open.iter().any(|(open, _)| open.is_same(function)) {
            self.calls.is_stopped = true;
            return self.report(diagnostics::recursive_function(span, name));
        }
        if self.calls.open.len() >= MOST_NESTED {
            self.calls.is_stopped = true;
            return self.report(diagnostics::functions_too_deep(span, name, &TooDeep::Calls(MOST_NESTED)));
        }
        // That there were too many has been reported.
        self.calls.tokens_left = self.calls.tokens_left?.checked_sub(tokens);
        if self.calls.tokens_left.is_none() {
            return self.report(diagnostics::functions_too_deep(span, name, &TooDeep::Tokens(MOST_TOKENS)));
        }
        self.calls.open.push((function.clone(), span));
        Some(Caller {
            item: std::mem::replace(&mut self.item, function.item),
            scope: std::mem::replace(&mut self.scope, function.scope.clone()),
            generics: std::mem::replace(&mut self.generics, function.generics.clone()),
            own_symbols: std::mem::take(&mut self.own_symbols),
            otherwise: std::mem::take(&mut self.otherwise),
            subject: self.subject.take(),
            bare_bracket: std::mem::take(&mut self.bare_bracket),
            diagnostics: self.diagnostics.len(),
        })
    }

    /// Goes back to the caller, and moves what was reported to the call.
    pub(crate) fn leave(&mut self, caller: Caller) {
        let Some((function, call)) = self.calls.open.pop() else { return };
        self.item = caller.item;
        self.scope = caller.scope;
        self.generics = caller.generics;
        self.own_symbols = caller.own_symbols;
        self.otherwise = caller.otherwise;
        self.subject = caller.subject;
        self.bare_bracket = caller.bare_bracket;
        let found = self.diagnostics.split_off(caller.diagnostics.min(self.diagnostics.len()));
        // What is wrong with the function itself is reported there, and only there.
        if found.is_empty() || self.db.is_wrong_function(function.item) {
            return;
        }
        let same_item = function.item == self.item;
        let moved = found.into_iter().map(|found| found.moved_to(call, &function, same_item));
        self.diagnostics.extend(moved);
    }

    /// Evaluates a call of a function.
    pub(super) fn call_function(&mut self, function: &FunctionValue, arguments: &[Argument], span: Span) -> Outcome {
        let given = self.arguments_of(function, arguments, span)?;
        let values: Vec<Outcome> = given.iter().map(|argument| self.expr(argument)).collect();
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        let caller = self.enter(function, span)?;
        for (param, value) in function.function.params.iter().zip(values) {
            self.scope.push(param.name.text.clone(), 0, Some(value));
        }
        let value = self.expr(&function.function.body);
        self.leave(caller);
        value
    }

    /// The value of a block: that of its last expression.
    pub(super) fn value_of_block(&mut self, block: &Block) -> Outcome {
        let (last, before) = block.statements.split_last()?;
        let outer = self.scope.clone();
        let defined = before.iter().all(|statement| self.defined_in_block(&statement.kind).is_some());
        let value = match &last.kind {
            _ if !defined => None,
            StatementKind::Expr(value) => self.expr(value),
            // It has no value, which is reported at its declaration.
            _ => None,
        };
        self.scope = outer;
        value
    }

    /// Makes known what a statement before the value defines.
    fn defined_in_block(&mut self, kind: &StatementKind) -> Option<()> {
        let push = |evaluator: &mut Self, name: &Name, value: Outcome| {
            let known = value.is_some();
            evaluator.scope.push(name.text.clone(), 0, value);
            known.then_some(())
        };
        match kind {
            StatementKind::Let { name, value, .. } => {
                let value = self.expr(value);
                push(self, name, value)
            }
            StatementKind::Define { word, name, value } => {
                let value = self.defined_value(*word, name, value);
                push(self, name, value)
            }
            StatementKind::Function(function) => {
                let value = self.declared_function(function);
                push(self, &function.name, Some(value))
            }
            StatementKind::Assert { value } => self.assertion(value).map(|_| ()),
            _ => None,
        }
    }
}
