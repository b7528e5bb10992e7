//! Texts with a cursor mark, for the tests of this module.

use crate::CompilerDatabase;
use check::db::SourceFile;

/// The mark of a cursor in a fixture.
const MARK: &str = "$0";

/// A database with one file, or several, and a cursor.
pub(super) struct Fixture {
    pub(super) db: CompilerDatabase,
    /// The file with the cursor; without one, the first.
    pub(super) file: SourceFile,
    /// The byte of the cursor; 0 without one.
    pub(super) offset: u32,
}

impl Fixture {
    /// Reads a fixture. A line `//- name.shape` begins a file of that name; without such a line there is one file,
    /// `main.shape`. A `$0` is the cursor and no part of the text.
    pub(super) fn new(text: &str) -> Self {
        let mut files: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            match line.strip_prefix("//- ") {
                Some(name) => files.push((name.trim().to_owned(), String::new())),
                None if files.is_empty() => files.push(("main.shape".to_owned(), line.to_owned())),
                None => files.last_mut().unwrap().1.push_str(line),
            }
        }
        let mut db = CompilerDatabase::default();
        let mut cursor = None;
        let mut first = None;
        for (name, text) in files {
            let offset = text.find(MARK);
            let file = db.set_text(&name, &text.replacen(MARK, "", 1));
            db.add_library(file);
            first = first.or(Some(file));
            cursor = cursor.or(offset.map(|offset| (file, offset as u32)));
        }
        let (file, offset) = cursor.or(first.map(|file| (file, 0))).unwrap();
        Self { db, file, offset }
    }
}
