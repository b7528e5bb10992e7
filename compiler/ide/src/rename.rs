//! Renaming: what can be renamed, and the edits that do it.
//!
//! A rename is tried before it is answered: the edits are made in a separate database, and every name there must keep
//! its meaning, so that nothing is captured, shadowed or newly declared.

mod trial;

use std::ops::Range;

use smol_str::SmolStr;

use super::cursor::{Cursor, cursor, occurrence_at, occurrence_range};
use super::findings::Edit;
use super::lines::line_index;
use super::names::{Access, Occurrence, Target, declaration, occurrences};
use super::nodes::Node;
use super::places::{Location, bytes, location};
use super::references::{occurrences_of, readers};
use check::db::{Db, Item, SourceFile};
use check::names;
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Expr, ExprKind};

/// A name that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// Its bytes.
    pub range: Range<u32>,
    /// The name as it is.
    pub placeholder: SmolStr,
}

/// The name at a byte, or a sentence that says why it cannot be renamed.
pub fn prepare_rename(db: &dyn Db, file: SourceFile, offset: u32) -> Result<Renamable, String> {
    match occurrence_at(db, file, offset) {
        Some((cursor, found)) => {
            Ok(Renamable { range: occurrence_range(db, file, cursor.position, found), placeholder: found.name.clone() })
        }
        None => Err(match cursor(db, file, offset) {
            Some(cursor) => why_not(db, cursor),
            None => "there is no name here".to_owned(),
        }),
    }
}

/// The edits that rename the name at a byte everywhere, by file and place, or a sentence that says why it cannot be
/// renamed.
pub fn rename(db: &dyn Db, file: SourceFile, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    prepare_rename(db, file, offset)?;
    let (_, found) = occurrence_at(db, file, offset).ok_or("there is no name here")?;
    check_name(new)?;
    if found.name == new {
        return Ok(Vec::new());
    }
    let (declaring, span) = declaration(db, &found.target);
    let home = declaring.file(db);
    check_collisions(db, &found.target, &found.name, new)?;
    let mentions = |file: &SourceFile| [found.name.as_str(), new].iter().any(|name| file.text(db).contains(name));
    let readers: Vec<SourceFile> = readers(db, home).into_iter().filter(mentions).collect();
    let mut edits = Vec::new();
    for reader in &readers {
        edits.extend(edits_in(db, *reader, found, new)?);
    }
    trial::check(
        db,
        &readers,
        &edits,
        &trial::Renaming {
            target: &found.target,
            old: &found.name,
            new,
            declared: line_of(db, &location(db, declaring, span), file),
        },
        file,
    )?;
    Ok(edits)
}

/// Why a token that is no name of the file cannot be renamed.
fn why_not(db: &dyn Db, cursor: Cursor) -> String {
    let tokens = cursor.item.tokens(db);
    let (kind, text) = (tokens.kind(cursor.token), tokens.text(cursor.token));
    if !kind.is_some_and(TokenKind::is_word) {
        return "there is no name here".to_owned();
    }
    let tree = cursor.item.tree(db);
    let path = tree.item.as_ref().map(|parsed| Node::Item(parsed).path_to(cursor.token));
    let path = path.unwrap_or_default();
    if path.iter().any(|node| matches!(node, Node::Layout(_))) {
        return format!("`{text}` names a dimension of the map by its side and its number, which are not chosen");
    }
    match path.last() {
        Some(Node::Name(_, role)) => match role {
            super::nodes::NameRole::Member => format!("`{text}` is a member, which the language names"),
            super::nodes::NameRole::ElementType => {
                format!("`{text}` stands for an element type, which the language names")
            }
            _ => format!("nothing declares `{text}`"),
        },
        Some(Node::Collective(_)) => format!("`{text}` is a collective, which the language names"),
        Some(Node::Expr(Expr { kind: ExprKind::Name(_), .. })) if super::colours::is_word_of_the_language(text) => {
            format!("`{text}` belongs to the language")
        }
        Some(Node::Expr(Expr { kind: ExprKind::Name(_), .. })) => format!("nothing declares `{text}`"),
        _ => format!("`{text}` is a word of the language"),
    }
}

