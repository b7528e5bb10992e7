//! The formatter as edits: one for each gap between two characters that changes, so that cursors and marks in an editor
//! stay where they were.

use std::ops::Range;

use super::cursor::items_in;
use super::findings::Edit;
use super::places::{Location, bytes};
use check::db::{Db, SourceFile};
use check::names;
use syntax::format;
use syntax::span::Span;

/// More edits than this are replaced by one: a line of a megabyte would have a million, which takes an editor longer
/// than the whole text.
const MOST_EDITS: usize = 20_000;

/// The edits that format a file, in order; none if it is formatted.
pub fn format_file(db: &dyn Db, file: SourceFile) -> Vec<Edit> {
    let text = file.text(db);
    edits(file, text, changes(text, &formatted(db, file)))
}

/// The edits of [`format_file`] in a part of the file and in the items that it overlaps. None if the formatter
/// changes more than gaps, since such a change is not local.
pub fn format_range(db: &dyn Db, file: SourceFile, part: Range<u32>) -> Vec<Edit> {
    let items: Vec<Range<u32>> = items_in(db, file, part.clone())
        .filter_map(|position| {
            let item = file.items(db).get(position)?;
            let own = bytes(db, file, position, Span::new(0, item.tokens(db).len() as u32));
            overlap(&own, &part).then_some(own)
        })
        .collect();
    let text = file.text(db);
    let around = surroundings(db, file, items_in(db, file, part.clone()));
    let source = &text[around.clone()];
    let formatted = format::format_part(source, text, &|name| is_declared(db, file, name));
    let found = gaps(source, &formatted).unwrap_or_default().into_iter();
    let moved = |place: Range<u32>| place.start + around.start as u32..place.end + around.start as u32;
    let mut changes: Vec<_> = found.map(|(place, new)| (moved(place), new)).collect();
    changes.retain(|(place, _)| overlap(place, &part) || items.iter().any(|item| touch(place, item)));
    edits(file, text, changes)
}

fn formatted(db: &dyn Db, file: SourceFile) -> String {
    format::format(file.text(db), &|name| is_declared(db, file, name))
}

fn is_declared(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    names::lookup(db, file, name.into()).is_some()
}

/// The part of the text that determines the format of some items: the items around them, up to the next blank lines,
/// where aligned comments end.
fn surroundings(db: &dyn Db, file: SourceFile, items: Range<usize>) -> Range<usize> {
    let (text, all) = (file.text(db), file.items(db));
    let place = |position: usize| {
        let tokens = all.get(position).map_or(0, |item| item.tokens(db).len());
        let range = bytes(db, file, position, Span::new(0, tokens as u32));
        range.start as usize..range.end as usize
    };
    let blank_before = |position: usize| blank_line(text, place(position - 1).end..place(position).start);
    let before = (1..items.start).rev().find_map(blank_before);
    let after = (items.end + 1..all.len()).find_map(blank_before);
    before.map_or(0, |blank| blank.end)..after.map_or(text.len(), |blank| blank.start)
}

/// The first blank line between two items, if no comment spans several lines. Blank lines before a `;` are removed by
/// the formatter.
fn blank_line(text: &str, between: Range<usize>) -> Option<Range<usize>> {
    let gap = text.get(between.clone()).filter(|gap| !gap.contains("/*"))?;
    let start = past_semicolon(gap);
    let ends = gap[start..].match_indices('\n').map(|(at, _)| between.start + start + at + 1);
    let mut lines = ends.clone().zip(ends.skip(1));
    lines.find(|(start, end)| text[*start..*end].trim().is_empty()).map(|(start, end)| start..end)
}

fn edits(file: SourceFile, text: &str, changes: Vec<(Range<u32>, String)>) -> Vec<Edit> {
    let changes = if changes.len() > MOST_EDITS { vec![joined(text, &changes)] } else { changes };
    let edit = |(range, text): (Range<u32>, String)| Edit { location: Location { file, range }, text: text.into() };
    changes.into_iter().map(edit).collect()
}

/// One change equivalent to a non-empty sequence of changes.
fn joined(text: &str, changes: &[(Range<u32>, String)]) -> (Range<u32>, String) {
    let start = changes.first().map_or(0, |(range, _)| range.start);
    let (mut end, mut new) = (start, String::new());
    for (range, added) in changes {
        new.push_str(&text[end as usize..range.start as usize]);
        new.push_str(added);
        end = range.end;
    }
    (start..end, new)
}

/// Whether two ranges overlap; an empty one, such as a cursor or an insertion, overlaps what it touches.
fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    let shares = one.start < other.end && other.start < one.end;
    shares || (one.is_empty() || other.is_empty()) && touch(one, other)
}

