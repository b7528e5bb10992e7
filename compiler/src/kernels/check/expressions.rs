//! Expressions in kernels.

use smol_str::SmolStr;

use super::affine::as_size;
use super::constants::Folded;
use super::operands::{Operand, cast, constant};
use super::{Binding, Checker, ElementType};
use crate::diagnostics::{self, Diagnostic};
use crate::kernels::typed::{BinaryOp, Constant, Expr, ExprKind, MathFunction, UnaryOp};
use crate::syntax::span::Span;
use crate::syntax::tree::{self, Argument, PrefixOp, Suffix, SuffixKind};
use crate::values::Value;

/// The functions of one argument on floats.
const FLOAT_FUNCTIONS: &[(&str, MathFunction)] = &[
    ("sqrt", MathFunction::Sqrt),
    ("rsqrt", MathFunction::Rsqrt),
    ("exp", MathFunction::Exp),
    ("exp2", MathFunction::Exp2),
    ("log", MathFunction::Log),
    ("log2", MathFunction::Log2),
    ("sin", MathFunction::Sin),
    ("cos", MathFunction::Cos),
    ("tanh", MathFunction::Tanh),
    ("floor", MathFunction::Floor),
    ("ceil", MathFunction::Ceil),
    ("round", MathFunction::Round),
];

/// The functions of two integers that work on their bits.
const BIT_FUNCTIONS: &[(&str, BinaryOp)] = &[
    ("bit_and", BinaryOp::BitAnd),
    ("bit_or", BinaryOp::BitOr),
    ("bit_xor", BinaryOp::BitXor),
    ("shift_left", BinaryOp::ShiftLeft),
    ("shift_right", BinaryOp::ShiftRight),
];

const OTHER_FUNCTIONS: &[&str] = &["abs", "min", "max", "pow", "fma", "cdiv"];

/// Every function that a kernel can call, for completion and suggestions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let casts = ElementType::ALL.into_iter().map(ElementType::name);
    let floats = FLOAT_FUNCTIONS.iter().map(|(name, _)| *name);
    let bits = BIT_FUNCTIONS.iter().map(|(name, _)| *name);
    floats.chain(bits).chain(OTHER_FUNCTIONS.iter().copied()).chain(casts)
}

