//! `tune`, and the runs after it.

use serde_json::{Value, json};

use crate::program::{Answer, Folder};

/// With `S = 9` the kernel reads beyond its tensor, which `where` excludes; `B = 3` computes something else.
const SCALE: &str = "dim N;
kernel scale[B = 64, S = 1](x: f32[N], y: mut f32[N]) where S < 8 tune(B: [3, 32, 128], S: [1, 9]) {
    view px = partition(x, [B]);
    view py = partition(y, [B]);
    for i in grid(py.index_space) { py.store_masked(px.load_masked(i) * if B == 3 { 3.0 } else { 2.0 }, i); }
}
run scale(x: arange, y: zeros) with N = 1000 expect y == x * 2;
run scale[B: 64](x: arange, y: zeros) with N = 1000 expect y == x * 2;
";

/// Runs the program with a folder of its own for what is kept.
fn answer(folder: &Folder, arguments: &[&str]) -> Answer {
    let mut command = folder.command(arguments);
    let output = command.env("SHAPEWRIGHT_CACHE_DIR", folder.path("cache")).output().unwrap();
    Answer {
        status: output.status.code().unwrap_or(-1),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

fn document(folder: &Folder, arguments: &[&str]) -> (i32, Value) {
    let answer = answer(folder, &[arguments, &["--device", "cpu", "--format", "json"]].concat());
    (answer.status, serde_json::from_str(&answer.output).unwrap_or_else(|error| panic!("{error}: {}", answer.errors)))
}

/// The notes of each run of a file.
fn notes(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let (_, document) = document(folder, &[&["run", "a.shape"], arguments].concat());
    let runs = document["runs"].as_array().unwrap().iter();
    runs.map(|run| run["notes"].as_array().map_or_else(String::new, |notes| notes[0].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn every_candidate_is_judged_and_the_fastest_right_one_is_kept() {
    let folder = Folder::new(&[("a.shape", SCALE)]);
    let (status, tuned) = document(&folder, &["tune", "a.shape"]);
    assert_eq!(status, 1, "one candidate computes something else: {tuned}");
    assert_eq!((&tuned["kernel"], &tuned["device"], &tuned["kept"]), (&json!("scale"), &json!("cpu"), &json!(true)));
    assert_eq!(tuned["bindings"], json!({ "N": 1000 }));
    let candidates = tuned["candidates"].as_array().unwrap();
    // The defaults, three values of B with S = 1, which are four if the default were listed, and the three with S = 9.
    assert_eq!(candidates.len(), 7, "{tuned}");
    assert_eq!(candidates.iter().filter(|tried| tried["is_default"] == true).count(), 1);
    let find = |block: &str, scale: &str| {
        candidates.iter().find(|tried| tried["generics"] == json!({ "B": block, "S": scale })).unwrap()
    };
    assert_eq!(find("3", "1")["expect"], "failed");
    assert_eq!(find("32", "9")["problem"], "excluded by the kernel's `where`");
    assert!(find("32", "9")["time"].is_null());
    let best = &tuned["best"];
    assert!([json!("32"), json!("64"), json!("128")].contains(&best["B"]), "{tuned}");
    let first = &candidates[0];
    assert_eq!(&first["generics"], best);
    let times: Vec<f64> = candidates.iter().filter_map(|tried| tried["time"]["run_us_median"].as_f64()).collect();
    assert_eq!(times.len(), 4, "{tuned}");
    assert!(times[..3].is_sorted(), "{tuned}");
}

#[test]
fn later_runs_take_what_was_kept_and_say_so() {
    let folder = Folder::new(&[("a.shape", SCALE)]);
    assert_eq!(notes(&folder, &[]), ["", ""]);
    let (_, tuned) = document(&folder, &["tune", "a.shape", "scale"]);
    let block = tuned["best"]["B"].as_str().unwrap();
    let said = format!("runs with B = {block}, S = 1, the fastest when `shapewright tune` measured it");
    // A run that gives its values has these.
    assert_eq!(notes(&folder, &[]), [said.as_str(), ""]);
    assert_eq!(notes(&folder, &["-G", "B=32"]), ["", ""]);
    // Sizes of the same class, and of another one.
    assert_eq!(notes(&folder, &["-D", "N=513"]), [said.as_str(), ""]);
    assert_eq!(notes(&folder, &["-D", "N=511"]), ["", ""]);
    // The kernel means the same after an edit of its form, and something else after one of its meaning.
    folder.write("a.shape", SCALE.replace("{\n    view", "{\n    // Whole tiles.\n    view").as_bytes());
    assert_eq!(notes(&folder, &[]), [said.as_str(), ""]);
    folder.write("a.shape", SCALE.replace("2.0", "2.5").as_bytes());
    assert_eq!(notes(&folder, &[]), ["", ""]);
}

#[test]
fn other_candidates_are_tuned_anew() {
    let folder = Folder::new(&[("a.shape", SCALE)]);
    document(&folder, &["tune", "a.shape"]);
    folder.write("a.shape", SCALE.replace("B: [3, 32, 128]", "B: [3, 32, 128, 256]").as_bytes());
    assert_eq!(notes(&folder, &[]), ["", ""]);
    let (_, tuned) = document(&folder, &["tune", "a.shape", "--dry-run"]);
    assert_eq!((tuned["candidates"].as_array().unwrap().len(), &tuned["kept"]), (9, &json!(false)), "{tuned}");
    assert_eq!(notes(&folder, &[]), ["", ""]);
}

#[test]
fn a_damaged_entry_is_no_entry() {
    let folder = Folder::new(&[("a.shape", SCALE)]);
    document(&folder, &["tune", "a.shape"]);
    for entry in std::fs::read_dir(folder.path("cache")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"damaged").unwrap();
    }
    assert_eq!(notes(&folder, &[]), ["", ""]);
}

#[test]
fn the_table_names_the_default_the_best_and_what_is_kept() {
    let folder = Folder::new(&[("a.shape", SCALE)]);
    let answer = answer(&folder, &["tune", "a.shape", "--device", "cpu"]);
    let lines: Vec<&str> = answer.output.lines().collect();
    assert_eq!(lines[0], "scale with N = 1000 on cpu: 7 candidates", "{}", answer.output);
    assert!(lines[2].starts_with(" ✓ B = "), "{}", answer.output);
    for words in
        ["default", "✗ expect failed", "excluded by the kernel's `where`", "kept: runs of this kernel on this device"]
    {
        assert!(answer.output.contains(words), "{words}: {}", answer.output);
    }
}

#[test]
fn what_cannot_be_tuned_is_told() {
    let plain = "dim N; kernel k(y: mut f32[N]) { for i in grid(N) { y[i] = 1.0; } }
run k(y: zeros) with N = 4;";
    let two =
        format!("{SCALE}{}", SCALE.lines().skip(1).take(5).collect::<Vec<_>>().join("\n").replace("scale", "other"));
    let folder = Folder::new(&[("a.shape", SCALE), ("plain.shape", plain), ("two.shape", &two)]);
    for (arguments, status, words) in [
        (&["tune", "a.shape", "scael"][..], 1, "a.shape has no kernel `scael`; did you mean `scale`?"),
        (
            &["tune", "plain.shape"],
            1,
            "plain.shape has no kernel with candidates; a kernel lists them so: `kernel k[B = 64]",
        ),
        (&["tune", "plain.shape", "k"], 1, "the kernel k has one candidate only, its defaults"),
        (&["tune", "two.shape"], 2, "several kernels list candidates; name one of them: scale, other"),
        (&["tune", "a.shape", "-D", "M=3"], 2, "-D M: no kernel that runs has a symbol M (there is N)"),
        (&["tune", "a.shape", "-G", "Q=3"], 2, "-G Q: no kernel has a generic parameter Q"),
    ] {
        let answer = answer(&folder, arguments);
        assert!(
            answer.status == status && answer.errors.contains(words),
            "{arguments:?}: {} {}",
            answer.status,
            answer.errors
        );
    }
}
