//! The syntax of calls: parameters, and the line that shows them.

use std::ops::Range;

/// A parameter of something that can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name, as in `threads: 32`.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Its text in a signature: the name, or more where that says too little, as in `layout: [entry, …]`.
    pub written: &'static str,
    /// How arguments are matched to this parameter.
    pub given: Given,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// Whether it takes all further arguments.
    pub is_repeated: bool,
    /// What separates it from the parameter before it.
    pub separator: &'static str,
    /// The words that may be given to it, if it takes only these; `true` and `false` are not named.
    pub choices: &'static [Choice],
}

/// A word that may be given to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub word: &'static str,
    /// What it means.
    pub about: &'static str,
}

impl Choice {
    /// A word with its meaning.
    pub const fn new(word: &'static str, about: &'static str) -> Self {
        Self { word, about }
    }
}

/// How an argument is matched to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// By position.
    InPlace,
    /// By the parameter's name: `threads: 32`.
    ByName,
    /// By position, with a new name in front: `tile(w: 8, cuda_warp)`.
    WithNewName,
}

impl Parameter {
    /// A required positional parameter.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        let (given, separator) = (Given::InPlace, ", ");
        Self { name, about, written: name, given, is_optional: false, is_repeated: false, separator, choices: &[] }
    }

    /// Makes it optional.
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// Makes it take all further arguments.
    pub const fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    /// Sets its text in a signature.
    pub const fn written(self, written: &'static str) -> Self {
        Self { written, ..self }
    }

    /// Sets how arguments are matched to it.
    pub const fn given(self, given: Given) -> Self {
        Self { given, ..self }
    }

    /// Sets the words that may be given to it.
    pub const fn choices(self, choices: &'static [Choice]) -> Self {
        Self { choices, ..self }
    }

    /// Sets the separator before it, a comma by default.
    pub const fn behind(self, separator: &'static str) -> Self {
        Self { separator, ..self }
    }
}

/// The line that shows the syntax of a call: `linear(width[, threads])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The line.
    pub text: String,
    /// The byte range of each parameter in the line.
    pub parameters: Vec<Range<usize>>,
}

impl Signature {
    /// The call of `called` with its parameters, the optional ones in brackets. Optional parameters are adjacent, and
    /// are given or left out together.
    pub fn new(called: &str, parameters: &[Parameter]) -> Self {
        let mut signature = Self { text: format!("{called}("), parameters: Vec::with_capacity(parameters.len()) };
        for (position, parameter) in parameters.iter().enumerate() {
            let before = position.checked_sub(1).and_then(|before| parameters.get(before));
            let separator = if before.is_some() { parameter.separator } else { "" };
            let opens = parameter.is_optional && before.is_none_or(|before| !before.is_optional);
            let closes = !parameter.is_optional && before.is_some_and(|before| before.is_optional);
            signature.text.push_str(match (opens, closes) {
                (true, _) => "[",
                (_, true) => ",]",
                _ => "",
            });
            signature.text.push_str(if closes { " " } else { separator });
            let start = signature.text.len();
            signature.text.push_str(parameter.written);
            if parameter.is_repeated {
                signature.text.push_str(", …");
            }
            signature.parameters.push(start..signature.text.len());
        }
        if parameters.last().is_some_and(|last| last.is_optional) {
            signature.text.push(']');
        }
        signature.text.push(')');
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Parameter = Parameter::new("a", "the first");
    const B: Parameter = Parameter::new("b", "the second");

    fn text(parameters: &[Parameter]) -> String {
        Signature::new("f", parameters).text
    }

    #[test]
    fn brackets_stand_around_what_may_be_left_out() {
        assert_eq!(text(&[]), "f()");
        assert_eq!(text(&[A, B]), "f(a, b)");
        assert_eq!(text(&[A, B.optional()]), "f(a[, b])");
        assert_eq!(text(&[A.optional(), B]), "f([a,] b)");
        assert_eq!(text(&[A.optional(), B.optional()]), "f([a, b])");
        assert_eq!(text(&[A.repeated(), B]), "f(a, …, b)");
        assert_eq!(text(&[A.repeated().optional()]), "f([a, …])");
        assert_eq!(text(&[A, B.written("b: [entry, …]").behind(" => ")]), "f(a => b: [entry, …])");
    }

    #[test]
    fn each_parameter_knows_its_bytes() {
        let signature = Signature::new("f", &[A.optional(), B.repeated()]);
        let parameters: Vec<&str> = signature.parameters.iter().map(|range| &signature.text[range.clone()]).collect();
        assert_eq!((signature.text.as_str(), parameters), ("f([a,] b, …)", vec!["a", "b, …"]));
    }
}
