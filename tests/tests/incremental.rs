//! What an edit makes the compiler do again, counted; and that a database which lived through edits says the same as a
//! fresh one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::support::check;
use check::db::SourceFile;
use ide::CompilerDatabase;
use ide::Finding;
use seeds::Draw;

/// A database that counts what it executes.
struct Counted {
    db: CompilerDatabase,
    file: SourceFile,
    executed: Arc<Mutex<Vec<String>>>,
}

impl Counted {
    /// A database that has checked the text already.
    fn warm(text: &str) -> Self {
        let mut counted = Self::cold(text);
        counted.check();
        counted
    }

    /// A database that has not looked at the text yet.
    fn cold(text: &str) -> Self {
        let executed: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = executed.clone();
        let observer = move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                log.lock().unwrap().push(format!("{database_key:?}"));
            }
        };
        let mut db = CompilerDatabase::with_observer(Some(Box::new(observer)));
        let file = db.set_text("main.shape", text);
        Self { db, file, executed }
    }

    /// Checks everything; how often each query was executed.
    fn check(&mut self) -> BTreeMap<String, usize> {
        self.executed.lock().unwrap().clear();
        ide::diagnostics(&self.db, self.file);
        self.executed()
    }

    /// How often each query was executed since the log was cleared.
    fn executed(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for key in self.executed.lock().unwrap().iter() {
            let query = key.split('(').next().unwrap_or(key).to_owned();
            *counts.entry(query).or_default() += 1;
        }
        counts
    }

    /// Changes the text and checks.
    fn edit(&mut self, text: &str) -> BTreeMap<String, usize> {
        self.db.set_text("main.shape", text);
        self.check()
    }

    fn findings(&self) -> Vec<Finding> {
        ide::diagnostics(&self.db, self.file)
    }
}

/// What only finds places and items again, once for a file: it is not counted as checking.
const PLACES: &[&str] = &["positions", "line_index"];

/// The executed queries without those that only find places.
fn checked(counts: &BTreeMap<String, usize>) -> Vec<(&str, usize)> {
    counts
        .iter()
        .filter(|(query, _)| !PLACES.contains(&query.as_str()))
        .map(|(query, count)| (query.as_str(), *count))
        .collect()
}

const CHAIN: &str = "const B = 64;
tiles : [B, 2 * B];
assert size(tiles) == 8192;
other : [3];
map m = reshape_map([3] | [4] => layout: [i0, t0]);
kernel k(y: mut f32[12]) { view ys = y via m; for i in 0..3 { ys[i] = 1.0; } }
run k(y: zeros) expect y == 1.0;
";

/// Each question about a kernel is a query of its own, so who asks what a name means waits for no proof and no barrier.
#[test]
fn hovers_and_hints_in_a_kernel_type_it_and_prove_nothing() {
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
        shared s : f32[64];
        for t in threads(64, cuda_thread) { s[t] = x[t]; }
        for u in threads(64, cuda_thread) { let other = 63 - u; y[u] = s[other]; }
    }\n";
    let mut counted = Counted::cold(text);
    for name in ["k(", "s :", "t in", "other =", "x:", "threads"] {
        let offset = text.find(name).unwrap() as u32;
        assert!(ide::hover(&counted.db, counted.file, offset).is_some(), "{name}");
    }
    let hints = ide::inlay_hints(&counted.db, counted.file, 0..text.len() as u32);
    assert!(!hints.hints.is_empty() && !hints.complete);
    assert!(!ide::lenses(&counted.db, counted.file).is_empty());
    let offset = text.find("s[other]").unwrap() as u32;
    assert!(!ide::completions(&counted.db, counted.file, offset).items.is_empty());
    let counts = counted.executed();
    assert_eq!(counts.get("typed_instance"), Some(&1), "{counts:?}");
    for query in ["proven_instance", "placed_instance", "instance_hints", "checked_kernel"] {
        assert_eq!(counts.get(query), None, "{counts:?}");
    }
    let counts = counted.check();
    assert_eq!(counts.get("typed_instance"), None, "{counts:?}");
    for query in ["proven_instance", "placed_instance", "instance_hints", "checked_kernel"] {
        assert_eq!(counts.get(query), Some(&1), "{counts:?}");
    }
    // What has been computed is shown, and computes nothing.
    counted.executed.lock().unwrap().clear();
    assert!(ide::inlay_hints(&counted.db, counted.file, 0..text.len() as u32).complete);
    let hover = ide::hover(&counted.db, counted.file, text.find("k(").unwrap() as u32).unwrap();
    let shown = hover.shown.plain();
    assert!(shown.contains("placed 1 barrier"), "{shown}");
    let again = counted.executed();
    for query in ["typed_instance", "proven_instance", "placed_instance", "instance_hints", "checked_kernel"] {
        assert_eq!(again.get(query), None, "{again:?}");
    }
}

