//! Initial values: `zeros`, `arange`, `random(1)`, `2.0`, `[1, 2, 3]`, `npy("x.npy")`.

use super::RunChecker;
use crate::diagnostics::{self, InitialOfNumpy, NoElement, Quantity, WrongArgument};
use crate::names;
use crate::values::Value;
use dims::Solved;
use elements::ElementType;
use kernel::run::Init;
use kernel::typed::{Constant, Param, ParamKind};
use maps::shapes::Shape;
use syntax::tree::{self, Expr, ExprKind, Suffix, SuffixKind};

/// The words for initial values.
pub const INITIAL_VALUES: &[&str] = &["zeros", "ones", "arange"];

/// The functions that make initial values.
pub const INITIAL_FUNCTIONS: &[&str] = &["random", "npy"];

impl RunChecker<'_> {
    /// Checks the arguments: one initial value for each parameter, in order.
    pub(super) fn arguments(&mut self, run: &tree::Run) -> Option<Vec<Option<Init>>> {
        let mut inits: Vec<Option<Init>> = vec![None; self.params.len()];
        let mut complete = true;
        for (position, argument) in run.args.iter().enumerate() {
            let target = match &argument.name {
                Some(name) => self.params.iter().position(|param| param.name == name.text),
                None => Some(position).filter(|position| *position < self.params.len()),
            };
            let Some(target) = target else {
                let span = argument.name.as_ref().map_or(argument.value.span, |name| name.span);
                let parameters: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
                let (kernel, parameters) = (run.kernel.text.as_str(), parameters.as_slice());
                let is_size = |name: &str| {
                    let (db, item) = (self.evaluator.db, self.evaluator.item);
                    crate::names::is_size(db, item.file(db), name)
                };
                let why = match &argument.name {
                    Some(name) => WrongArgument::NoParameter {
                        kernel,
                        name: &name.text,
                        parameters,
                        is_size: is_size(&name.text),
                    },
                    None => WrongArgument::TooMany { kernel, parameters },
                };
                let found = diagnostics::run_argument(span, &why);
                return self.report(found);
            };
            if inits[target].is_some() {
                let why = WrongArgument::Twice { parameter: &self.params[target].name };
                let found = diagnostics::run_argument(argument.value.span, &why);
                return self.report(found);
            }
            let param = self.params[target].clone();
            inits[target] = self.init(&argument.value, &param);
            complete &= inits[target].is_some();
        }
        if !complete {
            return None;
        }
        let missing: Vec<String> = self
            .params
            .iter()
            .zip(&inits)
            .filter(|(_, init)| init.is_none())
            .map(|(param, _)| param.name.to_string())
            .collect();
        if !missing.is_empty() {
            return self.report(diagnostics::run_missing_argument(run.kernel.span, &run.kernel.text, &missing));
        }
        Some(inits)
    }

    fn init(&mut self, value: &Expr, param: &Param) -> Option<Init> {
        let is_tensor = matches!(param.kind, ParamKind::Tensor { .. });
        let word = match &value.kind {
            ExprKind::Name(name) => Some((name.as_str(), None)),
            ExprKind::Postfix { base, suffixes } => match (&base.kind, suffixes.as_slice()) {
                (ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(args), .. }]) => {
                    Some((name.as_str(), Some(args)))
                }
                _ => None,
            },
            _ => None,
        };
        let init = match word {
            Some(("zeros", None)) => Init::Zeros,
            Some(("ones", None)) => Init::Ones,
            Some(("arange", None)) => Init::Arange,
            Some(("random", Some(args))) => {
                let [seed] = self.evaluator.arguments("random", &["seed"], 1, args, value.span)?;
                let seed = seed?;
                Init::Random(self.seed(seed)?)
            }
            Some(("npy", Some(args))) => {
                let [path] = self.evaluator.arguments("npy", &["path"], 1, args, value.span)?;
                let path = path?;
                match &path.kind {
                    ExprKind::Str(text) => Init::Npy(text.clone()),
                    _ => return self.report(diagnostics::run_argument(path.span, &WrongArgument::NoPath)),
                }
            }
            Some(("zeros", Some(_))) => return self.fill_with_arguments("zeros", value, param),
            Some(("ones", Some(_))) => return self.fill_with_arguments("ones", value, param),
            Some(("arange", Some(_))) => return self.fill_with_arguments("arange", value, param),
            Some(("random", None)) if !self.declares("random") => {
                return self.report(diagnostics::run_argument(value.span, &WrongArgument::NoSeed));
            }
            _ => match of_numpy(value) {
                Some((first, word, initial)) if !self.declares(first) => {
                    let ours = &initial.written(value_of_path(value));
                    return self
                        .report(diagnostics::run_argument(value.span, &WrongArgument::Elsewhere { word, ours }));
                }
                _ => return self.literal(value, param),
            },
        };
        if !is_tensor {
            let why = WrongArgument::TensorForScalar { parameter: &param.name };
            return self.report(diagnostics::run_argument(value.span, &why));
        }
        Some(init)
    }

    fn fill_with_arguments<T>(&mut self, word: &'static str, value: &Expr, param: &Param) -> Option<T> {
        let why = WrongArgument::Fill { word, parameter: &param.name };
        self.report(diagnostics::run_argument(value.span, &why))
    }

    /// A seed of any 64 bits; a negative number stands for its two's complement.
    fn seed(&mut self, expr: &Expr) -> Option<u64> {
        if let ExprKind::Unsigned(seed) = expr.kind {
            return Some(seed);
        }
        self.evaluator.constant(expr, Quantity::Seed).map(i64::cast_unsigned)
    }

    fn declares(&self, name: &str) -> bool {
        let db = self.evaluator.db;
        names::lookup(db, self.evaluator.item.file(db), name.into()).is_some()
    }

    fn literal(&mut self, expr: &Expr, param: &Param) -> Option<Init> {
        let value = self.evaluator.expr(expr)?;
        let mut elements = Vec::new();
        let is_list = matches!(value, Value::List(_) | Value::Shape(_) | Value::Tuple(_));
        if let Err(found) = flatten(&value, param.element, &mut elements) {
            let why = WrongArgument::Element { parameter: &param.name, element: param.element, found: &found };
            return self.report(diagnostics::run_argument(expr.span, &why));
        }
        match (&param.kind, elements.as_slice()) {
            (_, [single]) if !is_list => Some(Init::Constant(*single)),
            (ParamKind::Scalar, _) => {
                let why = WrongArgument::ListForScalar { parameter: &param.name };
                self.report(diagnostics::run_argument(expr.span, &why))
            }
            (ParamKind::Tensor { shape, .. }, _) => {
                let size = Shape { dims: shape.clone() }.size().ok().and_then(|size| size.as_constant());
                if let Some(size) = size
                    && usize::try_from(size) != Ok(elements.len())
                {
                    let why = WrongArgument::Length { parameter: &param.name, expected: size, found: elements.len() };
                    return self.report(diagnostics::run_argument(expr.span, &why));
                }
                if let [dim] = shape.as_slice() {
                    let solved = dim.solve(i64::try_from(elements.len()).ok()?, &|_| None);
                    if matches!(solved, Solved::TooSmall(..) | Solved::Never(_)) {
                        let (parameter, found) = (param.name.as_str(), elements.len());
                        let why = WrongArgument::NoSize { parameter, dim, found, solved: &solved };
                        return self.report(diagnostics::run_argument(expr.span, &why));
                    }
                }
                Some(Init::Literal(elements))
            }
        }
    }
}

