//! Arguments that are given by name, and the words that they take: `pad: negative_inf`.

use super::super::called::called_with;
use super::super::completion::open_brackets;
use super::super::cursor::Cursor;
use super::super::document::Document;
use check::db::Db;
use kernel::functions::{Choice, Given, Parameter};
use syntax::token::TokenKind;

/// The parameter that a cursor names, or the word that it is given.
pub(super) fn argument(db: &dyn Db, at: Cursor) -> Option<Document> {
    let tokens = at.item.tokens(db);
    let kind = |token: Option<usize>| token.and_then(|token| tokens.kind(token));
    let bracket = open_brackets(tokens, at.token).pop()?;
    let (before, word) = (at.token.checked_sub(1), tokens.text(at.token));
    let starts = |token: Option<usize>| matches!(kind(token), Some(TokenKind::OpenParen | TokenKind::Comma));
    let parameter = |name: &str| -> Option<&'static Parameter> {
        let entry = called_with(db, at.item.file(db), tokens, bracket)?;
        entry.parameters().iter().find(|parameter| parameter.name == name && parameter.given == Given::ByName)
    };
    if kind(Some(at.token + 1)) == Some(TokenKind::Colon) && starts(before) {
        return parameter(word).map(named);
    }
    let name = at.token.checked_sub(2)?;
    if kind(before) != Some(TokenKind::Colon) || !starts(name.checked_sub(1)) {
        return None;
    }
    let parameter = parameter(tokens.text(name))?;
    let choice = parameter.choices.iter().find(|choice| choice.word == word && !choice.about.is_empty())?;
    Some(Document::joined([
        Document::source(format!("{}: {word}", parameter.name)),
        choice.about.into(),
        format!("`{}`: {}", parameter.name, parameter.about).into(),
    ]))
}

/// A parameter with the words that it takes.
fn named(parameter: &Parameter) -> Document {
    let explained = parameter.choices.iter().filter(|choice| !choice.about.is_empty());
    let choices = explained.map(|Choice { word, about }| format!("`{word}`: {about}")).collect();
    Document::joined([
        Document::source(format!("{}: …", parameter.name)),
        parameter.about.into(),
        Document::list("", choices),
    ])
}
