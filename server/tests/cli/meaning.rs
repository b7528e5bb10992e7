//! `run`: what programs mean, however they are executed.

use serde_json::json;

use crate::program::Folder;

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
