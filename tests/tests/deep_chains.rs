//! Nesting and chains so deep that a recursion without an end overflows the stack. That would end the whole process, so
//! each text is checked by a process of its own: this test's own binary, told by a variable what to check.

use std::process::Command;

use crate::support::check_files;

/// Names the folder whose files the child checks, `main.shape` first.
const FOLDER: &str = "SHAPEWRIGHT_TEST_FOLDER";

/// Checks some files in a process of their own; what happened to it, where it did not end well.
fn crash(files: &[(&str, &str)]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["the_child_checks_what_it_is_told", "--exact", "--test-threads=1"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let text: String = files[0].1.chars().take(60).collect();
    (!child.status.success()).then(|| format!("{} for {text}…", child.status))
}

/// Does nothing unless it is told what to check.
#[test]
fn the_child_checks_what_it_is_told() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort_by_key(|(path, _)| path != "main.shape");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    check_files(&files);
}

#[test]
fn deep_nesting_has_an_end() {
    let mut crashed: Vec<String> = Vec::new();
    let mut try_it = |text: &str| crashed.extend(crash(&[("main.shape", text)]));
    const DEEP: usize = 100_000;
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("-", "1", ""),
        ("!", "true", ""),
        ("|", "x", "|"),
        ("f(", "1", ")"),
        ("if true { ", "1", " } else { 2 }"),
        ("{", "", "}"),
        ("1 + (", "1", ")"),
        ("a.", "b", ""),
        ("/* ", "", " */"),
    ] {
        let deep = format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP));
        try_it(&format!("const a = {deep};\n"));
        try_it(&deep);
        try_it(&format!("kernel k(y: mut f32[1]) {{ {deep} }}\n"));
        try_it(&open.repeat(DEEP));
    }
    let blocks = format!("kernel k(y: mut f32[1]) {{ {}{} }}\n", "for i in 0..1 { ".repeat(10_000), "}".repeat(10_000));
    try_it(&blocks);
    let branches = format!("kernel k(n: i64) {{ {}{{ }} }}\n", "if n > 0 { } else ".repeat(10_000));
    try_it(&branches);
    assert!(crashed.is_empty(), "{}", crashed.join("\n"));
}

/// Each constant needs the next one: the chain is as deep as the file is long.
#[test]
fn a_long_chain_of_constants() {
    let crashed: Vec<String> = [100, 300, 1_000, 3_000]
        .into_iter()
        .filter_map(|length| {
            let mut text: String = (0..length).map(|n| format!("const c{n} = c{} + 1;\n", n + 1)).collect();
            text += &format!("const c{length} = 0;\n");
            crash(&[("main.shape", &text)]).map(|how| format!("{length} constants: {how}"))
        })
        .collect();
    assert!(crashed.is_empty(), "{}", crashed.join("\n"));
}

#[test]
fn a_long_chain_of_files() {
    let mut texts: Vec<(String, String)> = (0..400)
        .map(|n| (format!("f{n}.shape"), format!("use \"f{}.shape\";\nconst c{n} = c{} + 1;\n", n + 1, n + 1)))
        .collect();
    texts[0].0 = "main.shape".to_owned();
    texts.push(("f400.shape".to_owned(), "const c400 = 0;\n".to_owned()));
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(crash(&files), None);
}
