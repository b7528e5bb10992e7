//! Parts of the surface of tiles with rules of their own: bit casts, what partitions are made of and know, hints, and
//! how CUDA Tile C++ spells them.

use super::{gives, says};

#[test]
fn bits_are_taken_for_types_of_the_same_size() {
    let pairs = [
        ("f32", "u32"),
        ("f32", "i32"),
        ("f64", "u64"),
        ("f64", "i64"),
        ("f16", "u16"),
        ("f16", "i16"),
        ("bf16", "u16"),
        ("bf16", "i16"),
        ("f16", "bf16"),
        ("i8", "u8"),
        ("i32", "i32"),
    ];
    for (one, other) in pairs.into_iter().chain(pairs.map(|(one, other)| (other, one))) {
        gives(
            &format!(
                "kernel k(x: {one}[8], y: mut {other}[8], z: mut {other}[8]) {{
                    view px = partition(x, [4]); view py = partition(y, [4]);
                    for i in grid(2) {{ py.store(bitcast({other}, px.load(i)), i); z[4 * i] = bitcast({other}, x[i]);
                        z[4 * i + 1] = z[4 * i]; z[4 * i + 2] = z[4 * i]; z[4 * i + 3] = z[4 * i]; }} }}"
            ),
            &[],
        );
    }
    let widths = [
        ("f64", "u32", ["`f64` has 64 bits, but `u32` has 32 bits", "`i64` and `u64`"]),
        ("f32", "u16", ["`f32` has 32 bits, but `u16` has 16 bits", "`i32` and `u32`"]),
        ("u16", "f32", ["`u16` has 16 bits, but `f32` has 32 bits", "`i16`, `f16` and `bf16`"]),
        ("bool", "u8", ["not every byte is a `bool`", "`bool(x)`"]),
    ];
    for (from, to, parts) in widths {
        for access in ["y[i] = bitcast(TO, x[i]);", "py.store(bitcast(TO, px.load(i)), i);"] {
            let statement = access.replace("TO", to);
            let found = gives(
                &format!(
                    "kernel k(x: {from}[8], y: mut {to}[8]) {{
                        view px = partition(x, [1]); view py = partition(y, [1]); for i in grid(8) {{ {statement} }} }}"
                ),
                &["bit-cast"],
            );
            says(&found, "bit-cast", &parts);
        }
    }
}

#[test]
fn a_bit_cast_says_the_type_first() {
    let with = |value: &str| format!("kernel k(x: f32[8], y: mut u32[8]) {{ for i in grid(8) {{ y[i] = {value}; }} }}");
    let swapped = gives(&with("bitcast(x[i], u32)"), &["bit-cast"]);
    says(&swapped, "bit-cast", &["the type stands before the value"]);
    gives(&with("bitcast(x[i], x[i])"), &["bit-cast"]);
    gives(&with("bitcast(u33, x[i])"), &["unknown-element-type"]);
    gives(&with("bitcast(u32)"), &["argument-count"]);
    gives(&with("bitcast(u32, value: x[i])"), &["unknown-argument"]);
    let foreign = gives(&with("__float_as_uint(x[i])"), &["unknown-function"]);
    says(&foreign, "unknown-function", &["`bitcast(u32, x)`"]);
    // A literal has the size that it is taken for.
    gives(&with("bitcast(u32, 1.0) + bitcast(u32, -1) + bitcast(u32, bitcast(f32, 0x7fc00000))"), &[]);
    // What the bits of a float say is as unknown as what a float says.
    gives(
        "kernel k(x: f32[8], y: mut f32[8]) { for i in grid(8) { y[i] = x[bitcast(u32, x[i])]; } }",
        &["out-of-bounds"],
    );
}

/// A kernel that copies tiles of 2 × 2 of `x`, with statements before and a value that is stored.
fn copies(partitions: &str, value: &str) -> String {
    format!(
        "dim M, N; kernel k(x: f32[M, N], v: f32[12], y: mut f32[M, N]) {{
            {partitions} view py = partition(y, [2, 2]);
            for (i, j) in grid(py.index_space) {{ py.store_masked({value}, i, j); }}
        }}"
    )
}

