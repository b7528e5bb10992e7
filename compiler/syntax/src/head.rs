//! The kind of an item by its first tokens.
//!
//! The splitter uses it to find the starts of items, the grammar to choose a parser. Keywords are contextual: `map :
//! [1, 2]` declares a shape called `map`, `show + 1` adds to a shape called `show`.

use super::token::TokenKind;

/// The kind of an item by its first tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Head {
    /// `use "…"`
    Use,
    /// `mdspan …`
    Mdspan,
    /// `NAME :`
    Shape,
    /// `NAME =`, probably meant as `NAME :`.
    ShapeWithEqual,
    /// `dim NAME`
    Dim,
    /// `const NAME`
    Const,
    /// `map NAME`
    Map,
    /// `unit NAME`
    Unit,
    /// `tiling NAME`
    Tiling,
    /// `kernel NAME`
    Kernel,
    /// `fn NAME`
    Function,
    /// `run NAME`
    Run,
    /// `assert E`
    Assert,
    /// `show E`
    Show,
    /// `let NAME`, which is only allowed in kernels; read as `const NAME`.
    Let,
    /// A statement, which is only allowed in kernels.
    Statement,
    /// Anything else: an expression.
    Expression,
}

impl Head {
    /// Whether the item may have a body of statements.
    pub(super) fn has_body(self) -> bool {
        matches!(self, Self::Kernel | Self::Function)
    }
}

/// The head of the item that starts with these tokens.
pub(super) fn head_of(first: TokenKind, second: Option<TokenKind>, third: Option<TokenKind>) -> Head {
    use TokenKind::*;
    let word = second.is_some_and(TokenKind::is_word);
    match (first, second) {
        (Map | Unit | Tiling | Const, Some(Equal)) => {}
        (name, Some(Colon)) if name.is_word() => return Head::Shape,
        (name, Some(Equal)) if name.is_word() => return Head::ShapeWithEqual,
        _ => {}
    }
    match first {
        Use if word || matches!(second, Some(String | UnterminatedString)) => Head::Use,
        Mdspan if word || second == Some(Less) => Head::Mdspan,
        Dim if word => Head::Dim,
        Const if word || second == Some(Equal) => Head::Const,
        Map if word || second == Some(Equal) => Head::Map,
        Unit if word || second == Some(Equal) => Head::Unit,
        Tiling if word || second == Some(Equal) => Head::Tiling,
        Kernel if word => Head::Kernel,
        Fn if word => Head::Function,
        Run if word => Head::Run,
        Assert if second.is_some_and(TokenKind::starts_operand) => Head::Assert,
        Show if second.is_some_and(TokenKind::starts_operand) => Head::Show,
        Let if word => Head::Let,
        For | View | Shared | Async if word => Head::Statement,
        For if second == Some(OpenParen) && third.is_some_and(TokenKind::is_word) => Head::Statement,
        With if word => Head::Statement,
        _ => Head::Expression,
    }
}
