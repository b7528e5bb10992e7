//! Kernels whose threads wait for each other, on the reference interpreter.

use std::collections::BTreeMap;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, Kernel, Statement, StatementKind};
use shapewright_runtime::execute::{Argument, BoundsChecks, Control, ExecuteError, SizedKernel};
use shapewright_runtime::interpreter::Interpreter;
use shapewright_runtime::tensors::Tensor;
use syntax::span::Span;
use testing::build::*;
use testing::collectives::samples;

fn interpret(kernel: &Kernel, arguments: &mut [Argument]) -> Result<(), ExecuteError> {
    let sizes = BTreeMap::new();
    let sized = SizedKernel::new(kernel, &sizes, BoundsChecks::Proven)?;
    sized.run(&Interpreter, arguments, &Control::default()).map(|_| ())
}

#[test]
fn samples_compute_what_they_say() {
    for mut sample in samples() {
        let name = sample.kernel.name.clone();
        interpret(&sample.kernel, &mut sample.arguments).unwrap_or_else(|error| panic!("{error}"));
        let Some(Argument::Tensor(y)) = sample.arguments.last() else { panic!("{name} has no result") };
        let found: Vec<f64> = (0..y.storage_len()).map(|at| y.get_at(at).unwrap().to_f64()).collect();
        assert_eq!(found, sample.expected, "{name}");
    }
}

/// A kernel of 64 threads that does only this.
fn only(threads: i64, body: Vec<Statement>) -> Kernel {
    KernelBuilder::new("k", Sym::constant(4), Sym::constant(threads)).finish(body)
}

fn refusal(kernel: &Kernel) -> String {
    interpret(kernel, &mut []).unwrap_err().to_string()
}

fn is_below(threads: i64) -> Expr {
    compare(BinaryOp::Less, thread_id(), int(threads))
}

#[test]
fn whoever_waits_for_nobody_is_named() {
    let mut kernel = only(64, vec![if_else(is_below(40), vec![block_barrier()], vec![])]);
    if let StatementKind::If { then, .. } = &mut kernel.body[0].kind
        && let StatementKind::Barrier(barrier) = &mut then[0].kind
    {
        (barrier.before, barrier.after) = (Span::new(3, 7), Span::new(20, 22));
    }
    assert_eq!(
        refusal(&kernel),
        "kernel k: in block 0, all threads of the block wait for each other between the accesses at the tokens 3..7 \
         and 20..22 of the kernel, but threads 0 to 39 came, threads 40 to 63 did not; please report this as a \
         mistake of the compiler"
    );
    let said = |statement: Statement| {
        let text = refusal(&only(64, vec![statement]));
        let (_, rest) = text.split_once("in block 0, ").unwrap();
        let (waiting, rest) = rest.split_once(" wait for each other ").unwrap();
        let (found, _) = rest.split_once("kernel, but ").unwrap().1.split_once("; please").unwrap();
        format!("{waiting}: {found}")
    };
    // The two halves of the warp loop differently often, but the whole warp is to wait.
    let mut builder = KernelBuilder::new("k", Sym::one(), Sym::constant(64));
    let i = builder.local("i", ElementType::I64);
    let half = binary(BinaryOp::FloorDivide, thread_id(), int(16));
    let body = vec![for_loop(i, int(0), half, vec![warp_barrier(u32::MAX, int(0))])];
    let text = refusal(&builder.finish(body));
    assert!(text.contains("the lanes 0xffffffff of warp 0 wait"), "{text}");
    assert!(text.contains("but threads 16 to 31 came, threads 0 to 15 did not;"), "{text}");
    assert_eq!(
        said(warp_barrier(0xffff, int(8))),
        "the lanes 0xffff00 of warp 0: threads 8 to 23 came, no thread did not; threads 0 to 7 and 24 to 31 came too, \
         but not to wait"
    );
    assert_eq!(
        said(if_else(is_below(33), vec![warps_barrier(int(3), 64)], vec![])),
        "64 threads, in whole warps, at barrier 3,: threads 0 to 32 came, and no others"
    );
    assert_eq!(
        said(warps_barrier(thread_id(), 64)),
        "64 threads, in whole warps, at barrier 0,: barriers are numbered from 1 to 15"
    );
    assert_eq!(
        said(warp_barrier(0xffff, binary(BinaryOp::FloorRemainder, thread_id(), int(32)))),
        "the lanes 0xffff of warp 0: thread 0 came, threads 1 to 15 did not"
    );
}

