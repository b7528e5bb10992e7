//! What an edit forgets. That it forgets enough is asserted in every debug build; these tests show that it forgets no
//! more, and that what it leaves is kept.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::CompilerDatabase;
use check::db::{Item, SourceFile, declared};
use syntax::wanted::Wanted;

/// A database in which everything is known of `main.shape`.
fn known(text: &str) -> (CompilerDatabase, SourceFile) {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    crate::diagnostics(&db, file);
    (db, file)
}

/// The first words of the items of a file of which nothing is kept; `None` where nothing is kept of any.
fn forgotten(db: &CompilerDatabase, file: SourceFile) -> Option<BTreeSet<String>> {
    let missing = db.known.unknown(file);
    let standing =
        |items: Vec<Item>| items.into_iter().filter(|item| file.items(db).contains(item)).collect::<Vec<_>>();
    let name = |item: Item| match item.tree(db).item.as_ref().and_then(|parsed| declared(&parsed.kind).first()) {
        Some(name) => name.text.to_string(),
        None => (0..item.tokens(db).len()).map(|token| item.tokens(db).text(token)).collect::<Vec<_>>().join(" "),
    };
    missing.map(|missing| standing(missing).into_iter().map(name).collect())
}

fn names(names: &[&str]) -> Option<BTreeSet<String>> {
    Some(names.iter().map(|name| (*name).to_owned()).collect())
}

/// What changing `main.shape` from one text to another forgets.
fn edited(before: &str, after: &str) -> Option<BTreeSet<String>> {
    let (mut db, file) = known(before);
    assert_eq!(forgotten(&db, file), names(&[]));
    db.set_text("main.shape", after);
    let found = forgotten(&db, file);
    crate::diagnostics(&db, file);
    assert_eq!(forgotten(&db, file), names(&[]), "what was asked is known again");
    found
}

const CHAIN: &str = "const B = 4;\nconst Q = 9;\ns : [B, 2];\nt : s[(0), (1)];\nu : [Q];\nassert size(t) == 8;\n";

#[test]
fn an_item_that_is_edited_is_forgotten_with_those_that_say_its_name_and_theirs() {
    let after = CHAIN.replace("B = 4", "B = 2 + 2");
    assert_eq!(edited(CHAIN, &after), names(&["B", "s", "t", "assert size ( t ) == 8"]));
}

#[test]
fn an_item_without_a_name_is_forgotten_alone() {
    let after = CHAIN.replace("size(t) == 8", "size(t) == 4 + 4");
    assert_eq!(edited(CHAIN, &after), names(&["assert size ( t ) == 4 + 4"]));
}

#[test]
fn white_space_and_comments_forget_nothing() {
    assert_eq!(edited(CHAIN, &CHAIN.replace("const Q", "// nine\n   const Q")), names(&[]));
}

#[test]
fn a_word_with_hyphens_is_read_by_its_parts() {
    let before = "const a = 9;\nconst b = 4;\nx : [a-b];\n";
    assert_eq!(edited(before, &before.replace("b = 4", "b = 5")), names(&["b", "x"]));
}

#[test]
fn a_name_that_comes_is_noticed_by_who_says_it_and_by_who_has_something_reported() {
    let before = "x : [late];\ny : [nowhere];\nz : [3];\n";
    assert_eq!(edited(before, &format!("{before}const late = 4;\n")), names(&["late", "x", "y"]));
}

#[test]
fn a_name_that_goes_is_noticed_by_who_says_it() {
    let before = "const a = 2;\nx : [a];\nz : [3];\n";
    assert_eq!(edited(before, "x : [a];\nz : [3];\n"), names(&["x"]));
}

#[test]
fn of_two_items_of_one_name_the_first_counts_so_order_is_noticed() {
    let before = "const a = 2;\nconst a = 3;\nx : [a];\nz : [3];\n";
    assert_eq!(edited(before, "const a = 3;\nconst a = 2;\nx : [a];\nz : [3];\n"), names(&["a", "x"]));
}

#[test]
fn an_edit_is_noticed_through_files_that_use_each_other() {
    let mut db = CompilerDatabase::default();
    let low = db.set_text("low.shape", "const B = 4;\nconst Q = 5;\n");
    let middle = db.set_text("middle.shape", "use \"low.shape\";\ns : [B];\nu : [Q];\n");
    let high = db.set_text("high.shape", "use \"middle.shape\";\nt : s[(0)];\nv : u[(0)];\n");
    let other = db.set_text("other.shape", "const B = 1;\nx : [B];\n");
    for file in [low, middle, high, other] {
        crate::diagnostics(&db, file);
    }
    db.set_text("low.shape", "const B = 6;\nconst Q = 5;\n");
    assert_eq!(forgotten(&db, low), names(&["B"]));
    assert_eq!(forgotten(&db, middle), names(&["s"]));
    assert_eq!(forgotten(&db, high), names(&["t"]));
    assert_eq!(forgotten(&db, other), names(&[]));
}

#[test]
fn another_file_that_is_used_or_comes_or_goes_forgets_everything() {
    assert_eq!(edited("x : [3];\n", "use \"other.shape\";\nx : [3];\n"), None);
    let (mut db, file) = known("x : [3];\n");
    db.set_text("other.shape", "");
    assert_eq!(forgotten(&db, file), None);
    crate::diagnostics(&db, file);
    db.remove("other.shape");
    assert_eq!(forgotten(&db, file), None);
}

