//! What all assists have in common, on everything that is written in the language here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::super::fixture::Fixture;
use super::super::meaning::run_key;
use super::super::patches::applied;
use super::super::{diagnostics, item_facts};
use super::*;
use crate::CompilerDatabase;
use check::diagnostics::PAGES;
use check::evaluate;
use syntax::tree::ItemKind;

/// The assists that are no fixes, at the cursor.
pub(super) fn offered(text: &str) -> Vec<&'static str> {
    let Fixture { db, file, offset } = Fixture::new(text);
    ids(&assists(&db, file, offset..offset))
}

/// The assists that are no fixes, for the first place where the text says this.
pub(super) fn offered_for(text: &str, part: &str) -> Vec<&'static str> {
    let Fixture { db, file, .. } = Fixture::new(text);
    ids(&assists(&db, file, range_of(text, part)))
}

/// The text after the assist at the cursor.
#[track_caller]
pub(super) fn rewritten(text: &str, id: &str) -> String {
    let Fixture { db, file, offset } = Fixture::new(text);
    after(&db, file, &assists(&db, file, offset..offset), id)
}

/// The text after the assist for the first place where the text says this.
#[track_caller]
pub(super) fn rewritten_for(text: &str, part: &str, id: &str) -> String {
    let Fixture { db, file, .. } = Fixture::new(text);
    after(&db, file, &assists(&db, file, range_of(text, part)), id)
}

fn range_of(text: &str, part: &str) -> Range<u32> {
    let start = text.find(part).unwrap();
    start as u32..(start + part.len()) as u32
}

fn ids(assists: &[Assist]) -> Vec<&'static str> {
    assists.iter().filter(|assist| assist.kind != AssistKind::QuickFix).map(|assist| assist.id).collect()
}

#[track_caller]
fn after(db: &CompilerDatabase, file: SourceFile, assists: &[Assist], id: &str) -> String {
    let found = assists.iter().find(|assist| assist.id == id);
    changed(db, file, found.unwrap_or_else(|| panic!("no {id} among {assists:#?}")))
}

fn changed(db: &CompilerDatabase, file: SourceFile, assist: &Assist) -> String {
    let mut edits: Vec<_> = assist
        .edits
        .iter()
        .inspect(|edit| assert!(edit.location.file == file))
        .map(|edit| (edit.location.range.clone(), edit.text.to_string()))
        .collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    applied(file.text(db), &edits)
}

/// What a rewrite must not change.
#[derive(Debug, PartialEq)]
struct Meaning {
    /// How often each diagnostic is found.
    codes: BTreeMap<&'static str, usize>,
    /// What is known of each item with a name.
    facts: BTreeMap<String, String>,
    /// What each run computes.
    runs: Vec<Option<super::super::meaning::RunKey>>,
}

impl Meaning {
    fn new(text: &str) -> Self {
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", text);
        db.add_library(file);
        let mut codes = BTreeMap::new();
        for finding in diagnostics(&db, file) {
            *codes.entry(finding.code).or_default() += 1;
        }
        let facts =
            item_facts(&db, file).into_iter().map(|item| (format!("{} {}", item.kind, item.title()), item.display));
        let facts = facts.filter(|(name, _)| !name.ends_with(' ')).collect();
        let mut runs = Vec::new();
        let mut values = Vec::new();
        for item in file.items(&db) {
            match item.tree(&db).item.as_ref().map(|parsed| &parsed.kind) {
                Some(ItemKind::Run(_)) => runs.push(run_key(&db, *item)),
                Some(kind @ (ItemKind::Map { .. } | ItemKind::Shape { .. } | ItemKind::Const { .. })) => {
                    let name = check::db::declared(kind)[0].text.to_string();
                    values.push((format!("value {name}"), format!("{:?}", evaluate::value(&db, *item).value)));
                }
                _ => {}
            }
        }
        let mut meaning = Self { codes, facts, runs };
        meaning.facts.extend(values);
        meaning
    }

    /// What changed although it must not.
    fn changes(&self, after: &Meaning, assist: &Assist) -> Vec<String> {
        let mut changes = Vec::new();
        for (code, count) in &after.codes {
            let before = self.codes.get(code).copied().unwrap_or(0);
            // A launch that is written out is told where it has threads to spare.
            let told = *code == "surplus-threads" && assist.id == "explicit-launch";
            if *count > before && !told {
                changes.push(format!("{code}: {before} became {count}"));
            }
        }
        for (name, known) in self.facts.iter().filter(|(_, known)| !known.is_empty()) {
            // A declaration that was inlined is gone.
            if let Some(now) = after.facts.get(name).filter(|now| *now != known) {
                changes.push(format!("{name} was {known} and is {now}"));
            }
        }
        // A mask that is added is computed.
        if assist.id != "add-masked" && self.runs != after.runs {
            changes.push("a run".to_owned());
        }
        changes
    }
}

