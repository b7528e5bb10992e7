//! Hostile input, which must do no harm.

use std::io::Read;
use std::process::Stdio;

use crate::program::Folder;

#[test]
fn a_line_of_megabytes_is_not_printed() {
    let long = format!("s : [{}x];\n", "1, ".repeat(300_000));
    let folder = Folder::new(&[("a.shape", &long)]);
    let answer = folder.run(&["check", "a.shape"]);
    assert_eq!(answer.status, 1, "{}", answer.errors);
    assert!(answer.output.len() < 4096, "{} bytes", answer.output.len());
    assert!(answer.output.contains("a.shape:1:900006"), "{}", answer.output);
}

#[test]
fn a_word_of_megabytes_is_shortened() {
    let folder = Folder::new(&[("a.shape", &"é".repeat(1_000_000))]);
    for format in ["human", "short", "json", "sarif"] {
        let answer = folder.run(&["check", "a.shape", "--format", format]);
        assert_eq!(answer.status, 1, "{}", answer.errors);
        assert!(answer.output.len() < 8192, "{format}: {} bytes", answer.output.len());
    }
    let long = "x".repeat(1_000_000);
    folder.write("b.shape", long.as_bytes());
    let answer = folder.run(&["check", "b.shape", "--format", "short"]);
    assert!(answer.output.ends_with("xxx…` is not declared\n") && answer.output.len() < 200, "{}", answer.output.len());
}

#[test]
fn thousands_of_errors_are_counted() {
    let folder = Folder::new(&[("a.shape", &"s : [x];\n".repeat(2000))]);
    let answer = folder.run(&["check", "a.shape"]);
    assert!(answer.output.len() < 200_000, "{} bytes", answer.output.len());
    assert!(answer.output.contains(" more in a.shape"), "{}", answer.output.lines().last().unwrap_or_default());
}

#[test]
fn tabs_carriage_returns_and_emoji_are_drawn_in_place() {
    let folder = Folder::new(&[("a.shape", "\ts : [1,\r\n\t\t/* 😀é */ x];\r\n")]);
    let answer = folder.run(&["check", "a.shape"]);
    assert!(answer.output.contains("a.shape:2:12"), "{}", answer.output);
    assert!(!answer.output.contains('\r') && !answer.output.contains('\t'), "{:?}", answer.output);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = Folder::new(&[("a.shape", "use \"\u{1b}[31mred\u{7}\";\n\u{1b}[2J s : [1];\n")]);
    for format in ["human", "short"] {
        let answer = folder.run(&["check", "a.shape", "--format", format]);
        assert!(!answer.output.contains(['\u{1b}', '\u{7}']), "{:?}", answer.output);
    }
}

#[test]
fn deep_nesting_and_damage_end_orderly() {
    let deep = format!("s : {}1{};\n", "[".repeat(100_000), "]".repeat(100_000));
    let folder = Folder::new(&[("deep.shape", &deep), ("empty.shape", ""), ("zero.shape", "\0\0\0")]);
    folder.write("bom.shape", b"\xef\xbb\xbfs : [1];\n");
    assert_eq!(folder.run(&["check", "deep.shape", "--format", "short"]).status, 1);
    assert_eq!(folder.run(&["check", "empty.shape", "bom.shape"]).status, 0);
    assert_eq!(folder.run(&["check", "zero.shape"]).status, 1);
    for command in [&["show", "zero.shape"][..], &["run", "zero.shape"], &["fmt", "--check", "deep.shape"]] {
        let answer = folder.run(command);
        assert!((0..=3).contains(&answer.status), "{command:?}: {} {}", answer.status, answer.errors);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new(&[("a.shape", "map m = reshape_map([1024] | [4096] => layout: [i0, t0]);\n")]);
    let mut child = folder
        .command(&["table", "a.shape", "m", "--csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut first = [0; 64];
    output.read_exact(&mut first).unwrap();
    drop(output);
    let end = child.wait_with_output().unwrap();
    assert_eq!((end.status.code(), end.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::new(&[("a.shape", "s : [x];\n")]);
    assert!(!folder.run(&["check", "a.shape"]).output.contains('\u{1b}'));
}
