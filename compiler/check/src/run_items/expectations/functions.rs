//! Functions over tensors.

use super::super::RunChecker;
use super::suffixes::reduction;
use crate::diagnostics::{self, Misfit, WrongArgument};
use dims::Sym;
use elements::ElementType;
use kernel::functions::{ArgumentCount, Build, Function, MathFunction, Meaning, Operands};
use kernel::run::{TensorExpr, TensorExprKind};
use kernel::typed::{BinaryOp, Constant, UnaryOp};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind};

pub(super) const ONE: ArgumentCount = ArgumentCount::Exactly(1);
pub(super) const TWO: ArgumentCount = ArgumentCount::Exactly(2);
/// The arguments of reductions by name.
pub(super) const KEEP: &[&str] = &["keep"];

/// Whether a word is a function over tensors.
pub fn is_function(name: &str) -> bool {
    matches!(name, "initial" | "matmul" | "select" | "npy")
        || reduction(name).is_some()
        || ElementType::from_name(name).is_some()
        || of_tensors(name).is_some()
}

/// The function that applies elementwise to tensors. Those of bits do not: the numbers of an expectation have no type.
fn of_tensors(name: &str) -> Option<&'static Function> {
    let is_of_numbers = |function: &&Function| match function.meaning {
        Meaning::Operation(operation) => !operation.is_of_bits(),
        Meaning::Term(_) => true,
        Meaning::Operator(_) | Meaning::Size(_) => false,
    };
    Function::from_name(name).filter(is_of_numbers)
}

/// Builds elementwise tensor expressions of one shape.
struct Elementwise {
    shape: Vec<Sym>,
}

impl Elementwise {
    fn elementwise(&self, kind: TensorExprKind) -> TensorExpr {
        TensorExpr { kind, shape: self.shape.clone() }
    }
}

impl Build for Elementwise {
    type Expr = TensorExpr;

    fn float(&mut self, value: f64) -> TensorExpr {
        TensorExpr { kind: TensorExprKind::Constant(Constant::Float(value)), shape: Vec::new() }
    }

    fn unary(&mut self, op: UnaryOp, operand: TensorExpr) -> TensorExpr {
        self.elementwise(TensorExprKind::Unary(op, Box::new(operand)))
    }

    fn binary(&mut self, op: BinaryOp, left: TensorExpr, right: TensorExpr) -> TensorExpr {
        self.elementwise(TensorExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    fn math(&mut self, function: MathFunction, arguments: Vec<TensorExpr>) -> TensorExpr {
        self.elementwise(TensorExprKind::Math(function, arguments))
    }
}

impl RunChecker<'_> {
    /// Checks a call of a function over tensors.
    pub(super) fn function(&mut self, name: &str, args: &[Argument], span: Span) -> Option<TensorExpr> {
        if name == "initial" {
            return self.initial(args, span);
        }
        if name == "npy" {
            let [path] = args else { return self.wrong_count(name, ONE, span) };
            return match &path.value.kind {
                ExprKind::Str(path) => Some(TensorExpr { kind: TensorExprKind::File(path.clone()), shape: Vec::new() }),
                _ => self.report(diagnostics::run_argument(path.value.span, &WrongArgument::NoPath)),
            };
        }
        let keeps = if reduction(name).is_some() { KEEP } else { &[] };
        self.known_names(name, args, keeps)?;
        if name == "select" {
            return self.select(args, span);
        }
        if let Some(element) = ElementType::from_name(name) {
            let [arg] = args else { return self.wrong_count(name, ONE, span) };
            let value = self.tensor(&arg.value)?;
            let shape = value.shape.clone();
            return Some(TensorExpr { kind: TensorExprKind::Cast(element, Box::new(value)), shape });
        }
        if name == "matmul" {
            let [left, right] = args else { return self.wrong_count(name, TWO, span) };
            let (left, right) = (self.tensor(&left.value)?, self.tensor(&right.value)?);
            return self.product(left, right, span);
        }
        if reduction(name).is_some() {
            let Some((first, rest)) = args.split_first() else { return self.wrong_count(name, ONE, span) };
            let value = self.tensor(&first.value)?;
            return self.method(value, name, rest, span);
        }
        let function = of_tensors(name)?;
        if !function.count().allows(args.len()) {
            return self.wrong_count(name, function.count(), span);
        }
        let values = args.iter().map(|arg| self.tensor(&arg.value)).collect::<Vec<_>>();
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        let shape = self.common_shape(&values, span)?;
        let values: Vec<TensorExpr> = values.into_iter().map(|value| self.extended_to(value, &shape)).collect();
        let mut build = Elementwise { shape };
        match function.meaning {
            Meaning::Operation(operation) if function.takes == Operands::ManyNumbers => {
                values.into_iter().reduce(|left, right| build.math(operation, vec![left, right]))
            }
            Meaning::Operation(operation) => Some(build.math(operation, values)),
            Meaning::Term(term) => term.build(&mut build, &mut values.into_iter().map(Some).collect::<Vec<_>>()),
            Meaning::Operator(_) | Meaning::Size(_) => None,
        }
    }

    /// Checks that arguments by name have names that exist.
    pub(super) fn known_names(&mut self, function: &str, args: &[Argument], known: &[&str]) -> Option<()> {
        let unknown = args.iter().filter_map(|arg| arg.name.as_ref()).find(|name| !known.contains(&name.text.as_str()));
        match unknown {
            Some(name) if self.evaluator.is_followed_by_equal(name.span, &name.text) => None,
            Some(name) => self.report(diagnostics::unknown_argument(name.span, function, &name.text, known)),
            None => Some(()),
        }
    }

    /// `select(c, a, b)`
    fn select(&mut self, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let [condition, then, otherwise] = args else {
            return self.wrong_count("select", ArgumentCount::Exactly(3), span);
        };
        let values = [&condition.value, &then.value, &otherwise.value].map(|value| self.tensor(value));
        let [Some(condition), Some(then), Some(otherwise)] = values else { return None };
        let ([condition, then, otherwise], shape) = self.extended([condition, then, otherwise], span)?;
        let kind = TensorExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
        Some(TensorExpr { kind, shape })
    }

    pub(super) fn wrong_count<T>(&mut self, name: &str, expected: ArgumentCount, span: Span) -> Option<T> {
        self.misfit(span, &Misfit::Arguments { function: name, expected })
    }

    fn initial(&mut self, args: &[Argument], span: Span) -> Option<TensorExpr> {
        let named = match args {
            [Argument { value: Expr { kind: ExprKind::Name(name), .. }, .. }] => self.param(name),
            _ => None,
        };
        match named {
            Some(param) => Some(TensorExpr { kind: TensorExprKind::Initial(param), shape: self.param_shape(param) }),
            None => self.misfit(span, &Misfit::Initial),
        }
    }
}
