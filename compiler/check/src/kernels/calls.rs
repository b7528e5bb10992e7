//! Calls of functions in kernels.

use std::borrow::Cow;

use super::bit_casts::BIT_CAST;
use super::checker::Checker;
use super::constants;
use super::exchanges::{EXCHANGES, exchange, of_lanes_elsewhere};
use super::integers::Shifted;
use super::operand::{Choice, Operand};
use super::tiles::{SELECT, TileFunction, TileMethod};
use crate::diagnostics::{self, Actual, Diagnostic, Expected, SelectAsIf, WrongAtomic};
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::functions::{ArgumentCount, Build, FUNCTIONS, Function, MathFunction, Meaning, Operands, SizeFunction};
use kernel::typed::{AtomicOperation, BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use smol_str::format_smolstr;
use syntax::span::Span;
use syntax::tree::Argument;

/// The functions that kernels can call, for completion and suggestions.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let casts = ElementType::ALL.into_iter().map(ElementType::name);
    let atomics = AtomicOperation::ALL.into_iter().map(AtomicOperation::name);
    FUNCTIONS.iter().map(|function| function.name).chain(casts).chain(atomics).chain([BIT_CAST]).chain(EXCHANGES)
}

/// What reductions call a dimension elsewhere.
const AXES: &[&str] = &["axis", "dim", "keepdims", "keepdim", "keep_dims"];

