//! Maps as functions of a language of the C family: one for each lower coordinate, and one for validity.

use super::dialect::{Dialect, integer_type};
use super::emitted::{Emitted, Function, Gives, NoForm, Parameter};
use super::header;
use super::masks::is_masked;
use super::width::fits_int;
use super::writer::Writer;
use crate::names::identifier;
use crate::range::Range;
use dims::{Facts, Sym};
use maps::{Affine, IndexMap};

/// The most characters of a condition in one line; longer ones have a line for each part.
const LONGEST_CONDITION: usize = 100;

/// The differences between the languages.
pub(super) struct Family {
    /// The text before the functions.
    pub prelude: &'static str,
    /// The qualifiers before the return type of a function.
    pub qualifiers: &'static str,
}

/// A condition `low ≤ value < high` of validity.
struct Condition<'m> {
    value: &'m Affine,
    low: Option<Sym>,
    high: Option<&'m Sym>,
}

/// Emits the functions of a map.
pub(super) fn emit(family: &Family, name: &str, map: &IndexMap, facts: &Facts) -> Result<Emitted, NoForm> {
    let base = Writer::new(Dialect::C, map, facts, Dialect::C.names());
    let mut functions = Functions { family, map, base, is_empty: false };
    functions.is_empty = functions.is_valid_nowhere();
    functions.write(name, facts)
}

struct Functions<'m> {
    family: &'m Family,
    map: &'m IndexMap,
    base: Writer<'m>,
    /// Whether it is known that no coordinate is valid.
    is_empty: bool,
}

impl<'m> Functions<'m> {
    fn write(&mut self, name: &str, facts: &Facts) -> Result<Emitted, NoForm> {
        let identifier = identifier(name);
        let coordinate: Vec<&str> = self.base.coordinates.iter().map(|value| value.text.code.as_str()).collect();
        let coordinate = format!("({})", coordinate.join(", "));
        let mut functions = Vec::new();
        let mut text = String::new();
        for number in 0..self.map.lower.len() {
            let (function, what) = match self.map.lower.len() {
                1 => (format!("{identifier}_offset"), "The offset".to_owned()),
                _ => (format!("{identifier}_lower{number}"), format!("Lower coordinate {number}")),
            };
            let (range, body) = self.lower(number);
            let wide = !fits_int(&range);
            text.push_str(&format!("\n// {what} of {coordinate}, which must be valid.\n"));
            text.push_str(&self.function(integer_type(wide), &function, &body));
            functions.push(self.described(function, Gives::Lower(number), wide));
        }
        let function = format!("{identifier}_valid");
        text.push_str(&format!("\n// Whether {coordinate} is valid.\n"));
        let body = self.validity();
        text.push_str(&self.function("bool", &function, &body));
        functions.push(self.described(function, Gives::Validity, false));
        self.base.problem()?;
        let mut lines = header::lines(name, self.map, facts);
        lines.extend(header::limits(&self.base.limits, self.base.is_unbounded));
        if !self.base.has_wide && !functions.iter().any(Function::has_wide) {
            lines.push("Every value fits in 32 bits.".to_owned());
        }
        let source = format!("{}{}{text}", header::commented("//", &lines), self.family.prelude);
        Ok(Emitted { source, functions, layout: None, offset: String::new() })
    }

    /// The description of a function for its callers.
    fn described(&self, name: String, gives: Gives, wide: bool) -> Function {
        let coordinates = self.base.coordinates.iter().enumerate();
        let coordinates = coordinates.map(|(axis, value)| Parameter::Coordinate { axis, wide: value.wide });
        let sizes = self.base.symbols().map(|(symbol, _)| {
            let wide = !fits_int(&self.base.symbol_range(symbol));
            Parameter::Size { symbol: symbol.clone(), wide }
        });
        Function { name, gives, parameters: coordinates.chain(sizes).collect(), wide }
    }

    /// The text of a function; all functions have the same parameters.
    fn function(&self, returns: &str, name: &str, body: &str) -> String {
        let coordinates = self.base.coordinates.iter();
        let coordinates = coordinates.map(|value| format!("{} {}", integer_type(value.wide), value.text.code));
        let sizes = self.base.symbols().map(|(symbol, name)| {
            let wide = !fits_int(&self.base.symbol_range(symbol));
            format!("{} {name}", integer_type(wide))
        });
        let parameters: Vec<String> = coordinates.chain(sizes).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        format!("{} {returns} {name}({parameters})\n{{\n{body}}}\n", self.family.qualifiers)
    }

