//! Index expressions as forms over axes: block id, thread id, iterators, and what only the data knows.

use smol_str::SmolStr;

use super::context::{Context, Guard};
use super::definitions::Known;
use super::operands::size;
use dims::{CompareOp, Facts, Sym};
use elements::ElementType;
use kernel::forms::Form;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, Launch, Local, LocalVariable, ParamId, UnaryOp};
use maps::{AxisRole, UpperAxis};

/// Who an axis is.
#[derive(Clone, Debug, PartialEq)]
enum AxisKey {
    Block,
    Thread,
    Iterator(Local),
    /// A variable, or a scalar parameter, that may be anything: its positive part, its negative part.
    Unknown(Unknown, bool),
    /// An axis that the caller supplies.
    Free(usize),
}

#[derive(Clone, Debug, PartialEq)]
enum Unknown {
    Local(Local),
    Scalar(ParamId),
    /// What an expression comes to: the same wherever it stands in the index and in the conditions around it, since
    /// those are of values that do not change.
    Value(Expr),
}

/// The axes that forms are made of, with the expression that computes each.
#[derive(Clone)]
pub(super) struct Axes<'a> {
    definitions: &'a [Known],
    context: &'a Context,
    keys: Vec<AxisKey>,
    axes: Vec<UpperAxis>,
    exprs: Vec<Option<Expr>>,
    /// Whether the axes say exactly which values occur.
    pub(super) exact: bool,
}

impl<'a> Axes<'a> {
    /// Axes for the block id, the thread id and `free` coordinates of the caller.
    pub(super) fn new(definitions: &'a [Known], context: &'a Context, launch: &Launch, free: &[UpperAxis]) -> Self {
        let mut axes =
            Self { definitions, context, keys: Vec::new(), axes: Vec::new(), exprs: Vec::new(), exact: true };
        for (position, axis) in free.iter().enumerate() {
            axes.add(AxisKey::Free(position), axis.extent.clone(), axis.role, None);
        }
        let id = |kind| Some(Expr { kind, element: ElementType::I64 });
        axes.add(AxisKey::Block, Some(launch.blocks.clone()), AxisRole::Thread, id(ExprKind::BlockId));
        axes.add(AxisKey::Thread, Some(launch.threads.clone()), AxisRole::Thread, id(ExprKind::ThreadId));
        axes
    }

    fn add(&mut self, key: AxisKey, extent: Option<Sym>, role: AxisRole, expr: Option<Expr>) -> Form {
        if let Some(position) = self.keys.iter().position(|known| *known == key) {
            return Form::Axis(position);
        }
        self.keys.push(key);
        self.axes.push(UpperAxis { extent, role });
        self.exprs.push(expr);
        Form::Axis(self.keys.len() - 1)
    }

    /// The caller's coordinate of that number.
    pub(super) fn free(&self, position: usize) -> Form {
        Form::Axis(position)
    }

    /// The upper axes of a map over these axes.
    pub(super) fn upper(&self) -> Vec<UpperAxis> {
        self.axes.clone()
    }

    /// What each axis is called in messages; empty for what has no name.
    pub(super) fn names(&self, locals: &[LocalVariable]) -> Vec<SmolStr> {
        let local_name =
            |local: &Local| locals.get(local.0 as usize).map_or_else(SmolStr::default, |local| local.name.clone());
        self.keys
            .iter()
            .map(|key| match key {
                AxisKey::Iterator(local) => local_name(local),
                _ => SmolStr::default(),
            })
            .collect()
    }

    /// The expressions that compute the axes; `None` for an axis that only the data knows.
    pub(super) fn exprs(&self) -> &[Option<Expr>] {
        &self.exprs
    }

