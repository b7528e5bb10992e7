//! Operands: typed expressions, and constants that take the type of their context.

use super::checker::Checker;
use super::context::Division;
use super::operand::{Choice, Operand, common_type, lower_bits, widens};
use crate::diagnostics::{self, Actual, Diagnostics, Expected};
use dims::{CompareOp, Fact, Sym};
use elements::ElementType;
use kernel::typed::{Constant, Expr, ExprKind, Local};
use syntax::span::Span;
use syntax::tree::BinaryOp;

impl Checker<'_> {
    /// Whether an expression reads memory or variables, so that it may have another value later.
    pub(super) fn may_change(&self, expr: &Expr) -> bool {
        let mut changes = false;
        expr.walk(&mut |part| {
            changes |= match part.kind {
                ExprKind::Load(_) => true,
                ExprKind::Local(local) => self.locals.get(local).is_none_or(|local| local.mutable),
                _ => false,
            };
        });
        changes
    }

    /// Converts a constant to this type, or reports an error if the operand has another type.
    pub(super) fn coerce(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Expr> {
        match operand {
            Operand::Typed(expr) if expr.element == element => Some(expr),
            Operand::Typed(Expr { kind: ExprKind::Local(local), .. }) if self.free_types.contains_key(&local) => {
                self.report_free_type(local, element, span);
                Some(Expr { kind: ExprKind::Local(local), element })
            }
            Operand::Int(value) if element.is_float() || element.is_integer() => match value.as_constant() {
                Some(number) if !element.holds(number) => self.beyond(Operand::Int(value), element, span),
                Some(value) if element.is_float() => {
                    self.warn_of_quotient(span);
                    Some(Expr::constant(Constant::Float(value as f64), element))
                }
                Some(value) => Some(Expr::constant(Constant::Int(value), element)),
                None => {
                    self.context.seen_symbols.extend(value.symbols());
                    self.fit(&value, element, span)?;
                    Some(Expr::size(&value).cast_to(element))
                }
            },
            Operand::Mask(value) => match lower_bits(value, element) {
                Some(bits) => Some(Expr::constant(bits, element)),
                None => self.coerce(operand.unmasked(), element, span),
            },
            Operand::Unsigned(value) if element.is_float() => self.coerce(Operand::Float(value as f64), element, span),
            Operand::Unsigned(value) if element == ElementType::U64 => {
                Some(Expr::constant(Constant::Unsigned(value), element))
            }
            Operand::Unsigned(_) if element.is_integer() => self.beyond(operand, element, span),
            Operand::Float(value) if element.is_float() && !element.holds_float(value) => {
                self.beyond(operand, element, span)
            }
            Operand::Float(value) if element.is_float() => Some(Expr::constant(Constant::Float(value), element)),
            Operand::Choice(choice) => {
                let Choice { arms, otherwise } = *choice;
                let mut typed = Vec::with_capacity(arms.len());
                for (condition, (value, span)) in arms {
                    typed.push((condition, self.coerce(value, element, span)?));
                }
                let otherwise = self.coerce(otherwise.0, element, otherwise.1)?;
                let nest = |otherwise, (condition, value)| Expr {
                    kind: ExprKind::Select(Box::new(condition), Box::new(value), Box::new(otherwise)),
                    element,
                };
                Some(typed.into_iter().rev().fold(otherwise, nest))
            }
            Operand::Typed(expr) if element.is_float() && expr.element.is_integer() => {
                let actual = Actual::Type(expr.element);
                self.report(match self.division_at(span) {
                    Some(division) => {
                        diagnostics::divided_integers(span, element, expr.element, division.operands.map(|(at, _)| at))
                    }
                    None => diagnostics::type_mismatch(span, &Expected::Type(element), &actual),
                })
            }
            other => self.report(diagnostics::type_mismatch(span, &Expected::Type(element), &other.actual())),
        }
    }

    /// The operands of the division that was read last, if it is all that stands at a place, apart from parentheses.
    fn division_at(&self, place: Span) -> Option<Division> {
        let division = self.context.division?;
        let before = division.span.start.checked_sub(place.start)?;
        (place.end.checked_sub(division.span.end)? == before && before < 4).then_some(division)
    }

    /// Warns of a quotient of two numbers of the text that is used as a float, and has lost its remainder.
    fn warn_of_quotient(&mut self, place: Span) {
        let Some(Division { span, operands }) = self.division_at(place) else { return };
        let [(left, Some(above)), (right, Some(below))] = operands else { return };
        let is_literal = |span: Span| span.end == span.start + 1;
        if is_literal(left) && is_literal(right) && below != 0 && above % below != 0 {
            let found = diagnostics::lost_remainder(span, [(left, above), (right, below)]);
            self.evaluator.diagnostics.push_instead(&diagnostics::INEXACT_DIVISION, span, found);
        }
    }

    /// Makes it a fact of the kernel that a size is a number of an integer type, since nobody means the number to which it
    /// would wrap. Facts are checked at launch.
    fn fit(&mut self, size: &Sym, element: ElementType, span: Span) -> Option<()> {
        let Some((least, most)) = element.integer_range().filter(|_| element.bits() < 64) else { return Some(()) };
        for (op, end) in [(CompareOp::Ge, least), (CompareOp::Le, most)] {
            let end = Sym::constant(i64::try_from(end).ok()?);
            if self.evaluator.facts.proves(size, op, &end) {
                continue;
            }
            if self.evaluator.facts.assume(Fact::compare(size.clone(), op, end.clone())).is_err() {
                return self.beyond(Operand::Int(size.clone()), element, span);
            }
            self.raiser.learn(&self.evaluator.facts);
        }
        Some(())
    }

    fn beyond<T>(&mut self, value: Operand, element: ElementType, span: Span) -> Option<T> {
        self.report(diagnostics::type_mismatch(span, &Expected::ValueOf(element), &value.actual()))
    }

    /// The operand in its own or default type.
    pub(super) fn natural(&mut self, operand: Operand, span: Span) -> Option<Expr> {
        let element = operand.natural();
        self.coerce(operand, element, span)
    }

    /// Fixes the type of a variable whose type follows only from a literal, when it is assigned: the type of the
    /// assigned value was probably meant.
    pub(super) fn settle_type(&mut self, local: Local, value: &Operand, span: Span) {
        let natural = self.locals.get(local).map(|local| local.element);
        let meant = match value {
            Operand::Typed(expr) => expr.element,
            // An integer literal can have any type.
            Operand::Float(_) => ElementType::F32,
            _ => return,
        };
        let differs = natural.is_some_and(|natural| natural != meant && !(natural.is_float() && value.is_constant()));
        if differs && meant != ElementType::Bool && self.free_types.contains_key(&local) {
            self.report_free_type(local, meant, span);
        }
    }

    /// Reports that a variable is used with another type than that of its literal, and assumes the other type from then
    /// on, to avoid further errors for the same mistake.
    fn report_free_type(&mut self, local: Local, meant: ElementType, span: Span) {
        let declared = self.free_types.remove(&local);
        if let (Some(variable), Some(declared)) = (self.locals.get_mut(local), declared) {
            let found = diagnostics::free_type(span, &variable.name, declared, (variable.element, meant));
            variable.element = meant;
            self.evaluator.diagnostics.push(found);
        }
    }

    /// Reports operands that are to be computed with, at their places, and have a type that is stored only.
    pub(super) fn computed_with<'o>(
        &mut self,
        operands: impl IntoIterator<Item = (&'o Operand, Span)>,
        span: Span,
    ) -> Option<()> {
        let stored_only = |(operand, place): (&Operand, Span)| match operand {
            Operand::Typed(expr) if !expr.element.computes() => Some((expr.element, place)),
            _ => None,
        };
        let found: Vec<(ElementType, Span)> = operands.into_iter().filter_map(stored_only).collect();
        let Some((element, _)) = found.first() else { return Some(()) };
        let places: Vec<Span> = found.iter().map(|(_, place)| *place).collect();
        self.report(diagnostics::stored_only(span, *element, &places))
    }

    /// The value that `current += value` assigns.
    pub(super) fn assigned(
        &mut self,
        op: BinaryOp,
        current: Operand,
        value: Operand,
        spans: (Span, Span),
    ) -> Option<Operand> {
        match &current {
            Operand::Typed(expr) if !expr.element.computes() => {
                let span = spans.0.to(spans.1);
                self.report(diagnostics::stored_only_assigned(span, expr.element, op))
            }
            // What is assigned to has its type, unless that follows from its first number alone.
            Operand::Typed(expr) if !self.is_of_free_type(&current) => {
                let value = match value {
                    Operand::Typed(_) => Operand::Typed(self.coerce(value, expr.element, spans.1)?),
                    constant => constant,
                };
                self.combine(op, current, value, spans)
            }
            _ => self.combine(op, current, value, spans),
        }
    }

    /// Whether an operand is a variable whose type follows from its first number alone.
    fn is_of_free_type(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Typed(Expr { kind: ExprKind::Local(local), .. }) => self.free_types.contains_key(local),
            _ => false,
        }
    }

    /// Converts two operands to a common type, which a typed operand determines.
    pub(super) fn unify(&mut self, left: Operand, right: Operand, spans: (Span, Span)) -> Option<(Expr, Expr)> {
        let free = |operand: &Operand| self.is_of_free_type(operand);
        // Where both have types, the one that holds more is meant.
        let is_other = match (&left, &right) {
            (Operand::Typed(left), Operand::Typed(right)) => {
                let (left, right) = (left.element, right.element);
                left != ElementType::Bool && (widens(left, right) || left.is_integer() && right.is_float())
            }
            _ => false,
        };
        let other = is_other && !free(&right) || free(&left);
        let element = if other { common_type([&right, &left]) } else { common_type([&left, &right]) };
        let left = self.coerce(left, element, spans.0);
        let right = self.coerce(right, element, spans.1);
        Some((left?, right?))
    }
}
