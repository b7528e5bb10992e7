//! A layout's dimensions by name, `[t0, i0]`, or by number, `[1, 0]`.

use super::super::findings::Edit;
use super::assist::Assist;
use super::context::Context;
use check::evaluate::{dimension_name, layout_dimension};
use syntax::tree::{Expr, ExprKind, Layout};

/// Offers the other notation for the layout of the `reshape_map` around the cursor. Both are offered where it is mixed.
pub(super) fn layout_names(context: &Context) -> Vec<Assist> {
    let map = context.places().into_iter().rev().find_map(|place| match &place.expr.kind {
        ExprKind::ReshapeMap(map) => Some(map),
        _ => None,
    });
    let Some((map, layout)) = map.and_then(|map| Some((map, map.layout.as_ref()?))) else { return Vec::new() };
    let counts = (map.local.len(), map.thread.len());
    let name = |dimension| dimension_name(dimension, counts);
    let number = |dimension: usize| dimension.to_string();
    [
        ("layout-names", "Write the layout with names", rewritten(context, layout, counts, &name)),
        ("layout-numbers", "Write the layout with numbers", rewritten(context, layout, counts, &number)),
    ]
    .into_iter()
    .filter_map(|(id, title, edits)| Some(Assist::rewrite(id, title, edits.filter(|edits| !edits.is_empty())?)))
    .collect()
}

/// The entries that are not written this way yet; `None` where one is no dimension.
fn rewritten(
    context: &Context,
    layout: &Layout,
    counts: (usize, usize),
    write: &dyn Fn(usize) -> String,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for entry in &layout.entries {
        let dimension = layout_dimension(entry, counts).filter(|dimension| *dimension < counts.0 + counts.1)?;
        let plain = without_sign(entry);
        let text = write(dimension);
        if context.text(plain.span) != text {
            edits.push(context.replace(plain.span, &text));
        }
    }
    Some(edits)
}

fn without_sign(entry: &Expr) -> &Expr {
    match &entry.kind {
        ExprKind::Prefix { operand, .. } => operand,
        _ => entry,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, rewritten};

    #[test]
    fn numbers_become_names_and_back() {
        let numbers = "map m = reshape_map([3] | [2, 2] => layout: [0, -$02, 1]);";
        let names = "map m = reshape_map([3] | [2, 2] => layout: [i0, -t1, t0]);";
        assert_eq!(rewritten(numbers, "layout-names"), names);
        assert_eq!(rewritten(&names.replace("-t1", "-$0t1"), "layout-numbers"), numbers.replace("$0", ""));
        assert!(!offered(numbers).contains(&"layout-numbers"));
        assert_eq!(offered("map m = reshape_map([3] | [4] => layout: [$00, t0]);"), ["layout-names", "layout-numbers"]);
    }

    #[test]
    fn an_entry_that_is_no_dimension_is_not_rewritten() {
        assert!(
            offered("map m = reshape_map([3] | [4] => layout: [$00, 2]);").iter().all(|id| !id.starts_with("layout-n"))
        );
        assert!(offered("map m = reshape_map([3] | [4]$0);").is_empty());
    }
}