/// Whether two ranges are adjacent or overlap.
fn touch(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// The characters that the formatter adds and removes; it keeps all others in order.
fn is_gap(character: char) -> bool {
    character.is_whitespace() || character == ';'
}

/// The gaps that differ; one change for the whole text if the two differ in more than gaps.
fn changes(old: &str, new: &str) -> Vec<(Range<u32>, String)> {
    gaps(old, new).unwrap_or_else(|| trimmed(0, old, new).into_iter().collect())
}

fn gaps(old: &str, new: &str) -> Option<Vec<(Range<u32>, String)>> {
    let mut found = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    loop {
        let (old_rest, new_rest) = (&old[old_at..], &new[new_at..]);
        let (old_gap, new_gap) = (gap(old_rest), gap(new_rest));
        // The end of an item and the space before the next are separate changes.
        let (old_end, new_end) = (past_semicolon(old_gap), past_semicolon(new_gap));
        found.extend(trimmed(old_at, &old_gap[..old_end], &new_gap[..new_end]));
        found.extend(trimmed(old_at + old_end, &old_gap[old_end..], &new_gap[new_end..]));
        let old_next = old_rest[old_gap.len()..].chars().next();
        if old_next != new_rest[new_gap.len()..].chars().next() {
            return None;
        }
        let Some(character) = old_next else { return Some(found) };
        old_at += old_gap.len() + character.len_utf8();
        new_at += new_gap.len() + character.len_utf8();
    }
}

/// The gap at the start of a text.
fn gap(text: &str) -> &str {
    &text[..text.find(|character| !is_gap(character)).unwrap_or(text.len())]
}

/// The byte after the last semicolon of a gap.
fn past_semicolon(gap: &str) -> usize {
    gap.rfind(';').map_or(0, |at| at + 1)
}

/// A change without its common prefix and suffix; `None` if nothing is left. A CRLF is never split.
fn trimmed(at: usize, old: &str, new: &str) -> Option<(Range<u32>, String)> {
    if old == new {
        return None;
    }
    let same = |one: &mut dyn Iterator<Item = char>, other: &mut dyn Iterator<Item = char>| -> Vec<char> {
        one.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
    };
    let mut front = same(&mut old.chars(), &mut new.chars());
    if front.last() == Some(&'\r') {
        front.pop();
    }
    let front: usize = front.iter().map(|character| character.len_utf8()).sum();
    let mut back = same(&mut old[front..].chars().rev(), &mut new[front..].chars().rev());
    let cut = |text: &str| text[..text.len() - back.len()].ends_with('\r');
    if back.last() == Some(&'\n') && (cut(&old[front..]) || cut(&new[front..])) {
        back.pop();
    }
    let back: usize = back.iter().map(|character| character.len_utf8()).sum();
    let range = at + front..at + old.len() - back;
    Some((range.start as u32..range.end as u32, new[front..new.len() - back].to_owned()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::fixture::Fixture;
    use super::super::patches::applied;
    use super::*;
    use crate::CompilerDatabase;

    fn pairs(edits: &[Edit]) -> Vec<(Range<u32>, String)> {
        edits.iter().map(|edit| (edit.location.range.clone(), edit.text.to_string())).collect()
    }

    /// Formats by edits, and checks them against the formatter's text.
    #[track_caller]
    fn formatted(text: &str) -> Vec<(Range<u32>, String)> {
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", text);
        let edits = pairs(&format_file(&db, file));
        let expected = super::formatted(&db, file);
        assert_eq!(applied(text, &edits), expected);
        let whole = pairs(&format_range(&db, file, 0..text.len() as u32));
        assert_eq!(whole, edits);
        let file = db.set_text("main.shape", &expected);
        assert_eq!(format_file(&db, file), []);
        edits
    }

    #[test]
    fn only_gaps_change() {
        let text = "a:[1 , 2]\n// ünïcode 😀\n\n\n\nb : [3]; // fine\nc : [4];\n";
        let edits = formatted(text);
        let shown: Vec<_> = edits.iter().map(|(range, new)| (range.start, range.end, new.as_str())).collect();
        assert_eq!(shown, [(1, 1, " "), (2, 2, " "), (4, 5, ""), (9, 9, ";"), (29, 31, ""), (40, 40, " ")]);
    }

    #[test]
    fn a_great_many_changes_are_one() {
        let text = format!("const a = 1{};\nb:[1];\n", "+1".repeat(MOST_EDITS));
        let edits = formatted(&text);
        assert_eq!(edits.len(), 1);
        let (range, new) = &edits[0];
        assert_eq!(text[range.start as usize..range.end as usize].len(), 2 * MOST_EDITS - 1 + "1;\nb:".len());
        assert!(new.starts_with(" + 1 + 1 ") && new.ends_with("1;\nb : "), "{:?}", &new[new.len() - 20..]);
    }

    #[test]
    fn line_ends_of_windows_stay_whole() {
        for (range, new) in formatted("dim M,N\r\na:[M-N]\r\n\r\n\r\nmap m=reshape_map([3]|[4])\r\n// ü\r\n") {
            assert!(!new.ends_with('\r') && !new.starts_with('\n'), "{range:?} {new:?}");
        }
    }

    #[test]
    fn everything_written_here_and_spoilt() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut texts = 0;
        for entry in std::fs::read_dir(examples).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "shape") {
                let text = std::fs::read_to_string(path).unwrap();
                assert_eq!(formatted(&text), []);
                formatted(&text.replace('\n', "\r\n"));
                formatted(&text.replace("    ", "\t").replace(", ", " ,"));
                formatted(&text.replace(";\n", "\n\n\n\n").replace(" = ", "="));
                texts += 1;
            }
        }
        assert!(texts > 5);
    }

    #[test]
    fn a_range_formats_the_items_that_it_touches() {
        let text = "a:[1]\n\n\n\n  b :[$02]\nc:[3]\n";
        let Fixture { db, file, offset } = Fixture::new(text);
        let source = file.text(&db);
        let at = |range: Range<u32>| applied(source, &pairs(&format_range(&db, file, range)));
        assert_eq!(at(offset..offset), "a:[1]\n\nb : [2];\nc:[3]\n");
        assert_eq!(at(0..1), "a : [1];\n\n\n\n  b :[2]\nc:[3]\n");
        assert_eq!(at(0..source.len() as u32), applied(source, &pairs(&format_file(&db, file))));
    }

    #[test]
    fn a_range_leaves_the_lines_around_it() {
        let text = "a:[1];\n  // x \nkernel k(y:mut f32[1]) {\n y[0]=1;\n}\nb:[2]; // y\n\n\n\nc:[3];\n";
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", text);
        let at = |from: &str, to: &str| {
            let part = text.find(from).unwrap() as u32..text.find(to).unwrap() as u32;
            applied(text, &pairs(&format_range(&db, file, part)))
        };
        // What is selected in whole lines ends where the next line begins.
        assert_eq!(at("a:", "  // x"), text.replace("a:", "a : "));
        assert_eq!(at("  //", "kernel"), text.replace("  // x ", "// x"));
        let kernel = "kernel k(y: mut f32[1]) {\n    y[0] = 1;\n}";
        assert_eq!(at(" y[0]", "}"), text.replace("kernel k(y:mut f32[1]) {\n y[0]=1;\n}", kernel));
        assert_eq!(at("b:", "\n\n\n\nc"), text.replace("b:[2]; //", "b : [2];  //"));
    }

    #[test]
    fn of_a_long_file_only_what_is_around_a_part_is_formatted() {
        let mut db = CompilerDatabase::default();
        let text = "a:[1]\n\n".repeat(100);
        let file = db.set_text("main.shape", &text);
        assert_eq!(surroundings(&db, file, 50..51), 49 * 7..52 * 7 - 1);
        assert_eq!(surroundings(&db, file, 0..100), 0..text.len());
        // Without blank lines, and across comments of several lines, the range is extended further.
        let file = db.set_text("main.shape", &text.replace("\n\n", "\n"));
        assert_eq!(surroundings(&db, file, 50..51), 0..600);
        let file = db.set_text("main.shape", &text.replace("\n\n", "\n\n;"));
        assert_eq!(surroundings(&db, file, 50..51), 0..800);
        let file = db.set_text("main.shape", &text.replace("\n\n", "/*\n\n*/\n"));
        assert_eq!(surroundings(&db, file, 50..51), 0..file.text(&db).len());
    }

    proptest! {
        #![proptest_config(seeds::config(256))]

        #[test]
        fn a_part_looks_as_it_does_in_the_whole(
            text in "(a:|b :|\\[1 ,2\\]|;|\r\n|\n|\n\n| \n  \n| {1,3}|kernel a\\(\\) \\{\n\n\\}|/\\* \n\n \\*/|  // 😀\n|c:\\[1\\];// x\n|\n\n\nd:\\[1\\];// long\n|map b = ){0,40}",
            from in 0.0..1.0, length in 0.0..0.3,
        ) {
            let mut db = CompilerDatabase::default();
            let file = db.set_text("main.shape", &text);
            let place = |share: f64| (share.min(1.0) * text.len() as f64) as u32;
            let part = place(from)..place(from + length);
            let items: Vec<Range<u32>> = items_in(&db, file, part.clone())
                .map(|position| bytes(&db, file, position, Span::new(0, file.items(&db)[position].tokens(&db).len() as u32)))
                .filter(|own| overlap(own, &part))
                .collect();
            let touched = |place: &Range<u32>| overlap(place, &part) || items.iter().any(|item| touch(place, item));
            if let Some(mut all) = gaps(&text, &super::formatted(&db, file)) {
                all.retain(|(place, _)| touched(place));
                prop_assert_eq!(pairs(&format_range(&db, file, part)), all);
            }
        }

        #[test]
        fn any_text_becomes_what_the_formatter_says(
            text in "(a:|b :|\\[1 ,2\\]|;|\r\n|\n| {1,3}|kernel a\\(|\\{|\\}|/\\* é \\*/|// 😀|\"ü\"|map b = |a-b|\t){0,40}"
        ) {
            formatted(&text);
        }
    }
}
