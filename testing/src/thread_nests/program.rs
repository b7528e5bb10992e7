//! The program of a random nest, as it is written and as far as it says who accesses what.

use std::collections::BTreeMap;
use std::fmt;

use maps::threads::Tiling;

/// The values of the names around a place.
pub type Names = BTreeMap<String, i64>;

/// An index expression.
#[derive(Clone, Debug)]
pub enum Index {
    /// A number.
    Constant(i64),
    /// An iterator.
    Name(String),
    /// `a + b`
    Sum(Box<Index>, Box<Index>),
    /// `a - b`
    Difference(Box<Index>, Box<Index>),
    /// `a * 3`
    Times(Box<Index>, i64),
    /// `a / 3` of what is not negative
    Quotient(Box<Index>, i64),
    /// `a % 3` of what is not negative
    Remainder(Box<Index>, i64),
    /// `a % b` of what is not negative
    RemainderBy(Box<Index>, Box<Index>),
    /// `shift_left(1, a)`
    Power(Box<Index>),
    /// What only the data says.
    Data(String),
}

impl Index {
    /// A name.
    pub fn name(name: &str) -> Index {
        Index::Name(name.to_owned())
    }

    /// The sum with another one, without zeros.
    pub fn plus(self, other: Index) -> Index {
        match (self, other) {
            (Index::Constant(0), one) | (one, Index::Constant(0)) => one,
            (left, right) => Index::Sum(Box::new(left), Box::new(right)),
        }
    }

    /// The difference.
    pub fn minus(self, other: Index) -> Index {
        Index::Difference(Box::new(self), Box::new(other))
    }

    /// The product with a number.
    pub fn times(self, factor: i64) -> Index {
        if factor == 1 { self } else { Index::Times(Box::new(self), factor) }
    }

    /// The remainder by a number.
    pub fn rest(self, modulus: i64) -> Index {
        Index::Remainder(Box::new(self), modulus)
    }

    /// The remainder by another index.
    pub fn rest_by(self, modulus: Index) -> Index {
        Index::RemainderBy(Box::new(self), Box::new(modulus))
    }

    /// Two to the power of it.
    pub fn power(self) -> Index {
        Index::Power(Box::new(self))
    }

    /// The quotient by a number.
    pub fn part(self, divisor: i64) -> Index {
        Index::Quotient(Box::new(self), divisor)
    }

    /// The value; `None` where data decides.
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

/// A tensor or a shared array.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// The name of its element type.
    pub element: &'static str,
    /// Its extents.
    pub shape: Vec<i64>,
    /// Whether the threads of a block share it.
    pub shared: bool,
}

/// A view of a shared array that gives each thread of the block some elements.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: String,
    /// The array.
    pub memory: usize,
    /// How many elements a thread has.
    pub local: i64,
    /// The entries of its layout.
    pub layout: &'static str,
}

impl View {
    /// The element of a thread, in row-major order.
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
    /// What is accessed.
    pub memory: usize,
    /// Through which view, if any.
    pub view: Option<View>,
    /// The indices.
    pub indices: Vec<Index>,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Condition {
    /// An index below a number.
    Below(Index, i64),
    /// What only a run knows.
    Open(String),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Node {
    /// `for name in threads(count, unit)`, or with a `name` of nothing `with threads(domain)`.
    Threads {
        /// The iterator.
        name: Option<String>,
        /// `count, unit` or `low..high, unit`.
        domain: String,
        /// How many iterations there are; 1 for a `with`.
        count: i64,
        /// All steps so far.
        tiling: Box<Tiling>,
        /// What they do.
        body: Vec<Node>,
    },
    /// A loop from a number up to another, which may be a symbol of that value.
    Loop {
        /// The iterator.
        name: String,
        /// The first value.
        low: i64,
        /// The end as it is written.
        high: String,
        /// The end.
        end: i64,
        /// The body.
        body: Vec<Node>,
    },
    /// A branch.
    If {
        /// The condition.
        condition: Condition,
        /// Where it holds.
        then: Vec<Node>,
        /// Where it does not.
        otherwise: Vec<Node>,
    },
    /// `let name = index;`
    Let(String, Index),
    /// An assignment of a variable from what is read.
    Assign(String, Vec<Access>),
    /// A store, as it is written, with what is read for it.
    Store {
        /// What is written to.
        target: Access,
        /// The whole statement.
        text: String,
        /// What is read.
        reads: Vec<Access>,
    },
}

/// Writes statements, each on a line of its own.
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
