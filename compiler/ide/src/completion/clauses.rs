//! The clauses of items.

use super::context::{Context, open_brackets};
use super::expressions::{self, Scope};
use super::insertion::Insertion;
use super::list::CompletionKind::{Snippet, Symbol};
use super::list::{List, Rank};
use super::{kernels, runs};
use crate::documentation::Subject;
use syntax::token::TokenKind;

/// Clauses that may continue the item before the cursor.
pub(super) fn continuing(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    if !open_brackets(tokens, context.end).is_empty() {
        return;
    }
    match tokens.kind(0) {
        Some(TokenKind::Run) => runs::missing_clauses(context, list),
        Some(TokenKind::Kernel) => kernels::missing_clauses(context, list),
        Some(TokenKind::Dim) => dim(context, list),
        _ => {}
    }
}

/// `dim M, N where …`
pub(super) fn dim(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let last = context.end.checked_sub(1).and_then(|last| tokens.kind(last));
    let place = (0..context.end).find(|at| tokens.kind(*at) == Some(TokenKind::Where));
    let Some(place) = place else {
        if context.end > 1 && last.is_some_and(TokenKind::is_word) {
            list.words(Rank::Expected, Subject::Clause, &[("where", "where «»")]);
        }
        return;
    };
    if last.is_some_and(TokenKind::ends_operand) && context.end > place + 1 {
        return;
    }
    if matches!(last, Some(TokenKind::Where | TokenKind::Comma | TokenKind::AndAnd)) {
        let names = (1..place).filter(|at| tokens.kind(*at).is_some_and(TokenKind::is_word));
        for name in names.map(|at| tokens.text(at)) {
            facts(list, name);
        }
    }
    expressions::expression(context, list, Scope::File);
}

/// The forms of facts about a symbol.
fn facts(list: &mut List, name: &str) {
    let forms = [(" % «64» == 0", "a multiple"), (" <= «65536»", "at most"), (" >= «2»", "at least")];
    for (form, detail) in forms {
        let insert = Insertion::from(name).followed_by(Insertion::template(form));
        list.add(Rank::Expected, Snippet, &insert.plain(), insert).detail = detail.to_owned();
    }
    list.add(Rank::Expected, Symbol, name, name);
}
