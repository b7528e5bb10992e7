//! The search for a counterexample as an SMT-LIB 2 script over integers.
//!
//! In SMT-LIB `div` by a positive number rounds down and `mod` is never negative, as in this language. Sizes are
//! constants constrained by the facts, and arithmetic is unbounded. An xor is stated bit by bit, which needs a known
//! bound of one operand.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Claim;
use dims::{Atom, CompareOp, Fact, Facts, Sym, Symbol};
use maps::range::{self, Range};
use maps::{Affine, AxisRole, IndexMap, Term, arithmetic};

/// The most bits of the shorter operand of an xor.
const MOST_BITS: u32 = 24;
/// A longer script is not given to the solver, which would take too long.
const LONGEST: usize = 1 << 20;

/// A question.
pub(super) struct Script {
    lines: String,
    /// The name of each symbol.
    pub symbols: BTreeMap<Symbol, String>,
    /// The names of the upper coordinates of the counterexample.
    pub first: Vec<String>,
    /// Those of its second point, where it has one.
    pub second: Vec<String>,
}

/// A map at one point, as text.
struct Point {
    coordinates: Vec<String>,
    valid: String,
    lower: Vec<String>,
}

impl Script {
    /// The question whether a claim fails. `None` if it cannot be stated: a divisor may be zero, or both operands of
    /// an xor are unbounded.
    pub(super) fn from_claim(claim: Claim<'_>, facts: &Facts) -> Option<Script> {
        let mut writer = Writer { lines: String::new(), symbols: BTreeMap::new(), facts };
        let mut second = Vec::new();
        let first = match claim {
            Claim::CollisionFree { map, race } => {
                let (one, other) = (writer.point(map, "a", None)?, writer.point(map, "b", None)?);
                writer.assert(&one.valid);
                writer.assert(&other.valid);
                for (left, right) in one.lower.iter().zip(&other.lower) {
                    writer.assert(&format!("(= {left} {right})"));
                }
                let axes = map.upper.iter().zip(one.coordinates.iter().zip(&other.coordinates));
                let counted = axes.filter(|(axis, _)| !race || axis.role == AxisRole::Thread);
                let differ = counted.map(|(_, (left, right))| format!("(not (= {left} {right}))"));
                writer.assert(&list("or", "false", differ));
                second = other.coordinates;
                one.coordinates
            }
            Claim::InBounds { map, bounds } => {
                let point = writer.point(map, "a", None)?;
                writer.assert(&point.valid);
                let mut outside = Vec::new();
                for (value, bound) in point.lower.iter().zip(bounds) {
                    outside.push(format!("(or (< {value} 0) (>= {value} {}))", writer.size(bound)?));
                }
                writer.assert(&list("or", "false", outside));
                point.coordinates
            }
            Claim::Equal { left, right } => {
                let one = writer.point(left, "a", None)?;
                let other = writer.point(right, "b", Some(&one.coordinates))?;
                let lower = one.lower.iter().zip(&other.lower);
                let differ = list("or", "false", lower.map(|(left, right)| format!("(not (= {left} {right}))")));
                let (valid, also) = (&one.valid, &other.valid);
                writer.assert(&format!("(or (not (= {valid} {also})) (and {valid} {differ}))"));
                one.coordinates
            }
        };
        writer.state_facts();
        let fits = writer.lines.len() <= LONGEST;
        fits.then_some(Script { lines: writer.lines, symbols: writer.symbols, first, second })
    }

    /// The whole script.
    pub(super) fn text(&self) -> String {
        let declared = self.symbols.values().map(|name| format!("(declare-const {name} Int)\n"));
        let mut text = format!("(set-logic QF_NIA)\n{}{}(check-sat)\n", declared.collect::<String>(), self.lines);
        let names: Vec<&str> =
            self.symbols.values().chain(&self.first).chain(&self.second).map(String::as_str).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "(get-value ({}))", names.join(" "));
        }
        text
    }
}

struct Writer<'a> {
    lines: String,
    symbols: BTreeMap<Symbol, String>,
    facts: &'a Facts,
}

