//! Inside functions.

use super::context::{Context, open_brackets};
use super::expressions::{self, Scope};
use super::kernels;
use super::list::CompletionKind::{Parameter, Type, Variable};
use super::list::{CompletionKind, List, Rank};
use crate::documentation::Subject;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// What each word of a statement inserts.
const STATEMENTS: &[(&str, &str)] = &[
    ("let", "let «name» = «»;"),
    ("const", "const «NAME» = «»;"),
    ("map", "map «name» = «»;"),
    ("assert", "assert «»;"),
    ("fn", "fn «name»(«x») = «»;"),
];

/// A function.
pub(super) fn function(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    let open = open_brackets(tokens, context.end);
    let Some(body) = body_start(tokens, context.end) else {
        if matches!(last, Some(TokenKind::Colon | TokenKind::Arrow)) {
            kernels::types(list);
            for name in generics(tokens, context.end) {
                list.add(Rank::Expected, Type, tokens.text(name), tokens.text(name));
            }
        }
        return;
    };
    let in_block = open.last().is_some_and(|at| tokens.kind(*at) == Some(TokenKind::OpenBrace));
    let starts = matches!(last, Some(TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Semicolon));
    if in_block && starts {
        list.words(Rank::Word, Subject::Statement, STATEMENTS);
    }
    names(tokens, body, context.end, list);
    expressions::expression(context, list, Scope::Kernel);
}

/// The `=` or the `{` before the body.
fn body_start(tokens: &ItemTokens, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..end).find(|at| {
        let Some(kind) = tokens.kind(*at) else { return false };
        if depth == 0 && matches!(kind, TokenKind::Equal | TokenKind::OpenBrace) {
            return true;
        }
        if kind.is_opening() {
            depth += 1;
        } else if kind.is_closing() {
            depth = depth.saturating_sub(1);
        }
        false
    })
}

/// The words between the brackets that follow the name.
fn generics(tokens: &ItemTokens, end: usize) -> impl Iterator<Item = usize> {
    let has_list = tokens.kind(2) == Some(TokenKind::OpenBracket);
    let list = (3..end).take_while(move |at| has_list && tokens.kind(*at) != Some(TokenKind::CloseBracket));
    list.filter(|at| tokens.kind(*at).is_some_and(TokenKind::is_word))
}

/// The parameters, and what the body declares before the cursor.
fn names(tokens: &ItemTokens, body: usize, end: usize, list: &mut List) {
    let mut add = |at: usize, kind: CompletionKind| {
        if tokens.kind(at).is_some_and(TokenKind::is_word) {
            list.add(Rank::Local, kind, tokens.text(at), tokens.text(at));
        }
    };
    let mut depth = 0_usize;
    for at in 0..body {
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() => depth = depth.saturating_sub(1),
            _ => {}
        }
        let starts = matches!(tokens.kind(at), Some(TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::Comma));
        if depth == 1 && starts {
            add(at + 1, Parameter);
        }
    }
    for at in body..end {
        let declares =
            matches!(tokens.kind(at), Some(TokenKind::Let | TokenKind::Const | TokenKind::Map | TokenKind::Fn));
        if declares && at + 1 < end {
            add(at + 1, Variable);
        }
    }
}
