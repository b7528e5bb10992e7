//! The interface of an item: the names that it declares, and the file that it uses.

use smol_str::SmolStr;
use syntax::grammar::Parse;
use syntax::tree::{ItemKind, Name};

/// The names that an item declares, with their spans.
pub fn declared(kind: &ItemKind) -> &[Name] {
    match kind {
        ItemKind::Shape { name, .. }
        | ItemKind::Const { name, .. }
        | ItemKind::Map { name, .. }
        | ItemKind::Unit { name, .. }
        | ItemKind::Tiling { name, .. } => std::slice::from_ref(name),
        ItemKind::Kernel(kernel) => std::slice::from_ref(&kernel.name),
        ItemKind::Function(function) => std::slice::from_ref(&function.name),
        ItemKind::Dim { names, .. } => names,
        ItemKind::Use { .. }
        | ItemKind::Run(_)
        | ItemKind::Assert { .. }
        | ItemKind::Show { .. }
        | ItemKind::Expr(_) => &[],
    }
}

/// The interface of an item. It rarely changes while an item is edited, so scopes need not be recomputed after every
/// edit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interface {
    /// The names that it declares.
    pub names: Vec<SmolStr>,
    /// The kind of the declaration.
    pub kind: DeclarationKind,
    /// The path that it uses, as written.
    pub uses: Option<SmolStr>,
}

impl Interface {
    /// The interface of an item with this tree.
    pub fn from_parse(parse: &Parse) -> Self {
        let Some(parsed) = &parse.item else { return Self::default() };
        let uses = match &parsed.kind {
            ItemKind::Use { path } => Some(path.text.clone()).filter(|path| !path.is_empty()),
            _ => None,
        };
        let names = declared(&parsed.kind).iter().map(|name| name.text.clone()).collect();
        Self { names, kind: DeclarationKind::from_item(&parsed.kind), uses }
    }
}

/// The kind of a declaration; queries that need no more do not depend on its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeclarationKind {
    /// Symbols.
    Dim,
    /// A shape, a constant or a map.
    Value,
    /// A thread collective.
    Unit,
    /// A tiling.
    Tiling,
    /// A function.
    Function,
    /// A kernel or no declaration.
    #[default]
    Other,
}

impl DeclarationKind {
    fn from_item(kind: &ItemKind) -> Self {
        match kind {
            ItemKind::Dim { .. } => Self::Dim,
            ItemKind::Shape { .. } | ItemKind::Const { .. } | ItemKind::Map { .. } => Self::Value,
            ItemKind::Unit { .. } => Self::Unit,
            ItemKind::Tiling { .. } => Self::Tiling,
            ItemKind::Function(_) => Self::Function,
            _ => Self::Other,
        }
    }
}
