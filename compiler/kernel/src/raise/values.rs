//! Value numbering: equal expressions have the same number.

use crate::assumed::Assumed;
use crate::stack::with_enough;
use crate::table::Id;
use crate::typed::{Access, BinaryOp, Constant, Expr, ExprKind, MathFunction};
use dims::Sym;
use elements::ElementType;

use super::raiser::Raiser;
use super::value::{Kind, Traits, Value, ValueId, is_index_like};

impl Raiser {
    /// The value of an expression at the current program point.
    pub fn value(&mut self, expr: &Expr) -> ValueId {
        self.value_with_parts(expr, &mut |_, _| {})
    }

    /// The same; calls `part` for each subexpression with its value.
    pub(super) fn value_with_parts(&mut self, expr: &Expr, part: &mut dyn FnMut(&Expr, ValueId)) -> ValueId {
        let id = with_enough(|| self.value_of_kind(expr, part));
        part(expr, id);
        id
    }

    /// The value of an operation whose left operand has been raised already.
    pub fn value_over(&mut self, expr: &Expr, left: ValueId) -> ValueId {
        match &expr.kind {
            ExprKind::Binary(op, _, right) if !expr.element.is_float() => {
                let right = self.value(right);
                self.intern(Kind::Binary(*op, left, right), expr.element)
            }
            _ => self.value(expr),
        }
    }

    fn value_of_kind(&mut self, expr: &Expr, part: &mut dyn FnMut(&Expr, ValueId)) -> ValueId {
        let mut of = |raiser: &mut Self, inner: &Expr| raiser.value_with_parts(inner, part);
        let kind = match &expr.kind {
            _ if expr.element.is_float() => return self.float(expr),
            ExprKind::Constant(Constant::Int(value)) => Kind::Int(*value),
            ExprKind::Constant(Constant::Unsigned(value)) => Kind::Unsigned(*value),
            ExprKind::Constant(Constant::Bool(value)) => Kind::Bool(*value),
            ExprKind::Constant(Constant::Float(_)) => return self.unknown(expr.element),
            ExprKind::Size(size) => Kind::Size(size.clone()),
            ExprKind::Scalar(param) => Kind::Scalar(*param),
            ExprKind::Local(local) => return self.variable(*local, expr.element),
            ExprKind::BlockId => Kind::Block,
            ExprKind::ThreadId => Kind::Thread,
            ExprKind::Load(access) => self.load(access),
            ExprKind::Unary(op, inner) => Kind::Unary(*op, of(self, inner)),
            ExprKind::Binary(op, left, right) => Kind::Binary(*op, of(self, left), of(self, right)),
            ExprKind::Select(condition, then, otherwise) => {
                Kind::Select(of(self, condition), of(self, then), of(self, otherwise))
            }
            ExprKind::Cast(inner) if inner.element.is_float() => {
                return self.of_float(inner, expr.element);
            }
            ExprKind::Bits(_) => return self.unknown(expr.element),
            ExprKind::Cast(inner) => {
                let inner_id = of(self, inner);
                Kind::Cast(if inner.element == ElementType::U64 { self.plainly(inner_id) } else { inner_id })
            }
            ExprKind::Math(function, args) => Kind::Math(*function, args.iter().map(|arg| of(self, arg)).collect()),
        };
        self.intern(kind, expr.element)
    }

    fn load(&mut self, access: &Access) -> Kind {
        let offset = self.value(&access.offset);
        let mask = access.mask.as_ref().map(|mask| self.value(mask));
        let statement = (!self.is_read_only(access.memory)).then_some(self.statement);
        let contents = self.contents_here(access.memory);
        Kind::Load { memory: access.memory, offset, mask, statement, contents }
    }

    /// A new value of which only the type is known.
    pub(super) fn unknown(&mut self, element: ElementType) -> ValueId {
        self.fresh += 1;
        self.intern(Kind::Unknown(self.fresh), element)
    }

    /// The value of a size.
    pub fn size(&mut self, size: &Sym) -> ValueId {
        let kind = size.as_constant().map_or_else(|| Kind::Size(size.clone()), Kind::Int);
        self.intern(kind, ElementType::I64)
    }

