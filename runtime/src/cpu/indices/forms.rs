//! Indices as sums of counters, for compiled code.
//!
//! Compiled code is fast if an address is a sum of loop counters times coefficients: loop-invariant parts are computed
//! before the loop, and adjacent elements are accessed as vectors. A [`Form`] is the kernel's sum for a value
//! ([`Program::sum`]), with sizes from the launch's table and the thread's id in terms of this code's counters. Sums
//! wrap like the arithmetic that they stand for, so sums that may overflow are forms, too.

use std::collections::HashMap;

use elements::ElementType;
use kernel::loops::{LoopId, Node, ValueId};
use kernel::typed::{BinaryOp, UnaryOp};
use kernel::with_enough_stack;
use maps::{Affine, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cpu::known::Known;
use crate::cpu::launch::launch_table::{LaunchTable, LaunchValue};
use crate::cpu::options::Options;
use crate::cpu::program::{Program, Taken};
use crate::cpu::vectors::packs::Pack;

/// The most terms of a form; a longer sum is an atom.
const MOST_TERMS: usize = 16;

/// An index into [`Forms`]' atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// The atoms of forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A value that is no form of other values: an id, an iterator, an element of memory.
    Value(ValueId),
    /// The position in the loop over the iterations of all threads: see [`Forms::flatten`].
    Run,
    /// A digit of the thread's id: see [`Forms::split`].
    Digit(Digit),
    /// The quotient of a form by a launch value, rounded down.
    Quotient(Form, LaunchValue),
    /// The remainder of that division.
    Remainder(Form, LaunchValue),
    /// The bitwise exclusive or of two forms.
    Xor(Form, Form),
}

/// The digits of a split thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digit {
    /// The quotient by the number of values of the low digit.
    High,
    /// The remainder.
    Low,
}

impl Digit {
    /// The other one.
    pub fn other(self) -> Digit {
        match self {
            Digit::High => Digit::Low,
            Digit::Low => Digit::High,
        }
    }
}

/// A split of thread ids into digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// The number of values of the low digit.
    pub low: i64,
    /// The number of values of the high digit.
    pub high: i64,
}

impl Digits {
    /// The number of values of a digit.
    pub fn count(self, digit: Digit) -> i64 {
        match digit {
            Digit::High => self.high,
            Digit::Low => self.low,
        }
    }
}

/// `constant + Σ coefficient · atom`, with atoms ascending and no coefficient that is known to be zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The part without an atom.
    pub constant: LaunchValue,
    /// Coefficients by atom.
    pub terms: Vec<(AtomId, LaunchValue)>,
}

impl Form {
    /// A form without atoms.
    pub fn constant(value: LaunchValue) -> Form {
        Form { constant: value, terms: Vec::new() }
    }

    /// The value, if the form has no atoms.
    pub fn as_launch_value(&self) -> Option<LaunchValue> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// Where a sum of the kernel stands.
#[derive(Clone, Copy)]
enum Part {
    /// It is a value, or is added to others: it may wrap as a whole.
    Sum,
    /// It is the operand of a division or an exclusive or.
    Operand,
}

/// The forms of a program's values.
pub struct Forms<'l> {
    /// The program that is lowered.
    pub program: &'l Program<'l>,
    /// The values that the launch provides.
    pub launch: LaunchTable,
    /// The options of the code, on which plans depend.
    pub options: Options,
    /// The values that the code has computed so far.
    pub known: Known<Pack>,
    /// The values that the current plan has visited so far.
    pub seen: Known<()>,
    /// The values that the current barrier region takes from arrays.
    pub taken: &'l Taken,
    atoms: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    /// The forms of values, valid until the counters change.
    made: FxHashMap<ValueId, Form>,
    /// The flattened loop and its number of iterations.
    flat: Option<(LoopId, i64)>,
    /// The split of the thread's id.
    pub(super) digits: Option<Digits>,
}

impl<'l> Forms<'l> {
    /// Starts without any forms.
    pub fn new(program: &'l Program<'l>, taken: &'l Taken, options: Options) -> Forms<'l> {
        Forms {
            program,
            launch: LaunchTable::default(),
            options,
            known: Known::default(),
            seen: Known::default(),
            taken,
            atoms: Vec::new(),
            ids: HashMap::new(),
            made: FxHashMap::default(),
            flat: None,
            digits: None,
        }
    }

    /// Enters a barrier region that takes these values from arrays.
    pub fn take(&mut self, taken: &'l Taken) {
        self.taken = taken;
        self.forget();
    }

    /// Drops all forms, because the counters change.
    pub(super) fn forget(&mut self) {
        self.made.clear();
    }

    /// The computation of a value in the current barrier region.
    pub fn node(&self, id: ValueId) -> &'l Node {
        self.program.node(id, self.taken)
    }