impl Checker<'_> {
    /// An expression, constants still free in their type.
    pub(super) fn operand(&mut self, expr: &tree::Expr) -> Option<Operand> {
        if !self.mentions_kernel(expr) && !self.computes(expr) {
            return match self.unknown_word(expr) {
                Some(diagnostic) => self.report(diagnostic),
                None => self.outer(expr),
            };
        }
        match &expr.kind {
            tree::ExprKind::Name(name) => self.variable(name, expr.span),
            tree::ExprKind::Paren(inner) => self.operand(inner),
            tree::ExprKind::Prefix { ops, operand } => self.prefix(ops, operand),
            tree::ExprKind::Chain { first, rest } => {
                let mut left = self.operand(first);
                let mut span = first.span;
                for link in rest {
                    let right = self.operand(&link.operand);
                    left = match (left, right) {
                        (Some(left), Some(right)) => self.combine(link.op, left, right, (span, link.operand.span)),
                        _ => None,
                    };
                    span = span.to(link.operand.span);
                }
                left
            }
            tree::ExprKind::Postfix { base, suffixes } => self.postfix(base, suffixes, expr.span),
            tree::ExprKind::If { condition, then, otherwise } => self.choice(condition, then, otherwise),
            tree::ExprKind::Error => None,
            _ => self.report(diagnostics::type_mismatch(expr.span, "a number or a truth value", "this")),
        }
    }

    /// Whether a name of the kernel, or something only kernels have, occurs in the expression.
    pub(super) fn mentions_kernel(&self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Name(name) => {
                self.binding(name).is_some()
                    || name.contains('-') && name.split('-').any(|part| self.binding(part).is_some())
            }
            tree::ExprKind::Paren(inner) | tree::ExprKind::Size(inner) => self.mentions_kernel(inner),
            tree::ExprKind::Tuple(parts) | tree::ExprKind::List(parts) => {
                parts.iter().any(|part| self.mentions_kernel(part))
            }
            tree::ExprKind::Range(low, high) => self.mentions_kernel(low) || self.mentions_kernel(high),
            tree::ExprKind::Chain { first, rest } => {
                self.mentions_kernel(first) || rest.iter().any(|link| self.mentions_kernel(&link.operand))
            }
            tree::ExprKind::Prefix { operand, .. } => self.mentions_kernel(operand),
            tree::ExprKind::Postfix { base, suffixes } => {
                let called = matches!(suffixes.first().map(|suffix| &suffix.kind), Some(SuffixKind::Call(_)));
                let function = match &base.kind {
                    tree::ExprKind::Name(name) => {
                        called && functions().any(|function| function == name && function != "cdiv")
                    }
                    _ => false,
                };
                let plain = matches!(&base.kind, tree::ExprKind::Name(name) if name == "min" || name == "max");
                (function && !plain)
                    || self.mentions_kernel(base)
                    || suffixes.iter().any(|suffix| match &suffix.kind {
                        SuffixKind::Member(_) => false,
                        SuffixKind::Call(args) => args.iter().any(|arg| self.mentions_kernel(&arg.value)),
                        SuffixKind::Bracket(indices) => indices.iter().any(|index| self.mentions_kernel(index)),
                    })
            }
            tree::ExprKind::If { condition, then, otherwise } => {
                self.mentions_kernel(condition) || self.mentions_kernel(then) || self.mentions_kernel(otherwise)
            }
            _ => false,
        }
    }

    /// A word that neither the kernel nor the file knows is reported in the kernel's terms.
    fn unknown_word(&self, expr: &tree::Expr) -> Option<Diagnostic> {
        let (name, span, called) = match &expr.kind {
            tree::ExprKind::Name(name) => (name, expr.span, false),
            tree::ExprKind::Postfix { base, suffixes } => {
                match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
                    (tree::ExprKind::Name(name), Some(SuffixKind::Call(_))) => (name, base.span, true),
                    (tree::ExprKind::Name(name), _) => (name, base.span, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let known = |word: &str| {
            crate::names::lookup(self.evaluator.db, self.evaluator.item.file(self.evaluator.db), word.into()).is_some()
        };
        if known(name) || name.split('-').all(known) || crate::evaluate::is_function(name) {
            return None;
        }
        if called {
            return Some(diagnostics::unknown_function(span, name, crate::names::nearest(name, functions())));
        }
        let own = self.bindings.iter().map(|(bound, ..)| bound.as_str());
        Some(diagnostics::unknown_local(span, name, crate::names::nearest(name, own)))
    }

    /// An expression of the file's scope: a constant or a size.
    fn outer(&mut self, expr: &tree::Expr) -> Option<Operand> {
        match self.evaluator.expr(expr)? {
            Value::Int(value) => {
                self.context.seen_symbols.extend(value.symbols());
                Some(Operand::Int(value))
            }
            Value::Float(value) => Some(Operand::Float(value)),
            Value::Bool(value) => Some(Operand::Typed(constant(Constant::Bool(value), ElementType::Bool))),
            Value::Truth(truth) => match truth.for_every_size() {
                Some(value) => Some(Operand::Typed(constant(Constant::Bool(value), ElementType::Bool))),
                None => self.report(diagnostics::not_constant_condition(expr.span, &truth.to_string())),
            },
            other => self.report(diagnostics::wrong_type(expr.span, "a number or a truth value", &other)),
        }
    }

    fn variable(&mut self, name: &SmolStr, span: Span) -> Option<Operand> {
        let typed = match self.binding(name).cloned() {
            Some(Binding::Scalar(param)) => {
                let element = self.params.get(param.0 as usize)?.element;
                Expr { kind: ExprKind::Scalar(param), element }
            }
            Some(Binding::Local(local)) => {
                let element = self.locals.get(local.0 as usize)?.element;
                Expr { kind: ExprKind::Local(local), element }
            }
            Some(Binding::Tensor(_) | Binding::View(_)) => {
                return self.report(diagnostics::type_mismatch(
                    span,
                    &format!("an element such as `{name}[…]`"),
                    &format!("all of `{name}`"),
                ));
            }
            Some(Binding::Broken) => return None,
            None => return self.hyphenated(name, span),
        };
        Some(Operand::Typed(typed))
    }

    /// `n-i` with both parts known is the subtraction.
    fn hyphenated(&mut self, name: &SmolStr, span: Span) -> Option<Operand> {
        let mut parts = name.split('-').map(SmolStr::new);
        let first = parts.next()?;
        let rest: Vec<SmolStr> = parts.collect();
        if rest.is_empty() {
            return self.unknown_local(name, span);
        }
        let part = |text: SmolStr| tree::Expr { kind: tree::ExprKind::Name(text), span };
        let mut left = self.operand(&part(first))?;
        for text in rest {
            let right = self.operand(&part(text))?;
            left = self.combine(tree::BinaryOp::Subtract, left, right, (span, span))?;
        }
        Some(left)
    }

    /// Reports a name that neither the kernel nor the file declares.
    pub(super) fn unknown_local<T>(&mut self, name: &SmolStr, span: Span) -> Option<T> {
        let own: Vec<SmolStr> = self.bindings.iter().map(|(bound, ..)| bound.clone()).collect();
        let nearest = crate::names::nearest(name, own.iter().map(SmolStr::as_str)).map(str::to_owned);
        self.report(diagnostics::unknown_local(span, name, nearest.as_deref()))
    }

    fn prefix(&mut self, ops: &[(PrefixOp, Span)], operand: &tree::Expr) -> Option<Operand> {
        let mut inner = self.operand(operand)?;
        for (op, span) in ops.iter().rev() {
            inner = match (op, inner) {
                (PrefixOp::Negate, Operand::Int(value)) => {
                    let negated = value.checked_neg();
                    Operand::Int(self.evaluator.settle(*span, negated)?)
                }
                (PrefixOp::Negate, Operand::Float(value)) => Operand::Float(-value),
                (_, other) => {
                    let value = self.natural(other, operand.span)?;
                    Operand::Typed(self.typed_prefix(*op, value, *span)?)
                }
            };
        }
        Some(inner)
    }

    fn typed_prefix(&mut self, op: PrefixOp, value: Expr, span: Span) -> Option<Expr> {
        let element = value.element;
        let (op, expected) = match op {
            PrefixOp::Negate if element.is_signed() => (UnaryOp::Negate, None),
            PrefixOp::Not if element == ElementType::Bool => (UnaryOp::Not, None),
            PrefixOp::Negate => (UnaryOp::Negate, Some("a signed number")),
            PrefixOp::Not => (UnaryOp::Not, Some("`bool`")),
        };
        match expected {
            Some(expected) => self.report(diagnostics::type_mismatch(span, expected, &format!("`{element}`"))),
            None => Some(Expr { kind: ExprKind::Unary(op, Box::new(value)), element }),
        }
    }

    /// One operator of a kernel.
    pub(super) fn combine(
        &mut self,
        op: tree::BinaryOp,
        left: Operand,
        right: Operand,
        spans: (Span, Span),
    ) -> Option<Operand> {
        let span = spans.0.to(spans.1);
        let (left, right) = match self.folded(op, left, right, span)? {
            Folded::Value(value) => return Some(value),
            Folded::Operands(left, right) => self.unify(left, right, spans)?,
        };
        let element = left.element;
        let number = element != ElementType::Bool;
        let (typed, allowed, result) = match op {
            tree::BinaryOp::Add => (BinaryOp::Add, number, element),
            tree::BinaryOp::Subtract => (BinaryOp::Subtract, number, element),
            tree::BinaryOp::Multiply => (BinaryOp::Multiply, number, element),
            tree::BinaryOp::Divide => (self.division(BinaryOp::Divide, &left, &right), number, element),
            tree::BinaryOp::Remainder => (self.division(BinaryOp::Remainder, &left, &right), number, element),
            tree::BinaryOp::Equal => (BinaryOp::Equal, true, ElementType::Bool),
            tree::BinaryOp::NotEqual => (BinaryOp::NotEqual, true, ElementType::Bool),
            tree::BinaryOp::Less => (BinaryOp::Less, number, ElementType::Bool),
            tree::BinaryOp::LessEqual => (BinaryOp::LessEqual, number, ElementType::Bool),
            tree::BinaryOp::Greater => (BinaryOp::Greater, number, ElementType::Bool),
            tree::BinaryOp::GreaterEqual => (BinaryOp::GreaterEqual, number, ElementType::Bool),
            tree::BinaryOp::And => (BinaryOp::And, !number, ElementType::Bool),
            tree::BinaryOp::Or => (BinaryOp::Or, !number, ElementType::Bool),
            tree::BinaryOp::Pipe | tree::BinaryOp::BoundedProduct => (BinaryOp::Add, false, element),
        };
        if !allowed {
            let expected = if number { "`bool` on both sides" } else { "numbers on both sides" };
            return self.report(diagnostics::type_mismatch(span, expected, &format!("`{element}`")));
        }
        let kind = ExprKind::Binary(typed, Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element: result }))
    }

    /// Division truncates; for indices that are never negative, by a positive size, that is floor division.
    fn division(&self, op: BinaryOp, left: &Expr, right: &Expr) -> BinaryOp {
        let positive = as_size(right).is_some_and(|divisor| divisor.as_constant().is_none_or(|divisor| divisor > 0));
        if left.element != ElementType::I64 || !positive || !self.never_negative(left) {
            return op;
        }
        if op == BinaryOp::Divide { BinaryOp::FloorDivide } else { BinaryOp::FloorRemainder }
    }

    pub(super) fn never_negative(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => *value >= 0,
            ExprKind::BlockId | ExprKind::ThreadId => true,
            ExprKind::Size(size) => self.evaluator.facts.range(size).lo.is_some_and(|low| low >= 0),
            ExprKind::Local(local) => {
                let axis = self.context.loops.iter().find(|axis| axis.local == *local);
                let definition = self.definitions.get(local.0 as usize).and_then(Option::as_ref);
                axis.is_some_and(|axis| axis.low.as_constant().is_some_and(|low| low >= 0))
                    || definition.is_some_and(|definition| self.never_negative(definition))
            }
            ExprKind::Cast(inner) => !inner.element.is_signed() && inner.element != ElementType::U64,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::FloorDivide, left, right) => {
                self.never_negative(left) && self.never_negative(right)
            }
            // A product of data may wrap; one of sizes, ids and iterators that does is an index into no tensor.
            ExprKind::Binary(BinaryOp::Multiply, left, right) => {
                self.never_negative(left) && self.never_negative(right) && !has_cast(left) && !has_cast(right)
            }
            ExprKind::Binary(BinaryOp::FloorRemainder, ..) => true,
            _ => false,
        }
    }

    fn choice(&mut self, condition: &tree::Expr, then: &tree::Expr, otherwise: &tree::Expr) -> Option<Operand> {
        let checked = self.operand(condition);
        // A choice between constants stays a constant, free in its type.
        if let Some(Operand::Typed(Expr { kind: ExprKind::Constant(Constant::Bool(chosen)), .. })) = checked
            && !self.mentions_kernel(then)
            && !self.mentions_kernel(otherwise)
        {
            return self.operand(if chosen { then } else { otherwise });
        }
        let (left, right) = (self.operand(then), self.operand(otherwise));
        let checked = self.coerce(checked?, ElementType::Bool, condition.span)?;
        let (left, right) = self.unify(left?, right?, (then.span, otherwise.span))?;
        let element = left.element;
        let kind = ExprKind::Select(Box::new(checked), Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element }))
    }

    fn postfix(&mut self, base: &tree::Expr, suffixes: &[Suffix], span: Span) -> Option<Operand> {
        match (&base.kind, suffixes) {
            (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(args), .. }])
                if self.binding(name).is_none() =>
            {
                self.call(name, args, base.span, span)
            }
            (_, [Suffix { kind: SuffixKind::Bracket(indices), .. }]) => {
                let access = self.access(base, indices, false, span)?;
                let element = self.params.get(access.tensor.0 as usize)?.element;
                Some(Operand::Typed(Expr { kind: ExprKind::Load(Box::new(access)), element }))
            }
            (tree::ExprKind::Name(name), _) if self.binding(name).is_some() => {
                self.report(diagnostics::not_available_yet(span, "a tile operation"))
            }
            _ => self.report(diagnostics::type_mismatch(span, "a number or a truth value", "this")),
        }
    }

    fn call(&mut self, name: &str, args: &[Argument], name_span: Span, span: Span) -> Option<Operand> {
        let operands: Vec<Option<Operand>> = args.iter().map(|arg| self.operand(&arg.value)).collect();
        let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
        let spans: Vec<Span> = args.iter().map(|arg| arg.value.span).collect();
        if let Some(element) = ElementType::from_name(name) {
            let [operand] = self.exactly(name, operands, span)?;
            return self.conversion(operand, element, span);
        }
        if let Some((_, function)) = FLOAT_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let [operand] = self.exactly(name, operands, span)?;
            let element = self.float_type(&operand, span)?;
            let value = self.coerce(operand, element, span)?;
            return Some(math(*function, vec![value], element));
        }
        if let Some((_, op)) = BIT_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let [left, right] = self.exactly(name, operands, span)?;
            let (left, right) = self.unify(left, right, pair(&spans, span))?;
            if !left.element.is_integer() {
                return self.report(diagnostics::type_mismatch(span, "integers", &format!("`{}`", left.element)));
            }
            let element = left.element;
            let kind = ExprKind::Binary(*op, Box::new(left), Box::new(right));
            return Some(Operand::Typed(Expr { kind, element }));
        }
        match name {
            "abs" => {
                let [operand] = self.exactly(name, operands, span)?;
                let value = self.natural(operand, span)?;
                self.number(&value, span)?;
                let element = value.element;
                Some(math(MathFunction::Abs, vec![value], element))
            }
            "cdiv" | "min" | "max" if operands.iter().all(|operand| matches!(operand, Operand::Int(_))) => {
                let [left, right] = self.exactly(name, operands, span)?;
                self.folded_call(name, &left, &right, span)
            }
            "min" | "max" => {
                let function = if name == "min" { MathFunction::Min } else { MathFunction::Max };
                let [left, right] = self.exactly(name, operands, span)?;
                let (left, right) = self.unify(left, right, pair(&spans, span))?;
                self.number(&left, span)?;
                let element = left.element;
                Some(math(function, vec![left, right], element))
            }
            "pow" => {
                let [left, right] = self.exactly(name, operands, span)?;
                let (left, right) = self.unify(left, right, pair(&spans, span))?;
                self.float(&left, span)?;
                let element = left.element;
                Some(math(MathFunction::Pow, vec![left, right], element))
            }
            "fma" => {
                let [a, b, c] = self.exactly(name, operands, span)?;
                let typed = [&a, &b, &c].into_iter().find_map(|operand| match operand {
                    Operand::Typed(expr) => Some(expr.element),
                    _ => None,
                });
                let element = typed.unwrap_or(ElementType::F32);
                let values = [a, b, c].map(|operand| self.coerce(operand, element, span));
                let values = values.into_iter().collect::<Option<Vec<_>>>()?;
                self.float(values.first()?, span)?;
                Some(math(MathFunction::Fma, values, element))
            }
            _ => {
                let nearest = crate::names::nearest(name, functions());
                self.report(diagnostics::unknown_function(name_span, name, nearest))
            }
        }
    }

    fn conversion(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Operand> {
        let value = match operand {
            Operand::Int(_) if element != ElementType::Bool => self.coerce(operand, element, span)?,
            Operand::Float(_) if element.is_float() => self.coerce(operand, element, span)?,
            other => {
                let value = self.natural(other, span)?;
                cast(value, element)
            }
        };
        Some(Operand::Typed(value))
    }

    fn exactly<const N: usize>(&mut self, name: &str, operands: Vec<Operand>, span: Span) -> Option<[Operand; N]> {
        let found = operands.len();
        match <[Operand; N]>::try_from(operands) {
            Ok(operands) => Some(operands),
            Err(_) => self.report(diagnostics::wrong_index_count(span, name, N, found)),
        }
    }

    /// The float type that an operand has or takes.
    fn float_type(&mut self, operand: &Operand, span: Span) -> Option<ElementType> {
        match operand {
            Operand::Typed(expr) => self.float(expr, span).map(|()| expr.element),
            _ => Some(ElementType::F32),
        }
    }

    fn float(&mut self, value: &Expr, span: Span) -> Option<()> {
        if value.element.is_float() {
            return Some(());
        }
        let expected = "a float; convert it, for example with `f32(…)`";
        self.report(diagnostics::type_mismatch(span, expected, &format!("`{}`", value.element)))
    }

    fn number(&mut self, value: &Expr, span: Span) -> Option<()> {
        if value.element != ElementType::Bool {
            return Some(());
        }
        self.report(diagnostics::type_mismatch(span, "a number", "`bool`"))
    }
}

fn math(function: MathFunction, args: Vec<Expr>, element: ElementType) -> Operand {
    Operand::Typed(Expr { kind: ExprKind::Math(function, args), element })
}

/// The spans of two arguments.
fn pair(spans: &[Span], whole: Span) -> (Span, Span) {
    match spans {
        [first, second] => (*first, *second),
        _ => (whole, whole),
    }
}

/// Whether a conversion, and so a number that only the data knows, occurs in an index expression.
fn has_cast(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(_) | ExprKind::Load(_) | ExprKind::Scalar(_) => true,
        ExprKind::Unary(_, inner) => has_cast(inner),
        ExprKind::Binary(_, left, right) => has_cast(left) || has_cast(right),
        _ => false,
    }
}
