//! The positions and texts of hints, and that an edit recomputes only those of one item.

use std::sync::{Arc, Mutex};

use super::*;
use crate::CompilerDatabase;
use crate::fixture::Fixture;

/// The text with its hints in `⟨⟩`, once it has been checked.
fn hinted(text: &str) -> String {
    let Fixture { db, file, .. } = Fixture::new(text);
    crate::diagnostics(&db, file);
    let text = file.text(&db);
    let mut shown = String::new();
    let mut at = 0;
    let found = inlay_hints(&db, file, 0..text.len() as u32);
    assert!(found.complete);
    for hint in found.hints {
        shown.push_str(&text[at..hint.position as usize]);
        shown.push_str(&format!("{}⟨{}⟩", if hint.padded { " " } else { "" }, hint.label));
        at = hint.position as usize;
    }
    shown + &text[at..]
}

#[test]
fn hints_stand_behind_what_they_are_about() {
    assert_eq!(hinted("a : [2, 3];\nb : a * 2;"), "a : [2, 3];\nb : a * 2 ⟨= [4, 6]⟩;");
    assert_eq!(hinted("const A = 4;\nconst B = A * 2;"), "const A = 4;\nconst B = A * 2 ⟨= 8⟩;");
    let maps = [
        ("map m = reshape_map([3] | [4])", "[3, 4] → [12] ✓"),
        ("map m = reshape_map([(3, 4)] | [4])", "[3, 4] → [16] ✗ covers"),
    ];
    for (map, hint) in maps {
        assert_eq!(hinted(&format!("{map};")), format!("{map} ⟨{hint}⟩;"));
    }
    // The dimensions above each stage.
    assert_eq!(
        hinted("dim N;\nmap m = row_major([N, 30]) |> { 0: _, 1: pad(1, 1) } |> { 0: _, 1: unmerge(8, 4) } |> merge;"),
        "dim N;\nmap m = row_major([N, 30]) |> { 0: _, 1: pad(1, 1) } ⟨[N, 32]⟩ |> { 0: _, 1: unmerge(8, 4) } ⟨[N, 8, 4]⟩ \
         |> merge ⟨[32 * N] → [30 * N] ✓⟩;"
    );
    // Each line with the same line and its hints.
    let lines = [
        ("dim N;", "dim N;"),
        (
            "kernel k(x: f32[N], y: mut f32[N]) {",
            "kernel k(x: f32[N], y: mut f32[N]) ⟨grid(cdiv(N, 1024)) block(256)⟩ {",
        ),
        (
            "view xs = x via continuous_linear(4, cdiv(N, 4)) masked;",
            "view xs⟨: f32[4] per thread⟩ = x via continuous_linear(4, cdiv(N, 4)) masked;",
        ),
        ("let a = xs[0];", "let a⟨: f32⟩ = xs[0];"),
        ("let b: f32 = a;", "let b: f32 = a;"),
        ("for i in 0..4 { y[i] = a; } }", "for i in 0..4 { y[i] = a; } }"),
    ];
    let side =
        |of: fn(&(&'static str, &'static str)) -> &'static str| lines.iter().map(of).collect::<Vec<_>>().join("\n");
    assert_eq!(hinted(&side(|line| line.0)), side(|line| line.1));
    // What is wrong has no hints, and what stands beside it keeps its own.
    assert_eq!(hinted("b : c * 2;\nd : [1, 2] + 1;"), "b : c * 2;\nd : [1, 2] + 1 ⟨= [2, 3]⟩;");
}

/// The lines of a text with hints.
fn hinted_lines(text: &str) -> Vec<String> {
    let lines = hinted(text);
    lines.lines().filter(|line| line.contains('⟨')).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn loops_over_collectives_say_how_the_threads_are_given_out() {
    let text = "kernel k(y: mut f32[8, 4]) grid(1) block(384) {
    with threads(0..9, cuda_warp) {
        for w in threads(8, cuda_warp) {
            for q in threads(4, 8 * cuda_thread) {
                with threads(0..1, cuda_thread) { y[w, q] = 1.0; }
            }
        }
    }
}
";
    assert_eq!(
        hinted_lines(text),
        [
            "with threads(0..9, cuda_warp) ⟨288 of 384 threads⟩ {",
            "for w in threads(8, cuda_warp) ⟨8 × cuda_warp of 288 threads⟩ {",
            "for q in threads(4, 8 * cuda_thread) ⟨4 × 8 * cuda_thread of 32 threads⟩ {",
            "with threads(0..1, cuda_thread) ⟨1 of 8 threads⟩ { y[w, q] = 1.0; }",
        ]
    );
}

