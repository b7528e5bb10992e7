//! Tests of which loops become calls for a tile of threads.

use dims::Sym;
use elements::ElementType;
use kernel::BoundsChecks;
use kernel::typed::{
    BinaryOp, Each, Expr, Kernel, Local, MathFunction, Origin, Scope, SharedId, Statement, StatementKind, TileAxis,
};
use syntax::span::Span;
use testing::build::*;

use super::*;
use crate::cpu::compile::phased;
use crate::cpu::passes::tiles::for_processor;

const F32: ElementType = ElementType::F32;

/// The regions of a kernel: the tile of those that become calls.
fn regions(kernel: &Kernel) -> Vec<String> {
    let options = Options { bounds: BoundsChecks::Proven, lanes: LaneChoice::WhereItPays };
    let phased = phased(kernel, options);
    let mut found = Vec::new();
    let is_tested = |guard: Option<TileGuard>| if guard.is_some() { ", tested" } else { "" };
    each_region(&phased.body, &mut |region| {
        let mut forms = Forms::new(&phased.program, &region.taken, options);
        let threads = kernel.launch.threads.as_constant().unwrap();
        found.push(match tile_region(&mut forms, region, threads) {
            Some(TileRegion { tile: TileLoop { ranges: [rows, columns], sums, .. }, guard, .. }) => {
                let counts = [rows, columns].map(|range| range.end - range.start);
                format!("{} × {}, sums: {}{}", counts[0], counts[1], sums.len(), is_tested(guard))
            }
            None => "threads".to_owned(),
        });
    });
    found
}

/// A block whose threads are the rows and columns of a tile, with two square arrays of factors.
struct Block {
    builder: KernelBuilder,
    size: i64,
    left: SharedId,
    right: SharedId,
    sum: Local,
    k: Local,
}

impl Block {
    fn new(size: i64) -> Block {
        let mut builder = KernelBuilder::new("product", Sym::one(), Sym::constant(size * size));
        let [left, right] = ["left", "right"].map(|name| builder.shared(name, F32, size * size));
        let (sum, k) = (builder.local("sum", F32), builder.local("k", ElementType::I64));
        Block { builder, size, left, right, sum, k }
    }

    fn row(&self) -> Expr {
        binary(BinaryOp::FloorDivide, thread_id(), int(self.size))
    }

    fn column(&self) -> Expr {
        binary(BinaryOp::FloorRemainder, thread_id(), int(self.size))
    }

    fn k(&self) -> Expr {
        self.builder.read(self.k)
    }

    fn sum(&self) -> Expr {
        self.builder.read(self.sum)
    }

    fn element(&self, array: SharedId, row: Expr, column: Expr) -> Expr {
        self.builder.read_shared(array, add(multiply(row, int(self.size)), column))
    }

    /// The factors of the product of two matrices.
    fn factors(&self) -> [Expr; 2] {
        [self.element(self.left, self.row(), self.k()), self.element(self.right, self.k(), self.column())]
    }

    /// The loop in which each iteration does this.
    fn repeated(&self, body: Vec<Statement>) -> Statement {
        for_loop(self.k, int(0), int(self.size), body)
    }

    /// The loop in which the sum becomes this.
    fn counted(&self, next: Expr) -> Statement {
        self.repeated(vec![assign(self.sum, next)])
    }

    /// The kernel that does this, and stores the sum.
    fn kernel(mut self, body: Vec<Statement>) -> Kernel {
        let length = Sym::constant(self.size * self.size);
        let output = self.builder.tensor("y", F32, std::slice::from_ref(&length), true);
        let to = self.builder.access(output, &identity(&length), vec![thread_id()], Masking::None);
        let stored = store(to, self.sum());
        let mut all = vec![assign(self.sum, float(0.0))];
        all.extend(body);
        all.push(stored);
        self.builder.finish(all)
    }
}

fn float(value: f64) -> Expr {
    cast(F32, testing::build::float(value))
}

#[test]
fn a_product_of_tiles_is_a_call() {
    for size in [16, 32] {
        let block = Block::new(size);
        let [left, right] = block.factors();
        let body = vec![block.counted(add(block.sum(), multiply(left, right)))];
        assert_eq!(regions(&block.kernel(body)), [format!("{size} × {size}, sums: 1"), "threads".to_owned()]);
    }
}

