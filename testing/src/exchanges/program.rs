//! The text of a random kernel whose threads exchange values.

use std::fmt::Write;

use seeds::Draw;
use shapewright_runtime::tensors::ElementType;

/// The most statements of a kernel.
const MOST_STATEMENTS: usize = 9;

/// A kernel: loops over collectives, and what each thread does in the innermost one. All threads have a variable `a`.
pub struct Nest {
    pub element: ElementType,
    pub threads: usize,
    pub levels: Vec<Level>,
    pub body: Vec<Statement>,
}

/// A loop over collectives of so many threads in a row, which begin at multiples of that.
pub struct Level {
    pub name: String,
    pub count: usize,
    pub size: usize,
    unit: String,
}

/// Threads that exchange values: so many in a row, which begin at multiples of that.
#[derive(Clone)]
pub struct Over {
    pub name: String,
    pub size: usize,
}

/// A function over threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Sum,
    Product,
    Least,
    Greatest,
    RunningSum,
    RunningProduct,
}

/// What a lane takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    At,
    Up,
    Down,
    Xor,
}

/// A number that each thread has.
#[derive(Clone, Copy)]
pub enum Value {
    /// `a`
    Own,
    /// `a & 15`
    Low,
    /// `a * 3 + T(at)`, where `at` is the number of the thread.
    Mixed,
}

/// A condition that is the same for all threads of a collective.
#[derive(Clone)]
pub enum Condition {
    /// `n > 1`
    Parameter(i64),
    /// The iterator of a loop over collectives is even.
    Even(usize),
    /// The greatest `a & 15` over threads is above a number.
    Greatest(Over, i128),
    /// Any thread has a multiple of four.
    Any(Over),
}

/// A statement.
#[derive(Clone)]
pub enum Statement {
    /// `a = a ^ function(value, over: …) + 1`
    Join(Function, Value, Over),
    /// `if any(…) { a = a + 1; } else { a = a - 2; }`, of all if so.
    Truth { all: bool, over: Over },
    /// `a = a + shuffle(value, number)`, where the number is a constant or depends on the thread.
    Shuffle(Lane, Value, Option<i64>),
    /// `a = a ^ T(ballot(…))`
    Ballot,
    /// Two lists, of which one is executed.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A loop of `n` iterations, or of 2.
    Repeat(bool, Vec<Statement>),
    /// `if a & 1 == 0 { a = a + 5; }`, which threads do apart.
    Diverge,
}

impl Nest {
    pub fn new(draw: &mut Draw) -> Self {
        let element =
            draw.pick(&[ElementType::I32, ElementType::U32, ElementType::I64, ElementType::U8, ElementType::I8]);
        let threads = draw.pick(&[32, 64, 96, 128, 128, 256]);
        let sizes = sizes(draw, threads);
        let mut levels: Vec<Level> = Vec::new();
        let mut outer = threads;
        for (place, size) in sizes.into_iter().enumerate() {
            let unit = match size {
                32 => "cuda_warp".to_owned(),
                128 => "cuda_warpgroup".to_owned(),
                1 => "cuda_thread".to_owned(),
                _ => format!("{size} * cuda_thread"),
            };
            // Some of the warps may have nothing to do.
            let idle = usize::from(place == 0 && size % 32 == 0 && outer > size && draw.chance(25));
            levels.push(Level { name: format!("l{place}"), count: outer / size - idle, size, unit });
            outer = size;
        }
        let mut nest = Self { element, threads, levels, body: Vec::new() };
        let mut left = MOST_STATEMENTS;
        nest.body = nest.statements(draw, nest.threads + 1, 2, &mut left);
        nest
    }

    /// The collectives of at most so many threads.
    fn collectives(&self, most: usize) -> Vec<Over> {
        let of_loops = self.levels.iter().map(|level| Over { name: level.name.clone(), size: level.size });
        let all_run = self.levels.first().is_some_and(|level| level.count * level.size == self.threads);
        let block = Over { name: "block".to_owned(), size: self.threads };
        let warp = Over { name: "warp".to_owned(), size: 32 };
        let mut found: Vec<Over> = of_loops.chain([warp]).collect();
        if all_run && most > self.threads {
            found.push(block);
        }
        found.retain(|over| over.size < most);
        found
    }

