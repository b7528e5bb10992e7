//! `eval`, `show`, `table`, `explain`, `devices`, `completions`, `emit`

use serde_json::json;

use crate::program::Folder;

const FILE: &str = "dim N;
shape : [128, 64];
/// Four threads, three elements each.
map blocked = reshape_map([3] | [4] => layout: [i0, t0]);
map growing = reshape_map([4] | [N] => layout: [i0, t0]);
kernel scale(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via blocked;
    view ys = y via blocked;
    for i in 0..3 { ys[i] = a * xs[i]; }
}
";

fn folder() -> Folder {
    Folder::new(&[("a.shape", FILE)])
}

#[test]
fn eval_answers_by_type() {
    let folder = folder();
    let eval = |expression: &str| {
        let (status, document) = folder.json(&["eval", "a.shape", expression, "--format", "json"]);
        assert_eq!(status, 0, "{expression}");
        (document["type"].as_str().unwrap().to_owned(), document["value"].clone())
    };
    assert_eq!(eval("blocked(2, 3)"), ("int".to_owned(), json!(11)));
    assert_eq!(eval("N + 1"), ("int".to_owned(), json!("N + 1")));
    assert_eq!(eval("-1"), ("int".to_owned(), json!(-1)));
    assert_eq!(eval("shape / 4"), ("shape".to_owned(), json!([32, 16])));
    assert_eq!(eval("1 == 1"), ("bool".to_owned(), json!(true)));
    assert_eq!(eval("blocked.owners(4)").1, json!([0, 0, 0, 1]));
    assert_eq!(eval("blocked(3, 0)").1, json!(null));
    let (kind, verdict) = eval("blocked.injective");
    assert_eq!((kind.as_str(), &verdict["verdict"]), ("verdict", &json!("proven")));
    assert!(verdict["rule"].is_string());
    let (kind, map) = eval("blocked");
    assert_eq!((kind.as_str(), &map["upper_shape"]), ("map", &json!([3, 4])));
}

#[test]
fn eval_says_what_is_wrong_with_the_expression_alone() {
    let folder = folder();
    let answer = folder.run(&["eval", "a.shape", "foo + 1"]);
    assert_eq!((answer.status, answer.output.as_str()), (1, ""));
    assert!(answer.errors.contains("<expression>:1:1"), "{}", answer.errors);
    for nonsense in ["", ";", "a : [1]", "/*", "use \"a.shape\"", "(", "]"] {
        let answer = folder.run(&["eval", "a.shape", nonsense]);
        assert_eq!(answer.status, 1, "{nonsense}: {} {}", answer.output, answer.errors);
    }
}

#[test]
fn what_has_no_answer_says_why() {
    let folder = folder();
    for (arguments, words) in [
        (["eval", "a.shape", "block(2048)"], "2048"),
        (["eval", "a.shape", " "], "the expression is empty"),
        (["eval", "a.shape", "2; 3"], "`2; 3` is 2 items: `eval` takes one expression"),
        (["eval", "a.shape", "const x = 2; x"], "is 2 items"),
        (["eval", "a.shape", "'"], "the character `'` has no meaning here"),
        (["table", "a.shape", "N"], "`N` is a dim, not a map"),
    ] {
        let answer = folder.run(&arguments);
        assert_eq!((answer.status, answer.output.as_str()), (1, ""), "{arguments:?}");
        assert!(answer.errors.contains(words), "{arguments:?}: {}", answer.errors);
    }
    assert_eq!(folder.run(&["explain", "[Rank-Mismatch]"]).status, 0);
    // Nothing was checked, so nothing is said of errors.
    let answer = folder.run(&["check", "none.shape"]);
    assert_eq!((answer.status, answer.output.as_str()), (3, ""));
}

/// A fix for a side that is not there would have to write the bar too; the syntax error says what is missing.
#[test]
fn a_reshape_map_without_its_bar_is_reported_once() {
    let folder = folder();
    let answer = folder.run(&["eval", "a.shape", "reshape_map([3])"]);
    assert!(answer.errors.contains("expected `|` and the thread dimensions"), "{}", answer.errors);
    assert!(!answer.errors.contains("empty-side"), "{}", answer.errors);
}

