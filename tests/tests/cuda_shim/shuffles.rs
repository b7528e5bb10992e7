//! Values that the threads of a warp pass to each other: alone, and as the last steps of reductions of tiles.

use std::collections::BTreeMap;

use dims::Sym;
use elements::ElementType;
use kernel::distributed;
use kernel::typed::{BinaryOp, Constant, Expr, Kernel, Lane, Lanes, Shuffle, StatementKind, Taken, Together};
use seeds::Draw;
use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{BoundsChecks, Control, SizedKernel};
use testing::build::*;

use super::check::{Case, check, compare, interpreted};
use super::{handmade, nvrtc, source};
use crate::thread_nests::orders::all_give;

/// Each thread of two warps takes the value of another lane, with numbers that differ between threads and leave the warp.
fn shuffle(lane: Lane, element: ElementType) -> Case {
    let count = Sym::constant(128);
    let mut builder = KernelBuilder::new(&format!("{}-{element}", lane.name()), Sym::constant(2), Sym::constant(64));
    let numbers = builder.tensor("numbers", ElementType::I64, std::slice::from_ref(&count), false);
    let given = builder.tensor("given", element, std::slice::from_ref(&count), false);
    let taken = builder.tensor("taken", element, std::slice::from_ref(&count), true);
    let local = builder.local("other", element);
    builder.kernel.locals[local].mutable = false;
    let map = identity(&count);
    let mut at = |tensor| builder.access(tensor, &map, vec![builder.linear_id()], Masking::None);
    let (number, value, target) = (at(numbers), at(given), at(taken));
    let (number, value) = (builder.load(number), builder.load(value));
    let passed = StatementKind::Shuffle(Box::new(Shuffle::in_warp(local, value, lane, number)));
    let body = vec![statement(passed), store(target, builder.read(local))];
    handmade::sized(lane.name(), builder.finish(body), BTreeMap::new())
}

/// Lanes of a warp, those of each four or of each of two halves that lie in eights, see who of them has a number above zero.
/// Quads vote another time where their number is odd, so that lanes do not come to equally many shuffles.
fn votes(mask: u32) -> Case {
    let count = Sym::constant(128);
    let mut builder = KernelBuilder::new(&format!("votes-{mask:x}"), Sym::constant(2), Sym::constant(64));
    let given = builder.tensor("given", ElementType::I32, std::slice::from_ref(&count), false);
    let taken = builder.tensor("taken", ElementType::U32, std::slice::from_ref(&count), true);
    let [first, second, all] = ["votes", "others", "all"].map(|name| builder.constant(name, ElementType::U32));
    let result = builder.local("result", ElementType::U32);
    let map = identity(&count);
    let mut at = |tensor| builder.access(tensor, &map, vec![builder.linear_id()], Masking::None);
    let (value, target) = (at(given), at(taken));
    let positive =
        Expr::binary(BinaryOp::Greater, builder.load(value), Expr::constant(Constant::Int(0), ElementType::I32));
    let lane = Expr::binary(BinaryOp::FloorRemainder, Expr::thread_id(), Expr::int(32));
    // The first of the lanes of a thread: its own lane without the bits by which they differ.
    let first_lane = Expr::binary(BinaryOp::BitAnd, lane, Expr::int(i64::from(!spread(mask) & 31)));
    let vote = |local, value: Expr, taken, lanes: Lanes| {
        let shuffle = Shuffle { local, value, taken, together: Together::Warp, lanes };
        statement(StatementKind::Shuffle(Box::new(shuffle)))
    };
    let lanes = Lanes { mask, first: first_lane.clone() };
    let is_odd = Expr::binary(
        BinaryOp::Equal,
        Expr::binary(
            BinaryOp::FloorRemainder,
            Expr::binary(BinaryOp::FloorDivide, first_lane, Expr::int(4)),
            Expr::int(2),
        ),
        Expr::int(1),
    );
    let by_lane = Taken::Lane { lane: Lane::Xor, number: Expr::int(1) };
    let again = vec![
        vote(second, builder.read(first), by_lane, lanes.clone()),
        assign(result, Expr::binary(BinaryOp::Add, builder.read(result), builder.read(second))),
    ];
    let body = vec![
        vote(first, positive.clone(), Taken::Votes, lanes),
        assign(result, builder.read(first)),
        if_else(is_odd, again, Vec::new()),
        vote(all, positive, Taken::Votes, Lanes::all()),
        store(target, Expr::binary(BinaryOp::BitXor, builder.read(result), builder.read(all))),
    ];
    handmade::sized("votes", builder.finish(body), BTreeMap::new())
}

