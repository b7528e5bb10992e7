//! `run`

use serde_json::json;

use crate::program::Folder;

const SCALE: &str = "map strided = reshape_map([3] | [4] => layout: [t0, i0]);
kernel scale(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via strided;
    view ys = y via strided;
    for i in 0..3 { ys[i] = a * xs[i]; }
}
";

const SAXPY: &str = "dim N;
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    for i in 0..4 { ys[i] = a * xs[i] + ys[i]; }
}
";

fn scale(run: &str) -> Folder {
    Folder::new(&[("a.shape", &format!("{SCALE}{run}\n"))])
}

#[test]
fn an_expectation_that_holds_passes() {
    let folder = scale("run scale(a: 2.0, x: arange, y: zeros) expect y == 2.0 * x;");
    for device in ["cpu", "interp"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{}", answer.errors);
        assert!(answer.output.starts_with(&format!("✓ scale on {device}: ")), "{}", answer.output);
        assert!(
            answer.output.ends_with(" · y f32[12] = [0, 2, 4, 6, 8, 10, 12, 14, …] · expect passed\n"),
            "{}",
            answer.output
        );
    }
}

#[test]
fn an_expectation_that_fails_names_the_first_wrong_element() {
    let folder = scale("run scale(a: 2.0, x: arange, y: zeros) expect y == 3.0 * x;");
    let answer = folder.run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(answer.status, 1);
    assert!(answer.output.starts_with("✗ scale"), "{}", answer.output);
    assert!(answer.output.contains("expected 3 at [1], got 2, the first of 11 wrong elements"), "{}", answer.output);
    let (status, document) = folder.json(&["run", "a.shape", "--device", "cpu", "--format", "json"]);
    assert_eq!(status, 1);
    let run = &document["runs"][0];
    assert_eq!((&run["kernel"], &run["device"], &run["expect"]), (&json!("scale"), &json!("cpu"), &json!("failed")));
    assert_eq!(run["first_mismatch"], json!({ "index": [1], "expected": 3.0, "actual": 2.0 }));
    assert_eq!(run["outputs"]["y"]["dtype"], "f32");
    assert_eq!(run["outputs"]["y"]["shape"], json!([12]));
    assert_eq!(run["max_error"], 11.0);
}

#[test]
fn tensors_come_from_files_and_go_to_files() {
    let folder = Folder::new(&[("a.shape", SAXPY)]);
    let first = folder.run(&[
        "run", "a.shape", "saxpy", "--in", "a=2", "--in", "x=arange", "--in", "y=ones", "-D", "N=10", "--out",
        "y=y.npy", "--device", "cpu",
    ]);
    assert_eq!(first.status, 0, "{}", first.errors);
    // The size comes from the file.
    let (status, document) = folder.json(&[
        "run", "a.shape", "saxpy", "--in", "a=1", "--in", "x=y.npy", "--in", "y=zeros", "--format", "json", "--device",
        "cpu",
    ]);
    assert_eq!(status, 0);
    let run = &document["runs"][0];
    assert_eq!(run["bindings"], json!({ "N": 10 }));
    assert_eq!(run["expect"], "none");
    assert_eq!(run["outputs"]["y"]["sample"], json!([1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0, 19.0]));
}

#[test]
fn given_files_have_the_sizes_and_the_run_item_fills_in_the_rest() {
    let run = "run saxpy(a: 2.0, x: arange, y: ones) with N = 8 expect y == 2.0 * x + 1.0 save y: \"out/y.npy\";\n";
    let folder = Folder::new(&[("a.shape", &format!("{SAXPY}{run}")), ("out/empty", "")]);
    let written = folder.run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(written.status, 0, "{}", written.errors);
    assert!(written.output.contains("y saved to out/y.npy"), "{}", written.output);
    let smaller =
        ["run", "a.shape", "saxpy", "--in", "x=zeros", "-D", "N=3", "--out", "y=three.npy", "--device", "cpu"];
    assert_eq!(folder.run(&smaller).status, 0);
    let (status, document) =
        folder.json(&["run", "a.shape", "saxpy", "--in", "x=three.npy", "--device", "cpu", "--format", "json"]);
    assert_eq!(status, 0);
    let run = &document["runs"][0];
    assert_eq!((&run["bindings"], &run["expect"]), (&json!({ "N": 3 }), &json!("none")));
    assert_eq!(run["outputs"]["y"]["sample"], json!([3.0, 3.0, 3.0]));
}

