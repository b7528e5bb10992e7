//! Atomic accesses: `atomic_add(h[b], 1);` and `let place = atomic_add(count[0], 1);`.

use super::bindings::Binding;
use super::checker::Checker;
use super::operand::Operand;
use super::statements::Declared;
use crate::diagnostics::{self, OfBlock, WrongAtomic};
use elements::ElementType;
use kernel::typed::{
    AccessKind, Atomic, AtomicOperation, Expr, ExprKind, Launch, Local, Memory, MemoryOrder, Statement, StatementKind,
    ThreadScope,
};
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{self, Argument, Suffix, SuffixKind};

/// The arguments of atomic accesses that are given by name.
pub(super) const NAMED: &[&str] = &["order", "scope"];

/// A call of an atomic operation on an element.
#[derive(Clone, Copy)]
pub(super) struct AtomicCall<'t> {
    pub(super) operation: AtomicOperation,
    name_span: Span,
    args: &'t [Argument],
    span: Span,
}

/// The call of an atomic operation that an expression is.
pub(super) fn atomic_call(expr: &tree::Expr) -> Option<AtomicCall<'_>> {
    let tree::ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
    let tree::ExprKind::Name(name) = &base.kind else { return None };
    let [Suffix { kind: SuffixKind::Call(args), .. }] = suffixes.as_slice() else { return None };
    let operation = AtomicOperation::from_name(name)?;
    Some(AtomicCall { operation, name_span: base.span, args, span: expr.span })
}

