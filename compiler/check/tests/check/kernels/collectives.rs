//! What is said of loops over thread collectives that the launch has no threads for, and that the fixes mend it.

use ide::CompilerDatabase;
use ide::Finding;

fn findings(text: &str) -> Vec<Finding> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    ide::diagnostics(&db, file)
}

/// A loop over 12 rows, with a block clause or without one.
fn rows(block: &str, count: i64) -> String {
    format!(
        "kernel rows(y: mut f32[12, 32]) grid(1){block} {{
    for w in threads({count}, cuda_warp) {{
        for t in threads(32, cuda_thread) {{ y[w, t] = 1.0; }}
    }}
}}
"
    )
}

/// The message of the only error, and what its fixes make of the text.
fn mended(text: &str) -> (String, Vec<String>) {
    let found = findings(text);
    let [error] = found.as_slice() else { panic!("{found:#?}") };
    let applied = error.fixes.iter().map(|fix| {
        let mut mended = text.to_owned();
        for edit in fix.edits.iter().rev() {
            mended.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
        }
        mended
    });
    (error.message.clone(), applied.collect())
}

#[test]
fn too_few_threads_name_the_loop_as_it_is_written() {
    let (message, fixes) = mended(&rows(" block(256)", 12));
    assert_eq!(message, "`threads(12, cuda_warp)` needs 12 × 32 = 384 threads, but there are 256: 8 `cuda_warp` fit");
    assert_eq!(fixes, [rows(" block(256)", 8), rows(" block(384)", 12)]);
    assert!(findings(&fixes[1]).is_empty(), "{:#?}", findings(&fixes[1]));
}

#[test]
fn a_block_that_is_not_written_is_as_large_as_its_loops_need() {
    assert!(findings(&rows("", 12)).is_empty());
    // A view that needs fewer threads takes none away.
    let text = rows("", 12).replace("f32[12, 32]", "f32[12, 32], z: mut f32[64]").replace(
        "    for w",
        "    view zs = z via reshape_map([1] | [64] => layout: [i0, t0]) masked;
    zs[0] = 1.0;
    for w",
    );
    assert!(findings(&text).is_empty(), "{:#?}", findings(&text));
}

#[test]
fn no_block_is_offered_that_no_device_has_or_that_gives_an_inner_loop_nothing() {
    let (_, fixes) = mended(&rows(" block(256)", 33));
    assert_eq!(fixes, [rows(" block(256)", 8)]);
    let text = "kernel k(y: mut f32[8]) grid(1) block(64) {
    for w in threads(2, cuda_warp) {
        for t in threads(64, cuda_thread) { }
    }
}
";
    let (message, fixes) = mended(text);
    assert!(message.starts_with("`threads(64, cuda_thread)` needs 64 × 1 = 64 threads, but there are 32"), "{message}");
    assert_eq!(fixes, [text.replace("threads(64", "threads(32")]);
}

#[test]
fn a_unit_that_the_block_does_not_have_offers_other_blocks() {
    let text = "kernel k(y: mut f32[1]) grid(1) block(64) {
    for g in threads(1, cuda_warpgroup) {
        with threads(0..1, cuda_thread) { y[g] = 1.0; }
    }
}
";
    let (_, fixes) = mended(text);
    assert_eq!(fixes, [text.replace("block(64)", "block(128)")]);
    assert!(findings(&fixes[0]).is_empty(), "{:#?}", findings(&fixes[0]));
}
