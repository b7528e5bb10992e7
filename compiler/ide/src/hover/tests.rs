//! What hovers show, at every kind of place.

use super::*;
use crate::fixture::Fixture;

/// The text at the cursor to which the hover refers, and the hover's content after the file has been checked.
fn shown(text: &str) -> String {
    let Fixture { db, file, offset } = Fixture::new(text);
    crate::diagnostics(&db, file);
    match hover(&db, file, offset) {
        Some(hover) => {
            let about = &file.text(&db)[hover.range.start as usize..hover.range.end as usize];
            format!("«{about}»\n{}", hover.shown.markdown())
        }
        None => "nothing".to_owned(),
    }
}

/// The hovers of several texts, one after the other.
fn all(texts: &[&str]) -> String {
    let parts = texts.iter().map(|text| format!("======== {text}\n\n{}\n", shown(text)));
    parts.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_iterator_of_a_tiling_says_what_it_runs_over() {
    let text = "tiling a = block(64) |> tile(t: 2, cuda_warp) |> tile(i: 4, cuda_thread);\nshow a(i: 1, t$0: 0)";
    let found = shown(text);
    assert!(found.starts_with("«t»\n```shapewright\niterator t: 2\n```"), "{found}");
    assert!(found.contains("- `t`: 2 iterations of one `cuda_warp`, pitch 32, `t = tid / 32`"), "{found}");
    assert!(!found.contains("`i`"), "{found}");
}

#[test]
fn a_member_shows_its_own_value_and_not_what_more_is_asked() {
    let here = |text: &str| shown(text).split_once("Here:").map(|(_, here)| here.trim().to_owned()).unwrap_or_default();
    let map = "map m = row_major([4, 6]);\n";
    assert!(here(&format!("{map}show m.perm$0ute(1, 0).upper_shape")).starts_with("`[6, 4] → [24]`"));
    assert!(here(&format!("{map}show m.permute(1, 0).upper_sha$0pe")).starts_with("= `[6, 4]`"));
    assert!(here(&format!("{map}assert m.inv$0erse.injective && m.covers")).starts_with("`[24] → [4, 6]`"));
    let tiling = "tiling t = block(64) |> tile(w: 2, cuda_warp);\n";
    assert!(here(&format!("{tiling}assert t.assign$0ment.injective")).starts_with("`[32, 2] → [64]`"));
}

const SAXPY: &str = "dim N;
/// y = a x + y
kernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    let half = N / 2;
    for i in 0..4 { let next = a * xs[i]; ys[i] = next + ys[i]; }
}
run saxpy(a: 2.0, x: arange, y: ones) with N = 1000 expect y == 2.0 * x + 1.0;
";

/// The kernel with a cursor at the first character of `at`, searched behind `after`.
fn in_saxpy(after: &str, at: &str) -> String {
    let start = SAXPY.find(after).unwrap();
    let place = start + SAXPY[start..].find(at).unwrap();
    format!("//: {at}\n{}", shown(&format!("{}$0{}", &SAXPY[..place], &SAXPY[place..])))
}

#[test]
fn items() {
    insta::assert_snapshot!(all(&[
        "shape : [128, 64];\n/// Tiles of the shape.\n$0tiles : shape [(0) / 2, (1) / 4, 1];",
        "dim M, N where M % 64 == 0, N <= 65536;\nmatrix : [$0M, N];",
        "dim M, N where M % 64 == 0, N <= 65536;\n$0matrix : [M, cdiv(N, 4)];",
        "const B = 4 * 16;\nx : [$0B];",
        "map $0strided = reshape_map([3] | [4] => layout: [t0, i0]);",
        "dim N;\nmap m = reshape_map([4] | [N / 4] => layout: [-i0, t0]);\n$0assert m.covers(N);",
        "map gaps = reshape_map([(3, 4)] | [2, 2] => layout: [i0, t0, t1]);\nassert !$0gaps.covers;",
    ]));
}

