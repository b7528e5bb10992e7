//! Inside the path of a `use`.

use super::list::CompletionKind::File;
use super::list::{List, Rank};
use check::db::{Db, SourceFile, Workspace};
use check::library;
use check::names::path_of_use;
use syntax::span::Span;
use syntax::token::TokenKind;

/// The other known files, if a byte is in the path of a `use`.
pub(super) fn used(db: &dyn Db, file: SourceFile, offset: u32) -> Option<List> {
    let layout = file.layout(db);
    let position = layout.piece_at(offset)?;
    let tokens = file.items(db).get(position)?.tokens(db);
    if tokens.kind(0) != Some(TokenKind::Use) {
        return None;
    }
    let quoted = layout.ranges(position)?.byte_range(Span::new(1, 2));
    let (start, end) = (layout.start(position) + quoted.start + 1, layout.start(position) + quoted.end);
    let replace = match tokens.kind(1)? {
        TokenKind::String => start..end - 1,
        // An unterminated string includes the rest of the line.
        TokenKind::UnterminatedString => start..offset.min(end),
        _ => return None,
    };
    if offset < replace.start || replace.end < offset {
        return None;
    }
    let mut list = List { replace, found: Vec::new(), complete: true };
    for other in
        Workspace::get(db).files(db).keys().filter(|other| *other != file.path(db) && library::name(other).is_none())
    {
        let path = path_of_use(file.path(db), other);
        list.add(Rank::Expected, File, &path, &*path);
    }
    for path in library::uses() {
        list.add(Rank::Expected, File, &path, &*path);
    }
    Some(list)
}