#[test]
fn table_lists_every_point_with_the_last_coordinate_fastest() {
    let folder = folder();
    let (status, document) = folder.json(&["table", "a.shape", "blocked", "--format", "json"]);
    assert_eq!(status, 0);
    assert_eq!(document["upper_shape"], json!([3, 4]));
    assert_eq!(document["lower_shape"], json!([12]));
    assert_eq!(document["rows"].as_array().unwrap().len(), 12);
    assert_eq!(document["rows"][1], json!({ "upper": [0, 1], "lower": [3], "valid": true }));
    let answer = folder.run(&["table", "a.shape", "blocked", "--csv"]);
    assert!(answer.output.starts_with("upper0,upper1,lower0,valid\n0,0,0,true\n0,1,3,true\n"), "{}", answer.output);
}

#[test]
fn a_symbolic_table_needs_sizes_and_a_large_one_csv() {
    let folder = folder();
    let answer = folder.run(&["table", "a.shape", "growing"]);
    assert_eq!(answer.status, 2);
    assert!(answer.errors.contains("-D N="), "{}", answer.errors);
    let answer = folder.run(&["table", "a.shape", "growing", "-D", "N=2"]);
    assert_eq!((answer.status, answer.output.lines().count()), (0, 8));
    let answer = folder.run(&["table", "a.shape", "growing", "-D", "N=1_000_000"]);
    assert_eq!(answer.status, 2);
    assert!(answer.errors.contains("has 4000000 points") && answer.errors.contains("--csv"), "{}", answer.errors);
    let answer = folder.run(&["table", "a.shape", "growing", "-D", "N=1_000_000", "--limit", "1_000"]);
    assert_eq!((answer.status, answer.output.lines().count()), (0, 1000));
    assert_eq!(answer.errors, "note: `growing` has 3999000 more points\n");
    let answer = folder.run(&["table", "a.shape", "shape"]);
    assert_eq!((answer.status, answer.errors.as_str()), (1, "error: `shape` is a shape, not a map\n"));
}

#[test]
fn a_table_without_end_says_how_many_rows_it_has() {
    let folder = Folder::new(&[("a.shape", "map m = row_major([2147483648, 2147483648]);\n")]);
    for form in [&["--csv"][..], &[], &["--format", "json"]] {
        let answer = folder.run(&[&["table", "a.shape", "m"], form].concat());
        assert_eq!((answer.status, answer.output.as_str()), (2, ""), "{form:?}");
        assert!(answer.errors.contains("`m` has 4611686018427387904 points"), "{}", answer.errors);
        assert!(answer.errors.contains("--limit"), "{}", answer.errors);
        let answer = folder.run(&[&["table", "a.shape", "m", "--limit", "3"], form].concat());
        assert_eq!(answer.status, 0, "{}", answer.errors);
        assert!(answer.output.len() < 1000, "{}", answer.output);
    }
    let answer = folder.run(&["table", "a.shape", "m", "--csv", "--limit", "3"]);
    assert_eq!(answer.output, "upper0,upper1,lower0,valid\n0,0,0,true\n0,1,1,true\n0,2,2,true\n");
    // A document is made in memory; rows are not.
    let answer = folder.run(&["table", "a.shape", "m", "--format", "json", "--limit", "1_000_000_000"]);
    assert_eq!(answer.status, 2, "{}", answer.output);
    for (limit, words) in [("0", "a positive number of rows"), ("-1", "a positive number of rows")] {
        let answer = folder.run(&["table", "a.shape", "m", &format!("--limit={limit}")]);
        assert!(answer.status == 2 && answer.errors.contains(words), "{}", answer.errors);
    }
}

#[test]
fn show_gives_the_facts_of_each_kind() {
    let folder = folder();
    let (status, document) = folder.json(&["show", "a.shape", "--format", "json"]);
    assert_eq!(status, 0);
    let items = document["items"].as_array().unwrap();
    let kinds: Vec<&str> = items.iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["dim", "shape", "map", "map", "kernel"]);
    assert_eq!((&items[1]["rank"], &items[1]["size"]), (&json!(2), &json!(8192)));
    assert_eq!(items[2]["documentation"], "Four threads, three elements each.");
    assert_eq!(items[2]["verdicts"]["race_free"]["verdict"], "proven");
    assert_eq!(items[4]["params"][2]["mutable"], true);
    let answer = folder.run(&["show", "a.shape", "shape"]);
    assert_eq!(answer.output, "shape shape: [128, 64]\n    rank 2, size 8192\n");
    let answer = folder.run(&["show", "a.shape", "shap"]);
    assert_eq!(
        (answer.status, answer.errors.as_str()),
        (1, "error: a.shape declares nothing called `shap`; did you mean `shape`?\n")
    );
}

