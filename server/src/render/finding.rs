//! Rendering of one diagnostic.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use check::db::Db;
use check::diagnostics::Severity;
use ide::{Finding, Repair};

use super::excerpt::Excerpt;

/// The style of rendered diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Whether there are colours.
    pub(crate) colours: bool,
    /// The width in columns.
    pub(crate) width: Option<usize>,
}

/// A diagnostic with the lines it is about, its help and its fixes; ends with an end of line.
pub(crate) fn finding(db: &dyn Db, finding: &Finding, style: Style) -> String {
    let mut groups = vec![cause(db, finding)];
    groups.extend(far_places(db, finding));
    groups.extend(finding.fixes.iter().map(|fix| suggestion(db, fix)));
    let renderer = if style.colours { Renderer::styled() } else { Renderer::plain() };
    let renderer = match style.width {
        Some(width) => renderer.term_width(width),
        None => renderer,
    };
    let mut text = renderer.render(&groups);
    text.push('\n');
    text
}

/// `file:line:column: severity[code]: message`, for tools that read lines.
pub(crate) fn short(db: &dyn Db, finding: &Finding) -> String {
    let excerpt = Excerpt::new(db, finding.location.file, &finding.location.range);
    let line = ide::line_index(db, finding.location.file).position(finding.location.range.start).line + 1;
    let text = format!(
        "{}:{line}:{}: {}[{}]: {}",
        excerpt.path,
        excerpt.column,
        finding.severity.name(),
        finding.code,
        finding.message
    );
    // One line for each: a message is one sentence, but quoted source may contain anything.
    crate::remarks::printable(&text).replace('\n', " ")
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE.with_name("hint"),
    }
}

/// The message, its place, the places near it, and the help.
fn cause<'a>(db: &'a dyn Db, finding: &'a Finding) -> Group<'a> {
    let file = finding.location.file;
    let mut ranges = vec![finding.location.range.clone()];
    let mut labels = vec![finding.label.as_str()];
    for (location, message) in near_places(finding) {
        ranges.push(location.range.clone());
        labels.push(message);
    }
    let together = if near_is_drawn(db, finding) { Excerpt::of_all(db, file, &ranges) } else { None };
    let excerpt = together.unwrap_or_else(|| Excerpt::new(db, file, &finding.location.range));
    let title = level(finding.severity).primary_title(finding.message.as_str()).id(finding.code);
    let mut group = with_excerpt(Group::with_title(title), excerpt, &labels);
    for help in &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

fn with_excerpt<'a>(group: Group<'a>, excerpt: Excerpt, labels: &[&'a str]) -> Group<'a> {
    let mut snippet = Snippet::source(excerpt.source).line_start(excerpt.line);
    for (position, (span, label)) in excerpt.spans.into_iter().zip(labels).enumerate() {
        let kind = if position == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        snippet = snippet.annotation(kind.span(span).label((!label.is_empty()).then_some(*label)));
    }
    if excerpt.cut {
        let origin = Origin::path(excerpt.path).line(excerpt.line).char_column(excerpt.column);
        return group.element(origin).element(snippet);
    }
    group.element(snippet.path(excerpt.path))
}

/// The places in the diagnostic's own file.
fn near_places(finding: &Finding) -> impl Iterator<Item = (&ide::Location, &str)> {
    let own = finding.location.file;
    let places = finding.related.iter().map(|(location, message)| (location, message.as_str()));
    places.filter(move |(location, _)| location.file == own)
}

/// Whether the places in the diagnostic's own file are drawn in one picture with it.
fn near_is_drawn(db: &dyn Db, finding: &Finding) -> bool {
    let mut ranges = vec![finding.location.range.clone()];
    ranges.extend(near_places(finding).map(|(location, _)| location.range.clone()));
    Excerpt::of_all(db, finding.location.file, &ranges).is_some()
}

/// The places that are not drawn with the diagnostic itself, each in a picture of its own.
fn far_places<'a>(db: &'a dyn Db, finding: &'a Finding) -> impl Iterator<Item = Group<'a>> {
    let near_is_drawn = near_is_drawn(db, finding);
    let own = finding.location.file;
    let far = finding.related.iter().filter(move |(location, _)| location.file != own || !near_is_drawn);
    far.map(move |(location, message)| {
        let group = Group::with_title(Level::NOTE.secondary_title(crate::remarks::printable(message)));
        with_excerpt(group, Excerpt::new(db, location.file, &location.range), &[""])
    })
}

/// A fix: drawn where its edits are near each other, else its title alone.
fn suggestion<'a>(db: &'a dyn Db, fix: &'a Repair) -> Group<'a> {
    let group = Group::with_title(Level::HELP.secondary_title(crate::remarks::printable(&fix.title)));
    let Some(file) = fix.edits.first().map(|edit| edit.location.file) else { return group };
    if fix.edits.iter().any(|edit| edit.location.file != file) {
        return group;
    }
    let ranges: Vec<_> = fix.edits.iter().map(|edit| edit.location.range.clone()).collect();
    let Some(excerpt) = Excerpt::of_all(db, file, &ranges) else { return group };
    let patches = excerpt.spans.iter().zip(&fix.edits).map(|(span, edit)| Patch::new(span.clone(), edit.text.as_str()));
    let patches: Vec<_> = patches.collect();
    group.element(Snippet::source(excerpt.source).line_start(excerpt.line).path(excerpt.path).patches(patches))
}