/// The bits by which lanes differ.
fn spread(mask: u32) -> u32 {
    (0..32u32).filter(|lane| mask >> lane & 1 == 1).fold(0, |bits, lane| bits | lane)
}

/// All shuffles of all types that variables have, and votes of lanes.
pub fn cases() -> Vec<Case> {
    let elements = || ElementType::ALL.into_iter();
    let shuffles = Lane::ALL.into_iter().flat_map(|lane| elements().map(move |element| shuffle(lane, element)));
    shuffles.chain([u32::MAX, 0xf, 0xffff, 0x000f_000f].map(votes)).collect()
}

#[test]
fn every_lane_takes_the_value_of_another_one() {
    let cases = cases();
    check(&cases, &["-O1"]);
    for case in &cases {
        let expected = interpreted(case);
        let mut arguments = testing::compare::copy(&case.arguments).unwrap();
        let sized = SizedKernel::new(&case.kernel, &case.sizes, BoundsChecks::Proven).unwrap();
        sized.run(&Cpu::DEFAULT, &mut arguments, &Control::default()).unwrap();
        compare(case, &expected, &arguments, "the processor", "");
        if let Err(difference) = all_give(&case.kernel, &case.sizes, &case.arguments, &expected, seeds::seed()) {
            panic!("{}: {difference}", case.what);
        }
    }
}

#[test]
fn warps_of_fewer_threads_have_no_shuffles() {
    let mut case = shuffle(Lane::Down, ElementType::F32);
    case.kernel.launch.threads = Sym::constant(48);
    let error = SizedKernel::new(&case.kernel, &case.sizes, BoundsChecks::Proven).unwrap_err().to_string();
    assert!(error.contains("shuffle_down in a block of 48 threads, which are not whole warps"), "{error}");
}

/// What a reduction is called, and how two results are joined in turn.
const NUMBERS: [(&str, &str); 4] = [("sum", "s + r"), ("prod", "s * r"), ("max", "max(s, r)"), ("min", "min(s, r)")];
const TRUTHS: [(&str, &str); 2] = [("any", "s || r"), ("all", "s && r")];

/// The text of a kernel with a reduction: along the fast dimension, the slow one or both; alone, in a loop or in a branch.
fn text((element, reduction): (ElementType, (&str, &str)), threads: i64, draw: &mut Draw) -> String {
    let (word, join) = reduction;
    let rows = draw.pick(&[1, 2, 3, 5, 8, 40]);
    let columns = draw.pick(&[33, 40, 64, 70, 100, 128]);
    let along = draw.pick(&["0", "1", "[0, 1]"]);
    let (shape, left) = match along {
        "0" => (format!("[{columns}, {rows}]"), rows.to_string()),
        "1" => (format!("[{rows}, {columns}]"), rows.to_string()),
        _ => (format!("[{rows}, {columns}]"), "1".to_owned()),
    };
    let reduced = match along {
        "[0, 1]" => format!("px.load_masked(i, k).{word}([0, 1]).reshape([1])"),
        _ => format!("px.load_masked(i, k).{word}({along})"),
    };
    let loaded = reduced.replace("i, k", "i, 0");
    let body = match draw.below(3) {
        0 => format!("let s = {loaded};"),
        1 => format!("let mut s = {loaded}; for k in 1..px.index_space(1) {{ let r = {reduced}; s = {join}; }}"),
        _ => format!("let mut s = {loaded}; if M > 9 {{ let r = {loaded}; s = {join}; }} else {{ s = {loaded}; }}"),
    };
    format!(
        "dim L, M, N;
kernel k(x: {element}[M, N], y: mut {element}[L]) block({threads}) {{
    view px = partition(x, {shape});
    view py = partition(y, [{left}]);
    for i in grid(px.index_space(0)) {{ {body} if i < py.index_space(0) {{ py.store_masked(s, i); }} }}
}}
run k(x: random({}), y: zeros) with L = {}, M = {}, N = {};
",
        draw.below(100),
        1 + draw.below(60),
        1 + draw.below(90),
        1 + draw.below(150),
    )
}

