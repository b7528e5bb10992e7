//! Names: which item declares a word, in the file and in the files that it uses.

mod unreadable;

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{Db, DeclarationKind, Item, SourceFile, Workspace, declared};
use crate::diagnostics::{self, Diagnostic};
use crate::library;
use syntax::span::Span;
use syntax::tree::ItemKind;

pub use unreadable::{Unreadable, create as create_unreadable, reason as unreadable_reason};

/// The declarations of a file; the first declaration of a name counts.
#[derive(Debug, Default, PartialEq)]
pub struct FileScope {
    declarations: FxHashMap<SmolStr, Item>,
    uses: Vec<SourceFile>,
}

/// The scope of one file, without the files that it uses.
#[salsa::tracked]
pub fn file_scope(db: &dyn Db, file: SourceFile) -> FileScope {
    let mut scope = FileScope::default();
    for &item in file.items(db) {
        db.unwind_if_revision_cancelled();
        let interface = item.interface(db);
        for name in &interface.names {
            scope.declarations.entry(name.clone()).or_insert(item);
        }
        let used = interface.uses.as_ref().and_then(|path| resolve_use(db, file, path));
        scope.uses.extend(used);
    }
    scope
}

/// The item that declares `name` for `file`. The file itself takes precedence, then the files it uses, in order.
#[salsa::tracked(returns(copy))]
pub fn lookup(db: &dyn Db, file: SourceFile, name: SmolStr) -> Option<Item> {
    let scope = file_scope(db, file);
    if let Some(item) = scope.declarations.get(&name) {
        return Some(*item);
    }
    scope.uses.iter().find_map(|used| file_scope(db, *used).declarations.get(&name).copied())
}

/// Whether `name` is a size for `file`, which a `dim` declares.
pub fn is_size(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    let declared = lookup(db, file, name.into());
    declared
        .is_some_and(|item| matches!(&item.tree(db).item, Some(found) if matches!(found.kind, ItemKind::Dim { .. })))
}

/// The files that a file uses and that are in the workspace, in order.
pub fn used_files(db: &dyn Db, file: SourceFile) -> &[SourceFile] {
    &file_scope(db, file).uses
}

/// Every name that is visible in `file`, for suggestions and completion.
pub fn visible(db: &dyn Db, file: SourceFile) -> BTreeMap<SmolStr, Item> {
    let scope = file_scope(db, file);
    let mut names: BTreeMap<SmolStr, Item> = BTreeMap::new();
    let used = scope.uses.iter().map(|used| &file_scope(db, *used).declarations);
    for declarations in std::iter::once(&scope.declarations).chain(used) {
        for (name, item) in declarations {
            names.entry(name.clone()).or_insert(*item);
        }
    }
    names
}

/// The most visible names for which suggestions are made, since each unknown word of the file is compared with all of
/// them.
const MOST_SUGGESTED: usize = 2_000;

/// The names that are visible in an item as candidates for suggestions, in any order; none if there are too many. What the item
/// itself declares is none: it cannot mean itself, apart from dimensions, of which its facts speak.
pub fn suggestions(db: &dyn Db, item: Item) -> Vec<&str> {
    let scope = file_scope(db, item.file(db));
    let scopes = || std::iter::once(scope).chain(scope.uses.iter().map(|used| file_scope(db, *used)));
    if scopes().map(|scope| scope.declarations.len()).sum::<usize>() > MOST_SUGGESTED {
        return Vec::new();
    }
    let is_own = |declared: Item| declared == item && item.interface(db).kind != DeclarationKind::Dim;
    let declared = scopes().flat_map(|scope| &scope.declarations).filter(|(_, declared)| !is_own(**declared));
    declared.map(|(name, _)| name.as_str()).collect()
}

