//! How a call is written: the parameters of what is called, and the line that shows them.

use std::ops::Range;

/// A parameter of something that can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What an argument is named after, as in `threads: 32`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// How a signature writes it: its name, unless that says too little, as in `layout: [entry, …]`.
    pub written: &'static str,
    /// How an argument says that it is meant for this parameter.
    pub given: Given,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// Whether it takes all further arguments.
    pub is_repeated: bool,
    /// What separates it from the parameter before it.
    pub separator: &'static str,
}

/// How an argument says for which parameter it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// By its place among the arguments.
    InPlace,
    /// By the parameter's name: `threads: 32`.
    ByName,
    /// By its place, with a name in front that the caller declares: `tile(w: 8, cuda_warp)`.
    WithNewName,
}

impl Parameter {
    /// A parameter that each call gives once, in its place.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        let (given, separator) = (Given::InPlace, ", ");
        Self { name, about, written: name, given, is_optional: false, is_repeated: false, separator }
    }

    /// It may be left out.
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// It takes all further arguments.
    pub const fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    /// A signature writes it so.
    pub const fn written(self, written: &'static str) -> Self {
        Self { written, ..self }
    }

    /// An argument says so that it is meant.
    pub const fn given(self, given: Given) -> Self {
        Self { given, ..self }
    }

    /// This stands before it in place of a comma.
    pub const fn behind(self, separator: &'static str) -> Self {
        Self { separator, ..self }
    }
}

/// The line that shows how a call is written: `linear(width[, threads])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The line.
    pub text: String,
    /// The bytes of each parameter in it.
    pub parameters: Vec<Range<usize>>,
}

impl Signature {
    /// The call of `called` with its parameters, those in brackets that may be left out. Optional parameters stand next to
    /// one another, and are given or left out together.
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
