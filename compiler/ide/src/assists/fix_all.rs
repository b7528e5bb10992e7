//! Fixes everything in a file that can be fixed without a choice.

use std::collections::BTreeSet;

use super::super::findings::{Edit, diagnostics};
use super::super::patches::Patches;
use super::super::places::Location;
use super::assist::{Assist, AssistKind};
use crate::CompilerDatabase;
use check::db::{Db, SourceFile, Workspace};
use check::diagnostics::Severity;
use check::names;
use check::settings;

/// A fix may enable the next one; a file that still changes after this many rounds is in a cycle.
const ROUNDS: usize = 16;

/// Codes whose fixes the author must decide on: a conversion may lose digits, and a name may be a size or a slip of the pen.
const DECISIONS: &[&str] = &["type-mismatch", "unknown-name"];

/// All preferred fixes of the file's errors and warnings, applied until nothing changes; `None` if there are none.
/// Fixes of hints are choices and are left out, as are fixes that change another file.
pub fn fix_all(db: &dyn Db, file: SourceFile) -> Option<Assist> {
    let mut scratch = copy(db, file);
    let path = file.path(db);
    let mut patches = Patches::new(file.text(db));
    for _ in 0..ROUNDS {
        let copied = scratch.file(path)?;
        let edits = next_edits(&scratch, copied);
        if edits.is_empty() {
            break;
        }
        edits.iter().rev().for_each(|edit| patches.replace(edit.location.range.clone(), &edit.text));
        let text = patches.text();
        scratch.set_text(path, &text);
    }
    let edits: Vec<Edit> = patches
        .replacements()
        .into_iter()
        .map(|(range, text)| Edit { location: Location { file, range }, text: text.into() })
        .collect();
    let title = "Fix all that can be fixed without a choice".to_owned();
    let kind = AssistKind::FixAll;
    (!edits.is_empty()).then_some(Assist { id: "fix-all", title, kind, edits, is_preferred: false, mends: None })
}

/// The edits of one round, in the order of the file, without overlaps.
fn next_edits(db: &CompilerDatabase, file: SourceFile) -> Vec<Edit> {
    let mut taken: Vec<Edit> = Vec::new();
    for finding in diagnostics(db, file) {
        let certain =
            matches!(finding.severity, Severity::Error | Severity::Warning) && !DECISIONS.contains(&finding.code);
        let [fix] = finding.fixes.as_slice() else { continue };
        let free = |edit: &Edit| {
            edit.location.file == file && taken.iter().all(|other| !overlaps(&edit.location, &other.location))
        };
        if certain && fix.edits.iter().all(free) {
            taken.extend(fix.edits.iter().cloned());
        }
    }
    taken.sort_by_key(|edit| (edit.location.range.start, edit.location.range.end));
    taken
}

/// Two insertions at one place overlap too: the second may no longer be needed after the first.
fn overlaps(one: &Location, other: &Location) -> bool {
    one.range.start <= other.range.end && other.range.start <= one.range.end
}

/// A database of the file and everything that it uses, also indirectly, with the same settings.
fn copy(db: &dyn Db, file: SourceFile) -> CompilerDatabase {
    let files = Workspace::get(db).files(db);
    let mut copied = CompilerDatabase::default();
    copied.set_effort(settings::effort(db));
    copied.set_target(settings::target(db));
    let mut seen = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        if seen.insert(file.path(db).to_owned()) {
            copied.set_text(file.path(db), file.text(db));
            open.extend(names::used_paths(db, file).iter().filter_map(|path| files.get(path)));
        }
    }
    copied
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::Fixture;
    use super::*;
    use crate::patches::applied;

    fn fixed(text: &str) -> Option<String> {
        let Fixture { db, file, .. } = Fixture::new(text);
        let edits = fix_all(&db, file)?.edits;
        let edits: Vec<_> = edits.iter().map(|edit| (edit.location.range.clone(), edit.text.to_string())).collect();
        Some(applied(file.text(&db), &edits))
    }

    #[test]
    fn fixes_are_applied_until_nothing_changes() {
        let text = "dim N;\n// stays\nassert N % 4 == 0;\nassert N % 6 == 0;\nassert N >= 12;\n";
        assert_eq!(
            fixed(text).unwrap(),
            "dim N where N % 4 == 0, N % 6 == 0;\n// stays\nassert N % 4 == 0;\nassert N % 6 == 0;\nassert N >= 12;\n"
        );
    }

    #[test]
    fn what_is_right_or_needs_a_choice_stays() {
        assert_eq!(fixed("dim N where N % 4 == 0;\nassert N % 4 == 0;\n"), None);
        // A hint's fix.
        assert_eq!(fixed("dim N;\nhalf : [N / 2];\n"), None);
        // The fact belongs into the other file.
        assert_eq!(fixed("//- a.shape\nuse \"b.shape\";\nassert N % 4 == 0;$0\n//- b.shape\ndim N;\n"), None);
    }
}
