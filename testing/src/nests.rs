//! Random nests of loops and conditions in which threads exchange values, with barriers.
//!
//! A team consists of adjacent threads that wait together: the block, several warps, a warp or a part of one. Threads of
//! a team write elements of shared arrays that belong to the team, wait, read elements that other threads of it wrote,
//! and wait again. Statements of smaller teams end with a barrier of the larger one. So there are no races, and the
//! conditions and loop bounds around barriers are uniform in the team.

use std::collections::BTreeMap;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, Local, SharedId, Statement};

use super::build::{
    KernelBuilder, Masking, add, assign, binary, block_barrier, block_id, cast, compare, constant, for_loop, identity,
    if_else, int, multiply, store, thread_id, warp_barrier, warps_barrier,
};
use super::random::Case;
use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Tensor, random_value};

const BLOCKS: i64 = 3;

/// The case for a seed.
pub fn case(seed: u64) -> Case {
    let mut draw = Draw::new(seed);
    let threads = draw.pick(&[32, 48, 64, 96, 128, 192, 256]);
    let mut builder = KernelBuilder::new("nest", Sym::constant(BLOCKS), Sym::constant(threads));
    let length = Sym::constant(BLOCKS * threads);
    let x = builder.tensor("x", ElementType::I32, std::slice::from_ref(&length), false);
    let y = builder.tensor("y", ElementType::I32, std::slice::from_ref(&length), true);
    let value = builder.local("value", ElementType::I32);
    let arrays = (0..2 + draw.below(2)).map(|number| {
        let elements = [ElementType::I32, ElementType::I32, ElementType::U8, ElementType::I16, ElementType::F32];
        let array = builder.shared(&format!("shared{number}"), draw.pick(&elements), threads);
        builder.kernel.shared[array].cleared = draw.chance(40);
        array
    });
    let arrays = arrays.collect();
    let mut nest = Nest { draw, builder, threads, value, arrays, uniform: vec![block_id()], budget: 14 };
    let start = nest.builder.access(x, &identity(&length), vec![nest.builder.linear_id()], Masking::None);
    let mut body = vec![assign(value, nest.builder.load(start))];
    body.extend(nest.statements(threads, 0));
    let end = nest.builder.access(y, &identity(&length), vec![nest.builder.linear_id()], Masking::None);
    body.push(store(end, nest.builder.read(value)));
    let arguments = vec![tensor(seed, BLOCKS * threads), tensor(seed + 1, BLOCKS * threads)];
    Case { kernel: nest.builder.finish(body), sizes: BTreeMap::new(), arguments }
}

fn tensor(seed: u64, length: i64) -> Argument {
    let mut tensor = Tensor::zeros(ElementType::I32, &[length as u64]).expect("a small tensor");
    for at in 0..length as usize {
        let value = random_value(ElementType::I32, seed, at as u64);
        tensor.set_at(at, value).expect("an i32");
    }
    Argument::Tensor(tensor)
}

struct Nest {
    draw: Draw,
    builder: KernelBuilder,
    threads: i64,
    /// The variable with each thread's value.
    value: Local,
    arrays: Vec<SharedId>,
    /// Nonnegative expressions that are uniform in the team.
    uniform: Vec<Expr>,
    /// The number of statements that may still be added.
    budget: u64,
}

/// A constant of type `i32`.
fn small(value: i64) -> Expr {
    constant(Constant::Int(value), ElementType::I32)
}

fn quotient(operand: Expr, divisor: i64) -> Expr {
    binary(BinaryOp::FloorDivide, operand, int(divisor))
}

fn rest(operand: Expr, divisor: i64) -> Expr {
    binary(BinaryOp::FloorRemainder, operand, int(divisor))
}

