//! The symbols of a file as a tree, and the symbols of all files by a query.

use std::ops::Range;

use smol_str::SmolStr;

use super::describe::map_extents;
use super::places::{Location, bytes, items};
use super::shorten;
use check::db::{Db, Item, SourceFile, Workspace};
use check::evaluate;
use check::library;
use check::values::Value;
use syntax::span::Span;
use syntax::tree::{Block, ItemKind, Kernel, Name, Param, StatementKind};

/// The most symbols in an answer to a query.
pub const MOST_SYMBOLS: usize = 256;
/// Characters of a detail that are shown.
const LONGEST_DETAIL: usize = 80;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A shape.
    Shape,
    /// A `dim` item with several names.
    Dimensions,
    /// A symbolic dimension.
    Dimension,
    /// A constant.
    Constant,
    /// An index map.
    Map,
    /// A thread collective.
    Unit,
    /// A tiling.
    Tiling,
    /// A kernel.
    Kernel,
    /// A function.
    Function,
    /// A run of a kernel.
    Run,
    /// A parameter of a kernel.
    Parameter,
    /// A view.
    View,
    /// A variable, in shared memory or not.
    Variable,
}

/// A symbol of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// Its name.
    pub name: SmolStr,
    /// What it is.
    pub kind: SymbolKind,
    /// A short description: a shape's dimensions, a parameter's type; may be empty.
    pub detail: String,
    /// The bytes of all of it.
    pub range: Range<u32>,
    /// The bytes of its name, inside the others.
    pub name_range: Range<u32>,
    /// The symbols declared inside.
    pub children: Vec<DocumentSymbol>,
}

/// A symbol that a query found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// Its name.
    pub name: SmolStr,
    /// What it is.
    pub kind: SymbolKind,
    /// Its name's place.
    pub location: Location,
}

/// The symbols of a file, in order.
pub fn document_symbols(db: &dyn Db, file: SourceFile) -> Vec<DocumentSymbol> {
    items(db, file).filter_map(|(position, item)| Outline { db, file, position, item }.symbol()).collect()
}

/// The symbols of all files whose names contain the characters of `query` as a subsequence, the best first; all with
/// an empty query, up to [`MOST_SYMBOLS`].
pub fn workspace_symbols(db: &dyn Db, query: &str) -> Vec<WorkspaceSymbol> {
    let mut found = Vec::new();
    // The library comes with the program; it is none of the workspace's files.
    let files = Workspace::get(db).files(db).values().filter(|file| library::name(file.path(db)).is_none());
    for file in files {
        for (position, item) in items(db, *file) {
            let matches = |name: &SmolStr| Some((rank(name, query)?, name.len()));
            let names = item.interface(db).names.iter().enumerate();
            found.extend(names.filter_map(|(number, name)| Some((matches(name)?, name, *file, position, number))));
        }
    }
    // Files and items are in order already, and the sort keeps it.
    found.sort_by(|left, right| (left.0, left.1).cmp(&(right.0, right.1)));
    found.truncate(MOST_SYMBOLS);
    let symbol = |(_, name, file, position, number): (_, &SmolStr, SourceFile, usize, usize)| {
        let tree = file.items(db).get(position)?.tree(db);
        let parsed = tree.item.as_ref()?;
        let span = check::db::declared(&parsed.kind).get(number)?.span;
        let location = Location { file, range: bytes(db, file, position, span) };
        Some(WorkspaceSymbol { name: name.clone(), kind: kind_of(&parsed.kind)?, location })
    };
    found.into_iter().filter_map(symbol).collect()
}

/// How well a name matches a query, 0 the best; `None` if it does not. Case is ignored.
fn rank(name: &str, query: &str) -> Option<u8> {
    let (lower, wanted) = (name.to_lowercase(), query.to_lowercase());
    let mut letters = lower.chars();
    if !wanted.chars().all(|wanted| letters.any(|letter| letter == wanted)) {
        return None;
    }
    Some(match lower.find(&wanted) {
        _ if name == query => 0,
        Some(0) if lower.len() == wanted.len() => 1,
        Some(0) => 2,
        Some(at) if lower[..at].ends_with(['-', '_']) => 3,
        Some(_) => 4,
        None => 5,
    })
}

