//! Indices as sums of counters for compiled code.
//!
//! Compiled code is fast where an address is a sum of loop counters times coefficients: what does not change in a loop
//! is computed before it, and four neighbours in memory become one vector. A [`Form`] is the sum that the kernel's values know of
//! themselves ([`Program::sum`]), with its sizes in the launch's table and the thread's id made of the counters that this code
//! counts with. Sums wrap like the arithmetic they stand for, so sums that may leave 64 bits are forms too.

use std::collections::HashMap;

use elements::ElementType;
use kernel::loops::{LoopId, Node, ValueId};
use kernel::typed::{BinaryOp, UnaryOp};
use kernel::with_enough_stack;
use maps::{Affine, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::digits::Digits;
use super::known::Known;
use super::lanes::Pack;
use super::launch_table::{LaunchTable, LaunchValue};
use super::options::Options;
use super::program::{Program, Taken};

/// A sum of more terms counts as a value of its own.
const MOST_TERMS: usize = 16;

/// An index into [`Forms`]' atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// What forms are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A value that is no form of others: an id, an iterator, an element of memory.
    Value(ValueId),
    /// The place in the run of all threads' iterations: see [`Forms::flatten`].
    Run,
    /// A digit of the thread's id: see [`Forms::split`].
    Digit(Digit),
    /// The quotient of a form by a launch value, rounded down.
    Quotient(Form, LaunchValue),
    /// The remainder that goes with it.
    Remainder(Form, LaunchValue),
    /// The bitwise exclusive or of two forms.
    Xor(Form, Form),
}

/// The two digits of a thread's id that is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digit {
    /// The quotient by the number of values of the low digit.
    High,
    /// The remainder.
    Low,
}

/// `constant + Σ coefficient · atom`; atoms ascending, no coefficient known to be zero.
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

    /// The value, where no atom takes part.
    pub fn as_launch_value(&self) -> Option<LaunchValue> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// The forms of one program's values.
pub struct Forms<'l> {
    /// What is lowered.
    pub program: &'l Program<'l>,
    /// The numbers that the launch provides.
    pub launch: LaunchTable,
    /// What was asked of the code; plans depend on it.
    pub options: Options,
    /// What the code has computed so far.
    pub known: Known<Pack>,
    /// What a plan has looked at so far.
    pub seen: Known<()>,
    /// What the present stretch takes from arrays.
    pub taken: &'l Taken,
    atoms: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    /// The forms of values, as long as the counters stay what they are.
    made: FxHashMap<ValueId, Form>,
    /// The loop that is flattened, and how often it runs.
    flat: Option<(LoopId, i64)>,
    /// How the thread's id is split.
    pub(super) digits: Option<Digits>,
}

impl<'l> Forms<'l> {
    /// No forms yet.
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

    /// From now on, the stretch is one that takes these values from arrays.
    pub fn take(&mut self, taken: &'l Taken) {
        self.taken = taken;
        self.forget();
    }

    /// The counters are others from now on.
    pub(super) fn forget(&mut self) {
        self.made.clear();
    }

    /// How a value is computed in the present stretch.
    pub fn node(&self, id: ValueId) -> &'l Node {
        self.program.node(id, self.taken)
    }

    /// Whether memory is still to be read for a value.
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

    /// Whether a form is this value and nothing else.
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

    /// From now on, threads and the iterations of a loop that each of them runs so many times count as one run, thread
    /// after thread: its place is [`Atom::Run`], the thread is the quotient of the place by the number of iterations,
    /// and the iterator is the remainder.
    pub fn flatten(&mut self, counted: LoopId, trips: i64) {
        self.flat = Some((counted, trips));
        self.forget();
    }

    /// Ends what [`Forms::flatten`] began.
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
                Some(sum) => self.converted(sum),
                None => self.wrapping(id, node),
            },
        }
    }

    /// A sum of the kernel as a form.
    fn converted(&mut self, sum: &Affine) -> Form {
        let mut form = Form::constant(self.launch.size(&sum.constant));
        for (term, coefficient) in &sum.terms {
            let of = match self.program.term(*term) {
                Some(Term::Coordinate(value)) => self.form(ValueId(*value)),
                Some(Term::Digit { of, divisor, modulus }) => {
                    let of = self.converted(of);
                    let divisor = self.launch.size(divisor);
                    let mut digit = self.digit(of, divisor, true);
                    if let Some(modulus) = modulus {
                        let modulus = self.launch.size(modulus);
                        digit = self.digit(digit, modulus, false);
                    }
                    digit
                }
                Some(Term::Xor(left, right)) => {
                    let (left, right) = (self.converted(left), self.converted(right));
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

    /// The form of arithmetic that may leave 64 bits.
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

    /// The form that is one atom.
    pub fn of_atom(&mut self, atom: Atom) -> Form {
        let id = self.id(atom);
        self.of_id(id)
    }
    /// The same by its number.
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

    /// The form with `x` for `d * (x / d) + x % d`.
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

    /// The value of the form where a counter is greater by a constant.
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
