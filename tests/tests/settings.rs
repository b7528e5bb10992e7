//! What a check is told: how far to go, and for which GPU.

use std::sync::{Arc, Mutex};

use crate::support::check;
use ide::CompilerDatabase;
use ide::Finding;
use kernel::Target;
use proofs::Effort;

/// Five million points, more than are enumerated in an editor, on a map to which no theorem applies.
const LARGE: &str = "const B = 64;
s : [B, 2];
map large = chain((continuous_linear(1000003), 1000), (linear(3, 1000), thread), threads: 5000);
";

const CUT_SHORT: &str = "check --deep";

fn advises_deep(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.help.iter().any(|help| help.contains(CUT_SHORT)))
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_deep_check_decides_what_the_budget_left_open() {
    let executed: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = executed.clone();
    let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            log.lock().unwrap().push(format!("{database_key:?}"));
        }
    })));
    let file = db.set_text("main.shape", &format!("{LARGE}assert large.covers(1000);\n"));
    let open = ide::diagnostics(&db, file);
    assert_eq!((codes(&open), advises_deep(&open)), (vec!["assertion-open"], true));

    executed.lock().unwrap().clear();
    db.set_effort(Effort::Editing);
    assert_eq!(ide::diagnostics(&db, file), open);
    assert!(executed.lock().unwrap().is_empty(), "the same effort is no change");

    db.set_effort(Effort::Deep);
    assert_eq!(ide::diagnostics(&db, file), []);

    db.set_effort(Effort::Editing);
    assert_eq!(ide::diagnostics(&db, file), open);
}

/// The advice is given exactly where the budget was the reason.
#[test]
fn only_what_the_budget_stopped_is_said_to_need_more() {
    let small = "map m = reshape_map([4] | [8] => layout: [i0, t0]);\n";
    let beyond = "map m = chain((continuous_linear(1000003), 1000), (linear(3, 1000), thread), threads: 5000000000);\n";
    for (text, advised) in [
        (format!("{LARGE}assert large.covers(1000);\n"), true),
        (format!("{LARGE}show large.covers(1000);\n"), true),
        (format!("{LARGE}assert large.injective;\n"), false),
        (format!("{LARGE}assert large.covers(100000000);\n"), false),
        // No larger budget allows so many points.
        (format!("{beyond}assert m.covers(1000);\n"), false),
        (format!("{small}assert m.covers(33);\n"), false),
        ("dim N;\nassert N * N % 3 <= 1;\n".to_owned(), false),
    ] {
        let checked = check(&text);
        assert_eq!(advises_deep(&checked.findings), advised, "{text}\n{}", checked.report());
    }
}

/// A kernel whose bounds need more work than an editor allows is no error: its claims are checked at launch.
#[test]
fn bounds_that_the_budget_left_open_are_asked_at_launch() {
    let kernel = |length: i64| {
        let body = "view ys = y via large;\n    for i in 0..1001 { ys[i] = 1.0; }";
        format!("{LARGE}kernel k(y: mut f32[{length}]) grid(5) block(1000) {{\n    {body}\n}}\n")
    };
    let checked = check(&kernel(5_000_014));
    assert!(checked.codes().contains("bounds-open") && checked.errors().is_empty(), "{}", checked.report());
    assert!(advises_deep(&checked.findings));
    assert_eq!(checked.kernel().expect("accepted").obligations.len(), 1);

    let mut db = CompilerDatabase::default();
    db.set_effort(Effort::Deep);
    let file = db.set_text("main.shape", &kernel(5_000_014));
    let found = ide::diagnostics(&db, file);
    assert!(codes(&found).contains(&"out-of-bounds") && !advises_deep(&found), "{found:#?}");
}

fn for_target(text: &str, target: Option<&str>) -> Vec<String> {
    let mut db = CompilerDatabase::default();
    db.set_target(target.map(|target| target.parse::<Target>().unwrap()));
    let file = db.set_text("main.shape", text);
    ide::diagnostics(&db, file)
        .iter()
        .filter(|finding| finding.code == "launch-limit")
        .map(|finding| finding.message.clone())
        .collect()
}

#[test]
fn a_target_decides_whether_there_are_clusters() {
    let kernel = "kernel k(y: mut f32[1]) cluster(2) grid(2) block(1) { y[0] = 1.0; }\n";
    let none = "sm_80 has no clusters of blocks, sm_90 is the first that has";
    assert_eq!(for_target(kernel, Some("sm_80")), [none]);
    for able in [None, Some("sm_90"), Some("sm_120")] {
        assert!(for_target(kernel, able).is_empty(), "{able:?}");
    }
    let kernel = kernel.replace("cluster(2)", "cluster(1)");
    assert!(for_target(&kernel, Some("sm_75")).is_empty());
    let blocks = |count: &str| kernel.replace("cluster(1)", &format!("cluster({count})"));
    let most =
        |count: &str, most: &str| format!("{count} blocks of a cluster are more than the {most} that are possible");
    // GPUs of data centres launch twice the blocks that every GPU with clusters can.
    for target in [None, Some("sm_90"), Some("sm_100")] {
        assert!(for_target(&blocks("16"), target).is_empty(), "{target:?}");
        assert_eq!(for_target(&blocks("17"), target), [most("17", "16")], "{target:?}");
    }
    assert!(for_target(&blocks("8"), Some("sm_120")).is_empty());
    assert_eq!(for_target(&blocks("9"), Some("sm_120")), [most("9", "8")]);
}

#[test]
fn blocks_and_grids_have_limits_on_every_target() {
    let grid = "kernel k(n: i64, y: mut f32[1]) grid(GRID) block(BLOCK) { if n > 0 { let a = y[0]; } }\n";
    let with = |blocks: &str, threads: &str| grid.replace("GRID", blocks).replace("BLOCK", threads);
    for target in [None, Some("sm_75"), Some("sm_100")] {
        assert!(for_target(&with("2147483647", "1024"), target).is_empty());
        assert_eq!(
            for_target(&with("2147483648", "1024"), target),
            ["2147483648 blocks of a grid are more than the 2147483647 that are possible"]
        );
        assert_eq!(
            for_target(&with("1", "1025"), target),
            ["1025 threads of a block are more than the 1024 that are possible"]
        );
        // A launch that is too large for every size.
        let sized = format!("dim N where N >= 2000;\n{}", with("1", "N"));
        assert_eq!(for_target(&sized, target), ["N threads of a block are more than the 1024 that are possible"]);
        let sized = format!("dim N;\n{}", with("1", "N"));
        assert!(for_target(&sized, target).is_empty());
    }
}
