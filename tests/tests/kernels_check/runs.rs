//! Runs: what their arguments say, and what they save.

use crate::support::check;

const REVERSE: &str = "dim N;
kernel reverse(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[N - 1 - i]; } }
";

#[test]
fn a_literal_says_how_large_a_size_is() {
    let codes = |run: &str| check(&format!("{REVERSE}{run}\n")).codes();
    assert!(codes("run reverse(x: [1, 2, 3], y: zeros);").is_empty());
    assert!(codes("run reverse(x: npy(\"x.npy\"), y: zeros);").is_empty());
    assert!(codes("run reverse(x: arange, y: zeros) with N = 3;").is_empty());
    assert_eq!(codes("run reverse(x: arange, y: zeros);"), ["run-unbound-symbol"].into());
}

#[test]
fn only_what_the_kernel_writes_is_saved() {
    let errors =
        |name: &str| check(&format!("{REVERSE}run reverse(x: [1], y: zeros) save {name}: \"a.npy\";\n")).errors();
    assert!(errors("y").is_empty());
    assert_eq!(errors("x"), ["save-target"]);
    assert_eq!(errors("z"), ["save-target"]);
}
