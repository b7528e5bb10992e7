//! An entry: the word, the context in which it has this meaning, and what an editor says of it.

use crate::document::Document;
use kernel::functions::{Parameter, Signature};

/// The context in which a word has the meaning of an entry. One word may have several: `block` is a clause and a
/// unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// Starts an item, or belongs to its head.
    Item,
    /// A clause of an item, such as `where`, `grid(…)` or `expect`.
    Clause,
    /// Starts a statement of a kernel, or belongs to one.
    Statement,
    /// A clause of a view.
    ViewClause,
    /// The unit of threads that a view belongs to.
    Unit,
    /// A word of an expression, such as `true` or `if`.
    Expression,
    /// A function outside kernels.
    Function,
    /// A function in kernels.
    KernelFunction,
    /// A function that makes or combines tiles.
    TileFunction,
    /// A member of a tile.
    TileMember,
    /// A member of a partition.
    PartitionMember,
    /// A function in expectations.
    ExpectFunction,
    /// A member of a map.
    MapMember,
    /// A member of a shape.
    ShapeMember,
    /// A unit of threads, or what its sizes are made of.
    ThreadUnit,
    /// A member of a unit.
    UnitMember,
    /// A member of a tiling.
    TilingMember,
    /// A member of a tensor in an expectation.
    TensorMember,
    /// A named part of `reshape_map`, or an entry of its layout.
    MapPart,
    /// An element type.
    Type,
    /// The initial value of an argument of a run.
    Initial,
}

/// The documentation of one word.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its context.
    pub subject: Subject,
    /// The word.
    pub word: &'static str,
    /// How it is written.
    pub form: Form,
    /// What it means, in one to three sentences.
    pub text: &'static str,
    /// A file that uses it.
    pub example: &'static str,
}

/// How a word is written.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// As these lines, one form each.
    Lines(&'static str),
    /// As a call with these parameters.
    Call(&'static [Parameter]),
}

/// An entry without parameters.
pub(super) const fn entry(
    subject: Subject,
    word: &'static str,
    lines: &'static str,
    text: &'static str,
    example: &'static str,
) -> Entry {
    Entry { subject, word, form: Form::Lines(lines), text, example }
}

/// An entry of something that is called.
pub(super) const fn call(
    subject: Subject,
    word: &'static str,
    parameters: &'static [Parameter],
    text: &'static str,
    example: &'static str,
) -> Entry {
    Entry { subject, word, form: Form::Call(parameters), text, example }
}

impl Subject {
    /// The text before the dot where members of such values are shown.
    const fn receiver(self) -> Option<&'static str> {
        match self {
            Self::MapMember => Some("m"),
            Self::ShapeMember => Some("s"),
            Self::UnitMember => Some("unit"),
            Self::TilingMember => Some("work"),
            Self::TensorMember => Some("x"),
            Self::TileMember => Some("t"),
            Self::PartitionMember => Some("px"),
            _ => None,
        }
    }
}

impl Entry {
    /// The parameters of what is called.
    pub fn parameters(&self) -> &'static [Parameter] {
        match self.form {
            Form::Lines(_) => &[],
            Form::Call(parameters) => parameters,
        }
    }

    /// How it is called; `None` where it is no call.
    pub fn signature(&self) -> Option<Signature> {
        let Form::Call(parameters) = self.form else { return None };
        let called = match self.subject.receiver() {
            Some(receiver) => format!("{receiver}.{}", self.word),
            None => self.word.to_owned(),
        };
        Some(Signature::new(&called, parameters))
    }

    /// Each form in which it is written, on a line of its own.
    pub(super) fn forms(&self) -> String {
        match self.form {
            Form::Lines(lines) => lines.to_owned(),
            Form::Call(_) => self.signature().map(|signature| signature.text).unwrap_or_default(),
        }
    }

    /// The first form in which it is written.
    pub fn first_form(&self) -> String {
        self.forms().lines().next().unwrap_or_default().to_owned()
    }

    /// The entry as an editor shows it.
    pub fn document(&self) -> Document {
        Document::joined([Document::source(self.forms()), self.body()])
    }

    /// What follows the signature: the text, the parameters and the example.
    pub fn body(&self) -> Document {
        let parameters = self.parameters().iter();
        let parameters = parameters.map(|parameter| format!("`{}`: {}", parameter.written, parameter.about));
        let parameters = Document::list("", parameters.collect());
        Document::joined([self.text.into(), parameters, Document::source(self.example)])
    }
}
