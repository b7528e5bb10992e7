//! Tiles: what is accepted, and every way in which a tile cannot be what the program says.

use super::safe::safe;
use super::{check, gives, says};

/// A kernel with tiles of 2 × 2 of `x`, `y` and `z`, each 4 × 8.
fn with(body: &str) -> String {
    format!(
        "kernel k(x: f32[4, 8], y: mut f32[4, 8], z: mut i16[4, 8], n: i32) {{
            view px = partition(x, [2, 2]);
            view py = partition(y, [2, 2]);
            view pz = partition(z, [2, 2]);
            for (i, j) in grid(px.index_space) {{ {body} }}
        }}"
    )
}

/// Stores a tile in each of `y` and one of `z`, so that no output is missing.
fn stores(value: &str) -> String {
    with(&format!("pz.store(i16(px.load(i, j)), i, j); py.store({value}, i, j);"))
}

#[test]
fn tiles_of_any_size_are_proven() {
    let kernels = [
        "dim M, N; kernel k(x: f32[M, N], y: mut f32[N, M]) {
            view px = partition(x, [4, 8]); view py = partition(y, [8, 4]);
            for (i, j) in grid(px.index_space) { py.store_masked(px.load_masked(i, j).permute(1, 0), j, i); } }",
        "dim M, N where M % 4 == 0, N % 8 == 0; kernel k(x: f32[M, N], y: mut f32[M, N]) {
            view px = partition(x, [4, 8]); view py = partition(y, [4, 8]);
            for (i, j) in grid(M / 4, N / 8) { py.store(px.load(i, j) + 1.0, i, j); } }",
        "dim M, N where N <= 32; kernel k(x: f32[M, N], y: mut f32[M, N]) {
            view px = partition(x, [1, 32]); view py = partition(y, [1, 32]);
            for i in grid(M) {
                let row = px.load_masked(i, 0, pad: negative_inf);
                let e = exp(row - row.max(1, keep: true));
                py.store_masked(e / e.sum(1, keep: true), i, 0); } }",
        "dim M, N, K; kernel k(a: f16[M, K], b: f16[K, N], c: mut f32[M, N]) block(64) {
            view pa = partition(a, [8, 4]); view pb = partition(b, [4, 8]); view pc = partition(c, [8, 8]);
            for (i, j) in grid(pc.index_space) {
                let mut acc = zeros(f32[8, 8]);
                for k in 0..pa.index_space(1) { acc = mma(pa.load_masked(i, k), pb.load_masked(k, j), acc); }
                pc.store_masked(acc, i, j); } }",
        "dim N; kernel k(x: f32[N], y: mut f32[N]) {
            view px = partition(x, [16]); view py = partition(y, [16]);
            for i in grid(cdiv(N, 16)) { if i > 0 { py.store_masked(px.load_masked(i - 1), i); } else {
                py.store_masked(px.load_masked(0), i); } } }",
        "dim N; kernel k(y: mut f32[N]) {
            view py = partition(y, [16]);
            for i in grid(py.index_space) { py.store_masked(py.load_masked(i) * 2.0, i); } }",
    ];
    for kernel in kernels {
        gives(kernel, &[]);
    }
}

/// What the block knows, one thread stores, as it would a tile.
#[test]
fn a_number_is_stored_by_the_block() {
    let with = |body: &str| {
        format!(
            "dim M; kernel k(x: f32[M], a: i32[8], y: mut f32[M], s: mut f32[4]) {{
                view px = partition(x, [16]);
                for i in grid(M) {{ let t = px.load_masked(i / 16); {body} }} }}"
        )
    };
    gives(&with("y[i] = t.sum(0); if i == 0 { for k in 0..4 { s[k] = abs(t).max(0); } }"), &[]);
    gives(&with("y[i] = 0.0; y[i] += t.sum(0); if i < 4 { s[i] = abs(t).max(0); }"), &["not-fully-written"]);
    gives(&with("y[0] = t.sum(0);"), &["race"]);
    gives(&with("y[i] = 1.0; for t in threads(128, cuda_thread) { if t < 4 { s[t] = 1.0; } }"), &["race"]);
}

