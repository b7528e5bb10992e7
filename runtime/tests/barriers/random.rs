//! Random nests of loops, branches and collectives with barriers in them. None of them has a race: between two barriers
//! a thread writes its own elements of the shared arrays only, or its collective reads each other's.

use kernel::typed::{Local, SharedId};
use seeds::Draw;

use super::*;

#[test]
fn machine_code_runs_random_nests() {
    for seed in seeds::range(60) {
        let kernel = Generator::kernel(seed);
        let problem = std::panic::catch_unwind(|| check(&kernel));
        assert!(problem.is_ok(), "seed {seed}\n{}", kernel.schedule_text());
    }
}

/// Threads that wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collective {
    Block,
    /// So many neighbouring threads: 16, 32 or 64.
    Neighbours(i64),
}

struct Generator {
    draw: Draw,
    builder: KernelBuilder,
    threads: i64,
    collective: Collective,
    /// The shared arrays, one element per thread each.
    arrays: Vec<(SharedId, ElementType)>,
    variables: Vec<(Local, ElementType)>,
    /// The iterators of the loops around, the same for all threads of the collective.
    counters: Vec<Local>,
    input: (kernel::typed::ParamId, i64),
    outputs: Vec<(kernel::typed::ParamId, ElementType)>,
    budget: u64,
}

const TYPES: [ElementType; 4] = [I64, ElementType::I32, F32, ElementType::I16];

impl Generator {
    fn kernel(seed: u64) -> Kernel {
        let mut draw = Draw::new(seed);
        let threads = draw.pick(&[64, 128, 128, 24, 7]);
        let mut builder = KernelBuilder::new("nest", sym(2), sym(threads));
        let input = (builder.tensor("x", I64, &[sym(100)], false), 100);
        let mut generator = Generator {
            draw,
            threads,
            collective: Collective::Block,
            arrays: Vec::new(),
            variables: Vec::new(),
            counters: Vec::new(),
            input,
            outputs: Vec::new(),
            budget: 30,
            builder,
        };
        for element in TYPES {
            let name = element.to_string();
            let builder = &mut generator.builder;
            let array = builder.cleared_array(&format!("s_{name}"), element, threads);
            let output = builder.tensor(&format!("y_{name}"), element, &[sym(2 * threads)], true);
            let variable = builder.local(&format!("v_{name}"), element);
            generator.arrays.push((array, element));
            generator.outputs.push((output, element));
            generator.variables.push((variable, element));
        }
        let mut body = generator.list(0);
        for place in 0..generator.outputs.len() {
            body.push(generator.output(place));
        }
        generator.builder.finish(body)
    }

    fn list(&mut self, depth: u32) -> Vec<Statement> {
        let scope = self.variables.len();
        let mut statements = Vec::new();
        for _ in 0..2 + self.draw.below(4) {
            if self.budget > 0 {
                self.budget -= 1;
                self.statement(depth, &mut statements);
            }
        }
        self.variables.truncate(scope);
        statements
    }

    fn statement(&mut self, depth: u32, statements: &mut Vec<Statement>) {
        match self.draw.below(12) {
            0..=2 => self.exchange(statements),
            3 => {
                let (array, element) = self.draw.pick(&self.arrays);
                let value = self.value(element, 2);
                statements.push(store(self.builder.element_of(array, thread_id()), value));
            }
            4 => {
                let element = self.draw.pick(&TYPES);
                let local = self.builder.local(&format!("l{}", self.builder.kernel.locals.len()), element);
                statements.push(assign(local, self.value(element, 2)));
                self.variables.push((local, element));
            }
            5 => statements.push(self.change()),
            6 => {
                let condition = self.condition();
                let otherwise = if self.draw.chance(50) { vec![self.change()] } else { Vec::new() };
                statements.push(if_else(condition, vec![self.change()], otherwise));
            }
            7 => {
                let place = self.draw.below(self.outputs.len() as u64) as usize;
                statements.push(self.output(place));
            }
            8 if depth < 4 => {
                let condition = compare(BinaryOp::Equal, remainder(self.shared_number(), 2), int(0));
                let then = self.list(depth + 1);
                let otherwise = if self.draw.chance(50) { self.list(depth + 1) } else { Vec::new() };
                statements.push(if_else(condition, then, otherwise));
            }
            9 | 10 if depth < 4 => statements.push(self.repeat(depth)),
            11 if depth < 4 => statements.extend(self.smaller_collectives(depth)),
            _ => statements.push(self.change()),
        }
    }

