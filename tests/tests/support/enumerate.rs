//! An enumerator of kernels: every block, every thread, every iteration, with the place of every access.
//!
//! It shares nothing with the compiler's prover, nor with the executors of the runtime: it walks the typed program,
//! computes integers in 128 bits and wraps them as their type does, asks each access's map at its coordinates, and
//! writes down which thread touches which place of a tensor's storage.

mod arithmetic;
mod places;
mod waits;

use std::collections::{BTreeMap, HashMap};

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Kernel, Memory, ParamKind, Statement, StatementKind, UnaryOp,
    Waiting,
};

use arithmetic::{binary, cast, math, wrap, zero};
use waits::{Event, Wait, play};

/// The most accesses and iterations of one enumeration.
const MOST_STEPS: usize = 20_000;

/// The same where threads share arrays: fewer threads would not show much.
const MOST_SHARED_STEPS: usize = 200_000;

/// The most elements of a tensor that some machine might hold.
const MOST_ELEMENTS: i64 = 1 << 47;

/// What must not happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// Two threads touch one place and at least one writes it.
    Race(String),
    /// An access outside its tensor.
    OutOfBounds(String),
    /// The offset or the mask that compiled code uses says something else than the map.
    Lowering(String),
    /// A thread waits for others that never come.
    Stuck(String),
    /// The enumeration is too long, or uses what the enumerator does not know. Nothing was found up to there.
    GaveUp(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Int(i128),
    Float(f64),
    Bool(bool),
}

/// What a launch is given.
pub struct Launch<'a> {
    pub kernel: &'a Kernel,
    pub sizes: &'a BTreeMap<Symbol, i64>,
    /// The values of the scalar parameters, by position; tensors are skipped.
    pub scalars: &'a [i64],
    /// What the elements of integer tensors are made of.
    pub data: u64,
    /// Whether accesses outside are left out, as a guarded launch does.
    pub guarded: bool,
}

/// Who was where.
#[derive(Default)]
struct Touched {
    writer: Option<i64>,
    /// Two different readers are enough to know that there is one beside the writer.
    readers: [Option<i64>; 2],
}

struct Machine<'a> {
    launch: &'a Launch<'a>,
    locals: Vec<Value>,
    /// The elements of the thread's own arrays, by the array and the place.
    own: BTreeMap<(u32, i64), Value>,
    block: i64,
    thread: i64,
    threads: i64,
    steps: usize,
    touched: HashMap<(usize, i64), Touched>,
    /// What the thread has done to what its block shares.
    history: Vec<Event>,
}

/// Runs every thread; the first fault ends it.
pub fn enumerate(launch: &Launch<'_>) -> Result<usize, Fault> {
    let size = |size: &Sym| {
        size.evaluate(&|symbol| launch.sizes.get(symbol).copied()).map_err(|error| Fault::GaveUp(error.to_string()))
    };
    for param in &launch.kernel.params {
        let ParamKind::Tensor { shape, .. } = &param.kind else { continue };
        let mut elements = Some(1_i64);
        for dim in shape {
            let dim = size(dim)?;
            elements = elements.and_then(|elements| elements.checked_mul(dim));
        }
        if elements.is_none_or(|elements| elements > MOST_ELEMENTS) {
            return unknown("a tensor that no machine holds");
        }
    }
    let (blocks, threads) = (size(&launch.kernel.launch.blocks)?, size(&launch.kernel.launch.threads)?);
    let mut machine = Machine {
        launch,
        locals: Vec::new(),
        own: BTreeMap::new(),
        block: 0,
        thread: 0,
        threads,
        steps: 0,
        touched: HashMap::new(),
        history: Vec::new(),
    };
    for block in 0..blocks {
        let mut histories = Vec::new();
        for thread in 0..threads {
            (machine.block, machine.thread) = (block, thread);
            machine.own.clear();
            machine.locals = vec![Value::Int(0); launch.kernel.locals.len()];
            machine.run(&launch.kernel.body)?;
            histories.push(std::mem::take(&mut machine.history));
        }
        if histories.iter().any(|history| !history.is_empty()) {
            play(&histories, launch.kernel)?;
        }
    }
    Ok(machine.steps)
}

type Outcome<T> = Result<T, Fault>;

fn unknown<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Fault::GaveUp(what.into()))
}

