//! Parsing what a solver printed.

use std::collections::BTreeMap;

/// The answer to a script that ends with `(check-sat)` and `(get-value …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// No values satisfy the assertions.
    Unsatisfiable,
    /// These values do.
    Satisfiable(BTreeMap<String, i64>),
}

/// Parses an answer. `None` if the solver does not know, or printed anything else first: it may have ignored an
/// assertion that it did not understand. Values beyond 64 bits are left out.
pub(super) fn read(printed: &str) -> Option<Answer> {
    let mut tokens = Tokens { rest: printed };
    match tokens.next()? {
        // The error that `get-value` prints after it is ignored.
        "unsat" => Some(Answer::Unsatisfiable),
        "sat" => Some(Answer::Satisfiable(values(&mut tokens)?)),
        _ => None,
    }
}

/// `((name value) …)`, where a value is `3` or `(- 3)`.
fn values(tokens: &mut Tokens<'_>) -> Option<BTreeMap<String, i64>> {
    let mut values = BTreeMap::new();
    expect(tokens, "(")?;
    loop {
        match tokens.next()? {
            ")" => return Some(values),
            "(" => {}
            _ => return None,
        }
        let name = tokens.next()?;
        let value = match tokens.next()? {
            "(" => {
                expect(tokens, "-")?;
                let digits = tokens.next()?;
                expect(tokens, ")")?;
                format!("-{digits}")
            }
            digits => digits.to_owned(),
        };
        expect(tokens, ")")?;
        if let Ok(value) = value.parse() {
            values.insert(name.to_owned(), value);
        }
    }
}

fn expect(tokens: &mut Tokens<'_>, token: &str) -> Option<()> {
    (tokens.next()? == token).then_some(())
}

/// Parentheses and words.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = match text.chars().next()? {
            '(' | ')' => 1,
            _ => text.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_either_sign() {
        let model = |pairs: &[(&str, i64)]| {
            Some(Answer::Satisfiable(pairs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()))
        };
        assert_eq!(read("sat\n((a0 3)\n (b1 (- 4)))\n"), model(&[("a0", 3), ("b1", -4)]));
        assert_eq!(read("sat\n()\n"), model(&[]));
        assert_eq!(read("sat ((a0 99999999999999999999))"), model(&[]));
        assert_eq!(read("sat ((a0 (- 9223372036854775808)))"), model(&[("a0", i64::MIN)]));
    }

    #[test]
    fn only_a_clean_answer_counts() {
        assert_eq!(read("unsat\n(error \"line 9: model is not available\")"), Some(Answer::Unsatisfiable));
        for printed in [
            "",
            "unknown",
            "timeout\n",
            "(error \"line 3: unknown constant\")\nunsat\n",
            "unsatisfiable",
            "sat",
            "sat\n(",
            "sat ((a0 (+ 3)))",
            "sat ((a0",
            "sat é((",
        ] {
            assert_eq!(read(printed), None, "{printed}");
        }
    }
}
