//! Every place where a name is used.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::cursor::{occurrence_at, occurrence_range};
use super::names::{Access, Occurrence, declaration, occurrences};
use super::places::Location;
use check::db::{Db, SourceFile, Workspace};
use check::names::used_files;
use syntax::items::word_hash;

/// A place where a name is used or declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub location: Location,
    /// What is done with it.
    pub access: Access,
}

/// Every place in the workspace with the same meaning as the name at a byte, by path and place; empty if there is no
/// name.
pub fn references(db: &dyn Db, file: SourceFile, offset: u32, include_declaration: bool) -> Vec<Reference> {
    let Some((_, found)) = occurrence_at(db, file, offset) else { return Vec::new() };
    let (declaring, _) = declaration(db, &found.target);
    let mut all = Vec::new();
    for reader in readers(db, declaring.file(db)) {
        all.extend(in_file(db, reader, found));
    }
    all.retain(|reference| include_declaration || reference.access != Access::Declare);
    all
}

/// Every place in the file with the same meaning as the name at a byte.
pub fn highlights(db: &dyn Db, file: SourceFile, offset: u32) -> Vec<(Range<u32>, Access)> {
    let Some((_, found)) = occurrence_at(db, file, offset) else { return Vec::new() };
    in_file(db, file, found).map(|reference| (reference.location.range, reference.access)).collect()
}

/// The files that can refer to declarations of `declaring`, in the order of their paths: the file itself, and those
/// that use it, directly or indirectly. A run names the sizes that its kernel sees, and a tiling has the iterators of
/// the one that it is derived from.
pub(super) fn readers(db: &dyn Db, declaring: SourceFile) -> Vec<SourceFile> {
    let files = Workspace::get(db).files(db);
    let mut seen: FxHashSet<SourceFile> = FxHashSet::from_iter([declaring]);
    loop {
        let known = seen.len();
        let uses_seen = |file: &SourceFile| used_files(db, *file).iter().any(|used| seen.contains(used));
        let more: Vec<SourceFile> = files.values().copied().filter(uses_seen).collect();
        seen.extend(more);
        if seen.len() == known {
            return files.values().copied().filter(|file| seen.contains(file)).collect();
        }
    }
}

/// Every place in a file that means what a name means.
fn in_file<'db>(db: &'db dyn Db, file: SourceFile, name: &Occurrence) -> impl Iterator<Item = Reference> + use<'db> {
    let target = name.target.clone();
    let found = occurrences_of(db, file, &name.name).filter(move |(_, occurrence)| occurrence.target == target);
    found.map(move |(position, occurrence)| {
        let range = occurrence_range(db, file, position, occurrence);
        Reference { location: Location { file, range }, access: occurrence.access }
    })
}

/// All names that mean something in those items of a file that say a name, each with the position of its item. Other
/// items are not resolved.
pub(super) fn occurrences_of<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    name: &str,
) -> impl Iterator<Item = (usize, &'db Occurrence)> + use<'db> {
    let words = FxHashSet::from_iter([word_hash(name)]);
    let saying: Vec<usize> = file.layout(db).saying_any(&words).collect();
    let items = saying.into_iter().filter_map(move |position| Some((position, *file.items(db).get(position)?)));
    items.flat_map(move |(position, item)| occurrences(db, item).iter().map(move |occurrence| (position, occurrence)))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::lines::line_index;
    use super::*;

    fn mark(access: Access) -> &'static str {
        match access {
            Access::Declare => "+",
            Access::Read => "",
            Access::Write => "=",
        }
    }

    /// Each reference as `path:line:column`, with a mark for what is done there.
    fn all(text: &str, include_declaration: bool) -> Vec<String> {
        let Fixture { db, file, offset } = Fixture::new(text);
        let found = references(&db, file, offset, include_declaration);
        let lines = found.iter().map(|reference| {
            let Location { file, range } = &reference.location;
            let start = line_index(&db, *file).position(range.start);
            format!("{}{}:{}:{}", mark(reference.access), file.path(&db), start.line, start.character)
        });
        lines.collect()
    }

    const FILES: &str = "\
//- a.shape
dim M, N;
kernel k(x: f32[$0M], y: mut f32[M - 1]) { }
a : [M-N, new-M]
//- b.shape
use \"a.shape\";
b : [M];
run k(x: zeros, y: zeros) with M = 4
//- c.shape
use \"b.shape\";
c : [M]
//- d.shape
use \"a.shape\";
dim M;
d : [M];
//- e.shape
dim M;
";

    #[test]
    fn references_follow_the_files_that_can_see_the_name() {
        let expected = ["+a.shape:0:4", "a.shape:1:16", "a.shape:1:31", "a.shape:2:5", "b.shape:1:5", "=b.shape:2:31"];
        assert_eq!(all(FILES, true), expected);
        assert_eq!(all(FILES, false), expected[1..]);
        let from_elsewhere = FILES.replace("$0", "").replace("b : [M]", "b : [M$0]");
        assert_eq!(all(&from_elsewhere, true), expected);
    }

    #[test]
    fn a_parameter_is_found_in_the_runs_of_other_files() {
        let files = "//- a.shape\nkernel k($0x: f32[4], y: f32[4]) { view v = x via linear(1); }\n\
                     //- b.shape\nuse \"a.shape\";\nrun k(x: zeros, y: zeros) expect x == y save x: \"x.npy\"\n";
        assert_eq!(all(files, true), ["+a.shape:0:9", "a.shape:0:42", "=b.shape:1:6", "b.shape:1:33", "b.shape:1:45"]);
    }

    #[test]
    fn sizes_of_a_run_are_found_two_files_away() {
        let files = "//- a.shape\ndim $0N;\n//- b.shape\nuse \"a.shape\";\nkernel k(x: f32[N]) { }\n\
                     //- c.shape\nuse \"b.shape\";\nrun k(x: zeros) with N = 4\n";
        assert_eq!(all(files, true), ["+a.shape:0:4", "b.shape:1:16", "=c.shape:1:21"]);
    }

    #[test]
    fn highlights_stay_in_the_file_and_know_what_is_written() {
        let text = "kernel k(y: mut f32[4]) { let mut v = 1.0; $0v = v + 2.0; if y[0] < 0 { let v = 2; y[v] = 1; } }";
        let Fixture { db, file, offset } = Fixture::new(text);
        let found: Vec<String> = highlights(&db, file, offset)
            .iter()
            .map(|(range, access)| format!("{}{}", mark(*access), range.start))
            .collect();
        assert_eq!(found, ["+34", "=43", "47"]);
        assert_eq!(highlights(&db, file, 0), []);
    }
}
