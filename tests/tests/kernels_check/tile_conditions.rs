//! What conditions say of tiles: those of `if` expressions and statements, and those of `scatter_masked` about indices.

use super::{gives, says};

/// A kernel that stores a tile of eight elements for each tile of `y`.
fn storing(value: &str) -> String {
    format!(
        "dim N;
kernel k(x: f32[N], y: mut f32[N]) {{
    view px = partition(x, [8]);
    view py = partition(y, [8]);
    for i in grid(py.index_space) {{
        {value}
    }}
}}
"
    )
}

#[test]
fn a_value_of_an_if_expression_is_computed_only_where_it_is_chosen() {
    let values = [
        "if i > 0 { px.load_masked(i - 1) } else { px.load_masked(i) }",
        "if i == 0 { px.load_masked(i) } else { px.load_masked(i - 1) }",
        "if i == 0 { zeros(f32[8]) } else if i == 1 { px.load_masked(0) } else { px.load_masked(i - 2) }",
        "if i > 0 { gather(x, iota(i64[8]) * 0 + (i - 1)) } else { zeros(f32[8]) }",
        "if i > 0 { x[i - 1] * px.load_masked(i) } else { px.load_masked(i) }",
        "if px.load_masked(i, pad: negative_inf).max() > 0.0 { px.load_masked(i) } else { zeros(f32[8]) }",
    ];
    for value in values {
        gives(&storing(&format!("py.store_masked({value}, i);")), &[]);
        gives(&storing(&format!("let c = i > 0; py.store_masked({}, i);", value.replace("i > 0", "c"))), &[]);
    }
    let found = gives(
        &storing("py.store_masked(if i >= 0 { px.load_masked(i - 1) } else { px.load_masked(i) }, i);"),
        &["out-of-bounds"],
    );
    says(&found, "out-of-bounds", &["becomes -1", "in block 0"]);
    // A condition of a tile decides for each element, so both values are computed.
    let by_elements = "if px.load_masked(i) > 0.0 { px.load_masked(i - 1) } else { px.load_masked(i) }";
    gives(&storing(&format!("py.store_masked({by_elements}, i);")), &["out-of-bounds"]);
}

#[test]
fn a_number_that_tiles_give_may_decide_about_statements() {
    gives(
        &storing(
            "let t = px.load_masked(i); let mut h = t;
             if abs(t).max() > 10.0 { h = -t; } else if t.sum() > 4.0 { h = t * 2.0; } else { h = px.load_masked(i); }
             py.store_masked(h, i);",
        ),
        &[],
    );
    gives(&storing("if px.load_masked(i) > 0.0 { py.store_masked(zeros(f32[8]), i); }"), &["tile-shape"]);
}

#[test]
fn a_multiple_below_a_size_bounds_its_factor() {
    let guarded = |condition: &str| {
        format!(
            "dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{
                view px = partition(x, [8]); view py = partition(y, [8]);
                for i in grid(N) {{ if {condition} {{ py.store_masked(px.load_masked(i), i); }} }} }}"
        )
    };
    for condition in ["i * 8 < N", "8 * i < N", "N > i * 8", "i * 8 <= N - 1", "i < cdiv(N, 8)"] {
        gives(&guarded(condition), &[]);
    }
    gives(&guarded("i * 7 < N"), &["out-of-bounds"]);
    gives(&guarded("i * 8 <= N"), &["out-of-bounds"]);
}

/// A kernel that scatters the tiles of `x` to the indices `at`, of rows of `y` if there is a row.
fn scattering(rank: usize, at: &str) -> String {
    let (dims, tile, loads, row) = match rank {
        1 => ("", "[4]", "i", ""),
        _ => ("H, ", "[1, 4]", "h, i", "h, "),
    };
    let ids = if rank == 1 { "i" } else { "(h, i)" };
    format!(
        "dim N, H, T where T <= N;
kernel k(x: f32[{dims}T], y: mut f32[{dims}N], pos: i64) {{
    view px = partition(x, {tile});
    for {ids} in grid(px.index_space) {{
        let own = iota(i64{tile});
        let first = i * 4 + pos;
        scatter_masked(y, px.load_masked({loads}), {row}{at});
    }}
}}
"
    )
}

#[test]
fn a_number_that_nothing_is_known_of_moves_all_elements_alike() {
    for rank in [1, 2] {
        for at in ["own + i * 4 + pos", "own + (i * 4 + pos)", "own + first", "first + own", "pos + (own + 4 * i)"] {
            gives(&scattering(rank, at), &[]);
        }
        for at in ["own + i * 3 + pos", "own % 2 + first", "own + pos", "own * pos"] {
            let found = crate::support::check(&scattering(rank, at));
            assert_eq!(found.errors(), ["race"], "{at}\n{}", found.report());
        }
    }
}

#[test]
fn elements_that_an_index_outside_leaves_out_meet_no_others() {
    for at in [
        "select(own + i * 4 < T, own + i * 4, -1)",
        "select(own + i * 4 < T, own + i * 4, N)",
        "select(px.mask(i), own + i * 4, -1)",
        "if own + i * 4 < T { own + i * 4 } else { -1 }",
        "if own + i * 4 >= T { -1 } else { own + i * 4 }",
    ] {
        let found = crate::support::check(&scattering(1, at));
        assert!(found.errors().is_empty(), "{at}\n{}", found.report());
    }
    for at in ["select(own + i * 4 < T, own + i * 4, 0)", "select(own + i * 4 < T, own + i * 4, T - 1)"] {
        let found = crate::support::check(&scattering(1, at));
        assert_eq!(found.errors(), ["race"], "{at}\n{}", found.report());
    }
}

