//! The compiler's levels as texts, and the CUDA that is printed from the last one.

use ide::Facts;
use kernel::loops::lower;

use crate::support::check;

/// The program, the schedule, the loops and the CUDA of a kernel.
fn levels(text: &str, name: &str) -> [String; 4] {
    let checked = check(text);
    let (db, file) = (&checked.db, checked.file);
    let program = ide::program(db, file, name).expect("its types are right");
    let found = ide::item_facts(db, file).into_iter().find(|item| item.is_called(name)).expect("it is declared");
    let Facts::Kernel(kernel) = found.facts else { panic!("`{name}` has errors: {:?}", checked.findings) };
    [program.program_text(), kernel.schedule_text(), lower(&kernel, &|| {}).text(), emit::cuda(&kernel).source]
}

/// What stands in the body of the CUDA.
fn body(text: &str, name: &str) -> String {
    let [.., cuda] = levels(text, name);
    let (_, body) = cuda.split_once("\n{\n").expect("a function");
    body.trim_end().trim_end_matches('}').to_owned()
}

#[test]
fn a_kernel_from_its_program_to_its_loops() {
    let [program, schedule, loops, _] = levels(
        "dim N where N % 64 == 0;
kernel reverse(x: f32[N], y: mut f32[N]) block(64) {
    shared s: f32[64];
    for b in grid(N / 64) {
        for t in threads(64, cuda_thread) { s[t] = x[b * 64 + t]; }
        for t in threads(64, cuda_thread) {
            let mut sum = 0.0;
            for k in 0..2 { sum += s[63 - t]; }
            y[b * 64 + t] = sum;
        }
    }
}
",
        "reverse",
    );
    insta::assert_snapshot!("program", program);
    insta::assert_snapshot!("schedule", schedule);
    insta::assert_snapshot!("loops", loops);
}

#[test]
fn a_part_that_several_indices_have_is_computed_once() {
    let body = body(
        "dim M; dim N;
kernel copy(x: f32[M, N], y: mut f32[M, N]) block(32) {
    for b in grid(M * cdiv(N, 32)) {
        for t in threads(32, cuda_thread) {
            if b % cdiv(N, 32) * 32 + t < N { y[b / cdiv(N, 32), b % cdiv(N, 32) * 32 + t] = x[b / cdiv(N, 32), b % cdiv(N, 32) * 32 + t]; }
        }
    }
}
",
        "copy",
    );
    assert_eq!(body.matches('/').count() + body.matches('%').count(), 3, "{body}");
}

#[test]
fn equal_indices_written_in_two_ways_are_one() {
    let body = body(
        "kernel twice(x: f32[1024], y: mut f32[1024]) block(64) {
    for b in grid(16) { for t in threads(64, cuda_thread) { y[t + 64 * b] = x[b * 64 + t]; } }
}
",
        "twice",
    );
    assert_eq!(body.matches("64").count(), 1, "{body}");
}

#[test]
fn what_nothing_uses_is_not_declared() {
    let body = body(
        "kernel plain(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        let unused = x[t] * 2.0;
        let row = t / 8;
        y[t] = x[t];
    }
}
",
        "plain",
    );
    assert!(!body.contains("unused") && !body.contains("row"), "{body}");
}

#[test]
fn a_condition_around_an_access_is_not_tested_again() {
    let body = body(
        "dim N;
kernel guarded(x: f32[N], y: mut f32[N]) block(64) {
    view xs = x via reshape_map([1] | [N] => layout: [i0, t0]) masked;
    for b in grid(cdiv(N, 64)) {
        for t in threads(64, cuda_thread) {
            let i = b * 64 + t;
            let v = if i < N { x[i] } else { 0.0 };
            if i < N { y[i] = v; }
        }
    }
}
",
        "guarded",
    );
    assert_eq!(body.matches("< N").count(), 2, "{body}");
}

#[test]
fn a_variable_that_is_assigned_again_keeps_its_values_apart() {
    let body = body(
        "kernel swap(x: f32[64], y: mut f32[128]) grid(1) block(64) {
    for t in threads(64, cuda_thread) {
        let mut a = x[t];
        let mut b = a * 2.0;
        let old = a;
        a = b;
        b = old;
        y[t] = a;
        y[t + 64] = b;
    }
}
",
        "swap",
    );
    let lines: Vec<&str> = body.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines[1..],
        [
            "float a = x[t];",
            "float b = a * 2.0f;",
            "const float old = a;",
            "a = b;",
            "b = old;",
            "y[t] = a;",
            "y[t + 64] = old;",
        ],
        "{body}"
    );
}

#[test]
fn a_tensor_that_is_only_written_is_restricted_beside_barriers() {
    let [.., cuda] = levels(
        "kernel turn(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s: f32[64];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
}
",
        "turn",
    );
    assert!(cuda.contains("float *__restrict__ y") && cuda.contains("__syncthreads"), "{cuda}");
}

#[test]
fn a_condition_around_collectives_keeps_its_other_side() {
    let body = body(
        "kernel pick(x: i32[24], y: mut i32[24]) grid(1) block(24) {
    for k in 0..2 {
        if k > 0 {
            for t in threads(24, cuda_thread) { y[t] = x[t]; }
        } else {
            for t in threads(24, cuda_thread) { y[t] = 7; }
        }
    }
}
",
        "pick",
    );
    assert!(body.contains("} else {") && body.contains("= 7;"), "{body}");
}

#[test]
fn variables_that_only_hold_constants_and_what_does_nothing_else_are_left_out() {
    let body = body(
        "dim N;
kernel sums(x: f32[N], y: mut f32[N]) {
    for i in grid(N) {
        let mut count = 4;
        let mut sum = 0.0;
        let v = x[i];
        let mut unread = v;
        let mut other = unread;
        if v > 0.0 { unread = other + 1.0; } else { other = unread; }
        for k in 0..count { sum += v; }
        for k in 0..8 { unread += 1.0; }
        count = 7;
        y[i] = sum + f32(count);
    }
}
",
        "sums",
    );
    let lines: Vec<&str> = body.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let expected = [
        "const int i = blockIdx.x;",
        "float sum = 0.0f;",
        "const float v = x[i];",
        "for (int k = 0; k < 4; ++k) {",
        "sum += v;",
        "}",
        "y[i] = sum + 7.0f;",
    ];
    assert_eq!(lines, expected, "{body}");
}

/// A random kernel found that both were taken for one.
#[test]
fn a_size_that_a_narrow_type_cuts_off_is_another_value() {
    let body = body(
        "dim N;
kernel cut(y: mut i64[8]) {
    for i in grid(8) {
        for k in 0..2 { y[i] = 7 + i64(-N) + i; y[i] = 7 + i64(u32(-N)) + i; }
    }
}
",
        "cut",
    );
    assert!(body.contains("y[i] = 7 + (long long)(unsigned int)"), "{body}");
}
