//! Arithmetic of narrow integers whose result is widened, divided or shifted right: it has wrapped before, which is rarely meant.
//!
//! Typed expressions have no places in the text. So each operation that may wrap is noted with the places of its operands, up to the
//! next statement, and is found again as part of what is done with its result.

use super::checker::Checker;
use super::operand::widens;
use crate::diagnostics::{self, Diagnostics, Then, Wrapping};
use elements::ElementType;
use kernel::functions::MathFunction;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use smol_str::{SmolStr, format_smolstr};
use syntax::span::Span;

/// The most parts of an expression that is noted or judged.
const MOST_PARTS: usize = 96;

/// The most operations of one statement that are noted.
const MOST_NOTED: usize = 128;

/// The least constant whose product with a 32-bit number is taken to be meant to wrap, as in hashes and random numbers.
const LEAST_OF_HASHES: i128 = 1 << 16;

/// An operation that may wrap, with its place and those of its operands.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    value: Expr,
    span: Span,
    operands: [Span; 2],
}

/// Texts to insert.
type Edits = Vec<(Span, SmolStr)>;

/// What is done with a result, and the place of the whole that has the type of the result afterwards.
#[derive(Clone, Copy)]
struct Use {
    then: Then,
    whole: Span,
}

impl Checker<'_> {
    /// Notes an operation of operands at these places, and judges what becomes of them in it.
    pub(super) fn note_operation(&mut self, value: &Expr, spans: (Span, Span)) {
        let ExprKind::Binary(op, left, right) = &value.kind else { return };
        // What is computed in a function has its place in the function, and other types in other calls.
        if self.evaluator.calls.is_inside() {
            return;
        }
        let whole = spans.0.to(spans.1);
        match op {
            BinaryOp::Divide if is_small(left.element) => {
                self.judge(left, spans.0, Use { then: Then::Divided, whole });
            }
            BinaryOp::ShiftRight if is_small(left.element) => {
                self.judge(left, spans.0, Use { then: Then::ShiftedRight, whole });
            }
            _ => {}
        }
        self.judge_widened(left, spans.0);
        // Of the distance of a shift only the lowest bits count.
        if !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            self.judge_widened(right, spans.1);
        }
        let is_narrow = value.element.is_integer() && value.element.bits() <= 32;
        if is_narrow && wrapping(*op).is_some() && self.context.noted.len() < MOST_NOTED && has_few_parts(value) {
            let operands = [spans.0, spans.1];
            self.context.noted.push(Noted { value: value.clone(), span: whole, operands });
        }
    }

    /// Judges a value at `span` that has been widened if operands of several types meet there.
    pub(super) fn judge_widened(&mut self, value: &Expr, span: Span) {
        if let ExprKind::Cast(inner) = &value.kind
            && loses_its_wrap(inner.element, value.element)
        {
            self.judge(inner, span, Use { then: Then::Widened(value.element), whole: span });
        }
    }

    /// Judges a value that a conversion at `span` gives.
    pub(super) fn judge_converted(&mut self, value: &Expr, span: Span) {
        if let ExprKind::Cast(inner) = &value.kind
            && loses_its_wrap(inner.element, value.element)
        {
            self.judge(inner, span, Use { then: Then::Converted(value.element), whole: span });
        }
    }

    /// The insertions after which a value at `span` is computed in a wider type `to`, where arithmetic in its own may wrap.
    pub(super) fn widening(&mut self, value: &Expr, span: Span, to: ElementType) -> Option<Edits> {
        if !loses_its_wrap(value.element, to) || !widens(value.element, to) {
            return None;
        }
        self.wrapped(value, span)?;
        self.edits(value, span, to)
    }

    /// Warns of arithmetic in a value at `span` that may wrap before its use.
    fn judge(&mut self, value: &Expr, span: Span, of: Use) {
        let Some(noted) = self.wrapped(value, span) else { return };
        let ExprKind::Binary(op, ..) = noted.value.kind else { return };
        let Some(kind) = wrapping(op) else { return };
        let (to, back) = computed_in(value, of.then);
        let edits = self.edits(value, span, to).map(|edits| match back {
            Some(back) => wrap(of.whole, back, edits),
            None => edits,
        });
        let found = diagnostics::narrow_arithmetic(noted.span, (kind, value.element), of.then, to, edits);
        self.evaluator.diagnostics.push_once_here(found);
    }

    /// The outermost arithmetic of a value at `span` that may wrap, and is not meant to.
    fn wrapped(&mut self, value: &Expr, span: Span) -> Option<Noted> {
        if self.context.noted.is_empty() || self.evaluator.calls.is_inside() || !has_few_parts(value) {
            return None;
        }
        // Proofs about an index know how it wraps.
        if !is_small(value.element) && self.context.accesses > 0 {
            return None;
        }
        let mut arithmetic = Vec::new();
        if !collect(value, &mut arithmetic) {
            return None;
        }
        for part in arithmetic {
            if (shifts_out(part) || self.raiser.leaves_type(part))
                && let Some(noted) = self.noted(part, span)
            {
                return Some(noted.clone());
            }
        }
        None
    }

    /// The note about a part of what stands at `within`.
    fn noted(&self, part: &Expr, within: Span) -> Option<&Noted> {
        let is_within = |noted: &&Noted| within.start <= noted.span.start && noted.span.end <= within.end;
        self.context.noted.iter().rev().filter(is_within).find(|noted| noted.value == *part)
    }

    /// The insertions after which a value at `span` is computed in another type; `None` if there is nothing to convert, or its place
    /// is not known.
    fn edits(&self, value: &Expr, span: Span, to: ElementType) -> Option<Edits> {
        let mut edits = Vec::new();
        self.convert_within(value, span, to, &mut edits)?.then_some(edits)
    }

    /// Converts operands of the innermost operations of what stands at `within`, so that the others take their type: whether there are any;
    /// `None` if a place is not known.
    fn convert_within(&self, value: &Expr, within: Span, to: ElementType, edits: &mut Edits) -> Option<bool> {
        match &value.kind {
            ExprKind::Binary(op, left, right) if wrapping(*op).is_some() => {
                let [of_left, of_right] = self.noted(value, within)?.operands;
                let left_converted = self.convert_within(left, of_left, to, edits)?;
                let is_shift = *op == BinaryOp::ShiftLeft;
                let right_converted = !is_shift && self.convert_within(right, of_right, to, edits)?;
                if !left_converted && !right_converted {
                    // A number of the text takes the type of the other operand.
                    let is_number = matches!(left.kind, ExprKind::Constant(_)) && !is_shift;
                    let operand = if is_number { of_right } else { of_left };
                    edits.extend(wrap(operand, to, Vec::new()));
                }
                Some(true)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => self.convert_within(inner, within, to, edits),
            ExprKind::Binary(BinaryOp::BitOr, left, right) => {
                let left = self.convert_within(left, within, to, edits)?;
                Some(self.convert_within(right, within, to, edits)? || left)
            }
            ExprKind::Math(function, arguments) if keeps(*function) => {
                let mut converted = false;
                for argument in arguments {
                    converted |= self.convert_within(argument, within, to, edits)?;
                }
                Some(converted)
            }
            ExprKind::Select(_, then, otherwise) => {
                let sides = [then, otherwise];
                let [first, second] = sides.map(|side| self.convert_within(side, within, to, edits));
                // The alternatives of `if` have one type, which a number of the text takes.
                let takes = |side: &Expr, converted: bool| converted || matches!(side.kind, ExprKind::Constant(_));
                let (first, second) = (first?, second?);
                let agree = !first && !second || takes(then, first) && takes(otherwise, second);
                agree.then_some(first || second)
            }
            _ => Some(false),
        }
    }
}

