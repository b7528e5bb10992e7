//! Calls and other suffixes: functions, `s(k)`, `m(u)`, brackets, members.

use std::borrow::Cow;
use std::sync::Arc;

use super::extremes::Extreme;
use super::tilings::TILING_FUNCTIONS;
use super::units::unit_functions;
use super::{Evaluator, Outcome};
use crate::diagnostics::{self, Called, Diagnostic, Wanted};
use crate::names;
use crate::transforms;
use crate::unit_words::UnitWord;
use crate::values::Value;
use dims::{Arithmetic, Facts, Sym};
use kernel::functions::{Function, MathFunction, Meaning};
use maps::threads;
use maps::{ChainLevel, IndexMap, MapError};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, Suffix, SuffixKind};

/// The functions that are available everywhere.
pub(crate) const FUNCTIONS: &[&str] =
    &["cdiv", "min", "max", "rank", "size", "linear", "continuous_linear", "map2d", "chain", "reshape_map"];

/// Whether a word is a function outside kernels, or a transform.
pub fn is_function(name: &str) -> bool {
    functions().any(|function| function == name)
}

/// Whether a word is a function of units and tilings.
pub fn is_of_collectives(name: &str) -> bool {
    TILING_FUNCTIONS.contains(&name) || unit_functions().any(|unit| unit == name)
}

/// The functions that are available everywhere.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let layouts_and_transforms = transforms::definitions().map(|definition| definition.documentation.word);
    FUNCTIONS.iter().chain(TILING_FUNCTIONS).copied().chain(layouts_and_transforms).chain(unit_functions())
}

/// The function of floats that constants may call.
fn operation_on_floats(name: &str) -> Option<MathFunction> {
    let Meaning::Operation(operation) = Function::from_name(name)?.meaning else { return None };
    let one = [1.0; 2];
    let is_computed =
        operation != MathFunction::Abs && operation.of_floats(&one[..operation.operation().operands.min(2)]).is_some();
    is_computed.then_some(operation)
}

type SymOperation = fn(&Sym, &Sym, &Facts) -> Result<Sym, Arithmetic>;