/// The kind of the names that an item declares.
fn kind_of(kind: &ItemKind) -> Option<SymbolKind> {
    Some(match kind {
        ItemKind::Shape { .. } => SymbolKind::Shape,
        ItemKind::Dim { .. } => SymbolKind::Dimension,
        ItemKind::Const { .. } => SymbolKind::Constant,
        ItemKind::Map { .. } => SymbolKind::Map,
        ItemKind::Unit { .. } => SymbolKind::Unit,
        ItemKind::Tiling { .. } => SymbolKind::Tiling,
        ItemKind::Kernel(_) => SymbolKind::Kernel,
        ItemKind::Function(_) => SymbolKind::Function,
        ItemKind::Run(_) => SymbolKind::Run,
        ItemKind::Use { .. } | ItemKind::Assert { .. } | ItemKind::Show { .. } | ItemKind::Expr(_) => return None,
    })
}

/// Makes the symbols of one item.
struct Outline<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    position: usize,
    item: Item,
}

impl Outline<'_> {
    fn symbol(&self) -> Option<DocumentSymbol> {
        let tree = self.item.tree(self.db);
        let parsed = tree.item.as_ref()?;
        let whole = Span::new(0, self.item.tokens(self.db).len() as u32);
        match &parsed.kind {
            ItemKind::Dim { names, facts } => {
                let symbols = names.iter().filter_map(|name| self.leaf(name, SymbolKind::Dimension, name.span, ""));
                let mut symbols: Vec<DocumentSymbol> = symbols.collect();
                let facts = facts.iter().map(|fact| fact.span).reduce(Span::to);
                let detail = facts.map(|facts| self.text(facts)).unwrap_or_default();
                let range = self.bytes(whole);
                if let [symbol] = symbols.as_mut_slice() {
                    *symbol = DocumentSymbol { detail, range, ..symbol.clone() };
                    return symbols.pop();
                }
                let (first, last) = (names.first()?, names.last()?);
                let name_range = self.bytes(first.span.to(last.span));
                // The name is repeated for each of the symbols where a client shows no trees.
                let name = shortened(names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")).into();
                Some(DocumentSymbol {
                    name,
                    kind: SymbolKind::Dimensions,
                    detail,
                    range,
                    name_range,
                    children: symbols,
                })
            }
            ItemKind::Kernel(kernel) => {
                let children = self.inside(kernel);
                let params: Vec<String> = children
                    .iter()
                    .filter(|child| child.kind == SymbolKind::Parameter)
                    .map(|param| format!("{}: {}", param.name, param.detail))
                    .collect();
                let detail = shortened(format!("({})", params.join(", ")));
                Some(DocumentSymbol { children, ..self.leaf(&kernel.name, SymbolKind::Kernel, whole, &detail)? })
            }
            ItemKind::Run(run) => {
                let sizes: Vec<String> =
                    run.with.iter().map(|(name, value)| format!("{} = {}", name.text, self.text(value.span))).collect();
                self.leaf(&run.kernel, SymbolKind::Run, whole, &shortened(sizes.join(", ")))
            }
            kind => self.leaf(check::db::declared(kind).first()?, kind_of(kind)?, whole, &self.value()),
        }
    }

    /// The value of an item as a few words.
    fn value(&self) -> String {
        match &evaluate::value(self.db, self.item).value {
            None => String::new(),
            Some(Value::Map(map)) => {
                let (upper, lower) = map_extents(map);
                shortened(format!("{upper} -> {lower}"))
            }
            Some(value) => shortened(value.to_string()),
        }
    }

    fn inside(&self, kernel: &Kernel) -> Vec<DocumentSymbol> {
        let mut children: Vec<DocumentSymbol> = kernel.params.iter().filter_map(|param| self.param(param)).collect();
        self.block(&kernel.body, &mut children);
        children
    }

    fn param(&self, param: &Param) -> Option<DocumentSymbol> {
        let mut kind = String::new();
        if param.mutable {
            kind.push_str("mut ");
        }
        kind.push_str(&param.element.text);
        if let Some(shape) = &param.shape {
            let dims: Vec<String> = shape.iter().map(|dim| self.text(dim.span)).collect();
            kind.push_str(&format!("[{}]", dims.join(", ")));
        }
        self.leaf(&param.name, SymbolKind::Parameter, param.span, &shortened(kind))
    }

    /// The views and variables of a block and of the blocks inside.
    fn block(&self, block: &Block, found: &mut Vec<DocumentSymbol>) {
        for statement in &block.statements {
            let span = statement.span;
            match &statement.kind {
                StatementKind::View { name, via, .. } => {
                    let detail = via.as_ref().map(|via| format!("via {}", self.text(via.span))).unwrap_or_default();
                    found.extend(self.leaf(name, SymbolKind::View, span, &detail));
                }
                StatementKind::Let { name, value, .. } | StatementKind::Define { name, value, .. } => {
                    found.extend(self.leaf(name, SymbolKind::Variable, span, &self.text(value.span)));
                }
                StatementKind::Shared { name, element, .. } => {
                    found.extend(self.leaf(name, SymbolKind::Variable, span, &element.text));
                }
                _ => statement.bodies().for_each(|block| self.block(block, found)),
            }
        }
    }

    /// A symbol without children; `None` if its name is missing.
    fn leaf(&self, name: &Name, kind: SymbolKind, span: Span, detail: &str) -> Option<DocumentSymbol> {
        let (range, name_range) = (self.bytes(span), self.bytes(name.span));
        let text = name.text.clone();
        let detail = detail.to_owned();
        (!text.is_empty()).then_some(DocumentSymbol {
            name: text,
            kind,
            detail,
            range,
            name_range,
            children: Vec::new(),
        })
    }

    fn bytes(&self, span: Span) -> Range<u32> {
        bytes(self.db, self.file, self.position, span)
    }

    /// What is written, on one line.
    fn text(&self, span: Span) -> String {
        let range = self.bytes(span);
        let text = self.file.text(self.db).get(range.start as usize..range.end as usize).unwrap_or_default();
        shortened(shorten::on_one_line(text))
    }
}

