//! Inside runs.

use std::sync::Arc;

use super::arguments;
use super::context::{Context, open_brackets};
use super::expressions::{self, Scope};
use super::insertion::Insertion;
use super::list::CompletionKind::{Kernel as KernelKind, Parameter, Symbol, Value as ValueKind};
use super::list::{List, Rank};
use super::scope::behind_generics;
use crate::describe;
use crate::documentation::{Subject, of_subject};
use check::db::Item;
use check::kernels;
use check::names;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;
use syntax::tree::{GenericKind, Kernel};

/// A run.
pub(super) fn run(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    if context.end == 1 {
        return kernel_names(context, list);
    }
    let open = open_brackets(tokens, context.end);
    let last = tokens.kind(context.end - 1);
    let clause = clause(tokens, context.end);
    let start = behind_generics(tokens);
    match (open.as_slice(), clause, last) {
        ([2], None, Some(TokenKind::OpenBracket | TokenKind::Comma)) if start != 2 => generics(context, list, tokens),
        ([2], None, Some(TokenKind::Colon)) if start != 2 => generic_values(context, list, tokens),
        ([2], None, _) if start != 2 => expressions::expression(context, list, Scope::File),
        ([open], None, Some(TokenKind::OpenParen | TokenKind::Comma)) if *open == start => {
            arguments(context, list, tokens);
            initial_values(list);
        }
        ([open], None, Some(TokenKind::Colon)) if *open == start => {
            initial_values(list);
            expressions::expression(context, list, Scope::File);
        }
        ([], None, Some(kind)) if kind.ends_operand() && context.end > start => missing_clauses(context, list),
        ([], Some(_), Some(kind)) if kind.ends_operand() && !is_clause(kind) => missing_clauses(context, list),
        ([], Some(TokenKind::With), Some(TokenKind::With | TokenKind::Comma)) => sizes(context, list, tokens),
        ([], Some(TokenKind::Save), Some(TokenKind::Save | TokenKind::Comma)) => saved(context, list, tokens),
        ([], Some(TokenKind::Save), _) => {}
        (_, Some(TokenKind::Expect), _) => {
            if arguments::value(context, list) {
                return;
            }
            if expressions::expects_operand(tokens, context.end) {
                tensors(context, list, tokens);
                expressions::expression(context, list, Scope::Expectation);
            }
        }
        _ => expressions::expression(context, list, Scope::File),
    }
}

/// The generic parameters that have no value yet.
fn generics(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, kernel)) = called(context, tokens) else { return };
    let named = |at: &usize| tokens.kind(at + 1) == Some(TokenKind::Colon);
    let given: Vec<&str> = (3..behind_generics(tokens)).filter(named).map(|at| tokens.text(at)).collect();
    for generic in kernel.generics.iter().filter(|generic| !given.contains(&generic.name.text.as_str())) {
        let name = generic.name.text.as_str();
        list.add(Rank::Expected, Parameter, name, argument(name)).detail =
            describe::source(context.db, item, generic.span);
    }
}

/// The values that the kernel is checked for, of the generic parameter before the cursor.
fn generic_values(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, kernel)) = called(context, tokens) else { return };
    let name = context.end.checked_sub(2).map(|name| tokens.text(name)).unwrap_or_default();
    let Some(generic) = kernel.generics.iter().find(|generic| generic.name.text == name) else { return };
    for value in describe::generic_values(context.db, item, generic) {
        list.add(Rank::Expected, ValueKind, &value, &*value).detail = "the kernel is checked for it".to_owned();
    }
    if matches!(generic.kind, GenericKind::Constant { .. }) {
        expressions::expression(context, list, Scope::File);
    }
}

fn is_clause(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::With | TokenKind::Expect | TokenKind::Within | TokenKind::Save)
}

/// The clause that a token belongs to.
fn clause(tokens: &ItemTokens, end: usize) -> Option<TokenKind> {
    let closed = (behind_generics(tokens)..end).find(|at| tokens.kind(*at) == Some(TokenKind::CloseParen))?;
    (closed..end).rev().filter_map(|at| tokens.kind(at)).find(|kind| is_clause(*kind))
}