/// Whether a text is a valid name.
fn check_name(new: &str) -> Result<(), String> {
    let help =
        "a name is a letter or `_` followed by letters, digits and `_`, and may go on after a hyphen with a letter";
    match lex(new).as_slice() {
        [token] if matches!(token.kind, TokenKind::True | TokenKind::False) => Err(format!("`{new}` is a truth value")),
        [token] if token.kind.is_word() => Ok(()),
        _ => Err(format!("`{new}` is not a name: {help}")),
    }
}

/// Whether something of the new name is visible where the old one is declared.
fn check_collisions(db: &dyn Db, target: &Target, old: &str, new: &str) -> Result<(), String> {
    let (item, _) = declaration(db, target);
    let home = item.file(db);
    let taken = |place: Location| Err(format!("`{new}` is already declared in {}", line_of(db, &place, home)));
    if let Some(other) = names::lookup(db, home, new.into()) {
        return taken(location(db, other, names::declaration_span(db, other, new)));
    }
    let Target::Local(..) = target else { return Ok(()) };
    // The parameters of a kernel are one scope; inner declarations may shadow outer ones.
    let is_param = |span: Span| {
        let tree = item.tree(db);
        let path = tree.item.as_ref().map(|parsed| Node::Item(parsed).path_to(span.start as usize)).unwrap_or_default();
        !path.iter().any(|node| matches!(node, Node::Block(_)))
    };
    let other = occurrences(db, item).iter().find(|other| {
        other.access == Access::Declare && other.name == new && other.name != old && is_param(other.span)
    });
    match other {
        Some(other) => taken(location(db, item, other.span)),
        None => Ok(()),
    }
}

/// The edits in one file. A hyphenated word that is a difference is written with an operator if the new name cannot
/// be a part of such a word.
fn edits_in(db: &dyn Db, file: SourceFile, name: &Occurrence, new: &str) -> Result<Vec<Edit>, String> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut written: Option<(usize, Span)> = None;
    let all = occurrences_of(db, file, &name.name);
    for (position, found) in all.filter(|(_, found)| found.target == name.target) {
        let item = file.items(db)[position];
        let word = item.tokens(db).text(found.span.start as usize);
        let is_part = word.len() != found.within.len();
        if is_part && !stays_a_difference(db, file, item, found, new) {
            if written.replace((position, found.span)) != Some((position, found.span)) {
                let location = Location { file, range: bytes(db, file, position, found.span) };
                edits.push(Edit { location, text: difference(db, item, found, new, file)?.into() });
            }
            continue;
        }
        let range = occurrence_range(db, file, position, found);
        edits.push(Edit { location: Location { file, range }, text: new.into() });
    }
    Ok(edits)
}

/// Whether a word that is a difference stays one with the new name.
fn stays_a_difference(db: &dyn Db, file: SourceFile, item: Item, part: &Occurrence, new: &str) -> bool {
    let word = item.tokens(db).text(part.span.start as usize);
    let parts: Vec<&str> =
        word.split('-').map(|part_text| if part_text == part.name { new } else { part_text }).collect();
    let joined = parts.join("-");
    let is_one_word = matches!(lex(&joined).as_slice(), [token] if token.kind == TokenKind::Name);
    !new.contains('-') && is_one_word && names::lookup(db, file, joined.into()).is_none()
}

/// `(M - new-name)`: the difference with its operator.
fn difference(db: &dyn Db, item: Item, part: &Occurrence, new: &str, file: SourceFile) -> Result<String, String> {
    let tree = item.tree(db);
    let path =
        tree.item.as_ref().map(|parsed| Node::Item(parsed).path_to(part.span.start as usize)).unwrap_or_default();
    let word = item.tokens(db).text(part.span.start as usize);
    if let [.., Node::Expr(Expr { kind: ExprKind::Paren(_), .. }), _] = path.as_slice() {
        let place = line_of(db, &location(db, item, part.span), file);
        return Err(format!(
            "`{word}` in {place} stands for a difference and could not do so with `{new}`; write it with spaces around the `-` first"
        ));
    }
    let parts: Vec<&str> = word.split('-').map(|text| if text == part.name { new } else { text }).collect();
    Ok(format!("({})", parts.join(" - ")))
}

/// `line 3`, or `line 3 of other.shape` where it is another file than the reader's.
fn line_of(db: &dyn Db, place: &Location, reader: SourceFile) -> String {
    let line = line_index(db, place.file).position(place.range.start).line + 1;
    match place.file == reader {
        true => format!("line {line}"),
        false => format!("line {line} of {}", place.file.path(db)),
    }
}

#[cfg(test)]
mod tests;