#[test]
fn barriers_stand_where_the_compiler_placed_them() {
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(256) {
    shared s : f32[256];
    for t in threads(64, cuda_thread) { s[t] = x[t]; } // first
    for t in threads(64, cuda_thread) { s[64 + t] = s[63 - t]; }
    with threads(0..2, cuda_warp) {
        for t in threads(64, cuda_thread) { s[t] = x[t]; }
        for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
    }
    for w in threads(2, cuda_warp) {
        for half in threads(2, 16 * cuda_thread) {
            for t in threads(16, cuda_thread) { s[128 + w * 32 + half * 16 + t] = 1.0; }
            for t in threads(16, cuda_thread) { s[192 + w * 32 + half * 16 + t] = s[143 + w * 32 + half * 16 - t]; }
        }
    }
}
";
    let lines = hinted_lines(text);
    let barriers: Vec<&str> = lines.iter().filter(|line| line.contains('⟂')).map(String::as_str).collect();
    assert_eq!(
        barriers,
        [
            "for t in threads(64, cuda_thread) ⟨64 × cuda_thread of 256 threads⟩ { s[t] = x[t]; } ⟨⟂ barrier: block⟩ // first",
            "with threads(0..2, cuda_warp) ⟨64 of 256 threads⟩ { ⟨⟂ barrier: 2 warps⟩",
            "for t in threads(64, cuda_thread) ⟨64 × cuda_thread of 64 threads⟩ { s[t] = x[t]; } ⟨⟂ barrier: 2 warps⟩",
            "for t in threads(16, cuda_thread) ⟨16 × cuda_thread of 16 threads⟩ { s[128 + w * 32 + half * 16 + t] = 1.0; } \
             ⟨⟂ __syncwarp: 16 lanes⟩",
        ]
    );
    let Fixture { db, file, .. } = Fixture::new(text);
    // The other hints are shown before the kernel is checked, without the barriers.
    let before = inlay_hints(&db, file, 0..text.len() as u32);
    assert!(!before.complete && !before.hints.is_empty(), "{before:?}");
    crate::diagnostics(&db, file);
    let InlayHints { hints, complete } = inlay_hints(&db, file, 0..text.len() as u32);
    assert!(complete && hints.len() == before.hints.len() + barriers.len());
    let first = hints.iter().find(|hint| hint.label.starts_with('⟂')).unwrap();
    assert_eq!(
        first.tooltip.plain(),
        "The compiler placed a barrier here: all threads of the block wait for each other.\n\n`s[t]` is over in each of them \
         before `s[63 - t]` happens in any."
    );
}

#[test]
fn barriers_of_one_statement_are_one_hint() {
    let text = "kernel k(x: f32[4, 64], y: mut f32[4, 64]) {
    view px = partition(x, [1, 64]);
    view py = partition(y, [1, 64]);
    for i in grid(4) {
        let row = px.load(i, 0);
        py.store(row - row.max(1, keep: true), i, 0);
    }
}
";
    let lines = hinted_lines(text);
    let barriers: Vec<&str> = lines.iter().filter(|line| line.contains('⟂')).map(String::as_str).collect();
    assert_eq!(barriers, ["let row⟨: f32[1, 64]⟩ = px.load(i, 0); ⟨⟂ 3 × barrier: block⟩"]);
    let Fixture { db, file, .. } = Fixture::new(text);
    crate::diagnostics(&db, file);
    let hints = inlay_hints(&db, file, 0..text.len() as u32).hints;
    let tooltip = hints.iter().find(|hint| hint.label.starts_with('⟂')).unwrap().tooltip.plain();
    assert!(tooltip.starts_with("The compiler placed 3 barriers between the parts of this statement:"), "{tooltip}");
    assert_eq!(tooltip.matches("all threads of the block wait for each other: ").count(), 3);
}

#[test]
fn only_a_part_is_asked_for() {
    let text = "a : [2] + 1;\nb : [3] + 1;";
    let Fixture { db, file, .. } = Fixture::new(text);
    let labels = |part| inlay_hints(&db, file, part).hints.into_iter().map(|hint| hint.label).collect::<Vec<_>>();
    assert_eq!(labels(0..12), ["= [3]"]);
    assert_eq!(labels(13..25), ["= [4]"]);
    assert_eq!(labels(0..3), [""; 0]);
}

#[test]
fn an_edit_computes_the_hints_of_one_item_again() {
    let executed = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&executed);
    let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            seen.lock().unwrap().push(format!("{database_key:?}"));
        }
    })));
    let text = "// first\na : [2] + 1;\nb : [3] + 1;\nmap m = reshape_map([3] | [4]);\n";
    let file = db.set_text("main.shape", text);
    let all = 0..text.len() as u32;
    assert_eq!(inlay_hints(&db, file, all.clone()).hints.len(), 3);
    let hints = |executed: &Mutex<Vec<String>>| {
        executed.lock().unwrap().drain(..).filter(|query| query.contains("inlay") || query.contains("of_item")).count()
    };
    assert_eq!(hints(&executed), 3);
    // A longer comment moves every item and changes none.
    db.set_text("main.shape", &text.replace("first", "the first"));
    inlay_hints(&db, file, all.clone());
    assert_eq!(hints(&executed), 0);
    db.set_text("main.shape", &text.replace("[3] + 1", "[3] + 2"));
    inlay_hints(&db, file, all);
    assert_eq!(hints(&executed), 1);
}

#[test]
fn tilings_say_who_does_how_much() {
    assert_eq!(
        hinted("tiling t = block(384) |> tile(w: 8, cuda_warp);"),
        "tiling t = block(384) |> tile(w: 8, cuda_warp) ⟨8 × cuda_warp of 384 threads⟩;"
    );
    assert_eq!(
        hinted("tiling t = cluster(2) block(64)\n    |> tile(w: 2, cuda_warp)\n    |> specialize(0..16, cuda_thread);"),
        "tiling t = cluster(2) block(64)\n    |> tile(w: 2, cuda_warp) ⟨64 threads⟩\n    \
         |> specialize(0..16, cuda_thread) ⟨2 × 32 of 128 threads⟩;"
    );
    assert_eq!(hinted("tiling t = block(1);"), "tiling t = block(1) ⟨1 thread⟩;");
    assert_eq!(hinted("tiling t = block(0);"), "tiling t = block(0);");
}
