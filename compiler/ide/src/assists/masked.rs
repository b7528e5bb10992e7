//! Adds or removes the word `masked` of a view.

use super::super::names::{Target, occurrences};
use super::assist::Assist;
use super::context::Context;
use check::kernels;
use kernel::typed::{self, ExprKind, StatementKind as Typed};
use maps::MaskReason;
use syntax::span::Span;
use syntax::tree::{ItemKind, Name, StatementKind};

/// The view around the cursor.
struct View<'tree> {
    name: &'tree Name,
    /// The last token before `masked`, or before where it would be.
    last: u32,
    masked: Option<Span>,
}

/// Offers to mask the accesses of a view beyond its tensor.
pub(super) fn add(context: &Context) -> Option<Assist> {
    let view = view(context).filter(|view| view.masked.is_none())?;
    let edit = context.insert_behind(view.last, " masked");
    Some(Assist::rewrite("add-masked", format!("Mask `{}` beyond its tensor", view.name.text), vec![edit]))
}

/// Offers to remove `masked` if every access through the view is known to stay inside the tensor.
pub(super) fn remove(context: &Context) -> Option<Assist> {
    let view = view(context)?;
    let masked = view.masked?;
    if !is_needless(context, view.name) {
        return None;
    }
    let range = context.bytes(Span::new(view.last, view.last + 1)).end..context.bytes(masked).end;
    let title = format!("Leave `masked` out: `{}` stays inside its tensor", view.name.text);
    Some(Assist::rewrite("remove-masked", title, vec![context.edit(range, "")]))
}

fn view<'db>(context: &Context<'db>) -> Option<View<'db>> {
    let ItemKind::Kernel(kernel) = context.kind else { return None };
    let around =
        kernel.body.all_statements().into_iter().find(|statement| {
            matches!(statement.kind, StatementKind::View { .. }) && context.is_within(statement.span)
        })?;
    let StatementKind::View { name, via: Some(via), per, masked, .. } = &around.kind else { return None };
    let last = per.as_ref().unwrap_or(via).span.end.checked_sub(1)?;
    Some(View { name, last, masked: *masked })
}

/// Whether the typed kernel tests nothing because of `masked`. The view must have at least one access, and must not
/// be the source of another view, whose accesses would be tested too.
fn is_needless(context: &Context, name: &Name) -> bool {
    let Some(kernel) = &kernels::checked_kernel(context.db, context.item).kernel else { return false };
    let target = Target::Local(context.item, name.span);
    let all = occurrences(context.db, context.item).iter();
    let uses: Vec<u32> =
        all.filter(|other| other.target == target && other.span != name.span).map(|other| other.span.start).collect();
    let mut tested: Vec<(u32, bool)> = Vec::new();
    let mut note = |access: &typed::Access| {
        let tests = access.map.masks.iter().any(|mask| mask.reason == MaskReason::TensorBound);
        tested.push((access.span.start, tests));
    };
    typed::Statement::walk(&kernel.body, &mut |statement| {
        if let Typed::Store { access, .. } = &statement.kind {
            note(access);
        }
        statement.walk_own_expressions(&mut |expr| {
            if let ExprKind::Load(access) = &expr.kind {
                note(access);
            }
        });
    });
    let untested = |at: &u32| {
        let mut here = tested.iter().filter(|(start, _)| start == at).peekable();
        here.peek().is_some() && here.all(|(_, tests)| !tests)
    };
    !uses.is_empty() && uses.iter().all(untested)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, rewritten};

    fn kernel(size: &str, view: &str) -> String {
        format!("dim N;\nkernel k(y: mut f32[{size}]) {{\n    {view}\n    for i in 0..4 {{ ys[i] = 1.0; }}\n}}\n")
    }

    #[test]
    fn masked_comes_and_goes() {
        let map = "reshape_map([4] | [N] => layout: [i0, t0])";
        let plain = kernel("4 * N", &format!("view ys = y via $0{map};"));
        let masked = kernel("4 * N", &format!("view ys = y via {map} masked;"));
        assert_eq!(rewritten(&plain, "add-masked"), masked);
        assert_eq!(rewritten(&masked.replace("view", "view$0"), "remove-masked"), plain.replace("$0", ""));
    }

    #[test]
    fn a_mask_that_is_needed_stays() {
        let text = kernel("N", "view ys = y via $0reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;");
        assert!(!offered(&text).contains(&"remove-masked"));
        let chained =
            "view b = y via continuous_linear(4)$0 per block masked;\n    view ys = b via continuous_linear(4);";
        assert!(!offered(&kernel("4 * N", chained)).contains(&"remove-masked"));
    }
}
