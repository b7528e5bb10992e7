//! Pieces of markdown.

/// Source text of the language.
pub(super) fn code(text: &str) -> String {
    format!("```shapewright\n{text}\n```")
}

/// A text within a sentence as code.
pub(super) fn inline(text: impl std::fmt::Display) -> String {
    format!("`{text}`")
}

/// Paragraphs, those that are empty left out.
pub(super) fn paragraphs(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
