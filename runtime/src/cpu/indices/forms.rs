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

use super::form::{Atom, AtomId, Digits, Form};
use crate::cpu::known::Known;
use crate::cpu::launch::launch_table::{LaunchTable, LaunchValue};
use crate::cpu::options::Options;
use crate::cpu::program::{Program, Taken};
use crate::cpu::vectors::packs::Pack;

/// The most terms of a form; a longer sum is an atom.
const MOST_TERMS: usize = 16;

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

    /// The atom's number, if a form has it.
    pub(super) fn known_id(&self, atom: &Atom) -> Option<AtomId> {
        self.ids.get(atom).copied()
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
}
