//! Lowers expressions to values, with the accesses in them.

use std::rc::Rc;

use super::{Lowering, MOST_GUARDS, Place};
use crate::loops::access::{Access, AccessId};
use crate::loops::node::{LoopId, Node, ValueId};
use crate::stack::with_enough;
use crate::table::Id;
use crate::typed::{self, AccessKind, BinaryOp, Expr, ExprKind, Memory, ParamKind, UnaryOp};
use elements::ElementType;

impl Lowering<'_, '_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> ValueId {
        (self.poll)();
        with_enough(|| self.value_of(expr))
    }

    fn value_of(&mut self, expr: &Expr) -> ValueId {
        let element = expr.element;
        let node = match &expr.kind {
            ExprKind::Constant(constant) => Node::Constant(*constant),
            ExprKind::Size(size) => Node::Size(size.clone()),
            ExprKind::Scalar(param) => Node::Scalar(*param),
            ExprKind::Local(local) => return self.held(*local),
            ExprKind::BlockId => Node::Block,
            ExprKind::ThreadId => Node::Thread,
            ExprKind::Load(access) => return self.load(access, element),
            ExprKind::Unary(op, inner) => Node::Unary(*op, self.value(inner)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = self.value(left);
                let right = self.value_where(left, *op == BinaryOp::And, right);
                Node::Binary(*op, left, right)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left);
                Node::Binary(*op, left, self.value(right))
            }
            ExprKind::Select(condition, then, otherwise) => {
                let condition = self.value(condition);
                let then = self.value_where(condition, true, then);
                let otherwise = self.value_where(condition, false, otherwise);
                Node::Select(condition, then, otherwise)
            }
            ExprKind::Cast(inner) if inner.element == element => return self.value(inner),
            ExprKind::Cast(inner) => Node::Cast(self.value(inner)),
            ExprKind::Bits(inner) => Node::Bits(self.value(inner)),
            ExprKind::Math(function, arguments) => {
                Node::Math(*function, arguments.iter().map(|argument| self.value(argument)).collect())
            }
        };
        if let Node::Unary(UnaryOp::Not, inner) = node
            && let Some(Node::Unary(UnaryOp::Not, inner)) = self.values.node(inner)
        {
            return *inner;
        }
        self.values.made(node, element)
    }

    /// A part of an expression that is evaluated only where a condition has the given truth.
    fn value_where(&mut self, condition: ValueId, holds: bool, part: &Expr) -> ValueId {
        self.under(condition, holds, |lowering| lowering.value(part))
    }

    fn load(&mut self, access: &typed::Access, element: ElementType) -> ValueId {
        let own = self.place(access);
        let is_constant = self.is_constant(access.memory);
        let place = (!is_constant).then_some((self.next, access.span));
        let key = (access.memory, access.map.clone(), own.clone(), place);
        if let Some(known) = self.loads.get(&key) {
            return self.values.made(Node::Load(*known), element);
        }
        let mut loops = self.loops.clone();
        if is_constant {
            let parts = own.coordinates.iter().copied().chain([own.offset]).chain(own.mask);
            loops = parts.filter_map(|id| self.values.get(id)).flat_map(|value| value.loops.iter().copied()).collect();
        }
        let id = self.access(access, AccessKind::Load, own);
        self.loads.insert(key, id);
        self.values.within(Node::Load(id), element, loops)
    }

    pub(super) fn place(&mut self, access: &typed::Access) -> Place {
        let mask = access.mask.as_ref().map(|mask| self.value(mask));
        let unconditional = self.masked == 0 && self.are_implied_by(mask);
        self.masked += u32::from(mask.is_some());
        let coordinates = access.coordinates.iter().map(|coordinate| self.value(coordinate)).collect();
        let offset = self.value(&access.offset);
        self.masked -= u32::from(mask.is_some());
        let tested = mask.and_then(|mask| self.tested(mask));
        Place { coordinates, offset, mask, tested, unconditional }
    }

    /// Whether the conditions around an expression hold wherever a mask does, as those do that choose what stands in the place of
    /// masked elements.
    fn are_implied_by(&self, mask: Option<ValueId>) -> bool {
        let around = self.guards.get(self.within_guards..).unwrap_or_default();
        let own = || mask.into_iter().flat_map(|mask| self.values.conjuncts(mask));
        let is_implied = |(condition, holds): &(ValueId, bool)| {
            *holds && self.values.conjuncts(*condition).into_iter().all(|condition| own().any(|own| own == condition))
        };
        around.iter().all(is_implied)
    }

    /// Whether the kernel never writes a memory.
    fn is_constant(&self, memory: Memory) -> bool {
        let param = memory.param().and_then(|param| self.kernel.params.get(param));
        param.is_some_and(|param| matches!(param.kind, ParamKind::Tensor { mutable: false, .. }))
    }

    pub(super) fn access(&mut self, access: &typed::Access, kind: AccessKind, place: Place) -> AccessId {
        let (memory, map, span) = (access.memory, access.map.clone(), access.span);
        let id = AccessId::next(&self.accesses);
        let guards: Rc<[(ValueId, bool)]> = self.guards[self.guards.len().saturating_sub(MOST_GUARDS)..].into();
        let loops: Rc<[LoopId]> = self.loops.as_slice().into();
        let class = (memory, kind, map.clone(), place.coordinates.clone(), guards.clone(), loops.clone());
        let representative = *self.same.entry(class).or_insert(id);
        let is_constant = self.is_constant(memory);
        let Place { coordinates, offset, mask, tested, unconditional } = place;
        let own = Access {
            memory,
            kind,
            is_constant,
            span,
            map,
            coordinates,
            offset,
            mask,
            tested,
            unconditional,
            guards,
            loops,
            representative,
        };
        self.accesses.push(own);
        self.made.push(id);
        id
    }
}
