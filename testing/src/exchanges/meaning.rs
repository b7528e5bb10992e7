//! What a random kernel means: each statement is executed for all threads at once.

use shapewright_runtime::tensors::ElementType;

use super::program::{Condition, Function, Lane, Nest, Over, Statement, Value};

/// The value of a type that an integer wraps to.
pub fn wrapped(value: i128, element: ElementType) -> i128 {
    let bits = element.bits();
    let low = value.rem_euclid(1 << bits);
    if element.is_signed() && low >= 1 << (bits - 1) { low - (1 << bits) } else { low }
}

/// What the threads of a block store.
pub fn of_block(nest: &Nest, x: &[i128], n: i64) -> Vec<i128> {
    let runs = |thread: usize| {
        let mut left = thread;
        nest.levels.iter().all(|level| {
            let has_one = left / level.size < level.count;
            left %= level.size;
            has_one
        })
    };
    let together: Vec<usize> = (0..nest.threads).filter(|thread| runs(*thread)).collect();
    let mut block = Block { nest, a: x.to_vec(), n };
    block.list(&nest.body, &together);
    (0..nest.threads).map(|thread| if runs(thread) { block.a[thread] } else { 0 }).collect()
}

struct Block<'n> {
    nest: &'n Nest,
    a: Vec<i128>,
    n: i64,
}

impl Block<'_> {
    fn wrap(&self, value: i128) -> i128 {
        wrapped(value, self.nest.element)
    }

    fn list(&mut self, statements: &[Statement], threads: &[usize]) {
        if !threads.is_empty() {
            statements.iter().for_each(|statement| self.statement(statement, threads));
        }
    }

    fn value(&self, value: Value, thread: usize) -> i128 {
        let a = self.a[thread];
        match value {
            Value::Own => a,
            Value::Low => a & 15,
            Value::Mixed => self.wrap(self.wrap(a * 3) + self.wrap(thread as i128)),
        }
    }

    /// The threads of the collective of a thread, all of which have come.
    fn of(over: &Over, thread: usize, threads: &[usize]) -> Vec<usize> {
        let first = thread / over.size * over.size;
        let all: Vec<usize> = (first..first + over.size).collect();
        assert!(all.iter().all(|other| threads.contains(other)), "not all threads of {} come", over.name);
        all
    }

    fn statement(&mut self, statement: &Statement, threads: &[usize]) {
        let before = self.a.clone();
        match statement {
            Statement::Join(function, value, over) => {
                let values: Vec<i128> = (0..before.len()).map(|thread| self.value(*value, thread)).collect();
                for &thread in threads {
                    let mut all = Self::of(over, thread, threads);
                    if matches!(function, Function::RunningSum | Function::RunningProduct) {
                        all.retain(|other| *other <= thread);
                    }
                    let joined =
                        all.iter().map(|other| values[*other]).reduce(|left, right| self.join(*function, left, right));
                    let joined = joined.expect("a collective has threads");
                    self.a[thread] = self.wrap((before[thread] ^ joined) + 1);
                }
            }
            Statement::Truth { all, over } => {
                for &thread in threads {
                    let own = Self::of(over, thread, threads);
                    let holds = match all {
                        true => own.iter().all(|other| before[*other] & 7 != 0),
                        false => own.iter().any(|other| before[*other] & 31 == 0),
                    };
                    self.a[thread] = self.wrap(if holds { before[thread] + 1 } else { before[thread] - 2 });
                }
            }
            Statement::Shuffle(lane, value, number) => {
                let values: Vec<i128> = (0..before.len()).map(|thread| self.value(*value, thread)).collect();
                for &thread in threads {
                    let (first, own) = (thread / 32 * 32, (thread % 32) as i64);
                    let number = number.unwrap_or((before[thread] & 31) as i64);
                    let found = match lane {
                        Lane::At => number,
                        Lane::Up => own - number,
                        Lane::Down => own + number,
                        Lane::Xor => own ^ number,
                    };
                    let found = if (0..32).contains(&found) { found } else { own };
                    self.a[thread] = self.wrap(before[thread] + values[first + found as usize]);
                }
            }
            Statement::Ballot => {
                for &thread in threads {
                    let first = thread / 32 * 32;
                    let votes = (0..32)
                        .filter(|lane| before[first + lane] & 3 == 0)
                        .fold(0i128, |votes, lane| votes | 1 << lane);
                    self.a[thread] = self.wrap(before[thread] ^ self.wrap(votes));
                }
            }
            Statement::Diverge => {
                for &thread in threads.iter().filter(|thread| before[**thread] & 1 == 0) {
                    self.a[thread] = self.wrap(before[thread] + 5);
                }
            }
            Statement::If(condition, then, otherwise) => {
                let (inside, outside): (Vec<usize>, Vec<usize>) =
                    threads.iter().partition(|thread| self.holds(condition, **thread, threads));
                self.list(then, &inside);
                self.list(otherwise, &outside);
            }
            Statement::Repeat(is_open, body) => {
                for _ in 0..if *is_open { self.n } else { 2 } {
                    self.list(body, threads);
                }
            }
        }
    }

    fn join(&self, function: Function, left: i128, right: i128) -> i128 {
        match function {
            Function::Sum | Function::RunningSum => self.wrap(left + right),
            Function::Product | Function::RunningProduct => self.wrap(left * right),
            Function::Least => left.min(right),
            Function::Greatest => left.max(right),
        }
    }

    fn holds(&self, condition: &Condition, thread: usize, threads: &[usize]) -> bool {
        match condition {
            Condition::Parameter(bound) => self.n > *bound,
            Condition::Even(level) => {
                let outer = level.checked_sub(1).map_or(self.nest.threads, |outer| self.nest.levels[outer].size);
                (thread % outer / self.nest.levels[*level].size).is_multiple_of(2)
            }
            Condition::Greatest(over, bound) => {
                Self::of(over, thread, threads).iter().map(|other| self.a[*other] & 15).max() > Some(*bound)
            }
            Condition::Any(over) => Self::of(over, thread, threads).iter().any(|other| self.a[*other] & 3 == 0),
        }
    }
}
