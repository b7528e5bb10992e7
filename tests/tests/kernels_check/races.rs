//! Races.

use super::{gives, says};
use crate::support::check;

#[test]
fn a_race_names_two_threads_and_the_element() {
    let checked = gives("kernel k(y: mut f32[3]) grid(1) block(4) { for i in 0..3 { y[i] = 1.0; } }\n", &["race"]);
    says(&checked, "race", &["thread 0", "thread 1", "element 0", "`y`"]);
}

#[test]
fn a_race_between_blocks_names_the_blocks() {
    let text = "kernel k(y: mut f32[4]) { for i in grid(8) { y[i / 2] = 1.0; } }\n";
    says(&gives(text, &["race"]), "race", &["block 1"]);
}

#[test]
fn the_element_of_a_race_is_named_in_its_own_shape() {
    let text = "kernel k(y: mut f32[2, 3]) grid(1) block(2) { for i in 0..2 { for j in 0..3 { y[i, j] = 1.0; } } }\n";
    says(&gives(text, &["race"]), "race", &["[0, 0]"]);
}

#[test]
fn a_symbolic_race_names_the_sizes() {
    let text = "dim N;\nkernel k(y: mut f32[N]) { for i in grid(N) { y[i / 2] = 1.0; } }\n";
    says(&gives(text, &["race"]), "race", &["N = 2"]);
}

#[test]
fn reshape_maps_never_race() {
    for layout in ["i0, t0", "t0, i0", "-i0, t0", "-t0, -i0"] {
        gives(
            &format!(
                "kernel k(y: mut f32[12]) {{ view ys = y via reshape_map([3] | [4] => layout: [{layout}]);
                 for i in 0..3 {{ ys[i] = 1.0; }} }}\n"
            ),
            &[],
        );
    }
}

#[test]
fn every_thread_may_read_and_write_its_own_elements_in_any_order() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
            for i in 0..3 { ys[i] = ys[2 - i] + ys[0]; ys[1] += 1.0; }
        }\n",
        &[],
    );
}

#[test]
fn two_views_with_one_map_give_one_owner() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view a = y via reshape_map([3] | [4] => layout: [t0, i0]);
            view b = y via reshape_map([3] | [4] => layout: [t0, i0]);
            for i in 0..3 { a[i] = b[2 - i]; }
        }\n",
        &[],
    );
}

#[test]
fn two_views_with_different_owners_race() {
    gives(
        "kernel k(y: mut f32[12]) grid(1) block(4) {
            view a = y via reshape_map([3] | [4] => layout: [t0, i0]);
            view b = y via reshape_map([3] | [4] => layout: [i0, t0]);
            for i in 0..3 { a[i] = b[i]; }
        }\n",
        &["race-read"],
    );
}

#[test]
fn reading_a_written_tensor_by_its_own_index_races() {
    gives(
        "kernel k(y: mut f32[4]) grid(1) block(4) {
            view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
            ys[0] = y[0];
        }\n",
        &["race-read"],
    );
}

#[test]
fn one_thread_races_with_nobody() {
    gives("kernel k(y: mut f32[4]) grid(1) block(1) { for i in 0..4 { y[i] = y[3 - i]; } }\n", &[]);
}

#[test]
fn a_place_that_depends_on_data_may_race() {
    gives(
        "kernel k(at: i32[4], y: mut f32[4]) grid(1) block(4) {
            view mine = at via reshape_map([1] | [4] => layout: [i0, t0]);
            let n = i64(mine[0]);
            if n >= 0 && n < 4 { y[n] = 1.0; }
        }\n",
        &["race"],
    );
}

#[test]
fn a_thread_that_writes_only_where_the_data_says_its_own_place_does_not_race() {
    gives(
        "kernel k(at: i32[8], y: mut f32[8]) {
            for b in grid(8) { let n = i64(at[b]); if n == b { y[b] = 1.0; } }
        }\n",
        &[],
    );
}

/// Stores of one thread to its own element are no race, whatever decides between them.
#[test]
fn both_sides_of_a_condition_may_write_the_elements_of_the_thread() {
    for body in [
        "if i % 2 == 0 { y[i] = 1.0; } else { y[i] = 2.0; }",
        "if i < 3 { y[i] = 1.0; } else { y[i] = 2.0; }",
        "let k = at[i]; if k >= 0 && k < N { y[i] = 1.0; } else { y[i] = 2.0; }",
        "let k = at[i]; if k >= 0 && k < N { y[i] = x[k]; } else if k < 0 { y[i] = 2.0; } else { y[i] = 3.0; }",
        "y[N - 1 - i] = 0.0; if i > 2 { y[N - 1 - i] += 1.0; }",
    ] {
        let kernel = format!("kernel k(at: i64[N], x: f32[N], y: mut f32[N]) {{ for i in grid(N) {{ {body} }} }}");
        assert_eq!(check(&format!("dim N;\n{kernel}\n")).errors(), [""; 0], "{body}");
    }
    // Two loops over the same elements, each under a condition of its own.
    gives(
        "kernel k(a: i64, y: mut f32[12]) {
            view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
            view zs = y via reshape_map([3] | [4] => layout: [t0, i0]);
            if a > 3 { for i in 0..3 { ys[i] = 1.0; } } else { for j in 0..3 { zs[j] = 2.0; } }
        }\n",
        &[],
    );
}