#[test]
fn what_does_not_fit_is_refused_with_its_name() {
    let folder = Folder::new(&[("a.shape", SAXPY)]);
    let refused = |arguments: &[&str], status: i32, words: &str| {
        let answer = folder.run(&[&["run", "a.shape"], arguments].concat());
        assert_eq!(answer.status, status, "{arguments:?}: {}", answer.errors);
        assert!(answer.errors.contains(words), "{arguments:?}: {}", answer.errors);
    };
    refused(&[], 1, "has no `run` item");
    refused(&["saxpi"], 1, "did you mean `saxpy`?");
    refused(&["saxpy"], 2, "needs a value for `a`");
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones"], 2, "needs a value for N");
    refused(&["saxpy", "--in", "b=1"], 2, "has no such parameter");
    refused(&["saxpy", "--in", "a=x.npy", "--in", "x=ones", "-D", "N=4"], 2, "give a number");
    refused(&["saxpy", "--in", "a=1", "--in", "x=none.npy", "-D", "N=4"], 3, "none.npy");
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "M=4"], 2, "has a symbol M");
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "N=4", "--out", "z=z.npy"], 2, "has no such parameter");
    for input in ["x", "a"] {
        let out = format!("{input}=out.npy");
        let expected = format!("does not write `{input}`, which is not `mut`; it writes y");
        refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "N=4", "--out", &out], 2, &expected);
    }
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "N=4", "--device", "cuda:99"], 3, "cuda:99");
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "N=4", "--device", "tpu"], 2, "there is no device `tpu`");
    refused(&["saxpy", "--in", "a=1", "--in", "x=ones", "-D", "N=1000000000000"], 3, "of memory");
}

#[test]
fn sizes_with_which_an_index_wraps_are_refused_with_the_index() {
    let text = "dim S where S >= 4;
kernel k(y: mut f32[2]) { for t in grid(8) { if t * S < 4 { y[t] = 1.0; } } }
";
    let folder = Folder::new(&[("a.shape", text)]);
    for device in ["cpu", "interp"] {
        let run = |size| folder.run(&["run", "a.shape", "k", "--in", "y=zeros", "--device", device, "-D", size]);
        let answer = run("S=4611686018427387904");
        assert_eq!(answer.status, 1, "{}", answer.output);
        assert!(answer.errors.contains("`t * S` may become 32281802128991715328, which"), "{}", answer.errors);
        assert_eq!(run("S=1000000").status, 0);
    }
}

#[test]
fn a_part_that_is_not_available_is_named_as_the_reason() {
    let text = "kernel k(y: mut f32[4]) { view t = partition(y, [2]); y[0] = 1.0; }\nrun k(y: zeros);\n";
    let folder = Folder::new(&[("a.shape", text)]);
    for arguments in [&["run", "a.shape"][..], &["run", "a.shape", "k", "--in", "y=zeros"], &["emit", "a.shape", "k"]] {
        let answer = folder.run(arguments);
        assert_eq!(answer.status, 1, "{}", answer.output);
        assert!(answer.errors.contains("a partition into tiles is part of the language, but"), "{}", answer.errors);
    }
}

#[test]
fn a_file_of_another_shape_is_refused_with_the_declaration() {
    let folder = Folder::new(&[("a.shape", SAXPY)]);
    for (name, size) in [("x.npy", "N=11"), ("y.npy", "N=10")] {
        let out = format!("y={name}");
        let run =
            ["run", "a.shape", "saxpy", "--in", "a=1", "--in", "x=ones", "--in", "y=ones", "--out", &out, "-D", size];
        assert_eq!(folder.run(&run).status, 0);
    }
    let answer = folder.run(&["run", "a.shape", "saxpy", "--in", "a=1", "--in", "x=x.npy", "--in", "y=y.npy"]);
    assert_eq!(answer.status, 3);
    assert!(
        answer.errors.contains("expected 11 (shape [11]); it is declared as `f32[N]`, and N is 11 (from x.npy)"),
        "{}",
        answer.errors
    );
}

