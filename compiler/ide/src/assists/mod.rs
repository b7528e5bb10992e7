//! What an editor offers to do at a place: fixes of diagnostics, and other ways to write the same.
//!
//! A rewrite changes neither values nor what runs compute, and adds no diagnostic; one test holds all of them to it.

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

/// What sort of change an assist is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssistKind {
    /// It mends a diagnostic.
    QuickFix,
    /// It writes the same in another way.
    Rewrite,
    /// It gives a part a name.
    Extract,
    /// It puts a value in the place of its name.
    Inline,
    /// It mends everything that can be mended without a choice.
    FixAll,
}

/// A change that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assist {
    /// The stable name of what it does: `layout-names`; of a fix, the diagnostic's code.
    pub id: &'static str,
    /// What it does, as an imperative.
    pub title: String,
    /// What sort of change it is.
    pub kind: AssistKind,
    /// The replacements; they do not overlap.
    pub edits: Vec<Edit>,
    /// Whether it is the one that an editor applies without asking.
    pub is_preferred: bool,
    /// The diagnostic that it mends.
    pub mends: Option<Finding>,
}

impl Assist {
    fn rewrite(id: &'static str, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { id, title: title.into(), kind: AssistKind::Rewrite, edits, is_preferred: false, mends: None }
    }
}

/// What is offered for a part of a file; an empty range is a cursor. [`fix_all`] is not among it: it checks the file
/// again and is for whoever asks for it.
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
