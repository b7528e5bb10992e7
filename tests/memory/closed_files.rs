//! Files that no editor has open take little memory once their diagnostics are known.

use std::fmt::Write;

use ide::CompilerDatabase;
use salsa::Database;
use shapewright_tests::counting;

const FILES: usize = 100;
const KERNELS_OF_A_FILE: usize = 30;

/// A file of kernels such as people write.
fn file() -> String {
    let mut text = "dim N;\n".to_owned();
    for number in 0..KERNELS_OF_A_FILE {
        writeln!(
            text,
            "kernel k{number}(a: f32, x: f32[N], y: mut f32[N]) {{
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    for i in 0..4 {{ ys[i] = a * xs[i] + {number}.0; }}
}}"
        )
        .unwrap();
    }
    text
}

/// Bytes for each kernel since there were `before`.
fn for_each_kernel(before: isize) -> isize {
    (counting::live() - before) / (FILES * KERNELS_OF_A_FILE) as isize
}

#[test]
fn little_is_kept_of_files_that_nobody_has_open() {
    let _turn = crate::turn();
    let text = file();
    let mut db = CompilerDatabase::default();
    let before = counting::live();
    let files: Vec<_> = (0..FILES).map(|number| db.set_text(&format!("f{number}.shape"), &text)).collect();
    let parsed = for_each_kernel(before);
    files.iter().for_each(|file| file.let_go_of_trees(&db));
    let read = for_each_kernel(before);
    assert!(read * 3 < parsed, "{parsed} bytes for each kernel with its tree, {read} without");

    for file in &files {
        assert!(ide::diagnostics(&db, *file).is_empty());
        file.let_go_of_trees(&db);
    }
    let checked = for_each_kernel(before);
    db.trigger_lru_eviction();
    let evicted = for_each_kernel(before);
    assert!(evicted * 5 < checked * 3, "{checked} bytes for each kernel that was checked, {evicted} after eviction");
    // What was let go of is made again where it is wanted.
    assert!(!ide::semantic_tokens(&db, files[0], None).is_empty());
}