    /// Reads the elements of other threads of the collective.
    fn exchange(&mut self, statements: &mut Vec<Statement>) {
        statements.push(self.barrier());
        for _ in 0..1 + self.draw.below(2) {
            let place = self.draw.below(self.arrays.len() as u64) as usize;
            let ((array, element), (local, _)) = (self.arrays[place], self.variables[place]);
            let (size, within) = match self.collective {
                Collective::Block => (self.threads, thread_id()),
                Collective::Neighbours(size) => (size, remainder(thread_id(), size)),
            };
            let by = self.draw.between(0, size - 1);
            let other = match self.draw.below(3) {
                0 => binary(BinaryOp::Subtract, int(size - 1), within.clone()),
                _ => remainder(add(within.clone(), int(by)), size),
            };
            let start = binary(BinaryOp::Subtract, thread_id(), within);
            let value = self.builder.read_shared(array, add(start, other));
            let value = if self.draw.chance(50) { add(self.builder.read(local), value) } else { value };
            assert_eq!(value.element, element);
            let read = assign(local, value);
            statements.push(if self.draw.chance(25) { when(self.condition(), vec![read]) } else { read });
        }
        statements.push(self.barrier());
    }

    fn barrier(&self) -> Statement {
        match self.collective {
            Collective::Block => block_barrier(),
            Collective::Neighbours(16) => {
                warp_barrier(0xffff, multiply(quotient(remainder(thread_id(), 32), 16), int(16)))
            }
            Collective::Neighbours(32) => warp_barrier(u32::MAX, int(0)),
            Collective::Neighbours(size) => warps_barrier(add(int(1), quotient(thread_id(), size)), size as u32),
        }
    }

    /// Some of the collectives that this one is made of, each doing what follows.
    fn smaller_collectives(&mut self, depth: u32) -> Option<Statement> {
        let size = match self.collective {
            Collective::Block if self.threads % 64 == 0 => self.draw.pick(&[16, 32, 64]),
            Collective::Neighbours(64) => 32,
            Collective::Neighbours(32) => 16,
            _ => return None,
        };
        let all = self.threads / size;
        let few = self.draw.between(1, all);
        let outer = std::mem::replace(&mut self.collective, Collective::Neighbours(size));
        let then = self.list(depth + 1);
        let otherwise = if self.draw.chance(30) { self.list(depth + 1) } else { Vec::new() };
        self.collective = outer;
        Some(if_else(less(quotient(thread_id(), size), int(few)), then, otherwise))
    }

    fn repeat(&mut self, depth: u32) -> Statement {
        let counter = self.builder.local(&format!("k{}", self.builder.kernel.locals.len()), I64);
        let low = self.draw.between(-1, 1);
        let high = match self.draw.below(3) {
            0 => int(low + self.draw.between(0, 3)),
            1 => add(remainder(self.shared_number(), 3), int(low + 1)),
            // What all threads know, kept in a variable.
            _ => math(kernel::typed::MathFunction::Min, I64, vec![remainder(self.shared_number(), 4), int(3)]),
        };
        self.counters.push(counter);
        let body = self.list(depth + 1);
        self.counters.pop();
        for_loop(counter, int(low), high, body)
    }

    /// A number that is the same for all threads of the collective.
    fn shared_number(&mut self) -> Expr {
        let own = match self.collective {
            Collective::Block => block_id(),
            Collective::Neighbours(size) => quotient(thread_id(), size),
        };
        let around = match self.counters.last() {
            Some(&counter) if self.draw.chance(60) => add(own, self.builder.read(counter)),
            _ => own,
        };
        add(around, int(self.draw.between(0, 3)))
    }

    fn change(&mut self) -> Statement {
        let (local, element) = self.draw.pick(&self.variables);
        assign(local, self.value(element, 2))
    }

    fn output(&mut self, place: usize) -> Statement {
        let (param, element) = self.outputs[place];
        let length = sym(2 * self.threads);
        let to = self.builder.access(param, &identity(&length), vec![self.builder.linear_id()], Masking::None);
        store(to, self.value(element, 1))
    }

    fn condition(&mut self) -> Expr {
        let left = remainder(add(thread_id(), self.shared_number()), self.draw.between(2, 9));
        less(left, int(self.draw.between(1, 6)))
    }

    /// A value that may differ from thread to thread.
    fn value(&mut self, element: ElementType, depth: u32) -> Expr {
        match self.draw.below(if depth == 0 { 3 } else { 7 }) {
            0 => cast(element, add(thread_id(), self.shared_number())),
            1 | 2 => {
                let known: Vec<Local> =
                    self.variables.iter().filter(|(_, of)| *of == element).map(|(local, _)| *local).collect();
                self.builder.read(self.draw.pick(&known))
            }
            3 => {
                let array = self.arrays.iter().find(|(_, of)| *of == element).unwrap().0;
                self.builder.read_shared(array, thread_id())
            }
            4 => {
                let (param, length) = self.input;
                let index = remainder(add(multiply(self.builder.linear_id(), int(7)), self.shared_number()), length);
                let from = self.builder.access(param, &identity(&sym(length)), vec![index], Masking::None);
                let value = remainder(self.builder.load(from), 100);
                cast(element, value)
            }
            _ => {
                let operator = self.draw.pick(&[BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply]);
                let left = self.value(element, depth - 1);
                binary(operator, left, self.value(element, depth - 1))
            }
        }
    }
}
