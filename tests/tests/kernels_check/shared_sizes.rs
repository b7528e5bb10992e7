//! Shared arrays whose extents are sizes of the launch.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, Memory, SharedId};
use kernel::{NoRoom, array_lengths};

use super::{gives, says};
use crate::support::{Checked, check};

/// A kernel of 64 threads with what stands between its braces.
fn of_threads(dims: &str, body: &str) -> String {
    format!("{dims}\nkernel k(x: f32[N], z: u8[N], y: mut f32[N]) grid(1) block(64) {{\n{body}\n}}\n")
}

fn sizes(kernel: &Kernel, values: &[(&str, i64)]) -> BTreeMap<Symbol, i64> {
    let value = |symbol: &Symbol| values.iter().find(|(name, _)| *name == symbol.name()).map(|(_, value)| *value);
    kernel.symbols.iter().filter_map(|symbol| Some((symbol.clone(), value(symbol)?))).collect()
}

/// The text of an accepted kernel with its barriers.
fn schedule(checked: &Checked) -> String {
    checked.kernel().expect("a kernel").schedule_text()
}

const REVERSE: &str = "shared s : f32[N];
    for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i] = x[i]; } }
    for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[N - 1 - i]; } }";

#[test]
fn sizes_with_a_bound_are_judged_when_the_kernel_is_checked() {
    gives(&of_threads("dim N where N <= 58112;", REVERSE), &[]);
    gives(&of_threads("dim N where N % 4 == 0, N < 1000;", REVERSE), &[]);
    let open = gives(&of_threads("dim N;", REVERSE), &["shared-size-open"]);
    says(&open, "shared-size-open", &["`4 * N` bytes", "at most 232448", "`N <= 58112`"]);
    let open = gives(&of_threads("dim N where N <= 58113;", REVERSE), &["shared-size-open"]);
    says(&open, "shared-size-open", &["`4 * N` bytes"]);
    let never = gives(&of_threads("dim N where N >= 58113;", REVERSE), &["shared-too-large"]);
    says(&never, "shared-too-large", &["4 * N bytes, at least 232452 whatever the sizes are", "at most 232448"]);
}

#[test]
fn the_fact_that_is_offered_settles_it() {
    let checked = check(&of_threads("dim N;", REVERSE));
    let finding = checked.findings.iter().find(|finding| finding.code == "shared-size-open").unwrap();
    gives(&checked.applied(&finding.fixes[0]), &[]);
}

#[test]
fn accesses_are_proven_against_sizes() {
    for right in [
        "shared s : f32[N + 2];
        for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i + 1] = x[i]; } }
        for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[i] + s[i + 2]; } }",
        "shared s : f32[2 * N];
        for t in threads(64, cuda_thread) { for i in t..N step 64 { s[2 * i] = x[i]; s[2 * i + 1] = x[N - 1 - i]; } }
        for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[i] + s[i + N]; } }",
        "shared s : f32[N, N];
        for t in threads(64, cuda_thread) { for i in t..N step 64 { for j in 0..N { s[i, j] = x[j]; } } }
        for t in threads(64, cuda_thread) { for i in t..N step 64 { for j in 0..N { y[i] += s[j, i]; } } }",
        "shared s : f32[3, N];
        for k in 0..N { for t in threads(64, cuda_thread) { for i in t..N step 64 { s[k % 3, i] = x[i]; y[i] = s[k % 3, i]; } } }",
        "shared bins : i32[N];
        for t in threads(64, cuda_thread) {
            for i in t..N step 64 { let b = i64(z[i]); if b < N { atomic_add(bins[b], 1); } }
        }
        for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = f32(bins[i]); } }",
        "shared s : f32[32, N] |> xor;
        for t in threads(32, cuda_thread) { for j in 0..N { s[t, j] = x[j]; } }
        for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[i % 32, i]; } }",
    ] {
        let checked = check(&of_threads("dim N where N <= 200;", right));
        assert!(checked.errors().is_empty(), "{right}\n{}", checked.report());
        assert!(super::safe(&checked, right) > 0, "{right}");
    }
}

