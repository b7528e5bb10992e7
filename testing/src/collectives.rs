//! Kernels with shared memory and barriers, each with its expected result.

mod lanes;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, Kernel, Local, ParamId, SharedId, Statement};

use super::build::{
    KernelBuilder, Masking, add, assign, binary, block_barrier, block_id, cast, compare, constant, float, for_loop,
    identity, if_else, int, multiply, store, thread_id, warps_barrier,
};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor, TensorError};

/// A kernel, its arguments, and the expected values of the last one.
#[derive(Debug)]
pub struct Sample {
    /// The kernel.
    pub kernel: Kernel,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// The elements of the last argument after a run, in order.
    pub expected: Vec<f64>,
}

/// All samples.
pub fn samples() -> Vec<Sample> {
    vec![
        transpose(),
        tree(),
        producers_and_consumers(),
        lanes::whole_warps(),
        lanes::half_warps(),
        lanes::quadpairs(),
        cluster_ranks(),
        cleared(ElementType::F16),
        cleared(ElementType::I32),
        much_shared(),
        through_a_tensor(),
        vectors(),
        lanes::broken_warp(),
    ]
}

/// A kernel over `x` and `y`, with the common parts of its accesses.
struct Maker {
    builder: KernelBuilder,
    x: (ParamId, i64),
    y: (ParamId, i64),
}

impl Maker {
    fn new(name: &str, blocks: i64, threads: i64, [x, y]: [i64; 2]) -> Maker {
        Maker::with_element(name, blocks, threads, [x, y], ElementType::F32)
    }

    fn with_element(name: &str, blocks: i64, threads: i64, [read, written]: [i64; 2], element: ElementType) -> Maker {
        let mut builder = KernelBuilder::new(name, Sym::constant(blocks), Sym::constant(threads));
        let x = builder.tensor("x", element, &[Sym::constant(read)], false);
        let y = builder.tensor("y", element, &[Sym::constant(written)], true);
        Maker { builder, x: (x, read), y: (y, written) }
    }

    fn local(&mut self, name: &str) -> Local {
        self.builder.local(name, ElementType::I64)
    }

    fn read_x(&mut self, at: Expr) -> Expr {
        let access = self.builder.access(self.x.0, &identity(&Sym::constant(self.x.1)), vec![at], Masking::None);
        self.builder.load(access)
    }

    fn write_y(&mut self, at: Expr, value: Expr) -> Statement {
        let access = self.builder.access(self.y.0, &identity(&Sym::constant(self.y.1)), vec![at], Masking::None);
        store(access, value)
    }

    fn read(&mut self, array: SharedId, at: Expr) -> Expr {
        let access = self.builder.shared_access(array, at);
        self.builder.load(access)
    }

    fn write(&mut self, array: SharedId, at: Expr, value: Expr) -> Statement {
        let access = self.builder.shared_access(array, at);
        store(access, value)
    }

    /// The sample in which `x` counts from 0 and `y` is initially zero.
    fn finish(self, body: Vec<Statement>, expected: impl Fn(i64) -> i64) -> Sample {
        let element = self.builder.kernel.params[ParamId(0)].element;
        let tensor = |length: i64, value: &dyn Fn(i64) -> i64| -> Result<Argument, TensorError> {
            let mut tensor = Tensor::zeros(element, &[length as u64])?;
            for at in 0..length {
                tensor.set_at(at as usize, Scalar::from_f64(element, value(at) as f64)?)?;
            }
            Ok(Argument::Tensor(tensor))
        };
        let arguments = [tensor(self.x.1, &|at| at), tensor(self.y.1, &|_| 0)];
        let arguments = arguments.into_iter().collect::<Result<_, _>>();
        let expected = (0..self.y.1).map(|at| expected(at) as f64).collect();
        Sample { kernel: self.builder.finish(body), arguments: arguments.expect("small numbers"), expected }
    }
}

fn divide(left: Expr, right: i64) -> Expr {
    binary(BinaryOp::FloorDivide, left, int(right))
}

fn remainder(left: Expr, right: i64) -> Expr {
    binary(BinaryOp::FloorRemainder, left, int(right))
}

fn subtract(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Subtract, left, right)
}

fn times(factor: i64, operand: Expr) -> Expr {
    multiply(int(factor), operand)
}

fn less(left: Expr, right: Expr) -> Expr {
    compare(BinaryOp::Less, left, right)
}

