//! `check`

use serde_json::json;

use crate::program::Folder;

#[test]
fn a_sound_file_is_fine() {
    let folder = Folder::new(&[("a.shape", "s : [7, 8];\nassert rank(s) == 2;\n")]);
    let answer = folder.run(&["check", "a.shape"]);
    assert_eq!((answer.status, answer.output.as_str()), (0, "1 file checked, no errors\n"), "{}", answer.errors);
}

#[test]
fn an_error_is_drawn_with_its_code_its_place_and_its_fix() {
    let folder = Folder::new(&[("a.shape", "mdspan<2> s : [3];\n")]);
    let answer = folder.run(&["check", "a.shape"]);
    assert_eq!(answer.status, 1);
    assert_eq!(
        answer.output,
        "error[rank-mismatch]: `mdspan<2>` is declared with rank 2, but its initialiser `[3]` has rank 1
 --> a.shape:1:8
  |
1 | mdspan<2> s : [3];
  |        ^      --- `[3]` has 1 dimension
  |        |
  |        should be 1
  |
help: change the rank to 1
  |
1 - mdspan<2> s : [3];
1 + mdspan<1> s : [3];
  |

1 error in 1 file
"
    );
}

#[test]
fn json_has_the_fields_that_others_build_on() {
    let folder = Folder::new(&[("a.shape", "// 😀\n/* 😀 */ mdspan<2> s : [3];\n")]);
    let (status, document) = folder.json(&["check", "a.shape", "--format", "json"]);
    assert_eq!(status, 1);
    assert_eq!(document["summary"], json!({ "files": 1, "errors": 1, "warnings": 0 }));
    let diagnostic = &document["diagnostics"][0];
    assert_eq!(diagnostic["file"], "a.shape");
    assert_eq!(diagnostic["code"], "rank-mismatch");
    assert_eq!(diagnostic["severity"], "error");
    // The emoji has two UTF-16 units.
    let range = json!({ "start": { "line": 1, "character": 16 }, "end": { "line": 1, "character": 17 } });
    assert_eq!(diagnostic["range"], range);
    assert_eq!(diagnostic["related"][0]["file"], "a.shape");
    assert_eq!(diagnostic["fixes"][0]["edits"][0], json!({ "file": "a.shape", "range": range, "text": "1" }));
}

#[test]
fn short_has_a_line_for_each() {
    let folder = Folder::new(&[("a.shape", "s : [x];\nt : [y];\n")]);
    let answer = folder.run(&["check", "a.shape", "--format", "short"]);
    let lines: Vec<&str> = answer.output.lines().collect();
    assert_eq!(
        lines,
        [
            "a.shape:1:6: error[unknown-name]: `x` is not declared",
            "a.shape:2:6: error[unknown-name]: `y` is not declared",
        ]
    );
}