    /// The number of a value. A new value gets the facts that follow from its operands.
    pub(super) fn intern(&mut self, kind: Kind, element: ElementType) -> ValueId {
        let kind = match kind {
            Kind::Size(size) => size.as_constant().map_or(Kind::Size(size), Kind::Int),
            Kind::Select(_, then, otherwise) if then == otherwise => return then,
            Kind::Binary(op, left, right) if element == ElementType::I64 => {
                let (op, left, right) = self.without_bits(op, left, right).unwrap_or((op, left, right));
                Kind::Binary(op, left, right)
            }
            other => other,
        };
        let key = (kind, element);
        if let Some(&known) = self.ids.get(&key) {
            return known;
        }
        let id = ValueId::next(&self.values);
        let (kind, element) = key.clone();
        let (Assumed { made_of, small }, traits) = (self.assumed(&kind, element), self.traits(&kind, element));
        let value = Value {
            plain: self.plain_numbers(&kind, element, made_of),
            small,
            made_of,
            leaves: self.leaves(&kind, id),
            traits,
            choices: self.choices(&kind),
            is_closed: false,
            kind,
            element,
            form: None,
            here: None,
            bounds: None,
        };
        self.values.push(value);
        self.ids.insert(key, id);
        id
    }

    /// The same operation of indices as a product, a quotient or a remainder, of which proofs know most: a shift by a known
    /// distance, or a mask of the lowest bits. Both are exact for every sign, since `/` and `%` of indices round down.
    fn without_bits(&mut self, op: BinaryOp, left: ValueId, right: ValueId) -> Option<(BinaryOp, ValueId, ValueId)> {
        let by = |id| op.in_arithmetic(self.as_size(id)?.as_constant()?, ElementType::I64);
        let ((op, by), value) = match by(right) {
            Some(found) => (found, left),
            None if op == BinaryOp::BitAnd => (by(left)?, right),
            None => return None,
        };
        Some((op, value, self.size(&Sym::constant(by))))
    }

    pub(super) fn at(&self, ValueId(id): ValueId) -> &Value {
        &self.values[id as usize]
    }

    pub(super) fn at_mut(&mut self, ValueId(id): ValueId) -> &mut Value {
        &mut self.values[id as usize]
    }

    pub(super) fn kind(&self, id: ValueId) -> &Kind {
        &self.at(id).kind
    }

    /// The type of a value.
    pub(super) fn element(&self, id: ValueId) -> ElementType {
        self.at(id).element
    }

    /// The value of a variable; any other value is returned as it is.
    pub(super) fn plainly(&self, id: ValueId) -> ValueId {
        match self.kind(id) {
            Kind::Named(inner) | Kind::Held(inner) | Kind::Again(inner, _) => *inner,
            _ => id,
        }
    }

    /// The value without names and without casts that keep it.
    pub(super) fn bare(&self, id: ValueId) -> ValueId {
        let mut id = self.plainly(id);
        while let Kind::Cast(inner) = self.kind(id)
            && self.element(id) == ElementType::I64
            && is_index_like(self.element(*inner))
        {
            id = self.plainly(*inner);
        }
        id
    }

    /// The value as a size, if it is one.
    pub(super) fn as_size(&self, id: ValueId) -> Option<Sym> {
        match self.kind(self.bare(id)) {
            Kind::Int(value) => Some(Sym::constant(*value)),
            Kind::Size(size) => Some(size.clone()),
            _ => None,
        }
    }

