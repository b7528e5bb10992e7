//! Prints typed kernels, for `emit --to program` and `emit --to schedule`.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{
    Access, AtomicOperation, Barrier, BinaryOp, Constant, CopyOrder, Expr, ExprKind, Kernel, Lanes, Level, Local,
    Memory, MemoryOrder, Param, ParamKind, Residence, Shuffle, Statement, StatementKind, Taken, ThreadScope, UnaryOp,
    Waiting,
};
use crate::stack::with_enough;
use dims::Sym;
use maps::IndexMap;
use maps::shapes::Shape;

impl Kernel {
    /// The program: a kernel without barriers.
    pub fn program_text(&self) -> String {
        self.text(Level::Program)
    }

    /// The schedule: a kernel with its barriers.
    pub fn schedule_text(&self) -> String {
        self.text(Level::Schedule)
    }

    /// Prints the launch, the memories and the maps of the accesses, then the program of every thread.
    fn text(&self, level: Level) -> String {
        let mut printer = Printer { kernel: self, level, maps: Vec::new(), text: String::new(), depth: 1 };
        printer.statements(&self.body);
        let (heading, maps) = (self.heading(level), maps_text(&printer.maps));
        format!("{heading}{maps}\n{}", printer.text)
    }

    /// Prints the name, the parameters, the launch and the shared arrays.
    pub(crate) fn heading(&self, level: Level) -> String {
        let params: Vec<String> = self.params.iter().map(param).collect();
        let mut text = format!("kernel {}({})\n", self.name, params.join(", "));
        let facts: Vec<String> = self.facts.iter().map(ToString::to_string).collect();
        if !facts.is_empty() {
            let _ = writeln!(text, "    where {}", facts.join(", "));
        }
        let launch = &self.launch;
        let clusters = if launch.cluster == 1 { String::new() } else { format!(" in clusters of {}", launch.cluster) };
        let _ = writeln!(text, "    launch {} blocks{clusters} of {} threads", launch.blocks, launch.threads);
        let layout = self.shared_layout();
        for (id, array) in self.shared.entries() {
            let layout = layout.as_ref().ok().filter(|_| level == Level::Schedule);
            let offset = layout.and_then(|layout| layout.first_byte(id).ok());
            let place = offset.map_or(String::new(), |offset| format!(" at byte {offset}"));
            let cleared = if array.cleared && level == Level::Schedule { ", cleared" } else { "" };
            let (name, element, length) = (&array.name, array.element, &array.length);
            let shape = Shape { dims: array.shape.clone() };
            let line = match array.held {
                Residence::Shared => format!("shared {name}: {element}{shape}, {length} elements{place}{cleared}"),
                Residence::Registers => format!("held {name}: {element}{shape}, {length} elements in each thread"),
            };
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    /// The name of a variable, with its number if other variables share the name.
    pub(crate) fn local_name(&self, local: Local) -> String {
        let Some(own) = self.locals.get(local) else { return format!("local.{}", local.0) };
        let is_alone = self.locals.iter().filter(|other| other.name == own.name).take(2).count() == 1;
        if is_alone { own.name.to_string() } else { format!("{}.{}", own.name, local.0) }
    }

    /// The name of a memory.
    pub(crate) fn memory_text(&self, memory: Memory) -> String {
        self.memory_name(memory).map(ToString::to_string).unwrap_or_default()
    }
}

/// The numbered maps of the accesses.
pub(crate) fn maps_text(maps: &[Arc<IndexMap>]) -> String {
    let lines = maps.iter().enumerate().map(|(number, map)| format!("    map m{number} = {map}\n"));
    lines.collect()
}

/// The number of a map in a list of maps; adds it if it is new.
pub(crate) fn map_number(maps: &mut Vec<Arc<IndexMap>>, map: &Arc<IndexMap>) -> usize {
    maps.iter().position(|known| known == map).unwrap_or_else(|| {
        maps.push(map.clone());
        maps.len() - 1
    })
}

/// The threads that wait at a barrier; `number` is the text of the barrier's number.
pub(crate) fn waiting(barrier: &Barrier, number: &str) -> String {
    match &barrier.waiting {
        Waiting::Block => "barrier of the block".to_owned(),
        Waiting::Warp { lanes: u32::MAX, .. } => "barrier of the warp".to_owned(),
        Waiting::Warp { lanes, .. } => format!("barrier of lanes {lanes:#x} from lane {number} on"),
        Waiting::Warps { threads, .. } => format!("barrier {number} of {threads} threads"),
    }
}

/// The text of a constant.
pub(crate) fn constant(constant: Constant) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Unsigned(value) => value.to_string(),
        Constant::Float(value) => format!("{value:?}"),
    }
}