#[test]
fn kernels_and_their_names() {
    insta::assert_snapshot!(
        [
            in_saxpy("kernel", "saxpy"),
            in_saxpy("ys = y", "y "),
            in_saxpy("view", "xs"),
            in_saxpy("for", "i "),
            in_saxpy("let", "half"),
            in_saxpy("* xs", "xs"),
            in_saxpy("next + ys", "next"),
            in_saxpy("run", "saxpy"),
            in_saxpy("run", "y:"),
            in_saxpy("with", "N"),
        ]
        .join("\n\n")
    );
}

/// Warps turn a tile round through shared memory.
const TURN: &str = "kernel turn(x: f32[8, 32], y: mut f32[8, 32]) grid(1) block(384) {
    shared tile : f32[8, 33];
    for w in threads(8, cuda_warp) {
        for lane in threads(32, cuda_thread) { tile[w, lane] = x[w, lane]; }
    }
    with threads(4..12, cuda_warp) {
        for w in threads(8, cuda_warp) {
            for lane in threads(32, cuda_thread) { y[w, lane] = tile[7 - w, lane]; }
        }
    }
}
";

#[test]
fn thread_collectives_and_shared_arrays() {
    let at = |after: &str, at: &str| {
        let start = TURN.find(after).unwrap();
        let place = start + TURN[start..].find(at).unwrap();
        format!("//: {at}\n{}", shown(&format!("{}$0{}", &TURN[..place], &TURN[place..])))
    };
    insta::assert_snapshot!(
        [
            at("kernel", "turn"),
            at("shared", "shared"),
            at("shared", "tile"),
            at("for w", "w "),
            at("for w", "threads(8"),
            at("for w", "cuda_warp"),
            at("for lane", "lane"),
            at("with", "with"),
            at("with", "threads"),
            at("tile[7", "tile"),
        ]
        .join("\n\n")
    );
}

#[test]
fn a_kernel_that_is_being_checked_shows_what_is_known_before() {
    let Fixture { db, file, offset } = Fixture::new(&TURN.replacen("turn", "$0turn", 1));
    let markdown = || hover(&db, file, offset).unwrap().shown.markdown();
    let before = markdown();
    assert!(before.contains("grid(1) block(384)") && before.contains("- reads `x`: "), "{before}");
    assert!(before.contains("shared memory") && before.ends_with("It is being checked."), "{before}");
    assert!(!before.contains("barrier") && !before.contains("proven"), "{before}");
    crate::diagnostics(&db, file);
    let after = markdown();
    assert!(after.contains("the compiler placed 1 barrier") && after.contains("✓ every access"), "{after}");
}

#[test]
fn words_and_values() {
    insta::assert_snapshot!(all(&[
        "shape : [128, 64];\nx : shape [$0(0) / 2];",
        "shape : [128, 64];\nx : shape [(0) $0/ 2];",
        "map m = reshape_map([3] | [4] => layout: [t0, i0]);\nassert m.$0owners == [0];",
        "map m = reshape_map([3] | [4] => layout: [t0, $0i0]);",
        "x : [4];\nshow x.$0size;",
        "$0dim M;",
        "const c = $0cdiv(10, 4);",
        "kernel k(x: $0f32[4], y: mut f32[4]) { for i in grid(4) { y[i] = x[i]; } }",
        "kernel k(x: f32[4], y: mut f32[4]) { for i in $0grid(4) { y[i] = x[i]; } }",
        "kernel k(x: f32[4], y: mut f32[4]) { for i in grid(4) { y[i] = $0exp(x[i]); } }",
        "kernel k(y: mut f32[4]) { for i in grid(4) { y[i] = 1.0; } }\nrun k(y: $0zeros) expect y.sum() == 4.0;",
        "kernel k(y: mut f32[4]) { for i in grid(4) { y[i] = 1.0; } }\nrun k(y: zeros) expect y.$0sum() == 4.0;",
        "x : [1$02, 4];",
        "map m = row_major([4, 5]) |> m$0erge;",
        "map m = row_major([4, 5]) |> { 0: $0pad(1, 1), 1: _ } |> merge;",
        "dim N;\nmap m = row_major([N, 5]) $0|> { 0: pad(1, 1), 1: _ };",
    ]));
}

