//! The declaration of the name at the cursor.

use std::ops::Range;

use super::cursor::{Cursor, cursor, occurrence_at, occurrence_range};
use super::names::declaration;
use super::nodes::Node;
use super::places::{Location, bytes, location};
use check::db::{Db, Item, SourceFile};
use check::names;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Expr, ExprKind, ItemKind, ReshapeMap, StatementKind};

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The bytes at the cursor: a name, a path, an entry of a layout.
    pub origin: Range<u32>,
    /// The declaration's name, or all of it where it has none.
    pub name: Location,
    /// The bytes of the whole declaration, in the same file.
    pub whole: Range<u32>,
}

/// The definition of what is at a byte of a file.
pub fn definition(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Definition> {
    if let Some((cursor, found)) = occurrence_at(db, file, offset) {
        let (item, span) = declaration(db, &found.target);
        return Some(Definition {
            origin: occurrence_range(db, file, cursor.position, found),
            name: location(db, item, span),
            whole: location(db, item, declaring(db, item, span)).range,
        });
    }
    let cursor = cursor(db, file, offset)?;
    let here = bytes(db, file, cursor.position, Span::new(cursor.token as u32, cursor.token as u32 + 1));
    used_file(db, file, cursor, here.clone()).or_else(|| dimension(db, file, cursor, here))
}

/// The tokens of the declaration with this name: a statement, a parameter, or the item.
fn declaring(db: &dyn Db, item: Item, name: Span) -> Span {
    let tree = item.tree(db);
    let path = tree.item.as_ref().map(|parsed| Node::Item(parsed).path_to(name.start as usize)).unwrap_or_default();
    let declares = |node: &&Node<'_>| match node {
        // A loop is not the declaration of its iterator.
        Node::Statement(statement) => !matches!(statement.kind, StatementKind::For { .. }),
        Node::Param(_) => true,
        _ => false,
    };
    match path.iter().rev().find(declares) {
        Some(node) => node.span(),
        None if path.iter().any(|node| matches!(node, Node::Statement(_))) => name,
        None => Span::new(0, item.tokens(db).len() as u32),
    }
}

/// `use "path"` leads to the file.
fn used_file(db: &dyn Db, file: SourceFile, cursor: Cursor, origin: Range<u32>) -> Option<Definition> {
    let tree = cursor.item.tree(db);
    let ItemKind::Use { path } = &tree.item.as_ref()?.kind else { return None };
    if path.span.start as usize != cursor.token {
        return None;
    }
    let used = names::resolve_use(db, file, &path.text)?;
    Some(Definition { origin, name: Location { file: used, range: 0..0 }, whole: 0..used.text(db).len() as u32 })
}

/// An entry of a layout leads to the dimension that it names.
fn dimension(db: &dyn Db, file: SourceFile, cursor: Cursor, origin: Range<u32>) -> Option<Definition> {
    let tree = cursor.item.tree(db);
    let path = Node::Item(tree.item.as_ref()?).path_to(cursor.token);
    let layout = path.iter().position(|node| matches!(node, Node::Layout(_)))?;
    let Node::Expr(Expr { kind: ExprKind::ReshapeMap(map), .. }) = path.get(layout.checked_sub(1)?)? else {
        return None;
    };
    let Node::Expr(entry) = path.last()? else { return None };
    if !matches!(cursor.item.tokens(db).kind(cursor.token)?, TokenKind::Integer | TokenKind::Name) {
        return None;
    }
    let span = named_by(map, entry)?.span;
    let range = bytes(db, file, cursor.position, span);
    Some(Definition { origin, name: Location { file, range: range.clone() }, whole: range })
}