#[test]
fn what_leaves_an_array_is_refused() {
    for (wrong, code) in [
        ("for t in threads(64, cuda_thread) { s[t] = 1.0; }", "out-of-bounds"),
        ("for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i + 1] = x[i]; } }", "out-of-bounds"),
        ("for t in threads(64, cuda_thread) { for i in t..N + 1 step 64 { s[i] = 1.0; } }", "out-of-bounds"),
        ("for t in threads(64, cuda_thread) { s[i64(z[0])] = 1.0; }", "out-of-bounds"),
        ("for t in threads(64, cuda_thread) { s[N - 2] = 1.0; }", "out-of-bounds"),
        ("for t in threads(64, cuda_thread) { if t < N { s[t / 2] = 1.0; } }", "shared-race"),
        ("for t in threads(64, cuda_thread) { for i in t..N step 32 { s[i] = x[i]; } }", "shared-race"),
        ("for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i] = s[N - 1 - i]; } }", "shared-race"),
    ] {
        let checked = check(&of_threads("dim N;", &format!("shared s : f32[N];\n{wrong}")));
        assert!(checked.errors().contains(&code), "{wrong}\n{}", checked.report());
    }
}

/// Rows of an array do not overlap, though their distance is a size.
#[test]
fn rows_with_a_distance_that_is_a_size_are_apart() {
    let text = "dim N;
    kernel k(x: f32[64, N], y: mut f32[64, N]) grid(1) block(64) {
        shared s : f32[64, N + 1];
        for t in threads(64, cuda_thread) { for i in 0..N { s[t, i] = x[t, i]; } }
        for t in threads(64, cuda_thread) { for i in 0..N { y[t, i] = s[t, N - 1 - i]; } }
    }
    ";
    let checked = check(text);
    assert!(checked.errors().is_empty(), "{}", checked.report());
    assert!(!schedule(&checked).contains("barrier"), "every thread has its own row:\n{}", schedule(&checked));
    super::safe(&checked, text);
    let other = check(&text.replace("s[t, N - 1 - i]", "s[63 - t, i]"));
    assert_eq!(schedule(&other).matches("barrier of the block").count(), 1, "{}", other.report());
}

/// An array that all threads fill together need not be cleared before.
#[test]
fn what_is_written_everywhere_is_not_cleared() {
    let whole = check(&of_threads("dim N;", REVERSE));
    assert!(!schedule(&whole).contains("cleared"), "{}", schedule(&whole));
    let partly = check(&of_threads("dim N;", &REVERSE.replace("t..N step 64 { s", "t..N - 1 step 64 { s")));
    assert!(schedule(&partly).contains("cleared"), "{}", schedule(&partly));
    let larger =
        check(&of_threads("dim N;", &REVERSE.replace("f32[N]", "f32[N + 1]").replace("s[N - 1 - i]", "s[N - i]")));
    assert!(schedule(&larger).contains("cleared"), "{}", schedule(&larger));
}