#[test]
fn a_file_of_another_type_is_refused_before_anything_runs() {
    let folder = Folder::new(&[("a.shape", SAXPY)]);
    let header = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }");
    let bytes = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &1.0f64.to_le_bytes()].concat();
    folder.write("x.npy", &bytes);
    let answer = folder.run(&["run", "a.shape", "saxpy", "--in", "a=1", "--in", "x=x.npy", "--in", "y=zeros"]);
    assert_eq!(answer.status, 3);
    assert!(
        answer.errors.contains("`x`") && answer.errors.contains("f64") && answer.errors.contains("f32"),
        "{}",
        answer.errors
    );
}

#[test]
fn a_file_with_errors_does_not_run() {
    let folder = scale("run scale(a: 2.0, x: arange, z: zeros);");
    let answer = folder.run(&["run", "a.shape"]);
    assert_eq!((answer.status, answer.output.as_str()), (1, ""));
    assert!(answer.errors.contains("error["), "{}", answer.errors);
}

#[test]
fn time_tells_what_was_moved() {
    let folder = scale("run scale(a: 2.0, x: arange, y: zeros);");
    let (status, document) = folder.json(&["run", "a.shape", "--time", "--device", "cpu", "--format", "json"]);
    assert_eq!(status, 0);
    let time = &document["runs"][0]["time"];
    assert_eq!(time["bytes"], 96);
    assert!(time["runs"].as_u64().unwrap() >= 3 && time["run_us_median"].as_f64().unwrap() > 0.0, "{time}");
    assert!(time["cached"].is_boolean() && time["compile_ms"].is_number() && time["gb_per_s"].is_number(), "{time}");
}

#[test]
fn a_run_that_takes_too_long_is_stopped() {
    let folder = Folder::new(&[("a.shape", SAXPY)]);
    let arguments = ["run", "a.shape", "saxpy", "--in", "a=1", "--in", "x=ones", "--in", "y=ones", "-D", "N=60000000"];
    let answer = folder.run(&[&arguments[..], &["--device", "interp", "--time-limit", "0.3"]].concat());
    assert_eq!(answer.status, 3, "{}", answer.output);
    assert!(answer.errors.contains("took longer than 0.3 s"), "{}", answer.errors);
}

/// What an operator means does not depend on whether the compiler, the interpreter or the processor computes it:
/// integer division truncates, also of constants and of sizes whose difference is negative.
#[test]
fn constants_and_sizes_divide_as_variables_do() {
    let file = "dim M, N;
kernel divide(a: i64, b: i64, folded: mut i64[8], computed: mut i64[8]) grid(1) block(1) {
    let m = i64(M) + a - a;
    let n = i64(N) + b - b;
    folded[0] = -5 / 2;            computed[0] = a / b;
    folded[1] = -5 % 2;            computed[1] = a % b;
    folded[2] = 5 / -2;            computed[2] = -a / -b;
    folded[3] = 5 % -2;            computed[3] = -a % -b;
    folded[4] = (M - N) / 2;       computed[4] = (m - n) / b;
    folded[5] = (M - N) % 2;       computed[5] = (m - n) % b;
    folded[6] = N / 2 + N % 2;     computed[6] = n / b + n % b;
    folded[7] = if M == 4 { -7 / 2 } else { 7 / 2 };
    computed[7] = if m == 4 { (a - b) / b } else { 0 };
}
run divide(a: -5, b: 2, folded: zeros, computed: zeros) with M = 4, N = 9
    expect folded == computed && folded[0] == -2 && folded[4] == -2 && folded[7] == -3;
run divide(a: -5, b: 2, folded: zeros, computed: zeros) with M = 9, N = 4 expect folded[4] == 2 && folded[7] == 3;
";
    let folder = Folder::new(&[("a.shape", file)]);
    for device in ["cpu", "interp"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{device}\n{}{}", answer.output, answer.errors);
        assert_eq!(answer.output.matches("expect passed").count(), 2, "{}", answer.output);
    }
}

