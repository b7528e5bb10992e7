//! Replaces the name of a constant, a shape or a map by its value.

use std::ops::Range;

use smol_str::SmolStr;

use super::super::enclosing::{Place, each_in, enclosing};
use super::super::findings::Edit;
use super::super::names::{Access, Occurrence, Target, occurrences};
use super::super::places::location;
use super::super::stages;
use super::assist::{Assist, AssistKind};
use super::context::{Context, is_right};
use super::extract::{can_move, selections};
use super::select::is_simple;
use super::splice::{apart, on_one_line};
use check::db::{Item, Workspace};
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, ItemKind};

/// Offers to inline the name at the cursor; at a declaration that is used once, to inline that use and remove the
/// item.
pub(super) fn inline(context: &Context) -> Option<Assist> {
    let all = occurrences(context.db, context.item);
    let occurrence = all.iter().find(|occurrence| context.is_within(occurrence.span))?;
    let Target::Declared(declaring, name) = &occurrence.target else { return None };
    let value = Inlined::new(context, *declaring)?;
    let (edits, place) = match occurrence.access {
        Access::Read => (vec![value.edit(context, context.item, occurrence)?], "here"),
        Access::Declare => {
            let (item, only) = only_use(context, &occurrence.target, name)?;
            let edit = value.edit(context, item, &only)?;
            (vec![context.edit(whole_lines(context), ""), edit], "where it is used, and remove it")
        }
        Access::Write => return None,
    };
    let title = format!("Inline `{name}` {place}");
    Some(Assist { id: "inline", title, kind: AssistKind::Inline, edits, is_preferred: false, mends: None })
}

/// A value that may be moved within its file.
struct Inlined {
    item: Item,
    expr: Expr,
    text: String,
}

impl Inlined {
    /// The value of an item, if the item has no errors and its value means the same everywhere in the file.
    fn new(context: &Context, item: Item) -> Option<Self> {
        let db = context.db;
        let tree = item.tree(db);
        let (ItemKind::Shape { value: expr, .. }
        | ItemKind::Const { value: expr, .. }
        | ItemKind::Map { value: expr, .. }) = &tree.item.as_ref()?.kind
        else {
            return None;
        };
        if item.file(db) != context.file || !stages::of_item(db, item).is_empty() {
            return None;
        }
        let range = location(db, item, expr.span).range;
        let text = on_one_line(context.file.text(db).get(range.start as usize..range.end as usize)?)?;
        (can_move(expr) && selections(expr).is_empty()).then(|| Self { item, expr: expr.clone(), text })
    }

    /// The replacement of a use; `None` if the value has another meaning there.
    fn edit(&self, context: &Context, item: Item, used: &Occurrence) -> Option<Edit> {
        let db = context.db;
        let tree = item.tree(db);
        let kind = &tree.item.as_ref()?.kind;
        let place = enclosing(kind, used.span).pop().filter(|place| place.expr.span == used.span)?;
        let in_kernel = matches!(kind, ItemKind::Kernel(_) | ItemKind::Run(_));
        let grouped = place.parent.is_some_and(|parent| matches!(parent.kind, ExprKind::Paren(_)));
        if !is_right(db, item)
            || in_kernel && !self.is_literal()
            || grouped && !is_simple(&self.expr)
            || self.is_captured(context, item)
        {
            return None;
        }
        let bare = self.is_operand() || place.parent.is_none() || grouped;
        let text = if bare && !is_base(&place) { self.text.clone() } else { format!("({})", self.text) };
        let range = location(db, item, used.span).range;
        let text = apart(context.file.text(db), &range, &text);
        Some(context.edit(range, text))
    }