/// Arrays of all alignments and lengths lie in one pool: none overlaps another one, and each begins at a multiple of 16 bytes.
#[test]
fn arrays_of_a_pool_are_apart_and_aligned() {
    let text = "dim N, M;
    kernel k(y: mut f64[N]) grid(1) block(1) {
        shared a : u8[N];
        shared b : f64[M];
        shared c : f16[3];
        shared d : u8[M, N];
        shared e : f64[1];
        shared f : i32[2 * N - 1];
        y[0] = f64(a[0]) + b[0] + f64(c[0]) + f64(d[0, 0]) + e[0] + f64(f[0]);
    }
    ";
    let checked = check(text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    let layout = kernel.shared_layout().unwrap();
    for (n, m) in (1..40).flat_map(|n| (1..40).map(move |m| (n, m))) {
        let known = sizes(&kernel, &[("N", n), ("M", m)]);
        let value = |size: &dims::Sym| size.evaluate(&|symbol| known.get(symbol).copied()).unwrap();
        let mut places: Vec<(i64, i64)> = Vec::new();
        for (number, array) in (0u32..).zip(&kernel.shared) {
            let first = value(&layout.first_byte(SharedId(number)).unwrap());
            assert_eq!(first % 16, 0);
            assert_eq!(kernel.element(Memory::Shared(SharedId(number))), Some(array.element));
            places.push((first, first + value(&array.bytes().unwrap())));
        }
        assert!(places.iter().all(|(_, end)| *end <= value(&layout.bytes)));
        places.sort_unstable();
        assert!(places.windows(2).all(|pair| pair[0].1 <= pair[1].0), "N = {n}, M = {m}: {places:?}");
    }
}

#[test]
fn a_launch_says_what_does_not_fit() {
    let text = "dim N, M;
    kernel k(y: mut f32[1]) grid(1) block(1) {
        shared s : f32[N - 2, M - 2];
        if N > 2 && M > 2 { y[0] = s[0, 0]; }
    }
    ";
    let checked = check(text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    let launch =
        |n, m| array_lengths(&kernel, &sizes(&kernel, &[("N", n), ("M", m)])).map_err(|error| error.to_string());
    assert_eq!(launch(3, 3), Ok(vec![1]));
    assert_eq!(launch(230, 5), Ok(vec![684]));
    let empty = |extent: &str, value, size| {
        Err(format!("the extent {extent} of the shared array s is {value} with {size}, and has to be at least 1"))
    };
    assert_eq!(launch(2, 10), empty("N - 2", 0, "N = 2"));
    // Both extents are negative, and their product is not.
    assert_eq!(launch(1, 1), empty("N - 2", -1, "N = 1"));
    assert_eq!(launch(10, 1), empty("M - 2", -1, "M = 1"));
    let large = launch(1 << 40, 3).unwrap_err();
    assert!(
        large.ends_with("which are 4398046511096 with M = 3, N = 1099511627776, and a block has at most 232448"),
        "{large}"
    );
    let many = launch(1 << 40, 1 << 40).unwrap_err();
    assert!(many.contains("which are more than 64 bits count with M = 1099511627776"), "{many}");
    assert!(matches!(array_lengths(&kernel, &BTreeMap::new()), Err(NoRoom::Unknown { .. })));
}

/// What a layout adds to the extents takes no room, so it is not bounded by it.
#[test]
fn the_extents_of_a_layout_are_not_those_of_the_storage() {
    let text = "dim N;
    kernel k(y: mut f32[N + 10]) grid(1) block(1) {
        shared s : f32[N] |> pad(5, 5);
        for i in 0..N + 10 { s[i] = 1.0; }
        for i in 0..N + 10 { y[i] = s[i]; }
    }
    ";
    let checked = check(text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{}", checked.report()));
    super::safe(&checked, text);
    // A place of the pad has no element.
    assert!(schedule(&checked).contains("s.m0[i.0 masked] = 1.0"), "{}", schedule(&checked));
    for n in [1, 58_103, 58_112] {
        let known = sizes(&kernel, &[("N", n)]);
        assert_eq!(array_lengths(&kernel, &known), Ok(vec![n]));
        assert!(kernel.facts.check(&known).is_ok(), "{n}");
    }
}

/// A layout may leave places without an element, also where the extents are numbers.
#[test]
fn places_without_an_element_are_masked() {
    let text = "kernel k(y: mut f32[18]) grid(1) block(18) {
        shared s : f32[8] |> pad(5, 5);
        for t in threads(18, cuda_thread) { s[t] = 1.0; }
        for t in threads(18, cuda_thread) { y[t] = s[17 - t]; }
    }
    ";
    let checked = gives(text, &[]);
    assert_eq!(schedule(&checked).matches("masked]").count(), 2, "{}", schedule(&checked));
    let none = gives(
        &text
            .replace("[8] |> pad(5, 5)", "[2, 16] |> xor")
            .replace("s[t]", "s[t / 16, t % 16]")
            .replace("s[17 - t]", "s[1, t % 16]"),
        &[],
    );
    assert!(!schedule(&none).contains("masked]"), "{}", schedule(&none));
}

#[test]
fn extents_that_are_less_than_one_are_found() {
    let empty = |dims: &str, extent: &str| {
        check(&format!(
            "{dims}\nkernel k(y: mut f32[1]) grid(1) block(1) {{ shared s : f32[{extent}]; y[0] = s[0]; }}\n"
        ))
    };
    assert_eq!(empty("dim N where N <= 3;", "N - 3").errors(), ["zero-size"]);
    assert_eq!(empty("dim N;", "-N").errors(), ["zero-size"]);
    assert_eq!(empty("dim N;", "N - N").errors(), ["zero-size"]);
    let open = empty("dim N where N <= 100;", "N - 3");
    assert!(open.errors().is_empty(), "{}", open.report());
    says(&open, "shared-size-open", &["`N - 3`", "may be less than 1", "`N >= 4`"]);
    assert!(empty("dim N where N <= 100, N > 3;", "N - 3").codes().is_empty());
    assert_eq!(empty("dim N;", "N * 1000000000000 * 1000000000000").errors(), ["overflow"]);
}

/// A run whose sizes a block has no room for is refused before anything is made.
#[test]
fn a_run_is_refused_where_its_sizes_do_not_fit() {
    let run = |n: &str| {
        check(&format!("{}run k(x: ones, z: zeros, y: zeros) with N = {n};\n", of_threads("dim N;", REVERSE)))
    };
    assert!(run("58112").errors().is_empty());
    let large = run("58113");
    assert_eq!(large.errors(), ["shared-too-large"]);
    says(
        &large,
        "shared-too-large",
        &["take 4 * N bytes, which are 232452 with N = 58113, and a block has at most 232448"],
    );
    assert_eq!(run("1099511627776").errors(), ["shared-too-large"]);
}