fn kernel_names(context: &Context<'_>, list: &mut List) {
    for (name, item) in names::visible(context.db, context.file) {
        let Some(kernel) = item.declared_kernel(context.db) else { continue };
        let arguments = Insertion::list(kernel.params.iter().map(|param| argument(&param.name.text)));
        let insert = Insertion::from(&*name).text("(").followed_by(arguments).text(")");
        let added = list.add(Rank::Expected, KernelKind, &name, insert);
        added.detail = describe::detail(context.db, item, &name);
        added.documentation = item.documentation(context.db).as_deref().unwrap_or_default().into();
    }
}

/// A named argument whose value is still to be written.
fn argument(name: &str) -> Insertion {
    Insertion::from(name).text(": ").stop("")
}

/// The kernel that a run names.
pub(crate) fn called(context: &Context<'_>, tokens: &ItemTokens) -> Option<(Item, Arc<Kernel>)> {
    let item = names::lookup(context.db, context.file, tokens.text(1).into())?;
    Some((item, item.declared_kernel(context.db)?))
}

/// The parameters that have no value yet.
fn arguments(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, kernel)) = called(context, tokens) else { return };
    let named = |at: usize| tokens.kind(at + 1) == Some(TokenKind::Colon);
    let given: Vec<&str> =
        (behind_generics(tokens) + 1..tokens.len()).filter(|at| named(*at)).map(|at| tokens.text(at)).collect();
    for param in kernel.params.iter().filter(|param| !given.contains(&param.name.text.as_str())) {
        let name = param.name.text.as_str();
        let added = list.add(Rank::Expected, Parameter, name, argument(name));
        added.detail = describe::source(context.db, item, param.span);
    }
}

fn initial_values(list: &mut List) {
    for entry in of_subject(Subject::Initial) {
        let insert = match entry.word {
            "random" => "random(«1»)",
            "npy" => "npy(\"«x.npy»\")",
            word => word,
        };
        list.entry(Rank::Expected, ValueKind, entry, Insertion::template(insert));
    }
}

/// The symbols of the kernel that have no value yet.
fn sizes(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, _)) = called(context, tokens) else { return };
    let typed = kernels::typed_kernel(context.db, item);
    let Some(kernel) = &typed.draft else { return };
    let given: Vec<&str> = (behind_generics(tokens) + 1..tokens.len())
        .filter(|at| tokens.kind(at + 1) == Some(TokenKind::Equal))
        .map(|at| tokens.text(at))
        .collect();
    for symbol in kernel.symbols.iter().filter(|symbol| !given.contains(&symbol.name())) {
        let name = symbol.name();
        list.add(Rank::Expected, Symbol, name, Insertion::from(name).text(" = ").stop("")).detail =
            format!("a size of `{}`", kernel.name);
    }
}

/// The tensors that may be written to files.
fn saved(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, kernel)) = called(context, tokens) else { return };
    for param in kernel.params.iter().filter(|param| param.mutable) {
        let name = param.name.text.as_str();
        let added = list.add(
            Rank::Expected,
            Parameter,
            name,
            Insertion::from(name).text(": \"").stop(&format!("{name}.npy")).text("\""),
        );
        added.detail = describe::source(context.db, item, param.span);
    }
}

/// The parameters, which in an expectation are the tensors after the run.
fn tensors(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some((item, kernel)) = called(context, tokens) else { return };
    for param in &kernel.params {
        let added = list.add(Rank::Local, Parameter, &param.name.text, &*param.name.text);
        added.detail = describe::source(context.db, item, param.span);
    }
}

/// The clauses that are not written yet; a further expectation once the last one has its tolerance.
pub(super) fn missing_clauses(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let last = |kind| (3..context.end).rev().find(|at| tokens.kind(*at) == Some(kind));
    for (kind, word, insert) in [
        (TokenKind::With, "with", "with «»"),
        (TokenKind::Expect, "expect", "expect «»"),
        (TokenKind::Within, "within", "within «1e-6»"),
        (TokenKind::Save, "save", "save «y»: \"«y.npy»\""),
    ] {
        let is_missing = match kind {
            // A tolerance belongs to an expectation.
            TokenKind::Within => last(TokenKind::Expect) > last(TokenKind::Within),
            TokenKind::Expect => last(kind).is_none() || last(TokenKind::Within) > last(kind),
            _ => last(kind).is_none(),
        };
        if is_missing {
            list.words(Rank::Expected, Subject::Clause, &[(word, insert)]);
        }
    }
}
