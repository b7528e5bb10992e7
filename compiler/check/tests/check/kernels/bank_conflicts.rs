//! What is said of bank conflicts in kernels, and that the fixes end them.

use ide::CompilerDatabase;
use ide::Finding;

fn findings(text: &str) -> Vec<Finding> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    ide::diagnostics(&db, file)
}

/// A tile that is written by rows and read by columns.
fn transpose(declaration: &str) -> String {
    format!(
        "kernel turn(x: f32[32, 32], y: mut f32[32, 32]) grid(1) block(256) {{
    {declaration}
    for w in threads(8, cuda_warp) {{
        for t in threads(32, cuda_thread) {{
            for k in 0..4 {{ tile[w + 8 * k, t] = x[w + 8 * k, t]; }}
        }}
    }}
    for w in threads(8, cuda_warp) {{
        for t in threads(32, cuda_thread) {{
            for k in 0..4 {{ y[w + 8 * k, t] = tile[t, w + 8 * k]; }}
        }}
    }}
}}
"
    )
}

/// The texts that the fixes of a finding lead to, each of which must be without findings.
fn mended(text: &str, found: &Finding) -> Vec<String> {
    let applied = found.fixes.iter().map(|fix| {
        let mut mended = text.to_owned();
        for edit in fix.edits.iter().rev() {
            mended.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
        }
        assert_eq!(findings(&mended), [], "{mended}");
        mended
    });
    applied.collect()
}

#[test]
fn a_column_of_a_tile_is_a_conflict_that_a_swizzle_or_a_pad_ends() {
    let text = transpose("shared tile : f32[32, 32];");
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        (found[0].code, found[0].message.as_str()),
        (
            "bank-conflict",
            "a warp's load from `tile` has a 32-way bank conflict: lanes 0 and 1 want different words of bank 0"
        )
    );
    assert_eq!(found[0].help, ["thread 0 wants element [0, 0] of `tile`, thread 1 element [1, 0]"]);
    let after = mended(&text, &found[0]);
    assert_eq!(after, [transpose("shared tile : f32[32, 32] |> xor;"), transpose("shared tile : f32[32, 33];")]);
}

#[test]
fn what_does_not_end_the_conflict_is_not_offered() {
    let text = transpose("shared tile : f32[32, 64];");
    let found = findings(&text);
    assert_eq!(found.len(), 1);
    let titles: Vec<&str> = found[0].fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["swizzle its columns by its rows with `xor`", "pad its rows: `65` instead of `64`"]);
    // A stride of two elements keeps its conflict, whatever lies behind a row.
    let strided = "kernel k(y: mut f32[32]) grid(1) block(32) {
    shared s : f32[64];
    for t in threads(32, cuda_thread) { s[2 * t] = 1.0; }
    for t in threads(32, cuda_thread) { y[t] = s[2 * (31 - t)]; }
}
";
    let found = findings(strided);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|found| found.message.contains("2-way bank conflict") && found.fixes.is_empty()));
}

#[test]
fn only_threads_that_run_the_statement_count() {
    // One thread of each warp accesses a column: they never meet.
    let text = "kernel k(x: f32[8], y: mut f32[8]) grid(1) block(256) {
    shared tile : f32[8, 32];
    for w in threads(8, cuda_warp) {
        with threads(0..1, cuda_thread) { tile[w, 0] = x[w]; }
    }
    for w in threads(8, cuda_warp) {
        with threads(0..1, cuda_thread) { y[w] = tile[7 - w, 0]; }
    }
}
";
    assert_eq!(findings(text), []);
    // The lanes of one condition of an expression reach one word each.
    let text = "kernel k(y: mut f32[32]) grid(1) block(32) {
    shared s : f32[1024];
    for t in threads(32, cuda_thread) { s[t] = 1.0; }
    for t in threads(32, cuda_thread) { y[t] = if t < 1 { s[32 * t] } else { s[t] }; }
}
";
    assert_eq!(findings(text), []);
}

#[test]
fn an_index_of_data_says_nothing() {
    let text = "kernel k(at: i32[32], y: mut f32[32]) grid(1) block(32) {
    shared s : f32[32, 32];
    for t in threads(32, cuda_thread) { s[0, t] = 1.0; }
    for t in threads(32, cuda_thread) {
        let i = at[t];
        if i >= 0 && i < 32 { y[t] = s[i, 0]; } else { y[t] = 0.0; }
    }
}
";
    assert!(findings(text).iter().all(|found| found.code != "bank-conflict"));
}
