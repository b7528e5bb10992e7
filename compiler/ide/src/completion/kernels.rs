//! Inside kernels.

use super::arguments;
use super::collectives;
use super::context::{Context, open_brackets};
use super::expressions::{self, Scope};
use super::insertion::Insertion;
use super::list::CompletionKind::{Keyword, Parameter, Snippet, Type, Variable, View};
use super::list::{CompletionKind, List, Rank};
use super::scope::{Local, behind_generics, body_start, generics, locals};
use crate::describe;
use crate::documentation::{Subject, find, of_subject};
use crate::names::LocalKind;
use kernel::functions::Function;
use syntax::items::ItemTokens;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::DomainWord;

/// What each word of a statement inserts.
const STATEMENTS: &[(&str, &str)] = &[
    ("view", "view «xs» = «x» via «»;"),
    ("let", "let «name» = «»;"),
    ("const", "const «NAME» = «»;"),
    ("map", "map «name» = «»;"),
    ("fn", "fn «name»(«x») = «»;"),
    ("assert", "assert «»;"),
    ("for", "for «i» in «0..4» {\n    «»\n}"),
    ("while", "while «» max «1000» {\n    «»\n}"),
    ("break", "break;"),
    ("continue", "continue;"),
    ("if", "if «» {\n    «»\n}"),
    ("shared", "shared «buffer» : f32[«64»];"),
    ("async", "async «buffer»[«»] = «x»[«»];"),
    ("with", "with threads(«0..1», «cuda_warp») {\n    «»\n}"),
];

/// A kernel.
pub(super) fn kernel(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let open = open_brackets(tokens, context.end);
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    if open.iter().any(|at| tokens.kind(*at) == Some(TokenKind::OpenBrace)) {
        return body(context, list, tokens, &open);
    }
    match open.as_slice() {
        [] => missing_clauses(context, list),
        [first] if tokens.kind(*first) == Some(TokenKind::OpenParen) && is_params(tokens, *first) => match last {
            Some(TokenKind::Colon) => {
                list.words(Rank::Expected, Subject::Clause, &[("mut", "mut ")]);
                types(list);
                generic_types(list, tokens, context.end);
            }
            Some(TokenKind::Mut) => {
                types(list);
                generic_types(list, tokens, context.end);
            }
            Some(TokenKind::CloseBracket) => {
                list.words(Rank::Expected, Subject::Clause, &[("strided", "strided [«»]")]);
            }
            _ => {}
        },
        [2] if behind_generics(tokens) != 2 => generic_list(context, list, tokens, last),
        _ if in_tune(tokens, &open) => tuned(context, list, tokens),
        _ => sizes(context, list),
    }
}

/// In the list of generic parameters: element types, or sizes.
fn generic_list(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, last: Option<TokenKind>) {
    let parameter = (3..context.end).rev().find(|at| tokens.kind(*at) == Some(TokenKind::Comma)).map_or(3, |at| at + 1);
    let of_types = tokens.kind(parameter + 1) == Some(TokenKind::Colon) && context.end > parameter + 1;
    match last {
        Some(TokenKind::Colon | TokenKind::Bar) => types(list),
        Some(TokenKind::Equal) if of_types => types(list),
        Some(TokenKind::Equal) => sizes(context, list),
        _ if !of_types => sizes(context, list),
        _ => {}
    }
}

/// Whether a name of `tune(…)` may stand next.
fn in_tune(tokens: &ItemTokens, open: &[usize]) -> bool {
    matches!(open, [first] if *first > 0 && tokens.kind(first - 1) == Some(TokenKind::Tune))
}

/// The generic parameters for which `tune` has no values yet.
fn tuned(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    if !matches!(last, Some(TokenKind::OpenParen | TokenKind::Comma)) {
        return;
    }
    let start = (0..context.end).rev().find(|at| tokens.kind(*at) == Some(TokenKind::Tune)).unwrap_or(context.end);
    for generic in generics(tokens, start).filter(|generic| generic.kind == LocalKind::Generic) {
        let name = tokens.text(generic.token);
        if !(start..context.end).any(|at| tokens.text(at) == name) {
            let insert = Insertion::from(name).text(": [").stop("").text("]");
            list.add(Rank::Expected, Parameter, name, insert).detail = "values that it may get".to_owned();
        }
    }
}