/// `y = xᵀ` of 64 by 96 in tiles of 32 by 32, through a shared tile whose rows are padded by one element.
pub fn transpose() -> Sample {
    let mut maker = Maker::new("transpose", 6, 256, [64 * 96, 96 * 64]);
    let tile = maker.builder.shared("tile", ElementType::F32, 32 * 33);
    let (i, j) = (maker.local("i"), maker.local("i"));
    let row = |maker: &Maker, step| add(times(8, maker.builder.read(step)), divide(thread_id(), 32));
    let column = || remainder(thread_id(), 32);
    let (down, right) = (times(32, divide(block_id(), 3)), times(32, remainder(block_id(), 3)));

    let own = row(&maker, i);
    let element = maker.read_x(add(times(96, add(down.clone(), own.clone())), add(right.clone(), column())));
    let load = maker.write(tile, add(times(33, own), column()), element);
    let own = row(&maker, j);
    let element = maker.read(tile, add(times(33, column()), own.clone()));
    let save = maker.write_y(add(times(64, add(right, own)), add(down, column())), element);
    let body = vec![for_loop(i, int(0), int(4), vec![load]), block_barrier(), for_loop(j, int(0), int(4), vec![save])];
    maker.finish(body, |at| at % 64 * 96 + at / 64)
}

/// The sum of each block's 128 elements, by a tree reduction.
pub fn tree() -> Sample {
    let mut maker = Maker::new("tree", 5, 128, [5 * 128, 5]);
    let sums = maker.builder.shared("sums", ElementType::F32, 128);
    let (step, half) = (maker.local("step"), maker.local("half"));
    let first = maker.read_x(maker.builder.linear_id());
    let other = add(thread_id(), maker.builder.read(half));
    let sum = add(maker.read(sums, thread_id()), maker.read(sums, other));
    let body = vec![
        maker.write(sums, thread_id(), first),
        assign(half, int(64)),
        block_barrier(),
        for_loop(
            step,
            int(0),
            int(7),
            vec![
                if_else(less(thread_id(), maker.builder.read(half)), vec![maker.write(sums, thread_id(), sum)], vec![]),
                block_barrier(),
                assign(half, divide(maker.builder.read(half), 2)),
            ],
        ),
        {
            let total = maker.read(sums, int(0));
            let save = maker.write_y(block_id(), total);
            if_else(compare(BinaryOp::Equal, thread_id(), int(0)), vec![save], vec![])
        },
    ];
    maker.finish(body, |block| (0..128).map(|at| block * 128 + at).sum())
}

/// Two warps produce values that two other warps add up; each pair has a barrier of its own, and all wait once in each
/// round.
pub fn producers_and_consumers() -> Sample {
    let mut maker = Maker::new("producers-and-consumers", 2, 128, [2 * 6 * 64, 2 * 64]);
    let stage = maker.builder.shared("stage", ElementType::F32, 64);
    let made = maker.builder.shared("made", ElementType::F32, 64);
    let taken = maker.builder.shared("taken", ElementType::F32, 64);
    let round = maker.local("round");
    let sum = maker.builder.local("sum", ElementType::F32);
    let is_producer = || less(thread_id(), int(64));
    let own = || subtract(thread_id(), int(64));
    let at = add(times(64, add(times(6, block_id()), maker.builder.read(round))), thread_id());
    let doubled = multiply(maker.read_x(at), float(2.0));
    let turned = maker.read(stage, subtract(int(63), thread_id()));
    let next = maker.read(made, own());
    let neighbour = maker.read(taken, binary(BinaryOp::BitXor, own(), int(1)));
    let body = vec![
        assign(sum, float(0.0)),
        for_loop(
            round,
            int(0),
            int(6),
            vec![
                if_else(
                    is_producer(),
                    vec![
                        maker.write(stage, thread_id(), doubled),
                        warps_barrier(int(1), 64),
                        maker.write(made, thread_id(), turned),
                    ],
                    vec![],
                ),
                block_barrier(),
                if_else(
                    is_producer(),
                    vec![],
                    vec![
                        maker.write(taken, own(), next),
                        warps_barrier(int(2), 64),
                        assign(sum, add(maker.builder.read(sum), neighbour)),
                    ],
                ),
                block_barrier(),
            ],
        ),
        {
            let value = maker.builder.read(sum);
            let save = maker.write_y(add(times(64, block_id()), own()), value);
            if_else(is_producer(), vec![], vec![save])
        },
    ];
    maker.finish(body, |at| {
        let (block, own) = (at / 64, at % 64);
        (0..6).map(|round| 2 * (64 * (6 * block + round) + 63 - (own ^ 1))).sum()
    })
}

/// A block processes the elements of its neighbour in the cluster.
pub fn cluster_ranks() -> Sample {
    let mut maker = Maker::new("cluster-ranks", 6, 32, [6 * 32, 6 * 32]);
    maker.builder.kernel.launch.cluster = 2;
    let row = maker.builder.shared("row", ElementType::F32, 32);
    let rank = remainder(block_id(), 2);
    let neighbour = add(times(2, divide(block_id(), 2)), subtract(int(1), rank));
    let element = maker.read_x(add(times(32, neighbour), thread_id()));
    let turned = maker.read(row, subtract(int(31), thread_id()));
    let body =
        vec![maker.write(row, thread_id(), element), block_barrier(), maker.write_y(maker.builder.linear_id(), turned)];
    maker.finish(body, |at| ((at / 32) ^ 1) * 32 + 31 - at % 32)
}