    /// The form of an integer expression.
    pub(super) fn form(&mut self, expr: &Expr) -> Form {
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => Form::Size(Sym::constant(*value)),
            ExprKind::Size(value) => Form::Size(value.clone()),
            ExprKind::BlockId => self.add(AxisKey::Block, None, AxisRole::Thread, None),
            ExprKind::ThreadId => self.add(AxisKey::Thread, None, AxisRole::Thread, None),
            ExprKind::Local(local) => self.local(*local, expr),
            ExprKind::Scalar(param) => self.unknown(Unknown::Scalar(*param), expr),
            ExprKind::Cast(inner) if self.keeps_value(inner, expr) => self.form(inner),
            // Arithmetic on data may wrap, and then says nothing about its operands.
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.may_wrap(expr) => self.anything(expr),
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let inner = self.form(inner);
                Form::Difference(Box::new(Form::Size(Sym::zero())), Box::new(inner))
            }
            ExprKind::Binary(op, left, right) if expr.element != ElementType::U64 => {
                self.binary(*op, left, right, expr)
            }
            _ => self.anything(expr),
        }
    }

    fn local(&mut self, local: Local, expr: &Expr) -> Form {
        if let Some(bounded) = self.context.loops.iter().find(|bounded| bounded.local == local) {
            let (low, extent) = (bounded.low.clone(), bounded.extent.clone());
            let value = if low.is_zero() {
                expr.clone()
            } else {
                let kind = ExprKind::Binary(BinaryOp::Subtract, Box::new(expr.clone()), Box::new(size(&low)));
                Expr { kind, element: ElementType::I64 }
            };
            let axis = self.add(AxisKey::Iterator(local), extent, AxisRole::Local, Some(value));
            return if low.is_zero() { axis } else { Form::Sum(Box::new(axis), Box::new(Form::Size(low))) };
        }
        let unknown = Unknown::Local(local);
        match self.known(local) {
            Known::Value(value) if expr.element == ElementType::I64 && self.is_affine(value) => self.form(value),
            Known::Value(_) | Known::Kept { .. } => self.unknown_between(unknown, expr, self.ends_of_value(expr)),
            Known::Nothing => self.unknown(unknown, expr),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr) -> Form {
        match op {
            BinaryOp::Add => Form::Sum(Box::new(self.form(left)), Box::new(self.form(right))),
            BinaryOp::Subtract => Form::Difference(Box::new(self.form(left)), Box::new(self.form(right))),
            BinaryOp::Multiply => match (as_size(left), as_size(right)) {
                (_, Some(factor)) => Form::Scaled(Box::new(self.form(left)), factor),
                (Some(factor), _) => Form::Scaled(Box::new(self.form(right)), factor),
                (None, None) => self.anything(expr),
            },
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => match as_size(right) {
                Some(divisor) if op == BinaryOp::FloorDivide => Form::Quotient(Box::new(self.form(left)), divisor),
                Some(divisor) => Form::Remainder(Box::new(self.form(left)), divisor),
                None => self.anything(expr),
            },
            _ => self.anything(expr),
        }
    }

    /// Whether arithmetic may leave its type. Sums and products of ids and sizes, and of smaller integers in 64 bits,
    /// stay inside as far as constants let them: an index that large lies in no tensor.
    fn may_wrap(&self, expr: &Expr) -> bool {
        let is_wide = match &expr.kind {
            _ if expr.element != ElementType::I64 => true,
            ExprKind::Unary(_, inner) => self.is_wide_data(inner),
            // Bits that are shifted out are lost, so what is left may be anything.
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, ..) => true,
            ExprKind::Binary(_, left, right) => self.is_wide_data(left) || self.is_wide_data(right),
            _ => false,
        };
        if is_wide { self.leaves_its_type(expr) } else { can_wrap(expr) && self.leaves_by_constants(expr) }
    }

    /// Whether a conversion between integers changes no value. As an index, a `u64` may be another number.
    pub(super) fn keeps_value(&self, inner: &Expr, cast: &Expr) -> bool {
        let is_index = |element: ElementType| element.is_integer() && element != ElementType::U64;
        is_index(inner.element)
            && is_index(cast.element)
            && (cast.element == ElementType::I64 || !self.leaves_its_type(cast))
    }

    fn is_wide_data(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Size(_) | ExprKind::BlockId | ExprKind::ThreadId => false,
            ExprKind::Local(local) => {
                let is_axis = self.context.loops.iter().any(|axis| axis.local == *local && axis.extent.is_some());
                !is_axis && self.definition(*local).is_none_or(|definition| self.is_wide_data(definition))
            }
            ExprKind::Cast(inner) => inner.element.size_bytes() >= 8 || !inner.element.is_integer(),
            ExprKind::Unary(_, inner) => self.is_wide_data(inner),
            // Bits that are shifted out are lost, so what is left may be anything.
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, ..) => true,
            ExprKind::Binary(_, left, right) => self.is_wide_data(left) || self.is_wide_data(right),
            _ => true,
        }
    }

    /// Whether an expression is a variable whose value is no form of anything else.
    pub(super) fn is_of_its_own(&self, expr: &Expr) -> bool {
        let ExprKind::Local(local) = &expr.kind else { return false };
        match self.known(*local) {
            Known::Value(value) => !self.is_affine(value),
            Known::Kept { .. } => true,
            Known::Nothing => false,
        }
    }

    /// Whether a form of the expression would say all there is to say.
    pub(super) fn is_affine(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Size(_) | ExprKind::BlockId | ExprKind::ThreadId => true,
            ExprKind::Local(_) | ExprKind::Scalar(_) => expr.element == ElementType::I64,
            // What may wrap is better known as one value, which conditions may bound.
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.may_wrap(expr) => false,
            ExprKind::Unary(UnaryOp::Negate, inner) => self.is_affine(inner),
            ExprKind::Cast(inner) => matches!(inner.kind, ExprKind::Local(_) | ExprKind::Scalar(_)),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Add | BinaryOp::Subtract => self.is_affine(left) && self.is_affine(right),
                BinaryOp::Multiply => {
                    (as_size(left).is_some() && self.is_affine(right))
                        || (as_size(right).is_some() && self.is_affine(left))
                }
                BinaryOp::FloorDivide | BinaryOp::FloorRemainder => as_size(right).is_some() && self.is_affine(left),
                _ => false,
            },
            _ => false,
        }
    }

    /// A value that may be anything its type holds.
    fn unknown(&mut self, unknown: Unknown, expr: &Expr) -> Form {
        self.unknown_between(unknown, expr, self.ends(expr))
    }

    /// A value of which only ends are known, these and those that conditions give it: an axis from the known end on, or
    /// the difference of two axes without end.
    fn unknown_between(&mut self, unknown: Unknown, expr: &Expr, (low, high): (Option<Sym>, Option<Sym>)) -> Form {
        self.exact = false;
        let value = || super::operands::cast(expr.clone(), ElementType::I64);
        let minus = |left: Expr, right: Expr| match as_size(&right) {
            Some(zero) if zero.is_zero() => left,
            _ => super::lower::binary(BinaryOp::Subtract, left, right),
        };
        let (least, greatest) = self.ends_by_condition(expr);
        let (low, high) = (low.or(least), high.or(greatest));
        let extent = low.as_ref().zip(high.as_ref()).and_then(|(low, high)| {
            let extent = high.checked_sub(low).and_then(|extent| extent.checked_add(&Sym::one())).ok()?;
            self.facts().prove(&extent, CompareOp::Ge, &Sym::one()).is_proven().then_some(extent)
        });
        let key = AxisKey::Unknown(unknown.clone(), true);
        match (low, high) {
            (Some(low), _) => {
                let axis = self.add(key, extent, AxisRole::Local, Some(minus(value(), size(&low))));
                if low.is_zero() { axis } else { Form::Sum(Box::new(axis), Box::new(Form::Size(low))) }
            }
            (None, Some(high)) => {
                let axis = self.add(key, None, AxisRole::Local, Some(minus(size(&high), value())));
                Form::Difference(Box::new(Form::Size(high)), Box::new(axis))
            }
            (None, None) => {
                let positive = self.add(key, None, AxisRole::Local, None);
                let negative = self.add(AxisKey::Unknown(unknown, false), None, AxisRole::Local, None);
                Form::Difference(Box::new(positive), Box::new(negative))
            }
        }
    }

    /// What is known of the sizes.
    pub(super) fn facts(&self) -> &'a Facts {
        &self.context.facts
    }

    /// The conditions around the statement.
    pub(super) fn conditions(&self) -> &'a [Guard] {
        &self.context.guards
    }

    /// What is known of a variable.
    pub(super) fn known(&self, local: Local) -> &'a Known {
        self.definitions.get(local.0 as usize).unwrap_or(&Known::Nothing)
    }

    /// The value that a variable was given for good.
    pub(super) fn definition(&self, local: Local) -> Option<&'a Expr> {
        self.definitions.get(local.0 as usize).and_then(Known::value)
    }

    /// The first value of a loop's iterator and the number of its values, where it runs through an axis.
    pub(super) fn loop_axis(&self, local: Local) -> Option<(&'a Sym, Option<&'a Sym>)> {
        let axis = self.context.loops.iter().find(|axis| axis.local == local)?;
        Some((&axis.low, axis.extent.as_ref()))
    }

    /// The number of blocks, or of threads of a block.
    pub(super) fn count_of(&self, id: &ExprKind) -> Option<&Sym> {
        let key = if *id == ExprKind::BlockId { AxisKey::Block } else { AxisKey::Thread };
        let position = self.keys.iter().position(|known| *known == key)?;
        self.axes.get(position)?.extent.as_ref()
    }

    fn anything(&mut self, expr: &Expr) -> Form {
        let unsigned_that_fits = expr.element != ElementType::U64;
        let typed =
            if unsigned_that_fits { expr.clone() } else { super::operands::cast(expr.clone(), ElementType::I64) };
        self.unknown(Unknown::Value(typed.clone()), &typed)
    }

    /// The guards around the access as forms, each with the comparison to zero: `left − right op 0`.
    pub(super) fn guards(&mut self) -> Vec<(Form, CompareOp)> {
        let guards: &'a [Guard] = &self.context.guards;
        if self.context.unstated_conditions > 0 {
            self.exact = false;
        }
        guards
            .iter()
            .map(|guard| {
                let form = Form::Difference(Box::new(self.form(&guard.left)), Box::new(self.form(&guard.right)));
                (form, guard.op)
            })
            .collect()
    }
}

/// Whether the operator is one of those that leave a type.
fn can_wrap(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Unary(UnaryOp::Negate, _)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..)
    )
}

/// The expression as a size.
pub(super) fn as_size(expr: &Expr) -> Option<Sym> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(Sym::constant(*value)),
        ExprKind::Size(value) => Some(value.clone()),
        _ => None,
    }
}