/// Whether the bracket opens the parameters of a kernel, not the arguments of a clause.
fn is_params(tokens: &ItemTokens, open: usize) -> bool {
    open <= behind_generics(tokens)
}

/// `grid(…)` and `block(…)`, if missing.
pub(super) fn missing_clauses(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let written = |kind| (0..context.end).any(|at| tokens.kind(at) == Some(kind));
    let header = body_start(tokens, context.end).is_none();
    if !header || context.end < 4 || tokens.kind(context.end - 1) != Some(TokenKind::CloseParen) {
        return;
    }
    for (kind, word, insert) in [
        (TokenKind::Where, "where", "where «»"),
        (TokenKind::Tune, "tune", "tune(«»)"),
        (TokenKind::Grid, "grid", "grid(«»)"),
        (TokenKind::Block, "block", "block(«256»)"),
        (TokenKind::Cluster, "cluster", "cluster(«2»)"),
    ] {
        let possible = kind != TokenKind::Tune || behind_generics(tokens) > 2;
        if possible && !written(kind) {
            list.words(Rank::Expected, Subject::Clause, &[(word, insert)]);
        }
    }
}

pub(super) fn types(list: &mut List) {
    for entry in of_subject(Subject::Type) {
        list.entry(Rank::Expected, Type, entry, entry.word);
    }
}

/// The generic parameters of a kernel that stand for element types.
fn generic_types(list: &mut List, tokens: &ItemTokens, end: usize) {
    for generic in generics(tokens, end).filter(|generic| generic.kind == LocalKind::Type) {
        let name = tokens.text(generic.token);
        list.add(Rank::Expected, Type, name, name);
    }
}

fn body(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, open: &[usize]) {
    let start = statement_start(tokens, open, context.end);
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    let in_block = open.last().is_some_and(|at| tokens.kind(*at) == Some(TokenKind::OpenBrace));
    let ended = last.is_some_and(TokenKind::ends_operand);
    if in_block && (start == context.end || context.starts_line && ended) {
        return statement(context, list, tokens, start);
    }
    // The second argument of `threads(…)`, and only that, is a unit.
    let in_threads = open.last().is_some_and(|at| *at > 0 && tokens.text(at - 1) == DomainWord::Threads.text());
    if in_threads && last == Some(TokenKind::Comma) {
        return collectives::units(context, list);
    }
    match tokens.kind(start) {
        Some(TokenKind::With) if last == Some(TokenKind::With) => {
            let some = (DomainWord::Threads.text(), "threads(«0»..«1», «cuda_warp»)");
            list.words(Rank::Expected, Subject::Statement, &[some]);
        }
        Some(TokenKind::View) => view(context, list, tokens, start, last, in_block),
        Some(TokenKind::Let) => variable(context, list, tokens, start, last),
        // Their values are those of the file's scope.
        Some(TokenKind::Const | TokenKind::Map | TokenKind::Assert)
            if tokens.kind(start + 1).is_some_and(|next| next.is_word() || next.starts_operand())
                || context.end == start + 1 =>
        {
            defined(context, list, tokens, start);
        }
        Some(TokenKind::For) => repeat(context, list, tokens, start, last),
        Some(TokenKind::While) if context.end > start + 1 && in_block => {
            bounded(context, list, tokens, start);
        }
        _ => expression(context, list, start),
    }
}

/// Where the statement starts that a token belongs to.
fn statement_start(tokens: &ItemTokens, open: &[usize], end: usize) -> usize {
    let brace = open.iter().rev().find(|at| tokens.kind(**at) == Some(TokenKind::OpenBrace));
    let first = brace.map_or(0, |brace| brace + 1);
    let mut start = first;
    let mut depth = 0_usize;
    for at in first..end {
        let next = tokens.kind(at + 1);
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() => {
                depth = depth.saturating_sub(1);
                if depth == 0 && kind == TokenKind::CloseBrace && next != Some(TokenKind::Else) {
                    start = at + 1;
                }
            }
            Some(TokenKind::Semicolon) if depth == 0 => start = at + 1,
            Some(kind)
                if depth == 0 && begins_statement(kind, next, at.checked_sub(1).and_then(|at| tokens.kind(at))) =>
            {
                start = at;
            }
            _ => {}
        }
    }
    start
}