/// Of many tiles of 16 KiB only those have a place that are still used.
#[test]
fn tiles_that_are_not_said_again_give_their_place() {
    let with = |body: &str| {
        format!(
            "kernel k(x: f32[64, 64], y: mut f32[64, 64]) {{
                view px = partition(x, [64, 64]); view py = partition(y, [64, 64]);
                for (i, j) in grid(py.index_space) {{ let a = px.load(i, j); {body} }} }}"
        )
    };
    let hidden = "let a = a + 1.0; ".repeat(20);
    gives(&with(&format!("{hidden} py.store(a, i, j);")), &[]);
    let chain: String = (0..20).map(|n| format!("let b{} = b{n}.permute(1, 0) + 1.0; ", n + 1)).collect();
    gives(&with(&format!("let b0 = a; {chain} py.store(b20, i, j);")), &[]);
    let steps = "let b = acc.permute(1, 0); let c = b + a; acc = c * 0.5; ".repeat(8);
    gives(&with(&format!("let mut acc = a; for k in 0..3 {{ {steps} }} py.store(acc, i, j);")), &[]);
    // All of these are needed at the end.
    let sum: String = (1..=20).map(|n| format!(" + b{n}")).collect();
    gives(&with(&format!("let b0 = a; {chain} py.store(b0{sum}, i, j);")), &["tile-too-large"]);
}

#[test]
fn a_partition_is_no_tensor() {
    let partition = "a partition has tiles, which are loaded and stored, and no elements";
    let said = |body: &str, part: &str| {
        let checked = check(&with(&format!("pz.store(zeros(i16[2, 2]), i, j); {body}")));
        let messages: Vec<&str> = checked.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert!(messages.iter().any(|message| message.contains(part)), "{body}: {messages:?}");
    };
    said("py.store(px[i, j], i, j);", partition);
    said("let t = px[i, j]; py.store(t, i, j);", partition);
    said("py[i, j] = zeros(f32[2, 2]);", partition);
    said(
        "py.store(px.shape, i, j);",
        "the partition `px` has `load`, `load_masked`, `store`, `store_masked`, `mask`, `index_space`, `tile`, `tensor` and `mapping`",
    );
    said("py.store_masked(i, j, zeros(f32[2, 2]));", "the index of a tile is a number, and not a tile");
    said("py.store(px.load(i, j).sign(), i, j);", "a tile has ");
    said("py.store(sign(px.load(i, j)), i, j);", "there is no function `sign` in kernels");
    said("py.store(px.load(i, j)[2, 0..2], i, j);", "`2` is none of the constants `0..2`");
    said(
        "py.store(px.load(i, j).reshape(3, -1), i, j);",
        "the other ones make 3, which does not divide the 4 elements of [2, 2]",
    );
}

/// A load says its indices several times, and a chain of operations is one expression: neither grows without end.
#[test]
fn gathers_in_gathers_and_long_chains_have_an_end() {
    let stores = |tile: &str| {
        format!("kernel k(x: i32[64], y: mut i32[4]) grid(1) {{ view py = partition(y, [4]); py.store({tile}, 0); }}")
    };
    let nested = |first: &str| (0..40).fold(first.to_owned(), |index, _| format!("gather_masked(x, {index})"));
    gives(&stores(&nested("iota(i32[4])")), &[]);
    gives(&stores(&format!("iota(i32[4]) + {}", nested("3"))), &[]);
    gives(&stores(&format!("iota(i32[4]){}", " + iota(i32[4])".repeat(3000))), &[]);
    let names: String = (0..2000).map(|number| format!("let z{number} = zeros(i32[64, 64]); ")).collect();
    let tiles: String =
        (0..100).map(|number| format!("let b{} = b{number}.permute(1, 0) + z0; ", number + 1)).collect();
    let text = format!(
        "kernel k(x: i32[64, 64], y: mut i32[64, 64]) grid(1) {{
            view px = partition(x, [64, 64]); view py = partition(y, [64, 64]);
            {names} let b0 = px.load(0, 0); {tiles} py.store(b100, 0, 0); }}"
    );
    assert_eq!(check(&text).errors(), [""; 0]);
}

#[test]
fn a_gather_stays_inside_or_is_masked() {
    let says_of = |value: &str, code: &str, part: &str| says(&check(&stores(value)), code, &[part]);
    says_of("gather(x, iota(i32[2, 2]) + 1, iota(i32[2, 2]))", "out-of-bounds", "4");
    says_of("gather(x, iota(i32[2, 2]) * n, 0)", "out-of-bounds", "nothing shows that this access stays inside `x`");
    says_of("gather(x, iota(i32[2, 2]))", "index-count", "2");
    says_of("gather(x, iota(f32[2, 2]), 0)", "type-mismatch", "integer");
    says_of("gather(y, iota(i32[2, 2]), 0)", "tile-place", "the kernel may write this tensor");
    says_of("gather_masked(x, iota(i32[2, 2]), 0, pad: 1.0)", "tile-padding", "nan");
    says_of("gather(x, iota(i32[2, 2]), iota(i32[2, 3]))", "tile-shape", "dimension 1 has 2 and 3 elements");
    says_of("cat(px.load(i, j), 0)", "tile-shape", "`cat` takes a list of tiles");
    says_of("cat([px.load(i, j), zeros(f32[1, 3])], 0)", "tile-shape", "a tile of [1, 3] is joined to one of [2, 2]");
}

