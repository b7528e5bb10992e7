//! Tiles whose threads do several neighbours at a time, so that tensors are accessed by vectors.

use kernel::distributed;
use seeds::Draw;

use super::check::{Case, check, compare, emit, interpreted};
use super::{nvrtc, source};

/// What a block does with a tile `t` of `x` and a tile `u` of `y`, and stores in `z`.
const BODIES: [&str; 7] = [
    "pz.store_masked(Z(t) + Z(u), i, j);",
    "let a = t + t; pz.store_masked(Z(a) * Z(u), i, j); py.store_masked(u + u, i, j);",
    "let mut s = Z(t); for k in 0..3 { s = s * Z(u) + Z(t); } pz.store_masked(s, i, j);",
    "let m = select(px.mask(i, j), t, t + t).max(1, keep: true); pz.store_masked(Z(t + m) - Z(u), i, j);",
    "let a = t + t; pz.store_masked(Z(a.reshape([C, R]).permute(1, 0)) + Z(u), i, j);",
    "let mut s = Z(t); if M > 9 { s = s + Z(u); } pz.store_masked(select(iota(i32[R, C]) % 3 == 0, s, Z(u)), i, j);",
    "let mut s = Z(u); for k in 0..px.index_space(1) { s = s + Z(px.load_masked(i, k)); } pz.store_masked(s, i, j);",
];

/// A kernel of tensors whose rows are aligned.
fn text(draw: &mut Draw) -> String {
    let types = ["f32", "f16", "bf16", "i32", "i8", "u16", "f64", "i64"];
    let [x, y, z] = [(); 3].map(|()| draw.pick(&types));
    let threads = draw.pick(&[1, 32, 64, 96]);
    let rows = draw.pick(&[1, 2, 3, 4, 8]);
    let columns = draw.pick(&[32, 64, 96, 128, 256]);
    let body = draw.pick(&BODIES).replace("Z(", &format!("{z}(")).replace('R', &rows.to_string());
    let body = body.replace('C', &columns.to_string());
    format!(
        "dim M;
dim N where N % 16 == 0;
kernel k(x: {x}[M, N], y: mut {y}[M, N], z: mut {z}[M, N]) block({threads}) {{
    view px = partition(x, [{rows}, {columns}]);
    view py = partition(y, [{rows}, {columns}]);
    view pz = partition(z, [{rows}, {columns}]);
    for (i, j) in grid(px.index_space) {{ let t = px.load_masked(i, j); let u = py.load_masked(i, j); {body} }}
}}
run k(x: random({}), y: random({}), z: zeros) with M = {}, N = {};
",
        draw.below(100),
        draw.below(100),
        1 + draw.below(20),
        16 * (1 + draw.below(20)),
    )
}

fn cases(count: u64) -> Vec<Case> {
    let of = |seed| {
        let text = text(&mut Draw::new(seed));
        let mut cases = source::runs("vectors.shape", &text);
        cases.iter_mut().for_each(|case| case.what = format!("seed {seed}\n{text}"));
        cases
    };
    seeds::range(count).flat_map(of).collect()
}

/// The form of a kernel for GPUs means what the kernel means.
#[test]
fn threads_do_vectors_of_neighbours() {
    let cases = cases(40);
    let with_vectors = emit(&cases).iter().filter(|job| job.code.source.contains("copy_vector<")).count();
    assert!(with_vectors > cases.len() / 4, "{with_vectors} of {} texts have vectors", cases.len());
    check(&cases, &["-O1"]);
    for case in &cases {
        let kernel = distributed(&case.kernel, &|| {}).into_owned();
        let arguments = testing::compare::copy(&case.arguments).unwrap();
        let form = Case { what: case.what.clone(), kernel, sizes: case.sizes.clone(), arguments };
        compare(case, &interpreted(case), &interpreted(&form), "the form on the interpreter", "");
    }
}

/// What a thread holds of a vector is in registers.
#[test]
fn vectors_of_tiles_are_registers() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    for job in emit(&cases(20)) {
        let compiled = nvrtc::compile(&nvrtc, &[&job.code], "compute_80").unwrap_or_else(|error| panic!("{error}"));
        let text = String::from_utf8_lossy(&compiled.code);
        assert!(!text.contains(".local"), "an array stands in memory\n{}", job.code.source);
    }
}