/// Everything that is written in the language here: the examples, fixtures, pages and the reference.
fn written() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in ["examples", "compiler/tests/fixtures"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let shapes = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "shape"));
        texts.extend(shapes.map(|path| std::fs::read_to_string(path).unwrap()));
    }
    let reference = std::fs::read_to_string(root.join("docs/language.md")).unwrap();
    let blocks = reference.split("```shape\n").skip(1).filter_map(|rest| rest.split("```").next());
    texts.extend(blocks.map(str::to_owned));
    // One page is about a text that takes all the effort that a check has, which each of its rewrites would take again.
    let pages = PAGES.iter().filter(|page| page.code != "checks-cut-short");
    texts.extend(pages.flat_map(|page| [page.wrong.to_owned(), page.right.to_owned()]));
    texts.push(RARE.to_owned());
    texts.push(RARE.replace('\n', "\r\n"));
    texts
}

/// What the examples do not have: dimensions with the name of their shape, masks that are not needed, hyphens, several
/// items on a line, comments everywhere.
const RARE: &str =
    "/* several\n lines */ s : [4, 8]; t : s [s(0)-s (1) + 9, /* two */ s(0..2), s(one), -s(1) + 9]; const one = 1;
const two = one+one // the sum
/// Documented.
/// Twice.
u : s [two-(0)+9, (one), size([(0), 1]), size(t [(0)])]
dim n;
kernel fill(y: mut f32[4 * n], z: mut f32[64, n]) {
    view ys = y via reshape_map([4] | [n] => layout: [0, t0]) masked;
    view zs = z via reshape_map([64] | [n] => layout: [-0, 1]) masked; // each thread its column
    for i in 0..4 { ys[i] = f32(one); }
    for i in 0..64 { zs[i] = 0.5; }
}
run fill(zeros, zeros) with n = 3 expect y == 1.0;
assert s-t(0..2) == s - t(0..2) && |t| > two - -1;
";

/// Every assist at every token, and for every expression, applied: it parses and means the same.
#[test]
fn rewrites_keep_the_meaning_everywhere() {
    let mut used: BTreeMap<&'static str, usize> = BTreeMap::new();
    let texts = written();
    assert!(texts.len() > 100);
    for text in &texts {
        let Fixture { db, file, .. } = Fixture::new(text);
        let meaning = Meaning::new(text);
        let mut seen = BTreeSet::new();
        for range in ranges(&db, file) {
            for assist in assists(&db, file, range).iter().filter(|assist| assist.kind != AssistKind::QuickFix) {
                let new = changed(&db, file, assist);
                if seen.insert(new.clone()) {
                    *used.entry(assist.id).or_default() += 1;
                    let changes = meaning.changes(&Meaning::new(&new), assist);
                    assert!(changes.is_empty(), "{}: {changes:#?}\n{text}\nbecomes\n{new}", assist.title);
                }
            }
        }
    }
    for id in [
        "layout-names",
        "layout-numbers",
        "qualify-dimension",
        "shorten-dimension",
        "extract",
        "inline",
        "explicit-launch",
        "add-masked",
        "remove-masked",
    ] {
        assert!(used.get(id).is_some_and(|times| *times > 1), "{id} is not tested: {used:?}");
    }
}

/// Every token, and the bytes of every expression.
fn ranges(db: &CompilerDatabase, file: SourceFile) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    for (position, item) in file.items(db).iter().enumerate() {
        let mut note = |span| found.push(super::super::places::bytes(db, file, position, span));
        for token in 0..item.tokens(db).len() as u32 {
            note(syntax::span::Span::new(token, token + 1));
        }
        if let Some(parsed) = &item.tree(db).item {
            super::super::enclosing::each(&parsed.kind, &mut |place| note(place.expr.span));
        }
    }
    let cursors: Vec<Range<u32>> = found.iter().map(|range| range.start..range.start).collect();
    found.extend(cursors);
    found
}

/// Half-typed files, and ranges that are none, are no reason to panic; whatever is offered can be applied.
#[test]
fn a_file_that_ends_anywhere_is_served() {
    let mut db = CompilerDatabase::default();
    for end in (0..RARE.len()).filter(|end| RARE.is_char_boundary(*end)) {
        let file = db.set_text("main.shape", &RARE[..end]);
        let end = end as u32;
        for range in [end..end, 0..end, end + 7..end + 9, end..0, end / 2..end / 2] {
            for assist in assists(&db, file, range.clone()) {
                changed(&db, file, &assist);
            }
            super::super::format_range(&db, file, range);
        }
        for lens in super::super::lenses(&db, file) {
            assert!(lens.range.start < lens.range.end);
        }
    }
}

/// Fixing everything leaves no error that it could have fixed, adds none, and keeps the syntax.
#[test]
fn fix_all_makes_no_file_worse() {
    let mut fixed = 0;
    for text in written() {
        let Fixture { db, file, .. } = Fixture::new(&text);
        let Some(assist) = fix_all(&db, file) else { continue };
        fixed += 1;
        let new = changed(&db, file, &assist);
        let (before, after) = (Meaning::new(&text), Meaning::new(&new));
        let total = |meaning: &Meaning| meaning.codes.values().sum::<usize>();
        let syntax = |meaning: &Meaning| meaning.codes.get("syntax-error").copied().unwrap_or(0);
        assert!(total(&after) < total(&before) && syntax(&after) <= syntax(&before), "{text}\nbecomes\n{new}");
    }
    assert!(fixed > 10, "only {fixed}");
}
