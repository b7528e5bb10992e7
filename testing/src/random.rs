//! Random kernels that are well typed, in bounds or masked, free of races, and terminate.
//!
//! A seed gives the same kernel and arguments on every machine.

use std::collections::BTreeMap;
use std::sync::Arc;

use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Kernel, Local, ParamId, Statement};
use maps::IndexMap;

use super::build::{
    KernelBuilder, add, assign, binary, block_id, compare, for_loop, identity, if_else, int, reshape, size, store,
    symbol, thread_id,
};
use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Scalar, Tensor, Wide, random_value};

mod expressions;

/// A kernel with its sizes and arguments.
#[derive(Debug)]
pub struct Case {
    /// The kernel.
    pub kernel: Kernel,
    /// The values of its symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// One argument per parameter.
    pub arguments: Vec<Argument>,
}

/// The case for a seed; `None` for the few seeds whose sizes overflow the compiler's arithmetic.
pub fn case(seed: u64) -> Option<Case> {
    Generator::new(seed).case()
}

/// A tensor that every thread reads.
struct Input {
    param: ParamId,
    element: ElementType,
    length: Sym,
    map: Arc<IndexMap>,
}

/// A tensor whose elements belong to one thread each.
struct Output {
    param: ParamId,
    element: ElementType,
    map: Arc<IndexMap>,
    /// The sizes of the local dimensions.
    local: Vec<i64>,
    /// Whether every thread of the launch has elements, and the tensor is exactly as large as the dimensions.
    covers: bool,
}

struct Generator {
    draw: Draw,
    facts: Facts,
    sizes: BTreeMap<Symbol, i64>,
    arguments: Vec<Argument>,
    builder: KernelBuilder,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    scalars: Vec<(ParamId, ElementType)>,
    variables: Vec<(Local, ElementType)>,
    iterators: Vec<Local>,
    /// The number of statements that may still be added.
    budget: u64,
    /// The element type of most expressions.
    theme: ElementType,
}

