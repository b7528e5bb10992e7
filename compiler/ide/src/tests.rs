//! No question of an editor panics, whatever the text and wherever the cursor, and every range lies inside the file on
//! borders of characters.

use std::ops::Range;
use std::path::Path;

use super::*;
use crate::CompilerDatabase;

/// The texts of the examples.
fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "shape"));
    paths.sort();
    assert!(paths.len() >= 9);
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[track_caller]
fn inside(text: &str, range: &Range<u32>) {
    assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} of {text:?}");
}

fn ask(db: &CompilerDatabase, file: check::db::SourceFile, offset: u32) {
    let text = file.text(db);
    if let Some(hover) = hover(db, file, offset) {
        inside(text, &hover.range);
        assert!(!hover.shown.is_empty());
        assert!(hover.range.start <= offset && offset <= hover.range.end);
    }
    for completion in completions(db, file, offset).items {
        inside(text, &completion.replace);
        assert!(completion.replace.start <= offset && offset <= completion.replace.end);
        assert!(!completion.label.is_empty() && !completion.insert.pieces().is_empty());
    }
    if let Some(signature) = signature_help(db, file, offset) {
        signature.parameters.iter().for_each(|parameter| inside(&signature.label, &parameter.label));
        assert!(signature.active.is_none_or(|active| active < signature.parameters.len()));
    }
}

fn hints(db: &CompilerDatabase, file: check::db::SourceFile) {
    let text = file.text(db);
    for hint in inlay_hints(db, file, 0..text.len() as u32).hints {
        inside(text, &(hint.position..hint.position));
    }
}

#[test]
fn every_question_at_every_place_of_the_examples() {
    for text in examples() {
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", &text);
        hints(&db, file);
        // Also beyond the end, and between the bytes of a character.
        (0..=text.len() as u32 + 2).for_each(|offset| ask(&db, file, offset));
    }
}

#[test]
fn every_question_where_examples_are_cut_off() {
    for text in examples() {
        let mut db = CompilerDatabase::default();
        for end in (0..text.len()).filter(|end| end % 5 == 0 && text.is_char_boundary(*end)) {
            let file = db.set_text("main.shape", &text[..end]);
            hints(&db, file);
            ask(&db, file, end as u32);
            ask(&db, file, (end / 2) as u32);
        }
    }
}

#[test]
fn characters_of_several_bytes() {
    let text = "// ü😀\nname : [2, 3]; // é\n/// ü\nkernel k(x: f32[4]) { let ä = x[0]; }\nmap m = \"😀\".é";
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    hints(&db, file);
    (0..=text.len() as u32 + 4).for_each(|offset| ask(&db, file, offset));
}
