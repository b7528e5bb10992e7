//! Kernels whose views go through pipelines: the same elements as in an evaluation by hand, on every executor here.
//!
//! What is expected is computed here with plain loops over nested indices, as one would in numpy, and never with a map.

use crate::program::Folder;

/// Runs the file on the interpreter and as machine code; every expectation must hold.
#[track_caller]
fn passes(source: &str) {
    let folder = Folder::new(&[("a.shape", source)]);
    for device in ["interp", "cpu"] {
        let answer = folder.run(&["run", "a.shape", "--device", device]);
        assert_eq!(answer.status, 0, "{device}: {}{}\n{source}", answer.output, answer.errors);
        assert!(answer.output.contains("expect passed"), "{device}: {}", answer.output);
    }
}

/// A literal of one dimension.
fn list(values: &[i64]) -> String {
    let words: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("[{}]", words.join(", "))
}

/// The convolution's matrix with a border of zeros, a stride of 2 and a dilation of 2: images of 5 by 6 pixels with 2
/// channels, windows of 3 by 3. The image holds 1, 2, 3, …, so that a zero can only be the border.
#[test]
fn im2col_with_padding_stride_and_dilation() {
    let (images, rows, columns, channels) = (2i64, 5i64, 6i64, 2i64);
    let (out_rows, out_columns) = (3i64, 3i64);
    let mut expected = Vec::new();
    for image in 0..images {
        for (row, column) in (0..out_rows).flat_map(|row| (0..out_columns).map(move |column| (row, column))) {
            for (r, s) in (0..3).flat_map(|r| (0..3).map(move |s| (r, s))) {
                for channel in 0..channels {
                    let (y, x) = (2 * row + 2 * r - 2, 2 * column + 2 * s - 2);
                    let inside = (0..rows).contains(&y) && (0..columns).contains(&x);
                    let at = ((image * rows + y) * columns + x) * channels + channel;
                    expected.push(if inside { at + 1 } else { 0 });
                }
            }
        }
    }
    let elements: Vec<i64> = (1..=images * rows * columns * channels).collect();
    let maps = "dim N;
map matrix = row_major([N, 5, 6, 2])
    |> { 0: _, 1: pad(2, 2), 2: pad(2, 2), 3: _ }
    |> { 0: _, 1: embed((3, 3), (2, 2)), 2: embed((3, 3), (2, 2)), 3: _ }
    |> { (0, 2, 4): merge => 0, (1, 3, 5): merge => 1 };
";
    let indexed = "kernel im2col(x: i32[N, 5, 6, 2], y: mut i32[9 * N, 18]) {
    view windows = x via matrix;
    for (pixel, place) in grid(9 * N, 18) { y[pixel, place] = windows[pixel, place]; }
}
";
    let dealt = "kernel im2col(x: i32[N, 5, 6, 2], y: mut i32[9 * N, 18]) {
    view window = x via matrix |> merge |> reshape_map([18] | [9 * N] => layout: [i0, t0]);
    view row = y via reshape_map([18] | [9 * N] => layout: [i0, t0]);
    for k in 0..18 { row[k] = window[k]; }
}
";
    let run = format!(
        "run im2col(x: {}, y: zeros) with N = 2 expect y.reshape({}) == {};\n",
        list(&elements),
        expected.len(),
        list(&expected)
    );
    for kernel in [indexed, dealt] {
        passes(&format!("{maps}{kernel}{run}"));
    }
}

#[test]
fn a_swizzled_tile_and_back() {
    let swizzled: Vec<i64> = (0..8 * 16).map(|slot| slot / 16 * 16 + ((slot % 16) ^ (slot / 16 % 8))).collect();
    let kernels = "map tile = row_major([8, 16]) |> xor;
kernel swizzle(x: i32[8, 16], y: mut i32[8, 16]) {
    view slots = y via tile;
    for (row, column) in grid(8, 16) { slots[row, column] = x[row, column]; }
}
kernel unswizzle(x: i32[8, 16], y: mut i32[8, 16]) {
    view slots = x via tile |> merge |> reshape_map([4] | [32] => layout: [t0, i0]);
    view ys = y via reshape_map([4] | [32] => layout: [t0, i0]);
    for i in 0..4 { ys[i] = slots[i]; }
}
";
    let there = format!("run swizzle(x: arange, y: zeros) expect y.reshape(128) == {};\n", list(&swizzled));
    let dense: Vec<i64> = (0..128).collect();
    let back = format!("run unswizzle(x: {}, y: zeros) expect y.reshape(128) == {};\n", list(&swizzled), list(&dense));
    passes(&format!("{kernels}{there}{back}"));
}