/// Scatters of tiles of 32 of the 64 numbers of `x` to those of `y`; `p` are indices.
fn scatters(body: &str) -> String {
    format!(
        "dim N; kernel k(x: i32[64], p: i32[64], h: f16[64], y: mut i32[64], z: mut f16[64], w: mut i32[N]) {{
            view px = partition(x, [32]); view pp = partition(p, [32]); view pz = partition(z, [32]); view py = partition(y, [32]);
            for i in grid(2) {{ let at = iota(i64[32]) + 32 * i; {body} }} }}"
    )
}

#[test]
fn the_elements_of_a_tile_go_to_different_places() {
    let right = [
        "scatter(y, px.load(i), at);",
        "scatter(y, 1, 63 - at);",
        "scatter(y, px.load(i), (at * 5 + 3) % 64);",
        "scatter(y, px.load(i), at % 8 * 8 + at / 8);",
        "scatter(y, px.load(i)[0..31], at[0..31]);",
        "scatter_masked(y, px.load(i), at * 3 - 7);",
        "scatter_masked(w, px.load(i), at);",
        "scatter_masked(w, px.load(i), N - 1 - at);",
        "for k in 0..2 { scatter(y, px.load(i) + i32(k), at); }",
        "for k in 0..2 { scatter(y, px.load(i)[0..16], at[0..16] + 16 * k); }",
        "if i == 0 { scatter(y, px.load(0), at); }",
        "if i == 0 { scatter(y, px.load(0), at); } else { scatter(y, px.load(0), at); }",
        "scatter(y, px.load(i)[0..16], at[0..16]); scatter(y, px.load(i)[16..32], at[16..32]);",
        "scatter(y via row_major([8, 8]), px.load(i), at / 8, at % 8);",
        "scatter(y, px.load(i), clamp(pp.load(i), 0, 63), atomic: add);",
        "scatter_masked(y, px.load(i), pp.load(i), atomic: store, order: release, scope: system);",
        "scatter_masked(y, 1, pp.load(i), atomic: add); scatter_masked(y, 2, pp.load(i), atomic: min);",
        "scatter(z, gather(h, at), at);",
    ];
    for body in right {
        let text = scatters(body);
        let checked = check(&text);
        assert_eq!(checked.errors(), [""; 0], "{body}\n{}", checked.report());
        // Atomic accesses, in which threads may meet, are not enumerated.
        assert!(body.contains("atomic:") || safe(&checked, &text) > 0, "{body}");
    }
    let wrong = [
        ("scatter(y, px.load(i), pp.load(i));", "out-of-bounds", "or use `scatter_masked`"),
        ("scatter_masked(y, px.load(i), pp.load(i));", "race", "different elements of `y`"),
        ("scatter(y, px.load(i), clamp(pp.load(i), 0, 63));", "race", "different elements of `y`"),
        ("scatter_masked(y, px.load(i), px.load(i).argsort(0));", "race", "different elements of `y`"),
        ("scatter(y, px.load(i), at / 2);", "race", "block 0 (at e0 = 0) and block 0 (at e0 = 1) both write element 0"),
        ("scatter(y, px.load(i), at % 16);", "race", "both write element 0 of `y`"),
        ("scatter(y, px.load(i), iota(i64[32]));", "race", "block 0 (at e0 = 0) and block 1 (at e0 = 0)"),
        ("scatter(y, px.load(i), 3);", "race", "both write element 3"),
        ("scatter(y, px.load(i).reshape([4, 8]), at.reshape([4, 8])[0..4, 0..1]);", "race", "e1 = 1"),
        ("scatter(y, px.load(i), at + 1);", "out-of-bounds", "index 0 of `y` becomes 64"),
        ("for k in 0..2 { scatter(y, px.load(i)[0..16], at[0..16] + 8 * k); }", "race", "both write element 8"),
        ("scatter(y, 0, at); scatter(y, px.load(i), at);", "race", "other threads do not access elements of `y`"),
        ("scatter(y, px.load(i), at); y[63 - i] = 1;", "race", "other threads do not access elements of `y`"),
        ("scatter(y, px.load(i), at); scatter(y, px.load(i), at, atomic: add);", "race", "other threads do not"),
        ("scatter(w, px.load(i), at);", "out-of-bounds", "`w`"),
        ("py.store(px.load(i), i); scatter(y, 1, at);", "tile-place", "by its elements here"),
        ("scatter(y, gather(y, at), at);", "tile-place", "may write this tensor"),
        ("scatter(x, px.load(i), at);", "read-only", "`x`"),
        ("scatter(px, px.load(i), at);", "not-a-tensor", "`px`"),
        ("scatter(q, px.load(i), at);", "unknown-local", "`q`"),
        ("scatter(y, px.load(i));", "index-count", "1 index"),
        ("scatter(y);", "argument-count", "tile"),
        ("scatter(y, px.load(i), at, at);", "index-count", "1 index"),
        ("scatter(y, px.load(i), f32(at));", "type-mismatch", "integer"),
        ("scatter(y, f32(px.load(i)), at);", "type-mismatch", "`i32`"),
        ("scatter(y, px.load(i)[0..16], at);", "tile-shape", "16 and 32"),
        ("scatter(y, px.load(i).insert(0), at);", "tile-shape", "different ranks"),
        ("scatter(y, px.load(i), at, atomic: sum);", "wrong-atomic", "`add`"),
        ("scatter(y, px.load(i), at, atomic: exchange);", "wrong-atomic", "`add`"),
        ("scatter(y, px.load(i), at, order: release);", "wrong-atomic", "not atomic"),
        ("scatter(y, px.load(i), at, atomic: add, order: later);", "wrong-atomic", "`acq_rel`"),
        ("scatter(y, px.load(i), at, atomic: add, scope: block);", "wrong-atomic", "other blocks"),
        ("scatter(y, px.load(i), at, add: true);", "unknown-argument", "add"),
        ("scatter(y, px.load(i), at, pad: zero);", "unknown-argument", "pad"),
        ("scatter(z, f16(px.load(i)), at, atomic: add);", "wrong-atomic", "`f32` tensor"),
        ("let t = scatter(y, px.load(i), at);", "tile-place", "a statement of its own"),
        ("for t in threads(32, cuda_thread) { scatter(y, 1, at); }", "tile-place", "only some of its threads"),
        ("scater(y, px.load(i), at);", "unknown-function", "`scater`"),
    ];
    for (body, code, part) in wrong {
        let checked = check(&scatters(body));
        assert_eq!(checked.errors(), [code], "{body}\n{}", checked.report());
        says(&checked, code, &[part]);
    }
}

