//! Loops that end after the bits of a number at the latest, since they go on only while a variable that is halved is not zero, or
//! one that is doubled is not too large.

use super::super::value::Kind;
use super::moving::Changed;
use super::progress::Progress;
use super::search::{First, Search};
use super::walk::ends_loop;
use crate::intervals::of_type;
use crate::typed::{BinaryOp, Constant, Expr, ExprKind, Local, Statement, StatementKind};
use dims::{CompareOp, Interval};
use elements::ElementType;

/// After so many iterations a natural number is 0 that each of them halves, and one that each of them doubles has left its type.
pub const MOST_HALVINGS: i64 = 63;

impl Search<'_, '_> {
    /// Whether the loop goes on only while a variable is positive that each iteration halves, or while one is small that each of
    /// them doubles.
    pub(super) fn ends_by_halving(&self, first: &[First], changed: &[Changed]) -> bool {
        let Some(goes_on) = self.looped.goes_on else { return false };
        let Some(condition) = condition_of(self.looped.body, goes_on) else { return false };
        let mut open = vec![condition];
        while let Some(condition) = open.pop() {
            let ExprKind::Binary(op, left, right) = &condition.kind else { continue };
            if *op == BinaryOp::And {
                open.extend([&**left, right]);
                continue;
            }
            let Some(op) = op.comparison() else { continue };
            let sides = [(left, op, right), (right, op.turned(), left)];
            if sides.into_iter().any(|(side, op, end)| self.is_halving(first, changed, (side, op, end))) {
                return true;
            }
        }
        false
    }

    fn is_halving(&self, first: &[First], changed: &[Changed], (side, op, end): (&Expr, CompareOp, &Expr)) -> bool {
        let ExprKind::Local(local) = side.kind else { return false };
        let Some(place) = first.iter().position(|first| first.local == local) else { return false };
        let (first, Some(progress)) = (&first[place], &changed[place].1) else { return false };
        let Some(end) = self.numbers_of_end(end).filter(|_| first.element == ElementType::I64) else { return false };
        let begins = self.raiser.at(first.value).plain;
        match progress {
            Progress::Adds(_) => false,
            Progress::ShiftsRight(_) => {
                let is_positive = match op {
                    CompareOp::Gt => end.lo >= Some(0),
                    CompareOp::Ge => end.lo >= Some(1),
                    CompareOp::Ne => end == Interval::point(0),
                    _ => false,
                };
                is_positive && begins.is_natural()
            }
            Progress::ShiftsLeft(by) => {
                let most = match op {
                    CompareOp::Lt => end.hi.map(|hi| hi - 1),
                    CompareOp::Le => end.hi,
                    _ => None,
                };
                let next = most.zip(1_i128.checked_shl(*by)).and_then(|(most, factor)| most.max(0).checked_mul(factor));
                let is_small = next.zip(of_type(first.element).hi).is_some_and(|(next, hi)| next <= hi);
                is_small && begins.lo >= Some(1)
            }
        }
    }

    /// The numbers that an end may be, where it is a size or a number.
    fn numbers_of_end(&self, end: &Expr) -> Option<Interval> {
        match &end.kind {
            ExprKind::Constant(Constant::Int(value)) => Some(Interval::point((*value).into())),
            ExprKind::Size(size) => {
                let value = self.raiser.ids.get(&(Kind::Size(size.clone()), ElementType::I64))?;
                Some(self.raiser.at(*value).plain)
            }
            _ => None,
        }
    }
}

/// The condition with which an iteration begins that ends the loop otherwise.
fn condition_of(body: &[Statement], goes_on: Local) -> Option<&Expr> {
    let first = body.iter().find(|statement| matches!(statement.kind, StatementKind::If { .. }))?;
    let StatementKind::If { condition, then, otherwise } = &first.kind else { return None };
    match &condition.kind {
        ExprKind::Local(local) if *local == goes_on => condition_of(then, goes_on),
        _ if ends_loop(otherwise, goes_on) => Some(condition),
        _ => None,
    }
}
