//! Nothing that a person can type makes the compiler panic, hang or contradict itself about places.

use std::time::{Duration, Instant};

use crate::support::{check, check_files, written};
use check::diagnostics::PAGES;
use ide::CompilerDatabase;
use seeds::Draw;

/// Far more than any check takes, far less than a hang.
const HANG: Duration = Duration::from_secs(20);

/// Checks, and looks at what must hold for every text: places are ranges of the text, and there is an end.
#[track_caller]
fn survives(text: &str) {
    let start = Instant::now();
    let checked = check(text);
    assert!(start.elapsed() < HANG, "{:?} for {:.300}", start.elapsed(), text);
    for finding in &checked.findings {
        let range = &finding.location.range;
        assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} in {text:.300}");
        for edit in finding.fixes.iter().flat_map(|fix| &fix.edits) {
            let range = &edit.location.range;
            assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} in {text:.300}");
        }
    }
}

/// One database takes every prefix, as typing does; that also makes it quick.
#[test]
fn every_prefix_of_every_example() {
    for text in written() {
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", "");
        for (end, _) in text.char_indices() {
            db.set_text("main.shape", &text[..end]);
            for finding in ide::diagnostics(&db, file) {
                let range = finding.location.range;
                assert!(text[..end].get(range.start as usize..range.end as usize).is_some(), "{range:?} of {end}");
            }
        }
    }
}

#[test]
fn every_prefix_of_every_page() {
    for page in PAGES {
        for text in [page.wrong, page.right] {
            for (end, _) in text.char_indices().step_by(3) {
                survives(&text[..end]);
            }
        }
    }
}

/// Bytes go, come twice and change places; what is left of UTF-8 is read.
#[test]
fn random_bytes_go_wrong() {
    let corpus = written();
    for seed in seeds::range(400) {
        let mut draw = Draw::new(seed);
        let mut bytes = draw.pick(&corpus).into_bytes();
        for _ in 0..draw.between(1, 6) {
            let (at, other) = (draw.index(bytes.len()), draw.index(bytes.len()));
            match draw.index(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[other]),
                2 => bytes.swap(at, other),
                _ => bytes[at] = draw.bits() as u8,
            }
        }
        survives(&String::from_utf8_lossy(&bytes));
    }
}

/// Words go, come twice and change places.
#[test]
fn random_words_go_wrong() {
    let corpus = written();
    for seed in seeds::range(400) {
        let mut draw = Draw::new(seed);
        let text = draw.pick(&corpus);
        let mut words: Vec<&str> = text.split_inclusive([' ', ',', '(', '[', ';', '\n']).collect();
        for _ in 0..draw.between(1, 5) {
            let (at, other) = (draw.index(words.len()), draw.index(words.len()));
            match draw.index(3) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other]),
                _ => words.swap(at, other),
            }
        }
        survives(&words.concat());
    }
}

#[test]
fn long_lines_and_long_chains() {
    const MEGABYTE: usize = 1 << 20;
    survives(&"a".repeat(MEGABYTE));
    survives(&" ".repeat(MEGABYTE));
    survives(&format!("const a = {};\n", "9".repeat(MEGABYTE)));
    survives(&format!("// {}\n", "é".repeat(MEGABYTE / 2)));
    survives(&format!("x : [{}1];\n", "1, ".repeat(20_000)));
    survives(&format!("const a = 1{};\n", " + 1".repeat(20_000)));
    survives(&format!("const a = {}1;\n", "-".repeat(20_000)));
    survives(&"s : [1];\n".repeat(3_000));
}