impl Machine<'_> {
    fn run(&mut self, statements: &[Statement]) -> Outcome<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Outcome<()> {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                self.locals[local.0 as usize] = self.value(value)?;
            }
            StatementKind::For { local, low, high, body } => {
                let (low, high) = (self.int(low)?, self.int(high)?);
                let mut iteration = low;
                while iteration < high {
                    self.count()?;
                    self.locals[local.0 as usize] = Value::Int(iteration);
                    self.run(body)?;
                    iteration += 1;
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let chosen = if self.bool(condition)? { then } else { otherwise };
                self.run(chosen)?;
            }
            StatementKind::Each(each) => self.run(&each.per_thread)?,
            StatementKind::Collective { condition, body, .. } => {
                if self.bool(condition)? {
                    self.run(body)?;
                }
            }
            StatementKind::Barrier(Barrier { waiting, .. }) => {
                let value = match waiting {
                    Waiting::Block => 0,
                    Waiting::Warp { first, .. } => self.int(first)?,
                    Waiting::Warps { id, .. } => self.int(id)?,
                };
                self.history.push(Event::Wait(Wait::new(waiting, value as i64)?));
            }
            StatementKind::Copies(_) => {}
            StatementKind::Atomic(_) => return unknown("an atomic access"),
            StatementKind::Shuffle(_) => return unknown("a shuffle"),
            StatementKind::Store { access, value, .. } => {
                if let Some(place) = self.place(access, "write")? {
                    let value = self.value(value)?;
                    match self.own_array(access) {
                        Some(array) => drop(self.own.insert((array, place), value)),
                        None => self.note_write(access, place)?,
                    }
                }
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Outcome<()> {
        self.steps += 1;
        let is_alone = self.launch.kernel.shared.is_empty() && self.launch.kernel.exchanged.is_empty();
        let most = if is_alone { MOST_STEPS } else { MOST_SHARED_STEPS };
        if self.steps > most { unknown("too many steps") } else { Ok(()) }
    }

    fn size(&self, size: &Sym) -> Outcome<i64> {
        let known = |symbol: &Symbol| self.launch.sizes.get(symbol).copied();
        size.evaluate(&known).map_err(|error| Fault::GaveUp(error.to_string()))
    }

    fn id(&self) -> i64 {
        self.block * self.threads + self.thread
    }

    fn describe(&self, access: &Access, place: impl std::fmt::Display) -> String {
        let name = match access.memory {
            Memory::Param(param) => &self.launch.kernel.params[param].name,
            Memory::Shared(array) => &self.launch.kernel.shared[array].name,
        };
        format!("`{name}` at {place} by thread {} of block {}", self.thread, self.block)
    }

    fn int(&mut self, expr: &Expr) -> Outcome<i128> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            other => unknown(format!("{other:?} where an integer must be")),
        }
    }

    fn bool(&mut self, expr: &Expr) -> Outcome<bool> {
        // Chains of conditions are nested as deep as they are long.
        match kernel::with_enough_stack(|| self.value(expr))? {
            Value::Bool(value) => Ok(value),
            Value::Int(value) => Ok(value != 0),
            other => unknown(format!("{other:?} where a truth must be")),
        }
    }

    fn value(&mut self, expr: &Expr) -> Outcome<Value> {
        Ok(match &expr.kind {
            ExprKind::Constant(Constant::Bool(value)) => Value::Bool(*value),
            ExprKind::Constant(Constant::Int(value)) => Value::Int(wrap(i128::from(*value), expr.element)),
            ExprKind::Constant(Constant::Unsigned(value)) => Value::Int(i128::from(*value)),
            ExprKind::Constant(Constant::Float(value)) => Value::Float(*value),
            ExprKind::Size(size) => Value::Int(i128::from(self.size(size)?)),
            ExprKind::Scalar(param) => {
                let value = self.launch.scalars.get(param.0 as usize).copied().unwrap_or_default();
                if expr.element.is_float() {
                    Value::Float(value as f64)
                } else if expr.element == ElementType::Bool {
                    Value::Bool(value % 2 != 0)
                } else {
                    Value::Int(wrap(i128::from(value), expr.element))
                }
            }
            ExprKind::Local(local) => self.locals[local.0 as usize],
            ExprKind::BlockId => Value::Int(i128::from(self.block)),
            ExprKind::ThreadId => Value::Int(i128::from(self.thread)),
            ExprKind::Load(access) => match self.place(access, "read")? {
                Some(place) => match self.own_array(access) {
                    Some(array) => match self.own.get(&(array, place)) {
                        Some(value) => *value,
                        None => {
                            return Err(Fault::Lowering(format!("never written: {}", self.describe(access, place))));
                        }
                    },
                    None => {
                        self.note_read(access, place)?;
                        self.element(access, place, expr.element)
                    }
                },
                None => zero(expr.element),
            },
            ExprKind::Unary(UnaryOp::Not, inner) => Value::Bool(!self.bool(inner)?),
            ExprKind::Unary(UnaryOp::Negate, inner) => match self.value(inner)? {
                Value::Int(value) => Value::Int(wrap(-value, expr.element)),
                Value::Float(value) => Value::Float(-value),
                other => return unknown(format!("- {other:?}")),
            },
            ExprKind::Binary(BinaryOp::And, left, right) => Value::Bool(self.bool(left)? && self.bool(right)?),
            ExprKind::Binary(BinaryOp::Or, left, right) => Value::Bool(self.bool(left)? || self.bool(right)?),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*op, left, right, expr.element)?
            }
            ExprKind::Select(condition, then, otherwise) => {
                let chosen = if self.bool(condition)? { then } else { otherwise };
                self.value(chosen)?
            }
            ExprKind::Cast(inner) => cast(self.value(inner)?, expr.element)?,
            ExprKind::Bits(inner) => return unknown(format!("the bits of {:?}", inner.element)),
            ExprKind::Math(function, args) => {
                let args = args.iter().map(|arg| self.value(arg)).collect::<Outcome<Vec<Value>>>()?;
                math(*function, &args)?
            }
        })
    }
}
