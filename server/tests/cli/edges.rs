//! `run` where an index or a size is at the edge of what was proven.

use crate::program::Folder;

#[test]
fn a_negative_index_from_data_is_masked_off_in_a_view_without_an_end() {
    let text = "kernel pick(x: f32[4], at: i32[3], y: mut f32[3], z: mut f32[4]) grid(1) block(1) {
        view open = x via linear(1) masked;
        for k in 0..3 { y[k] = open[at[k]]; }
    }
    run pick(x: [1.0, 2.0, 3.0, 4.0], at: [-100000000, 2, 100000000], y: ones, z: zeros) expect y == [0.0, 3.0, 0.0];\n";
    let folder = Folder::new(&[("a.shape", text)]);
    for device in ["cpu", "interp"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{device}: {}{}", answer.output, answer.errors);
    }
}

#[test]
fn sizes_satisfy_the_facts_about_symbols_that_the_kernel_does_not_use() {
    let kernel = "dim M, N where M == 4 * N;
    kernel last(x: f32[M], y: mut f32[1]) grid(1) block(1) { y[0] = x[3]; }\n";
    let folder =
        |size: i64| Folder::new(&[("a.shape", &format!("{kernel}run last(x: ones, y: zeros) with M = {size};\n"))]);
    let allowed = folder(4000).run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(allowed.status, 0, "{}", allowed.errors);
    for size in [1, 2, 4001] {
        let refused = folder(size).run(&["check", "a.shape"]);
        assert_eq!(refused.status, 1);
        let words = format!("the fact `M == 4 * N` does not hold for M = {size} and any N");
        assert!(refused.output.contains(&words) || refused.errors.contains(&words), "{}", refused.output);
    }
    let said = ["run", "a.shape", "last", "--in", "x=ones", "--in", "y=zeros", "-D", "M=3", "--device", "cpu"];
    let answer = Folder::new(&[("a.shape", kernel)]).run(&said);
    assert_ne!(answer.status, 0);
    assert!(answer.errors.contains("`M == 4 * N` does not hold for M = 3 and any N"), "{}", answer.errors);
}

#[test]
fn sizes_of_symbols_that_only_facts_mention_can_be_given() {
    let kernel = "dim A, B, M where A * A + B * B == M;
    kernel last(x: f32[M], y: mut f32[1]) grid(1) block(1) { y[0] = x[0]; }\n";
    let folder = Folder::new(&[("a.shape", &format!("{kernel}run last(x: ones, y: zeros) with M = 426389;\n"))]);
    assert_eq!(folder.run(&["check", "a.shape"]).status, 0);
    let open = folder.run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(open.status, 1, "{}", open.output);
    assert!((open.output + &open.errors).contains("none of the values tried for A, B; give values"));
    let given = folder.run(&["run", "a.shape", "--device", "cpu", "-D", "A=233", "-D", "B=610"]);
    assert_eq!(given.status, 0, "{}{}", given.output, given.errors);
    let with = format!("{kernel}run last(x: ones, y: zeros) with M = 426389, A = 233, B = 610;\n");
    let written = Folder::new(&[("a.shape", &with)]).run(&["run", "a.shape", "--device", "cpu"]);
    assert_eq!(written.status, 0, "{}{}", written.output, written.errors);
}

#[test]
fn an_iterator_that_cancels_is_not_needed_outside_its_loop() {
    let text = "kernel shift(x: f32[16], y: mut f32[16]) grid(1) block(8) {
        for t in threads(8, cuda_thread) {
            let mut sum = 0.0;
            for i in 0..4 { let k = i + t; sum += x[k - i + 1]; }
            y[t + 1] = sum;
        }
    }
    run shift(x: arange, y: zeros) expect y == [0, 4, 8, 12, 16, 20, 24, 28, 32, 0, 0, 0, 0, 0, 0, 0];\n";
    let folder = Folder::new(&[("a.shape", text)]);
    for device in ["cpu", "interp"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{device}: {}{}", answer.output, answer.errors);
    }
}
