//! The program of a random nest: its text, and the accesses of its threads.

use std::collections::BTreeMap;
use std::fmt;

use maps::threads::Tiling;

/// The values of the names in scope.
pub type Names = BTreeMap<String, i64>;

/// An index expression.
#[derive(Clone, Debug)]
pub enum Index {
    /// A constant.
    Constant(i64),
    /// An iterator.
    Name(String),
    /// `a + b`
    Sum(Box<Index>, Box<Index>),
    /// `a - b`
    Difference(Box<Index>, Box<Index>),
    /// `a * 3`
    Times(Box<Index>, i64),
    /// `a / 3`, where `a` is not negative.
    Quotient(Box<Index>, i64),
    /// `a % 3`, where `a` is not negative.
    Remainder(Box<Index>, i64),
    /// `a % b`, where `a` is not negative.
    RemainderBy(Box<Index>, Box<Index>),
    /// `shift_left(1, a)`
    Power(Box<Index>),
    /// A value from data, as its text.
    Data(String),
}

impl Index {
    /// An index that is a name.
    pub fn name(name: &str) -> Index {
        Index::Name(name.to_owned())
    }

    /// The sum of two indices, without zeros.
    pub fn plus(self, other: Index) -> Index {
        match (self, other) {
            (Index::Constant(0), one) | (one, Index::Constant(0)) => one,
            (left, right) => Index::Sum(Box::new(left), Box::new(right)),
        }
    }

    /// The difference of two indices.
    pub fn minus(self, other: Index) -> Index {
        Index::Difference(Box::new(self), Box::new(other))
    }

    /// The product with a constant.
    pub fn times(self, factor: i64) -> Index {
        if factor == 1 { self } else { Index::Times(Box::new(self), factor) }
    }

    /// The remainder by a constant.
    pub fn rest(self, modulus: i64) -> Index {
        Index::Remainder(Box::new(self), modulus)
    }

    /// The remainder by another index.
    pub fn rest_by(self, modulus: Index) -> Index {
        Index::RemainderBy(Box::new(self), Box::new(modulus))
    }

    /// Two to the power of the index.
    pub fn power(self) -> Index {
        Index::Power(Box::new(self))
    }

    /// The quotient by a constant.
    pub fn part(self, divisor: i64) -> Index {
        Index::Quotient(Box::new(self), divisor)
    }

    /// The value; `None` if it depends on data.
    pub fn value(&self, names: &Names) -> Option<i64> {
        Some(match self {
            Index::Constant(value) => *value,
            Index::Name(name) => *names.get(name)?,
            Index::Sum(left, right) => left.value(names)? + right.value(names)?,
            Index::Difference(left, right) => left.value(names)? - right.value(names)?,
            Index::Times(of, by) => of.value(names)? * by,
            Index::Quotient(of, by) => of.value(names)?.div_euclid(*by),
            Index::Remainder(of, by) => of.value(names)?.rem_euclid(*by),
            Index::RemainderBy(of, by) => of.value(names)?.rem_euclid(by.value(names)?),
            Index::Power(of) => 1 << of.value(names)?,
            Index::Data(_) => return None,
        })
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Index::Constant(value) => write!(f, "{value}"),
            Index::Name(name) | Index::Data(name) => f.write_str(name),
            Index::Sum(left, right) => write!(f, "({left} + {right})"),
            Index::Difference(left, right) => write!(f, "({left} - {right})"),
            Index::Times(of, by) => write!(f, "{of} * {by}"),
            Index::Quotient(of, by) => write!(f, "{of} / {by}"),
            Index::Remainder(of, by) => write!(f, "{of} % {by}"),
            Index::RemainderBy(of, by) => write!(f, "{of} % ({by})"),
            Index::Power(of) => write!(f, "shift_left(1, {of})"),
        }
    }
}

/// Whose the elements of a memory are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The threads': a tensor of which each thread has elements of its own.
    ByThreads,
    /// The block's, in a shared array.
    InSharedMemory,
    /// The block's, in a tensor: if there are several blocks, its first index is the block.
    ByBlock,
}