#[test]
fn a_sum_is_found_however_it_is_written() {
    let forms: [fn([Expr; 2], Expr) -> Expr; 4] = [
        |[left, right], sum| add(sum, multiply(right, left)),
        |[left, right], sum| add(multiply(left, right), sum),
        |[left, right], sum| math(MathFunction::Fma, F32, vec![left, right, sum]),
        |[left, right], sum| math(MathFunction::Fma, F32, vec![right, left, sum]),
    ];
    for form in forms {
        let block = Block::new(16);
        let body = vec![block.counted(form(block.factors(), block.sum()))];
        assert_eq!(regions(&block.kernel(body)), ["16 × 16, sums: 1", "threads"]);
    }
}

/// Each factor may lie in memory in rows or in columns.
#[test]
fn a_transposed_tile_is_a_tile() {
    let block = Block::new(16);
    let left = block.element(block.left, block.k(), block.row());
    let right = block.element(block.right, block.column(), block.k());
    let body = vec![block.counted(add(block.sum(), multiply(left, right)))];
    assert_eq!(regions(&block.kernel(body)), ["16 × 16, sums: 1", "threads"]);
}

#[test]
fn two_sums_of_a_loop_are_two_calls() {
    let mut block = Block::new(16);
    let other = block.builder.local("other", F32);
    let [left, right] = block.factors();
    let product = multiply(left, right);
    let squares = multiply(block.element(block.right, block.row(), block.k()), block.factors()[1].clone());
    let body = vec![
        assign(other, float(1.0)),
        block.repeated(vec![
            assign(block.sum, add(block.sum(), product)),
            assign(other, add(block.builder.read(other), squares)),
        ]),
        assign(block.sum, add(block.sum(), block.builder.read(other))),
    ];
    assert_eq!(regions(&block.kernel(body)), ["16 × 16, sums: 2", "threads"]);
}