fn shortened(text: String) -> String {
    shorten::shortened(text, LONGEST_DETAIL)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    fn outline(symbols: &[DocumentSymbol], text: &str, depth: usize) -> String {
        let line = |symbol: &DocumentSymbol| {
            let part = |range: &Range<u32>| &text[range.start as usize..range.end as usize];
            assert!(part(&symbol.range).contains(part(&symbol.name_range)));
            assert!(symbol.name_range.start >= symbol.range.start && symbol.name_range.end <= symbol.range.end);
            let head = format!("{}{:?} {} {}", "  ".repeat(depth), symbol.kind, symbol.name, symbol.detail);
            format!("{}\n{}", head.trim_end(), outline(&symbol.children, text, depth + 1))
        };
        symbols.iter().map(line).collect()
    }

    #[test]
    fn a_file_is_outlined() {
        let text = "dim M, N where M > 1,\n  N < 9; dim K;\nuse \"x.shape\"; a : [M, 2 * N]; const c = 2 + 2;\n\
                    map m = reshape_map([3] | [4] => layout: [t0, i0]); assert c == 4;\n\
                    kernel k(x: f32[M], y: mut f32[M], n: i64) { view v = x via linear(1); if n > 0 { let z = n; } }\n\
                    run k(x: zeros, y: zeros, n: 1) with M = 4; broken : ; show c";
        let Fixture { db, file, .. } = Fixture::new(text);
        let expected = "\
Dimensions M, N M > 1, N < 9
  Dimension M
  Dimension N
Dimension K
Shape a [M, 2 * N]
Constant c 4
Map m [3, 4] -> [12]
Kernel k (x: f32[M], y: mut f32[M], n: i64)
  Parameter x f32[M]
  Parameter y mut f32[M]
  Parameter n i64
  View v via linear(1)
  Variable z n
Run k M = 4
Shape broken
";
        assert_eq!(outline(&document_symbols(&db, file), text, 0), expected);
    }

    #[test]
    fn a_query_finds_names_of_all_files_the_best_first() {
        let files = "//- a.shape\ndim tile_m, M;\nconst my-tile = 1;\nconst Tile = 2;\n//- b.shape\n\
                     map tile = linear(1);\nkernel transposed_tile(x: f32) { }\nconst textile = 3;\nconst t_i_l_e = 1;\n";
        let Fixture { db, .. } = Fixture::new(files);
        let names = |query: &str| -> Vec<String> {
            let found = workspace_symbols(&db, query);
            found.iter().map(|symbol| format!("{}:{:?}", symbol.name, symbol.kind)).collect()
        };
        assert_eq!(
            names("tile"),
            [
                "tile:Map",
                "Tile:Constant",
                "tile_m:Dimension",
                "my-tile:Constant",
                "transposed_tile:Kernel",
                "textile:Constant",
                "t_i_l_e:Constant"
            ]
        );
        assert_eq!(names("TTT"), [] as [&str; 0]);
        assert_eq!(names("mtl"), ["my-tile:Constant"]);
        assert_eq!(names("").len(), 8);
        let found = &workspace_symbols(&db, "textile")[0].location;
        assert_eq!(&found.file.text(&db)[found.range.start as usize..found.range.end as usize], "textile");
    }

    #[test]
    fn an_answer_is_bounded() {
        let many: String = (0..2 * MOST_SYMBOLS).map(|number| format!("const c{number} = 1;\n")).collect();
        let Fixture { db, .. } = Fixture::new(&many);
        assert_eq!(workspace_symbols(&db, "c").len(), MOST_SYMBOLS);
    }
}