/// A tensor or a shared array.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// The name of its element type.
    pub element: &'static str,
    /// Its extents, without that of the blocks.
    pub shape: Vec<i64>,
    /// Whose its elements are.
    pub held: Held,
}

/// A view of a shared array in which each thread of the block has some elements.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: String,
    /// The number of the array.
    pub memory: usize,
    /// The number of elements of each thread.
    pub local: i64,
    /// The entries of its layout.
    pub layout: &'static str,
}

impl View {
    /// The row-major index of a thread's element.
    pub fn element(&self, local: i64, thread: i64, threads: i64) -> i64 {
        match self.layout {
            "i0, t0" => local + self.local * thread,
            "t0, i0" => thread + threads * local,
            "i0, -t0" => local + self.local * (threads - 1 - thread),
            _ => threads - 1 - thread + threads * local,
        }
    }
}

/// One access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The number of the accessed memory.
    pub memory: usize,
    /// The view, if there is one.
    pub view: Option<View>,
    /// The indices.
    pub indices: Vec<Index>,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Whether an index is below a number.
    Below(Index, i64),
    /// A condition on data, as its text.
    Open(String),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Node {
    /// `for name in threads(count, unit)`, or without a name `with threads(domain)`.
    Threads {
        /// The iterator.
        name: Option<String>,
        /// `count, unit` or `low..high, unit`.
        domain: String,
        /// The number of iterations; 1 for a `with`.
        count: i64,
        /// The tiling of all steps up to this one.
        tiling: Box<Tiling>,
        /// The body.
        body: Vec<Node>,
    },
    /// A loop from a constant to another one, which may be the value of a symbol.
    Loop {
        /// The iterator.
        name: String,
        /// The first value.
        low: i64,
        /// The text of the end.
        high: String,
        /// The end, exclusive.
        end: i64,
        /// The body.
        body: Vec<Node>,
    },
    /// A branch.
    If {
        /// The condition.
        condition: Condition,
        /// Executed if the condition holds.
        then: Vec<Node>,
        /// Executed otherwise.
        otherwise: Vec<Node>,
    },
    /// `let name = index;`
    Let(String, Index),
    /// An assignment of a variable, with the accesses that it reads.
    Assign(String, Vec<Access>),
    /// A store, with the accesses that its value reads.
    Store {
        /// The written element.
        target: Access,
        /// The text of the statement.
        text: String,
        /// The accesses that its value reads.
        reads: Vec<Access>,
    },
}

/// Writes statements, each on its own line.
pub fn write(nodes: &[Node], indent: usize, text: &mut String) {
    let space = "    ".repeat(indent);
    let mut line = |words: &str| {
        text.push_str(&space);
        text.push_str(words);
        text.push('\n');
    };
    for node in nodes {
        match node {
            Node::Threads { name: Some(name), domain, body, .. } => {
                line(&format!("for {name} in threads({domain}) {{"));
                inner(body, &mut line);
            }
            Node::Threads { name: None, domain, body, .. } => {
                line(&format!("with threads({domain}) {{"));
                inner(body, &mut line);
            }
            Node::Loop { name, low, high, body, .. } => {
                line(&format!("for {name} in {low}..{high} {{"));
                inner(body, &mut line);
            }
            Node::If { condition, then, otherwise } => {
                line(&match condition {
                    Condition::Below(index, bound) => format!("if {index} < {bound} {{"),
                    Condition::Open(words) => format!("if {words} {{"),
                });
                let last = otherwise.is_empty();
                body_lines(then, &mut line);
                if !last {
                    line("} else {");
                    body_lines(otherwise, &mut line);
                }
                line("}");
            }
            Node::Let(name, index) => line(&format!("let {name} = {index};")),
            Node::Assign(words, _) | Node::Store { text: words, .. } => line(words),
        }
    }
}

fn inner(body: &[Node], line: &mut dyn FnMut(&str)) {
    body_lines(body, line);
    line("}");
}

fn body_lines(body: &[Node], line: &mut dyn FnMut(&str)) {
    let mut within = String::new();
    write(body, 1, &mut within);
    within.lines().for_each(line);
}