/// Kernels of unusual sizes and shapes: the cost of a check grows only with their text.
#[test]
fn kernels_that_nobody_writes() {
    let listed = |count: usize, separator: &str, part: &dyn Fn(usize) -> String| {
        (0..count).map(part).collect::<Vec<_>>().join(separator)
    };
    let kernel = |launch: &str, parameters: &str, body: &str| {
        survives(&format!("kernel f({parameters}) {launch} {{\n{body}\n}}\nrun f(y: zeros) expect y == 0;\n"));
    };
    let threads = |body: &str| format!("for t in threads(64, cuda_thread) {{ {body} }}");
    let (launch, y) = ("grid(1) block(64)", "y: mut f32[64]");
    for launch in ["grid(1099511627776) block(64)", "grid(1) block(9223372036854775807)", "grid(N) block(0)"] {
        kernel(launch, y, "y[0] = 1.0;");
    }
    kernel(launch, y, &threads(&listed(1000, " else ", &|arm| format!("if t == {arm} {{ y[t] = 1.0; }}"))));
    kernel(launch, y, &threads(&format!("{}y[t] = 1.0;{}", "if t < 64 { ".repeat(1000), "}".repeat(1000))));
    let loops = listed(40, " ", &|depth| format!("for i{depth} in 0..2 {{"));
    kernel(launch, y, &format!("{loops} y[0] = 1.0; {}", "}".repeat(40)));
    kernel(launch, y, &threads(&format!("y[{}] = 1.0;", vec!["t"; 2000].join(" + "))));
    kernel(launch, y, &threads(&format!("if {} {{ y[t] = 1.0; }}", vec!["t < 64"; 500].join(" && "))));
    kernel(launch, y, &format!("y[0] = {}1.0{};", "max(".repeat(300), ", 2.0)".repeat(300)));
    kernel(launch, y, &format!("y[0] = {}1.0;", "-".repeat(5000)));
    kernel(launch, y, &format!("y{} = 1.0;", "[y".repeat(1000)));
    kernel(launch, y, &"y[0] = 1.0;\n".repeat(1000));
    kernel(launch, &listed(2000, ", ", &|number| format!("x{number}: mut f32[4]")), "x0[0] = 1.0;");
    kernel(
        launch,
        &format!("y: mut f32[{}]", vec!["2"; 300].join(", ")),
        &format!("y[{}] = 1.0;", vec!["0"; 300].join(", ")),
    );
    kernel(launch, y, &listed(1000, "\n", &|number| format!("shared s{number} : f32[1];")));
    survives(&listed(1000, "\n", &|number| format!("a{number} : [missing{number}];")));
    survives(&format!("map m = row_major([{}]);\nassert m.injective;\n", vec!["1"; 500].join(", ")));
    survives(&format!("map m = row_major([2, 3]).permute({});\n", listed(20_000, ", ", &|number| number.to_string())));
    survives(&format!("map m = row_major([64]){};\n", " |> pad(1, 1)".repeat(100)));
}

#[test]
fn numbers_beyond_64_bits() {
    for expression in [
        "9223372036854775808",
        "-9223372036854775808",
        "9223372036854775807 + 1",
        "9223372036854775807 * 2",
        "0 - 9223372036854775807 - 2",
        "-(-9223372036854775807 - 1)",
        "(-9223372036854775807 - 1) / -1",
        "(-9223372036854775807 - 1) % -1",
        "cdiv(9223372036854775807, 2) * 4",
        "size([9223372036854775807, 2])",
        "|[4294967296, 4294967296]|",
        "1 / 0",
        "1 % 0",
        "cdiv(1, 0)",
        "cdiv(9223372036854775807, -1)",
        "1e999",
        "0x",
        "4_ic",
    ] {
        for text in
            [format!("const a = {expression};\n"), format!("assert {expression} == 1;\n"), format!("{expression}\n")]
        {
            survives(&text);
        }
    }
    let overflow = check("const a = 9223372036854775807 + 1;\n");
    assert_eq!(overflow.errors(), ["overflow"], "{}", overflow.report());
}

#[test]
fn sizes_that_are_no_sizes() {
    for size in ["0", "-1", "1 - 1", "-9223372036854775807", "9223372036854775807", "N - N", "N - M", "0 * N"] {
        for text in [
            format!("x : [{size}];\n"),
            format!("x : [4, {size}]; assert size(x) == 4;\n"),
            format!("map m = reshape_map([{size}] | [4] => layout: [i0, t0]);\nassert m.injective; m.owners\n"),
            format!("map m = reshape_map([4] | [{size}] => layout: [i0, t0]);\nassert m.covers; m(0, 0)\n"),
            format!(
                "map m = reshape_map([(4, {size})] | [(2, {size})] => layout: [-i0, -t0], offset: {size});\nm.owners\n"
            ),
            format!("kernel k(y: mut f32[{size}]) grid({size}) block({size}) {{ y[0] = 1.0; }}\n"),
            format!("kernel k(y: mut f32[4] strided [{size}]) {{ y[0] = 1.0; }}\nrun k(y: zeros);\n"),
            format!("kernel k(y: mut f32[4]) {{ for i in {size}..{size} {{ y[i] = 1.0; }} }}\n"),
            format!("kernel k(y: mut f32[4]) {{ for i in grid({size}) {{ y[i] = 1.0; }} }}\n"),
            format!(
                "kernel k(y: mut f32[M]) {{ for i in 0..M {{ y[i % ({size})] = 1.0; }} }}\nrun k(y: zeros) with M = {size};\n"
            ),
        ] {
            survives(&format!("dim M, N where M <= N;\n{text}"));
        }
    }
}