/// An item without a name is referred to by its text.
#[test]
fn show_prints_the_claim_of_an_assertion() {
    let folder =
        Folder::new(&[("a.shape", "dim N where N >= 4;\nassert N\n    >= 2;\nassert N % 4 == 0;\nshow N + 1;\n")]);
    let answer = folder.run(&["show", "a.shape"]);
    assert_eq!(
        answer.output,
        "dim N: N >= 4
assert N >= 2: true: proven (it follows from the facts for every size)
assert N % 4 == 0: 1 error
show N + 1: N + 1
"
    );
    let (_, document) = folder.json(&["show", "a.shape", "--format", "json"]);
    assert_eq!(document["items"][1]["expression"], "N >= 2");
    assert!(document["items"][0].get("expression").is_none());
    let (_, verdict) = folder.json(&["eval", "a.shape", "N % 4 == 0", "--format", "json"]);
    assert_eq!(
        (&verdict["value"]["verdict"], &verdict["value"]["obligation"]),
        (&json!("refuted"), &json!("N % 4 == 0"))
    );
}

#[test]
fn emit_prints_cuda() {
    let folder = folder();
    let answer = folder.run(&["emit", "a.shape", "scale"]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(answer.output.contains("__global__"), "{}", answer.output);
    assert_eq!(folder.run(&["emit", "a.shape", "scall"]).status, 1);
    assert_eq!(folder.run(&["emit", "a.shape", "scale", "--to", "ptx", "--target", "x86"]).status, 2);
}

#[test]
fn emit_takes_the_only_item_that_can_be_printed_so() {
    let kernel = |name: &str| {
        format!(
            "kernel {name}(y: mut f32[4]) grid(1) block(4) {{ for t in threads(4, cuda_thread) {{ y[t] = 1.0; }} }}\n"
        )
    };
    let (one, map) = (kernel("one"), "s : [4]\nmap m = row_major([4]);\n");
    let both = format!("{one}{map}");
    let two = format!("{both}{}", kernel("two"));
    let files = [
        ("one.shape", one.as_str()),
        ("map.shape", map),
        ("both.shape", &both),
        ("two.shape", &two),
        ("s.shape", "s : [4]\n"),
    ];
    let folder = Folder::new(&files);
    for (file, to, named) in [
        ("one.shape", "cuda", "one"),
        ("map.shape", "cuda", "m"),
        ("map.shape", "c", "m"),
        ("both.shape", "c", "m"),
        ("both.shape", "loops", "one"),
        ("two.shape", "numpy", "m"),
    ] {
        let answer = folder.run(&["emit", file, "--to", to]);
        assert_eq!((answer.status, answer.errors.as_str()), (0, ""), "{file} {to}");
        assert_eq!(answer.output, folder.run(&["emit", file, named, "--to", to]).output);
    }
    assert_eq!(folder.run(&["emit", "both.shape", "--narrow"]).status, 0);
    for (file, to, status, parts) in [
        ("both.shape", "cuda", 2, &["the kernel `one` and the map `m`", "write the name"][..]),
        ("two.shape", "cuda", 2, &["the kernel `one`, the map `m` and the kernel `two`"]),
        ("two.shape", "schedule", 2, &["the kernel `one` and the kernel `two`"]),
        ("one.shape", "c", 1, &["nothing that can be emitted --to c"]),
        ("s.shape", "cuda", 1, &["nothing that can be emitted --to cuda"]),
    ] {
        let answer = folder.run(&["emit", file, "--to", to]);
        assert_eq!(answer.status, status, "{file} {to}: {}", answer.errors);
        assert!(parts.iter().all(|part| answer.errors.contains(part)), "{file} {to}: {}", answer.errors);
    }
}

#[test]
fn a_text_for_all_sizes_says_that_there_is_one_with_narrow_indices() {
    let text = "dim N;\nkernel fill(y: mut f32[N]) block(128) {\n    for b in grid(cdiv(N, 128)) {\n        for t in \
                threads(128, cuda_thread) { if b * 128 + t < N { y[b * 128 + t] = 1.0; } }\n    }\n}\n";
    let folder = Folder::new(&[("n.shape", text)]);
    let wide = folder.run(&["emit", "n.shape", "fill"]).output;
    let narrow = folder.run(&["emit", "n.shape", "fill", "--narrow"]).output;
    assert!(wide.contains("// For all sizes.") && wide.contains("long long"), "{wide}");
    assert!(narrow.contains("// Only for sizes") && !narrow.contains("long long"), "{narrow}");
    assert_eq!(folder.run(&["emit", "n.shape", "fill", "--narrow", "--to", "loops"]).status, 2);
}

#[test]
fn emit_prints_the_levels_of_the_compiler() {
    let folder = folder();
    for (to, part) in [("program", "x.m"), ("schedule", "launch"), ("loops", "x[")] {
        let answer = folder.run(&["emit", "a.shape", "scale", "--to", to]);
        assert_eq!(answer.status, 0, "{}", answer.errors);
        assert!(answer.output.starts_with("kernel scale(") && answer.output.contains(part), "{}", answer.output);
        let (status, document) = folder.json(&["emit", "a.shape", "scale", "--to", to, "--format", "json"]);
        assert_eq!((status, &document["to"], &document["source"]), (0, &to.into(), &answer.output.into()));
    }
}

#[test]
fn emit_prints_maps() {
    let folder = folder();
    for (to, part) in [
        ("cuda", "__device__ __forceinline__ int blocked_offset(int i, int t)"),
        ("c", "static inline bool blocked_valid(int i, int t)"),
        ("numpy", "def blocked(x):"),
        ("cute", "(3,4):(1,3)"),
    ] {
        let answer = folder.run(&["emit", "a.shape", "blocked", "--to", to]);
        assert_eq!(answer.status, 0, "{}", answer.errors);
        assert!(answer.output.contains(part), "{}", answer.output);
    }
    assert_eq!(
        folder.run(&["emit", "a.shape", "blocked"]).output,
        folder.run(&["emit", "a.shape", "blocked", "--to", "cuda"]).output
    );
    let (status, document) = folder.json(&["emit", "a.shape", "blocked", "--to", "cute", "--format", "json"]);
    assert_eq!((status, &document["map"], &document["layout"]), (0, &json!("blocked"), &json!("(3,4):(1,3)")));
    let (_, document) = folder.json(&["emit", "a.shape", "growing", "--to", "c", "--format", "json"]);
    assert_eq!(document["functions"], json!(["growing_offset", "growing_valid"]));
}

/// A question about a tiling is one about the map from its iterations to their threads.
#[test]
fn tilings_are_listed_and_emitted() {
    let folder = Folder::new(&[("t.shape", "tiling pairs = block(64) |> tile(w: 2, cuda_warp);\n")]);
    let (status, document) = folder.json(&["table", "t.shape", "pairs", "--format", "json"]);
    assert_eq!((status, document["rows"].as_array().unwrap().len()), (0, 64));
    assert_eq!(document["rows"][1], json!({ "upper": [0, 1], "lower": [32], "valid": true }));
    for (to, part) in [
        ("cuda", "__device__ __forceinline__ int pairs_offset(int i, int t)"),
        ("c", "return i + 32 * t;"),
        ("numpy", "x[:64].reshape(2, 32).transpose(1, 0)"),
        ("cute", "(32,2):(1,32)"),
    ] {
        let answer = folder.run(&["emit", "t.shape", "pairs", "--to", to]);
        assert_eq!(answer.status, 0, "{}", answer.errors);
        assert!(answer.output.contains(part), "{}", answer.output);
    }
    let answer = folder.run(&["emit", "t.shape", "pairs", "--to", "ptx"]);
    assert_eq!(answer.status, 2);
    assert!(answer.errors.contains("`pairs` is a tiling, which can be emitted --to cuda"), "{}", answer.errors);
}

#[test]
fn emit_says_what_is_possible() {
    let folder = folder();
    for (arguments, status, part) in [
        (&["blocked", "--to", "ptx"][..], 2, "`blocked` is a map, which can be emitted --to cuda, c, numpy or cute"),
        (
            &["scale", "--to", "cute"],
            2,
            "`scale` is a kernel, which can be emitted --to cuda, ptx, program, schedule or loops",
        ),
        (&["blocked", "--target", "sm_90"], 2, "--target is for kernels"),
        (&["shape"], 1, "`shape` is a shape; only kernels, maps and tilings can be emitted"),
        (&["bloked"], 1, "did you mean `blocked`?"),
    ] {
        let answer = folder.run(&[&["emit", "a.shape"], arguments].concat());
        assert_eq!(answer.status, status, "{}", answer.errors);
        assert!(answer.errors.contains(part), "{}", answer.errors);
    }
    let folder =
        Folder::new(&[("b.shape", "map part = reshape_map([3] | [2, (2, 1)]);\nmap bad = reshape_map([0] | [1]);\n")]);
    let answer = folder.run(&["emit", "b.shape", "part", "--to", "cute"]);
    assert_eq!(answer.status, 1);
    assert!(
        answer.errors.contains("the map `part` cannot be emitted --to cute: no layout is this map"),
        "{}",
        answer.errors
    );
    let answer = folder.run(&["emit", "b.shape", "bad"]);
    assert_eq!(answer.status, 1);
    assert!(answer.errors.contains("map `bad`"), "{}", answer.errors);
}

#[test]
fn explain_lists_and_explains() {
    let folder = Folder::new(&[]);
    let answer = folder.run(&["explain"]);
    assert!(answer.output.lines().any(|line| line.starts_with("rank-mismatch ")), "{}", answer.output);
    let answer = folder.run(&["explain", "[rank-mismatch]"]);
    assert!(answer.output.starts_with("error[rank-mismatch]: "), "{}", answer.output);
    let answer = folder.run(&["explain", "rank-mismach"]);
    assert_eq!(answer.status, 2);
    assert!(answer.errors.contains("did you mean `rank-mismatch`?"), "{}", answer.errors);
}

#[test]
fn devices_say_what_is_missing() {
    let folder = Folder::new(&[]);
    let (status, document) = folder.json(&["devices", "--format", "json"]);
    assert_eq!(status, 0);
    assert_eq!(document["devices"][0]["name"], "cpu");
    assert_eq!(document["devices"][0]["available"], true);
    for device in document["devices"].as_array().unwrap() {
        assert_eq!(device["available"] == json!(false), device["missing"].is_string(), "{device}");
    }
    assert!(folder.run(&["devices"]).output.contains("interp"));
}

#[test]
fn completions_are_printed() {
    let folder = Folder::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let answer = folder.run(&["completions", shell]);
        assert!(answer.status == 0 && answer.output.contains("shapewright"), "{shell}");
        assert!(!answer.output.contains("worker"), "{shell} completes a command that is not for people");
    }
}

#[test]
fn show_names_the_cluster_and_the_barriers_of_a_kernel() {
    let file = "kernel turn(x: f32[4, 64], y: mut f32[4, 64]) cluster(2) block(64) {
    for i in grid(2) {
        shared s : f32[64];
        for b in threads(2, cuda_cta_in_cluster) {
            for t in threads(64, cuda_thread) { s[t] = x[2 * i + b, t]; }
            for t in threads(64, cuda_thread) { y[2 * i + b, t] = s[63 - t]; }
        }
    }
}
";
    let folder = Folder::new(&[("k.shape", file)]);
    let answer = folder.run(&["show", "k.shape", "turn"]);
    assert!(answer.output.contains(" cluster(2) grid(4) block(64)\n"), "{}{}", answer.output, answer.errors);
    assert!(answer.output.contains("    threads wait at 1 barrier\n"), "{}", answer.output);
    let (_, document) = folder.json(&["show", "k.shape", "turn", "--format", "json"]);
    let item = &document["items"][0];
    assert_eq!((&item["launch"]["cluster"], &item["barriers"]), (&json!(2), &json!(1)), "{document}");
}