/// A word of numpy for an initial value, behind the first name of the expression, and ours: `load("x.npy")`, `np.random.rand(3)`.
fn of_numpy(value: &Expr) -> Option<(&str, &str, InitialOfNumpy)> {
    let (first, suffixes) = match &value.kind {
        ExprKind::Name(first) => (first, [].as_slice()),
        ExprKind::Postfix { base, suffixes } => match &base.kind {
            ExprKind::Name(first) => (first, suffixes.as_slice()),
            _ => return None,
        },
        _ => return None,
    };
    let members = suffixes.iter().map_while(|suffix| match &suffix.kind {
        SuffixKind::Member(member) => Some(member.text.as_str()),
        SuffixKind::Call(_) | SuffixKind::Bracket(_) => None,
    });
    let word = members.last().unwrap_or(first);
    Some((first, word, InitialOfNumpy::of_word(word)?))
}

/// The text in the brackets of `load("x.npy")`.
fn value_of_path(value: &Expr) -> Option<&str> {
    let ExprKind::Postfix { suffixes, .. } = &value.kind else { return None };
    let Some(Suffix { kind: SuffixKind::Call(args), .. }) = suffixes.last() else { return None };
    match &args.first()?.value.kind {
        ExprKind::Str(text) => Some(text),
        _ => None,
    }
}

/// The elements of a nested literal in row-major order. The error is a number that the element type does not hold.
fn flatten(value: &Value, element: ElementType, out: &mut Vec<Constant>) -> Result<(), NoElement> {
    match value {
        Value::List(values) | Value::Tuple(values) => values.iter().try_for_each(|value| flatten(value, element, out)),
        Value::Shape(shape) => shape.dims.iter().try_for_each(|dim| flatten(&Value::Int(dim.clone()), element, out)),
        Value::Int(value) if element.is_float() || element.is_integer() => match value.as_constant() {
            Some(value) if !element.holds(value) => Err(NoElement::Int(value)),
            Some(value) if element.is_float() => {
                out.push(Constant::Float(value as f64));
                Ok(())
            }
            Some(value) => {
                out.push(Constant::Int(value));
                Ok(())
            }
            None => Err(NoElement::Symbolic(value.clone())),
        },
        Value::Unsigned(value) if element.is_float() => flatten(&Value::Float(*value as f64), element, out),
        Value::Unsigned(value) if element == ElementType::U64 => {
            out.push(Constant::Unsigned(*value));
            Ok(())
        }
        Value::Unsigned(value) if element.is_integer() => Err(NoElement::Unsigned(*value)),
        Value::Float(value) if element.is_float() && !element.holds_float(*value) => Err(NoElement::Float(*value)),
        Value::Float(value) if element.is_float() => {
            out.push(Constant::Float(*value));
            Ok(())
        }
        Value::Bool(value) if element == ElementType::Bool => {
            out.push(Constant::Bool(*value));
            Ok(())
        }
        other => Err(NoElement::Kind(other.kind())),
    }
}
