//! An offered change of the source.

use crate::findings::{Edit, Finding};

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
    pub(super) fn rewrite(id: &'static str, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { id, title: title.into(), kind: AssistKind::Rewrite, edits, is_preferred: false, mends: None }
    }
}