impl Evaluator<'_> {
    /// Evaluates `base` with its suffixes.
    pub(crate) fn postfix(&mut self, base: &Expr, suffixes: &[Suffix]) -> Outcome {
        let mut span = base.span;
        let mut position = 0;
        let mut value = match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
            (ExprKind::Name(name), Some(SuffixKind::Call(arguments))) if !self.is_declared(name) => {
                span = span.to(suffixes[0].span);
                position = 1;
                self.function(name, arguments, base.span, span)?
            }
            _ => self.expr(base)?,
        };
        while let Some(suffix) = suffixes.get(position) {
            position += 1;
            value = match &suffix.kind {
                SuffixKind::Bracket(_) if matches!(value, Value::Map(_)) => {
                    return self.report(diagnostics::map_in_brackets(suffix.span));
                }
                SuffixKind::Bracket(elements) => {
                    let shape = self.as_shape(value, base)?;
                    self.derivation(shape, elements)?
                }
                SuffixKind::Call(arguments) => self.call_value(value, arguments, span.to(suffix.span))?,
                SuffixKind::Member(member) => {
                    let call = match suffixes.get(position) {
                        Some(Suffix { kind: SuffixKind::Call(arguments), span }) => Some((arguments.as_slice(), *span)),
                        _ => None,
                    };
                    if call.is_some() {
                        position += 1;
                    }
                    let whole = span.to(call.map_or(suffix.span, |(_, span)| span));
                    self.member(value, member, call.map(|(arguments, _)| arguments), whole)?
                }
            };
            span = span.to(suffix.span);
        }
        Some(value)
    }

    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.declares_itself(name) || names::lookup(self.db, self.item.file(self.db), name.into()).is_some()
    }

    fn function(&mut self, name: &str, arguments: &[Argument], name_span: Span, span: Span) -> Outcome {
        match name {
            "cdiv" => self.dimension_function(name, arguments, span, |a, b, facts| a.cdiv(b, facts)),
            "min" => self.dimension_function(name, arguments, span, |a, b, facts| a.checked_min(b, facts)),
            "max" => self.dimension_function(name, arguments, span, |a, b, facts| a.checked_max(b, facts)),
            "rank" => {
                let [shape] = self.arguments(name, &["shape"], 1, arguments, span)?;
                let shape = self.shape(shape?)?;
                Some(Value::int(i64::try_from(shape.rank()).unwrap_or(i64::MAX)))
            }
            "size" => {
                let [shape] = self.arguments(name, &["shape"], 1, arguments, span)?;
                let shape = self.shape(shape?)?.size();
                self.settle(span, shape).map(Value::Int)
            }
            "linear" => {
                let [width, threads] = self.arguments(name, &["width", "threads"], 1, arguments, span)?;
                let (width, threads) = (self.map_size(width?)?, self.thread_count(threads)?);
                let map = maps::linear(&width, &threads, &self.facts);
                self.map(span, map)
            }
            "continuous_linear" => {
                let [width, threads] = self.arguments(name, &["width", "threads"], 1, arguments, span)?;
                let width = self.map_size(width?)?;
                let threads = match threads {
                    Some(threads) => Some(self.map_size(threads)?),
                    None => None,
                };
                let map = maps::continuous_linear(&width, threads.as_ref(), &self.facts);
                self.map(span, map)
            }
            "map2d" => {
                let names = ["row_length", "threads_x", "threads_y"];
                let [row_length, x, y] = self.arguments(name, &names, 3, arguments, span)?;
                let (row_length, x, y) = (self.map_size(row_length?), self.map_size(x?), self.map_size(y?));
                let map = maps::map2d(&row_length?, &x?, &y?, &self.facts);
                self.map(span, map)
            }
            "chain" => self.chain_of_scopes(arguments, span),
            _ if TILING_FUNCTIONS.contains(&name) => self.tiling_function(name, arguments, span),
            _ if let Some(unit) = threads::standard_unit(name) => self.unit_function(unit, arguments, span),
            _ if let Some(definition) = transforms::definition(name) => {
                self.layout_or_transform(definition, arguments, span)
            }
            _ if let Some(operation) = operation_on_floats(name) => {
                self.function_of_floats(name, operation, arguments, span)
            }
            _ => self.unknown_callee(name, name_span),
        }
    }

    /// Evaluates a function of floats, as in `1.0 / sqrt(64.0)`.
    fn function_of_floats(
        &mut self,
        name: &str,
        operation: MathFunction,
        arguments: &[Argument],
        span: Span,
    ) -> Outcome {
        let parameters: Vec<&str> =
            Function::from_name(name)?.parameters.iter().map(|parameter| parameter.name).collect();
        if arguments.len() != parameters.len() || arguments.iter().any(|argument| argument.name.is_some()) {
            return self.report(diagnostics::fixed_argument_count(span, name, &parameters, arguments.len()));
        }
        let values: Vec<Outcome> = arguments.iter().map(|argument| self.expr(&argument.value)).collect();
        let mut numbers = Vec::new();
        for (value, argument) in values.into_iter().zip(arguments) {
            let value = value?;
            let number = match &value {
                Value::Float(value) => Some(*value),
                Value::Int(value) => value.as_constant().map(|value| value as f64),
                _ => None,
            };
            match number {
                Some(number) => numbers.push(number),
                None => return self.report(diagnostics::wrong_type(argument.value.span, Wanted::Number, &value)),
            }
        }
        operation.of_floats(&numbers).map(Value::Float)
    }

    /// Evaluates `cdiv`, `min` or `max`, of integers and shapes; `min` and `max` also of other numbers, and of more
    /// than two arguments.
    fn dimension_function(
        &mut self,
        name: &str,
        arguments: &[Argument],
        span: Span,
        operation: SymOperation,
    ) -> Outcome {
        let extreme = Extreme::from_name(name);
        let is_list = arguments.len() > 2 && arguments.iter().all(|argument| argument.name.is_none());
        let values: Vec<Outcome> = if extreme.is_some() && is_list {
            arguments.iter().map(|argument| self.expr(&argument.value)).collect()
        } else {
            let [left, right] = self.arguments(name, &["a", "b"], 2, arguments, span)?;
            vec![self.expr(left?), self.expr(right?)]
        };
        let mut values = values.into_iter().collect::<Option<Vec<Value>>>()?.into_iter();
        let first = values.next()?;
        let facts = self.facts.clone();
        let mut apply = |left: &Sym, right: &Sym| operation(left, right, &facts);
        values.try_fold(first, |left, right| {
            if let (Value::Int(left), Value::Int(right)) = (&left, &right) {
                let result = apply(left, right);
                return self.settle(span, result).map(Value::Int);
            }
            match extreme.and_then(|extreme| extreme.choose(&left, &right)) {
                Some(number) => Some(number),
                None => self.per_dimension(name, &left, &right, span, &mut apply),
            }
        })
    }

    /// Evaluates `chain(linear(64) per warp, …)` as `chain((map, unit size), …)`, from the largest scope inwards.
    fn chain_of_scopes(&mut self, arguments: &[Argument], span: Span) -> Outcome {
        let mut levels = Vec::with_capacity(arguments.len());
        let mut threads = None;
        for argument in arguments {
            match &argument.name {
                Some(name) if name.text == "threads" => threads = Some(self.map_size(&argument.value)?),
                Some(name) => {
                    return self.report(diagnostics::unknown_argument(name.span, "chain", &name.text, &["threads"]));
                }
                None => {
                    let ExprKind::Tuple(parts) = &argument.value.kind else {
                        return self.report(diagnostics::chain_level(argument.value.span));
                    };
                    let [map, unit] = parts.as_slice() else {
                        return self.report(diagnostics::chain_level(argument.value.span));
                    };
                    let (map, unit_size) = (self.expr(map), self.unit_size(unit));
                    let Value::Map(map) = map? else {
                        return self.report(diagnostics::chain_level(argument.value.span));
                    };
                    let unit_size = unit_size?;
                    let around = levels.last().map(|level: &ChainLevel| level.unit_size.clone());
                    let units = self.units_within(around, &unit_size, argument.value.span)?;
                    let symbol = super::open_threads();
                    let map = maps::replace_symbol(&map, &symbol, &units, &self.facts);
                    let Value::Map(map) = self.map(argument.value.span, map)? else { return None };
                    levels.push(ChainLevel { map: (*map).clone(), unit_size });
                }
            }
        }
        if levels.is_empty() {
            return self.report(diagnostics::chain_level(span));
        }
        let map = maps::chain(&levels, threads, &self.facts);
        self.map(span, map)
    }

    /// The number of units of that size in the surrounding unit; `None` around the largest unit stands for all threads.
    fn units_within(&mut self, around: Option<Sym>, size: &Sym, span: Span) -> Option<Sym> {
        let around = around.unwrap_or_else(|| Sym::symbol(super::open_threads()));
        let units = around.checked_floor_div(size, &self.facts);
        self.settle(span, units)
    }

    /// The number of threads in a unit: a number, or `thread` or `warp`.
    fn unit_size(&mut self, unit: &Expr) -> Option<Sym> {
        let word = match &unit.kind {
            ExprKind::Name(name) if !self.is_declared(name) => UnitWord::from_name(name),
            _ => None,
        };
        word.and_then(UnitWord::threads).or_else(|| self.map_size(unit))
    }

    fn thread_count(&mut self, threads: Option<&Expr>) -> Option<Sym> {
        match threads {
            Some(threads) => self.map_size(threads),
            None => Some(Sym::symbol(super::open_threads())),
        }
    }

    /// A size of a map: at least 1.
    pub(crate) fn map_size(&mut self, expr: &Expr) -> Option<Sym> {
        let size = self.int(expr)?;
        match size.as_constant() {
            Some(value) if value < 1 => self.report(match &expr.kind {
                ExprKind::Name(name) => diagnostics::zero_size_of(expr.span, name, value),
                ExprKind::Int(_) | ExprKind::Prefix { .. } => diagnostics::zero_size(expr.span, value),
                _ => diagnostics::zero_size_among(expr.span, value),
            }),
            _ => Some(size),
        }
    }

    /// The map, or a report of the error.
    pub(crate) fn map(&mut self, span: Span, result: Result<IndexMap, MapError>) -> Outcome {
        match result {
            Ok(map) => Some(Value::Map(Arc::new(map))),
            Err(MapError::Arithmetic(error)) => self.settle(span, Err(error)),
            Err(error) => self.report(diagnostics::map_construction(span, &error)),
        }
    }

    /// Assigns arguments to the function's parameters; the first `required` are mandatory.
    pub(crate) fn arguments<'a, 'c, const N: usize>(
        &mut self,
        called: impl Into<Called<'c>>,
        parameters: &[&str; N],
        required: usize,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<[Option<&'a Expr>; N]> {
        let called = called.into();
        let mut sorted = [None; N];
        for (slot, argument) in sorted.iter_mut().zip(self.matched(called, parameters, required, arguments, span)?) {
            *slot = argument.map(|argument| &argument.value);
        }
        if sorted[..required.min(N)].iter().any(Option::is_none) {
            return self.report(wrong_count(called, parameters, required, arguments.len(), span));
        }
        Some(sorted)
    }

    /// The argument of each parameter, by its place or by its name; the first `required` parameters are mandatory.
    pub(crate) fn matched<'a>(
        &mut self,
        called: Called<'_>,
        parameters: &[&str],
        required: usize,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Vec<Option<&'a Argument>>> {
        let mut sorted = vec![None; parameters.len()];
        for (position, argument) in arguments.iter().enumerate() {
            let place = match &argument.name {
                None => position,
                Some(name) => match parameters.iter().position(|parameter| *parameter == name.text) {
                    Some(place) => place,
                    None => {
                        return self.report(diagnostics::unknown_argument(name.span, called, &name.text, parameters));
                    }
                },
            };
            match sorted.get_mut(place) {
                Some(slot @ None) => *slot = Some(argument),
                Some(Some(first)) => {
                    let first: &Argument = first;
                    let (again, parameter) = (argument.value.span, parameters.get(place).copied().unwrap_or_default());
                    return self.report(diagnostics::argument_twice(again, first.value.span, called, parameter));
                }
                None => {
                    let found = arguments.len();
                    return self.report(wrong_count(called, parameters, required, found, span));
                }
            }
        }
        Some(sorted)
    }

    /// The arguments in the order of the parameters, as if none had a name. Those beyond the parameters stay behind them.
    pub(crate) fn by_place<'a>(
        &mut self,
        called: Called<'_>,
        parameters: &[&str],
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Cow<'a, [Argument]>> {
        if arguments.iter().all(|argument| argument.name.is_none()) {
            return Some(Cow::Borrowed(arguments));
        }
        let (of_parameters, more) = arguments.split_at(parameters.len().min(arguments.len()));
        if let Some(name) = more.iter().find_map(|argument| argument.name.as_ref()) {
            return self.report(diagnostics::unknown_argument(name.span, called, &name.text, parameters));
        }
        let required = parameters.len();
        let matched = self.matched(called, parameters, required, of_parameters, span)?;
        let given = matched.iter().take_while(|argument| argument.is_some()).count();
        if given < of_parameters.len() {
            return self.report(wrong_count(called, parameters, required, arguments.len(), span));
        }
        let unnamed = |argument: &Argument| Argument { name: None, ..argument.clone() };
        Some(matched.into_iter().flatten().chain(more).map(unnamed).collect())
    }

    /// Evaluates `s(k)` of a shape, `m(u…)` of a map, `t(w: 1)` of a tiling.
    pub(super) fn call_value(&mut self, value: Value, arguments: &[Argument], span: Span) -> Outcome {
        match value {
            Value::Shape(shape) => {
                let [position] = self.arguments(Called::Shape, &["k"], 1, arguments, span)?;
                let position = self.expr(position?)?;
                self.select_dimensions(&shape, position, span)
            }
            Value::Map(map) => {
                let coordinates = self.coordinates(&map, arguments, span)?;
                self.ask_map(&map, &coordinates, span)
            }
            Value::Function(function) => self.call_function(&function, arguments, span),
            Value::Tiling(tiling) => self.iteration(&tiling, arguments, span),
            other => self.report(diagnostics::not_callable(span, &other)),
        }
    }
}

/// A call has too many or too few arguments, where the first `required` parameters are mandatory.
fn wrong_count(called: Called<'_>, parameters: &[&str], required: usize, found: usize, span: Span) -> Diagnostic {
    match required >= parameters.len() {
        true => diagnostics::fixed_argument_count(span, called, parameters, found),
        false => diagnostics::argument_count(span, called, parameters, found),
    }
}
