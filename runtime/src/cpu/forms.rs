//! Index expressions as affine forms.
//!
//! Compiled code is fast where an address is a sum of loop counters times coefficients: what does not change in a loop
//! is computed before it, and four neighbours in memory become one vector. So `i64` expressions are first brought into
//! the form `constant + Σ coefficient · atom`. Sums wrap like the arithmetic they stand for, so any regrouping is exact.

use std::collections::HashMap;

use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, Kernel, Local, UnaryOp};

use super::digits::Digits;
use super::launch_table::{LaunchTable, LaunchValue};
use super::options::Options;
use super::usage::Usage;

/// An index into [`Forms`]' atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// What affine forms are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The thread's id within its block.
    ThreadId,
    /// The block's id.
    BlockId,
    /// The place in the run of all threads' iterations: see [`Forms::flatten`].
    Run,
    /// A digit of the thread's id: see [`Forms::split`].
    Digit(Digit),
    /// A variable: the iterator of a loop, or one whose value is not a form.
    Local(Local),
    /// The quotient of a form by a launch value, rounded down.
    Quotient(Form, LaunchValue),
    /// The remainder that goes with it.
    Remainder(Form, LaunchValue),
    /// The bitwise exclusive or of two forms.
    Xor(Form, Form),
    /// An expression that is no form: an index into the opaque expressions.
    Opaque(u32),
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

/// Makes forms from the expressions of one kernel.
///
/// A variable that is assigned once is replaced by its form where the assignment is known to come first: further down
/// the same list of statements. [`Forms::define`] and [`Forms::leave`] follow the walk over the statements.
pub struct Forms<'k> {
    /// The numbers that the launch provides.
    pub launch: LaunchTable,
    /// What was asked of the code; plans depend on it.
    pub options: Options,
    usage: &'k Usage,
    atoms: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    opaque: Vec<&'k Expr>,
    definitions: Vec<Option<Form>>,
    defined: Vec<Local>,
    /// The iterator of the loop that is flattened, and how often it runs.
    flat: Option<(Local, i64)>,
    /// How the thread's id is split.
    pub(super) digits: Option<Digits>,
}