/// Which elements a scatter leaves out is known of places that are no data.
#[test]
fn a_scatter_that_leaves_elements_out_is_noticed() {
    let with = |at: &str| {
        check(&format!(
            "dim N; kernel k(x: i32[N], y: mut i32[N]) {{
                view px = partition(x, [32]);
                for i in grid(px.index_space) {{ let at = iota(i64[32]) + 32 * i; scatter_masked(y, px.load_masked(i), {at}); }} }}"
        ))
    };
    assert_eq!(with("N - 1 - at").codes().into_iter().collect::<Vec<_>>(), [""; 0]);
    says(&with("at + 1"), "not-fully-written", &["no thread writes element 0"]);
    says(&with("at * 2"), "not-fully-written", &["no thread writes element 1"]);
}

/// In a shared array, barriers keep statements apart, but not the elements of one tile.
#[test]
fn the_elements_of_a_tile_go_to_different_places_of_a_shared_array() {
    let with = |body: &str, threads: i64| {
        check(&format!(
            "kernel k(x: i32[64], y: mut i32[64]) grid(1) block({threads}) {{
                shared s: i32[64];
                view px = partition(x, [64]); view ps = partition(s, [64]); view py = partition(y, [64]);
                let at = iota(i64[64]);
                {body}
                py.store(ps.load(0), 0); }}"
        ))
    };
    for threads in [1, 7, 64] {
        for body in [
            "scatter(s, px.load(0), 63 - at);",
            "scatter(s, 0, at); scatter(s, px.load(0), (at + 5) % 64);",
            "scatter(s, 1, clamp(px.load(0), 0, 63), atomic: add);",
            "ps.store(px.load(0), 0); scatter_masked(s, 1, px.load(0), atomic: max);",
        ] {
            let checked = with(body, threads);
            assert_eq!(checked.errors(), [""; 0], "{body}\n{}", checked.report());
        }
        for body in ["scatter(s, px.load(0), at / 2);", "scatter_masked(s, px.load(0), px.load(0));"] {
            let checked = with(body, threads);
            assert!(checked.errors().contains(&"race"), "{body}\n{}", checked.report());
        }
    }
}

/// What the message offers for elements that meet makes the program right.
#[test]
fn a_scatter_to_places_that_are_data_is_mended_by_an_atomic_one() {
    let text = scatters("scatter_masked(\n        y,\n        px.load(i),\n        pp.load(i),\n    );");
    let checked = check(&text);
    assert_eq!(checked.errors(), ["race"]);
    let fixes = &checked.findings.iter().find(|finding| finding.code == "race").unwrap().fixes;
    assert_eq!(fixes.len(), 2);
    for fix in fixes {
        let mended = checked.applied(fix);
        assert_eq!(check(&mended).errors(), [""; 0], "{mended}");
    }
}