impl Checker<'_> {
    /// An atomic access, with the variable that takes the element from before.
    pub(super) fn atomic_statement(
        &mut self,
        call: AtomicCall<'_>,
        declared: Option<Declared<'_>>,
    ) -> Option<Vec<Statement>> {
        let made = self.atomic(call, declared.is_some());
        let Some(Declared { name, mutable, element }) = declared else { return made.map(|(statements, _)| statements) };
        let element = match element {
            Some(word) => self.evaluator.element_type(word).map(Some),
            None => Some(None),
        };
        let (Some((mut statements, Some(before))), Some(element)) = (made, element) else {
            self.bind(name, Binding::Broken);
            return None;
        };
        let variable = self.locals.get_mut(before)?;
        let found = variable.element;
        let kept = element.unwrap_or(found);
        if kept == found && !mutable {
            variable.name = name.text.clone();
            self.note_meaning(name, &Binding::Local(before));
            self.bind(name, Binding::Local(before));
            return Some(statements);
        }
        let before = Expr { kind: ExprKind::Local(before), element: found };
        let value = self.coerce(Operand::Typed(before), kept, call.span);
        statements.extend(self.let_statement(name, mutable, value, call.span)?);
        Some(statements)
    }

    /// The statements of an atomic access, and the variable with the element from before if that is wanted.
    fn atomic(&mut self, call: AtomicCall<'_>, is_wanted: bool) -> Option<(Vec<Statement>, Option<Local>)> {
        let AtomicCall { operation, name_span, args, span } = call;
        if is_wanted && !operation.gives() {
            return self.report(diagnostics::wrong_atomic(span, &WrongAtomic::GivesNothing));
        }
        let (positional, named) = self.split_named(operation.name(), args, NAMED)?;
        let wanted = operation.operands();
        let (target, operands) = match positional {
            [target, operands @ ..] if operands.len() == wanted.len() => (target, operands),
            _ => {
                let parameters: Vec<&str> = ["element"].into_iter().chain(wanted.iter().copied()).collect();
                let found = positional.len();
                return self.report(diagnostics::argument_count(span, operation.name(), &parameters, found));
            }
        };
        let Some((base, indices)) = element_of(&target.value) else {
            return self.report(diagnostics::wrong_atomic(target.value.span, &WrongAtomic::NoElement(operation)));
        };
        if self.is_of_block(base) && is_wanted {
            let (tensor, rank) = (self.text_of(base.span), indices.len());
            let places: Vec<_> = indices.iter().map(|index| self.text_of(index.span)).collect();
            let values: Vec<_> = operands.iter().map(|operand| self.text_of(operand.value.span)).collect();
            let element = match &base.kind {
                tree::ExprKind::Name(name) => match self.binding(name).cloned() {
                    Some(Binding::Memory(memory)) => self.memories.element_of(memory),
                    Some(Binding::View(view)) => self.memories.element_of(view.memory),
                    _ => None,
                },
                _ => None,
            };
            let form = OfBlock { operation, element, tensor: &tensor, rank, places: &places, values: &values };
            return self.report(diagnostics::wrong_atomic(span, &WrongAtomic::OfBlock(form)));
        }
        let (mut statements, operands) = self.with_tiles(|checker| {
            let operand = |operand: &Argument| (checker.operand(&operand.value), operand.value.span);
            operands.iter().map(operand).collect::<Vec<(Option<_>, Span)>>()
        });
        let mut result = None;
        let access = self.once_for_block(base, span, |checker| {
            let access = checker.access(base, indices, AccessKind::Atomic(operation), target.value.span)?;
            let element = checker.memories.element_of(access.memory)?;
            checker.check_atomic_type(operation, element, name_span)?;
            let (order, scope) = checker.order_and_scope(operation, access.memory, &named)?;
            let mut typed = Vec::with_capacity(operands.len());
            for (operand, at) in operands {
                typed.push(checker.coerce(operand?, element, at)?);
            }
            if is_wanted {
                let local = checker.new_local(&SmolStr::new_static("before"), element, false);
                // What is known of it is what is known of an element that other threads change.
                let before = Expr { kind: ExprKind::Load(Box::new(access.clone())), element };
                checker.raiser.declare(local, &before);
                result = Some(local);
            }
            let atomic = Atomic { operation, access, operands: typed, result, order, scope };
            Some(checker.made(StatementKind::Atomic(Box::new(atomic)), span))
        })?;
        statements.extend(access);
        Some((statements, result))
    }

    /// Checks that a type has an operation.
    pub(super) fn check_atomic_type(
        &mut self,
        operation: AtomicOperation,
        element: ElementType,
        span: Span,
    ) -> Option<()> {
        if operation.is_defined_on(element) {
            return Some(());
        }
        self.report(diagnostics::wrong_atomic(span, &WrongAtomic::Type { operation, element }))
    }

    /// The order and the scope of an access, by their names.
    pub(super) fn order_and_scope(
        &mut self,
        operation: AtomicOperation,
        memory: Memory,
        named: &[&Argument],
    ) -> Option<(MemoryOrder, ThreadScope)> {
        let of = |name: &str| {
            let found = named.iter().find(|argument| argument.name.as_ref().is_some_and(|word| word.text == name));
            found.map(|argument| &argument.value)
        };
        let order = match of("order") {
            None => MemoryOrder::default(),
            Some(value) => {
                let orders = operation.orders();
                let found = word(value).and_then(|word| orders.iter().find(|order| order.name() == word));
                let Some(order) = found else {
                    let words: Vec<&str> = orders.iter().map(|order| order.name()).collect();
                    let why = WrongAtomic::Order { operation, words: &words };
                    return self.report(diagnostics::wrong_atomic(value.span, &why));
                };
                *order
            }
        };
        let scope = match of("scope") {
            None => ThreadScope::default(),
            Some(value) => {
                let found =
                    word(value).and_then(|word| ThreadScope::ALL.into_iter().find(|scope| scope.name() == word));
                let Some(scope) = found else {
                    let words = ThreadScope::ALL.map(ThreadScope::name);
                    return self.report(diagnostics::wrong_atomic(value.span, &WrongAtomic::Scope { words: &words }));
                };
                if scope == ThreadScope::Block && memory.param().is_some() && !has_one_block(&self.launch) {
                    return self.report(diagnostics::wrong_atomic(value.span, &WrongAtomic::OtherBlocks));
                }
                scope
            }
        };
        Some((order, scope))
    }
}

fn has_one_block(launch: &Launch) -> bool {
    launch.blocks.as_constant() == Some(1)
}

/// The tensor and the indices of `x[i, j]`.
fn element_of(expr: &tree::Expr) -> Option<(&tree::Expr, &[tree::Expr])> {
    let tree::ExprKind::Postfix { base, suffixes } = &expr.kind else { return None };
    match suffixes.as_slice() {
        [Suffix { kind: SuffixKind::Bracket(indices), .. }] => Some((base, indices)),
        _ => None,
    }
}

fn word(expr: &tree::Expr) -> Option<&str> {
    match &expr.kind {
        tree::ExprKind::Name(word) => Some(word.as_str()),
        _ => None,
    }
}
