//! A tile that is assigned to a variable of numbers.

use super::diagnostic::Diagnostic;
use super::tile_shape::PAGE;
use super::words;
use elements::ElementType;
use smol_str::SmolStr;
use syntax::span::Span;

/// A variable that is declared as a number.
pub(crate) struct Number<'n> {
    pub(crate) name: &'n str,
    pub(crate) declared: Span,
    /// Its type and its first value, and the text of this, where it is a number of the text.
    pub(crate) first: Option<([Span; 2], &'n str)>,
}

/// A tile at `span` is assigned to a variable that is a number.
pub(crate) fn tile_in_number(span: Span, number: &Number<'_>, element: ElementType, tile: &[i64]) -> Diagnostic {
    let (name, shape) = (number.name, words::numbers(tile));
    let value = number.first.map_or("0", |(_, value)| value);
    let made = match value {
        "0" | "0.0" => format!("zeros({element}[{shape}])"),
        "1" | "1.0" => format!("ones({element}[{shape}])"),
        value => format!("full({element}[{shape}], {value})"),
    };
    let diagnostic = PAGE
        .at(span, format!("`{name}` is a number, and a tile of [{shape}] is assigned to it"))
        .label(format!("a tile of [{shape}]"))
        .related(number.declared, format!("`{name}` is declared as a number here"))
        .help(format!("declare it as a tile, `let mut {name} = {made};`, or make the tile a number, as with `.sum()`"));
    match number.first {
        Some(([element, value], _)) => {
            let of_type = (element.start < element.end).then(|| (element, SmolStr::default()));
            let edits = of_type.into_iter().chain([(value, SmolStr::from(made))]).collect();
            diagnostic.fix_at(format!("declare `{name}` as a tile"), edits)
        }
        None => diagnostic,
    }
}