/// An edit ends a check between two statements, and inside the proof about one access.
#[test]
fn a_check_looks_for_edits_all_the_way() {
    let looks = |body: &str| {
        let looked: Arc<Mutex<usize>> = Arc::default();
        let log = looked.clone();
        let observer = move |event: salsa::Event| {
            *log.lock().unwrap() += usize::from(matches!(event.kind, salsa::EventKind::WillCheckCancellation));
        };
        let mut db = CompilerDatabase::with_observer(Some(Box::new(observer)));
        let text = format!(
            "kernel k(x: f32[64], y: mut f32[64, 64, 64, 7]) grid(1) block(64) {{
                for t in threads(64, cuda_thread) {{ {body} }} }}\n"
        );
        let file = db.set_text("main.shape", &text);
        ide::diagnostics(&db, file);
        *looked.lock().unwrap()
    };
    let none = looks("");
    let statements = "let a = x[t];".repeat(500);
    assert!(looks(&statements) >= none + 1000, "typing and proving look at each statement and access");
    // Nothing but going through its points decides a map like this.
    let points =
        "for i in 0..64 { for j in 0..64 { y[t, (i * 5 + j) / 7, (i * 3 + j) % 64, (i + 2 * j + t) % 7] = 1.0; } }";
    assert!(looks(points) > none + 30, "{}, {none}", looks(points));
}

#[test]
fn nothing_is_executed_where_nothing_changed() {
    let mut counted = Counted::warm(CHAIN);
    assert!(counted.check().is_empty());
    assert!(counted.edit(CHAIN).is_empty());
}

#[test]
fn white_space_and_comments_re_check_nothing() {
    for edited in [
        CHAIN.replace(' ', "  "),
        CHAIN.replace(";\n", "; // a comment\n\n"),
        format!("/* before\n everything */\n\n{CHAIN}"),
        CHAIN.replace('\n', "\r\n"),
    ] {
        let mut counted = Counted::warm(CHAIN);
        let counts = counted.edit(&edited);
        assert_eq!(checked(&counts), [], "{counts:?}\n{edited}");
    }
}

/// Asks what an editor shows of a whole file, and hovers over every token. Each answer as a text, without places.
fn show(db: &CompilerDatabase, file: SourceFile) -> Vec<String> {
    let length = file.text(db).len() as u32;
    let tokens = ide::semantic_tokens(db, file, None);
    let mut shown: Vec<String> = ide::inlay_hints(db, file, 0..length)
        .hints
        .into_iter()
        .map(|hint| hint.label + &hint.tooltip.plain())
        .collect();
    shown.extend(ide::lenses(db, file).into_iter().map(|lens| format!("{:?}", lens.kind)));
    shown.extend(ide::document_symbols(db, file).into_iter().map(|symbol| symbol.detail));
    ide::folding_ranges(db, file);
    ide::document_links(db, file);
    for token in tokens.iter().filter(|token| token.colour != ide::Colour::Comment) {
        shown.push(format!("{:?} {:?}", token.colour, token.modifiers));
        shown.extend(ide::hover(db, file, token.range.start).map(|hover| hover.shown.markdown()));
    }
    shown
}

#[test]
fn white_space_makes_an_editor_compute_nothing_again() {
    for edited in [
        CHAIN.replace(' ', "  "),
        CHAIN.replace(";\n", "; // a comment\n\n"),
        format!("/* before\n everything */\n\n{CHAIN}"),
        CHAIN.replace('\n', "\r\n"),
    ] {
        let mut counted = Counted::warm(CHAIN);
        let before = show(&counted.db, counted.file);
        assert!(before.len() > 50, "{before:?}");
        counted.db.set_text("main.shape", &edited);
        counted.executed.lock().unwrap().clear();
        assert_eq!(show(&counted.db, counted.file), before, "{edited}");
        let executed = counted.executed.lock().unwrap();
        let again: Vec<&String> =
            executed.iter().filter(|key| !PLACES.iter().any(|query| key.starts_with(query))).collect();
        assert_eq!(again, [""; 0], "{edited}");
    }
}

/// What an edit executes where the same place was edited before: the first edit of an item also tells its readers that
/// it is volatile now.
fn evaluated(before: &str, from: &str, to: &str) -> BTreeMap<String, usize> {
    assert_eq!(before.matches(from).count(), 1, "`{from}` must be unique");
    let after = before.replace(from, to);
    let mut counted = Counted::warm(before);
    counted.edit(&after);
    counted.edit(before);
    counted.edit(&after)
}

