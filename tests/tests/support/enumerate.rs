//! An enumerator of kernels: every block, every thread, every iteration, with the place of every access.
//!
//! It shares nothing with the compiler's prover, nor with the executors of the runtime: it walks the typed program,
//! computes integers in 128 bits and wraps them as their type does, asks each access's map at its coordinates, and
//! writes down which thread touches which place of a tensor's storage.

mod arithmetic;
mod waits;

use std::collections::{BTreeMap, HashMap};

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Kernel, Memory, ParamKind, SharedId, Statement, StatementKind,
    UnaryOp, Waiting,
};
use maps::{MapError, evaluate};

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
    block: i64,
    thread: i64,
    threads: i64,
    steps: usize,
    touched: HashMap<(usize, i64), Touched>,
    /// What the thread has done to shared arrays.
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
        block: 0,
        thread: 0,
        threads,
        steps: 0,
        touched: HashMap::new(),
        history: Vec::new(),
    };
    let cleared: Vec<bool> = launch.kernel.shared.iter().map(|array| array.cleared).collect();
    for block in 0..blocks {
        let mut histories = Vec::new();
        for thread in 0..threads {
            (machine.block, machine.thread) = (block, thread);
            machine.locals = vec![Value::Int(0); launch.kernel.locals.len()];
            machine.run(&launch.kernel.body)?;
            histories.push(std::mem::take(&mut machine.history));
        }
        if histories.iter().any(|history| !history.is_empty()) {
            play(&histories, &cleared)?;
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
            StatementKind::Store { access, value } => {
                if let Some(place) = self.place(access, "write")? {
                    self.value(value)?;
                    self.note_write(access, place)?;
                }
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Outcome<()> {
        self.steps += 1;
        let most = if self.launch.kernel.shared.is_empty() { MOST_STEPS } else { MOST_SHARED_STEPS };
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
            Memory::Param(param) => &self.launch.kernel.params[param.0 as usize].name,
            Memory::Shared(array) => &self.launch.kernel.shared[array.0 as usize].name,
        };
        format!("`{name}` at {place} by thread {} of block {}", self.thread, self.block)
    }

    /// The place in the storage, by the map; nothing where the access is masked off.
    fn place(&mut self, access: &Access, verb: &str) -> Outcome<Option<i64>> {
        self.count()?;
        let (shape, strides) = match access.memory {
            Memory::Shared(array) => {
                let length = self.launch.kernel.shared[array.0 as usize].length;
                (vec![Sym::constant(length)], vec![Sym::one()])
            }
            Memory::Param(param) => match &self.launch.kernel.params[param.0 as usize].kind {
                ParamKind::Tensor { shape, strides, .. } => (shape.clone(), strides.clone()),
                ParamKind::Scalar => return unknown("an access to a scalar"),
            },
        };
        let coordinates = access
            .coordinates
            .iter()
            .map(|coordinate| self.int(coordinate).map(|value| value as i64))
            .collect::<Outcome<Vec<i64>>>()?;
        let known = |symbol: &Symbol| self.launch.sizes.get(symbol).copied();
        let outside = |machine: &Self, what: String| {
            let what = format!("{verb} of {} at coordinate {coordinates:?}", machine.describe(access, what));
            if machine.launch.guarded { Ok(None) } else { Err(Fault::OutOfBounds(what)) }
        };
        let point = match evaluate(&access.map, &coordinates, &known) {
            Ok(point) => point,
            Err(MapError::Overflow | MapError::Size(_)) if self.is_beyond_machines(access) => {
                return unknown("a view of that many elements");
            }
            Err(error) => return outside(self, error.to_string()),
        };
        let masked = match &access.mask {
            Some(mask) => !self.bool(mask)?,
            None => false,
        };
        if point.valid == masked && (access.mask.is_some() || !self.launch.guarded) {
            if access.mask.is_none() {
                return outside(self, "an invalid coordinate".to_owned());
            }
            let what = format!("the map says valid = {}, the mask says masked = {masked}", point.valid);
            return Err(Fault::Lowering(format!("{what}: {}", self.describe(access, format!("{coordinates:?}")))));
        }
        if !point.valid {
            return Ok(None);
        }
        let element = point.lower[0];
        let (mut rest, mut place) = (element, 0_i64);
        for (dim, stride) in shape.iter().zip(&strides).rev() {
            let (dim, stride) = (self.size(dim)?, self.size(stride)?);
            let step = rest.rem_euclid(dim).checked_mul(stride);
            let Some(next) = step.and_then(|step| step.checked_add(place)) else {
                return unknown("strides that no machine holds");
            };
            place = next;
            rest = rest.div_euclid(dim);
        }
        if rest != 0 {
            return outside(self, format!("element {element}"));
        }
        let offset = self.int(&access.offset)?;
        if offset != i128::from(place) {
            let what = format!("the offset is {offset}");
            return Err(Fault::Lowering(format!("{what}: {}", self.describe(access, place))));
        }
        Ok(Some(place))
    }

    /// Whether the access's map deals out more than any machine holds, so that its masked places overflow.
    fn is_beyond_machines(&self, access: &Access) -> bool {
        let extents = access.map.upper.iter().filter_map(|axis| axis.extent.as_ref());
        extents.filter_map(|extent| self.size(extent).ok()).any(|extent| extent > MOST_ELEMENTS)
    }

    fn note_write(&mut self, access: &Access, place: i64) -> Outcome<()> {
        let id = self.id();
        let Some(tensor) = self.tensor(access, place, true) else { return Ok(()) };
        let touched = self.touched.entry((tensor, place)).or_default();
        let mut others = touched.writer.into_iter().chain(touched.readers.into_iter().flatten());
        if let Some(other) = others.rfind(|other| *other != id) {
            return Err(Fault::Race(format!("written {}, touched by {other}", self.describe(access, place))));
        }
        touched.writer = Some(id);
        Ok(())
    }

    /// The number of the tensor that is accessed; what is done to a shared array is judged later.
    fn tensor(&mut self, access: &Access, place: i64, write: bool) -> Option<usize> {
        match access.memory {
            Memory::Param(param) => Some(param.0 as usize),
            Memory::Shared(SharedId(array)) => {
                self.history.push(Event::Touch { array: array as usize, place, write });
                None
            }
        }
    }

    fn note_read(&mut self, access: &Access, place: i64) -> Outcome<()> {
        let id = self.id();
        let Some(tensor) = self.tensor(access, place, false) else { return Ok(()) };
        let touched = self.touched.entry((tensor, place)).or_default();
        if let Some(other) = touched.writer.filter(|other| *other != id) {
            return Err(Fault::Race(format!("read {}, written by {other}", self.describe(access, place))));
        }
        match touched.readers {
            [Some(first), None] if first != id => touched.readers[1] = Some(id),
            [None, _] => touched.readers[0] = Some(id),
            _ => {}
        }
        Ok(())
    }

    fn int(&mut self, expr: &Expr) -> Outcome<i128> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            other => unknown(format!("{other:?} where an integer must be")),
        }
    }

    fn bool(&mut self, expr: &Expr) -> Outcome<bool> {
        match self.value(expr)? {
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
                Some(place) => {
                    self.note_read(access, place)?;
                    self.element(access, place, expr.element)
                }
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
            ExprKind::Math(function, args) => {
                let args = args.iter().map(|arg| self.value(arg)).collect::<Outcome<Vec<Value>>>()?;
                math(*function, &args)?
            }
        })
    }

    /// A number of what is accessed.
    fn number(&self, access: &Access) -> u64 {
        match access.memory {
            Memory::Param(param) => u64::from(param.0),
            Memory::Shared(array) => self.launch.kernel.params.len() as u64 + u64::from(array.0),
        }
    }

    /// What an element holds: small numbers, a few of them negative, and now and then one at the end of its type.
    fn element(&self, access: &Access, place: i64, element: ElementType) -> Value {
        let mixed = (self.launch.data ^ (self.number(access) << 40) ^ place as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        const ENDS: [i128; 4] = [i64::MAX as i128, i64::MIN as i128, i32::MAX as i128, 1 << 62];
        let small = i128::from(mixed >> 59) - 8;
        let value = if mixed.is_multiple_of(8) { ENDS[(mixed >> 3) as usize % 4] } else { small };
        if element.is_float() {
            Value::Float(value as f64)
        } else if element == ElementType::Bool {
            Value::Bool(value > 0)
        } else {
            Value::Int(wrap(value, element))
        }
    }
}