#[test]
fn sarif_has_rules_and_results() {
    let folder = Folder::new(&[("a b.shape", "s : [x];\n")]);
    let (status, document) = folder.json(&["check", "a b.shape", "--format", "sarif"]);
    assert_eq!((status, &document["version"]), (1, &json!("2.1.0")));
    let run = &document["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "unknown-name");
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.shape");
    assert_eq!(place["region"]["startColumn"], 6);
}

#[test]
fn folders_are_walked_in_order_and_ignored_files_left_out() {
    let files = [
        ("b.shape", "s : [x];\n"),
        ("a/c.shape", "s : [y];\n"),
        ("note.txt", "s : [z];\n"),
        (".ignore", "d.shape\n"),
        ("d.shape", "s : [q];\n"),
    ];
    let folder = Folder::new(&files);
    let answer = folder.run(&["check", ".", "--format", "short"]);
    let files: Vec<&str> = answer.output.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(files, ["a/c.shape", "b.shape"]);
}

#[test]
fn used_files_are_read_and_named_in_messages() {
    let files = [("lib/tiles.shape", "const B = 64;\n"), ("a.shape", "use \"lib/tiles.shape\";\ns : [B, 0 - B];\n")];
    let folder = Folder::new(&files);
    let answer = folder.run(&["check", "a.shape"]);
    assert_eq!(answer.status, 1);
    assert!(answer.output.contains("error[non-positive-dimension]"), "{}", answer.output);
    let answer = folder.run(&["eval", "a.shape", "B + 1"]);
    assert_eq!((answer.status, answer.output.as_str()), (0, "65\n"), "{}", answer.errors);
}

#[test]
fn a_used_file_that_is_missing_is_the_files_fault() {
    let folder = Folder::new(&[("a.shape", "use \"nowhere.shape\";\n")]);
    let answer = folder.run(&["check", "a.shape"]);
    assert_eq!(answer.status, 1);
    assert!(answer.output.contains("error[unresolved-use]"), "{}", answer.output);
}

#[test]
fn warnings_fail_where_they_are_denied() {
    let folder = Folder::new(&[(
        "a.shape",
        "dim N;\nmap m = reshape_map([4] | [N] => layout: [i0, t0]);\nassert m.covers(64);\n",
    )]);
    let answer = folder.run(&["check", "a.shape", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&answer.output).unwrap();
    let warnings = document["summary"]["warnings"].as_u64().unwrap();
    let denied = folder.run(&["check", "a.shape", "--deny", "warnings"]);
    let errors = document["summary"]["errors"].as_u64().unwrap();
    assert_eq!(answer.status, i32::from(errors > 0));
    assert_eq!(denied.status, i32::from(errors + warnings > 0));
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new(&[]);
    let answer = folder.run_with(&["check", "-", "--format", "short"], b"s : [x];");
    assert_eq!(answer.output, "<stdin>:1:6: error[unknown-name]: `x` is not declared\n");
}

#[test]
fn what_cannot_be_read_is_the_machines_fault() {
    let folder = Folder::new(&[("good.shape", "s : [1];\n")]);
    folder.write("bad.shape", b"s : [1];\n\xff");
    let answer = folder.run(&["check", "missing.shape", "bad.shape", "good.shape"]);
    assert_eq!(answer.status, 3);
    assert_eq!(
        answer.errors,
        "error: there is no file missing.shape\nerror: bad.shape is not UTF-8: byte 9, in line 2, is 0xff\n"
    );
    assert_eq!(answer.output, "1 file checked, no errors\n");
    // The place that uses it is told the reason, and not that there is no such file.
    folder.write("user.shape", b"use \"bad.shape\";\n");
    let answer = folder.run(&["check", "user.shape", "--format", "short"]);
    let expected = "user.shape:1:5: error[unresolved-use]: bad.shape is not UTF-8: byte 9, in line 2, is 0xff\n";
    assert_eq!((answer.status, answer.output.as_str()), (3, expected));
}

#[test]
fn a_wrong_command_line_is_2() {
    let folder = Folder::new(&[]);
    for arguments in [&["check"][..], &["nonsense"], &["check", "a", "--format", "yaml"], &["run", "a", "-D", "M"]] {
        assert_eq!(folder.run(arguments).status, 2, "{arguments:?}");
    }
}

#[test]
fn a_deep_check_goes_further() {
    let map = "map m = chain((continuous_linear(1000003), 1000), (linear(3, 1000), thread), threads: 5000);\n";
    let folder = Folder::new(&[("a.shape", &format!("{map}assert m.covers(1000);\n"))]);
    let answer = folder.run(&["check", "a.shape", "--deny", "warnings"]);
    assert_eq!(answer.status, 1);
    assert!(answer.output.contains("help: the search was cut short; `shapewright check --deep` goes further"));
    let answer = folder.run(&["check", "a.shape", "--deep"]);
    assert_eq!((answer.status, answer.output.as_str()), (0, "1 file checked, no errors\n"));
    let answer = folder.run(&["show", "a.shape", "--deep"]);
    assert!(answer.output.contains("assert m.covers(1000): true: proven"), "{}", answer.output);
}

/// A claim that is true, by the inequality of the means, and that no rule is about.
const MEANS: &str = "dim N, M;
map m = reshape_map([N] | [M] => layout: [i0, t0]);
assert m.in_bounds(N * N + M * M);
";

/// A program that answers every script alike, and keeps the script.
#[cfg(unix)]
fn stand_in(folder: &Folder, answer: &str) {
    use std::os::unix::fs::PermissionsExt;
    let version = "[ \"$1\" = --version ] && echo 'Solver version 1.5 of today' && exit";
    folder.write("solver", format!("#!/bin/sh\n{version}\ncat > asked.smt2\necho '{answer}'\n").as_bytes());
    std::fs::set_permissions(folder.path("solver"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_deep_check_asks_a_solver_last() {
    let folder = Folder::new(&[("a.shape", MEANS)]);
    stand_in(&folder, "unsat");
    let check = ["check", "a.shape", "--deny", "warnings"];
    let status = |more: &[&str]| folder.run(&[&check[..], more].concat()).status;
    assert_eq!(status(&["--deep", "--solver", "off"]), 1);
    assert_eq!(status(&["--deep", "--solver", "./solver"]), 0);
    assert!(folder.read("asked.smt2").contains("(check-sat)"));
    let answer = folder.run(&["show", "a.shape", "--deep", "--solver", "./solver"]);
    assert!(answer.output.contains("proven (an SMT solver (solver 1.5) found"), "{}", answer.output);
    // The variable names it too, and without --deep it is not started.
    std::fs::remove_file(folder.path("asked.smt2")).unwrap();
    for (more, decided) in [(&[][..], false), (&["--deep"], true)] {
        let mut command = folder.command(&[&check[..], more].concat());
        let output = command.env("SHAPEWRIGHT_SOLVER", "./solver").output().unwrap();
        assert_eq!((output.status.success(), folder.path("asked.smt2").exists()), (decided, decided), "{more:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_solver_that_says_nothing_sound_changes_nothing() {
    let folder = Folder::new(&[("a.shape", MEANS)]);
    let without = folder.run(&["check", "a.shape", "--deep", "--solver", "off"]);
    for answer in ["unknown", "", "sat", "sat ((s0 1) (s1 1) (a0 0) (a1 0))", "(error \"no\") unsat"] {
        stand_in(&folder, answer);
        let with = folder.run(&["check", "a.shape", "--deep", "--solver", "./solver"]);
        assert_eq!((with.status, with.output), (without.status, without.output.clone()), "{answer}");
    }
}

#[test]
fn a_solver_that_is_named_must_exist() {
    let folder = Folder::new(&[("a.shape", MEANS)]);
    let answer = folder.run(&["check", "a.shape", "--deep", "--solver", "no-such-solver"]);
    assert_eq!(answer.status, 3);
    assert!(answer.errors.contains("there is no SMT solver no-such-solver"), "{}", answer.errors);
    assert_eq!(folder.run(&["check", "a.shape", "--solver", "off"]).status, 2);
}

#[test]
fn a_target_is_checked_for_and_an_unknown_one_refused() {
    let kernel = "kernel k(y: mut f32[1]) cluster(2) grid(2) block(1) { y[0] = 1.0; }\n";
    let folder = Folder::new(&[("a.shape", kernel)]);
    let codes = |target: &[&str]| {
        let answer = folder.run(&[&["check", "a.shape", "--format", "short"], target].concat());
        (answer.status, answer.output.contains("error[launch-limit]: sm_80 has no clusters"))
    };
    assert_eq!(codes(&["--target", "sm_80"]), (1, true));
    assert!(!codes(&["--target", "sm_90"]).1 && !codes(&[]).1);
    let answer = folder.run(&["emit", "a.shape", "k", "--target", "sm_80"]);
    assert!(
        answer.status == 1 && answer.errors.contains("error[launch-limit]: sm_80 has no clusters"),
        "{}",
        answer.errors
    );
    let all = "the known targets are sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120";
    for command in [&["check", "a.shape"][..], &["emit", "a.shape", "k"]] {
        let answer = folder.run(&[command, &["--target", "sm_91"]].concat());
        assert!(answer.status == 2 && answer.errors.contains(all), "{}", answer.errors);
    }
}
