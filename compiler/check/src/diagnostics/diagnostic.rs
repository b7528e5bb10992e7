//! A diagnostic: the error, its place and values, what was expected, and what to do.

use smol_str::SmolStr;

use super::not_available_yet;
use crate::db::Item;
use crate::values::Generics;
use syntax::span::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file has no meaning.
    Error,
    /// The file has a meaning, probably not the intended one.
    Warning,
    /// The answer to a request of the user (`show`).
    Information,
    /// A fact that the user may not have noticed.
    Hint,
}

impl Severity {
    /// The name in JSON and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
            Self::Hint => "hint",
        }
    }
}

/// The page of `shapewright explain` about one kind of diagnostic.
#[derive(Debug)]
pub struct Page {
    /// The stable code: `rank-mismatch`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line for the list of all pages.
    pub title: &'static str,
    /// Markdown: its meaning, why it matters, and how to correct it.
    pub explanation: &'static str,
    /// A file with this diagnostic. The tests check that, and keep the output.
    pub wrong: &'static str,
    /// The corrected file. The tests check that it does not have the diagnostic.
    pub right: &'static str,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Page {}

impl Page {
    /// The page as Markdown: the explanation, a file with the diagnostic, and the corrected file.
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
    /// The item; `None` is that of the diagnostic.
    pub item: Option<Item>,
    /// The tokens in the item.
    pub span: Span,
}

/// One finding about one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub page: &'static Page,
    /// The error with its values, as one sentence.
    pub message: String,
    /// The tokens in the item.
    pub span: Span,
    /// A few words below the source line; may be empty.
    pub label: String,
    /// Related places, each with a sentence.
    pub related: Vec<(Place, String)>,
    /// Sentences on what was expected or what to do.
    pub help: Vec<String>,
    /// Edits that correct it.
    pub fixes: Vec<Fix>,
}

/// An edit that corrects a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its description, as an imperative: ``add `where N % 4 == 0` ``.
    pub title: String,
    /// The places to replace, with their new text. An empty span inserts.
    pub edits: Vec<(Place, SmolStr)>,
}

impl Diagnostic {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.page.severity
    }

    /// Whether it is of the kind that a page is about.
    pub fn is_of(&self, page: &Page) -> bool {
        self.page == page
    }

    /// Whether nothing is executed with it: an error, or a missing part of the language.
    pub(crate) fn prevents_results(&self) -> bool {
        self.severity() == Severity::Error || self.is_of(&not_available_yet::PAGE)
    }

    /// The same about other values of the generic parameters than those of the kernel as it stands.
    pub(crate) fn with_generics(self, values: &Generics) -> Self {
        Self { message: format!("with {values}: {}", self.message), ..self }
    }

    /// Adds the label below the source line.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a sentence on what was expected or what to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a related place in the same item.
    pub(crate) fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((Place { item: None, span }, message.into()));
        self
    }

    /// Adds a related place in another item.
    pub(crate) fn related_item(mut self, item: Item, span: Span, message: impl Into<String>) -> Self {
        self.related.push((Place { item: Some(item), span }, message.into()));
        self
    }

    /// Adds an edit of the same item that replaces `span`.
    pub(crate) fn fix(self, title: impl Into<String>, span: Span, text: impl Into<SmolStr>) -> Self {
        self.fix_at(title, vec![(span, text.into())])
    }

    /// Adds an edit at several places of the item.
    pub(crate) fn fix_at(mut self, title: impl Into<String>, edits: Vec<(Span, SmolStr)>) -> Self {
        let edits = edits.into_iter().map(|(span, text)| (Place { item: None, span }, text)).collect();
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// Adds an edit of the same item that puts text before and after `span`.
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

/// Lists of diagnostics to which what is said already is not added again.
pub(crate) trait Diagnostics {
    /// Adds a diagnostic, unless there is one of its kind at its place.
    fn push_once_here(&mut self, found: Diagnostic);

    /// Adds a diagnostic, unless one of its kind says the same at some place.
    fn push_once_saying(&mut self, found: Diagnostic);

    /// Adds a diagnostic in place of those of a page at a place.
    fn push_instead(&mut self, page: &'static Page, span: Span, found: Diagnostic);
}

impl Diagnostics for Vec<Diagnostic> {
    fn push_once_here(&mut self, found: Diagnostic) {
        if !self.iter().any(|known| known.is_of(found.page) && known.span == found.span) {
            self.push(found);
        }
    }

    fn push_once_saying(&mut self, found: Diagnostic) {
        if !self.iter().any(|known| known.is_of(found.page) && known.message == found.message) {
            self.push(found);
        }
    }

    fn push_instead(&mut self, page: &'static Page, span: Span, found: Diagnostic) {
        self.retain(|known| !known.is_of(page) || known.span != span);
        self.push(found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CONTRADICTION, TILE_PLACE};
    use super::*;

    fn said(list: impl Fn(&mut Vec<Diagnostic>, Diagnostic)) -> Vec<(u32, String)> {
        let mut found = Vec::new();
        for (page, start, message) in [
            (&CONTRADICTION, 0, "first"),
            (&CONTRADICTION, 0, "second"),
            (&CONTRADICTION, 1, "first"),
            (&TILE_PLACE, 0, "first"),
        ] {
            list(&mut found, page.at(Span::new(start, start + 1), message));
        }
        found.into_iter().map(|found| (found.span.start, found.message)).collect()
    }

    fn texts(expected: &[(u32, &str)]) -> Vec<(u32, String)> {
        expected.iter().map(|(start, message)| (*start, (*message).to_owned())).collect()
    }

    #[test]
    fn one_of_a_kind_is_enough_at_a_place() {
        let found = said(|list, found| list.push_once_here(found));
        assert_eq!(found, texts(&[(0, "first"), (1, "first"), (0, "first")]));
    }

    #[test]
    fn one_of_a_kind_is_enough_that_says_the_same() {
        let found = said(|list, found| list.push_once_saying(found));
        assert_eq!(found, texts(&[(0, "first"), (0, "second"), (0, "first")]));
    }
}
