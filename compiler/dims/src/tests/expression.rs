//! Expressions as a person writes them: the reference that canonical forms and their text are compared with.

use crate::{Arithmetic, Facts, Sym, Symbol};

/// An expression, with the meaning the language gives it and no simplification.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(i64),
    Name(String),
    Negative(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

/// The symbol of a name: `i`, `j` and `t` are coordinates, all others dimensions.
pub fn symbol(name: &str) -> Symbol {
    if matches!(name, "i" | "j" | "t") { Symbol::coordinate(name, 0) } else { Symbol::new(name, 0) }
}

use Expression::{Binary, Name, Negative, Number};

impl Expression {
    /// The value, or nothing where a divisor is zero or 128 bits are left.
    pub fn value(&self, of: &dyn Fn(&str) -> i64) -> Option<i128> {
        match self {
            Number(number) => Some(i128::from(*number)),
            Name(name) => Some(i128::from(of(name))),
            Negative(inner) => inner.value(of)?.checked_neg(),
            Binary(op, left, right) => {
                let (left, right) = (left.value(of)?, right.value(of)?);
                let floor = || {
                    let quotient = left.checked_div(right)?;
                    let inexact = left % right != 0 && ((left < 0) != (right < 0));
                    Some(quotient - i128::from(inexact))
                };
                match *op {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" => floor(),
                    "%" => Some(left - floor()? * right),
                    "cdiv" => {
                        let quotient = floor()?;
                        Some(if quotient * right == left { quotient } else { quotient + 1 })
                    }
                    "min" => Some(left.min(right)),
                    "max" => Some(left.max(right)),
                    other => panic!("unknown operation {other}"),
                }
            }
        }
    }

    /// The canonical form.
    pub fn symbolic(&self, facts: &Facts) -> Result<Sym, Arithmetic> {
        match self {
            Number(number) => Ok(Sym::constant(*number)),
            Name(name) => Ok(Sym::symbol(symbol(name))),
            Negative(inner) => inner.symbolic(facts)?.checked_neg(),
            Binary(op, left, right) => {
                let (left, right) = (left.symbolic(facts)?, right.symbolic(facts)?);
                match *op {
                    "+" => left.checked_add(&right),
                    "-" => left.checked_sub(&right),
                    "*" => left.checked_mul(&right),
                    "/" => left.checked_floor_div(&right, facts),
                    "%" => left.checked_remainder(&right, facts),
                    "cdiv" => left.cdiv(&right, facts),
                    "min" => left.checked_min(&right, facts),
                    "max" => left.checked_max(&right, facts),
                    other => panic!("unknown operation {other}"),
                }
            }
        }
    }

    /// Reads source text; a coefficient may stand directly before a letter, as in `4a`.
    pub fn read(text: &str) -> Expression {
        let mut reader = Reader { left: text };
        let expression = reader.sum();
        assert!(reader.left.trim().is_empty(), "{text:?} has {:?} left over", reader.left);
        expression
    }
}

struct Reader<'t> {
    left: &'t str,
}

impl Reader<'_> {
    fn take(&mut self, symbol: &str) -> bool {
        let rest = self.left.trim_start();
        rest.strip_prefix(symbol).map(|rest| self.left = rest).is_some()
    }

    fn either(&mut self, ops: &[&'static str]) -> Option<&'static str> {
        ops.iter().find(|op| self.take(op)).copied()
    }

    fn sum(&mut self) -> Expression {
        let mut left = self.product();
        while let Some(op) = self.either(&["+", "-"]) {
            left = Binary(op, Box::new(left), Box::new(self.product()));
        }
        left
    }

    fn product(&mut self) -> Expression {
        let mut left = self.unit();
        while let Some(op) = self.either(&["*", "/", "%"]) {
            left = Binary(op, Box::new(left), Box::new(self.unit()));
        }
        left
    }

    fn unit(&mut self) -> Expression {
        if self.take("-") {
            return Negative(Box::new(self.unit()));
        }
        if self.take("(") {
            let inner = self.sum();
            assert!(self.take(")"));
            return inner;
        }
        let rest = self.left.trim_start();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(length);
        self.left = rest;
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let (number, name) = word.split_at(digits);
        match (number.parse().ok().map(Number), name) {
            (Some(number), "") => number,
            (Some(number), name) => Binary("*", Box::new(number), Box::new(Name(name.to_owned()))),
            (None, call @ ("cdiv" | "min" | "max")) => {
                assert!(self.take("("));
                let mut left = self.sum();
                let op = ["cdiv", "min", "max"].into_iter().find(|op| *op == call).unwrap();
                while self.take(",") {
                    left = Binary(op, Box::new(left), Box::new(self.sum()));
                }
                assert!(self.take(")"));
                left
            }
            (None, name) => Name(name.to_owned()),
        }
    }
}