    pub(super) fn operands(kind: &Kind) -> impl Iterator<Item = ValueId> + '_ {
        let (few, many): ([Option<ValueId>; 3], &[ValueId]) = match kind {
            Kind::Named(inner)
            | Kind::Held(inner)
            | Kind::Again(inner, _)
            | Kind::Unary(_, inner)
            | Kind::Cast(inner) => ([Some(*inner), None, None], &[]),
            Kind::Binary(_, left, right) => ([Some(*left), Some(*right), None], &[]),
            Kind::Select(condition, then, otherwise) => ([Some(*condition), Some(*then), Some(*otherwise)], &[]),
            Kind::Load { offset, mask, .. } => ([Some(*offset), *mask, None], &[]),
            Kind::Math(_, args) => ([None; 3], args),
            _ => ([None; 3], &[]),
        };
        few.into_iter().flatten().chain(many.iter().copied())
    }

    fn leaves(&self, kind: &Kind, ValueId(id): ValueId) -> u64 {
        let own = 1u64 << (id % 64);
        match kind {
            Kind::Int(_) | Kind::Unsigned(_) | Kind::Bool(_) | Kind::Size(_) => 0,
            _ => Self::operands(kind).fold(own, |leaves, operand| leaves | self.at(operand).leaves),
        }
    }

    fn choices(&self, kind: &Kind) -> u32 {
        let own = u32::from(matches!(kind, Kind::Select(..)));
        own + Self::operands(kind).map(|operand| self.at(operand).choices).max().unwrap_or(0)
    }

    fn traits(&self, kind: &Kind, element: ElementType) -> Traits {
        let of = |id: &ValueId| self.at(*id).traits;
        let all = |test: fn(&Traits) -> bool| Self::operands(kind).all(|operand| test(&self.at(operand).traits));
        let known = Traits { data: false, counts: false, stable: true, uniform: true, of_block: true };
        let stable = all(|one| one.stable);
        let unknown = Traits { data: true, counts: false, stable, uniform: false, of_block: false };
        let inherited = Traits { uniform: all(|one| one.uniform), of_block: all(|one| one.of_block), ..unknown };
        let any_data = || Self::operands(kind).any(|operand| self.at(operand).traits.data);
        match kind {
            Kind::Int(value) => Traits { counts: *value >= 0, ..known },
            Kind::Unsigned(_) | Kind::Bool(_) => known,
            Kind::Size(size) => Traits { counts: self.facts.range(size).lo.is_some_and(|low| low >= 0), ..known },
            Kind::Scalar(_) => Traits { data: true, ..known },
            Kind::Block | Kind::Thread => {
                Traits { counts: true, uniform: false, of_block: matches!(kind, Kind::Block), ..known }
            }
            Kind::Iterator(local) => {
                let range = self.loops.get(local);
                let endless = range.is_none_or(|range| range.extent.is_none());
                let low = range.and_then(|range| range.low.as_constant());
                Traits {
                    data: endless,
                    counts: low.is_some_and(|low| low >= 0),
                    uniform: false,
                    of_block: false,
                    ..known
                }
            }
            Kind::Unknown(_) => unknown,
            Kind::Load { statement, .. } => Traits {
                stable: statement.is_none() && inherited.stable,
                uniform: statement.is_none() && inherited.uniform,
                of_block: statement.is_none() && inherited.of_block,
                ..inherited
            },
            // A variable keeps its value until it is assigned again.
            Kind::Named(inner) => Traits { stable: true, ..of(inner) },
            Kind::Again(inner, _) => of(inner),
            Kind::Held(inner) => {
                Traits { uniform: of(inner).uniform, of_block: of(inner).of_block, stable: true, ..unknown }
            }
            Kind::Cast(inner) => {
                let from = self.element(*inner);
                Traits { counts: !from.is_signed() && from != ElementType::U64, ..inherited }
            }
            Kind::Unary(_, inner) => Traits { data: of(inner).data, ..inherited },
            Kind::Binary(op, left, right) => traits_of_binary(*op, [of(left), of(right)], element, inherited),
            // One of the operands.
            Kind::Select(..) => Traits { data: any_data(), ..inherited },
            Kind::Math(MathFunction::Min | MathFunction::Max, _) if element.is_integer() => {
                Traits { data: any_data(), ..inherited }
            }
            // The bits of the operand, each in another place.
            Kind::Math(MathFunction::Brev, _) => Traits { data: any_data(), ..inherited },
            Kind::Math(..) => inherited,
        }
    }

    /// Whether a value is uniform across the launch and constant over time.
    pub(super) fn is_uniform(&self, id: ValueId) -> bool {
        self.at(id).traits.uniform
    }
}

/// The traits of an operation with two operands, given those that it inherits from both.
fn traits_of_binary(op: BinaryOp, [left, right]: [Traits; 2], element: ElementType, inherited: Traits) -> Traits {
    let data = left.data || right.data;
    let counts = match op {
        BinaryOp::Add | BinaryOp::FloorDivide => left.counts && right.counts,
        // A product of data may wrap. Sizes, ids and iterators whose product wraps index no real tensor.
        BinaryOp::Multiply => left.counts && right.counts && !data,
        BinaryOp::FloorRemainder => true,
        _ => false,
    };
    Traits { data, counts: counts && element == ElementType::I64, ..inherited }
}