#[test]
fn an_expectation_takes_lists_and_several_shapes() {
    let text = "dim N;
kernel copy(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[i] * 2.0; } }
run copy(x: [1, 2, 3], y: zeros) expect y == [2, 4, 6] && y.sum() == 12.0 && x[0..2] == [1, 2];
run copy(x: [1, 2, 3], y: zeros) expect y == [2, 4, 6.5];
";
    let folder = Folder::new(&[("a.shape", text)]);
    let answer = folder.run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(answer.status, 1, "{}", answer.errors);
    let all = format!("{}{}", answer.output, answer.errors);
    assert!(all.contains("expect passed") && all.contains("expected 6.5 at [2], got 6"), "{all}");
}

#[test]
fn integers_of_64_bits_stay_exact_on_every_way() {
    let file = "kernel k(s: u64, l: i64, x: u64[4], y: mut u64[4], z: mut i64[2], big: mut bool[4]) grid(1) block(4) {
    for t in threads(4, cuda_thread) {
        let half = 9223372036854775808;
        y[t] = x[t] + s - 18446744073709551615 + half - half;
        big[t] = x[t] >= 0x8000000000000000;
        if t < 2 { z[t] = l; }
    }
}
run k(s: 18446744073709551615, l: -9223372036854775808, z: zeros, big: zeros, y: zeros,
      x: [18446744073709551615, 9223372036854775808, 1, 11132198006129046674])
    expect y == [18446744073709551615, 9223372036854775808, 1, 11132198006129046674] && big == [true, true, false, true]
        && z == -9223372036854775808
    save y: \"y.npy\";
