//! Brackets: shape literals, derived shapes (`shape [(0) / 2, 1]`), and `(k)`.

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Wanted};
use crate::values::Value;
use dims::{CompareOp, Proof, Sym};
use maps::shapes::Shape;
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind};

impl Evaluator<'_> {
    /// Evaluates `[a, s, b]`; shapes inside are spliced in. A list of positive integers is a shape.
    pub(crate) fn bracket_literal(&mut self, elements: &[Expr]) -> Outcome {
        let outer = std::mem::replace(&mut self.bare_bracket, self.subject.is_none());
        let value = self.bracket_elements(elements);
        self.bare_bracket = outer;
        self.limited(value?, elements)
    }

    fn bracket_elements(&mut self, elements: &[Expr]) -> Outcome {
        let values: Vec<Outcome> = elements
            .iter()
            .enumerate()
            .map(|(position, element)| match element.kind {
                ExprKind::Question => Some(Value::Int(Sym::symbol(self.fresh_dimension(Some(position))))),
                _ => self.expr(element),
            })
            .collect();
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        let mut dims = Vec::with_capacity(values.len());
        for value in &values {
            match value {
                Value::Int(dim) if dim.as_constant().is_none_or(|dim| dim >= 1) => dims.push(dim.clone()),
                Value::Shape(shape) => dims.extend(shape.dims.iter().cloned()),
                _ => return Some(Value::List(values)),
            }
        }
        Some(Value::Shape(Shape { dims }))
    }

    /// Evaluates `base [a, b]`, where `(k)` is dimension k of `base`.
    pub fn derivation(&mut self, base: Shape, elements: &[Expr]) -> Outcome {
        let outer = self.subject.replace(base);
        let value = self.bracket_literal(elements);
        self.subject = outer;
        value
    }

    /// Evaluates `(e)`. Inside the bracket of a derived shape, a number or a name in parentheses is the dimension at
    /// that position; elsewhere, parentheses group.
    pub(crate) fn paren(&mut self, inner: &Expr, span: Span) -> Outcome {
        let selects = matches!(inner.kind, ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Range(..));
        match self.subject.clone() {
            Some(subject) if selects => {
                let position = self.expr(inner)?;
                self.select_dimensions(&subject, position, span)
            }
            None if self.bare_bracket && matches!(inner.kind, ExprKind::Int(_)) => {
                self.report(diagnostics::no_shape_before_bracket(span))
            }
            _ => self.expr(inner),
        }
    }

    /// Evaluates `s(k)` and `s(lo..hi)`.
    pub(crate) fn select_dimensions(&mut self, shape: &Shape, position: Value, span: Span) -> Outcome {
        match position {
            Value::Int(position) => match dimension_position(&position, shape.rank()) {
                Some(position) => Some(Value::Int(shape.dims[position].clone())),
                None => self.report(diagnostics::dimension_out_of_rank(span, &Value::Int(position), shape)),
            },
            Value::Range(low, high) => match (low.as_constant(), high.as_constant()) {
                (Some(low), Some(high)) if 0 <= low && low <= high && high as u64 <= shape.rank() as u64 => {
                    Some(Value::Shape(Shape { dims: shape.dims[low as usize..high as usize].to_vec() }))
                }
                _ => self.report(diagnostics::dimension_out_of_rank(span, &Value::Range(low, high), shape)),
            },
            other => self.report(diagnostics::wrong_type(span, Wanted::DimensionNumber, &other)),
        }
    }

    /// Converts a value to a shape. Every element must be an integer of at least 1.
    pub(crate) fn as_shape(&mut self, value: Value, expr: &Expr) -> Option<Shape> {
        let shape = match value {
            Value::Shape(shape) => shape,
            Value::List(values) => self.list_as_shape(&values, expr)?,
            Value::Int(_) => return self.report(diagnostics::shape_needs_brackets(expr.span)),
            other => return self.report(diagnostics::wrong_type(expr.span, Wanted::Shape, &other)),
        };
        for (position, dim) in shape.dims.iter().enumerate() {
            if let Proof::Refuted { assignment } = self.facts.prove(dim, CompareOp::Ge, &Sym::one()) {
                let span = element_span(expr, position, shape.rank());
                return self.report(diagnostics::non_positive_dimension(span, position, dim, &assignment));
            }
        }
        Some(shape)
    }

    fn list_as_shape(&mut self, values: &[Value], expr: &Expr) -> Option<Shape> {
        let mut dims = Vec::new();
        for (position, value) in values.iter().enumerate() {
            match value {
                Value::Int(dim) => dims.push(dim.clone()),
                Value::Shape(shape) => dims.extend(shape.dims.iter().cloned()),
                other => {
                    let span = element_span(expr, position, values.len());
                    return self.report(diagnostics::wrong_type(span, Wanted::Dimension, other));
                }
            }
        }
        Some(Shape { dims })
    }
}

/// The span of element `position` of a bracket with `count` elements; that of the whole expression if the bracket has
/// spliced elements, or is not written here.
fn element_span(expr: &Expr, position: usize, count: usize) -> Span {
    match &expr.kind {
        ExprKind::List(elements) if elements.len() == count => elements[position].span,
        _ => expr.span,
    }
}

/// The position of a dimension number in a shape of this rank; `None` if there is no such dimension.
pub fn dimension_position(position: &Sym, rank: usize) -> Option<usize> {
    let position = usize::try_from(position.as_constant()?).ok()?;
    (position < rank).then_some(position)
}