#[test]
fn a_view_that_is_divided_needs_no_name() {
    let kernel = |x: &str, map: &str| {
        [
            format!("view px = partition({x} via {map}, [2, 2]);"),
            format!("view via_map = {x} via {map}; view px = partition(via_map, [2, 2]);"),
        ]
        .map(|partitions| {
            format!(
                "kernel k(x: f32[12], y: mut f32[12], z: mut f32[3, 4]) {{
                    {partitions} view pz = partition(z, [2, 2]); view py = partition(y, [2]);
                    for (i, j) in grid(pz.index_space) {{ pz.store_masked(px.load_masked(i, j), i, j); }}
                }}"
            )
        })
    };
    // Both say the same, whatever that is.
    for map in
        ["row_major([3, 4])", "row_major([3, 5])", "row_major([4, 4])", "linear(4)", "row_major([12])", "nothing"]
    {
        let [inline, named] = kernel("x", map).map(|text| {
            let checked = crate::support::check(&text);
            checked.codes().into_iter().map(str::to_owned).collect::<Vec<_>>()
        });
        assert_eq!(inline, named, "{map}");
    }
    gives(
        "kernel k(x: f32[12], y: mut f32[12]) { view px = partition(x, [12]);
            view py = partition(y via row_major([3, 4]), [2, 2]);
            for (i, j) in grid(py.index_space) { py.store_masked(gather(x via row_major([3, 4]), iota(i32[2, 1]),
                iota(i32[1, 2])) + py.load_masked(i, j), i, j); } }",
        &[],
    );
    let alone = gives(&copies("", "zeros(f32[2, 2]) + abs(v via row_major([3, 4]))"), &["view-needs-via"]);
    says(&alone, "view-needs-via", &["no tensor is asked for here", "partition(x via m, [64, 64])"]);
}

#[test]
fn a_partition_has_its_dimensions_in_an_order() {
    gives(
        "dim M, N; kernel k(x: f32[M, N], y: mut f32[N, M]) {
            view px = partition(x, [4, 2], order: (1, 0)); view py = partition(y, [4, 2]);
            for (i, j) in grid(px.index_space) { py.store_masked(px.load_masked(i, j), i, j); } }",
        &[],
    );
    gives(
        "dim A, B, C; kernel k(x: f32[A, B, C], y: mut f32[A, B, C]) {
            view px = partition(x, [1, 4, 2], order: (2, 0, 1)); view py = partition(y, [1, 4, 2], order: (2, 0, 1));
            for (i, j, l) in grid(py.index_space) { py.store_masked(px.load_masked(i, j, l) + 1.0, i, j, l); } }",
        &[],
    );
    gives(&copies("view px = partition(x, [2, 2], order: (0, 1));", "px.load_masked(i, j)"), &[]);
    gives(&copies("view px = partition(v, [2], order: (0,));", "px.load_masked(0).insert(0) + zeros(f32[2, 2])"), &[]);
    // Its index space is the other one's, too.
    gives(&copies("view px = partition(x, [2, 2], order: (1, 0));", "px.load_masked(i, j)"), &["out-of-bounds"]);
    for (order, parts) in [
        ("(1, 1)", ["(1, 1) is no order of 2 dimensions", "(1, 1)"]),
        ("(0, 1, 2)", ["(0, 1, 2) is no order of 2 dimensions", ""]),
        ("(1, 2)", ["(1, 2) is no order of 2 dimensions", ""]),
        ("(-1, 0)", ["(-1, 0) is no order of 2 dimensions", ""]),
        ("(M, 0)", ["(M, 0) is no order of 2 dimensions", ""]),
        ("1", ["(1,) is no order of 2 dimensions", ""]),
    ] {
        let found = gives(
            &copies(&format!("view px = partition(x, [2, 2], order: {order});"), "zeros(f32[2, 2])"),
            &["tile-shape"],
        );
        says(&found, "tile-shape", &parts);
    }
    // Which thread has which element of a tile is only known for one order.
    gives(&copies("view px = partition(y, [2, 2], order: (1, 0));", "px.load_masked(j, i)"), &["tile-shape"]);
}

