//! Which threads have one value of an expression.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::alike::Alike;
use super::Simulation;
use crate::typed::{Expr, ExprKind};

impl Simulation<'_> {
    /// Whether the threads of each collective see one value of an expression, whatever it is.
    pub(super) fn is_alike(&self, expr: &Expr, threads: &[u32], instances: &Rc<[Option<u32>]>) -> bool {
        let agree = |expr: &Expr| {
            let values: Option<Vec<_>> = threads.iter().map(|&thread| self.value(expr, thread).map(Some)).collect();
            values.is_some_and(|values| self.agree(threads, &values, instances))
        };
        let (mut reads, mut of_thread, mut others) = (false, false, Vec::new());
        expr.walk(&mut |inner| match &inner.kind {
            ExprKind::Load(_) => reads = true,
            ExprKind::ThreadId => of_thread = true,
            ExprKind::Local(local) => {
                let known = self.alike.get(local.0 as usize);
                if !known.is_some_and(|known| known.holds_within(instances, threads)) {
                    others.push(inner);
                }
            }
            _ => {}
        });
        // What is not alike by its parts may be so by the values that it is known to have.
        !reads && (!of_thread && others.into_iter().all(agree) || agree(expr))
    }

    /// What is known of a variable that gets the value of these expressions in these threads.
    pub(super) fn found_alike(&self, values: &[&Expr], threads: &[u32]) -> Alike {
        let together = self.levels.iter().all(|level| level.divided_by.is_none());
        match self.levels.last() {
            Some(level) if together && values.iter().all(|value| self.is_alike(value, threads, &level.instances)) => {
                Alike::within(&level.instances)
            }
            _ => Alike::nowhere(),
        }
    }

    /// Whether the threads of each collective have the same value.
    pub(super) fn agree(&self, threads: &[u32], values: &[Option<i64>], instances: &Rc<[Option<u32>]>) -> bool {
        let mut first: BTreeMap<u32, Option<i64>> = BTreeMap::new();
        threads.iter().zip(values).all(|(thread, value)| {
            let instance = instances.get(*thread as usize).copied().flatten();
            instance.is_some_and(|instance| first.entry(instance).or_insert(*value) == value)
        })
    }
}

/// Of two ways that lead here, both must leave a variable alike.
pub(super) fn both_alike(mine: &mut [Alike], other: &[Alike]) {
    mine.iter_mut().zip(other).for_each(|(mine, other)| mine.meet(other));
}
