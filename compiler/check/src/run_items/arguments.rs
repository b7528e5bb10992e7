//! Initial values: `zeros`, `arange`, `random(1)`, `2.0`, `[1, 2, 3]`, `npy("x.npy")`.

use super::RunChecker;
use crate::diagnostics::{self, Quantity};
use crate::names;
use crate::values::Value;
use elements::ElementType;
use kernel::run::Init;
use kernel::typed::{Constant, Param, ParamKind};
use maps::shapes::Shape;
use syntax::tree::{self, Expr, ExprKind, Suffix, SuffixKind};

/// The words that are initial values.
pub const INITIAL_VALUES: &[&str] = &["zeros", "ones", "arange"];

/// The functions that make initial values.
pub const INITIAL_FUNCTIONS: &[&str] = &["random", "npy"];

impl RunChecker<'_> {
    /// One per parameter, in order.
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
                let message = match &argument.name {
                    Some(name) => format!(
                        "`{}` has no parameter `{}`; its parameters are {}",
                        run.kernel.text,
                        name.text,
                        parameters.join(", ")
                    ),
                    None => {
                        format!("`{}` takes {} arguments: {}", run.kernel.text, parameters.len(), parameters.join(", "))
                    }
                };
                return self.report(diagnostics::run_argument(span, message));
            };
            if inits[target].is_some() {
                let message = format!("`{}` is given twice", self.params[target].name);
                return self.report(diagnostics::run_argument(argument.value.span, message));
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
                    _ => {
                        let message = "`npy` takes the path of a file, as in `npy(\"x.npy\")`";
                        return self.report(diagnostics::run_argument(path.span, message));
                    }
                }
            }
            Some((word @ ("zeros" | "ones" | "arange"), Some(_))) => {
                let message = format!("`{word}` stands alone: it fills `{}`, whose shape is known", param.name);
                let found = diagnostics::run_argument(value.span, message);
                return self.report(found.fix(format!("write `{word}`"), value.span, word));
            }
            Some(("random", None)) if !self.declares("random") => {
                let found = diagnostics::run_argument(value.span, "`random` takes a seed, as in `random(1)`");
                return self.report(found.fix("write `random(1)`", value.span, "random(1)"));
            }
            _ => return self.literal(value, param),
        };
        if !is_tensor {
            let message = format!("`{}` is a scalar: give it a number", param.name);
            return self.report(diagnostics::run_argument(value.span, message));
        }
        Some(init)
    }

    /// Any 64 bits: a negative seed stands for those of its two's complement.
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
        if let Err(problem) = flatten(&value, param.element, &mut elements) {
            let message = format!("`{}` holds `{}`, which {problem}", param.name, param.element);
            return self.report(diagnostics::run_argument(expr.span, message));
        }
        match (&param.kind, elements.as_slice()) {
            (_, [single]) if !is_list => Some(Init::Constant(*single)),
            (ParamKind::Scalar, _) => {
                let message = format!("`{}` is a scalar: give it one number", param.name);
                self.report(diagnostics::run_argument(expr.span, message))
            }
            (ParamKind::Tensor { shape, .. }, _) => {
                let size = Shape { dims: shape.clone() }.size().ok().and_then(|size| size.as_constant());
                if let Some(size) = size
                    && usize::try_from(size) != Ok(elements.len())
                {
                    let message =
                        format!("`{}` has {size} elements, but the literal has {}", param.name, elements.len());
                    return self.report(diagnostics::run_argument(expr.span, message));
                }
                Some(Init::Literal(elements))
            }
        }
    }
}

/// The numbers of a nested literal in row-major order; an error where one does not fit the element type, in words that
/// follow the type.
fn flatten(value: &Value, element: ElementType, out: &mut Vec<Constant>) -> Result<(), String> {
    let beyond = |number: &str| format!("is {}, and not {number}", element.range_text());
    match value {
        Value::List(values) | Value::Tuple(values) => values.iter().try_for_each(|value| flatten(value, element, out)),
        Value::Shape(shape) => shape.dims.iter().try_for_each(|dim| flatten(&Value::Int(dim.clone()), element, out)),
        Value::Int(value) if element.is_float() || element.is_integer() => match value.as_constant() {
            Some(value) if !element.holds(value) => Err(beyond(&value.to_string())),
            Some(value) if element.is_float() => {
                out.push(Constant::Float(value as f64));
                Ok(())
            }
            Some(value) => {
                out.push(Constant::Int(value));
                Ok(())
            }
            None => Err(format!("cannot be `{value}`: a literal is made of numbers that are known")),
        },
        Value::Unsigned(value) if element.is_float() => flatten(&Value::Float(*value as f64), element, out),
        Value::Unsigned(value) if element == ElementType::U64 => {
            out.push(Constant::Unsigned(*value));
            Ok(())
        }
        Value::Unsigned(value) if element.is_integer() => Err(beyond(&value.to_string())),
        Value::Float(value) if element.is_float() && !element.holds_float(*value) => Err(beyond(&format!("{value:?}"))),
        Value::Float(value) if element.is_float() => {
            out.push(Constant::Float(*value));
            Ok(())
        }
        Value::Bool(value) if element == ElementType::Bool => {
            out.push(Constant::Bool(*value));
            Ok(())
        }
        other => Err(format!("cannot be {}", other.kind_name())),
    }
}