#[test]
fn a_partition_knows_its_sizes_and_its_mask() {
    let px = "view px = partition(x, [2, 2]);";
    for value in [
        "full(f32[px.tile], f32(px.tile(0) * px.index_space(1)) + f32(px.tensor(1)))",
        "zeros(f32[px.tile(0), px.tile(1)])",
        "select(px.mask(i, j), px.load_masked(i, j, pad: nan), 0.0)",
        "f32(px.mask(i, j) == py.mask(i, j))",
    ] {
        gives(&copies(px, value), &[]);
    }
    gives(&copies(&format!("{px} view q = partition(x, px.tile);"), "q.load_masked(i, j)"), &[]);
    gives(&copies(&format!("{px} view q = x via px.mapping masked;"), "zeros(f32[2, 2]) + q[i, j, 0, 0]"), &[]);
    let wrong = [
        ("zeros(f32[2, 2]) * f32(px.tile)", "tile-place", "name the dimension"),
        ("zeros(f32[2, 2]) * f32(px.mapping)", "tile-place", "`view v = x via px.mapping masked;`"),
        ("zeros(f32[2, 2]) * f32(px.tile(2))", "tile-shape", "no dimension 2"),
        ("zeros(f32[2, 2]) * f32(px.tile(2))", "tile-shape", "they are numbered 0 and 1"),
        ("px.load_masked(i)", "index-count", "a tile of `px` has 2 indices, found 1"),
        ("px.load_masked(i, j).sum([0, 0], keep: true)", "tile-shape", "`sum` is told dimension 0 twice"),
        ("px.load_masked(i, j).reshape([-1, -1])", "tile-shape", "one extent may be -1"),
        (
            "px.load_masked(i, j).reshape([3, -1])",
            "tile-shape",
            "the other ones make 3, which does not divide the 4 elements",
        ),
        (
            "matmul(cat([px.load_masked(i, j), zeros(f32[2, 2])], 0), zeros(f32[4, 2]))",
            "tile-shape",
            "a row of the first has 2",
        ),
        (
            "matmul(zeros(f32[2, 4]), zeros(f32[2, 4]))",
            "tile-shape",
            "the transpose fits: `.permute(1, 0)` makes the right one [4, 2]",
        ),
        ("px.load_masked(i, j, pad: none)", "tile-padding", "`negative_inf` or `nan`"),
        ("zeros(f32[px.tensor])", "not-constant", "M"),
        ("f32(px.mask(i))", "index-count", "2"),
        ("f32(px.mask(i + 1, j))", "out-of-bounds", "index 0 of `px`"),
        ("f32(px.mask(i, j, pad: nan))", "unknown-argument", "pad"),
        ("px.masks(i, j)", "unknown-member", "`mask`"),
    ];
    for (value, code, part) in wrong {
        let found = gives(&copies(px, value), &[code]);
        says(&found, code, &[part]);
    }
}

#[test]
fn hints_change_nothing_and_are_checked() {
    let px = "view px = partition(x, [2, 2]);";
    gives(&copies(px, "px.load_masked(i, j, latency: 10, pad: nan, allow_tma: false)"), &[]);
    let wrong = [
        ("px.load_masked(i, j, latency: 0)", "tile-hint", "from 1 to 10, found `0`"),
        ("px.load_masked(i, j, latency: 11)", "tile-hint", "from 1 to 10, found `11`"),
        ("px.load_masked(i, j, latency: N)", "tile-hint", "from 1 to 10, found `N`"),
        ("px.load_masked(i, j, allow_tma: 1)", "tile-hint", "`true` or `false`, found an integer"),
        ("px.load_masked(i, j, latency: true)", "wrong-type", "integer"),
        ("px.load_masked(i, j, tma: true)", "unknown-argument", "tma"),
        ("px.load(i, j, pad: nan)", "unknown-argument", "pad"),
    ];
    for (value, code, part) in wrong {
        let found = gives(&copies(px, value), &[code]);
        says(&found, code, &[part]);
    }
    let stored = |hint: &str| {
        format!(
            "kernel k(y: mut f32[8]) {{ view py = partition(y, [4]);
                for i in grid(2) {{ py.store(zeros(f32[4]), i, {hint}); }} }}"
        )
    };
    gives(&stored("latency: 3, allow_tma: true"), &[]);
    gives(&stored("latency: 30"), &["tile-hint"]);
    gives(&stored("pad: nan"), &["unknown-argument"]);
}