/// A condition that keeps threads apart in one statement does not keep them from those of another.
#[test]
fn exclusive_conditions_do_not_keep_two_threads_apart() {
    for body in [
        // Blocks 2k and 2k + 1 write element k, each on its own side.
        "if i % 2 == 0 { y[i / 2] = 1.0; } else { y[i / 2] = 2.0; }",
        // The first half writes the first half, and so does the second.
        "if i < 4 { y[i % 4] = 1.0; } else { y[i % 4] = 2.0; }",
        "if i < 4 { y[i] = 1.0; } else { y[i - 4] = 2.0; }",
        "if i < 4 { y[i] = 1.0; } else { y[7 - i] = 2.0; }",
        "let k = at[i]; if k > 0 { y[0] = 1.0; } else { y[0] = 2.0; }",
        "let k = at[i]; if k >= 0 && k < 8 { y[k] = 1.0; } else { y[i] = 2.0; }",
    ] {
        let kernel = format!("kernel k(at: i64[8], y: mut f32[8]) {{ for i in grid(8) {{ {body} }} }}\n");
        let checked = check(&kernel);
        assert_eq!(checked.errors(), ["race"], "{body}:\n{}", checked.report());
        assert!(checked.kernel().is_none());
    }
    let read = "kernel k(y: mut f32[8]) { for i in grid(8) { if i < 4 { y[i] = 1.0; } else { let a = y[i - 4]; } } }\n";
    assert_eq!(check(read).errors(), ["race-read"]);
}

/// A sum that wraps at the end of its type still takes different numbers to different ones.
#[test]
fn unsigned_numbers_that_nothing_is_known_of_move_all_elements_alike() {
    let plain = |element: &str, index: &str| {
        format!(
            "dim N;\nkernel k(y: mut f32[N], s: {element}) {{
                for i in grid(16) {{ let u = {element}(i); let k = {index}; if k < {element}(N) {{ y[k] = 1.0; }} }} }}"
        )
    };
    let scattered = |element: &str, index: &str| {
        format!(
            "dim N;\nkernel k(y: mut f32[N], s: {element}) {{
                for i in grid(4) {{ let u = {element}(i); let t = iota({element}[16]);
                    scatter_masked(y, full(f32[16], 1.0), {index}); }} }}"
        )
    };
    for element in ["u32", "u64"] {
        for index in ["s + u", "s - u", "u * 3 + s", "bit_xor(s, u)"] {
            let found = check(&plain(element, index));
            assert!(!found.errors().contains(&"race"), "{element} {index}\n{}", found.report());
            super::safe::safe(&found, index);
        }
        for index in ["s * u", "s + u / 2", "s - s", "bit_xor(s, u % 8)"] {
            let found = check(&plain(element, index));
            assert!(found.errors().contains(&"race"), "{element} {index}\n{}", found.report());
        }
        for index in ["t + u * 16 + s", "t + (u * 16 + s)", "s - t - 16 * u"] {
            gives(&scattered(element, index), &[]);
        }
        for index in ["t + u * 15 + s", "t + s", "t / 2 + u * 16 + s"] {
            let found = check(&scattered(element, index));
            assert_eq!(found.errors(), ["race"], "{element} {index}\n{}", found.report());
        }
    }
    // The numbers of a narrow type come again.
    let found = check(&scattered("u8", "t + u * 64 + s"));
    assert_eq!(found.errors(), [""; 0], "{}", found.report());
    let found = check(&scattered("u8", "t + u * 128 + s"));
    assert_eq!(found.errors(), ["race"], "{}", found.report());
}

/// A uniform number moves the elements of all threads by one distance, around the end of the tensor, too.
#[test]
fn a_rotation_by_a_uniform_number_keeps_threads_apart() {
    let store = |params: &str, statement: &str| {
        format!("dim T;\nkernel k(y: mut i64[T], {params}) {{ for i in grid(T) {{ {statement} }} }}\n")
    };
    for (params, statement) in [
        ("by: u8", "y[(i + i64(by)) % T] = 1;"),
        ("by: u32", "let at = (i64(by) + i) % T; y[at] = y[at] + 1;"),
        ("by: i32", "if by >= 0 { y[(i + i64(by)) % T] = 1; }"),
        ("by: i64", "if by >= 0 && by < 100 { y[(i + by) % T] = 1; }"),
        ("by: i64", "let r = by % T; if r >= 0 { y[(i + r) % T] = 1; }"),
        ("by: u64", "let r = i64(by % u64(T)); y[(i + r) % T] = 1;"),
        ("by: i32[1]", "if by[0] >= 0 { y[(i + i64(by[0])) % T] = 1; }"),
    ] {
        gives(&store(params, statement), &[]);
    }
    for (params, statement) in [
        // The distance differs between threads, or between two times.
        ("by: u32[T]", "y[(i + i64(by[i])) % T] = 1;"),
        ("by: u32[8]", "for q in 0..8 { y[(i + i64(by[q])) % T] = q; }"),
        ("by: u32", "y[(i64(by) + i * 2) % T] = 1;"),
        ("by: u32", "y[(i64(by) + i) % T / 2] = 1;"),
    ] {
        gives(&store(params, statement), &["race"]);
    }
    // The sum may wrap, or be negative.
    gives(&store("by: i64", "if by >= 0 { y[(i + by) % T] = 1; }"), &["out-of-bounds"]);
    gives(&store("by: i32", "y[(i + i64(by)) % T] = 1;"), &["out-of-bounds"]);
}