/// The text of an operation, given the texts of its operands.
pub(crate) fn binary(op: BinaryOp, left: &str, right: &str) -> String {
    let symbol = match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::FloorDivide => return format!("floor({left} / {right})"),
        BinaryOp::FloorRemainder => return format!("floor_remainder({left}, {right})"),
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    };
    format!("{left} {symbol} {right}")
}

/// The text of an operation, given the text of its operand.
pub(crate) fn unary(op: UnaryOp, operand: &str) -> String {
    match op {
        UnaryOp::Negate => format!("-{operand}"),
        UnaryOp::Not => format!("!{operand}"),
    }
}

fn param(param: &Param) -> String {
    let list = |sizes: &[Sym]| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match &param.kind {
        ParamKind::Scalar => format!("{}: {}", param.name, param.element),
        ParamKind::Tensor { mutable, shape, strides } => {
            let mutable = if *mutable { "mut " } else { "" };
            let strided =
                if crate::storage::is_dense(param) { String::new() } else { format!(" strided [{}]", list(strides)) };
            format!("{}: {mutable}{}[{}]{strided}", param.name, param.element, list(shape))
        }
    }
}

struct Printer<'k> {
    kernel: &'k Kernel,
    level: Level,
    maps: Vec<Arc<IndexMap>>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 4 * self.depth);
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn inner(&mut self, statements: &[Statement]) {
        self.depth += 1;
        self.statements(statements);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let (name, value) = (self.kernel.local_name(*local), self.expr(value));
                self.line(&format!("{name} = {value}"));
            }
            StatementKind::For { local, low, high, body } => {
                let (name, low, high) = (self.kernel.local_name(*local), self.expr(low), self.expr(high));
                self.line(&format!("for {name} in {low}..{high} {{"));
                self.inner(body);
                self.line("}");
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition);
                self.line(&format!("if {condition} {{"));
                self.inner(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.inner(otherwise);
                }
                self.line("}");
            }
            StatementKind::Collective { collective, body, .. } => {
                let tiling = self.kernel.collectives.get(*collective);
                let tiling = tiling.map(ToString::to_string).unwrap_or_default();
                self.line(&format!("collective {tiling} {{"));
                self.inner(body);
                self.line("}");
            }
            StatementKind::Each(each) if self.level == Level::Schedule => self.statements(&each.per_thread),
            StatementKind::Each(each) => {
                let names: Vec<String> = each.axes.iter().map(|axis| self.kernel.local_name(axis.local)).collect();
                let extents: Vec<String> = each.axes.iter().map(|axis| axis.extent.to_string()).collect();
                self.line(&format!("each ({}) in ({}) {{", names.join(", "), extents.join(", ")));
                self.inner(&each.body);
                self.line("}");
            }
            StatementKind::Store { access, value, is_async } => {
                let (place, value) = (self.access(access), self.expr(value));
                let word = if *is_async { "async " } else { "" };
                self.line(&format!("{word}{place} = {value}"));
            }
            StatementKind::Atomic(atomic) => {
                let target =
                    atomic.result.map_or_else(String::new, |local| format!("{} = ", self.kernel.local_name(local)));
                let place = self.access(&atomic.access);
                let operands: Vec<String> = atomic.operands.iter().map(|operand| self.expr(operand)).collect();
                self.line(&format!(
                    "{target}{}",
                    atomic_call(atomic.operation, place, operands, atomic.order, atomic.scope)
                ));
            }
            StatementKind::Shuffle(shuffle) => {
                let Shuffle { local, value, taken, lanes, .. } = &**shuffle;
                let (name, value) = (self.kernel.local_name(*local), self.expr(value));
                let number = match taken {
                    Taken::Lane { number, .. } => Some(self.expr(number)),
                    Taken::Votes => None,
                };
                let (call, first) = (shuffle_call(taken, value, number), self.expr(&lanes.first));
                self.line(&format!("{name} = {call}{}", of_lanes(lanes, &first)));
            }
            StatementKind::Barrier(barrier) => {
                let number = match &barrier.waiting {
                    Waiting::Block => String::new(),
                    Waiting::Warp { first: number, .. } | Waiting::Warps { id: number, .. } => self.expr(number),
                };
                self.line(&waiting(barrier, &number));
            }
            StatementKind::Copies(CopyOrder::Commit) => self.line("commit the copies"),
            StatementKind::Copies(CopyOrder::Wait { pending: 0 }) => self.line("wait for the copies"),
            StatementKind::Copies(CopyOrder::Wait { pending }) => {
                self.line(&format!("wait for the copies but those of the last {pending} commits"));
            }
        }
    }

    /// The text of an access: `x.m0[i, thread]`.
    fn access(&mut self, access: &Access) -> String {
        let coordinates: Vec<String> = access.coordinates.iter().map(|coordinate| self.expr(coordinate)).collect();
        let number = map_number(&mut self.maps, &access.map);
        let masked = if access.mask.is_some() { " masked" } else { "" };
        format!("{}.m{number}[{}{masked}]", self.kernel.memory_text(access.memory), coordinates.join(", "))
    }

    fn expr(&mut self, expr: &Expr) -> String {
        with_enough(|| self.expr_of_kind(expr))
    }

    /// The text of an operand, in parentheses if it contains operators.
    fn operand(&mut self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match expr.kind {
            ExprKind::Binary(BinaryOp::FloorDivide | BinaryOp::FloorRemainder, ..) => text,
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Select(..) => format!("({text})"),
            _ => text,
        }
    }

    fn expr_of_kind(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Constant(value) => constant(*value),
            ExprKind::Size(size) => size.to_string(),
            ExprKind::Scalar(param) => self.kernel.memory_text(Memory::Param(*param)),
            ExprKind::Local(local) => self.kernel.local_name(*local),
            ExprKind::BlockId => "block".to_owned(),
            ExprKind::ThreadId => "thread".to_owned(),
            ExprKind::Load(access) => self.access(access),
            ExprKind::Unary(op, operand) => unary(*op, &self.operand(operand)),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                binary(*op, &left, &right)
            }
            ExprKind::Select(condition, then, otherwise) => {
                let (condition, then, otherwise) = (self.expr(condition), self.expr(then), self.expr(otherwise));
                format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
            }
            ExprKind::Cast(operand) => format!("{}({})", expr.element, self.expr(operand)),
            ExprKind::Bits(operand) => format!("bitcast({}, {})", expr.element, self.expr(operand)),
            ExprKind::Math(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{}({})", function.name(), arguments.join(", "))
            }
        }
    }
}

/// `shuffle_xor(v, 16)`, `ballot(c)`
pub(crate) fn shuffle_call<Number>(taken: &Taken<Number>, value: String, number: Option<String>) -> String {
    let operands: Vec<String> = [value].into_iter().chain(number).collect();
    format!("{}({})", taken.name(), operands.join(", "))
}

/// The lanes that execute a shuffle, unless all do.
pub(crate) fn of_lanes<Number>(lanes: &Lanes<Number>, first: &str) -> String {
    if lanes.are_all() { String::new() } else { format!("  // the lanes {:#x} from {first}", lanes.mask) }
}

/// `atomic_add(h.m0[i], 1, order: acquire)`
pub(crate) fn atomic_call(
    operation: AtomicOperation,
    place: String,
    operands: Vec<String>,
    order: MemoryOrder,
    scope: ThreadScope,
) -> String {
    let mut words = vec![place];
    words.extend(operands);
    words.extend((order != MemoryOrder::default()).then(|| format!("order: {}", order.name())));
    words.extend((scope != ThreadScope::default()).then(|| format!("scope: {}", scope.name())));
    format!("{}({})", operation.name(), words.join(", "))
}