    /// Whether it means the same in the arithmetic of kernels.
    fn is_literal(&self) -> bool {
        matches!(
            self.expr.kind,
            ExprKind::Int(_) | ExprKind::Unsigned(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::ReshapeMap(_)
        )
    }

    /// Whether it needs no parentheses as an operand.
    fn is_operand(&self) -> bool {
        let kind = &self.expr.kind;
        self.is_literal()
            || matches!(kind, ExprKind::Name(_) | ExprKind::List(_) | ExprKind::Paren(_) | ExprKind::Str(_))
    }

    /// Whether a name in it means something else in that item.
    fn is_captured(&self, context: &Context, item: Item) -> bool {
        let mut names: Vec<&SmolStr> = Vec::new();
        each_in(&self.expr, &mut |place| {
            if let ExprKind::Name(name) = &place.expr.kind {
                names.push(name);
            }
        });
        let locals = occurrences(context.db, item).iter().filter(|other| other.local.is_some());
        item != self.item && locals.into_iter().any(|local| names.contains(&&local.name))
    }
}

/// Whether suffixes follow the place: `s(0)`, `m.injective`.
fn is_base(place: &Place) -> bool {
    let parent = place.parent.filter(|parent| matches!(parent.kind, ExprKind::Postfix { .. }));
    parent.is_some_and(|parent| parent.span.start == place.expr.span.start)
}

/// The only use of a name in the workspace, if it is in this file.
fn only_use(context: &Context, target: &Target, name: &SmolStr) -> Option<(Item, Occurrence)> {
    let db = context.db;
    let files = Workspace::get(db).files(db);
    let mut only = None;
    for item in files.values().flat_map(|file| file.items(db)) {
        if hyphenated(context, *item, name) {
            return None;
        }
        for found in occurrences(db, *item).iter().filter(|found| found.target == *target) {
            match found.access {
                Access::Declare => {}
                _ if only.is_some() || item.file(db) != context.file => return None,
                _ => only = Some((*item, found.clone())),
            }
        }
    }
    only
}

/// Whether the name is a part of a hyphenated word, which may be a difference.
fn hyphenated(context: &Context, item: Item, name: &str) -> bool {
    let tokens = item.tokens(context.db);
    (0..tokens.len())
        .map(|token| tokens.text(token))
        .any(|text| text.contains('-') && text.split('-').any(|part| part == name))
}

/// The bytes of this item with its documentation, its `;`, and its line ends if nothing else is on its lines.
fn whole_lines(context: &Context) -> Range<u32> {
    let db = context.db;
    let text = context.file.text(db);
    let tokens = context.item.tokens(db).len() as u32;
    let item = context.bytes(Span::new(0, tokens));
    let after = text.get(item.end as usize..).unwrap_or_default();
    let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
    let semicolon = if after[spaces..].starts_with(';') { spaces + 1 } else { 0 };
    let mut end = item.end as usize + semicolon;
    let line_start = text[..item.start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let alone_before = text[line_start..item.start as usize].trim_matches([' ', '\t', '\u{feff}']).is_empty();
    let rest = text[end..].trim_start_matches([' ', '\t']);
    let next = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']));
    if !alone_before || next.is_none() && !rest.is_empty() {
        return item.start..end as u32;
    }
    end = text.len() - next.unwrap_or_default().len();
    let mut start = line_start + text[line_start..item.start as usize].find(['\u{feff}']).map_or(0, |at| at + 3);
    while context.item.documentation(db).is_some() {
        let before = text[..start].trim_end_matches('\n').trim_end_matches('\r');
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        if line >= start || !before[line..].trim_start().starts_with("///") {
            break;
        }
        start = line;
    }
    start as u32..end as u32
}

#[cfg(test)]
mod tests {
    use super::super::tests::{offered, rewritten};

    #[test]
    fn a_constant_is_inlined_where_it_is_used() {
        let text = "dim M;\nconst B = M * 2;\na : [$0B, 4];\nassert B - 1 >= 1;\n";
        assert!(rewritten(text, "inline").contains("a : [(M * 2), 4];"));
        assert!(offered(&text.replace("$0", "").replace("const B", "const $0B")).iter().all(|id| *id != "inline"));
        let text = "s : [4, 8];\nassert $0s(0) == 4;\n";
        assert!(rewritten(text, "inline").contains("assert ([4, 8])(0) == 4;"));
    }

    #[test]
    fn a_declaration_that_is_used_once_goes() {
        let text = "// first\n\n/// The block.\nconst $0B = 64; \nassert 2-B == -62;\n";
        assert_eq!(rewritten(text, "inline"), "// first\n\nassert 2-64 == -62;\n");
        let text = "a : [1]; const $0B = 64; assert B == 64;\n";
        assert_eq!(rewritten(text, "inline"), "a : [1];  assert 64 == 64;\n");
    }

    #[test]
    fn what_means_something_else_elsewhere_stays() {
        assert!(offered("a : [?, 3];\nassert rank($0a) == 2;").is_empty());
        assert!(offered("const two = 1 + 1;\ns : [4, 5, 6];\na : s [($0two)];").iter().all(|id| *id != "inline"));
        let kernel = "const N = 4 + 4;\nkernel k(y: mut f32[8]) grid(1) block(8) { y[0] = f32($0N); }";
        assert!(offered(kernel).iter().all(|id| *id != "inline"));
        let text = "const M = 3;\nconst N = 1;\nassert M-N == 2;\n";
        assert!(offered(&text.replace("const N", "const $0N")).iter().all(|id| *id != "inline"));
    }
}