#[test]
fn broken_files_and_other_files() {
    insta::assert_snapshot!(all(&[
        "//- main.shape\nuse \"sizes.shape\";\nx : [$0M, 4];\n//- sizes.shape\n/// Rows.\ndim M where M >= 2;\n",
        "shape : [128, 64];\nx : shape [($00) / 2, ;\ny : [",
        "kernel k(x: f32[4], y: mut f32[4]) { let a = x[0]; y[0] = $0a + unknown; y[1 = }",
        "kernel k(x: f32[4], y: mut f32[4]) { view $0xs = x via nothing; }",
        "kernel $0k(x: f32[4], y: mut f32[4]) { for i in 0..5 { y[0] = x[i]; } }",
        "dim N;\nkernel $0k(x: f32[N], y: mut f32[2]) { for i in grid(2) { y[i] = x[i * i]; } }\nrun k(x: ones, y: ones);",
        "dim N;\nkernel k(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[i]; } }\nrun $0k(x: ones, y: ones);",
        "dim N;\nkernel $0read(x: f32[2]) grid(1) block(1) { let element = x[N * N % 3]; }",
        "a : $0b;",
        "a : $0a;",
    ]));
}

#[test]
fn units_and_tilings() {
    let work = |rest: &str| {
        format!(
            "unit pair = (blockDim; 2);\ntiling work = block(384) |> tile(w: 8, cuda_warp) |> tile(t: 16, pair);\n{rest}"
        )
    };
    insta::assert_snapshot!(all(&[
        "unit $0quadpair = ((blockDim / 16, 16); (2, 4));",
        "/// Any warps of whole blocks.\nunit $0any = (clusterDim, blockDim; _, blockDim);",
        "unit u = 2 * $0cuda_warp;",
        "unit u = ($0blockDim; 2);",
        &work("show $0work;"),
        &work("show work.$0predicate;"),
        &work("show work$0(w: 1, t: 3);"),
        &work("assert work.$0matches(pair);"),
        "tiling $0all = cluster(2) block(64);",
        "tiling $0second = cluster(2) block(64) |> specialize(1..2, cuda_warp);",
        "tiling t = block(64) |> $0tile(w: 2, cuda_warp) |> specialize(0..16, cuda_thread);",
        "tiling $0wrong = block(64) |> tile(w: 3, cuda_warp);",
    ]));
}

#[test]
fn a_generic_parameter_says_for_which_values_its_kernel_is_checked() {
    let kernel = "kernel f[B$0 = 8, T: f16 | f32](y: mut T[B]) tune(B: [8, 16]) { for i in grid(B) { y[i] = T(B); } }";
    let found = shown(kernel);
    assert!(found.starts_with("«B»\n```shapewright\nB = 8\n```"), "{found}");
    assert!(found.contains("8 where a run gives no other value; the kernel is also checked for 16"), "{found}");
    let found = shown(&kernel.replace("$0", "").replace("mut T", "mut $0T"));
    assert!(found.contains("f16 where a run gives no other value; the kernel is also checked for f32"), "{found}");
}

#[test]
fn a_float_of_8_bits_says_where_it_ends() {
    let kernel = "kernel k(x: e5m2[4], y: mut e4m3[4]) { for i in grid(4) { y[i] = e4m3(f32(x[i])); } }\n";
    let found = shown(&kernel.replace("= e4m3", "= $0e4m3"));
    assert!(found.contains("To `e4m3`, rounded to nearest even. Beyond 448 it is 448, of an infinity too"), "{found}");
    let found = shown(&kernel.replace("mut e4m3", "mut $0e4m3"));
    assert!(found.contains("An 8-bit float: 4 significant bits, at most 448, no infinities."), "{found}");
}

#[test]
fn a_partition_shows_what_it_is_made_of() {
    let kernel = |px: &str, member: &str| {
        format!(
            "dim M, N;\nkernel k(x: f32[M, N], y: mut f32[N, M]) {{\n    view {px} = partition(x, [4, 2], order: (1, 0));\n    \
             view py = partition(y, [4, 2]);\n    for (i, j) in grid(py.index_space) {{ py.store_masked(select(px.{member}(i, j), \
             px.load_masked(i, j), 0.0), i, j); }}\n}}\n"
        )
    };
    let found = shown(&kernel("$0px", "mask"));
    for part in [
        "view px: tiles of f32[4, 2]",
        "divides `x` of `[M, N]` into `cdiv(N, 4)` × `cdiv(M, 2)` tiles; the last ones may reach over its edge",
        "`px.index_space`: `[cdiv(N, 4), cdiv(M, 2)]`",
        "`px.tensor`: `[M, N]`",
        "`px.mapping`: `",
    ] {
        assert!(found.contains(part), "{part} is missing from {found}");
    }
    assert!(shown(&kernel("px", "$0mask")).contains("lie inside the tensor"));
}

