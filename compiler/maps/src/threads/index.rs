//! Expressions over the number of a thread, as generated code computes them.

use std::fmt;

/// A number that every thread knows of itself. The two together are its natural index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The number of its block in the cluster.
    Rank,
    /// Its number in the block.
    Thread,
}

impl Part {
    /// Its name in predicates.
    pub fn name(self) -> &'static str {
        match self {
            Part::Rank => "cluster_rank",
            Part::Thread => "tid",
        }
    }
}

/// One step of a computation, by a positive number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// `/ c`
    Divide(i64),
    /// `% c`
    Remainder(i64),
    /// `- c`
    Subtract(i64),
}

/// A [`Part`] with a sequence of steps applied to it.
///
/// Only threads that pass the preceding tests of a [`Predicate`] compute it; for them it is never negative, so that
/// `/` and `%` agree in every language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    part: Part,
    steps: Vec<Step>,
    /// One past the largest value.
    end: i64,
}

impl Index {
    /// A part that is below `end`.
    pub(super) fn new(part: Part, end: i64) -> Index {
        Index { part, steps: Vec::new(), end }
    }

    /// The part that the steps apply to.
    pub fn part(&self) -> Part {
        self.part
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// One past the largest value.
    pub fn end(&self) -> i64 {
        self.end
    }

    /// Whether it is 0 in every thread.
    pub fn is_zero(&self) -> bool {
        self.end <= 1
    }

    /// The value in the thread of this number in this block.
    pub fn value(&self, rank: i64, thread: i64) -> i64 {
        if self.is_zero() {
            return 0;
        }
        let from = match self.part {
            Part::Rank => rank,
            Part::Thread => thread,
        };
        self.steps.iter().fold(from, |value, step| match step {
            Step::Divide(divisor) => value / divisor,
            Step::Remainder(modulus) => value % modulus,
            Step::Subtract(amount) => value - amount,
        })
    }

    pub(super) fn divided(mut self, divisor: i64) -> Index {
        if divisor == 1 {
            return self;
        }
        self.end = (self.end - 1) / divisor + 1;
        match self.steps.last_mut() {
            Some(Step::Divide(before)) => *before *= divisor,
            _ => self.steps.push(Step::Divide(divisor)),
        }
        self
    }

    pub(super) fn remainder(mut self, modulus: i64) -> Index {
        if self.end <= modulus {
            return self;
        }
        self.end = modulus;
        // A preceding remainder by, or subtraction of, a multiple of the modulus makes no difference.
        while let Some(Step::Remainder(before) | Step::Subtract(before)) = self.steps.last()
            && before % modulus == 0
        {
            self.steps.pop();
        }
        self.steps.push(Step::Remainder(modulus));
        self
    }

    /// For values that are known to be in `amount..amount + left`.
    pub(super) fn subtracted(mut self, amount: i64, left: i64) -> Index {
        self.end = left;
        match self.steps.last_mut() {
            _ if amount == 0 => {}
            Some(Step::Subtract(before)) => *before += amount,
            _ => self.steps.push(Step::Subtract(amount)),
        }
        self
    }

    /// For values that are known to be below `end`.
    pub(super) fn below(mut self, end: i64) -> Index {
        self.end = self.end.min(end);
        self
    }
}

impl fmt::Display for Index {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return formatter.write_str("0");
        }
        let mut text = self.part.name().to_owned();
        // `/` and `%` associate to the left; `-` has lower precedence.
        let mut is_difference = false;
        for step in &self.steps {
            let (sign, number) = match step {
                Step::Divide(divisor) => ('/', divisor),
                Step::Remainder(modulus) => ('%', modulus),
                Step::Subtract(amount) => ('-', amount),
            };
            text = match is_difference && sign != '-' {
                true => format!("({text}) {sign} {number}"),
                false => format!("{text} {sign} {number}"),
            };
            is_difference = sign == '-';
        }
        formatter.write_str(&text)
    }
}

/// `low <= index < high`; a bound that always holds is omitted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// What is tested.
    pub index: Index,
    /// The smallest value that passes.
    pub low: Option<i64>,
    /// One past the largest value that passes.
    pub high: Option<i64>,
}

impl Test {
    /// Whether the thread of this number in this block passes.
    pub fn holds(&self, rank: i64, thread: i64) -> bool {
        let value = self.index.value(rank, thread);
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value < high)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = &self.index;
        match (self.low, self.high) {
            (None, None) => formatter.write_str("true"),
            (Some(low), None) => write!(formatter, "{index} >= {low}"),
            (None, Some(1)) => write!(formatter, "{index} == 0"),
            (None, Some(high)) => write!(formatter, "{index} < {high}"),
            (Some(low), Some(high)) if low + 1 == high => write!(formatter, "{index} == {low}"),
            (Some(low), Some(high)) => write!(formatter, "{index} >= {low} && {index} < {high}"),
        }
    }
}

/// A conjunction of tests, evaluated in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// The tests. Each relies on those before it.
    pub tests: Vec<Test>,
}

impl Predicate {
    /// Whether the thread of this number in this block passes all tests.
    pub fn holds(&self, rank: i64, thread: i64) -> bool {
        self.tests.iter().all(|test| test.holds(rank, thread))
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tests.is_empty() {
            return formatter.write_str("true");
        }
        let tests: Vec<String> = self.tests.iter().map(Test::to_string).collect();
        formatter.write_str(&tests.join(" && "))
    }
}
