//! Code actions: fixes of diagnostics, and rewrites that preserve meaning.
//!
//! A rewrite changes neither values nor results of runs, and adds no diagnostic; one test checks this for all of
//! them.

mod context;
mod extract;
mod fix_all;
mod fixes;
mod inline;
mod launch;
mod layout;
mod masked;
mod select;
mod splice;
#[cfg(test)]
mod tests;

use std::ops::Range;

use context::with_context;
pub use fix_all::fix_all;

use super::findings::{Edit, Finding};
use check::db::{Db, SourceFile};

/// The kind of an assist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssistKind {
    /// It fixes a diagnostic.
    QuickFix,
    /// It rewrites the source with the same meaning.
    Rewrite,
    /// It gives a part a name.
    Extract,
    /// It replaces a name by its value.
    Inline,
    /// It fixes everything that can be fixed without a choice.
    FixAll,
}

/// An offered change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assist {
    /// A stable identifier: `layout-names`; of a fix, the diagnostic's code.
    pub id: &'static str,
    /// What it does, as an imperative.
    pub title: String,
    /// Its kind.
    pub kind: AssistKind,
    /// The replacements; they do not overlap.
    pub edits: Vec<Edit>,
    /// Whether an editor may apply it without asking.
    pub is_preferred: bool,
    /// The diagnostic that it fixes.
    pub mends: Option<Finding>,
}

impl Assist {
    fn rewrite(id: &'static str, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { id, title: title.into(), kind: AssistKind::Rewrite, edits, is_preferred: false, mends: None }
    }
}

/// The assists for a part of a file; an empty range is a cursor. [`fix_all`] is not included: it checks the file
/// again and must be requested.
pub fn assists(db: &dyn Db, file: SourceFile, range: Range<u32>) -> Vec<Assist> {
    let mut found = fixes::fixes(db, file, &range);
    with_context(db, file, range, |context| {
        found.extend(layout::layout_names(context));
        found.extend(select::qualify(context));
        found.extend(select::shorten(context));
        found.extend(extract::extract(context));
        found.extend(inline::inline(context));
        found.extend(launch::explicit_launch(context));
        found.extend(masked::add(context));
        found.extend(masked::remove(context));
    });
    found
}