/// Random reductions of this type.
fn reductions(element: ElementType, draw: &mut Draw) -> Vec<Case> {
    let all: &[(&str, &str)] = if element == ElementType::Bool { &TRUTHS } else { &NUMBERS };
    let of = |reduction: &(&str, &str)| {
        let threads = draw.pick(&[32, 64, 100, 128, 1024]);
        let text = text((element, *reduction), threads, draw);
        let mut cases = source::runs("reduction.shape", &text);
        cases.iter_mut().for_each(|case| case.what = format!("{element}\n{text}"));
        cases
    };
    all.iter().flat_map(of).collect()
}

/// The form of a kernel for GPUs means what the kernel means: on the interpreter, in adverse orders of its threads, and as CUDA.
#[test]
fn reductions_are_joined_by_shuffles() {
    let mut draw = Draw::new(seeds::seed());
    let elements = ElementType::ALL.into_iter().filter(|element| element.computes());
    let cases: Vec<Case> = elements.flat_map(|element| reductions(element, &mut draw)).collect();
    check(&cases, &["-O1"]);
    let mut with_shuffles = 0;
    for case in &cases {
        let form = distributed(&case.kernel, &|| {}).into_owned();
        let has_whole_warps = case.kernel.launch.threads.as_constant() != Some(100);
        assert!(has_whole_warps || !form.has_shuffles(), "{}", case.what);
        with_shuffles += usize::from(form.has_shuffles());
        let expected = interpreted(case);
        let form = of_form(case, form);
        compare(case, &expected, &interpreted(&form), "the form on the interpreter", "");
        if case.kernel.launch.threads.as_constant() == Some(64)
            && let Err(difference) = all_give(&form.kernel, &form.sizes, &form.arguments, &expected, seeds::seed())
        {
            panic!("{}: {difference}", case.what);
        }
    }
    assert!(with_shuffles > cases.len() / 4, "{with_shuffles} of {} reductions have shuffles", cases.len());
}

/// The case with the form of its kernel.
fn of_form(case: &Case, kernel: Kernel) -> Case {
    let arguments = testing::compare::copy(&case.arguments).unwrap();
    Case { what: case.what.clone(), kernel, sizes: case.sizes.clone(), arguments }
}

/// NVRTC takes every shuffle of every type, and each is one instruction for every 32 bits.
#[test]
fn nvrtc_compiles_every_shuffle() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    for job in super::check::emit(&cases()) {
        let compiled = nvrtc::compile(&nvrtc, &[&job.code], "compute_80").unwrap_or_else(|error| panic!("{error}"));
        let text = String::from_utf8_lossy(&compiled.code);
        if job.code.source.contains("__ballot_sync(") {
            assert_eq!(text.matches("vote.sync.ballot").count(), 2, "{}\n{text}", job.code.source);
            continue;
        }
        let words = if is_wide(&job.code.source) { 2 } else { 1 };
        assert_eq!(text.matches("shfl.sync").count(), words, "{}\n{text}", job.code.source);
    }
}

/// Whether elements of 64 bits are passed.
fn is_wide(source: &str) -> bool {
    ["const double other", "const long long other", "const unsigned long long other"]
        .iter()
        .any(|declaration| source.contains(declaration))
}