    /// The body of the function for a lower coordinate, and the range of its result.
    fn lower(&mut self, number: usize) -> (Range, String) {
        let axis = self.map.lower.get(number).filter(|_| !self.is_empty);
        let Some(axis) = axis else {
            return (Range::constant(0), "    return 0;\n".to_owned());
        };
        let mut writer = self.base.clone();
        writer.announce(std::iter::once(&axis.value));
        let value = writer.form(&axis.value);
        let mut body = statements(&writer.lines);
        body.push_str(&format!("    return {};\n", value.text.code));
        self.keep_notes(writer);
        (value.range, body)
    }

    /// The body of the function for validity. Expressions after the test of the extents may rely on them.
    fn validity(&mut self) -> String {
        if self.is_empty {
            return "    return false;\n".to_owned();
        }
        let mut writer = self.base.clone();
        let mut inside: Vec<String> = Vec::new();
        for (axis, coordinate) in self.map.upper.iter().zip(self.base.coordinates.clone()) {
            let tests = writer.bounds(&coordinate, Some(&Sym::zero()), axis.extent.as_ref());
            inside.extend(tests.into_iter().map(|test| test.code));
        }
        let mut body = statements(&std::mem::take(&mut writer.lines));
        let conditions = self.conditions(&writer);
        writer.announce(conditions.iter().map(|condition| condition.value));
        let mut valid: Vec<String> = Vec::new();
        for condition in &conditions {
            let tests = writer.tests(condition.value, condition.low.as_ref(), condition.high);
            valid.extend(tests.into_iter().map(|test| test.code));
        }
        if writer.lines.is_empty() {
            inside.append(&mut valid);
            body.push_str(&format!("    return {};\n", conjunction(&inside)));
        } else {
            if !inside.is_empty() {
                body.push_str(&format!("    if (!({})) {{\n        return false;\n    }}\n", conjunction(&inside)));
            }
            body.push_str(&statements(&writer.lines));
            body.push_str(&format!("    return {};\n", conjunction(&valid)));
        }
        self.keep_notes(writer);
        body
    }

    /// The conditions beyond the extents that do not follow from the ranges.
    fn conditions(&self, writer: &Writer<'m>) -> Vec<Condition<'m>> {
        let mut trial = writer.clone();
        let is_needed = |condition: &Condition<'m>| {
            !trial.tests(condition.value, condition.low.as_ref(), condition.high).is_empty()
        };
        self.all_conditions().filter(is_needed).collect()
    }

    /// The masks, and the lower extents that no mask states.
    fn all_conditions(&self) -> impl Iterator<Item = Condition<'m>> + use<'m> {
        let map = self.map;
        let masks = map.masks.iter();
        let masks = masks.map(|mask| Condition { value: &mask.value, low: mask.low.clone(), high: mask.high.as_ref() });
        let bounded = map.lower.iter().filter(move |axis| axis.extent.is_some() && !is_masked(map, axis));
        let bounds =
            bounded.map(|axis| Condition { value: &axis.value, low: Some(Sym::zero()), high: axis.extent.as_ref() });
        masks.chain(bounds)
    }

    /// Whether an extent or a condition is known to hold for no coordinate. C compilers warn of such comparisons.
    fn is_valid_nowhere(&self) -> bool {
        let mut extents = self.map.upper.iter().filter_map(|axis| axis.extent.as_ref()?.as_constant());
        let mut trial = self.base.clone();
        extents.any(|extent| extent <= 0)
            || self
                .all_conditions()
                .any(|condition| trial.never_holds(condition.value, condition.low.as_ref(), condition.high))
    }

    /// Takes over the limits that a function found.
    fn keep_notes(&mut self, writer: Writer<'m>) {
        self.base.take_notes(writer);
    }
}

fn statements(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

fn conjunction(tests: &[String]) -> String {
    let joined = tests.join(" && ");
    match tests {
        [] => "true".to_owned(),
        _ if joined.len() <= LONGEST_CONDITION => joined,
        _ => tests.join("\n        && "),
    }
}
