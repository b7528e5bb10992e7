//! Checks that a typed kernel is well formed: types, numbers of operands, scopes of iterators.
//!
//! The compiler builds only well-formed kernels; the executors rely on it, so it is checked once before execution.
//! Properties that need a proof (bounds, races) are not checked here.

use std::ops::Range;

use elements::ElementType;
use kernel::LaunchLimits;
use kernel::functions::MathFunction;
use kernel::typed::{
    Access, Atomic, Barrier, Constant, Expr, ExprKind, Kernel, Local, Memory, Param, ParamId, ParamKind, SharedArray,
    Shuffle, Statement, StatementKind, Taken, Waiting,
};
use maps::hardware::{BARRIERS, MOST_BLOCK_THREADS, WARP_LANES};
use maps::{Affine, IndexMap, Term};

use super::error::ExecuteError;

/// Fails with [`ExecuteError::Malformed`] unless the kernel is well formed.
pub fn check(kernel: &Kernel) -> Result<(), ExecuteError> {
    let mut is_iterator = vec![false; kernel.locals.len()];
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::For { local, .. } = &statement.kind
            && let Some(slot) = is_iterator.get_mut(local.0 as usize)
        {
            *slot = true;
        }
    });
    let mut checker = Checker { kernel, is_iterator, iterators: Vec::new() };
    checker
        .params()
        .and_then(|()| launch(kernel))
        .and_then(|()| checker.statements(&kernel.body))
        .map_err(|problem| ExecuteError::Malformed { kernel: kernel.name.to_string(), problem })
}

type Checked = Result<(), String>;

struct Checker<'k> {
    kernel: &'k Kernel,
    /// For each variable, whether some loop iterates over it.
    is_iterator: Vec<bool>,
    /// The iterators of the loops around the current statement.
    iterators: Vec<Local>,
}