run k(s: 18446744073709551615, l: 9007199254740993, x: npy(\"y.npy\"), y: zeros, z: zeros, big: zeros)
    expect y == [18446744073709551615, 9223372036854775808, 1, 11132198006129046675];
";
    let folder = Folder::new(&[("a.shape", file)]);
    for device in ["cpu", "interp"] {
        let (status, document) = folder.json(&["run", "a.shape", "--device", device, "--format", "json"]);
        assert_eq!(status, 1, "{device}: {document}");
        let [first, second] = [&document["runs"][0], &document["runs"][1]];
        assert_eq!(first["expect"], "passed", "{document}");
        let numbers = json!([u64::MAX, 1u64 << 63, 1, 11132198006129046674u64]);
        assert_eq!(first["outputs"]["y"]["sample"], numbers);
        assert_eq!(second["outputs"]["z"]["sample"], json!([9007199254740993i64, 9007199254740993i64]));
        let mismatch = json!({ "index": [3], "expected": 11132198006129046675u64, "actual": 11132198006129046674u64 });
        assert_eq!(second["first_mismatch"], mismatch);
        let run = ["run", "a.shape", "k", "--device", device, "--in", "x=0xFFFF_FFFF_FFFF_FFFF", "--format", "json"];
        let given = ["--in", "s=11132198006129046674", "--in", "l=-9223372036854775808"];
        let (status, document) = folder.json(&[&run[..], &given].concat());
        assert_eq!(status, 0, "{document}");
        assert_eq!(document["runs"][0]["outputs"]["y"]["sample"][0], 11132198006129046674u64);
        assert_eq!(document["runs"][0]["outputs"]["z"]["sample"][1], i64::MIN);
    }
}

#[test]
fn a_value_that_the_parameter_does_not_hold_is_refused() {
    let file = "kernel k(s: u64, flag: bool, half: f16, mask: bool[2], y: mut f32[2]) grid(1) block(2) {
    for t in threads(2, cuda_thread) { if flag && mask[t] { y[t] = f32(s) * f32(half); } }
}
";
    let folder = Folder::new(&[("a.shape", file)]);
    let with = |given: &str| {
        let name = given.split('=').next().unwrap();
        let all = ["s=1", "flag=true", "half=1", "mask=true"];
        let mut arguments = vec!["run", "a.shape", "k"];
        for value in all.into_iter().filter(|value| !value.starts_with(&format!("{name}="))).chain([given]) {
            arguments.extend(["--in", value]);
        }
        folder.run(&arguments)
    };
    for fine in ["s=18446744073709551615", "s=1e3", "flag=false", "flag=1", "mask=false", "half=0.5", "half=inf"] {
        let answer = with(fine);
        assert_eq!(answer.status, 0, "{fine}: {}", answer.errors);
    }
    for (given, words) in [
        ("s=18446744073709551616", "18446744073709551616 does not fit u64, whose values are 0 to 18446744073709551615"),
        ("s=-1", "-1 does not fit u64"),
        ("s=1.5", "1.5 does not fit u64"),
        ("s=1e19", "a float of this size stands for many integers of u64; write all digits of the one meant"),
        ("s=true", "the parameter holds u64, which cannot be true"),
        ("s=many", "the parameter is a scalar of u64, give a number"),
        ("flag=yes", "the parameter is a scalar of bool, give true or false"),
        ("flag=zeros", "the parameter is a scalar of bool, give true or false"),
        ("flag=2", "the parameter holds bool, give true or false"),
        ("mask=0.5", "the parameter holds bool, give true or false"),
        ("half=70000", "70000 does not fit f16"),
    ] {
        let answer = with(given);
        assert_eq!(answer.status, 2, "{given}: {}", answer.errors);
        assert!(answer.errors.contains(&format!("--in {given}: {words}")), "{}", answer.errors);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_go_into_devices_and_never_replace_them() {
    use std::os::unix::fs::FileTypeExt;
    let folder = scale("run scale(a: 2.0, x: arange, y: zeros) save y: \"/dev/full\";");
    for command in [
        &["draw", "a.shape", "strided", "-o", "/dev/full"][..],
        &["run", "a.shape"],
        &["run", "a.shape", "scale", "--in", "a=1", "--in", "x=ones", "--out", "y=/dev/full"],
    ] {
        let answer = folder.run(command);
        assert_eq!(answer.status, 3, "{command:?}: {}", answer.errors);
        assert!(answer.errors.contains("/dev/full") && answer.errors.contains("No space left"), "{}", answer.errors);
        assert!(std::fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    }
    let answer = folder.run(&["draw", "a.shape", "strided", "-o", "/dev/stdout"]);
    assert!(answer.status == 0 && answer.output.starts_with("<svg"), "{}", answer.errors);
}

/// What the arms of a ladder say does not depend on how many there are.
#[test]
fn a_ladder_of_thousands_of_arms_means_what_it_says() {
    let ladder = |variable: &str, arms: usize| {
        let arm = |k: usize| format!("if {variable} == {k} {{ v += {k}; }}");
        (0..arms).map(arm).collect::<Vec<_>>().join(" else ")
    };
    for arms in [64, 65, 128, 129, 5000] {
        let file = format!(
            "kernel pick(y: mut i32[1024], a: i32) grid(1) block(1024) {{
    for t in threads(1024, cuda_thread) {{
        let mut v = i32(0);
        {} else {{ v = -1; }}
        {}
        y[t] = v;
    }}
}}
run pick(y: zeros, a: 63) expect y[0] == 63 && y[63] == 126 && y[1023] == {};
run pick(y: zeros, a: {last}) expect y[63] == {} && y[64] == {};
run pick(y: zeros, a: {arms}) expect y[0] == 0 && y[63] == 63;
",
            ladder("t", arms),
            ladder("a", arms),
            if arms > 1023 { 1023 + 63 } else { 63 - 1 },
            63 + arms - 1,
            if arms > 64 { 64 + arms - 1 } else { arms - 2 },
            last = arms - 1,
        );
        let folder = Folder::new(&[("a.shape", &file)]);
        for device in ["interp", "cpu"] {
            let answer = folder.run(&["run", "a.shape", "--device", device]);
            assert_eq!(answer.status, 0, "{arms} arms on {device}: {}{}", answer.output, answer.errors);
        }
        let answer = folder.run(&["emit", "a.shape", "pick"]);
        assert_eq!(answer.status, 0, "{}", answer.errors);
        // The first ladder begins with a known number.
        for assignment in ["v = 3;", "v = wrapping_add(v, 3);"] {
            assert_eq!(answer.output.matches(assignment).count(), 1, "{}", answer.output);
        }
        assert!(answer.output.contains("} else if (") && !answer.output.contains("else {\n            if"));
        assert_eq!(folder.run(&["fmt", "a.shape"]).status, 0);
        assert_eq!(folder.run(&["fmt", "--check", "a.shape"]).status, 0);
    }
}

/// Nor does what the arms of an expression say, in a kernel, in an expectation, or outside of both.
#[test]
fn a_choice_of_thousands_of_arms_means_what_it_says() {
    let choice = |variable: &str, arms: usize, otherwise: &str| {
        let arms = (0..arms).map(|k| format!("if {variable} == {k} {{ {} }} else ", 3 * k)).collect::<String>();
        format!("{arms}{{ {otherwise} }}")
    };
    for arms in [2, 64, 65, 129, 3000] {
        let file = format!(
            "const last = {};
const beyond = {};
kernel pick(y: mut i32[1024], z: mut f32[1024], a: i32) grid(1) block(1024) {{
    for t in threads(1024, cuda_thread) {{
        y[t] = {};
        z[t] = {};
    }}
}}
run pick(y: zeros, z: zeros, a: 1) expect y[0] == 0 && y[1] == 3 && y[1023] == {last} && z[5] == 3;
run pick(y: zeros, z: zeros, a: {arms}) expect z[5] == -1.5 && last == {} && beyond == -7;
run pick(y: zeros, z: zeros, a: 1) expect y[1] == ({});
",
            choice(&(arms - 1).to_string(), arms, "-7"),
            choice(&arms.to_string(), arms, "-7"),
            choice("t", arms, "a - 2"),
            choice("a", arms, "-1.5"),
            3 * (arms - 1),
            choice("1", arms.min(100), "5"),
            last = if arms > 1023 { 3 * 1023 } else { -1 },
        );
        let folder = Folder::new(&[("a.shape", &file)]);
        for device in ["interp", "cpu"] {
            let answer = folder.run(&["run", "a.shape", "--device", device]);
            assert_eq!(answer.status, 0, "{arms} arms on {device}: {}{}", answer.output, answer.errors);
        }
        assert_eq!(folder.run(&["emit", "a.shape", "pick"]).status, 0);
        assert_eq!(folder.run(&["fmt", "a.shape"]).status, 0);
        assert_eq!(folder.run(&["fmt", "--check", "a.shape"]).status, 0);
    }
}

/// Sizes follow from the shapes of what is given, also where a dimension is more than a size.
#[test]
fn sizes_follow_from_dimensions_that_are_made_of_them() {
    let text = "dim N, M;
kernel differences(x: f32[N + 1], m: f32[2 * M + N], y: mut f32[N]) block(1) {
    for i in grid(N) { y[i] = x[i + 1] - x[i] + m[0]; }
}
";
    let folder = |run: &str| Folder::new(&[("a.shape", &format!("{text}{run}\n"))]);
    let given =
        folder("run differences(m: [0, 0, 0, 0, 0, 0, 0, 0], x: [1, 2, 4, 8, 16], y: zeros) expect y == [1, 2, 4, 8];");
    let answer = given.run(&["run", "a.shape", "--device", "interp"]);
    assert_eq!(answer.status, 0, "{}{}", answer.output, answer.errors);
    assert!(answer.output.contains("M = 2, N = 4"), "{}", answer.output);
    let small = folder("run differences(m: ones, x: [], y: zeros) with M = 1;");
    let answer = small.run(&["run", "a.shape"]);
    assert_eq!(answer.status, 1, "{}{}", answer.output, answer.errors);
    let odd = folder("run differences(m: [0, 0, 0], x: [1, 2, 4], y: zeros);");
    let answer = odd.run(&["run", "a.shape", "--device", "interp"]);
    assert_eq!(answer.status, 3, "{}{}", answer.output, answer.errors);
    let why = "dimension 0 of `m` is declared as 2 * M + N and has 3 elements in the elements of `m`: no M makes it so";
    assert!(answer.errors.contains(why), "{}", answer.errors);
}
