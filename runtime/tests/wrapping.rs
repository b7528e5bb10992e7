//! Which arithmetic is taken not to wrap: random integers at the edges of their types, of sizes up to the greatest.
//!
//! What an accepted launch computes, in wrapping arithmetic as the interpreter has it, lies where the checks and the loops take it
//! to lie.

use std::collections::BTreeMap;

use dims::{CompareOp, Fact, Interval, Sym, Symbol};
use elements::ElementType;
use kernel::at_launch;
use kernel::loops::{StepKind, lower};
use kernel::raise::Raiser;
use kernel::typed::{BinaryOp, Expr, Kernel, Local, MathFunction, ParamId, Statement, StatementKind, UnaryOp};
use seeds::Draw;
use shapewright_runtime::execute::{Argument, BoundsChecks};
use shapewright_runtime::tensors::{Scalar, Tensor};
use testing::build::{
    KernelBuilder, Masking, assign, binary, block_id, cast, compare, identity, int, math, select, size, store, symbol,
    thread_id, unary,
};
use testing::compare::{interpreted, interpreter_and_cpu};

const BLOCKS: i64 = 2;
/// Enough for a vector of any machine.
const THREADS: i64 = 16;

/// Around these, a number leaves a type, or may have been multiplied until it does.
const EDGES: [i64; 14] =
    [0, 1, 2, 3, -1, -7, 31, 1 << 31, (1 << 31) - 1, 1 << 40, 1 << 52, 1 << 62, i64::MAX, i64::MIN];

const SIZES: [i64; 7] = [1, 3, 1 << 10, 1 << 31, 1 << 40, (1 << 61) + 1, (1 << 62) - 1];

