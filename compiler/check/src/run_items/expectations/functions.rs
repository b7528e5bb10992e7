//! Functions over tensors.

use super::super::RunChecker;
use super::suffixes::reduction;
use elements::ElementType;
use kernel::run::{TensorExpr, TensorExprKind};
use kernel::typed::MathFunction;
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind};

/// Whether a word is a function over tensors.
pub fn is_function(name: &str) -> bool {
    name == "initial"
        || reduction(name).is_some()
        || ElementType::from_name(name).is_some()
        || MathFunction::from_name(name).is_some()
}

impl RunChecker<'_> {
    /// A function over tensors; `None` where the name is none of them.
    pub(super) fn function(&mut self, name: &str, args: &[Argument], span: Span) -> Option<Option<TensorExpr>> {
        if name == "initial" {
            return Some(self.initial(args, span));
        }
        if let Some(element) = ElementType::from_name(name) {
            let [arg] = args else { return Some(self.wrong_count(name, 1, span)) };
            return Some(self.tensor(&arg.value).map(|value| {
                let shape = value.shape.clone();
                TensorExpr { kind: TensorExprKind::Cast(element, Box::new(value)), shape }
            }));
        }
        if reduction(name).is_some() {
            let Some((first, rest)) = args.split_first() else { return Some(self.wrong_count(name, 1, span)) };
            return Some(self.tensor(&first.value).and_then(|value| self.method(value, name, rest, span)));
        }
        let function = MathFunction::from_name(name)?;
        if args.len() != function.arity() {
            return Some(self.wrong_count(name, function.arity(), span));
        }
        let values = args.iter().map(|arg| self.tensor(&arg.value)).collect::<Vec<_>>();
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() else { return Some(None) };
        let shape = self.common_shape(&values.iter().collect::<Vec<_>>(), span);
        Some(shape.map(|shape| TensorExpr { kind: TensorExprKind::Math(function, values), shape }))
    }

    pub(super) fn wrong_count<T>(&mut self, name: &str, count: usize, span: Span) -> Option<T> {
        let plural = if count == 1 { "" } else { "s" };
        self.misfit(span, format!("`{name}` takes {count} argument{plural}"))
    }

    fn initial(&mut self, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let named = match args {
            [Argument { value: Expr { kind: ExprKind::Name(name), .. }, .. }] => self.param(name),
            _ => None,
        };
        match named {
            Some(param) => Some(TensorExpr { kind: TensorExprKind::Initial(param), shape: self.param_shape(param) }),
            None => {
                let message = "`initial` takes a parameter of the kernel and gives its value before the run";
                self.misfit(span, message)
            }
        }
    }
}