impl<'k> Forms<'k> {
    /// Forms of a kernel with this use of variables.
    pub fn new(kernel: &'k Kernel, usage: &'k Usage, options: Options) -> Forms<'k> {
        Forms {
            launch: LaunchTable::default(),
            options,
            usage,
            atoms: Vec::new(),
            ids: HashMap::new(),
            opaque: Vec::new(),
            definitions: vec![None; kernel.locals.len()],
            defined: Vec::new(),
            flat: None,
            digits: None,
        }
    }

    /// From now on, variables are used like this. No definition is known at this place.
    pub fn uses(&mut self, usage: &'k Usage) {
        self.usage = usage;
    }

    /// The use of the kernel's variables.
    pub fn usage(&self) -> &'k Usage {
        self.usage
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

    /// The expression behind [`Atom::Opaque`].
    pub fn opaque(&self, index: u32) -> &'k Expr {
        self.opaque[index as usize]
    }

    /// From now on, threads and the iterations of a loop that each of them runs so many times count as one run, thread
    /// after thread: its place is [`Atom::Run`], the thread is the quotient of the place by the number of iterations,
    /// and the iterator is the remainder.
    pub fn flatten(&mut self, iterator: Local, trips: i64) {
        self.flat = Some((iterator, trips));
    }

    /// Ends what [`Forms::flatten`] began.
    pub fn unflatten(&mut self) {
        self.flat = None;
    }

    /// Whether the variable is the iterator of a flattened loop.
    pub fn is_flat(&self, local: Local) -> bool {
        self.flat.is_some_and(|(iterator, _)| iterator == local)
    }

    /// The thread (or the iterator) in a flattened loop.
    fn of_run(&mut self, trips: i64, thread: bool) -> Form {
        let run = self.of_atom(Atom::Run);
        self.digit(run, LaunchValue::Constant(trips), thread)
    }

    /// A mark for [`Forms::leave`].
    pub fn enter(&self) -> usize {
        self.defined.len()
    }

    /// Forgets what was defined since the mark: the end of a list of statements.
    pub fn leave(&mut self, mark: usize) {
        for local in self.defined.drain(mark..) {
            self.definitions[local.0 as usize] = None;
        }
    }

    /// Takes note of an assignment.
    pub fn define(&mut self, local: Local, value: &'k Expr) {
        if value.element == ElementType::I64 && self.usage.is_assigned_once(local) {
            let form = self.form(value);
            if self.is_stable(&form, local) {
                self.definitions[local.0 as usize] = Some(form);
                self.defined.push(local);
            }
        }
    }

    /// Whether the form, the value of `local`, keeps its value up to the end of the list of statements that assigns
    /// `local`. An opaque expression may read anything, so it is not repeated.
    fn is_stable(&self, form: &Form, local: Local) -> bool {
        form.terms.iter().all(|(id, _)| match self.atom(*id) {
            Atom::ThreadId | Atom::BlockId | Atom::Run | Atom::Digit(_) => true,
            Atom::Local(read) => self.usage.is_iterator(*read) || self.usage.is_assigned_before(*read, local),
            Atom::Quotient(of, _) | Atom::Remainder(of, _) => self.is_stable(of, local),
            Atom::Xor(left, right) => self.is_stable(left, local) && self.is_stable(right, local),
            Atom::Opaque(_) => false,
        })
    }

    /// The form of an `i64` expression.
    pub fn form(&mut self, expr: &'k Expr) -> Form {
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Form::constant(LaunchValue::Constant(*value)),
            ExprKind::Size(size) => Form::constant(self.launch.size(size)),
            ExprKind::ThreadId => match self.flat {
                Some((_, trips)) => self.of_run(trips, true),
                None => self.thread(),
            },
            ExprKind::BlockId => self.of_atom(Atom::BlockId),
            ExprKind::Local(local) => match (self.flat, self.definitions[local.0 as usize].clone()) {
                (Some((iterator, trips)), _) if iterator == *local => self.of_run(trips, false),
                (_, Some(form)) => form,
                (_, None) => self.of_atom(Atom::Local(*local)),
            },
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                let form = self.form(operand);
                self.scale(&form, LaunchValue::Constant(-1))
            }
            ExprKind::Cast(operand) if operand.element == ElementType::I64 => self.form(operand),
            ExprKind::Binary(operator, left, right) => self.binary(expr, *operator, left, right),
            _ => self.opaque_form(expr),
        }
    }

    fn binary(&mut self, expr: &'k Expr, operator: BinaryOp, left: &'k Expr, right: &'k Expr) -> Form {
        match operator {
            BinaryOp::Add | BinaryOp::Subtract => {
                let (left, right) = (self.form(left), self.form(right));
                let sign = if operator == BinaryOp::Add { 1 } else { -1 };
                let right = self.scale(&right, LaunchValue::Constant(sign));
                self.add(&left, &right)
            }
            BinaryOp::Multiply => {
                let (left_form, right_form) = (self.form(left), self.form(right));
                if let Some(factor) = right_form.as_launch_value() {
                    self.scale(&left_form, factor)
                } else if let Some(factor) = left_form.as_launch_value() {
                    self.scale(&right_form, factor)
                } else {
                    self.opaque_form(expr)
                }
            }
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => {
                let Some(divisor) = self.form(right).as_launch_value() else { return self.opaque_form(expr) };
                let of = self.form(left);
                self.digit(of, divisor, operator == BinaryOp::FloorDivide)
            }
            BinaryOp::BitXor => {
                let (left, right) = (self.form(left), self.form(right));
                match (left.as_launch_value(), right.as_launch_value()) {
                    (Some(left), Some(right)) => Form::constant(self.launch.xor(left, right)),
                    _ => self.of_atom(Atom::Xor(left, right)),
                }
            }
            _ => self.opaque_form(expr),
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

    fn opaque_form(&mut self, expr: &'k Expr) -> Form {
        let known = self.opaque.iter().position(|other| std::ptr::eq(*other, expr));
        let index = known.unwrap_or_else(|| {
            self.opaque.push(expr);
            self.opaque.len() - 1
        });
        self.of_atom(Atom::Opaque(index as u32))
    }

    /// The form that is one atom.
    pub fn of_atom(&mut self, atom: Atom) -> Form {
        let id = self.id(atom);
        self.of_id(id)
    }

    fn of_id(&self, id: AtomId) -> Form {
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
