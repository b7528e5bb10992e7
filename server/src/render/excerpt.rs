//! Excerpts: the lines of a file around some places, shown under a message.
//!
//! The rendering library scans the whole source that it is given, so it gets only the lines it needs, and of an
//! overlong line only the part around the place.

use std::ops::Range;

use check::db::{Db, SourceFile};
use ide::LineIndex;

/// Longer lines are cut.
const LONGEST_LINE: u32 = 400;
/// How much is kept on each side of a place in a cut line.
const AROUND: u32 = 60;
/// The most lines of a place that are shown.
const MOST_LINES: u32 = 30;

/// Some lines of a file.
pub(super) struct Excerpt {
    /// The file's name.
    pub(super) path: String,
    /// The number of the first line, from 1.
    pub(super) line: usize,
    /// The column of the first place in characters, from 1.
    pub(super) column: usize,
    /// The text.
    pub(super) source: String,
    /// The positions of the places in `source`, in the given order.
    pub(super) spans: Vec<Range<usize>>,
    /// Whether `source` starts inside a line, so that columns cannot be counted in it.
    pub(super) cut: bool,
}

impl Excerpt {
    /// The lines around one place.
    pub(super) fn new(db: &dyn Db, file: SourceFile, range: &Range<u32>) -> Self {
        let text = file.text(db);
        let index = ide::line_index(db, file);
        let (first, last) = lines(index, range);
        let last = last.min(first.saturating_add(MOST_LINES - 1));
        if (first..=last).any(|line| index.line(line).len() as u32 > LONGEST_LINE) {
            return Self::cut(db, file, range);
        }
        Self::whole(db, file, first, last, std::slice::from_ref(range), text)
    }

    /// The lines around several places of one file, if they are near each other and not overlong.
    pub(super) fn of_all(db: &dyn Db, file: SourceFile, ranges: &[Range<u32>]) -> Option<Self> {
        let index = ide::line_index(db, file);
        let first = ranges.iter().map(|range| lines(index, range).0).min()?;
        let last = ranges.iter().map(|range| lines(index, range).1).max()?;
        let near = last - first < MOST_LINES;
        let readable = near && (first..=last).all(|line| index.line(line).len() as u32 <= LONGEST_LINE);
        readable.then(|| Self::whole(db, file, first, last, ranges, file.text(db)))
    }

    fn whole(db: &dyn Db, file: SourceFile, first: u32, last: u32, ranges: &[Range<u32>], text: &str) -> Self {
        let index = ide::line_index(db, file);
        let (start, end) = (index.line(first).start, index.line(last).end);
        let source = text.get(start as usize..end as usize).unwrap_or_default();
        // The last line end is not shown, and a span must not extend beyond the shown text.
        let source = source.trim_end_matches(['\n', '\r']);
        let inside = |offset: u32| (offset.saturating_sub(start) as usize).min(source.len());
        let spans = ranges.iter().map(|range| inside(range.start)..inside(range.end)).collect();
        Self {
            path: file.path(db).to_owned(),
            line: first as usize + 1,
            column: column(index, text, ranges.first().map_or(start, |range| range.start)),
            source: source.to_owned(),
            spans,
            cut: false,
        }
    }

    /// The part of a long line around a place, with an ellipsis where something is left out.
    fn cut(db: &dyn Db, file: SourceFile, range: &Range<u32>) -> Self {
        let text = file.text(db);
        let index = ide::line_index(db, file);
        let (line, _) = lines(index, range);
        let whole = index.line(line);
        let content = text.get(whole.start as usize..whole.end as usize).unwrap_or_default();
        let line_end = whole.start as usize + content.trim_end_matches(['\n', '\r']).len();
        let place = (range.start as usize).min(line_end)..(range.end as usize).clamp(range.start as usize, line_end);
        let place = place.start..place.end.max(place.start).min(place.start + 3 * AROUND as usize);
        let from = text.floor_char_boundary(place.start.saturating_sub(AROUND as usize).max(whole.start as usize));
        let place_end = text.floor_char_boundary(place.end).max(place.start);
        let to = text.ceil_char_boundary((place_end + AROUND as usize).min(line_end)).min(line_end);
        let before = if from > whole.start as usize { "…" } else { "" };
        let after = if to < line_end { "…" } else { "" };
        let shift = |offset: usize| offset - from + before.len();
        Self {
            path: file.path(db).to_owned(),
            line: line as usize + 1,
            column: column(index, text, range.start),
            source: format!("{before}{}{after}", text.get(from..to).unwrap_or_default()),
            spans: std::iter::once(shift(place.start)..shift(place_end)).collect(),
            cut: true,
        }
    }
}

/// The first and the last line of a place. An end at the start of a line belongs to the line before.
fn lines(index: &LineIndex, range: &Range<u32>) -> (u32, u32) {
    let first = index.position(range.start).line;
    let last = index.position(range.end.saturating_sub(1).max(range.start)).line;
    (first, last.max(first))
}

/// The column of a byte in characters, from 1.
fn column(index: &LineIndex, text: &str, offset: u32) -> usize {
    let start = index.line(index.position(offset).line).start;
    text.get(start as usize..offset as usize).map_or(1, |before| before.chars().count() + 1)
}
