//! Writes out the launch that was chosen for a kernel.

use super::assist::Assist;
use super::context::Context;
use check::kernels;
use syntax::span::Span;
use syntax::tree::{ItemKind, LaunchClauseKind};

/// Offers to write the launch clauses that a kernel leaves out, with the cursor in its head.
pub(super) fn explicit_launch(context: &Context) -> Option<Assist> {
    let ItemKind::Kernel(kernel) = context.kind else { return None };
    // The launch of a generic kernel is another one for other values.
    if !kernel.generics.is_empty() {
        return None;
    }
    let head = Span::new(0, kernel.body.span.start + 1);
    let checked = kernels::checked_kernel(context.db, context.item).kernel.as_ref()?;
    let written = |kind| kernel.clauses.iter().find(|clause| clause.kind == kind);
    let (grid, block) = (written(LaunchClauseKind::Grid), written(LaunchClauseKind::Block));
    if !context.is_within(head) || grid.is_some() && block.is_some() {
        return None;
    }
    let last = kernel.body.span.start.checked_sub(1)?;
    let edit = match (grid, block) {
        (None, Some(block)) => {
            let start = context.bytes(block.span).start;
            context.edit(start..start, format!("grid({:#}) ", checked.launch.blocks))
        }
        (Some(_), _) => context.insert_behind(last, &format!(" block({:#})", checked.launch.threads)),
        (None, None) => {
            let launch = &checked.launch;
            context.insert_behind(last, &format!(" grid({:#}) block({:#})", launch.blocks, launch.threads))
        }
    };
    Some(Assist::rewrite("explicit-launch", "Write the launch that was chosen", vec![edit]))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, rewritten};

    const BODY: &str = "{ view ys = y via reshape_map([1] | [n]) masked; ys[0] = 1.0; }";

    #[test]
    fn the_chosen_clauses_are_written() {
        let text = |head: &str| format!("dim n;\nkernel k(y: mut f32[4 * n]){head} {BODY}\n");
        let written = text(" grid(cdiv(n, 256)) block(256)");
        for head in ["$0", " grid(cdiv(n, 256))$0", "$0 block(256)"] {
            assert_eq!(rewritten(&text(head), "explicit-launch"), written, "{head}");
        }
        assert!(offered(&text(" $0grid(cdiv(n, 256)) block(256)")).is_empty());
    }

    #[test]
    fn a_kernel_with_errors_has_no_launch() {
        assert!(offered("kernel k$0(y: mut f32[4]) { y[9] = 1.0; }").iter().all(|id| *id != "explicit-launch"));
    }
}
