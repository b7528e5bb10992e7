//! Parses items.

use chumsky::prelude::*;

use super::expressions::{Expressions, expressions};
use super::functions::function_item;
use super::input::{Failure, Of};
use super::kernels::kernel;
use super::literals::string_literal;
use super::parts::*;
use super::runs::run;
use super::statements::block;
use crate::error::{Expected, SyntaxErrorKind};
use crate::head::Head;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// The parsers of all items.
pub(super) struct Grammar {
    use_: Of<Item>,
    mdspan: Of<Item>,
    shape: Of<Item>,
    dim: Of<Item>,
    const_: Of<Item>,
    map: Of<Item>,
    unit: Of<Item>,
    tiling: Of<Item>,
    kernel: Of<Item>,
    function: Of<Item>,
    run: Of<Item>,
    assert: Of<Item>,
    show: Of<Item>,
    let_: Of<Item>,
    statement: Of<Item>,
    expression: Of<Item>,
}

impl Grammar {
    /// Builds the parsers.
    pub(super) fn new() -> Self {
        let expressions = expressions();
        let define = |word, make| item(definition(&expressions, word, make));
        let value = || expressions.expect(Expected::Expression);
        Self {
            use_: item(use_()),
            mdspan: item(mdspan(&expressions)),
            shape: item(shape(&expressions)),
            dim: item(dim(&expressions)),
            const_: define(TokenKind::Const, |name, value| ItemKind::Const { name, value }),
            map: define(TokenKind::Map, |name, value| ItemKind::Map { name, value }),
            unit: define(TokenKind::Unit, |name, value| ItemKind::Unit { name, value }),
            tiling: define(TokenKind::Tiling, |name, value| ItemKind::Tiling { name, value }),
            kernel: item(kernel(&expressions)),
            function: item(function_item(&expressions, block(&expressions))),
            run: item(run(&expressions)),
            assert: item(any().ignore_then(value()).map(|value| ItemKind::Assert { value }).boxed()),
            show: item(any().ignore_then(value()).map(|value| ItemKind::Show { value }).boxed()),
            let_: item(let_(&expressions)),
            statement: item(statement()),
            expression: item(value().map(ItemKind::Expr).boxed()),
        }
    }

    /// The parser for items with this head.
    pub(super) fn parser(&self, head: Head) -> &Of<Item> {
        match head {
            Head::Use => &self.use_,
            Head::Mdspan => &self.mdspan,
            Head::Shape | Head::ShapeWithEqual => &self.shape,
            Head::Dim => &self.dim,
            Head::Const => &self.const_,
            Head::Map => &self.map,
            Head::Unit => &self.unit,
            Head::Tiling => &self.tiling,
            Head::Kernel => &self.kernel,
            Head::Function => &self.function,
            Head::Run => &self.run,
            Head::Assert => &self.assert,
            Head::Show => &self.show,
            Head::Let => &self.let_,
            Head::Statement => &self.statement,
            Head::Expression => &self.expression,
        }
    }
}

/// An item up to the end of its tokens.
fn item(kind: Of<ItemKind>) -> Of<Item> {
    kind.then_ignore(leftover(|_| false, Expected::EndOfItem))
        .then_ignore(end())
        .map_with(|kind, extra| Item { kind, span: extra.span() })
        .boxed()
}

/// Parses `use "other.shape"`.
fn use_() -> Of<ItemKind> {
    let absent =
        missing(Expected::Path).map_with(|(), extra| StringLiteral { text: Default::default(), span: extra.span() });
    any().ignore_then(string_literal().or(absent)).map(|path| ItemKind::Use { path }).boxed()
}

/// Parses `mdspan<1> s1 : [3]`.
fn mdspan(expressions: &Expressions) -> Of<ItemKind> {
    let rank = just(TokenKind::Less)
        .ignore_then(expressions.rank.clone().or(missing_expr(Expected::Rank)))
        .then_ignore(expect(TokenKind::Greater, Expected::RankEnd))
        .or_not();
    any()
        .ignore_then(rank)
        .then(name(Expected::ShapeName))
        .then_ignore(dimensions_mark())
        .then(expressions.expect(Expected::Expression))
        .map(|((rank, name), value)| ItemKind::Shape { name, rank, value })
        .boxed()
}