impl Nest {
    /// Statements of teams of this size. At their end no access of a shared array is pending within the team.
    fn statements(&mut self, team: i64, depth: u32) -> Vec<Statement> {
        let known = self.uniform.len();
        self.uniform.push(quotient(thread_id(), team));
        let mut statements = Vec::new();
        for _ in 0..2 + self.draw.below(3) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            statements.extend(match self.draw.below(10) {
                0..=3 => self.exchange(team),
                4 => vec![self.alone()],
                5 | 6 if depth < 3 => vec![self.repeated(team, depth)],
                7 if depth < 3 => vec![self.chosen(team, depth)],
                8 | 9 if depth < 3 => self.smaller(team, depth),
                _ => vec![self.alone()],
            });
        }
        self.uniform.truncate(known);
        statements
    }

    /// A barrier of each team.
    fn barrier(&self, team: i64) -> Option<Statement> {
        match team {
            1 => None,
            _ if team == self.threads => Some(block_barrier()),
            32 => Some(warp_barrier(u32::MAX, int(0))),
            _ if team < 32 => {
                let first = multiply(int(team), quotient(rest(thread_id(), 32), team));
                Some(warp_barrier((1 << team) - 1, first))
            }
            // Teams of the same size are active at the same time, and so are larger ones with 64 threads in a part;
            // those of 96 and of 128 never are.
            _ => {
                let first = if team == 64 { 3 } else { 1 };
                Some(warps_barrier(add(int(first), quotient(thread_id(), team)), team as u32))
            }
        }
    }

    /// A thread's position in its team, shifted cyclically.
    fn turned(&mut self, team: i64) -> Expr {
        let place = rest(thread_id(), team);
        let start = multiply(int(team), quotient(thread_id(), team));
        let moved = match self.draw.below(3) {
            0 => place,
            1 => binary(BinaryOp::Subtract, int(team - 1), place),
            _ => rest(add(place, int(self.draw.below(team as u64) as i64)), team),
        };
        add(start, moved)
    }

    /// Each thread writes one element, and reads one that another thread of its team wrote.
    fn exchange(&mut self, team: i64) -> Vec<Statement> {
        let array = self.draw.pick(&self.arrays);
        let (element, cleared) = {
            let array = &self.builder.kernel.shared[array];
            (array.element, array.cleared)
        };
        let place = self.turned(team);
        let target = self.builder.shared_access(array, place);
        let mut write = store(target, cast(element, self.builder.read(self.value)));
        // Elements of a cleared array need not be written.
        if cleared && self.draw.chance(50) {
            let is_written = compare(BinaryOp::NotEqual, rest(thread_id(), 3), int(1));
            write = if_else(is_written, vec![write], vec![]);
        }
        let place = self.turned(team);
        let source = self.builder.shared_access(array, place);
        let operator = self.draw.pick(&[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::BitXor]);
        let other = cast(ElementType::I32, self.builder.load(source));
        let mut statements = vec![write];
        statements.extend(self.barrier(team));
        statements.push(assign(self.value, binary(operator, self.builder.read(self.value), other)));
        if self.draw.chance(30) {
            statements.push(self.common(array, team));
        }
        statements.extend(self.barrier(team));
        statements
    }

    /// All threads of a team read its first element.
    fn common(&mut self, array: SharedId, team: i64) -> Statement {
        let name = format!("common{}", self.builder.kernel.locals.len());
        let local = self.builder.local(&name, ElementType::I64);
        let first = multiply(int(team), quotient(thread_id(), team));
        let source = self.builder.shared_access(array, first);
        let wide = cast(ElementType::I64, cast(ElementType::I32, self.builder.load(source)));
        self.uniform.push(self.builder.read(local));
        assign(local, rest(wide, 5))
    }

    /// Each thread computes on its own.
    fn alone(&mut self) -> Statement {
        let value = self.builder.read(self.value);
        let id = cast(ElementType::I32, thread_id());
        match self.draw.below(3) {
            0 => assign(self.value, add(multiply(value, small(3)), id)),
            1 => {
                let i = self.iterator();
                let grown = add(value, cast(ElementType::I32, self.builder.read(i)));
                for_loop(i, int(0), rest(thread_id(), 4), vec![assign(self.value, grown)])
            }
            _ => {
                let is_some = compare(BinaryOp::Less, rest(thread_id(), 7), int(3));
                if_else(is_some, vec![assign(self.value, binary(BinaryOp::BitXor, value, small(0x5a5a)))], vec![])
            }
        }
    }

    fn iterator(&mut self) -> Local {
        let name = format!("i{}", self.builder.kernel.locals.len());
        self.builder.local(&name, ElementType::I64)
    }

    /// A loop with a trip count that is uniform in the team.
    fn repeated(&mut self, team: i64, depth: u32) -> Statement {
        let count = self.draw.pick(&self.uniform);
        let i = self.iterator();
        let low = self.draw.below(2) as i64;
        let known = self.uniform.len();
        self.uniform.push(self.builder.read(i));
        let body = self.statements(team, depth + 1);
        self.uniform.truncate(known);
        for_loop(i, int(low), rest(count, 4), body)
    }

    /// A condition that is uniform in the team.
    fn chosen(&mut self, team: i64, depth: u32) -> Statement {
        let what = self.draw.pick(&self.uniform);
        let condition = compare(BinaryOp::Less, rest(what, 3), int(1 + self.draw.below(2) as i64));
        let then = self.statements(team, depth + 1);
        let otherwise = if self.draw.chance(50) { self.statements(team, depth + 1) } else { Vec::new() };
        if_else(condition, then, otherwise)
    }

    /// Statements of smaller teams within each team.
    fn smaller(&mut self, team: i64, depth: u32) -> Vec<Statement> {
        let sizes = [128, 96, 64, 32, 16, 8, 4, 1].into_iter().filter(|size| *size < team && team % size == 0);
        let sizes: Vec<i64> = sizes.collect();
        if sizes.is_empty() {
            return vec![self.alone()];
        }
        let size = self.draw.pick(&sizes);
        let mut statements = match self.draw.below(3) {
            0 => self.statements(size, depth + 1),
            1 => {
                let number = quotient(thread_id(), size);
                let is_in = compare(BinaryOp::Less, rest(number, 3), int(1 + self.draw.below(2) as i64));
                let inside = self.statements(size, depth + 1);
                let outside = if self.draw.chance(40) { self.statements(size, depth + 1) } else { Vec::new() };
                vec![if_else(is_in, inside, outside)]
            }
            _ => {
                let i = self.iterator();
                let body = self.statements(size, depth + 1);
                vec![for_loop(i, int(0), rest(quotient(thread_id(), size), 3), body)]
            }
        };
        statements.extend(self.barrier(team));
        statements
    }
}