/// A view divides as a tensor does, by its own dimensions; so does a shared array.
#[test]
fn views_and_shared_arrays_are_divided() {
    let kernels = [
        // The columns of a matrix.
        "dim M, N; kernel k(x: f32[M, N], y: mut f32[N, M]) {
            view columns = x via strided([N, M], [1, N]);
            view px = partition(columns, [8, 4]); view py = partition(y, [8, 4]);
            for (i, j) in grid(px.index_space) { py.store_masked(px.load_masked(i, j), i, j); } }",
        // The windows of a signal, which overlap.
        "kernel k(x: f32[32], y: mut f32[30]) {
            view windows = x via strided([30, 3], [1, 1]);
            view px = partition(windows, [10, 3]); view py = partition(y, [10]);
            for (i, j) in grid(px.index_space) { py.store(px.load(i, j).sum(1), i); } }",
        // A store through a view.
        "kernel k(x: f32[4, 8], y: mut f32[8, 4]) {
            view columns = y via strided([4, 8], [1, 4]);
            view px = partition(x, [2, 2]); view py = partition(columns, [2, 2]);
            for (i, j) in grid(px.index_space) { py.store(px.load(i, j), i, j); } }",
        // A view with a border, in tiles that reach over its edge.
        "kernel k(x: f32[6], y: mut f32[8]) {
            view padded = x via row_major([6]) |> pad(1, 1);
            view px = partition(padded, [3]); view py = partition(y, [3]);
            for i in grid(py.index_space) { py.store_masked(px.load_masked(i), i); } }",
        // A shared array.
        "kernel k(x: f32[4, 8], y: mut f32[4, 8]) grid(1) {
            shared s: f32[4, 8];
            view ps = partition(s, [2, 8]); view px = partition(x, [2, 8]); view py = partition(y, [2, 8]);
            for i in 0..2 { ps.store(px.load(1 - i, 0), i, 0); }
            for i in 0..2 { py.store(ps.load(1 - i, 0), i, 0); } }",
    ];
    for kernel in kernels {
        gives(kernel, &[]);
    }
}

#[test]
fn a_view_that_is_divided_belongs_to_the_block() {
    let said = |view: &str, body: &str, code: &str, part: &str| {
        let text = format!(
            "kernel k(x: f32[8, 8], y: mut f32[8, 8]) grid(1) block(64) {{
                {view}
                view px = partition(x, [8, 8]); view py = partition(y, [8, 8]);
                {body}
            }}"
        );
        says(&check(&text), code, &[part]);
    };
    said(
        "view own = x via reshape_map([1] | [64] => layout: [i0, t0]);",
        "view po = partition(own, [1]); py.store(px.load(0, 0), 0, 0);",
        "tile-place",
        "the threads have shared this view out, and a whole block works on a tile",
    );
    said(
        "view rows = y via strided([8, 8], [0, 1]);",
        "view pr = partition(rows, [8, 8]); pr.store(px.load(0, 0), 0, 0);",
        "tile-shape",
        "two elements of `rows` are one element of its tensor: ",
    );
    said(
        "view turned = y via strided([8, 8], [1, 8]);",
        "view pt = partition(turned, [8, 8]); py.store(px.load(0, 0), 0, 0); py.store(pt.load(0, 0), 0, 0);",
        "tile-shape",
        "`y` is written, and accessed in tiles of two views",
    );
    said(
        "view turned = x via strided([8, 9], [1, 8]);",
        "view pt = partition(turned, [8, 9]); py.store(pt.load(0, 0)[0..8, 1..9], 0, 0);",
        "out-of-bounds",
        "71",
    );
}

