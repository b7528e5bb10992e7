//! Neighbouring loops over the same points become one.
//!
//! The thread of a point then does what both do at the point before it comes to its next point. That is the same as long as
//! neither loop accesses what the other one writes, but for elements at the own point.

use super::accesses::{Reach, Usages};
use crate::typed::{Each, Expr, ExprKind, Local, Locals, Memory, Statement, StatementKind};
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
            && let Some(axes) = with_the_same_points(first, &each)
            && may_be_fused(before, &usages)
        {
            append(first, *each, &axes, statement.scope, statement.span);
            before.extend(&usages);
            continue;
        }
        last = Some(usages);
        found.push(Statement { kind: StatementKind::Each(each), scope, span });
    }
    found
}

/// For each axis of the second box the one of the first box that is the same, and none for an axis of extent 1; `None` if the
/// boxes do not have the same points.
fn with_the_same_points(first: &Each, second: &Each) -> Option<Vec<Option<Local>>> {
    let mut wide = first.axes.iter().filter(|axis| axis.extent != 1);
    let same = second.axes.iter().map(|axis| match axis.extent {
        1 => Some(None),
        extent => wide.next().filter(|own| own.extent == extent).map(|own| Some(own.local)),
    });
    let same = same.collect::<Option<Vec<_>>>()?;
    wide.next().is_none().then_some(same)
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

/// Does what a loop does at a point after what another one does there; `axes` are those of the first one that its own are.
fn append(
    first: &mut Each,
    second: Each,
    axes: &[Option<Local>],
    scope: crate::typed::Scope,
    span: syntax::span::Span,
) {
    for (axis, same) in second.axes.iter().zip(axes) {
        let value = match same {
            None => Expr::int(0),
            Some(local) => Expr { kind: ExprKind::Local(*local), element: ElementType::I64 },
        };
        let kind = StatementKind::Assign { local: axis.local, value };
        first.body.push(Statement { kind, scope, span });
    }
    first.body.extend(second.body);
}