/// The type in which a value is computed without a wrap, and the one to which its use is to be converted back.
fn computed_in(value: &Expr, then: Then) -> (ElementType, Option<ElementType>) {
    use ElementType::{I32, I64, U16, U32, U64};
    let element = value.element;
    let needs_sign = subtracts(value) && !element.is_signed();
    let wide = match element {
        U16 if needs_sign => I64,
        U16 => U32,
        U32 if !needs_sign => U64,
        ElementType::I32 | U32 => I64,
        _ => I32,
    };
    let holds = |to: ElementType| widens(element, to) && (to.is_signed() || !needs_sign);
    match then {
        Then::Converted(to) if holds(to) && to.bits() >= 32 => (to, None),
        Then::Converted(_) => (wide, None),
        Then::Widened(to) if holds(to) => (to, None),
        Then::Widened(to) => (wide, Some(to)),
        Then::Divided | Then::ShiftedRight => (wide, Some(element)),
    }
}

/// Insertions that convert what stands at `span`, with those within it, which are in the order of the text. Editors insert in any order
/// what has the same place, so there is one insertion at each.
fn wrap(span: Span, to: ElementType, mut within: Edits) -> Edits {
    let at = |place: u32| Span::new(place, place);
    match within.first_mut() {
        Some((place, text)) if place.start == span.start => *text = format_smolstr!("{to}({text}"),
        _ => within.insert(0, (at(span.start), format_smolstr!("{to}("))),
    }
    match within.last_mut() {
        Some((place, text)) if place.start == span.end => *text = format_smolstr!("{text})"),
        _ => within.push((at(span.end), SmolStr::new_static(")"))),
    }
    within
}

