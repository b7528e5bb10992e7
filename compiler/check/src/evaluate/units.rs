//! Units: `(blockDim / 16, 16; 2, 4)`, `8 * cuda_thread`, `cuda_threads_strided(4, 32)`.

use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, NoScale, NoSize, Quantity};
use crate::values::{Kind, Value};
use maps::threads::{Parameter, STANDARD_UNITS, Scale, Size, StandardUnit, ThreadsError, Unit, UnitDimension};
use syntax::span::Span;
use syntax::tree::{Argument, BinaryOp, Expr, ExprKind, Link, Name};

/// The members of units.
pub const UNIT_MEMBERS: &[&str] = &["domain", "box"];

/// The standard units that take sizes as arguments.
pub fn unit_functions() -> impl Iterator<Item = &'static str> {
    STANDARD_UNITS.iter().filter(|unit| !unit.parameters.is_empty()).map(|unit| unit.name)
}

impl Evaluator<'_> {
    /// Evaluates `(domain; box)`.
    pub(super) fn unit(&mut self, domain: &[Expr], taken: &[Expr], span: Span) -> Outcome {
        if domain.len() != taken.len() {
            return self.report(diagnostics::unit_dimensions(span, domain.len(), taken.len()));
        }
        let dimensions: Vec<Option<UnitDimension>> = domain
            .iter()
            .zip(taken)
            .map(|(extent, taken)| {
                let extent = self.unit_extent(extent);
                let taken = match taken.kind {
                    ExprKind::Underscore => None,
                    _ => Some(self.unit_extent(taken)?),
                };
                Some(UnitDimension { extent: extent?, taken })
            })
            .collect();
        let dimensions = dimensions.into_iter().collect::<Option<Vec<_>>>()?;
        self.made_unit(Unit::new(dimensions), span)
    }

    /// A standard unit by its name, if it takes no arguments.
    pub(super) fn standard_unit(&mut self, standard: &StandardUnit, span: Span) -> Outcome {
        if !standard.parameters.is_empty() {
            return self.report(diagnostics::fixed_argument_count(span, standard.name, standard.parameters, 0));
        }
        self.made_unit(standard.build(&[]), span)
    }

    /// Evaluates `cuda_threads_strided(4, 32)`.
    pub(super) fn unit_function(&mut self, standard: &StandardUnit, arguments: &[Argument], span: Span) -> Outcome {
        let sizes: Option<Vec<Size>> = match standard.parameters {
            [one] => {
                let [size] = self.arguments(standard.name, &[*one], 1, arguments, span)?;
                [size].into_iter().map(|size| self.unit_extent(size?)).collect()
            }
            [first, second] => {
                let sizes = self.arguments(standard.name, &[*first, *second], 2, arguments, span)?;
                sizes.into_iter().map(|size| self.unit_extent(size?)).collect()
            }
            _ => return self.report(diagnostics::fixed_argument_count(span, standard.name, &[], arguments.len())),
        };
        self.made_unit(standard.build(&sizes?), span)
    }

    /// Evaluates a unit multiplied or divided by a number.
    pub(super) fn scaled_unit(&mut self, op: BinaryOp, unit: &Unit, factor: &Value, span: Span) -> Outcome {
        let Value::Int(factor) = factor else {
            return self.report(diagnostics::unit_scale(span, unit, &NoScale::Kind(factor)));
        };
        let Some(number) = factor.as_constant() else {
            return self.report(diagnostics::not_constant(span, Quantity::UnitFactor, factor));
        };
        let Some(scale) = Scale::integer(number) else {
            return self.report(diagnostics::unit_scale(span, unit, &NoScale::NotPositive(number)));
        };
        let scale = if op == BinaryOp::Divide { scale.inverse() } else { scale };
        self.made_unit(unit.scaled(scale), span)
    }

    fn made_unit(&mut self, unit: Result<Unit, ThreadsError>, span: Span) -> Outcome {
        match unit {
            Ok(unit) => Some(Value::Unit(Arc::new(unit))),
            Err(error @ ThreadsError::NoScaledDimension { .. }) => {
                self.report(diagnostics::unit_scale_ambiguous(span, &error))
            }
            Err(error) => self.report(diagnostics::unit_size(span, &NoSize::Unit(error))),
        }
    }

    /// A size that may be relative to the launch.
    fn unit_extent(&mut self, expr: &Expr) -> Option<Size> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.unit_extent(inner),
            ExprKind::Name(name) if !self.is_declared(name) && Parameter::from_name(name).is_some() => {
                Parameter::from_name(name).map(Size::from)
            }
            ExprKind::Chain { first, rest }
                if rest.iter().all(|link| matches!(link.op, BinaryOp::Multiply | BinaryOp::Divide)) =>
            {
                self.unit_product(first, rest, expr.span)
            }
            ExprKind::Underscore => self.report(diagnostics::unit_size(expr.span, &NoSize::Underscore)),
            ExprKind::Chain { rest, .. } if mentions_parameter(expr) => {
                let op = rest.iter().find(|link| !matches!(link.op, BinaryOp::Multiply | BinaryOp::Divide));
                let op = op.map_or(BinaryOp::Pipe, |link| link.op);
                self.report(diagnostics::unit_size(expr.span, &NoSize::Operator(op)))
            }
            _ => {
                let value = self.constant(expr, Quantity::UnitSize)?;
                match Size::integer(value) {
                    Some(size) => Some(size),
                    None => self.report(diagnostics::unit_size(expr.span, &NoSize::NotPositive(value))),
                }
            }
        }
    }

    fn unit_product(&mut self, first: &Expr, rest: &[Link], span: Span) -> Option<Size> {
        let mut product = self.unit_extent(first);
        for link in rest {
            let operand = self.unit_extent(&link.operand);
            let (Some(left), Some(right)) = (product, operand) else {
                product = None;
                continue;
            };
            let result = match link.op {
                BinaryOp::Divide => left.checked_div(right),
                _ => left.checked_mul(right),
            };
            product = match result {
                Some(size) => Some(size),
                None => {
                    return self.report(diagnostics::unit_size(span, &NoSize::Result { left, op: link.op, right }));
                }
            };
        }
        product
    }

    /// Evaluates `unit.domain` and `unit.box`.
    pub(super) fn unit_member(&mut self, unit: &Unit, member: &Name) -> Outcome {
        let size = |size: Size| match size.as_integer() {
            Some(value) => Value::int(value),
            None => Value::Text(size.to_string().into()),
        };
        let of = |one: fn(&UnitDimension) -> Option<Size>| {
            let sizes = unit.dimensions().iter().map(|dimension| one(dimension).map_or(Value::Nothing, size));
            Some(Value::List(sizes.collect()))
        };
        match member.text.as_str() {
            "domain" => of(|dimension| Some(dimension.extent)),
            "box" => of(|dimension| dimension.taken),
            name => self.report(diagnostics::unknown_member(member.span, name, Kind::Unit, UNIT_MEMBERS)),
        }
    }
}

/// Whether a size depends on `blockDim` or `clusterDim`.
fn mentions_parameter(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => Parameter::from_name(name).is_some(),
        ExprKind::Paren(inner) => mentions_parameter(inner),
        ExprKind::Chain { first, rest } => {
            mentions_parameter(first) || rest.iter().any(|link| mentions_parameter(&link.operand))
        }
        _ => false,
    }
}
