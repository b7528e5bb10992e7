//! What a kernel with barriers means, said with threads of the system: one for each thread of a block, which really
//! wait for each other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Condvar, Mutex};

use dims::{Sym, Symbol};
use kernel::typed::{
    Access, Atomic, BinaryOp, Combination, Expr, ExprKind, Kernel, Local, Memory, Statement, StatementKind, Waiting,
};
use shapewright_runtime::execute::Argument;
use shapewright_runtime::interpreter::operation;
use shapewright_runtime::tensors::{Bits, Scalar, Tensor};

/// Runs every block of the kernel; gives the arguments as they are then.
pub fn run(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, arguments: Vec<Argument>) -> Vec<Argument> {
    let value = |size: &Sym| size.evaluate(&|name| sizes.get(name).copied()).unwrap();
    let tensors: Vec<Mutex<Argument>> = arguments.into_iter().map(Mutex::new).collect();
    for block in 0..value(&kernel.launch.blocks) {
        let arrays = kernel
            .shared
            .iter()
            .map(|array| Mutex::new(Tensor::zeros(array.element, &[value(&array.length) as u64]).unwrap()));
        let (waiting, all_there) = (Mutex::default(), Condvar::new());
        let arrays = arrays.collect();
        let block = Block { kernel, sizes, tensors: &tensors, arrays, id: block, waiting, all_there };
        std::thread::scope(|scope| {
            for id in 0..value(&kernel.launch.threads) {
                let block = &block;
                scope.spawn(move || {
                    let variables = kernel.locals.iter().map(|local| Scalar::zero(local.element).to_bits()).collect();
                    Thread { block, id, variables }.statements(&kernel.body);
                });
            }
        });
    }
    tensors.into_iter().map(|tensor| tensor.into_inner().unwrap()).collect()
}

/// Who waits: which lanes of a warp, if only those, and the number of the first thread or of the barrier.
type Key = (u32, i64);

struct Block<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
    tensors: &'a [Mutex<Argument>],
    arrays: Vec<Mutex<Tensor>>,
    id: i64,
    /// For each collective, how many have come since the last time that all were there, and how often that was.
    waiting: Mutex<HashMap<Key, (u32, u32)>>,
    all_there: Condvar,
}

impl Block<'_> {
    fn wait(&self, key: Key, threads: u32) {
        let mut waiting = self.waiting.lock().unwrap();
        let state = waiting.entry(key).or_default();
        state.0 += 1;
        let round = state.1;
        if state.0 == threads {
            *state = (0, round + 1);
            self.all_there.notify_all();
        } else {
            drop(self.all_there.wait_while(waiting, |waiting| waiting[&key].1 == round).unwrap());
        }
    }

    fn with_tensor<T>(&self, memory: Memory, act: impl FnOnce(&mut Tensor) -> T) -> T {
        match memory {
            Memory::Param(param) => match &mut *self.tensors[param.0 as usize].lock().unwrap() {
                Argument::Tensor(tensor) => act(tensor),
                Argument::Scalar(_) => panic!("a tensor"),
            },
            Memory::Shared(array) => act(&mut self.arrays[array.0 as usize].lock().unwrap()),
        }
    }
}

struct Thread<'a> {
    block: &'a Block<'a>,
    id: i64,
    variables: Vec<Bits>,
}

