//! Two tiles of different ranks in an operation from element to element.

use super::diagnostic::Diagnostic;
use super::tile_shape::PAGE;
use super::words;
use smol_str::SmolStr;
use syntax::span::Span;

/// An operand of an operation from element to element.
pub(crate) struct OperandTile<'t> {
    pub(crate) shape: &'t [i64],
    pub(crate) span: Span,
    pub(crate) said: Said,
}

/// How an operand is written.
pub(crate) enum Said {
    /// By its name.
    Name(SmolStr),
    /// As a reduction along this dimension: `t.max(1)`.
    Reduction(usize),
    /// Otherwise.
    Other,
}

/// Two operands have different ranks.
pub(crate) fn tile_ranks(span: Span, operands: [OperandTile<'_>; 2]) -> Diagnostic {
    let shown = |tile: &[i64]| format!("[{}]", words::numbers(tile));
    let [left, right] = operands.each_ref().map(|operand| shown(operand.shape));
    let diagnostic = PAGE.at(span, format!("tiles of {left} and {right} have different ranks"));
    let [left, right] = operands;
    let (larger, smaller) = if left.shape.len() > right.shape.len() { (left, right) } else { (right, left) };
    if larger.shape.len() > smaller.shape.len() + 1 {
        return diagnostic.help("`t.insert(0)` adds a dimension of extent 1 before the first one");
    }
    let with_one = |place: usize| [&smaller.shape[..place], &[1], &smaller.shape[place..]].concat();
    let fits =
        |shape: &[i64]| shape.iter().zip(larger.shape).all(|(own, other)| own == other || *own == 1 || *other == 1);
    let mut places: Vec<usize> = (0..=smaller.shape.len()).filter(|place| fits(&with_one(*place))).collect();
    if let Said::Reduction(dimension) = smaller.said
        && places.contains(&dimension)
    {
        let before_close = Span::new(smaller.span.end - 1, smaller.span.end - 1);
        return diagnostic
            .help(format!("`keep: true` leaves dimension {dimension} with extent 1: {}", shown(&with_one(dimension))))
            .fix("keep the dimension", before_close, ", keep: true");
    }
    // Beside other extents of 1 it makes no difference.
    places.dedup_by_key(|place| with_one(*place));
    let inserted = |place: &usize| format!("`t.insert({place})` makes it {}", shown(&with_one(*place)));
    match (places.as_slice(), smaller.said) {
        ([], _) => diagnostic.help(format!(
            "with no further dimension of extent 1 does {} go with {}",
            shown(smaller.shape),
            shown(larger.shape)
        )),
        ([place], Said::Name(name)) => diagnostic
            .help(format!("`{name}.insert({place})` makes it {}", shown(&with_one(*place))))
            .fix(format!("write `{name}.insert({place})`"), smaller.span, format!("{name}.insert({place})")),
        ([place], _) => diagnostic.help(inserted(place)),
        (several, _) => diagnostic
            .help(format!("say which is meant: {}", several.iter().map(inserted).collect::<Vec<_>>().join(", "))),
    }
}