/// Whether an integer type has 8 or 16 bits.
fn is_small(element: ElementType) -> bool {
    element.is_integer() && element.bits() <= 16
}

/// Whether a result of type `from` is converted to a type in which it would not have wrapped. A 32-bit number that becomes a float of 32
/// bits is as often a hash, and so is an unsigned one of any float.
fn loses_its_wrap(from: ElementType, to: ElementType) -> bool {
    let is_wider = to.is_integer() && to.bits() > from.bits();
    match from {
        from if is_small(from) => is_wider || to.is_float(),
        ElementType::I32 => is_wider || to == ElementType::F64,
        ElementType::U32 => is_wider,
        _ => false,
    }
}

/// What may wrap in an operator.
fn wrapping(op: BinaryOp) -> Option<Wrapping> {
    Some(match op {
        BinaryOp::Add => Wrapping::Sum,
        BinaryOp::Subtract => Wrapping::Difference,
        BinaryOp::Multiply => Wrapping::Product,
        BinaryOp::ShiftLeft => Wrapping::Shift,
        _ => return None,
    })
}

/// Functions whose result is one of their arguments, or its magnitude.
fn keeps(function: MathFunction) -> bool {
    matches!(function, MathFunction::Abs | MathFunction::Min | MathFunction::Max)
}

/// The operations of a value whose wrap is hardly meant, outermost first; false if it is a hash.
fn collect<'e>(value: &'e Expr, found: &mut Vec<&'e Expr>) -> bool {
    match &value.kind {
        ExprKind::Binary(BinaryOp::BitXor, ..) => false,
        ExprKind::Binary(op, left, right) if wrapping(*op).is_some() => {
            if is_hash_product(*op, left, right) {
                return false;
            }
            // Sums of 32 bits are those of indices and counters.
            if is_small(value.element) || *op == BinaryOp::Multiply {
                found.push(value);
            }
            collect(left, found) && (*op == BinaryOp::ShiftLeft || collect(right, found))
        }
        // A rotation means to lose what its other part keeps.
        ExprKind::Binary(BinaryOp::BitOr, left, right) => {
            let shifts = |side: &Expr| matches!(side.kind, ExprKind::Binary(BinaryOp::ShiftRight, ..));
            !shifts(left) && !shifts(right) && collect(left, found) && collect(right, found)
        }
        ExprKind::Unary(UnaryOp::Negate, inner) => collect(inner, found),
        ExprKind::Math(function, arguments) if keeps(*function) => {
            arguments.iter().all(|argument| collect(argument, found))
        }
        ExprKind::Select(_, then, otherwise) => collect(then, found) && collect(otherwise, found),
        _ => true,
    }
}

/// Whether an operation shifts by all bits of its type or more, of which only the remainder by their number counts.
fn shifts_out(operation: &Expr) -> bool {
    match &operation.kind {
        ExprKind::Binary(BinaryOp::ShiftLeft, _, distance) => match distance.kind {
            ExprKind::Constant(Constant::Int(distance)) => distance >= i64::from(operation.element.bits()),
            _ => false,
        },
        _ => false,
    }
}

fn is_hash_product(op: BinaryOp, left: &Expr, right: &Expr) -> bool {
    let is_large = |side: &Expr| match side.kind {
        ExprKind::Constant(Constant::Int(value)) => i128::from(value).abs() >= LEAST_OF_HASHES,
        ExprKind::Constant(Constant::Unsigned(value)) => i128::from(value) >= LEAST_OF_HASHES,
        _ => false,
    };
    op == BinaryOp::Multiply && (is_large(left) || is_large(right))
}

fn subtracts(value: &Expr) -> bool {
    let mut found = false;
    value.walk(&mut |part| found |= matches!(part.kind, ExprKind::Binary(BinaryOp::Subtract, ..)));
    found
}

/// Whether an expression is short enough to be looked at.
fn has_few_parts(value: &Expr) -> bool {
    fn count(value: &Expr, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match &value.kind {
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) | ExprKind::Bits(inner) => count(inner, left),
            ExprKind::Binary(_, one, other) => count(one, left) && count(other, left),
            ExprKind::Select(condition, then, otherwise) => {
                count(condition, left) && count(then, left) && count(otherwise, left)
            }
            ExprKind::Math(_, arguments) => arguments.iter().all(|argument| count(argument, left)),
            ExprKind::Load(access) => access.coordinates.iter().all(|coordinate| count(coordinate, left)),
            _ => true,
        }
    }
    count(value, &mut MOST_PARTS.clone())
}