#[test]
fn operations_on_tiles_are_accepted() {
    let values = [
        "-px.load(i, j)",
        "px.load(i, j) * f32(n) + 1.0",
        "px.load(i, j)[0..1, 0..2] + px.load(i, j)[0..2, 1..2]",
        "px.load(i, j).permute(1, 0).permute(1, 0)",
        "px.load(i, j).reshape([4]).reshape([2, 2])",
        "px.load(i, j).sum(0).insert(0) * ones(f32[2, 2])",
        "px.load(i, j) - px.load(i, j).sum([0, 1], keep: true)",
        "select(px.load(i, j) > 0.0, px.load(i, j), 0.0)",
        "if px.load(i, j) > 0.0 { 1.0 } else { zeros(f32[2, 2]) }",
        "matmul(px.load(i, j), px.load(i, j).permute(1, 0))",
        "f32(px.load(i, j).argmax(1, keep: true)) + px.load(i, j).cumsum(0)",
        "max(px.load(i, j), px.load(i, j).prod(1, keep: true), 0.5)",
        "full(f32[2, 2], f32(n)) + f32(iota(i32[2, 2]))",
        "select((px.load(i, j) > 0.0).any(1, keep: true), px.load(i, j), 1.0)",
        "px.load(i, j) - px.load(i, j).mean(1, keep: true) + px.load(i, j).mean()",
        "px.load(i, j).reshape(-1).reshape(2, -1).permute([1, 0])",
        "zeros(f32[2, 2]) + px.load(i, j)[0, 0..2].insert(0) + px.load(i, j)[1, 1]",
        "px.load(i, j) / px.load(i, j).sum()",
        "cat([px.load(i, j)[0..1, 0..2], zeros(f32[1, 2])], 0)",
        "cat([px.load(i, j).sum(1).insert(1), px.load(i, j)[0..2, 0..1]], 1)",
        "px.load(i, j).sort(1).sort(0, descending: true)",
        "f32(px.load(i, j).argsort(0, descending: false)) - px.load(i, j).top(1, 1)",
        "px.load(i, j).top(2, 0) * f32(px.load(i, j).argtop(2, 1)) + px.load(i, j).sum(1).top(1, 0)[0]",
        "gather(x, iota(i32[2, 1]), iota(i64[1, 2]) * 3)",
        "gather(x, clamp(iota(i32[2, 2]) * n, 0, 3), 7)",
        "gather_masked(x, iota(i32[2, 2]) * n, n, pad: negative_inf)",
    ];
    for value in values {
        gives(&stores(value), &[]);
    }
    gives(
        &with(
            "let mut t = px.load(i, j); t += 1.0; t = t.permute(1, 0) + t; py.store(t, i, j); pz.store(zeros(i16[2, 2]), i, j);",
        ),
        &[],
    );
    gives(
        &with(
            "let all = px.load(i, j).sum([0, 1]); if all > 0.0 { py.store(full(f32[2, 2], all), i, j); } else { py.store(zeros(f32[2, 2]), i, j); } pz.store(zeros(i16[2, 2]), i, j);",
        ),
        &[],
    );
    // A store converts where nothing is lost.
    gives(&with("pz.store(i8(px.load(i, j)), i, j); py.store(f16(px.load(i, j)), i, j);"), &[]);
}

#[test]
fn what_is_undefined_elsewhere_is_an_error_with_a_counterexample() {
    let beyond = gives(&with("py.store(px.load(5, 5), i, j); pz.store(zeros(i16[2, 2]), i, j);"), &["out-of-bounds"]);
    says(&beyond, "out-of-bounds", &["index 0 of `x` becomes 11, but must be below 4"]);
    let partial = gives(
        "kernel k(x: f32[4, 11], y: mut f32[2, 4]) {
            view px = partition(x, [2, 4]); view py = partition(y, [2, 4]); py.store(px.load(0, 2), 0, 0); }",
        &["out-of-bounds"],
    );
    says(&partial, "out-of-bounds", &["index 1 of `x` becomes 11", "or use `load_masked`"]);
    let outside =
        gives(&with("py.store(px.load_masked(i + 1, j), i, j); pz.store(zeros(i16[2, 2]), i, j);"), &["out-of-bounds"]);
    says(&outside, "out-of-bounds", &["index 0 of `px` becomes 2, but must be below 2", "in block 4"]);
    let open = "dim M, N; kernel k(x: f32[M, N], y: mut f32[M, N]) {
        view px = partition(x, [16, 16]); view py = partition(y, [16, 16]);
        for (i, j) in grid(px.index_space) { py.store_masked(px.load(i, j), i, j); } }";
    says(&gives(open, &["out-of-bounds"]), "out-of-bounds", &["M % 16 == 0"]);
    let race = gives(&with("py.store(px.load(i, j), 0, j); pz.store(zeros(i16[2, 2]), i, j);"), &["race"]);
    says(&race, "race", &["block 0 (at e0 = 0, e1 = 0) and block 4", "store each tile in one block"]);
    gives(&with("py.store(px.load(i, j), i, 0); pz.store(zeros(i16[2, 2]), i, j);"), &["race"]);
    gives(
        "kernel k(y: mut f32[8]) { view p = partition(y, [4]); for i in grid(2) { p.store(p.load(1 - i), i); } }",
        &["race-read"],
    );
    gives(
        "kernel k(y: mut f32[8]) { view p = partition(y, [4]); for i in grid(2) { if i == 0 { p.store(ones(f32[4]), i); } } }",
        &["not-fully-written"],
    );
}