/// Parses `s3 : [7, 8, 9]`.
fn shape(expressions: &Expressions) -> Of<ItemKind> {
    name(Expected::ShapeName)
        .then_ignore(dimensions_mark())
        .then(expressions.expect(Expected::Expression))
        .map(|(name, value)| ItemKind::Shape { name, rank: None, value })
        .boxed()
}

/// The `:` before a shape's dimensions; reports `=`, a frequent mistake.
fn dimensions_mark() -> Of<()> {
    let equal = just(TokenKind::Equal)
        .map_with(|_, extra| extra.span())
        .validate(|span, _, emitter| emitter.emit(Failure::new(SyntaxErrorKind::EqualForColon, span)));
    equal.or(expect(TokenKind::Colon, Expected::Dimensions).ignored()).boxed()
}

/// Parses `dim M, N where M % 64 == 0`.
fn dim(expressions: &Expressions) -> Of<ItemKind> {
    let symbol = ahead(|[next]| next.is_some_and(|kind| kind.is_word() && kind != TokenKind::Where))
        .ignore_then(word())
        .separated_by(just(TokenKind::Comma))
        .at_least(1)
        .allow_trailing()
        .collect()
        .or(missing(Expected::DimName).map(|()| Vec::new()));
    let facts = just(TokenKind::Where).ignore_then(
        expressions
            .any
            .clone()
            .separated_by(just(TokenKind::Comma))
            .at_least(1)
            .allow_trailing()
            .collect()
            .or(missing(Expected::Fact).map(|()| Vec::new())),
    );
    any()
        .ignore_then(symbol)
        .then(facts.or_not())
        .map(|(names, facts)| ItemKind::Dim { names, facts: facts.unwrap_or_default() })
        .boxed()
}

/// Parses `map m = …` and other named definitions.
fn definition(expressions: &Expressions, word: TokenKind, make: fn(Name, Expr) -> ItemKind) -> Of<ItemKind> {
    let colon = just(TokenKind::Colon).map_with(|_, extra| extra.span()).validate(move |span: Span, _, emitter| {
        emitter.emit(Failure::new(SyntaxErrorKind::ColonForEqual { word }, span));
    });
    any()
        .ignore_then(name(Expected::DefinedName))
        .then_ignore(colon.or(expect(TokenKind::Equal, Expected::Definition).ignored()))
        .then(expressions.expect(Expected::Expression))
        .map(move |(name, value)| make(name, value))
        .boxed()
}

/// Parses `let x = 1` as a constant, and reports it.
fn let_(expressions: &Expressions) -> Of<ItemKind> {
    any()
        .map_with(|_, extra| extra.span())
        .validate(|span, _, emitter| emitter.emit(Failure::new(SyntaxErrorKind::LetOutsideKernel, span)))
        .then_ignore(just(TokenKind::Mut).then_ignore(ahead(|[next]| next.is_some_and(TokenKind::is_word))).or_not())
        .ignore_then(name(Expected::DefinedName))
        .then_ignore(just(TokenKind::Colon).then(word()).or_not())
        .then_ignore(expect(TokenKind::Equal, Expected::Definition))
        .then(expressions.expect(Expected::Expression))
        .map(|(name, value)| ItemKind::Const { name, value })
        .boxed()
}

/// A statement outside a kernel, with a single error.
fn statement() -> Of<ItemKind> {
    any()
        .map_with(|_, extra| extra.span())
        .validate(|span, _, emitter| emitter.emit(Failure::new(SyntaxErrorKind::StatementOutsideKernel, span)))
        .then_ignore(any().repeated())
        .map_with(|(), extra| ItemKind::Expr(error_expr(extra.span())))
        .boxed()
}