/// The kernel of the hovers below, with a cursor in one of its words.
fn of_tiles(cursor: &str) -> String {
    let text = "dim M, N;\nkernel f[B = 64, T: f16 | f32](x: T[M, N], y: mut T[M, N]) where N % 64 == 0 {\n    view px = partition(x, [4, \
                B]);\n    view py = partition(y, [4, B]);\n    for (i, j) in grid(py.index_space) {\n        let row = \
                px.load_masked(i, j, pad: negative_inf);\n        py.store_masked(row - row.max(1, keep: true) + \
                T(zeros(f32[4, 1])), i, j);\n    }\n}\nrun f[B: 32, T: f32](x: arange, y: zeros) with M = 5, N = 64;\n";
    let plain = cursor.replace("$0", "");
    assert!(text.contains(&plain), "{plain}");
    shown(&text.replacen(&plain, cursor, 1))
}

#[track_caller]
fn says(cursor: &str, parts: &[&str]) {
    let found = of_tiles(cursor);
    for part in parts {
        assert!(found.contains(part), "{part} is missing from {found}");
    }
}

#[test]
fn a_call_says_which_tile_or_which_sizes_it_gives_here() {
    says("px.load$0_masked(", &["here: `f16[4, 64]`"]);
    says("row.m$0ax(1", &["here: `f16[4, 1]`", "The greatest element"]);
    says("ze$0ros(", &["here: `f32[4, 1]`"]);
    says("py.index$0_space", &["here: `[cdiv(M, 4), N / 64]`"]);
}

#[test]
fn an_iterator_of_a_grid_of_tiles_has_its_own_end() {
    says("for ($0i, j)", &["from `0`, below `cdiv(M, 4)`; one iteration for each block, block `i * (N / 64) + j`"]);
    says("for (i, $0j)", &["from `0`, below `N / 64`; one iteration for each block"]);
}

#[test]
fn an_argument_by_name_says_what_it_is_and_what_it_takes() {
    says("p$0ad:", &["what lies beyond the edge", "- `negative_inf`: -infinity, which changes no maximum"]);
    says("negative$0_inf", &["pad: negative_inf", "-infinity, which changes no maximum"]);
    says("ke$0ep:", &["whether the dimension stays, with extent 1"]);
}

#[test]
fn an_element_type_is_no_conversion_where_it_stands_for_elements() {
    says("T: f$016 |", &["IEEE half precision"]);
    says("zeros(f$032[", &["IEEE single precision"]);
    says("T: f$032](", &["IEEE single precision"]);
    says("run f[$0B: 32", &["`32` in this run", "64 where a run gives no other value"]);
}

#[test]
fn functions_show_how_they_are_declared_and_documented() {
    let text = "/// Half of a number.\nfn half(v: f32) -> f32 { let two = 2.0; v / two }\n";
    let called = shown(&format!("{text}kernel k(y: mut f32[4]) {{ for i in grid(4) {{ y[i] = ha$0lf(1.0); }} }}\n"));
    assert!(called.contains("fn half(v: f32) -> f32"), "{called}");
    assert!(called.contains("Half of a number."), "{called}");
    let param = shown("fn half(v$0: f32) -> f32 = v / 2.0;\n");
    assert!(param.contains("v: f32") && param.contains("a parameter of the function"), "{param}");
    let used = shown("fn half(v: f32) -> f32 = v$0 / 2.0;\n");
    assert!(used.contains("v: f32"), "{used}");
    let own = shown("fn half(v: f32) -> f32 { let two = 2.0; v / tw$0o }\n");
    assert!(own.contains("let two = 2.0"), "{own}");
}