#[test]
fn settings_forget_everything() {
    let (mut db, file) = known("x : [3];\n");
    db.set_effort(proofs::Effort::Deep);
    assert_eq!(forgotten(&db, file), None);
}

/// A text with `count` constants.
fn constants(count: usize) -> String {
    (0..count).map(|number| format!("const c{number} = {number};\n")).collect()
}

#[test]
fn a_text_that_is_replaced_costs_what_the_new_one_says_until_nobody_waits() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event| {
        if matches!(event.kind, salsa::EventKind::WillExecute { .. }) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    })));
    let file = db.set_text("main.shape", &constants(2000));
    assert!(crate::diagnostics(&db, file).is_empty());
    assert!(asked.swap(0, Ordering::Relaxed) > 2000);
    db.set_text("main.shape", "a : [1] [(5)];\n");
    assert_eq!(crate::diagnostics(&db, file).len(), 1);
    assert!(asked.swap(0, Ordering::Relaxed) < 20);
    // No edit is waiting now.
    assert!(db.has_stale_items());
    while db.clear_stale() {}
    assert!(!db.has_stale_items());
    assert!(file.spare(&db).iter().all(|item| item.tokens(&db).is_empty() && item.interface(&db).names.is_empty()));
    asked.store(0, Ordering::Relaxed);
    assert_eq!(crate::diagnostics(&db, file).len(), 1);
    assert!(asked.load(Ordering::Relaxed) < 20);
}

#[test]
fn what_left_a_file_and_comes_back_is_reported_again() {
    let wrong: String = (0..600).map(|number| format!("a{number} : [missing{number}];\n")).collect();
    let (mut db, file) = known(&wrong);
    // All of the items are cleared, some, or none.
    for parts in [usize::MAX, 1, 0] {
        db.set_text("main.shape", "");
        assert!(crate::diagnostics(&db, file).is_empty());
        for _ in 0..parts {
            if !db.clear_stale() {
                break;
            }
        }
        db.set_text("main.shape", &wrong);
        assert_eq!(crate::diagnostics(&db, file).len(), 600);
        assert_eq!(forgotten(&db, file), names(&[]));
    }
    db.set_text("main.shape", &constants(5));
    while db.clear_stale() {}
    assert!(crate::diagnostics(&db, file).is_empty());
}

/// Bytes that are read at once in these tests.
const FEW: usize = 64;

#[test]
fn a_text_that_is_read_elsewhere_becomes_what_it_would_have_become_here() {
    let wrong = "a : [1] [(5)];\n";
    let long = format!("const sum = 1{};\n", "+1".repeat(200));
    let texts = [
        constants(200),
        format!("{}{wrong}{}", constants(100), constants(90)),
        format!("{wrong}{long}"),
        // Little is new of it, and all of a long item has to be read again.
        format!("{wrong}{}", long.replace("1;", "2;")),
        String::new(),
        format!("const late = 1;\n{}", constants(300)),
    ];
    let mut db = CompilerDatabase::default();
    for text in &texts {
        let file = match db.set_small_text("main.shape", text, FEW) {
            Ok(file) => file,
            Err(reading) => db.set_read(reading.read(&Wanted::default()).expect("somebody wants it")),
        };
        let mut other = CompilerDatabase::default();
        let fresh = other.set_text("main.shape", text);
        assert_eq!(file.text(&db), text);
        assert_eq!(file.layout(&db), fresh.layout(&other));
        let trees = |db: &CompilerDatabase, file: SourceFile| {
            file.items(db).iter().map(|item| (item.tree(db), item.interface(db).clone())).collect::<Vec<_>>()
        };
        assert_eq!(trees(&db, file), trees(&other, fresh));
        let messages = |db: &CompilerDatabase, file: SourceFile| {
            let found = crate::diagnostics(db, file).into_iter();
            found.map(|found| (found.message, found.location.range)).collect::<Vec<_>>()
        };
        assert_eq!(messages(&db, file), messages(&other, fresh));
    }
}

#[test]
fn what_is_small_is_read_at_once_and_what_is_large_is_not() {
    let mut db = CompilerDatabase::default();
    assert!(db.set_small_text("main.shape", "const a = 1;\n", FEW).is_ok());
    let text = constants(200);
    let reading = db.set_small_text("main.shape", &text, FEW).expect_err("it is large");
    assert!(reading.read(&ended()).is_none());
    let reading = db.set_small_text("main.shape", &text, FEW).expect_err("it is large");
    db.set_read(reading.read(&Wanted::default()).unwrap());
    assert!(db.set_small_text("main.shape", &text.replace("c100 = 100", "c100 = 7"), FEW).is_ok());
}

#[test]
fn a_text_that_was_read_after_another_than_the_file_has_is_taken_over_too() {
    let mut db = CompilerDatabase::default();
    for name in ["new.shape", "old.shape"] {
        db.set_text("old.shape", "const b = 2;\n");
        let reading = db.set_small_text(name, &constants(100), FEW).expect_err("it is large");
        let read = reading.read(&Wanted::default()).unwrap();
        db.set_text(name, "const c50 = 1;\n");
        let file = db.set_read(read);
        assert_eq!(file.text(&db), constants(100));
        assert_eq!(file.items(&db).len(), 100);
        assert!(crate::diagnostics(&db, file).is_empty());
    }
}

fn ended() -> Wanted {
    let wanted = Wanted::default();
    wanted.end();
    wanted
}
