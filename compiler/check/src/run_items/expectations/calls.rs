//! Functions of the language in expectations: `expect y == gelu(x)`. A call is its body, whose parameters stand for whole
//! tensors, or for what is known without a run.

use smol_str::SmolStr;

use super::super::RunChecker;
use crate::values::{FunctionValue, Value};
use kernel::run::TensorExpr;
use syntax::span::Span;
use syntax::tree::{Argument, Block, Expr, ExprKind, StatementKind};

/// What a name of a function's body stands for.
enum Given {
    Tensor(TensorExpr),
    Known(Value),
}

/// The names of the body of a function that is being read, innermost last; those of the kernel are not visible there.
#[derive(Default)]
pub(in super::super) struct Names {
    tensors: Vec<(SmolStr, TensorExpr)>,
    /// Whether a body is being read.
    inside: bool,
}

impl RunChecker<'_> {
    /// Whether a body of a function is being read, so that the parameters of the kernel are not visible.
    pub(super) fn is_inside(&self) -> bool {
        self.names.inside
    }

    /// The tensor that a name of a function's body stands for.
    pub(super) fn tensor_named(&self, name: &str) -> Option<&TensorExpr> {
        self.names.tensors.iter().rev().find(|(known, _)| known == name).map(|(_, tensor)| tensor)
    }

    /// A call of a function.
    pub(super) fn called(&mut self, function: &FunctionValue, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let arguments = self.evaluator.arguments_of(function, args, span)?;
        let given: Vec<Option<Given>> = arguments.iter().map(|argument| self.given(argument)).collect();
        let given = given.into_iter().collect::<Option<Vec<Given>>>()?;
        let caller = self.evaluator.enter(function, span)?;
        let outer = std::mem::replace(&mut self.names, Names { tensors: Vec::new(), inside: true });
        for (param, given) in function.function.params.iter().zip(given) {
            self.name(&param.name.text, given);
        }
        let value = self.tensor(&function.function.body);
        self.names = outer;
        self.evaluator.leave(caller);
        value
    }

    fn given(&mut self, expr: &Expr) -> Option<Given> {
        match self.mentions_tensors(expr) {
            true => self.tensor(expr).map(Given::Tensor),
            false => self.evaluator.expr(expr).map(Given::Known),
        }
    }

    fn name(&mut self, name: &SmolStr, given: Given) {
        match given {
            Given::Tensor(tensor) => {
                self.evaluator.scope.hide(name, 0);
                self.names.tensors.push((name.clone(), tensor));
            }
            Given::Known(value) => {
                self.names.tensors.retain(|(known, _)| known != name);
                self.evaluator.scope.push(name.clone(), 0, Some(value));
            }
        }
    }

    fn mentions_tensors(&self, expr: &Expr) -> bool {
        if let ExprKind::Name(name) = &expr.kind {
            return self.tensor_named(name).is_some() || self.param(name).is_some();
        }
        let mut found = false;
        expr.each_inside(|inner| found = found || self.mentions_tensors(inner));
        found
    }

    /// The value of a block: that of its last expression.
    pub(super) fn value_of_block(&mut self, block: &Block) -> Option<TensorExpr> {
        let (last, before) = block.statements.split_last()?;
        let (outer, scope) = (self.names.tensors.len(), self.evaluator.scope.clone());
        let mut sound = true;
        for statement in before {
            sound &= self.defined(&statement.kind).is_some();
        }
        let value = match &last.kind {
            StatementKind::Expr(value) if sound => self.tensor(value),
            // What is wrong is reported at the function.
            _ => None,
        };
        self.names.tensors.truncate(outer);
        self.evaluator.scope = scope;
        value
    }

    fn defined(&mut self, kind: &StatementKind) -> Option<()> {
        let (name, given) = match kind {
            StatementKind::Let { name, value, .. } => (name, self.given(value)?),
            StatementKind::Define { word, name, value } => {
                (name, Given::Known(self.evaluator.defined_value(*word, name, value)?))
            }
            StatementKind::Function(function) => {
                (&function.name, Given::Known(self.evaluator.declared_function(function)))
            }
            StatementKind::Assert { value } => return self.evaluator.assertion(value).map(|_| ()),
            _ => return None,
        };
        self.name(&name.text, given);
        Some(())
    }
}