    /// Statements where threads of one collective, of fewer threads than `most`, are together.
    fn statements(&self, draw: &mut Draw, most: usize, depth: usize, left: &mut usize) -> Vec<Statement> {
        let mut found = Vec::new();
        for _ in 0..draw.between(1, 4) {
            if *left == 0 {
                break;
            }
            *left -= 1;
            found.extend(self.statement(draw, most, depth, left));
        }
        found
    }

    fn statement(&self, draw: &mut Draw, most: usize, depth: usize, left: &mut usize) -> Option<Statement> {
        let collectives = self.collectives(most);
        let over = draw.pick(&collectives);
        let has_warps = most > 32;
        let value = draw.pick(&[Value::Own, Value::Low, Value::Mixed]);
        Some(match draw.below(12) {
            0..=3 => {
                use Function::{Greatest, Least, Product, RunningProduct, RunningSum, Sum};
                Statement::Join(
                    draw.pick(&[Sum, Product, Least, Greatest, RunningSum, RunningSum, RunningProduct]),
                    value,
                    over,
                )
            }
            4 => Statement::Truth { all: draw.chance(50), over },
            5 | 6 if has_warps => {
                let lane = draw.pick(&[Lane::At, Lane::Up, Lane::Down, Lane::Xor]);
                let number = draw.chance(60).then(|| draw.between(0, 31));
                Statement::Shuffle(lane, value, number)
            }
            7 if has_warps => Statement::Ballot,
            8 => Statement::Diverge,
            9 if depth > 0 => {
                let body = self.statements(draw, most, depth - 1, left);
                Statement::Repeat(draw.chance(50), body)
            }
            10 | 11 if depth > 0 => {
                let (condition, together) = self.condition(draw, most)?;
                let then = self.statements(draw, together, depth - 1, left);
                let otherwise =
                    if draw.chance(60) { self.statements(draw, together, depth - 1, left) } else { Vec::new() };
                Statement::If(condition, then, otherwise)
            }
            _ => Statement::Join(Function::Sum, value, over),
        })
    }

    /// A condition, and one more than how many threads at most have it in common.
    fn condition(&self, draw: &mut Draw, most: usize) -> Option<(Condition, usize)> {
        let collectives: Vec<Over> = self.collectives(most).into_iter().filter(|over| over.size > 1).collect();
        if collectives.is_empty() {
            return Some((Condition::Parameter(1), most));
        }
        let over = draw.pick(&collectives);
        let size = over.size;
        Some(match draw.below(4) {
            0 => (Condition::Parameter(draw.between(0, 2)), most),
            1 => {
                let level = draw.index(self.levels.len());
                (Condition::Even(level), most.min(self.levels[level].size + 1))
            }
            2 => (Condition::Greatest(over, i128::from(draw.between(9, 15))), most.min(size + 1)),
            _ => (Condition::Any(over), most.min(size + 1)),
        })
    }

    /// The file.
    pub fn text(&self, blocks: usize) -> String {
        let (element, threads) = (self.element.name(), self.threads);
        let mut text = format!(
            "kernel k(x: {element}[{blocks}, {threads}], n: i64, y: mut {element}[{blocks}, {threads}]) grid({blocks}) block({threads}) {{\n    \
             for b in grid({blocks}) {{\n"
        );
        let mut at = Vec::new();
        for (depth, level) in self.levels.iter().enumerate() {
            let Level { name, count, unit, size } = level;
            writeln!(text, "{}for {name} in threads({count}, {unit}) {{", "    ".repeat(depth + 2)).expect("a string");
            at.push(format!("{size} * {name}"));
        }
        let indent = self.levels.len() + 2;
        let space = "    ".repeat(indent);
        writeln!(text, "{space}let at = {};\n{space}let mut a = x[b, at];", at.join(" + ")).expect("a string");
        Writer { nest: self, text: &mut text, names: 0 }.list(&self.body, indent);
        writeln!(text, "{space}y[b, at] = a;").expect("a string");
        for depth in (0..indent).rev() {
            writeln!(text, "{}}}", "    ".repeat(depth)).expect("a string");
        }
        text
    }
}