    /// Whether computing a value still requires a load.
    pub fn reads(&self, id: ValueId) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            let is_known = self.known.get(id).is_some() || self.seen.get(id).is_some();
            if is_known || !self.program.reads_memory(id) || !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Load(_) => return true,
                node => open.extend(node.operands()),
            }
        }
        false
    }

    /// Whether a form consists of this value alone.
    pub fn is_own(&self, form: &Form, id: ValueId) -> bool {
        match form.terms.as_slice() {
            [(atom, coefficient)] if coefficient.is(1) && form.constant.is(0) => *self.atom(*atom) == Atom::Value(id),
            _ => false,
        }
    }

    /// The atom's number.
    pub fn id(&mut self, atom: Atom) -> AtomId {
        let next = AtomId(self.atoms.len() as u32);
        let atoms = &mut self.atoms;
        *self.ids.entry(atom.clone()).or_insert_with(|| {
            atoms.push(atom);
            next
        })
    }

    /// The atom with this number.
    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    /// From now on, the loops over the threads and over `trips` iterations of each thread are one loop, thread after
    /// thread. Its position is [`Atom::Run`], the thread is the quotient of the position by the number of iterations,
    /// and the iterator is the remainder.
    pub fn flatten(&mut self, counted: LoopId, trips: i64) {
        self.flat = Some((counted, trips));
        self.forget();
    }

    /// Ends the effect of [`Forms::flatten`].
    pub fn unflatten(&mut self) {
        self.flat = None;
        self.forget();
    }

    /// The thread (or the iterator) in a flattened loop.
    fn of_run(&mut self, trips: i64, thread: bool) -> Form {
        let run = self.of_atom(Atom::Run);
        self.digit(run, LaunchValue::Constant(trips), thread)
    }

    /// The form of an integer.
    pub fn form(&mut self, id: ValueId) -> Form {
        if let Some(known) = self.made.get(&id) {
            return known.clone();
        }
        let form = with_enough_stack(|| self.make(id));
        self.made.insert(id, form.clone());
        form
    }

    fn make(&mut self, id: ValueId) -> Form {
        match self.node(id) {
            Node::Thread => match self.flat {
                Some((_, trips)) => self.of_run(trips, true),
                None => self.thread(id),
            },
            Node::Iterator(counted) => match self.flat {
                Some((flat, trips)) if flat == *counted => self.of_run(trips, false),
                _ => self.of_atom(Atom::Value(id)),
            },
            Node::Load(_) | Node::Merge(_) => self.of_atom(Atom::Value(id)),
            _ if self.program.element(id) != ElementType::I64 => self.of_atom(Atom::Value(id)),
            node => match self.program.sum(id) {
                Some(sum) => self.converted(sum, Part::Sum),
                None => self.wrapping(id, node),
            },
        }
    }

    /// The form of a sum of the kernel.
    fn converted(&mut self, sum: &Affine, part: Part) -> Form {
        let mut form = Form::constant(self.launch.size(&sum.constant));
        for (term, coefficient) in &sum.terms {
            let of = match self.program.term(*term) {
                Some(Term::Coordinate(value)) => self.coordinate(ValueId(*value), part),
                Some(Term::Digit { of, divisor, modulus }) => {
                    let of = self.converted(of, Part::Operand);
                    let divisor = self.launch.divisor(divisor);
                    let mut digit = self.digit(of, divisor, true);
                    if let Some(modulus) = modulus {
                        let modulus = self.launch.divisor(modulus);
                        digit = self.digit(digit, modulus, false);
                    }
                    digit
                }
                Some(Term::Xor(left, right)) => {
                    let (left, right) = (self.converted(left, Part::Operand), self.converted(right, Part::Operand));
                    self.xor(left, right)
                }
                None => Form::constant(LaunchValue::Constant(0)),
            };
            let coefficient = self.launch.size(coefficient);
            let scaled = self.scale(&of, coefficient);
            form = self.add(&form, &scaled);
        }
        form
    }

    /// The form of a value in a sum. Arithmetic that may wrap is a value of its own where it is divided: the lanes of a vector are
    /// taken to differ by the coefficients of what is divided, which they do not where it wraps in between.
    fn coordinate(&mut self, id: ValueId, part: Part) -> Form {
        let may_wrap = matches!(self.node(id), Node::Unary(..) | Node::Binary(..)) && self.program.sum(id).is_none();
        match part {
            Part::Operand if may_wrap => self.of_atom(Atom::Value(id)),
            Part::Operand | Part::Sum => self.form(id),
        }
    }

    /// The form of arithmetic that may overflow.
    fn wrapping(&mut self, id: ValueId, node: &Node) -> Form {
        let form = match node {
            Node::Unary(UnaryOp::Negate, operand) => {
                let form = self.form(*operand);
                self.scale(&form, LaunchValue::Constant(-1))
            }
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let (left, right) = (self.form(*left), self.form(*right));
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                let right = self.scale(&right, LaunchValue::Constant(sign));
                self.add(&left, &right)
            }
            Node::Binary(BinaryOp::Multiply, left, right) => {
                let (left, right) = (self.form(*left), self.form(*right));
                match (left.as_launch_value(), right.as_launch_value()) {
                    (_, Some(factor)) => self.scale(&left, factor),
                    (Some(factor), None) => self.scale(&right, factor),
                    (None, None) => self.of_atom(Atom::Value(id)),
                }
            }
            _ => self.of_atom(Atom::Value(id)),
        };
        if form.terms.len() > MOST_TERMS { self.of_atom(Atom::Value(id)) } else { form }
    }

    fn xor(&mut self, left: Form, right: Form) -> Form {
        match (left.as_launch_value(), right.as_launch_value()) {
            (Some(left), Some(right)) => Form::constant(self.launch.xor(left, right)),
            _ => self.of_atom(Atom::Xor(left, right)),
        }
    }

    pub(super) fn digit(&mut self, of: Form, divisor: LaunchValue, quotient: bool) -> Form {
        match (of.as_launch_value(), divisor.as_constant()) {
            (Some(value), _) if quotient => Form::constant(self.launch.floor_divide(value, divisor)),
            (Some(value), _) => Form::constant(self.launch.floor_remainder(value, divisor)),
            (None, Some(..=1)) if quotient => of,
            (None, Some(..=1)) => Form::constant(LaunchValue::Constant(0)),
            (None, Some(constant)) => match self.digit_of_digits(&of, constant, quotient) {
                Some(form) => form,
                None if quotient => self.of_atom(Atom::Quotient(of, divisor)),
                None => self.of_atom(Atom::Remainder(of, divisor)),
            },
            _ if quotient => self.of_atom(Atom::Quotient(of, divisor)),
            _ => self.of_atom(Atom::Remainder(of, divisor)),
        }
    }

    /// The form that consists of one atom.
    pub fn of_atom(&mut self, atom: Atom) -> Form {
        let id = self.id(atom);
        self.of_id(id)
    }
    /// The form that consists of the atom with this number.
    pub fn of_id(&self, id: AtomId) -> Form {
        Form { constant: LaunchValue::Constant(0), terms: vec![(id, LaunchValue::Constant(1))] }
    }

    /// The sum of two forms.
    pub fn add(&mut self, left: &Form, right: &Form) -> Form {
        let constant = self.launch.add(left.constant, right.constant);
        let mut terms = left.terms.clone();
        for &(id, coefficient) in &right.terms {
            match terms.binary_search_by_key(&id, |(id, _)| *id) {
                Ok(place) => {
                    let sum = self.launch.add(terms[place].1, coefficient);
                    terms[place].1 = sum;
                }
                Err(place) => terms.insert(place, (id, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is(0));
        self.join_digits(Form { constant, terms })
    }

    /// The form after replacing `d * (x / d) + x % d` by `x`.
    fn join_digits(&mut self, mut form: Form) -> Form {
        let pair = form.terms.iter().enumerate().find_map(|(high, (id, times))| {
            let Atom::Quotient(of, divisor) = self.atom(*id) else { return None };
            let remainder = self.ids.get(&Atom::Remainder(of.clone(), *divisor))?;
            let low = form.terms.binary_search_by_key(remainder, |(id, _)| *id).ok()?;
            let coefficient = form.terms[low].1;
            let whole = coefficient.as_constant()?.checked_mul(divisor.as_constant()?)?;
            times.is(whole).then(|| (high, low, of.clone(), coefficient))
        });
        let Some((high, low, of, coefficient)) = pair else { return form };
        form.terms.remove(high.max(low));
        form.terms.remove(high.min(low));
        let joined = self.scale(&of, coefficient);
        self.add(&form, &joined)
    }

    /// The form after increasing a counter by a constant.
    pub fn moved(&mut self, form: &Form, counter: AtomId, by: i64) -> Form {
        let mut sum = Form::constant(form.constant);
        for &(id, coefficient) in &form.terms {
            let atom = match self.atom(id).clone() {
                _ if id == counter => {
                    let mut moved = self.of_id(id);
                    moved.constant = LaunchValue::Constant(by);
                    moved
                }
                Atom::Quotient(of, divisor) => {
                    let of = self.moved(&of, counter, by);
                    self.digit(of, divisor, true)
                }
                Atom::Remainder(of, divisor) => {
                    let of = self.moved(&of, counter, by);
                    self.digit(of, divisor, false)
                }
                Atom::Xor(left, right) => {
                    let (left, right) = (self.moved(&left, counter, by), self.moved(&right, counter, by));
                    self.of_atom(Atom::Xor(left, right))
                }
                _ => self.of_id(id),
            };
            let scaled = self.scale(&atom, coefficient);
            sum = self.add(&sum, &scaled);
        }
        sum
    }

    /// The form times a launch value.
    pub fn scale(&mut self, form: &Form, factor: LaunchValue) -> Form {
        if factor.is(1) {
            return form.clone();
        }
        let constant = self.launch.multiply(form.constant, factor);
        let scaled = form.terms.iter().map(|&(id, coefficient)| (id, self.launch.multiply(coefficient, factor)));
        let terms = scaled.filter(|(_, coefficient)| !coefficient.is(0)).collect();
        Form { constant, terms }
    }
}
