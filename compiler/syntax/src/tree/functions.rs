//! Functions.

use super::{Expr, ExprKind, Name};
use crate::span::Span;

/// A function: what a call of it means is what its body means with the arguments in the places of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// `[T, N]`: element types and extents that follow from the arguments.
    pub generics: Vec<Name>,
    /// Its parameters.
    pub params: Vec<FunctionParam>,
    /// The type after `->`.
    pub result: Option<TypeName>,
    /// What it computes: a block where it stands in braces.
    pub body: Expr,
    /// The span of the function.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionParam {
    /// Its name.
    pub name: Name,
    /// The type after the colon. Without one the argument may be anything: a number, a size, a tile, a map.
    pub annotation: Option<TypeName>,
    /// The span of the parameter.
    pub span: Span,
}

/// `f32`, `T` or `f32[M, N]` as the type of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// The name of the element type.
    pub element: Name,
    /// The extents of a tile.
    pub shape: Option<Vec<Expr>>,
}

impl Function {
    /// Whether its body stands in braces.
    pub fn has_braces(&self) -> bool {
        matches!(self.body.kind, ExprKind::Block(_))
    }
}
