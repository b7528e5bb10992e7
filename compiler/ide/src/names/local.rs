//! The names that a kernel or a function declares within itself.

use smol_str::SmolStr;

use super::{LocalKind, Target};
use check::db::{Db, Item};
use syntax::span::Span;
use syntax::tree::{Generic, GenericKind, ItemKind, Name, Param};

/// A visible local name.
#[derive(Clone)]
pub(super) struct Local {
    pub(super) name: SmolStr,
    /// The item that it is declared in.
    pub(super) item: Item,
    pub(super) span: Span,
    pub(super) kind: LocalKind,
}

impl Local {
    pub(super) fn param(item: Item, param: &Param) -> Self {
        let kind = if param.shape.is_some() { LocalKind::Tensor } else { LocalKind::Scalar };
        Self { name: param.name.text.clone(), item, span: param.name.span, kind }
    }

    pub(super) fn target(&self) -> Target {
        Target::Local(self.item, self.span)
    }
}

/// Whether a name of a kernel means what is known when the kernel is checked.
pub(super) fn is_known(local: &Local) -> bool {
    use LocalKind::{Defined, Function, Generic, Type};
    matches!(local.kind, Generic | Type | Defined | Function)
}

/// The kind of a generic parameter's name.
pub(super) fn generic_kind(generic: &Generic) -> LocalKind {
    match generic.kind {
        GenericKind::Constant { .. } => LocalKind::Generic,
        GenericKind::Element { .. } => LocalKind::Type,
    }
}

/// The generic parameter of a kernel item with this name.
pub(super) fn generic_of(db: &dyn Db, item: Item, name: &Name) -> Option<Local> {
    let kernel = item.declared_kernel(db)?;
    let generic = kernel.generics.iter().find(|generic| generic.name.text == name.text)?;
    Some(Local { name: name.text.clone(), item, span: generic.name.span, kind: generic_kind(generic) })
}

/// The parameters of a kernel; of any other item none.
pub(super) fn params_of(db: &dyn Db, item: Item) -> Vec<Local> {
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Kernel(kernel)) => kernel.params.iter().map(|param| Local::param(item, param)).collect(),
        _ => Vec::new(),
    }
}
