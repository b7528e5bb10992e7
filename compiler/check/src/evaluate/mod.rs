//! Evaluates expressions outside kernels, and with them the values of items.
//!
//! An [`Evaluator`] evaluates the tree of one item. It returns a value or reports a diagnostic; `None` always means
//! that a diagnostic was reported.

mod arguments;
mod arithmetic;
mod asked;
mod bank_fixes;
mod bits;
mod brackets;
mod callees;
mod calls;
mod compare;
mod connectives;
mod evaluator;
mod extremes;
mod float_constants;
mod functions;
mod items;
mod members;
mod memory;
mod names;
mod open_calls;
mod pipeline;
mod points;
mod prefixes;
mod remedy;
mod reshape_map;
mod shared;
mod tiling_members;
mod tilings;
mod units;
mod watch;

use crate::diagnostics::{self, Quantity, Wanted};
use crate::values::Value;
use dims::{Arithmetic, Sym};
use maps::shapes::Shape;
use syntax::span::Span;
use syntax::tree::{Arm, Expr, ExprKind};

pub(crate) use bits::{bits, complement, is_of_bits};
pub use brackets::dimension_position;
pub use callees::{functions, is_function, is_of_collectives};
pub(crate) use compare::comparison;
pub use evaluator::{Evaluator, Outcome};
pub(crate) use extremes::Extreme;
pub use float_constants::{FLOAT_CONSTANTS, float_constant};
pub use items::{Evaluated, dim_facts, evaluate_in_file, value};
pub use members::{MAP_MEMBERS, SHAPE_MEMBERS};
pub(crate) use open_calls::Calls;
pub use reshape_map::{THREADS, open_threads};
pub use reshape_map::{dimension_name, layout_dimension, named_entry};
pub use tiling_members::TILING_MEMBERS;
pub use units::{UNIT_MEMBERS, unit_functions};
pub(crate) use watch::Watch;

/// The most elements that names may add to those that are written in a list, a tuple or a shape.
const MOST_ELEMENTS_OF_NAMES: usize = 1024;

/// The bytes of stack that every step of a recursion needs; if fewer are left, more are allocated.
const STACK_LEFT: usize = 256 << 10;
/// The bytes of each further allocation.
const STACK_MORE: usize = 4 << 20;

impl Evaluator<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Outcome {
        self.db.unwind_if_revision_cancelled();
        // Chains of declarations that refer to one another are evaluated recursively.
        stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
            let value = self.expr_here(expr);
            self.note_watched(expr, value.as_ref());
            value
        })
    }

    fn expr_here(&mut self, expr: &Expr) -> Outcome {
        match &expr.kind {
            ExprKind::Error | ExprKind::Int(None) => None,
            ExprKind::Int(Some(value)) => Some(Value::int(*value)),
            ExprKind::Unsigned(value) => Some(Value::Unsigned(*value)),
            ExprKind::Float(value) => Some(Value::Float(*value)),
            ExprKind::Bool(value) => Some(Value::Bool(*value)),
            ExprKind::Str(text) => Some(Value::Text(text.clone())),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Underscore => Some(Value::Nothing),
            ExprKind::Question => Some(Value::Int(Sym::symbol(self.fresh_dimension(None)))),
            ExprKind::Paren(inner) => self.paren(inner, expr.span),
            ExprKind::Tuple(elements) => {
                let values = self.elements(elements)?;
                self.limited(Value::Tuple(values), elements)
            }
            ExprKind::List(elements) => self.bracket_literal(elements),
            ExprKind::Size(inner) => self.size(inner),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.int(low), self.int(high));
                Some(Value::Range(low?, high?))
            }
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::Prefix { ops, operand } => self.prefix(ops, operand),
            ExprKind::Postfix { base, suffixes } => self.postfix(base, suffixes),
            ExprKind::If { arms, otherwise } => self.choice(arms, otherwise),
            ExprKind::Block(block) => self.value_of_block(block),
            ExprKind::ReshapeMap(map) => self.reshape_map(map, expr.span),
            ExprKind::Unit { domain, box_ } => self.unit(domain, box_, expr.span),
            ExprKind::Launch(clauses) => self.launch(clauses, expr.span),
            ExprKind::Via(..) => self.report(diagnostics::via_alone(expr.span)),
            ExprKind::Group(_) => self.report(diagnostics::group_alone(expr.span)),
        }
    }

    /// The values of several expressions. All are evaluated, so that the errors of each are reported.
    pub(crate) fn elements(&mut self, elements: &[Expr]) -> Option<Vec<Value>> {
        let values: Vec<Outcome> = elements.iter().map(|element| self.expr(element)).collect();
        values.into_iter().collect()
    }

    /// A value of these elements; an error if names add so many to them that the cost exceeds that of the text.
    pub(super) fn limited(&mut self, value: Value, elements: &[Expr]) -> Outcome {
        match elements {
            [first, ..] if value.parts() > elements.len() + MOST_ELEMENTS_OF_NAMES => {
                let last = elements.last().unwrap_or(first);
                let span = Span { start: first.span.start, end: last.span.end };
                self.report(diagnostics::too_many_elements(span, MOST_ELEMENTS_OF_NAMES))
            }
            _ => Some(value),
        }
    }

    /// The value of an expression that has to be an integer.
    pub(crate) fn int(&mut self, expr: &Expr) -> Option<Sym> {
        match self.expr(expr)? {
            Value::Int(value) => Some(value),
            other => self.report(diagnostics::wrong_type(expr.span, Wanted::Integer, &other)),
        }
    }

    /// The value of an expression that has to be an integer without symbols.
    pub(crate) fn constant(&mut self, expr: &Expr, what: Quantity) -> Option<i64> {
        let value = self.int(expr)?;
        match value.as_constant() {
            Some(constant) => Some(constant),
            None => self.report(diagnostics::not_constant(expr.span, what, &value)),
        }
    }

    /// The result of arithmetic on dimensions, or a report of its error.
    pub(crate) fn settle<T>(&mut self, span: Span, result: Result<T, Arithmetic>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Arithmetic::DivisionByZero { .. }) => self.report(diagnostics::division_by_zero(span)),
            Err(error) => self.report(diagnostics::overflow(span, &error)),
        }
    }

    fn size(&mut self, inner: &Expr) -> Outcome {
        let shape = match self.expr(inner)? {
            Value::Threads(threads) => return Some(Value::int(threads.len())),
            value => self.as_shape(value, inner)?,
        };
        let size = shape.size();
        self.settle(inner.span, size).map(Value::Int)
    }

    /// The value of an expression that has to be a shape.
    pub(crate) fn shape(&mut self, expr: &Expr) -> Option<Shape> {
        let value = self.expr(expr)?;
        self.as_shape(value, expr)
    }

    fn choice(&mut self, arms: &[Arm], otherwise: &Expr) -> Outcome {
        for Arm { condition, value } in arms {
            if self.known_condition(condition)? {
                return self.expr(value);
            }
        }
        self.expr(otherwise)
    }

    /// Whether a condition holds, which has to be the same for every size.
    fn known_condition(&mut self, condition: &Expr) -> Option<bool> {
        match self.expr(condition)? {
            Value::Bool(value) => Some(value),
            Value::Truth(truth) => match truth.for_every_size() {
                Some(value) => Some(value),
                None => self.report(diagnostics::not_constant_condition(condition.span, &truth)),
            },
            other => self.report(diagnostics::wrong_type(condition.span, Wanted::Truth, &other)),
        }
    }
}
