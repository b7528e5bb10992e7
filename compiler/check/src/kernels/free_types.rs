//! Variables that are declared without a type, with numbers of the text only: `let mut c = 0;`.
//!
//! Such a variable has the type of its first use that has one: of what it is assigned, compared or computed with, or stored to.
//! Where nothing decides, it is an `i64`, or an `f32` if its number is a float. A kernel is typed with these; where a use needs
//! another type, it is typed again with that type, as if it had been written. So nothing else changes the meaning of a kernel that
//! is right as it stands.

use rustc_hash::FxHashMap;

use super::checker::{Checker, Supposed};
use super::free_type::{Decided, Origin, Untyped};
use super::operand::{Operand, common_type};
use super::results::TypedKernel;
use crate::db::{Db, Item};
use crate::diagnostics;
use crate::generics::Generics;
use elements::ElementType;
use kernel::typed::{Expr, ExprKind};
use syntax::span::Span;
use syntax::tree;

/// How often a kernel is typed. A variable whose type follows from that of a later one needs one time more.
const MOST_READINGS: usize = 8;

/// Types a kernel, and again as long as a use decides the type of a variable that has none.
/// Something may be supposed beside the text.
pub(super) fn typed(
    db: &dyn Db,
    item: Item,
    generics: &Generics,
    kernel: &tree::Kernel,
    supposed: &Supposed,
) -> TypedKernel {
    let mut decided = FxHashMap::default();
    let begun = || {
        let mut checker = Checker::new(db, item, generics.clone());
        checker.supposed.clone_from(supposed);
        checker
    };
    for _ in 1..MOST_READINGS {
        let mut checker = begun();
        checker.free_types.decided.clone_from(&decided);
        let (typed, found) = checker.check(kernel);
        if found.is_empty() {
            return typed;
        }
        for (name, found) in found {
            decided.entry(name).or_insert(found);
        }
    }
    let mut checker = begun();
    checker.free_types.decided = decided;
    checker.check(kernel).0
}

impl Checker<'_> {
    /// The types that this reading found.
    pub(super) fn found_types(&mut self) -> Vec<(Span, Decided)> {
        std::mem::take(&mut self.free_types.found)
    }

    /// The declaration of a variable whose type follows from a use of it, and that use.
    pub(super) fn settled(&self, value: &Operand) -> Option<(Span, Decided)> {
        match value {
            Operand::Typed(Expr { kind: ExprKind::Local(local), .. }) => self.free_types.settled.get(local).copied(),
            _ => None,
        }
    }

    /// Whether the type of a value follows from numbers of the text alone: of a number, or of variables without a type.
    pub(super) fn has_free_type(&self, value: &Operand) -> bool {
        match value {
            Operand::Int(size) => size.as_constant().is_some(),
            Operand::Mask(_) | Operand::Unsigned(_) | Operand::Float(_) | Operand::Bits(_) => true,
            Operand::Choice(choice) => choice.values().all(|value| self.has_free_type(value)),
            Operand::Typed(expr) => !self.free_types.of(expr).is_empty(),
        }
    }

    /// Whether an operand follows from variables without a type, which could have this one.
    pub(super) fn could_be(&self, operand: &Operand, element: ElementType) -> bool {
        match operand {
            Operand::Typed(expr) => fits(expr.element, element) && !self.free_types.of(expr).is_empty(),
            _ => false,
        }
    }

    /// Whether an operand has a type that something else than numbers of the text decides.
    pub(super) fn has_own_type(&self, operand: &Operand) -> bool {
        matches!(operand, Operand::Typed(expr) if self.free_types.of(expr).is_empty())
    }

    /// The common type of operands: that of the first one that has a type, before those of variables that have none.
    pub(super) fn common_type<'o>(&self, operands: impl IntoIterator<Item = &'o Operand> + Clone) -> ElementType {
        match operands.clone().into_iter().find(|operand| self.has_own_type(operand)) {
            Some(Operand::Typed(expr)) => expr.element,
            _ => common_type(operands),
        }
    }

    /// A value at `span` that a thread gives to others, and what its type follows from. A number of the text has the type in which
    /// the first use needs what is received.
    pub(super) fn value_for_others(&mut self, value: Operand, span: Span) -> Option<(Expr, Origin)> {
        // A place in a function is one of many, and each call may use its number in another way.
        let is_number = !matches!(value, Operand::Typed(_)) && self.has_free_type(&value) && self.place(span) == span;
        if let Some(decided) = self.free_types.decided(span).filter(|_| is_number) {
            return Some((self.coerce(value, decided.element, span)?, Origin::Own));
        }
        let value = self.natural(value, span)?;
        let variables = self.free_types.of(&value);
        let origin = match is_number {
            _ if !variables.is_empty() => Origin::Variables(variables),
            true => Origin::Number(span),
            false => Origin::Own,
        };
        Some((value, origin))
    }

    /// A use of this type decides that of the variables from which a value follows.
    pub(super) fn agree(&mut self, value: &Expr) {
        for local in self.free_types.of(value) {
            self.free_types.open.remove(&local);
        }
    }

    /// The value in a type that a use at `span` needs, if it follows from variables that could have it: the kernel is typed again,
    /// and until then they are taken to have it.
    pub(super) fn decide(&mut self, value: &Expr, element: ElementType, span: Span) -> Option<Expr> {
        if !fits(value.element, element) {
            return None;
        }
        let variables = self.free_types.of(value);
        if variables.is_empty() {
            return None;
        }
        for local in variables {
            let (Some(untyped), Some(variable)) = (self.free_types.open.remove(&local), self.locals.get_mut(local))
            else {
                continue;
            };
            let types = (variable.element, element);
            let found = match untyped {
                Untyped::Variable(name) => diagnostics::free_type(span, &variable.name, name, types),
                Untyped::Number(number) => diagnostics::free_number(span, number, types),
            };
            variable.element = element;
            self.free_types.found.push((untyped.span(), Decided { element, at: span }));
            self.evaluator.diagnostics.push(found);
        }
        Some(Expr { kind: value.kind.clone(), element })
    }
}

/// Whether a number of the text that is of type `natural` where nothing decides can be one of another type.
fn fits(natural: ElementType, element: ElementType) -> bool {
    element.computes() && (element.is_float() || element.is_integer() && !natural.is_float())
}
