//! Calls and other suffixes: functions, `s(k)`, `m(u)`, brackets, members.

use std::sync::Arc;

use super::callees::{Builtin, Callee};
use super::evaluator::{Evaluator, Outcome};
use super::extremes::Extreme;
use crate::diagnostics::{self, Called, Wanted};
use crate::names;
use crate::unit_words::UnitWord;
use crate::values::Value;
use dims::{Arithmetic, Facts, Sym};
use kernel::functions::{Function, MathFunction};
use maps::{ChainLevel, IndexMap, MapError};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, Suffix, SuffixKind};

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
        match Callee::from_word(name) {
            Some(Callee::Builtin(builtin)) => self.builtin(name, builtin, arguments, span),
            Some(Callee::Tiling(function)) => self.tiling_function(function, arguments, span),
            Some(Callee::Unit(unit)) => self.unit_function(unit, arguments, span),
            Some(Callee::Transform(definition)) => self.layout_or_transform(definition, arguments, span),
            Some(Callee::OfFloats(operation)) => self.function_of_floats(name, operation, arguments, span),
            None => self.unknown_callee(name, name_span),
        }
    }

    fn builtin(&mut self, name: &str, builtin: Builtin, arguments: &[Argument], span: Span) -> Outcome {
        match builtin {
            Builtin::CeilingDivide => {
                self.dimension_function(name, None, arguments, span, |a, b, facts| a.cdiv(b, facts))
            }
            Builtin::Extreme(extreme) => {
                let operation: SymOperation = match extreme {
                    Extreme::Least => |a, b, facts| a.checked_min(b, facts),
                    Extreme::Greatest => |a, b, facts| a.checked_max(b, facts),
                };
                self.dimension_function(name, Some(extreme), arguments, span, operation)
            }
            Builtin::Rank => {
                let [shape] = self.arguments(name, &["shape"], 1, arguments, span)?;
                let shape = self.shape(shape?)?;
                Some(Value::int(i64::try_from(shape.rank()).unwrap_or(i64::MAX)))
            }
            Builtin::Size => {
                let [shape] = self.arguments(name, &["shape"], 1, arguments, span)?;
                let shape = self.shape(shape?)?.size();
                self.settle(span, shape).map(Value::Int)
            }
            Builtin::Linear => {
                let [width, threads] = self.arguments(name, &["width", "threads"], 1, arguments, span)?;
                let (width, threads) = (self.map_size(width?)?, self.thread_count(threads)?);
                let map = maps::linear(&width, &threads, &self.facts);
                self.map(span, map)
            }
            Builtin::ContinuousLinear => {
                let [width, threads] = self.arguments(name, &["width", "threads"], 1, arguments, span)?;
                let width = self.map_size(width?)?;
                let threads = match threads {
                    Some(threads) => Some(self.map_size(threads)?),
                    None => None,
                };
                let map = maps::continuous_linear(&width, threads.as_ref(), &self.facts);
                self.map(span, map)
            }
            Builtin::Map2d => {
                let names = ["row_length", "threads_x", "threads_y"];
                let [row_length, x, y] = self.arguments(name, &names, 3, arguments, span)?;
                let (row_length, x, y) = (self.map_size(row_length?), self.map_size(x?), self.map_size(y?));
                let map = maps::map2d(&row_length?, &x?, &y?, &self.facts);
                self.map(span, map)
            }
            Builtin::Chain => self.chain_of_scopes(arguments, span),
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
        extreme: Option<Extreme>,
        arguments: &[Argument],
        span: Span,
        operation: SymOperation,
    ) -> Outcome {
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