#[test]
fn an_edit_re_executes_its_item_and_the_readers_of_its_value() {
    // The constant, the shape that reads it, the assertion that reads the shape.
    let counts = evaluated(CHAIN, "B = 64", "B = 32");
    assert_eq!(counts.get("value"), Some(&3), "{counts:?}");
    assert_eq!((counts.get("checked_kernel"), counts.get("run")), (None, None), "{counts:?}");
}

#[test]
fn readers_stop_where_the_value_stays_the_same() {
    // 64 in other words: items that use it are not evaluated again.
    let counts = evaluated(CHAIN, "B = 64", "B = 32 + 32");
    assert_eq!(counts.get("value"), Some(&1), "{counts:?}");
}

#[test]
fn an_item_that_nobody_reads_re_executes_alone() {
    let counts = evaluated(CHAIN, "other : [3]", "other : [4]");
    assert_eq!(counts.get("value"), Some(&1), "{counts:?}");
    assert_eq!((counts.get("checked_kernel"), counts.get("run")), (None, None), "{counts:?}");
}

#[test]
fn a_map_re_checks_the_kernel_that_uses_it_and_its_runs() {
    let counts = evaluated(CHAIN, "[i0, t0]", "[t0, i0]");
    assert_eq!((counts.get("value"), counts.get("checked_kernel")), (Some(&1), Some(&1)), "{counts:?}");
    assert_eq!(counts.get("run"), Some(&1), "{counts:?}");
}

#[test]
fn the_body_of_a_kernel_re_checks_the_kernel_alone() {
    let counts = evaluated(CHAIN, "ys[i] = 1.0", "ys[i] = 2.0");
    assert_eq!((counts.get("value"), counts.get("checked_kernel")), (None, Some(&1)), "{counts:?}");
}

#[test]
fn renaming_re_checks_the_readers_of_the_name() {
    let counts = evaluated(CHAIN, "other : [3]", "another : [3]");
    assert_eq!(counts.get("value"), Some(&1), "{counts:?}");
    assert_eq!(counts.get("checked_kernel"), None, "{counts:?}");
}

#[test]
fn a_new_item_is_checked_alone() {
    for edited in [format!("{CHAIN}fresh : [5];\n"), format!("fresh : [5];\n{CHAIN}")] {
        let counts = Counted::warm(CHAIN).edit(&edited);
        assert_eq!(counts.get("value"), Some(&1), "{counts:?}");
        assert_eq!(counts.get("checked_kernel"), None, "{counts:?}");
    }
}

/// A finding without the database that it belongs to.
fn plain(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|found| {
            let fixes: Vec<String> = found
                .fixes
                .iter()
                .map(|fix| {
                    let edits: Vec<String> =
                        fix.edits.iter().map(|edit| format!("{:?}{}", edit.location.range, edit.text)).collect();
                    format!("{}{edits:?}", fix.title)
                })
                .collect();
            let related: Vec<String> =
                found.related.iter().map(|(place, message)| format!("{:?}{message}", place.range)).collect();
            format!(
                "{} {} {} {:?} {:?} {related:?} {fixes:?}",
                found.code, found.message, found.label, found.location.range, found.help
            )
        })
        .collect()
}

/// One edit such as people make: a word becomes another word of the file, a line goes, comes twice, or moves.
fn mutate(text: &str, draw: &mut Draw) -> String {
    const WORDS: &[&str] = &[
        "B", "M", "N", "tiles", "m", "k", "64", "0", "3", "4", "[", "]", "(", ")", ";", "+", "/", "dim", "map",
        "assert", "==", "where", "\n", " ", "// x\n",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    let line = draw.index(lines.len());
    match draw.index(6) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(draw.index(lines.len()), lines[line].clone()),
        2 => {
            let moved = lines.remove(line);
            lines.insert(draw.index(lines.len() + 1), moved);
        }
        _ => {
            let mut at: Vec<usize> = lines[line].char_indices().map(|(at, _)| at).collect();
            at.push(lines[line].len());
            let (start, end) = (draw.index(at.len()), draw.index(3));
            let (start, end) = (at[start], at[(start + end).min(at.len() - 1)]);
            let word: &str = WORDS[draw.index(WORDS.len())];
            lines[line].replace_range(start..end, word);
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_warm_database_says_what_a_fresh_one_says() {
    let start = format!("dim M, N where M % 64 == 0, N <= M;\nsymbolic : [cdiv(M, B), N];\n{CHAIN}");
    for seed in seeds::range(6) {
        let mut draw = Draw::new(seed);
        let mut text = start.clone();
        let mut counted = Counted::warm(&text);
        for step in 0..60 {
            text = if step % 20 == 19 { start.clone() } else { mutate(&text, &mut draw) };
            counted.db.set_text("main.shape", &text);
            let (warm, fresh) = (plain(&counted.findings()), plain(&check(&text).findings));
            assert_eq!(warm, fresh, "seed {seed}, step {step}:\n{text}");
        }
    }
}