#[test]
fn malformed_barriers_arrays_and_clusters_are_refused() {
    let problem = |kernel: &Kernel| {
        let error = interpret(kernel, &mut []).unwrap_err();
        let ExecuteError::Malformed { problem, .. } = error else { panic!("{error}") };
        problem
    };
    let of = |statement| problem(&only(64, vec![statement]));
    assert_eq!(
        of(warp_barrier(0b10, int(0))),
        "a barrier waits for the lanes 0x2, which are not counted from the first"
    );
    assert_eq!(of(warp_barrier(0xffff, int(17))), "the first lane of a barrier is 17, expected 0 to 16");
    assert_eq!(of(warps_barrier(int(16), 64)), "the number of a barrier is 16, expected 1 to 15");
    assert_eq!(
        of(warps_barrier(int(1), 48)),
        "48 threads wait for each other, which are not the threads of whole warps"
    );
    let mut kernel = only(64, Vec::new());
    kernel.launch.cluster = 0;
    assert_eq!(problem(&kernel), "its clusters have 0 blocks");
    let shared = |element, length| {
        let mut builder = KernelBuilder::new("k", Sym::one(), Sym::one());
        builder.shared("a", element, length);
        problem(&builder.finish(Vec::new()))
    };
    assert_eq!(shared(ElementType::F32, 0), "the shared array a has 0 elements");
    let many = "its shared arrays take 232456 bytes, and a block has at most 232448";
    assert_eq!(shared(ElementType::F64, 227 * 128 + 1), many);
    assert_eq!(shared(ElementType::F64, i64::MAX), "64 bits do not count the bytes of its shared arrays");
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let mut kernel = only(64, Vec::new());
    kernel.launch.cluster = 3;
    assert_eq!(
        refusal(&kernel),
        "kernel k would run 4 blocks in clusters of 3, but 4 is not a multiple of 3: launch full clusters"
    );
    assert_eq!(
        refusal(&only(1025, vec![block_barrier()])),
        "the threads of a block of kernel k wait for each other, so it can have at most 1024 of them, and 1025 are \
         asked for: write a smaller `block(…)`"
    );
    assert!(interpret(&only(1025, Vec::new()), &mut []).is_ok());
    assert!(interpret(&only(0, vec![block_barrier()]), &mut []).is_ok());
}

/// An element of a shared array that is never written is zero in every block, whatever earlier blocks wrote there.
#[test]
fn shared_arrays_start_as_zeros() {
    let n = Sym::constant(4 * 32);
    let mut builder = KernelBuilder::new("zeros", Sym::constant(4), Sym::constant(32));
    let y = builder.tensor("y", ElementType::I32, std::slice::from_ref(&n), true);
    let array = builder.shared("array", ElementType::I32, 32);
    let before = builder.shared_access(array, thread_id());
    let before = builder.load(before);
    let target = builder.access(y, &identity(&n), vec![builder.linear_id()], Masking::None);
    let mark = builder.shared_access(array, thread_id());
    let one = constant(Constant::Int(1), ElementType::I32);
    let kernel = builder.finish(vec![store(target, add(before, one.clone())), store(mark, one)]);
    let mut arguments = [Argument::Tensor(Tensor::zeros(ElementType::I32, &[128]).unwrap())];
    interpret(&kernel, &mut arguments).unwrap();
    let Argument::Tensor(y) = &arguments[0] else { panic!("a tensor") };
    assert!(y.as_slice::<i32>().unwrap().iter().all(|value| *value == 1));
}

#[test]
fn an_index_beyond_a_shared_array_is_refused() {
    let mut builder = KernelBuilder::new("k", Sym::one(), Sym::constant(8));
    let array = builder.shared("tile", ElementType::F32, 7);
    let access = builder.shared_access_by(array, &identity(&Sym::constant(100)), vec![thread_id()]);
    let kernel = builder.finish(vec![store(access, float(1.0))]);
    assert_eq!(refusal(&kernel), "kernel k: thread 7 of block 0 writes element 7 of tile, which has 7 elements");
}
