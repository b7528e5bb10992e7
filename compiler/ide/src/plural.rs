//! Numbers of things in sentences.

use crate::document::inline;
use dims::Sym;

/// `1 error`, `2 errors`: nouns that take an `s`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// `48 bytes`, `4 * N bytes`.
pub fn bytes(number: &Sym) -> String {
    match number.as_constant().and_then(|number| usize::try_from(number).ok()) {
        Some(number) => count(number, "byte"),
        None => format!("{} bytes", inline(number)),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_singular_and_everything_else_plural() {
        assert_eq!(super::count(0, "error"), "0 errors");
        assert_eq!(super::count(1, "error"), "1 error");
        assert_eq!(super::count(2, "error"), "2 errors");
    }
}
