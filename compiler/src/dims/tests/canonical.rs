//! Canonical forms and their text.

use crate::dims::{Facts, Sym, Symbol};

fn s(name: &str) -> Sym {
    Sym::symbol(Symbol::new(name, 0))
}

#[test]
fn collects_terms() {
    let (a, b) = (s("a"), s("b"));
    let three_a = Sym::constant(3).checked_mul(&a).unwrap();
    let two_b = Sym::constant(2).checked_mul(&b).unwrap();
    assert_eq!(
        three_a
            .checked_add(&two_b)
            .unwrap()
            .checked_add(&a)
            .unwrap()
            .to_string(),
        "4a + 2b"
    );
    let facts = Facts::empty();
    assert_eq!(
        s("M").cdiv(&64.into(), &facts).unwrap().to_string(),
        "cdiv(M, 64)"
    );
}
