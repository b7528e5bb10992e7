//! Questions about memory as a file asks them, with what is said where an answer is not the expected one.

mod connectives;
mod costs;
mod tilings;
mod words;

use ide::{CompilerDatabase, Finding};

fn findings(text: &str) -> Vec<Finding> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    ide::diagnostics(&db, file)
}

#[track_caller]
fn only(text: &str) -> Finding {
    let mut found = findings(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.pop().unwrap()
}

/// The text with a fix applied, which must have no finding left.
#[track_caller]
fn mended(text: &str, found: &Finding) {
    let mut mended = text.to_owned();
    let fix = found.fixes.first().unwrap_or_else(|| panic!("no fix: {found:#?}"));
    for edit in fix.edits.iter().rev() {
        mended.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
    }
    assert!(findings(&mended).iter().all(|found| found.code == "show"), "{mended}\n{:#?}", findings(&mended));
}

const TILE: &str = "map tile = reshape_map([32] | [32] => layout: [i0, t0]);\n";

#[test]
fn answers_are_integers() {
    let claims = "assert tile.bank_conflicts(f32) == 32;\nassert tile.bank_conflicts(f32, lanes: 0) == 1;\n\
                  assert tile.bank_conflicts(4) == tile.bank_conflicts(i32);\nassert tile.sectors(f32) == 32;\n\
                  assert tile.sectors(element: f32, lanes: 0) == 4;\nassert tile.vector_width(f32) == 4;\n\
                  assert tile.vector_width(f64) == 2;\nassert tile.vector_width(u8) == 16;\n";
    assert_eq!(findings(&format!("{TILE}{claims}")), []);
}

#[test]
fn a_failed_claim_about_banks_names_two_lanes_and_offers_a_pad() {
    let text = format!("{TILE}assert tile.bank_conflicts(f32) == 1;\n");
    let found = only(&text);
    assert_eq!(found.code, "assertion-failed");
    let help = "lanes 0 and 1 want different words of bank 0: (0, 0) is element 0, (0, 1) is element 32";
    assert!(found.help.iter().any(|line| line == help), "{found:#?}");
    mended(&text, &found);
}

#[test]
fn a_conflict_that_is_shown_comes_with_what_it_costs() {
    let text = format!("{TILE}show tile.bank_conflicts(f16);\n");
    let found = findings(&text);
    let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes.len(), 2, "{found:#?}");
    let conflict = found.iter().find(|found| found.code == "bank-conflict").unwrap();
    assert!(conflict.message.contains("16-way bank conflict"), "{conflict:#?}");
    // Two elements are one word.
    assert!(conflict.fixes.iter().any(|fix| fix.title.contains("(32, 34)")), "{conflict:#?}");
    mended(&text, conflict);
}

#[test]
fn a_claim_about_vectors_names_the_fact_that_is_missing() {
    let text = "dim M where M % 2 == 0;\nmap rows = reshape_map([4] | [8] => layout: [i0, t0], offset: M);\n\
                assert rows.vector_width(f32) == 4;\n";
    let found = only(text);
    assert!(found.help.iter().any(|line| line.contains("the offset M need not be a multiple of 4")), "{found:#?}");
    assert!(found.fixes.iter().any(|fix| fix.title.contains("M % 4 == 0")), "{found:#?}");
    mended(text, &found);
}

#[test]
fn a_claim_about_sectors_says_what_is_touched() {
    let found = only(&format!("{TILE}assert tile.sectors(f32) <= 4;\n"));
    let help =
        "32 lanes of a warp touch 32 sectors in 32 lines, and 4 would do: lane 0 reaches element 0, lane 1 element 32";
    assert!(found.help.iter().any(|line| line == help), "{found:#?}");
}

#[test]
fn a_declared_name_wins_over_a_type() {
    assert_eq!(findings(&format!("const f32 = 8;\n{TILE}assert tile.vector_width(f32) == 2;\n")), []);
    assert_eq!(only(&format!("f32 : [8];\n{TILE}assert tile.vector_width(f32) == 2;\n")).code, "wrong-type");
}

#[test]
fn arguments_that_are_none() {
    let ask = |question: &str| only(&format!("{TILE}show tile.{question};\n")).code;
    assert_eq!(ask("sectors(f33)"), "unknown-element-type");
    assert_eq!(ask("sectors(3)"), "map-question");
    assert_eq!(ask("sectors(f32, lanes: 2)"), "map-question");
    assert_eq!(ask("sectors(f32, lanes: -1)"), "map-question");
    assert_eq!(ask("sectors"), "argument-count");
    assert_eq!(ask("vector_width(f32, lanes: 0)"), "unknown-argument");
    assert_eq!(ask("bank_conflicts(f32, 0, 1)"), "argument-count");
}

/// The titles and the texts of the edits for a layout that is declared so.
fn fixes_of_layout(definition: &str) -> Vec<(String, String)> {
    let found = only(&format!("map tile = {definition};\nassert tile.bank_conflicts(f32, lanes: 0) == 1;\n"));
    found.fixes.into_iter().map(|fix| (fix.title, fix.edits[0].text.to_string())).collect()
}

#[test]
fn a_layout_is_swizzled_or_padded() {
    let fixes = fixes_of_layout("row_major([32, 32])");
    let texts: Vec<&str> = fixes.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, [" |> xor(32, 32)", "strided([32, 32], [33, 1])"]);
    // A swizzle within eight columns leaves four rows in each bank; no pad by one helps either, four rows are a turn.
    assert_eq!(fixes_of_layout("strided([32, 8], [8, 1])"), []);
    // Columns that are no power of two would leave their row.
    let texts: Vec<String> = fixes_of_layout("row_major([32, 96])").into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["strided([32, 96], [97, 1])"]);
}