impl Checker<'_> {
    /// Whether kernels can call a function or a conversion of this name.
    pub(super) fn is_function(&self, name: &str) -> bool {
        // Some of these words are names that shapes have: `all : [2, 3]`, of which `all(0)` is a dimension.
        let is_hidden = || EXCHANGES.contains(&name) && self.is_of_file(name);
        functions().any(|function| function == name) && !is_hidden() || self.evaluator.generics.declares(name)
    }

    /// Checks a call `name(args)`.
    pub(super) fn call(&mut self, name: &str, args: &[Argument], name_span: Span, span: Span) -> Option<Operand> {
        if name == BIT_CAST {
            let cast = self.bit_cast_of(args, span)?;
            let value = self.operand(cast.value)?;
            return self.bit_cast(&cast, value);
        }
        if let Some(function) = self.function_named(name) {
            let value = self.called(&function, args, span)?;
            return self.number_in(value, span);
        }
        if let Some(exchange) = exchange(name, args) {
            return self.exchanged(exchange, name, args, span);
        }
        if name == SELECT.name() && !args.iter().any(|arg| self.mentions_broken(&arg.value)) {
            return self.selected_number(args, span);
        }
        let function = Function::from_name(name);
        let element = self.evaluator.generics.element(name);
        if self.evaluator.generics.is_broken(name) {
            return None;
        }
        if let Some(operation) = AtomicOperation::from_name(name) {
            return self.report(diagnostics::wrong_atomic(span, &WrongAtomic::Within(operation)));
        }
        // A tile among the arguments may be lost, and then this is no call of a function of numbers.
        if TileFunction::from_name(name).is_some() && args.iter().any(|arg| self.mentions_broken(&arg.value)) {
            return None;
        }
        // Errors in the arguments of an unknown function would not help.
        if function.is_none() && element.is_none() {
            let unknown = self.unknown_called(name, name_span);
            return self.report(unknown);
        }
        let args = self.by_place_in_call(name, args, span)?;
        let operands: Vec<Option<Operand>> = args.iter().map(|arg| self.operand(&arg.value)).collect();
        let operands = operands.into_iter().collect::<Option<Vec<_>>>()?;
        let spans: Vec<Span> = args.iter().map(|arg| arg.value.span).collect();
        self.call_of(name, operands, &spans, span)
    }

    /// `select(c, a, b)` of numbers, which are both computed. Numbers whose type is free get that of the context.
    fn selected_number(&mut self, args: &[Argument], span: Span) -> Option<Operand> {
        let args = self.by_place_in_call(SELECT.name(), args, span)?;
        let [condition, then, otherwise] = &*args else {
            let parameters = SELECT.documentation.by_position();
            return self.report(diagnostics::fixed_argument_count(span, SELECT.name(), &parameters, args.len()));
        };
        let condition_place = condition.value.span;
        let condition = self.condition(&condition.value);
        let as_if = self.as_if([condition_place, then.value.span, otherwise.value.span], span);
        let outer = self.context.select.replace(as_if);
        let [first, second] =
            [then, otherwise].map(|arg| self.operand(&arg.value).map(|value| (value, arg.value.span)));
        self.context.select = outer;
        let mut choice = Choice { arms: vec![(condition?, first?)], otherwise: second? };
        self.promote(choice.values_mut());
        for (value, place) in choice.arms.iter().map(|(_, arm)| arm).chain([&choice.otherwise]) {
            if let Operand::Typed(value) = value {
                self.judge_widened(value, *place);
            }
        }
        let place = choice.otherwise.1;
        let choice = Operand::Choice(Box::new(choice));
        if choice.is_constant() { Some(choice) } else { self.natural(choice, place).map(Operand::Typed) }
    }

    /// What a `select` at `span` is as an `if`, of the texts at these places.
    fn as_if(&self, [condition, then, otherwise]: [Span; 3], span: Span) -> SelectAsIf {
        let [condition, then, otherwise] = [condition, then, otherwise].map(|place| self.text_of(place));
        let text = format_smolstr!("if {condition} {{ {then} }} else {{ {otherwise} }}");
        SelectAsIf { span: self.place(span), text, is_here: self.place(span) == span }
    }

    /// The arguments of a function of numbers or of tiles in the order of its parameters.
    pub(super) fn by_place_in_call<'t>(
        &mut self,
        name: &str,
        args: &'t [Argument],
        span: Span,
    ) -> Option<Cow<'t, [Argument]>> {
        // A reduction of a tile is a method of the same name.
        let axis = args.iter().filter_map(|arg| arg.name.as_ref()).find(|name| AXES.contains(&name.text.as_str()));
        if let Some(axis) = axis.filter(|_| TileMethod::from_name(name).is_some()) {
            return self.report(diagnostics::reduction_by_function(axis.span, name, &axis.text));
        }
        self.evaluator.by_place(name.into(), &parameters_of(name), args, span)
    }

    /// The diagnostic for a call of a function that there is not.
    pub(super) fn unknown_called(&self, name: &str, name_span: Span) -> Diagnostic {
        // The name is followed by its bracket.
        let first = (name_span.end + 1) as usize;
        let text = |token: usize| self.evaluator.item.tokens(self.evaluator.db).text(token);
        if let Some(ours) = of_lanes_elsewhere(name).filter(|_| text(first + 1) == ",") {
            // The mask is one word, which goes with its comma.
            let mask = Span::new(first as u32, first as u32 + 3);
            return diagnostics::lanes_elsewhere(name_span, name, ours, mask, text(first + 2));
        }
        if let Some(ours) = number_in_quotes(text(first)).filter(|_| text(first + 1) == ")") {
            let whole = Span::new(name_span.start, first as u32 + 2);
            return diagnostics::number_of_text(name_span, name, whole, ours);
        }
        let Some(operation) = AtomicOperation::from_elsewhere(name) else {
            let declared = crate::names::suggestions(self.evaluator.db, self.evaluator.item);
            let own: Vec<&str> = declared.into_iter().filter(|name| self.function_named(name).is_some()).collect();
            let of_kernels: Vec<&'static str> =
                functions().chain(TileFunction::all().map(TileFunction::name)).collect();
            let known: Vec<&str> = own.into_iter().chain(of_kernels).collect();
            return diagnostics::unknown_function(name_span, name, crate::spelling::nearest(name, known));
        };
        let pointer = (text(first) == "&").then(|| Span::new(first as u32, first as u32 + 1));
        diagnostics::atomic_elsewhere(name_span, name, operation, pointer)
    }

    /// Applies a function or a conversion of this name to operands with these spans.
    pub(super) fn call_of(
        &mut self,
        name: &str,
        operands: Vec<Operand>,
        spans: &[Span],
        span: Span,
    ) -> Option<Operand> {
        if let Some(element) = self.evaluator.generics.element(name) {
            return match <[Operand; 1]>::try_from(operands) {
                Ok([operand]) => self.conversion(operand, element, span),
                Err(operands) => self.report(diagnostics::fixed_argument_count(span, name, &["value"], operands.len())),
            };
        }
        self.apply(Function::from_name(name)?, operands, spans, span)
    }

    /// Applies a function of the table to operands with these spans.
    fn apply(
        &mut self,
        function: &'static Function,
        operands: Vec<Operand>,
        spans: &[Span],
        span: Span,
    ) -> Option<Operand> {
        if !function.count().allows(operands.len()) {
            let parameters: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name).collect();
            let wrong_count = match function.count() {
                ArgumentCount::Exactly(_) => diagnostics::fixed_argument_count,
                ArgumentCount::AtLeast(_) => diagnostics::argument_count,
            };
            return self.report(wrong_count(span, function.name, &parameters, operands.len()));
        }
        let sizes: Option<Vec<Sym>> = operands.iter().map(Operand::as_size).collect();
        if let (Some(of_sizes), Some(sizes)) = (function.of_sizes(), sizes) {
            let mut sizes = sizes.into_iter();
            let first = sizes.next()?;
            let folded = sizes.try_fold(first, |left, right| self.size_of_sizes(of_sizes, &left, &right, span));
            return folded.map(Operand::Int);
        }
        if let (Meaning::Operator(op), [left, right]) = (function.meaning, operands.as_slice())
            && let Some(Ok(known)) = self.known_bits(op, left, right)
        {
            return Some(known);
        }
        if let Some(number) = constants::known_call(function, &operands) {
            return Some(number);
        }
        if let (Meaning::Size(SizeFunction::CeilingDivide), [number, by]) = (function.meaning, operands.as_slice())
            && let Some(by) = by.as_size()
            && let Operand::Typed(number) = number
            && number.element.is_integer()
            && number.element != ElementType::U64
            && self.evaluator.facts.proves(&by, CompareOp::Ge, &Sym::one())
            && let Ok(more) = by.checked_sub(&Sym::one())
        {
            let sum = Expr::binary(BinaryOp::Add, number.clone().cast_to(ElementType::I64), Expr::size(&more));
            return Some(Operand::Typed(Expr::binary(BinaryOp::FloorDivide, sum, Expr::size(&by))));
        }
        if function.takes == Operands::Sizes {
            let computed = operands.iter().zip(spans).rev().find(|(operand, _)| operand.as_size().is_none());
            let place = computed.map_or(span, |(_, place)| *place);
            return self.report(diagnostics::known_sizes_only(place, function.name));
        }
        self.computed_with(operands.iter().zip(spans.iter().copied()), span)?;
        let operands = match (function.meaning, <[Operand; 2]>::try_from(operands)) {
            (Meaning::Operator(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight)), Ok([left, right])) => {
                match self.shifted(op, left, right, *spans.first()?) {
                    Shifted::Is(shifted) => return Some(shifted),
                    Shifted::Open(left, right) => vec![left, right],
                }
            }
            (_, Ok(operands)) => operands.into(),
            (_, Err(operands)) => operands,
        };
        let values = self.of_one_type(function.takes, operands, spans, span)?;
        let element = values.first()?.element;
        let mut typed = Typed { element };
        let value = match function.meaning {
            Meaning::Operation(operation) if function.takes == Operands::ManyNumbers => {
                values.into_iter().reduce(|left, right| typed.math(operation, vec![left, right]))?
            }
            Meaning::Operation(operation) => typed.math(operation, values),
            Meaning::Operator(op) => {
                let [left, right] = <[Expr; 2]>::try_from(values).ok()?;
                typed.binary(op, left, right)
            }
            Meaning::Term(term) => term.build(&mut typed, &mut values.into_iter().map(Some).collect::<Vec<_>>())?,
            Meaning::Size(_) => return None,
        };
        Some(Operand::Typed(value))
    }

    /// The operands converted to their common type, which the function has to accept.
    fn of_one_type(
        &mut self,
        takes: Operands,
        operands: Vec<Operand>,
        spans: &[Span],
        span: Span,
    ) -> Option<Vec<Expr>> {
        let mut operands = operands;
        self.promote(&mut operands);
        self.of_one_integer_type(operands.iter().zip(spans.iter().copied()), span)?;
        let is_typed = operands.iter().any(|operand| matches!(operand, Operand::Typed(_)));
        // An integer literal becomes a float here.
        let becomes_float = takes == Operands::Floats && !is_typed;
        let element = if becomes_float { ElementType::F32 } else { self.common_type(&operands) };
        let values = self.unite(operands.into_iter().zip(spans.iter().copied()).collect(), element)?;
        for (value, place) in values.iter().zip(spans) {
            self.judge_widened(value, *place);
        }
        let expected = match takes {
            Operands::Floats if !element.is_float() => Expected::Float,
            Operands::Numbers | Operands::ManyNumbers if element == ElementType::Bool => Expected::Number,
            Operands::Integers if !element.is_integer() => Expected::Integers,
            _ => return Some(values),
        };
        self.report(diagnostics::type_mismatch(span, &expected, &Actual::Type(element)))
    }

    fn conversion(&mut self, operand: Operand, element: ElementType, span: Span) -> Option<Operand> {
        let value = match operand {
            // A size that is converted on purpose wraps, as any other number.
            Operand::Int(size) if element.is_integer() && size.as_constant().is_none() => {
                self.context.seen_symbols.extend(size.symbols());
                Expr::size(&size).cast_to(element)
            }
            Operand::Int(_) | Operand::Mask(_) if element != ElementType::Bool => {
                self.coerce(operand, element, span)?
            }
            Operand::Float(_) | Operand::Choice(_) if element.is_float() => self.coerce(operand, element, span)?,
            other => {
                let value = self.natural(other, span)?;
                value.cast_to(element)
            }
        };
        self.judge_converted(&value, span);
        Some(Operand::Typed(value))
    }
}