#[test]
fn shapes_and_types_that_do_not_fit_are_errors() {
    let wrong = [
        ("px.load(i)", "index-count"),
        ("px.load(i, 1.5)", "type-mismatch"),
        ("px.load(i, px.load(i, j))", "tile-place"),
        ("px.load(i, j).sum(0)", "tile-shape"),
        ("px.load(i, j).sum()", "tile-shape"),
        ("px.load(i, j).sum(2, keep: true)", "tile-shape"),
        ("px.load(i, j).sum(0, kept: true)", "unknown-argument"),
        ("px.load(i, j).sum(0, keep: 1)", "type-mismatch"),
        ("px.load(i, j).any(0, keep: true)", "type-mismatch"),
        ("px.load(i, j).cumsum([0, 1])", "tile-shape"),
        ("px.load(i, j).sort()", "argument-count"),
        ("px.load(i, j).sort(0, 1)", "argument-count"),
        ("px.load(i, j).sort(2)", "tile-shape"),
        ("px.load(i, j).sort(-1)", "tile-shape"),
        ("px.load(i, j).sort(1, descending: 1)", "type-mismatch"),
        ("px.load(i, j).sort(1, ascending: true)", "unknown-argument"),
        ("px.load(i, j).sort(1, keep: true)", "unknown-argument"),
        ("f32((px.load(i, j) > 0.0).sort(1))", "type-mismatch"),
        ("px.load(i, j).argsort(1)", "type-mismatch"),
        ("px.load(i, j).top(1)", "argument-count"),
        ("px.load(i, j).top(3, 1)", "tile-shape"),
        ("px.load(i, j).top(0, 1)", "zero-size"),
        ("px.load(i, j).top(-1, 1)", "zero-size"),
        ("px.load(i, j).top(n, 1)", "wrong-kind"),
        ("px.load(i, j).top(1, 2)", "tile-shape"),
        ("px.load(i, j).top(1, 1).sum(1)", "tile-shape"),
        ("px.load(i, j).top(2, 1, descending: true)", "unknown-argument"),
        ("px.load(i, j).argtop(2, 1)", "type-mismatch"),
        ("px.load(i, j).topk(2, 1)", "unknown-member"),
        ("px.load(i, j).sorted(1)", "unknown-member"),
        ("scatter(y, 1.0, i, j)", "tile-place"),
        ("px.load(i, j).permute(0, 0)", "tile-shape"),
        ("px.load(i, j).permute(1)", "tile-shape"),
        ("px.load(i, j).reshape([3])", "tile-shape"),
        ("px.load(i, j).reshape(4)", "tile-shape"),
        ("px.load(i, j).transposed(1)", "unknown-member"),
        ("px.load(i, j).T", "unknown-member"),
        ("px.laod(i, j)", "unknown-member"),
        ("px.load(i, j)[0..1]", "tile-shape"),
        ("px.load(i, j)[0..3, 0..2]", "tile-shape"),
        ("px.load(i, j)[0, 0]", "tile-shape"),
        ("px.load(i, j) + px.load(i, j).sum(0)", "tile-shape"),
        ("px.load(i, j) + ones(f32[3, 2])", "tile-shape"),
        ("px.load(i, j) + ones(f16[2, 2])", "type-mismatch"),
        ("px.load(i, j) && true", "type-mismatch"),
        ("select(px.load(i, j), 1.0, 2.0)", "type-mismatch"),
        ("select(true, px.load(i, j))", "argument-count"),
        ("matmul(px.load(i, j), ones(f32[3, 2]))", "tile-shape"),
        ("matmul(px.load(i, j), ones(f16[2, 2]))", "type-mismatch"),
        ("mma(px.load(i, j), px.load(i, j), zeros(f16[2, 2]))", "type-mismatch"),
        ("mma(px.load(i, j), px.load(i, j), zeros(f32[2, 1]))", "tile-shape"),
        ("mma(px.load(i, j), px.load(i, j))", "argument-count"),
        ("zeros([2, 2])", "tile-shape"),
        ("zeros(f32[n, 2])", "wrong-kind"),
        ("zeros(f32[2])", "tile-shape"),
        ("zeros(float[2, 2])", "unknown-element-type"),
        ("full(f32[2, 2])", "argument-count"),
        ("1.0", "tile-shape"),
        ("f64(px.load(i, j))", "type-mismatch"),
        ("i32(px.load(i, j))", "type-mismatch"),
        ("px.load_masked(i, j, pad: infinity)", "tile-padding"),
        ("px.load_masked(i, j, padding: nan)", "unknown-argument"),
        ("px.load(i, j, pad: nan)", "unknown-argument"),
        ("px", "tile-place"),
        ("sine(px.load(i, j))", "unknown-function"),
        ("qx.load(i, j)", "unknown-local"),
        ("py.store(px.load(i, j), i, j)", "tile-place"),
    ];
    for (value, code) in wrong {
        let text = stores(value);
        let checked = crate::support::check(&text);
        let found: Vec<&str> = checked.codes().into_iter().collect();
        assert_eq!(found, [code], "{value}\n{}", checked.report());
        assert_eq!(checked.errors().len(), 1, "{value}\n{}", checked.report());
    }
}

