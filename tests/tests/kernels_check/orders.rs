//! Orders in which blocks take the tiles of an output: each block has one of its own, in whatever order.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::at_launch;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;
use testing::compare::interpreter_and_cpu;

use super::gives;
use super::safe::safe_for;
use crate::support::check;

/// Groups of rows of tiles, of which the last group has fewer rows, as matrix products go through their output.
const GROUPED: &str = "let width = 3 * cdiv(N, 2);
        let first = p / width * 3;
        let rows = min(cdiv(M, 4) - first, 3);
        let i = first + (p % width) % rows;
        let j = (p % width) / rows;";

/// Groups that are all whole.
const WHOLE_GROUPS: &str = "let width = 3 * cdiv(N, 2);
        let i = p / width * 3 + p % 3;
        let j = p % width / 3;";

/// Every other row of tiles is taken backwards.
const SNAKE: &str = "let n = cdiv(N, 2);
        let i = p / n;
        let q = p % n;
        let j = if i % 2 == 0 { q } else { n - 1 - q };";

/// The same with a variable.
const SNAKE_WITH_A_VARIABLE: &str = "let n = cdiv(N, 2);
        let i = p / n;
        let mut j = p % n;
        if i % 2 == 1 { j = n - 1 - j; }";

const WHOLE: &str = "where M % 4 == 0, (M / 4) % 3 == 0";

/// A kernel in which block `p` of as many as there are tiles stores its number to tile `(i, j)`.
fn text(facts: &str, order: &str) -> String {
    format!(
        "dim M, N;
kernel k(c: mut i32[M, N]) {facts} {{
    view pc = partition(c, [4, 2]);
    for p in grid(cdiv(M, 4) * cdiv(N, 2)) {{
        {order}
        pc.store_masked(full(i32[4, 2], i32(p) + 1), i, j);
    }}
}}
"
    )
}

/// What the kernel stores for these sizes.
fn stored(text: &str, [m, n]: [i64; 2]) -> Vec<i32> {
    let checked = check(text);
    let kernel = checked.kernel().expect("the kernel is accepted");
    let sizes: BTreeMap<Symbol, i64> =
        kernel.symbols.iter().map(|symbol| (symbol.clone(), if symbol.name() == "M" { m } else { n })).collect();
    safe_for(&checked, &kernel, &sizes, text);
    let bounds = at_launch(&kernel, &sizes).expect("the kernel can be launched");
    let before = vec![0; (m * n) as usize];
    let mut arguments = [Argument::Tensor(Tensor::from_slice(&[m as u64, n as u64], &before).unwrap())];
    interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds).unwrap();
    let [Argument::Tensor(found)] = &arguments else { panic!("a tensor was given") };
    found.as_slice::<i32>().unwrap().to_vec()
}

/// The number of the block that stores each element, by the tile of each block.
fn expected([m, n]: [i64; 2], tile_of: impl Fn(i64, [i64; 2]) -> [i64; 2]) -> Vec<i32> {
    let tiles = [(m + 3) / 4, (n + 1) / 2];
    let mut found = vec![0; (m * n) as usize];
    for p in 0..tiles[0] * tiles[1] {
        let [i, j] = tile_of(p, tiles);
        for (row, column) in (0..4).flat_map(|row| [(4 * i + row, 2 * j), (4 * i + row, 2 * j + 1)]) {
            if row < m && column < n {
                found[(row * n + column) as usize] = p as i32 + 1;
            }
        }
    }
    found
}

#[test]
fn groups_of_rows_of_tiles_are_taken_one_after_the_other() {
    let grouped = |p: i64, [m, n]: [i64; 2]| {
        let (first, place) = (p / (3 * n) * 3, p % (3 * n));
        let rows = (m - first).min(3);
        [first + place % rows, place / rows]
    };
    gives(&text("", GROUPED), &[]);
    for sizes in [[1, 1], [13, 7], [24, 5], [29, 2], [4, 9]] {
        assert_eq!(stored(&text("", GROUPED), sizes), expected(sizes, grouped), "{sizes:?}");
    }
    gives(&text(WHOLE, WHOLE_GROUPS), &[]);
    for sizes in [[12, 1], [24, 5]] {
        assert_eq!(stored(&text(WHOLE, WHOLE_GROUPS), sizes), expected(sizes, grouped), "{sizes:?}");
    }
}

#[test]
fn every_other_row_of_tiles_may_be_taken_backwards() {
    let snake = |p: i64, [_, n]: [i64; 2]| [p / n, if p / n % 2 == 0 { p % n } else { n - 1 - p % n }];
    for order in [SNAKE, SNAKE_WITH_A_VARIABLE] {
        gives(&text("", order), &[]);
        for sizes in [[1, 1], [13, 7], [8, 6]] {
            assert_eq!(stored(&text("", order), sizes), expected(sizes, snake), "{sizes:?}");
        }
    }
}

#[test]
fn what_is_loaded_and_stored_again_is_the_blocks_own() {
    for order in [GROUPED, SNAKE] {
        let again = text("", order).replace("full(i32[4, 2], i32(p) + 1)", "pc.load_masked(i, j) + 1");
        gives(&again, &[]);
        let elements = format!(
            "dim M, N;\nkernel k(c: mut i32[M, N]) {{ for p in grid(cdiv(M, 4) * cdiv(N, 2)) {{
                {order} if 4 * i < M && 2 * j < N {{ c[i, j] = c[i, j] + 1; }} }} }}"
        );
        gives(&elements, &[]);
    }
}

#[test]
fn blocks_that_take_one_tile_are_refused() {
    let races = [
        // The last group has fewer rows than the divisor says.
        GROUPED.replace("(p % width) / rows", "(p % width) / 3"),
        GROUPED.replace("(p % width) % rows", "(p % width) % 3"),
        // Each block of a row takes the first tile of its group.
        GROUPED.replace("first + (p % width) % rows", "first"),
        GROUPED.replace("let rows = min(cdiv(M, 4) - first, 3);", "let rows = min(cdiv(M, 4) - first, 4);"),
        // Rows that are taken backwards meet those that are not.
        SNAKE.replace("i % 2 == 0", "p % 2 == 0"),
        SNAKE.replace("n - 1 - q", "0"),
        SNAKE.replace("n - 1 - q", "(n - 1 - q) / 2"),
        SNAKE_WITH_A_VARIABLE.replace("i % 2 == 1", "p % 3 == 1"),
    ];
    for order in races {
        let found = check(&text("", &order));
        assert!(!found.errors().is_empty(), "{order}");
    }
    for (facts, order) in [
        ("where M % 4 == 0", WHOLE_GROUPS.to_owned()),
        (WHOLE, WHOLE_GROUPS.replace("p % width / 3", "p % width / 4")),
        (WHOLE, WHOLE_GROUPS.replace("p % 3", "p % 2")),
    ] {
        let found = check(&text(facts, &order));
        let errors = found.errors();
        assert!(!errors.is_empty() || found.codes().contains("bounds-open"), "{order}");
    }
    // What one block stores, another one loads.
    let shifted = text("", SNAKE).replace("full(i32[4, 2], i32(p) + 1)", "pc.load_masked(i, n - 1 - j)");
    let found = check(&shifted);
    assert_eq!(found.errors(), ["race-read"], "{}", found.report());
}
