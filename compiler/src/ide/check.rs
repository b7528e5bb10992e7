//! All diagnostics of a file, with absolute positions.

use smol_str::SmolStr;

use super::places::{Location, bytes, location};
use super::stages;
use crate::db::{Db, Item, SourceFile, items, split};
use crate::diagnostics::{Diagnostic, Place, Severity};

/// A diagnostic that knows where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The stable code: `rank-mismatch`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence that says what is wrong.
    pub message: String,
    /// A few words for the place itself; may be empty.
    pub label: String,
    /// Where.
    pub location: Location,
    /// Other places that matter, each with a sentence.
    pub related: Vec<(Location, String)>,
    /// Sentences on what was expected or what to do.
    pub help: Vec<String>,
    /// Edits that mend it.
    pub fixes: Vec<Repair>,
}

/// A [`crate::diagnostics::Fix`] that knows where it stands.
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
    /// By what.
    pub text: SmolStr,
}

/// Everything that is wrong with a file, or worth saying about it, sorted by position.
pub fn diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Finding> {
    let mut found: Vec<Finding> = split(db, file).errors.iter().map(|error| file_error(file, error)).collect();
    for (position, item) in items(db, file).iter().enumerate() {
        found.extend(at(db, *item, position));
    }
    found.sort_by(|left, right| key(left).cmp(&key(right)));
    found.dedup();
    found
}

/// Everything that is wrong with one item, in the order of the compiler's stages.
pub fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Finding> {
    let position = items(db, item.key(db).file).iter().position(|other| *other == item);
    position.map(|position| at(db, item, position)).unwrap_or_default()
}

/// Errors come before what they explain away when two begin at one place.
fn key(finding: &Finding) -> (u32, u32, Severity, &str, &str) {
    let range = &finding.location.range;
    (range.start, range.end, finding.severity, finding.code, &finding.message)
}

fn at<'db>(db: &'db dyn Db, item: Item<'db>, position: usize) -> Vec<Finding> {
    let file = item.key(db).file;
    let resolve = |place: &Place| match &place.item {
        None => Location { file, range: bytes(db, file, position, place.span) },
        Some(key) => location(db, key, place.span),
    };
    let finding = |diagnostic: Diagnostic| Finding {
        code: diagnostic.page.code,
        severity: diagnostic.severity(),
        location: Location { file, range: bytes(db, file, position, diagnostic.span) },
        related: diagnostic.related.iter().map(|(place, message)| (resolve(place), message.clone())).collect(),
        fixes: diagnostic
            .fixes
            .iter()
            .map(|fix| Repair {
                title: fix.title.clone(),
                edits: fix
                    .edits
                    .iter()
                    .map(|(place, text)| Edit { location: resolve(place), text: text.clone() })
                    .collect(),
            })
            .collect(),
        message: diagnostic.message,
        label: diagnostic.label,
        help: diagnostic.help,
    };
    stages::of_item(db, item).into_iter().map(finding).collect()
}

/// Something that belongs to no item, such as a comment that never ends.
fn file_error(file: SourceFile, error: &crate::syntax::items::FileError) -> Finding {
    Finding {
        code: "syntax",
        severity: Severity::Error,
        message: error.message(),
        label: String::new(),
        location: Location { file, range: error.range.clone() },
        related: Vec::new(),
        help: vec![error.help()],
        fixes: Vec::new(),
    }
}
