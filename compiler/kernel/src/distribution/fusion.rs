//! Neighbouring loops over the same points become one.
//!
//! The thread of a point then does what both do at the point before it comes to its next point. That is the same as long as
//! neither loop accesses what the other one writes, but for elements at the own point.

use super::accesses::{Reach, Usages};
use crate::typed::{Each, Expr, ExprKind, Locals, Memory, Statement, StatementKind};
use elements::ElementType;

/// The statements with loops that could be fused as one loop, which is not shared out among threads yet.
pub(super) fn fused(statements: Vec<Statement>, locals: &Locals, threads: i64, poll: &dyn Fn()) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::with_capacity(statements.len());
    // What the last statement accesses, if it is a loop over points.
    let mut last: Option<Usages> = None;
    for mut statement in statements {
        poll();
        let StatementKind::Each(each) = statement.kind else {
            statement.change_blocks(&mut |block| fused(block, locals, threads, poll));
            last = None;
            found.push(statement);
            continue;
        };
        let Statement { scope, span, .. } = statement;
        let usages = Usages::of_each(&each, locals, threads);
        if let (Some(before), Some(statement)) = (&mut last, found.last_mut())
            && statement.scope == scope
            && let StatementKind::Each(first) = &mut statement.kind
            && have_the_same_points(first, &each)
            && may_be_fused(before, &usages)
        {
            append(first, *each, statement.scope, statement.span);
            before.extend(&usages);
            continue;
        }
        last = Some(usages);
        found.push(Statement { kind: StatementKind::Each(each), scope, span });
    }
    found
}

/// Whether two boxes have the same points, but for axes of extent 1.
fn have_the_same_points(first: &Each, second: &Each) -> bool {
    let extents = |each: &Each| each.axes.iter().map(|axis| axis.extent).filter(|extent| *extent != 1).collect();
    let (one, other): (Vec<i64>, Vec<i64>) = (extents(first), extents(second));
    one == other
}

fn may_be_fused(first: &Usages, second: &Usages) -> bool {
    !first.are_atomic
        && !second.are_atomic
        && first.iter().all(|(memory, usage)| {
            let both = usage.and(second.get(memory));
            let is_in_both = second.get(memory).accesses > 0;
            // Which element of a tensor an access reaches does not follow from its point.
            !is_in_both || !both.writes || (matches!(memory, Memory::Shared(_)) && both.reach == Reach::Point)
        })
}

/// Does what a loop does at a point after what another one does there.
fn append(first: &mut Each, second: Each, scope: crate::typed::Scope, span: syntax::span::Span) {
    let wide: Vec<_> = first.axes.iter().filter(|axis| axis.extent != 1).map(|axis| axis.local).collect();
    let mut wide = wide.into_iter();
    for axis in &second.axes {
        let value = match axis.extent {
            1 => Expr::int(0),
            _ => {
                let Some(local) = wide.next() else { unreachable!("boxes of as many points") };
                Expr { kind: ExprKind::Local(local), element: ElementType::I64 }
            }
        };
        let kind = StatementKind::Assign { local: axis.local, value };
        first.body.push(Statement { kind, scope, span });
    }
    first.body.extend(second.body);
}