impl Writer<'_> {
    fn assert(&mut self, what: &str) {
        let _ = writeln!(self.lines, "(assert {what})");
    }

    /// Names a value.
    fn define(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.lines, "(define-fun {name} () Int {value})");
    }

    /// Asserts the least value of each symbol and every fact about the symbols.
    fn state_facts(&mut self) {
        // A fact may introduce symbols that other facts constrain.
        let mut stated: Vec<&Fact> = Vec::new();
        loop {
            let about = |fact: &&Fact, symbols: &BTreeMap<Symbol, String>| {
                fact.symbols().iter().any(|symbol| symbols.contains_key(symbol))
            };
            let facts = self.facts;
            let next = facts.iter().find(|fact| about(fact, &self.symbols) && !stated.contains(fact));
            let Some(fact) = next else { break };
            stated.push(fact);
            // Omitting a fact that cannot be stated only admits more counterexamples.
            let (Some(left), Some(right)) = (self.size(&fact.left), self.size(&fact.right)) else {
                continue;
            };
            let comparison = match fact.op {
                CompareOp::Eq => format!("(= {left} {right})"),
                CompareOp::Ne => format!("(not (= {left} {right}))"),
                CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                    format!("({} {left} {right})", fact.op)
                }
            };
            self.assert(&comparison);
        }
        let least = self.symbols.iter().map(|(symbol, name)| format!("(assert (>= {name} {}))", symbol.least()));
        let least = least.collect::<Vec<String>>().join("\n");
        let _ = writeln!(self.lines, "{least}");
    }

    /// A map at a point of its own, or at a given one. The coordinates are inside the extents.
    fn point(&mut self, map: &IndexMap, prefix: &str, given: Option<&[String]>) -> Option<Point> {
        let coordinates = match given {
            Some(given) => given.to_vec(),
            None => {
                let names: Vec<String> = (0..map.upper.len()).map(|axis| format!("{prefix}{axis}")).collect();
                for (axis, name) in map.upper.iter().zip(&names) {
                    let _ = writeln!(self.lines, "(declare-const {name} Int)");
                    self.assert(&format!("(<= 0 {name})"));
                    if let Some(extent) = &axis.extent {
                        let extent = self.size(extent)?;
                        self.assert(&format!("(< {name} {extent})"));
                    }
                }
                names
            }
        };
        let mut ranges: Vec<Range> = Vec::with_capacity(map.terms.len());
        let mut terms: Vec<String> = Vec::with_capacity(map.terms.len());
        for (number, term) in map.terms.iter().enumerate() {
            let (value, range) = self.term(map, term, &coordinates, &terms, &ranges)?;
            let name = format!("{prefix}t{number}");
            self.define(&name, &value);
            terms.push(name);
            ranges.push(range);
        }
        let mut conditions = Vec::new();
        for mask in &map.masks {
            let value = self.form(&mask.value, &terms)?;
            conditions.extend(self.between(&value, mask.low.as_ref(), mask.high.as_ref())?);
        }
        let mut lower = Vec::with_capacity(map.lower.len());
        for axis in &map.lower {
            let value = self.form(&axis.value, &terms)?;
            let low = axis.extent.as_ref().map(|_| Sym::zero());
            conditions.extend(self.between(&value, low.as_ref(), axis.extent.as_ref())?);
            lower.push(value);
        }
        Some(Point { coordinates, valid: list("and", "true", conditions), lower })
    }

    fn between(&mut self, value: &str, low: Option<&Sym>, high: Option<&Sym>) -> Option<Vec<String>> {
        let mut conditions = Vec::new();
        if let Some(low) = low {
            conditions.push(format!("(<= {} {value})", self.size(low)?));
        }
        if let Some(high) = high {
            conditions.push(format!("(< {value} {})", self.size(high)?));
        }
        Some(conditions)
    }

    /// The value of a term, and its range over all points inside the extents.
    fn term(
        &mut self,
        map: &IndexMap,
        term: &Term,
        coordinates: &[String],
        terms: &[String],
        ranges: &[Range],
    ) -> Option<(String, Range)> {
        let facts = self.facts;
        let range_of = |form: &Affine| range::of_affine(form, |term| ranges.get(term.0 as usize), facts);
        match term {
            Term::Coordinate(axis) => {
                let extent = map.upper.get(*axis as usize)?.extent.as_ref();
                Some((coordinates.get(*axis as usize)?.clone(), Range::below(extent).ok()?))
            }
            Term::Digit { of, divisor, modulus } => {
                let quotient = format!("(div {} {})", self.form(of, terms)?, self.radix(divisor)?);
                match modulus {
                    None => Some((quotient, range_of(of).floor_div(divisor, facts))),
                    Some(modulus) => {
                        let text = format!("(mod {quotient} {})", self.radix(modulus)?);
                        Some((text, Range::below(Some(modulus)).ok()?))
                    }
                }
            }
            Term::Xor(left, right) => {
                let (first, second) = (range_of(left), range_of(right));
                let bits = |range: &Range| {
                    let high = range.high.as_ref()?.as_constant().filter(|_| range.not_negative(facts))?;
                    Some(64 - high.max(0).leading_zeros())
                };
                if !first.not_negative(facts) || !second.not_negative(facts) {
                    return None;
                }
                let (left, right) = (self.form(left, terms)?, self.form(right, terms)?);
                let text = match (bits(&first), bits(&second)) {
                    (Some(short), long) if long.is_none_or(|long| short <= long) => xor(&right, &left, short)?,
                    (_, Some(short)) => xor(&left, &right, short)?,
                    _ => return None,
                };
                Some((text, Range::xor(&first, &second, facts)))
            }
        }
    }

    fn form(&mut self, form: &Affine, terms: &[String]) -> Option<String> {
        let mut parts = Vec::with_capacity(form.terms.len() + 1);
        if !form.constant.is_zero() {
            parts.push(self.size(&form.constant)?);
        }
        for (term, coefficient) in &form.terms {
            let term = terms.get(term.0 as usize)?.clone();
            let factor = if coefficient.as_constant() == Some(1) { None } else { Some(self.size(coefficient)?) };
            parts.push(list("*", "1", factor.into_iter().chain([term])));
        }
        Some(list("+", "0", parts))
    }

    /// A divisor or a modulus, which must be known to be positive.
    fn radix(&mut self, size: &Sym) -> Option<String> {
        arithmetic::positive(size, self.facts).then(|| self.size(size))?
    }

    /// A symbolic integer.
    fn size(&mut self, size: &Sym) -> Option<String> {
        let mut parts = Vec::new();
        for (coefficient, factors) in size.terms() {
            let alone = coefficient == 1 && !factors.is_empty();
            let mut product = if alone { Vec::new() } else { vec![integer(coefficient)] };
            for (atom, power) in factors {
                let atom = self.atom(atom)?;
                product.extend(std::iter::repeat_n(atom, usize::try_from(*power).ok()?.min(LONGEST)));
            }
            parts.push(list("*", "1", product));
        }
        let text = list("+", "0", parts);
        (text.len() <= LONGEST).then_some(text)
    }

    fn atom(&mut self, atom: &Atom) -> Option<String> {
        match atom {
            Atom::Symbol(symbol) => {
                let next = format!("s{}", self.symbols.len());
                Some(self.symbols.entry(symbol.clone()).or_insert(next).clone())
            }
            Atom::FloorDiv { dividend, divisor, .. } => {
                Some(format!("(div {} {})", self.size(dividend)?, self.radix(divisor)?))
            }
            Atom::Remainder { dividend, divisor } => {
                Some(format!("(mod {} {})", self.size(dividend)?, self.radix(divisor)?))
            }
            Atom::Min(operands) => self.extreme(operands, "<="),
            Atom::Max(operands) => self.extreme(operands, ">="),
        }
    }

    fn extreme(&mut self, operands: &[Sym], better: &str) -> Option<String> {
        let mut chosen: Option<String> = None;
        for operand in operands {
            let operand = self.size(operand)?;
            chosen = Some(match chosen {
                None => operand,
                Some(best) => format!("(ite ({better} {best} {operand}) {best} {operand})"),
            });
            if chosen.as_ref().is_some_and(|text| text.len() > LONGEST) {
                return None;
            }
        }
        chosen
    }
}

/// `long ^ short` for a `short` in `0..2^bits`: each set bit of `short` flips the bit of `long`.
fn xor(long: &str, short: &str, bits: u32) -> Option<String> {
    if bits > MOST_BITS {
        return None;
    }
    let turned = (0..bits).map(|bit| {
        let weight = 1u64 << bit;
        let is_set = |value: &str| format!("(= 1 (mod (div {value} {weight}) 2))");
        format!("(ite {} (ite {} (- {weight}) {weight}) 0)", is_set(short), is_set(long))
    });
    Some(list("+", "0", std::iter::once(long.to_owned()).chain(turned)))
}

/// `(op part part …)`; a single part alone, and `none` without parts.
fn list(op: &str, none: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    match parts.len() {
        0 => none.to_owned(),
        1 => parts.remove(0),
        _ => format!("({op} {})", parts.join(" ")),
    }
}

/// SMT-LIB has no negative literals.
fn integer(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}