#[test]
fn a_transposed_view_is_read_and_written() {
    passes(
        "dim M, N;
kernel read(x: i32[M, N], y: mut i32[N, M]) {
    view turned = x via row_major([M, N]).permute(1, 0);
    for (i, j) in grid(N, M) { y[i, j] = turned[i, j]; }
}
kernel write(x: i32[M, N], y: mut i32[N, M]) {
    view turned = y via col_major([M, N]) |> merge |> reshape_map([1] | [M * N] => layout: [i0, t0]);
    view xs = x via reshape_map([1] | [M * N] => layout: [i0, t0]);
    turned[0] = xs[0];
}
run read(x: arange, y: zeros) with M = 5, N = 7 expect y == x.permute(1, 0);
run write(x: arange, y: zeros) with M = 5, N = 7 expect y == x.permute(1, 0);
",
    );
}

/// A tile at the edge ends with the tensor, although nothing but the map's own length says so.
#[test]
fn ragged_tiles_end_with_their_tensor() {
    let doubled: Vec<i64> = (0..35).map(|element| 2 * element).collect();
    passes(&format!(
        "kernel double(x: i32[5, 7], y: mut i32[5, 7]) {{
    view from = x via partition([5, 7], [2, 3]);
    view to = y via partition([5, 7], [2, 3]);
    for (a, b) in grid(3, 3) {{ for i in 0..2 {{ for j in 0..3 {{ to[a, b, i, j] = 2 * from[a, b, i, j]; }} }} }}
}}
kernel sums(x: i32[10], y: mut i32[3]) {{
    view tiles = x via partition([10], [4]);
    for t in grid(3) {{ y[t] = tiles[t, 0] + tiles[t, 1] + tiles[t, 2] + tiles[t, 3]; }}
}}
run double(x: arange, y: zeros) expect y.reshape(35) == {};
run sums(x: arange, y: zeros) expect y == [6, 22, 17];
",
        list(&doubled)
    ));
}

#[test]
fn a_broadcast_a_ring_and_a_halo() {
    passes(
        "kernel broadcast(b: i32[3], y: mut i32[2, 3]) {
    view rows = b via row_major([3]) |> { (): replicate(2), 0: _ };
    for (i, j) in grid(2, 3) { y[i, j] = rows[i, j]; }
}
kernel ring(b: i32[4], y: mut i32[10]) {
    view around = b via row_major([4]) |> modulo(10);
    for i in grid(10) { y[i] = around[i]; }
}
kernel halo(x: i32[5], y: mut i32[5]) {
    view wide = x via row_major([5]) |> pad(1, 1);
    for i in grid(5) { y[i] = wide[i] + wide[i + 1] + wide[i + 2]; }
}
run broadcast(b: [7, 8, 9], y: zeros) expect y == [[7, 8, 9], [7, 8, 9]];
run ring(b: [1, 2, 3, 4], y: zeros) expect y == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2];
run halo(x: [1, 2, 3, 4, 5], y: zeros) expect y == [3, 6, 9, 12, 9];
",
    );
}

/// A view of a view has no elements but those of the view: what lies beyond is masked, not the tensor's next element.
#[test]
fn a_view_of_a_slice_ends_with_the_slice() {
    passes(
        "kernel k(x: i32[20], y: mut i32[8]) {
    view part = x via row_major([20]) |> slice(10, 15);
    view longer = part via row_major([8]);
    for i in grid(8) { y[i] = longer[i]; }
}
run k(x: arange, y: ones) expect y == [10, 11, 12, 13, 14, 0, 0, 0];
",
    );
}

/// `u ^ (row % 6)` leaves the rows of a tile of six columns, and must not lead into the next row.
#[test]
fn an_exclusive_or_beyond_the_columns_is_masked() {
    let expected: Vec<i64> = (0..36)
        .map(|slot| {
            let column = (slot % 6) ^ (slot / 6 % 6);
            if column < 6 { slot / 6 * 6 + column + 1 } else { 0 }
        })
        .collect();
    let ones: Vec<i64> = (1..=36).collect();
    passes(&format!(
        "kernel k(x: i32[6, 6], y: mut i32[6, 6]) {{
    view swizzled = x via xor([6, 6]);
    for (i, j) in grid(6, 6) {{ y[i, j] = swizzled[i, j]; }}
}}
run k(x: {}, y: zeros) expect y.reshape(36) == {};
",
        list(&ones),
        list(&expected)
    ));
}
