//! Element types, and the conversions that are called like them: what the table of element types says of each.

use std::sync::LazyLock;

use elements::{Conversion, ElementType, Kind};
use kernel::functions::Parameter;

use super::entry::Subject::{KernelFunction, Type};
use super::entry::{Entry, Form};

/// The element types.
pub(super) static TYPES: LazyLock<Vec<Entry>> = LazyLock::new(|| ElementType::ALL.map(element_type).into());

/// The conversions to them.
pub(super) static CONVERSIONS: LazyLock<Vec<Entry>> = LazyLock::new(|| ElementType::ALL.map(conversion).into());

/// A text of the one table of the process, which lives as long as it does.
fn kept(text: String) -> &'static str {
    text.leak()
}

fn element_type(element: ElementType) -> Entry {
    let word = element.name();
    let example =
        format!("kernel copy(x: {word}[8], y: mut {word}[8]) {{\n    for i in grid(8) {{ y[i] = x[i]; }}\n}}");
    let text = element.definition().text;
    Entry { subject: Type, word, form: Form::Lines(word), text, example: kept(example) }
}

/// What a conversion takes.
const CONVERTED: &[Parameter] = &[Parameter::new("value", "a number or a truth value")];

fn conversion(element: ElementType) -> Entry {
    let word = element.name();
    let how = match element.definition().kind {
        Kind::Bool => ": `!= 0`.".to_owned(),
        Kind::Integer { .. } => {
            ". A float is truncated toward zero and saturates, NaN becomes 0; a wider integer wraps.".to_owned()
        }
        Kind::Float(format) => match format.conversion {
            Conversion::Ieee => ", rounded to nearest even.".to_owned(),
            Conversion::Saturating => {
                let largest = format.largest();
                format!(
                    ", rounded to nearest even. Beyond {largest} it is {largest}, of an infinity too, and NaN stays one."
                )
            }
        },
    };
    let example =
        format!("kernel convert(x: i32[8], y: mut {word}[8]) {{\n    for i in grid(8) {{ y[i] = {word}(x[i]); }}\n}}");
    Entry {
        subject: KernelFunction,
        word,
        form: Form::Call(CONVERTED),
        text: kept(format!("To `{word}`{how}")),
        example: kept(example),
    }
}
