//! Every question of navigation, at every place of every example, whole and cut off anywhere.

use std::ops::Range;
use std::path::Path;

use super::cursor::occurrence_at;
use super::*;
use crate::CompilerDatabase;
use check::db::SourceFile;

/// Bytes between the places where an example is cut off; prime, so that cuts fall at all kinds of places.
const CUT: usize = 11;
/// The bytes between the positions that are queried in a truncated text.
const STEP: usize = 5;

/// The examples by name, and one text that is nothing but trouble.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut texts = vec![("trouble.shape".to_owned(), TROUBLE.to_owned())];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "shape") {
            texts.push((path.file_name().unwrap().to_string_lossy().into(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(texts.len() > 5);
    texts.sort();
    texts
}

const TROUBLE: &str = "\u{feff}/* ü */ use \"é.shape\"; use \"öpen\ndim , M where M-N; kernel (: f32, x: ) { let = ; view via\r\n \
                       for in { if } } ü : [😀, M-]; run (x:, : 1) with = save : \"a\\\" /* 😀\r\n\rend";

/// Whether a range lies on borders of characters inside a text.
fn check(text: &str, range: &Range<u32>) {
    assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} of {} bytes", text.len());
}

fn check_at(db: &CompilerDatabase, location: &Location) {
    check(location.file.text(db), &location.range);
}

/// Performs all queries about a file.
fn ask_file(db: &CompilerDatabase, file: SourceFile) {
    let text = file.text(db);
    let tokens = semantic_tokens(db, file, None);
    for token in &tokens {
        check(text, &token.range);
        assert!(token.range.start < token.range.end);
        let inside = &text[token.range.start as usize..token.range.end as usize];
        assert!(!inside.contains(['\n', '\r']), "{inside:?}");
    }
    assert!(tokens.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
    check_symbols(text, &document_symbols(db, file));
    folding_ranges(db, file).iter().for_each(|fold| check(text, &fold.range));
    document_links(db, file).iter().for_each(|link| check(text, &link.range));
    for query in ["", "s", "xs"] {
        workspace_symbols(db, query).iter().for_each(|symbol| check_at(db, &symbol.location));
    }
}

fn check_symbols(text: &str, symbols: &[DocumentSymbol]) {
    for symbol in symbols {
        check(text, &symbol.range);
        check(text, &symbol.name_range);
        assert!(symbol.range.start <= symbol.name_range.start && symbol.name_range.end <= symbol.range.end);
        check_symbols(text, &symbol.children);
    }
}

/// Performs all queries about a byte, which may be inside a character or beyond the file.
fn ask_at(db: &CompilerDatabase, file: SourceFile, offset: u32) {
    let text = file.text(db);
    if let Some(found) = definition(db, file, offset) {
        check(text, &found.origin);
        check_at(db, &found.name);
        check(found.name.file.text(db), &found.whole);
    }
    let all = references(db, file, offset, true);
    all.iter().for_each(|reference| check_at(db, &reference.location));
    let here: Vec<Range<u32>> = highlights(db, file, offset).into_iter().map(|(range, _)| range).collect();
    let in_file = all.iter().filter(|reference| reference.location.file == file);
    assert!(in_file.map(|reference| &reference.location.range).eq(&here));
    if let Ok(renamable) = prepare_rename(db, file, offset) {
        check(text, &renamable.range);
        assert_eq!(&text[renamable.range.start as usize..renamable.range.end as usize], renamable.placeholder);
        assert!(here.contains(&renamable.range));
    }
    let around = selection_ranges(db, file, offset);
    around.iter().for_each(|range| check(text, range));
    let holds = |pair: &[Range<u32>]| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end;
    assert!(around.windows(2).all(holds));
    let part = semantic_tokens(db, file, Some(offset..offset.saturating_add(40)));
    part.iter().for_each(|token| check(text, &token.range));
}

#[test]
fn every_place_of_every_example_can_be_asked_about() {
    for (name, text) in texts() {
        let mut db = CompilerDatabase::default();
        let file = db.set_text(&name, &text);
        ask_file(&db, file);
        for offset in (0..text.len() as u32 + 2).chain([u32::MAX]) {
            ask_at(&db, file, offset);
        }
    }
}

#[test]
fn an_example_can_be_cut_off_anywhere() {
    for (name, text) in texts() {
        let mut db = CompilerDatabase::default();
        for end in (0..text.len()).step_by(CUT).filter(|end| text.is_char_boundary(*end)) {
            let file = db.set_text(&name, &text[..end]);
            ask_file(&db, file);
            for offset in (0..end + 2).step_by(STEP).chain([end]) {
                ask_at(&db, file, offset as u32);
            }
        }
    }
}

#[test]
fn every_name_of_every_example_can_be_renamed() {
    for (name, text) in texts().into_iter().filter(|(name, _)| name != "trouble.shape") {
        let mut db = CompilerDatabase::default();
        let file = db.set_text(&name, &text);
        let mut declared = 0;
        for offset in 0..text.len() as u32 {
            let found = occurrence_at(&db, file, offset).filter(|(_, found)| found.access == Access::Declare);
            if found.is_none() || prepare_rename(&db, file, offset).unwrap().range.start != offset {
                continue;
            }
            declared += 1;
            let edits = rename(&db, file, offset, "fresh_name").unwrap();
            assert_eq!(edits.len(), references(&db, file, offset, true).len(), "{name} at {offset}");
            edits.iter().for_each(|edit| check_at(&db, &edit.location));
            assert!(rename(&db, file, offset, "1").is_err());
        }
        assert!(declared > 0, "{name}");
    }
}
