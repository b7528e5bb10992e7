//! Regions of one output, each with a partition of its own.

use super::{gives, says};
use crate::support::check;

/// A kernel that stores to two parts of a matrix, which begin and end at these columns.
fn halves([left, right]: [&str; 2], tiles: [&str; 2], body: &str) -> String {
    format!(
        "dim M, N;
kernel k(y: mut f32[M, 2 * N]) {{
    view left = partition(y via row_major([M, 2 * N]) |> {{ 0: _, 1: slice({left}) }}, {});
    view right = partition(y via row_major([M, 2 * N]) |> {{ 0: _, 1: slice({right}) }}, {});
    for (i, j) in grid(left.index_space) {{ {body} }}
}}
",
        tiles[0], tiles[1]
    )
}

const STORES: &str =
    "left.store_masked(full(f32[left.tile], 1.0), i, j); right.store_masked(full(f32[right.tile], 2.0), i, j);";
const HALVES: [&str; 2] = ["0, N", "N, 2 * N"];
const TILES: [&str; 2] = ["[4, 4]", "[4, 4]"];

#[test]
fn halves_of_a_matrix_may_each_have_a_partition() {
    gives(&halves(HALVES, TILES, STORES), &[]);
    let shapes = STORES
        .replace("right.store_masked(", "if j < right.index_space(1) { right.store_masked(")
        .replace("2.0), i, j);", "2.0), i, j); }");
    gives(&halves(HALVES, ["[4, 4]", "[4, 8]"], &shapes), &[]);
    // What is only loaded needs no partition of its own elements.
    let copied = "right.store_masked(left.load_masked(i, j) + 1.0, i, j); right.store_masked(right.load_masked(i, j) * 2.0, i, j);";
    gives(&halves(HALVES, TILES, copied), &[]);
    gives(&halves(["0, 2 * N", "N, 2 * N"], TILES, "left.store_masked(left.load_masked(i, j), i, j);"), &[]);
}

#[test]
fn partitions_that_reach_one_element_are_refused() {
    for regions in [["0, N + 1", "N, 2 * N"], ["0, N", "N - 1, 2 * N"], ["0, N", "0, N"]] {
        // One range twice is one view.
        let codes: &[&str] = if regions[0] == regions[1] { &[] } else { &["tile-shape"] };
        let found = gives(
            &halves(
                regions,
                TILES,
                "left.store_masked(full(f32[4, 4], 1.0), i, j); if j < right.index_space(1) { right.store_masked(full(f32[4, 4], 2.0), i, j); }",
            ),
            codes,
        );
        if !codes.is_empty() {
            says(&found, "tile-shape", &["`y` is written, and accessed in tiles of two views"]);
        }
    }
    let loaded = "right.store_masked(left.load_masked(i, j), i, 0);";
    let found = check(&halves(["0, 2 * N", "N, 2 * N"], TILES, loaded));
    assert_eq!(found.errors(), ["tile-shape"], "{}", found.report());
    let found = check(&halves(
        ["0, N", "0, N"],
        ["[4, 4]", "[4, 8]"],
        &STORES.replace("right.tile], 2.0), i, j", "right.tile], 2.0), i, 0"),
    ));
    assert_eq!(found.errors(), ["tile-shape"], "{}", found.report());
    // Each region is checked for itself, too.
    let found = check(&halves(HALVES, TILES, &STORES.replace("2.0), i, j", "2.0), i, 0")));
    assert_eq!(found.errors(), ["race"], "{}", found.report());
}

#[test]
fn a_block_may_store_tiles_that_lie_apart() {
    let stores = |second: &str| {
        format!(
            "dim N;\nkernel k(y: mut f32[32 * N]) {{
                view py = partition(y, [16]);
                for i in grid(N) {{ py.store(full(f32[16], 1.0), i); py.store(full(f32[16], 2.0), {second}); }} }}"
        )
    };
    gives(&stores("i + N"), &[]);
    gives(&stores("2 * N - 1 - i"), &[]);
    let found = check(&stores("i + 1"));
    assert_eq!(found.errors(), ["race"], "{}", found.report());
    let found = check(&stores("i + N - 1"));
    assert_eq!(found.errors(), ["race"], "{}", found.report());
}

/// What the halves hold after the run.
#[test]
fn both_halves_are_stored() {
    use shapewright_runtime::execute::Argument;
    use shapewright_runtime::tensors::Tensor;
    let checked = check(&halves(HALVES, TILES, STORES));
    let kernel = checked.kernel().expect("the kernel is accepted");
    let (m, n) = (6, 7);
    let sizes =
        kernel.symbols.iter().map(|symbol| (symbol.clone(), if symbol.name() == "M" { m } else { n })).collect();
    let bounds = kernel::at_launch(&kernel, &sizes).expect("the kernel can be launched");
    let before = vec![0.0f32; (m * 2 * n) as usize];
    let mut arguments = [Argument::Tensor(Tensor::from_slice(&[m as u64, 2 * n as u64], &before).unwrap())];
    testing::compare::interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds).unwrap();
    let [Argument::Tensor(found)] = &arguments else { panic!("a tensor was given") };
    let expected: Vec<f32> = (0..m * 2 * n).map(|place| if place % (2 * n) < n { 1.0 } else { 2.0 }).collect();
    assert_eq!(found.as_slice::<f32>().unwrap(), expected);
}
