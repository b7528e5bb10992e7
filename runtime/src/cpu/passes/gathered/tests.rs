//! Tests of which tensors get arrays of each core, and of what is in them in the end.

use dims::Sym;
use kernel::typed::{Atomic, BinaryOp, Constant, Expr, ThreadScope};
use testing::build::*;

use super::*;
use crate::cpu::Cpu;
use crate::execute::{Argument, Control};
use crate::tensors::{Initial, Tensor};

const BLOCKS: i64 = 64;
const BINS: i64 = 4;

/// Blocks of one thread that each change the element `block % 4` of a tensor by each operation.
fn counting(operations: &[(AtomicOperation, i64)], is_used: bool, is_read: bool) -> Kernel {
    let mut builder = KernelBuilder::new("counting", Sym::constant(BLOCKS), Sym::one());
    let bins = builder.tensor("bins", ElementType::U32, &[Sym::constant(BINS)], true);
    let other = builder.tensor("other", ElementType::U32, &[Sym::constant(BLOCKS)], true);
    let before = is_used.then(|| builder.constant("before", ElementType::U32));
    let map = identity(&Sym::constant(BINS));
    let place = || binary(BinaryOp::FloorRemainder, block_id(), int(BINS));
    let number = |value| constant(Constant::Int(value), ElementType::U32);
    let mut body = Vec::new();
    for (operation, operand) in operations {
        body.push(statement(StatementKind::Atomic(Box::new(Atomic {
            operation: *operation,
            access: builder.access(bins, &map, vec![place()], Masking::None),
            operands: vec![number(*operand)],
            result: before,
            order: MemoryOrder::Relaxed,
            scope: ThreadScope::Device,
        }))));
    }
    let own = builder.access(other, &identity(&Sym::constant(BLOCKS)), vec![block_id()], Masking::None);
    let value: Expr = match is_read {
        true => {
            let access = builder.access(bins, &map, vec![int(0)], Masking::None);
            builder.load(access)
        }
        false => number(1),
    };
    body.push(store(own, value));
    builder.finish(body)
}

/// How many tensors get arrays.
fn arrays(kernel: &Kernel, bounds: BoundsChecks) -> usize {
    let sizes = BTreeMap::new();
    let sized = SizedKernel::new(kernel, &sizes, bounds).unwrap();
    gathered(Cow::Borrowed(kernel), sized).1.len()
}

#[test]
fn only_what_nobody_reads_is_counted_apart() {
    let add = [(AtomicOperation::Add, 3)];
    assert_eq!(arrays(&counting(&add, false, false), BoundsChecks::Proven), 1);
    assert_eq!(arrays(&counting(&add, false, false), BoundsChecks::Guarded), 0);
    assert_eq!(arrays(&counting(&add, true, false), BoundsChecks::Proven), 0);
    assert_eq!(arrays(&counting(&add, false, true), BoundsChecks::Proven), 0);
    // A sum of sums is not what two operations in turn give.
    let two = [(AtomicOperation::Add, 3), (AtomicOperation::Xor, 1)];
    assert_eq!(arrays(&counting(&two, false, false), BoundsChecks::Proven), 0);
    assert_eq!(arrays(&counting(&[(AtomicOperation::And, 3)], false, false), BoundsChecks::Proven), 0);
}

#[test]
fn counts_go_on_from_what_the_tensor_holds() {
    for (operation, expected) in
        [(AtomicOperation::Add, 1 + 5 * 16), (AtomicOperation::Or, 5), (AtomicOperation::Xor, 1)]
    {
        let kernel = counting(&[(operation, 5)], false, false);
        assert_eq!(arrays(&kernel, BoundsChecks::Proven), 1);
        let tensor = |length| Tensor::initial(ElementType::U32, &[length], Initial::Ones).unwrap();
        let mut arguments = [tensor(BINS as u64), tensor(BLOCKS as u64)].map(Argument::Tensor);
        let sizes = BTreeMap::new();
        let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Proven).unwrap();
        sized.run(&Cpu::DEFAULT, &mut arguments, &Control::default()).unwrap();
        let Argument::Tensor(bins) = &arguments[0] else { panic!("the bins are a tensor") };
        assert_eq!(bins.as_slice::<u32>().unwrap(), [expected; BINS as usize]);
    }
}