impl Checker<'_> {
    fn params(&self) -> Checked {
        self.kernel.params.iter().try_for_each(|param| match &param.kind {
            ParamKind::Tensor { shape, strides, .. } if shape.len() != strides.len() => {
                Err(format!("{} has {} dimensions but {} strides", param.name, shape.len(), strides.len()))
            }
            _ => Ok(()),
        })
    }

    fn statements(&mut self, statements: &[Statement]) -> Checked {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Checked {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let element = self.local(*local)?;
                if self.is_iterator[local.0 as usize] {
                    return Err(format!("the iterator {} is assigned", self.name_of(*local)));
                }
                self.expect(value, element, "an assigned value")
            }
            StatementKind::For { local, low, high, body } => {
                if self.iterators.contains(local) {
                    return Err(format!("two nested loops share the iterator {}", self.name_of(*local)));
                }
                if self.local(*local)? != ElementType::I64 {
                    return Err(format!("the iterator {} is not an i64", self.name_of(*local)));
                }
                self.expect(low, ElementType::I64, "the start of a loop")?;
                self.expect(high, ElementType::I64, "the end of a loop")?;
                self.iterators.push(*local);
                self.statements(body)?;
                self.iterators.pop();
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expect(condition, ElementType::Bool, "a condition")?;
                self.statements(then)?;
                self.statements(otherwise)
            }
            StatementKind::Each(each) => self.statements(&each.per_thread),
            StatementKind::Collective { condition, body, .. } => {
                self.expect(condition, ElementType::Bool, "a condition")?;
                self.statements(body)
            }
            StatementKind::Store { access, value, is_async } => {
                let (element, mutable) = self.access(access)?;
                if *is_async && (access.memory.param().is_some() || self.kernel.is_held_by_thread(access.memory)) {
                    return Err(format!(
                        "{} is no shared array, but copied to asynchronously",
                        self.memory_name(access)
                    ));
                }
                if !mutable {
                    return Err(format!("{} is written but not mutable", self.memory_name(access)));
                }
                self.expect(value, element, "a stored value")
            }
            StatementKind::Atomic(atomic) => self.atomic(atomic),
            StatementKind::Shuffle(shuffle) => self.shuffle(shuffle),
            StatementKind::Barrier(barrier) => self.barrier(barrier),
            StatementKind::Copies(_) => Ok(()),
        }
    }

    fn atomic(&mut self, atomic: &Atomic) -> Checked {
        let Atomic { operation, access, operands, result, order, .. } = atomic;
        let (element, mutable) = self.access(access)?;
        let name = operation.name();
        if operation.writes() && !mutable {
            return Err(format!("{} is written but not mutable", self.memory_name(access)));
        }
        if !operation.is_defined_on(element) || !operation.orders().contains(order) {
            return Err(format!("{name} of {element} with the order {}", order.name()));
        }
        if operands.len() != operation.operands().len() || (result.is_some() && !operation.gives()) {
            return Err(format!("{name} has {} operands, or a result that it does not give", operands.len()));
        }
        if let Some(result) = result {
            let local = self.local(*result)?;
            self.typed(local, element, "the result of an atomic access")?;
        }
        operands.iter().try_for_each(|operand| self.expect(operand, element, "an operand"))
    }

    fn shuffle(&mut self, shuffle: &Shuffle) -> Checked {
        let Shuffle { local, value, taken, lanes, .. } = shuffle;
        let threads = &self.kernel.launch.threads;
        if threads.as_constant().is_none_or(|threads| threads % WARP_LANES != 0) {
            return Err(format!("{} in a block of {threads} threads, which are not whole warps", taken.name()));
        }
        if self.kernel.locals.get(*local).is_some_and(|variable| variable.mutable) {
            return Err(format!("{} takes a value of another lane and is assigned elsewhere", self.name_of(*local)));
        }
        let element = self.local(*local)?;
        match taken {
            Taken::Lane { number, .. } => {
                self.expect(value, element, "a value for another lane")?;
                self.expect(number, ElementType::I64, "the number of a lane")?;
            }
            Taken::Votes => {
                self.expect(value, ElementType::Bool, "a vote")?;
                self.typed(element, ElementType::U32, "the votes of a warp")?;
            }
        }
        self.lanes(lanes.mask, &lanes.first, taken.name())
    }

    /// Checks that lanes are counted from the first of them, and are some of a warp.
    fn lanes(&mut self, mask: u32, first: &Expr, what: &str) -> Checked {
        if mask & 1 == 0 {
            return Err(format!("{what} waits for the lanes {mask:#x}, which are not counted from the first"));
        }
        let lowest = 0..i64::from(mask.leading_zeros()) + 1;
        self.number(first, lowest, &format!("the first lane of {what}"))
    }

    fn barrier(&mut self, barrier: &Barrier) -> Checked {
        match &barrier.waiting {
            Waiting::Block => Ok(()),
            Waiting::Warp { lanes, first } => self.lanes(*lanes, first, "a barrier"),
            Waiting::Warps { id, threads } => {
                if *threads == 0 || i64::from(*threads) % WARP_LANES != 0 || i64::from(*threads) > MOST_BLOCK_THREADS {
                    return Err(format!(
                        "{threads} threads wait for each other, which are not the threads of whole warps"
                    ));
                }
                self.number(id, 1..BARRIERS, "the number of a barrier")
            }
        }
    }

    /// Checks that an `i64` lies in a range, if it is constant.
    fn number(&mut self, expr: &Expr, range: Range<i64>, what: &str) -> Checked {
        self.expect(expr, ElementType::I64, what)?;
        match expr.kind {
            ExprKind::Constant(Constant::Int(value)) if !range.contains(&value) => {
                Err(format!("{what} is {value}, expected {} to {}", range.start, range.end - 1))
            }
            _ => Ok(()),
        }
    }

    fn expect(&mut self, expr: &Expr, element: ElementType, what: &str) -> Checked {
        self.expr(expr)?;
        if expr.element == element {
            Ok(())
        } else {
            Err(format!("{what} is of type {}, expected {element}", expr.element))
        }
    }

    fn expr(&mut self, expr: &Expr) -> Checked {
        let element = expr.element;
        match &expr.kind {
            ExprKind::Constant(constant) => {
                let fits = match constant {
                    Constant::Bool(_) => element == ElementType::Bool,
                    Constant::Int(_) => element.is_integer(),
                    Constant::Unsigned(_) => element == ElementType::U64,
                    Constant::Float(_) => element.is_float(),
                };
                if fits { Ok(()) } else { Err(format!("the constant {constant:?} has the type {element}")) }
            }
            ExprKind::Size(_) => self.typed(element, ElementType::I64, "a size"),
            ExprKind::BlockId | ExprKind::ThreadId => self.typed(element, ElementType::I64, "an id"),
            ExprKind::Scalar(id) => {
                let param = self.param(*id)?;
                if param.kind != ParamKind::Scalar {
                    return Err(format!("{} is read as a scalar but is a tensor", param.name));
                }
                self.typed(element, param.element, "a scalar parameter")
            }
            ExprKind::Local(local) => {
                let declared = self.local(*local)?;
                if self.is_iterator[local.0 as usize] && !self.iterators.contains(local) {
                    return Err(format!("the iterator {} is read outside its loop", self.name_of(*local)));
                }
                self.typed(element, declared, "a variable")
            }
            ExprKind::Load(access) => {
                let (stored, _) = self.access(access)?;
                self.typed(element, stored, "a load")
            }
            ExprKind::Unary(operator, operand) => {
                self.expect(operand, element, "an operand")?;
                match operator.is_defined_on(element) {
                    true => Ok(()),
                    false => Err(format!("{operator:?} is applied to {element}")),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                self.expr(left)?;
                self.expect(right, left.element, "a right operand")?;
                if !operator.is_defined_on(left.element) {
                    return Err(format!("{operator:?} is applied to {}", left.element));
                }
                let result = if operator.gives_bool() { ElementType::Bool } else { left.element };
                self.typed(element, result, "the result of an operator")
            }
            ExprKind::Select(condition, first, second) => {
                self.expect(condition, ElementType::Bool, "a condition")?;
                self.expect(first, element, "a chosen value")?;
                self.expect(second, element, "a chosen value")
            }
            ExprKind::Cast(operand) => self.expr(operand),
            ExprKind::Bits(operand) => {
                self.expr(operand)?;
                let from = operand.element;
                let (float, integer) = if from.is_float() { (from, element) } else { (element, from) };
                let fits = float.is_float() && ElementType::unsigned(float.bits()) == Some(integer);
                if fits { Ok(()) } else { Err(format!("the bits of {from} are taken for {element}")) }
            }
            ExprKind::Math(function, arguments) => self.math(*function, element, arguments),
        }
    }

    fn math(&mut self, function: MathFunction, element: ElementType, arguments: &[Expr]) -> Checked {
        if !function.is_defined_on(element) {
            return Err(format!("{function:?} is applied to {element}"));
        }
        let expected = function.operation().operands;
        if arguments.len() != expected {
            return Err(format!("{function:?} has {} arguments, expected {expected}", arguments.len()));
        }
        arguments.iter().try_for_each(|argument| self.expect(argument, element, "an argument"))
    }

    /// The element type of the accessed memory, and whether it is mutable.
    fn memory(&self, memory: Memory) -> Result<(ElementType, bool), String> {
        match memory {
            Memory::Param(id) => {
                let param = self.param(id)?;
                let ParamKind::Tensor { mutable, .. } = &param.kind else {
                    return Err(format!("{} is accessed as a tensor but is a scalar", param.name));
                };
                Ok((param.element, *mutable))
            }
            Memory::Shared(id) => match self.kernel.shared.get(id) {
                Some(array) => Ok((array.element, true)),
                None => Err(format!("there is no shared array {}", id.0)),
            },
        }
    }

    fn memory_name(&self, access: &Access) -> &str {
        self.kernel.memory_name(access.memory).map_or("?", |name| name.as_str())
    }

    /// The element type of the accessed memory, and whether it is mutable.
    fn access(&mut self, access: &Access) -> Result<(ElementType, bool), String> {
        let found = self.memory(access.memory)?;
        let map = &access.map;
        if map.upper.len() != access.coordinates.len() {
            return Err(format!(
                "an access of {} has {} coordinates for a map of {}",
                self.memory_name(access),
                access.coordinates.len(),
                map.upper.len()
            ));
        }
        if map.lower.len() != 1 {
            return Err(format!(
                "the map of an access of {} has {} lower axes, expected 1",
                self.memory_name(access),
                map.lower.len()
            ));
        }
        check_map(map)?;
        for coordinate in &access.coordinates {
            self.expect(coordinate, ElementType::I64, "a coordinate")?;
        }
        self.expect(&access.offset, ElementType::I64, "an offset")?;
        if let Some(mask) = &access.mask {
            self.expect(mask, ElementType::Bool, "a mask")?;
        }
        Ok(found)
    }

    fn typed(&self, found: ElementType, expected: ElementType, what: &str) -> Checked {
        if found == expected { Ok(()) } else { Err(format!("{what} of type {expected} is used as {found}")) }
    }

    fn param(&self, id: ParamId) -> Result<&Param, String> {
        self.kernel.params.get(id).ok_or_else(|| format!("there is no parameter {}", id.0))
    }

    fn local(&self, local: Local) -> Result<ElementType, String> {
        let found = self.kernel.locals.get(local);
        found.map(|variable| variable.element).ok_or_else(|| format!("there is no variable {}", local.0))
    }

    fn name_of(&self, local: Local) -> &str {
        self.kernel.locals.get(local).map_or("?", |variable| variable.name.as_str())
    }
}

