//! Which threads of a block a condition lets in, where that is known before anything runs.

use std::collections::HashMap;
use std::ops::Range;

use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, ExprKind, Local, Statement, StatementKind};

use super::stable::Stable;
use crate::interpreter::operation;
use crate::interpreter::program::constant_bits;
use crate::tensors::Bits;

/// Larger blocks are not looked at.
const MOST_THREADS: i64 = 1 << 12;

/// The threads that a condition lets in.
#[derive(Debug)]
pub struct Members {
    /// None but these.
    pub range: Range<i64>,
    /// What decides among them.
    pub rest: Option<Expr>,
}

impl Members {
    /// The threads that a condition lets in, of so many. What depends on more than the thread's id is left over.
    pub fn of(condition: &Expr, stable: &Stable, threads: Option<i64>) -> Option<Members> {
        let threads = threads.filter(|threads| (0..=MOST_THREADS).contains(threads))?;
        let mut members = vec![true; usize::try_from(threads).ok()?];
        let (mut asked, mut rest) = (Vec::new(), Vec::new());
        for part in conjuncts(condition) {
            match let_in(part, stable, threads) {
                Some(some) => {
                    members.iter_mut().zip(some).for_each(|(all, is_in)| *all &= is_in);
                    asked.push(part.clone());
                }
                None => rest.push(part.clone()),
            }
        }
        let (first, last) = (members.iter().position(|&is_in| is_in), members.iter().rposition(|&is_in| is_in));
        let (Some(first), Some(last)) = (first, last) else { return Some(Members { range: 0..0, rest: None }) };
        if !members[first..=last].iter().all(|&is_in| is_in) {
            rest.splice(0..0, asked);
        }
        let rest = rest.into_iter().reduce(|left, right| Expr {
            kind: ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)),
            element: ElementType::Bool,
        });
        Some(Members { range: first as i64..last as i64 + 1, rest })
    }
}

/// The conditions that a conjunction is made of.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let mut parts = conjuncts(left);
            parts.extend(conjuncts(right));
            parts
        }
        _ => vec![condition],
    }
}

/// For each thread whether a condition holds; `None` where it depends on more than the thread's id.
fn let_in(condition: &Expr, stable: &Stable, threads: i64) -> Option<Vec<bool>> {
    (0..threads)
        .map(|thread| Some(Evaluator { stable, thread, known: HashMap::new() }.value(condition)? != 0))
        .collect()
}

struct Evaluator<'k> {
    stable: &'k Stable,
    thread: i64,
    known: HashMap<Local, Bits>,
}

impl Evaluator<'_> {
    fn value(&mut self, expr: &Expr) -> Option<Bits> {
        match &expr.kind {
            ExprKind::Constant(constant) => Some(constant_bits(*constant, expr.element)),
            ExprKind::Size(size) => Some(size.as_constant()? as Bits),
            ExprKind::ThreadId => Some(self.thread as Bits),
            ExprKind::Local(local) => self.variable(*local),
            ExprKind::Unary(operator, operand) => {
                let function = operation::unary(*operator, expr.element)?;
                Some(function(self.value(operand)?))
            }
            ExprKind::Binary(operator, left, right) => {
                let function = operation::binary(*operator, left.element)?;
                Some(function(self.value(left)?, self.value(right)?))
            }
            ExprKind::Select(condition, first, second) => {
                let condition = self.value(condition)?;
                self.value(if condition != 0 { first } else { second })
            }
            ExprKind::Cast(operand) => {
                let function = operation::cast(operand.element, expr.element);
                Some(function(self.value(operand)?))
            }
            ExprKind::Scalar(_) | ExprKind::BlockId | ExprKind::Load(_) | ExprKind::Math(..) => None,
        }
    }

    fn variable(&mut self, local: Local) -> Option<Bits> {
        if let Some(known) = self.known.get(&local) {
            return Some(*known);
        }
        let Statement { kind: StatementKind::Assign { value, .. }, .. } = self.stable.definition(local)? else {
            return None;
        };
        let bits = self.value(value)?;
        self.known.insert(local, bits);
        Some(bits)
    }
}