/// The dimension that an entry of the layout names, by its number or by `i0`, `t0`, ….
fn named_by<'t>(map: &'t ReshapeMap, entry: &Expr) -> Option<&'t Expr> {
    match &entry.kind {
        ExprKind::Int(Some(number)) => map.local.iter().chain(&map.thread).nth(usize::try_from(*number).ok()?),
        ExprKind::Name(name) => {
            let (side, number) = name.split_at_checked(1)?;
            let side = match side {
                "i" => &map.local,
                "t" => &map.thread,
                _ => return None,
            };
            side.get(number.parse::<usize>().ok()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    /// The text asked about, the declaration's name, and the text of the whole declaration.
    fn at(text: &str) -> Option<String> {
        let Fixture { db, file, offset } = Fixture::new(text);
        let found = definition(&db, file, offset)?;
        let target = found.name.file;
        let part =
            |file: SourceFile, range: &Range<u32>| file.text(&db)[range.start as usize..range.end as usize].to_owned();
        Some(format!(
            "{} -> {}{} in {}",
            part(file, &found.origin),
            if target == file { String::new() } else { format!("{}:", target.path(&db)) },
            part(target, &found.name.range),
            part(target, &found.whole),
        ))
    }

    #[test]
    fn a_name_leads_to_its_declaration() {
        assert_eq!(
            at("dim M, Rows where Rows > 1;\na : [Ro$0ws]").unwrap(),
            "Rows -> Rows in dim M, Rows where Rows > 1"
        );
        assert_eq!(
            at("kernel k(x: f32[4], y: mut f32[4]) { for i in 0..4 { let v = x[i]; y[i] = $0v; } }").unwrap(),
            "v -> v in let v = x[i]"
        );
        assert_eq!(at("kernel k(y: mut f32[4]) { for i in 0..4 { y[$0i] = 1; } }").unwrap(), "i -> i in i");
        assert_eq!(at("kernel k(y: mut f32[4]) { }\nrun k($0y: zeros)").unwrap(), "y -> y in y: mut f32[4]");
        assert_eq!(
            at("kernel k(y: mut f32[4]) { shared s : f32[4]; for w in threads(4, cuda_thread) { y[w] = $0s[w]; } }")
                .unwrap(),
            "s -> s in shared s : f32[4]"
        );
        assert_eq!(
            at("unit pair = (blockDim; 2);\nkernel k(y: mut f32[4]) { for w in threads(4, $0pair) { } }").unwrap(),
            "pair -> pair in unit pair = (blockDim; 2)"
        );
        // What stands between the brackets sees nothing of the kernel.
        assert_eq!(
            at("const n = 4;\nkernel k(y: mut f32[4]) { let n = 1; for w in threads($0n, cuda_thread) { } }").unwrap(),
            "n -> n in const n = 4"
        );
        assert_eq!(at("dim M, N;\na : [M-$0N]").unwrap(), "N -> N in dim M, N");
        assert_eq!(at("dim M, N;\na : [$0M-N]").unwrap(), "M -> M in dim M, N");
        assert_eq!(at("dim M, M-N, N;\na : [$0M-N]").unwrap(), "M-N -> M-N in dim M, M-N, N");
    }

    #[test]
    fn an_iterator_leads_to_the_step_that_declares_it() {
        let tilings = "tiling a = block(64) |> tile(w: 2, cuda_warp);\ntiling b = a |> tile(t: 2, cuda_thread);\n";
        let asked = |text: &str| at(&format!("{tilings}{text}"));
        let step = "w -> w in tiling a = block(64) |> tile(w: 2, cuda_warp)";
        assert_eq!(asked("show b($0w: 1, t: 0)").unwrap(), step);
        assert_eq!(asked("dim w;\nshow b.pitch($0w)").unwrap(), step);
        assert_eq!(asked("show (a |> tile(x: 2, cuda_thread)).digit($0w)").unwrap(), step);
        assert_eq!(asked("show b.pitch($0none)"), None);
        // A tiling that depends on itself has the iterators of its steps.
        assert_eq!(at("tiling a = a |> tile(w: 2, cuda_warp);\nshow a(w$0: 1)").unwrap().get(..6), Some("w -> w"));
    }

    #[test]
    fn a_path_leads_to_its_file_and_its_names_into_it() {
        let files = "//- a.shape\nuse \"b.sh$0ape\";\n//- b.shape\nconst B = 1;\n";
        assert_eq!(at(files).unwrap(), "\"b.shape\" -> b.shape: in const B = 1;\n");
        let files = "//- a.shape\nuse \"b.shape\";\nc : [B$0]\n//- b.shape\nconst B = 1;\n";
        assert_eq!(at(files).unwrap(), "B -> b.shape:B in const B = 1");
    }

    #[test]
    fn an_entry_of_a_layout_leads_to_its_dimension() {
        let map =
            |layout: &str| at(&format!("map m = reshape_map([3, (5, 6)] | [7] => layout: [{layout}], offset: 0)"));
        assert_eq!(map("i0, -$0i1, t0").unwrap(), "i1 -> (5, 6) in (5, 6)");
        assert_eq!(map("i0, i1, t0$0").unwrap(), "t0 -> 7 in 7");
        assert_eq!(map("$00, 1, 2").unwrap(), "0 -> 3 in 3");
        assert_eq!(map("0, 1, -$02").unwrap(), "2 -> 7 in 7");
        assert_eq!(map("i0, i1, $0t1"), None);
        assert_eq!(map("i0, i1, $0x"), None);
    }

    #[test]
    fn members_functions_and_words_of_the_language_lead_nowhere() {
        for text in ["a : [1];\nshow a.$0rank", "show cd$0iv(4, 2)", "$0dim M", "show $0unknown", "// $0x"] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn what_stands_outside_of_a_kernel_is_not_looked_for_in_it() {
        let text = "const N = 4;\nkernel k(N: i32, x: f32[$0N]) { }";
        assert_eq!(at(text).unwrap(), "N -> N in const N = 4");
        let text = "dim rows;\nkernel k(rows: f32[4]) { view v = rows via linear($0rows); }";
        assert_eq!(at(text).unwrap(), "rows -> rows in dim rows");
        let text = "const zeros = 1;\nkernel k(x: f32[4]) { }\nrun k(x: $0zeros)";
        assert_eq!(at(text), None);
        let text = "const block = 1;\nkernel k(x: f32[4]) { view v = x via linear(1) per $0block; }";
        assert_eq!(at(text), None);
        let text = "const grid = 1; dim i;\nkernel k(i: i32, x: mut f32[4]) { for j in grid($0i) { } }";
        assert_eq!(at(text).unwrap(), "i -> i in dim i");
        let text = "const sqrt = 1;\nkernel k(x: mut f32[4]) { x[0] = $0sqrt(2.0); }";
        assert_eq!(at(text), None);
    }

    #[test]
    fn a_size_of_a_run_is_the_kernels() {
        let text = "//- a.shape\nuse \"b.shape\";\ndim N;\nrun k(x: zeros) with $0N = 4\n//- b.shape\ndim N;\nkernel k(x: f32[N]) { }\n";
        assert_eq!(at(text).unwrap(), "N -> b.shape:N in dim N");
    }
}