#[test]
fn facts_that_contradict() {
    for facts in [
        "N < 1",
        "N > 5, N < 3",
        "N % 4 == 1, N % 2 == 0",
        "N == N + 1",
        "N % 0 == 0",
        "N / 0 == 1",
        "N <= N - 1",
        "0 == 1",
    ] {
        let text = format!(
            "dim N where {facts};\nx : [N];\nassert size(x) == N;\nmap m = reshape_map([1] | [N] => layout: [i0, t0]);\nassert m.covers(N);\n
             kernel k(y: mut f32[N]) {{ view ys = y via m; ys[0] = 1.0; }}\nrun k(y: zeros) with N = 4;\n"
        );
        survives(&text);
        assert!(!check(&text).errors().is_empty(), "{facts} is accepted:\n{}", check(&text).report());
    }
}

/// Whichever of two facts comes second, both are named as they were written.
#[test]
fn a_contradiction_names_both_facts() {
    for [first, second] in [["N % 8 == 1", "N % 4 == 0"], ["N % 4 == 0", "N % 8 == 1"], ["N == 6", "N % 4 == 0"]] {
        let checked = check(&format!("dim N where {first}, {second};\nassert N >= 1;\n"));
        assert_eq!(checked.errors(), ["contradiction"], "{}", checked.report());
        let report = checked.report();
        assert!(report.contains(&format!("`{second}` cannot hold together with `{first}`")), "{report}");
    }
}

#[test]
fn what_needs_itself_is_a_cycle() {
    for text in [
        "const a = a;\n",
        "const a = b; const b = a;\n",
        "x : [x, 1];\n",
        "x : [y]; y : [size(x)];\n",
        "const a = size(x); x : [a];\n",
        "const a = m(0, 0); map m = reshape_map([a] | [4] => layout: [i0, t0]);\n",
        "const a = b + 1; const b = c + 1; const c = a + 1; const d = a;\n",
        "const a = a; kernel k(y: mut f32[a]) grid(a) block(a) { y[a] = 1.0; } run k(y: zeros);\n",
    ] {
        survives(text);
        let checked = check(text);
        assert!(checked.errors().contains(&"cycle"), "{text}\n{}", checked.report());
    }
}

#[test]
fn facts_may_refer_to_each_other() {
    for text in [
        "dim M where M <= N; dim N where N <= 2 * M;\nx : [M, N];\nassert size(x) == M * N;\n",
        "dim M where M <= c; const c = M;\n",
        "dim M where M <= size(x); x : [M];\n",
        "dim M where M <= N; dim N where N <= K; dim K where K <= M;\nkernel k(y: mut f32[M]) { view ys = y via reshape_map([1] | [K] => layout: [i0, t0]) masked; ys[0] = 1.0; }\nrun k(y: zeros) with M = 4, N = 4, K = 4;\n",
    ] {
        survives(text);
    }
}

#[test]
fn cycles_across_files() {
    let files = [
        ("a.shape", "use \"b.shape\";\nconst a = b;\nrun k(y: zeros);\n"),
        ("b.shape", "use \"a.shape\";\nconst b = a;\nkernel k(y: mut f32[a]) { y[0] = 1.0; }\n"),
    ];
    let checked = check_files(&files);
    assert!(checked.errors().contains(&"cycle"), "{}", checked.report());
    let turned = check_files(&[files[1], files[0]]);
    assert!(turned.errors().contains(&"cycle"), "{}", turned.report());
}

#[test]
fn a_file_that_uses_itself_and_files_that_use_each_other() {
    survives("use \"main.shape\";\nx : [3];\n");
    let itself = check("use \"main.shape\";\nx : [3];\nassert x == [3];\n");
    assert!(itself.errors().is_empty(), "{}", itself.report());
    let each_other = check_files(&[
        ("a.shape", "use \"b.shape\";\nx : [3];\nassert y == [4];\n"),
        ("b.shape", "use \"a.shape\";\ny : [4];\nassert x == [3];\n"),
    ]);
    assert!(each_other.errors().is_empty(), "{}", each_other.report());
}