#[test]
fn places_within_a_tile_are_below_its_extent() {
    let with = |extent: usize, statements: &str| {
        format!(
            "dim M;\nkernel k(x: f32[M, 8], w: f32[{extent}], y: mut f32[M, 8]) {{
                view px = partition(x, [1, 8]); view py = partition(y, [1, 8]);
                for i in grid(M) {{ let t = px.load(i, 0); {statements} }} }}"
        )
    };
    for statements in [
        "py.store(gather(w, t.argsort(1)), i, 0);",
        "let p = t.argtop(8, 1); py.store(gather(w, p), i, 0);",
        "let p = t.argtop(3, 1); scatter(y, gather(w, p), i, p, atomic: store);",
        "let p = t.argmax(1, keep: true); py.store(t * gather(w, p), i, 0);",
        "let p = bit_and(i32(t), 3) + 2; py.store(gather(w, p), i, 0);",
        "let mut p = t.argsort(1); p = clamp(p + 1, 0, 7); py.store(gather(w, clamp(p, 0, 7)), i, 0);",
    ] {
        // The enumeration takes elements of shared arrays for any numbers, so it is not asked.
        let found = crate::support::check(&with(8, statements));
        assert!(found.errors().is_empty(), "{statements}\n{}", found.report());
    }
    gives(&with(7, "py.store(gather(w, t.argsort(1)), i, 0);"), &["out-of-bounds"]);
    gives(&with(8, "let mut p = t.argsort(1); p += 1; py.store(gather(w, p), i, 0);"), &["out-of-bounds"]);
}

#[test]
fn a_mistake_in_a_partition_has_no_followers() {
    gives(
        "kernel k[B = 0](y: mut f32[8]) { view py = partition(y, [B]); for i in grid(1) { py.store(zeros(f32[B]), i); } }",
        &["zero-size"],
    );
    gives(
        "kernel k(x: f32[8], y: mut f32[8]) { view px = partition(x via nothere, [4]); view py = partition(y, [0]);
            for i in grid(1) { py.store(px.load(i), i); } }",
        &["unknown-name", "zero-size"],
    );
    gives(
        "kernel k(x: f32[8, 8], y: mut f32[8]) { view px = partition(x, [2, 2], order: (0, 0));
            for i in grid(1) { y[0] = px.load(0, 0).sum(); } }",
        &["tile-shape"],
    );
    let own = "kernel k(x: f32[8]) { view px = partition(x, px.tile); for i in grid(px.index_space) { } }";
    assert_eq!(crate::support::check(own).errors(), ["tile-shape"]);
}

#[test]
fn a_launch_has_a_block_for_each_tile_of_what_is_made_of_views_and_partitions() {
    for (views, grid) in [
        ("view px = partition(x, [16]); view py = partition(y, px.tile);", "py.index_space"),
        ("view px = partition(x, [16]); view py = partition(y, [px.tile(0)]);", "py.index_space(0)"),
        (
            "view a = x via row_major([N]); view b = a via row_major([N]); view px = partition(b, [16]); \
             view py = partition(y, [16]);",
            "px.index_space",
        ),
    ] {
        let checked = gives(
            &format!(
                "dim N;\nkernel k(x: f32[N], y: mut f32[N]) {{ {views} for i in grid({grid}) {{ \
                 py.store_masked(px.load_masked(i), i); }} }}"
            ),
            &[],
        );
        let blocks = checked.kernel().unwrap().launch.blocks.to_string();
        assert_eq!(blocks, "cdiv(N, 16)", "{views}");
    }
}

#[test]
fn types_that_are_only_stored_have_no_order() {
    for member in ["sort(0)", "argsort(0)", "top(2, 0)", "argtop(2, 0)"] {
        for element in ["e4m3", "e5m2"] {
            let text = format!(
                "kernel k(x: {element}[8], y: mut f32[8]) {{ view px = partition(x, [8]); view py = partition(y, [8]);
                    for i in grid(1) {{ let t = px.load(i).{member}; py.store(zeros(f32[8]), i); }} }}"
            );
            let found = gives(&text, &["type-mismatch"]);
            says(&found, "type-mismatch", &["is stored, converted", "`f32(…)`"]);
        }
    }
}

#[test]
fn elements_that_are_scattered_to_a_shared_array_meet_within_a_block_only() {
    let with = |index: &str| {
        format!(
            "kernel k(y: mut i32[32]) {{ shared s : i32[32]; view py = partition(y, [8]); view ps = partition(s, [8]);
                for i in grid(4) {{ scatter(s, iota(i32[8]), {index}); py.store(ps.load(0), i); }} }}"
        )
    };
    for index in ["iota(i32[8])", "7 - iota(i32[8])", "iota(i32[8]) + i32(i)", "iota(i32[8]) * 4"] {
        gives(&with(index), &[]);
    }
    for index in ["iota(i32[8]) / 2", "iota(i32[8]) % 4 + i32(i)"] {
        gives(&with(index), &["race"]);
    }
}