/// The parameters of a function of numbers or of tiles.
fn parameters_of(name: &str) -> Vec<&'static str> {
    if let Some(function) = TileFunction::from_name(name) {
        return function.documentation.by_position();
    }
    let parameters = Function::from_name(name).map_or([].as_slice(), |function| function.parameters);
    parameters.iter().map(|parameter| parameter.name).collect()
}

/// Builds typed expressions of operands of the same type.
struct Typed {
    element: ElementType,
}

impl Build for Typed {
    type Expr = Expr;

    fn float(&mut self, value: f64) -> Expr {
        Expr::constant(Constant::Float(value), self.element)
    }

    fn unary(&mut self, op: UnaryOp, operand: Expr) -> Expr {
        Expr::unary(op, operand)
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, left, right)
    }

    fn math(&mut self, function: MathFunction, arguments: Vec<Expr>) -> Expr {
        Expr { kind: ExprKind::Math(function, arguments), element: self.element }
    }
}

/// The number that a text stands for in Python: `"inf"`.
fn number_in_quotes(text: &str) -> Option<&'static str> {
    match text.strip_prefix('"')?.strip_suffix('"')?.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" => Some("inf"),
        "-inf" | "-infinity" => Some("-inf"),
        "nan" => Some("nan"),
        _ => None,
    }
}