/// Only every third element is written; the others are zero.
pub fn cleared(element: ElementType) -> Sample {
    let mut maker = Maker::with_element("cleared", 3, 64, [3 * 64, 3 * 64], element);
    let sparse = maker.builder.shared("sparse", element, 100);
    maker.builder.kernel.shared[SharedId(0)].cleared = true;
    let value = maker.read_x(maker.builder.linear_id());
    let other = maker.read(sparse, binary(BinaryOp::BitXor, thread_id(), int(1)));
    let is_third = compare(BinaryOp::Equal, remainder(thread_id(), 3), int(0));
    let body = vec![
        if_else(is_third, vec![maker.write(sparse, thread_id(), value)], vec![]),
        block_barrier(),
        maker.write_y(maker.builder.linear_id(), other),
    ];
    maker.finish(body, |at| if ((at % 64) ^ 1) % 3 == 0 { at ^ 1 } else { 0 })
}

/// More shared memory than is available by default, with types of different alignment.
pub fn much_shared() -> Sample {
    let mut maker = Maker::new("much-shared", 2, 128, [2 * 128, 2 * 128]);
    let bytes = maker.builder.shared("bytes", ElementType::U8, 4001);
    let doubles = maker.builder.shared("doubles", ElementType::F64, 129);
    let floats = maker.builder.shared("floats", ElementType::F32, 12_000);
    let x = |maker: &mut Maker| maker.read_x(maker.builder.linear_id());
    let mirrored = || subtract(int(127), thread_id());
    let (first, second, third) = (x(&mut maker), x(&mut maker), x(&mut maker));
    let body = vec![
        maker.write(bytes, add(int(3873), thread_id()), cast(ElementType::U8, first)),
        maker.write(doubles, thread_id(), cast(ElementType::F64, second)),
        maker.write(floats, times(93, thread_id()), third),
        block_barrier(),
        {
            let byte = cast(ElementType::F32, maker.read(bytes, add(int(3873), mirrored())));
            let double = cast(ElementType::F32, maker.read(doubles, mirrored()));
            let single = maker.read(floats, times(93, mirrored()));
            maker.write_y(maker.builder.linear_id(), add(add(byte, double), single))
        },
    ];
    maker.finish(body, |at| 3 * (at / 128 * 128 + 127 - at % 128))
}

/// Threads exchange elements through a tensor.
pub fn through_a_tensor() -> Sample {
    let mut maker = Maker::new("through-a-tensor", 2, 64, [2 * 64, 2 * 64]);
    let (array, length) = maker.y;
    let round = maker.local("round");
    let value = maker.builder.local("value", ElementType::F32);
    let start = maker.read_x(maker.builder.linear_id());
    let partner = binary(BinaryOp::BitXor, maker.builder.linear_id(), int(33));
    let access = maker.builder.access(array, &identity(&Sym::constant(length)), vec![partner], Masking::None);
    let other = maker.builder.load(access);
    let current = maker.builder.read(value);
    let body = vec![
        assign(value, start),
        for_loop(
            round,
            int(0),
            int(3),
            vec![
                maker.write_y(maker.builder.linear_id(), current),
                block_barrier(),
                assign(value, multiply(other, float(2.0))),
                block_barrier(),
            ],
        ),
        {
            let last = maker.builder.read(value);
            maker.write_y(maker.builder.linear_id(), last)
        },
    ];
    maker.finish(body, |at| 8 * (at ^ 33))
}

/// Vectors of four elements are copied to shared memory and back.
pub fn vectors() -> Sample {
    let mut maker = Maker::new("vectors", 2, 64, [2 * 256, 2 * 256]);
    let odd = maker.builder.shared("odd", ElementType::U8, 1);
    let tile = maker.builder.shared("tile", ElementType::F32, 256);
    let (i, j) = (maker.local("i"), maker.local("j"));
    let (to, from) = (maker.builder.read(i), maker.builder.read(j));
    let own = |at: Expr| add(times(4, linear_id_of_64()), at);
    let element = maker.read_x(own(to.clone()));
    let mirrored = maker.read(tile, add(times(4, subtract(int(63), thread_id())), from.clone()));
    let flag = maker.read(odd, int(0));
    let flag = compare(BinaryOp::Equal, flag, constant(Constant::Int(7), ElementType::U8));
    let body = vec![
        {
            let mark = maker.write(odd, int(0), constant(Constant::Int(7), ElementType::U8));
            if_else(compare(BinaryOp::Equal, thread_id(), int(5)), vec![mark], vec![])
        },
        for_loop(i, int(0), int(4), vec![maker.write(tile, add(times(4, thread_id()), to), element)]),
        block_barrier(),
        if_else(flag, vec![for_loop(j, int(0), int(4), vec![maker.write_y(own(from), mirrored)])], vec![]),
    ];
    maker.finish(body, |at| at / 256 * 256 + 4 * (63 - at % 256 / 4) + at % 4)
}

/// The linear id of the thread in a launch with 64 threads in a block.
fn linear_id_of_64() -> Expr {
    add(times(64, block_id()), thread_id())
}