/// Whether a word begins a statement, also without a semicolon before it.
fn begins_statement(kind: TokenKind, next: Option<TokenKind>, before: Option<TokenKind>) -> bool {
    match kind {
        TokenKind::View | TokenKind::Let | TokenKind::Shared | TokenKind::Async => next.is_some_and(TokenKind::is_word),
        // An `if` after `=` or an operator is an expression of its statement.
        TokenKind::For | TokenKind::While | TokenKind::If => {
            before.is_some_and(|before| before != TokenKind::Else && before.ends_operand())
        }
        _ => false,
    }
}

fn statement(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, start: usize) {
    for (word, insert) in STATEMENTS {
        if let Some(entry) = find(word, &[Subject::Statement]) {
            list.entry(Rank::Expected, Keyword, entry, Insertion::template(insert));
        }
    }
    if start > 0 && tokens.kind(start - 1) == Some(TokenKind::CloseBrace) {
        list.words(Rank::Expected, Subject::Statement, &[("else", "else {\n    «»\n}")]);
    }
    add_locals(context, list, context.end, Use::Value);
    expressions::statement_functions(list);
}

fn view(
    context: &Context<'_>,
    list: &mut List,
    tokens: &ItemTokens,
    start: usize,
    last: Option<TokenKind>,
    in_block: bool,
) {
    let has = |kind| (start + 2..context.end).find(|at| tokens.kind(*at) == Some(kind));
    let ended = last.is_some_and(TokenKind::ends_operand) && last != Some(TokenKind::Via);
    match (has(TokenKind::Equal), has(TokenKind::Via)) {
        (None, _) => {}
        (Some(equal), _) if equal + 1 == context.end => add_locals(context, list, start, Use::Source),
        (Some(_), None) if ended && in_block => {
            list.words(Rank::Expected, Subject::ViewClause, &[("via", "via «»")]);
        }
        (Some(_), Some(_)) if last == Some(TokenKind::Per) => {
            for entry in of_subject(Subject::Unit) {
                list.entry(Rank::Expected, Keyword, entry, entry.word);
            }
        }
        (Some(_), Some(via)) if ended && in_block && context.end > via + 1 => {
            let clauses = [(TokenKind::Per, "per", "per «block»"), (TokenKind::Masked, "masked", "masked")];
            for (_, word, insert) in clauses.into_iter().filter(|(kind, ..)| has(*kind).is_none()) {
                list.words(Rank::Expected, Subject::ViewClause, &[(word, insert)]);
            }
        }
        (Some(_), Some(via)) if context.end == via + 1 => expressions::maps(context, list),
        (Some(_), None) if divides_next(tokens, context.end) => add_locals(context, list, start, Use::Source),
        _ => sizes(context, list),
    }
}

/// Whether the first argument of `partition(` comes next.
fn divides_next(tokens: &ItemTokens, end: usize) -> bool {
    end >= 2 && tokens.kind(end - 1) == Some(TokenKind::OpenParen) && tokens.text(end - 2) == "partition"
}

/// Where a size is expected in a kernel: its generic parameters, and what there is in the file.
fn sizes(context: &Context<'_>, list: &mut List) {
    let (Some(tokens), Some(item)) = (context.tokens(), context.item) else { return };
    if arguments::value(context, list) {
        return;
    }
    if expressions::expects_operand(tokens, context.end) {
        for generic in generics(tokens, context.end).filter(|generic| generic.kind == LocalKind::Generic) {
            let name = tokens.text(generic.token);
            let span = Span::new(generic.token as u32, generic.token as u32 + 1);
            let added = list.add(Rank::Local, Parameter, name, name);
            added.detail = describe::local_detail(context.db, item, span).unwrap_or_default();
        }
    }
    expressions::expression(context, list, Scope::File);
    let open = open_brackets(tokens, context.end);
    if open.iter().any(|open| *open > 0 && tokens.text(open - 1) == "partition") {
        // The extents of a tile are sizes: no map and no transform is one.
        let of_sizes = |word: &str| Function::from_name(word).and_then(Function::of_sizes).is_some();
        list.found.retain(|item| match item.kind {
            CompletionKind::Function => of_sizes(&item.label),
            CompletionKind::Keyword | CompletionKind::Map => false,
            _ => true,
        });
    }
}

