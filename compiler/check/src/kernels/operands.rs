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

    /// Converts a constant to this type, which is that of a place or of another value, or reports an error if the operand has
    /// another type.
    pub(super) fn coerce(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Expr> {
        let value = self.convert(operand, element, span)?;
        self.agree(&value);
        Some(value)
    }

    /// The same where the type may be that of a variable which has none.
    pub(super) fn convert(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Expr> {
        match operand {
            Operand::Typed(expr) if expr.element == element => Some(expr),
            Operand::Typed(expr) if let Some(decided) = self.decide(&expr, element, span) => Some(decided),
            Operand::Bits(bits) => match element.is_integer() {
                true => self.bits_in(*bits, element, span),
                false => {
                    let own = bits.element;
                    let value = self.bits_in(*bits, own, span)?;
                    self.convert(Operand::Typed(value), element, span)
                }
            },
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
            other => {
                let settled = self.settled(&other);
                let computed = match &other {
                    Operand::Typed(value) => self.widening(value, span, element).map(|edits| (value.element, edits)),
                    _ => None,
                };
                self.report(match (settled, computed) {
                    (Some((name, decided)), _) if widens(decided.element, element) => {
                        diagnostics::declared_narrow(span, name, (decided.element, element), decided.at)
                    }
                    (Some((name, decided)), _) => {
                        let found = diagnostics::type_mismatch(span, &Expected::Type(element), &other.actual());
                        diagnostics::decided_by_use(found, name, decided.element, decided.at)
                    }
                    (None, Some((from, edits))) => diagnostics::computed_narrow(span, (from, element), edits),
                    (None, None) => diagnostics::type_mismatch(span, &Expected::Type(element), &other.actual()),
                })
            }
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
        let element = match &operand {
            Operand::Choice(choice) => self.common_type(choice.values().collect::<Vec<_>>()),
            operand => operand.natural(),
        };
        self.convert(operand, element, span)
    }

    /// Fixes the type of a variable without one when it is assigned a value that has one.
    pub(super) fn settle_type(&mut self, local: Local, value: &Operand, span: Span) -> Option<()> {
        let element = self.locals.get(local)?.element;
        let variable = Expr { kind: ExprKind::Local(local), element };
        match value {
            Operand::Typed(_) if self.could_be(value, element) => {}
            Operand::Typed(value) if value.element == element => self.agree(&variable),
            Operand::Typed(value) if value.element != ElementType::Bool => {
                self.decide(&variable, value.element, span);
            }
            // An integer literal can have any type.
            Operand::Float(_) if !element.is_float() => {
                self.decide(&variable, ElementType::F32, span);
            }
            _ => {}
        }
        Some(())
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
            // What is assigned to has its type, unless nothing has decided that.
            Operand::Typed(expr) if !self.could_be(&current, expr.element) => {
                let value = match self.as_wider(value, expr.element) {
                    value @ Operand::Typed(_) => Operand::Typed(self.coerce(value, expr.element, spans.1)?),
                    constant => constant,
                };
                self.combine(op, current, value, spans)
            }
            _ => self.combine(op, current, value, spans),
        }
    }

    /// Converts two operands to a common type, which a typed operand determines.
    pub(super) fn unify(&mut self, left: Operand, right: Operand, spans: (Span, Span)) -> Option<(Expr, Expr)> {
        let mut operands = [left, right];
        self.promote(&mut operands);
        self.of_one_integer_type(operands.iter().zip([spans.0, spans.1]), spans.0.to(spans.1))?;
        let [left, right] = operands;
        let [of_left, of_right] = [&left, &right].map(Operand::natural);
        let [left_free, right_free] =
            [(&left, of_right), (&right, of_left)].map(|(it, other)| self.could_be(it, other));
        // Where both have types, the one that holds more is meant.
        let is_other = match (&left, &right) {
            (Operand::Typed(_), Operand::Typed(_)) => {
                let more = widens(of_left, of_right) || of_left.is_integer() && of_right.is_float();
                of_left != ElementType::Bool && more
            }
            _ => false,
        };
        // A variable without a type takes that of the other operand, unless that is a number without a type, too.
        let is_other = match (&left, &right) {
            (_, Operand::Typed(_)) if left_free => true,
            (Operand::Typed(_), _) if right_free => false,
            _ => is_other,
        };
        let element = match (is_other, &left, &right) {
            (true, _, Operand::Typed(_)) => of_right,
            (false, Operand::Typed(_), _) => of_left,
            _ => common_type([&left, &right]),
        };
        let united = self.unite(vec![(left, spans.0), (right, spans.1)], element)?;
        let [left, right] = <[Expr; 2]>::try_from(united).ok()?;
        Some((left, right))
    }

    /// Operands converted to their common type. One that has it decides the types of variables that have none; numbers do not.
    pub(super) fn unite(&mut self, operands: Vec<(Operand, Span)>, element: ElementType) -> Option<Vec<Expr>> {
        let decides = operands.iter().any(|(operand, _)| self.has_own_type(operand));
        let converted = operands.into_iter().map(|(operand, span)| match decides {
            true => self.coerce(operand, element, span),
            false => self.convert(operand, element, span),
        });
        converted.collect::<Vec<_>>().into_iter().collect()
    }
}
