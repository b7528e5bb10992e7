//! A diagnostic: what is wrong, where, with which values, what was expected, what to do.

use smol_str::SmolStr;

use crate::db::Item;
use syntax::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file has no meaning as it stands.
    Error,
    /// It has one, probably not the intended one.
    Warning,
    /// A fact the author asked for (`show`).
    Information,
    /// A fact the author may not have noticed.
    Hint,
}

impl Severity {
    /// The word in JSON and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
            Self::Hint => "hint",
        }
    }
}

/// Everything that is said about one kind of diagnostic; the page of `shapewright explain`.
#[derive(Debug)]
pub struct Page {
    /// The stable code: `rank-mismatch`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line for the list of all.
    pub title: &'static str,
    /// Markdown: what it means, why it matters, how to mend it.
    pub explanation: &'static str,
    /// A file that gives it. The tests check that it does, and keep its text.
    pub wrong: &'static str,
    /// The file mended. The tests check that it does not give it.
    pub right: &'static str,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Page {}

impl Page {
    /// The page as Markdown: what it means, a file that gives it, the file mended.
    pub fn markdown(&self) -> String {
        format!(
            "# `{}`\n\n{}: {}\n\n{}\n\nThis gives it:\n\n```text\n{}\n```\n\nThis does not:\n\n```shape\n{}\n```\n",
            self.code,
            self.severity.name(),
            self.title,
            self.explanation.trim(),
            self.wrong.trim(),
            self.right.trim()
        )
    }

    /// A diagnostic of this kind.
    pub(crate) fn at(&'static self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            page: self,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }
}

/// A place in some item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The item; `None`: the one that the diagnostic belongs to.
    pub item: Option<Item>,
    /// Where in the item.
    pub span: Span,
}

/// One finding about one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub page: &'static Page,
    /// One sentence that says what is wrong, with the values.
    pub message: String,
    /// Where in the item.
    pub span: Span,
    /// A few words to stand under the place; may be empty.
    pub label: String,
    /// Other places that matter, each with a sentence.
    pub related: Vec<(Place, String)>,
    /// Sentences that say what was expected or what to do.
    pub help: Vec<String>,
    /// Edits that mend it.
    pub fixes: Vec<Fix>,
}

/// An edit that mends a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an imperative: ``add `where N % 4 == 0` ``.
    pub title: String,
    /// The places to replace and their new text. An empty span inserts.
    pub edits: Vec<(Place, SmolStr)>,
}

impl Diagnostic {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.page.severity
    }

    /// With a few words under the place.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a sentence on what was expected or what to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// With another place in the same item.
    pub(crate) fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((Place { item: None, span }, message.into()));
        self
    }

    /// With a place in another item.
    pub(crate) fn related_item(mut self, item: Item, span: Span, message: impl Into<String>) -> Self {
        self.related.push((Place { item: Some(item), span }, message.into()));
        self
    }

    /// With an edit of the same item that replaces `span`.
    pub(crate) fn fix(self, title: impl Into<String>, span: Span, text: impl Into<SmolStr>) -> Self {
        self.fix_at(title, vec![(span, text.into())])
    }

    /// With an edit at several places of the item.
    pub(crate) fn fix_at(mut self, title: impl Into<String>, edits: Vec<(Span, SmolStr)>) -> Self {
        let edits = edits.into_iter().map(|(span, text)| (Place { item: None, span }, text)).collect();
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// With an edit of the same item that puts text around `span`.
    pub(super) fn wrap(
        mut self,
        title: impl Into<String>,
        span: Span,
        before: impl Into<SmolStr>,
        after: impl Into<SmolStr>,
    ) -> Self {
        let place = |at: u32| Place { item: None, span: Span::new(at, at) };
        let edits = vec![(place(span.start), before.into()), (place(span.end), after.into())];
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }
}