/// A row of threads adds up columns. Narrow rows are vectors of threads, and so are several sums of the same elements.
#[test]
fn a_wide_row_of_threads_is_a_tile() {
    for (threads, sums, expected) in
        [(256, 1, vec!["1 × 256, sums: 1", "threads"]), (64, 1, vec!["threads"]), (256, 2, vec!["threads"])]
    {
        let mut builder = KernelBuilder::new("columns", Sym::constant(3), Sym::constant(threads));
        let x = builder.tensor("x", F32, &[Sym::constant(12 * threads)], false);
        let k = builder.local("k", ElementType::I64);
        let row = add(multiply(block_id(), int(4)), builder.read(k));
        let place = add(multiply(row, int(threads)), thread_id());
        let from = builder.access(x, &identity(&Sym::constant(12 * threads)), vec![place], Masking::None);
        let (mut begins, mut steps, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..sums {
            let length = Sym::constant(3 * threads);
            let y = builder.tensor(&format!("y{number}"), F32, std::slice::from_ref(&length), true);
            let sum = builder.local(&format!("sum{number}"), F32);
            let to = builder.access(y, &identity(&length), vec![builder.linear_id()], Masking::None);
            begins.push(assign(sum, float(0.0)));
            steps.push(assign(sum, add(builder.read(sum), builder.load(from.clone()))));
            stores.push(store(to, builder.read(sum)));
        }
        begins.push(for_loop(k, int(0), int(4), steps));
        begins.extend(stores);
        assert_eq!(regions(&builder.finish(begins)), expected);
    }
}

/// A loop that all threads run alike is placed around the calls.
#[test]
fn a_loop_within_a_uniform_loop_is_a_call() {
    let mut block = Block::new(16);
    let i = block.builder.local("i", ElementType::I64);
    let [left, right] = block.factors();
    let product = block.counted(add(block.sum(), multiply(left, right)));
    let scaled = assign(block.sum, multiply(block.sum(), float(0.5)));
    let body = vec![for_loop(i, int(0), int(3), vec![product, scaled])];
    assert_eq!(regions(&block.kernel(body)), ["threads", "16 × 16, sums: 1", "threads", "threads"]);
}

/// At the edge of a matrix, some threads of a block have nothing to do. Whether all have is tested in each block.
#[test]
fn a_condition_around_the_loop_is_tested_for_all_threads() {
    let block = Block::new(16);
    let [left, right] = block.factors();
    let row = add(multiply(block_id(), int(16)), block.row());
    let inside = compare(
        BinaryOp::And,
        compare(BinaryOp::Less, row, int(40)),
        compare(BinaryOp::GreaterEqual, int(30), block.column()),
    );
    let product = block.counted(add(block.sum(), multiply(left, right)));
    let kernel = block.kernel(vec![if_else(inside, vec![product], Vec::new())]);
    assert!(regions(&kernel).contains(&"16 × 16, sums: 1, tested".to_owned()), "{:?}", regions(&kernel));
}

/// What else an iteration does needs the threads one by one, or in lanes.
#[test]
fn a_loop_that_does_more_is_no_call() {
    let bodies: [fn(&Block) -> Vec<Statement>; 5] = [
        // It adds twice.
        |block| vec![assign(block.sum, add(block.sum(), block.factors()[0].clone()))],
        // It stores.
        |block| vec![store(block.builder.element_of(block.left, thread_id()), block.sum())],
        // The sum is a factor.
        |block| vec![assign(block.sum, add(block.sum(), multiply(block.sum(), block.factors()[0].clone())))],
        // Both factors are different in each thread.
        |block| {
            let own = block.builder.read_shared(block.left, thread_id());
            vec![assign(block.sum, add(block.sum(), multiply(own.clone(), own)))]
        },
        // Some threads leave a product out.
        |block| {
            let next = add(block.sum(), multiply(block.factors()[0].clone(), block.factors()[1].clone()));
            let early = compare(BinaryOp::Less, thread_id(), block.k());
            vec![if_else(early, vec![assign(block.sum, next)], Vec::new())]
        },
    ];
    for body in bodies {
        let block = Block::new(16);
        let [left, right] = block.factors();
        let mut all = vec![assign(block.sum, add(block.sum(), multiply(left, right)))];
        all.extend(body(&block));
        let kernel = vec![block.repeated(all)];
        assert_eq!(regions(&block.kernel(kernel)), ["threads"]);
    }
}

/// A call for few sums takes longer than vectors of threads.
#[test]
fn a_small_tile_is_no_call() {
    for size in [4, 8] {
        let block = Block::new(size);
        let [left, right] = block.factors();
        let body = vec![block.counted(add(block.sum(), multiply(left, right)))];
        assert_eq!(regions(&block.kernel(body)), ["threads"]);
    }
}

/// A kernel of 64 threads that adds the product of two tiles of `f16` to one of `f32`, each 16 × 16; and a statement that
/// each thread could do as well.
fn product_of_tiles() -> (Kernel, Statement) {
    let mut builder = KernelBuilder::new("product", Sym::one(), Sym::constant(64));
    let [left, right] = ["left", "right"].map(|name| builder.shared(name, ElementType::F16, 256));
    let acc = builder.shared("acc", F32, 256);
    let [row, column, k] = ["row", "column", "k"].map(|name| builder.local(name, ElementType::I64));
    let sum = builder.local("sum", F32);
    let place = |builder: &KernelBuilder, row, column| add(multiply(builder.read(row), int(16)), builder.read(column));
    let factor = |builder: &KernelBuilder, array, row, column| {
        cast(F32, builder.read_shared(array, place(builder, row, column)))
    };
    let own = place(&builder, row, column);
    let factors = [factor(&builder, left, row, k), factor(&builder, right, k, column)];
    let next = math(MathFunction::Fma, F32, factors.into_iter().chain([builder.read(sum)]).collect());
    let body = vec![
        assign(sum, builder.read_shared(acc, own.clone())),
        for_loop(k, int(0), int(16), vec![assign(sum, next)]),
        store(builder.element_of(acc, own), builder.read(sum)),
    ];
    let of_thread = store(builder.element_of(acc, thread_id()), float(0.0));
    let mut kernel = builder.finish(Vec::new());
    let axes = [row, column].map(|local| TileAxis { local, extent: 16 });
    let origin = Origin { scope: Scope::Block, span: Span::default() };
    let each = Each::new(axes.to_vec(), body, 64, &mut kernel.locals, origin);
    kernel.body = vec![statement(StatementKind::Each(Box::new(each)))];
    (kernel, of_thread)
}

/// However few threads share a tile on a GPU; what is converted for each product there is kept converted.
#[test]
fn a_product_of_tiles_is_one_call() {
    let (kernel, _) = product_of_tiles();
    let tiled = for_processor(&kernel);
    assert_eq!(tiled.launch.threads, Sym::constant(256));
    assert_eq!(tiled.shared.iter().map(|array| array.element).collect::<Vec<_>>(), [F32, F32, F32]);
    assert_eq!(regions(&tiled), ["16 × 16, sums: 1"]);
}

#[test]
fn a_kernel_that_says_what_its_threads_do_keeps_them() {
    let (mut kernel, of_thread) = product_of_tiles();
    kernel.body.push(of_thread);
    assert_eq!(for_processor(&kernel).launch.threads, Sym::constant(64));
    let block = Block::new(16);
    let [left, right] = block.factors();
    let body = vec![block.counted(add(block.sum(), multiply(left, right)))];
    let kernel = block.kernel(body);
    assert_eq!(*for_processor(&kernel), kernel);
}