/// The text by which the file at `from` uses the file at `to`, the inverse of [`used_path`].
pub fn path_of_use(from: &str, to: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    if from.starts_with('/') != to.starts_with('/') {
        return to.to_owned();
    }
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = to.split('/').filter(|part| !part.is_empty()).collect();
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The path of `use "text"` in the file at `from`: relative to its folder, with `.` and `..` resolved.
pub fn used_path(from: &str, text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = text.starts_with('/') || (text.is_empty() && from.starts_with('/'));
    let base = if absolute { "" } else { folder };
    for part in base.split('/').chain(text.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if absolute || folder.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The path of the file that `use "text"` names in the file at `from`: one of the library, or one of the workspace.
pub fn path_named(from: &str, text: &str) -> String {
    library::path_of_use(text).unwrap_or_else(|| used_path(from, text))
}

/// The file of `use "text"`, if it is in the workspace.
pub fn resolve_use(db: &dyn Db, from: SourceFile, text: &str) -> Option<SourceFile> {
    Workspace::get(db).files(db).get(&path_named(from.path(db), text)).copied()
}

/// The paths of all files that a file uses, even missing ones, so that they can be loaded.
pub fn used_paths(db: &dyn Db, file: SourceFile) -> Vec<String> {
    let uses = file.items(db).iter().filter_map(|item| item.interface(db).uses.as_ref());
    uses.map(|path| path_named(file.path(db), path)).collect()
}

/// Reports errors in the names that an item declares and in its `use`.
pub fn name_diagnostics(db: &dyn Db, item: Item) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Some(parsed) = &item.tree(db).item else { return found };
    let file = item.file(db);
    for name in declared(&parsed.kind) {
        if let Some(first) = file_scope(db, file).declarations.get(&name.text).copied()
            && first != item
        {
            found.push(diagnostics::duplicate_name(name, first, declaration_span(db, first, &name.text)));
        }
    }
    if let ItemKind::Dim { names, .. } = &parsed.kind {
        let mut first_of: FxHashMap<&SmolStr, Span> = FxHashMap::default();
        for name in names {
            match first_of.entry(&name.text) {
                Entry::Occupied(first) => {
                    found.push(diagnostics::duplicate_name(name, item, *first.get()));
                }
                Entry::Vacant(place) => _ = place.insert(name.span),
            }
        }
    }
    // A path that is missing has been reported.
    if let ItemKind::Use { path } = &parsed.kind
        && !path.text.is_empty()
        && resolve_use(db, file, &path.text).is_none()
    {
        let used = path_named(file.path(db), &path.text);
        found.push(match unreadable::reason(db, &used) {
            Some(reason) => diagnostics::unreadable_use(path.span, reason),
            None => diagnostics::unresolved_use(path.span, &path.text, &used),
        });
    }
    found
}

/// The span where an item declares `name`.
pub fn declaration_span(db: &dyn Db, item: Item, name: &str) -> Span {
    let parsed = &item.tree(db).item;
    parsed
        .as_ref()
        .and_then(|parsed| declared(&parsed.kind).iter().find(|declared| declared.text == name))
        .map_or_else(Span::default, |declared| declared.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_path_is_relative_to_the_file_that_uses_it() {
        assert_eq!(used_path("a/b.shape", "c.shape"), "a/c.shape");
        assert_eq!(used_path("b.shape", "c.shape"), "c.shape");
        assert_eq!(used_path("/x/a/b.shape", "../c.shape"), "/x/c.shape");
        assert_eq!(used_path("a/b.shape", "../../c.shape"), "../c.shape");
        assert_eq!(used_path("a/b.shape", "/c.shape"), "/c.shape");
    }

    #[test]
    fn the_path_of_a_use_leads_to_its_file() {
        for (from, to, path) in [
            ("a/b.shape", "a/c.shape", "c.shape"),
            ("b.shape", "a/c.shape", "a/c.shape"),
            ("/x/a/b.shape", "/x/c.shape", "../c.shape"),
            ("/x/a/b.shape", "/y/a/c.shape", "../../y/a/c.shape"),
            ("a/b.shape", "/c.shape", "/c.shape"),
        ] {
            assert_eq!(path_of_use(from, to), path);
            assert_eq!(used_path(from, path), to);
        }
    }
}