#[test]
fn statements_that_are_none_are_errors() {
    let wrong = [
        ("px.load(i, j);", "tile-place"),
        ("px.store(px.load(i, j), i, j);", "read-only"),
        ("py.store();", "argument-count"),
        ("py.fill(1.0);", "unknown-member"),
        ("for k in 0..px.load(i, j).sum([0, 1]) { }", "tile-place"),
        ("let t = px.load(i, j); t = t + 1.0;", "immutable"),
        ("let mut t = px.load(i, j); t = t.sum(0);", "tile-shape"),
        ("for t in threads(32, cuda_thread) { py.store(px.load(i, j), i, j); }", "tile-place"),
        ("let t = px.load(i, j); t;", "tile-place"),
        ("view q = partition(x, [2]);", "tile-shape"),
        ("view q = partition(x, 2);", "tile-shape"),
        ("view q = partition(x);", "argument-count"),
        ("view q = partition(n, [2]);", "not-a-tensor"),
        ("view q = partition(x, [0, 2]);", "zero-size"),
        ("view q = partition(x, [2, 2], order: 1);", "tile-shape"),
        ("view q = partition(x, [2, 2], orders: (1, 0));", "unknown-argument"),
        ("view q = partition(x, [65536, 65536]);", "tile-shape"),
        ("view q = partition(y, [4, 8]); py.store(q.load(0, 0)[0..2, 0..2], i, j);", "tile-shape"),
        ("let t = y[0, 0]; py.store(px.load(i, j) + t, i, j);", "tile-place"),
        ("let k = px.index_space(2);", "tile-shape"),
    ];
    for (statement, code) in wrong {
        let text = with(&format!("{statement} py.store(px.load(i, j), i, j); pz.store(zeros(i16[2, 2]), i, j);"));
        let checked = crate::support::check(&text);
        assert!(checked.codes().contains(code), "{statement}: {code}\n{}", checked.report());
    }
}

#[test]
fn a_block_agrees_on_what_it_does_with_a_tile() {
    let differing = [
        "view xs = x via linear(1, 8) masked; if xs[0] > 5.0 { py.store(px.load(i, j), i, j); }",
        "view xs = x via linear(1, 8) masked; let v = xs[0]; py.store(px.load(i, j) + v, i, j);",
        "view xs = x via linear(1, 8) masked; py.store(full(f32[2, 2], xs[0]), i, j);",
        "let mut v = 0.0; for p in threads(16, cuda_thread) { v = f32(p); } py.store(px.load(i, j) + v, i, j);",
        "let mut v = 0.0; let mut w = 0.0; for q in 0..3 { py.store(px.load(i, j) + w, i, j); w = v;
            for p in threads(16, cuda_thread) { v = f32(p); } }",
        "view xs = x via linear(1, 8) masked; for q in 0..i32(xs[0]) { py.store(px.load(i, j), i, j); }",
    ];
    for statement in differing {
        let found = gives(&with(&format!("{statement} pz.store(zeros(i16[2, 2]), i, j);")), &["tile-place"]);
        says(&found, "tile-place", &["a whole block works on a tile, but", "between its threads"]);
    }
    let agreed = [
        "let v = x[0, 0]; if v > 5.0 { py.store(px.load(i, j) * v, i, j); } else { py.store(zeros(f32[2, 2]), i, j); }",
        "let mut v = 0.0; for q in 0..n { v += f32(q); } py.store(px.load(i, j) + v, i, j);",
    ];
    for statement in agreed {
        gives(&with(&format!("{statement} pz.store(zeros(i16[2, 2]), i, j);")), &[]);
    }
}

#[test]
fn tiles_that_no_block_can_hold_are_an_error() {
    let large = gives(
        "kernel k(x: f32[512, 512], y: mut f32[512, 512]) {
            view px = partition(x, [512, 512]); view py = partition(y, [512, 512]);
            py.store(px.load(0, 0), 0, 0); }",
        &["tile-too-large"],
    );
    says(&large, "tile-too-large", &["this tile of [512, 512] has 1048576 bytes, but a block has at most 232448"]);
    let sums = "t = t + 1.0; ".repeat(10_000);
    let many = with(&format!("let mut t = px.load(i, j); {sums} py.store(t, i, j); pz.store(zeros(i16[2, 2]), i, j);"));
    let found = gives(&many, &["tile-too-large"]);
    says(&found, "tile-too-large", &["more than 512 operations on tiles"]);
    let sums = "t = t + 1.0; ".repeat(300);
    gives(
        &with(&format!("let mut t = px.load(i, j); {sums} py.store(t, i, j); pz.store(zeros(i16[2, 2]), i, j);")),
        &[],
    );
}
