//! All diagnostics of a file, with absolute positions.

use std::ops::Range;

use salsa::Database;
use smol_str::SmolStr;

use super::places::{Location, bytes, location, position};
use super::stages;
use crate::database::CompilerDatabase;
use check::db::{Db, Item, SourceFile};
use check::diagnostics::{self, Diagnostic, Place, Severity};
use syntax::items::{FileError, FileErrorKind};
use syntax::span::Span;

/// A diagnostic with absolute positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The stable code: `rank-mismatch`.
    pub code: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// A short label for the place; may be empty.
    pub label: String,
    /// The place.
    pub location: Location,
    /// Related places, each with a sentence.
    pub related: Vec<(Location, String)>,
    /// Sentences on what was expected or what to do.
    pub help: Vec<String>,
    /// Fixes.
    pub fixes: Vec<Repair>,
}

/// A [`check::diagnostics::Fix`] with absolute positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What it does, as an imperative.
    pub title: String,
    /// The replacements.
    pub edits: Vec<Edit>,
}

/// One replacement; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub location: Location,
    /// The replacement.
    pub text: SmolStr,
}

/// All diagnostics of a file, sorted by position.
pub fn diagnostics(db: &CompilerDatabase, file: SourceFile) -> Vec<Finding> {
    let mut found: Vec<Finding> = file.layout(db).errors().iter().map(|error| file_error(db, file, error)).collect();
    let reported = stages::of_file(db, file);
    let mut reported: Vec<_> =
        reported.iter().filter_map(|(item, diagnostics)| Some((position(db, *item)?, *item, diagnostics))).collect();
    reported.sort_unstable_by_key(|(position, ..)| *position);
    for (position, item, diagnostics) in reported {
        db.unwind_if_revision_cancelled();
        found.extend(at(db, item, position, diagnostics));
    }
    found.sort_by(|left, right| key(left).cmp(&key(right)));
    found.dedup();
    found
}

/// All diagnostics of one item, in the order of the compiler's stages.
pub fn item_diagnostics(db: &dyn Db, item: Item) -> Vec<Finding> {
    position(db, item).map(|position| at(db, item, position, &stages::of_item(db, item))).unwrap_or_default()
}

/// At one place, errors come before less severe diagnostics, which they may explain.
fn key(finding: &Finding) -> (u32, u32, Severity, &str, &str) {
    let range = &finding.location.range;
    (range.start, range.end, finding.severity, finding.code, &finding.message)
}

/// The diagnostics of the item at an index of its file, with absolute positions.
fn at(db: &dyn Db, item: Item, position: usize, diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let file = item.file(db);
    let resolve = |place: &Place| match place.item {
        None if is_before(place) => Location { file, range: before_documentation(db, file, position) },
        None => Location { file, range: bytes(db, file, position, place.span) },
        Some(other) if other == item => Location { file, range: bytes(db, file, position, place.span) },
        Some(other) => location(db, other, place.span),
    };
    let finding = |diagnostic: &Diagnostic| {
        let location = Location { file, range: bytes(db, file, position, diagnostic.span) };
        located(diagnostic, location, resolve)
    };
    diagnostics.iter().map(finding).collect()
}

/// Whether text goes before the whole item.
fn is_before(place: &Place) -> bool {
    place.item.is_none() && place.span == Span::new(0, 0)
}

/// The empty range before an item and the documentation above it.
fn before_documentation(db: &dyn Db, file: SourceFile, position: usize) -> Range<u32> {
    let head = bytes(db, file, position, Span::new(0, 1)).start as usize;
    let before = file.text(db).get(..head).unwrap_or_default();
    let mut start = before.len();
    for line in before.split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with("///")) {
        start -= line.len();
    }
    start as u32..start as u32
}

/// An error that belongs to no item.
fn file_error(db: &dyn Db, file: SourceFile, error: &FileError) -> Finding {
    let diagnostic = match error.kind {
        FileErrorKind::UnterminatedComment => diagnostics::unterminated_comment(Span::default()),
        FileErrorKind::Division => diagnostics::division_comment(Span::default()),
    };
    let opening = Location { file, range: opening(db, file, error) };
    located(&diagnostic, opening.clone(), |_| opening.clone())
}

/// The two characters that open a comment: what it says need not be underlined.
fn opening(db: &dyn Db, file: SourceFile, error: &FileError) -> Range<u32> {
    let length = file.text(db).len() as u32;
    error.range.start..error.range.end.min(error.range.start + 2).min(length)
}

/// The finding that prevents a run or a computation: an error, or else a missing part of the language.
pub fn obstacle(findings: &[Finding]) -> Option<&Finding> {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    let is_missing = |finding: &&Finding| finding.code == diagnostics::NOT_AVAILABLE_YET.code;
    findings.iter().find(is_error).or_else(|| findings.iter().find(is_missing))
}

/// A diagnostic with absolute positions.
fn located(diagnostic: &Diagnostic, location: Location, resolve: impl Fn(&Place) -> Location) -> Finding {
    let fixes = diagnostic.fixes.iter().map(|fix| Repair {
        title: fix.title.clone(),
        edits: fix
            .edits
            .iter()
            .map(|(place, text)| Edit { location: insertion(place, text, &resolve), text: text.clone() })
            .collect(),
    });
    Finding {
        code: diagnostic.page.code,
        severity: diagnostic.severity(),
        location,
        related: diagnostic.related.iter().map(|(place, message)| (resolve(place), readable(message))).collect(),
        fixes: fixes.collect(),
        message: readable(&diagnostic.message),
        label: readable(&diagnostic.label),
        help: diagnostic.help.iter().map(|help| readable(help)).collect(),
    }
}

/// The longest word in a message: a damaged file can be one word of megabytes.
const LONGEST_WORD: usize = 200;
/// How much is kept of a longer word.
const KEPT: usize = 40;

/// The text with overlong words shortened.
fn readable(text: &str) -> String {
    if text.len() <= LONGEST_WORD || text.split(' ').all(|word| word.len() <= LONGEST_WORD) {
        return text.to_owned();
    }
    let shortened = |word: &str| match word.char_indices().nth(KEPT) {
        Some((end, _)) if word.len() > LONGEST_WORD => {
            let closing = if word.ends_with('`') { "`" } else { "" };
            format!("{}…{closing}", word.get(..end).unwrap_or_default())
        }
        _ => word.to_owned(),
    };
    text.split(' ').map(shortened).collect::<Vec<_>>().join(" ")
}
/// Where inserted text goes in the gap between two tokens: closing or continuing text directly after the token before
/// it, other text directly before the token after it.
fn insertion(place: &Place, text: &str, resolve: &impl Fn(&Place) -> Location) -> Location {
    let location = resolve(place);
    if is_before(place) {
        return location;
    }
    if place.span.start != place.span.end || text.starts_with([')', ']', '}', ',', ';', ':', ' ']) {
        return location;
    }
    let next = resolve(&Place { span: Span::new(place.span.start, place.span.start + 1), ..place.clone() });
    match next.range.start < next.range.end {
        true => Location { range: next.range.start..next.range.start, ..next },
        false => location,
    }
}
