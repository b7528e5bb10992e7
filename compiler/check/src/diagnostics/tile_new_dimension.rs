//! A dimension of extent 1 that is written as numpy and Triton do.

use super::diagnostic::Diagnostic;
use super::tile_shape::PAGE;
use super::words;
use syntax::span::Span;

/// `t[:, None]`: dimensions of extent 1 at these places. The brackets are replaced where whole dimensions stand beside them.
pub(crate) fn new_dimensions(span: Span, tile: &[i64], places: &[usize], brackets: Option<Span>) -> Diagnostic {
    let inserts: String = places.iter().map(|place| format!(".insert({place})")).collect();
    let diagnostic = PAGE.at(span, "brackets take a part of a tile, and add no dimension").label("`None` is no range");
    let mut made = tile.to_vec();
    places.iter().for_each(|place| made.insert((*place).min(made.len()), 1));
    match brackets {
        Some(brackets) => diagnostic
            .help(format!(
                "`{inserts}` makes the tile of [{}] one of [{}]",
                words::numbers(tile),
                words::numbers(&made)
            ))
            .fix(format!("write `{inserts}`"), brackets, inserts),
        None => diagnostic.help("take the part, `t[0..4, 0..8]`, and then add a dimension of extent 1: `.insert(1)`"),
    }
}