/// Checks the cluster and the shared arrays against the limits of GPUs.
fn launch(kernel: &Kernel) -> Checked {
    if kernel.launch.cluster < 1 {
        return Err(format!("its clusters have {} blocks", kernel.launch.cluster));
    }
    let is_empty = |array: &&SharedArray| array.known_length().is_some_and(|length| length < 1);
    if let Some(array) = kernel.shared.iter().find(is_empty) {
        return Err(format!("the shared array {} has {} elements", array.name, array.length));
    }
    let most = LaunchLimits::for_target(None).shared;
    let Ok(layout) = kernel.shared_layout() else {
        return Err("64 bits do not count the bytes of its shared arrays".to_owned());
    };
    // Where the sizes decide, it is asked once they are known.
    match layout.bytes.as_constant() {
        Some(bytes) if bytes > most => {
            Err(format!("its shared arrays take {bytes} bytes, and a block has at most {most}"))
        }
        _ => Ok(()),
    }
}

/// Terms refer to upper axes that exist and to earlier terms.
fn check_map(map: &IndexMap) -> Checked {
    let within = |affine: &Affine, terms: usize| affine.terms.iter().all(|(id, _)| (id.0 as usize) < terms);
    for (position, term) in map.terms.iter().enumerate() {
        let fine = match term {
            Term::Coordinate(axis) => (*axis as usize) < map.upper.len(),
            Term::Digit { of, .. } => within(of, position),
            Term::Xor(left, right) => within(left, position) && within(right, position),
        };
        if !fine {
            return Err(format!("term {position} of a map refers to what is not there"));
        }
    }
    let mut forms = map.lower.iter().map(|axis| &axis.value).chain(map.masks.iter().map(|mask| &mask.value));
    if forms.all(|form| within(form, map.terms.len())) {
        Ok(())
    } else {
        Err("a map refers to a term that is not there".to_owned())
    }
}