/// A kernel under construction, with what its expressions may read.
struct Program {
    draw: Draw,
    builder: KernelBuilder,
    sizes: [Sym; 3],
    wide: ParamId,
    narrow: ParamId,
    locals: Vec<Local>,
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut builder = KernelBuilder::new("edges", Sym::constant(BLOCKS), Sym::constant(THREADS));
        let symbols = ["M", "N"].map(symbol);
        builder.kernel.symbols = symbols.to_vec();
        for symbol in &symbols {
            let fact = Fact::compare(Sym::symbol(symbol.clone()), CompareOp::Ge, Sym::one());
            builder.kernel.facts.assume(fact).unwrap();
        }
        let [first, second] = symbols.map(Sym::symbol);
        let sum = first.checked_add(&Sym::one()).unwrap();
        let (wide, narrow) = (builder.scalar("wide", ElementType::I64), builder.scalar("narrow", ElementType::I32));
        let sizes = [first, second, sum];
        Program { draw: Draw::new(seed), builder, sizes, wide, narrow, locals: Vec::new() }
    }

    fn leaf(&mut self) -> Expr {
        match self.draw.below(8) {
            0 => int(self.draw.pick(&EDGES)),
            1 => int(self.draw.between(1, 40)),
            2 => block_id(),
            3 => thread_id(),
            4 if !self.locals.is_empty() => {
                let local = self.draw.pick(&self.locals);
                self.builder.read(local)
            }
            5 => match self.draw.chance(50) {
                true => self.builder.read_scalar(self.wide),
                false => cast(ElementType::I64, self.builder.read_scalar(self.narrow)),
            },
            _ => size(&self.draw.pick(&self.sizes)),
        }
    }

    fn expr(&mut self, depth: u32) -> Expr {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Divide, FloorDivide, FloorRemainder, Less, Multiply, Remainder};
        use BinaryOp::{ShiftLeft, ShiftRight, Subtract};
        if depth == 0 || self.draw.chance(15) {
            return self.leaf();
        }
        match self.draw.below(16) {
            0 => unary(UnaryOp::Negate, self.expr(depth - 1)),
            1 => math(MathFunction::Abs, ElementType::I64, vec![self.expr(depth - 1)]),
            2 => {
                let function = self.draw.pick(&[MathFunction::Min, MathFunction::Max]);
                math(function, ElementType::I64, vec![self.expr(depth - 1), self.expr(depth - 1)])
            }
            3 => {
                let condition = compare(Less, self.expr(depth - 1), self.leaf());
                select(condition, self.expr(depth - 1), self.expr(depth - 1))
            }
            4 => {
                let narrow = self.draw.pick(&[ElementType::I32, ElementType::I8, ElementType::U32, ElementType::U64]);
                cast(ElementType::I64, cast(narrow, self.expr(depth - 1)))
            }
            // The divisor is known to be positive.
            5 | 6 => {
                let op = self.draw.pick(&[FloorDivide, FloorRemainder]);
                let by = if self.draw.chance(50) { size(&self.draw.pick(&self.sizes)) } else { int(7) };
                binary(op, self.expr(depth - 1), by)
            }
            // The launch bounds the distance of a shift by intervals alone, whereas forms can say more of it.
            7 => {
                let constant = int(self.draw.between(0, 63));
                let by = self.draw.pick(&[constant, thread_id(), block_id()]);
                let op = self.draw.pick(&[ShiftLeft, ShiftRight]);
                binary(op, self.expr(depth - 1), by)
            }
            _ => {
                let op = match self.draw.chance(60) {
                    true => self.draw.pick(&[Add, Subtract, Multiply]),
                    false => self.draw.pick(&[Divide, Remainder, BitAnd, BitOr, BitXor]),
                };
                binary(op, self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }

    /// The kernel, which stores one number of each thread.
    fn finish(mut self) -> (Kernel, Draw) {
        let mut body = Vec::new();
        for number in 0..self.draw.below(5) {
            let value = self.expr(3);
            let mutable = self.locals.iter().copied().filter(|local| self.builder.kernel.locals[*local].mutable);
            let mutable: Vec<Local> = mutable.collect();
            let local = match self.draw.below(3) {
                0 if !mutable.is_empty() => self.draw.pick(&mutable),
                1 => self.builder.local(&format!("v{number}"), ElementType::I64),
                _ => self.builder.constant(&format!("c{number}"), ElementType::I64),
            };
            body.push(assign(local, value));
            self.locals.push(local);
        }
        let value = self.expr(4);
        let length = Sym::constant(BLOCKS * THREADS);
        let y = self.builder.tensor("y", ElementType::I64, std::slice::from_ref(&length), true);
        let place = vec![self.builder.linear_id()];
        let access = self.builder.access(y, &identity(&length), place, Masking::None);
        body.push(store(access, value));
        (self.builder.finish(body), self.draw)
    }
}

/// What the checks and the loops say of the number that is stored last.
fn promised(kernel: &Kernel) -> [Interval; 2] {
    let mut raiser = Raiser::new(kernel.launch.clone());
    raiser.learn(&kernel.facts);
    let mut checked = Interval::EVERYTHING;
    for Statement { kind, .. } in &kernel.body {
        match kind {
            StatementKind::Assign { local, value } if kernel.locals[*local].mutable => raiser.assign(*local, value),
            StatementKind::Assign { local, value } => raiser.declare(*local, value),
            StatementKind::Store { value, .. } => {
                let id = raiser.value(value);
                raiser.form(id);
                checked = raiser.numbers(id);
            }
            other => panic!("no statement of these programs: {other:?}"),
        }
    }
    let loops = lower(kernel, &|| {});
    let stored = loops.body.steps.iter().find_map(|step| match step.kind {
        StepKind::Store { value, .. } => Some(loops.values.range(value)),
        _ => None,
    });
    [checked, stored.unwrap()]
}

/// Sizes, and values of the parameters, with the result still zero.
fn launch(kernel: &Kernel, draw: &mut Draw) -> (BTreeMap<Symbol, i64>, [Argument; 3]) {
    let sizes = kernel.symbols.iter().map(|symbol| (symbol.clone(), draw.pick(&SIZES))).collect();
    let wide = Scalar::I64(draw.pick(&EDGES));
    let narrow = Scalar::I32(draw.pick(&[0, 1, -1, 5, i32::MAX, i32::MIN]));
    let result = Tensor::zeros(ElementType::I64, &[(BLOCKS * THREADS) as u64]).unwrap();
    (sizes, [Argument::Scalar(wide), Argument::Scalar(narrow), Argument::Tensor(result)])
}

#[test]
fn an_accepted_launch_computes_what_was_assumed() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in seeds::range(4000) {
        let (kernel, mut draw) = Program::new(seed).finish();
        let promises = promised(&kernel);
        for _ in 0..3 {
            let (sizes, arguments) = launch(&kernel, &mut draw);
            if at_launch(&kernel, &sizes).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            let told = || {
                let (program, scalars) = (kernel.program_text(), &arguments[..2]);
                format!("seed {seed}, {sizes:?}, {scalars:?}\n{program}")
            };
            let after = interpreted(&kernel, &sizes, &arguments).unwrap_or_else(|error| panic!("{error}: {}", told()));
            let Argument::Tensor(result) = &after[2] else { panic!("a tensor") };
            for value in result.as_slice::<i64>().unwrap() {
                for promise in promises {
                    assert!(Interval::point((*value).into()).lies_in(promise), "{value} in {promise:?}: {}", told());
                }
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

/// Machine code divides and compares what it has taken not to wrap, in vectors, too.
#[test]
fn machine_code_wraps_where_the_interpreter_does() {
    let mut compared = 0;
    for seed in seeds::range(400) {
        let (kernel, mut draw) = Program::new(seed).finish();
        let (sizes, mut arguments) = launch(&kernel, &mut draw);
        if at_launch(&kernel, &sizes).is_err() {
            continue;
        }
        compared += 1;
        let told = format!("seed {seed}, {sizes:?}, {:?}\n{}", &arguments[..2], kernel.program_text());
        interpreter_and_cpu(&kernel, &sizes, &mut arguments, BoundsChecks::Proven)
            .unwrap_or_else(|problem| panic!("{problem}: {told}"));
    }
    assert!(compared > 0);
}