impl Thread<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { local, value } => self.set(*local, self.value(value)),
            StatementKind::For { local, low, high, body } => {
                for value in self.value(low) as i64..self.value(high) as i64 {
                    self.set(*local, value as Bits);
                    self.statements(body);
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                self.statements(if self.holds(condition) { then } else { otherwise });
            }
            StatementKind::Each(each) => self.statements(&each.per_thread),
            StatementKind::Collective { condition, body, .. } => {
                if self.holds(condition) {
                    self.statements(body);
                }
            }
            StatementKind::Store { access, value, .. } => {
                if let Some(offset) = self.place(access) {
                    let bits = self.value(value);
                    let value = Scalar::from_bits(value.element, bits);
                    self.block.with_tensor(access.memory, |tensor| tensor.set_at(offset, value)).unwrap();
                }
            }
            StatementKind::Atomic(atomic) => self.atomic(atomic),
            StatementKind::Shuffle(_) => unreachable!("no kernel of this test has shuffles"),
            // A copy that happens at once is one of those that may be.
            StatementKind::Copies(_) => {}
            StatementKind::Barrier(barrier) => match &barrier.waiting {
                Waiting::Block => {
                    let threads = &self.block.kernel.launch.threads;
                    let threads = threads.evaluate(&|name| self.block.sizes.get(name).copied()).unwrap();
                    self.block.wait((0, 0), threads as u32);
                }
                Waiting::Warp { lanes, first } => {
                    let first = self.id / 32 * 32 + self.value(first) as i64;
                    self.block.wait((*lanes, first), lanes.count_ones());
                }
                Waiting::Warps { id, threads } => self.block.wait((0, self.value(id) as i64), *threads),
            },
        }
    }

    /// Holds the lock of the tensor from the reading to the writing.
    fn atomic(&mut self, atomic: &Atomic) {
        let mut before = 0;
        if let Some(offset) = self.place(&atomic.access) {
            let operands: Vec<Bits> = atomic.operands.iter().map(|operand| self.value(operand)).collect();
            before = self.block.with_tensor(atomic.access.memory, |tensor| {
                let found = tensor.get_at(offset).unwrap();
                let (element, before) = (found.element(), found.to_bits());
                let after = match (atomic.operation.combination(), operands.as_slice()) {
                    (Some(Combination::Operator(operator)), &[operand]) => {
                        operation::binary(operator, element).unwrap()(before, operand)
                    }
                    (Some(Combination::Function(function)), &[operand]) => {
                        operation::math(function, element).unwrap().apply(&[before, operand]).unwrap()
                    }
                    (None, &[expected, value]) => {
                        if before == expected {
                            value
                        } else {
                            before
                        }
                    }
                    (None, &[value]) => value,
                    _ => before,
                };
                tensor.set_at(offset, Scalar::from_bits(element, after)).unwrap();
                before
            });
        }
        if let Some(local) = atomic.result {
            self.set(local, before);
        }
    }

    fn set(&mut self, local: Local, bits: Bits) {
        self.variables[local.0 as usize] = bits;
    }

    fn holds(&self, condition: &Expr) -> bool {
        self.value(condition) != 0
    }

    /// The element of an access that happens.
    fn place(&self, access: &Access) -> Option<usize> {
        let happens = access.mask.as_ref().is_none_or(|mask| self.holds(mask));
        happens.then(|| usize::try_from(self.value(&access.offset) as i64).unwrap())
    }

    fn value(&self, expr: &Expr) -> Bits {
        match &expr.kind {
            ExprKind::Constant(constant) => {
                use kernel::typed::Constant;
                match constant {
                    Constant::Bool(value) => Bits::from(*value),
                    Constant::Int(value) => Scalar::from_i128(expr.element, i128::from(*value)).unwrap().to_bits(),
                    Constant::Unsigned(value) => Scalar::from_i128(expr.element, i128::from(*value)).unwrap().to_bits(),
                    Constant::Float(value) => Scalar::from_f64(expr.element, *value).unwrap().to_bits(),
                }
            }
            ExprKind::Size(size) => size.evaluate(&|name| self.block.sizes.get(name).copied()).unwrap() as Bits,
            ExprKind::Scalar(param) => match &*self.block.tensors[param.0 as usize].lock().unwrap() {
                Argument::Scalar(scalar) => scalar.to_bits(),
                Argument::Tensor(_) => panic!("a scalar"),
            },
            ExprKind::Local(local) => self.variables[local.0 as usize],
            ExprKind::BlockId => self.block.id as Bits,
            ExprKind::ThreadId => self.id as Bits,
            ExprKind::Load(access) => match self.place(access) {
                Some(offset) => {
                    self.block.with_tensor(access.memory, |tensor| tensor.get_at(offset)).unwrap().to_bits()
                }
                None => Scalar::zero(expr.element).to_bits(),
            },
            ExprKind::Unary(operator, operand) => {
                operation::unary(*operator, expr.element).unwrap()(self.value(operand))
            }
            ExprKind::Binary(BinaryOp::And, left, right) => Bits::from(self.holds(left) && self.holds(right)),
            ExprKind::Binary(BinaryOp::Or, left, right) => Bits::from(self.holds(left) || self.holds(right)),
            ExprKind::Binary(operator, left, right) => {
                operation::binary(*operator, left.element).unwrap()(self.value(left), self.value(right))
            }
            ExprKind::Select(condition, first, second) => {
                self.value(if self.holds(condition) { first } else { second })
            }
            ExprKind::Cast(operand) => operation::cast(operand.element, expr.element)(self.value(operand)),
            ExprKind::Bits(operand) => self.value(operand),
            ExprKind::Math(function, arguments) => {
                let values: Vec<Bits> = arguments.iter().map(|argument| self.value(argument)).collect();
                operation::math(*function, expr.element).unwrap().apply(&values).unwrap()
            }
        }
    }
}
