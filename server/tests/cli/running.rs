//! `run`

use serde_json::json;
use shapewright_runtime::tensors::Tensor;
use shapewright_runtime::tensors::npy::write_npy;

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
        let answer = run("S=4611686018427387903");
        assert_eq!(answer.status, 1, "{}", answer.output);
        assert!(answer.errors.contains("`t * S` may become 32281802128991715321, which"), "{}", answer.errors);
        assert_eq!(run("S=1000000").status, 0);
    }
}

#[test]
fn a_part_that_is_not_available_is_named_as_the_reason() {
    let text = "unit pair = (blockDim; 2);\nkernel k(y: mut f32[4]) { view v = y via reshape_map([1] | [4] => layout: [i0, t0]) per pair; v[0] = 1.0; }\nrun k(y: zeros);\n";
    let folder = Folder::new(&[("a.shape", text)]);
    for arguments in [&["run", "a.shape"][..], &["run", "a.shape", "k", "--in", "y=zeros"], &["emit", "a.shape", "k"]] {
        let answer = folder.run(arguments);
        assert_eq!(answer.status, 1, "{}", answer.output);
        assert!(
            answer.errors.contains("a view per thread collective is part of the language, but"),
            "{}",
            answer.errors
        );
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

#[test]
fn the_command_line_gives_generic_parameters_their_values() {
    let folder = Folder::new(&[(
        "a.shape",
        "kernel fill[V = 1, T: f32 | f16](y: mut T[4]) { for i in grid(4) { y[i] = T(V); } }\nrun fill[V: 2](y: zeros);\n",
    )]);
    let run = |given: &[&str]| folder.run(&[&["run", "a.shape", "--device", "cpu"], given].concat());
    assert!(run(&[]).output.contains("y f32[4] = [2, 2, 2, 2]"), "{}", run(&[]).output);
    let given = run(&["-G", "V=7", "-G", "T=f16"]);
    assert!(given.output.contains("y f16[4] = [7, 7, 7, 7]"), "{}{}", given.output, given.errors);
    for (given, message) in [
        ("Q=1", "-G Q: no kernel has a generic parameter Q"),
        ("V", "expected NAME=VALUE, such as B=64 or T=f16"),
        ("V=x", "`x` is neither an integer nor an element type"),
        ("T=i32", "`T` is one of `f32`, `f16`, but the command line gives it `i32`"),
        ("V=f32", "`V` is an integer, but the command line gives it `f32`"),
    ] {
        let answer = run(&["-G", given]);
        assert_ne!(answer.status, 0);
        assert!(answer.errors.contains(message), "{given}: {}", answer.errors);
    }
    let emitted = folder.run(&["emit", "a.shape", "fill", "-G", "V=5", "-G", "T=f16"]);
    assert!(emitted.output.contains("kernel fill(y: mut f16[4])"), "{}{}", emitted.output, emitted.errors);
    assert_eq!(folder.run(&["check", "a.shape", "-G", "V=70000", "-G", "T=f32"]).status, 0);
    let checked = folder.run(&["check", "a.shape", "-G", "V=70000"]);
    assert!(checked.output.contains("with T = f16: expected `f16`, which holds -65504 to 65504"), "{}", checked.output);
}

/// What another program computed is in a file, of whatever element type.
#[test]
fn a_result_is_compared_with_a_file() {
    let text = "kernel k(x: f32[2, 3], y: mut f32[2, 3]) { for (i, j) in grid(2, 3) { y[i, j] = 2.0 * x[i, j]; } }\n\
        run k(x: arange, y: zeros) expect y == npy(\"wanted.npy\");\n";
    let folder = Folder::new(&[("a.shape", text)]);
    let run = || folder.run(&["run", "a.shape", "--device", "cpu"]);
    let missing = run();
    assert_eq!(missing.status, 3, "{}", missing.output);
    assert!(missing.errors.contains("wanted.npy for the `expect`: there is no such file"), "{}", missing.errors);
    let save = |shape: &[u64], values: &[f64]| {
        let tensor = Tensor::from_slice(shape, values).unwrap();
        write_npy(&folder.path("wanted.npy"), "y", &tensor).unwrap();
    };
    save(&[2, 3], &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert!(run().output.contains("expect passed"), "{}{}", run().output, run().errors);
    save(&[2, 3], &[0.0, 2.0, 4.0, 6.0, 8.0, 11.0]);
    assert!(run().output.contains("11"), "{}{}", run().output, run().errors);
    save(&[3, 2], &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    let other = "the file wanted.npy has the shape [3, 2], but what the expectation compares it with has [2, 3]";
    assert!(run().errors.contains(other), "{}", run().errors);
}

/// The size of a tensor of scales says the size of what they scale, where the facts make the quotient exact.
#[test]
fn a_file_says_a_size_through_an_exact_quotient() {
    let kernel = |fact: &str| {
        format!(
            "dim M, K{fact};
kernel total(sa: f32[M, K / 128], y: mut f32[M]) {{
    for i in grid(M) {{ let mut s = 0.0; for j in 0..K / 128 {{ s += sa[i, j]; }} y[i] = s; }}
}}\n"
        )
    };
    let folder = Folder::new(&[("exact.shape", &kernel(" where K % 128 == 0")), ("open.shape", &kernel(""))]);
    let scales = Tensor::from_slice(&[5, 2], &[1.0f32; 10]).unwrap();
    write_npy(&folder.path("sa.npy"), "sa", &scales).unwrap();
    let run = |file| folder.run(&["run", file, "total", "--in", "sa=sa.npy", "--in", "y=zeros", "--device", "cpu"]);
    let answer = run("exact.shape");
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(answer.output.contains("y f32[5] = [2, 2, 2, 2, 2]"), "{}", answer.output);
    let answer = run("open.shape");
    assert_eq!(answer.status, 2, "{}", answer.output);
    assert!(answer.errors.contains("needs a value for K"), "{}", answer.errors);
}
