//! Tiles of the sizes that kernels have: rows that all threads of a block reduce, products of which a thread holds several sums, and
//! tiles that are swizzled in shared memory.

use kernel::distributed;
use seeds::Draw;

use super::check::{Case, check, compare, emit, interpreted};
use super::source;

/// What a block does with its tile `t`, of `R` rows and `C` columns; `W` makes names that are said once.
const STEPS: [&str; 14] = [
    "t = t + t.sum(1, keep: true);",
    "t = t - t.sum(0, keep: true);",
    "t = t * 0.5 - t.max(1, keep: true);",
    "t = t + t.min(0, keep: true);",
    "t = t + t.sum();",
    "t = t - t.reshape([C, R]).permute(1, 0);",
    "t = mma(pa.load_masked(i, 0), pb.load_masked(0, j), t);",
    "t = t + matmul(pa.load_masked(i, 0), pd.load_masked(j, 0).permute(1, 0));",
    "for k in 0..pa.index_space(1) { t = mma(pa.load_masked(i, k), pb.load_masked(k, j), t); }",
    "for k in 0..2 { t = t * 0.5 + t.max(1, keep: true); }",
    "let W = t * t; t = W - W.sum(1, keep: true);",
    "let W = t.permute(1, 0); t = t + W.sum(0).reshape([R, 1]);",
    "if M > 5 { t = t + t.sum(1, keep: true); }",
    "let W = matmul(pa.load_masked(i, 0), pb.load_masked(0, j)); t = W.max(1, keep: true) - W;",
];

fn text(draw: &mut Draw) -> String {
    let element = draw.pick(&["f32", "f16", "bf16"]);
    let threads = draw.pick(&[32, 64, 128, 256]);
    let (rows, columns) = draw.pick(&[
        (1, 256),
        (1, 1024),
        (1, 2000),
        (2, 512),
        (4, 256),
        (4, 64),
        (16, 16),
        (16, 64),
        (32, 32),
        (32, 64),
        (64, 32),
        (12, 40),
    ]);
    // The factors of a long row are as large.
    let depth = if columns > 256 { 4 } else { draw.pick(&[4, 8, 16, 32]) };
    let steps: Vec<String> = (0..1 + draw.index(4))
        .map(|number| {
            let step = draw.pick(&STEPS).replace('W', &format!("w{number}"));
            step.replace('R', &rows.to_string()).replace('C', &columns.to_string())
        })
        .collect();
    let seeds = [(); 4].map(|()| draw.below(100));
    let sizes = [rows + 3, columns + 5, 2 * depth].map(|most| 1 + draw.below(most));
    format!(
        "dim M, N, L;
kernel k(a: {element}[M, L], b: {element}[L, N], d: {element}[N, L], x: f32[M, N], y: mut f32[M, N]) block({threads}) {{
    view pa = partition(a, [{rows}, {depth}]);
    view pb = partition(b, [{depth}, {columns}]);
    view pd = partition(d, [{columns}, {depth}]);
    view px = partition(x, [{rows}, {columns}]);
    view py = partition(y, [{rows}, {columns}]);
    for (i, j) in grid(px.index_space) {{
        let mut t = px.load_masked(i, j);
        {}
        py.store_masked(t, i, j);
    }}
}}
run k(a: random({}), b: random({}), d: random({}), x: random({}), y: zeros) with M = {}, N = {}, L = {};
",
        steps.join("\n        "),
        seeds[0],
        seeds[1],
        seeds[2],
        seeds[3],
        sizes[0],
        sizes[1],
        sizes[2],
    )
}

/// The sum of a column is held by the thread of the column, so the elements are not dealt by vectors, although a product of them is
/// taken.
const COLUMNS: &str = "dim M, N, L;
kernel k(a: f32[M, L], b: f32[L, N], x: f32[M, N], y: mut f32[M, N]) block(64) {
    view pa = partition(a, [16, 16]);
    view pb = partition(b, [16, 64]);
    view px = partition(x, [16, 64]);
    view py = partition(y, [16, 64]);
    for (i, j) in grid(px.index_space) {
        let mut t = px.load_masked(i, j);
        t = t - t.sum(0, keep: true);
        t = mma(pa.load_masked(i, 0), pb.load_masked(0, j), t);
        if M > 5 { t = t + t.sum(1, keep: true); }
        py.store_masked(t, i, j);
    }
}
run k(a: random(36), b: random(49), x: random(76), y: zeros) with M = 12, N = 45, L = 17;
";

fn cases(count: u64) -> Vec<Case> {
    let random = seeds::range(count).map(|seed| (format!("seed {seed}"), text(&mut Draw::new(seed))));
    let texts = [("columns".to_owned(), COLUMNS.to_owned())].into_iter().chain(random);
    let case = |(what, text): (String, String)| {
        let mut cases = source::runs("forms.shape", &text);
        assert_eq!(cases.len(), 1, "{what} is refused\n{text}");
        cases.iter_mut().for_each(|case| case.what = format!("{what}\n{text}"));
        cases
    };
    texts.flat_map(case).collect()
}

/// The form of a kernel for GPUs means what the kernel means, to the interpreter and to a compiler of C++.
#[test]
fn forms_of_large_tiles_mean_the_same() {
    let cases = cases(60);
    for case in &cases {
        let kernel = distributed(&case.kernel, &|| {}).into_owned();
        let arguments = testing::compare::copy(&case.arguments).unwrap();
        let form = Case { what: case.what.clone(), kernel, sizes: case.sizes.clone(), arguments };
        compare(case, &interpreted(case), &interpreted(&form), "the form on the interpreter", "");
    }
    let sources: Vec<String> = emit(&cases).into_iter().map(|job| job.code.source).collect();
    for what in ["each thread holds its elements", "__shfl_down_sync", " ^ "] {
        assert!(sources.iter().any(|source| source.contains(what)), "no text has {what:?}");
    }
    check(&cases[..20], &["-O1"]);
}