const NUMBERS: [ElementType; 14] = [
    ElementType::F32,
    ElementType::I64,
    ElementType::I32,
    ElementType::F64,
    ElementType::F16,
    ElementType::Bf16,
    ElementType::E4m3,
    ElementType::E5m2,
    ElementType::U8,
    ElementType::I8,
    ElementType::I16,
    ElementType::U16,
    ElementType::U32,
    ElementType::U64,
];

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            draw: Draw::new(seed),
            facts: Facts::empty(),
            sizes: BTreeMap::new(),
            arguments: Vec::new(),
            builder: KernelBuilder::new("random", Sym::one(), Sym::one()),
            inputs: Vec::new(),
            outputs: Vec::new(),
            scalars: Vec::new(),
            variables: Vec::new(),
            iterators: Vec::new(),
            budget: 12,
            theme: ElementType::F32,
        }
    }

    fn below(&mut self, count: u64) -> u64 {
        self.draw.below(count)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.draw.chance(percent)
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        self.draw.pick(values)
    }

    /// A size of this value: a constant, or a new symbol.
    fn sized(&mut self, name: &str, value: i64) -> Sym {
        if self.chance(50) {
            return Sym::constant(value);
        }
        let symbol = symbol(name);
        self.sizes.insert(symbol.clone(), value);
        Sym::symbol(symbol)
    }

    fn value_of(&self, size: &Sym) -> i64 {
        size.evaluate(&|symbol| self.sizes.get(symbol).copied()).unwrap_or(1)
    }

    /// Mostly the theme.
    fn element(&mut self) -> ElementType {
        match self.below(10) {
            0..=5 => self.theme,
            6 => ElementType::F32,
            7 => ElementType::I64,
            _ => self.pick(&NUMBERS),
        }
    }

    fn case(mut self) -> Option<Case> {
        self.theme = self.pick(&NUMBERS);
        // With few threads, their own loops are vectorised.
        let most = if self.chance(35) { 3 } else { 40 };
        let (blocks, threads) = (1 + self.below(4) as i64, 1 + self.below(most) as i64);
        let (blocks, threads) = (self.sized("B", blocks), self.sized("T", threads));
        self.builder = KernelBuilder::new("random", blocks, threads);
        for position in 0..1 + self.below(3) {
            self.add_input(position)?;
        }
        for position in 0..1 + self.below(2) {
            self.add_output(position)?;
        }
        for position in 0..self.below(3) {
            let element = self.element();
            let id = self.builder.scalar(&format!("a{position}"), element);
            let value = random_value(element, self.draw.seed(), 1000 + position);
            self.arguments.push(Argument::Scalar(value));
            self.scalars.push((id, element));
        }
        // Variables that are read before they are assigned: 0, or the value of the previous iteration.
        for position in 0..self.below(3) {
            let element = self.element();
            let local = self.builder.local(&format!("c{position}"), element);
            self.variables.push((local, element));
        }
        // A single loop may be interchanged with the loop over threads.
        let body = if self.chance(30) { vec![self.for_statement(0)] } else { self.statements(0) };
        let used = |size: &Symbol| self.builder.kernel.symbols.contains(size);
        let sizes = self.sizes.iter().filter(|(symbol, _)| used(symbol)).map(|(s, v)| (s.clone(), *v)).collect();
        Some(Case { kernel: self.builder.finish(body), sizes, arguments: self.arguments })
    }

    fn add_input(&mut self, position: u64) -> Option<()> {
        let element = if self.chance(10) { ElementType::Bool } else { self.element() };
        let length = 1 + self.below(300) as i64;
        let length = self.sized(&format!("L{position}"), length);
        let name = format!("x{position}");
        let param = self.builder.tensor(&name, element, std::slice::from_ref(&length), false);
        let count = self.value_of(&length) as u64;
        let mut tensor = Tensor::zeros(element, &[count]).ok()?;
        for place in 0..count {
            let value = random_value(element, self.draw.seed() ^ (position + 1), place);
            let special = [f64::NAN, f64::INFINITY, -0.0, 1e-40, 70000.0];
            let value = if element.is_float() && self.chance(4) {
                let special = self.pick(&special);
                Scalar::narrow(element, Wide::Float(special))
            } else {
                value
            };
            tensor.set_at(place as usize, value).ok()?;
        }
        self.arguments.push(Argument::Tensor(tensor));
        let map = identity(&length);
        self.inputs.push(Input { param, element, length, map });
        Some(())
    }

    fn add_output(&mut self, position: u64) -> Option<()> {
        let element = self.element();
        let launch = self.builder.kernel.launch.clone();
        let total = launch.blocks.checked_mul(&launch.threads).ok()?;
        let covers = self.chance(60);
        let local: Vec<i64> = (0..1 + self.below(2)).map(|_| self.pick(&[1, 2, 3, 4, 4, 8, 5])).collect();
        let mut dimensions: Vec<(Sym, Sym)> =
            local.iter().map(|&size| (Sym::constant(size), Sym::constant(size))).collect();
        let locals = dimensions.len();
        if covers {
            let inner = self.pick(&[1, 1, 2, 4, 8]);
            if inner == 1 || self.value_of(&total) % inner != 0 {
                dimensions.push((total.clone(), total));
            } else {
                let outer = self.value_of(&total) / inner;
                dimensions.push((Sym::constant(inner), Sym::constant(inner)));
                dimensions.push((Sym::constant(outer), Sym::constant(outer)));
            }
        } else {
            for axis in 0..1 + self.below(2) {
                let (size, in_tensor) = (1 + self.below(20) as i64, 1 + self.below(20) as i64);
                let size = self.sized(&format!("D{position}{axis}"), size);
                let in_tensor =
                    if self.chance(50) { size.clone() } else { self.sized(&format!("E{position}{axis}"), in_tensor) };
                dimensions.push((size, in_tensor));
            }
        }
        let mut layout: Vec<(usize, bool)> = (0..dimensions.len()).map(|axis| (axis, self.chance(20))).collect();
        self.draw.shuffle(&mut layout);
        let map = reshape(&dimensions[..locals], &dimensions[locals..], &layout, &self.facts)?;
        let mut length = Sym::one();
        for (_, in_tensor) in &dimensions {
            length = length.checked_mul(in_tensor).ok()?;
        }
        let param = self.builder.tensor(&format!("y{position}"), element, std::slice::from_ref(&length), true);
        let count = self.value_of(&length) as u64;
        let mut tensor = Tensor::zeros(element, &[count]).ok()?;
        for place in 0..count {
            let value = random_value(element, self.draw.seed() ^ (position + 77), place);
            tensor.set_at(place as usize, value).ok()?;
        }
        self.arguments.push(Argument::Tensor(tensor));
        self.outputs.push(Output { param, element, map, local, covers });
        Some(())
    }

    fn statements(&mut self, depth: u32) -> Vec<Statement> {
        let scope = self.variables.len();
        let count = if depth == 0 { 2 + self.below(4) } else { 1 + self.below(3) };
        let mut statements = Vec::new();
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let statement = self.statement(depth);
            statements.push(statement);
            if self.chance(25) {
                statements.extend(self.turn());
            }
        }
        if self.chance(70) || statements.is_empty() {
            let statement = self.store();
            statements.push(statement);
        }
        self.variables.truncate(scope);
        statements
    }

    fn statement(&mut self, depth: u32) -> Statement {
        match self.below(12) {
            0..=2 => self.store(),
            10 | 11 => self.own_loop(),
            3 | 4 => {
                let element = if self.chance(25) { ElementType::I64 } else { self.element() };
                let value = if element == ElementType::I64 { self.affine() } else { self.expr(element, 3) };
                let name = format!("v{}", self.builder.kernel.locals.len());
                let local = self.builder.local(&name, element);
                self.variables.push((local, element));
                assign(local, value)
            }
            5 | 6 if !self.variables.is_empty() => {
                let place = self.below(self.variables.len() as u64) as usize;
                let (local, element) = self.variables[place];
                let value = self.expr(element, 2);
                let value = if self.chance(50) && element.computes() && element != ElementType::Bool {
                    add(self.builder.read(local), value)
                } else {
                    value
                };
                assign(local, value)
            }
            7 if depth < 3 => {
                let condition = self.condition(2);
                let then = self.statements(depth + 1);
                let otherwise = if self.chance(50) { self.statements(depth + 1) } else { Vec::new() };
                if_else(condition, then, otherwise)
            }
            _ if depth < 3 => self.for_statement(depth),
            _ => self.store(),
        }
    }

    /// Two variables of one type of which each becomes what the other one was, or something made of it.
    fn turn(&mut self) -> Vec<Statement> {
        let pairs = self.variables.iter().zip(self.variables.iter().skip(1));
        let pairs: Vec<_> = pairs.filter(|((_, first), (_, second))| first == second).collect();
        let Some((&(first, element), &(second, _))) = pairs.last().copied() else { return Vec::new() };
        let name = format!("t{}", self.builder.kernel.locals.len());
        let is_constant = self.chance(70);
        let before = match is_constant {
            true => self.builder.constant(&name, element),
            false => self.builder.local(&name, element),
        };
        let read = |generator: &Self, local| generator.builder.read(local);
        let kept = match element.computes() && element != ElementType::Bool && self.chance(50) {
            true => add(read(self, first), read(self, second)),
            false => read(self, first),
        };
        let taken = read(self, second);
        vec![assign(before, kept), assign(first, taken), assign(second, read(self, before))]
    }

    /// A loop over a thread's own elements, each written once: the most common kernel, and the one that is vectorised.
    fn own_loop(&mut self) -> Statement {
        let place = self.below(self.outputs.len() as u64) as usize;
        let (element, width) = (self.outputs[place].element, self.outputs[place].local[0]);
        let name = format!("i{}", self.builder.kernel.locals.len());
        let local = self.builder.local(&name, ElementType::I64);
        self.iterators.push(local);
        let mut written = Vec::new();
        for _ in 0..2 {
            let access = self.access_at(place, local);
            written.push(store(access, self.expr(element, 2)));
        }
        let second = written.split_off(1);
        let body = if self.chance(60) {
            let otherwise = if self.chance(50) { second } else { Vec::new() };
            let condition = if self.chance(50) {
                let operator = self.pick(&[BinaryOp::Less, BinaryOp::GreaterEqual, BinaryOp::Equal]);
                compare(operator, self.builder.read(local), int(self.below(width as u64) as i64))
            } else {
                self.condition(1)
            };
            vec![if_else(condition, written, otherwise)]
        } else {
            written
        };
        self.iterators.pop();
        for_loop(local, int(0), int(width), body)
    }

    fn for_statement(&mut self, depth: u32) -> Statement {
        let name = format!("i{}", self.builder.kernel.locals.len());
        let local = self.builder.local(&name, ElementType::I64);
        let (low, high) = self.range();
        self.iterators.push(local);
        let body = self.statements(depth + 1);
        self.iterators.pop();
        for_loop(local, low, high, body)
    }

    /// The bounds of a loop with few iterations.
    fn range(&mut self) -> (Expr, Expr) {
        match self.below(8) {
            0..=2 => {
                let place = self.below(self.outputs.len() as u64) as usize;
                let width = self.outputs[place].local[0];
                (int(0), int(width))
            }
            3 => (int(self.below(3) as i64), int(self.below(14) as i64)),
            4 => {
                let place = self.below(self.inputs.len() as u64) as usize;
                let length = self.inputs[place].length.clone();
                let high = binary(BinaryOp::FloorRemainder, size(&length), int(11));
                (int(0), high)
            }
            5 => (int(1), binary(BinaryOp::FloorRemainder, thread_id(), int(6))),
            6 => {
                let low = binary(BinaryOp::FloorRemainder, block_id(), int(3));
                (low.clone(), add(low, int(9)))
            }
            _ => (int(-2), int(10)),
        }
    }

    fn store(&mut self) -> Statement {
        let place = self.below(self.outputs.len() as u64) as usize;
        let element = self.outputs[place].element;
        let value = self.expr(element, 3);
        let access = self.own_access(place);
        store(access, value)
    }
}