/// The sizes of nested collectives, of which each divides the one before, down to single threads.
fn sizes(draw: &mut Draw, threads: usize) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut outer = threads;
    while outer > 1 && sizes.len() < 3 {
        let candidates = [128, 64, 32, 16, 8, 4, 2];
        let fitting: Vec<usize> =
            candidates.into_iter().filter(|size| *size < outer && outer.is_multiple_of(*size)).collect();
        if fitting.is_empty() || draw.chance(35) {
            break;
        }
        outer = draw.pick(&fitting);
        sizes.push(outer);
    }
    sizes.push(1);
    sizes
}

struct Writer<'n> {
    nest: &'n Nest,
    text: &'n mut String,
    names: usize,
}

impl Writer<'_> {
    fn line(&mut self, indent: usize, words: &str) {
        writeln!(self.text, "{}{words}", "    ".repeat(indent)).expect("a string");
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("r{}", self.names)
    }

    fn list(&mut self, statements: &[Statement], indent: usize) {
        statements.iter().for_each(|statement| self.statement(statement, indent));
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Own => "a".to_owned(),
            Value::Low => "a & 15".to_owned(),
            Value::Mixed => format!("a * 3 + {}(at)", self.nest.element.name()),
        }
    }

    fn statement(&mut self, statement: &Statement, indent: usize) {
        let element = self.nest.element.name();
        match statement {
            Statement::Join(function, value, over) => {
                let word = match function {
                    Function::Sum => "sum",
                    Function::Product => "prod",
                    Function::Least => "min",
                    Function::Greatest => "max",
                    Function::RunningSum => "cumsum",
                    Function::RunningProduct => "cumprod",
                };
                let value = self.value(*value);
                self.line(indent, &format!("a = (a ^ {word}({value}, over: {})) + 1;", over.name));
            }
            Statement::Truth { all, over } => {
                let (word, name) = (if *all { "all" } else { "any" }, self.fresh());
                let condition = if *all { "a & 7 != 0" } else { "a & 31 == 0" };
                self.line(indent, &format!("let {name} = {word}({condition}, over: {});", over.name));
                self.line(indent, &format!("a = if {name} {{ a + 1 }} else {{ a - 2 }};"));
            }
            Statement::Shuffle(lane, value, number) => {
                let word = match lane {
                    Lane::At => "shuffle",
                    Lane::Up => "shuffle_up",
                    Lane::Down => "shuffle_down",
                    Lane::Xor => "shuffle_xor",
                };
                let value = self.value(*value);
                let number = number.map_or("a & 31".to_owned(), |number| number.to_string());
                self.line(indent, &format!("a = a + {word}({value}, {number});"));
            }
            Statement::Ballot => self.line(indent, &format!("a = a ^ {element}(ballot(a & 3 == 0));")),
            Statement::Diverge => self.line(indent, "if a & 1 == 0 { a = a + 5; }"),
            Statement::If(condition, then, otherwise) => {
                let words = self.condition(condition);
                self.line(indent, &format!("if {words} {{"));
                self.list(then, indent + 1);
                if !otherwise.is_empty() {
                    self.line(indent, "} else {");
                    self.list(otherwise, indent + 1);
                }
                self.line(indent, "}");
            }
            Statement::Repeat(is_open, body) => {
                let (name, end) = (self.fresh(), if *is_open { "n" } else { "2" });
                self.line(indent, &format!("for {name} in 0..{end} {{"));
                self.list(body, indent + 1);
                self.line(indent, "}");
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Parameter(bound) => format!("n > {bound}"),
            Condition::Even(level) => format!("{} % 2 == 0", self.nest.levels[*level].name),
            Condition::Greatest(over, bound) => format!("max(a & 15, over: {}) > {bound}", over.name),
            Condition::Any(over) => format!("any(a & 3 == 0, over: {})", over.name),
        }
    }
}