/// The seed's words, each of which is one mistake with a fix; the fixes together make a kernel that is right.
#[test]
fn the_words_of_cuda_tiles_are_answered_with_ours() {
    let kernel = |partition: &str, load: &str| {
        format!(
            "kernel k(t: f32[4, 8], y: mut f32[4, 8]) {{
    {partition};
    view py = partition(y, [2, 2]);
    for (i, j) in grid(py.index_space) {{ {load}; py.store_masked(r + 1.0, i, j); }}
}}
"
        )
    };
    let (partition, load) = ("view p = partition(t, [2, 2])", "let r = p.load_masked(i, j)");
    let padded = "let r = p.load_masked(i, j, pad: nan)";
    let mistakes = [
        ("ct::partition_view p{t, ct::shape{2_ic, 2_ic}}", load, partition, load),
        ("cuda::tiles::partition_view p(t, cuda::tiles::shape{2, 2})", load, partition, load),
        ("auto p = ct::partition_view{t, ct::shape{2_ic, 2_ic}}", load, partition, load),
        ("partition_view p{t, shape{2_ic, 2_ic}}", load, partition, load),
        (partition, "auto r = p.load_masked(i, j)", partition, load),
        (partition, "auto r = p.load(1, 2)", partition, "let r = p.load(1, 2)"),
        (partition, "let r = p.load_masked(ct::view_padding_nan_t{}, i, j)", partition, padded),
        (partition, "let r = p.load_masked(i, j, ct::view_padding_nan_t{})", partition, padded),
        (
            partition,
            "let r = p.load_masked(ct::view_padding_negative_inf_t{}, i + 0 * (j), j)",
            partition,
            "let r = p.load_masked(i + 0 * (j), j, pad: negative_inf)",
        ),
    ];
    for (theirs, loads, ours, loaded) in mistakes {
        let checked = crate::support::check(&kernel(theirs, loads));
        assert_eq!(checked.errors().len(), 1, "{theirs}; {loads}\n{}", checked.report());
        let [fix] = checked.findings[0].fixes.as_slice() else { panic!("not one fix for {theirs}; {loads}") };
        assert_eq!(checked.applied(fix), kernel(ours, loaded));
        gives(&kernel(ours, loaded), &[]);
    }
    // A part that is not known is left for the user.
    let span = gives(
        &kernel("ct::tensor_span s{t, ct::extents{4_ic, 8_ic}}; view p = partition(t, [2, 2])", load),
        &["syntax-error"],
    );
    says(&span, "syntax-error", &["a tensor is a parameter", "`t: f32[4, 8]`"]);
    let uses = "ct::tensor_span s{t, ct::extents{4_ic, 8_ic}}; ct::partition_view p{s, ct::shape{2_ic, 2_ic}}";
    assert_eq!(crate::support::check(&kernel(uses, load)).errors().len(), 2);
    for unfinished in ["ct::partition_view p{t, ct::shape{2_ic", "ct::partition_view p", "ct::view_padding_nan_t{}"] {
        assert!(!crate::support::check(&kernel(unfinished, load)).errors().is_empty());
    }
}

#[test]
fn a_grid_is_computed_of_the_sizes_of_partitions() {
    let kernel = |size: &str| {
        format!(
            "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[M]) {{
                view px = partition(x, [8, 32]);
                view py = partition(y, [8]);
                for (i, part) in grid(px.index_space(0), {size}) {{
                    let mut acc = zeros(f32[8]);
                    for j in part * 4..min(part * 4 + 4, px.index_space(1)) {{ acc = acc + px.load_masked(i, j).sum(1); }}
                    py.atomic_add_masked(acc, i);
                }}
            }}\n"
        )
    };
    for size in ["cdiv(px.index_space(1), 4)", "(px.index_space(1) + 3) / 4", "max(px.index_space(1) / 4 + 1, 1)"] {
        gives(&kernel(size), &[]);
    }
    gives(&kernel("cdiv(px.index_space, 4)"), &["tile-place"]);
    gives(&kernel("cdiv(px.index_space(2), 4)"), &["tile-shape"]);
}

#[test]
fn what_a_store_means_does_not_depend_on_what_follows_it() {
    let kernel = |before: &str, after: &str| {
        format!(
            "kernel k(y: mut f32[4], z: mut i32[4]) {{
                for i in grid(4) {{ {before} let t = iota(i32[64]); {after} z[i] = t.sum(); }} }}"
        )
    };
    gives(&kernel("", "y[i] = 0.0;"), &[]);
    gives(&kernel("y[i] = 0.0;", ""), &[]);
    gives("kernel k(y: mut i32[1]) { y[0] = (iota(i32[64]) + 1).sum(); }", &[]);
}

#[test]
fn operands_together_give_no_tile_of_more_elements_than_one_may_have() {
    let sum = "iota(i32[4194304, 1, 1]) + iota(i32[1, 2097152, 1]) + iota(i32[1, 1, 2097152])";
    let statements = [
        format!("y[0] = ({sum}).sum();"),
        format!("let mut t = {sum};"),
        "scatter_masked(y, 1, iota(i32[65536, 1]) + iota(i32[1, 65536]));".to_string(),
    ];
    for statement in statements {
        let found = gives(&format!("kernel k(y: mut i32[1]) {{ {statement} }}"), &["tile-shape"]);
        says(&found, "tile-shape", &["has more than 16777216 elements"]);
    }
}