fn variable(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, start: usize, last: Option<TokenKind>) {
    let given = (start..context.end).any(|at| tokens.kind(at) == Some(TokenKind::Equal));
    match last {
        Some(TokenKind::Let) => list.words(Rank::Expected, Subject::Clause, &[("mut", "mut ")]),
        Some(TokenKind::Colon) if !given => types(list),
        _ if given => expression(context, list, start),
        _ => {}
    }
}

/// What is defined or claimed: the name of a definition is new.
fn defined(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, start: usize) {
    let is_claim = tokens.kind(start) == Some(TokenKind::Assert);
    let given = (start..context.end).any(|at| tokens.kind(at) == Some(TokenKind::Equal));
    if is_claim || given {
        expressions::expression(context, list, Scope::File);
    }
}

fn repeat(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, start: usize, last: Option<TokenKind>) {
    let given = (start..context.end).any(|at| tokens.kind(at) == Some(TokenKind::In));
    match last {
        Some(TokenKind::In) => {
            list.add(Rank::Expected, Snippet, "0..n", Insertion::template("0..«4»")).detail =
                "one step at a time".to_owned();
            let loops =
                [(DomainWord::Grid.text(), "grid(«»)"), (DomainWord::Threads.text(), "threads(«8», «cuda_warp»)")];
            list.words(Rank::Expected, Subject::Statement, &loops);
            expression(context, list, start);
        }
        _ if given => {
            let has = |kind| (start..context.end).any(|at| tokens.kind(at) == Some(kind));
            if has(TokenKind::DotDot) && !has(TokenKind::Step) && last.is_some_and(TokenKind::ends_operand) {
                list.words(Rank::Expected, Subject::Statement, &[("step", "step «2»")]);
            }
            expression(context, list, start);
        }
        Some(kind) if kind.ends_operand() && context.end > start + 1 => {
            list.words(Rank::Expected, Subject::Statement, &[("in", "in «0..4»")]);
        }
        _ => {}
    }
}

/// A `while`: its condition, the `max` behind it, and the bound.
fn bounded(context: &Context<'_>, list: &mut List, tokens: &ItemTokens, start: usize) {
    let ends = |at: usize| tokens.kind(at).is_some_and(TokenKind::ends_operand);
    let is_bounded = (start + 2..context.end).any(|at| tokens.text(at) == "max" && ends(at - 1));
    if !is_bounded && ends(context.end - 1) {
        let most = list.add(Rank::Expected, Keyword, "max", Insertion::template("max «1000»"));
        most.detail = "the most iterations".to_owned();
    }
    expression(context, list, start);
}

fn expression(context: &Context<'_>, list: &mut List, start: usize) {
    let Some(tokens) = context.tokens() else { return };
    if arguments::value(context, list) {
        return;
    }
    if expressions::expects_operand(tokens, context.end) {
        add_locals(context, list, start, Use::Value);
        expressions::expression(context, list, Scope::Kernel);
    }
}

/// How a name will be used.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// For its value, or an element of it.
    Value,
    /// As the source of a view.
    Source,
}

fn add_locals(context: &Context<'_>, list: &mut List, statement: usize, wanted: Use) {
    let (Some(tokens), Some(item)) = (context.tokens(), context.item) else { return };
    for Local { token, kind } in locals(tokens, statement, context.end) {
        let name = tokens.text(token);
        let (as_kind, whole) = kind_of(kind);
        if wanted == Use::Source && !whole {
            continue;
        }
        let insert = Insertion::from(name);
        let span = Span::new(token as u32, token as u32 + 1);
        // A partition has tiles and no elements.
        let has_elements = whole && !describe::is_partition(context.db, item, span);
        let insert = if has_elements && wanted == Use::Value { insert.text("[").stop("").text("]") } else { insert };
        let added = list.add(Rank::Local, as_kind, name, insert);
        added.detail = describe::local_detail(context.db, item, span).unwrap_or_default();
    }
}

/// The kind of a name in a list, and whether it has elements.
fn kind_of(kind: LocalKind) -> (CompletionKind, bool) {
    match kind {
        LocalKind::Tensor => (Parameter, true),
        LocalKind::Scalar | LocalKind::Generic | LocalKind::Type => (Parameter, false),
        LocalKind::Function => (CompletionKind::Function, false),
        LocalKind::View => (View, true),
        LocalKind::Shared => (Variable, true),
        LocalKind::Constant | LocalKind::Variable | LocalKind::Iterator | LocalKind::Defined => (Variable, false),
    }
}
